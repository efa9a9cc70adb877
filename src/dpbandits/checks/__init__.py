"""Whether what a paper says holds on our runs: a verdict on every claim, from those on its checks (docs/method.md).

A check is a statement that a number can contradict: a measure of the runs (`general`, or the module of its paper) and a threshold.
"""
