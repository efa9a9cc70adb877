"""The names and sizes that the workflow needs of an arena, without importing what makes its files."""

FIGURES = ("scores", "profile", "winners", "epsilon", "differences")
TABLES = ("scores", "differences")
# Seconds for all runs of a policy in a shared job, and of all policies in it: some thirty jobs in all.
JOBS = {"short": 60.0, "together": 90.0}
