"""docs/lists.md is up to date."""

from project import ROOT

from dpbandits.report import policies


def test_the_table_of_policies_is_that_of_the_code():
    assert (ROOT / "docs/lists.md").read_text(encoding="utf-8") == policies.text(ROOT / "config"), "make lists"
