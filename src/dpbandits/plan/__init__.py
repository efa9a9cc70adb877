"""Which jobs there are, with which runs and files, and fingerprints of the code behind their results."""
