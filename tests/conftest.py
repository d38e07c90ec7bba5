"""How a run is set up, and the record of clauses: which tests, marked with one, passed; which clauses were emitted."""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from referee.engine.rulings import UnjudgeablePosition
from referee.match.table import commands
from tests import emission

RECORD = Path(__file__).parent.parent / ".clauses-record.json"
KEY = "clause"
QUICK = "not deep"  # the mark expression of the quick run, as in pyproject.toml
DEEP_FOLDERS = ("tests/faults/", "tests/leaks/", "tests/clients/")  # every test in them is deep
BROWSER_FOLDER = "tests/page/"
# The files that take longest, longest first: a file is run by one worker process, and one that is begun last is waited
# for alone. A worker with no more than two tests left is handed another file at once, which then waits behind them: so
# a short file follows the kills, and each of the others that take longest starts on a process of its own.
FIRST = (
    *("tests/page/test_any_evenings.py", "tests/api/test_drawn_requests.py", "tests/games/test_every_game.py"),
    *("tests/faults/test_kills.py", "tests/faults/test_clocks.py"),
    *("tests/api/test_position_forms.py", "tests/clients/test_python_client.py"),
    *("tests/clients/test_typescript_client.py", "tests/page/test_evenings.py"),
    *("tests/position_rulings/test_judging.py", "tests/position_rulings/test_missing_facts.py"),
    *("tests/page/test_chains.py", "tests/page/test_types.py"),
    *("tests/cli/test_tour.py", "tests/cli/test_whole.py", "tests/cli/test_overload.py", "tests/leaks/test_proof.py"),
    *("tests/leaks/test_mutants.py", "tests/games/test_greedy.py", "tests/eventstore/test_power.py"),
    *("tests/api/test_rights.py", "tests/cli/test_figures.py", "tests/cli/test_serve.py", "tests/api/test_leaks.py"),
    *("tests/api/test_bots_in_and_out.py", "tests/api/owasp/test_authorization.py", "tests/cli/test_streaming.py"),
    *("tests/workers/test_bots.py", "tests/workers/test_projections.py", "tests/leaks/test_crossing.py"),
    *("tests/workers/test_remedies.py", "tests/api/test_books.py", "tests/api/test_standings.py"),
    *("tests/workers/test_queue.py", "tests/workers/test_deadlines.py", "tests/workers/test_kills.py"),
    *("tests/api/test_arbitration_attacked.py", "tests/api/test_metrics.py", "tests/service/test_following.py"),
    *("tests/cli/test_projections.py", "tests/cli/test_cards.py", "tests/cli/test_archiving.py"),
)

# The servers that are tested, and killed, start some hundred times: where nothing compiled may be kept, as the variable
# asks for in many containers, most of a run is spent on compiling the same files again at every start. Worker processes
# and servers inherit this; what is kept lies in __pycache__, as everywhere else.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# What Hypothesis draws is the same in every run, however fast the machine is: a run that fails says something of the
# change that it is about. `--hypothesis-profile default` draws something else each time.
settings.load_profile("ci")

# Twenty thousand tests and what they import are half a gigabyte of objects that stay to the end. Looked through for
# garbage as often as Python does by default they take a third of the time of collecting, a sixth of that of running.
gc.set_threshold(300_000, 20, 100)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One process more than there are cores, and four at least in the deep run.

    Many deep tests wait for servers that they start and kill. Quick ones seldom wait, while each further process
    collects all tests again, and in a fresh checkout compiles them.
    """
    cores = os.cpu_count() or 1
    return cores + 1 if config.option.markexpr == QUICK else max(4, cores)


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark every test of the deep folders, and those in a browser as ones that are tried twice.

    A browser on a busy machine is late now and then in ways that no page would be blamed for: a test there fails when
    it fails twice, and the first failure is listed. Tests of kills, leaks and laws fail at once: what they look for is
    rare.
    """
    if item.nodeid.startswith(DEEP_FOLDERS):
        item.add_marker(pytest.mark.deep)
    if item.nodeid.startswith(BROWSER_FOLDER):
        item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Hand the clause ids of each test on to its report, across worker processes too; put the longest files first."""
    for item in items:
        for mark in item.iter_markers("clause"):
            item.user_properties += [(KEY, clause) for clause in mark.args]
    places = {file: place for place, file in enumerate(FIRST)}
    items.sort(key=lambda item: places.get(item.nodeid.partition("::")[0], len(FIRST)))


def pytest_collection_finish(session: pytest.Session) -> None:
    """No two tests may have one id, or worker processes leave all but one of them out in silence."""
    ids = [item.nodeid for item in session.items]
    if len(set(ids)) != len(ids):
        twice = sorted({name for name in ids if ids.count(name) > 1})
        raise pytest.UsageError(f"tests with the same id: {', '.join(twice[:5])}")
    gc.freeze()


@pytest.fixture(autouse=True)
def notice_unjudgeable_positions(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test in which rules fail on a written position, unless it is marked as being about that.

    The answer to such a position is an error at its question. Without this a mistake in the rules would look like one
    of the position.
    """
    met: list[str] = []

    def note(self: UnjudgeablePosition, errors: list[dict[str, str]]) -> None:
        met.append(repr(sys.exception()))
        super(UnjudgeablePosition, self).__init__(errors)

    monkeypatch.setattr(UnjudgeablePosition, "__init__", note)
    yield
    if request.node.get_closest_marker("unjudgeable") is None:
        assert not met


class Record:
    """Collects the clauses of passed tests and writes them when the run is whole."""

    def __init__(self) -> None:
        self.passed: dict[str, set[str]] = {}
        self.failed: set[str] = set()
        self.emitted: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        clauses = [value for key, value in report.user_properties if key == KEY]
        if report.when == "call" and report.passed:
            for clause in clauses:
                self.passed.setdefault(str(clause), set()).add(report.nodeid.partition("[")[0])
        elif report.failed:
            self.failed |= {report.nodeid.partition("[")[0]}

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object | None) -> None:
        """Take what a worker process heard."""
        self.emitted.update(getattr(node, "workeroutput", {}).get("emitted", ()))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self.emitted |= emission.HEARD
        tested = {clause: sorted(tests - self.failed) for clause, tests in sorted(self.passed.items())}
        tested = {clause: tests for clause, tests in tested.items() if tests}
        whole = session.config.args_source is pytest.Config.ArgsSource.TESTPATHS  # not narrowed down to some paths
        if whole and session.config.option.markexpr == QUICK:  # the quick run alone writes the record
            RECORD.write_text(json.dumps({"clauses": tested, "emitted": sorted(self.emitted)}, indent=1) + "\n")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand what a worker process heard to the one that writes the record."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["emitted"] = sorted(emission.HEARD)


def pytest_configure(config: pytest.Config) -> None:
    emission.listen()
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Record(), "clauses-record")


@pytest.fixture
def first_scheme(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches are opened as they were when draws depended on the versions of their entries, not on their numbers.

    Some tests need a match that comes to a certain place, and know one of those.
    """
    monkeypatch.setattr(commands, "DRAW_SCHEME", 0)
