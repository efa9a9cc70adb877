"""Hundreds of papers' files, each with a mistake: refused in one line, or taken at their word.

The files of every paper and of its claims are mutated, in values, keys and letters. A refusal names
file and key. A file that is accepted must mean what it says: `meaning`, below, reads it a second
time, plainly, and each series that a mutation may have reached is simulated for one run. The
mutations come from fixed seeds.
"""

import copy
import pickle
import random
import re
import shutil
from dataclasses import replace
from functools import lru_cache

import pytest
import yaml
from project import PAPERS, ROOT, study_of

from dpbandits import studies
from dpbandits.errors import InputError
from dpbandits.plan import validation
from dpbandits.studies import things
from dpbandits.studies.model import Paper

# The C parser takes a tab inside a string, the other one does not.
Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
Dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
ODD = [0, -1, 1, 2, 3, 0.5, 1e-300, 1e308, 10**30, float("nan"), float("inf"), True, None, "", "x",
       "1e5", "{", "{0}", "{x.y}", "$\\frac$", "a\nb", "../x", "fig2a", "ucb", "dp-ucb", [], {},
       [1, 2], {"x": 1}]  # fmt: skip
INSERTED = ["", ":", "\t", "{", "]", "'", '"', "&a ", "*a", "\n", "- ", "%", "\x00", "é",
            "!!float "]  # fmt: skip
DESIGN = ("horizon", "runs", "groups", "block")
FOLDERS = ("papers", "claims")
READINGS = ("published", "corrected")


@lru_cache(4)
def pickled(text):
    """The content of a file, which takes longer to parse than to copy."""
    return pickle.dumps(yaml.load(text, Loader))


def parsed(text):
    return pickle.loads(pickled(text))


def places(node, path=()):
    """The path to everything in a file."""
    is_list = isinstance(node, list)
    for key in range(len(node)) if is_list else node if isinstance(node, dict) else ():
        yield (*path, key)
        yield from places(node[key], (*path, key))


def at(content, path):
    for key in path:
        content = content[key]
    return content


def with_another_value(text, rng):
    """The file with one key or value changed."""
    content = parsed(text)
    everywhere = list(places(content))
    # Half of the mutations hit experiments, the other half anything, such as captions.
    keys = {"design", "smoke", "environments", "policies", "experiments"}
    designs = [path for path in everywhere if path[0] in keys] or everywhere
    *path, key = rng.choice(designs if rng.random() < 0.5 else everywhere)
    parent, elsewhere = at(content, path), at(content, rng.choice(everywhere))
    value, kind = parent[key], rng.randrange(6)
    others = rng.sample(ODD, 2)
    if isinstance(value, int | float):
        others += [2 * value, value / 2, -value, 10 * value, value - 1, value + 1]
    elif isinstance(value, list):
        others += [value[::-1], value[:-1], value + value[:1]]
    if kind == 0:
        del parent[key]
    elif kind == 1 and isinstance(key, str):
        place = rng.randrange(len(key) + 1)
        parent[key[:place] + rng.choice("ae-_. Z0") + key[place:]] = parent.pop(key)
    elif kind == 2:
        parent[key] = copy.deepcopy(elsewhere)
    else:
        parent[key] = rng.choice(others)
    return yaml.dump(content, Dumper=Dumper, sort_keys=False, allow_unicode=True)


def with_other_letters(text, rng):
    """The file with deleted, inserted or exchanged characters."""
    place = rng.randrange(len(text))
    return text[:place] + rng.choice(INSERTED) + text[place + rng.randrange(3) :]


def written_out(entries):
    """The entries, each with the keys that all share."""
    shared, result = entries.get("defaults", {}), {}
    for name in entries.keys() - {"defaults"}:
        result[name] = shared | entries[name]
        for key, value in entries[name].items():
            if isinstance(value, dict) and isinstance(shared.get(key), dict):
                result[name][key] = shared[key] | value
    return result


def in_reading(values, reading):
    """Those of these values that a reading has."""
    of_both = {key for key, value in values.items() if not isinstance(value, dict)}
    found = {key: values[key] if key in of_both else values[key].get(reading) for key in values}
    return {key: found[key] for key in found if key in of_both or reading in values[key]}


