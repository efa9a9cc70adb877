"""The ledger: by hand, against sums over every item, and against another accountant."""

import csv
import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from privacy.make_dp_accounting import COMPOSITIONS, DELTAS, TABLE
from scipy import special, stats

from dpbandits.errors import InputError
from dpbandits.privacy.ledger import (
    ANY,
    DISCRETE,
    GAUSSIAN,
    LAPLACE,
    SKELLAM,
    Account,
    Ledger,
    Release,
    rho_of,
)

OTHERS = {
    (row["composition"], float(row["delta"])): float(row["epsilon"])
    for row in csv.DictReader(TABLE.open())
}


def ledger_of(releases):
    ledger = Ledger()
    for release in releases:
        ledger.book(*release)
    return ledger


def test_by_hand():
    """Items 2 to 4 of four are in the second sum, item 2 in both; then item 3 pays five times."""
    ledger = ledger_of([(1, 2, 1.0, 2.0), (2, 4, 1.0, 4.0)])
    assert ledger.spent() == 0.75
    assert ledger.rho() == (0.5**2 + 0.25**2) / 2
    assert ledger.worst(lambda release: release.loss) == ledger.releases
    ledger.book_loss(3, 3, 0.5, times=5)
    assert ledger.spent() == 2.75
    assert ledger.worst(lambda release: release.times)[1] == (3, 3, ANY, 0.5, 1.0, 5)
    assert Ledger().spent() == Ledger().rho() == Ledger().spent(0.1) == 0


def test_gaussian_noise_by_hand():
    """A sum with a deviation of 2 and a Laplace loss of 1/2 have rho = 1/8; item 2 is in both."""
    ledger = ledger_of([(1, 2, 1.0, 2.0, GAUSSIAN), (2, 2, 1.0, 2.0)])
    assert ledger.rho() == 1 / 4
    assert ledger.spent() == math.inf
    assert ledger.spent(1e-6) == 0.25 + 2 * math.sqrt(0.25 * math.log(1e6))


def test_skellam_noise_by_hand():
    """A change of 2 and a variance of 4: rho = 1/2.

    Order 2 costs 1, and min((3 * 4 + 12)/64, 6/8) = 3/8 more; order 20 costs 10, and 3/4 more. At
    the rho of both releases, 1, order 1 + sqrt(16) is the best of Gaussian noise at delta = e^-16.
    """
    release = Release(1, 1, SKELLAM, 2.0, 2.0, 1)
    assert (release.rho, release.excess(2), release.excess(20)) == (0.5, 0.375, 0.75)
    ledger = ledger_of([(1, 1, 2.0, 2.0, law) for law in (SKELLAM, GAUSSIAN)])
    assert ledger.spent() == math.inf
    assert ledger.spent(math.exp(-16)) == pytest.approx(5 * 1 + (9 * 4 + 12) / 64 + 16 / 4)


@pytest.mark.parametrize("variance", [0.3, 3.0, 100.0, 1e4])
@pytest.mark.parametrize("size", [1, 4, 50])
def test_skellam_noise_is_booked_above_its_exact_loss(size, variance):
    """By sums over all integers: the Rényi divergences, and the delta of what is spent."""
    far = int(40 * math.sqrt(variance)) + 60
    k = np.arange(-far, far + size + 1)
    with np.errstate(divide="ignore"):
        p, q = (np.log(special.ive(np.abs(k - shift), variance)) for shift in (0, size))
    both = np.isfinite(p) & np.isfinite(q)
    release = Release(1, 1, SKELLAM, size, math.sqrt(variance), 1)
    for order in (2, 3, 10):
        terms = order * p[both] - (order - 1) * q[both]
        if max(terms[0], terms[-1]) < terms.max() - 30:  # the sum is complete
            exact = special.logsumexp(terms) / (order - 1)
            assert exact <= order * release.rho + release.excess(order)
    for delta in (1e-3, 1e-8):
        epsilon = ledger_of([(1, 1, size, math.sqrt(variance), SKELLAM)]).spent(delta)
        assert np.maximum(np.exp(p) - np.exp(np.minimum(epsilon + q, 9)), 0).sum() <= delta


@given(st.floats(1e-6, 50), st.floats(1e-12, 0.5))
def test_rho_of_an_epsilon_and_back(epsilon, delta):
    ledger = ledger_of([(1, 1, 1.0, 1 / math.sqrt(2 * rho_of(epsilon, delta)), GAUSSIAN)])
    assert ledger.spent(delta) == pytest.approx(epsilon, rel=1e-12)


def test_a_promise_is_kept_by_a_ledger_within_it_and_by_none_without_noise():
    """Its own promise, or that of a league."""
    accounts = [Account(1.0, 0.0, ledger_of([(1, 9, size, 1.0)])) for size in (1.0, 1.0001, 2.0)]
    nothing = Account(0.0, 0.0, Ledger()), Account(0.0, 0.0, accounts[0].ledger)
    every = [*accounts, Account(1.0, 0.0, None)]
    assert [each.kept() for each in every] == [True, False, False, False]
    assert [accounts[2].kept(promised) for promised in (None, 2.0, 1.9)] == [False, True, False]
    assert [each.ratio for each in (accounts[2], *nothing)] == [2.0, 0.0, math.inf]


