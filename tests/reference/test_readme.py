"""The README's tables, the gallery and the pages about readings show the reference."""

import importlib.util
import re
import shutil

import numpy as np
import pytest
from PIL import Image, ImageChops
from project import PAPERS, ROOT, study_of
from reference_tables import REFERENCE

from dpbandits import studies
from dpbandits.arena.rankings import IMPLIED_BY, overall_ranking
from dpbandits.arena.scores import read
from dpbandits.checks import tables
from dpbandits.errors import InputError
from dpbandits.page import recommendation, scoreboard, strip

CLAIMS = tables.read_claims(REFERENCE / "claims.csv")


def test_a_claim_that_depends_on_the_reading_has_its_evidence():
    papers = studies.load_all(ROOT / "config", "paper")
    result = scoreboard.by_reading(CLAIMS)
    plain = result.replace(scoreboard.THROUGH, "holds")
    depend = result[plain["published"] != plain["corrected"]]
    assert len(depend) > 5
    for paper, claim in zip(depend["paper"], depend["claim"], strict=True):
        assert papers[paper].claims[claim].evidence, (paper, claim)


def test_the_headline_and_the_arenas_tables_are_those_of_the_reference(tmp_path):
    """Written again from the reference, they do not change."""
    pages = ("README.md", "docs/arena.md")
    (tmp_path / "docs").mkdir()
    for page in pages:
        shutil.copy(ROOT / page, tmp_path / page)
    tables.put_table(tmp_path / "README.md", "answers", scoreboard.block(CLAIMS))
    assert recommendation.update(
        tmp_path / "README.md", study_of("arena"), REFERENCE / "arena/scores.csv"
    )
    for page in pages:
        assert (tmp_path / page).read_text() == (ROOT / page).read_text()


def test_no_recommended_policy_is_dominated():
    """For each need no policy that may serve it has less regret, up to two errors."""
    scores = read(REFERENCE / "arena/scores.csv")
    ranks, found = overall_ranking(scores), recommendation.recommended(scores)
    found = found[found["best"]]
    for (need, epsilon), rows in found.groupby(["need", "epsilon"]):
        serves = ranks["league"].isin(IMPLIED_BY[need]) & (ranks["epsilon"] == epsilon)
        rivals = ranks[serves & ranks["ranked"]]
        for row in rows.itertuples():
            errors = np.hypot(row.error, rivals["error"])
            assert (rivals["regret"] >= row.regret - 2 * errors).all(), (need, epsilon, row.label)
    assert len(found.groupby(["need", "epsilon"])) == 25


def test_the_readmes_picture_is_those_of_the_reference(tmp_path):
    strip.draw(CLAIMS, tmp_path / "answers.png")
    with Image.open(tmp_path / "answers.png") as drawn, Image.open(ROOT / strip.PICTURE) as shown:
        assert ImageChops.difference(drawn.convert("RGB"), shown.convert("RGB")).getbbox() is None
    shown = {kind: strip.strips(CLAIMS, kind) for kind in strip.TITLES}
    for row in CLAIMS.to_dict("records"):
        ours = " through our reconstruction" * bool(row["reconstruction"])
        answer = row["answer"] + ours * (row["answer"] == "holds")
        lines = shown[row["kind"]]
        for name in {f"{row['paper']}, {row['reading']}", row["paper"]} & set(lines.index):
            assert lines.loc[name, row["claim"]] == answer


def test_the_gallery_is_small_and_shown():
    previews = sorted((ROOT / "figures/gallery").glob("*.png"))
    files = {path.stem for path in (ROOT / "config/papers").glob("*.yaml")}
    assert (
        {*PAPERS, "arena", "answers"} <= {p.stem for p in previews} <= {*files, "arena", "answers"}
    )
    for preview in previews:
        assert preview.stat().st_size < 450_000
        assert f"](figures/gallery/{preview.name})" in (ROOT / "README.md").read_text()


@pytest.fixture
def readings():
    spec = importlib.util.spec_from_file_location("readings", ROOT / "benchmarks/readings.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tables_on_the_pages_about_readings_are_those_of_the_reference(
    readings, monkeypatch, capsys
):
    """`python benchmarks/readings.py` rewrites them."""
    monkeypatch.setattr("sys.argv", ["readings.py", "--check"])
    assert readings.main() == 0, capsys.readouterr().out


SUMMARY, DISTANCES = "summaries/sarkar2025 nash_regret", "distances/hu2022"
NO_NUMBER = [
    (SUMMARY, "t=100", "fig1c ncb", "headed 't=100'; write T, t = 1e6 or ε = 0.2"),
    (SUMMARY, "eps = 0.2", "fig1c ncb", "headed 'eps = 0.2'"),
    (SUMMARY, "t = 7.5", "fig1c ncb", "fig1c.csv: no series 'ncb' where t = 7.5"),
    (f"{SUMMARY[:-1]}", "T", "fig1c ncb", "fig1c.csv: unknown column 'nash_regre'"),
    (DISTANCES, "end", "fig1 dp-tss", "distances.csv: 0 rows of 'hu2022 fig1 dp-tss'"),
    (DISTANCES, "ends", "fig1 dp-ts", "unknown column 'ends'; did you mean 'end'"),
]


@pytest.mark.parametrize(("comment", "head", "row", "says"), NO_NUMBER)
def test_what_no_table_of_the_reference_has_is_an_error(readings, comment, head, row, says):
    text = f"<!-- numbers: {comment} -->\n| | {head} |\n|---|---|\n| `{row}` | |\n"
    with pytest.raises(InputError, match=re.escape(says)):
        readings.NUMBERS.sub(readings.with_numbers, text)


def test_another_number_on_a_page_about_readings_is_noticed(readings):
    tables = [
        result[0] for _, text, _ in readings.pages() for result in readings.NUMBERS.finditer(text)
    ]
    assert len(tables) >= 5
    for text in tables:
        last_digit = list(re.finditer(r"\| \S*\d(?=[ |])", text))[-1].end() - 1
        other = text[:last_digit] + str((int(text[last_digit]) + 1) % 10) + text[last_digit + 1 :]
        assert readings.NUMBERS.sub(readings.with_numbers, other) == text
