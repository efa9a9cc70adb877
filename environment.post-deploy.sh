# The package itself, into the active environment; started in the project's folder, by hand or by `snakemake --sdm conda`,
# which does so once it has installed environment.yml.
set -e
grep -q '^name = "dpbandits"' pyproject.toml || { echo "start this in the folder of dpbandits" >&2; exit 1; }
python -m pip install --quiet --no-deps --no-build-isolation --editable .
