"""What was tried to lose results, and what came of it, as a table: `make bad-days`.

The tests of interruptions, damage and wrong input, each with larger numbers than in `make test`. MOMENTS, FLIPPED and
FUZZED in the environment change them; arguments are passed on to pytest.
"""

import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent
NUMBERS = {"MOMENTS": "50", "FLIPPED": "600", "FUZZED": "1000"}
# Those that start a cluster one after the other, the others in four processes, which often wait.
PARTS = [
    ["-n", "0", "tests/workflow/test_slurm.py", "-k", "node_that_dies"],
    [
        *("-n", "4", "--dist", "load"),
        "tests/workflow/test_bad_days.py",
        "tests/papers/test_fuzzed_papers.py",
        "tests/test_processors.py",
    ],
]
RESUMED = "{passed} ended well after the same command, with the same bytes; {kept} finished blocks kept"
# What the tests call it, what happened, and how it ended where the tests pass.
ROWS = {
    "power": ("Everything killed at a random moment, as by a power cut, with half-written files", RESUMED),
    "snakemake": ("Snakemake killed, its jobs living on", RESUMED),
    "job": ("A job killed, as where memory runs out", RESUMED),
    "ctrl-c": ("Ctrl-C", RESUMED),
    "full disk": ("The disk full", RESUMED + ", once there was room"),
    "read-only": ("Results on a read-only disk", "{passed} refused with the reason, nothing touched"),
    "two at once": ("A second run in the same folder", "{passed} refused, the first ended as if alone"),
    "node": ("The power of a cluster's node cut during its job", "{passed} run again on the other node, same bytes"),
    "flipped byte": (
        "A byte of a trace, of a table or of its checksum flipped",
        "{refused} refused by name ({read} when read, {verify} by `verify`), {without effect} in a byte that carries nothing",
    ),
    "wrong paper file": (
        "A paper file with a mistake",
        "{refused} refused in one line, {accepted} taken at their word, {simulated} series of these simulated",
    ),
    "processor": ("A processor without the newer instructions", "{passed} with the same bytes"),
}
COUNTED = {"flipped byte": ("read", "verify", "without effect"), "wrong paper file": ("refused", "accepted")}


def measured(files: Iterable[Path]) -> dict[str, Counter]:
    """For each kind of bad day the sums of what its tests recorded, and how many there were, passed and were skipped."""
    found: dict[str, Counter] = defaultdict(Counter)
    for case in (case for file in files for case in ElementTree.parse(file).iter("testcase")):
        recorded = {each.get("name"): each.get("value") for each in case.iter("property")}
        kind = recorded.pop("bad day", None)
        if kind is None:
            continue
        outcome = next((tag for tag in ("failure", "error", "skipped") if case.find(tag) is not None), "passed")
        found[kind].update({name: int(value) for name, value in recorded.items()})
        found[kind].update({"cases": outcome != "skipped", outcome: 1})
    for counts in found.values():
        counts["failed"] = counts["failure"] + counts["error"]
    found["flipped byte"]["refused"] = found["flipped byte"]["read"] + found["flipped byte"]["verify"]
    return found


def table(found: dict[str, Counter]) -> str:
    """One row for each kind."""
    lines = ["| what happened | times | how it ended | results lost |", "| --- | ---: | --- | ---: |"]
    for kind, (what, ended) in ROWS.items():
        counts = found[kind]
        times = sum(counts[name] for name in COUNTED.get(kind, ["cases"]))
        names = ("passed", "kept", "refused", "read", "verify", "without effect", "accepted", "simulated")
        how = ended.format(**{name: f"{counts[name]:,}" for name in names}) if times else "not tried here"
        how += f"; **{counts['failed']} failed**" if counts["failed"] else ""
        lines.append(f"| {what} | {times:,} | {how} | {counts['lost']} |")
    return "\n".join(lines)


def main() -> int:
    code = 0
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{part}.xml" for part in range(len(PARTS))]
        for file, part in zip(files, PARTS, strict=True):
            command = [sys.executable, "-m", "pytest", "-q", "-o", "junit_family=xunit1", f"--junit-xml={file}"]
            done = subprocess.run([*command, *part, *sys.argv[1:]], cwd=ROOT, env={**NUMBERS, **os.environ})
            code = code or done.returncode
        print(table(measured(files)))
    return code


if __name__ == "__main__":
    sys.exit(main())
