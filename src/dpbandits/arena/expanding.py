"""Expands config/arena.yaml into experiments, one per instance and length of the game, which the workflow simulates."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dpbandits import algorithms, parameters
from dpbandits.arena.names import ID
from dpbandits.environments.arms.drawn_arms import drawn_arms
from dpbandits.environments.arms.shuffled_bernoulli import shuffled_bernoulli
from dpbandits.errors import InputError, nearest
from dpbandits.studies import arena_model, guests, model, playable, yaml_file
from dpbandits.studies.expansion import series_of
from dpbandits.studies.study import PUBLISHED, Claim, Design, Experiment, Policy, Series, checkpoints

LONG = "-long"  # the end of the id of an experiment with the long game
KEPT = "-kept"  # the end of the id of a policy at the epsilon at which it keeps its promise
KEPT_LABEL = "{} (at the ε kept)"
ATTEMPTS = 60


@dataclass(frozen=True)
class Member:
    """A policy of the arena: how figures name it, what kind of algorithm it is, and whether it stands a second time."""

    label: str
    family: str
    private: bool  # whether it takes epsilon
    guest: bool = False
    second: str = ""  # the id of its second self, at the epsilon that it keeps
    first: str = ""  # of a second self, the id of the policy


@dataclass(frozen=True)
class Arena:
    """config/arena.yaml, expanded for one scale."""

    id: str
    file: str
    title: str
    epsilons: tuple[float, ...]
    instances: Mapping[str, str]  # id -> label
    experiments: Mapping[str, Experiment]
    members: Mapping[str, Member]
    left_out: Mapping[tuple[str, str], str]  # (policy, instance) -> why
    claims: tuple[Claim, ...]
    refused: Mapping[str, str]  # guest -> why it does not take part

    def game(self, instance: str, long: bool = False) -> Experiment | None:
        """The experiment of an instance; None if nobody plays the long game there."""
        return self.experiments.get(instance + LONG if long else instance)


def load(path: str | Path, scale: str = "paper", settings: Mapping[str, Mapping] | None = None) -> Arena:
    """Read, validate and expand the arena for one scale; `settings` are the guests of config/config.yaml."""
    file = str(path)
    written = yaml_file.read(path, arena_model.Arena)
    smaller = None if scale == "paper" else getattr(written.scales, scale)
    epsilons = tuple((smaller and smaller.epsilons) or written.epsilons)
    chosen = (smaller and smaller.instances) or list(written.instances)
    for instance in chosen:
        if instance not in written.instances:
            known = nearest(instance, written.instances)
            raise InputError(f"{file}: scales.{scale}.instances: unknown instance '{instance}'; {known}")
    _check_left_out(written, file)
    invited, refused = _guests(settings or {}, written.policies)
    policies = {**written.policies, **invited}
    series = {name: _series(name, policy, epsilons, _where(file, name, invited)) for name, policy in policies.items()}
    means_of = {name: _means(one, f"{file}: instances.{name}") for name, one in written.instances.items()}
    experiments: dict[str, Experiment] = {}
    for instance in chosen:
        means = means_of[instance]
        for long in (False, True):
            id = instance + LONG if long else instance
            game = _game(written.long if long else written.design, smaller and (smaller.long if long else smaller))
            joined = []
            for name, policy in policies.items():
                if instance in written.left_out.get(name, {}) or (long and not policy.long):
                    continue
                for one in series[name]:
                    _check_series(one, game.horizon, len(means), f"{_where(file, name, invited)} on {id}")
                runs = policy.runs if policy.runs is not None and scale == "paper" else game.runs
                joined += _policies(name, policy, series[name], id, game.horizon, len(means), runs)
            if joined:
                experiments[id] = _experiment(id, instance, means, joined, game)
    return Arena(
        id=ID,
        file=file,
        title=written.title,
        epsilons=epsilons,
        instances={name: written.instances[name].label or name for name in chosen},
        experiments=experiments,
        members=_members(policies, invited, experiments),
        left_out={
            (policy, instance): reason
            for policy, instances in written.left_out.items()
            for instance, reason in instances.items()
            if instance in chosen
        },
        claims=tuple(_claim(name, claim, scale) for name, claim in written.claims.items()),
        refused=refused,
    )


def _where(file: str, name: str, invited: Mapping[str, Any]) -> str:
    return guests.where(name) if name in invited else f"{file}: policies.{name}"


def _check_left_out(written: arena_model.Arena, file: str) -> None:
    for policy, instances in written.left_out.items():
        if policy not in written.policies:
            raise InputError(f"{file}: left_out: unknown policy '{policy}'; {nearest(policy, written.policies)}")
        for instance in instances:
            if instance not in written.instances:
                known = nearest(instance, written.instances)
                raise InputError(f"{file}: left_out.{policy}: unknown instance '{instance}'; {known}")


def _guests(
    settings: Mapping[str, Mapping], own: Mapping[str, Any]
) -> tuple[dict[str, arena_model.Policy], dict[str, str]]:
    """The guests that play in the arena, and why others do not."""
    invited, refused = {}, {}
    for name, setting in settings.items():
        guest = guests.read_guest(name, setting)
        if guest.papers is not None and ID not in guest.papers:
            continue
        if name in own:
            raise InputError(f"{guests.where(name)}: a policy of the arena has this name; choose another")
        family = algorithms.family_of(guest.algorithm)
        others = [parameter for parameter in guest.takes if parameter != "epsilon"]
        if family != "arms":
            refused[name] = f"{guest.algorithm} plays {family}, while these are arms"
        elif others:
            refused[name] = f"it takes {' and '.join(others)}, and the arena has epsilon alone"
        else:
            invited[name] = arena_model.Policy(
                label=_without_epsilon(guest.label),
                family="guests",
                algorithm=guest.algorithm,
                takes=guest.takes,
                parameters=guest.parameters,
                equal_privacy="epsilon" in guest.takes,
            )
    return invited, refused


def _without_epsilon(label: str) -> str:
    """A guest's label as the name of all of its series: "Mine ({epsilon:g})" -> "Mine"."""
    short = re.sub(r"[ ,]*[(,][^(,]*\{epsilon.*$", "", label)
    return re.sub(r"\{epsilon[^}]*\}", "ε", short)


