"""Write the stubs of policies and bandits, which editors and type checkers read: `make lists`.

A class is imported when it is first used, which no editor can follow. A stub imports all of them.
"""

import ast
from pathlib import Path
from typing import Any

from dpbandits.bandits import BANDITS
from dpbandits.plugins import Plugins
from dpbandits.policies import POLICIES

HEAD = '"""Written by `make lists`."""\n\n'


def path_of(plugins: Plugins[Any]) -> Path:
    """Return the path of the stub of `dpbandits.policies` or `dpbandits.bandits`."""
    return Path(__file__).parent / plugins.package / "__init__.pyi"


def text(plugins: Plugins[Any]) -> str:
    """Return a stub: an import of every class, and `__init__.py` without bodies of functions."""
    classes = sorted(
        (plugins.module_of(name), plugins.find(name).__name__) for name in plugins.known
    )
    lines = [f"from {module} import {name} as {name}" for module, name in classes]
    source = path_of(plugins).with_suffix(".py").read_text(encoding="utf-8")
    for node in ast.parse(source).body[1:]:  # the first one is the docstring
        if isinstance(node, ast.FunctionDef):
            node.body = [ast.Expr(ast.Constant(...))]
        if getattr(node, "name", "") != "__getattr__":
            lines.append(ast.unparse(node))
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    for package in (POLICIES, BANDITS):
        path_of(package).write_text(text(package), encoding="utf-8")
