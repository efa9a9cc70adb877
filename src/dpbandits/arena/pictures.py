"""The figures of the arena, drawn from its tables: what each kind of chart shows."""

import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import numpy as np
from matplotlib import colormaps
from matplotlib.artist import Artist
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure as Drawing

from dpbandits import figures
from dpbandits.arena.cells import AGGREGATOR, APPROXIMATE, LOCAL, LOWER_BOUNDS, NONE, PRIVATE, PURE
from dpbandits.arena.scores import TIED, final_rows, ranked, tied
from dpbandits.figures import colours, style
from dpbandits.figures.heatmaps import colour_bar, coloured, logarithmic
from dpbandits.figures.profiles import profiles
from dpbandits.figures.winners import winners
from dpbandits.files.tables import Table
from dpbandits.studies.study import Arena, Series

Tables = Mapping[str, Table]
NAMES = {
    PURE: "pure central privacy",
    APPROXIMATE: "approximate central privacy",
    AGGREGATOR: "secure aggregation",
    LOCAL: "local privacy",
    NONE: "no promise",
}
COLOURED = 5  # policies that have a colour where the others are grey
MOST_SCORE = 1000.0


def unit_of(league: str, arena: Arena) -> str:
    """The unit of the scores of a league."""
    return f"the {LOWER_BOUNDS[league][0]}" if league in LOWER_BOUNDS else yardstick(arena)


def yardstick(arena: Arena) -> str:
    """The label of the policy that gives the unit where no lower bound holds."""
    return arena.members[arena.yardstick].label


def draw(
    name: str,
    arena: Arena,
    tables: Tables,
    outputs: Iterable[str | Path],
    for_screen: tuple[str | Path, str | Path] | None = None,
) -> None:
    """Draw one figure of the arena into `outputs`, whose suffixes give the formats."""
    style.use()
    drawing = CHARTS[name](arena, tables)
    note = f"T = {final_rows(tables['scores'])['t'].max():,}; the same order of the arms for all policies in each run"
    style.annotate(drawing, "", f"{note}; {NOTES[name].format(yardstick=yardstick(arena))}")
    figures.save(drawing, outputs, for_screen)


def scores(arena: Arena, tables: Tables) -> Drawing:
    """Policy x instance, for each epsilon, and for the policies without epsilon."""
    rows = final_rows(tables["scores"])
    instances = list(_gaps(arena, rows))
    norm, colours = logarithmic(rows["over_yardstick"], 0.5, MOST_SCORE), colormaps["YlGnBu"]
    panels = [(f"ε = {epsilon:g}", epsilon, PRIVATE) for epsilon in arena.epsilons]
    if np.isnan(rows["epsilon"]).any():
        panels.append(("without ε", math.nan, (NONE,)))
    listed = [_listed(arena, rows, leagues, epsilon) for _, epsilon, leagues in panels]
    columns = min(3, len(panels))
    lines, most = math.ceil(len(panels) / columns), max(map(len, listed))
    drawing = style.new_figure(1.6 + 4.2 * columns, lines * (0.9 + 0.21 * most))
    axes = drawing.subplots(lines, columns, squeeze=False)
    for ax in axes.flat[len(panels) :]:
        ax.axis("off")
    for place, ((title, epsilon, _), entries) in enumerate(zip(panels, listed, strict=True)):
        ax = axes.flat[place]
        values, faint, headings = np.full((len(entries), len(instances)), np.nan), [], {}
        for i, (policy, text) in enumerate(entries):
            if not policy:
                headings[i] = text
                continue
            mine = rows.rows((rows["policy"] == policy) & _at(rows, epsilon))
            for instance, ratio in zip(mine["instance"], mine["over_yardstick"], strict=True):
                values[i, instances.index(instance)] = ratio
            if not ranked(mine).all():
                faint.append(i)
        names = ["" if not policy else text for policy, text in entries]
        places = [arena.instances[instance] for instance in instances]
        coloured(ax, values, names, places, norm, colours, headings=headings, faint=faint, empty="–")
        ax.set(title=title, ylim=(most - 0.5, -0.5))
        if place % columns and entries == listed[place - place % columns]:  # the rows of the first panel of this line
            ax.set_yticks(range(len(entries)), [""] * len(entries))
    colour_bar(drawing, axes.flat, norm, colours, f"mean regret / {yardstick(arena)}'s")
    return drawing


