"""The bandits that algorithms play. One module a kind; `environment: {kind: <module>, ...}` in a paper file names it."""
