"""Yahoo!'s log format: what is written is read again, what is broken is counted or named, and figures do not change."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from project import ROOT, Project

from dpbandits import algorithms, figures, simulation, studies
from dpbandits.environments.logs import _r6a
from dpbandits.errors import InputError
from dpbandits.kernels.streams import stream
from dpbandits.statistics.summaries import summary_of

PAPER = studies.load(ROOT / "config/papers/mishra2015.yaml", "smoke")
EXPERIMENT = PAPER.experiments["fig2"]
HORIZON = 20_000
REPLAY = {**EXPERIMENT.environment, "mode": "replay"}


def the_log():
    rng = stream(1, EXPERIMENT.paper, EXPERIMENT.base, "environment of", 0)
    return simulation.make_environment(REPLAY).begin(rng, HORIZON, np.array([HORIZON]))[0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Ten files in the format of R6A."""
    folder, log = tmp_path_factory.mktemp("r6a"), the_log()
    _r6a.write(folder, log.blocks(), log.articles, HORIZON)
    return folder


def read(files, folder):
    names = [folder / name for name in ("events.bin", "tables.npz", "report.json")]
    folder.mkdir(exist_ok=True)
    message = []
    _r6a.read(files, *names, log_progress=message.append)
    return np.fromfile(names[0], _r6a.RECORD), np.load(names[1]), json.loads(names[2].read_text()), message


def test_a_line_is_as_yahoo_writes_it(folder):
    with gzip.open(_r6a.days(folder)[0]) as file:
        line = file.readline().decode()
    words = line.split()
    assert words[0] == "1241136000"
    assert words[3] == "|user"
    assert [w[:2] for w in words[4:10]] == ["2:", "3:", "4:", "5:", "6:", "1:"]
    assert words[9] == "1:1.000000"
    assert len(words) == 10 + 20 * 7
    assert words[10].startswith("|1095")


