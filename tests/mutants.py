"""Change one number in each kernel module, and count the changes that the module's own tests do not notice.

    .venv/bin/python tests/mutants.py                      # one number a module, chosen by the module's name
    .venv/bin/python tests/mutants.py --each 5 gdp_ncb ucb # five numbers in each of these

Not part of `make test`: each mutant is compiled and tested in a copy of src/, some ten seconds a mutant. A survivor is a
number on which nothing depends (a start that is overwritten, a size with room to spare), or a test that is missing.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src/dpbandits"
LIMIT = 300  # seconds for the tests of a module, which take a minute at most
TABLE = ROOT / "tests/algorithms/arms/test_every_algorithm.py"
# Where the tests of a module are, if not in test_<module>.py.
ELSEWHERE = {
    "ncb": "nash", "gdp_ncb": "nash", "ldp_ncb": "nash", "adap_ucb": "episodes", "adap_klucb": "episodes", "adac_ucb": "episodes",
    "dp_imed": "dp_klucb", "dp_ucb_bound": "private_ucb", "private_thompson_gap": "private_thompson", "ldp_ucb_clipped": "levels",
    "exp3_tau": "exp3", "dp_exp3_lap": "exp3", "_game": "games", "switching_costs": "games",
    "lin_ucb": "linear", "lin_ts": "linear", "_clicks": "news", "_events": "news",
}  # fmt: skip


def kernels(tree):
    """The functions that are compiled: kernels, steps, and the methods of named tuples, such as the rules of policies."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and {"kernel", "step"} & {ast.unparse(d) for d in node.decorator_list}:
            yield node
        if isinstance(node, ast.ClassDef) and any("_rule" in ast.unparse(d) for d in node.decorator_list):
            yield from (method for method in node.body if isinstance(method, ast.FunctionDef))


def numbers(path):
    """The numbers in a module's kernels."""
    return [
        (function.name, node)
        for function in kernels(ast.parse(path.read_text()))
        for statement in function.body
        for node in ast.walk(statement)
        if isinstance(node, ast.Constant) and type(node.value) in (int, float)
    ]


def changed(text, node):
    """The source with one number increased: an integer by one, another by a fifth, nothing to one."""
    other = node.value + 1 if isinstance(node.value, int) or node.value == 0 else node.value * 1.2
    lines = text.splitlines(keepends=True)
    line = lines[node.lineno - 1].encode()
    new = line[: node.col_offset] + repr(other).encode() + line[node.end_col_offset :]
    lines[node.lineno - 1] = new.decode()
    return "".join(lines), other


def tests_of(module):
    """pytest's arguments, one list for each run: the files of the module's name, and its rows in the table of algorithms."""
    name = ELSEWHERE.get(module.stem, module.stem.lstrip("_"))
    files = sorted((ROOT / "tests").rglob(f"test_{name}.py"))
    chosen = {"_nash": "twin and (ncb: or uniform:)"}.get(module.stem, f"[{module.stem}:")
    rows = [TABLE, "-k", chosen] if "twin" in chosen or f'"{module.stem}"' in TABLE.read_text() else []
    return [arguments for arguments in (files, rows) if arguments]


def survives(module, text, tests, folder):
    """Whether the tests pass with this text in the place of the module's. A loop that never ends is noticed, too."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "src", folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / module.relative_to(ROOT / "src")).write_text(text)
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        return all(
            subprocess.run(
                [*command, *map(str, arguments)], cwd=ROOT, env=environment, capture_output=True, timeout=LIMIT
            ).returncode
            == 0
            for arguments in tests
        )
    except subprocess.TimeoutExpired:
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", help="names of modules; all of them if none is given")
    parser.add_argument("--each", type=int, default=1, help="how many numbers of a module are changed, one at a time")
    asked = parser.parse_args()
    folders = ("algorithms", "environments", "privacy")
    paths = [PACKAGE / "random.py", *(path for folder in folders for path in (PACKAGE / folder).rglob("*.py"))]
    modules = sorted(path for path in paths if numbers(path))
    tried = alive = 0
    with tempfile.TemporaryDirectory() as temporary:
        for module in modules:
            if asked.modules and module.stem not in asked.modules:
                continue
            tests = tests_of(module)
            if not tests:
                print(f"{module.relative_to(PACKAGE)}: no test has its name", flush=True)
                continue
            found = numbers(module)
            for function, node in random.Random(module.stem).sample(found, min(asked.each, len(found))):
                text, other = changed(module.read_text(), node)
                alone = survives(module, text, tests, Path(temporary) / "src")
                tried, alive = tried + 1, alive + alone
                verdict = "SURVIVES" if alone else "noticed"
                place = f"{module.relative_to(PACKAGE)}:{node.lineno} {function}"
                print(f"{verdict}  {place}: {node.value!r} -> {other!r}", flush=True)
    print(f"{alive} of {tried} changes were not noticed")


if __name__ == "__main__":
    main()
