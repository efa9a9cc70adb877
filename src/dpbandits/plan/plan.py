"""The plan of the workflow: which jobs there are for one configuration, and with which files.

config/config.yaml, the files of the studies -> Plan, which the rules of the workflow ask for the inputs and parameters of a job.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from dpbandits import studies
from dpbandits.arena import FIGURES as SCORES
from dpbandits.checks.judging import placed_checks
from dpbandits.environments.logs import _r6a
from dpbandits.files import Entry
from dpbandits.plan import checking, registry
from dpbandits.plan.batches import batches, rounds_of
from dpbandits.studies import drawn_points, strict_yaml
from dpbandits.studies.experiment import Experiment
from dpbandits.studies.model import Settings, Study

USUAL_SEED = 1  # of the figures and the reference; another seed has folders of its own


class Plan:
    """What can be made with these settings, and of what; InputError for whatever cannot be run.

    `traces`, `tables`, `figures`, `asked` and `others` have a call for each job, by the name of what it makes.
    """

    def __init__(self, settings: Mapping[str, Any], folder: str | Path = "config"):
        if (file := Path(folder) / "config.yaml").exists():
            strict_yaml.read_yaml(
                file
            )  # refuses a key that is there twice, of which Snakemake takes the last
        self.settings = strict_yaml.validated(settings, Settings, "config/config.yaml")
        self.seed, self.scale = self.settings.seed, self.settings.scale
        self.log_of_news = (
            _r6a.days(self.settings.r6a) if self.settings.r6a else []
        )  # the files of R6A
        place = self.scale + ("-r6a" if self.log_of_news else "")
        place = place if self.seed == USUAL_SEED else f"seed-{self.seed}/{place}"
        self.results = f"results/{place}"
        # The folder of figures/ and checks/ as targets: at the paper's scale that of the project.
        self.top, self.reference = (
            ("", "reference") if place == "paper" else (f"{self.results}/", f"reference/{place}")
        )
        records = {"events": "events.bin", "tables": "tables.npz", "report": "report.json"}
        self.records = {name: f"{self.results}/news/{file}" for name, file in records.items()}
        self.studies = studies.load_all(folder, self.scale, self.settings.guests)
        if self.log_of_news:
            real = {"kind": "news_log", "source": _r6a.SOURCE, "tables": self.records["tables"]}
            self.studies = {id: on_another_log(study, real) for id, study in self.studies.items()}
        for study in self.studies.values():
            checking.check(study)
        self.papers = {id: study for id, study in self.studies.items() if not study.arena}
        # Paper -> panel -> the file of its published points.
        self.drawn = {id: drawn_points.files(study) for id, study in self.papers.items()}
        self.cases = {id: placed_checks(study) for id, study in self.papers.items()}
        block = None if self.settings.block == "auto" else self.settings.block
        self.batches = {  # study, experiment -> its batches
            (id, name): list(batches(experiment, self.seed, block, together=bool(study.arena)))
            for id, study in self.studies.items()
            for name, experiment in study.experiments.items()
        }
        self.traces, self.tables = dict(registry.traces(self)), dict(registry.tables(self))
        self.figures, self.asked = dict(registry.figures(self)), dict(registry.asked(self))
        self.others = dict(registry.others(self))

    @property
    def submitted(self) -> set[str]:
        """The traces whose jobs are submitted to the cluster, if there is one: those of many rounds."""
        return {
            name
            for name, call in self.traces.items()
            if rounds_of(call.given) >= self.settings.submit_above
        }

    def runs_of(self, experiments: Iterable[Experiment]) -> dict[str, list[Entry]]:
        """Experiment -> the specifications of its simulations, with their files, in all readings."""

        def entry(batch: list[dict]) -> Entry:
            return batch[0]["spec"], [
                f"{self.results}/traces/{registry.name_of(chunk)}.npz" for chunk in batch
            ]

        return {e.id: list(map(entry, self.batches[e.paper, e.id])) for e in experiments}

    def file(self, table: str) -> str:
        """The file of a table."""
        return f"{self.results}/{table}.csv"

    def pictures(self, figure: str) -> list[str]:
        """The files of a figure."""
        return [f"{self.top}figures/{figure}.{kind}" for kind in self.settings.formats]

    def results_of(self, study: str = "") -> list[str]:
        """The figures and tables of a full run, or of those of one study: a deleted table returns even if its figure exists."""
        figures = [name for name in self.figures if study in ("", *name.split("/"))]
        tables = [
            name
            for name, call in self.tables.items()
            if call.in_all and study in ("", *name.split("/"))
        ]
        return [file for name in figures for file in self.pictures(name)] + list(
            map(self.file, tables)
        )

    def results_with(self, guest: str) -> list[str]:
        """The figures and audits that a guest is in."""
        files = []
        for id, study in self.studies.items():
            series = {
                s.id
                for e in study.experiments.values()
                for s in e.series.values()
                if s.policy == guest
            }
            drawn = [
                f.id
                for f in study.figures.values()
                if any(series & {*panel.series} for panel in f.panels)
            ]
            if series:
                files.append(self.file(f"audits/{id}"))
                files += [
                    file
                    for name in (SCORES if study.arena else drawn)
                    for file in self.pictures(f"{id}/{name}")
                ]
        return files

    def targets(self) -> list[str]:
        """The files that can be asked for by name."""
        pictures = [file for figure in self.figures for file in self.pictures(figure)]
        return [*pictures, *map(self.file, self.tables), *(self.top + name for name in self.asked)]


def on_another_log(study: Study, log: Mapping[str, Any]) -> Study:
    """The study with this log in place of the synthetic one."""
    experiments = dict(study.experiments)
    for id, experiment in experiments.items():
        if experiment.environment["kind"] == "news":
            environment = {**log, "live": experiment.environment["live"]}
            experiments[id] = experiment.model_copy(update={"environment": environment})
    return study.model_copy(update={"experiments": experiments})
