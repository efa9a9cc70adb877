"""Written by `make lists`."""

from dpbandits.bandits.arms.bernoulli import Bernoulli as Bernoulli
from dpbandits.bandits.arms.beta import Beta as Beta
from dpbandits.bandits.arms.drawn_arms import DrawnArms as DrawnArms
from dpbandits.bandits.arms.uniform_rewards import UniformRewards as UniformRewards
from dpbandits.bandits.arms.vanishing_arm import VanishingArm as VanishingArm
from dpbandits.bandits.games.deterministic import Deterministic as Deterministic
from dpbandits.bandits.games.fully_oblivious import FullyOblivious as FullyOblivious
from dpbandits.bandits.games.oblivious import Oblivious as Oblivious
from dpbandits.bandits.games.stochastic_adversary import StochasticAdversary as StochasticAdversary
from dpbandits.bandits.games.switching_costs import SwitchingCosts as SwitchingCosts
from dpbandits.bandits.logs.news import News as News
from dpbandits.bandits.logs.news_log import NewsLog as NewsLog
from collections.abc import Mapping
from typing import Any
from dpbandits.bandit import Bandit
from dpbandits.plugins import Plugins
FORM = 'class MyBandit(ArmsBandit), with def constants(self) and def reward(self, rng, a)'
BANDITS = Plugins('bandits', Bandit, 'kind of environment', FORM)
def make(environment: Mapping[str, Any]) -> Bandit:
    ...
