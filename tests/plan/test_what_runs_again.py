"""Which changes run jobs again: of files, of the source, of libraries. Jobs of one paper, mostly.

CONTRIBUTING.md has a table of them, by rules.
"""

import pickle
import re
import shutil
from functools import cache
from itertools import chain

import pytest
from project import ROOT, forget_sources

from dpbandits.drivers.index import IndexPolicy
from dpbandits.figures import colours
from dpbandits.plan import fingerprints, jobs
from dpbandits.plan.plan import load
from dpbandits.plan.tables import GUESTS
from dpbandits.policies import PrivateUCB
from dpbandits.policy import Policy
from dpbandits.studies import strict_yaml

SETTINGS = {**strict_yaml.read_yaml(ROOT / "config/config.yaml"), "scale": "smoke"}
MINE = {"label": "Mine", "algorithm": "ucb"}
SCRIPTS = ROOT / "workflow/scripts"
# Rule -> its script, or the function that the script `call.py` calls, as the workflow says.
CODE = {
    rule: code.format(paper="azize2022", table="table1")
    for file in (ROOT / "workflow/rules").glob("*.smk")
    for rule, code in re.findall(
        r'^rule (\w+):.*?job=job\(\s*"([^"]+)"', file.read_text(), re.MULTILINE | re.DOTALL
    )
}


def arguments(plan):
    """Rule, or rule and experiment or figure -> what the job is given."""
    paper = "tossou2016"
    rows = plan.simulations[plan.simulations["study"] == paper].itertuples(index=False)
    played = {f"simulate {row.experiment} {row.policies}": row[:5] for row in rows}
    return {name: jobs.simulation(plan, *map(str, row)) for name, row in played.items()} | {
        "summarise": jobs.summary(plan, paper, "fig2b"),
        "draw fig2b": jobs.figure(plan, paper, "fig2b"),
        "draw fig1": jobs.figure(plan, paper, "fig1"),
        "draw_scores": jobs.scored_figure(plan, "arena", "scores"),
        "theory_table": jobs.theorem(plan, "azize2022", "table1"),
        "check": jobs.checks(plan, paper),
        "claims": jobs.claims(plan),
        "account": jobs.promises(plan, paper),
        "audit_part": jobs.audit(plan, paper, "1"),
        "audit_study": jobs.promises(plan, paper),
        "replay": jobs.replays(plan, paper),
        "distances": jobs.compared_panels(plan),
        "compare": jobs.comparison(plan),
        "page": jobs.page(plan),
    }


def digest(rule, of_job):
    """The digest of a job of a rule, as the workflow makes it."""
    script, function = (CODE[rule], "") if CODE[rule].endswith(".py") else ("call.py", CODE[rule])
    return fingerprints.job(SCRIPTS / script, of_job, function)


def digests(of_jobs):
    return {name: digest(name.split()[0], each) for name, each in of_jobs.items()}


