"""The plan of a run: which jobs there are for one configuration, and with which runs and files.

config/config.yaml, the files of the studies -> Plan, which the rules of the workflow ask for their inputs, outputs and parameters.
`files` says which result is in which file, `code` on which source code it depends.
"""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from dpbandits import studies, theory, verdicts
from dpbandits.arena import names
from dpbandits.environments.logs import _r6a
from dpbandits.plan import batches, checking, costs
from dpbandits.plan.files import Files
from dpbandits.studies import guests, published
from dpbandits.studies.study import Claim, Experiment, Figure, Paper, Sentence, replace_environment


class Plan:
    """What can be made with these settings, and of what; InputError for whatever cannot be run."""

    def __init__(self, settings: Mapping[str, Any], folder: str | Path = "config"):
        studies.validate_settings(settings)
        self.settings = settings
        self.seed, self.guests = settings["seed"], settings.get("guests", {})
        self.studies = studies.load_all(folder, settings["scale"], self.guests)
        r6a = settings.get("r6a")
        self.log_of_news = _r6a.days(r6a) if r6a else []  # the files of the real one, if available
        self.files = Files(settings["scale"], settings["formats"], on_real_log=bool(r6a))
        if r6a:
            real = {"kind": "news_log", "source": _r6a.SOURCE, "folder": str(Path(self.files.records[0]).parent)}
            self.studies = {
                id: replace_environment(study, "news", real, keeping=("live",)) for id, study in self.studies.items()
            }
        for study in self.studies.values():
            checking.check(study)
        self.papers = {id: study for id, study in self.studies.items() if not study.arena}
        self.published = {id: self._published(study) for id, study in self.papers.items()}
        self.arenas = {id: study for id, study in self.studies.items() if study.arena}

    def notes(self) -> list[str]:
        """What to say about the guests: where they play and where not."""
        return guests.report(self.studies.values())

    def times_of_guests(self, jobs: Iterable[Mapping[str, Any]]) -> list[str]:
        """How long the guests take in these jobs, given by their wildcards."""
        simulated = [job for job in jobs if "simulation" in job]
        runs = [(self.batches[job["simulation"]], int(job["last"]) - int(job["first"]) + 1) for job in simulated]
        return batches.times_of(self.guests, runs)

    # ---- simulations: one job simulates a block of runs of a batch of policies

    @cached_property
    def batches(self) -> dict[str, batches.Batch]:
        """`<study>/<experiment>/<batch>` -> the batch."""
        found = {}
        for study in self.studies.values():
            limits = names.JOBS if study.arena else {}
            for experiment in study.experiments.values():
                for batch in batches.batches(experiment, self.seed, apart=self.guests, **limits):
                    found[f"{study.id}/{experiment.id}/{batch.id}"] = batch
        return found

    @cached_property
    def _batch_of(self) -> dict[tuple[str, str, str], str]:
        """(paper, experiment, policy) -> the batch that simulates it."""
        found = self.batches.items()
        return {(b.spec["paper"], b.spec["experiment"], policy): name for name, b in found for policy in b.policies}

    @cached_property
    def _series_of_guests(self) -> set[str]:
        return {name for names in self.names_of_guests().values() for name in names}

    def without_compilation(self, batch: str) -> str:
        """A word about the runs of a guest while nothing is compiled, for their fingerprint: with compilation they are made
        again, so that no figure hides a kernel that cannot be compiled."""
        plain = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
        return " plain" if plain and not self._series_of_guests.isdisjoint(self.batches[batch].policies) else ""

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
        """Study -> the logs of all jobs that simulate for it."""
        found: dict[str, list[str]] = {study: [] for study in self.studies}
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
        if not least:
            return set(self.batches)
        runs_of_job = {name: self.blocks(name)[0][1] + 1 for name in self.batches}
        return {name for name, runs in runs_of_job.items() if costs.seconds(self.batches[name].spec, runs) >= least}

    def runs_of(self, experiment: Experiment) -> list[dict[str, Any]]:
        """The runs of an experiment: for each batch its specification, its files, and the series of the experiment in it."""
        series_in: dict[str, list[str]] = {}
        for policy in experiment.policies:
            batch = self._batch_of[experiment.paper, experiment.id, policy.id]
            series_in.setdefault(batch, []).extend(series.id for series in policy.series)
        return [
            {"spec": self.batches[batch].spec, "files": self.traces_of(batch), "series": series}
            for batch, series in series_in.items()
        ]

    def runs_by_experiment(self, experiments: Iterable[Experiment]) -> dict[str, list[dict[str, Any]]]:
        """Experiment -> its runs, of all readings."""
        return {e.id: self.runs_of(self.studies[e.paper].experiments[e.id]) for e in experiments}

    def traces_behind(self, experiments: Iterable[Experiment]) -> list[str]:
        """The files of all runs of these experiments, each once."""
        return list(dict.fromkeys(file for e in experiments for part in self.runs_of(e) for file in part["files"]))

    # ---- what is judged, scored, audited and compared

    @cached_property
    def asked(self) -> dict[str, tuple[Paper, list[Claim], list[Sentence]]]:
        """`claims/<study>/<claim>` -> its study and the claim; `sentences/<study>/<sentence>` -> the sentence, too."""
        found = {}
        for id, study in self.studies.items():
            known = {claim.id: claim for claim in study.claims}
            found |= {f"claims/{id}/{name}": (study, [claim], []) for name, claim in known.items()}
            found |= {
                f"sentences/{id}/{sentence.id}": (study, [known[name] for name in sentence.claims], [sentence])
                for sentence in study.sentences
            }
        return found

    def judged_on(self, study: str, asked: Iterable[Claim]) -> list[Experiment]:
        """The experiments that some of a study's claims are about, in each reading in which they are judged."""
        found = {
            (experiment.id, experiment.reading): experiment
            for claim in asked
            for id in claim.experiments
            for experiment in self.studies[study].experiments[id].by_reading
            if verdicts.is_judged(claim, experiment)
        }
        scored = self.scored(study) if any(not claim.experiments for claim in asked) else []
        return [*found.values(), *scored]

    def audits_behind(self, study: str, claims: Iterable[Claim]) -> list[str]:
        """The audits that claims read: those about the cells of an arena, where a broken promise is no cell to compare
        with, and promises of privacy, which an audit may refute."""
        needed = any(not claim.experiments or claim.kind == "privacy" for claim in claims)
        return [self.audits_of(study)] if needed else []

    def scored(self, study: str) -> list[Experiment]:
        """The experiments that a study scores; none in a paper."""
        found = self.studies[study]
        return [e for e in found.experiments.values() if found.arena and e.instance in found.arena.instances]

    def audited(self, study: str) -> list[Experiment]:
        """The experiments of a study as an audit sees them: a policy as printed is the same mechanism at another epsilon."""
        return [
            replace(experiment, policies=tuple(policy for policy in experiment.policies if not policy.as_printed_of))
            for experiment in self.studies[study].experiments.values()
        ]

    def names_of_guests(self) -> dict[str, list[str]]:
        """Guest -> its policies and series in all studies, whose rows the reference does not have."""
        experiments = [experiment for study in self.studies.values() for experiment in study.experiments.values()]
        names = [
            (p.as_printed_of or p.id, name)
            for e in experiments
            for p in e.policies
            for name in (p.id, *(s.id for s in p.series))
        ]
        return {guest: sorted({name for policy, name in names if policy == guest}) for guest in self.guests}

    # ---- what the authors drew

    def _published(self, paper: Paper) -> dict[str, str]:
        """Panel -> the file of the curves that its authors drew, if there is one and our games are as long as theirs."""
        files = Path(self.files.published.format(paper=paper.id, figure="")).parent.glob("*.csv")
        for file in sorted(files):
            published.checked(file, paper)
        return {
            name: file
            for name, panel in published.panels(paper).items()
            if Path(file := self.files.published.format(paper=paper.id, figure=name)).exists()
            and published.is_comparable(paper.experiments[panel.experiment])
        }

    def circles_in(self, paper: str, figure: Figure) -> list[str]:
        """The files of the drawn curves that a figure shows."""
        if str(self.settings.get("published_points", True)).lower() == "false":
            return []
        found = self.published[paper]
        return [found[panel.drawn_as] for panel in figure.panels if panel.drawn_as in found]

    def compared(self) -> list[dict[str, Any]]:
        """Every panel with drawn curves: panel, experiment, and the files of both."""
        return [
            {
                "panel": (panel := published.panels(self.papers[paper])[name]),
                "experiment": self.papers[paper].experiments[panel.experiment],
                "summary": self.files.summary.format(paper=paper, experiment=panel.experiment),
                "published": file,
            }
            for paper, files in self.published.items()
            for name, file in files.items()
        ]

    def distances(self) -> list[str]:
        """The table of distances from the drawn curves, if there are any."""
        return [self.files.distances] if self.compared() else []

    # ---- the files of a study

    def results_of(self, study: str) -> list[str]:
        """The files of a study's target. Tables are among them: a deleted one returns even if its figure exists."""
        return [*self._drawn(study, self.files.figure), *self._tables_of(study)]

    def audits_of(self, study: str) -> str:
        """The audits of a study's policies."""
        return self.files.audits.format(paper=study)

    def shown_of(self, study: str) -> list[str]:
        """The files that the report shows."""
        of_privacy = [] if self.studies[study].arena else self.tables_of_privacy(study)
        pictures = self._drawn(study, [self.files.picture, self.files.geometry, self.files.svg])
        return pictures + self._tables_of(study) + of_privacy

    def tables_of_privacy(self, study: str) -> list[str]:
        """What the policies of a study promise and spend, which an arena's scores say, and what is measured of it."""
        files = [] if self.studies[study].arena else [self.files.accounts]
        return [file.format(paper=study) for file in (*files, self.files.audits)]

    def targets(self) -> list[str]:
        """All files that can be asked for."""
        found = [self.files.verification, self.files.report, self.files.sentences, *self.distances()]
        found += [self.files.asked.format(asked=asked) for asked in self.asked]
        for id, study in self.studies.items():
            found += [*self.results_of(id), *self.shown_of(id), self.audits_of(id)]
            found += self.traces_behind(study.experiments.values())
        return found

    def tables_behind_figures(self, study: str) -> dict[str, list[str]]:
        """Figure -> the tables that it is drawn from."""
        found = self.studies[study]
        if found.arena:
            return {figure: self._scores_of(study) for figure in names.FIGURES}
        return {
            id: [self.files.summary.format(paper=study, experiment=e) for e in figure.experiments]
            for id, figure in found.figures.items()
        }

    def _tables_of(self, study: str) -> list[str]:
        """Scores or summaries, claims, and the tables of the theorems."""
        found = self.studies[study]
        summaries = [self.files.summary.format(paper=study, experiment=e) for e in found.experiments]
        return [
            *(self._scores_of(study) if found.arena else summaries),
            self.files.claims.format(paper=study),
            *(self.files.table.format(paper=study, table=table) for table in theory.TABLES.get(study, {})),
        ]

    def _scores_of(self, study: str) -> list[str]:
        return [file.format(paper=study) for file in (self.files.scores, self.files.differences)]

    def _drawn(self, study: str, patterns: list[str]) -> list[str]:
        figures = self.tables_behind_figures(study)
        return [pattern.format(paper=study, figure=figure) for figure in figures for pattern in patterns]


def drawn_in(paper: Paper) -> dict[tuple[str, str], list[str]]:
    """Experiment and reading -> the figures that draw it."""
    return {
        (id, reading): [f.id for f in paper.figures.values() if id in f.experiments and reading in ("", f.reading)]
        for id, experiment in paper.experiments.items()
        for reading in experiment.readings
    }


def labels_of(figure: Figure) -> dict[str, str]:
    """The labels of a figure in Snakemake's own report."""
    panel = re.sub("^fig(?=[0-9])", "Figure ", figure.name)
    return {"panel": panel, "reading": figure.reading or "both", "shows": figure.title or figure.caption}
