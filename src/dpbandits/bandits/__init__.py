"""The shipped bandits, one class in one module each, in the folder of its family:

    arms    stochastic arms with means             (tossou2016, azize2022, sarkar2025, mishra2015)
    games   gains that an adversary fixes          (tossou2017)
    logs    news articles shown to logged visitors (mishra2015's Figure 2)

`from dpbandits.bandits import Bernoulli` imports the class, and `kind: bernoulli` names its module
in a paper's file. What several bandits share is beside these folders.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dpbandits.bandit import Bandit
from dpbandits.plugins import Plugins

# The list: `plugins` reads these lines, and a module without one is unknown. Editors and type
# checkers read them, too. At run time `__getattr__` imports what is used.
if TYPE_CHECKING:
    from .arms.bernoulli import Bernoulli as Bernoulli
    from .arms.beta import Beta as Beta
    from .arms.drawn_arms import DrawnArms as DrawnArms
    from .arms.uniform_rewards import UniformRewards as UniformRewards
    from .arms.vanishing_arm import VanishingArm as VanishingArm
    from .games.deterministic import Deterministic as Deterministic
    from .games.fully_oblivious import FullyOblivious as FullyOblivious
    from .games.oblivious import Oblivious as Oblivious
    from .games.stochastic_adversary import StochasticAdversary as StochasticAdversary
    from .games.switching_costs import SwitchingCosts as SwitchingCosts
    from .logs.news import News as News
    from .logs.news_log import NewsLog as NewsLog

FORM = "class MyBandit(ArmsBandit), with def constants(self) and def reward(self, rng, a)"
BANDITS = Plugins("bandits", Bandit, "kind of environment", FORM, __file__)


def make(environment: Mapping[str, Any]) -> Bandit:
    """Make the bandit that a paper's file describes.

    Parameters
    ----------
    environment : mapping
        The `kind`, and the parameters of its class.

    Returns
    -------
    Bandit

    Raises
    ------
    InputError
        If there is no such kind, or a parameter is missing, unknown or not valid.

    Examples
    --------
    >>> make({"kind": "bernoulli", "means": [0.9, 0.6]})
    Bernoulli(means=(0.9, 0.6))
    """
    parameters = {key: value for key, value in environment.items() if key != "kind"}
    return BANDITS.make(environment.get("kind", ""), parameters)


def __getattr__(name: str) -> Any:
    """Import a bandit when its class is first used: a run needs one of them."""
    return BANDITS.class_named(name)
