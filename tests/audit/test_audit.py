"""Audits of the kernels: known mechanisms within a tenth, faulty kernels are found, and the noise that is drawn."""

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from numba.core.runtime import _nrt_python as memory

from dpbandits.algorithms.arms import _adaptive_episodes as episodes
from dpbandits.algorithms.arms import adap_klucb, adap_ucb, private_ucb
from dpbandits.algorithms.arms._index import play_with_leads
from dpbandits.algorithms.logs import private_lin_ucb
from dpbandits.audit import lower_bounds, players, tape
from dpbandits.audit.estimation import Choice, bound_of
from dpbandits.audit.settings import LogSetting
from dpbandits.environments.arms import note, pull
from dpbandits.kernels.compiled import kernel
from dpbandits.kernels.streams import stream
from dpbandits.privacy.exact import exact_epsilon
from dpbandits.privacy.ledger import Account
from dpbandits.privacy.releases import NOISY_MAX, SHORT, STREAM, Setting
from dpbandits.studies.model import Effort
from dpbandits.studies.study import Experiment, Policy, Series

ALPHA = 1e-3
EFFORT = Effort(epsilons=[0.1, 0.2, 1.0, 2.0], supplement=[0.2, 2.0], games=2000, rounds=100_000, users=2000, times=16)


def design_of(play, setting, kind=tape.ACTIONS, account=None):
    """Games of which the actions are seen, or what is released."""
    player = players.Player(play, "arms", setting, kind, stream(4, "audit"))
    tap = "action" if kind == tape.ACTIONS else "release"
    return lower_bounds.Design(player, tap, account or Account(1.0, 0.0, None), ALPHA, EFFORT)


def measured(play, setting, kind=tape.ACTIONS, number=20_000, background="zeros", canary=1):
    """The bounds of both orders of a pair of inputs, and the largest sum of losses of a game."""
    design = design_of(play, setting, kind)
    samples = design.samples(background, canary, number, tape.NONE)
    found = [bound_of(design.choose, *pair, ALPHA, design.loss)[0] for pair in samples]
    return max(bound.epsilon for bound in found), design.player.drawn


def adap(epsilon, init_noise=True):
    def play(rng, arms, horizon, journal):
        adap_ucb.play(rng, arms, horizon, journal, epsilon=epsilon, alpha=3.1, init_noise=init_noise)

    return play


def adap_with(frame):
    def play(rng, arms, horizon, journal):
        adap_kernel(rng, arms, horizon, journal, frame, 3.1)

    return play


adap_kernel = adap_ucb.adap_ucb


# ---- calibration


def test_every_array_gets_back_what_it_had():
    """Also one whose elements are apart, two that share memory, and none."""
    whole, other, read_only = np.arange(12.0).reshape(3, 4), np.array([True, False]), np.zeros(3)
    read_only.flags.writeable = False
    values = (whole[:, 1], (other, whole[1:]), "text", np.zeros(0), read_only)
    contents = tape.contents_of(values)
    whole[:, 1:], whole[1:], other[:] = -1, -1, True
    tape.put_back(contents)
    assert read_only.ctypes.data not in contents.places
    assert whole[:, 1].tolist() == [1, 5, 9]
    assert whole[1:].tolist() == np.arange(4.0, 12.0).reshape(2, 4).tolist()
    assert other.tolist() == [True, False]


@kernel
def returning_counts(rng, arms, horizon, journal):
    n = np.zeros(arms.means.size, np.int64)
    for t in range(1, horizon + 1):
        pull(rng, arms, 0)
        n[0] += 1
        note(journal, t, n)
    return n


def test_games_leave_no_array_behind():
    """Also where a guest's kernel returns one."""
    player = players.Player(lambda *given: returning_counts(*given), "arms", SHORT, tape.ACTIONS, stream(4, "memory"))
    table, neighbour = SHORT.rewards("zeros", 1)
    player.sample(table, neighbour, 1, 10)
    memory.memsys_enable_stats()
    try:
        asked, freed = memory.memsys_get_stats_alloc(), memory.memsys_get_stats_free()
        player.sample(table, neighbour, 1, 1000)
        asked, freed = memory.memsys_get_stats_alloc() - asked, memory.memsys_get_stats_free() - freed
    finally:
        memory.memsys_disable_stats()
    assert asked >= 1000
    assert freed == asked


