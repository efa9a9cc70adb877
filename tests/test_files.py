"""Random numbers of a chunk of runs; traces and tables: same bytes, and damage refused by name."""

import os
import time
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from project import ROOT

from dpbandits import __version__, files
from dpbandits.bandits import Bernoulli
from dpbandits.errors import InputError
from dpbandits.policies import DPUCB, UCB
from dpbandits.random import stream
from dpbandits.simulation import Simulation
from dpbandits.statistics.summaries import SUMMARY, read_summary, summary_of
from dpbandits.tables import read_table

SIMULATION = Simulation(
    Bernoulli([0.9, 0.6]), {"dp-ucb": DPUCB(epsilon=1)}, 500, (1, 10, 100, 500),
    paper="tossou2016", experiment="fig2a", name="dp-ucb",
)  # fmt: skip


def simulated(folder, chunks, simulation=SIMULATION):
    paths = {folder / f"{first}-{last}.npz": (first, last) for first, last in chunks}
    for path, runs in paths.items():
        files.write(path, simulation.run(*runs))
    return paths


# ---- traces

DAMAGED = "truncated, altered or not a"


def test_a_trace_survives_the_disk_and_the_same_runs_give_the_same_bytes(tmp_path):
    (path,), (other,) = simulated(tmp_path / "a", [(0, 3)]), simulated(tmp_path / "b", [(0, 3)])
    trace = files.read_trace(path)
    assert trace.values["regret"].shape == (1, 4, 4)
    assert (trace.header["runs"], trace.header["version"]) == ([0, 3], __version__)
    assert path.read_bytes() == other.read_bytes()
    assert not list(tmp_path.rglob(".*"))


def test_chunks_do_not_matter(tmp_path):
    chunks = simulated(tmp_path, [(0, 0), (1, 4), (5, 11)])
    parts = files.read_chunks(chunks, SIMULATION.header)
    assert np.array_equal(parts.values["regret"], SIMULATION.run(0, 11).values["regret"])


def test_series_are_joined_in_the_order_in_which_they_are_named():
    chunk = files.Trace({}, np.array([9]), {"regret": np.array([[[1.0]], [[2.0]]])})
    backwards = files.joined([chunk], {"series": {"a": {}, "b": {}}}, ["b", "a"])
    assert backwards.values["regret"].ravel().tolist() == [2, 1]
    assert [*backwards.header["series"]] == ["b", "a"]


class Noted(Bernoulli):
    """A bandit that lists its games."""

    def draw_game(self, *given):
        DRAWN.append(super().draw_game(*given))
        return DRAWN[-1]

    def begin(self, game, *given):
        BEGUN.append(game)
        return super().begin(game, *given)


DRAWN, BEGUN = [], []


def test_a_run_has_the_random_numbers_of_its_name():
    """The name is seed, study, experiment, series and run. Chunk and company do not matter.

    The game of a run is drawn once for all series.
    """
    bandit = Noted([0.8, 0.6, 0.3], shuffled=True)
    policies = {"a": UCB(), "b-1": DPUCB(epsilon=1)}
    names = {"paper": "toy2020", "experiment": "fig2", "instance": "fig1", "names": {"b-1": "b"}}
    trace = Simulation(bandit, policies, 200, (50, 200), 7, **names).run(3, 5)
    assert len(DRAWN) == 3
    assert [id(game) for game in BEGUN] == [id(game) for game in DRAWN for _ in policies]
    assert len(np.unique(trace.values["regret"][..., -1])) > 4  # as chance decides
    for row, (name, policy) in enumerate(zip("ab", policies.values(), strict=True)):
        for place, run in enumerate((3, 4, 5)):
            t, of_run = np.array([50, 200]), stream(7, "toy2020", "fig1", "environment of", run)
            arms, of_series = bandit.draw_game(of_run, 200), ("toy2020", "fig1", name, run)
            played = bandit.begin(arms, stream(7, *of_series), 200, t)
            policy.play(played)
            regret = bandit.curves(played, t)["regret"]
            assert trace.values["regret"][row, place].tolist() == regret.tolist()


def test_a_damaged_trace_is_refused_by_name(tmp_path):
    """If it is truncated anywhere, or has pickled objects, which could run code."""
    (path,) = simulated(tmp_path, [(0, 3)])
    whole = path.read_bytes()
    np.savez(path, header=np.array("{}", dtype=object), t=np.arange(3))
    lengths = [int(share * len(whole)) for share in (0.0, 0.02, 0.5, 0.97, 0.999)]
    for content in (path.read_bytes(), *(whole[:length] for length in lengths)):
        path.write_bytes(content)
        with pytest.raises(InputError, match=rf"0-3.npz: {DAMAGED} trace .*delete it \(rm "):
            files.read_trace(path)


OTHER_TRACES = [  # what was simulated, what should have been, and what differs
    ({"seed": 2}, {}, (2, 3), "seed: 2, not 1"),
    ({"checkpoints": (1, 10, 500)}, {}, (2, 3), "checkpoints: "),
    ({}, {"later": 1}, (2, 3), "later: None, not 1"),  # such as one of an older version
    ({}, {}, (2, 4), r"runs: \[2, 3\], not \[2, 4\]"),
]


@pytest.mark.parametrize(("other", "header", "runs", "reason"), OTHER_TRACES)
def test_a_trace_of_another_simulation_is_refused(other, header, runs, reason, tmp_path):
    """If files have been left by another run, or were copied. The first chunk is the right one."""
    (first,) = simulated(tmp_path, [(0, 1)])
    (path,) = simulated(tmp_path, [(2, 3)], replace(SIMULATION, **other))
    says = rf"\d-\d.npz: .* a trace of this simulation \(another {reason}.*\); delete it"
    with pytest.raises(InputError, match=says):
        files.read_chunks({first: (0, 1), path: runs}, SIMULATION.header | header)


