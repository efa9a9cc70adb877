"""Hundreds of papers' files, each with a mistake: refused in one line, or taken at their word.

The files of every paper and of its claims are mutated, in values, keys and letters. A refusal names
file and key. A file that is accepted must mean what it says: `meaning`, below, reads it a second
time, plainly, and each series that a mutation may have reached is simulated for one run. The
moments and places come from fixed seeds.
"""

import copy
import math
import random
import re
from dataclasses import replace

import pytest
import yaml
from project import ROOT

from dpbandits import studies
from dpbandits.errors import InputError
from dpbandits.plan import validation
from dpbandits.studies import reading, strict_yaml, things
from dpbandits.studies.model import Paper

FILES = sorted((ROOT / "config/papers").glob("*.yaml"))
CLAIMS = sorted((ROOT / "config/claims").glob("*.yaml"))
# The claims under a key of their own.
CONTENTS = {path.stem: strict_yaml.read_yaml(path) for path in FILES}
for path in CLAIMS:
    CONTENTS[path.stem]["claims"] = strict_yaml.read_yaml(path)
Loader = getattr(
    yaml, "CSafeLoader", yaml.SafeLoader
)  # the C parser takes a tab inside a text, the other one does not
# Mutants of all files, shared out among them.
VALUES, LETTERS = (
    pytest.mark.parametrize("number", [few, pytest.param(many, marks=pytest.mark.slow)])
    for few, many in ((260, 867), (80, 133))
)

ODD = [0, -1, 1, 2, 3, 0.5, 1e-300, 1e308, 10**30, math.nan, math.inf, True, None, "", "x", "1e5",
       "{", "{0}", "{x.y}", "$\\frac$", "a\nb", "../x", "fig2a", "ucb", "dp-ucb", [], {}, [1, 2],
       {"x": 1}]  # fmt: skip
INSERTED = [
    "",
    ":",
    "\t",
    "{",
    "]",
    "'",
    '"',
    "&a ",
    "*a",
    "\n",
    "- ",
    "%",
    "\x00",
    "é",
    "!!float ",
]


def places(node, path=()):
    """The path to everything in a file."""
    items = (
        node.items()
        if isinstance(node, dict)
        else enumerate(node)
        if isinstance(node, list)
        else ()
    )
    for key, value in items:
        yield (*path, key)
        yield from places(value, (*path, key))


def at(content, path):
    for key in path:
        content = content[key]
    return content


def mutant(original, rng):
    """The file with one thing changed, and where."""
    content = copy.deepcopy(original)
    everywhere = list(places(content))
    # Half of the mutations hit experiments, the other half anything, such as captions and checks.
    designs = [
        path
        for path in everywhere
        if path[0] in ("design", "smoke", "environments", "policies", "experiments")
    ]
    path = rng.choice(designs if rng.random() < 0.5 else everywhere)
    parent, key = at(content, path[:-1]), path[-1]
    value, what = parent[key], rng.randrange(6)
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if what == 0:
        del parent[key]
    elif what == 1 and isinstance(parent, dict):
        letters = list(str(key))
        letters.insert(rng.randrange(len(letters) + 1), rng.choice("ae-_. Z0"))
        parent["".join(letters)] = parent.pop(key)
    elif what == 2:
        parent[key] = copy.deepcopy(at(content, rng.choice(everywhere)))
    elif what == 3 and number:
        parent[key] = (
            value * rng.choice([2, 0.5, -1, 10, 1.01])
            if rng.random() < 0.5
            else value + rng.choice([-1, 1])
        )
    elif what == 4 and isinstance(value, list) and value:
        rng.choice([value.reverse, lambda: value.append(copy.deepcopy(value[0])), value.pop])()
    else:
        parent[key] = copy.deepcopy(rng.choice(ODD))
    return content, path


def written_out(entries):
    """(id, entry) of every entry, with the keys that all share."""
    shared = entries.get("defaults", {})
    for name, what in entries.items():
        if name != "defaults":
            both = {k: {**shared[k], **v} for k, v in what.items() if is_mapping(shared.get(k), v)}
            yield name, {**shared, **what, **both}


def is_mapping(*values):
    return all(isinstance(value, dict) for value in values)


