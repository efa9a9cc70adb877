"""Numbers do not depend on the processor: the same bytes without the instructions that only newer ones have."""

import os
import subprocess
import sys

import pytest
from project import ROOT

PROGRAM = """
import hashlib, sys
from pathlib import Path
from numba.core.registry import cpu_target
from dpbandits import studies, simulation
from dpbandits import files
from dpbandits.statistics.summaries import summary_of
root, folder = map(Path, sys.argv[1:])
experiment = studies.load(root / "config/papers/tossou2016.yaml", "smoke").experiments["fig2a"]
found = []
for policy in ("dp-ucb", "private-ucb"):
    spec = experiment.spec(policy, 1)
    trace = simulation.simulate({**spec, "horizon": 3000, "checkpoints": [*range(1, 200), 512, 3000]}, 0, 11)
    found.append(trace)
    print(policy, hashlib.sha256(trace.values["regret"].tobytes()).hexdigest())
files.write_table(folder / "summary.csv", summary_of(found, 4))
print(hashlib.sha256((folder / "summary.csv").read_bytes()).hexdigest())
print(cpu_target.target_context.codegen().magic_tuple(), file=sys.stderr)
"""
OLD = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL"}


def result(folder, **also):
    """The hashes of two traces and their summary, and the processor that the kernels are compiled for."""
    process = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(ROOT), str(folder)],
        env={**os.environ, **also},
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout.splitlines(), process.stderr.splitlines()[-1]


@pytest.mark.slow
def test_an_old_processor_gives_the_same_bytes(tmp_path):
    hashes, processor = result(tmp_path)
    same_hashes, generic = result(tmp_path, **OLD)
    assert "generic" in generic
    assert processor != generic
    assert len(set(hashes)) == 3
    assert same_hashes == hashes
