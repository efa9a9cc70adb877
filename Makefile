# Two commands to start with: `make figures` and `make test`. Everything else is Snakemake itself.
PYTHON ?= python3
CORES ?= all
BIN := .venv/bin
INSTALLED := .venv/.installed
DOCS := .venv-docs/.installed
LOCKED := --quiet --no-cache-dir --disable-pip-version-check --require-hashes

# The tools' own caches stay in this folder, too.
export XDG_CACHE_HOME := $(CURDIR)/.venv/cache
export MPLCONFIGDIR := $(CURDIR)/.venv/cache/matplotlib

.PHONY: figures test test-slurm test-pythons lint bad-days profile benchmark reference artifact schema docs lock clean

figures: $(INSTALLED)
	$(BIN)/snakemake --cores $(CORES)

# Two cores, and a third process for the time in which tests wait for Slurm.
test: $(INSTALLED) lint
	$(BIN)/python -m pytest -n 3

# On a real Slurm of one node, and one of two of which one fails, which the tests start and stop: needs root and Debian's slurm-wlm,
# munge and iproute2. `make test` includes it where these are installed; this target fails where they are not.
test-slurm: $(INSTALLED)
	SLURM_IS_WANTED=yes $(BIN)/python -m pytest tests/workflow/test_slurm.py

# The same numbers with every other Python that is found (python3.12 and so on, on the path), each installed from the lock.
test-pythons: $(INSTALLED)
	for version in 3.11 3.12 3.13; do \
	  python=$$(command -v python$$version) && $$python --version >/dev/null 2>&1 || continue; \
	  test -e .venv-$$version/.installed && continue; \
	  $$python -m venv .venv-$$version && .venv-$$version/bin/python -m pip install $(LOCKED) -r requirements.lock \
	    && touch .venv-$$version/.installed || exit; \
	done
	$(BIN)/python -m pytest tests/test_pythons.py

lint: $(INSTALLED)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/snakefmt --check --compact-diff Snakefile workflow
	$(BIN)/snakemake --lint

# Kills, flipped bytes, wrong paper files, a full disk, a failing node: the tests with larger numbers, and the table of docs/bad-days.md.
bad-days: $(INSTALLED)
	$(BIN)/python benchmarks/bad_days.py

# The processor time of the parts of a whole run, at the smoke scale or with SCALE=paper.
profile: $(INSTALLED)
	$(BIN)/python benchmarks/profile.py --scale $(or $(SCALE),smoke)

benchmark: $(INSTALLED)
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/estimates.py

# Run everything at the scales that are verified, then copy the numbers into reference/, the previews into figures/gallery/ and the
# tables into the README and docs/readings, and compare the numbers with those that independent code measured.
reference: $(INSTALLED)
	for scale in paper smoke; do $(BIN)/snakemake --cores $(CORES) --config scale=$$scale -- all reference || exit; done
	$(BIN)/python benchmarks/readings.py
	$(BIN)/python -m pytest tests/reference

# Write ARTIFACT.md and codecheck.yml again, from the paper files and reference/. `make reference` does it, too.
artifact: $(INSTALLED)
	$(BIN)/python -m dpbandits.report.artifact_evaluation

# Generate the JSON Schemas, which editors use to complete and check the YAML files, from the models.
schema: $(INSTALLED)
	$(BIN)/python -m dpbandits.studies.schema workflow/schemas

# The pages in docs/ as a site, site/index.html, by MkDocs in an environment of its own: installed once, then no network.
docs: $(DOCS)
	NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build --quiet --strict

# Resolve pyproject.toml again into requirements.lock and requirements-docs.lock (needs the network).
lock: $(INSTALLED)
	$(BIN)/uv pip compile --quiet --all-extras --generate-hashes --universal --python-version 3.11 pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --group docs --generate-hashes --universal --python-version 3.11 -o requirements-docs.lock

clean:
	rm -rf .venv .venv-* site results claims figures/*/*.pdf figures/*/*.png .snakemake

$(INSTALLED): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
	  { echo "make: $(PYTHON) is not Python 3.11, 3.12 or 3.13; say which to use: make PYTHON=python3.11 ..." >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install $(LOCKED) -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(DOCS): requirements-docs.lock
	$(PYTHON) -m venv .venv-docs
	.venv-docs/bin/python -m pip install $(LOCKED) -r requirements-docs.lock
	@touch $@
