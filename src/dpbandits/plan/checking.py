"""Checks what a study refers to: its experiments, algorithms, environments, bounds, measures and tests, and their parameters.

Names that the expansion looks up are known already; here every algorithm and environment is imported, before the first job starts.
"""

from dpbandits import parameters
from dpbandits.audit import promises
from dpbandits.environments import Environment
from dpbandits.environments.arms._stochastic import Stochastic
from dpbandits.environments.arms.drawn_arms import DrawnArms
from dpbandits.errors import InputError, check_known, nearest
from dpbandits.studies import playable
from dpbandits.studies.sentence import PRIVACY, Sentence, Test, kind_of
from dpbandits.studies.source import GUESTS
from dpbandits.studies.study import Experiment, Figure, Policy, Study
from dpbandits.theory import bounds
from dpbandits.verdicts.judging import compares_experiments, keys_of, measures_of, needs_runs, series_named
from dpbandits.verdicts.sentences import ON_AVERAGE


def check(study: Study) -> None:
    """Raise InputError for the first entry of a study's file, or the first guest in it, that cannot be run or judged."""
    checked: set[tuple] = set()  # many experiments play the same series on environments of the same kind and size
    games: dict[tuple[str, int], str] = {}  # instance, length -> the experiment that has these cells in an arena
    for id, experiment in study.experiments.items():
        environment = _check_environment(study, experiment)
        T = experiment.design.horizon
        first = games.setdefault((experiment.instance, T), id)
        if study.arena and first != id:
            raise InputError(
                f"{study.file}: experiments.{id}: its horizon, {T}, is that of {first}, on the same instance; "
                "change one of them, or remove the experiment"
            )
        for policy in experiment.policies:
            _check_policy(study, experiment, policy, environment, checked)
    for figure in study.figures.values():
        _check_bounds(figure, study)
    kinds: dict[str, str] = {}  # test -> the kind of the sentence that defines it
    for name, sentence in study.sentences.items():
        _check_sentence(sentence, name, study, kinds)


# Experiments.


def _check_environment(study: Study, experiment: Experiment) -> Environment:
    """Make the environment of an experiment, and check it."""
    where, name = f"{study.file}: experiments.{experiment.id}", study.written.experiments[experiment.id].environment
    place = f"{study.file}: environments.{name}" if isinstance(name, str) else f"{where}.environment"
    try:
        environment = playable.environment_of(experiment.environment)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    try:
        environment.check(experiment.design.horizon)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    if "locked_in" in experiment.design.columns and "means" not in experiment.environment:
        kind = experiment.environment["kind"]
        raise InputError(
            f"{where}: design: columns: locked_in needs 'means', which kind '{kind}' has not; leave it out"
        )
    if study.arena:
        _check_scored(experiment, environment, place)
    return environment


def _check_scored(experiment: Experiment, environment: Environment, where: str) -> None:
    """Raise InputError if a score cannot be computed for this environment."""
    if not isinstance(environment, Stochastic) or isinstance(environment, DrawnArms):
        raise InputError(
            f"{where}: an arena scores policies on Bernoulli, Beta or uniform arms; '{experiment.environment['kind']}' are "
            "others: write kind: bernoulli, beta or uniform (drawn_arms with shuffled: true)"
        )
    second, best = sorted(environment.arms.means)[-2:]
    if second == best:
        raise InputError(f"{where}: means: two arms are best, {best:g}; a score needs a gap: lower one of them")
    if len(experiment.readings) > 1:
        raise InputError(
            f"{where}: an arena has one reading, and {experiment.id} has two: leave out 'published' and 'corrected' of the "
            "experiment and of its policies"
        )


def _check_policy(
    study: Study, experiment: Experiment, policy: Policy, environment: Environment, checked: set[tuple]
) -> None:
    """Raise InputError if a policy cannot play an experiment."""
    for series in policy.series:
        size = (experiment.environment["kind"], environment.number_of_arms, experiment.design.horizon)
        key = (series.algorithm, repr(series.parameters), repr(series.regret), *size)
        if key in checked:
            continue
        checked.add(key)
        try:
            playable.check_playable(series, *size)
            parameters.check(environment.curves, series.regret, "regret")
            if policy.guest and (policy.id,) not in checked:  # its promise is looked at once
                checked.add((policy.id,))
                promises.promise_of(series.algorithm, series.parameters, size[2], size[1])
        except InputError as error:
            reading = f" ({series.reading} reading)" if series.reading else ""
            where = f"{study.file}: experiments.{experiment.id}.policies.{series.name}{reading}"
            where = f"{GUESTS}.{policy.id}: in {study.id} {experiment.id}" if policy.guest else where
            raise InputError(f"{where}: {error}") from None


