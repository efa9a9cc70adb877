# Start with `make figures` and `make test`. Snakemake itself does everything else.
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

.PHONY: figures test test-slow pythons lint benchmark
.PHONY: reference page picture docs lock clean

figures: $(INSTALLED)
	$(BIN)/snakemake --cores $(CORES)

test: $(INSTALLED) lint
	$(BIN)/python -m pytest -n 2

# Tests that run all papers, wait for something, break it (kills, full disks, failing nodes of a
# Slurm) or play thousands of games. A third process works while tests wait. Slurm needs root and
# Debian's slurm-wlm, munge and iproute2.
test-slow: $(INSTALLED) pythons
	$(BIN)/python -m pytest -n 3 -m slow

# An environment for every other Python on the path (python3.12, ...), installed from the lock.
# Tests compare its numbers with those of .venv.
pythons: $(INSTALLED)
	@for version in 3.11 3.12 3.13; do \
	  $(BIN)/python$$version --version >/dev/null 2>&1 && continue; \
	  test .venv-$$version/.installed -nt requirements.lock && continue; \
	  python$$version -m venv .venv-$$version 2>/dev/null \
	    && .venv-$$version/bin/python -m pip install $(LOCKED) -r requirements.lock \
	    && touch .venv-$$version/.installed \
	    || echo "python$$version: not found, so its numbers are not compared" >&2; \
	done

# tests/workflow/test_standard_usage.py runs `snakemake --lint`.
lint: $(INSTALLED)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/snakefmt --check --compact-diff Snakefile workflow

benchmark: $(INSTALLED)
	$(BIN)/python benchmarks/kernels.py

# Make a full run at both scales the reference: copy its tables to reference/, and write the
# previews in figures/gallery/ and the tables of README.md, docs/arena.md and docs/readings/. Then
# compare its numbers with those that independent code measured.
reference: $(INSTALLED)
	for scale in paper smoke; do \
	  $(BIN)/snakemake --cores $(CORES) --config scale=$$scale || exit; \
	done
	$(BIN)/python -m dpbandits.publish paper smoke
	$(BIN)/python benchmarks/readings.py
	$(BIN)/python -m pytest tests/reference

# Write the page of all figures, claims and checks: results/paper/page, for any static host.
page: $(INSTALLED)
	$(BIN)/snakemake --cores $(CORES) page

# Take the picture docs/page.png of the page of a full run. This needs a Chromium.
picture:
	chromium --headless --no-sandbox --hide-scrollbars --window-size=1280,1000 \
	  --screenshot=docs/page.png file://$(CURDIR)/results/paper/page/index.html

# Build a site from the pages in docs/, site/index.html, with MkDocs in an environment of its own.
# Only its installation needs the network.
docs: $(DOCS)
	NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build --strict

# Resolve pyproject.toml into requirements.lock and requirements-docs.lock. This needs the network.
lock: $(INSTALLED)
	$(BIN)/uv pip compile --quiet --generate-hashes --universal --python-version 3.11 \
	  --all-extras pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --generate-hashes --universal --python-version 3.11 \
	  --group docs -o requirements-docs.lock

clean:
	rm -rf .venv .venv-* site results .snakemake
	find figures -mindepth 2 -not -path 'figures/gallery/*' \
	  \( -name '*.pdf' -o -name '*.png' -o -name '*.svg' \) -delete

# Refuse a PYTHON that is not supported, or is not .venv's.
.PHONY: python
python:
	@{ test "$(origin PYTHON)" = file && test -e $(INSTALLED); } \
	  || $(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
	    2>/dev/null || { echo "make: $(PYTHON) is missing, or is not Python 3.11, 3.12 or 3.13;" \
	    "type make PYTHON=python3.11, or another of these" >&2; exit 1; }
	@test "$(origin PYTHON)" = file || test ! -e $(INSTALLED) \
	  || test "$$($(PYTHON) -V)" = "$$($(BIN)/python -V)" || { \
	    echo "make: .venv has $$($(BIN)/python -V), not $(PYTHON);" \
	      "type rm -r .venv, then this command again" >&2; exit 1; }

$(INSTALLED): requirements.lock pyproject.toml | python
	@echo "installing $$(grep -c '==' requirements.lock) packages into .venv (a minute or two)"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install $(filter-out --quiet,$(LOCKED)) -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps \
	  --no-build-isolation --editable .
	@touch $@

$(DOCS): requirements-docs.lock
	$(PYTHON) -m venv .venv-docs
	.venv-docs/bin/python -m pip install $(LOCKED) -r requirements-docs.lock
	@touch $@
