"""mishra2015_news: the experimental section as a file."""

import re

import pytest
import yaml
from project import ROOT

from dpbandits import studies
from dpbandits.errors import InputError
from dpbandits.plan import checking

FILE = ROOT / "config/papers/mishra2015.yaml"


def load(change, tmp_path, scale="paper"):
    raw = yaml.safe_load(FILE.read_text())
    change(raw)
    path = tmp_path / "mishra2015.yaml"
    path.write_text(yaml.safe_dump(raw, sort_keys=False))
    checking.check(studies.load(path, scale))


def set_parameter(policy, key, value):
    return lambda raw: raw["policies"][policy].setdefault("parameters", {}).update({key: value})


WRONG = [
    (lambda raw: raw["policies"]["lin-ucb"].update(sweep={"delay": [0, 100, 1000, -1]}), "delay: -1 should be a delay of at least 0 events"),
    (lambda raw: raw["experiments"]["fig2"]["parameters"].update(eps0=0), "eps0: 0 should be a number above 0"),
    (lambda raw: raw["environments"]["news"].update(live=1), "live: 1 should be a pool of at least 2 articles"),
    (lambda raw: raw["environments"]["news"].update(articles=20), "articles: 20 should be more than the 20"),
    (lambda raw: raw["environments"]["news"].update(source="R6A"), "source: 'R6A' must contain the word synthetic"),
    (lambda raw: raw["environments"]["news"]["match"].pop(), "match: should be 5 rows of 5 numbers"),
    (lambda raw: raw["experiments"]["fig2"]["design"].update(horizon=19), "horizon 19 is too short a log: the pool has 20 articles"),
    (set_parameter("lin-ts", "context", "shared_user"), "context: 'shared_user' is not one of shared_product"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "part"), WRONG, ids=[part[:20] for _, part in WRONG])
def test_wrong_input_is_refused_with_its_key(change, part, tmp_path):
    with pytest.raises(InputError) as refusal:
        load(change, tmp_path)
    assert part in str(refusal.value)
    assert re.search(r"mishra2015\.yaml: (experiments|environments)\.", str(refusal.value))
