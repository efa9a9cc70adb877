"""Samples of what a policy publishes in many games on one table of rewards: its actions, its releases, its reports."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from numba.core.errors import NumbaError

from dpbandits import algorithms
from dpbandits.algorithms.arms._index import IndexRule
from dpbandits.audit import tape
from dpbandits.audit.kernels import NotAudited, game_of
from dpbandits.audit.settings import LogSetting
from dpbandits.environments.games import Game as Adversary
from dpbandits.environments.games import GameJournal
from dpbandits.environments.games._game import NO_PENALTY
from dpbandits.environments.logs._clicks import rates_of_table
from dpbandits.environments.logs._events import DIMENSION, Events, blank_journal
from dpbandits.errors import place_of, reason_of
from dpbandits.kernels.compiled import kernel
from dpbandits.parameters import as_numbers
from dpbandits.privacy.releases import Setting

DRAWS = 256  # Laplace numbers that a tape has room for


@contextmanager
def _whatever_fails_is_the_policys() -> Iterator[None]:
    """Turn the failure of a policy that plays well with a generator, and not with a recording one, into its reason."""
    try:
        yield
    except (NumbaError, TypeError, AttributeError) as failure:
        raise NotAudited(f"{place_of(failure)}{reason_of(failure)}") from failure


class Sample(NamedTuple):
    """Per game, a number for the actions and the log-likelihood ratio of the releases."""

    actions: np.ndarray
    ratios: np.ndarray


class Player:
    """Games of one policy in one setting."""

    def __init__(self, play: Callable, family: str, setting: Setting, kind: int, rng: np.random.Generator):
        self.setting, self.kind, self.play = setting, kind, play
        self.drawn = 0.0  # the largest sum of losses of a game so far, by the noise that was drawn
        self.full = False  # whether a game has drawn more Laplace numbers than the tape has room for
        self.noisy = False  # whether games draw any
        self.tape = tape.blank_tape(setting.arms, DRAWS, setting.horizon)
        self.rng = tape.RecordingGenerator(rng, self.tape)
        self.given = (self.rng, *self._inputs(family, setting))
        # Many games are played in one call, or one by one where there is no game.
        with _whatever_fails_is_the_policys():
            self.game = game_of(play, *self.given)

    def _inputs(self, family: str, setting: Setting) -> tuple:
        """The arms or the game, the horizon, and the journal."""
        checkpoints = setting.checkpoints()
        self.journal = tape.blank_action_journal(setting.arms, checkpoints)
        self.diary = np.zeros((2, 0), np.int16)
        rows = setting.rewards("zeros", 1)[0]
        if family == "games":
            self.rewards = rows[: setting.horizon].copy()
            self.diary = np.zeros((2, setting.horizon), np.int16)
            bandit: Any = Adversary(self.rewards, NO_PENALTY)
            journal: Any = GameJournal(bandit, checkpoints, self.diary)
        else:
            self.rewards = np.zeros((rows.shape[0] + 1, setting.arms))
            bandit, journal = tape.RewardTable(np.zeros(setting.arms), self.rewards), self.journal
        return bandit, setting.horizon, journal

    def put(self, table: np.ndarray) -> None:
        """Let the next games have these rewards."""
        if self.diary.size:
            self.rewards[:] = table[: self.setting.horizon]
        else:
            np.cumsum(table, axis=0, out=self.rewards[1:])

    def change(self, row: np.ndarray, neighbour: np.ndarray) -> np.ndarray:
        """By how much each arm's reward in the changed row is larger than in the neighbour's."""
        return row - neighbour

    def samples(self, background: str, canary: int, games: int, fault: int = tape.NONE) -> tuple[Sample, Sample]:
        """What is published in as many games on either of two neighbouring inputs, with a fault in the noise."""
        table, neighbour = self.setting.rewards(background, canary)
        self.tape.state[tape.FAULT], self.tape.state[tape.IN_UNIFORMS] = fault, not self.noisy
        return self.sample(table, neighbour, canary, games), self.sample(neighbour, table, canary, games)

    @property
    def recorded(self) -> bool:
        """Whether the tape has all the Laplace numbers of a game, and knows what they were added to."""
        return self.kind != tape.ACTIONS and self.noisy and not self.full

    def sample(self, table: np.ndarray, neighbour: np.ndarray, canary: int, games: int) -> Sample:
        """Play games on a table; the ratios are those of this table to its neighbour."""
        self.put(table)
        change = self.change(table[canary - 1], neighbour[canary - 1])
        codes, ratios = np.zeros(games, np.int64), np.zeros(games)
        with _whatever_fails_is_the_policys():
            if self.game:
                contents = tape.contents_of(self.game.arguments[2:])
                drawn, full = tape.play_games(
                    self.game, self.tape, self.journal, self.diary, self.kind, canary, change, contents, codes, ratios
                )
                tape.put_back(contents)
            else:
                drawn, full = self._play_one_by_one(canary, change, codes, ratios)
        self.full = self.full or bool(full)
        self.noisy = self.noisy or self.tape.state[tape.DRAWS] > 0
        self.drawn = max(self.drawn, drawn)
        return Sample(codes, ratios)

    def _play_one_by_one(self, canary: int, change: np.ndarray, codes: np.ndarray, ratios: np.ndarray) -> tuple:
        """The same for a policy that calls several kernels, or none."""
        most, full = 0.0, False
        for g in range(codes.size):
            tape.reset(self.tape, canary)
            self.journal.kept[:], self.diary[:] = 0, 0
            self.play(*self.given)
            codes[g], ratios[g], spent = tape.finish(self.tape, self.journal, self.diary, self.kind, change)
            most, full = max(most, spent), full or bool(self.tape.state[tape.FULL])
        return most, full


class LogPlayer(Player):
    """Games on a short news log, every event of which is kept (a `direct` block)."""

    def _inputs(self, family: str, setting: LogSetting) -> tuple:
        """The log, the horizon, and the journal; the diary of actions is the journal's own."""
        T, arms, none = setting.horizon, setting.arms, np.empty(0, np.int64)
        t, pool, pools = np.arange(1, T + 1), np.zeros(T, np.int64), np.arange(arms)[None, :]
        self.users, self.p = np.zeros((T, DIMENSION)), np.zeros((T, arms))
        rates = rates_of_table(self.p)
        events = Events(t, self.users, pool, pools, none, none, np.zeros(T), np.full(T, tape.CHANCE), rates)
        journal = blank_journal(t)
        self.journal = tape.ShownArticles(journal.diary.kept, journal.diary.totals)
        self.diary = np.zeros((2, 0), np.int16)
        self.articles = setting.articles()
        self.with_user = self.play.keywords.get("context", "shared_product") != "shared_article"
        return SimpleNamespace(articles=self.articles, pool_size=arms, blocks=lambda: [events]), T, journal

    def put(self, table: np.ndarray) -> None:
        """Let the next games have these visits."""
        self.users[:] = table[:, :DIMENSION]
        self.p[:] = np.array(tape.NOT_CLICKED[: self.setting.arms]) + tape.CHANCE * table[:, DIMENSION:]

    def change(self, row: np.ndarray, neighbour: np.ndarray) -> np.ndarray:
        """By how much each of the 27 sums is larger, if the visitor is shown article 0."""
        return self._sums(row) - self._sums(neighbour)

    def _sums(self, row: np.ndarray) -> np.ndarray:
        z = self.articles[:, 0] * (row[:DIMENSION] if self.with_user else 1.0)
        return np.concatenate([np.outer(z, z)[np.tril_indices(DIMENSION)], row[DIMENSION] * z])


