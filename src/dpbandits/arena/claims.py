"""Judges the claims about the arena by the rules of the papers' claims, into a table of the same columns."""

import numpy as np

from dpbandits import parameters
from dpbandits.arena import measures  # noqa: F401 (registers the measures of cells)
from dpbandits.arena.cells import LEAGUES, Field
from dpbandits.arena.expanding import Arena
from dpbandits.claims import COLUMNS, NotMeasured, decide
from dpbandits.claims.measurement import find
from dpbandits.claims.verdicts import row_of, with_error
from dpbandits.errors import InputError, nearest
from dpbandits.files.tables import Table
from dpbandits.studies.study import Claim


def check(arena: Arena) -> None:
    """Raise InputError for the first claim that cannot be measured."""
    known = {*arena.members, *(member.family for member in arena.members.values()), *LEAGUES}
    for claim in arena.claims:
        where = f"{arena.file}: claims.{claim.id}"
        measure = find(claim.predicate, f"{where}.measure", compares_cells=True)
        parameters.check(measure.function, claim.arguments, f"{where}.measure.{claim.predicate}")
        for key in ("of", "to"):
            for name in claim.arguments.get(key, ()):
                if name not in known:
                    raise InputError(
                        f"{where}.measure.{claim.predicate}.{key}: unknown policy, family or league '{name}'; "
                        f"{nearest(name, known)}"
                    )


def table(field: Field, seed: int) -> Table:
    """The verdicts on all claims."""
    rows = [judge(claim, field, seed) for claim in field.arena.claims]
    return Table({name: np.array([row[name] for row in rows], dtype=object) for name in COLUMNS})


def judge(claim: Claim, field: Field, seed: int) -> dict:
    """One row of the claims table; the error is a bootstrap's over the runs of every cell."""
    value = error = None
    try:
        value, evidence, error, needed = with_error(claim, field, seed, field.arena.id, claim.id)
        verdict = decide(value, error, claim.expect, needed)
        if error == 0:
            verdict = "undecided"
            evidence += "; all resamples of the runs agree, which says nothing of rarer ones"
    except NotMeasured as reason:
        verdict, evidence = "undecided", f"not measurable at this scale: {reason}"
    cause = claim.cause.get(field.arena.id, "")
    return row_of(claim, (value, error, verdict, evidence), field.arena.id, reading="both", figures="", cause=cause)
