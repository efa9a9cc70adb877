"""Which result is in which file. A rule gives wildcards in the place of names: `summary("{paper}", "{experiment}")`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Files:
    """The paths of all results of one scale, relative to the project's folder."""

    scale: str
    formats: tuple[str, ...]  # of the figures
    on_real_log: bool = False  # with Yahoo!'s news log in the place of the synthetic one

    @property
    def results(self) -> str:
        """The folder that no other scale writes to."""
        return f"results/{self.scale}" + ("-r6a" if self.on_real_log else "")

    @property
    def figures(self) -> str:
        """The folder of the figures: at the top, if they are the papers' own."""
        return self._at_the_top("figures")

    @property
    def reference(self) -> str:
        """The folder with the numbers of our last full run."""
        return "reference" if self.results == "results/paper" else self.results.replace("results", "reference")

    def _at_the_top(self, folder: str) -> str:
        return folder if self.results == "results/paper" else f"{self.results}/{folder}"

    def trace(self, batch: str, first: int | str, last: int | str) -> str:
        """The runs first..last of a batch, `<paper>/<experiment>/<batch>`."""
        return f"{self.results}/traces/{batch}/{first}-{last}.npz"

    def log_of_trace(self, batch: str, first: int | str, last: int | str) -> str:
        """The log of the job that simulates these runs, which says what it cost."""
        return f"{self.results}/logs/simulate/{batch}/{first}-{last}.log"

    def summary(self, paper: str, experiment: str) -> str:
        return f"{self.results}/summaries/{paper}/{experiment}.csv"

    def table(self, paper: str, table: str) -> str:
        """A table of the paper's theorems."""
        return f"{self.results}/tables/{paper}/{table}.csv"

    def claims(self, paper: str) -> str:
        """The verdicts on all claims of a paper."""
        return f"{self.results}/claims/{paper}.csv"

    def verdict(self, claim: str) -> str:
        """The verdicts on one claim, `<paper>/<claim>`."""
        return f"{self._at_the_top('claims')}/{claim}"

    def accounts(self, paper: str) -> str:
        return f"{self.results}/accounts/{paper}.csv"

    def audits(self, paper: str) -> str:
        return f"{self.results}/audits/{paper}.csv"

    def figure(self, paper: str, figure: str) -> list[str]:
        """A figure in every format."""
        return [f"{self.figures}/{paper}/{figure}.{kind}" for kind in self.formats]

    def picture(self, paper: str, figure: str) -> str:
        """The small picture of a figure in the report."""
        return f"{self.results}/pictures/{paper}/{figure}.png"

    def geometry(self, paper: str, figure: str) -> str:
        """The values in that picture, and where they are."""
        return f"{self.results}/pictures/{paper}/{figure}.json"

    def of_arena(self, table: str) -> str:
        """A table of the arena."""
        return f"{self.results}/arena/{table}.csv"

    @property
    def records(self) -> list[str]:
        """Of Yahoo!'s news log: the visits and the tables of their articles, which a job reads, and a report on skipped lines."""
        return [f"{self.results}/news/{name}" for name in ("events.bin", "tables.npz", "report.json")]

    @property
    def verification(self) -> str:
        return f"{self.results}/verification.txt"

    @property
    def report(self) -> str:
        return f"{self.results}/report.html"
