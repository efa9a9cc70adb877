"""How loops are compiled, how numbers are drawn, and the stream of random numbers of each run."""
