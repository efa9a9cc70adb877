"""Does a run reproduce the reference? Compares bytes, then numbers, and writes one line per figure."""

import hashlib
import shutil
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dpbandits.arena.names import TABLES
from dpbandits.files.tables import cells, is_as_written

TOLERANCE = 1e-9  # relative: another C library may round the last bit differently
SUMS = "SHA256SUMS"
REPORT = "verification.txt"  # the result of the comparison, in the folder of the results


@dataclass
class Comparison:
    """One line of the verification."""

    name: str
    verdict: str  # identical | same numbers | differs | no reference
    detail: str = ""

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
    """Compare every figure, with the tables behind it, and every claims table.

    `drawn_from`: study -> figure -> the files of its tables. `guests`: guest -> its series, whose rows the reference does
    not have.
    """
    known = read_sums(reference)
    found = Verification(guests=tuple(guests or ()))
    numbers = _NumbersCompared(results, reference, known, {series for of in (guests or {}).values() for series in of})
    for study, tables_of in drawn_from.items():
        for figure, names in tables_of.items():
            tables = [numbers.of(str(Path(name).relative_to(results))) for name in names]
            pictures = Pictures.of(study, figure, figures, formats, known)
            line = _compared_figure(f"{study} {figure}", pictures, tables)
            if pictures.others and any(table.name in numbers.with_guests for table in tables):
                line.detail += f"; drawn with {' and '.join(found.guests)}"
            found.lines.append(line)
        table = numbers.of(f"claims/{study}.csv")
        found.lines.append(Comparison(f"{study} claims", table.verdict, table.detail))
    return found


@dataclass(frozen=True)
class Pictures:
    """The files of a figure: whether the reference has any, and those whose bytes differ from the reference's."""

    known: bool
    others: list[str]

    @classmethod
    def of(cls, paper: str, figure: str, figures: Path, formats: Iterable[str], known: Mapping[str, str]) -> "Pictures":
        names = [f"{paper}/{figure}.{kind}" for kind in formats]
        here = [name for name in names if f"figures/{name}" in known]
        return cls(bool(here), [name for name in here if known[f"figures/{name}"] != _sha256(figures / name)])


def _compared_figure(name: str, pictures: Pictures, tables: list[Comparison]) -> Comparison:
    """The line of a figure: its tables decide, then its pictures."""
    for verdict in ("differs", "no reference"):
        for table in tables:
            if table.verdict == verdict:
                return Comparison(name, verdict, f"{table.name}: {table.detail}" if table.detail else table.name)
    if not pictures.known:
        return Comparison(name, "no reference")
    changed = [table.name for table in tables if table.verdict != "identical"] + pictures.others
    return Comparison(name, "same numbers" if changed else "identical", ", ".join(Path(c).name for c in changed))


class _NumbersCompared:
    """Compares every table once, although several figures may be drawn from one."""

    def __init__(self, results: Path, reference: Path, known: Mapping[str, str], guests: Collection[str]):
        self.results, self.reference, self.known, self.guests = results, reference, known, guests
        self.seen: dict[str, Comparison] = {}
        self.with_guests: set[str] = set()  # the tables that have rows of guests

    def of(self, table: str) -> Comparison:
        if table not in self.seen:
            self.seen[table] = self._compare(table)
        return self.seen[table]

    def _compare(self, table: str) -> Comparison:
        if not is_as_written(self.results / table):
            return Comparison(table, "differs", f"altered since it was written; rm '{self.results / table}', run again")
        if table not in self.known or not (self.reference / table).exists():
            return Comparison(table, "no reference")
        content = self._without_guests(table)
        if hashlib.sha256(content).hexdigest() == self.known[table]:
            return Comparison(table, "identical")
        detail = first_difference(self.results / table, self.reference / table, self.guests)
        return Comparison(table, "differs", detail) if detail else Comparison(table, "same numbers")

    def _without_guests(self, table: str) -> bytes:
        """The table without the rows of guests, one of whose first two cells is the guest or its series."""
        content = (self.results / table).read_bytes()
        if not self.guests or not content.startswith(b"policy,"):
            return content
        lines = content.splitlines(keepends=True)
        ours = [line for line in lines if self.guests.isdisjoint(line.decode().split(",", 2)[:2])]
        if len(ours) < len(lines):
            self.with_guests.add(table)
        return b"".join(ours)


def first_difference(ours: Path, theirs: Path, guests: Collection[str] = ()) -> str:
    """Where two tables first differ by more than rounding, the rows of guests left out; "" if nowhere."""
    a, b = (cells(path, checksum=False) for path in (ours, theirs))
    a = [row for row in a if set(guests).isdisjoint(row[:2])]
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
    for folder in ("summaries", "claims", *studies):  # what is no longer made does not stay
        shutil.rmtree(reference / folder, ignore_errors=True)
    for study in studies:
        of_experiments = (results / "summaries" / study).glob("*.csv")
        of_arena = (results / study).glob("*.csv")
        for table in (*sorted(of_experiments), *sorted(of_arena), results / "claims" / f"{study}.csv"):
            name = table.relative_to(results)
            (reference / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(table, reference / name)
            sums[str(name)] = _sha256(table)
        for picture in sorted((figures / study).iterdir()):
            if picture.suffix in (".pdf", ".png"):
                sums[f"figures/{study}/{picture.name}"] = _sha256(picture)
    (reference / SUMS).write_text("".join(f"{digest}  {name}\n" for name, digest in sorted(sums.items())))


def closing(studies: Iterable[str], results: Path, figures: Path, reference: Path) -> str:
    """The message at the end of a run: where the results are, the verdicts, and the result of the verification."""
    from dpbandits.claims import scoreboard  # here, since a comparison does not need it

    lines = [f"figures: {figures}/<paper>/*.pdf", f"claims:  {results}/claims/<paper>.csv"]
    scale = results.name.split("-")[0]
    if scale in ("draft", "smoke"):
        lines.append(
            f"  {scale} scale: shorter games and fewer runs than in the papers; these verdicts say nothing about them"
        )
    for study in studies:
        path = results / "claims" / f"{study}.csv"
        if path.exists():
            for score in scoreboard.scores(study, scoreboard.read_claims(path, checksum=False)):
                reading = "" if score.reading == "both" else f", {score.reading} reading"
                named = {scoreboard.OURS: "our own"} if score.count(kind=scoreboard.OURS) else scoreboard.KINDS
                kinds = "; ".join(
                    f"{name}: " + ", ".join(f"{score.count(v, kind)} {v}" for v in scoreboard.VERDICTS)
                    for kind, name in named.items()
                )
                lines.append(f"  {study}{reading}: {kinds}")
    report = results / REPORT
    if report.exists():
        stale = "not verified since these tables or the reference were made; snakemake --cores 2 verify compares them with the reference"
        total = stale if is_stale(results, reference) else report.read_text().splitlines()[-1]
        lines.append(f"verify:  {total}")
    page = results / "report.html"
    if page.exists():
        lines.append(f"report:  {page}")
    return "\n".join(lines)


def is_stale(results: Path, reference: Path) -> bool:
    """Whether there is no comparison, or a table or the reference has been made since."""
    report = results / REPORT
    patterns = ("summaries/**/*.csv", "claims/*.csv", *(f"*/{table}.csv" for table in TABLES))
    tables = [path for pattern in patterns for path in results.glob(pattern)]
    compared = [path for path in (*tables, reference / SUMS) if path.exists()]
    newest = max((path.stat().st_mtime_ns for path in compared), default=0)
    return not report.exists() or report.stat().st_mtime_ns < newest


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""
