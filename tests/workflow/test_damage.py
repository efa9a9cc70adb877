"""Damaged traces and tables: refused by name, or found by `verify`."""

import random

import numpy as np
import pytest
from project import SMOKE

from dpbandits import files, verification
from dpbandits.checks.tables import read_checks
from dpbandits.errors import InputError
from dpbandits.statistics.summaries import read_summary


def test_a_truncated_trace_is_named_and_its_neighbours_stay(copy):
    trace = copy.folder / "results/smoke/traces/tossou2016/fig2a/together-1/0-9.npz"
    summary = "results/smoke/summaries/tossou2016/fig2a.csv"
    trace.write_bytes(trace.read_bytes()[:1000])
    output = copy.run(*SMOKE, "--", summary, expect=1)
    name = "results/smoke/traces/tossou2016/fig2a/together-1/0-9.npz"
    assert f"error: {name}: truncated, altered or not a trace" in output
    assert f"delete it (rm '{name}')" in output
    trace.unlink()
    again = [
        "simulate tossou2016 fig2a: together-1, runs 0 to 9",
        "summarise tossou2016 fig2a",
    ]
    assert copy.would_run(*SMOKE, "--", summary) == again


def damaged(content, rng):
    """One byte of a file flipped to another."""
    content = bytearray(content)
    content[rng.randrange(len(content))] ^= rng.randrange(1, 256)
    return bytes(content)


@pytest.mark.parametrize("times", [240, pytest.param(600, marks=pytest.mark.slow)])
def test_no_flipped_byte_gets_through(times, copy):
    """A flip in a trace, summary or table of checks is refused or found by `verify`, or harmless.

    Harmless is a flip in a byte of a trace that carries nothing, such as the date in the archive's
    directory, or in a digit of a table that rounding hides.
    """
    rng = random.Random("flipped bytes")
    results = copy.folder / "results/smoke"
    kinds = {"traces": "npz", "summaries": "csv", "checks": "csv"}
    counts = {"read": 0, "verify": 0, "without effect": 0}
    for kind, end in kinds.items():
        paths = sorted(results.glob(f"{kind}/**/*.{end}"))
        for path in (rng.choice(paths) for _ in range(times // 3)):
            content = path.read_bytes()
            sound = files.read_trace(path) if end == "npz" else None
            path.write_bytes(damaged(content, rng))
            counts[outcome_of(path, sound, content)] += 1
            path.write_bytes(content)
    assert sum(counts.values()) == times
    assert counts["without effect"] <= times // 15
    assert counts["read"] >= times // 3


def outcome_of(path, sound, content):
    """How damage is noticed: when the file is read, or when its numbers are compared."""
    original = path.with_name("original")
    try:
        if sound is None:
            read_summary(path) if path.parent.parent.name == "summaries" else read_checks(path)
        else:
            read = files.read_trace(path)
            assert read.header == sound.header
            assert np.array_equal(read.t, sound.t)
            assert all(
                np.array_equal(read.values[name], sound.values[name]) for name in sound.values
            )
            return "without effect"
    except InputError as error:
        names_it = path.name in str(error) and (
            "rm '" in str(error) or "delete the file" in str(error)
        )
        return "read" if names_it else f"an error that does not name it: {error}"
    original.write_bytes(content)
    verdict, _ = verification.compare_tables(path, original)
    original.unlink()
    return "verify" if verdict == verification.DIFFERS else "without effect"
