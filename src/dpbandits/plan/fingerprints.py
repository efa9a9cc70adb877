"""Fingerprints: a hash of the source code that a result depends on.

Snakemake notices a changed parameter or script, but not a changed module under src/. Rules therefore have this hash as
a parameter: it covers a module and every module of this package that it imports, directly or indirectly. Comments,
docstrings and layout are ignored, so that editing them repeats no simulation. The fingerprint of a simulation
(`fingerprint_of_runs`) also ignores the functions of an algorithm that its runs do not call, `privacy`, `composition`, `check`
and `reporting`, and the modules that are imported for these alone.

A module of a user's own package has a colon in front of its name; what it imports from its own package counts, too.
"""

import ast
import hashlib
from collections.abc import Callable, Collection
from functools import cache
from importlib.util import find_spec, resolve_name
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parent.parent
BESIDE_PLAY = frozenset({"privacy", "composition", "check", "reporting"})
NONE: frozenset[str] = frozenset()


def fingerprint(*modules: str, without: Collection[str] = ()) -> str:
    """Hash of `modules` (dotted, below dpbandits: "algorithms.arms.ucb") and of all that they import from this package.

    `without`: modules that are left out, with all that is imported by them alone.
    """
    return _hash(modules, NONE, without)


def fingerprint_of_runs(*modules: str) -> str:
    """The hash of the code that a run executes: without privacy accounts and checks of parameters."""
    return _hash(modules, BESIDE_PLAY, ())


def fingerprint_of_parts(module: str, names: Collection[str]) -> str:
    """Hash of these definitions of one module, of definitions there that they use, and of imported modules."""
    body = [node for node in _read(module, NONE).tree.body if not _is_docstring(node)]
    defined = {name: node for node in body for name in _defines(node)}
    used = _reached(names, lambda name: _names_in(defined[name]), lambda name: name in defined)
    parts = ast.Module([defined[name] for name in sorted(used)], [])
    digest = hashlib.sha256(ast.dump(parts).encode())
    digest.update(_hash(_modules_of(parts), NONE, ()).encode())
    return digest.hexdigest()[:16]


def _hash(modules: Collection[str], exempt: frozenset[str], without: Collection[str]) -> str:
    digest = hashlib.sha256()
    for module in sorted(_reached(modules, lambda one: _read(one, exempt).imports, lambda one: one not in without)):
        digest.update(f"{module}\n{_read(module, exempt).dump}\n".encode())
    return digest.hexdigest()[:16]


def _reached(
    first: Collection[str], next_of: Callable[[str], Collection[str]], counts: Callable[[str], bool]
) -> set[str]:
    """The names that count among the first ones and those that follow from them."""
    seen: set[str] = set()
    waiting = list(first)
    while waiting:
        name = waiting.pop()
        if name not in seen and counts(name):
            seen.add(name)
            waiting.extend(next_of(name))
    return seen


def _path(module: str) -> Path:
    if module.startswith(":"):
        return Path(find_spec(module[1:]).origin)
    path = PACKAGE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _exists(module: str) -> bool:
    if not module.startswith(":"):
        return _path(module).exists()
    try:
        return find_spec(module[1:]) is not None
    except ModuleNotFoundError:  # what should be a package is a module
        return False


def _modules_of(tree: ast.AST, inside: str = "") -> list[str]:
    """The modules of this package that a tree imports, in the form `from dpbandits.x import y` or `import
    dpbandits.x`, and those of the package of the user's module `inside`."""
    own = inside[1:].partition(".")[0] if inside.startswith(":") else None
    parent = inside[1:].rpartition(".")[0]

    def named(module: str) -> str:
        """As fingerprints name it; "" if it is of neither package."""
        package, _, rest = module.partition(".")
        return rest if package == "dpbandits" else f":{module}" if package == own else ""

    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), parent) if node.level else node.module
            for alias in node.names:
                name = named(f"{base}.{alias.name}")
                found.append(name if name and _exists(name) else named(base))
        elif isinstance(node, ast.Import):
            found += [named(alias.name) for alias in node.names]
    return [name for name in found if name]


class _Source(NamedTuple):
    """The syntax tree of a module without what does not count, as text, and the modules that it imports."""

    tree: ast.Module
    dump: str
    imports: list[str]


@cache
def _read(module: str, exempt: frozenset[str]) -> _Source:
    """The module without docstrings, without the exempt functions, and without the imports that only these use.

    Each module is read once: a workflow asks for the fingerprints of hundreds of jobs.
    """
    tree = ast.parse(_path(module).read_text(encoding="utf-8"))
    dropped: list[ast.stmt] = []
    for owner in [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]:
        left_out = [node for node in owner.body if _defines(node) & exempt]
        dropped += left_out
        owner.body = [node for node in owner.body if node not in left_out]
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    used = set().union(*(_names_in(node) for node in tree.body if node not in imports))
    superfluous = set().union(*(_names_in(node) for node in dropped)) - used
    for node in imports:
        node.names = [alias for alias in node.names if (alias.asname or alias.name.split(".")[0]) not in superfluous]
    tree.body = [node for node in tree.body if node not in imports or node.names]
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            node.body = [one for n, one in enumerate(node.body) if n or not _is_docstring(one)]
    return _Source(tree, ast.dump(tree), _modules_of(tree, module))


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _defines(node: ast.stmt) -> set[str]:
    """The names that a statement of a module or a class defines."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name.split(".")[0] for alias in node.names}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}


def _names_in(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
