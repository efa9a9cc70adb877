"""Yahoo!'s log: visits are read, broken lines counted by reason, and runs meet what was read."""

import gzip
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import contextual
from playing import NEWS
from project import Project

from dpbandits.bandits import NewsLog, r6a
from dpbandits.bandits.logs import news_log
from dpbandits.errors import InputError

FEATURES = b"2:0.306008 3:0.00045 4:0.077048 5:0.230439 6:0.386055 1:1.000000"
USER = b"|user 2:0.000012 3:0 4:0.000006 5:0.000023 6:0.999958 1:1.000000"
GOOD = b"1241160900 109513 0 %b |109498 %b |109513 %b" % (USER, FEATURES, FEATURES)
# 2000 visits with a pool of 5 articles, of which one is replaced after every 250 visits. Of these
# articles every third visitor clicks.
RNG, EVENTS = np.random.default_rng(1), 2000
ARTICLES = contextual.memberships(RNG, 0.6, 12)
LOG = news_log.LoggedEvents(
    *contextual.all_events(
        RNG, NEWS | {"live": 5, "articles": 12}, EVENTS, np.full(12, 2.0), ARTICLES
    )
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The ten files of these visits in Yahoo!'s format, every other one packed."""
    folder = tmp_path_factory.mktemp("r6a")
    for day in range(1, 11):
        name = f"ydata-fp-td-clicks-v1_0.200905{day:02d}"
        lines = b"".join(map(line_of, range((day - 1) * 200, day * 200)))
        (folder / (name + ".gz" * (day % 2))).write_bytes(
            gzip.compress(lines) if day % 2 else lines
        )
    return folder


def line_of(i):
    pool = LOG.pools[LOG.pool[i]]
    articles = " ".join(f"|{109501 + a} {features(ARTICLES[a])}" for a in pool)
    head = f"{1241160900 + i} {109501 + pool[LOG.displayed[i]]} {LOG.at_random[i]:.0f}"
    return f"{head} |user {features(LOG.users[i])} {articles}\n".encode()


def features(vector):
    return " ".join(f"{i}:{vector[i - 1]:.6f}" for i in (2, 3, 4, 5, 6, 1))


def read(files, folder):
    names = [folder / name for name in ("events.bin", "tables.npz", "report.json")]
    r6a.read(files, *names)
    return np.fromfile(names[0], r6a.RECORD), np.load(names[1]), json.loads(names[2].read_text())


def test_a_run_meets_what_was_written_block_by_block(folder, tmp_path, monkeypatch, capsys):
    """All of it, or the first visits, in the types of other logs."""
    monkeypatch.setattr(r6a, "PROGRESS_LINES", 500)
    monkeypatch.setattr(news_log, "LARGEST_BLOCK", 300)
    *_, report = read(r6a.days(folder), tmp_path)
    assert report == {"articles": 12, "lines": EVENTS, "skipped": {}, "visits": EVENTS,
                      "smallest_pool": 5, "largest_pool": 5, "kept": EVENTS // 5}  # fmt: skip
    printed = [text.partition(": ")[2] for text in capsys.readouterr().err.splitlines()]
    assert printed == [*(f"{n:,} lines read, 0 skipped" for n in (500, 1000, 1500, 2000)), "none"]
    for horizon in (1200, EVENTS):
        game = NewsLog("x", live=5, tables=f"{tmp_path}/tables.npz").draw_game(None, horizon)
        blocks = [*game.blocks()]
        assert blocks[0].t.size == 300
        assert len(blocks) == -(-horizon // 300)  # no more is read than is played
        for name in ("t", "users", "displayed", "at_random"):
            met = np.concatenate([getattr(block, name) for block in blocks])
            assert np.array_equal(met, getattr(LOG, name)[:horizon])
            assert met.dtype == getattr(LOG, name).dtype
        pools = np.concatenate([block.pools[block.pool] for block in blocks])
        articles = ARTICLES[LOG.pools[LOG.pool[:horizon]]]
        assert np.array_equal(game.articles.T[pools], articles)


VECTOR = "a vector's features are not those from 1 to 6"
HEAD = "it does not begin with timestamp, article, click and user"
BROKEN = {
    b"1241160900 109513 |user 2:0": HEAD,
    b"1241160900 109513 0 " + GOOD[GOOD.index(b"|109498") :]: HEAD,
    GOOD.replace(b" 0 |user", b" 2 |user"): "its click is neither 0 nor 1",
    GOOD.replace(b" 0 |user", b" x |user"): "it has an invalid number",
    GOOD.replace(b"3:0.00045", b"3:x"): "it has an invalid number",
    GOOD + b" |109528": "article 109528 has no features",
    GOOD[: GOOD.index(b" 2:")] + GOOD[GOOD.index(b" |109498") :]: "the user has no features",
    GOOD.replace(b"|user 2:0.000012", b"|user"): VECTOR,
    GOOD.replace(b"3:0 4", b"3:0 3:0 4"): VECTOR,
    GOOD.replace(b"3:0 4", b"7:0 4"): VECTOR,
    GOOD.replace(b"2:0.306008", b"2:1.306008"): "a feature is not in [0, 1]",
    GOOD.replace(b"2:0.306008", b"2:nan"): "a feature is not in [0, 1]",
    GOOD.replace(b"2:0.000012", b"2:-0.000012"): "a feature is not in [0, 1]",
    GOOD.replace(b"|109498", b"|109513"): "duplicate article in its pool",
    GOOD.replace(b" 109513 0", b" 109499 0"): "the displayed article is not in the pool",
    GOOD.replace(b" |109498 " + FEATURES, b""): "its pool has fewer than two articles",
}  # fmt: skip


def test_broken_lines_are_counted_by_reason_and_never_fatal(tmp_path):
    lines = [GOOD] * 3
    for line in BROKEN:
        lines += [line, GOOD, line, GOOD.replace(b"109513 0", b"109498 1")]
    (tmp_path / "log").write_bytes(b"\n".join(lines))  # and no end of line at the end
    records, _, report = read([tmp_path / "log"], tmp_path / "news")
    assert report["skipped"] == {
        reason: 2 * list(BROKEN.values()).count(reason) for reason in BROKEN.values()
    }
    assert report["lines"] == len(lines)
    assert (report["visits"], report["articles"]) == (len(records), 2)
    assert records["t"].tolist() == [i + 1 for i, line in enumerate(lines) if line not in BROKEN]
    assert records["displayed"].tolist() == [1] * 3 + [1, 0] * len(BROKEN)


@given(st.integers(0, len(GOOD)), st.integers(0, 9), st.binary(max_size=9))
@settings(max_examples=300)
def test_a_damaged_line_gives_a_record_or_a_reason_and_harms_no_other(start, lost, added):
    line = (GOOD[:start] + added + GOOD[start + lost :]).replace(b"\n", b" ")
    reader = r6a.Reader()
    first = reader.record(1, GOOD)
    try:
        (record,) = np.frombuffer(reader.record(2, line), r6a.RECORD)
        assert record["clicked"] in (0, 1)
        assert ((record["user"] >= 0) & (record["user"] <= 1)).all()
        assert 0 <= record["displayed"] < len(reader.articles)
    except r6a.UnusableLine:
        pass
    assert reader.record(1, GOOD) == first
    assert all(0 <= value <= 1 for _, vector in reader.articles for value in vector)


def test_a_missing_day_is_named(folder, tmp_path):
    for path in r6a.days(folder):
        (tmp_path / path.name).touch()
    (tmp_path / "ydata-fp-td-clicks-v1_0.20090507.gz").unlink()
    with pytest.raises(InputError, match=r"v1_0\.20090507\.gz: this day of R6A is missing"):
        r6a.days(tmp_path)
    with pytest.raises(InputError, match=r"r6a: .*nowhere: there is no such folder"):
        r6a.days(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("cut.gz", gzip.compress(GOOD)[:-30], "damaged, or not a gzip file .*end-of-stream"),
        ("log.gz", b"not packed at all", "damaged, or not a gzip file"),
        ("log", 7 * b"x\n", rf"the log has no valid line \(7 lines: {HEAD}\)"),
        ("log", b"", r"the log has no valid line \(it is empty\)"),
    ],
    ids=["cut", "not packed", "no valid line", "empty"],
)
def test_a_file_that_cannot_be_read_is_named(name, content, reason, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=f"{name}: {reason}"):
        read([tmp_path / name], tmp_path / "news")
    assert not list((tmp_path / "news").iterdir())


def test_the_workflow_reads_the_log_once_and_writes_apart(folder, tmp_path):
    project = Project.new(tmp_path, papers=["mishra2015"])
    figures = [f"results/smoke-r6a/figures/mishra2015/fig2{panel}.pdf" for panel in "ab"]
    jobs = project.would_run("--config", "scale=smoke", f"r6a={folder}", "--", *figures)
    assert jobs.count("index the R6A log") == 1
    assert [job for job in jobs if job.startswith("simulate")] == [
        "simulate mishra2015 fig2: together-1, runs 0 to 3"
    ]
