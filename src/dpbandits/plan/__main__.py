"""Print the plan: the simulations, and the figures and tables that are made of them.

python -m dpbandits.plan azize2022
"""

import argparse
import sys
from collections.abc import Sequence

import pandas as pd

from dpbandits.errors import InputError, check_known
from dpbandits.plan.plan import Plan, load
from dpbandits.studies import strict_yaml


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m dpbandits.plan", description=__doc__)
    parser.add_argument("study", nargs="*", help="by default all")
    parser.add_argument("--scale", choices=["paper", "smoke"], default="paper")
    parser.add_argument("--csv", action="store_true", help="print two CSV files, one by one")
    options = parser.parse_args(arguments)
    try:
        plan = load(strict_yaml.read_yaml("config/config.yaml") | {"scale": options.scale})
        check_known("plan", "study", options.study, plan.studies)
    except InputError as error:
        sys.exit(f"error: {error}")
    tables = [
        (table[table["study"].isin(options.study)] if options.study else table).map(
            lambda cell: " ".join(cell) if isinstance(cell, tuple) else cell
        )
        for table in (plan.simulations, plan.outputs)
    ]
    if options.csv:
        texts = [table.to_csv(index=False) for table in tables]
    else:
        texts = in_words(plan, *tables)
    print("\n".join(texts), end="")


def in_words(plan: Plan, simulations: pd.DataFrame, outputs: pd.DataFrame) -> list[str]:
    """The tables for people: with totals and the checks of claims, and without names of files."""
    simulations = simulations.drop(columns="trace")
    kinds = ", ".join(f"{kind} {n}" for kind, n in outputs["kind"].value_counts().items())
    claims = [
        (paper, name, " ".join(claim.all_checks))
        for paper, study in plan.papers.items()
        if paper in {*outputs["study"]}
        for name, claim in study.claims.items()
    ]
    totals = {
        f"{len(simulations)} simulations of {simulations['rounds'].sum():.3g} rounds": simulations,
        f"{len(outputs)} figures and tables: {kinds}": outputs,
        f"{len(claims)} claims": pd.DataFrame(claims, columns=["study", "claim", "checks"]),
    }
    return [
        f"{total}\n\n{table.to_string(index=False)}\n"
        for total, table in totals.items()
        if len(table)
    ]


if __name__ == "__main__":
    main()
