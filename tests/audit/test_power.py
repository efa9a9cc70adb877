"""What the games of an audit can find: faults planted in the noise, the record of the noise itself, and faulty algorithms."""

import hashlib
import importlib.util
import re
import sys
from pathlib import Path

import pytest
from project import PAPERS, ROOT

from dpbandits import algorithms, studies
from dpbandits.algorithms.arms import adap_klucb, adap_ucb
from dpbandits.audit import lower_bounds, players, tape
from dpbandits.audit.audit_table import ABOVE_LEDGER, NO_POWER, NOT_AS_DECLARED, WITHIN
from dpbandits.kernels.sampling import laplace
from dpbandits.kernels.streams import stream
from dpbandits.privacy.ledger import Account
from dpbandits.privacy.releases import SHORT, Setting
from dpbandits.studies import yaml_file
from dpbandits.studies.model import Effort

ALPHA = 1e-5
SMOKE = Effort(**yaml_file.read_yaml(ROOT / "config/config.yaml")["audit"]["smoke"])
ADAP = {"epsilon": 1.0, "alpha": 3.1}


def recording(fault, uniforms=False):
    record = tape.blank_tape(1, 8, 1)
    record.state[tape.FAULT], record.state[tape.IN_UNIFORMS] = fault, uniforms
    return tape.RecordingGenerator(stream(1, "fault"), record)


def test_faults_are_what_they_are_called():
    plain = stream(1, "fault")
    drawn = [laplace(plain, 2.0) for _ in range(4)]
    first, _, third, _ = drawn
    wanted = {
        tape.NONE: drawn,
        tape.REMOVED: [0.0] * 4,
        tape.HALVED: [number / 2 for number in drawn],
        tape.REUSED: [first, first, third, third],
    }
    for fault, numbers in wanted.items():
        rng = recording(fault)
        assert [rng.laplace(0.0, 2.0) for _ in range(4)] == numbers
        assert rng.tape.rows[:4, tape.SCALE].tolist() == [2.0] * 4  # a tape sees how much noise there should be


def test_faults_are_in_the_uniform_numbers_where_there_is_no_other_noise():
    plain = stream(1, "fault")
    one, other = plain.random(), plain.random()
    for fault, wanted in {tape.REMOVED: [0.5, 0.5], tape.HALVED: [0.25 + one / 2, 0.25 + other / 2]}.items():
        rng = recording(fault, uniforms=True)
        assert [rng.random(), rng.random()] == pytest.approx(wanted)
        assert recording(fault).random() == one


def design(algorithm, parameters, setting):
    player = players.player(algorithm, parameters, setting, tape.MEANS, stream(2, "power"))
    account = {"adap_ucb": adap_ucb, "adap_klucb": adap_klucb}[algorithm].privacy(
        setting.horizon, setting.arms, **parameters
    )
    return lower_bounds.Design(player, "action", account, ALPHA, SMOKE)


def test_games_in_which_nothing_depends_on_the_rewards_have_no_power():
    """In eight rounds the index of AdaP-KLUCB is 1 for both arms without noise; in 256 rounds it is not."""
    caught_up = Setting(2, 256, ("zeros",), (97,), told=8)
    found = [
        lower_bounds._with_fault(list(design("adap_klucb", ADAP, games).inputs()), tape.REMOVED)
        for games in (SHORT, caught_up)
    ]
    assert found[0] == 0 < 1 < found[1]
    assert lower_bounds._with_fault(list(design("adap_ucb", ADAP, SHORT).inputs()), tape.REMOVED) > 1


@pytest.mark.parametrize(
    ("faults", "finding"), [((1.2, 0.0, 0.0), WITHIN), ((0.9, 1.2, 1.2), NO_POWER), ((0.0, 0.0, 0.0), NO_POWER)]
)
def test_nothing_is_within_where_missing_noise_is_missed(faults, finding):
    bound = lower_bounds.Bound(0.5, (10, 5), 100)
    account = adap_ucb.privacy(8, 2, **ADAP)
    result = lower_bounds.Result("action", account, 2, bound, 200, ALPHA, "", "", faults)
    assert (result.finding, result.row()["removed"]) == (finding, faults[0])


def test_a_fault_must_show_more_than_the_ledger_allows():
    assert lower_bounds.largest_allowed(Account(1.0, 0.0, None)) == 1.0  # an infinite ledger allows nothing to be found
    assert lower_bounds.largest_allowed(adap_ucb.privacy(8, 2, epsilon=2.0)) == 2.0


