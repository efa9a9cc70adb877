"""Write the numbers in the tables of docs/readings from reference/.

`make reference` does it after a run. By hand:

    python benchmarks/readings.py            # write the numbers, and name the pages that change
    python benchmarks/readings.py --check    # change nothing; fail if the numbers differ

A comment above a table names the tables of the reference, and the cells name rows and columns:

    <!-- numbers: summaries/sarkar2025 nash_regret ± nash_regret_error -->
    | | t = 1e6 | T |                 a round, the end, or `ε = 0.2`: series `<series>-0.2`, the end
    | `fig1c ncb` | ... | ... |        experiment and series

    <!-- numbers: checks/sarkar2025 -->
    | | measured | share | verdict |  (share: of figures of n runs)
    | `C12 fig1c published`: words |    a check; the experiment and the reading if it has several

    <!-- numbers: distances/hu2022 -->
    | | end | mean | std | deviations |  of a run that the authors drew, and of ours
    | `fig1 dp-ts` | ... |              figure and series

Tables without a comment were measured at the commit that their page names.
"""

import argparse
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pandas as pd

from dpbandits.errors import InputError, check_known
from dpbandits.tables import number

ROOT = Path(__file__).parent.parent
NUMBERS = re.compile(
    r"<!-- numbers: (?P<folder>summaries|checks|distances)/(?P<paper>\w+)(?P<columns>[^\n]*) -->"
    r"\n\n?"
    r"(?P<table>(?:\|.*\n)+)"
)
TITLE = re.compile(r"`([^`]+)`")
HEAD = re.compile(r"T|t = \d[\de.]*|ε = \S+")


@cache
def read(path: str) -> pd.DataFrame:
    """A table of the reference."""
    return pd.read_csv(
        ROOT / "reference" / path, dtype={"check": str, "experiment": str, "reading": str}
    )


def record_of(path: str, names: dict[str, str]) -> dict:
    """The only row that has these names in these columns."""
    rows = read(path)
    for column, wanted in names.items():
        rows = rows[rows[column] == wanted]
    if len(rows) != 1:
        words = " ".join(names.values())
        raise InputError(f"reference/{path}: {len(rows)} rows of '{words}', where one is meant")
    return rows.to_dict("records")[0]


def of_summary(paper: str, columns: list[str], row: str, head: str) -> str:
    """The number of a series in the first column, with the error in the second, if any."""
    if not HEAD.fullmatch(head):
        raise InputError(f"a column is headed '{head}'; write T, t = 1e6 or ε = 0.2")
    experiment, _, series = row.partition(" ")
    path, (where, _, which) = f"summaries/{paper}/{experiment}.csv", head.partition(" = ")
    if where == "ε":
        policy, dot, reading = series.partition(".")
        series = f"{policy}-{which}{dot}{reading}"
    rows = read(path)
    check_known(f"reference/{path}", "column", columns, rows)
    rows = rows[rows["policy"] == series]
    if where == "t":
        rows = rows[rows["t"] == float(which)]
    if rows.empty:
        raise InputError(f"reference/{path}: no series '{series}' where {head}")
    value, *error = (rows[column].iloc[-1] for column in columns)
    return f"{value:.4f}" + (f"±{error[0]:.1g}" if error else "")


def of_checks(paper: str, columns: list[str], row: str, head: str) -> str:
    """The verdict on a check, its share of figures, or its number with its error: 0.484±0.017."""
    names = dict(zip(("check", "experiment", "reading"), row.split(), strict=False))
    record = record_of(f"checks/{paper}.csv", names)
    if head == "verdict":
        return record["verdict"]
    if head == "share":
        if not (found := re.search(r"a share of ([\d.]+ ± [\d.]+)", record["evidence"])):
            raise InputError(f"reference/checks/{paper}.csv: '{row}' has no share of figures")
        return found[1].replace(" ", "")
    return number(record["value"], record["standard_error"]).replace(" ", "")


def of_distances(paper: str, columns: list[str], row: str, head: str) -> str:
    """A number of a drawn run's end, or its distance from our mean in deviations of one run."""
    names = zip(("paper", "figure", "series"), (paper, *row.split()), strict=False)
    end = record_of("distances.csv", dict(names))
    check_known("reference/distances.csv", "column", [head], [*end, "deviations"])
    if head != "deviations":
        return f"{end[head]:.6g}"
    return f"{(end['end'] - end['mean']) / end['std']:+.1f}" if end["std"] else "equal"


def with_numbers(match: re.Match) -> str:
    """A table, with the comment above it, with the numbers of the reference."""
    kinds = {"summaries": of_summary, "checks": of_checks, "distances": of_distances}
    cell = kinds[match["folder"]]
    columns = match["columns"].replace("±", " ").split()
    head, rule, *rows = match["table"].splitlines()
    names = [name.strip() for name in head.strip("|").split("|")][1:]
    lines = [head, rule]
    for line in rows:
        title = line.split("|")[1].strip()
        row = TITLE.match(title)
        if row is None:
            raise InputError(f"a row that begins with `...` is meant, where there is: {line}")
        cells = [cell(match["paper"], columns, row[1], name) for name in names]
        lines.append("| " + " | ".join([title, *cells]) + " |")
    return match[0].removesuffix(match["table"]) + "\n".join(lines) + "\n"


def pages() -> Iterator[tuple[Path, str, str]]:
    """Every page about readings with its present text and its new text."""
    for path in sorted((ROOT / "docs/readings").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        try:
            yield path, text, NUMBERS.sub(with_numbers, text)
        except InputError as error:
            raise InputError(f"{path.relative_to(ROOT)}: {error}") from None


def main() -> int:
    """Write the tables, or check them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--check", action="store_true", help="change nothing; exit with 1 if a table is out of date"
    )
    check = parser.parse_args().check
    stale = 0
    for path, before, after in pages():
        if after != before:
            stale += 1
            outcome = "other numbers than in reference/" if check else "rewritten"
            print(f"{path.relative_to(ROOT)}: {outcome}")
            if not check:
                path.write_text(after, encoding="utf-8")
    return int(check and stale > 0)


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except InputError as error:
        raise SystemExit(str(error)) from None
