"""A mistake in a study's file, and the message about it."""

import copy
from functools import cache

import pytest
import yaml
from project import ROOT

from dpbandits import studies
from dpbandits.errors import InputError
from dpbandits.plan import checking


@cache
def written(study):
    path = ROOT / ("config/arena.yaml" if study == "arena" else f"config/papers/{study}.yaml")
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.fixture
def refused(tmp_path):
    """The message, one line that begins with the file, about a study of this name with this content.

    Instead of the content, a function that changes ours.
    """

    def message(study, content, scale="paper"):
        if callable(content):
            change, content = content, copy.deepcopy(written(study))
            change(content)
        path = tmp_path / f"{study}.yaml"
        text = content if isinstance(content, str) else yaml.safe_dump(content, sort_keys=False, allow_unicode=True)
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError) as refusal:
            checking.check(studies.load(path, scale))
        assert str(refusal.value).startswith(str(path))
        assert "\n" not in str(refusal.value)
        return str(refusal.value)

    return message
