"""What an arena adds to a study: a series for each epsilon, who is left out, and second selves that keep their promise."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dpbandits.audit.promises import promise_of
from dpbandits.errors import InputError, nearest
from dpbandits.studies import model, playable
from dpbandits.studies.study import Arena, Experiment, Member, Policy, Series

KEPT = "-kept"  # the end of the id of a policy at the epsilon at which it keeps its promise
KEPT_LABEL = "{} (at the ε kept)"
ATTEMPTS = 60


def at_scale(
    written: model.Paper, experiments: Mapping[str, model.Experiment], file: str, scale: str
) -> tuple[model.Paper, dict[str, model.Experiment]]:
    """The study with the arena of a scale: policies with a series for each epsilon, experiments without who is left out."""
    arena, where = written.arena, f"{file}: arena"
    smaller = model.SmallerArena() if scale == "paper" else getattr(arena, scale)
    _check_names(written, smaller, scale, experiments, where)
    scored = arena.experiments or [id for id, experiment in experiments.items() if not experiment.stream]
    chosen, epsilons = smaller.experiments or scored, smaller.epsilons or arena.epsilons
    found = {}
    for id, experiment in experiments.items():
        instance = experiment.stream or id
        out = {policy for policy, reasons in arena.left_out.items() if instance in reasons}
        joined = {policy: changes for policy, changes in experiment.policies.items() if policy not in out}
        if (instance in chosen or instance not in scored) and joined:
            found[id] = experiment.model_copy(update={"policies": joined})
    policies = {name: _over(epsilons, policy, f"{file}: policies.{name}") for name, policy in written.policies.items()}
    arena = arena.model_copy(update={"epsilons": epsilons, "experiments": chosen})
    return written.model_copy(update={"arena": arena, "policies": policies}), found


def _check_names(
    written: model.Paper,
    smaller: model.SmallerArena,
    scale: str,
    experiments: Mapping[str, model.Experiment],
    where: str,
) -> None:
    arena, instances = written.arena, [id for id, experiment in experiments.items() if not experiment.stream]
    named = [("yardstick", [arena.yardstick], "policy", written.policies)]
    named += [("left_out", arena.left_out, "policy", written.policies)]
    named += [(f"left_out.{policy}", of, "experiment", instances) for policy, of in arena.left_out.items()]
    named += [("experiments", arena.experiments or (), "experiment", instances)]
    named += [(f"{scale}.experiments", smaller.experiments or (), "experiment", arena.experiments or instances)]
    for key, names, what, known in named:
        for name in names:
            if name not in known:
                raise InputError(f"{where}.{key}: unknown {what} '{name}'; {nearest(name, known)}")


def _over(epsilons: list[float], policy: model.Policy, where: str) -> model.Policy:
    """A policy with a series for each epsilon, if it takes epsilon."""
    if policy.sweep:
        raise InputError(f"{where}: sweep: the only sweep of an arena is over its epsilons; write a policy per value")
    if "epsilon" not in policy.takes:
        return policy
    takes = [parameter for parameter in policy.takes if parameter != "epsilon"]
    return policy.model_copy(update={"takes": takes, "sweep": {"epsilon": list(epsilons)}})


def expanded(
    written: model.Paper, id: str, file: str, experiments: Mapping[str, Experiment], labels: Mapping[str, str]
) -> Arena:
    """The arena of a study whose experiments are expanded. `labels`: policy -> its label without epsilon."""
    arena, members = written.arena, {}
    for name, policy in written.policies.items():
        private = "epsilon" in (policy.sweep or {})
        members |= members_of(name, Member(labels[name], policy.family, private), experiments)
    return Arena(
        id=id,
        file=file,
        about=arena.about,
        epsilons=tuple(arena.epsilons),
        instances={base: experiments[base].label for base in arena.experiments if base in experiments},
        yardstick=arena.yardstick,
        members=members,
        left_out={
            (policy, instance): reason
            for policy, reasons in arena.left_out.items()
            for instance, reason in reasons.items()
            if instance in arena.experiments
        },
    )


def members_of(name: str, member: Member, experiments: Mapping[str, Experiment]) -> dict[str, Member]:
    """A policy and, if it plays a second time, its second self."""
    playing = {p.id: p for experiment in experiments.values() for p in experiment.policies if name in (p.id, p.first)}
    second = next((policy.id for policy in playing.values() if policy.first), "")
    found = {name: replace(member, second=second)}
    if second:
        found[second] = replace(member, label=KEPT_LABEL.format(member.label), first=name)
    return {id: replace(m, series=playing[id].series[0]) if id in playing else m for id, m in found.items()}


def with_second_self(
    policy: Policy, equal_privacy: bool, environment: Mapping[str, Any], horizon: int, where: str
) -> tuple[Policy, ...]:
    """A policy and, if its privacy is to be equal and it spends more than it promises, the same at the epsilon that it keeps.

    InputError, which begins with `where`, for a policy that cannot be played.
    """
    if not equal_privacy:
        return (policy,)
    try:
        number_of_arms = playable.environment_of(environment).number_of_arms
    except InputError:  # it is no fault of the policy; the check of the whole study names the environment
        return (policy,)
    kept = []
    for series in policy.series:
        try:
            playable.check_playable(series, environment["kind"], number_of_arms, horizon)
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
        kept.append(_at_kept_epsilon(series, horizon, number_of_arms))
    second = tuple(series for series in kept if series is not None)
    return (policy, replace(policy, id=policy.id + KEPT, series=second, first=policy.id)) if second else (policy,)


def _at_kept_epsilon(series: Series, horizon: int, number_of_arms: int) -> Series | None:
    """The series at the epsilon at which it spends no more than it promises; None if it keeps its promise, or never can."""
    account = promise_of(series.algorithm, series.parameters, horizon, number_of_arms)
    if account is None or account.kept or "epsilon" not in series.parameters:
        return None
    promised, spent, epsilon = account.epsilon, account.spent, series.parameters["epsilon"]
    for _ in range(ATTEMPTS):  # one step suffices where the ledger is proportional to epsilon
        epsilon *= promised / spent
        kept = {**series.parameters, "epsilon": epsilon}
        spent = promise_of(series.algorithm, kept, horizon, number_of_arms).spent
        if spent <= promised * (1 + 1e-9):
            return replace(
                series,
                id=series.id.replace(series.policy, series.policy + KEPT, 1),
                label=KEPT_LABEL.format(series.label),
                parameters=kept,
                policy=series.policy + KEPT,
            )
        if not 0 < epsilon < float("inf") or spent == float("inf"):
            return None
    return None
