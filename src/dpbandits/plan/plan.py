"""The plan of a run: which jobs there are for one configuration, and with which runs and files.

config/config.yaml, the paper files -> Plan, which the rules of the workflow ask for their inputs, outputs and parameters.
`files` says which result is in which file, `code` on which source code it depends.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from dpbandits import claims, studies, theory
from dpbandits.arena import expanding, names
from dpbandits.arena.claims import check as check_arena
from dpbandits.arena.expanding import Arena
from dpbandits.environments.logs import _r6a
from dpbandits.plan import batches, checking, costs
from dpbandits.plan.files import Files
from dpbandits.studies.study import Claim, Experiment, Figure, Paper


class Plan:
    """What can be made with these settings, and of what; InputError for whatever cannot be run."""

    def __init__(self, settings: Mapping[str, Any], folder: str | Path = "config"):
        studies.validate_settings(settings)
        self.settings = settings
        self.seed, self.guests = settings["seed"], settings.get("guests", {})
        checking.check_guests(self.guests)
        self.papers = studies.load_all(Path(folder, "papers"), settings["scale"], self.guests)
        r6a = settings.get("r6a")
        self.log_of_news = _r6a.days(r6a) if r6a else []  # the files of the real one, if available
        self.files = Files(settings["scale"], settings["formats"], on_real_log=bool(r6a))
        if r6a:
            real = {"kind": "news_log", "source": _r6a.source(r6a), "folder": str(Path(self.files.records[0]).parent)}
            self.papers = {
                name: studies.replace_environment(paper, "news", real, keeping=("live",))
                for name, paper in self.papers.items()
            }
        for paper in self.papers.values():
            checking.check(paper)
        self.arena = self._read_arena(Path(folder, "arena.yaml"))

    def notes(self) -> list[str]:
        """What to say about the guests: where they play and where not, and how long that takes."""
        in_papers = studies.guests_report(self.papers.values())
        in_arena = expanding.guests_report(self.arena) if self.arena else []
        return [*in_papers, *in_arena, *batches.times_of(self.guests, list(self.batches.values()))]

    # ---- simulations: one job simulates a block of runs of a batch of policies

    @cached_property
    def batches(self) -> dict[str, batches.Batch]:
        """`<paper>/<experiment>/<batch>` -> the batch; a policy that is the same in both readings is in one only."""
        found = {}
        for study in [*self.papers.values(), *([self.arena] if self.arena else [])]:
            limits = names.JOBS if study is self.arena else {}
            for experiment in study.experiments.values():
                for batch in batches.batches(experiment, self.seed, apart=self.guests, **limits):
                    found[f"{study.id}/{experiment.id}/{batch.id}"] = batch
        return found

    @cached_property
    def _batch_of(self) -> dict[tuple[str, str, str], str]:
        """(paper, experiment, policy) -> the batch that simulates it."""
        found = self.batches.items()
        return {(b.spec["paper"], b.spec["experiment"], policy): name for name, b in found for policy in b.policies}

    def blocks(self, batch: str) -> list[tuple[int, int]]:
        """The first and last run of every job of a batch."""
        size, found = self.settings["block"], self.batches[batch]
        if size == "auto":
            size = found.block
        elif isinstance(size, Mapping):
            size = costs.runs_in(size["minutes"], found.spec)
        return [(first, min(first + size, found.runs) - 1) for first in range(0, found.runs, size)]

    def traces_of(self, batch: str) -> list[str]:
        """The files of a batch's runs."""
        return self._of_blocks(self.files.trace, batch)

    def logs_of(self, batch: str) -> list[str]:
        """The logs of a batch's jobs."""
        return self._of_blocks(self.files.log_of_trace, batch)

    def _of_blocks(self, pattern: str, batch: str) -> list[str]:
        return [pattern.format(simulation=batch, first=first, last=last) for first, last in self.blocks(batch)]

    def logs_by_study(self) -> dict[str, list[str]]:
        """Paper, or arena -> the logs of all jobs that simulate for it."""
        found: dict[str, list[str]] = {study: [] for study in (*self.papers, *([self.arena.id] if self.arena else []))}
        for name, batch in self.batches.items():
            found[batch.spec["paper"]] += self.logs_of(name)
        return found

    def read_by(self, batch: str) -> list[str]:
        """The files that a batch's jobs read: records of the news log, if it plays on these."""
        return self.files.records[:2] if self.batches[batch].spec["environment"]["kind"] == "news_log" else []

    @cached_property
    def submitted(self) -> set[str]:
        """The batches whose jobs, all of one size except for the last, are submitted to the cluster, if there is one."""
        least = self.settings["submit_above"]
        return {name for name in self.batches if not least or self._seconds_of_job(name) >= least}

    def _seconds_of_job(self, batch: str) -> float:
        first, last = self.blocks(batch)[0]
        return costs.seconds(self.batches[batch].spec, last - first + 1)

    def runs_of(self, experiment: Experiment) -> list[dict[str, Any]]:
        """The runs of an experiment: for each batch its specification, its files, and the series of the experiment in it."""
        series_in: dict[str, list[str]] = {}
        for policy in experiment.policies:
            batch = self._batch_of[experiment.paper, policy.home, policy.id]
            series_in.setdefault(batch, []).extend(series.id for series in policy.series)
        return [
            {"spec": self.batches[batch].spec, "files": self.traces_of(batch), "series": series}
            for batch, series in series_in.items()
        ]

    def runs_by_experiment(self, experiments: Iterable[Experiment]) -> dict[str, list[dict[str, Any]]]:
        """Experiment -> its runs."""
        return {experiment.id: self.runs_of(experiment) for experiment in experiments}

    def traces_behind(self, experiments: Iterable[Experiment]) -> list[str]:
        """The files of all runs of these experiments, each once."""
        return list(dict.fromkeys(file for e in experiments for part in self.runs_of(e) for file in part["files"]))

    # ---- claims

    @cached_property
    def claims(self) -> dict[str, tuple[Claim, list[Experiment]]]:
        """`<paper>/<claim>` -> the claim and the experiments, in those readings in which it is judged."""
        return {
            f"{paper.id}/{claim.id}": (
                claim,
                [e for base in claim.experiments for e in paper.readings_of(base) if claims.is_judged(claim, e)],
            )
            for paper in self.papers.values()
            for claim in paper.claims
        }

    def claimed(self, paper: str) -> list[Experiment]:
        """The experiments, in all their readings, that a paper's claims are about."""
        bases = dict.fromkeys(base for claim in self.papers[paper].claims for base in claim.experiments)
        return [experiment for base in bases for experiment in self.papers[paper].readings_of(base)]

    def series_of_guests(self) -> dict[str, list[str]]:
        """Guest -> its series in all papers, and its names in the arena, which the reference does not have."""
        experiments = [experiment for paper in self.papers.values() for experiment in paper.experiments.values()]
        series = [(s.policy, s.id) for experiment in experiments for s in experiment.series.values()]
        if self.arena:
            series += [(member.first or name, name) for name, member in self.arena.members.items()]
        return {guest: sorted({id for policy, id in series if policy == guest}) for guest in self.guests}

    # ---- the files of a paper

    def results_of(self, paper: str) -> list[str]:
        """The files of a paper's target. Summaries are among them: a deleted one returns even if its figure exists."""
        return [*self._drawn(paper, self.papers[paper].figures, self.files.figure), *self._tables_of(paper)]

    def audits_of(self, paper: str) -> list[str]:
        """The audits of a paper's policies, and the figure of them."""
        return [file.format(paper=paper) for file in (self.files.audits, *self.files.figure_of_audits)]

    def shown_of(self, paper: str) -> list[str]:
        """The files that the report shows."""
        of_privacy = [file.format(paper=paper) for file in (self.files.accounts, self.files.audits)]
        return self._pictures_of(paper, self.papers[paper].figures) + self._tables_of(paper) + of_privacy

    def targets(self) -> list[str]:
        """All files that can be asked for."""
        found = [self.files.verification, self.files.report, *self.results_of_arena()]
        found += [self.files.claim.format(claim=claim) for claim in self.claims]
        for name, paper in self.papers.items():
            found += [*self.results_of(name), *self.shown_of(name), *self.audits_of(name)]
            found += self.traces_behind(paper.experiments.values())
        return found

    def _tables_of(self, paper: str) -> list[str]:
        """Summaries, claims, and the tables of the theorems."""
        return [
            *(self.files.summary.format(paper=paper, experiment=e) for e in self.papers[paper].experiments),
            self.files.claims.format(paper=paper),
            *(self.files.table.format(paper=paper, table=table) for table in theory.TABLES.get(paper, {})),
        ]

    def _pictures_of(self, paper: str, figures: Iterable[str]) -> list[str]:
        return self._drawn(paper, figures, [self.files.picture, self.files.geometry])

    def _drawn(self, paper: str, figures: Iterable[str], patterns: list[str]) -> list[str]:
        return [pattern.format(paper=paper, figure=figure) for figure in figures for pattern in patterns]

    # ---- the arena

    def _read_arena(self, file: Path) -> Arena | None:
        """None without its file."""
        if not file.exists():
            return None
        arena = expanding.load(file, self.settings["scale"], self.guests)
        check_arena(arena)
        return arena

    def of_arena(self) -> list[Experiment]:
        """The arena's experiments; none where there is no arena."""
        return list(self.arena.experiments.values()) if self.arena else []

    def audited_in_arena(self) -> list[Experiment]:
        """The arena's experiments as an audit sees them: a second self is the same mechanism as the first."""
        first = {name for name, member in self.arena.members.items() if not member.first}
        return [
            replace(experiment, policies=tuple(policy for policy in experiment.policies if policy.id in first))
            for experiment in self.of_arena()
        ]

    def arena_without_claims(self) -> Arena:
        """The arena as scores and figures see it, so that a change of a claim does not repeat these."""
        return replace(self.arena, claims=())

    def figures_of_arena(self) -> list[str]:
        """The names of its figures."""
        return list(names.FIGURES) if self.arena else []

    def results_of_arena(self) -> list[str]:
        """The files of the arena's target."""
        return self._drawn(names.ID, self.figures_of_arena(), self.files.figure) + self._tables_of_arena()

    def shown_of_arena(self) -> list[str]:
        """The files of the arena that the report shows."""
        return self._tables_of_arena() + self._pictures_of(names.ID, self.figures_of_arena())

    def _tables_of_arena(self) -> list[str]:
        return [self.files.of_arena.format(table=table) for table in names.TABLES] if self.arena else []


def drawn_in(paper: Paper) -> dict[str, list[str]]:
    """Experiment -> the figures that draw it."""
    return {e: [f.id for f in paper.figures.values() if e in f.experiments] for e in paper.experiments}


def labels_of(figure: Figure) -> dict[str, str]:
    """The labels of a figure in Snakemake's own report."""
    panel = re.sub("^fig(?=[0-9])", "Figure ", figure.id.removesuffix(".corrected"))
    return {"panel": panel, "reading": figure.reading or "both", "shows": figure.title or figure.caption}
