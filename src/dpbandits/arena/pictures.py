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
from dpbandits.arena.cells import APPROXIMATE, LOCAL, NONE, PURE
from dpbandits.arena.scores import final_rows
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
    LOCAL: "local privacy",
    NONE: "no promise",
}
TIED = 2.0  # standard errors
MOST_SCORE = 1000.0


def unit_of(league: str, arena: Arena) -> str:
    """The unit of the scores of a league."""
    return "the lower bound" if league == PURE else yardstick(arena)


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
    norm, colours = logarithmic(rows["score"], 0.5, MOST_SCORE), colormaps["YlGnBu"]
    panels = [(f"ε = {epsilon:g}", epsilon, (PURE, APPROXIMATE, LOCAL)) for epsilon in arena.epsilons]
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
            for instance, score in zip(mine["instance"], mine["score"], strict=True):
                values[i, instances.index(instance)] = score
            if (mine["promise"] == "exceeded").any():
                faint.append(i)
        names = ["" if not policy else text for policy, text in entries]
        places = [arena.instances[instance] for instance in instances]
        coloured(ax, values, names, places, norm, colours, headings=headings, faint=faint, empty="–")
        ax.set(title=title, ylim=(most - 0.5, -0.5))
        if place % columns and entries == listed[place - place % columns]:  # the rows of the first panel of this line
            ax.set_yticks(range(len(entries)), [""] * len(entries))
    colour_bar(drawing, axes.flat, norm, colours, "mean regret / unit")
    return drawing


def profile(arena: Arena, tables: Tables) -> Drawing:
    """Share of cells with a score of at most x, by league."""
    rows = final_rows(tables["scores"])
    over = f"x: mean regret / {yardstick(arena)}'s"
    groups = [((PURE,), "x: mean regret / lower bound"), ((APPROXIMATE, LOCAL), over), ((NONE,), over)]
    groups = [group for group in groups if np.isin(rows["league"], group[0]).any()]
    drawing = style.new_figure(5.0 * len(groups), 5.2)
    looks = {arena.members[policy].label: look for policy, look in _looks(arena).items()}
    for ax, (leagues, xlabel) in zip(drawing.subplots(1, len(groups), squeeze=False).flat, groups, strict=True):
        found = {}
        for policy, member in arena.members.items():
            mine = rows.rows((rows["policy"] == policy) & np.isin(rows["league"], leagues))
            if len(mine["score"]) and (mine["promise"] != "exceeded").all():
                found[member.label] = mine["score"]
        title = " or ".join(NAMES[league] for league in leagues)
        most = min(MOST_SCORE, max(values.max() for values in found.values()))
        profiles(ax, found, looks, most, xlabel, title)
    return drawing


def winner_map(arena: Arena, tables: Tables) -> Drawing:
    """The policy with the lowest mean regret, over epsilon and the smallest gap."""
    rows = final_rows(tables["scores"])
    gaps = _gaps(arena, rows)
    labels = {policy: member.label for policy, member in arena.members.items()}
    maps = {
        title: [[_winner(rows, leagues, instance, epsilon) for epsilon in arena.epsilons] for instance in gaps]
        for title, leagues in {NAMES[PURE]: (PURE,), "any of the three promises": (PURE, APPROXIMATE, LOCAL)}.items()
    }
    maps = {title: best for title, best in maps.items() if any(map(any, best))}
    looks = _looks(arena)
    heights = 0.36 * len(gaps), 0.8
    drawing = style.new_figure(5.7 * len(maps), 1.3 + sum(heights))
    axes, legends = drawing.subplots(2, len(maps), sharey="row", height_ratios=heights, squeeze=False)
    for ax, below, (title, best) in zip(axes, legends, maps.items(), strict=True):
        names = [f"{arena.instances[instance]}: {gap:.2g}" for instance, gap in gaps.items()]
        handles = winners(ax, best, names, [f"{epsilon:g}" for epsilon in arena.epsilons], looks, labels)
        ax.set(xlabel="ε", title=title)
        below.axis("off")
        below.legend(handles.values(), handles.keys(), loc="center", ncols=2, fontsize=8)
    axes[0].set_ylabel("instance: smallest gap")
    return drawing


