"""The tables on the pages about readings have the numbers of the reference."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_tables_are_those_of_the_reference():
    """`python benchmarks/readings.py` rewrites them."""
    done = subprocess.run(
        [sys.executable, "benchmarks/readings.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