def meaning(raw, scale):
    """The simulations that a file asks for, read without the package.

    {(experiment, reading): (design, environment, {series: ...})}
    """
    found, policies = {}, written_out(raw["policies"])
    for name, what in written_out(raw["experiments"]).items():
        design = raw["design"] | what.get("design", {})
        if scale != "paper":
            design = design | raw.get("smoke", {}) | what.get("smoke", {})
        environment = what["environment"]
        if isinstance(environment, str):
            environment = raw["environments"][environment]
        own = what["policies"] if isinstance(what["policies"], dict) else {}
        for reading in READINGS:
            series = {}
            for policy in what["policies"]:
                it, here = policies[policy], what.get("parameters", {})
                runs = min(it.get("runs", design["runs"]), what.get("runs", 10**12))
                runs = it.get("more_runs", {}).get(name, runs if "runs" in it else design["runs"])
                if scale != "paper":
                    runs = min(runs, design["runs"])
                parameters = {key: here[key] for key in it.get("takes", []) if key in here}
                typed = it.get("parameters", {}) | own.get(policy, {})
                parameters |= in_reading(typed, reading)
                regret = in_reading(what.get("regret", {}) | it.get("regret", {}), reading)
                (algorithm,) = in_reading({"": it["algorithm"]}, reading).values() or [""]
                sweep = it.get("sweep", {})
                sweep = raw["sweeps"][sweep] if isinstance(sweep, str) else sweep
                # The first parameter names the series, others change in step.
                for values in zip(*sweep.values(), strict=True) if sweep else [()]:
                    value = "".join(f"-{each}" for each in values[:1]).lower().replace("_", "-")
                    swept = parameters | dict(zip(sweep, values, strict=True))
                    series[policy + value] = (algorithm, swept, regret, runs)
            found[name, reading] = ([design[key] for key in DESIGN], environment, series)
        if found[name, "corrected"] == found[name, "published"]:
            del found[name, "corrected"]
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
    texts, found = raw.pop("texts", {}), {}
    for id, what in raw.items():
        checks = written_out(what.get("checks", {}))
        says = {name: texts.get(check["says"], check["says"]) for name, check in checks.items()}
        words = [texts.get(what[key], what[key]) for key in ("says", "place")]
        criterion = what.get("criterion", "in all panels")
        found[id] = (*words, criterion, {*what.get("same_checks", []), *checks}, says)
    return found


def as_claimed(paper):
    found = {}
    for id, claim in paper.claims.items():
        says = {name: check.says for name, check in claim.checks.items()}
        found[id] = (claim.says, claim.place, claim.criterion, {*claim.all_checks}, says)
    return found


def judge_refusal(message, folder, paper):
    """One line: the file, the key that is wrong or names a missing entry, and the problem.

    A mutated key may have a space in it, or a colon before another letter.
    """
    keys = "|".join(things.keys_of(Paper))
    inner = r"(\.([^:]|:\S)+|\b| \([^ ]+\))*"
    key = rf"(({keys}){inner}|unknown key '[^']*'|'({keys})' is missing)"
    places = rf"papers/{paper}\.yaml: {key}|claims/{paper}\.yaml: \.?([^.:]|:\S)+{inner}: "
    found = re.match(f"{folder}/({places})|{folder}/.*: (not valid YAML: |it has no keys)", message)
    assert found, message
    assert "\n" not in message, message
    assert len(message) > len(found[0]) + 5, message


def judge_meaning(found, files, scale):
    of_paper, of_claims = (parsed(file.read_text()) for file in files)
    assert as_loaded(found) == meaning(of_paper, scale)
    assert as_claimed(found) == claimed(of_claims)


def simulations(paper):
    return [e.simulation([id], 1) for e in paper.experiments.values() for id in e.policies]


def play(simulation):
    """One run of a policy of at most two series: what is accepted can be played."""
    few = replace(simulation, policies=dict(list(simulation.policies.items())[:2]))
    quantity = "ctr_ratio" if few.bandit.family == "logs" else "regret"
    recorded = few.run(0, 0).values[quantity]
    assert recorded.shape == (len(few.policies), 1, len(few.checkpoints))


@pytest.mark.parametrize("scale", ["paper", "smoke"])
@pytest.mark.parametrize("paper", PAPERS)
def test_a_file_means_what_it_says(paper, scale):
    files = [ROOT / f"config/{folder}/{paper}.yaml" for folder in FOLDERS]
    judge_meaning(study_of(paper, scale), files, scale)


SLOW = (pytest.param(kind, 12, marks=pytest.mark.slow) for kind in FOLDERS)


@pytest.mark.parametrize(("kind", "times"), [("papers", 3), ("claims", 2), *SLOW])
@pytest.mark.parametrize(("mutate", "number"), [(with_another_value, 15), (with_other_letters, 5)])
@pytest.mark.parametrize("paper", PAPERS)
def test_a_mutated_file_is_refused_plainly_or_means_what_it_says(
    paper, kind, mutate, number, times, tmp_path
):
    for folder in FOLDERS:
        (tmp_path / folder).mkdir()
        shutil.copy(ROOT / f"config/{folder}/{paper}.yaml", tmp_path / folder)
    files = [tmp_path / f"{folder}/{paper}.yaml" for folder in FOLDERS]
    mutated = tmp_path / f"{kind}/{paper}.yaml"
    rng, original = random.Random(f"{mutate.__name__} {paper} {kind}"), mutated.read_text()
    known, refused, played = simulations(studies.load(files[0], "smoke")), 0, 0
    for _ in range(number * times):
        mutated.write_text(mutate(original, rng))
        scale = rng.choice(["paper", "smoke", "smoke"])
        try:
            found = studies.load(files[0], scale)
            validation.check(found)
        except InputError as refusal:
            judge_refusal(str(refusal), tmp_path, paper)
            refused += 1
            continue
        judge_meaning(found, files, scale)
        new = [s for s in simulations(found) if s not in known and s.horizon <= 200_000]
        for simulation in rng.sample(new, min(4, len(new))) if scale == "smoke" else ():
            play(simulation)
            played += 1
    assert 0 < refused < number * times
    assert played > 0 or kind == "claims" or mutate is with_other_letters