def test_one_laplace_release_is_measured_within_a_tenth():
    bound, drawn = measured(adap_with(episodes.frame(1.0, True, "one")), STREAM, tape.MEANS, 40_000)
    assert 0.9 <= bound <= 1.0
    assert drawn == pytest.approx(1.0, rel=1e-12)


def test_the_noisy_maximum_of_ten_is_measured_within_a_tenth():
    """Round K + 1 of AdaP-UCB on arms with equal numbers of pulls plays the largest noisy reward."""
    bound, _ = measured(adap_with(episodes.frame(1.0, True, "one")), NOISY_MAX, number=600_000)
    assert 0.9 <= bound <= 1.0


@pytest.mark.parametrize(
    ("algorithm", "epsilon", "games"),
    [
        ("private_ucb", 1.0, 20_000),  # three nodes of a tree
        ("dp_ucb_bound", 1.0, 20_000),  # a total and a node
        ("gdp_ncb", 2.0, 20_000),  # the means of five episodes
        ("private_lin_ucb", 0.1, 2_000),  # 81 numbers
    ],
)
def test_the_log_ratios_of_games_have_the_exact_law(algorithm, epsilon, games):
    """The mean of max(0, 1 - e^(epsilon - L)) over games in which the worst reward is changed, with L from the record of the
    kernel's own noise, is the delta of which the exact composition of the ledger makes this epsilon."""
    mechanism = lower_bounds.Mechanism(algorithm, (), "eps0" if algorithm == "private_lin_ucb" else "epsilon")
    (setting, *_) = mechanism.settings(epsilon).releases
    kind = tape.KINDS[mechanism.releases(epsilon)]
    player = players.player(algorithm, mechanism.with_epsilon(epsilon), setting, kind, stream(7, "exact"))
    ledger = mechanism.account(setting, epsilon).ledger
    canary = ledger.worst_item(np.positive)  # of the only arm
    ratios = player.sample(*setting.rewards(setting.backgrounds[0], canary), canary, games).ratios
    for delta in (0.1, 0.03, 0.01):
        epsilon = exact_epsilon(ledger, delta, 0)
        found = np.maximum(0.0, -np.expm1(epsilon - ratios))
        assert 0 < epsilon < ledger.basic()
        assert abs(found.mean() - delta) < 4.5 * found.std() / math.sqrt(games)


# ---- faulty kernels


def test_half_the_noise_is_found():
    half = episodes.frame(2.0, True, "one")  # promised: 1
    bound, drawn = measured(adap_with(half), STREAM, tape.MEANS)
    assert bound > 1.5
    assert drawn == pytest.approx(2.0)


def test_twice_the_noise_is_seen_in_what_was_drawn():
    """No audit of what is published finds it, as it is more private than promised."""
    twice = episodes.frame(0.5, True, "one")  # promised: 1
    assert measured(adap_with(twice), STREAM, tape.MEANS, 64)[1] == pytest.approx(0.5)


def test_a_first_reward_without_noise_is_found():
    bare = adap_with(episodes.frame(1.0, False, "one"))
    assert measured(bare, NOISY_MAX, canary=10)[0] > 6
    assert measured(bare, STREAM, tape.MEANS_AFTER_FIRST)[0] > 6


def trees_of(node_scale):
    def play(rng, arms, horizon, journal):
        rule = private_ucb.PrivateUCB(node_scale, 0.0, 0.0, np.zeros((len(arms.means), 64)))
        play_with_leads_kernel(rng, arms, horizon, journal, rule)

    return play


play_with_leads_kernel = play_with_leads


