"""The record of tested clauses: which tests, marked with a clause, ran and passed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

RECORD = Path(__file__).parent.parent / ".clauses-record.json"
KEY = "clause"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Hands the clause ids of each test on to its report, also across worker processes."""
    for item in items:
        for mark in item.iter_markers("clause"):
            item.user_properties += [(KEY, clause) for clause in mark.args]


class Record:
    """Collects the clauses of passed tests and writes them when the run is whole."""

    def __init__(self) -> None:
        self.passed: dict[str, set[str]] = {}
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        clauses = [value for key, value in report.user_properties if key == KEY]
        if report.when == "call" and report.passed:
            for clause in clauses:
                self.passed.setdefault(str(clause), set()).add(report.nodeid.partition("[")[0])
        elif report.failed:
            self.failed |= {report.nodeid.partition("[")[0]}

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        tested = {clause: sorted(tests - self.failed) for clause, tests in sorted(self.passed.items())}
        tested = {clause: tests for clause, tests in tested.items() if tests}
        RECORD.write_text(json.dumps({"clauses": tested}, indent=1) + "\n")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Record(), "clauses-record")
