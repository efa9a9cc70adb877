"""The page of a run, its summary on the terminal, and pictures and lists for README and docs."""
