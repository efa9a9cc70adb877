"""A study's file with its matrices expanded, where the expansion looks up names; `guests` adds your own policies to it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dpbandits.errors import InputError, check_known
from dpbandits.studies import matrix, model, strict_yaml

STUDY_ID = r"^[a-z][a-z0-9-]*$"
GUESTS = "config/config.yaml: guests"  # where your own policies are


@dataclass(frozen=True)
class Source:
    """A file at one scale. A policy of your own stands, as a whole, among the policies of each experiment that it joins."""

    id: str
    file: str
    scale: str
    written: model.Study

    def policy(self, experiment: str, name: str) -> model.Policy:
        """A policy as it plays an experiment."""
        if self.is_guest(experiment, name):
            return self.written.experiments[experiment].policies[name]
        check_known(f"{self.file}: experiments.{experiment}.policies", "policy", [name], self.written.policies)
        return self.written.policies[name]

    def is_guest(self, experiment: str, name: str) -> bool:
        """Whether a policy is one of your own."""
        return isinstance(self.written.experiments[experiment].policies[name], model.Policy)

    def guests(self) -> dict[str, model.Policy]:
        """Your own policies that join an experiment."""
        joined = [policies.items() for policies in (each.policies for each in self.written.experiments.values())]
        return {name: policy for each in joined for name, policy in each if isinstance(policy, model.Policy)}

    def where(self, experiment: str, name: str) -> str:
        """The beginning of an error message about a policy in an experiment."""
        if self.is_guest(experiment, name):
            return f"{GUESTS}.{name}: in {self.id} {experiment}"
        return f"{self.file}: experiments.{experiment}.policies.{name}"

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
        """A figure's panels, each with its experiment and the id of the figure that it is by itself, or "".

        Curves without `panels` are a single panel.
        """
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
            for each in [] if isinstance(panel, str) else matrix.panels(panel, where):
                check_known(where, "experiment", [each.experiment], self.written.experiments)
                yield each.experiment, "", each


def read(path: Path, scale: str) -> Source:
    """Read a file, and expand its matrices."""
    written, id = strict_yaml.validated(strict_yaml.read_yaml(path), model.Study, str(path)), path.stem
    if not re.match(STUDY_ID, id):
        raise InputError(f"{path}: '{id}' cannot be used as a name here; rename the file like {STUDY_ID}")
    if written.paper not in (id, None):
        raise InputError(f"{path}: paper: '{written.paper}' should be '{id}', as the file is called")
    source = Source(id, str(path), scale, matrix.expanded(written, str(path)))
    experiments = source.written.experiments
    for id, experiment in experiments.items():
        where = f"{path}: experiments.{id}.stream"
        check_known(where, "experiment", filter(None, [experiment.stream]), source.written.independent)
        if experiment.stream and source.environment(id) != source.environment(experiment.stream):
            raise InputError(f"{where}: {experiment.stream} has another environment; write the same in both")
    for name, policy in written.policies.items():
        check_known(f"{path}: policies.{name}.more_runs", "experiment", policy.more_runs, experiments)
    return source