def _means(instance: arena_model.Instance, where: str) -> list[float]:
    """The means of an instance, checked."""
    if (instance.means is None) == (instance.drawn_arms is None):
        raise InputError(f"{where}: write either 'means' or 'drawn_arms'")
    if instance.drawn_arms is not None:
        given = instance.drawn_arms.as_written()
        parameters.check(drawn_arms, given, f"{where}.drawn_arms")
        return [float(mean) for mean in drawn_arms(**given).means]
    parameters.check(shuffled_bernoulli, {"means": instance.means}, where)
    second, best = sorted(instance.means)[-2:]
    if second == best:
        raise InputError(f"{where}: means: two arms are best, {best:g}; a lower bound needs a gap: lower one of them")
    return [float(mean) for mean in instance.means]


def _game(written: arena_model.Game, smaller: arena_model.SmallerGame | None) -> arena_model.Game:
    """The game of a scale."""
    if smaller is None:
        return written
    changed = {key: value for key in ("horizon", "runs") if (value := getattr(smaller, key)) is not None}
    return written.model_copy(update=changed)


def _experiment(
    id: str, instance: str, means: list[float], policies: list[Policy], game: arena_model.Game
) -> Experiment:
    """An experiment; both lengths of an instance have the stream of the instance, so that runs have the same arms."""
    design = Design(
        horizon=game.horizon,
        runs=game.runs,
        groups=1,
        block=game.runs,
        checkpoints=checkpoints(game.horizon, game.checkpoints.model_dump()),
        statistic="mean",
        gmd_scale="sigma",
    )
    return Experiment(id, instance, "", ID, {"kind": "shuffled_bernoulli", "means": means}, tuple(policies), design)


