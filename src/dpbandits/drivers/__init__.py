"""What plays a policy: by an index, in episodes, by weights, on a log."""
