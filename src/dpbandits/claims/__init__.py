"""The claims of a paper, and whether they hold on our runs.

A claim is a statement of a paper that a number can contradict: a `sentence` about its experiments, the bound or
property of a `theorem` compared with the measured runs, or a promise about `privacy` compared with the ledger. The
paper file gives it as data: the statement, the experiments it is about, one of the `measures` with its keyword arguments
(`measure: {ratio: {of: [...], to: [...]}}`), and the border that the measured number must respect.

A verdict needs a number, its standard error and the border. The error comes from the bootstrap over runs, which needs
no formula and respects the dependence between the rounds of a run; a measure that pairs the runs of several series
computes its own error, and a measure that does not depend on the runs (a promise, a constant) has none. A claim `holds`
or `fails` when the number is at least two standard errors away from the border, otherwise it is `undecided`, as it is
at a scale whose games are too short for it (`NotMeasured`).
"""

from dpbandits.claims import measures  # registers them
from dpbandits.claims.measurement import MEASURES, Measurement, NotMeasured, measure
from dpbandits.claims.runs import Runs, Together
from dpbandits.claims.verdicts import COLUMNS, as_table, check, decide, is_judged, judge, judge_all, series_of

__all__ = [
    "COLUMNS",
    "MEASURES",
    "Measurement",
    "NotMeasured",
    "Runs",
    "Together",
    "as_table",
    "check",
    "decide",
    "is_judged",
    "judge",
    "judge_all",
    "measure",
    "measures",
    "series_of",
]