def profile(arena: Arena, tables: Tables) -> Drawing:
    """Share of cells with a regret over the yardstick's of at most x, by league."""
    rows = final_rows(tables["scores"])
    rows = rows.rows(ranked(rows))
    over = f"x: mean regret / {yardstick(arena)}'s"
    groups = [(PURE,), (APPROXIMATE, AGGREGATOR), (LOCAL,), (NONE,)]
    groups = [leagues for leagues in groups if np.isin(rows["league"], leagues).any()]
    drawing = style.new_figure(5.0 * len(groups), 5.2)
    looks = {arena.members[policy].label: look for policy, look in _looks(arena).items()}
    for ax, leagues in zip(drawing.subplots(1, len(groups), squeeze=False).flat, groups, strict=True):
        found = {}
        for policy, member in arena.members.items():
            mine = rows.rows((rows["policy"] == policy) & np.isin(rows["league"], leagues))
            if len(mine["t"]):
                found[member.label] = mine["over_yardstick"]
        title = " or ".join(NAMES[league] for league in leagues)
        most = min(MOST_SCORE, max(values.max() for values in found.values()))
        profiles(ax, found, looks, most, over, title)
    return drawing


def winner_map(arena: Arena, tables: Tables) -> Drawing:
    """The policy with the lowest mean regret of each league, over epsilon and the smallest gap."""
    rows = final_rows(tables["scores"])
    rows = rows.rows(ranked(rows))
    gaps = _gaps(arena, rows)
    labels = {policy: member.label for policy, member in arena.members.items()}
    maps = {
        NAMES[league]: [[_winner(rows, league, instance, epsilon) for epsilon in arena.epsilons] for instance in gaps]
        for league in PRIVATE
        if (rows["league"] == league).any()
    }
    looks = _looks(arena)
    won = max(len({cell[0] for line in best for cell in line if cell}) for best in maps.values())
    heights = 0.36 * len(gaps), 0.3 + 0.2 * won
    drawing = style.new_figure(1.4 + 2.7 * len(maps), 1.3 + sum(heights))
    axes, legends = drawing.subplots(2, len(maps), sharey="row", height_ratios=heights, squeeze=False)
    for ax, below, (title, best) in zip(axes, legends, maps.items(), strict=True):
        names = [f"{arena.instances[instance]}: {gap:.2g}" for instance, gap in gaps.items()]
        handles = winners(ax, best, names, [f"{epsilon:g}" for epsilon in arena.epsilons], looks, labels)
        ax.set(xlabel="ε", title=title)
        below.axis("off")
        below.legend(handles.values(), handles.keys(), loc="upper center", fontsize=8)
    axes[0].set_ylabel("instance: smallest gap")
    return drawing


def _winner(rows: Table, league: str, instance: str, epsilon: float) -> tuple[str, bool] | None:
    """The policy with the lowest mean regret of a cell, and whether another is within two standard errors; None if no
    policy of the league is in it."""
    found = rows.rows((rows["instance"] == instance) & (rows["epsilon"] == epsilon) & (rows["league"] == league))
    best = tied(found["mean"], found["standard_error"])
    return (str(found["policy"][best[0]]), len(best) > 1) if best else None


def against_epsilon(arena: Arena, tables: Tables) -> Drawing:
    """Regret over the yardstick's against epsilon, an instance a panel: the best policies of all leagues have colours."""
    rows = final_rows(tables["scores"])
    instances = list(_gaps(arena, rows))
    columns = min(3, len(instances))
    lines = math.ceil(len(instances) / columns)
    drawing = style.new_figure(4.2 * columns, 3.0 * lines + 1.5)
    grid = drawing.add_gridspec(lines + 1, columns, height_ratios=[3.0] * lines + [1.2])
    rows = rows.rows(ranked(rows))
    members = [policy for policy in arena.members if policy in set(rows["policy"][np.isfinite(rows["epsilon"])])]
    best, looks = _best_of_leagues(rows), _looks(arena)
    handles: dict[str, Artist] = {}
    for place, instance in enumerate(instances):
        ax = drawing.add_subplot(grid[divmod(place, columns)])
        for policy in members:
            mine = rows.rows((rows["policy"] == policy) & (rows["instance"] == instance))
            if len(mine["epsilon"]):
                line = {"color": "0.8", "linewidth": 0.7, "zorder": 1}
                if policy in best:
                    label = f"{arena.members[policy].label} ({NAMES[best[policy]]})"
                    line = {**looks[policy].line, "markersize": 4, "linewidth": 1.5, "label": label}
                ax.plot(mine["epsilon"], mine["over_yardstick"], **line)
        bound = rows.rows((rows["instance"] == instance) & (rows["unit"] == "lower bound"))
        _, first = np.unique(bound["epsilon"], return_index=True)  # it is the same for all policies
        bound = bound.rows(first)
        units = bound["unit_regret"] * bound["over_yardstick"] / bound["mean"]
        ax.plot(bound["epsilon"], units, color="black", linewidth=2.2, label="lower bound (pure central privacy)")
        ax.axhline(1, color="0.3", linewidth=0.8)
        ax.set(xscale="log", yscale="log", title=arena.instances[instance], xlabel="ε")
        ax.set_xticks(arena.epsilons, [f"{epsilon:g}" for epsilon in arena.epsilons])
        ax.minorticks_off()
        if place % columns == 0:
            ax.set_ylabel(f"mean regret / {yardstick(arena)}'s")
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)  # not every policy plays on every instance
    below = drawing.add_subplot(grid[lines, :])
    below.axis("off")
    below.legend(handles.values(), handles.keys(), loc="center", ncols=3, fontsize=8.5, handlelength=3.5)
    return drawing