def test_a_wrong_logarithm_is_found():
    """A reward of 7 is in 3 = floor(log2 7) + 1 nodes; noise for ln 7 of them spends 3/ln 7 = 1.54 times epsilon."""
    right, wrong = (measured(trees_of(scale), STREAM, tape.TREE, 60_000) for scale in (3.0, math.log(7)))
    assert right[0] < 1.0 < wrong[0]
    assert right[1] == pytest.approx(1.0)
    assert wrong[1] == pytest.approx(3 / math.log(7))


SHARED, EVERY_TIME = 0, 1


@kernel
def noisy_maximum(rng, arms, horizon, journal, fault, epsilon):
    """Play each arm once, then in every round the arm with the largest noisy reward, with one of two faults."""
    K = arms.means.size
    s, pulls, noise = np.zeros(K), np.zeros(K, np.int64), np.zeros(K)
    for t in range(1, horizon + 1):
        a = t - 1
        if t > K:
            if t == K + 1 or fault == EVERY_TIME:
                for b in range(K):
                    noise[b] = rng.laplace(0.0, 1 / epsilon) if b == 0 or fault == EVERY_TIME else noise[0]
            a = np.argmax(s + noise)
        reward = pull(rng, arms, a)
        if t <= K:
            s[a] = reward
        pulls[a] += 1
        note(journal, t, pulls)


def faulty(fault):
    def play(rng, arms, horizon, journal):
        noisy_maximum(rng, arms, horizon, journal, fault, 1.0)

    return play


def test_noise_shared_by_the_arms_is_found():
    assert measured(faulty(SHARED), Setting(2, 8), canary=2)[0] > 6


def test_noise_redrawn_whenever_a_sum_is_read_is_found():
    """Six noisy comparisons of the same two rewards instead of one."""
    assert measured(faulty(EVERY_TIME), Setting(2, 24), number=100_000)[0] > 1.0


# ---- the games


def test_a_call_is_the_kernel_with_the_policys_own_constants():
    player = players.player("adap_ucb", {"epsilon": 0.5, "alpha": 3.1}, SHORT, tape.MEANS, stream(1, "x"))
    assert player.game.arguments[4] == episodes.frame(0.5, True, "one")


def test_games_one_by_one_and_in_one_call_have_the_same_law():
    setting = Setting(2, 4)
    together = players.player("adap_ucb", {"epsilon": 1.0, "alpha": 3.1}, setting, tape.MEANS, stream(5, "law"))
    apart = players.player("adap_ucb", {"epsilon": 1.0, "alpha": 3.1}, setting, tape.MEANS, stream(5, "law"))
    apart.game = None
    one, other = (each.sample(*setting.rewards("tie", 1), 1, 50) for each in (together, apart))
    assert np.array_equal(one.actions, other.actions)
    assert np.array_equal(one.ratios, other.ratios)


class Shifted(NamedTuple):
    """Plays recorded Laplace numbers again, each moved by a given amount."""

    noise: np.ndarray
    place: np.ndarray
    tape: tape.Tape

    def laplace(self, location, scale):
        i = self.place[0]
        self.place[0] = i + 1
        return location + self.noise[i]

    def random(self):
        return 0.0

    def beta(self, a, b):
        return 0.0

    def standard_normal(self):
        return 0.0


def test_with_the_noise_moved_the_changed_game_is_the_same_game():
    """What `coefficient` says about a release is what the kernel does: the neighbour's game with this noise has the same
    actions. Without moving the noise, it often has not."""
    setting = Setting(2, 8)
    table, neighbour = setting.rewards("tie", 2)
    player = players.player("adap_ucb", {"epsilon": 2.0, "alpha": 3.1}, setting, tape.MEANS, stream(6, "moved"))
    same, unmoved = 0, 0
    for _ in range(200):
        code = player.sample(table, neighbour, 2, 1).actions[0]
        record, n = player.tape, player.tape.state[tape.DRAWS]
        change = (table - neighbour)[1, 0]
        noise = record.rows[:n, tape.NOISE].copy()
        moves = np.array([tape.coefficient(record, tape.MEANS, i) * change for i in range(n)])
        for moved in (moves, 0 * moves):
            sums = np.vstack([np.zeros((1, 2)), np.cumsum(neighbour, axis=0)])
            bandit = tape.RewardTable(np.zeros(2), sums)
            journal = tape.blank_action_journal(2, setting.checkpoints())
            rng = Shifted(noise + moved, np.zeros(1, np.int64), tape.blank_tape(2, 16, 8))
            adap_ucb.play(rng, bandit, 8, journal, epsilon=2.0, alpha=3.1)
            same += moved is moves and journal.code(2) == code
            unmoved += moved is not moves and journal.code(2) == code
    assert same == 200
    assert unmoved < 195


