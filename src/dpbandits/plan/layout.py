"""The folders of one configuration, relative to the folder where Snakemake is started."""

from dataclasses import dataclass

USUAL_SEED = 1  # of the figures and of reference/; any other seed has folders of its own


@dataclass(frozen=True)
class Layout:
    """Where results go: those of the paper's scale at the top, all others below results/."""

    scale: str = "paper"
    seed: int = USUAL_SEED
    real_log: bool = False  # Yahoo!'s news log in place of the synthetic one

    @property
    def _run(self) -> str:
        name = f"{self.scale}-r6a" if self.real_log else self.scale
        return name if self.seed == USUAL_SEED else f"seed-{self.seed}/{name}"

    @property
    def results(self) -> str:
        """The folder of traces, tables and the page."""
        return f"results/{self._run}"

    @property
    def figures(self) -> str:
        """The folder of the figures."""
        return "figures" if self._run == "paper" else f"{self.results}/figures"

    @property
    def reference(self) -> str:
        """The folder of the tracked numbers with which this run is compared."""
        return "reference" if self._run == "paper" else f"reference/{self._run}"
