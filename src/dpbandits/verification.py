"""Does a run reproduce the reference? Tables are compared as numbers, pictures by their digests: one line a figure."""

import hashlib
import shutil
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from dpbandits.audit.findings import ABOVE_LEDGER
from dpbandits.statistics.summaries import read_summary
from dpbandits.studies.model import Study

TOLERANCE = 1e-9  # relative: another C library may round the last bit differently
SUMS = "SHA256SUMS"  # of the reference's pictures
IDENTICAL, OTHER_BYTES, DIFFERS, MISSING = "identical", "same numbers", "differs", "no reference"


Line = tuple[str, str, str]  # of a comparison: name, verdict and detail


def as_text(lines: Sequence[Line], guests: Collection[str] = ()) -> str:
    """A comparison, and its total."""
    count = Counter(verdict for _, verdict, _ in lines)
    shown = [f"{verdict:<12}  {name}" + (f"  ({detail})" if detail else "") for name, verdict, detail in lines]
    left_out = f"; the curves of {', '.join(guests)} were left out" if guests else ""
    total = (
        f"{count[DIFFERS]} differences from the reference: {count[IDENTICAL]} identical, {count[OTHER_BYTES]} with the same "
        f"numbers in other bytes, {count[MISSING]} without a reference{left_out}"
    )
    return "\n".join([*shown, total, ""])


def verify(
    figures_of: Mapping[str, Mapping[str, Sequence[str]]],
    tables: Sequence[str],
    results: Path,
    figures: Path,
    reference: Path,
    formats: Sequence[str],
    guests: Mapping[str, Collection[str]] | None = None,
) -> list[Line]:
    """Compare every figure, with those of the tables that are behind it, and every other table.

    `figures_of`: study -> figure -> the files of its tables. `guests`: guest -> its series, whose rows the reference does not
    have; with guests, audits are not compared, since all bounds of such a table hold together.
    """
    guests = guests or {}
    left_out, known = {name for names in guests.values() for name in names}, read_sums(reference)
    names = {table: Path(table).relative_to(results) for table in tables}
    compared = {table: compare_tables(results / name, reference / name, left_out) for table, name in names.items()}
    lines = []
    for study, tables_of in figures_of.items():
        for figure, files in tables_of.items():
            pictures = [name for kind in formats if (name := f"{study}/{figure}.{kind}") in known]
            others = [name for name in pictures if known[name] != _digest(figures / name)]
            lines.append((f"{study} {figure}", *_of_figure({file: compared[file] for file in files}, pictures, others)))
    drawn = {file for tables_of in figures_of.values() for files in tables_of.values() for file in files}
    for table, name in names.items():
        if table not in drawn and not (guests and name.parts[0] == "audits"):
            lines.append((str(name.with_suffix("")), *compared[table]))
    return lines


def _of_figure(
    tables: Mapping[str, tuple[str, str]], pictures: Sequence[str], others: Sequence[str]
) -> tuple[str, str]:
    """A figure's verdict: its tables decide, then its pictures, of which `others` have other bytes than the reference's."""
    found = [(verdict, f"{file}: {detail}") for file, (verdict, detail) in tables.items() if verdict != IDENTICAL]
    if found:
        return min(found, key=lambda each: each[0] != DIFFERS)
    if not pictures:
        return MISSING, "no picture of it is known"
    return (OTHER_BYTES, ", ".join(others)) if others else (IDENTICAL, "")


def compare_tables(ours: Path, theirs: Path, guests: Collection[str] = ()) -> tuple[str, str]:
    """The verdict on a table, and where it first differs by more than rounding; rows of guests are left out.

    A row is a guest's if one of its first three cells is the guest or its series.
    """
    if not theirs.exists():
        return MISSING, f"{theirs} is missing; make reference writes it"
    if not ours.exists():
        return DIFFERS, f"{ours} is missing"
    try:
        a, b = (pd.read_csv(path, dtype=str, keep_default_na=False) for path in (ours, theirs))
    except (ValueError, UnicodeDecodeError) as error:
        return DIFFERS, f"not a table: {error}"
    a = a[~a.iloc[:, :3].isin(list(guests)).any(axis=1)]
    if list(a) != list(b):
        return DIFFERS, "other columns"
    if "paper" in a:  # a table of all papers: a reader may have fewer or more of them
        papers = set(a["paper"]) & set(b["paper"])
        a, b = a[a["paper"].isin(papers)], b[b["paper"].isin(papers)]
    if len(a) != len(b):
        return DIFFERS, f"{len(a)} rows, not {len(b)}"
    numbers = [frame.apply(pd.to_numeric, errors="coerce").to_numpy(float) for frame in (a, b)]
    left, right = a.to_numpy(), b.to_numpy()
    same = (left == right) | np.isclose(*numbers, rtol=TOLERANCE, atol=0)
    if same.all():
        return IDENTICAL, ""
    row, column = np.argwhere(~same)[0]
    return DIFFERS, f"row {row + 2}, {a.columns[column]}: {left[row, column]}, not {right[row, column]}"


