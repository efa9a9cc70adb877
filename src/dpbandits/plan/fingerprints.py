"""Digests that decide whether a job runs again: of its arguments, its code and its libraries.

Snakemake notices a changed parameter, but not a changed module. The code of a job is its script,
the function that the script calls by name, and every module that these import, directly or not,
from this package, from the user's own module, or from any package that is not installed beside
Python. Files that a module names count if they are beside it, such as templates. Of installed
libraries that this code imports, the version counts. Comments and layout do not count, and
docstrings only where some of the code reads docstrings.
"""

import ast
import hashlib
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import metadata
from importlib.util import resolve_name
from pathlib import Path
from typing import Any, NamedTuple

from dpbandits.errors import INSTALLED

LIBRARY = rf"{INSTALLED}(site|dist)-packages/"  # not a part of Python itself
WITH_DOCSTRINGS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
DISTRIBUTIONS = {"yaml": "PyYAML", "PIL": "pillow"}  # whose module has another name
READS_DOCSTRINGS = {"__doc__", "getdoc"}


class Job(str):
    """The digest of a job, which Snakemake compares. Its attributes are the job's arguments."""


def job(script: str | Path, arguments: Mapping[str, Any], function: str = "") -> Job:
    """Make the job of a script; if the script calls a function by name, the name is an argument.

    It also reaches `modules` among the arguments, and the policies and bandits of `experiments`.
    """
    rest = {**arguments, "function": function} if function else {**arguments}
    modules = {*rest.pop("modules", ()), function.rpartition(".")[0]} - {""}
    modules.update(*(experiment.modules for experiment in rest.get("experiments", ())))
    sources = [str(script), *sorted(modules)]
    result = Job(_hash(repr(rest), fingerprint(*sources))[:16])
    vars(result).update(rest)
    return result


@cache
def fingerprint(*sources: str) -> str:
    """Hash scripts and modules, what they import, and the versions of the libraries among it."""
    waiting, seen = list(sources), {}
    while waiting:
        source = waiting.pop()
        if source not in seen:
            seen[source] = _read(source)
            waiting += seen[source].imports
    with_docstrings = any(each.reads_docstrings for each in seen.values())
    # A script's folder may be Snakemake's cache, which has another name in every run.
    lines = (
        f"{Path(name).name} {seen[name].code} {seen[name].docstrings * with_docstrings}\n"
        for name in sorted(seen)
    )
    return _hash(*lines)


class Source(NamedTuple):
    """Hashes of a module's code, with the files that it names, and of its docstrings."""

    code: str = ""
    docstrings: str = ""
    reads_docstrings: bool = False
    imports: tuple[str, ...] = ()


@cache
def _read(source: str) -> Source:
    """Read a module; a library is known by its version, `name==version`."""
    if "==" in source:
        return Source()
    file = _file(source)
    text = file.read_text(encoding="utf-8")
    tree = ast.parse(text)
    tree.body = [node for node in tree.body if not _is_for_checkers(node)]
    nodes, docstrings = list(ast.walk(tree)), []
    imports = tuple(_imports(nodes, source))
    for node in nodes:
        if isinstance(node, WITH_DOCSTRINGS) and ast.get_docstring(node, clean=False) is not None:
            docstrings.append(node.body.pop(0).value.value)
    code = ast.dump(tree)
    data = [
        f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}"
        for name, paths in _data_in(file.parent).items()
        if name in text and f"Constant(value={name!r})" in code
        for path in paths
    ]
    reads = any(f"'{name}'" in code for name in READS_DOCSTRINGS if name in text)
    return Source(_hash(code, *data), _hash(*docstrings), reads, imports)


@cache
def _data_in(folder: Path) -> dict[str, list[Path]]:
    """The names in a folder that are no code -> the file, or the files of the folder."""
    result: dict[str, list[Path]] = {}
    for each in folder.iterdir():
        paths = sorted(each.glob("*")) if each.is_dir() else [each]
        data = [path for path in paths if path.suffix not in (".py", ".pyc") and path.is_file()]
        if data:
            result[each.name] = data
    return result


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


def _imports(nodes: Sequence[ast.AST], source: str) -> Iterator[str]:
    """The modules that are imported anywhere in a module: ours, the user's, and libraries."""
    package = source if _file(source).stem == "__init__" else source.rpartition(".")[0]
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
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
                used = attributes if imported == name else {name.rpartition(".")[2]}
                lent = [each for each in _lent(imported) if used & {a.name for a in each.names}]
                yield from _imports(lent, imported)
            elif file and not re.search(INSTALLED, str(file)):
                yield imported
            elif re.search(LIBRARY, str(_file(library))):
                yield f"{library}=={_version(library)}"


@cache
def _lent(package: str) -> list[ast.ImportFrom]:
    """The names that a package imports when they are used, such as the classes of policies."""
    file = _file(package)
    if not file or file.stem != "__init__":
        return []
    body = ast.parse(file.read_text(encoding="utf-8")).body
    listed = (each for block in filter(_is_for_checkers, body) for each in block.body)
    return [each for each in listed if isinstance(each, ast.ImportFrom)]


@cache
def _file(source: str) -> Path | None:
    """The file of a script or a module, found without importing it; None if there is none."""
    if source.endswith(".py"):
        return Path(source)
    paths = [Path(folder, *source.split(".")) for folder in sys.path if source]
    files = (file for path in paths for file in (path / "__init__.py", path.with_suffix(".py")))
    return next(filter(Path.is_file, files), None)
