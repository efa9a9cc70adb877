"""Compare a finished run with the reference: tables as numbers, pictures by their digests.

Whatever the run or the reference has is compared. Guests, studies of the user's own, other seeds
and other formats are not in the reference, which is no difference.
`python -m dpbandits.verification results/paper` compares a folder as it is, and runs nothing.
"""

import hashlib
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

TOLERANCE = 1e-9  # relative: another C library may round the last bit differently
SUMS = "SHA256SUMS"  # of the reference's pictures
DRAWN = "drawn-data.txt"  # digests of what the reference's figures show
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


def verify_run(
    tables: Mapping[str, str | Path],
    figures: Mapping[str, Sequence[str]],
    pictures: Sequence[str | Path],
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
    pictures : sequence
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
    sums, drawn = (read_digests(Path(reference) / name) for name in (SUMS, DRAWN))
    drawings = Pictures({name_of(file): Path(file) for file in pictures}, sums, drawn, formats)
    known = tables_of(reference)
    known_figures = {figure_of(name): () for name in sums}
    if study:
        known, known_figures = (
            {name: each for name, each in names.items() if study in name.split("/")}
            for names in (known, known_figures)
        )

    def absent(name: str) -> Outcome:
        is_ours = is_usual and ("/" not in name or _study(name) in SHIPPED)
        return DIFFERS if is_ours else NO_REFERENCE, "the reference lacks it"

    outcomes = {
        name: _table(tables.get(name), known.get(name), guests) or absent(name)
        for name in {**tables, **known}
    }
    lines, played = {}, {_study(name) for name in (*tables, *figures)}
    for figure, behind in (known_figures | dict(figures)).items():
        picture = drawings.outcome(figure, figure in changed) or absent(figure)
        parts = [*(outcomes[name] for name in behind), picture]
        lines[figure.replace("/", " ")] = min(parts, key=lambda part: WORST_FIRST.index(part[0]))
    in_figures = {name for names in figures.values() for name in names}
    lines |= {name: outcome for name, outcome in outcomes.items() if name not in in_figures}
    lines = {
        name if (id := _study(name.replace(" ", "/"))) in played else id: outcome
        for name, outcome in lines.items()
    }
    return _in_words(lines, bool(sums) and not drawn, guests)


def _in_words(lines: Mapping[str, Outcome], lacks_drawn: bool, guests: Collection[str]) -> str:
    """The outcomes with differences last, and the total: how many lines have each outcome."""
    worst_last = sorted(lines.items(), key=lambda line: -WORST_FIRST.index(line[1][0]))
    text = [
        f"{outcome:<{len(NO_REFERENCE)}}  {name}" + f"  ({reason})" * (outcome != IDENTICAL)
        for name, (outcome, reason) in worst_last
    ]
    if lacks_drawn:
        text.append(f"the reference has no {DRAWN}: pictures are compared by their bytes alone")
    count = Counter(outcome for outcome, _ in lines.values())
    total = (
        f"{count[DIFFERS]} differences from the reference: {count[IDENTICAL]} identical, "
        f"{count[OTHER_BYTES]} with the same numbers in other bytes, "
        f"{count[NO_REFERENCE]} not in the reference"
    )
    return "\n".join([*text, total + "; the curves of guests were left out" * bool(guests), ""])


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


def _table(
    ours: str | Path | None, theirs: str | Path | None, guests: Collection[str]
) -> Outcome | None:
    """The outcome of a table; None if the reference lacks it."""
    if ours is None:
        return DIFFERS, "this run lacks it"
    return None if theirs is None else compare_tables(ours, theirs, guests)


def compare_tables(ours: str | Path, theirs: str | Path, guests: Collection[str] = ()) -> Outcome:
    """Compare a table with the reference's, and name the first cell that differs.

    A row belongs to a guest if one of its first three cells names the guest or its series. Such
    rows are left out, and so are those of the user's own papers. With guests the arena's column
    `best` is left out, too.
    """
    try:
        a, b = (pd.read_csv(path, dtype=str, keep_default_na=False) for path in (ours, theirs))
    except (OSError, ValueError) as error:
        return DIFFERS, f"{ours}: no table: {error}"
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


@dataclass(frozen=True)
class Pictures:
    """The pictures of a run, by `name_of`, and the digests of the reference."""

    files: Mapping[str, Path]
    sums: Mapping[str, str]  # name -> the digest of its bytes
    drawn: Mapping[str, str]  # <study>/<figure> -> the digest of the drawn data
    formats: Collection[str]  # that the run draws

    def outcome(self, figure: str, is_changed: bool) -> Outcome | None:
        """The outcome of a figure's pictures; None if the reference lacks one."""
        ours, theirs = (
            {n for n in names if figure_of(n) == figure} for names in (self.files, self.sums)
        )
        formats = {_format(name) for name in self.sums}.intersection(self.formats)
        if lost := sorted(name for name in theirs - ours if _format(name) in formats):
            return DIFFERS, f"{lost[0]}: this run lacks it"
        if not theirs or any(_format(name) in formats for name in ours - theirs):
            return None
        shared = ours & theirs
        if shared and all(digest(self.files[name]) == self.sums[name] for name in shared):
            return IDENTICAL, figure
        if is_changed:
            return NO_REFERENCE, "a guest or a setting changes the picture"
        file = self.files.get(f"figures/{figure}.digest")
        if self.drawn and (file and file.read_text().strip()) != self.drawn.get(figure):
            return DIFFERS, "other curves, axes or texts are drawn"
        return (OTHER_BYTES, min(shared)) if shared else (NO_REFERENCE, "another format")


def tables_of(folder: str | Path) -> dict[str, Path]:
    """Name of a table -> its file: the tables of a full run below a folder."""
    files = (file for pattern in TABLES for file in sorted(Path(folder).glob(pattern)))
    return {file.relative_to(folder).with_suffix("").as_posix(): file for file in files}


def by_name(names: Iterable[str], files: Sequence[str]) -> dict[str, str]:
    """Name of a table -> its file, the one whose path ends with the name."""
    return {name: file for name in names for file in files if file.endswith(f"/{name}.csv")}


def name_of(picture: str | Path) -> str:
    """The name of a picture in SHA256SUMS: `figures/<study>/<figure>.<format>`."""
    return "/".join(["figures", *Path(picture).parts[-2:]])


def figure_of(name: str) -> str:
    """The figure of a picture's name: `<study>/<figure>`."""
    return name.removeprefix("figures/").rpartition(".")[0]


def _format(name: str) -> str:
    return name.rpartition(".")[2]


def _study(name: str) -> str:
    """The study of ours that a table or a figure belongs to; else the name itself."""
    return next((part for part in name.split("/")[:2] if part in SHIPPED), name)


def read_digests(file: Path) -> dict[str, str]:
    """Name -> its digest; empty without the file."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {name: known for known, name in (line.split("  ", 1) for line in lines)}


def digest(path: str | Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def main() -> None:
    """Compare the folder that the command line names, by default results/paper, as it is."""
    results = Path(*sys.argv[1:2] or ["results/paper"]).resolve()
    if not results.is_dir():
        sys.exit(f"error: {results}: there is no such folder; name one such as results/paper")
    places = results / "figures", results.parents[1] / "figures"
    folder = next(filter(Path.is_dir, places), places[0])
    drawings = [file for kind in FORMATS for file in sorted(folder.glob(f"*/*.{kind}"))]
    drawings = [file for file in drawings if file.parent.name != "gallery"]
    comparison = verify_run(
        tables_of(results),
        {figure_of(name_of(file)): () for file in drawings},
        [*drawings, *results.glob("pictures/*/*.digest")],
        "reference/smoke" if results.name == "smoke" else "reference",
    )
    verify(comparison)


if __name__ == "__main__":
    main()
