"""Damaged traces, tables and checksums: refused by name, and nothing is drawn from them."""

import os
import random
import re

import numpy as np
import pytest
from project import SMOKE

from dpbandits import verification
from dpbandits.errors import InputError
from dpbandits.files import tables, traces
from dpbandits.statistics.summaries import read_summary

PANEL = "results/smoke/figures/tossou2016/fig2a.corrected.pdf"


def test_a_truncated_trace_is_named_and_its_neighbours_stay(copy):
    trace = copy.folder / "results/smoke/traces/tossou2016/fig2a/together-1/0-9.npz"
    summary = "results/smoke/summaries/tossou2016/fig2a.csv"
    others = {p: p.stat().st_mtime_ns for p in copy.folder.glob("results/smoke/traces/**/*.npz") if p != trace}
    trace.write_bytes(trace.read_bytes()[:1000])
    output = copy.run(*SMOKE, "--", summary, expect=1)
    message = "error: results/smoke/traces/tossou2016/fig2a/together-1/0-9.npz: truncated or not a trace"
    assert message in output
    assert "delete it (rm 'results/smoke/traces/tossou2016/fig2a/together-1/0-9.npz')" in output
    assert "Traceback" not in output
    trace.unlink()
    copy.run(*SMOKE, "--", summary)
    simulated = [job for job in copy.last_jobs() if job.startswith("simulate")]
    assert simulated == ["simulate tossou2016 fig2a: together-1, runs 0 to 9"]
    assert all(path.stat().st_mtime_ns == mtime for path, mtime in others.items())


def damaged(content, rng):
    """One byte of a file flipped to another."""
    content = bytearray(content)
    content[rng.randrange(len(content))] ^= rng.randrange(1, 256)
    return bytes(content)


@pytest.mark.parametrize("times", [240, pytest.param(600, marks=pytest.mark.slow)])
def test_no_flipped_byte_gets_through(times, copy, record_property):
    """Flips in traces, summaries, claims and their checksums: refused when read, found by `verify`, or without effect.

    Without effect is a flip in a byte of a trace that carries nothing, such as the date in the archive's directory.
    """
    record_property("bad day", "flipped byte")
    rng = random.Random("flipped bytes")
    results = copy.folder / "results/smoke"
    verification.refresh(["tossou2016"], results, results / "figures", copy.folder / "reference/smoke")  # of this run
    ends = {"traces": "npz", "summaries": "csv", "claims": "csv"}
    kinds = {kind: sorted(results.glob(f"{kind}/**/*.{end}")) for kind, end in ends.items()}
    files = [rng.choice(kinds[kind]) for kind in ("traces", "summaries", "claims") for _ in range(times // 3)]
    drawn_from = {"tossou2016": {"all": list((results / "summaries/tossou2016").glob("*.csv"))}}
    found = {"read": 0, "verify": 0, "without effect": 0}
    for path in files:
        content = path.read_bytes()
        sound = traces.read(path) if path.suffix == ".npz" else None
        if path.suffix == ".csv" and rng.random() < 0.1:
            path = tables.checksum_of(path)
            content = path.read_bytes()
        path.write_bytes(damaged(content, rng))
        table = path.with_suffix("") if path.suffix == ".sha256" else path
        printed = ""
        try:
            if sound is not None:
                read = traces.read(path)
                assert read.header == sound.header
                assert np.array_equal(read.t, sound.t)
                assert all(np.array_equal(read.values[name], sound.values[name]) for name in sound.values)
                found["without effect"] += 1
            elif table.parent.name == "tossou2016":
                read_summary(table)
                pytest.fail(f"{path} was read")
            else:
                report = verification.verify(
                    drawn_from, results, results / "figures", copy.folder / "reference/smoke", []
                )
                assert report.differences == 1
                assert re.search(r"^differs +tossou2016 claims  \(altered since it was written", str(report), re.M)
                found["verify"] += 1
        except InputError as error:
            printed = str(error)
        if printed:
            assert table.name in printed
            assert "delete it (rm '" in printed
            found["read"] += 1
        path.write_bytes(content)
    for outcome, number in found.items():
        record_property(outcome, number)
    assert sum(found.values()) == len(files)
    assert found["verify"] == times // 3
    assert found["read"] >= times // 3 * 1.6


def test_a_flipped_digit_is_not_drawn(copy):
    """In a summary that nobody would look at twice, with its time of change put back."""
    path = copy.folder / "results/smoke/summaries/tossou2016/fig2a.csv"
    about, content = path.stat(), path.read_bytes()
    digit = next(m.start() for m in re.finditer(rb"\d", content) if m.start() > 3000)
    path.write_bytes(content[:digit] + (b"3" if content[digit : digit + 1] == b"2" else b"2") + content[digit + 1 :])
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    (copy.folder / PANEL).unlink()
    printed = copy.run(*SMOKE, "--", PANEL, expect=1)
    assert "fig2a.csv: altered since it was written" in printed
    assert not (copy.folder / PANEL).exists()
    assert "Traceback" not in printed
