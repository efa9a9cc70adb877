"""A study's file at one scale, with its matrices expanded and its names looked up; from it `expansion` makes the study."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from dpbandits.errors import InputError, check_known
from dpbandits.studies import arena, matrix, model, strict_yaml
from dpbandits.studies.settings import Guest

STUDY_ID = r"^[a-z][a-z0-9-]*$"
GUESTS = "config/config.yaml: guests"  # where your own policies are


@dataclass(frozen=True)
class Source:
    """A file at one scale. `written`: its content, with an experiment or a figure in place of each combination of a matrix."""

    id: str
    file: str
    scale: str
    written: model.Study
    guests: Mapping[str, Guest]  # your own policies that may play here

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

    def policies(self, id: str) -> dict[str, model.Policy]:
        """Those policies of the file that play an experiment; parameters that only it changes are the policy's own."""
        experiment, known, found = self.written.experiments[id], self.written.policies, {}
        named = known if experiment.policies == "all" else experiment.policies
        check_known(f"{self.file}: experiments.{id}.policies", "policy", named, known)
        left_out = self.written.arena.left_out if self.written.arena else {}
        for name in named:
            if (experiment.stream or id) not in left_out.get(name, {}):
                changes = experiment.policies[name] if isinstance(experiment.policies, dict) else {}
                own = {**known[name].parameters, **changes}
                found[name] = known[name].model_copy(update={"parameters": own})
        return found

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
            for _, each in matrix.combinations(panel, f"{where}: panels"):
                check_known(where, "experiment", [each.experiment], self.written.experiments)
                yield each.experiment, "", each


def read(path: Path, scale: str, guests: Mapping[str, Guest]) -> Source:
    """Read a file, expand its matrices, and check what refers to experiments."""
    written, id = strict_yaml.validated(strict_yaml.read_yaml(path), model.Study, str(path)), path.stem
    if not re.match(STUDY_ID, id):
        raise InputError(f"{path}: '{id}' cannot be used as a name here; rename the file like {STUDY_ID}")
    experiments = matrix.expanded(written.experiments, f"{path}: experiments")
    figures = matrix.expanded(written.figures, f"{path}: figures")
    written = written.model_copy(update={"experiments": experiments, "figures": figures})
    for name, policy in written.policies.items():
        check_known(f"{path}: policies.{name}.more_runs", "experiment", policy.more_runs, experiments)
    guests = {name: guest for name, guest in guests.items() if guest.papers is None or id in guest.papers}
    for name in guests.keys() & written.policies.keys():
        raise InputError(f"{GUESTS}.{name}: a policy of {id} has this name; choose another")
    source = Source(id, str(path), scale, written, guests)
    for id, experiment in experiments.items():
        where, other = f"{path}: experiments.{id}.stream", experiment.stream
        check_known(where, "experiment", filter(None, [other]), written.independent)
        if other and source.environment(id) != source.environment(other):
            raise InputError(f"{where}: {other} has another environment; write the same in both")
    return arena.at_scale(source) if written.arena else source