def player(
    algorithm: str, parameters: Mapping[str, Any], setting: Setting, kind: int, rng: np.random.Generator
) -> Player:
    """The games of an algorithm with these parameters, as far as the setting does not change them."""
    play = algorithms.find(algorithm).play
    play = partial(play, **as_numbers(play, {**parameters, **setting.changes}))
    family = algorithms.family_of(algorithm)
    return (LogPlayer if family == "logs" else Player)(play, family, setting, kind, rng)


def reporting_rules(algorithm: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Phase -> the rule that makes the reports of a locally private policy."""
    setting = Setting(arms=2, horizon=8)
    game = player(algorithm, parameters, setting, tape.ACTIONS, np.random.Generator(np.random.PCG64(0))).game
    arguments = game.arguments if game else ()
    rules = [each for each in arguments if getattr(type(each), "report", IndexRule.report) is not IndexRule.report]
    if not rules:
        raise NotAudited(
            f"algorithm '{algorithm}': privacy: releases='reports', but its kernel plays no index rule with a report of its "
            "own; write 'actions', or what else it releases"
        )
    if len(rules) == 2:  # of the Nash confidence bounds
        return {"later rounds": rules[1], "Phase I": rules[0]}
    return {"any round": rules[0]}


def reports(rule: Any, reward: float, users: int, rng: np.random.Generator, fault: int = tape.NONE) -> np.ndarray:
    """What as many users report of one reward, with a fault in the noise, or in the uniform numbers where there is none."""
    found = np.zeros(users)
    if fault == tape.NONE:
        draw_reports(rng, rule, reward, found)
        return found
    record = tape.blank_tape(1, 1, 1)
    recording = tape.RecordingGenerator(rng, record)
    record.state[tape.FAULT] = fault
    draw_reports(recording, rule, reward, found[:1])
    record.state[tape.IN_UNIFORMS] = record.state[tape.DRAWS] == 0
    draw_reports(recording, rule, reward, found)
    return found


@kernel
def draw_reports(rng, rule, reward, found):
    """Fill the array with independent reports of a reward."""
    for i in range(found.size):
        found[i] = rule.report(rng, reward)
