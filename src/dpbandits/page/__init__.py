"""Reports of a run: the page of all results, the summary on the terminal, and pictures and lists for README and docs."""
