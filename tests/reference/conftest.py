"""What is tested here is the last full run, as it lies in reference/, figures/gallery/ and the README's tables.

No change of code can fail these, so `make test` leaves them out; `make reference` runs them when it has made new numbers.
"""
