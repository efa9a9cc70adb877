"""A policy in the form of an earlier version is refused in one line that says what to write."""

import pytest

from dpbandits import Bernoulli, compare
from dpbandits.drivers.episodes import EpisodePolicy
from dpbandits.drivers.index import IndexPolicy
from dpbandits.errors import InputError, one_line
from dpbandits.kernels import kernel
from dpbandits.policy import ArmsPolicy


class FourArguments(ArmsPolicy):
    def play(self, rng, arms, horizon, journal):
        """Nothing."""


class TermsAndScore(IndexPolicy):
    def terms(self, s, n):
        return s / n

    def score(self, terms, growth):
        return terms


class IndexAt(EpisodePolicy):
    def index_at(self, x, h, t):
        return x

    def update(self, releases, a, x, h, total, m):
        return total / m, m


class Exceeds(IndexPolicy):
    def index(self, s, n, t):
        return s / n

    def exceeds(self, arm, growth, level):
        return True


class NoTuple(IndexPolicy):
    def statistics(self, s, n):
        return s / n

    def index(self, mean, t):
        return mean


class Release(ArmsPolicy):
    def play(self, run):
        run.rng.release(run.play(0)[0], 1.0)


class ReleaseInKernel(ArmsPolicy):
    def play(self, run):
        release(run)


@kernel
def release(run):
    run.rng.release_gaussian(run.play(0)[0], 1.0)


class Report(IndexPolicy):
    def report(self, rng, reward):
        return rng.release(reward, 1.0)

    def index(self, s, n, t):
        return s / n


class Choice(Report):
    def report(self, rng, reward):
        return reward if rng.random() < 0.5 else 0.0


class Rule(ArmsPolicy):
    def play(self, run):
        self.rule(run.horizon, run.K)


class RoundInKernel(ArmsPolicy):
    def play(self, run):
        round_of(run)


@kernel
def round_of(run):
    return run.t


class ListInKernel(ArmsPolicy):
    def play(self, run):
        play_a_list(run)


@kernel
def play_a_list(run):
    run.play_in_turn([0, 1], run.horizon)


LAPLACE = "write releases.laplace(value, scale), where releases is run.releases or an argument"
FORMS = [
    (FourArguments, "play(self, rng, arms, horizon, journal) should be play(self, run), where "),
    (TermsAndScore, "no 'index'; write def index(self, s, n, t) in place of 'terms' and 'score'"),
    (IndexAt, "has no 'index' or 'choose'; write def index(self, x, h, t) in place of 'index_at'"),
    (Exceeds, "'exceeds' is a method of a short cut; write it in a class of its own, and short_"),
    (NoTuple, "statistics returns 0.0; write a tuple, such as s / n, n"),
    (Release, f"AttributeError: 'Stream' object has no attribute 'release'; {LAPLACE}"),
    (
        ReleaseInKernel,
        f"TypingError: Unknown attribute 'release_gaussian' of type Stream; {LAPLACE}",
    ),
    (Report, f"TypingError: Unknown attribute 'release' of type Releases; {LAPLACE}"),
    (Choice, "'random' of type Releases; random numbers for choices are methods of releases.rng"),
    (Rule, "object has no attribute 'rule'; write self.compiled(horizon, number_of_arms)"),
    (ListInKernel, "np.arange(K) or np.zeros(K), and no list"),
    (RoundInKernel, "attribute 't' of type Run; count in the kernel: for t in range(run.horizon)"),
]


@pytest.mark.parametrize(
    ("policy", "message"), FORMS, ids=lambda each: getattr(each, "__name__", "")
)
def test_a_former_form_is_refused_in_one_line(policy, message):
    with pytest.raises(InputError) as refusal:
        compare([policy()], on=Bernoulli([0.9, 0.6]), horizon=20, n_runs=2)
    assert message in str(refusal.value)
    assert len(str(refusal.value)) < 250


def test_a_former_import_is_refused_in_one_line():
    with pytest.raises(ImportError) as refusal:
        from dpbandits.bandits.arms import note, pull  # noqa: F401
    assert one_line(refusal.value).endswith(
        "dpbandits.bandits.arms has no 'note'; write def play(self, run), where run.play(a) pulls "
        "arm a and counts it"
    )


class Faulty(ArmsPolicy):
    def play(self, run):
        return self.undefined


def test_other_failures_keep_their_traceback():
    with pytest.raises(AttributeError, match="undefined"):
        compare([Faulty()], on=Bernoulli([0.9, 0.6]), horizon=20, n_runs=2)
