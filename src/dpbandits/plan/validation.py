"""Check that policies, bandits, bounds and measures exist and can be used.

`studies.reading` has looked up the names of a study's own entries. Here every policy and
bandit is imported and tried before the first job starts.
"""

from dpbandits import parameters, playable
from dpbandits.bandit import Bandit
from dpbandits.bandits.arms.drawn_arms import DrawnArms
from dpbandits.bandits.stochastic import ArmsBandit
from dpbandits.checks.measurement import series_in
from dpbandits.checks.placing import MEASURES, compares_experiments, keys_of, needs_runs
from dpbandits.errors import InputError, check_known, within
from dpbandits.studies.claim import (
    EXPERIMENT,
    LEDGER,
    OURS,
    PRIVACY,
    STATED,
    Check,
    Claim,
    kind_of,
    without_ledger,
)
from dpbandits.studies.experiment import Experiment
from dpbandits.studies.guests import GUESTS
from dpbandits.studies.model import Figure, Study
from dpbandits.studies.sentences import PROMISE
from dpbandits.studies.things import BOTH
from dpbandits.theory import bounds


def check(study: Study) -> None:
    """Raise InputError for the first entry or guest that cannot be run or judged."""
    _check_experiments(study)
    for figure in study.figures.values():
        with within(f"{study.file}: figures.{figure.id}"):
            _check_bounds(figure, study)
    kinds: dict[str, str] = {}  # check -> the kind of the claim that defines it
    for name, claim in study.claims.items():
        with within(f"{study.claims_file}: {name}"):
            _validate_claim(claim, kind_of(name), study, kinds)


def _check_experiments(study: Study) -> None:
    for id, experiment in study.experiments.items():
        kind, T = experiment.environment["kind"], experiment.design.horizon
        with within(f"{study.file}: experiments.{id}"):
            with within("environment"):
                bandit = experiment.bandit
                playable.check_bandit(bandit)
            playable.check_games(bandit, T, experiment.design.rounds)
            if "locked_in" in experiment.design.columns and "means" not in experiment.environment:
                remedy = f"kind '{kind}' has none; leave it out"
                raise InputError(f"design: columns: locked_in needs 'means', and {remedy}")
            if study.arena:
                _check_scored(experiment, bandit, study)
        for series in experiment.series.values():
            policy, rounds = experiment.policies[series.policy], experiment.design.rounds
            reading = f" ({series.reading} reading)" if series.reading else ""
            place = f"{study.file}: experiments.{id}.policies.{series.name}{reading}"
            if policy.guest:
                place = f"{GUESTS}.{policy.id}: in {study.id} {id}"
                rounds = (T,)  # not the shorter games, which a user did not choose
            with within(place):
                playable.check_policy(series.as_written, bandit, T, rounds)
                parameters.check(bandit.curves, series.regret, "regret")
                if policy.guest:  # its class is the user's own
                    series.as_written.account(T, bandit.number_of_arms)


def _check_scored(experiment: Experiment, bandit: Bandit, study: Study) -> None:
    """Raise InputError if an arena cannot score policies here."""
    instance, T = experiment.instance, experiment.design.horizon
    first = next(
        e.id for e in study.experiments.values() if (e.instance, e.design.horizon) == (instance, T)
    )
    if first != experiment.id:
        says = f"its horizon, {T}, is that of {first}, on the same instance"
        raise InputError(f"{says}; change one of them, or remove the experiment")
    records_nash = isinstance(bandit, DrawnArms) and not bandit.shuffled
    if not isinstance(bandit, ArmsBandit) or records_nash:
        kind = experiment.environment["kind"]
        remedy = "write kind: bernoulli, beta or uniform_rewards (drawn_arms with shuffled: true)"
        raise InputError(f"environment: an arena cannot score policies on '{kind}'; {remedy}")
    second, best = sorted(bandit.arms.means)[-2:]
    if second == best:
        remedy = "a score needs a gap: lower one of them"
        raise InputError(f"environment: means: two arms are best, {best:g}; {remedy}")
    if len(experiment.by_reading) > 1:
        remedy = "leave out 'published' and 'corrected' of the experiment and of its policies"
        raise InputError(f"an arena has one reading, and {experiment.id} has two: {remedy}")


