"""A study's file at one scale, with its matrices expanded and its names looked up; from it `expansion` makes the study."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from dpbandits.errors import InputError, check_known
from dpbandits.studies import matrix, model, strict_yaml

STUDY_ID = r"^[a-z][a-z0-9-]*$"
GUESTS = "config/config.yaml: guests"  # where your own policies are


@dataclass(frozen=True)
class Source:
    """A file at one scale. `written`: its content, in which experiments have policies, as they play there, instead of names."""

    id: str
    file: str
    scale: str
    written: model.Study

    def changed(self, **keys: Any) -> Self:
        """The same with other values of these keys of `written`."""
        return replace(self, written=self.written.model_copy(update=keys))

    def where(self, experiment: str, name: str) -> str:
        """The beginning of an error message about a policy in an experiment."""
        if name in self.written.policies:
            return f"{self.file}: experiments.{experiment}.policies.{name}"
        return f"{GUESTS}.{name}: in {self.id} {experiment}"

    def environment(self, experiment: str) -> model.Environment:
        """The environment of an experiment, looked up if it is given by name."""
        where, found = f"{self.file}: experiments.{experiment}", self.written.experiments[experiment].environment
        if found is None:
            raise InputError(f"{where}: 'environment' is missing; add it")
        if isinstance(found, model.Environment):
            return found
        check_known(where, "environment", [found], self.written.environments)
        return self.written.environments[found]

    def panels(self, figure: str) -> Iterator[tuple[str, str, model.Panel | model.Figure]]:
        """A figure's panels: of each the experiment, the id of the figure that is this panel alone ("" if none), and the panel."""
        found, where = self.written.figures[figure], f"{self.file}: figures.{figure}"
        if found.is_a_panel:
            check_known(where, "experiment", [found.experiment or figure], self.written.experiments)
            yield found.experiment or figure, figure, found
            return
        if found.experiment is not None:
            raise InputError(
                f"{where}: only curves in a single panel may have 'experiment'; each of several panels has its own"
            )
        if (found.panels is None) != ("diagram" in found.kind):
            raise InputError(f"{where}: points have 'panels', and a diagram has none")
        alone = [name for name, other in self.written.figures.items() if other.is_a_panel]
        for panel in found.panels or ():
            if isinstance(panel, str):
                check_known(f"{where}: panels", "figure in a single panel", [panel], alone)
                yield from self.panels(panel)
                continue
            for each in matrix.panels(panel, where):
                check_known(where, "experiment", [each.experiment], self.written.experiments)
                yield each.experiment, "", each


def read(path: Path, scale: str) -> Source:
    """Read a file, expand its matrices, and look up its policies."""
    written, study = strict_yaml.validated(strict_yaml.read_yaml(path), model.Study, str(path)), path.stem
    if not re.match(STUDY_ID, study):
        raise InputError(f"{path}: '{study}' cannot be used as a name here; rename the file like {STUDY_ID}")
    if written.paper not in (study, None):
        raise InputError(f"{path}: paper: '{written.paper}' should be '{study}', as the file is called")
    source = Source(study, str(path), scale, matrix.expanded(written, str(path)))
    experiments = source.written.experiments
    for id, experiment in experiments.items():
        where = f"{path}: experiments.{id}.stream"
        check_known(where, "experiment", filter(None, [experiment.stream]), source.written.independent)
        if experiment.stream and source.environment(id) != source.environment(experiment.stream):
            raise InputError(f"{where}: {experiment.stream} has another environment; write the same in both")
    for name, policy in written.policies.items():
        check_known(f"{path}: policies.{name}.more_runs", "experiment", policy.more_runs, experiments)
    return source.changed(experiments={id: _with_policies(source, id) for id in experiments})


def _with_policies(source: Source, id: str) -> model.Experiment:
    """An experiment with its policies as a mapping; parameters that only it changes are the policy's own."""
    experiment, known, joined = source.written.experiments[id], source.written.policies, {}
    named = known if experiment.policies == "all" else experiment.policies
    check_known(f"{source.file}: experiments.{id}.policies", "policy", named, known)
    for name in named:
        changes = experiment.policies[name] if isinstance(experiment.policies, dict) else {}
        own = {key: {**getattr(known[name], key), **changes} for key in ("parameters", "published", "corrected")}
        joined[name] = known[name].model_copy(update=own)
    return experiment.model_copy(update={"policies": joined})
