"""The log of a job: what it cost, and one line for what went wrong."""

import json
import subprocess
import sys

LARGE = "import numpy as np; held = np.ones(40_000_000); "
JOB = """
import sys
import numpy as np
from dpbandits.errors import run_job
with run_job(sys.argv[1]) as cost:
    held = np.ones(int(sys.argv[2]))
    cost["more"] = 1
"""


def test_the_costs_of_a_job_are_its_own(tmp_path):
    """Started by a process that holds 320 MB, which `ru_maxrss` of the job would include."""
    start = f"{LARGE}import subprocess, sys; subprocess.run([sys.executable, '-c', {JOB!r}, *sys.argv[1:]], check=True)"
    found = {}
    for numbers in (1, 20_000_000):
        log = tmp_path / f"{numbers}.log"
        subprocess.run([sys.executable, "-c", start, str(log), str(numbers)], check=True)
        found[numbers] = json.loads(log.read_text())
    small, large = found[1]["peak_megabytes"], found[20_000_000]["peak_megabytes"]
    assert small < 200
    assert 140 < large - small < 170  # 160 MB = 153 MiB
    assert found[1]["more"] == 1
    assert 0 < found[1]["cpu_seconds"] < 60


def test_a_job_ends_with_its_block_and_what_it_printed_is_there(tmp_path):
    code = JOB + '    print("printed")'
    code = code.replace("import sys\n", "import atexit, sys\natexit.register(print, 'taken down')\n", 1)
    words = [sys.executable, "-c", code, str(tmp_path / "log"), "1"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout == "printed\n"
    with open("/dev/full", "w") as full:
        assert subprocess.run(words, stdout=full, stderr=subprocess.DEVNULL).returncode != 0
