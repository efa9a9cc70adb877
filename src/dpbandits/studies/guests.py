"""Your own policies, from config/config.yaml, among those of the studies' experiments.

A guest plays an experiment of its family if each parameter that it takes is set there, or swept by
a policy there; the guest then sweeps it, too. It plays neither supplementary experiments nor the
longer games of an arena.
"""

from collections.abc import Mapping
from typing import Any

from dpbandits import bandits
from dpbandits.errors import check_known, within
from dpbandits.parameters import declared
from dpbandits.policies import POLICIES
from dpbandits.studies.entries import GuestEntry, PolicyPart
from dpbandits.studies.experiment import is_of_the_paper
from dpbandits.studies.settings import GUESTS
from dpbandits.studies.strict_yaml import validated
from dpbandits.studies.study_files import ArenaFile, PaperFile

NOT_CHECKED = "(promise not checked)"  # in the legend, if the guest's class has no `privacy`
SYMBOLS = {"epsilon": "ε", "eps0": "ε₀", "alpha": "α"}


def read_guests(settings: Mapping[str, Any]) -> dict[str, GuestEntry]:
    """The guests of config/config.yaml."""
    guests = {}
    for name, setting in settings.items():
        guest = validated(setting, GuestEntry, f"{GUESTS}.{name}")
        with within(f"{GUESTS}.{name}"):
            accepted = declared(POLICIES.find(guest.algorithm))
            for key in ("takes", "parameters"):
                names = getattr(guest, key) or ()
                check_known(key, f"parameter of {guest.algorithm}", names, accepted)
        if guest.takes is None:  # it takes what has no default
            required = [name for name, each in accepted.items() if each.is_required]
            takes = [name for name in required if name not in guest.parameters]
            guest = guest.changed(takes=takes)
        guests[name] = guest
    return guests


def joining(
    file: PaperFile | ArenaFile,
    id: str,
    guests: Mapping[str, GuestEntry],
    playing: Mapping[str, PolicyPart],
    runs_of_paper: int | None,
) -> dict[str, PolicyPart]:
    """The guests that join the policies of an experiment.

    A guest stays away if all panels are drawn along parameters that it lacks.
    """
    experiment, joined = file.experiments[id], dict[str, PolicyPart]()
    if not guests or not is_of_the_paper(id) or experiment.stream:
        return joined
    drawn = [
        panel for name in file.figures if is_of_the_paper(name) for _, panel in file.panels_of(name)
    ]
    along = {panel.along for panel in drawn if panel.experiment == id} or {""}
    family = bandits.BANDITS.family_of(experiment.environment["kind"])
    for name, guest in guests.items():
        asks = {*guest.takes} - {*experiment.parameters}
        swept = next((p.sweep for p in playing.values() if p.swept in asks), {})
        sweep = dict(list(swept.items())[:1])  # without parameters that change with it
        if (
            POLICIES.family_of(guest.algorithm) == family
            and along & {"", *guest.takes, *guest.parameters}
            and {*experiment.parameters, *sweep}.issuperset(guest.takes)
        ):
            joined[name] = _policy(guest, sweep, runs_of_paper)
    return joined


def _policy(guest: GuestEntry, sweep: Mapping[str, list], runs_of_paper: int | None) -> GuestEntry:
    """The guest in an experiment.

    A sweep has the paper's number of runs: with fifty times as many, sixty values of epsilon would
    take a night.
    """
    label = guest.label
    for parameter in sweep:
        if f"{{{parameter}" not in label:
            label += f", {SYMBOLS.get(parameter, parameter)} = {{{parameter}}}"
    note = "" if POLICIES.find(guest.algorithm).states_privacy() else NOT_CHECKED
    takes = [name for name in guest.takes if name not in sweep]
    swept = {"sweep": sweep, "runs": runs_of_paper} if sweep else {}
    return guest.changed(label=f"{label} {note}".strip(), takes=takes, **swept)
