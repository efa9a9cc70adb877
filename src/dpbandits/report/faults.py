"""The claims that fail, variants of one sentence in one entry, and first what fails on most panels.

Claims whose ids begin alike, such as E1 and E1-median, judge variants of one sentence. They are one entry, whose heading is
the first of them in the paper file that fails; each sentence and each cause is in it once.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from dpbandits.studies.study import CORRECTED, PUBLISHED, Claim, Paper

SHOWN = 10  # entries before the fold
Verdict = Mapping[str, Any]  # of content: a row of the claims table as the page shows it


def gather(paper: Paper, verdicts: list[Verdict]) -> list[dict[str, Any]]:
    """A paper's entries: sentences with their counts, causes with their measurements, and a sort key."""
    own = {e.base for e in paper.experiments.values() if not e.base.startswith("s-")}
    twins: dict[str, list[Claim]] = {}
    for claim in paper.claims:
        if any(v["claim"] == claim.id and v["verdict"] == "fails" for v in verdicts):
            twins.setdefault(claim.id.split("-")[0], []).append(claim)
    ranks = {claim.id: rank for rank, claim in enumerate(paper.claims)}
    return [_entry(paper, claims, verdicts, own, ranks[claims[0].id]) for claims in twins.values()]


def _entry(paper: Paper, claims: list[Claim], verdicts: list[Verdict], own: set[str], rank: int) -> dict[str, Any]:
    ids = {claim.id for claim in claims}
    judged = [v for v in verdicts if v["claim"] in ids]
    failed = [v for v in judged if v["verdict"] == "fails"]
    panels = {experiment for v in failed for experiment in v["experiments"]} & own
    has_readings = any(v["reading"] != "both" for v in verdicts)
    says: dict[str, list[Claim]] = {}
    for claim in claims:
        says.setdefault(claim.says, []).append(claim)
    causes: dict[str, list[Verdict]] = {}
    for verdict in failed:
        causes.setdefault(verdict["cause"], []).append(verdict)
    return {
        "paper": paper.id,
        "size": len(claims),
        "sentences": [_sentence(text, same, judged, has_readings) for text, same in says.items()],
        "panels": len(panels),
        "of": len(own),
        "causes": [{"text": text, "verdicts": caused} for text, caused in causes.items()],
        "order": (
            -len(panels) / max(len(own), 1),
            -len(_readings(failed)),
            -len(failed) / len(judged),
            paper.id,
            rank,
        ),
    }


def _sentence(text: str, claims: list[Claim], judged: list[Verdict], has_readings: bool) -> dict[str, Any]:
    """A sentence, its claims, and in each reading how many of their verdicts fail."""
    ids = [claim.id for claim in claims]
    mine = [v for v in judged if v["claim"] in ids]
    counts = []
    for reading in _readings(v for v in mine if v["verdict"] == "fails") if has_readings else ["both"]:
        counted = [v for v in mine if not has_readings or v["reading"] in (reading, "both")]
        fails = sum(v["verdict"] == "fails" for v in counted)
        counts.append({"reading": reading, "fails": fails, "judged": len(counted)})
    return {"says": text, "ids": ids, "source": claims[0].source, "kind": claims[0].kind, "readings": counts}


def _readings(verdicts: Iterable[Verdict]) -> list[str]:
    """The readings to which these verdicts apply."""
    found = {v["reading"] for v in verdicts}
    return [reading for reading in (PUBLISHED, CORRECTED) if {reading, "both"} & found]