def test_what_was_written_is_read_again(folder, tmp_path):
    records, known, report, _ = read(_r6a.days(folder), tmp_path / "news")
    blocks = list(the_log().blocks())
    assert report == {"articles": 270, "lines": HORIZON, "skipped": {}, "visits": HORIZON, "equal_vectors": 0,
                      "smallest_pool": 20, "largest_pool": 20, "kept": HORIZON // 20}  # fmt: skip
    for name, field in (("t", "t"), ("displayed", "displayed"), ("clicked", "clicked"), ("users", "user")):
        assert np.array_equal(np.concatenate([getattr(e, name) for e in blocks]), records[field])
    assert np.array_equal(known["vectors"], the_log().articles[:, :270])
    rows = np.concatenate([e.pools[e.pool] for e in blocks])
    assert np.array_equal(known["pools"][records["pool"]], rows)


def test_same_figure_bytes_from_the_files_as_from_memory(folder, tmp_path):
    """fig2a's three policies in one delay each; runs on a recorded log differ in the policy's own numbers only: two of them."""
    read(_r6a.days(folder), tmp_path / "news")
    recorded = {"kind": "news_log", "source": "synthetic log", "folder": str(tmp_path / "news"), "live": 20}
    pictures = []
    for name, environment in (("memory", REPLAY), ("files", recorded)):
        blocks = []
        for policy in EXPERIMENT.policies[:3]:
            spec = {**EXPERIMENT.spec(policy.id, 1), "environment": environment, "horizon": HORIZON}
            spec["checkpoints"] = [5000, 11_111, HORIZON]
            blocks.append(simulation.simulate(spec, 0, 0))
        for block in blocks:  # a summary is of two runs at least
            block.values.update({q: np.repeat(v, 2, axis=1) for q, v in block.values.items()})
        summaries = {"fig2": summary_of(blocks, 1, "sigma", quantity="ctr_ratio")}
        outputs = [tmp_path / f"{name}.{kind}" for kind in ("pdf", "png")]
        figures.draw(PAPER.figures["fig2a"], PAPER.experiments, summaries, "default", outputs)
        pictures.append(
            [o.read_bytes() for o in outputs] + [{name: column.tolist() for name, column in summaries["fig2"].items()}]
        )
    assert pictures[0] == pictures[1]


GOOD = b"1241160900 109513 0 |user 2:0.000012 3:0 4:0.000006 5:0.000023 6:0.999958 1:1.000000 |109498 2:0.306008 3:0.00045 4:0.077048 5:0.230439 6:0.386055 1:1.000000 |109513 2:0.306008 3:0.00045 4:0.077048 5:0.230439 6:0.386055 1:1.000000"
BROKEN = {
    b"": "it does not begin with timestamp, article, click and user",
    b"1241160900 109513 |user 2:0": "it does not begin with timestamp, article, click and user",
    GOOD.replace(b" 0 |user", b" 2 |user"): "its click is neither 0 nor 1",
    GOOD.replace(b" 0 |user", b" x |user"): "it has an invalid number",
    GOOD + b" |109528": "article 109528 has no features",
    GOOD.replace(b"|user 2:0.000012", b"|user"): "a vector's features are not those from 1 to 6",
    GOOD.replace(b"6:0.386055 1:1.000000 |109513", b"|109513"): "a vector's features are not those from 1 to 6",
    GOOD.replace(b"3:0 4", b"3:0 3:0 4"): "a vector's features are not those from 1 to 6",
    GOOD.replace(b"2:0.306008", b"2:1.306008"): "a feature is not in [0, 1]",
    GOOD.replace(b"2:0.306008", b"2:nan"): "a feature is not in [0, 1]",
    GOOD.replace(b"|109498", b"|109513"): "duplicate article in its pool",
    GOOD.replace(b" 109513 0", b" 109499 0"): "the displayed article is not in the pool",
    GOOD[: GOOD.index(b" |109498")] + GOOD[GOOD.index(b" |109513") :]: "its pool has fewer than two articles",
}  # fmt: skip


def test_broken_lines_are_counted_by_reason_and_never_fatal(tmp_path):
    lines = [GOOD] * 3
    for line in BROKEN:
        lines += [line, GOOD, line, GOOD.replace(b"109513 0", b"109498 1")]
    path = tmp_path / "log"
    path.write_bytes(b"\n".join(lines))  # and no end of line at the end
    records, known, report, message = read([path], tmp_path / "news")
    wanted = {}
    for reason in BROKEN.values():
        wanted[reason] = wanted.get(reason, 0) + 2
    assert report["skipped"] == wanted
    assert report["lines"] == len(lines)
    assert report["visits"] == len(records) == 3 + 2 * len(BROKEN)
    assert records["t"].tolist() == [i + 1 for i, line in enumerate(lines) if line not in BROKEN]
    assert records["displayed"].tolist() == [1] * 3 + [1, 0] * len(BROKEN)
    assert records["clicked"].tolist() == [0] * 3 + [0, 1] * len(BROKEN)
    assert records["user"][-1].tolist() == [1, 0.000012, 0, 0.000006, 0.000023, 0.999958]
    assert known["vectors"][:, 1].tolist() == [1, 0.306008, 0.00045, 0.077048, 0.230439, 0.386055]
    assert "109528" in message[-1]


@given(st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.binary(max_size=3)), max_size=3), st.integers(0, 2))
@settings(max_examples=300)
def test_the_compiled_loop_agrees_with_plain_python_on_any_line(changes, cut):
    """A damaged line between good ones: read as if all lines had gone the slow way."""
    line = bytearray(GOOD)
    for at, replacement in changes:
        line[at : at + 1 + cut] = replacement.replace(b"\n", b" ")
    fast, slow = _r6a.Reader(), _r6a.Reader()
    text = b"\n".join([GOOD, bytes(line), bytes(line), GOOD, b""])
    original = _r6a._chunks
    try:
        _r6a._chunks = lambda file: iter([text])
        ours = np.concatenate(list(fast.records(Path("-"))))
    finally:
        _r6a._chunks = original
    theirs = np.concatenate([record for one in text.split(b"\n")[:-1] for record in slow.parse_line(one)])
    assert np.array_equal(ours, theirs)
    assert fast.skipped == slow.skipped
    assert fast.lines == slow.lines == 4


