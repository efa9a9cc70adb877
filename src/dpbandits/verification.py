"""Does a run reproduce the reference? Tables are compared as numbers, pictures by their digests: one line a figure."""

import hashlib
import sys
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

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


def compare(
    figures: Mapping[str, Sequence[str]],
    tables: Sequence[str],
    folders: Sequence[str],
    formats: Sequence[str],
    guests: Collection[str],
) -> str:
    """Compare every figure (`<study>/<figure>` -> the files of its tables) and every other table, in words, with a total.

    `folders`: of results, figures and the reference. `guests`: guests and their series, whose rows the reference does not have.
    """
    results, drawn, reference = map(Path, folders)
    lines = (reference / SUMS).read_text().splitlines() if (reference / SUMS).exists() else ()
    sums = {
        name.removeprefix("figures/"): known
        for known, name in (line.split("  ", 1) for line in lines)
    }
    names = {table: Path(table).relative_to(results) for table in tables}
    compared = {
        table: compare_tables(results / name, reference / name, guests)
        for table, name in names.items()
    }
    found = {}
    for figure, behind in figures.items():
        pictures = [name for kind in formats if (name := f"{figure}.{kind}") in sums]
        parts = [
            (IDENTICAL if sums[name] == digest(drawn / name) else OTHER_BYTES, name)
            for name in pictures
        ]
        parts = [
            *(compared[file] for file in behind),
            *(parts or [(MISSING, "no picture of it is known")]),
        ]
        found[figure.replace("/", " ")] = min(parts, key=lambda part: WORST_FIRST.index(part[0]))
    shown = {file for behind in figures.values() for file in behind}
    for table, name in names.items():
        if table not in shown:
            found[str(name.with_suffix(""))] = compared[table]
    text = [
        f"{verdict:<12}  {name}" + f"  ({why})" * (verdict != IDENTICAL)
        for name, (verdict, why) in found.items()
    ]
    count = Counter(verdict for verdict, _ in found.values())
    total = (
        f"{count[DIFFERS]} differences from the reference: {count[IDENTICAL]} identical, {count[OTHER_BYTES]} with the same "
        f"numbers in other bytes, {count[MISSING]} without a reference"
    )
    if guests:
        total += "; the curves of guests were left out"
    return "\n".join([*text, total, ""])


def verify(**given: Any) -> None:
    """Print the comparison; a difference is a failure."""
    text = compare(**given)
    print(text, end="")
    sys.exit(any(line.startswith(DIFFERS) for line in text.splitlines()))


def compare_tables(ours: Path, theirs: Path, guests: Collection[str] = ()) -> tuple[str, str]:
    """The verdict on a table, and where it first differs by more than rounding. Rows of guests are left out, in which one of the
    first three cells is the guest or its series; and so, with guests, is the column of the arena that says who is best."""
    if not theirs.exists():
        return MISSING, f"{theirs} is missing; make reference writes it"
    try:
        a, b = (pd.read_csv(path, dtype=str, keep_default_na=False) for path in (ours, theirs))
    except (OSError, ValueError) as error:
        return DIFFERS, f"{ours}: no table: {error}"
    if guests:
        a, b = (frame.drop(columns="best", errors="ignore") for frame in (a, b))
        a = a[~a.iloc[:, :3].isin(list(guests)).any(axis=1)]
    if (
        "paper" in a and "paper" in b
    ):  # a table of all papers: a reader may have fewer or more of them
        a, b = a[a["paper"].isin(b["paper"])], b[b["paper"].isin(a["paper"])]
    if list(a) != list(b) or len(a) != len(b):
        return DIFFERS, f"{ours}: {len(a)} rows, not {len(b)}, or other columns"
    numbers = [frame.apply(pd.to_numeric, errors="coerce").to_numpy(float) for frame in (a, b)]
    left, right = a.to_numpy(), b.to_numpy()
    different = np.argwhere((left != right) & ~np.isclose(*numbers, rtol=TOLERANCE, atol=0))
    for row, column in different[:1]:
        return (
            DIFFERS,
            f"{ours}: row {row + 2}, {a.columns[column]}: {left[row, column]}, not {right[row, column]}",
        )
    return IDENTICAL, str(ours)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""
