"""The claims of a paper, and whether they hold on our runs.

A claim is a statement that a number can contradict. It tests a `sentence` of a paper about its experiments, the bound or
property of a `theorem` against the measured runs, or a promise of `privacy` against the ledger and the audits; a claim of
no sentence is a question of `ours`. The paper file gives it as data: the statement, the experiments it is about, one of
the `measures` with its keyword arguments (`measure: {ratio: {of: [...], to: [...]}}`), and the border that the measured
number must respect.

A verdict needs a number, its standard error and the border. The error comes from the bootstrap over runs, which needs
no formula and respects the dependence between the rounds of a run; a measure that pairs the runs of several series
computes its own error, and a measure that does not depend on the runs (a promise, a constant) has none. A claim `holds`
or `fails` when the number is at least two standard errors (of few runs, as many as Student's t needs) away from the
border, otherwise it is `undecided`, as it is at a scale whose games are too short for it (`NotMeasured`). A promise is `proved` by a ledger at most as large, `refuted`
by an audit that measures more, and `open` otherwise. From the verdicts on claims follow those on sentences (`sentences`).
"""

from dpbandits.verdicts import measures  # registers them
from dpbandits.verdicts.judging import COLUMNS, as_table, check, is_judged, judge, judge_all, series_of
from dpbandits.verdicts.measurement import MEASURES, Measurement, NotMeasured, decide, measure
from dpbandits.verdicts.runs import Runs, Together

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
