"""Mechanisms that release sums of private numbers, and the ledger that composes their privacy losses."""
