import fcntl
import functools
import gc
import os
import re
import shutil

import hypothesis
import pytest
from project import PAPERS, ROOT, SMOKE, Project, cut_off_from_the_network, forget_sources

from dpbandits.plan import fingerprints

# One thread for linear algebra, as in a job: threads of two processes would wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Collect garbage less often, and never among the modules and the thousands of tests.
gc.set_threshold(50_000)

# The same examples every time, without deadlines, so that no test depends on the machine.
hypothesis.settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
    database=None,
)
hypothesis.settings.load_profile("repeatable")


# Files with tests that play games.
PLAYING = "policies|audit|bandits|theory"
PLAYING += "|test_(arena|batches|files|fuzzed|guests|library|own_)"


def pytest_addoption(parser):
    parser.addoption(
        "--no-skips",
        action="store_true",
        help="a skipped test is a failed one, as .ci/run wants it",
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.skipped and item.config.getoption("--no-skips"):
        report.outcome = "failed"
        report.longrepr = f"skipped, which --no-skips forbids: {report.longrepr[-1]}"
    return report


def pytest_collection_modifyitems(items):
    """Order the files: test_workflow, which makes a run, and Slurm first.

    Tests that play games follow when that run has compiled the kernels. Tests that need a run are
    last.
    """
    needing = {item.path for item in items if {"finished", "copy"} & set(item.fixturenames)}
    for item in items:
        if {"finished", "one_paper", "made"} & set(item.fixturenames):
            # The first such test makes the run, and another one waits for it.
            item.add_marker(pytest.mark.timeout(1800))

    def place(item):
        if item.path.stem in ("test_workflow", "test_slurm"):
            return 0
        if item.path in needing:
            return 3
        return 2 if re.search(PLAYING, item.nodeid.partition("::")[0]) else 1

    items.sort(key=place)


def pytest_collection_finish():
    gc.freeze()


def made_once(tmp_path_factory, name, make):
    """Return a project that one process makes in a session of pytest; the others wait for it."""
    place = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # each has a folder of its own in the common one
        place = place.parent
    folder, printed = place / name, place / f"{name}.txt"
    with open(place / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not printed.exists():
            folder.mkdir()  # that it exists already says that it could not be made before
            output = make(folder)
            printed.write_text(output)
    project = Project(folder)
    project.output = printed.read_text()
    return project


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """All papers at the smoke scale: one run for all tests, without a network if possible."""

    def run(folder):
        return Project.new(folder, papers=PAPERS).run(*SMOKE, before=cut_off_from_the_network())

    return made_once(tmp_path_factory, "finished", run)


@pytest.fixture(scope="session")
def one_paper(request, tmp_path_factory):
    """tossou2016 at the smoke scale, in a project without other papers, which is quicker to copy.

    Where some test of the session needs the finished run of all papers, this is a part of it.
    """
    of_all = any(
        "finished" in item.fixturenames or "[finished" in item.name
        for item in request.session.items
    )

    def make(folder):
        project = Project.new(folder)
        if of_all:
            project.copy_results(request.getfixturevalue("finished"), "tossou2016")
        return project.run(*SMOKE)

    return made_once(tmp_path_factory, "one_paper", make)


@pytest.fixture(
    scope="session", params=["one_paper", pytest.param("finished", marks=pytest.mark.slow)]
)
def made(request):
    """A finished run: of one paper, and in the slow half of all."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def copy(one_paper, tmp_path):
    return one_paper.copied(tmp_path / "copy")


PARSED = {}  # what fingerprints read in a module of this content, which takes the longest


def read_once(source, read=fingerprints._read.__wrapped__):
    """Read a module for fingerprints, once for each content of it and of the data beside it."""
    if "==" in source:
        return read(source)
    file = fingerprints._file(source)
    data = [path for paths in fingerprints._data_in(file.parent).values() for path in paths]
    content = tuple(path.read_bytes() for path in (file, *data))
    key = source, content, fingerprints._version
    if key not in PARSED:
        PARSED[key] = read(source)
    return PARSED[key]


@pytest.fixture
def edit_package(tmp_path, monkeypatch):
    """Replace a string in a module of a copy of the package, which fingerprints then read."""
    copy = tmp_path / "dpbandits"
    shutil.copytree(ROOT / "src/dpbandits", copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(fingerprints, "_read", functools.cache(read_once))
    forget_sources()

    def replace(module, old, new, count=-1):
        path = fingerprints._file(f"dpbandits.{module}")
        text = path.read_text()
        assert text.count(old) == 1 or count == 1 < text.count(old), (module, old)
        path.write_text(text.replace(old, new, count))
        forget_sources()

    yield replace
    forget_sources()
