"""A validated file on its way to a study: its matrices are expanded, and guests are among its policies."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from dpbandits.studies import model


@dataclass(frozen=True)
class Source:
    """A validated file with its matrices expanded."""

    id: str
    file: str
    paper: model.Paper
    experiments: Mapping[str, model.Experiment]
    figures: Mapping[str, model.Figure]
    guests: Mapping[tuple[str, str], model.Policy] = field(default_factory=dict)  # by experiment and guest

    def policy(self, experiment: str, name: str) -> model.Policy:
        """A policy as it plays an experiment."""
        return self.guests.get((experiment, name)) or self.paper.policies[name]

    def place(self, experiment: str, name: str) -> str:
        """The beginning of an error message about a policy in an experiment."""
        if (experiment, name) in self.guests:
            return f"config/config.yaml: guests.{name}: in {self.id} {experiment}"
        return f"{self.file}: experiments.{experiment}.policies.{name}"

    def environment(self, experiment: str) -> model.Environment:
        """The environment of an experiment, looked up if it is given by name."""
        environment = self.experiments[experiment].environment
        return self.paper.environments[environment] if isinstance(environment, str) else environment

    def design(self, experiment: str) -> model.Design:
        """The paper's design with the experiment's changes, at the paper's scale."""
        changed = self.experiments[experiment].design.as_written()
        return model.Design(**{**self.paper.design.as_written(), **changed})