def in_reading(values, version):
    """Those of these values that a reading has."""
    each = {
        key: value if isinstance(value, dict) else {version: value} for key, value in values.items()
    }
    return {key: value[version] for key, value in each.items() if version in value}


DESIGN = ("horizon", "runs", "groups", "block")


def meaning(raw, scale):
    """The simulations that a file asks for, read without the package.

    {experiment: (design, environment, {series: ...})}
    """
    found, policies = {}, dict(written_out(raw["policies"]))
    for name, what in written_out(raw["experiments"]):
        design = {**raw["design"], **what.get("design", {})}
        if scale != "paper":
            design.update(raw.get("smoke", {}))
            design.update(what.get("smoke", {}))
        readings = {}
        for version in ("published", "corrected"):
            named, series = what["environment"], {}
            environment = raw["environments"][named] if isinstance(named, str) else named
            for policy in what["policies"]:
                own = what["policies"][policy] if isinstance(what["policies"], dict) else {}
                it, given = policies[policy], {}
                runs = (
                    min(it["runs"], what.get("runs", it["runs"]))
                    if "runs" in it
                    else design["runs"]
                )
                runs = it.get("more_runs", {}).get(name, runs)
                if scale != "paper":
                    runs = min(runs, design["runs"])
                for parameter in it.get("takes", []):
                    if parameter in what.get("parameters", {}):
                        given[parameter] = what["parameters"][parameter]
                given.update(in_reading({**it.get("parameters", {}), **own}, version))
                counted = in_reading({**what.get("regret", {}), **it.get("regret", {})}, version)
                sweep = it.get(
                    "sweep", {"": [None]}
                )  # the first parameter names the series, others change in step
                sweep = raw["sweeps"][sweep] if isinstance(sweep, str) else sweep
                for place, value in enumerate(next(iter(sweep.values()))):
                    swept = {
                        parameter: values[place] for parameter, values in sweep.items() if parameter
                    }
                    suffix = "-" + str(value).lower().replace("_", "-") if swept else ""
                    algorithm = in_reading({"": it["algorithm"]}, version)[""]
                    series[policy + suffix] = (algorithm, {**given, **swept}, counted, runs)
            readings[version] = ([design[key] for key in DESIGN], environment, series)
        found[name, "published"] = readings["published"]
        if readings["corrected"] != readings["published"]:
            found[name, "corrected"] = readings["corrected"]
    return found


def as_loaded(paper):
    found = {}
    for e in (e for whole in paper.experiments.values() for e in whole.by_reading):
        series = {
            s.name: (s.algorithm, dict(s.parameters), dict(s.regret), e.policies[s.policy].runs)
            for s in e.series.values()
        }
        design = [getattr(e.design, key) for key in DESIGN]
        found[e.id, e.reading or "published"] = (design, dict(e.environment), series)
    return found


def claimed(raw):
    """What the claims' file says, and by which checks, read without the package."""
    found, texts = {}, raw.get("claims", {}).get("texts", {})
    for id, what in raw.get("claims", {}).items():
        if id != "texts":
            checks = dict(written_out(what.get("checks", {})))
            says = {name: texts.get(check["says"], check["says"]) for name, check in checks.items()}
            words = [texts.get(what[key], what[key]) for key in ("says", "place")]
            criterion = what.get("criterion", "in all panels")
            found[id] = (*words, criterion, [*what.get("same_checks", []), *checks], says)
    return found


def as_claimed(paper):
    return {
        id: (
            each.says,
            each.place,
            each.criterion,
            each.all_checks,
            {name: check.says for name, check in each.checks.items()},
        )
        for id, each in paper.claims.items()
    }


@pytest.fixture
def read(monkeypatch):
    """Load and check content as if it stood in the files of a paper: the paper, or the refusal."""
    content = {}

    def read_yaml(path):
        found = copy.deepcopy(content["of"])
        claims = found.pop("claims", {})
        if path.parent.name == "papers":
            return found
        if not isinstance(claims, dict):
            raise InputError(f"{path}: it has no keys")
        return claims

    monkeypatch.setattr(reading, "read_yaml", read_yaml)

    def read_content(paper, mutated, scale):
        content["of"] = mutated
        try:
            loaded = studies.load(f"config/papers/{paper}.yaml", scale)
            validation.check(loaded)
            return loaded
        except InputError as refusal:
            return str(refusal)

    return read_content