def _best_of_leagues(rows: Table) -> dict[str, str]:
    """The best policy of every league, and further ones of the league with most policies up to COLOURED, by the geometric mean
    of regret over the yardstick's, of those that play all instances -> their leagues."""
    order: dict[str, list[tuple[float, str]]] = {}
    most = max(np.sum(rows["policy"] == policy) for policy in set(rows["policy"]))
    for policy in dict.fromkeys(rows["policy"][np.isfinite(rows["epsilon"])]):
        mine = rows.rows(rows["policy"] == policy)
        if len(mine["t"]) == most:
            mean = float(np.mean(np.log(mine["over_yardstick"])))
            order.setdefault(str(mine["league"][0]), []).append((mean, str(policy)))
    best = {league: [policy for _, policy in sorted(found)] for league, found in order.items()}
    chosen = {policies[0]: league for league, policies in best.items()}
    largest = max(best, key=lambda league: len(best[league]))
    more = [policy for policy in best[largest] if policy not in chosen]
    return chosen | dict.fromkeys(more[: max(COLOURED - len(chosen), 0)], largest)


def pairs(arena: Arena, tables: Tables) -> Drawing:
    """The geometric mean over common cells of the ratio of two policies' regrets."""
    rows, differences = final_rows(tables["scores"]), tables["differences"]
    grey = set(rows["policy"][~ranked(rows)])
    names = [policy for policy in dict.fromkeys(differences["policy"]) if policy not in grey]
    names.sort(key=lambda policy: float(np.mean(differences["log_ratio"][differences["policy"] == policy])))
    ratios, tied = np.full((len(names), len(names)), np.nan), np.zeros((len(names), len(names)), bool)
    for policy, other, log, error in zip(
        *(differences[key] for key in ("policy", "other", "log_ratio", "standard_error")), strict=True
    ):
        if policy in names and other in names:
            place = names.index(policy), names.index(other)
            ratios[place], tied[place] = math.exp(log), abs(log) < TIED * error
    most = max(np.nanmax(ratios), 1 / np.nanmin(ratios))
    labels = [arena.members[name].label for name in names]
    norm, colours = LogNorm(1 / most, most, clip=True), colormaps["RdBu_r"]
    drawing = style.new_figure(2.6 + 0.48 * len(names), 2.2 + 0.32 * len(names))
    ax = drawing.subplots()
    coloured(ax, ratios, labels, labels, norm, colours, hatched=tied, fontsize=7)
    ax.set_title("regret of the row / regret of the column")
    colour_bar(drawing, [ax], norm, colours, "geometric mean over common cells")
    return drawing


CHARTS: dict[str, Callable[[Arena, Tables], Drawing]] = {
    "scores": scores,
    "profile": profile,
    "winners": winner_map,
    "epsilon": against_epsilon,
    "differences": pairs,
}
NOTES = {
    "scores": "regret over {yardstick}'s; grey: as printed, which spends another ε; –: left out",
    "profile": "a cell is an instance at an epsilon; in a league all spend the same",
    "winners": "lowest mean regret; in a league all spend the same",
    "epsilon": "mean over the runs; grey: the other policies; thin line: {yardstick}",
    "differences": "hatched: within two standard errors of 1 (paired bootstrap over the runs, stratified by cell)",
}


def _looks(arena: Arena) -> dict[str, colours.Look]:
    """Policy -> its look in all figures of the arena; a policy as printed is in none."""
    everybody = {
        name: member.series or Series(name, member.label, name, {}, name, 0)
        for name, member in arena.members.items()
        if not member.as_printed_of
    }
    found = colours.looks(list(everybody.values()), everybody.values())
    return {policy: found[series.id] for policy, series in everybody.items()}


def _gaps(arena: Arena, rows: Table) -> dict[str, float]:
    """Instance -> its smallest gap; the instance with the smallest one first."""
    gaps = dict(zip(rows["instance"], rows["smallest_gap"], strict=True))
    return {instance: gaps[instance] for instance in sorted(arena.instances, key=lambda instance: gaps[instance])}


def _listed(arena: Arena, rows: Table, leagues: Iterable[str], epsilon: float) -> list[tuple[str, str]]:
    """(policy, label) by league, each league after a heading ("", its name)."""
    found = []
    for league in leagues:
        played = set(rows["policy"][(rows["league"] == league) & _at(rows, epsilon)])
        members = [(policy, member.label) for policy, member in arena.members.items() if policy in played]
        if members:
            found += [("", NAMES[league]), *members]
    return found


def _at(rows: Table, epsilon: float) -> np.ndarray:
    """Which rows are at this epsilon; at nan, those of policies without epsilon."""
    return np.isnan(rows["epsilon"]) if math.isnan(epsilon) else rows["epsilon"] == epsilon
