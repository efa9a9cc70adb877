"""The names and sizes that the workflow needs of an arena, without importing what makes its files."""

FIGURES = ("scores", "winners")
TABLES = ("scores",)
