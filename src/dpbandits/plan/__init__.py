"""Which jobs there are, with which runs and files, and the fingerprints of the code that their results depend on."""
