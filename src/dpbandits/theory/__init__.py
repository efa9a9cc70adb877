"""The papers' theorems: one module per paper, with its bounds, regimes and tables; `bounds` finds them by name.

scipy.optimize is imported where it is used: it takes half a second, and few of the jobs that import these modules need it.
"""

TABLES = {"azize2022": ("table1", "table2")}  # the functions of a paper's module that make a table
