"""Privacy: what policies promise, what their ledgers add up, and what games on neighbouring inputs show of it."""
