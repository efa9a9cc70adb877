"""The measures: `general` ones, for each paper a module of those that its file alone uses today, and those of `arena`s.

Any paper file may name any of them. A measure is a function of runs with keyword arguments, decorated with `@measure`.
"""

from dpbandits.verdicts.measures import arena, azize2022, general, mishra2015, sarkar2025, tossou2016, tossou2017

__all__ = ["arena", "azize2022", "general", "mishra2015", "sarkar2025", "tossou2016", "tossou2017"]