# Figures.


def _check_bounds(figure: Figure, study: Study) -> None:
    where = f"{study.file}: figures.{figure.id}"
    for panel in figure.panels:
        check_known(f"{where}: regimes", "regimes", filter(None, [panel.regimes]), bounds.REGIMES)
        check_known(f"{where}: overlay", "bound", panel.overlay.values(), bounds.BOUNDS)
        given = [series.parameters.keys() for series in study.experiments[panel.experiment].series.values()]
        for bound in panel.overlay.values():
            needed = bounds.required_parameters(bound)
            if not any(needed <= each for each in given):
                raise InputError(
                    f"{where}: overlay: '{bound}' needs {', '.join(sorted(needed))}, and no series of {panel.experiment} "
                    "has all of these"
                )


# Sentences and tests.


def _check_sentence(sentence: Sentence, name: str, study: Study, kinds: dict[str, str]) -> None:
    """Raise InputError if a sentence cannot have a verdict by its tests and its rule."""
    where, kind = f"{study.file}: sentences.{name}", kind_of(name)
    for id, test in sentence.tests.items():
        if id in kinds:
            raise InputError(f"{where}.tests: another sentence defines {id}; name it under same_tests here")
        kinds[id] = kind
        _check_test(test, study, f"{where}.tests.{id}")
    check_known(f"{where}.same_tests", "test of an earlier sentence", sentence.same_tests, kinds)
    for id in sentence.same_tests:
        if kinds[id] != kind:
            raise InputError(f"{where}.same_tests: {id} tests a sentence of kind '{kinds[id]}'; write a test for each")
    tests = {id: study.tests[id] for id in sentence.all_tests}
    if tests and isinstance(sentence.untested, str) and sentence.untested:
        raise InputError(f"{where}: tests test it, or nothing can; remove the tests or 'untested'")
    if not tests and not sentence.untested:
        raise InputError(f"{where}: write the tests that test it, or under 'untested' why nothing can")
    if sentence.rule == ON_AVERAGE and len({str(test.thresholds) for test in tests.values()}) > 1:
        raise InputError(f"{where}.rule: the thresholds of its tests differ; 'on average' needs one for all")
    if kind == PRIVACY and sentence.rule == ON_AVERAGE:
        raise InputError(
            f"{where}.rule: a promise is not kept 'on average'; write in all panels, or leave the rule out"
        )
    for id, test in tests.items() if kind == PRIVACY else ():
        if set(test.thresholds) != {"at_most"} or needs_runs(measures_of(study.id)[test.measure]):
            raise InputError(
                f"{where}.tests: {id} does not compare a ledger with a promise: measure what is spent, and expect it "
                "at_most what is promised"
            )


def _check_test(test: Test, study: Study, where: str) -> None:
    """Raise InputError if a test cannot be measured."""
    known = measures_of(study.id)
    check_known(f"{where}.expect", "measure", [test.measure], known)
    measure = known[test.measure]
    parameters.check(measure, test.arguments, f"{where}.expect.{test.measure}")
    for key, names in (("bound", bounds.BOUNDS), ("theorem", bounds.THEOREMS)):
        if key in test.arguments:
            check_known(f"{where}.expect", key, [test.arguments[key]], names)
    check_known(f"{where}.experiments", "experiment", test.experiments, [*study.experiments, *study.figures])
    experiments = [study.experiments[id] for id in study.experiments_of(test.experiments)]
    if not experiments:
        raise InputError(f"{where}.experiments: these figures draw no experiment; name others")
    for key, series in series_named(test):
        without = [e for e in experiments if series not in {*e.by_name, *(p.id for p in e.policies)}]
        if without and (not compares_experiments(measure) or len(without) == len(experiments)):
            known_here = nearest(series, without[0].by_name)
            raise InputError(f"{where}.expect.{key}: {without[0].id} has no series '{series}'; {known_here}")
    names = {name for e in experiments for each in e.by_reading for name in keys_of(each)} - {""}
    for key, texts in (("cause", test.cause), ("zero_error_because", test.zero_error_because)):
        check_known(f"{where}.{key}", "experiment or reading", texts, names)
