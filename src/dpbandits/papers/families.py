"""Which algorithms can play in which environments: arms, games against an adversary, or logs of news.

An interim table: algorithms.family_of and environments.family_of are to take its place.
"""

_GAMES = {"deterministic", "stochastic", "fully_oblivious", "oblivious", "switching_costs"}
_LOGS = {"news", "news_log"}
_OF_GAMES = {"exp3", "exp3_tau", "dp_exp3_lap"}
_OF_LOGS = {"lin_ucb", "lin_ts", "private_lin_ucb", "private_lin_ts"}


def of_environment(kind: str) -> str:
    """arms, games or logs."""
    return "games" if kind in _GAMES else "logs" if kind in _LOGS else "arms"


def of_algorithm(name: str) -> str:
    """arms, games or logs."""
    return "games" if name in _OF_GAMES else "logs" if name in _OF_LOGS else "arms"
