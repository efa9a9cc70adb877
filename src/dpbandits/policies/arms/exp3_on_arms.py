"""EXP3 (Auer, Cesa-Bianchi, Freund & Schapire, 2003; tossou2017) on stochastic arms."""

from dpbandits.drivers.table_of_gains import TablePolicy
from dpbandits.policies.games.exp3 import EXP3


class EXP3OnArms(TablePolicy):
    """EXP3 on a table of rewards."""

    def on_table(self, horizon):
        return EXP3()