# ---- news logs


def a_log_player(setting, eps0, **given):
    return players.player("private_lin_ucb", {"eps0": eps0, **given}, setting, tape.VISITS, stream(8, "log"))


def test_with_the_noise_moved_the_changed_log_shows_the_same_articles():
    """To all visitors but the one whose visit is changed. Without moving the noise, often others."""
    setting = LogSetting(2, 11)
    table, neighbour = setting.rewards("clicks", 1)
    player, same, unmoved = a_log_player(setting, 30.0), 0, 0
    for _ in range(50):
        code = int(player.sample(table, neighbour, 1, 1).actions[0])
        record, n = player.tape, player.tape.state[tape.DRAWS]
        change = player.change(table[0], neighbour[0])
        noise = record.rows[:n, tape.NOISE].copy()
        moves = np.array([tape.coefficient(record, tape.VISITS, i) * change[i % 27] for i in range(n)])
        for moved in (moves, 0 * moves):
            other = a_log_player(setting, 30.0)
            other.put(neighbour)
            rng = Shifted(noise + moved, np.zeros(1, np.int64), tape.blank_tape(2, 1, 11))
            private_lin_ucb.play(rng, *other.given[1:], eps0=30.0)
            agree = (other.journal.code(1) - code) % 2**64 == 0
            same += moved is moves and agree
            unmoved += moved is not moves and agree
    assert n == 7 * 27
    assert same == 50
    assert unmoved < 45


def test_a_fifteenth_of_the_noise_is_found():
    """A policy that promises 2.7 for a visit, eps0 = 0.1, and draws noise for eps0 = 1.5."""
    wrong = lower_bounds.Mechanism("private_lin_ucb", (("eps0", 1.5),), "")
    found = lower_bounds.audit(wrong, "release", None, ALPHA, 1, EFFORT)
    assert found.bound.epsilon > 2.7
    assert found.drawn == pytest.approx(27 * 1.5)


@pytest.mark.parametrize("context", ["shared_product", "disjoint_user"])
def test_a_visit_to_the_news_page_changes_the_sums_by_six_at_most(context):
    """The ledger supposes entries in [0, 1], and 27. A vector of the news log is a 1 and memberships that sum to 1."""
    player, rng = a_log_player(LogSetting(1, 5), 0.1, context=context), stream(9, "visits")
    changes = []
    for memberships in (rng.dirichlet(np.full(5, 0.2), 400).reshape(200, 2, 5), np.eye(5)[None, :2]):
        for pair in memberships:
            for clicks in ((0, 0), (0, 1), (1, 1)):
                one, other = (np.array([1.0, *x, c]) for x, c in zip(pair, clicks, strict=True))
                changes.append(np.abs(player.change(one, other)).sum())
    assert max(changes) == pytest.approx(6)


# ---- how many games


@pytest.mark.parametrize(
    ("shares", "games"),
    [
        ((0.9, 0.0), 2_000),  # clearly above the promise with the fewest games
        ((0.5, 0.2), 4_000),  # ln(0.5/0.2) = 0.92: nearly as much as any number of games would show
        (
            (0.5, 0.3),
            32_000,
        ),  # ln(0.5/0.3) = 0.51, of which the most games show 0.49: more than AIM, and worth many games
        ((0.02, 0.007), 64_000),  # rare: many games show more
        ((0.5, 0.45), 2_000),  # ln(0.5/0.45) = 0.11: far from the promise with any number
    ],
)
def test_there_are_as_many_games_as_it_takes(shares, games):
    design = design_of(adap(1.0), SHORT, account=adap_ucb.privacy(8, 2, epsilon=1.0))
    pair = lower_bounds.Pair(design, "zeros", 1, 0, tape.NONE, Choice(0.0, 0.0, None, shares))
    assert pair.games_worth_playing() == games


