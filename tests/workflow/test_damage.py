"""Damaged traces and tables: refused by name, or found by `verify`."""

import random
import re

import numpy as np
from project import SMOKE

from dpbandits import files, verification
from dpbandits.checks.tables import read_checks
from dpbandits.errors import InputError
from dpbandits.statistics.summaries import read_summary


def test_a_truncated_trace_is_named_and_its_neighbours_stay(copy):
    name = "results/smoke/traces/tossou2016/fig2a/together-1/0-9.npz"
    trace, summary = copy.folder / name, "results/smoke/summaries/tossou2016/fig2a.csv"
    trace.write_bytes(trace.read_bytes()[:1000])
    output = copy.run(*SMOKE, "--", summary, expect=1)
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


def test_no_flipped_byte_gets_through(copy):
    """A flip in a trace, summary or table of checks is refused or found by `verify`, or harmless.

    Harmless is a flip in a byte of a trace that carries nothing, such as the date in the archive's
    directory, or in a digit of a table that rounding hides.
    """
    rng, outcomes = random.Random("flipped bytes"), []
    for kind in ("traces/**/*.npz", "summaries/**/*.csv", "checks/*.csv"):
        paths = sorted((copy.folder / "results/smoke").glob(kind))
        for path in (rng.choice(paths) for _ in range(80)):
            content = path.read_bytes()
            sound = files.read_trace(path) if path.suffix == ".npz" else None
            path.write_bytes(damaged(content, rng))
            outcomes.append(outcome_of(path, sound, content))
            path.write_bytes(content)
    assert set(outcomes) <= {"read", "verify", "without effect"}
    assert outcomes.count("without effect") <= len(outcomes) // 15
    assert outcomes.count("read") >= len(outcomes) // 3


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
        names_it = path.name in str(error) and re.search("rm '|delete the file", str(error))
        return "read" if names_it else f"an error that does not name it: {error}"
    original.write_bytes(content)
    verdict, _ = verification.compare_tables(path, original)
    original.unlink()
    return "verify" if verdict == verification.DIFFERS else "without effect"
