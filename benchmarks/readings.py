"""Write the tables of docs/readings from the numbers in reference/.

A table on one of these pages lies between two comments with its name, and is made here from the summaries and the claims
tables of the last full run. `make reference` does it after a run; by hand:

    python benchmarks/readings.py            # rewrites the tables, and says which of them changed
    python benchmarks/readings.py --check    # changes nothing; fails if a table has other numbers than the reference
"""

import argparse
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
    body = [
        [f"`{name}`", scoreboard.number(row, digits=4 if row["value"] < 1000 else 6), row["verdict"]]
        for name, row in found
    ]
    return table(["claim, experiment, reading", "measured", "verdict"], body)


# tossou2016

SPLITS = {"half-log2": "`half_log2`", "full-log2": "`full_log2`", "literal-natlog": "`literal_natlog`"}


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
    names = ("A3: on average over ln t, 100 to 10,000; at least 1.05", "A4: at T; at most 1")
    body = [
        [f"{name}; panel {panel}", *(f"{found[panel, split][i]:.2f}" for split in SPLITS)]
        for i, name in enumerate(names)
        for panel in "abcd"
    ]
    return table(["regret of DP-UCB-BOUND over that of DP-UCB", *SPLITS.values()], body)


def lost_runs() -> str:
    """DP-UCB-INT in the long run."""
    by_t = {int(row["t"]): row for row in rows("tossou2016", "s-lost-runs")}
    body = []
    for T in (10_000, 100_000, 1_000_000):
        row = by_t[T]
        error = float(row["std"]) / math.sqrt(int(row["runs"]))
        bound = float(tossou2016.tossou2016_dp_ucb_int(np.array([0, 0.3]), T, 1.0, math.exp(-10)))
        numbers = f"{float(row['mean']):.1f} ± {error:.1f}", f"{float(row['median']):.1f}"
        body.append([f"{T:,}", *numbers, f"{float(row['locked_in']):.2%}", f"{bound:.1f}"])
    return table([f"t ({int(row['runs']):,} runs)", "mean regret", "median", "runs that lose", "Theorem 3.5"], body)


def growth_of_the_gap() -> str:
    """A2 in the four panels, which are the same in both readings, and the claims on the long game."""
    names = [f"A2 fig2{panel} published" for panel in "abcd"] + [f"{claim} s-lost-runs both" for claim in ("A8-long", "A13")]  # fmt: skip
    return verdicts("tossou2016", names)


def relaxation() -> str:
    """How much two runs of Private-UCB differ, without its relaxation and with it."""
    return verdicts(
        "tossou2016", [f"A7 fig2{panel} {reading}" for reading in ("published", "corrected") for panel in "ab"]
    )


# azize2022

EPSILONS = (0.1, 0.25, 0.5, 1)
ENVIRONMENTS = ("c1", "c2", "c3", "c4")
INDICES = {
    "klucb-by-eps": "eq. 8 as printed",
    "klucb-one-panels": "private term without alpha",
    "klucb-half-budget-panels": "alpha/2 in the budget",
}
ELIMINATIONS = {"se-all-by-eps": "as defined", "se-skip-by-eps": "skips the next arm"}


def ratios(of: str, to: str) -> dict[tuple[str, float], float]:
    """(environment, epsilon) -> the ratio of two policies' mean regrets at T."""
    return {
        (environment, epsilon): final("azize2022", f"s-slip-{environment}", f"{of}-{epsilon:g}")
        / final("azize2022", f"s-slip-{environment}", f"{to}-{epsilon:g}")
        for environment in ENVIRONMENTS
        for epsilon in EPSILONS
    }


def slip() -> str:
    """DP-SE that skips the next arm, relative to DP-SE as defined."""
    found = ratios("se-skip-by-eps", "se-all-by-eps")
    body = [[c.upper(), *(f"{found[c, epsilon]:.3g}" for epsilon in EPSILONS)] for c in ENVIRONMENTS]
    return table(["", *(f"ε = {epsilon:g}" for epsilon in EPSILONS)], body)


def combinations() -> str:
    """Which of the sentences hold, for each index of AdaP-KLUCB and each elimination of DP-SE."""
    body = []
    for index, index_name in INDICES.items():
        for elimination, name in ELIMINATIONS.items():
            to_se, to_ucb = ratios(index, elimination), ratios(index, "ucb-by-eps")
            of_figure_2 = max(to_se["c2", 1], ratios("ucb-by-eps", elimination)["c2", 1])
            lowest = sum(to_se[at] < 1 and to_ucb[at] < 1 for at in to_se)
            similar = sum(value >= 0.75 for value in to_ucb.values())
            span = f"{min(to_ucb.values()):.3f} to {max(to_ucb.values()):.3f}"
            body.append([index_name, name, f"{of_figure_2:.3f}", f"{lowest} of 16", f"{similar} of 16", span])
    header = [
        "private term",
        "DP-SE",
        "larger of both AdaP regrets relative to DP-SE, Figure 2 (D2: 0.1)",
        "KLUCB lowest (D3)",
        "similar, KLUCB/UCB at least 0.75 (D4)",
        "KLUCB/UCB",
    ]
    return table(header, body, "---")


