"""A paper of one's own: docs/examples/sixth_paper is valid.

workflow/test_own_studies.py makes another one.
"""

import pytest
from project import ROOT

from dpbandits import studies
from dpbandits.plan import validation

EXAMPLE = ROOT / "docs/examples/sixth_paper"
PAPERS = ROOT / "config/papers"


@pytest.mark.parametrize("scale", ["paper", "smoke"])
def test_the_examples_file_is_valid(scale):
    paper = studies.load(EXAMPLE / "ren2020.yaml", scale)
    validation.check(paper)
    assert list(paper.figures) == ["regret-half", "regret-two"]


def test_copying_the_example_replaces_nothing():
    assert not {path.name for path in EXAMPLE.glob("*.yaml")} & {
        path.name for path in PAPERS.glob("*.yaml")
    }
