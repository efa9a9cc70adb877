"""What the README promises is there: its example runs, its targets exist, its table is complete."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def test_the_example_runs(tmp_path):
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    subprocess.run(
        [sys.executable, "-c", "import matplotlib; matplotlib.use('agg')\n" + example], cwd=tmp_path, check=True
    )
    assert (tmp_path / "dp_ucb.png").stat().st_size > 10_000


def test_every_file_that_it_links_is_there():
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / target).exists(), target


def test_every_paper_is_in_the_table():
    for path in (ROOT / "config/papers").glob("*.yaml"):
        assert f"| {path.stem}: " in README


def test_its_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"(?:^|`)make ([a-z]+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
