"""Write the tables of docs/readings from the numbers in reference/.

A table on one of these pages lies between two comments with its name, and is made here from the summaries and the claims
tables of the last full run. `make reference` does it after a run; by hand:

    python benchmarks/readings.py            # rewrites the tables, and says which of them changed
    python benchmarks/readings.py --check    # changes nothing; fails if a table has other numbers than the reference
"""

import argparse
import itertools
import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from dpbandits.claims import scoreboard
from dpbandits.errors import InputError
from dpbandits.files import tables
from dpbandits.theory import tossou2016

ROOT = Path(__file__).parent.parent
REFERENCE, PAGES = ROOT / "reference", ROOT / "docs/readings"
Row = Sequence[str]


@cache
def rows(paper: str, experiment: str) -> list[dict[str, str]]:
    """The rows of a summary table."""
    return tables.rows(REFERENCE / f"summaries/{paper}/{experiment}.csv", checksum=False)


def curve(paper: str, experiment: str, series: str, column: str = "mean") -> dict[int, float]:
    """t -> a statistic of a series."""
    found = {int(row["t"]): float(row[column]) for row in rows(paper, experiment) if row["policy"] == series}
    if not found:
        raise InputError(f"reference/summaries/{paper}/{experiment}.csv: no series '{series}'; run make reference")
    return found


def final(paper: str, experiment: str, series: str, column: str = "mean") -> float:
    """A statistic of a series at T."""
    return list(curve(paper, experiment, series, column).values())[-1]


@cache
def judged(paper: str) -> dict[str, scoreboard.Row]:
    """The rows of a claims table by claim, experiment and reading, as in "C8 fig1c published"."""
    found = scoreboard.read_claims(REFERENCE / f"claims/{paper}.csv", checksum=False)
    return {f"{row['claim']} {row['experiment']} {row['reading']}": row for row in found}


