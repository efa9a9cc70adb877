"""Compare a finished run with the reference: tables as numbers, pictures by their digests.

The comparison has one line for each figure, one for each table behind no figure, and a total.
"""

import hashlib
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

TOLERANCE = 1e-9  # relative: another C library may round the last bit differently
SUMS = "SHA256SUMS"  # of the reference's pictures
DIFFERS, MISSING, OTHER_BYTES, IDENTICAL = WORST_FIRST = (
    "differs",
    "no reference",
    "same numbers",
    "identical",
)
Outcome = tuple[str, str]  # one of these four, and the reason


def verify_run(
    tables: Mapping[str, str | Path],
    references: Mapping[str, str | Path],
    figures: Mapping[str, Sequence[str]],
    pictures: Sequence[str | Path],
    sums: str | Path | None = None,
    guests: Collection[str] = (),
) -> str:
    """Compare a run with the reference, in words.

    Parameters
    ----------
    tables : mapping
        Name of a table (``summaries/tossou2016/fig2a``) -> the file of the run.
    references : mapping
        Name of a table -> the file of the reference. A table without one has no reference.
    figures : mapping
        ``<study>/<figure>`` -> the names of the tables that it shows.
    pictures : sequence
        The files of the run's pictures, each ``.../<study>/<figure>.<format>``.
    sums : path, optional
        The digests of the reference's pictures, as `sha256sum` writes them.
    guests : collection, optional
        Guests and their series. The reference has no rows of them.

    Returns
    -------
    str
        One line for each figure and each other table, and a total.
    """
    digests = read_digests(sums) if sums else {}
    outcomes = {
        name: compare_tables(file, references.get(name), guests) for name, file in tables.items()
    }
    drawn = defaultdict(list)  # figure -> its pictures, one for each format
    for file in map(Path, pictures):
        if (name := name_of(file)) in digests:
            is_same = digests[name] == digest(file)
            drawn[f"{file.parent.name}/{file.stem}"].append(
                (IDENTICAL if is_same else OTHER_BYTES, name)
            )
    lines = {}
    for figure, names in figures.items():
        shown = drawn[figure] or [(MISSING, "the reference has no picture of it")]
        parts = [*(outcomes[name] for name in names), *shown]
        lines[figure.replace("/", " ")] = min(parts, key=lambda part: WORST_FIRST.index(part[0]))
    in_figures = {name for names in figures.values() for name in names}
    lines |= {name: outcome for name, outcome in outcomes.items() if name not in in_figures}
    text = [
        f"{outcome:<12}  {name}" + f"  ({reason})" * (outcome != IDENTICAL)
        for name, (outcome, reason) in lines.items()
    ]
    return "\n".join([*text, _total(lines.values(), guests), ""])


def _total(outcomes: Collection[Outcome], guests: Collection[str]) -> str:
    """The last line: how many figures and tables have each outcome."""
    count = Counter(outcome for outcome, _ in outcomes)
    total = (
        f"{count[DIFFERS]} differences from the reference: {count[IDENTICAL]} identical, "
        f"{count[OTHER_BYTES]} with the same numbers in other bytes, "
        f"{count[MISSING]} without a reference"
    )
    return f"{total}; the curves of guests were left out" if guests else total


def verify(comparison: str) -> None:
    """Print a comparison and exit; the exit code is 1 if there is a difference."""
    print(comparison, end="")
    sys.exit(any(line.startswith(DIFFERS) for line in comparison.splitlines()))


def compare_tables(
    ours: str | Path, theirs: str | Path | None, guests: Collection[str] = ()
) -> Outcome:
    """Compare a table with the reference's, and name the first cell that differs.

    A row belongs to a guest if one of its first three cells names the guest or its series. Such
    rows are left out. With guests the arena's column `best` is left out, too. Of a table of all
    papers, only the papers in both tables are compared.
    """
    if theirs is None:
        return MISSING, "the reference has no such table; make reference writes it"
    try:
        a, b = (pd.read_csv(path, dtype=str, keep_default_na=False) for path in (ours, theirs))
    except (OSError, ValueError) as error:
        return DIFFERS, f"{ours}: no table: {error}"
    if guests:
        a, b = (frame.drop(columns="best", errors="ignore") for frame in (a, b))
        a = a[~a.iloc[:, :3].isin(list(guests)).any(axis=1)]
    if "paper" in a and "paper" in b:
        a, b = a[a["paper"].isin(b["paper"])], b[b["paper"].isin(a["paper"])]
    if list(a) != list(b) or len(a) != len(b):
        return DIFFERS, f"{ours}: {len(a)} rows, not {len(b)}, or other columns"
    numbers = [frame.apply(pd.to_numeric, errors="coerce").to_numpy(float) for frame in (a, b)]
    left, right = a.to_numpy(), b.to_numpy()
    different = np.argwhere((left != right) & ~np.isclose(*numbers, rtol=TOLERANCE, atol=0))
    for row, column in different[:1]:
        cells = f"{left[row, column]}, not {right[row, column]}"
        return DIFFERS, f"{ours}: row {row + 2}, {a.columns[column]}: {cells}"
    return IDENTICAL, str(ours)


def by_name(names: Iterable[str], files: Sequence[str]) -> dict[str, str]:
    """Name of a table -> its file, the one whose path ends with the name."""
    return {name: file for name in names for file in files if file.endswith(f"/{name}.csv")}


def name_of(picture: str | Path) -> str:
    """The name of a picture in SHA256SUMS: `figures/<study>/<figure>.<format>`."""
    return "/".join(["figures", *Path(picture).parts[-2:]])


def read_digests(sums: str | Path) -> dict[str, str]:
    """Name of a picture -> its digest."""
    lines = Path(sums).read_text(encoding="utf-8").splitlines()
    return {name: known for known, name in (line.split("  ", 1) for line in lines)}


def digest(path: str | Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()
