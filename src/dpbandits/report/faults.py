"""The sentences that fail in a reading, and first what fails on most panels: "what does not hold" on the page.

An entry is a sentence, with the verdicts on its claims that fail where the sentence fails, by their causes.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from dpbandits.studies.study import Paper
from dpbandits.verdicts.scoreboard import SUMMARY, words_of

SHOWN = 10  # entries before the fold
Shown = Mapping[str, Any]  # of content: a sentence, or a row of the claims table, as the page shows it


def gather(paper: Paper, said: Sequence[Shown], verdicts: Sequence[Shown]) -> list[dict[str, Any]]:
    """A paper's entries: sentences with their counts, causes with their measurements, and a sort key."""
    own = {e for e in paper.experiments if not e.startswith("s-")}
    found = []
    for rank, sentence in enumerate(said):
        bad = words_of(sentence["kind"])[1]
        failing = [score["reading"] for score in sentence["verdicts"] if score["verdict"] == bad]
        if failing and sentence["kind"] != SUMMARY:
            found.append(_entry(paper, sentence, failing, verdicts, own, rank))
    return found


def _entry(
    paper: Paper, sentence: Shown, readings: list[str], verdicts: Sequence[Shown], own: set[str], rank: int
) -> dict[str, Any]:
    claims = {claim["id"] for claim in sentence["claims"]}
    bad = words_of(sentence["kind"])[1]
    judged = {
        reading: [v for v in verdicts if v["claim"] in claims and (v["reading"] in (reading, "both"))]
        for reading in readings
    }
    of_reading = {reading: [v for v in mine if v["verdict"] == bad] for reading, mine in judged.items()}
    # A verdict that is the same in both readings is one measurement.
    failed = {id(v): v for mine in of_reading.values() for v in mine}.values()
    panels = {experiment for v in failed for experiment in v["experiments"]} & own
    causes: dict[str, list[Shown]] = {}
    for verdict in failed:
        causes.setdefault(verdict["cause"], []).append(verdict)
    share = sum(map(len, of_reading.values())) / max(1, sum(map(len, judged.values())))
    return {
        "paper": paper.id,
        "sentence": sentence,
        "verdict": bad,
        "readings": [
            {"reading": reading, "fails": len(of_reading[reading]), "judged": len(judged[reading])}
            for reading in readings
        ],
        "panels": len(panels),
        "of": len(own),
        "causes": [{"text": text, "verdicts": caused} for text, caused in causes.items()],
        "order": (-len(panels) / max(len(own), 1), -len(readings), -share, paper.id, rank),
    }
