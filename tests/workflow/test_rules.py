"""What the rules say twice agrees."""

import re

from project import ROOT


def test_a_rule_that_is_made_of_another_has_its_imports():
    rules = {path.name: path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk")}
    made = [pair for text in rules.values() for pair in re.findall(r"use rule (\w+) as (\w+)", text)]
    imports = dict(re.findall(r'"(\w+)": "(dpbandits_jobs\.\w+)"', rules["jobs.smk"]))
    assert ("simulate", "simulate_here") in made
    assert [imports.get(name) for _, name in made] == [imports.get(of) for of, _ in made]