def test_the_search_ends_with_the_inputs_that_show_most():
    """AdaP-KLUCB in games of 256 rounds: a reward in a mean that is compared, and the last one."""
    compared, last = (Setting(2, 256, ("zeros",), (canary,), told=8, played=32) for canary in (97, 256))
    designs = [design_of(klucb, each, tape.MEANS) for each in (last, compared)]
    designs = [replace(each, tap="action", account=adap_klucb.privacy(256, 2, epsilon=1.0)) for each in designs]
    best, inputs = lower_bounds._search(designs)
    assert (best.canary, [each.canary for each in inputs]) == (97, [97, 256])
    assert best.choice.guess > 0.2


def klucb(rng, arms, horizon, journal):
    adap_klucb.play(rng, arms, horizon, journal, epsilon=1.0)


def test_an_arm_that_is_behind_pays_nothing_and_the_others_the_gap():
    table, neighbour = Setting(2, 64, ("behind",), (3,), gap=0.25).rewards("behind", 3)
    assert table[:, 0].sum() == 0
    assert table[:64, 1].mean() == 0.25
    assert (table != neighbour).any(axis=1).nonzero()[0].tolist() == [2]


@pytest.mark.parametrize(
    ("played", "audited"),
    [
        ({"fig1": [0.1, 1.0, 5.0]}, [0.1, 1.0]),
        ({"fig1": [5.0]}, [0.1, 0.2, 1.0, 2.0]),
        ({"s-other": [0.1, 2.0]}, [2.0]),
        ({"s-other": [0.1]}, [0.2, 2.0]),
        ({"fig1": [1.0], "s-other": [2.0]}, [1.0]),
    ],
)
def test_a_policy_is_audited_where_it_plays(played, audited, monkeypatch):
    asked = set()
    result = SimpleNamespace(row=dict)
    monkeypatch.setattr(lower_bounds, "audit", lambda m, tap, epsilon, *rest: asked.add(epsilon) or result)
    experiments = []
    for id, epsilons in played.items():
        series = tuple(Series(f"a-{e:g}", "a", "adap_ucb", {"epsilon": e}, "a", n) for n, e in enumerate(epsilons))
        experiments.append(replace(an_experiment(), id=id, policies=(Policy("a", id, series, 1),)))
    lower_bounds.table(experiments, 1, EFFORT)
    assert sorted(asked) == audited


def test_a_guest_changes_no_other_bound(monkeypatch):
    shares = []
    result = SimpleNamespace(row=dict)
    monkeypatch.setattr(lower_bounds, "audit", lambda m, tap, epsilon, share, *rest: shares.append(share) or result)
    policies = [Policy(id, "fig1", (Series(id, id, id, {"epsilon": 1.0}, id, 0),), 1) for id in ("adap_ucb", "dp_se")]

    def shares_of(played, **guests):
        shares.clear()
        lower_bounds.table([replace(an_experiment(), id="fig1", policies=tuple(played))], 1, EFFORT, **guests)
        return list(shares)

    alone = shares_of(policies[:1])
    assert sum(2 * share for share in alone) == pytest.approx(1 - lower_bounds.CONFIDENCE)
    assert shares_of(policies, guests=["dp_se"])[: len(alone)] == alone
    assert shares_of(policies)[: len(alone)] == [share / 2 for share in alone]


def test_an_integer_for_a_real_parameter_compiles_nothing_new():
    given = dict(
        lower_bounds.mechanism_of(Series("a", "a", "private_lin_ucb", {"eps0": 1, "lam": 1}, "a", 0)).parameters
    )
    assert [type(given[name]) for name in ("eps0", "lam", "delay")] == [float, float, int]


def an_experiment():
    return Experiment("fig1", "fig1", "", "paper", {}, (), None)
