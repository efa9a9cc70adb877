"""What is told of a run: the page of all results, the last words on the terminal, and pictures and lists for README and docs."""