def read_sums(reference: Path) -> dict[str, str]:
    """`<study>/<figure>.<format>` -> its SHA-256; nothing where there is no reference."""
    path = reference / SUMS
    lines = path.read_text().splitlines() if path.exists() else ()
    return {name.removeprefix("figures/"): digest for digest, name in (line.split("  ", 1) for line in lines)}


def refresh(tables: Iterable[str], pictures: Iterable[str], results: Path, figures: Path, reference: Path) -> None:
    """Make a finished run the reference: copy its tables, and write the digests of its pictures (`<study>/<figure>`)."""
    for folder in reference.iterdir() if reference.exists() else ():  # what is no longer made does not stay
        if folder.is_dir() and folder.name not in ("published", "smoke"):
            shutil.rmtree(folder)
    for table in map(Path, tables):
        copy = reference / table.relative_to(results)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(table, copy)
    files = sorted(f"{name}.{kind}" for name in pictures for kind in ("pdf", "png"))
    lines = [f"{_digest(figures / file)}  figures/{file}\n" for file in files if (figures / file).exists()]
    (reference / SUMS).write_text("".join(lines))


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""


# ---- the last words of a run


def closing(
    studies: Mapping[str, Study],
    asked: Iterable[str],
    results: Path,
    figures: Path,
    guests: Mapping[str, Collection[str]] | None = None,
) -> str:
    """Where the files are that were asked for, the verdicts in them, what audits found, how guests did (guest -> its series), and
    the total of the verification."""
    from dpbandits.verdicts import scoreboard, sentences  # here, since a comparison does not need them

    files, guests = sorted(map(Path, asked)), guests or {}
    drawn = [file for file in files if file.is_relative_to(figures)]
    lines = [f"figures: {drawn[0] if len(drawn) == 1 else figures}"] if drawn else []
    judged = [file for file in files if file.parent == results / "claims" and file.suffix == ".csv"]
    audits = [file for file in files if file.parent == results / "audits"]
    summaries = [file for file in files if file.parent.parent == results / "summaries"]
    if judged:
        shorter = ", of shorter games and fewer runs than in the papers, of which they say nothing"
        lines.append(f"tests:   {results / 'claims'}{shorter if 'smoke' in results.parts else ''}")
    for path in judged:
        words = scoreboard.in_words(sentences.table({path.stem: studies[path.stem]}, [str(path)]))
        lines += [f"  {path.stem}: {line}" for line in words]
    if audits:
        lines += of_audits(pd.concat(map(pd.read_csv, audits)), guests)
    lines += [line for guest in guests for line in places(studies, summaries, guest, guests[guest])]
    if results / "verification.txt" in files:
        lines.append(f"verify:  {(results / 'verification.txt').read_text().splitlines()[-1]}")
    if (page := results / "page/index.html") in files:
        lines.append(f"report:  {page}")
    return "\n".join(lines)


def of_audits(audits: pd.DataFrame, guests: Collection[str]) -> Iterator[str]:
    """A line for every policy of ours whose audit contradicts its ledger (the tests say which promises are broken); and for every
    guest what it promises and spends, and what its audit found, equal mechanisms of several studies once."""
    found = audits.sort_values("measured", ascending=False)
    wrong = found[(found["finding"] == ABOVE_LEDGER) & ~found["policy"].isin(list(guests))]
    for row in wrong.drop_duplicates(["label", "channel"]).itertuples():
        yield (
            f"privacy: {row.label}: {row.finding}: its {row.channel} at epsilon {row.epsilon:g} cost at least "
            f"{row.measured:g} of {row.spent:g} in its ledger ({row.pair})"
        )
    found = found.drop_duplicates(["policy", "channel", "epsilon", "delta", "spent", "finding"])
    for guest in guests:
        rows = found[found["policy"] == guest].sort_values(["epsilon", "channel"])
        if rows.empty:
            yield f"guest {guest}: no promise of privacy, hence no audit"
        for row in rows.itertuples():
            measured = "" if pd.isna(row.measured) else f", at least {row.measured:g} measured"
            spends = f"promises epsilon {row.epsilon:g}, its ledger {row.spent:g}"
            yield f"guest {guest}: {spends}; {row.channel}{measured}: {row.finding}"


def places(
    studies: Mapping[str, Study], summaries: Iterable[Path], guest: str, series: Collection[str]
) -> Iterator[str]:
    """For every paper a guest's place by the mean at T among all curves of each experiment, with that mean."""
    found: dict[str, list[str]] = {}
    for path in summaries:
        paper, table = path.parent.name, read_summary(path)
        quantity = studies[paper].experiments[path.stem].design.quantity
        column = quantity if quantity in table else "mean"
        last = table.groupby("policy")[column].last().sort_values(ascending=quantity != "ctr_ratio")
        for place, (name, value) in enumerate(last.items(), start=1):
            if name in series:
                found.setdefault(paper, []).append(f"{path.stem} {place} of {len(last)} ({value:.4g})")
                break
    for paper, where in found.items():
        yield f"guest {guest}: place (and mean) at T in {paper}: {', '.join(where)}"