def table(header: Row, body: Iterable[Row], align: str = "---:") -> str:
    """A table in Markdown; every column but the first is aligned as `align` says."""
    lines = [header, ["---", *[align] * (len(header) - 1)], *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def verdicts(paper: str, names: Iterable[str]) -> str:
    """The measured numbers and verdicts of claims, named "claim experiment reading"."""
    found = [(name, judged(paper)[name]) for name in names]
    body = [[f"`{name}`", scoreboard.number(row), row["verdict"]] for name, row in found]
    return table(["claim, experiment, reading", "measured", "verdict"], body)


# tossou2016

SPLITS = {"literal-natlog": "printed, ln", "full-log2": "printed, log₂", "half-log2": "spends ε"}
RIVALS = ("private-ucb", "dp-ucb-bound", "dp-ucb")


def bound_over_dp_ucb(panel: str, split: str) -> tuple[float, float]:
    """DP-UCB-BOUND's regret over DP-UCB's with one hybrid mechanism: on average over ln t (A3), and at T (A4)."""
    bound, dp_ucb = (
        curve("tossou2016", f"s-hybrid-{panel}", f"{name}-by-hybrid-{split}") for name in ("bound", "dp-ucb")
    )
    x, ln_t = np.linspace(math.log(100), math.log(10_000), 200), np.log(list(bound))
    ratio = np.interp(x, ln_t, list(bound.values())) / np.interp(x, ln_t, list(dp_ucb.values()))
    early = math.exp(np.trapezoid(np.log(ratio), x) / (x[-1] - x[0]))
    return early, list(bound.values())[-1] / list(dp_ucb.values())[-1]


def hybrids() -> str:
    """A3 and A4 with each candidate for the hybrid mechanism."""
    found = {(panel, split): bound_over_dp_ucb(panel, split) for panel in "abcd" for split in SPLITS}
    names = ("A3: on average over ln t, 100 to 10,000; at least 1.05", "A4: at T; below 1")
    body = [
        [f"{name}; panel {panel}", *(f"{found[panel, split][i]:.2f}" for split in SPLITS)]
        for i, name in enumerate(names)
        for panel in "abcd"
    ]
    return table(["regret of DP-UCB-BOUND over that of DP-UCB", *SPLITS.values()], body)


def schedules() -> str:
    """A1 with each candidate for DP-UCB-INT: its regret over the smallest of the other private algorithms, as published."""
    candidates = {
        "int-by-schedule-series-y": "Lemma B.1 with v (both readings)",
        "int-by-schedule-series-x": "Lemma B.1 with v/2",
        "int-by-schedule-simple": "multiples of 1/ε",
        "int-by-bonus-current-t": "Lemma B.1 with v, current confidence terms",
        "int-by-bonus-frozen": "Lemma B.1 with v, confidence terms of the last pull",
    }
    least = {panel: min(final("tossou2016", f"fig2{panel}", rival) for rival in RIVALS) for panel in "abcd"}
    body = [
        [name, *(f"{final('tossou2016', f's-interval-{panel}', series) / least[panel]:.2f}" for panel in "abcd")]
        for series, name in candidates.items()
    ]
    return table(["A1: at most 0.9", *(f"panel {panel}" for panel in "abcd")], body)


def private_ucbs() -> str:
    """A5 and A7 in both readings of Private-UCB: its regret, and how much the best and the worst run differ."""
    body = []
    for reading, name in (
        ("", "no relaxation (published)"),
        (".corrected", "as its source defines it (corrected)"),
    ):
        at_end = [
            [row for row in rows("tossou2016", f"fig2{panel}{reading}") if row["policy"] == "private-ucb"][-1]
            for panel in "abcd"
        ]
        spreads = (f"{float(row['max']) - float(row['min']):,.0f}" for row in at_end[:2])
        body.append([name, *(f"{float(row['mean']):,.0f}" for row in at_end), *spreads])
    header = ["Private-UCB", *(f"regret, {panel}" for panel in "abcd"), *(f"best against worst run, {panel}" for panel in "ab")]  # fmt: skip
    return table(header, body)


def lost_runs() -> str:
    """DP-UCB-INT in panel a's game at two epsilons."""
    body = []
    for experiment, epsilon in (("fig2a", 1.0), ("s-lost-runs", 5.0)):
        by_t = {int(row["t"]): row for row in rows("tossou2016", experiment) if row["policy"] == "dp-ucb-int"}
        for T in (10_000, 100_000):
            row = by_t[T]
            error = float(row["std"]) / math.sqrt(int(row["runs"]))
            bound = float(tossou2016.tossou2016_dp_ucb_int(np.array([0, 0.3]), T, epsilon, math.exp(-10)))
            regret = f"{float(row['mean']):.1f} ± {error:.1f}"
            body.append([f"{epsilon:g}", f"{T:,}", regret, f"{float(row['locked_in']):.2%}", f"{bound:.1f}"])
    return table(["ε", "t", "mean regret", "runs that lose", "Theorem 3.5"], body)


def growth_of_the_gap() -> str:
    """A2 in the four panels, which are the same in both readings, and the claims on the runs that lose."""
    names = [f"A2 fig2{panel} published" for panel in "abcd"] + [f"{claim} s-lost-runs both" for claim in ("A8-long", "A13")]  # fmt: skip
    return verdicts("tossou2016", names)


def spreads() -> str:
    """The spread between runs."""
    names = [
        ("A6", "fig2a"),
        ("A6", "fig2b"),
        ("A6-ten", "fig2c"),
        ("A6-ten", "fig2d"),
        ("A7", "fig2a"),
        ("A7", "fig2b"),
    ]
    return verdicts(
        "tossou2016",
        [f"{claim} {panel} {reading}" for claim, panel in names for reading in ("published", "corrected")],
    )


# tossou2017


def rates() -> str:
    """How fast regrets grow with the length of the game, relative to their bounds."""
    body = []
    for claim, policy, panel in (
        ("B4", "EXP3", "a"),
        ("B4-lap", "DP-EXP3-Lap", "a"),
        ("B4-tau", "EXP3_τ", "a"),
        ("B12-tau", "EXP3_τ", "e"),
    ):
        lengths = " ".join(f"s-growth-{panel}-{power}" for power in range(13, 19))
        row = judged("tossou2017")[f"{claim} {lengths} both"]
        body.append([f"`{claim}`: {policy}, panel {panel}", scoreboard.number(row), row["verdict"]])
    return table(["claim", "exponent less that of the bound", "verdict"], body)


def feedback() -> str:
    """The order with switching costs, by what is observed of the penalty."""
    names = ("B3 fig6e", "B3-not-observed s-feedback-not-observed", "B3-no-penalty s-feedback-none")
    return verdicts("tossou2017", [f"{name} both" for name in names])


# azize2022

EPSILONS = (0.1, 0.25, 0.5, 1)
ENVIRONMENTS = ("c1", "c2", "c3", "c4")
INDICES = {
    "klucb-by-eps": "eq. 8 as printed",
    "klucb-one-panels": "private term without α",
    "klucb-half-budget-panels": "α/2 in the budget",
}
ELIMINATIONS = {"se-all-by-eps": "as defined", "se-skip-by-eps": "skips the next arm"}
SIMILAR = 0.75  # D4's border


def ratios(of: str, to: str) -> dict[tuple[str, float], float]:
    """(environment, epsilon) -> the ratio of two policies' mean regrets at T."""
    return {
        (environment, epsilon): final("azize2022", f"s-slip-{environment}", f"{of}-{epsilon:g}")
        / final("azize2022", f"s-slip-{environment}", f"{to}-{epsilon:g}")
        for environment in ENVIRONMENTS
        for epsilon in EPSILONS
    }


def drawn(figure: str, policy: str) -> tuple[np.ndarray, np.ndarray]:
    """x and y of a curve of azize2022 as it was drawn."""
    found = tables.rows(REFERENCE / f"published/azize2022/{figure}.csv", checksum=False)
    x, y = zip(*sorted((float(row["x"]), float(row["y"])) for row in found if row["policy"] == policy), strict=True)
    return np.array(x), np.array(y)


def away(ours: np.ndarray, theirs: np.ndarray) -> list[str]:
    """The median and the largest relative difference."""
    relative = np.abs(ours / theirs - 1)
    return [f"{np.median(relative):.1%}", f"{relative.max():.1%}"]


def fits() -> str:
    """How far the candidates are from the curves of Figure 2, at 60 rounds evenly in t and 60 evenly in ln t."""
    candidates = [
        ("DP-UCB", "ε/K per arm, T", "fig2.corrected", "dp-ucb"),
        ("DP-UCB", "ε/K per arm, the next power of two (published)", "fig2", "dp-ucb"),
        ("DP-UCB", "ε per arm, T", "s-baseline-d", "tree-whole"),
        ("DP-SE", "as defined", "fig2.corrected", "dp-se"),
        ("DP-SE", "skips the next arm (published)", "fig2", "dp-se"),
        ("AdaP-UCB", "all rounds counted", "fig2.corrected", "adap-ucb"),
        ("AdaP-UCB", "one round of each episode left out (published)", "fig2", "adap-ucb"),
        *(("AdaP-KLUCB", name, "s-slip-c2", f"{policy}-1") for policy, name in INDICES.items()),
        ("AdaP-KLUCB", "eq. 8 as printed, one round of each episode left out (published)", "fig2", "adap-klucb"),
    ]
    body = []
    for policy, name, experiment, series in candidates:
        points = drawn("fig2", policy)
        rounds, regrets = (
            np.array(values) for values in zip(*curve("azize2022", experiment, series).items(), strict=True)
        )
        distances = []
        for t in (np.linspace(1e5, points[0][-1], 60), np.geomspace(1e4, points[0][-1], 60)):
            theirs = np.exp(np.interp(t, points[0], np.log(points[1])))
            distances += away(np.interp(t, rounds, regrets), theirs)
        at_end = np.interp(points[0][-1], rounds, regrets) / points[1][-1] - 1
        body.append([policy, name, *distances, f"{at_end:+.1%}"])
    header = ["policy", "candidate", "evenly in t: median", "largest", "evenly in ln t: median", "largest", "at T"]
    return table(header, body)


def slip() -> str:
    """DP-SE that skips the next arm, relative to DP-SE as defined."""
    found = ratios("se-skip-by-eps", "se-all-by-eps")
    body = [[c.upper(), *(f"{found[c, epsilon]:.3g}" for epsilon in EPSILONS)] for c in ENVIRONMENTS]
    return table(["", *(f"ε = {epsilon:g}" for epsilon in EPSILONS)], body)


def combinations() -> str:
    """Which of the sentences hold in the means, for each index of AdaP-KLUCB and each elimination of DP-SE."""
    body = []
    for index, index_name in INDICES.items():
        for elimination, name in ELIMINATIONS.items():
            to_se, to_ucb = ratios(index, elimination), ratios(index, "ucb-by-eps")
            of_figure_2 = max(to_se["c2", 1], ratios("ucb-by-eps", elimination)["c2", 1])
            lowest = sum(to_se[at] < 1 and to_ucb[at] < 1 for at in to_se)
            similar = sum(SIMILAR <= value <= 1 for value in to_ucb.values())
            falls = all(
                final("azize2022", f"s-slip-{c}", f"{policy}-1") < final("azize2022", f"s-slip-{c}", f"{policy}-0.1")
                for policy in (index, "ucb-by-eps")
                for c in ENVIRONMENTS
            )
            finals = [
                [final("azize2022", f"s-slip-{c}", f"{elimination}-{e:g}") for e in EPSILONS] for c in ENVIRONMENTS
            ]
            same = sum(max(regrets) <= 1.1 * min(regrets) for regrets in finals)
            of_four = sum((of_figure_2 <= 1 / 9, lowest == 16, similar == 16, same == 4))
            span = f"{min(to_ucb.values()):.3f} to {max(to_ucb.values()):.3f}"
            body.append([index_name, name, f"{of_figure_2:.3f}", f"{lowest} of 16", f"{similar} of 16 ({span})",
                         f"{same} of 4", str(of_four + falls)])  # fmt: skip
    header = [
        "index of AdaP-KLUCB",
        "DP-SE",
        "ten times less than DP-SE, Figure 2 (S3): larger ratio",
        "AdaP-KLUCB lowest (S1)",
        "similar, slightly better (S6): KLUCB/UCB",
        "DP-SE the same for all ε (S9)",
        "sentences that hold, of five (with S8)",
    ]
    return table(header, body, "---")


def plateau() -> str:
    """Figure 3 with each index of AdaP-KLUCB."""
    candidates = {
        "klucb-eq8-by-eps": ("s-cap", "eq. 8 as printed"),
        "klucb-one-by-eps": ("s-cap", "private term without α"),
        "klucb-cap-by-eps": ("s-cap", "and ε capped at 1"),
        "klucb-fit-by-eps": ("s-cap", "and 2.4 for α in the budget"),
        "adap-klucb-by-eps": ("fig3", "and one round of each episode left out (published)"),
    }
    drawn_at, theirs = drawn("fig3", "AdaP-KLUCB")
    rest = drawn_at > 0.3
    exponents = [np.polyfit(np.log(drawn_at[part]), np.log(theirs[part]), 1)[0] for part in (~rest, rest)]
    body = [["drawn", "", "", *(f"{slope:.2f}" for slope in exponents)]]
    for policy, (experiment, name) in candidates.items():
        series = dict.fromkeys(
            row["policy"] for row in rows("azize2022", experiment) if row["policy"].startswith(policy)
        )
        regret = {float(one.removeprefix(f"{policy}-")): final("azize2022", experiment, one) for one in series}
        epsilon, ours = (np.array(values) for values in zip(*regret.items(), strict=True))
        low = epsilon > 0.3
        slopes = [np.polyfit(np.log(epsilon[part]), np.log(ours[part]), 1)[0] for part in (~low, low)]
        body.append([name, *away(ours, theirs), *(f"{slope:.2f}" for slope in slopes)])
    header = [
        "index",
        "distance from the 60 drawn points: median",
        "largest",
        "power of ε up to 0.3 (D8)",
        "from 0.3 on (D9)",
    ]
    return table(header, body)


def dp_ucb_horizon() -> str:
    """DP-UCB's final regret on C2 with each candidate."""
    candidates = {
        "ε/K per arm, T (corrected)": ("fig5a.corrected dp-ucb", "fig2.corrected dp-ucb"),
        "ε/K per arm, the next power of two (published)": ("fig5a dp-ucb", "fig2 dp-ucb"),
        "ε per arm, T": ("s-baseline-a tree-whole", "s-baseline-d tree-whole"),
    }
    body = []
    for name, places in candidates.items():
        finals = [final("azize2022", *place.split()) for place in places]
        klucb = [final("azize2022", f"{experiment}.corrected", "adap-klucb") for experiment in ("fig5a", "fig2")]
        times = (f"{tree / other:.0f}" for tree, other in zip(finals, klucb, strict=True))
        body.append([name, *(f"{regret:.0f}" for regret in finals), *times])
    return table(["trees and relaxation", "ε = 0.1", "ε = 1", "times AdaP-KLUCB, ε = 0.1", "ε = 1"], body)


# mishra2015

AXIS = dict(zip((0.1, 0.5, 1, 2, 10), "abcde", strict=True))  # epsilon -> the key of its grid, s-tuning-a to s-tuning-e
OF_FIGURE_1 = ["", *(f"ε = {epsilon:g}" for epsilon in AXIS)]


def in_grid(policy: str, epsilon: float) -> dict[str, dict[str, str]]:
    """value -> the row at T of every series of a policy in the grid of an epsilon."""
    found = {row["policy"]: row for row in rows("mishra2015", f"s-tuning-{AXIS[epsilon]}")}  # the last row is at T
    return {name.removeprefix(f"{policy}-"): row for name, row in found.items() if name.rpartition("-")[0] == policy}


def tuned(policy: str, epsilon: float) -> str:
    """The value with the least mean regret at T."""
    grid = in_grid(policy, epsilon)
    return min(grid, key=lambda value: float(grid[value]["mean"]))


def tuning(policy: str, label: str) -> str:
    """Mean regrets at T with their errors, and the shares of runs locked in; the least of a column in bold."""
    body = []
    for value in in_grid(policy, 1):
        cells = []
        for epsilon in AXIS:
            row = in_grid(policy, epsilon)[value]
            error = float(row["std"]) / math.sqrt(int(row["runs"]))
            cell = f"{float(row['mean']):.0f} ± {error:.0f} ({float(row['locked_in']):.1%})"
            cells.append(f"**{cell}**" if value == tuned(policy, epsilon) else cell)
        body.append([label.format(value), *cells])
    return table(OF_FIGURE_1, body)


def grid_curve(policy: str, epsilon: float, value: str) -> tuple[float, float]:
    """The mean regret at T/2 and at T."""
    half, end = curve("mishra2015", f"s-tuning-{AXIS[epsilon]}", f"{policy}-{value or tuned(policy, epsilon)}").values()
    return half, end


def candidates() -> str:
    """What the text leaves open in Figure 1, and on how many of four sentences each candidate holds."""
    published = {"ucb": ("ucb-by-c", ""), "thompson": ("thompson-by-m", "")}
    tried = {
        "UCB, r in [0, n], tuned (Figure 1)": ("ucb", "ucb-by-c", ""),
        "UCB, r in [0, n], c = 0": ("ucb", "ucb-by-c", "0"),
        "UCB, only the root clipped, tuned": ("ucb", "ucb-root-by-c", ""),
        "UCB, only the root clipped, c = 0": ("ucb", "ucb-root-by-c", "0"),
        "Thompson, whole budget, tuned (Figure 1)": ("thompson", "thompson-by-m", ""),
        "Thompson, whole budget, m = 0": ("thompson", "thompson-by-m", "0"),
        "Thompson, half the budget, tuned": ("thompson", "thompson-half-by-m", ""),
        "Thompson, half the budget, m = 0": ("thompson", "thompson-half-by-m", "0"),
    }
    plain = {"ucb": final("mishra2015", "fig1a", "ucb-tuned"), "thompson": final("mishra2015", "fig1b", "thompson")}
    body = []
    for label, (family, policy, value) in tried.items():
        chosen = published | {family: (policy, value)}
        ends = {name: [grid_curve(p, e, v)[1] for e in AXIS] for name, (p, v) in chosen.items()}
        late = [1 - half / end for half, end in (grid_curve(policy, e, value) for e in AXIS if e >= 0.5)]
        numbers = [
            (max(b / a for a, b in itertools.pairwise(ends[family])), 1.0),
            (max(late), 0.1),
            (statistics.median(a / b for a, b in zip(ends["thompson"], ends["ucb"], strict=True)), 0.8),
            (ends[family][-1] / plain[family], 3.0),
        ]
        holds = [number < border for number, border in numbers]
        cells = [f"{number:.2f}{' ✓' if true else ''}" for (number, _), true in zip(numbers, holds, strict=True)]
        body.append([label, *cells, str(sum(holds))])
    header = ["", "S5: worst step, below 1", "S7: late regret, at most 0.1", "S8: Thompson/UCB, at most 0.8",
              "S2: at ε = 10 over not private, at most 3", "hold"]  # fmt: skip
    return table(header, body)


def intervals() -> str:
    """Mean regrets at T of private UCB with two intervals: tuned, each with its own relaxation, and without relaxation."""

    def cell(row: Mapping[str, str]) -> str:
        return f"{float(row['mean']):.0f} ± {float(row['std']) / math.sqrt(int(row['runs'])):.0f}"

    best = {row["policy"]: row for row in rows("mishra2015", "s-interval")}
    body = []
    for label, policy, grid in (
        ("tuned interval", "private-ucb", "ucb-by-c"),
        ("UCB1's interval", "private-ucb1-interval", "ucb1-by-c"),
    ):
        body.append([f"{label}, best c", *(cell(best[f"{policy}-{epsilon:g}"]) for epsilon in AXIS)])
        body.append([f"{label}, c = 0", *(cell(in_grid(grid, epsilon)["0"]) for epsilon in AXIS)])
    return table(OF_FIGURE_1, body)


SETTINGS = {
    "article": "context of the article",
    "articles": "context of the user, a model per article",
    "constants-03": "alpha = v = 0.3",
    "constants-1": "alpha = v = 1",
    "tastes-a": "random tastes, first",
    "tastes-b": "random tastes, second",
}


def settings() -> str:
    """Figure 2 and the settings that differ from it in one thing, and on how many of three sentences each holds."""
    body = []
    of_ours = ("E10-setting",), ("E11-setting", "E11-setting-ts")
    for label, experiment, prefix, near, delayed in (
        ("Figure 2", "fig2", "", ("E10", "E10-ts"), ("E11", "E11-ts")),
        *((label, f"s-setting-{key}", "other-", *of_ours) for key, label in SETTINGS.items()),
    ):
        rates, ratios = [], []
        for algorithm in ("lin-ucb-0", "lin-ts-0"):
            plain, private = (
                final("mishra2015", experiment, f"{prefix}{kind}{algorithm}") for kind in ("", "private-")
            )
            rates.append(f"{plain:.3f} / {private:.3f}")
            ratios.append(private / plain)
        nears, harms = (
            [row for claim in claims if (row := judged("mishra2015").get(f"{claim} {experiment} both"))]
            for claims in (near, delayed)
        )
        s9, s10 = (all(row["verdict"] == "holds" for row in found) and bool(found) for found in (nears, harms))
        holds = [s9, s10, s9 and max(ratios) <= 1]
        cells = [f"{harm['value']:.4f} ± {harm['standard_error']:.4f}" for harm in harms] or ["–", "–"]
        body.append([label, *rates, *(f"{ratio:.3f}" for ratio in ratios), *cells, str(sum(holds))])
    header = ["", "LinUCB: not private / private", "LinTS: the same", "private/not, LinUCB", "LinTS",
              "harm of delay, LinUCB", "LinTS", "hold"]  # fmt: skip
    return table(header, body)


# sarkar2025


def nash(header: Row, *names: str) -> str:
    """Nash regrets. A name is "experiment policy"; a column "ε = 0.2" is of that series at T, "t = 1e6" at that round."""
    body = []
    for name in names:
        experiment, policy = name.split()
        cells = []
        for column in header:
            kind, value = column.split(" = ")
            series = f"{policy}-{value}" if kind == "ε" else policy
            found = curve("sarkar2025", experiment, series, "nash_regret")
            cells.append(f"{list(found.values())[-1] if kind == 'ε' else found[round(float(value))]:.4f}")
        body.append([f"`{name}`", *cells])
    return table(["Nash regret at T" if kind == "ε" else "Nash regret", *header], body)


FOUR = ["ε = 0.2", "ε = 0.5", "ε = 1", "ε = 2"]
LARGE = [f"ε = {epsilon:g}" for epsilon in (2, 5, 10, 20, 50, 1000)]


def constants() -> str:
    """The corrected reading with each choice of what the text leaves open: Nash regrets at T = 1e7, and what then holds."""

    def of(experiment: str, series: str) -> dict[int, float]:
        return curve("sarkar2025", experiment, series, "nash_regret")

    def by_epsilon(experiment: str, policy: str) -> list[dict[int, float]]:
        return [of(experiment, f"{policy}-by-eps-{epsilon}") for epsilon in ("0.2", "0.5", "1", "2")]

    def final_of(found: dict[int, float]) -> float:
        return found[10**7]

    def slope(found: dict[int, float]) -> float:
        x = np.linspace(math.log(100), math.log(10**7), 200)
        return float(np.polyfit(x, np.interp(x, np.log(list(found)), np.log(list(found.values()))), 1)[0])

    run = by_epsilon("fig1c.corrected", "gdp-ncb")
    ncb, w, t = of("fig1c.corrected", "ncb"), "s-logarithms-w", "s-logarithms-t"
    found = {
        "as released (taken)": (ncb, run, by_epsilon("fig1c.corrected", "ldp-ncb")),
        "ln W in both indices": (ncb, run, by_epsilon(w, "ldp-ncb")),
        "ln T in both": (ncb, by_epsilon(t, "gdp-ncb"), by_epsilon(t, "ldp-ncb")),
        "ln T in both, β = 2c√(2α)": (ncb, by_epsilon(t, "gdp-ncb-beta"), by_epsilon(t, "ldp-ncb")),
        "as released, NCB with θ = 420": (of("s-theory-7", "ncb-theory"), run, by_epsilon("fig1c.corrected", "ldp-ncb")),
        "no cap, ln T, β = 2c√(2α), θ = 420": (
            of("s-theory-7", "ncb-theory"), [of("s-theory-7", "gdp-theory-2")] * 4, [of("s-theory-7", "ldp-theory-2")] * 4
        ),
    }  # fmt: skip
    rivals = [final_of(of("fig1b.corrected", name)) for name in ("adap-ucb", "ldp-ucb")]
    body = []
    for name, (least, *private) in found.items():
        gdp, ldp = ([final_of(each) for each in curves] for curves in private)
        slopes = [slope(each) for each in (least, private[0][0], private[1][0])]
        holds = {
            "S4": gdp[0] < rivals[0],
            "S5": ldp[0] <= 0.5 * rivals[1],
            "S6": all(b < a for ends in (gdp, ldp) for a, b in itertools.pairwise(ends)),
            "S7": final_of(least) < min(gdp + ldp),
            "S8": all(a < b for a, b in itertools.pairwise(slopes)),
        }
        values = [final_of(least), gdp[0], gdp[-1], ldp[0], ldp[-1]]
        names = [sentence for sentence, is_true in holds.items() if is_true]
        body.append([name, *(f"{value:.4f}" for value in values), f"{len(names)}: {', '.join(names)}"])
    header = [
        "constants",
        "NCB",
        "GDP-NCB, ε = 0.2",
        "GDP-NCB, ε = 2",
        "LDP-NCB, ε = 0.2",
        "LDP-NCB, ε = 2",
        "of S4 to S8 hold",
    ]
    return table(header, body)


def logarithms() -> str:
    """As run, and one logarithm in both indices."""
    names = ["fig1c.corrected gdp-ncb-by-eps", "fig1c.corrected ldp-ncb-by-eps"]
    names += [
        f"s-logarithms-{log} {policy}-by-eps" for log in "wt" for policy in ("gdp-ncb", "gdp-ncb-beta", "ldp-ncb")
    ]
    return nash(FOUR, *names)


def final_nash(*names: str) -> str:
    """Nash regrets at T with their errors. A name is "experiment series"."""
    body = []
    for name in names:
        experiment, series = name.split()
        value, error = (
            final("sarkar2025", experiment, series, column) for column in ("nash_regret", "nash_regret_error")
        )
        body.append([f"`{name}`", f"{value:.4f} ± {error:.1g}"])
    return table(["", "Nash regret at T"], body)


# page -> the name of a table on it -> the table
TABLES: Mapping[str, Mapping[str, Callable[[], str]]] = {
    "tossou2016": {
        "hybrids": hybrids,
        "Private-UCB": private_ucbs,
        "schedules": schedules,
        "lost runs": lost_runs,
        "growth": growth_of_the_gap,
        "spreads": spreads,
    },
    "tossou2017": {"feedback": feedback, "rates": rates},
    "azize2022": {
        "Figure 2": fits,
        "slip": slip,
        "combinations": combinations,
        "plateau": plateau,
        "DP-UCB": dp_ucb_horizon,
    },
    "mishra2015": {
        "relaxation": lambda: tuning("ucb-by-c", "c = {}"),
        "first pulls": lambda: tuning("thompson-by-m", "m = {} L/ε₀"),
        "candidates": candidates,
        "intervals": intervals,
        "settings": settings,
    },
    "sarkar2025": {
        "constants": constants,
        "panel b": lambda: nash(
            ["t = 1e7", "t = 3e7", "t = 1e8"],
            *(f"fig1b {policy}" for policy in ("adap-ucb", "adap-ucb-same-runs", "ldp-ucb", "gdp-ncb", "ldp-ncb", "ncb")),
            *(f"fig1b.corrected {policy}" for policy in ("adap-ucb", "ldp-ucb", "gdp-ncb", "ldp-ncb")),
        ),
        "logarithms": logarithms,
        "local and global": lambda: verdicts(
            "sarkar2025", ["C13 fig1c published", "C13 fig1c corrected", "C13 s-logarithms-w both", "C13 s-logarithms-t both"]
        ),
        "NCB": lambda: nash(
            ["t = 1e6", "t = 2e6", "t = 5e6", "t = 1e7"],
            "fig1c ncb", "fig1c ncb-planned", "fig1b ncb", "fig1c.corrected ncb-planned",
        ),
        "noise": lambda: final_nash(
            *(f"s-noise {policy}" for policy in ("gdp-noise", "gdp-hardly-noise", "gdp-hardly-privacy", "ncb"))
        ),
        "slower": lambda: verdicts("sarkar2025", ["C9-noise s-noise both", "C9-noise-alone s-noise both"]),
        "theory": lambda: final_nash(
            "s-theory-7 gdp-theory-2", "s-theory-7 ldp-theory-2", "s-theory-7 ncb-theory",
            *(f"s-theory-8 {policy}" for policy in ("gdp-theory-2", "gdp-theory-private-mean-2", "gdp-theory-private-test-2", "ncb-theory")),
        ),
        "privacy": lambda: verdicts(
            "sarkar2025",
            ["P1 fig1b published", "P1 fig1b corrected", "P1-a fig1a published", "P1-a fig1a corrected",
             "P2 s-theory-8 both", "P4 fig1b published", "P5 s-anytime both"],
        ),
        "large epsilon": lambda: nash(LARGE, "s-large-epsilon gdp-large", "s-large-epsilon gdp-large-private-mean"),
        "price": lambda: verdicts(
            "sarkar2025", [f"{claim} fig1c {reading}" for claim in ("C12", "C12-local") for reading in ("published", "corrected")]
        ),
        "anytime": lambda: final_nash(*(f"s-anytime {policy}" for policy in ("gdp-fixed-2", "gdp-anytime-2", "ldp-fixed-2", "ldp-anytime-2"))),
    },
}  # fmt: skip


def written(page: Path, tables: Mapping[str, Callable[[], str]]) -> Iterator[tuple[str, str]]:
    """(name of a table, the page's text with this table and those before it as they should be)."""
    text = page.read_text(encoding="utf-8")
    for name, make in tables.items():
        text = scoreboard.with_table(text, name, make(), page)
        yield name, text


def main() -> int:
    """Rewrite the tables, or check them."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--check", action="store_true", help="change nothing; exit with 1 if a table is out of date")
    check = options.parse_args().check
    stale = 0
    for paper, tables_of_page in TABLES.items():
        page = PAGES / f"{paper}.md"
        before = text = page.read_text(encoding="utf-8")
        for name, after in written(page, tables_of_page):
            if after != text:
                stale += 1
                print(f"{page.relative_to(ROOT)}: {name}: {'not the numbers of reference/' if check else 'rewritten'}")
            text = after
        if not check and text != before:
            page.write_text(text, encoding="utf-8")
    if not stale:
        print("the tables of docs/readings have the numbers of reference/")
    return int(check and stale > 0)


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except InputError as error:
        raise SystemExit(str(error)) from None