def _check_bounds(figure: Figure, study: Study) -> None:
    for panel in figure.panels:
        check_known("regimes", "regimes", filter(None, [panel.regimes]), bounds.REGIMES)
        check_known("overlay", "bound", panel.overlay.values(), bounds.BOUNDS)
        experiment = study.experiments[panel.experiment]
        parameters_of = [series.parameters.keys() for series in experiment.series.values()]
        for bound in panel.overlay.values():
            needed = bounds.required_parameters(bound)
            if not any(needed <= names for names in parameters_of):
                lacks = f"no series of {panel.experiment} has all of these"
                names = ", ".join(sorted(needed))
                raise InputError(f"overlay: '{bound}' needs {names}, and {lacks}")


def _validate_claim(claim: Claim, kind: str, study: Study, kinds: dict[str, str]) -> None:
    """Raise InputError if no answer can follow. `kinds`: id of an earlier check -> its kind."""
    for id, check in claim.checks.items():
        if id in kinds:
            raise InputError(f"checks: another claim defines {id}; name it under same_checks here")
        kinds[id] = kind
        with within(f"checks.{id}"):
            _validate_check(check, study)
    check_known("same_checks", "check of an earlier claim", claim.same_checks, kinds)
    checks = {id: study.checks[id] for id in claim.all_checks}
    for id, check in checks.items():
        if kinds[id] != kind:
            raise InputError(
                f"same_checks: {id} checks a claim of kind '{kinds[id]}'; write a check for each"
            )
        if kind == PRIVACY and (check.sentence != PROMISE or needs_runs(MEASURES[check.measure])):
            remedy = f"write sentence: {PROMISE}"
            raise InputError(f"checks: {id} does not compare a ledger with a promise: {remedy}")
    if kind == PRIVACY and (lacking := without_ledger(checks.values())):
        remedy = f"add one with {LEDGER} of {lacking[0]}"
        raise InputError(f"checks: lower bounds alone prove no promise; {remedy}")
    for reading in study.readings_of_claims:
        stated, where = claim.stated_in(reading), "" if reading == BOTH else f" ({reading})"
        if len(stated) > 1:
            raise InputError(f"{' and '.join(stated)} answer it{where}; keep one of them")
        if "refutation" in stated and kind in (EXPERIMENT, OURS):
            remedy = "write a check, which may rest on our reconstruction"
            raise InputError(f"refutation: only a number contradicts an experiment: {remedy}")
        if not stated and not checks:
            remedy = f"write checks, or one of {', '.join(STATED)} with a reason"
            raise InputError(f"nothing answers it{where}: {remedy}")
    if checks and (
        everywhere := [
            key for key in STATED if isinstance(getattr(claim, key), str) and getattr(claim, key)
        ]
    ):
        raise InputError(
            f"{everywhere[0]}: it leaves nothing to check; remove it, or name a reading"
        )


def _validate_check(check: Check, study: Study) -> None:
    """Raise InputError if a check cannot be measured."""
    check_known("expect", "measure", [check.measure], MEASURES)
    measure = MEASURES[check.measure]
    parameters.check(measure, check.arguments, f"expect.{check.measure}")
    if (bound := check.arguments.get("bound")) is not None:
        check_known("expect", "bound", [bound], bounds.BOUNDS)
    experiments = [study.experiments[id] for id in study.experiments_of(check.experiments)]
    if not experiments:
        raise InputError("experiments: these figures draw no experiment; name others")
    known_in = [{*experiment.by_name, *experiment.policies} for experiment in experiments]
    series = set.union(*known_in) if compares_experiments(measure) else set.intersection(*known_in)
    check_known("expect", "series of these experiments", check.series, series)
    needed = bounds.required_parameters(bound) if bound else set()
    for experiment in experiments:
        for name in series_in(experiment, check.series):
            if lacking := needed - experiment.by_name[name].parameters.keys():
                says = f"'{bound}' needs {', '.join(sorted(lacking))}, and {name} has none"
                raise InputError(f"expect: {says} in {experiment.id}")
    names = {name for e in experiments for each in e.by_reading for name in keys_of(each)} - {""}
    for key in ("cause", "zero_error_because", "by_construction"):
        if not isinstance(texts := getattr(check, key), str):
            check_known(key, "experiment or reading", texts, names)