def plateau() -> str:
    """Figure 3 with each index of AdaP-KLUCB."""
    names = {
        "klucb-eq8-by-eps": "eq. 8 as printed",
        "klucb-one-by-eps": "private term without alpha",
        "klucb-cap-by-eps": "and epsilon capped at 1",
        "klucb-fit-by-eps": "and alpha = 2.4 in the budget",
    }
    body = []
    for policy, name in names.items():
        series = dict.fromkeys(row["policy"] for row in rows("azize2022", "s-cap") if row["policy"].startswith(policy))
        regret = {float(one.removeprefix(f"{policy}-")): final("azize2022", "s-cap", one) for one in series}
        high = [(math.log(e), math.log(value)) for e, value in regret.items() if 0.05 <= e <= 0.3]
        slope = statistics.linear_regression(*zip(*high, strict=True)).slope
        late = ([value for e, value in regret.items() if least <= e <= 10] for least in (0.35, 0.42))
        body.append([name, f"{slope:.2f}", *(f"{max(values) / min(values):.2f}" for values in late)])
    header = ["index", "power of ε between 0.05 and 0.3 (D8)", "largest over smallest regret from ε = 0.35 on (D9)", "from ε = 0.42 on"]  # fmt: skip
    return table(header, body)


def dp_ucb_horizon() -> str:
    """DP-UCB's final regret on C2 at epsilon = 1 in the two readings."""
    finals = (final("azize2022", experiment, "dp-ucb") for experiment in ("fig2.corrected", "fig2"))
    return table(
        ["trees and relaxation for T", "for the next power of two (published)"], [[f"{x:.0f}" for x in finals]]
    )


def first_rewards() -> str:
    """What Algorithm 1 leaves open about the first reward of an arm."""
    names = {
        "klucb-as-defined": "noise, one sample",
        "klucb-first-reward-bare": "no noise, one sample (not private)",
        "klucb-first-mean-of-half": "noise, half a sample",
    }
    body = [
        [name, *(f"{final('azize2022', f's-first-rewards-{key}', series):.0f}" for key in "ad")]
        for series, name in names.items()
    ]
    return table(["first mean", "ε = 0.1", "ε = 1"], body)


# mishra2015

AXIS = (0.1, 0.5, 1, 2, 10)
OF_FIGURE_1 = ["", *(f"ε = {AXIS[0]:g}", *(f"{epsilon:g}" for epsilon in AXIS[1:]))]


def budgets() -> str:
    """Thompson sampling over UCB, in the median of the regret at T."""
    candidates = {
        "whole budget, m = 0 (published)": "thompson-by-eps",
        "half the budget, m = 0": "thompson-half-by-eps",
        "half the budget, m = 6 L/ε₀": "thompson-explored-by-eps",
    }

    def median(policy: str, epsilon: float) -> float:
        return final("mishra2015", "s-lock-in", f"{policy}-{epsilon:g}", "median")

    body = [
        [label, *(f"{median(policy, e) / median('ucb-plain-by-eps', e):.2f}" for e in AXIS)]
        for label, policy in candidates.items()
    ]
    return table(OF_FIGURE_1, body)


def of_figure_1(experiment: str, policy: str, column: str) -> list[str]:
    """The final regrets of a policy of Figure 1, published reading, along epsilon."""
    return [f"{final('mishra2015', experiment, f'{policy}-{epsilon:g}', column):.0f}" for epsilon in AXIS]


def first_pulls() -> str:
    """The mean regret of Thompson sampling with the whole budget after m = c L/eps0 first pulls."""
    body = [
        [
            f"m = {c} L/ε₀" if c else "m = 0 (published)",
            *(f"{final('mishra2015', f's-first-pulls-{key}', f'thompson-by-c-{c}'):.0f}" for key in "abcde"),
        ]
        for c in (0, 3, 6, 10, 15)
    ]
    return table(OF_FIGURE_1, [*body, ["UCB (Figure 1a, published)", *of_figure_1("fig1a", "private-ucb", "mean")]])


def mean_and_median() -> str:
    """Figure 1's final regrets in the published reading."""
    body = [
        [f"{label}, {column}", *of_figure_1(experiment, policy, column)]
        for label, experiment, policy in (("UCB", "fig1a", "private-ucb"), ("Thompson", "fig1b", "private-thompson"))
        for column in ("mean", "median")
    ]
    return table(OF_FIGURE_1, body)


