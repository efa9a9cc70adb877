"""Differentially private bandits: algorithms, environments, statistics and figures of five papers.

The package knows nothing of the workflow that drives it: see the README for a ten-line use without Snakemake.
"""

__version__ = "0.1.0"
