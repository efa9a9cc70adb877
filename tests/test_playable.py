"""A policy in the form of an earlier version is refused in one line that says what to write."""

import pytest

from dpbandits import Bernoulli, compare
from dpbandits.drivers.episodes import EpisodePolicy
from dpbandits.drivers.index import IndexPolicy
from dpbandits.errors import InputError, one_line
from dpbandits.kernels import kernel
from dpbandits.policy import ArmsPolicy

GAMES = {"on": Bernoulli([0.9, 0.6]), "horizon": 20, "n_runs": 2}
INDEX = "def index(self, s, n, t): return s / n"
PLAY = "def play(self, run): "
REPORT = "def report(self, rng, reward): return "
LAPLACE = "write releases.laplace(value, scale), where releases is run.releases or an argument"
FORMS = [  # base class, methods, message
    (
        ArmsPolicy,
        ["def play(self, rng, arms, horizon, journal): pass"],
        "play(self, rng, arms, horizon, journal) should be play(self, run), where ",
    ),
    (
        ArmsPolicy,
        [PLAY + "run.rng.release(run.play(0)[0], 1.0)"],
        f"AttributeError: 'Stream' object has no attribute 'release'; {LAPLACE}",
    ),
    (
        ArmsPolicy,
        [PLAY + "kernel(lambda run: run.rng.release_gaussian(1.0, 1.0))(run)"],
        f"TypingError: Unknown attribute 'release_gaussian' of type Stream; {LAPLACE}",
    ),
    (
        ArmsPolicy,
        [PLAY + "kernel(lambda run: run.t)(run)"],
        "attribute 't' of type Run; count in the kernel: for t in range(run.horizon)",
    ),
    (
        ArmsPolicy,
        [PLAY + "kernel(lambda run: run.play_in_turn([0, 1], run.horizon))(run)"],
        "np.arange(K) or np.zeros(K), and no list",
    ),
    (
        ArmsPolicy,
        [PLAY + "self.rule(run.horizon, run.K)"],
        "object has no attribute 'rule'; write self.compiled(horizon, number_of_arms)",
    ),
    (
        IndexPolicy,
        ["def terms(self, s, n): return s / n", "def score(self, terms, growth): return terms"],
        "no 'index'; write def index(self, s, n, t) in place of 'terms' and 'score'",
    ),
    (
        EpisodePolicy,
        ["def index_at(self, x, h, t): return x", "def update(self, *arguments): return 0.0, 1"],
        "has no 'index' or 'choose'; write def index(self, x, h, t) in place of 'index_at'",
    ),
    (
        IndexPolicy,
        [INDEX, "def exceeds(self, arm, growth, level): return True"],
        "'exceeds' is a method of a short cut; write it in a class of its own, and short_",
    ),
    (
        IndexPolicy,
        [INDEX, "def statistics(self, s, n): return s / n"],
        "statistics returns 0.0; write a tuple, such as s / n, n",
    ),
    (
        IndexPolicy,
        [INDEX, REPORT + "rng.release(reward, 1.0)"],
        f"TypingError: Unknown attribute 'release' of type Releases; {LAPLACE}",
    ),
    (
        IndexPolicy,
        [INDEX, REPORT + "reward if rng.random() < 0.5 else 0.0"],
        "'random' of type Releases; random numbers for choices are methods of releases.rng",
    ),
]


def policy_of(base, methods):
    """A policy that a user has written."""
    module = {"Base": base, "kernel": kernel, "__name__": __name__}
    exec("\n ".join(["class Mine(Base):", *methods]), module)
    return module["Mine"]()


@pytest.mark.parametrize(("base", "methods", "message"), FORMS)
def test_a_former_form_is_refused_in_one_line(base, methods, message):
    with pytest.raises(InputError) as refusal:
        compare([policy_of(base, methods)], **GAMES)
    assert message in str(refusal.value)
    assert len(str(refusal.value)) < 250


def test_a_former_import_is_refused_in_one_line():
    with pytest.raises(ImportError) as refusal:
        from dpbandits.bandits.arms import note, pull  # noqa: F401
    assert one_line(refusal.value).endswith(
        "dpbandits.bandits.arms has no 'note'; write def play(self, run), where run.play(a) pulls "
        "arm a and counts it"
    )


def test_other_failures_keep_their_traceback():
    with pytest.raises(AttributeError, match="undefined"):
        compare([policy_of(ArmsPolicy, [PLAY + "self.undefined"])], **GAMES)
