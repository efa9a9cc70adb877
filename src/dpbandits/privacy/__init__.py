"""Mechanisms that release sums of private numbers, and the ledger of their losses."""
