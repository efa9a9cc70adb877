import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from project import SMOKE, Project


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """Everything at the smoke scale, run once."""
    project = Project.new(tmp_path_factory.mktemp("finished"))
    project.output = project.run(*SMOKE)
    return project


@pytest.fixture
def copy(finished, tmp_path):
    return finished.copied(tmp_path / "copy")
