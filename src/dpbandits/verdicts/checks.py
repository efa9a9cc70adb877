"""Refuses sentences and tests that cannot be judged: unknown measures, arguments, series, experiments, bounds or tests."""

from dpbandits import parameters
from dpbandits.errors import InputError, check_known, nearest
from dpbandits.studies.sentence import PRIVACY, Sentence, Test, kind_of
from dpbandits.studies.study import Paper
from dpbandits.theory import bounds
from dpbandits.verdicts.judging import names_of, series_named
from dpbandits.verdicts.measurement import border_of
from dpbandits.verdicts.measures import compares_experiments, measures_of, needs_runs
from dpbandits.verdicts.sentences import ON_AVERAGE


def check(study: Paper) -> None:
    """Raise InputError for the first sentence or test of a study that cannot be judged."""
    kinds: dict[str, str] = {}  # test -> the kind of the sentence that defines it
    for name, sentence in study.sentences.items():
        where = f"{study.file}: sentences.{name}"
        for id, test in sentence.tests.items():
            if id in kinds:
                raise InputError(f"{where}.tests: another sentence defines {id}; name it under same_tests here")
            kinds[id] = kind_of(name)
            _check_test(test, study, f"{where}.tests.{id}")
        check_known(f"{where}.same_tests", "test of an earlier sentence", sentence.same_tests, kinds)
        for id in sentence.same_tests:
            if kinds[id] != kind_of(name):
                raise InputError(
                    f"{where}.same_tests: {id} tests a sentence of kind '{kinds[id]}'; write a test for each"
                )
        _check_sentence(sentence, name, study, where)


def _check_sentence(sentence: Sentence, name: str, study: Paper, where: str) -> None:
    """Raise InputError if a sentence cannot have a verdict by its rule."""
    tests = [study.tests[id] for id in sentence.all_tests]
    if tests and isinstance(sentence.untested, str) and sentence.untested:
        raise InputError(f"{where}: tests test it, or nothing can; remove the tests or 'untested'")
    if not tests and not sentence.untested:
        raise InputError(f"{where}: write the tests that test it, or under 'untested' why nothing can")
    if sentence.rule == ON_AVERAGE and any(test.thresholds != tests[0].thresholds for test in tests):
        raise InputError(f"{where}.rule: the thresholds of its tests differ; 'on average' needs one for all")
    if kind_of(name) != PRIVACY:
        return
    if sentence.rule == ON_AVERAGE:
        raise InputError(
            f"{where}.rule: a promise is not kept 'on average'; write in all panels, or leave the rule out"
        )
    for id in sentence.all_tests:
        test = study.tests[id]
        if set(test.thresholds) != {"at_most"} or needs_runs(measures_of(study.id)[test.measure]):
            raise InputError(
                f"{where}.tests: {id} does not compare a ledger with a promise: measure what is spent, and expect it "
                "at_most what is promised"
            )


def _check_test(test: Test, study: Paper, where: str) -> None:
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
    if len(test.thresholds) > 1:
        _, low, high = border_of(test.thresholds) if set(test.thresholds) == {"at_least", "at_most"} else ("", 1, 0)
        if low > high:
            raise InputError(f"{where}.expect: two thresholds are written {{at_least: <low>, at_most: <high>}}")
    names = {name for e in experiments for each in e.by_reading for name in names_of(each)} - {""}
    for key, texts in (("cause", test.cause), ("zero_error_because", test.zero_error_because)):
        check_known(f"{where}.{key}", "experiment or reading", texts, names)
