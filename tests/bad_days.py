"""The table of docs/bad-days.md: what was tried to lose results, and what came of it. `make test-slow` prints it.

A test names its kind of bad day, and numbers that are added up, by `record_property`.
"""

from collections import Counter, defaultdict

RESUMED = "{passed} resumed; {kept} chunks kept"
# What the tests call it, what happened, and how it ended where the tests pass.
ROWS = {
    "power": ("Everything killed during a job, as by a power cut, with half-written files", RESUMED),
    "snakemake": ("Snakemake killed, its jobs living on", RESUMED),
    "job": ("A job killed, as where memory runs out", RESUMED),
    "ctrl-c": ("Ctrl-C", "{passed} resumed, after one line"),
    "full disk": ("The disk full", RESUMED + ", once there was room"),
    "read-only": ("Results on a read-only disk", "{passed} refused with the reason, nothing touched"),
    "two at once": ("A second run in the same folder", "{passed} refused, the first undisturbed"),
    "node": ("A cluster's node lost during its job", "{passed} run again on the other node, same bytes"),
    "flipped byte": (
        "A byte of a trace or of a table flipped",
        "{refused} refused by name ({read} when read, {verify} by `verify`), {without effect} without effect",
    ),
    "wrong paper file": (
        "A paper file with a mistake",
        "{refused} refused in one line, {accepted} still valid; {simulated} of their series simulated",
    ),
    "processor": ("A processor without the newer instructions", "{passed} with the same bytes"),
}
COUNTED = {"flipped byte": ("refused", "without effect"), "wrong paper file": ("refused", "accepted")}


def table(reports):
    """One row for each kind, from the reports on all tests."""
    found = defaultdict(Counter)
    for report in reports:
        recorded = dict(report.user_properties)
        kind = recorded.pop("bad day", None)
        if kind and (report.when == "call" or not report.passed):
            found[kind].update({**recorded, report.outcome: 1})
    found["flipped byte"]["refused"] = found["flipped byte"]["read"] + found["flipped byte"]["verify"]
    lines = ["| what happened | times | how it ended | results lost |", "|---|---:|---|---:|"]
    for kind, (what, ended) in ROWS.items():
        counts = found[kind]
        times = sum(counts[name] for name in COUNTED.get(kind, ("passed", "failed")))
        names = ("passed", "kept", "refused", "read", "verify", "without effect", "accepted", "simulated")
        how = ended.format(**{name: f"{counts[name]:,}" for name in names}) if times else "not tried here"
        how += f"; **{counts['failed']} failed**" if counts["failed"] else ""
        lines.append(f"| {what} | {times:,} | {how} | {counts['lost']} |")
    return "\n".join(lines)
