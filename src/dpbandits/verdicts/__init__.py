"""Whether what a paper says holds on our runs: a verdict on every sentence, from those on its tests (docs/method.md).

A test is a statement that a number can contradict: a measure of the runs (`general`, or the module of its paper) and a threshold.
"""
