"""The run of a policy on a log, in plain Python: `visits` and `play`."""

from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from playing import NEWS, a_log, click_rates

from dpbandits.bandits import NewsLog, make
from dpbandits.bandits.events import DIMENSION
from dpbandits.bandits.logs.news_log import LoggedEvents
from dpbandits.errors import InputError
from dpbandits.policies import LinUCB
from dpbandits.random import stream


def test_a_policy_plays_a_synthetic_log():
    """It always chooses the first place. All of these events are kept."""

    def play(run):
        for _ in run.visits():
            run.play(0)

    log, t = a_log("visits", horizon=6000), np.array([500, 3000, 6000])
    curves = make(NEWS).play_run(SimpleNamespace(play=play), log, stream(3), 6000, t)
    kept, p = np.searchsorted(log.events.t, t, side="right"), click_rates(log.events)[:, 0]
    assert curves["kept"].tolist() == kept.tolist()
    assert curves["clicks"].tolist() == np.cumsum(log.events.chance < p)[kept - 1].tolist()
    at_random = np.cumsum(log.events.at_random)[kept - 1]
    assert curves["random_ctr"] == pytest.approx(at_random / kept)
    assert curves["ctr_ratio"] == pytest.approx(np.cumsum(p)[kept - 1] / at_random)


class TwoBlocks(NamedTuple):
    """A real log of four visits: two with the articles 0 and 1, two with 3, 1 and 2."""

    articles: np.ndarray = np.arange(4.0 * DIMENSION).reshape(DIMENSION, 4)
    pool_size: int = 3

    def blocks(self):
        users, pools = np.eye(DIMENSION)[:4], np.array([[0, 1, -1], [3, 1, 2]])
        t, displayed, clicked = np.array([[2, 3, 7, 9], [1, 0, 2, 0], [1, 0, 1, 1]])
        for pool, of in enumerate((slice(2), slice(2, 4))):
            yield LoggedEvents(
                t[of], users[of], np.full(2, pool), pools, displayed[of], clicked[of].astype(float)
            )


T = np.array([1, 2, 3, 8, 9, 20])
REAL = NewsLog("two blocks", live=3)


def begun():
    return REAL.begin(TwoBlocks(), stream(1), 20, T)


def test_visits_and_feedback_by_hand():
    """Of the second visit another article was displayed."""
    run, log, met, feedback = begun(), TwoBlocks(), [], []
    assert (run.K, run.horizon) == (3, 20)
    for place, (user, articles) in zip((1, 1, 2, 0), run.visits(), strict=True):
        met.append((int(user.argmax()), articles.tolist()))
        feedback.append(run.play(place))
    pools = [[0, 1], [0, 1], [3, 1, 2], [3, 1, 2]]
    assert met == [(i, log.articles[:, pool].tolist()) for i, pool in enumerate(pools)]
    assert feedback == [(True, 1.0), (False, 0.0), (True, 1.0), (True, 1.0)]
    curves = REAL.curves(run, T)
    assert curves["kept"].tolist() == curves["clicks"].tolist() == [0, 1, 1, 2, 3, 3]
    assert curves["random_ctr"].tolist() == [0, 1, 1 / 2, 2 / 3, 3 / 4, 3 / 4]
    assert curves["ctr_ratio"] == pytest.approx([0, 1, 2, 3 / 2, 4 / 3, 4 / 3])


def test_a_visit_has_one_choice_of_an_article_of_its_pool():
    once = r"^call run.play\(place\) once for each visit"
    run = begun()
    with pytest.raises(InputError, match=once):
        run.play(0)  # before a visit
    with pytest.raises(InputError, match=once):
        list(run.visits())  # without a choice
    run = begun()
    for visits, (_, articles) in enumerate(run.visits()):
        for place in (-1, articles.shape[1]):
            with pytest.raises(IndexError, match=f"there is no article {place}; those of"):
                run.play(place)
        run.play(0)
        with pytest.raises(InputError, match=once):
            run.play(0)
        assert run.t == visits + 1


ONE_LOOP = r"once for each visit of run.visits\(\), in one loop"


def one_visit(run):
    next(run.visits())
    run.play(0)


def every_visit(run):
    for _ in run.visits():
        run.play(0)


@pytest.mark.parametrize(
    ("plays", "says"),
    [
        ([lambda run: None], r"^play stops after round 0 of 20"),
        ([one_visit], r"^play stops after round 1 of 20"),
        ([every_visit, every_visit], ONE_LOOP),
        ([one_visit, LinUCB().play], ONE_LOOP),
        ([LinUCB().play, every_visit], ONE_LOOP),
    ],
)
def test_a_run_has_one_loop_over_all_visits(plays, says):
    """Of its own or of the linear policies. None, an early end and a second loop are refused."""

    def play(run):
        for each in plays:
            each(run)

    with pytest.raises(InputError, match=says):
        REAL.play_run(SimpleNamespace(play=play), TwoBlocks(), stream(1), 20, T)


def test_a_real_log_without_a_file_is_refused():
    with pytest.raises(InputError, match="tables: it names no file; write tables=<results>/news"):
        REAL.draw_game(stream(1), 20)
