"""Does a run reproduce the reference? Compares bytes, then numbers, and writes one line per figure."""

import hashlib
import shutil
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from dpbandits.arena.names import TABLES
from dpbandits.audit.audit_table import ABOVE_LEDGER, ALARMS
from dpbandits.files.tables import cells, is_as_written, rows
from dpbandits.studies.study import Paper

TOLERANCE = 1e-9  # relative: another C library may round the last bit differently
SUMS = "SHA256SUMS"
DISTANCES = "distances.csv"  # of our curves from those that the authors drew
REPORT = "verification.txt"  # the result of the comparison, in the folder of the results
PRIVACY = ("accounts", "audits")  # folders: what policies promise and spend, and what is measured of it
SENTENCES = "sentences.csv"  # the verdicts on the sentences of all papers


@dataclass
class Comparison:
    """One line of the verification."""

    name: str
    verdict: str  # identical | same numbers | differs | no reference
    detail: str = ""
    has_guests: bool = False  # of a table: whether rows of guests were left out

    def __str__(self) -> str:
        return f"{self.verdict:<12}  {self.name}" + (f"  ({self.detail})" if self.detail else "")


@dataclass
class Verification:
    """All lines of the verification, and their total."""

    lines: list[Comparison] = field(default_factory=list)
    guests: tuple[str, ...] = ()  # whose rows were left out

    @property
    def differences(self) -> int:
        """How many lines differ in their numbers."""
        return sum(line.verdict == "differs" for line in self.lines)

    @property
    def total(self) -> str:
        """The last line: how many comparisons have each result."""
        count = {
            v: sum(line.verdict == v for line in self.lines) for v in ("identical", "same numbers", "no reference")
        }
        return (
            f"{self.differences} differences from the reference: {count['identical']} identical, "
            f"{count['same numbers']} with the same numbers in other bytes, {count['no reference']} without a reference"
            + (f"; the curves of {', '.join(self.guests)} were left out" if self.guests else "")
        )

    def __str__(self) -> str:
        return "\n".join([*map(str, self.lines), self.total]) + "\n"


def verify(
    drawn_from: Mapping[str, Mapping[str, list[str]]],
    results: Path,
    figures: Path,
    reference: Path,
    formats: Iterable[str],
    guests: Mapping[str, Collection[str]] | None = None,
) -> Verification:
    """Compare every figure, with the tables behind it, every claims table, the promises of privacy with what is spent and
    measured, and the sentences of every paper.

    `drawn_from`: study -> figure -> the files of its tables. `guests`: guest -> its series, whose rows the reference does
    not have.
    """
    known = read_sums(reference)
    found = Verification(guests=tuple(guests or ()))
    series = {name for names in (guests or {}).values() for name in names}
    # Every table once, although several figures may be drawn from one.
    compared = cache(lambda table: _compared_table(table, results, reference, known, series))
    ours, theirs = _sentences_by_paper(results), _sentences_by_paper(reference)
    if ours and not is_as_written(results / SENTENCES):
        found.lines.append(Comparison("sentences", "differs", _altered(results / SENTENCES)))
    for study, tables_of in drawn_from.items():
        for figure, names in tables_of.items():
            tables = [compared(str(Path(name).relative_to(results))) for name in names]
            pictures = [f"{study}/{figure}.{kind}" for kind in formats]
            pictures = [name for name in pictures if f"figures/{name}" in known]
            others = [name for name in pictures if known[f"figures/{name}"] != _sha256(figures / name)]
            line = _compared_figure(f"{study} {figure}", tables, bool(pictures), others)
            if others and any(table.has_guests for table in tables):
                line.detail += f"; drawn with {' and '.join(found.guests)}"
            found.lines.append(line)
        found.lines.append(replace(compared(f"claims/{study}.csv"), name=f"{study} claims"))
        # All bounds of a table of audits hold together, so that with guests each of them is another one.
        for kind in PRIVACY[:1] if guests else PRIVACY:
            if (results / kind / f"{study}.csv").exists():
                found.lines.append(replace(compared(f"{kind}/{study}.csv"), name=f"{study} {kind}"))
        if study in ours:
            found.lines.append(_compared_sentences(f"{study} sentences", ours[study], theirs.get(study)))
    if (results / DISTANCES).exists():
        found.lines.append(replace(compared(DISTANCES), name="distances from the drawn curves"))
    return found


def _sentences_by_paper(folder: Path) -> dict[str, list[list[str]]]:
    """Paper -> its rows of the table of sentences; nothing without the table."""
    found: dict[str, list[list[str]]] = {}
    for row in cells(folder / SENTENCES, checksum=False)[1:] if (folder / SENTENCES).exists() else ():
        found.setdefault(row[0], []).append(row)
    return found