@cache
def unchanged():
    """The arguments and the digests of all jobs, before the first change."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        found = arguments(load(SETTINGS))
        return found, digests(found)


def playing(kind):
    """The simulations in which a policy of this class plays."""
    return {
        name
        for name, of_job in unchanged()[0].items()
        if name.startswith("simulate")
        and any(isinstance(each, kind) for each in of_job["simulation"].policies.values())
    }


@pytest.fixture
def again(edit_package, tmp_path, monkeypatch):
    """A function that makes a change and returns the names of the jobs with another digest.

    The change is a library, which gets another version, or the name of a module or of a file of the
    configuration, a text in it, and another one.
    """
    of_jobs, before = unchanged()

    def make(*change):
        given, version = of_jobs, fingerprints._version
        if len(change) == 1:
            monkeypatch.setattr(
                fingerprints, "_version", lambda x: "9" if x == change[0] else version(x)
            )
            forget_sources()
        elif change[0].endswith(".yaml"):
            file = shutil.copytree(ROOT / "config", tmp_path / "config") / change[0]
            (tmp_path / "reference").symlink_to(ROOT / "reference")
            assert change[1] in file.read_text()
            file.write_text(file.read_text().replace(*change[1:]))
            monkeypatch.chdir(tmp_path)
            given = arguments(load(SETTINGS))
        else:
            edit_package(*change, count=1)
        after = digests(given)
        return {name for name in before if before[name] != after[name]}

    return make


PAGE = (ROOT / "CONTRIBUTING.md").read_text().partition("| you change |")[2]
TABLE = {
    change: {*re.findall(r"`(\w+)`", rules)}
    for change, rules in re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", PAGE, re.MULTILINE)
    if "digests" not in rules
}
PAPER, CLAIMS = "papers/tossou2016.yaml", "claims/tossou2016.yaml"
UCB, INDEX = "policies.arms.private_ucb", "mu_hat + bonus * width + G * slack"
TWICE = INDEX.replace("bonus", "2 * bonus")
CHANGES = {
    "an epsilon of an experiment": (PAPER, "epsilon: 0.1", "epsilon: 0.2"),
    "a label": (PAPER, "label: UCB", "label: UCB one"),
    "a threshold": (CLAIMS, "drawn_runs: 100", "drawn_runs: 99"),
    "a colour": ("figures.colours", '"#0173b2"', '"#0173b3"'),
    "a policy's code": (UCB, INDEX, TWICE),
    "the code of figures": ("figures.curves", "import numpy", "import os, numpy"),
    "a comment or a docstring": (UCB, '"""Those of a tree', '"""That of a tree'),
    "the version of matplotlib": ("matplotlib",),
    "the version of pandas": ("pandas",),
    "the version of numpy": ("numpy",),
}


@pytest.mark.parametrize("change", sorted(CHANGES.keys() | TABLE.keys()))
def test_the_table_says_which_digests_change(change, again):
    """But for tables of theorems and figures of the arena, which have no row."""
    rules = {name.split()[0] for name in again(*CHANGES[change])}
    assert rules - {"draw_scores", "theory_table"} == TABLE[change]


FIGURES = {"draw fig2b", "draw fig1", "draw_scores"}
OF_ALGORITHMS = {"check", "account", "audit_part", "audit_study", "replay", "draw fig2b"}
OF_STATISTICS = {*FIGURES, "summarise", "distances"}
EDITS = [  # a change, and the jobs; a class stands for the simulations in which its policies play
    ((UCB, INDEX, TWICE), {*OF_ALGORITHMS, "theory_table", PrivateUCB}),
    (("drivers.index", "t // 64", "t // 65"), {*OF_ALGORITHMS, "theory_table", IndexPolicy}),
    (("bandits.arms.bernoulli", "dtype=np.float64", "dtype=float"), {*OF_ALGORITHMS, Policy}),
    (("checks.tossou2016", "math.log(since)", "math.log(since + 1)"), {"check"}),
    # Statistics and drawings: the table, and those who read it.
    (("statistics.summaries", "OF_PAPER = [", "OF_PAPER = [*[], "), OF_STATISTICS),
    (("figures.style", '"grid.linewidth": 0.5', '"grid.linewidth": 0.8'), FIGURES),
    (("figures.diagrams", "import", "import os, "), {"draw fig2b", "draw fig1"}),
    # No job shows references.bib, which is for comparisons from Python.
    (("export", "POLICIES = re", "POLICIES = 1 and re"), set()),
    (("verification", "TOLERANCE = 1e-9", "TOLERANCE = 1e-8"), {"compare"}),
    # A policy or a theorem repeats only what shows it; a table of theorems has ledgers of policies.
    (("theory.azize2022", "import math", "import math, os"), {"theory_table", "check"}),
    (("policies.arms.adap_ucb", "Positive = 3.1", "Positive = 3.2"), {"theory_table"}),
    # A library repeats the jobs whose code imports it.
    (("jinja2",), {"page"}),
    (("pytest",), set()),
]


@pytest.mark.parametrize(("change", "wanted"), EDITS, ids=[" ".join(edit[0]) for edit in EDITS])
def test_a_change_repeats_the_jobs_that_reach_it(change, wanted, again):
    names = [{each} if isinstance(each, str) else playing(each) for each in wanted]
    assert again(*change) == {*chain(*names)}


@pytest.mark.parametrize(
    ("file", "wanted"), [("page/templates/page.css", {"page"}), ("figures/data/looks.csv", FIGURES)]
)
def test_a_template_of_the_page_and_the_table_of_looks_count(edit_package, file, wanted):
    of_jobs, before = unchanged()
    named = fingerprints._file("dpbandits.page").parents[1] / file
    named.write_text(named.read_text() + "# */")
    forget_sources()
    after = digests(of_jobs)
    assert {name for name in before if before[name] != after[name]} == wanted


def test_another_look_of_a_guest_only_draws_again(monkeypatch):
    monkeypatch.chdir(ROOT)
    blue, sky = (
        load(SETTINGS | {"guests": {"mine": MINE | {"look": [colour, "h"]}}})
        for colour in ("blue", "sky")
    )
    before, after = (
        arguments(plan)
        | {
            "replay_guest": jobs.guest(plan, "mine"),
            "audit_part": jobs.audit(plan, "tossou2016", GUESTS),
            "score": jobs.scores(plan, "arena"),
        }
        for plan in (blue, sky)
    )
    again = {name for name in before if repr(before[name]) != repr(after[name])}
    assert again == {"draw fig2b", "draw_scores"}
    assert MINE["label"] not in repr(before["replay_guest"])  # another label repeats nothing, too
    drawn = after["draw fig2b"]
    look = colours.of_panel(drawn["figure"].panels[0], drawn["experiments"][0])["mine"]
    assert (look.colour, look.marker) == (colours.PALETTE["sky"], "h")


def test_other_runs_epsilons_and_labels_of_studies_repeat_no_replay_of_a_guest(monkeypatch):
    """And so none of its simulations, which follow its replay."""
    monkeypatch.chdir(ROOT)
    mine = {"label": "Mine ({epsilon:g})", "algorithm": "dp_ucb", "takes": ["epsilon"]}
    settings = {"smoke": mine, "paper": mine | {"label": "Other"}}  # whose runs and epsilons differ
    plans = [load(SETTINGS | {"scale": k, "guests": {"mine": v}}) for k, v in settings.items()]
    smoke, paper = (repr(jobs.guest(plan, "mine")) for plan in plans)
    assert smoke == paper
    assert "'plays': DPUCB(epsilon=1.0)" in smoke


def test_rules_that_share_a_script_have_digests_of_their_own_functions():
    shared = [code for code in CODE.values() if not code.endswith(".py")]
    assert len({fingerprints.job(SCRIPTS / "call.py", {}, code) for code in shared}) == len(shared)
    assert len(shared) > 1


def test_docstrings_count_only_for_a_job_that_reads_docstrings(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    reader, data = tmp_path / "reads.py", tmp_path / "facts.txt"
    reader.write_text("import described\nTEXT = described.A.__doc__\nopen('facts.txt')\n")
    data.write_text("1")

    def codes(docstring, comment=""):
        (tmp_path / "described.py").write_text(f"class A:\n    'As {docstring}.'  {comment}\n")
        forget_sources()
        return fingerprints.fingerprint(str(reader)), fingerprints.fingerprint("described")

    first = codes("one")
    assert codes("one", "# A comment") == first
    assert [new == old for new, old in zip(codes("two"), first, strict=True)] == [False, True]
    data.write_text("2")  # a file beside the module, which names it
    assert [new == old for new, old in zip(codes("one"), first, strict=True)] == [False, True]


@pytest.mark.parametrize(
    "code",
    [
        "from dpbandits.policies import DPSE\nclass Heir(DPSE): pass",
        "from dpbandits import policies\nclass Heir(policies.DPSE): pass",
    ],
)
def test_a_guest_reaches_the_class_that_it_inherits_and_no_other(edit_package, tmp_path, code):
    (tmp_path / "heir.py").write_text(code)
    found = [fingerprints.fingerprint("heir")]
    for module in ("ucb", "dp_se"):
        edit_package(f"policies.arms.{module}", "import math", "import math, os")
        found.append(fingerprints.fingerprint("heir"))
    assert [new == found[0] for new in found] == [True, True, False]


def test_the_arguments_travel_with_the_digest():
    given = unchanged()[0]["summarise"]
    job = pickle.loads(pickle.dumps(digest("summarise", given)))
    assert re.fullmatch("[0-9a-f]{16}", job)
    assert job.groups == given["groups"]


def test_a_library_has_the_version_that_is_installed():
    """Also where its module and its distribution differ in name."""
    installed = map(fingerprints._version, ("numpy", "yaml", "PIL", "mpl_toolkits"))
    assert all(version[:1].isdigit() for version in installed)
    assert fingerprints._version("no_such_library") == ""
