import pytest
from workflow.interrupting import undisturbed_bytes


@pytest.fixture(scope="module")
def undisturbed(one_paper, tmp_path_factory):
    return undisturbed_bytes(one_paper, tmp_path_factory.mktemp("blocks"))
