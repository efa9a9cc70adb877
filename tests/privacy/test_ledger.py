"""The ledger: by hand, against sums over every item, and against another accountant."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from privacy.make_dp_accounting import COMPOSITIONS, TABLE
from scipy import special

from dpbandits.errors import InputError
from dpbandits.privacy.ledger import (
    ANY,
    GAUSSIAN,
    SKELLAM,
    Account,
    Ledger,
    Release,
    rho_of,
)


def ledger_of(releases):
    ledger = Ledger()
    for release in releases:
        ledger.book(*release)
    return ledger


def test_by_hand():
    """Items 2 to 4 of four are in the second sum, item 2 in both; then item 3 pays five times."""
    ledger = ledger_of([(1, 2, 1.0, 2.0), (2, 4, 1.0, 4.0)])
    assert (ledger.spent(), ledger.rho()) == (0.75, (0.5**2 + 0.25**2) / 2)
    assert ledger.worst(lambda release: release.loss) == ledger.releases
    ledger.book_loss(3, 3, 0.5, times=5)
    assert ledger.spent() == 2.75
    assert ledger.worst(lambda release: release.times)[1] == (3, 3, ANY, 0.5, 1.0, 5)
    unused = ledger_of([(1, 9, 1.0, 1.0, SKELLAM, 0)])
    assert Ledger().spent(0.1) == unused.spent(0.1) == 0


def test_gaussian_noise_by_hand():
    """A sum with a deviation of 2 and a Laplace loss of 1/2 have rho = 1/8; item 2 is in both."""
    ledger = ledger_of([(1, 2, 1.0, 2.0, GAUSSIAN), (2, 2, 1.0, 2.0)])
    assert (ledger.rho(), ledger.spent()) == (1 / 4, math.inf)


def test_skellam_noise_by_hand():
    """A change of 2 and a variance of 4: rho = 1/2. Two sums cost twice as much.

    Order 2 costs 1, and min((3 * 4 + 12)/64, 6/8) = 3/8 more; order 20 costs 10, and 3/4 more. At
    the rho of both releases, 1, order 1 + sqrt(16) is the best of Gaussian noise at delta = e^-16.
    """
    release = Release(1, 1, SKELLAM, 2.0, 2.0, times=2)
    assert (release.rho, release.excess(2), release.excess(20)) == (1, 0.75, 1.5)
    ledger = ledger_of([(1, 1, 2.0, 2.0, law) for law in (SKELLAM, GAUSSIAN)])
    assert ledger.spent() == math.inf
    assert ledger.spent(math.exp(-16)) == pytest.approx(5 * 1 + (9 * 4 + 12) / 64 + 16 / 4)


@pytest.mark.parametrize("variance", [0.3, 3.0, 100.0, 1e4])
@pytest.mark.parametrize("size", [1, 4, 50])
@pytest.mark.parametrize("delta", [1e-3, 1e-8])
def test_skellam_noise_is_booked_above_its_exact_loss(size, variance, delta):
    """By a sum over all integers: the delta of what is spent."""
    far = int(40 * math.sqrt(variance)) + 60
    k = np.arange(-far, far + size + 1)
    with np.errstate(divide="ignore"):
        p, q = (np.log(special.ive(np.abs(k - shift), variance)) for shift in (0, size))
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
    joined = Ledger.joined(ledger_of([(1, items, 1.0, 1.0)]) for items in (3, 1, 2))
    assert [release[:2] for release in joined.releases] == [(1, 3), (4, 4), (5, 6)]


SOME = st.tuples(
    st.integers(1, 9),
    st.integers(0, 9),
    st.floats(0.01, 3),
    st.floats(0.1, 100),
    st.integers(1, 50),
)


@given(st.lists(SOME, max_size=8))
def test_the_worst_item_is_that_of_a_sum_over_all_items(releases):
    """A release may cover no item."""
    ledger, losses, rhos = Ledger(), np.zeros(20), np.zeros(20)
    for first, items, size, scale, times in releases:
        ledger.book(first, first + items - 1, size, scale, times=times)
        losses[first : first + items] += times * size / scale
        rhos[first : first + items] += times * (size / scale) ** 2 / 2
    assert ledger.spent() == pytest.approx(losses.max(), rel=1e-12)
    assert ledger.rho() == pytest.approx(rhos.max(), rel=1e-12)


@pytest.mark.parametrize(("name", "delta", "epsilon"), pd.read_csv(TABLE).to_numpy())
def test_no_composition_is_below_the_numbers_of_dp_accounting(name, delta, epsilon):
    """The errors of dp_accounting are upward and below a thousandth.

    At a tiny delta the losses of a few pure releases add up, and concentrated composition of many
    small ones is close to exact: a lost factor would be visible.
    """
    ledger = ledger_of((1, 1, *release) for release in COMPOSITIONS[name])
    assert epsilon * (1 - 1e-3) <= ledger.spent(delta) <= ledger.spent()
    if delta == 1e-10 and ledger.spent() < 3:
        assert ledger.spent() == pytest.approx(epsilon, rel=1e-4)
    if delta == 1e-10 and name in ("2000 x Laplace", "300 x Gaussian"):
        assert ledger.concentrated(delta) < 1.15 * epsilon


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"law": "gaussian"}, "unknown law 'gaussian'; write one of Laplace, .*Gaussian"),
        ({"scale": -1.0}, "a scale above 0"),
        ({"scale": math.nan}, "a scale above 0"),
        ({"sensitivity": -1.0}, "no negative sensitivity"),
        ({"first": 11}, "items are numbered from 1"),
        ({"first": 0}, "items are numbered from 1"),
        ({"times": -1}, "times is at least 0"),
    ],
)
def test_what_no_sum_can_be_is_not_booked(change, says):
    with pytest.raises(InputError, match=says):
        Ledger().book(**{"first": 1, "last": 9, "sensitivity": 1.0, "scale": 1.0} | change)
