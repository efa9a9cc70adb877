"""Which edits of the source, and which new versions of libraries, run a job again."""

import pickle
import re
from functools import cache

import pytest
from project import ROOT, forget_sources

from dpbandits.plan import fingerprints, jobs
from dpbandits.plan.plan import load
from dpbandits.policies import PrivateUCB
from dpbandits.studies import strict_yaml

SETTINGS = strict_yaml.read_yaml(ROOT / "config/config.yaml")
PLAN = load({**SETTINGS, "scale": "smoke"}, ROOT / "config")
# The script or the function of each rule, as the workflow says.
RULES = (ROOT / "workflow/rules").glob("*.smk")
CODE = {
    rule: code.format(paper="azize2022", table="table1")
    for file in RULES
    for rule, code in re.findall(
        r'^rule (\w+):.*?job=job\(\s*"([^"]+)"', file.read_text(), re.MULTILINE | re.DOTALL
    )
}
# Some jobs of tossou2016 and of the whole run: rule, or rule and experiment or figure -> arguments.
SIMULATIONS = {
    f"simulate {row.experiment} {row.policies}": jobs.simulation(PLAN, *map(str, row[:5]))
    for row in PLAN.simulations.itertuples(index=False)
    if row.study == "tossou2016" and row.first == 0
}
JOBS = SIMULATIONS | {
    "summarise": jobs.summary(PLAN, "tossou2016", "fig2a"),
    "check": jobs.checks(PLAN, "tossou2016"),
    "claims": jobs.claims(PLAN),
    "account": jobs.promises(PLAN, "tossou2016"),
    "audit_part": jobs.audit(PLAN, "tossou2016", "1"),
    "theory_table": jobs.theorem(PLAN, "azize2022", "table1"),
    "draw fig2a": jobs.figure(PLAN, "tossou2016", "fig2a"),
    "draw fig1": jobs.figure(PLAN, "tossou2016", "fig1"),
    "draw_scores": jobs.scored_figure(PLAN, "arena", "scores"),
    "compare": jobs.comparison(PLAN),
    "page": jobs.page(PLAN),
}
FIGURES = {"draw fig2a", "draw fig1", "draw_scores"}


def digest(rule, arguments):
    """The digest of a job of a rule, as the workflow makes it."""
    code = CODE[rule]
    script, function = (code, "") if code.endswith(".py") else ("call.py", code)
    return fingerprints.job(ROOT / "workflow/scripts" / script, arguments, function)


def digests():
    return {name: digest(name.split()[0], arguments) for name, arguments in JOBS.items()}


unchanged = cache(digests)  # called before the first edit


def jobs_again():
    before, after = unchanged(), digests()
    return {name for name in JOBS if before[name] != after[name]}


def playing(kind):
    """The simulations in which a policy of this class plays."""
    return {
        name
        for name, job in SIMULATIONS.items()
        if any(type(policy) is kind for policy in job["simulation"].policies.values())
    }


UCB, INDEX = "policies.arms.private_ucb", "mu_hat + bonus * width"
PRIVATE_UCB = playing(PrivateUCB)
OF_ALGORITHMS = {"check", "account", "audit_part", "draw fig2a"}
CHANGES = [
    # A comment, a docstring or a line break repeats nothing.
    (UCB, '"""The T of the tree', '"""A T of the tree', set()),
    (UCB, f"{INDEX} + G * slack", f"({INDEX} + G * slack)  # an index", set()),
    # A policy, and what it imports.
    (UCB, f"{INDEX} + G * slack", f"{INDEX} + 2 * G * slack", PRIVATE_UCB | OF_ALGORITHMS),
    ("bandits.arms.bernoulli", "dtype=np.float64", "dtype=float",
     {*SIMULATIONS} | OF_ALGORITHMS),
    # Statistics and drawings: the table, and those who read it.
    ("statistics.summaries", "OF_PAPER = [", "OF_PAPER = [*[], ",
     {*FIGURES, "summarise"}),
    ("figures.style", '"grid.linewidth": 0.5', '"grid.linewidth": 0.8', FIGURES),
    ("figures.colours", '"dp_se": ("green"', '"dp_se": ("sky"', FIGURES),
    ("figures.colours", '"#0173b2"', '"#0173b3"', FIGURES),
    ("figures.diagrams", "import", "import os, ", {"draw fig2a", "draw fig1"}),
    # No job shows references.bib, which is for comparisons from Python.
    ("export", "POLICIES = re", "POLICIES = 1 and re", set()),
    ("verification", "TOLERANCE = 1e-9", "TOLERANCE = 1e-8", {"compare"}),
    # A policy or a theorem repeats only figures that show it.
    ("theory.azize2022", "import math", "import math, os", {"theory_table", "check"}),
    ("policies.arms.adap_ucb", "Positive = 3.1", "Positive = 3.2", set()),
]  # fmt: skip


