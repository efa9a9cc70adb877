"""The names and sizes that the workflow needs of an arena, without importing what makes its files."""

FIGURES = ("scores", "profile", "winners", "epsilon", "differences")
TABLES = ("scores", "differences")
