"""The content of the page as plain values: figures with their claims, accounts, data; `faults` and `guests` the rest."""

import base64
import gzip
import inspect
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup
from PIL import Image

from dpbandits import algorithms, environments
from dpbandits.audit import accounts
from dpbandits.audit.audit_table import ABOVE_LEDGER, ABOVE_PROMISE, ALARMS, NO_POWER, WITHIN, reasons_by, rows_by
from dpbandits.errors import InputError
from dpbandits.files import tables
from dpbandits.report import faults, guests
from dpbandits.studies import published
from dpbandits.studies.passages import Passage, passages
from dpbandits.studies.study import CORRECTED, PUBLISHED, Claim, Experiment, Figure, Paper
from dpbandits.verdicts import scoreboard, sentences
from dpbandits.verdicts.scoreboard import OURS, PROMISES, SUMMARY, UNTESTED, VERDICTS

LEDGERS = {"kept": "✓", "exceeded": "✗", "not private": "✗", "no promise": "–"}
ICONS = dict(zip(VERDICTS + PROMISES, "✓✗?" * 2, strict=True)) | {UNTESTED: "–"} | LEDGERS
OUTCOMES = dict(
    zip(scoreboard.OUTCOMES, ("holds", "half", "half", "fails", "undecided"), strict=True)
)  # and their colours
GREEK = {"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eta": "η", "mu": "μ", "tau": "τ"}
FEW = 4  # series of a policy; more have one common label
MANY = 12  # values shown of a list in an environment's settings
DIGITS = 6  # significant digits in the embedded tables
WIDE = 1300  # pixels; a wider picture has a row of its own
THUMBNAIL = 280  # largest width in pixels of a picture in the contact sheet
USUAL = {"seed": 1, "scale": "paper", "estimator": "default"}  # settings that a command need not name


@dataclass(frozen=True)
class Sources:
    """The paths of the finished files."""

    results: Path

    def picture(self, paper: str, figure: str) -> Path:
        """The picture of a figure; beside it, in JSON, its curves, whose values the page shows under the pointer."""
        return self.results / "pictures" / paper / f"{figure}.png"

    def summary(self, paper: str, experiment: str) -> Path:
        """The numbers behind the curves of an experiment."""
        return self.results / "summaries" / paper / f"{experiment}.csv"

    @property
    def sentences(self) -> Path:
        """The verdicts on the sentences of all papers."""
        return self.results / "sentences.csv"

    @property
    def distances(self) -> Path:
        """How far our curves are from those that the authors drew."""
        return self.results / "distances.csv"

    def table(self, folder: str, name: str) -> Path:
        """The claims, accounts or audits of a paper, or the scores or differences of an arena."""
        return self.results / folder / f"{name}.csv"