# ---- the tape beside the counts, and faulty algorithms, as they are written


def one_of_each_kind():
    """A mechanism for every kind of release, of those whose actions a tape explains."""
    found = {}
    for paper in PAPERS:
        study = studies.load(ROOT / f"config/papers/{paper}.yaml", "smoke")
        for _, mechanism in lower_bounds.policies(study.experiments.values()):
            kind = mechanism.releases(1.0 if mechanism.budget else None)
            if kind not in (None, "actions", "visits", "means after first"):
                found.setdefault(kind, mechanism)
    return {"argvalues": found.values(), "ids": found.keys()}


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", **one_of_each_kind())
def test_the_counts_on_the_other_input_agree_with_the_tape(mechanism):
    for seed in range(5):
        found = lower_bounds.audit(mechanism, "action", 1.0 if mechanism.budget else None, ALPHA, seed, SMOKE)
        assert not found.bound.disagreement > 5  # nan where a report draws no Laplace number
        assert found.finding in (WITHIN, NO_POWER)


@pytest.fixture
def mutant(monkeypatch, tmp_path):
    """A function that writes the module of an algorithm with parts of its text replaced, and makes it an algorithm."""

    def write(name, *replacements):
        source = Path(algorithms.find(name).__file__).read_text(encoding="utf-8")
        for old, new in replacements:
            assert old in source
            source = source.replace(old, new)
        mine = f"mutant_{hashlib.sha256(source.encode()).hexdigest()[:8]}"
        for rule in re.findall(r"^class (\w+)\(NamedTuple\)", source, re.MULTILINE):
            source = re.sub(rf"\b{rule}\b", f"{rule}_{mine}", source)  # the names of rules are unique
        path = tmp_path / f"{mine}.py"
        path.write_text(source, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(mine, path)
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, mine, module)
        spec.loader.exec_module(module)
        find, known = algorithms.find, algorithms.known()
        monkeypatch.setattr(algorithms, "known", lambda: {**known, mine: known[name]})
        monkeypatch.setattr(algorithms, "find", lambda asked: module if asked == mine else find(asked))
        return mine

    return write


SHARED = ("    for a in range(K):\n        released", "    shared = laplace(rng, 1 / (epsilon * m))\n    for a in range(K):\n        released")  # fmt: skip
FAULTY = {
    "means, noiseless": ("explore_then_commit", [(" + laplace(rng, 1 / (epsilon * m))", "")]),
    "means, one number for all arms": ("explore_then_commit", [SHARED, ("/ m + laplace(rng, 1 / (epsilon * m))", "/ m + shared")]),
    "tree, drawn and ignored": ("private_ucb", [("return s + tree_noise(", "return s + 0 * tree_noise(")]),
    "tree, unsplit": ("private_ucb", [("node_scale = tree_node_scale(T, eps0)", "node_scale = 1 / eps0")]),
    "hybrid, drawn and ignored": ("dp_ucb_bound", [("return s + hybrid_noise(", "return s + 0 * hybrid_noise(")]),
    "hybrid of rounds, drawn and ignored": ("dp_ucb", [("(s[b] + noise[b])", "(s[b] + 0 * noise[b])")]),
    "reports, half the noise": ("ldp_ucb", [("laplace(rng, 1 / self.epsilon)", "laplace(rng, 0.5 / self.epsilon)")]),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTY)
def test_a_faulty_algorithm_is_an_alarm(fault, mutant):
    """With the games of the smoke scale, at epsilon 1, by one of its taps."""
    name, replacements = FAULTY[fault]
    mechanism = lower_bounds.Mechanism(mutant(name, *replacements), (), "epsilon")
    found = {
        tap: lower_bounds.audit(mechanism, tap, 1.0, ALPHA, 1, SMOKE).finding for tap in lower_bounds.taps_of(mechanism)
    }
    assert {ABOVE_LEDGER, NOT_AS_DECLARED} & set(found.values()), found


@pytest.mark.slow
def test_the_algorithm_itself_is_no_alarm(mutant):
    mechanism = lower_bounds.Mechanism(mutant("explore_then_commit"), (), "epsilon")
    found = [
        lower_bounds.audit(mechanism, tap, 1.0, ALPHA, 1, SMOKE).finding for tap in lower_bounds.taps_of(mechanism)
    ]
    assert found == [WITHIN, WITHIN]
