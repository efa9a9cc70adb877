"""Does a run reproduce the reference? Tables are compared as numbers, pictures by their digests: one line a figure."""

import hashlib
import sys
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from dpbandits.audit.findings import ABOVE_LEDGER
from dpbandits.files import read_table
from dpbandits.studies.model import Study

TOLERANCE = 1e-9  # relative: another C library may round the last bit differently
SUMS = "SHA256SUMS"  # of the reference's pictures
DIFFERS, MISSING, OTHER_BYTES, IDENTICAL = WORST_FIRST = "differs", "no reference", "same numbers", "identical"


def compare(
    figures: Mapping[str, Sequence[str]],
    tables: Sequence[str],
    folders: Sequence[str],
    formats: Sequence[str],
    guests: Collection[str],
) -> str:
    """Compare every figure (`<study>/<figure>` -> the files of its tables) and every other table, in words, with a total.

    `folders`: of results, figures and the reference. `guests`: guests and their series, whose rows the reference does not have; with
    guests, audits are not compared, since all bounds of such a table hold together.
    """
    results, drawn, reference = map(Path, folders)
    lines = (reference / SUMS).read_text().splitlines() if (reference / SUMS).exists() else ()
    sums = {name.removeprefix("figures/"): known for known, name in (line.split("  ", 1) for line in lines)}
    names = {table: Path(table).relative_to(results) for table in tables}
    compared = {table: compare_tables(results / name, reference / name, guests) for table, name in names.items()}
    found = {}
    for figure, behind in figures.items():
        pictures = [name for kind in formats if (name := f"{figure}.{kind}") in sums]
        parts = [(IDENTICAL if sums[name] == digest(drawn / name) else OTHER_BYTES, name) for name in pictures]
        parts = [*(compared[file] for file in behind), *(parts or [(MISSING, "no picture of it is known")])]
        found[figure.replace("/", " ")] = min(parts, key=lambda part: WORST_FIRST.index(part[0]))
    shown = {file for behind in figures.values() for file in behind}
    for table, name in names.items():
        if table not in shown and not (guests and name.parts[0] == "audits"):
            found[str(name.with_suffix(""))] = compared[table]
    text = [f"{verdict:<12}  {name}" + f"  ({why})" * (verdict != IDENTICAL) for name, (verdict, why) in found.items()]
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
    """The verdict on a table, and where it first differs by more than rounding; rows of guests are left out.

    A row is a guest's if one of its first three cells is the guest or its series.
    """
    if not theirs.exists():
        return MISSING, f"{theirs} is missing; make reference writes it"
    try:
        a, b = (pd.read_csv(path, dtype=str, keep_default_na=False) for path in (ours, theirs))
    except (OSError, ValueError) as error:
        return DIFFERS, f"{ours}: no table: {error}"
    a = a[~a.iloc[:, :3].isin(list(guests)).any(axis=1)]
    if "paper" in a and "paper" in b:  # a table of all papers: a reader may have fewer or more of them
        a, b = a[a["paper"].isin(b["paper"])], b[b["paper"].isin(a["paper"])]
    if list(a) != list(b) or len(a) != len(b):
        return DIFFERS, f"{ours}: {len(a)} rows, not {len(b)}, or other columns"
    numbers = [frame.apply(pd.to_numeric, errors="coerce").to_numpy(float) for frame in (a, b)]
    left, right = a.to_numpy(), b.to_numpy()
    different = np.argwhere((left != right) & ~np.isclose(*numbers, rtol=TOLERANCE, atol=0))
    for row, column in different[:1]:
        return DIFFERS, f"{ours}: row {row + 2}, {a.columns[column]}: {left[row, column]}, not {right[row, column]}"
    return IDENTICAL, str(ours)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""


def closing(studies: Mapping[str, Study], made: Collection[str], results: str, figures: str) -> str:
    """Of the files that a run was to make: where they are, the verdicts in them, what audits found, how guests did, and the total of
    the verification."""
    from dpbandits.verdicts import sentences, tables  # here, since a comparison does not need them

    drawn = sorted(file for file in made if file.startswith(f"{figures}/"))
    lines = [f"figures: {drawn[0] if len(drawn) == 1 else figures}"] if drawn else []
    judged = {id: file for id in studies if (file := f"{results}/claims/{id}.csv") in made}
    if judged:
        shorter = ", of shorter games and fewer runs than in the papers, of which they say nothing"
        lines.append(f"tests:   {results}/claims{shorter if 'smoke' in results else ''}")
    said = sentences.table({id: studies[id] for id in judged}, list(judged.values()))
    told = {}
    for kind, title in tables.TITLES.items():
        told[f"{title} that hold:"] = tables.counts(said, kind).reset_index()
    audits = [pd.read_csv(file) for id in studies if (file := f"{results}/audits/{id}.csv") in made]
    if audits:
        guests = {guest for study in studies.values() for guest in study.guests}
        told["promised, spent and measured privacy:"] = of_audits(pd.concat(audits), guests)
    told["guests, their means at T and their places among the curves there:"] = places(studies, results, made)
    for title, frame in told.items():
        lines += [title, frame.to_string(index=False, na_rep="")] if len(frame) else []
    if (file := f"{results}/verification.txt") in made:
        lines.append(f"verify:  {Path(file).read_text().splitlines()[-1]}")
    if (page := f"{results}/page/index.html") in made:
        lines.append(f"report:  {page}")
    return "\n".join(lines)


def of_audits(audits: pd.DataFrame, guests: Collection[str]) -> pd.DataFrame:
    """What is found of guests, and of policies of ours whose ledger an audit contradicts (the tests say which promises are broken),
    equal mechanisms of several studies once."""
    told = audits[audits["policy"].isin(list(guests)) | (audits["finding"] == ABOVE_LEDGER)]
    told = told.sort_values("measured", ascending=False)
    told = told.drop_duplicates(["policy", "channel", "epsilon", "delta", "spent", "finding"])
    return told[["label", "channel", "epsilon", "delta", "spent", "measured", "pair", "finding"]]


def places(studies: Mapping[str, Study], results: str | Path, made: Collection[str] | None = None) -> pd.DataFrame:
    """Where guests play in the papers: the mean at T of each series, and its place among all curves there; of all summaries, or
    those that a run has `made`."""
    rows = []
    experiments = [e for study in studies.values() if not study.arena for e in study.experiments.values()]
    for experiment in (part for each in experiments for part in each.by_reading):
        summary = f"{results}/summaries/{experiment.paper}/{experiment.id}.csv"
        playing = [one for policy in experiment.policies.values() if policy.guest for one in policy.series]
        if playing and (made is None or summary in made):
            table, quantity = read_table(summary, ["policy"]), experiment.design.quantity
            means = table.groupby("policy")[quantity if quantity in table else "mean"].last()[list(experiment.series)]
            ranks = means.rank(ascending=quantity != "ctr_ratio", method="min").astype(int)
            where = experiment.paper, experiment.id, experiment.reading or "both"
            for one in playing:
                rows.append((one.label, *where, f"{means[one.id]:.6g}", f"{ranks[one.id]} of {len(ranks)}"))
    return pd.DataFrame(rows, columns=["policy", "paper", "experiment", "reading", "mean", "place"])
