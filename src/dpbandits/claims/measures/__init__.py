"""The measures: `general` ones, and for each paper a module of those that its file alone uses today.

Any paper file may name any of them. A measure is a function of runs with keyword arguments, decorated with `@measure`.
"""

from dpbandits.claims.measures import azize2022, general, mishra2015, sarkar2025, tossou2016, tossou2017

__all__ = ["azize2022", "general", "mishra2015", "sarkar2025", "tossou2016", "tossou2017"]
