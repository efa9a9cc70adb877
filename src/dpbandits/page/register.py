"""The register of all claims as JSON: number, interval, answer, and what they follow from."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from dpbandits.checks.tables import read_checks
from dpbandits.studies.model import Study

COLUMNS = ["paper", "claim", "reading", "says", "place", "answer", "reason", "checks", "value"]
COLUMNS += ["interval_low", "interval_high", "critical_threshold"]


def register(
    claims: pd.DataFrame, studies: Mapping[str, Study], results: Path, version: str
) -> str:
    """One entry for each claim and reading; the same results give the same bytes.

    `digest` is the SHA-256 of the claim's rows in the table of checks, as they are written there.
    """
    checks = {paper: read_checks(results / f"checks/{paper}.csv") for paper in set(claims["paper"])}
    entries = claims[COLUMNS].assign(
        address=claims["paper"] + "/" + claims["claim"],
        reply=[studies[row.paper].claims[row.claim].reply for row in claims.itertuples()],
        version=version,
        digest=[_digest(checks[row.paper], row) for row in claims.itertuples()],
    )
    return entries.to_json(orient="records", indent=1, force_ascii=False) + "\n"


def _digest(checks: pd.DataFrame, claim: tuple) -> str:
    readings = {claim.reading, "both"} if claim.reading != "both" else {*checks["reading"]}
    rows = checks[checks["check"].isin(claim.checks.split()) & checks["reading"].isin(readings)]
    return hashlib.sha256(rows.to_csv(index=False).encode()).hexdigest()
