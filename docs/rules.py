"""The picture of the rules, docs/rules.svg, from Snakemake's own graph of them: `make docs`.

    snakemake --rulegraph dot | python docs/rules.py > docs/rules.svg

An arrow leads from a rule to one that needs its files; arrows that follow from others are left out.
"""

import itertools
import re
import sys
from html import escape

WIDTH, HEIGHT, ACROSS, DOWN, MARGIN = 108, 30, 156, 52, 12  # of a box, from box to box, and around all
SWEEPS = 12  # over the columns, to put boxes beside those that they are joined to
Edges = set[tuple[str, str]]
HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="14" text-anchor="middle">
<title>The rules of the workflow: an arrow leads to the rule that needs the files</title>
<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#777"/></marker></defs>
<rect width="{width}" height="{height}" fill="#fff"/>
"""


def read(dot: str) -> Edges:
    """The arrows of a graph."""
    names = dict(re.findall(r'^\s*(\d+)\[label = "([^"\\]+)', dot, re.MULTILINE))
    return {(names[a], names[b]) for a, b in re.findall(r"^\s*(\d+) -> (\d+)", dot, re.MULTILINE)}


def reduced(edges: Edges) -> Edges:
    """Without the arrows that a longer way replaces."""
    after = {name: {b for a, b in edges if a == name} for name in itertools.chain(*edges)}

    def reached(name: str) -> set[str]:
        return after[name].union(*map(reached, after[name]))

    return {(a, b) for a, b in edges if not any(b in reached(other) for other in after[a] - {b})}


def columns_of(edges: Edges) -> tuple[list[list[str]], Edges]:
    """The boxes from left to right, each as near as possible to those that need it, with a place in every column that an
    arrow passes (such as "a>b 2"), and the arrows from column to column."""
    names = sorted({*itertools.chain(*edges)})

    def place(name: str) -> int:  # from the right
        return max((1 + place(b) for a, b in edges if a == name), default=0)

    columns = [[name for name in names if place(name) == i] for i in range(1 + max(map(place, names)))]
    steps = set()
    for a, b in sorted(edges):
        passed = [f"{a}>{b} {i}" for i in range(place(a) - 1, place(b), -1)]
        for i, name in zip(range(place(a) - 1, place(b), -1), passed, strict=True):
            columns[i].append(name)
        steps |= set(itertools.pairwise([a, *passed, b]))
    columns.reverse()
    for sweep in range(SWEEPS):
        for i in range(1, len(columns)) if sweep % 2 == 0 else range(len(columns) - 2, -1, -1):
            beside = columns[i - 1] if sweep % 2 == 0 else columns[i + 1]
            rank = {name: (k + 0.5) / len(beside) for k, name in enumerate(beside)}
            joined = {
                name: [rank[x] for edge in steps if name in edge for x in edge if x in rank] for name in columns[i]
            }
            columns[i].sort(key=lambda name: sum(joined[name]) / max(1, len(joined[name])))
    return columns, steps


def drawn(edges: Edges) -> str:
    """The picture."""
    columns, steps = columns_of(reduced(edges))
    most = max(map(len, columns))
    at = {
        name: (MARGIN + i * ACROSS, MARGIN + (k + (most - len(column)) / 2) * DOWN)
        for i, column in enumerate(columns)
        for k, name in enumerate(column)
    }
    width = 2 * MARGIN + (len(columns) - 1) * ACROSS + WIDTH
    height = 2 * MARGIN + (most - 1) * DOWN + HEIGHT
    parts = [HEAD.format(width=width, height=height)]
    for a, b in sorted(steps):
        (x, y), (to_x, to_y) = at[a], at[b]
        x, y, to_y = x + WIDTH, y + HEIGHT / 2, to_y + HEIGHT / 2
        middle = (x + to_x) / 2
        line = f"M{x:g} {y:g}C{middle:g} {y:g} {middle:g} {to_y:g} {to_x:g} {to_y:g}"
        end = f'H{to_x + WIDTH:g}"' if ">" in b else '" marker-end="url(#head)"'
        parts.append(f'<path d="{line}{end} fill="none" stroke="#777" stroke-width="1.5"/>\n')
    for name, (x, y) in at.items():
        if ">" not in name:
            box = (
                f'<rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="6" fill="#eef3f8" stroke="#14568c"/>'
            )
            text = f'<text x="{x + WIDTH / 2:g}" y="{y + HEIGHT / 2 + 5:g}">{escape(name)}</text>'
            parts.append(f"{box}{text}\n")
    return "".join([*parts, "</svg>\n"])


if __name__ == "__main__":
    print(drawn(read(sys.stdin.read())), end="")
