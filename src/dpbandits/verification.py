"""Compare a finished run with the reference: tables as numbers, pictures by their digests.

Whatever the run or the reference has is compared. Guests, studies of the user's own, other seeds
and other formats are not in the reference, which is no difference.
`python -m dpbandits.verification results/paper` compares a folder as it is, and runs nothing.
"""

import hashlib
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from dpbandits.errors import InputError
from dpbandits.tables import read_table

TOLERANCE = 1e-9  # relative: another C library may round the last bit differently
SUMS = "SHA256SUMS"  # of the reference's pictures
DRAWN = "drawn-data.txt"  # digests of what the reference's figures show
DIGEST = "digest"  # the suffix of a file with such a digest
SHIPPED = ("arena", "azize2022", "hu2022", "mishra2015", "sarkar2025", "tossou2016", "tossou2017")
FORMATS = ("pdf", "png")
# The tables of a full run, below the folder of its results.
TABLES = ("*.csv", "*/scores.csv", "accounts/*.csv", "audits/*.csv", "checks/*.csv")
TABLES += ("replays/*.csv", "summaries/*/*.csv", "tables/*/*.csv")
DIFFERS, NO_REFERENCE, OTHER_BYTES, IDENTICAL = WORST_FIRST = (
    "differs",
    "not in the reference",
    "same numbers",
    "identical",
)
Outcome = tuple[str, str]  # one of these four, and the reason
Digests = dict[str, str]  # of a figure: the suffix of a file -> its digest


def verify_run(
    tables: Mapping[str, str | Path],
    figures: Mapping[str, Sequence[str]],
    pictures: Iterable[str | Path],
    reference: str | Path,
    *,
    formats: Collection[str] = FORMATS,
    guests: Collection[str] = (),
    changed: Collection[str] = (),
    is_usual: bool = True,
    study: str = "",
) -> str:
    """Compare a run with the reference, in words.

    Parameters
    ----------
    tables : mapping
        Name of a table (``summaries/tossou2016/fig2a``) -> the file of the run.
    figures : mapping
        ``<study>/<figure>`` -> the names of the tables that it shows.
    pictures : iterable
        The run's pictures, each ``.../<study>/<figure>.<format>``. The format `digest` is that of
        the drawn data.
    reference : path
        The folder of the reference.
    formats : collection, optional
        The formats that the run draws.
    guests : collection, optional
        Guests and their series. The reference has no rows of them.
    changed : collection, optional
        The figures whose pictures a setting changes: a guest, or another estimator.
    is_usual : bool, optional
        False for another seed or the real log, of which the reference may have nothing.
    study : str, optional
        The only study to compare; by default all.

    Returns
    -------
    str
        One line for each figure and each other table, differences last, and a total. A study that
        the run lacks has one line.
    """
    tables_there, figures_there = (
        {name: each for name, each in known.items() if study in ("", *name.split("/"))}
        for known in (tables_of(reference), read_digests(reference))
    )
    drawn = {name: {} for name in figures} | digests_of(pictures)

    def outcomes(ours: Mapping, theirs: Mapping, compare: Callable) -> Iterator[tuple]:
        for name in {**ours, **theirs}:
            if not (here := ours.get(name)):
                yield name, (DIFFERS, "this run lacks it")
            elif there := theirs.get(name):
                yield name, compare(name, here, there)
            else:
                is_ours = is_usual and ("/" not in name or _study(name) in SHIPPED)
                yield name, (DIFFERS if is_ours else NO_REFERENCE, "the reference lacks it")

    def table(name: str, here: str | Path, there: str | Path) -> Outcome:
        return compare_tables(here, there, guests)

    def figure(name: str, here: Digests, there: Digests) -> Outcome:
        return compare_figures(here, there, formats, name in changed)

    lines = dict(outcomes(tables, tables_there, table))
    of_figures = {
        name.replace("/", " "): min([outcome, *map(lines.get, figures.get(name, ()))], key=_rank)
        for name, outcome in outcomes(drawn, figures_there, figure)
    }
    for name in {name for names in figures.values() for name in names}:
        del lines[name]
    played = {_study(name) for name in (*tables, *drawn)}
    lines = {
        name if (id := _study(name.replace(" ", "/"))) in played else id: outcome
        for name, outcome in (of_figures | lines).items()
    }
    return _in_words(lines, bool(guests))


def _rank(outcome: Outcome) -> int:
    return WORST_FIRST.index(outcome[0])


def _in_words(lines: Mapping[str, Outcome], has_guests: bool) -> str:
    """The outcomes with differences last, and the total: how many lines have each outcome."""
    worst_last = sorted(lines.items(), key=lambda line: -_rank(line[1]))
    text = [
        f"{outcome:<{len(NO_REFERENCE)}}  {name}" + f"  ({reason})" * (outcome != IDENTICAL)
        for name, (outcome, reason) in worst_last
    ]
    count = Counter(outcome for outcome, _ in lines.values())
    total = (
        f"{count[DIFFERS]} differences from the reference: {count[IDENTICAL]} identical, "
        f"{count[OTHER_BYTES]} with the same numbers in other bytes, "
        f"{count[NO_REFERENCE]} not in the reference"
    )
    return "\n".join([*text, total + "; the curves of guests were left out" * has_guests, ""])


def verify(comparison: str, log: str | Path = "") -> None:
    """Print a comparison and exit; if there is a difference, the exit code is 1.

    `log` then gets the comparison, too, below the total.
    """
    print(comparison, end="")
    lines = comparison.splitlines()
    is_different = any(line.startswith(DIFFERS) for line in lines)
    if is_different and log:
        Path(log).write_text(f"error: {lines[-1]}\n\n{comparison}", encoding="utf-8")
    sys.exit(is_different)


