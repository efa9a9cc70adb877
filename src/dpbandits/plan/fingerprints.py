"""Digests that decide whether a job runs again: of its arguments, its code and its libraries.

Snakemake notices a changed parameter or script, but not a changed module. The code of a job is its
script and every module that the script imports, directly or not, from this package, from the user's
own module, or from any package that is not installed beside Python. Comments, docstrings and layout
do not count. Of installed libraries that this code imports, the version counts.
"""

import ast
import hashlib
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import metadata
from importlib.util import resolve_name
from pathlib import Path
from types import SimpleNamespace

from dpbandits.errors import INSTALLED

LIBRARY = rf"{INSTALLED}(site|dist)-packages/"  # not a part of Python itself
WITH_DOCSTRINGS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
DISTRIBUTIONS = {"yaml": "PyYAML", "PIL": "pillow"}  # whose module has another name


def digest(script: str | Path, job: SimpleNamespace) -> str:
    """Hash the arguments of a script, the code that it reaches and the libraries of this code."""
    return _hash(repr(job), fingerprint(str(script), *getattr(job, "modules", ())))[:16]


@cache
def fingerprint(*sources: str) -> str:
    """Hash scripts and modules, what they import, and the versions of the libraries among it."""
    waiting, seen = list(sources), {}
    while waiting:
        source = waiting.pop()
        if source not in seen:
            seen[source], imports = _read(source)
            waiting += imports
    # A script's folder may be Snakemake's cache, which has another name in every run.
    return _hash(*(f"{Path(name).name} {seen[name]}\n" for name in sorted(seen)))


@cache
def _read(source: str) -> tuple[str, list[str]]:
    """The hash of a module's code and of templates beside it, and what it imports.

    A library is known by its version, `name==version`.
    """
    if "==" in source:
        return "", []
    file = _file(source)
    tree = ast.parse(file.read_text(encoding="utf-8"))
    tree.body = [node for node in tree.body if not _is_for_checkers(node)]
    templates = [
        path.read_text(encoding="utf-8") for path in sorted(file.parent.glob("templates/*"))
    ]
    nodes = list(ast.walk(tree))
    imports = list(_imports(nodes, source))
    for node in nodes:
        if isinstance(node, WITH_DOCSTRINGS) and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
    return _hash(ast.dump(tree), *templates), imports


def _is_for_checkers(node: ast.stmt) -> bool:
    """Whether only type checkers read a statement, such as the list of policies."""
    test = getattr(node, "test", None)
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def _hash(*texts: str) -> str:
    return hashlib.sha256("".join(texts).encode()).hexdigest()


@cache
def _version(library: str) -> str:
    name = DISTRIBUTIONS.get(library, library)
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:  # asking for all names takes a second
        owners = metadata.packages_distributions().get(library, [])
        return " ".join(metadata.version(owner) for owner in owners)


def _imports(nodes: Iterable[ast.AST], source: str) -> Iterator[str]:
    """The modules that are imported anywhere in a module: ours, the user's, and libraries."""
    package = source if _file(source).stem == "__init__" else source.rpartition(".")[0]
    for node in nodes:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        names = [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            names = [f"{base}.{name}" for name in names]
        for name in names:
            imported = name if _file(name) else name.rpartition(".")[0]  # a module, or its content
            library, file = imported.partition(".")[0], _file(imported)
            if library in ("dpbandits", source.partition(".")[0]):
                yield from [imported] if file and imported != "dpbandits" else []
            elif file and not re.search(INSTALLED, str(file)):
                yield imported
            elif re.search(LIBRARY, str(_file(library))):
                yield f"{library}=={_version(library)}"


@cache
def _file(source: str) -> Path | None:
    """The file of a script or a module, found without importing it; None if there is none."""
    if source.endswith(".py"):
        return Path(source)
    paths = [Path(folder, *source.split(".")) for folder in sys.path if source]
    files = (file for path in paths for file in (path / "__init__.py", path.with_suffix(".py")))
    return next(filter(Path.is_file, files), None)