@pytest.mark.parametrize(
    ("module", "old", "new", "again"), CHANGES, ids=[f"{c[0]}: {c[2][:20]}" for c in CHANGES]
)
def test_a_change_of_a_module_repeats_the_jobs_that_reach_it(edit_package, module, old, new, again):
    unchanged()
    edit_package(module, old, new, count=1)
    assert jobs_again() == again


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("drivers.index", "t // 64", "t // 65"),  # which private_ucb imports
        ("privacy.ledger", "self.spent <= (self", "self.spent < (self"),
        ("bandits.rewards", "rng.random() < self.means", "rng.random() > self.means"),
    ],
)
def test_a_change_of_a_helper_repeats_the_policies_that_reach_it(edit_package, module, old, new):
    unchanged()
    edit_package(module, old, new, count=1)
    assert jobs_again() >= PRIVATE_UCB | OF_ALGORITHMS


def test_a_measure_of_a_paper_judges_its_checks_again(edit_package):
    unchanged()
    edit_package("checks.tossou2016", "math.log(since)", "math.log(since + 1)", count=1)
    assert jobs_again() >= {"check"}


def test_a_script_that_calls_functions_by_name_has_the_code_of_one_of_them():
    """The rules that share it have digests of their own functions."""
    shared = [code for code in CODE.values() if not code.endswith(".py")]
    script = ROOT / "workflow/scripts/call.py"
    assert len(shared) == 7
    assert len({fingerprints.job(script, {}, code) for code in shared}) == 7


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


def test_the_arguments_travel_with_the_digest():
    job = pickle.loads(pickle.dumps(digest("summarise", JOBS["summarise"])))
    assert re.fullmatch("[0-9a-f]{16}", job)
    assert job.groups == JOBS["summarise"]["groups"]


def test_a_template_of_the_page_counts(edit_package):
    unchanged()
    template = fingerprints._file("dpbandits.page").parent / "templates/page.css"
    template.write_text(template.read_text() + "/* */")
    forget_sources()
    assert jobs_again() == {"page"}


@pytest.fixture
def upgrade(monkeypatch):
    """Pretend that a library has a new version."""
    unchanged()

    def replace_version(library):
        version = fingerprints._version
        monkeypatch.setattr(
            fingerprints, "_version", lambda name: "99" if name == library else version(name)
        )
        forget_sources()

    yield replace_version
    monkeypatch.undo()
    forget_sources()


@pytest.mark.parametrize(
    ("library", "again"),
    [
        ("numpy", {*JOBS}),
        ("pandas", {*JOBS} - {*SIMULATIONS}),
        ("matplotlib", FIGURES),
        ("jinja2", {"page"}),
        ("pytest", set()),
    ],
)
def test_a_new_version_of_a_library_repeats_the_jobs_whose_code_imports_it(upgrade, library, again):
    upgrade(library)
    assert jobs_again() == again


def test_a_library_has_the_version_that_is_installed():
    """Also where its module and its distribution differ in name."""
    installed = {
        name: fingerprints._version(name) for name in ("numpy", "yaml", "PIL", "mpl_toolkits")
    }
    assert all(version[:1].isdigit() for version in installed.values()), installed
    assert fingerprints._version("no_such_library") == ""