@pytest.mark.parametrize("chunk", [700, 1000, 4096])
def test_it_does_not_matter_where_chunks_end(chunk, folder, tmp_path, monkeypatch):
    files = _r6a.days(folder)[:1]
    whole = read(files, tmp_path / "whole")[0]
    monkeypatch.setattr(_r6a, "CHUNK", chunk)
    assert np.array_equal(read(files, tmp_path / "parts")[0], whole)


def test_a_missing_day_is_named(folder, tmp_path):
    for path in _r6a.days(folder):
        if "20090507" not in path.name:
            (tmp_path / path.name).write_bytes(b"")
    with pytest.raises(InputError, match=r"ydata-fp-td-clicks-v1_0\.20090507\.gz: this day of R6A is missing"):
        _r6a.days(tmp_path)
    (tmp_path / "ydata-fp-td-clicks-v1_0.20090507").write_bytes(b"")  # not packed: as good
    assert len(_r6a.days(tmp_path)) == 10
    with pytest.raises(InputError, match=r"r6a: .*nowhere: there is no such folder"):
        _r6a.days(tmp_path / "nowhere")


def test_a_truncated_file_is_named(folder, tmp_path):
    path = tmp_path / "cut.gz"
    path.write_bytes(_r6a.days(folder)[0].read_bytes()[:50_000])
    with pytest.raises(InputError, match=r"cut\.gz: truncated gzip file"):
        read([path], tmp_path / "news")
    path.write_bytes(b"not packed at all\n" * 10)
    with pytest.raises(InputError, match=r"cut\.gz: damaged, or not a gzip file"):
        read([path], tmp_path / "news")
    assert not list((tmp_path / "news").iterdir())


def test_a_log_of_nothing_but_broken_lines_is_refused(tmp_path):
    path = tmp_path / "log"
    path.write_bytes((GOOD + b" |109528\n") * 7)
    with pytest.raises(InputError, match="the log has no valid line \\(7 lines: article 109528 has no features\\)"):
        read([path], tmp_path / "news")


def test_of_a_log_that_is_too_short_all_is_played(folder, tmp_path):
    read(_r6a.days(folder), tmp_path / "news")
    environment = simulation.make_environment(
        {"kind": "news_log", "source": "x", "folder": str(tmp_path / "news"), "live": 20}
    )
    checkpoints = np.array([10_000, 20_000, 30_000, 45_811_883])
    log, journal = environment.begin(None, 45_811_883, checkpoints)
    algorithms.find("private_lin_ucb").play(stream(1), log, 45_811_883, journal, eps0=0.1)
    kept = journal.results()["kept"]
    assert 0 < kept[0] < kept[1] == kept[2] == kept[3]


def test_progress_is_told(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(_r6a, "PROGRESS_LINES", 5000)
    message = read(_r6a.days(folder), tmp_path / "news")[3]
    assert len(message) == 5
    assert "lines read, 0 skipped" in message[0]
    assert message[-1] == "20,000 lines read; none skipped"


def test_our_own_log_stays_synthetic_in_yahoos_format(folder, tmp_path):
    assert _r6a.source(folder) == "synthetic log in R6A's format"
    assert _r6a.source(tmp_path) == "Yahoo! R6A"


def test_on_the_real_log_every_news_experiment_is_replaced():
    real = studies.study.replace_environment(
        PAPER, "news", {"kind": "news_log", "source": "Yahoo! R6A", "folder": "f"}, keeping=("live",)
    )
    for name, experiment in real.experiments.items():
        if PAPER.experiments[name].environment["kind"] == "news":
            assert experiment.environment == {"kind": "news_log", "source": "Yahoo! R6A", "folder": "f", "live": 20}


def test_the_workflow_reads_the_log_once_and_writes_apart(folder, tmp_path):
    project = Project.new(tmp_path, papers=["mishra2015"])
    target = "results/smoke-r6a/figures/mishra2015/fig2b.pdf"
    jobs = project.would_run("--config", "scale=smoke", f"r6a={folder}", "--", target)
    assert sum(job.startswith("read the news log") for job in jobs) == 1
    assert [job for job in jobs if job.startswith("simulate")] == ["simulate mishra2015 fig2: together-1, runs 0 to 3"]
