"""Whether what a paper says holds on our runs: a verdict on every sentence, from those on its tests.

A test is a statement that a number can contradict: a measure of the runs (`general`, or the module of its paper) and the threshold
that the number must respect. It `holds` or `fails` when the number is at least two standard errors (of few runs, as many as
Student's t needs) away from the threshold, otherwise it is `undecided`, as it is at a scale whose games are too short for it. A
promise of privacy holds by a ledger that is at most as large, and fails by an audit that measures more.
"""
