"""What jobs do not import: there are hundreds of them, and each of these packages takes as long to import as a job lasts."""

import subprocess
import sys

import pytest

PLOTTING_AND_COMPILING = ["seaborn", "pandas", "numba", "scipy"]
# What a job imports, and what it does not.
JOBS = {
    "simulate": (
        "from dpbandits import algorithms, simulation; from dpbandits.files import traces\n"
        "for name in algorithms.known(): algorithms.find(name)",
        ["pandas", "matplotlib", "seaborn"],
    ),
    "summarise": ("from dpbandits.files import traces; from dpbandits.statistics import summaries", [*PLOTTING_AND_COMPILING, "matplotlib"]),
    "draw": ("from dpbandits import figures; from dpbandits.statistics import summaries", [*PLOTTING_AND_COMPILING, "matplotlib.pyplot"]),
    "compare": ("from dpbandits import verification; from dpbandits.files import traces", [*PLOTTING_AND_COMPILING, "matplotlib"]),
    "no paper file is read": ("import dpbandits.figures, dpbandits.claims", ["pydantic", "dpbandits.studies.model"]),
    "a paper file is read": ("import dpbandits.studies", []),
}  # fmt: skip


@pytest.mark.parametrize("job", JOBS)
def test_a_job_imports_nothing_that_it_does_not_need(job):
    code, packages = JOBS[job]
    code += f"\nimport sys; print({{*{packages}, 'snakemake'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