def compare_tables(ours: str | Path, theirs: str | Path, guests: Collection[str] = ()) -> Outcome:
    """Compare a table with the reference's, and name the first cell that differs.

    A row belongs to a guest if one of its first three cells names the guest or its series. Such
    rows are left out, and so are those of the user's own papers. With guests the arena's column
    `best` is left out, too.
    """
    try:
        a, b = read_table(ours), read_table(theirs)
    except InputError as error:
        return DIFFERS, str(error)
    if guests:
        a, b = (frame.drop(columns="best", errors="ignore") for frame in (a, b))
        a = a[~a.iloc[:, :3].isin(list(guests)).any(axis=1)]
    if "paper" in a and "paper" in b:
        a = a[a["paper"].isin([*SHIPPED, *b["paper"]])]
    if list(a) != list(b):
        names = ", ".join(sorted({*a} ^ {*b}))
        return DIFFERS, f"{ours}: {f'only one has {names}' if names else 'columns are reordered'}"
    if len(a) != len(b):
        return DIFFERS, f"{ours}: {len(a)} rows, not {len(b)}"
    numbers = [frame.apply(pd.to_numeric, errors="coerce").to_numpy(float) for frame in (a, b)]
    left, right = a.to_numpy(), b.to_numpy()
    different = np.argwhere((left != right) & ~np.isclose(*numbers, rtol=TOLERANCE, atol=0))
    for row, column in different[:1]:
        cells = f"{left[row, column]}, not {right[row, column]}"
        return DIFFERS, f"{ours}: row {row + 2}, {a.columns[column]}: {cells}"
    return IDENTICAL, str(ours)


def compare_figures(
    ours: Digests, theirs: Digests, formats: Collection[str], is_changed: bool
) -> Outcome:
    """Compare a figure with the reference's: by its bytes in all shared formats, or by its data."""
    shared = [kind for kind in FORMATS if kind in formats]
    for kind in (*shared, DIGEST):
        if (kind in ours) != (kind in theirs):
            return DIFFERS, f"only {'this run' if kind in ours else 'the reference'} has the {kind}"
    if shared and all(ours.get(kind) == theirs.get(kind) for kind in shared):
        return IDENTICAL, ""
    if is_changed:
        return NO_REFERENCE, "a guest or a setting changes the picture"
    if ours.get(DIGEST) != theirs.get(DIGEST):
        return DIFFERS, "other curves, axes or texts are drawn"
    return OTHER_BYTES, "the same data are drawn"


def tables_of(folder: str | Path) -> dict[str, Path]:
    """Name of a table -> its file: the tables of a full run below a folder."""
    files = (file for pattern in TABLES for file in sorted(Path(folder).glob(pattern)))
    return {file.relative_to(folder).with_suffix("").as_posix(): file for file in files}


def digests_of(pictures: Iterable[str | Path]) -> dict[str, Digests]:
    """``<study>/<figure>`` -> the digests of its files."""
    result: dict[str, Digests] = {}
    for file in map(Path, pictures):
        kind, content = file.suffix[1:], file.read_bytes()
        known = content.decode().strip() if kind == DIGEST else hashlib.sha256(content).hexdigest()
        result.setdefault(f"{file.parent.name}/{file.stem}", {})[kind] = known
    return result


def read_digests(reference: str | Path) -> dict[str, Digests]:
    """``<study>/<figure>`` -> the digests in the reference, as far as it has any."""
    result: dict[str, Digests] = {}
    for name, suffix in ((SUMS, ""), (DRAWN, f".{DIGEST}")):
        list_ = Path(reference, name)
        for line in list_.read_text().splitlines() if list_.exists() else ():
            known, file = line.split("  ", 1)
            file = Path(file + suffix)
            result.setdefault(f"{file.parent.name}/{file.stem}", {})[file.suffix[1:]] = known
    return result


def write_digests(digests: Mapping[str, Digests], reference: Path) -> None:
    """Write the digests of a run as those of the reference."""
    sums, drawn = [], []
    for name, each in digests.items():
        sums += [f"{each[kind]}  figures/{name}.{kind}" for kind in FORMATS if kind in each]
        drawn += [f"{each[DIGEST]}  {name}"] if DIGEST in each else []
    for file, lines in ((SUMS, sums), (DRAWN, drawn)):
        lines.sort(key=lambda line: line.split()[1])
        (reference / file).write_text("".join(f"{line}\n" for line in lines))


def _study(name: str) -> str:
    """The study of ours that a table or a figure belongs to; else the name itself."""
    return next((part for part in name.split("/")[:2] if part in SHIPPED), name)


def main() -> None:
    """Compare the folder that the command line names, by default results/paper, as it is."""
    results = Path(*sys.argv[1:2] or ["results/paper"]).resolve()
    if not results.is_dir():
        sys.exit(f"error: {results}: there is no such folder; name one such as results/paper")
    places = results / "figures", results.parents[1] / "figures"
    folder = next(filter(Path.is_dir, places), places[0])
    drawings = [file for kind in FORMATS for file in sorted(folder.glob(f"*/*.{kind}"))]
    comparison = verify_run(
        tables_of(results),
        {},
        [
            *(file for file in drawings if file.parent.name != "gallery"),
            *results.glob(f"pictures/*/*.{DIGEST}"),
        ],
        "reference/smoke" if results.name == "smoke" else "reference",
    )
    verify(comparison)


if __name__ == "__main__":
    main()
