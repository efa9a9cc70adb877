"""EXP3 (Auer, Cesa-Bianchi, Freund & Schapire, 2003; tossou2017) on stochastic arms, which it takes for a table of gains."""

from dpbandits.drivers.table_of_gains import play_on_table
from dpbandits.policies.games import exp3


def play(rng, arms, horizon, journal):
    play_on_table(exp3.play, rng, arms, horizon, journal)