def read(path: Path) -> bytes:
    """Read a file that the page needs."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(
            f"{path}: the report needs this file, which does not exist; run the workflow: snakemake --cores 2 report"
        ) from None


def gather(papers: Mapping[str, Paper], sources: Sources, settings: Mapping[str, Any]) -> dict[str, Any]:
    """All values that the templates use."""
    read(sources.sentences)
    said = [row for row in sentences.read(sources.sentences) if row["paper"] in papers]
    shown = [
        _paper(paper, sources, [row for row in said if row["paper"] == paper.id], settings) for paper in papers.values()
    ]
    verification = read(sources.results / "verification.txt").decode().splitlines()
    scores = scoreboard.scores(said)
    total = scores[-1]
    return {
        "settings": settings,
        "digits": DIGITS,
        "papers": shown,
        "icons": ICONS,
        "readings": (PUBLISHED, CORRECTED),
        "outcomes": OUTCOMES,
        "heads": scoreboard.HEADS,
        "verification": verification[-1] if verification else "",
        "scores": scores,
        "totals": {
            "papers": len(papers),
            "summaries": sum(paper["from_summary"] for paper in shown),
            "figures": sum(paper["figures"] for paper in shown),
            "sentences": sum(total.sentences.values()),
            "verdicts": sum(v["kind"] != SUMMARY for paper in shown for v in paper["verdicts"]),
            "questions": sum(len(paper["questions"]) for paper in shown),
            **total.sentences,
        },
        "failing": sorted((fault for paper in shown for fault in paper["failing"]), key=lambda fault: fault["order"]),
        "shown_at_once": faults.SHOWN,
        "guests": guests.gather(papers, sources.summary, name),
        "promises": {
            verdict: sum(
                account["policies"] for paper in shown for account in paper["accounts"] if account["verdict"] == verdict
            )
            for verdict in LEDGERS
        },
    }


def _paper(
    paper: Paper, sources: Sources, said: Sequence[scoreboard.Row], settings: Mapping[str, Any]
) -> dict[str, Any]:
    rows = scoreboard.read_claims(sources.table("claims", paper.id))
    claims = {claim.id: claim for claim in paper.claims}
    source = read(Path(paper.file))
    groups = _groups(paper, sources)
    verdicts = [_verdict(row, claims, paper) for row in rows]
    questions: list[dict[str, Any]] = []
    _place(verdicts, groups, questions)
    of_the_paper = [verdict for verdict in verdicts if verdict["kind"] != OURS]
    shown = _sentences(paper, said, of_the_paper)
    written = passages(source.decode())
    for panel in (panel for group in groups for panel in group["panels"]):
        panel["sentences"] = _sentences_about(panel, shown, of_the_paper)
        panel["made"] = made(panel, paper, sources, settings, written)
    return {
        "id": paper.id,
        "title": paper.title,
        "authors": enumeration(paper.authors),
        "venue": paper.venue,
        "link": paper.link,
        "file": {"name": f"{paper.id}.yaml", "href": data_uri("application/yaml", source)},
        "readings": paper.readings,
        "figures": len(paper.figures),
        "drawn": enumeration(sorted({name(row["figure"]) for row in _distances(paper, sources)}) or [""]),
        "groups": groups,
        "environments": _environments(paper),
        "algorithms": _algorithms(paper),
        "tables": [_table(path) for path in sorted((sources.results / "tables" / paper.id).glob("*.csv"))],
        "score": scoreboard.score(paper.id, said),
        "from_summary": any(sentence.kind == SUMMARY for sentence in paper.sentences),
        "sentences": shown,
        "verdicts": of_the_paper,
        "questions": questions,
        "failing": faults.gather(paper, shown, of_the_paper),
        "accounts": _accounts(paper, sources),
    }


# Sentences and claims


def _sentences(
    paper: Paper, said: Sequence[scoreboard.Row], verdicts: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The paper's sentences: the verdict in each reading, and where the claims that test it are."""
    found = []
    for sentence in paper.sentences:
        mine = [verdict for verdict in verdicts if verdict["claim"] in sentence.claims]
        found.append(
            {
                "id": sentence.id,
                "anchor": f"{paper.id}-{sentence.id}",
                "kind": sentence.kind,
                "says": sentence.says,
                "place": sentence.place,
                "rule": sentence.rule,
                "evidence": sentence.evidence,
                "verdicts": [
                    {key: row[key] for key in ("reading", "verdict", "reason")}
                    for row in said
                    if row["sentence"] == sentence.id
                ],
                "claims": [{"id": claim, "anchor": anchor_of(paper.id, claim)} for claim in sentence.claims],
                "figures": dict(verdict["figure"] for verdict in mine),  # anchor -> name
            }
        )
    return found


