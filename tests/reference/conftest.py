"""These tests check the last full run, in reference/, figures/gallery/ and the tables of the README and docs/readings.

No change of code can fail these, so `make test` leaves them out; `make reference` runs them when it has made new numbers.
"""