def test_each_chunk_has_one_file():
    with pytest.raises(ValueError, match="longer"):
        files.entries({"fig2a": [({}, [(0, 4), (5, 9)])]}, ["0-4.npz"])


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (FileNotFoundError(), "there is no such trace; run the workflow"),
        (PermissionError(13, "Permission denied"), "cannot read this trace: Permission denied"),
        (MemoryError(), "not enough memory to read this trace"),
        (OSError(22, "Invalid argument"), f"{DAMAGED} trace .*; delete it"),
    ],
)
def test_only_damage_is_called_damage(error, message):
    """zipfile seeks to where damaged bytes say, and the system calls that an invalid argument."""
    with (
        pytest.raises(InputError, match=rf"^a\.npz: {message}") as refusal,
        files.reading("a.npz", "trace"),
    ):
        raise error
    assert ("rm " in str(refusal.value)) == ("delete" in message)


def test_an_interrupted_write_leaves_nothing_under_the_final_name(tmp_path, monkeypatch):
    """The clock of this machine is an hour ahead of the file server's."""
    now = time.time() + 3600
    monkeypatch.setattr(time, "time", lambda: now)
    path = tmp_path / "file"
    path.write_text("finished before")
    stale, busy = path.with_name(".file.1.part"), path.with_name(".file.2.part")
    stale.write_text("half, of a process that was killed")
    os.utime(stale, (0, 0))
    busy.write_text("half, of one that still writes")
    with pytest.raises(KeyboardInterrupt), files.written_whole(path) as file:  # noqa: PT012
        file.write(b"half of")
        raise KeyboardInterrupt
    assert path.read_text() == "finished before"
    assert {p.name for p in tmp_path.iterdir()} == {"file", busy.name}


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_a_full_disk_is_reported_in_one_line(tmp_path, monkeypatch):
    """/dev/full takes nothing: the message names the file that could not be written."""
    target = tmp_path / "results/trace.npz"
    full = lambda *_: open("/dev/full", "wb")  # noqa: E731, SIM115
    monkeypatch.setattr(files, "open", full, raising=False)
    with pytest.raises(OSError, match="No space left") as error:
        files.write(target, SIMULATION.run(0, 0))
    assert error.value.filename == str(target)
    assert list(target.parent.iterdir()) == []


# ---- tables

TEXT = "policy,t,mean\na,1,1.5\na,10,2.25\nb,1,\n"


def test_a_table_keeps_ten_digits_in_every_column(tmp_path):
    """Also in columns that have numbers and text."""
    columns = {"policy": ["a", None], "mean": [1 / 3, np.nan], "mixed": [2 / 3, "0.1 to 1"]}
    table = pd.DataFrame(columns | {"runs": [1, 2]})
    before = table.copy()
    files.write(tmp_path / "table.csv", table)
    assert table.equals(before)
    lines = ["policy,mean,mixed,runs", "a,0.3333333333,0.6666666667,1", ",,0.1 to 1,2", ""]
    assert (tmp_path / "table.csv").read_text() == "\n".join(lines)


def test_the_reference_is_written_as_it_was_read(tmp_path):
    references = sorted((ROOT / "reference/smoke/summaries").glob("*/*.csv"))
    assert references
    for reference in references:
        table = read_summary(reference)
        assert [*table][: len(SUMMARY)] == SUMMARY
        files.write(tmp_path / "copy.csv", table)
        assert (tmp_path / "copy.csv").read_bytes() == reference.read_bytes()


def test_columns_are_text_or_numbers(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(TEXT)
    table, texts = read_table(path, ["policy"]), read_table(path)
    np.testing.assert_array_equal(table["mean"], [1.5, 2.25, np.nan])
    assert table["policy"].tolist() == ["a", "a", "b"]
    assert (texts["mean"].tolist(), texts["t"].sum()) == (["1.5", "2.25", ""], "1101")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (TEXT[:-3], "its last row is not complete"),
        (TEXT.replace("2.25", "2.2x"), "its column mean should hold numbers"),
        (TEXT.replace("2.25", "2,25"), "Error tokenizing data"),
        (TEXT.replace("mean", "men"), "it has no column 'mean'"),
        ("\xff" + TEXT, "can't decode byte"),
    ],
)
def test_a_damaged_table_is_refused_by_name_with_the_remedy(content, reason, tmp_path):
    path = tmp_path / "fig1a.csv"
    path.write_text(content, encoding="latin-1")
    says = rf"fig1a\.csv: {DAMAGED} table.*{reason}.*rm '.*fig1a\.csv'"
    with pytest.raises(InputError, match=says):
        read_table(path, ["policy"], columns=["mean"])


def test_a_summary_has_no_gaps(tmp_path):
    trace = files.read_chunks(simulated(tmp_path, [(0, 9)]), SIMULATION.header)
    path, written = tmp_path / "fig2a.csv", summary_of([trace], 5)
    files.write(path, written)
    head, *rows = [line.split(",") for line in path.read_text().splitlines()]
    assert head == SUMMARY
    assert [row[:3] for row in rows] == [["dp-ucb", str(t), "10"] for t in (1, 10, 100, 500)]
    assert read_summary(path)["mean"].tolist() == pytest.approx(written["mean"].tolist(), rel=1e-9)
    two = pd.concat([written, written.assign(policy="ucb")])
    a_gap = written.assign(std=written["std"].where(written["t"] != 10))
    for damaged in (written.assign(mean=np.nan), a_gap, two[:-1], written[:0]):
        files.write(path, damaged)
        with pytest.raises(InputError, match=r"fig2a\.csv: .*rm '"):
            read_summary(path)