def _sentences_about(
    panel: Mapping[str, Any], said: Sequence[dict[str, Any]], verdicts: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The sentences with a claim that is measured on an experiment of this panel."""
    measured = {v["claim"] for v in verdicts if set(v["experiments"]) & set(panel["experiments"])}
    return [sentence for sentence in said if measured & {claim["id"] for claim in sentence["claims"]}]


def anchor_of(paper: str, claim: str) -> str:
    """The place on the page of a claim's first verdict."""
    return f"claim-{paper}-{claim}"


def _verdict(row: Mapping[str, Any], claims: Mapping[str, Claim], paper: Paper) -> dict[str, Any]:
    """The values that the page shows of a row of the claims table."""
    if row["claim"] not in claims:
        raise InputError(
            f"{paper.file}: claims: the claims table has '{row['claim']}', which is not there; judge the claims again"
        )
    kept = ("claim", "kind", "reading", "source", "verdict", "evidence", "cause")
    return {
        "paper": paper.id,
        "says": row["statement"],
        "experiments": row["experiment"].split(),
        "measured": scoreboard.number(row),
        "expected": scoreboard.expected(row),
        "outcome": scoreboard.outcome(row),
        **{key: row[key] for key in kept},
    }


def _place(verdicts: Iterable[dict[str, Any]], groups: list[dict[str, Any]], questions: list[dict[str, Any]]) -> None:
    """Assign every verdict to the panel that it is about, or to the figure if it is about several panels; those on
    questions of our own are collected apart."""
    anchored: set[str] = set()
    for verdict in verdicts:
        wanted = verdict["experiments"]
        by_name = [(g, p) for g in groups for p in g["panels"] if p["id"] == wanted[0]]
        drawing = [(g, p) for g in groups for p in g["panels"] if wanted[0] in p["experiments"]]
        group, panel = (by_name + drawing + [(groups[0], groups[0]["panels"][0])])[0]
        named = any(p["id"] == wanted[0] for p in group["panels"])  # else a whole figure with panels bears this name
        alone = len(group["panels"]) == 1 or (len(wanted) == 1 and (named or group["id"] != wanted[0]))
        below = panel if alone else group
        verdict["anchor"] = below["anchor"]
        verdict["place"] = panel["name"] if alone else group["name"]
        verdict["figure"] = (group["anchor"], group["name"])
        entries = questions if verdict["kind"] == OURS else below["claims"]
        entry = next((e for e in entries if (e["id"], e["on"]) == (verdict["claim"], wanted)), None)
        if entry is None:
            kept = ("says", "source", "kind", "expected", "place")
            entry = {"id": verdict["claim"], "on": wanted, **{k: verdict[k] for k in kept}, "verdicts": []}
            entry["below"] = below["anchor"]
            entry["anchor"] = "" if entry["id"] in anchored else anchor_of(verdict["paper"], entry["id"])
            anchored.add(entry["id"])
            entries.append(entry)
        entry["verdicts"].append(verdict)
        entry["all_hold"] = all(v["outcome"] == "holds" for v in entry["verdicts"])


# Figures


def _groups(paper: Paper, sources: Sources) -> list[dict[str, Any]]:
    """The figures in the paper's order, each with its panels; a supplementary figure is a group with one panel."""
    bases = list(dict.fromkeys(figure.name for figure in paper.figures.values()))
    groups: dict[str, list[str]] = {}
    for base in bases:
        whole = re.sub(r"^(fig\d+)[a-z]$", r"\1", base)
        groups.setdefault(whole, []).append(base)
    offered: set[str] = set()
    found = []
    for whole, members in groups.items():
        lettered = [base for base in members if base != whole]
        together = paper.figures.get(whole)
        shown = sorted(lettered) if not together or _covered(together, lettered, paper) else [whole, *sorted(lettered)]
        found.append(
            {
                "id": whole,
                "anchor": f"{paper.id}-{whole}",
                "name": name(whole),
                "own": not whole.startswith("s-"),
                "title": plain(together.title) if together else "",
                "caption": plain(together.caption) if together and shown != [whole] else "",
                "columns": min(together.columns if together else 1, len(shown)),
                "panels": [_panel(base, whole, paper, sources, offered) for base in shown],
                "claims": [],
            }
        )
    # The paper's own figures come first; a group of panels has the position of its whole figure.
    return sorted(found, key=lambda group: not group["own"])


def _covered(whole: Figure, lettered: list[str], paper: Paper) -> bool:
    """Whether every panel of a whole figure is also a separate figure, so that the whole is not shown again."""
    alone = [panel for base in lettered for panel in paper.figures[base].panels]
    return bool(lettered) and all(panel in alone for panel in whole.panels)


def _panel(base: str, whole: str, paper: Paper, sources: Sources, offered: set[str]) -> dict[str, Any]:
    readings = [figure for figure in paper.figures.values() if figure.name == base]
    experiments = [paper.experiments[e] for figure in readings for e in figure.experiments]
    anchor = f"{paper.id}-{base}" + ("-whole" if base == whole else "")
    first = readings[0]
    pictures = [_picture(figure, paper, sources) for figure in readings]
    return {
        "figures": [figure.id for figure in readings],
        "id": base,
        "anchor": anchor,
        "name": name(base),
        "title": re.sub(r"^\([a-z]\) ", "", plain(first.title)),  # its name has the letter
        "caption": plain(first.caption),
        "experiments": list(dict.fromkeys(e.id for e in experiments)),
        "pictures": pictures,
        "wide": any(picture["width"] > WIDE for picture in pictures),
        "distances": _distances(paper, sources, base),
        "data": [_download(e, paper, sources, offered) for e in {e.id: e for e in experiments}.values()],
        "claims": [],
    }


def _picture(figure: Figure, paper: Paper, sources: Sources) -> dict[str, Any]:
    labels = dict.fromkeys(
        plain(paper.experiments[panel.experiment].series[series].label)
        for panel in figure.panels
        for series in panel.series
    )
    reading = f", {figure.reading} reading" if figure.reading else ""
    curves = f" Curves: {', '.join(labels)}." if labels else ""
    return {
        "id": f"{paper.id}-{figure.id}".replace(".", "-"),
        "figure": figure.id,
        "reading": figure.reading or "both",
        **drawing(sources, paper.id, figure.id),
        "alt": f"{name(figure.name)}{reading}: {plain(figure.caption)}{curves}",
    }


def drawing(sources: Sources, paper: str, figure: str) -> dict[str, Any]:
    """The picture of a figure, its size, and its curves, whose values the page shows under the pointer."""
    path = sources.picture(paper, figure).with_suffix(".json")
    picture, geometry = read(sources.picture(paper, figure)), read(path)
    try:
        shown = json.loads(geometry)
        for ax in shown["axes"]:
            ax["names"] = [[place, plain(text)] for place, text in ax["names"]]
            for curve in ax["curves"]:
                curve["label"] = plain(curve["label"])
        found = {key: shown[key] for key in ("width", "height", "points")}
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path}: damaged; delete it and run the same command again") from None
    script = for_script(shown["axes"]) if shown["axes"] else ""
    return {
        "src": data_uri("image/png", picture),
        "thumbnail": _thumbnail(picture, [ax["box"] for ax in shown["axes"]]),
        **found,
        "geometry": script,
        "curves": _curves(shown["axes"]),
    }


