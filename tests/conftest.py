import fcntl
import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from project import SMOKE, Project

FIRST = ["test_workflow", "test_report", "test_slurm", "test_bad_days"]  # the longest: what is last should be short


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: FIRST.index(item.path.stem) if item.path.stem in FIRST else len(FIRST))


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """Everything at the smoke scale, run once, by whichever of pytest's processes asks first; the others wait."""
    place = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # each has a folder of its own in the common one
        place = place.parent
    said = place / "finished.txt"
    with open(place / "finished.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if said.exists():
            project = Project(place / "finished")
        else:
            (place / "finished").mkdir()
            project = Project.new(place / "finished")
            said.write_text(project.run(*SMOKE))
    project.output = said.read_text()
    return project


@pytest.fixture
def copy(finished, tmp_path):
    return finished.copied(tmp_path / "copy")