def gains(experiment: str, best: str, private: str, blind: str) -> list[str]:
    """Click rates not private, private and without information, and how much of the gain over the last privacy leaves."""
    rates = [final("mishra2015", experiment, series) for series in (best, private, blind)]
    kept = (rates[1] - rates[2]) / (rates[0] - rates[2])
    return [*(f"{rate:.3f}" for rate in rates), f"{kept:.2f}"]


GAINS = ["not private", "private", "without information", "share of the gain"]


def match() -> str:
    """The synthetic log and the same with the preferences shifted by one group."""
    body = [
        [f"{name}, {label}", *gains(experiment, *(f"undelayed-{kind}{policy}" for kind in ("", "private-", "blind-")))]
        for label, experiment in (("same group", "s-events-10m"), ("next group", "s-match"))
        for name, policy in (("LinUCB", "lin-ucb"), ("LinTS", "lin-ts"))
    ]
    return table(["", *GAINS], body)


def contexts() -> str:
    """Three contexts, on whole logs."""
    kinds = ("", "private-", "blind-")
    body = []
    for name, policy in (("LinUCB", "lin-ucb"), ("LinTS", "lin-ts")):
        body.append([f"{name}, product", *gains("fig2", *(f"{kind}{policy}-0" for kind in kinds))])
        for label, key in (("article", "shared-article"), ("user, a model for every article", "disjoint-user")):
            series = (f"{kind}{policy}-by-context-{key}" for kind in kinds)
            body.append([f"{name}, {label}", *gains("s-context", *series)])
    return table(["", *GAINS], body)


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
LARGE = [f"ε = {epsilon:g}" for epsilon in (0.5, 1, 2, 5, 10, 20, 50, 100, 1000)]
ANYTIME = [f"s-anytime-{length} {policy}" for length in (5, 6, 7) for policy in ("gdp-fixed", "gdp-anytime", "ldp-fixed", "ldp-anytime")]  # fmt: skip


def logarithms() -> str:
    """As run, and one logarithm in both indices."""
    names = ["fig1c.corrected gdp-ncb-by-eps", "fig1c.corrected ldp-ncb-by-eps"]
    names += [
        f"s-logarithms-{log} {policy}-by-eps" for log in "wt" for policy in ("gdp-ncb", "gdp-ncb-beta", "ldp-ncb")
    ]
    return nash(FOUR, *names)


def orders() -> str:
    """C8, C10 and C13, as run and with one logarithm in both indices."""
    names = []
    for claim, experiment, variants in (
        ("C8", "fig1c", ["s-logarithms-{} both"]),
        ("C10", "fig1f", ["s-logarithms-{}-four-laws published", "s-logarithms-{}-four-laws corrected"]),
        ("C13", "fig1c", ["s-logarithms-{} both"]),
    ):
        names += [f"{claim} {experiment} {reading}" for reading in ("published", "corrected")]
        names += [f"{claim}-logarithms {variant.format(log)}" for log in "wt" for variant in variants]
    return verdicts("sarkar2025", names)


# page -> the name of a table on it -> the table
TABLES: Mapping[str, Mapping[str, Callable[[], str]]] = {
    "tossou2016": {"hybrids": hybrids, "relaxation": relaxation, "lost runs": lost_runs, "growth": growth_of_the_gap},
    "azize2022": {
        "slip": slip,
        "combinations": combinations,
        "plateau": plateau,
        "horizon of DP-UCB": dp_ucb_horizon,
        "first rewards": first_rewards,
    },
    "mishra2015": {
        "budgets": budgets,
        "first pulls": first_pulls,
        "mean and median": mean_and_median,
        "contexts": contexts,
        "match": match,
    },
    "sarkar2025": {
        "logarithms": logarithms,
        "orders": orders,
        "NCB": lambda: nash(
            ["t = 1e6", "t = 2e6", "t = 5e6", "t = 1e7"],
            "fig1c ncb", "fig1c ncb-planned", "fig1b ncb", "fig1c.corrected ncb-planned",
        ),
        "theory": lambda: nash(FOUR, "s-theory-8 gdp-theory", "s-theory-8 gdp-theory-private-mean"),
        "private test": lambda: nash(["ε = 2"], "s-theory-8 gdp-theory-private-test"),
        "privacy": lambda: verdicts(
            "sarkar2025",
            ["P1 fig1b published", "P2 fig1b published", "P2 fig1b corrected", "P2-a fig1a published",
             "P2-a fig1a corrected", "P3-private-test s-theory-8 both", "P5 s-anytime-7 both"],
        ),
        "large epsilon": lambda: nash(LARGE, "s-large-epsilon gdp-large", "s-large-epsilon gdp-large-private-mean"),
        "rates": lambda: verdicts(
            "sarkar2025", [f"C9-{name} fig1c published" for name in ("rate-gdp", "rate-ldp", "epsilon")]
        ),
        "anytime": lambda: nash(["ε = 0.2", "ε = 2"], *ANYTIME),
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
