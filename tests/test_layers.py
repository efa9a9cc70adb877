"""Imports point down: the layers that CONTRIBUTING.md shows are the code's."""

import ast
import re

from project import ROOT

PACKAGE = ROOT / "src/dpbandits"
PAGE = (ROOT / "CONTRIBUTING.md").read_text()
BLOCK = re.search(r"```\n(publish .*?)```", PAGE, re.DOTALL)[1]
LINE = {
    name: number
    for number, line in enumerate(BLOCK.splitlines())
    for name in line.split("#")[0].split()
}


def dotted(path):
    return (
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        .removesuffix("__init__")
        .strip(".")
    )


MODULES = {dotted(path): path for path in PACKAGE.rglob("*.py") if dotted(path)}


def unit_of(module):
    """The name in CONTRIBUTING that a module belongs to: its own, or its package's."""
    return next((name for name in (module, module.split(".")[0]) if name in LINE), None)


def imported_by(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "dpbandits":
            base = node.module.split(".")[1:]
            for alias in node.names:
                names = [".".join([*base, alias.name]), ".".join(base)]
                yield next((name for name in names if name in MODULES), "")


IMPORTS = [(module, used) for module, path in MODULES.items() for used in imported_by(path) if used]


def test_every_module_has_a_layer():
    assert {module for module in MODULES if unit_of(module) is None} == set()
    assert {name for name in LINE if name not in MODULES} == set()


def test_imports_point_down():
    upward = [
        f"{module} imports {used}"
        for module, used in IMPORTS
        if unit_of(used) != unit_of(module) and LINE[unit_of(used)] <= LINE[unit_of(module)]
    ]
    assert upward == []


def test_a_chain_of_imports_passes_at_most_eight_rooms():
    """Rooms are the packages below `library`; a module at the top belongs to none."""
    rooms = {unit for unit in LINE if (PACKAGE / unit.split(".")[0]).is_dir()} - {"page"}
    imports = {(unit_of(module), unit_of(used)) for module, used in IMPORTS}

    def chain(room):
        below = [to for start, to in imports if start == room != to and to in rooms]
        return [*max(map(chain, below), key=len, default=[]), room]

    assert max(len(chain(room)) for room in rooms) <= 8


def test_the_table_of_places_names_what_their_files_have():
    """Files are tested with those of all pages (test_docs.py)."""
    rows = re.findall(r"^\| [^|]+ \| `(src/\S+\.py)`: (.+) \|$", PAGE, re.MULTILINE)
    assert len(rows) > 5
    for file, names in rows:
        source = (ROOT / file).read_text()
        for name in re.findall(r"`(\w+)`", names.partition(" calls ")[0]):
            assert re.search(rf"^ *(def )?{name}\b( =|\()", source, re.MULTILINE), (file, name)


def test_the_package_does_not_know_snakemake():
    for path in MODULES.values():
        assert not re.search(r"^\s*(import|from) snakemake", path.read_text(), re.MULTILINE), path
