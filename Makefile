# Two commands to start with: `make figures` and `make test`. Everything else is Snakemake itself.
PYTHON ?= python3
CORES ?= all
BIN := .venv/bin
INSTALLED := .venv/.installed
DOCS := .venv-docs/.installed
LOCKED := --quiet --no-compile --no-cache-dir --disable-pip-version-check --require-hashes

# The tools' own caches stay in this folder, too.
export XDG_CACHE_HOME := $(CURDIR)/.venv/cache
export MPLCONFIGDIR := $(CURDIR)/.venv/cache/matplotlib
# Byte code is compiled at the first import, and must be kept.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: figures test test-slow pythons lint profile benchmark reference lists page picture docs lock clean

figures: $(INSTALLED)
	$(BIN)/snakemake --cores $(CORES)

test: $(INSTALLED) lint
	$(BIN)/python -m pytest -n 2

# What waits for something, breaks it (kills, full disks, failing nodes of a Slurm) or plays thousands of games. A third process
# works while tests wait. Slurm needs root and Debian's slurm-wlm, munge and iproute2.
test-slow: $(INSTALLED) pythons
	$(BIN)/python -m pytest -n 3 -m slow

# Every other Python that is on the path (python3.12 and so on), installed from the lock: the numbers must be the same.
pythons: $(INSTALLED)
	@for version in 3.11 3.12 3.13; do \
	  $(BIN)/python$$version --version >/dev/null 2>&1 && continue; \
	  test .venv-$$version/.installed -nt requirements.lock && continue; \
	  python$$version -m venv .venv-$$version 2>/dev/null && .venv-$$version/bin/python -m pip install $(LOCKED) -r requirements.lock \
	    && touch .venv-$$version/.installed || echo "python$$version: not found, hence not compared" >&2; \
	done

lint: $(INSTALLED)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/snakefmt --check --compact-diff Snakefile workflow & $(BIN)/snakemake --lint && wait $$!

# Where the time of a whole run goes, at the smoke scale or with SCALE=paper.
profile: $(INSTALLED)
	$(BIN)/python benchmarks/profile.py --scale $(or $(SCALE),smoke)

benchmark: $(INSTALLED)
	$(BIN)/python benchmarks/kernels.py

# Run everything at the scales that are verified, then copy the numbers into reference/, the previews into figures/gallery/ and the
# tables into the README and docs/readings, and compare the numbers with those that independent code measured.
reference: $(INSTALLED)
	for scale in paper smoke; do $(BIN)/snakemake --cores $(CORES) --config scale=$$scale -- all reference || exit; done
	$(BIN)/python benchmarks/readings.py
	$(BIN)/python -m pytest tests/reference

# Write the list of all policies, docs/lists.md, again from the code.
lists: $(INSTALLED)
	$(BIN)/python -m dpbandits.page.policies

# The page with all figures, sentences and verdicts: a folder, results/paper/page, that any static host serves.
page: $(INSTALLED)
	$(BIN)/snakemake --cores $(CORES) report

# The picture of the page in the README, docs/page.png, from a finished run at the paper's scale. It needs a Chromium.
picture:
	chromium --headless --no-sandbox --hide-scrollbars --window-size=1280,1000 --screenshot=docs/page.png \
	  file://$(CURDIR)/results/paper/page/index.html

# The pages in docs/ as a site, site/index.html, by MkDocs in an environment of its own: installed once, then no network.
docs: $(DOCS)
	NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build --strict

# Resolve pyproject.toml again into requirements.lock and requirements-docs.lock (needs the network).
lock: $(INSTALLED)
	$(BIN)/uv pip compile --quiet --all-extras --generate-hashes --universal --python-version 3.11 pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --group docs --generate-hashes --universal --python-version 3.11 -o requirements-docs.lock

clean:
	rm -rf .venv .venv-* site results claims checks .snakemake
	find figures -mindepth 2 -not -path 'figures/gallery/*' \( -name '*.pdf' -o -name '*.png' -o -name '*.svg' \) -delete

# .venv keeps the Python that it was made with: whoever names another one shall not get that one without a word.
.PHONY: python
python:
	@test "$(origin PYTHON)" = file || test ! -e $(INSTALLED) || test "$$($(PYTHON) -V)" = "$$($(BIN)/python -V)" || \
	  { echo "make: .venv has $$($(BIN)/python -V), not $(PYTHON); type rm -r .venv, then this command again" >&2; exit 1; }

$(INSTALLED): requirements.lock pyproject.toml | python
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
	  { echo "make: $(PYTHON) is not Python 3.11, 3.12 or 3.13; say which to use: make PYTHON=python3.11 ..." >&2; exit 1; }
	@echo "installing $$(grep -c '==' requirements.lock) packages into .venv, which takes a minute or two"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install $(filter-out --quiet,$(LOCKED)) -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(DOCS): requirements-docs.lock
	$(PYTHON) -m venv .venv-docs
	.venv-docs/bin/python -m pip install $(LOCKED) -r requirements-docs.lock
	@touch $@
