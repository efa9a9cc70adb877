"""The page of a run, its summary on the terminal, and pictures and tables for README and docs."""
