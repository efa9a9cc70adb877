"""Which jobs there are, with which runs, files and code."""
