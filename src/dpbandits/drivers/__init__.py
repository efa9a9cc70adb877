"""The loops that play a policy: by an index, in episodes, by weights, on a log."""
