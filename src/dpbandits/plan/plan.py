"""One configuration, validated: its settings, folders, studies and their batches."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from dpbandits import studies
from dpbandits.bandits import r6a
from dpbandits.checks.placing import PlacedCheck, placed_checks
from dpbandits.errors import check_known, within
from dpbandits.parameters import validated
from dpbandits.plan import tables, validation
from dpbandits.plan.batches import Batch, batches
from dpbandits.plan.layout import Layout
from dpbandits.simulation import Simulation
from dpbandits.studies import drawn_points, strict_yaml
from dpbandits.studies.experiment import Experiment
from dpbandits.studies.guests import FILE
from dpbandits.studies.model import Figure, Study
from dpbandits.studies.settings import Settings


@dataclass(frozen=True)
class Plan:
    """Everything that can run with these settings. `jobs` has the arguments of each job.

    `simulations` and `outputs` are the tables that the rules look up in.
    """

    settings: Settings
    layout: Layout
    log_days: tuple[Path, ...]  # the files of Yahoo!'s news log, if there is one
    studies: Mapping[str, Study]
    batches: Mapping[tuple[str, str], tuple[Batch, ...]]  # by study and experiment
    checks: Mapping[str, tuple[PlacedCheck, ...]]  # by paper
    published: Mapping[str, Mapping[str, str]]  # paper -> panel -> the points its authors drew

    @property
    def papers(self) -> dict[str, Study]:
        """The studies that have figures and claims."""
        return {id: study for id, study in self.studies.items() if not study.arena}

    @property
    def arenas(self) -> dict[str, Study]:
        """The studies in which policies are scored."""
        return {id: study for id, study in self.studies.items() if study.arena}

    @cached_property
    def simulations(self) -> pd.DataFrame:
        """A row for each simulation."""
        return tables.simulations(self)

    @cached_property
    def outputs(self) -> pd.DataFrame:
        """A row for each figure and each table of a full run."""
        return tables.outputs(self)

    @property
    def shows_points(self) -> bool:
        """Whether figures show the points that the authors drew."""
        return self.settings.published_points in (True, "true")

    def figures(self, study: str = "") -> list[str]:
        """The names of the figures, or of those of a study."""
        return self._names(self.outputs["kind"] == "figure", study)

    def tables(self, study: str = "") -> list[str]:
        """The names of the tables that are no parts of others, or of those of a study."""
        return self._names(~self.outputs["kind"].isin(["figure", *tables.PARTS]), study)

    def _names(self, chosen: pd.Series, study: str) -> list[str]:
        of_study = self.outputs["study"].isin([study] if study else [*self.studies, ""])
        return self.outputs.loc[chosen & of_study, "name"].tolist()

    def measured(self, paper: str, checks: Collection[str]) -> pd.DataFrame:
        """The simulations that some checks of a paper measure."""
        here = self.simulations[self.simulations["study"] == paper]
        return here[[not set(checks).isdisjoint(ids.split()) for ids in here["checks"]]]

    def experiment(self, study: str, experiment: str) -> Experiment:
        """An experiment of a study, with the series of both readings."""
        experiments = self.studies[study].experiments
        check_known("", f"experiment of {study}", [experiment], experiments)
        return experiments[experiment]

    def reads_log(self, study: str, experiment: str) -> bool:
        """Whether an experiment plays Yahoo!'s news log."""
        return self.experiment(study, experiment).environment["kind"] == "news_log"

    def figure(self, paper: str, figure: str) -> Figure:
        """A figure of a paper in one reading."""
        figures = self.studies[paper].figures
        check_known("", f"figure of {paper}", [figure], figures)
        return figures[figure]

    def batch(self, study: str, experiment: str, policies: str) -> Batch:
        """The batch of this name."""
        self.experiment(study, experiment)
        known = {batch.policies: batch for batch in self.batches[study, experiment]}
        check_known("", f"batch of {study} {experiment}", [policies], known)
        return known[policies]

    def simulation(self, batch: Batch) -> Simulation:
        """What each job of a batch plays, for a chunk of its runs."""
        return batch.experiment.simulation(batch.ids, self.settings.seed, batch.policies)


def check_settings(folder: str | Path = "config") -> None:
    """Raise InputError if config.yaml is not YAML or has a duplicate key.

    Snakemake names neither file nor line of the first mistake, and takes the last one of two keys.
    """
    if (file := Path(folder) / "config.yaml").exists():
        strict_yaml.read_yaml(file)


def load(settings: Mapping[str, Any], folder: str | Path = "config") -> Plan:
    """Read and validate all files below `folder`. InputError for anything that cannot be run."""
    with within(FILE):
        valid = validated(Settings, settings)
    days = tuple(r6a.days(valid.r6a)) if valid.r6a else ()
    loaded = studies.load_all(folder, valid.scale, valid.guests)
    if days:
        loaded = {id: _on_real_log(study) for id, study in loaded.items()}
    for study in loaded.values():
        validation.check(study)
    block = None if valid.block == "auto" else valid.block
    papers = [study for study in loaded.values() if not study.arena]
    return Plan(
        settings=valid,
        layout=Layout(valid.scale, valid.seed, bool(days)),
        log_days=days,
        studies=loaded,
        batches={
            (id, name): tuple(batches(experiment, block, together=bool(study.arena)))
            for id, study in loaded.items()
            for name, experiment in study.experiments.items()
        },
        checks={study.id: tuple(placed_checks(study)) for study in papers},
        published={study.id: drawn_points.files(study) for study in papers},
    )


def _on_real_log(study: Study) -> Study:
    """The study with Yahoo!'s log in place of the synthetic one; its job supplies the records."""
    experiments = dict(study.experiments)
    for id, experiment in experiments.items():
        if experiment.environment["kind"] == "news":
            live = experiment.environment["live"]
            log = {"kind": "news_log", "source": r6a.SOURCE, "live": live}
            experiments[id] = replace(experiment, environment=log)
    return replace(study, experiments=experiments)
