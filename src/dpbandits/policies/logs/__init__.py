"""Algorithms that choose articles for the visitors of a news log, one module each. They play the first events of `log.blocks()`.

`_linear` has the driver that plays them, with contexts and delayed feedback; `_ridge` ridge regression on sums, and how private
policies release these sums, at which cost. Kernels count kept events in the journal.
"""
