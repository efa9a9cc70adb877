"""The README's tables, the gallery and the pages about readings show the reference."""

import importlib.util
import math
import re
import subprocess
import sys
from functools import cache

import pandas as pd
from PIL import Image, ImageChops
from project import PAPERS, ROOT
from reference_tables import REFERENCE

from dpbandits import studies
from dpbandits.report import strip
from dpbandits.verdicts import scoreboard, tables

README = (ROOT / "README.md").read_text(encoding="utf-8")
LEAGUES = ("central pure", "central approximate", "aggregator", "local")


def between(mark, page=README):
    """The text of the README, or of another page, between two marks."""
    return page.split(scoreboard.BEGIN.format(mark))[1].split(scoreboard.END.format(mark))[0]


def rows_between(mark, page=README):
    """The cells of a table, without its head."""
    lines = [line for line in between(mark, page).splitlines() if line.startswith("|")]
    return [line.strip("| ").split(" | ") for line in lines[2:]]


@cache
def sentences():
    """(paper, sentence) -> its kind, and reading -> its verdict."""
    found = {}
    for row in pd.read_csv(REFERENCE / "sentences.csv", dtype=str, keep_default_na=False).to_dict("records"):
        entry = found.setdefault((row["paper"], row["sentence"]), (row["kind"], {}))
        entry[1][row["reading"]] = row["verdict"]
    return found


def test_a_sentence_that_depends_on_the_reading_has_its_evidence():
    evidence = {
        (id, name): sentence.evidence
        for id, study in studies.load_all(ROOT / "config", "paper").items()
        for name, sentence in study.sentences.items()
    }
    depend = [key for key, (_, verdicts) in sentences().items() if len({*verdicts.values()} & {"holds", "fails"}) == 2]
    assert len(depend) > 5
    assert [key for key in depend if not evidence[key]] == []


def test_the_readmes_headline_counts_the_sentences_of_the_reference():
    said = [set(verdicts.values()) for kind, verdicts in sentences().values() if kind == "sentence"]
    promises = [
        verdicts.get("published", verdicts.get("both")) for kind, verdicts in sentences().values() if kind == "privacy"
    ]
    for words in (
        f"Of {len(said)} sentences",
        f"{said.count({'holds'})} hold in every reading",
        f"{said.count({'fails'})} in none",
        f"Of {len(promises)} promises of privacy {promises.count('fails')} are broken as published",
    ):
        assert words in between("verdicts")


def test_the_readmes_strips_are_those_of_the_reference(tmp_path):
    said = tables.read_sentences(REFERENCE / "sentences.csv")
    strip.draw(said, tmp_path / "verdicts.png")
    with Image.open(tmp_path / "verdicts.png") as drawn, Image.open(ROOT / strip.PICTURE) as shown:
        assert ImageChops.difference(drawn.convert("RGB"), shown.convert("RGB")).getbbox() is None
    shown = {kind: strip.strips(said, kind) for kind in strip.TITLES}
    for (paper, sentence), (kind, verdicts) in sentences().items():
        for reading, verdict in verdicts.items():
            lines = {f"{paper}, {reading}", paper} & set(shown[kind].index)
            assert {shown[kind].loc[line, sentence] for line in lines} == {verdict}


def test_the_gallery_is_small_and_shown():
    previews = sorted((ROOT / "figures/gallery").glob("*.png"))
    files = {path.stem for path in (ROOT / "config/papers").glob("*.yaml")}
    assert {*PAPERS, "arena", "verdicts"} <= {p.stem for p in previews} <= {*files, "arena", "verdicts"}
    for preview in previews:
        assert preview.stat().st_size < 450_000
        assert f"](figures/gallery/{preview.name})" in README


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def test_the_recommended_policies_have_the_least_regret_of_their_league():
    """And those within two standard errors of it, the sum over instances of relative variances giving the error."""
    rows = pd.read_csv(REFERENCE / "arena/scores.csv")
    last = rows[(rows["game"] == "all") & (rows["promise"] == "kept")]
    last = last[(last["t"] == last["t"].max()) & last["epsilon"].notna()]
    cells = dict(list(last.groupby(["league", "epsilon", "label"])))
    instances = max(map(len, cells.values()))
    epsilons = sorted({epsilon for _, epsilon, _ in cells})
    lines = [line.strip("| ").split(" | ") for line in between("arena").splitlines() if line.startswith("|")]
    assert lines[0][1:] == [f"ε = {epsilon:g}" for epsilon in epsilons]
    for league, line in zip(LEAGUES, lines[2:], strict=True):
        for epsilon, shown in zip(epsilons, line[1:], strict=True):
            found = {}
            for (of, at, label), played in cells.items():
                if (of, at, len(played)) == (league, epsilon, instances):
                    ratio = geometric_mean(played["over_yardstick"])
                    squares = (played["standard_error"] / played["mean"]) ** 2
                    found[label] = ratio, ratio * math.sqrt(squares.sum()) / instances
            best = min(found.values())
            tied = sorted(
                (ratio, label)
                for label, (ratio, error) in found.items()
                if ratio - best[0] <= 2 * math.hypot(error, best[1])
            )
            assert shown == " = ".join(
                f"{label} ({ratio:.1f})" if ratio < 9.95 else f"{label} ({ratio:.0f})" for ratio, label in tied
            )


def test_the_page_about_the_arena_counts_the_large_errors():
    rows = pd.read_csv(REFERENCE / "arena/scores.csv")
    last = rows[rows["t"] == rows["horizon"]]
    large = last["standard_error"] > 0.03 * last["mean"]
    lost = (last["locked_in"] * last["runs"]).round() >= 9
    text = between("arena errors", (ROOT / "docs/arena.md").read_text(encoding="utf-8")).strip()
    assert text.startswith(f"Of {len(last)} means {(~large).sum()} have an error of at most 3%.")
    assert f" {(large & ~lost).sum()} remain" in text


def test_the_tables_on_the_pages_about_readings_are_those_of_the_reference():
    """`python benchmarks/readings.py` rewrites them."""
    done = subprocess.run(
        [sys.executable, "benchmarks/readings.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_another_number_on_a_page_about_readings_is_noticed():
    spec = importlib.util.spec_from_file_location("readings", ROOT / "benchmarks/readings.py")
    readings = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(readings)
    tables = [found[0] for _, text, _ in readings.pages() for found in readings.NUMBERS.finditer(text)]
    assert len(tables) >= 5
    for text in tables:
        last_digit = list(re.finditer(r"\| \S*\d(?=[ |])", text))[-1].end() - 1
        other = text[:last_digit] + str((int(text[last_digit]) + 1) % 10) + text[last_digit + 1 :]
        assert readings.NUMBERS.sub(readings.with_numbers, other) == text