def _thumbnail(picture: bytes, boxes: Sequence[Sequence[float]]) -> dict[str, Any]:
    """A small copy of what lies within the axes, or of the whole picture if it has none, in the picture's colours."""
    with Image.open(io.BytesIO(picture)) as whole:
        left, top, right, bottom = 0.0, 0.0, 1.0, 1.0
        if boxes:
            left, top = (min(box[i] for box in boxes) for i in (0, 1))
            right, bottom = (max(box[i] + box[i + 2] for box in boxes) for i in (0, 1))
        sides = left * whole.width, top * whole.height, right * whole.width, bottom * whole.height
        shown = whole.convert("RGB").crop(tuple(round(side) for side in sides))
        width = min(THUMBNAIL, shown.width)
        size = width, max(1, round(shown.height * width / shown.width))
        small = shown.resize(size, Image.Resampling.LANCZOS).quantize(palette=whole, dither=Image.Dither.NONE)
    file = io.BytesIO()
    small.save(file, format="png", optimize=True)
    return {"src": data_uri("image/png", file.getvalue()), "width": size[0], "height": size[1]}


def _curves(axes: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """The curves that can be switched off, by label, if a picture has several and nothing else."""
    curves = [curve for ax in axes for curve in ax["curves"]]
    found = {curve["label"]: {"label": curve["label"], "colour": curve["colour"]} for curve in curves}
    return list(found.values()) if len(found) > 1 and not any("colours" in curve for curve in curves) else []


def made(
    panel: Mapping[str, Any], paper: Paper, sources: Sources, settings: Mapping[str, Any], written: Mapping
) -> dict[str, Any]:
    """How the pictures of a panel, or of an arena, are made: the commands, the entries of the paper file, and the modules of
    who plays."""
    files = f"{settings['figures']}/{paper.id}/{{}}.{settings['formats'][0]}"
    changed = " ".join(f"{key}={settings[key]}" for key, usual in USUAL.items() if settings[key] != usual)
    command = "snakemake --cores 2 " + (f"--config {changed} -- " if changed else "")
    experiments = [e for e in paper.experiments.values() if e.id in panel["experiments"]]
    environment_of = {base: paper.environments[base] for base in panel["experiments"] if base in paper.environments}
    named = [("figures", panel["id"])] + [("experiments", base) for base in panel["experiments"]]
    named += [("environments", name) for name in environment_of.values()]
    named += [
        ("policies", policy.id) for e in experiments for policy in e.policies if ("policies", policy.id) in written
    ]
    folder = "config" if paper.arena else "config/papers"
    entries = [written[place] for place in named if place in written]  # an arena has no entries for its figures
    played = {series.algorithm for e in experiments for series in e.series.values()}
    modules = {algorithms.module_name(algorithm).replace(".", "/") for algorithm in played}
    makers = {environments.maker_of(e.environment["kind"]).__module__ for e in experiments}
    return {
        "commands": [command + files.format(figure) for figure in panel["figures"]],
        "entries": [
            {"place": f"{folder}/{Path(paper.file).name}, {_lines(entry)}", "text": entry.text}
            for entry in dict.fromkeys(entries)
        ],
        "modules": [
            *(f"src/dpbandits/{module}.py" for module in sorted(modules)),
            *(f"src/{module.replace('.', '/')}.py" for module in sorted(makers)),
        ],
    }


def _lines(entry: Passage) -> str:
    return f"line {entry.first}" if entry.first == entry.last else f"lines {entry.first} to {entry.last}"


def _distances(paper: Paper, sources: Sources, figure: str = "") -> list[dict[str, str]]:
    """The distances of a paper's curves, or of those of one figure, from the curves that the authors drew, if any are known."""
    found = []
    for row in tables.rows(sources.distances, published.DISTANCES) if sources.distances.exists() else ():
        if row["paper"] == paper.id and figure in ("", row["figure"]):
            panel = paper.figures[row["figure"]].panels[0]
            series = paper.experiments[panel.experiment].series.values()
            first = next(s for s in series if row["series"] in (s.id, s.policy))  # of a policy's line along a parameter
            away = {key: _percent(float(row[key])) for key in ("median", "largest")}
            found.append({"figure": row["figure"], "label": plain(panel.labels.get(first.id, first.label)), **away})
    return found


def _percent(share: float) -> str:
    return "< 0.1%" if share < 0.0005 else f"{share:.1%}"


def _download(experiment: Experiment, paper: Paper, sources: Sources, offered: set[str]) -> dict[str, Any]:
    """The summary behind a figure, compressed; a link if an earlier figure offers it already."""
    anchor = f"data-{paper.id}-{experiment.id}".replace(".", "-")
    if experiment.id in offered:
        return {"name": experiment.id, "anchor": anchor, "href": ""}
    offered.add(experiment.id)
    compressed = packed(sources.summary(paper.id, experiment.id))
    return {
        "name": experiment.id,
        "anchor": anchor,
        "file": f"{paper.id}-{experiment.id}.csv.gz",
        "size": f"{max(1, round(len(compressed) / 1000))} kB",
        "href": data_uri("application/gzip", compressed),
    }


def packed(table: Path) -> bytes:
    """A table for download, rounded and compressed."""
    return gzip.compress(rounded(read(table)), 9, mtime=0)


def rounded(table: bytes) -> bytes:
    """A summary with DIGITS significant digits, which compresses to three quarters; the file itself has twelve."""
    return re.sub(rb"\d+\.\d+(e[-+]\d+)?", lambda number: b"%.*g" % (DIGITS, float(number[0])), table)


# Environments, algorithms, accounts and tables


def _environments(paper: Paper) -> list[dict[str, Any]]:
    """Every environment once, with the experiments that use it."""
    found: dict[str, dict[str, Any]] = {}
    for experiment in paper.experiments.values():
        settings = {key: value for key, value in experiment.environment.items() if key != "kind"}
        design = experiment.design
        key = json.dumps([experiment.environment, design.horizon, design.runs], sort_keys=True, default=str)
        module = inspect.getmodule(environments.maker_of(experiment.environment["kind"]))
        entry = found.setdefault(
            key,
            {
                "kind": experiment.environment["kind"].replace("_", " "),
                "does": first_sentence(module.__doc__),
                "settings": _settings(settings),
                "horizon": design.horizon,
                "runs": design.runs,
                "used": [],
            },
        )
        if name(experiment.id) not in entry["used"]:
            entry["used"].append(name(experiment.id))
    return list(found.values())


def _algorithms(paper: Paper) -> list[dict[str, Any]]:
    """Every algorithm once, with the first sentence of its module and its labels in the legends."""
    found: dict[str, dict[str, Any]] = {}
    for experiment in (part for each in paper.experiments.values() for part in each.by_reading):
        for policy in experiment.policies:
            module = policy.series[0].algorithm
            entry = found.setdefault(
                module, {"module": module, "does": first_sentence(algorithms.find(module).__doc__), "labels": []}
            )
            few = [series.label for series in policy.series] if len(policy.series) <= FEW else []
            for label in map(plain, few or [accounts.label_of(policy.series)]):
                if label not in entry["labels"]:
                    entry["labels"].append(label)
    return list(found.values())


def _accounts(paper: Paper, sources: Sources) -> list[dict[str, Any]]:
    """The accounts table; rows that differ only in the figure are merged into one that lists the figures."""
    of_audits = sources.table("audits", paper.id)
    audits, reasons = (by(lambda row: (row["label"], row["reading"]), of_audits) for by in (rows_by, reasons_by))
    found: dict[tuple, dict[str, Any]] = {}
    for row in tables.rows(sources.table("accounts", paper.id), accounts.COLUMNS):
        mechanism = row["label"], row["reading"]
        about = [each for each in audits.get(mechanism, []) if _is_about(each, row)]
        row |= _measured(about, reasons.get(mechanism, ""))
        same = {key: value for key, value in row.items() if key not in ("experiment", "policy")}
        entry = found.setdefault(tuple(same.values()), {**same, "paper": paper.id, "figures": [], "policies": 0})
        entry["policies"] += 1
        if (figure := name(row["experiment"])) not in entry["figures"]:
            entry["figures"].append(figure)
    once: dict[tuple, dict[str, Any]] = {}
    for entry in found.values():
        entry["label"] = plain(entry["label"])
        entry["spent"] = entry["spent"].replace("inf", "∞")
        for key in ("delta", "ratio"):
            entry[key] = f"{float(entry[key]):.4g}".replace("inf", "∞") if entry[key] else ""
        key = tuple((name, str(value)) for name, value in entry.items() if name not in ("reading", "policies"))
        if key in once:  # the same in both readings
            once[key]["reading"] = "both"
            once[key]["policies"] += entry["policies"]
        else:
            once[key] = entry
    return list(once.values())


MEANS = {
    WITHIN: "the promise is not contradicted.",
    NO_POWER: "no power, as these games would not even find that the noise is missing.",
    ABOVE_PROMISE: "the promise is broken.",
    ABOVE_LEDGER: "the ledger is wrong.",
}


def _is_about(audit: dict[str, str], account: dict[str, str]) -> bool:
    """Whether an audit is about an account: one of its promises, and games that do not cost more than is spent there; as where
    the budget is shared among more arms than the audit's."""
    if not account["epsilon"]:
        return False
    (least, most), (_, spent) = (_ends(account[column]) for column in ("epsilon", "spent"))
    promised, booked = float(audit["epsilon"]), float(audit["spent"])
    return least / CLOSE <= promised <= most * CLOSE and booked <= spent * CLOSE


CLOSE = 1 + 1e-5  # accounts have six digits


def _ends(of_range: str) -> tuple[float, float]:
    """The ends of `0.1` or `0.1 to 2`."""
    ends = [float(end) for end in of_range.split(" to ")]
    return ends[0], ends[-1]


def _measured(rows: list[dict[str, str]], reason: str) -> dict[str, Any]:
    """The strongest audit of a policy: the measured epsilon, what it means, and whether that is an alarm; or why there is none."""
    if not rows:
        return {"measured": "", "sentence": f"{reason[:1].upper()}{reason[1:]}" + "." * bool(reason), "alarm": False}
    row = max(rows, key=lambda r: (r["finding"] in ALARMS, r["finding"] != NO_POWER, _share_measured(r)))
    epsilon, measured = f"{float(row['epsilon']):.3g}", f"{float(row['measured']):.3g}"
    number = f"{int(row['games']):,}".replace(",", "\u202f")
    seen = f"{number} reports of users" if row["channel"] == "reports" else f"the actions in {number} games"
    sentence = f"At a promise of ε = {epsilon}, {seen} cost at least {measured}: {MEANS[row['finding']]}"
    return {"measured": f"≥ {measured} of {epsilon}", "sentence": sentence, "alarm": row["finding"] in ALARMS}


def _share_measured(row: dict[str, str]) -> float:
    return float(row["measured"]) / float(row["epsilon"])


def _table(path: Path) -> dict[str, Any]:
    header, *rows = tables.cells(path)
    columns = map(_four_digits, zip(*rows, strict=True))
    number = re.sub(r"^table(\d+)$", r"Table \1", path.stem)
    return {"name": number, "columns": header, "rows": list(zip(*columns, strict=True))}


def _four_digits(column: Sequence[str]) -> Sequence[str]:
    """The numbers of a column with four digits; whole numbers and columns with texts as they are."""
    try:
        return column if all(cell.isdecimal() for cell in column) else [f"{float(cell):.4g}" for cell in column]
    except ValueError:
        return column


# Text


def name(figure: str) -> str:
    """fig5a -> Figure 5a, s-power-of-two -> Supplement: power of two, final-regret -> Final regret."""
    if match := re.fullmatch(r"fig(\d+[a-z]?)", figure):
        return f"Figure {match[1]}"
    words = figure.removeprefix("s-").replace("-", " ")
    return f"Supplement: {words}" if figure.startswith("s-") else words.capitalize()


def plain(label: str) -> str:
    """A label as text: EXP3$_\\tau$ -> EXP3_τ."""

    def without_markup(mathematics: re.Match) -> str:
        text = re.sub(r"\\([A-Za-z]+)", lambda word: GREEK.get(word[1], word[1]), mathematics[1])
        return re.sub(r"[{}]", "", text)

    return re.sub(r"\$([^$]*)\$", without_markup, label)


def enumeration(names: Iterable[str]) -> str:
    """UCB, KL-UCB and NCB."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _settings(settings: Mapping[str, Any]) -> str:
    def text(value: Any) -> str:
        if not isinstance(value, list | tuple):
            return str(value)
        return ", ".join(map(text, value[:MANY])) + (f", … ({len(value)})" if len(value) > MANY else "")

    return "; ".join(f"{key.replace('_', ' ')} {text(value)}" for key, value in settings.items())


def first_sentence(text: str | None) -> str:
    """Of a docstring: up to the first full stop that ends a line or precedes a capital, at most its first paragraph."""
    paragraph = " ".join((text or "").strip().split("\n\n")[0].split())
    return re.split(r"(?<=[a-z0-9\")])\.(?:\s+(?=[A-Z])|$)", paragraph)[0].rstrip(".")


def data_uri(kind: str, content: bytes) -> Markup:
    return Markup(f"data:{kind};base64,{base64.b64encode(content).decode()}")


def for_script(value: Any) -> Markup:
    """JSON for a script element: no character in it ends the element or begins a comment."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)
