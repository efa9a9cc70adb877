"""Mechanisms that release sums of private numbers, and the ledger that adds up what a release costs."""
