"""The plan of the workflow: which jobs there are for one configuration, with which runs, files and code.

config/config.yaml, the files of the studies -> Plan, which the rules of the workflow ask for their inputs and parameters.
"""

import os
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from dpbandits import studies
from dpbandits.arena import FIGURES as ARENA_FIGURES
from dpbandits.environments.logs import _r6a
from dpbandits.files import Entry
from dpbandits.plan import checking, registry
from dpbandits.plan.batches import Batch, batches
from dpbandits.plan.fingerprints import code_of_runs, fingerprint
from dpbandits.plan.registry import Table
from dpbandits.studies import guests, published, strict_yaml
from dpbandits.studies.experiment import Experiment
from dpbandits.studies.model import Study
from dpbandits.studies.sentence import PRIVACY
from dpbandits.studies.settings import Settings
from dpbandits.theory import bounds
from dpbandits.verdicts.judging import cases, needs_runs

USUAL_SEED = 1  # of the figures and the reference; another seed has folders of its own


class Asked(NamedTuple):
    """What is judged by itself, and printed."""

    study: Study
    tests: list[str]
    sentences: list[str]


class Plan:
    """What can be made with these settings, and of what; InputError for whatever cannot be run."""

    def __init__(self, settings: Mapping[str, Any], folder: str | Path = "config"):
        if (file := Path(folder) / "config.yaml").exists():
            strict_yaml.read_yaml(file)  # refuses a key that is there twice, of which Snakemake takes the last
        self.settings = strict_yaml.validated(settings, Settings, "config/config.yaml")
        self.seed, self.guests = self.settings.seed, settings.get("guests", {})
        self.log_of_news = _r6a.days(self.settings.r6a) if self.settings.r6a else []  # the files of R6A
        place = self.settings.scale + ("-r6a" if self.log_of_news else "")
        place = place if self.seed == USUAL_SEED else f"seed-{self.seed}/{place}"
        at_the_top = place == "paper"  # the main run: figures/, reference/, and targets without a folder in front
        self.results, self.reference = f"results/{place}", "reference" if at_the_top else f"reference/{place}"
        self.figures_folder = "figures" if at_the_top else f"{self.results}/figures"
        self.asked_folder = "" if at_the_top else f"{self.results}/"  # the folder of targets: claims/tossou2016/A3
        self.records = [f"{self.results}/news/{name}" for name in ("events.bin", "tables.npz", "report.json")]
        self.studies = studies.load_all(folder, self.settings.scale, self.guests)
        if self.log_of_news:
            real = {"kind": "news_log", "source": _r6a.SOURCE, "folder": f"{self.results}/news"}
            self.studies = {id: on_another_log(study, real) for id, study in self.studies.items()}
        for study in self.studies.values():
            checking.check(study)
        self.papers = {id: study for id, study in self.studies.items() if not study.arena}
        self.arenas = {id: study for id, study in self.studies.items() if study.arena}
        self.published = {id: published.files(study) for id, study in self.papers.items()}

    # ---- simulations: one job simulates a chunk of the runs of a batch of policies

    @cached_property
    def batches(self) -> dict[str, Batch]:
        """`<study>/<experiment>/<batch>` -> the batch."""
        block = None if self.settings.block == "auto" else self.settings.block
        found = {}
        for study in self.studies.values():
            for id, experiment in study.experiments.items():
                for batch in batches(experiment, self.seed, block, together=bool(study.arena)):
                    found[f"{study.id}/{id}/{batch.id}"] = batch
        return found

    @cached_property
    def submitted(self) -> set[str]:
        """The batches whose jobs are submitted to the cluster, if there is one: those that play many rounds."""
        return {name for name, batch in self.batches.items() if batch.rounds >= self.settings.submit_above}

    def traces_of(self, batch: str) -> list[str]:
        """The files of a batch's runs, one for each job."""
        return [f"{self.results}/traces/{batch}/{chunk}.npz" for chunk in self.batches[batch].chunks]

    def read_by(self, batch: str) -> list[str]:
        """The files that a batch's jobs read: records of the news log, if it plays on these."""
        return self.records[:2] if self.batches[batch].spec["environment"]["kind"] == "news_log" else []

    def code_of_runs(self, batch: str) -> str:
        """The code that a batch's runs depend on.

        A guest's runs without compilation are made again with it, so that no figure hides a kernel that cannot be compiled.
        """
        plain = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
        marked = plain and not self.guests.keys().isdisjoint(self.batches[batch].policies)
        return code_of_runs(self.batches[batch].spec) + (" plain" if marked else "")

    def runs_of(self, experiment: Experiment) -> list[Entry]:
        """The runs of an experiment: for each batch its specification, its files, and the series of the experiment in it."""
        found = []
        for name, batch in self.batches.items():
            if name.startswith(f"{experiment.paper}/{experiment.id}/"):
                mine = [id for id, series in experiment.series.items() if series.policy in batch.policies]
                found.append((batch.spec, self.traces_of(name), mine))
        return found

    def runs_by_experiment(self, experiments: Iterable[Experiment]) -> dict[str, list[Entry]]:
        """Experiment -> its runs, of all readings."""
        return {e.id: self.runs_of(self.studies[e.paper].experiments[e.id]) for e in experiments}

    # ---- tables (see registry.py)

    @cached_property
    def tables(self) -> dict[str, Table]:
        """`accounts/tossou2016` -> how the table is made, and of what."""
        return registry.tables(self)

    def file(self, table: str) -> str:
        """The file of a table."""
        return f"{self.results}/{table}.csv"

    def files(self, study: str = "") -> list[str]:
        """The files of all tables of a full run, or of those of one study."""
        made = [name for name, table in self.tables.items() if table.in_all]
        return [self.file(name) for name in made if study in ("", *name.split("/"))]

    # ---- verdicts

    @cached_property
    def asked(self) -> dict[str, Asked]:
        """Target -> what is judged: `claims/<study>/<test>` has one test, `sentences/<study>/<sentence>` one sentence."""
        found = {}
        for id, study in self.papers.items():
            found |= {f"claims/{id}/{test}": Asked(study, [test], []) for test in study.tests}
            said = study.sentences.items()
            found |= {f"sentences/{id}/{name}": Asked(study, each.all_tests, [name]) for name, each in said}
        return found

    def to_judge(self, study: Study, tests: Collection[str] | None = None) -> dict[str, Any]:
        """What is judged of a study, or of some of its tests, with the files of its runs and, for promises of privacy, the audits."""
        found = cases(study, tests)
        measured = {e.id: e for case in found if needs_runs(case.measure) for e in case.experiments}
        return {
            "cases": found,
            "traces": self.runs_by_experiment(measured.values()),
            "seed": self.seed,
            "audits": self.file(f"audits/{study.id}") if any(case.kind == PRIVACY for case in found) else "",
        }

    # ---- figures

    @cached_property
    def tables_behind(self) -> dict[str, dict[str, list[str]]]:
        """Study -> figure -> the files of the tables that it is drawn from."""
        found = {}
        for id, paper in self.papers.items():
            summaries = {e: self.file(f"summaries/{id}/{e}") for e in paper.experiments}
            found[id] = {name: [summaries[e] for e in figure.experiments] for name, figure in paper.figures.items()}
        return found | {id: {name: [self.file(f"{id}/scores")] for name in ARENA_FIGURES} for id in self.arenas}

    @property
    def figures(self) -> list[str]:
        """Every figure: `tossou2016/fig2a`."""
        return [f"{study}/{figure}" for study, tables in self.tables_behind.items() for figure in tables]

    def drawn(self, study: str, name: str) -> dict[str, Any]:
        """What is drawn in a figure: an arena, or panels of experiments."""
        if study in self.arenas:
            return {"figure": name, "arena": self.arenas[study].arena}
        paper, figure = self.papers[study], self.papers[study].figures[name]
        return {"figure": figure, "experiments": {id: paper.experiments[id] for id in figure.experiments}}

    def code_of_figure(self, study: str, name: str) -> str:
        """The code of figures, and of those bounds of the theory that this one shows."""
        if study in self.arenas:
            return fingerprint("dpbandits.arena.pictures")
        figure = self.papers[study].figures[name]
        shown = {name for panel in figure.panels for name in (*panel.overlay.values(), panel.regimes) if name}
        of_others = ("dpbandits.theory.bounds", *(["dpbandits.figures.diagrams"] if figure.panels else []))
        return fingerprint("dpbandits.figures", *sorted(map(bounds.module_name, shown)), without=of_others)

    def published_in(self, study: str, name: str) -> list[str]:
        """The files of the published points that a figure shows."""
        if study in self.arenas or self.settings.published_points in (False, "false"):
            return []
        panels, found = self.papers[study].figures[name].panels, self.published[study]
        return [found[panel.drawn_as] for panel in panels if panel.drawn_as in found]

    def compared(self) -> list[dict[str, Any]]:
        """Every panel with published points: panel, experiment, and the files of both."""
        found = []
        for id, files in self.published.items():
            for name, file in files.items():
                (panel,) = self.papers[id].figures[name].panels
                summary = self.file(f"summaries/{id}/{panel.experiment}")
                experiment = self.papers[id].experiments[panel.experiment]
                found.append({"panel": panel, "experiment": experiment, "summary": summary, "published": file})
        return found

    # ---- guests and targets

    def notes(self) -> list[str]:
        """What to say about the guests: where they play."""
        return guests.report(self.studies.values(), self.guests)

    def drawn_with(self, guest: str) -> list[str]:
        """The figures that a guest is in."""
        found = [f"{id}/{name}" for id, arena in self.arenas.items() if guest in arena.guests for name in ARENA_FIGURES]
        for id, paper in self.papers.items():
            for figure in paper.figures.values():
                drawn = {paper.experiments[p.experiment].series[s].policy for p in figure.panels for s in p.series}
                found += [f"{id}/{figure.id}"] if guest in drawn else []
        return found

    def names_of_guests(self) -> dict[str, list[str]]:
        """Guest -> its policies and series in all studies, whose rows the reference does not have."""
        played = [p for study in self.studies.values() for e in study.experiments.values() for p in e.policies.values()]
        named = {(policy.id, name) for policy in played for name in (policy.id, *(s.id for s in policy.series))}
        return {guest: sorted(name for policy, name in named if policy == guest) for guest in self.guests}

    def targets(self) -> list[str]:
        """The files that can be asked for."""
        return [
            *(f"{self.figures_folder}/{figure}.{kind}" for figure in self.figures for kind in self.settings.formats),
            *map(self.file, self.tables),
            *(self.asked_folder + name for name in self.asked),
            *(f"{self.results}/{file}" for file in ("verification.txt", "page/index.html")),
            *(trace for batch in self.batches for trace in self.traces_of(batch)),
        ]


def on_another_log(study: Study, log: Mapping[str, Any]) -> Study:
    """The study with this log in place of the synthetic one."""
    experiments = {
        id: experiment.model_copy(update={"environment": {**log, "live": experiment.environment["live"]}})
        for id, experiment in study.experiments.items()
        if experiment.environment["kind"] == "news"
    }
    return study.model_copy(update={"experiments": {**study.experiments, **experiments}})
