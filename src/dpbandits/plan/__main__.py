"""Print the plan: the simulations, and the figures and tables that are made of them.

python -m dpbandits.plan azize2022
"""

import argparse
import sys
from collections.abc import Sequence

from dpbandits.errors import InputError, check_known
from dpbandits.plan.plan import load
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
    texts = []
    for table in (plan.simulations, plan.outputs):
        rows = table[table["study"].isin(options.study)] if options.study else table
        text = rows.map(lambda cell: " ".join(cell) if isinstance(cell, tuple) else cell)
        texts.append(
            text.to_csv(index=False) if options.csv else f"{text.to_string(index=False)}\n"
        )
    print("\n".join(texts), end="")


if __name__ == "__main__":
    main()
