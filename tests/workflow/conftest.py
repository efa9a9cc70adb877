import pytest
from workflow.interrupting import undisturbed_bytes
from workflow.small_cluster import why_not


@pytest.fixture(scope="module")
def undisturbed(one_paper, tmp_path_factory):
    return undisturbed_bytes(one_paper, tmp_path_factory.mktemp("blocks"))


@pytest.fixture(scope="session")
def slurm():
    """Skip the tests of a Slurm where there can be none."""
    if reason := why_not():
        pytest.skip(reason)