def test_streams_that_share_no_items_are_booked_one_after_another():
    """Three streams of 3, 1 and 2 items: each item is in the releases of its own stream alone."""
    streams = [ledger_of([(1, items, 1.0, 1.0)]) for items in (3, 1, 2)]
    joined = Ledger.joined(streams)
    assert [(each.first, each.last) for each in joined.releases] == [(1, 3), (4, 4), (5, 6)]
    assert joined.spent() == 1


PURE = st.lists(
    st.tuples(
        st.integers(1, 12), st.integers(1, 12), st.floats(0.01, 3), st.floats(0.1, 100),
        st.sampled_from([LAPLACE, DISCRETE, ANY]), st.integers(1, 50),
    ).map(lambda it: (min(it[:2]), max(it[:2]), *it[2:])),
    max_size=8,
)  # fmt: skip


def sums_of(releases, amount):
    """The sum of `amount` of the losses of each of twelve items."""
    return [
        sum(
            n * amount(size / scale)
            for first, last, size, scale, _, n in releases
            if first <= item <= last
        )
        for item in range(1, 13)
    ]


@given(PURE)
def test_the_worst_item_is_that_of_a_sum_over_all_items(releases):
    ledger = ledger_of(releases)
    assert ledger.spent() == pytest.approx(max(sums_of(releases, lambda e: e)), rel=1e-12)
    assert ledger.rho() == pytest.approx(max(sums_of(releases, lambda e: e**2 / 2)), rel=1e-12)


def exact_delta(epsilons, epsilon):
    """The exact cost of k such losses at worst, over all outcomes of k randomised bits."""
    signs = np.array(list(itertools.product([1, -1], repeat=len(epsilons))))
    kept = np.prod(1 / (1 + np.exp(-signs * epsilons)), axis=1)
    return np.maximum(kept - np.exp(epsilon) * kept[::-1], 0).sum()


@given(st.lists(st.floats(0.01, 2), min_size=1, max_size=10), st.floats(1e-9, 0.3))
def test_what_is_spent_is_between_the_exact_and_the_basic_composition(epsilons, delta):
    ledger = ledger_of([(1, 1, 1.0, 1 / epsilon, ANY) for epsilon in epsilons])
    assert ledger.spent(delta) <= ledger.spent() == pytest.approx(sum(epsilons))
    assert exact_delta(np.array(epsilons), ledger.spent(delta)) <= delta * (1 + 1e-9) + 1e-15
    assert exact_delta(np.array(epsilons), ledger.concentrated(delta)) <= delta * (1 + 1e-9) + 1e-15


@given(st.lists(st.floats(0.3, 30), min_size=1, max_size=10), st.floats(1e-9, 0.3))
def test_gaussian_noise_is_booked_above_its_exact_loss(scales, delta):
    """The loss of several is that of one with mu^2 the sum of theirs (Balle & Wang 2018)."""
    epsilon = ledger_of([(1, 1, 1.0, scale, GAUSSIAN) for scale in scales]).spent(delta)
    mu = math.sqrt(sum(1 / scale**2 for scale in scales))
    exact = stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(
        -mu / 2 - epsilon / mu
    )
    assert exact <= delta


@pytest.mark.parametrize("name", COMPOSITIONS)
def test_no_composition_is_below_the_numbers_of_dp_accounting(name):
    """The errors of dp_accounting are upward and below a thousandth.

    At a tiny delta the losses of a few pure releases add up, and concentrated composition of many
    small ones is close to exact: a lost factor would be visible.
    """
    ledger = ledger_of((1, 1, *release) for release in COMPOSITIONS[name])
    for delta in DELTAS:
        assert ledger.spent(delta) >= OTHERS[name, delta] * (1 - 1e-3)
    if ledger.spent() < 3:
        assert ledger.spent() == pytest.approx(OTHERS[name, 1e-10], rel=1e-4)
    if name in ("2000 x Laplace", "300 x Gaussian"):
        assert ledger.concentrated(1e-10) < 1.15 * OTHERS[name, 1e-10]


@pytest.mark.parametrize(
    ("numbers", "says"),
    [
        ((1, 9, 1.0, 1.0, "gaussian"), "unknown law 'gaussian'; write one of Laplace, .*Gaussian"),
        ((1, 9, 1.0, -1.0), "a scale above 0"),
        ((1, 9, 1.0, math.nan), "a scale above 0"),
        ((1, 9, -1.0, 1.0), "no negative sensitivity"),
        ((5, 3, 1.0, 1.0), "items are numbered from 1"),
        ((0, 3, 1.0, 1.0), "items are numbered from 1"),
        ((1, 9, 1.0, 1.0, LAPLACE, -1), "times is at least 0"),
    ],
)
def test_what_no_sum_can_be_is_not_booked(numbers, says):
    with pytest.raises(InputError, match=says):
        Ledger().book(*numbers)


def test_an_empty_range_costs_nothing():
    assert Ledger().book(5, 4, 1.0, 1.0).book(1, 9, 1.0, 2.0).spent() == 0.5