def _altered(table: Path) -> str:
    return f"altered since it was written; rm '{table}', run again"


def _compared_sentences(name: str, ours: list[list[str]], theirs: list[list[str]] | None) -> Comparison:
    """The line of a paper's sentences: one table has those of all papers, and a reader may have fewer or more of them."""
    if theirs is None:
        return Comparison(name, "no reference")
    if ours == theirs:
        return Comparison(name, "identical")
    changed = [a for a, b in zip(ours, theirs, strict=False) if a != b]
    detail = f"{changed[0][1]}: {changed[0][5]}: {changed[0][6]}" if changed else f"{len(ours)} rows, not {len(theirs)}"
    return Comparison(name, "differs", detail)


def _compared_figure(name: str, tables: list[Comparison], has_pictures: bool, others: list[str]) -> Comparison:
    """The line of a figure: its tables decide, then its pictures, of which `others` have other bytes than the reference's."""
    for verdict in ("differs", "no reference"):
        for table in tables:
            if table.verdict == verdict:
                return Comparison(name, verdict, f"{table.name}: {table.detail}" if table.detail else table.name)
    if not has_pictures:
        return Comparison(name, "no reference")
    changed = [table.name for table in tables if table.verdict != "identical"] + others
    return Comparison(name, "same numbers" if changed else "identical", ", ".join(Path(c).name for c in changed))


def _compared_table(
    table: str, results: Path, reference: Path, known: Mapping[str, str], guests: set[str]
) -> Comparison:
    """The comparison of a table without the rows of guests: one of their first three cells is the guest or its series."""
    if not is_as_written(results / table):
        return Comparison(table, "differs", _altered(results / table))
    if table not in known or not (reference / table).exists():
        return Comparison(table, "no reference", f"{reference / table} is missing; make reference writes it")
    content = ours = (results / table).read_bytes()
    if guests and content.startswith((b"policy,", b"experiment,")):
        lines = content.splitlines(keepends=True)
        ours = b"".join(line for line in lines if guests.isdisjoint(line.decode().split(",", 3)[:3]))
    found = Comparison(table, "identical", has_guests=ours != content)
    if hashlib.sha256(ours).hexdigest() != known[table]:
        found.detail = first_difference(results / table, reference / table, guests)
        found.verdict = "differs" if found.detail else "same numbers"
    return found


def first_difference(ours: Path, theirs: Path, guests: Collection[str] = ()) -> str:
    """Where two tables first differ by more than rounding, the rows of guests left out; "" if nowhere."""
    a, b = (cells(path, checksum=False) for path in (ours, theirs))
    a = [row for row in a if set(guests).isdisjoint(row[:3])]
    if a[:1] != b[:1]:
        return "other columns"
    if len(a) != len(b):
        return f"{len(a) - 1} rows, not {len(b) - 1}"
    for row, (left, right) in enumerate(zip(a[1:], b[1:], strict=True)):
        for column, x, y in zip(a[0], left, right, strict=True):
            if x != y and not _same(x, y):
                return f"row {row + 2}, {column}: {x}, not {y}"
    return ""


def _same(x: str, y: str) -> bool:
    """Whether two cells are numbers that differ only by rounding."""
    try:
        p, q = float(x), float(y)
    except ValueError:
        return False
    return abs(p - q) <= TOLERANCE * max(abs(p), abs(q))


def read_sums(reference: Path) -> dict[str, str]:
    """File -> SHA-256, from reference/SHA256SUMS; nothing where there is no reference."""
    path = reference / SUMS
    if not path.exists():
        return {}
    return {name: digest for digest, name in (line.split("  ", 1) for line in path.read_text().splitlines())}