def _series(name: str, policy: arena_model.Policy, epsilons: tuple[float, ...], where: str) -> tuple[Series, ...]:
    """The series of a policy: one for each epsilon, if it takes epsilon."""
    swept = {"sweep": {"epsilon": list(epsilons)}} if policy.takes else {}
    plain = model.Policy(label=policy.label, algorithm=policy.algorithm, parameters=policy.parameters, **swept)
    return series_of(plain, name, {}, {}, PUBLISHED, where)


def _policies(
    name: str, policy: arena_model.Policy, series: tuple[Series, ...], home: str, horizon: int, K: int, runs: int
) -> list[Policy]:
    """A policy in an experiment and, if it spends more than it promises, once more at the epsilon that it keeps."""
    found = [Policy(name, home, series, runs)]
    if policy.equal_privacy and policy.takes:
        second = tuple(other for one in series if (other := _at_kept_epsilon(one, name, horizon, K)) is not None)
        found += [Policy(name + KEPT, home, second, runs)] if second else []
    return found


def _check_series(series: Series, horizon: int, number_of_arms: int, where: str) -> None:
    """Raise InputError if the arena cannot play a series."""
    try:
        algorithm = playable.module_of(series.algorithm)
        algorithms.check_family(series.algorithm, "shuffled_bernoulli")
        filled = parameters.check(algorithm.play, series.parameters, "parameters")
        if hasattr(algorithm, "check"):
            algorithm.check(horizon, number_of_arms, **filled)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _at_kept_epsilon(series: Series, name: str, horizon: int, number_of_arms: int) -> Series | None:
    """The series at the epsilon at which it spends no more than it promises; None if it keeps its promise, or never can."""
    promise = getattr(algorithms.find(series.algorithm), "privacy", None)
    if promise is None:
        return None
    account = promise(horizon, number_of_arms, **series.parameters)
    promised, spent, epsilon = account.epsilon, account.spent, series.parameters["epsilon"]
    if account.kept:
        return None
    for _ in range(ATTEMPTS):  # one step suffices where the ledger is proportional to epsilon
        epsilon *= promised / spent
        spent = promise(horizon, number_of_arms, **{**series.parameters, "epsilon": epsilon}).spent
        if spent <= promised * (1 + 1e-9):
            kept = {**series.parameters, "epsilon": epsilon}
            return replace(
                series,
                id=series.id.replace(name, name + KEPT, 1),
                label=KEPT_LABEL.format(series.label),
                parameters=kept,
                policy=name + KEPT,
            )
        if not 0 < epsilon < float("inf") or spent == float("inf"):
            return None
    return None


def _members(
    policies: Mapping[str, arena_model.Policy], invited: Mapping[str, Any], experiments: Mapping[str, Experiment]
) -> dict[str, Member]:
    """All policies in the order of the file, each before its second self."""
    playing = {policy.id for experiment in experiments.values() for policy in experiment.policies}
    found = {}
    for name, policy in policies.items():
        second = name + KEPT if name + KEPT in playing else ""
        member = Member(policy.label, policy.family, bool(policy.takes), guest=name in invited, second=second)
        found[name] = member
        if second:
            found[second] = replace(member, label=KEPT_LABEL.format(policy.label), second="", first=name)
    return found


def _claim(name: str, claim: arena_model.Claim, scale: str) -> Claim:
    ((measure, arguments),) = claim.measure.items()
    return Claim(
        id=name,
        says=claim.says,
        source="our own, written before the first run",
        experiments=(ID,),
        statistic="mean",
        predicate=measure,
        arguments=arguments,
        expect=claim.expect,
        cause={ID: claim.cause} if claim.cause else {},
        explained=scale == "paper",
    )


def guests_report(arena: Arena) -> list[str]:
    """A line for each guest: whether it takes part, and why not."""
    lines = [f"guest {name}: in the arena" for name, member in arena.members.items() if member.guest]
    return lines + [f"guest {name}: not in the arena: {reason}" for name, reason in arena.refused.items()]
