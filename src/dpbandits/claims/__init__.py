"""The claims of a paper, and whether they hold on our runs.

A claim is something a paper says that a number can contradict: a `sentence` about its experiments, the bound or property
of a `theorem` held against the measured runs, or a promise about `privacy` held against the ledger. The paper file writes
it as data: the statement, the experiments it speaks of, a measure (a public function of one of the modules below, with its
keyword arguments: `measure: {ratio: {of: [...], to: [...]}}`), and the border that the measured number must not cross.

A verdict needs a number, its standard error and the border. The error comes from the bootstrap over runs, so it needs no
formula and knows how the rounds of a run depend on each other; a measure that pairs the runs of several series gives its
own instead, and a measure in which no run has a part (a promise, a constant) has none. A claim `holds` or `fails` when the
number is at least two standard errors away from the border, else it is `undecided`; so it is where a scale below the
paper's ends before the rounds that the claim speaks of.
"""

from dpbandits.claims.runs import NotMeasured, Runs, Together
from dpbandits.claims.verdicts import COLUMNS, MEASURES, check, decide, judge, series_of, table

__all__ = ["COLUMNS", "MEASURES", "NotMeasured", "Runs", "Together", "check", "decide", "judge", "series_of", "table"]
