"""Where the entries of a paper file are: their text, read again, is what the file says of them."""

import textwrap

import pytest
import yaml
from project import PAPERS, ROOT

from dpbandits import studies
from dpbandits.studies.passages import passages

TEXT = """\
# a comment
figures:
  fig1:
    title: one   # with a remark

  # of the next one
  "fig{e}": {matrix: {e: {2: x, 3: y}},
             title: "{e}"}
  fig4: &again
    title: >-
      several
      lines
experiments:
  s-{e}-{k}: {matrix: {e: [a, b], k: {c: 1}}}
  s-d: {environment: x}
# the end
"""


def test_an_entry_ends_before_the_remarks_on_the_next_one():
    found = passages(TEXT)
    places = {id: (passage.first, passage.last) for (_, id), passage in found.items()}
    assert places == {
        "fig1": (3, 4), "fig2": (7, 8), "fig3": (7, 8), "fig4": (9, 12), "s-a-c": (14, 14), "s-b-c": (14, 14), "s-d": (15, 15),
    }  # fmt: skip
    assert found["figures", "fig1"].text == "  fig1:\n    title: one   # with a remark"


@pytest.mark.parametrize("paper", PAPERS)
def test_every_figure_and_experiment_has_its_entry(paper):
    file = ROOT / f"config/papers/{paper}.yaml"
    found, written = passages(file.read_text()), yaml.safe_load(file.read_text())
    expanded = studies.load(file)
    wanted = {("figures", figure.removesuffix(".corrected")) for figure in expanded.figures}
    wanted |= {("experiments", experiment.id) for experiment in expanded.experiments.values()}
    wanted |= {
        ("policies", policy.id) for experiment in expanded.experiments.values() for policy in experiment.policies
    }
    wanted |= {("environments", name) for name in expanded.environments.values()}
    assert wanted <= set(found)
    checked = 0
    for (section, _), passage in found.items():
        if "*" not in passage.text and "<<" not in passage.text:  # an entry without aliases can be read by itself
            ((key, entry),) = yaml.safe_load(textwrap.dedent(passage.text)).items()
            assert written[section][key] == entry
            checked += 1
    assert checked > 5
