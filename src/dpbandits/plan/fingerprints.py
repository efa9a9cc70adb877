"""Fingerprints: a hash of the source code that a result depends on, which is a parameter of its job.

Snakemake notices a changed parameter or script, but not a changed module. The hash covers a module and all that it imports,
directly or not, from this package, from that of the user's own module, or from any that is not installed beside Python;
comments, docstrings and layout do not count.
"""

import ast
import hashlib
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec, resolve_name
from pathlib import Path
from typing import Any

from dpbandits import algorithms, environments

WITH_DOCSTRINGS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
INSTALLED = {"site-packages", "dist-packages"}


@cache
def fingerprint(*modules: str, without: tuple[str, ...] = ()) -> str:
    """Hash of modules and of what they import; modules in `without` do not count, nor what they alone import."""
    seen: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in seen and module not in without:
            seen.add(module)
            waiting += _read(module)[1]
    return hashlib.sha256("".join(f"{name} {_read(name)[0]}\n" for name in sorted(seen)).encode()).hexdigest()[:16]


def code_of_runs(spec: Mapping[str, Any]) -> str:
    """The code that a simulation of this specification runs."""
    played = {algorithms.module_name(entry["algorithm"]) for entry in spec["series"].values()}
    return fingerprint("dpbandits.simulation", environments.module_name(spec["environment"]["kind"]), *sorted(played))


def code_of_table(function: str, given: Mapping[str, Any]) -> str:
    """The code of a table's function, with that of policies and bandits whose promises or schedules it may ask for."""
    judged = [experiment for case in given.get("cases", ()) for experiment in case.experiments]
    experiments = given.get("experiments", judged)
    bandits = {environments.module_name(experiment.environment["kind"]) for experiment in experiments}
    players = {algorithms.module_name(series.algorithm) for e in experiments for series in e.series.values()}
    return fingerprint(function.rpartition(".")[0], *sorted(bandits | players))


@cache
def _read(module: str) -> tuple[str, list[str]]:
    """The hash of a module's code, and the modules that it imports."""
    tree = ast.parse(_file(module).read_text(encoding="utf-8"))
    imports = list(_imports(tree, module))
    for node in ast.walk(tree):
        if isinstance(node, WITH_DOCSTRINGS) and ast.get_docstring(node) is not None:
            del node.body[0]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest(), imports


def _imports(tree: ast.Module, module: str) -> Iterator[str]:
    """The modules that are imported anywhere in a module, of its own package or another one that may be edited."""
    package = module if _file(module).stem == "__init__" else module.rpartition(".")[0]
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
        if isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            names = [f"{base}.{name}" for name in names]
        for name in names:
            imported = name if _file(name) else name.rpartition(".")[0]  # a module, or what it defines
            if imported != "dpbandits" and _file(imported) and _may_be_edited(imported, module):
                yield imported


def _may_be_edited(imported: str, module: str) -> bool:
    """Whether an imported module is neither Python's nor installed: a new version of what is installed is a new environment."""
    top = imported.split(".")[0]
    if top in ("dpbandits", module.split(".")[0]):
        return True
    return top not in sys.stdlib_module_names and INSTALLED.isdisjoint(_file(imported).parts)


@cache
def _file(module: str) -> Path | None:
    """The file of a module, found without importing it; None if there is no such module."""
    package, *parts = module.split(".")
    spec = find_spec(package) if package else None
    for place in (spec.submodule_search_locations or filter(None, [spec.origin])) if spec else ():
        path = Path(place, *parts)
        for file in (path, path / "__init__.py", path.with_suffix(".py")):
            if file.is_file():
                return file
    return None