def judge_refusal(message, paper):
    """One line: the file, the key that is wrong or names a missing entry, and the problem."""
    assert "\n" not in message, message
    keys = "|".join(things.keys_of(Paper))
    inner = r"(\.[^:]+|\b| \([^ ]+\))*"
    where = (
        rf"config/papers/{paper}\.yaml: (({keys}){inner}|unknown key '[^']*'|'({keys})' is missing)"
    )
    of_claims = rf"config/claims/{paper}\.yaml: ((texts|[^ .:]+){inner}: |it has no keys)"
    found = re.match(f"{where}|{of_claims}", message)
    assert found, message
    assert len(message) > len(found[0]) + 5 or message.endswith("it has no keys"), message


def simulate_what_changed(loaded, before, tried):
    """One run of each series that is not as it was: what is accepted can be played."""
    for experiment in loaded.experiments.values():
        for policy in experiment.policies.values():
            simulation = experiment.simulation([policy.id], 1)
            if {simulation.horizon > 200_000, simulation in before, simulation in tried} != {False}:
                continue
            tried.append(simulation)
            few = replace(simulation, policies=dict(list(simulation.policies.items())[:2]))
            quantity = "ctr_ratio" if experiment.bandit.family == "logs" else "regret"
            recorded = few.run(0, 0).values[quantity]
            assert recorded.shape == (len(few.policies), 1, len(simulation.checkpoints))


@VALUES
@pytest.mark.parametrize("paper", CONTENTS)
def test_a_mutated_paper_file_is_refused_plainly_or_means_what_it_says(paper, number, read):
    rng = random.Random(f"mutants of {paper}")
    before = [
        e.simulation([p.id], 1)
        for e in read(paper, CONTENTS[paper], "smoke").experiments.values()
        for p in e.policies.values()
    ]
    refused, tried, mutants = 0, [], 0
    least = math.ceil(number / len(CONTENTS))
    while mutants < least or (len(tried) < 3 and mutants < 4 * least):
        mutants += 1
        mutated, path = mutant(CONTENTS[paper], rng)
        scale = rng.choice(["paper", "smoke", "smoke"])
        found = read(paper, mutated, scale)
        if isinstance(found, str):
            refused += 1
            judge_refusal(found, paper)
            continue
        assert as_loaded(found) == meaning(mutated, scale), path
        assert as_claimed(found) == claimed(mutated), path
        if scale == "smoke" and len(tried) < 12:
            simulate_what_changed(found, before, tried)
    assert 0.3 * mutants < refused < mutants
    assert len(tried) >= 3


@LETTERS
@pytest.mark.parametrize(
    "path", [*FILES, *CLAIMS], ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_a_file_with_other_letters(path, number, tmp_path):
    """Deleted, doubled and exchanged characters and lines: the YAML reader shows no traceback."""
    rng, text = random.Random(f"letters of {path.stem}"), path.read_text()
    target, found = tmp_path / path.parent.name / path.name, set()
    paper = tmp_path / "papers" / path.name
    for folder in ("papers", "claims"):
        (tmp_path / folder).mkdir()
    if target != paper:
        paper.write_bytes((ROOT / "config/papers" / path.name).read_bytes())
    for _ in range(math.ceil(number / len(FILES))):
        place = rng.randrange(len(text))
        inserted = rng.choice(INSERTED)
        target.write_text(text[:place] + inserted + text[place + rng.randrange(3) :])
        try:
            loaded, message = studies.load(paper, "smoke"), ""
            validation.check(loaded)
        except InputError as refusal:
            message = str(refusal)
        found.add(bool(message))
        raw = {} if message else yaml.load(target.read_text(), Loader)
        if message:
            assert "\n" not in message
            assert message.startswith(str(target))
        elif target == paper:
            assert as_loaded(loaded) == meaning(raw, "smoke")
        else:
            assert as_claimed(loaded) == claimed({"claims": raw})
    assert found == {True, False}