def _winner(rows: Table, leagues: tuple[str, ...], instance: str, epsilon: float) -> tuple[str, bool] | None:
    """The policy with the lowest mean regret of a cell, and whether the second is within two standard errors; None if no
    policy of these leagues is in it."""
    here = (rows["instance"] == instance) & (rows["epsilon"] == epsilon) & (rows["promise"] != "exceeded")
    found = rows.rows(here & np.isin(rows["league"], leagues))
    order = np.argsort(found["mean"], kind="stable")
    if not len(order):
        return None
    first, second = order[0], order[min(1, len(order) - 1)]
    error = math.hypot(found["standard_error"][first], found["standard_error"][second])
    close = len(order) > 1 and found["mean"][second] - found["mean"][first] < TIED * error
    return str(found["policy"][first]), bool(close)


def against_epsilon(arena: Arena, tables: Tables) -> Drawing:
    """Regret over the yardstick's against epsilon, an instance a panel."""
    rows = final_rows(tables["scores"])
    instances = list(_gaps(arena, rows))
    columns = min(3, len(instances))
    lines = math.ceil(len(instances) / columns)
    drawing = style.new_figure(4.2 * columns, 3.0 * lines + 1.5)
    grid = drawing.add_gridspec(lines + 1, columns, height_ratios=[3.0] * lines + [1.2])
    members = [policy for policy, member in arena.members.items() if member.private and not member.first]
    looks = _looks(arena)
    handles: dict[str, Artist] = {}
    for place, instance in enumerate(instances):
        ax = drawing.add_subplot(grid[divmod(place, columns)])
        for policy in members:
            mine = rows.rows((rows["policy"] == policy) & (rows["instance"] == instance))
            if len(mine["epsilon"]):
                line = {**looks[policy].line, "markersize": 3.5, "linewidth": 1.2}
                if (mine["promise"] == "exceeded").any():
                    line["color"] = "0.7"
                ax.plot(mine["epsilon"], mine["over_klucb"], label=arena.members[policy].label, **line)
        bound = rows.rows((rows["instance"] == instance) & (rows["unit"] == "lower bound"))
        _, first = np.unique(bound["epsilon"], return_index=True)  # it is the same for all policies
        bound = bound.rows(first)
        units = bound["unit_regret"] * bound["over_klucb"] / bound["mean"]
        ax.plot(bound["epsilon"], units, color="black", linewidth=2.2, label="lower bound")
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
    below.legend(handles.values(), handles.keys(), loc="center", ncols=5, fontsize=7.5, handlelength=3.5)
    return drawing


def pairs(arena: Arena, tables: Tables) -> Drawing:
    """The geometric mean over common cells of the ratio of two policies' regrets."""
    rows, differences = final_rows(tables["scores"]), tables["differences"]
    grey = set(rows["policy"][rows["promise"] == "exceeded"])
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
    "scores": "grey: spends more than it promises; –: left out",
    "profile": "a cell is an instance at an epsilon; policies that spend more than they promise are left out",
    "winners": "lowest mean regret; policies that spend more than they promise are left out",
    "epsilon": "mean over the runs; grey: spends more than it promises; thin line: {yardstick}",
    "differences": "hatched: within two standard errors of 1 (paired bootstrap over the runs, stratified by cell)",
}


def _looks(arena: Arena) -> dict[str, colours.Look]:
    """Policy -> its look in all figures of the arena."""
    everybody = {
        name: member.series or Series(name, member.label, name, {}, name, 0) for name, member in arena.members.items()
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
            found += [("", f"{NAMES[league]}, over {unit_of(league, arena)}"), *members]
    return found


def _at(rows: Table, epsilon: float) -> np.ndarray:
    """Which rows are at this epsilon; at nan, those of policies without epsilon."""
    return np.isnan(rows["epsilon"]) if math.isnan(epsilon) else rows["epsilon"] == epsilon
