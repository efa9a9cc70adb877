"""Fingerprints: a hash of the source code that a result depends on, which is a parameter of its job.

Snakemake notices a changed parameter or script, but not a changed module. The hash covers a module and all that it imports,
directly or not, from this package, from that of the user's own module, or from any that is not installed beside Python;
comments, docstrings and layout do not count.
"""

import ast
import hashlib
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import resolve_name
from pathlib import Path
from typing import Any

from dpbandits import algorithms, environments
from dpbandits.errors import INSTALLED

WITH_DOCSTRINGS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def fingerprint(*modules: str) -> str:
    """Hash of modules and of what they import."""
    waiting, seen = list(modules), {}
    while waiting:
        module = waiting.pop()
        if module not in seen:
            seen[module], imports = _read(module)
            waiting += imports
    return _hash(*(f"{name} {seen[name]}\n" for name in sorted(seen)))[:16]


def code_of(function: str, given: Mapping[str, Any]) -> str:
    """The code of a function, with that of the policies and bandits among its arguments, which it plays or asks for promises."""
    experiments = [
        *given.get("experiments", ()),
        *(e for case in given.get("checks", ()) for e in case.experiments),
    ]
    played = {
        (e.environment["kind"], series.algorithm)
        for e in experiments
        for series in e.series.values()
    }
    if "spec" in given:
        kind = given["spec"]["environment"]["kind"]
        played = {(kind, series["algorithm"]) for series in given["spec"]["series"].values()}
    bandits = {environments.module_name(kind) for kind, _ in played}
    players = {algorithms.module_name(algorithm) for _, algorithm in played}
    return fingerprint(function.rpartition(".")[0], *sorted(bandits | players))


@cache
def _read(module: str) -> tuple[str, list[str]]:
    """The hash of a module's code and of templates beside it, and the modules that it imports."""
    file = _file(module)
    tree, templates = (
        ast.parse(file.read_text(encoding="utf-8")),
        sorted(file.parent.glob("templates/*")),
    )
    imports = list(_imports(tree, module))
    for node in ast.walk(tree):
        if isinstance(node, WITH_DOCSTRINGS) and ast.get_docstring(node) is not None:
            del node.body[0]
    return _hash(
        ast.dump(tree), *(template.read_text(encoding="utf-8") for template in templates)
    ), imports


def _hash(*texts: str) -> str:
    return hashlib.sha256("".join(texts).encode()).hexdigest()


def _imports(tree: ast.Module, module: str) -> Iterator[str]:
    """The modules that are imported anywhere in a module, of its own package or another one that may be edited."""
    package = module if _file(module).stem == "__init__" else module.rpartition(".")[0]
    for node in ast.walk(tree):
        names = (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import | ast.ImportFrom)
            else []
        )
        if isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            names = [f"{base}.{name}" for name in names]
        for name in names:
            imported = (
                name if _file(name) else name.rpartition(".")[0]
            )  # a module, or what it defines
            of_package = imported.split(".")[0] in ("dpbandits", module.split(".")[0])
            installed = re.search(
                INSTALLED, str(_file(imported))
            )  # a new version of it is a new environment
            if imported != "dpbandits" and _file(imported) and (of_package or not installed):
                yield imported


@cache
def _file(module: str) -> Path | None:
    """The file of a module, found without importing it; None if there is no such module."""
    paths = [Path(folder, *module.split(".")) for folder in sys.path if module]
    files = (file for path in paths for file in (path / "__init__.py", path.with_suffix(".py")))
    return next(filter(Path.is_file, files), None)
