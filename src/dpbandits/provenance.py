"""Which source code a result depends on, as one hash.

Snakemake sees a changed parameter or script, not a changed module under src/. Rules therefore carry this hash as a
parameter: it covers a module and every module of this package that it imports, directly or not. Comments, docstrings,
layout and an algorithm's estimate of its cost (`nanoseconds`) do not count, so explaining a kernel better simulates
nothing again.
"""

import ast
import hashlib
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent


def fingerprint(*modules: str) -> str:
    """Hash of what `modules` (dotted, below dpbandits: "algorithms.ucb") and all that they import from here compute."""
    digest = hashlib.sha256()
    for module in sorted(_closure(modules)):
        digest.update(f"{module}\n{_meaning(module)}\n".encode())
    return digest.hexdigest()[:16]


def _closure(modules: tuple[str, ...]) -> set[str]:
    seen: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in seen:
            seen.add(module)
            waiting.extend(_imports(module))
    return seen


def _path(module: str) -> Path:
    path = PACKAGE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(_path(module).read_text(encoding="utf-8"))


@cache
def _imports(module: str) -> tuple[str, ...]:
    """The modules of this package that one module imports, in the form `from dpbandits.x import y` or `import dpbandits.x`."""
    found = []
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "dpbandits":
            base = node.module.split(".")[1:]
            for alias in node.names:
                name = ".".join([*base, alias.name])
                found.append(name if _path(name).exists() else ".".join(base))
        elif isinstance(node, ast.Import):
            found += [
                alias.name.removeprefix("dpbandits.") for alias in node.names if alias.name.startswith("dpbandits.")
            ]
    return tuple(name for name in found if name)


@cache
def _meaning(module: str) -> str:
    """The syntax tree without docstrings and without the estimate of the cost."""
    tree = _tree(module)
    tree.body = [node for node in tree.body if not (isinstance(node, ast.FunctionDef) and node.name == "nanoseconds")]
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            first = node.body[0] if node.body else None
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                node.body = node.body[1:]
    return ast.dump(tree)
