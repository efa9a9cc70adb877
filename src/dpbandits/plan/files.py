"""Which result is in which file: paths with the wildcards of the rules, such as {paper}, relative to the project's folder."""

from collections.abc import Iterable


class Files:
    """The files of one scale; with Yahoo!'s news log in the place of the synthetic one they are in another folder."""

    def __init__(self, scale: str, formats: Iterable[str], on_real_log: bool = False):
        results = f"results/{scale}" + ("-r6a" if on_real_log else "")
        at_the_top = results == "results/paper"  # figures and verdicts on single claims, and the whole reference
        self.results = results
        self.figures_folder = "figures" if at_the_top else f"{results}/figures"
        self.reference = "reference" if at_the_top else results.replace("results", "reference")

        self.records = [f"{results}/news/{name}" for name in ("events.bin", "tables.npz", "report.json")]
        self.trace = f"{results}/traces/{{simulation}}/{{first}}-{{last}}.npz"
        self.log_of_trace = f"{results}/logs/simulate/{{simulation}}/{{first}}-{{last}}.log"
        self.summary = f"{results}/summaries/{{paper}}/{{experiment}}.csv"
        self.table = f"{results}/tables/{{paper}}/{{table}}.csv"
        self.claims = f"{results}/claims/{{paper}}.csv"
        self.sentences = f"{results}/sentences.csv"  # of all papers
        self.asked = ("" if at_the_top else f"{results}/") + "{asked}"  # a claim or a sentence (Plan.asked)
        self.accounts = f"{results}/accounts/{{paper}}.csv"
        self.ledgers = f"{results}/ledgers/{{paper}}.csv"
        self.audits = f"{results}/audits/{{paper}}.csv"
        self.figure = [f"{self.figures_folder}/{{paper}}/{{figure}}.{kind}" for kind in formats]
        self.picture = f"{results}/pictures/{{paper}}/{{figure}}.png"  # small, for the report
        self.svg = f"{results}/pictures/{{paper}}/{{figure}}.svg"  # for the report: every curve has its series' id
        self.geometry = f"{results}/pictures/{{paper}}/{{figure}}.json"  # the values in the picture, and where they are
        self.verification = f"{results}/verification.txt"
        self.report = f"{results}/report.html"
        self.published = "reference/published/{paper}/{figure}.csv"  # what the authors drew
        self.distances = f"{results}/distances.csv"  # of our curves from that
        self.scores = f"{results}/{{paper}}/scores.csv"  # of an arena
        self.differences = f"{results}/{{paper}}/differences.csv"  # of these scores