def refresh(studies: Collection[str], results: Path, figures: Path, reference: Path) -> None:
    """Make a finished run the reference: copy its tables, and write the checksums of all its tables and figures."""
    sums = {}
    for folder in ("summaries", "claims", *PRIVACY, *studies):  # what is no longer made does not stay
        shutil.rmtree(reference / folder, ignore_errors=True)
    for study in studies:
        of_experiments = (results / "summaries" / study).glob("*.csv")
        of_arena = (results / study).glob("*.csv")
        of_privacy = [path for kind in PRIVACY if (path := results / kind / f"{study}.csv").exists()]
        for table in (*sorted(of_experiments), *sorted(of_arena), results / "claims" / f"{study}.csv", *of_privacy):
            name = table.relative_to(results)
            (reference / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(table, reference / name)
            sums[str(name)] = _sha256(table)
        for picture in sorted((figures / study).iterdir()):
            if picture.suffix in (".pdf", ".png"):
                sums[f"figures/{study}/{picture.name}"] = _sha256(picture)
    for table in (SENTENCES, DISTANCES):
        if (results / table).exists():
            shutil.copyfile(results / table, reference / table)
            sums[table] = _sha256(results / table)
    (reference / SUMS).write_text("".join(f"{digest}  {name}\n" for name, digest in sorted(sums.items())))


def closing(
    studies: Mapping[str, Paper],
    asked: Collection[str],
    results: Path,
    figures: Path,
    reference: Path,
    guests: Collection[str] = (),
) -> str:
    """The message at the end of a run about what was asked for: where the results are, the verdicts, alarms of the
    audits, and the verification.

    `asked`: all files that the targets needed, those that were there before included.
    """
    from dpbandits.verdicts import scoreboard, sentences  # here, since a comparison does not need them

    files = [Path(file) for file in asked]
    drawn = [file for file in files if file.is_relative_to(figures)]
    lines = [f"figures: {places}"] if (places := _in_few_words(drawn, figures)) else []
    judged = {results / "claims" / f"{name}.csv": name for name in studies}
    tables = [file for file in files if file in judged]
    if tables:
        lines.append(f"claims:  {_in_few_words(tables, results / 'claims')}")
        scale = results.name.split("-")[0]
        if scale in ("draft", "smoke"):
            lines.append(
                f"  {scale} scale: shorter games and fewer runs than in the papers; these verdicts say nothing about them"
            )
    for path in tables:
        rows = scoreboard.read_claims(path, checksum=False)
        words = scoreboard.in_words(sentences.table([(studies[judged[path]], rows)]) or rows)
        lines += [f"  {judged[path]}: {line}" for line in words]
    audits = [file for file in files if file.is_relative_to(results / "audits") and file.suffix == ".csv"]
    lines += alarms(audits, guests)
    report = results / REPORT
    if report.exists() and any(file.suffix == ".csv" or file == report for file in files):
        stale = "not verified since these tables or the reference were made; snakemake --cores 2 verify compares them with the reference"
        total = stale if is_stale(results, reference) else report.read_text().splitlines()[-1]
        lines.append(f"verify:  {total}")
    page = results / "report.html"
    if page in files:
        lines.append(f"report:  {page}")
    return "\n".join(lines)


FEW = 3  # files that are named one by one


def _in_few_words(files: Collection[Path], folder: Path) -> str:
    """The names of a few files, each in one format, or the pattern of many in this folder or one below."""
    kind = next((file.suffix for file in files), "")
    named = [file for file in files if file.suffix == kind]
    if len(named) <= FEW:
        return ", ".join(map(str, named))
    below = {file.parent for file in named} - {folder}
    return f"{below.pop() if len(below) == 1 else folder / '<paper>' if below else folder}/*{kind}"


def alarms(audits: Iterable[Path], guests: Collection[str] = ()) -> list[str]:
    """A line for every audit that contradicts a ledger, and for every one that contradicts the promise of a guest; of our own
    policies the claims say which promises are broken."""
    found = {}
    for path in sorted(audits):
        for row in rows(path, checksum=False):
            if row["finding"] == ABOVE_LEDGER or (row["policy"] in guests and row["finding"] in ALARMS):
                key = row["label"], row["channel"], row["finding"]
                found.setdefault(key, []).append((float(row["measured"]) / float(row["epsilon"]), row))
    lines = []
    for (label, channel, finding), of_kind in found.items():
        _, worst = max(of_kind, key=lambda pair: pair[0])
        lines.append(
            f"privacy: {label}: {finding}: its {channel} at epsilon {float(worst['epsilon']):g} cost at least "
            f"{float(worst['measured']):g} of {float(worst['spent']):g} in its ledger ({worst['pair']})"
        )
    return lines


def is_stale(results: Path, reference: Path) -> bool:
    """Whether there is no comparison, or a table or the reference has been made since."""
    report = results / REPORT
    patterns = (
        "summaries/**/*.csv",
        "claims/*.csv",
        *(f"{kind}/*.csv" for kind in PRIVACY),
        SENTENCES,
        DISTANCES,
        *(f"*/{table}.csv" for table in TABLES),
    )
    tables = [path for pattern in patterns for path in results.glob(pattern)]
    compared = [path for path in (*tables, reference / SUMS) if path.exists()]
    newest = max((path.stat().st_mtime_ns for path in compared), default=0)
    return not report.exists() or report.stat().st_mtime_ns < newest


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""
