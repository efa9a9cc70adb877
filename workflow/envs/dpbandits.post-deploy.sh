# The package itself, into the environment that `snakemake --sdm conda`, started in the project's folder, has just installed.
set -e
grep -q '^name = "dpbandits"' pyproject.toml || { echo "start this in the folder of dpbandits" >&2; exit 1; }
python -m pip install --quiet --no-deps --no-build-isolation --editable .
