"""A study's file at one scale, with its matrices expanded and its names looked up; from it `expansion` makes the study."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from dpbandits.errors import InputError, check_known
from dpbandits.studies import arena, matrix, model, strict_yaml
from dpbandits.studies.settings import Guest

STUDY_ID = r"^[a-z][a-z0-9-]*$"
GUESTS = "config/config.yaml: guests"  # begins messages about them


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

    @cached_property
    def panels(self) -> dict[str, list[tuple[str, model.Panel]]]:
        """Figure -> its panels, each with the id of the figure that it is by itself, or ""."""
        alone, found = {}, {}
        for id, figure in self.written.figures.items():
            if figure.kind == "curves" and figure.panels is None:
                keys = figure.model_dump(include=set(model.Drawn.model_fields), exclude_unset=True)
                alone[id] = model.Panel(**keys, experiment=figure.experiment or id)
        for id, figure in self.written.figures.items():
            where, shown = f"{self.file}: figures.{id}", [(id, alone[id])] if id in alone else []
            of_a_panel = figure.model_fields_set & {*model.Drawn.model_fields, "experiment"} - {"title"}
            if of_a_panel and id not in alone:
                raise InputError(
                    f"{where}: only curves in a single panel may have '{min(of_a_panel)}'; each of several has its own"
                )
            if id not in alone and (figure.panels is None) != ("diagram" in figure.kind):
                raise InputError(f"{where}: points have 'panels', and a diagram has none")
            for panel in figure.panels or ():
                if isinstance(panel, str):
                    check_known(f"{where}: panels", "figure in a single panel", [panel], alone)
                    shown.append((panel, alone[panel]))
                else:
                    shown += [("", each) for _, each in matrix.combinations(panel, f"{where}: panels")]
            check_known(where, "experiment", [panel.experiment for _, panel in shown], self.written.experiments)
            found[id] = shown
        return found


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
    for name, experiment in experiments.items():
        where, other = f"{path}: experiments.{name}.stream", experiment.stream
        check_known(where, "experiment", filter(None, [other]), written.independent)
        if other and source.environment(name) != source.environment(other):
            raise InputError(f"{where}: {other} has another environment; write the same in both")
    return arena.at_scale(source) if written.arena else source
