"""Requests drawn from the contract, twenty for each call, good ones and broken ones, are answered as it says."""

from __future__ import annotations

from math import sqrt
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, seed, settings

from api.resources.health.routes import load_contract
from api.resources.rulings import routes
from tests.api.contracted import close_answers
from tests.api.drawing import TOKENS, WELL_FORMED, on_the_shelf, rule_once
from tests.api.owasp.places import PLACES

pytestmark = pytest.mark.deep

EXAMPLES = 10
HOSTS = (
    *(
        "startMatch",
        "endMatch",
        "changeMatch",
        "withdrawMatch",
        "makeInvitation",
        "withdrawInvitation",
        "getInvitationQr",
    ),
    *("seatBot", "removeBot"),
)
LEAST = 0.03  # of the requests for a call that came past the token, so many are granted, give or take some luck
OFTEN = {
    "makeMove": 0.002,
    "checkMove": 0.002,
    "getView seat": 0.2,
    "listMoves": 0.2,
    "joinMatch": 0.2,
    "judgePosition": 0.1,
}
# a window or a state that is drawn is hardly ever there
OFTEN |= {"getWindow": 0.005, "getWindow seat": 0.0, "getWindow full": 0.0, "getStandings": 0.005}
OFTEN |= {"getStandingsPlot": 0.005}
OFTEN |= {"listWindows full": 0.005, "getBundle": 0.02, "listOpenings": 0.0}  # of which the public has none
# most name a match whose house rulings there are not, or change so much at once that one part of it is wrong
OFTEN |= {"openMatch": 0.01, "changeMatch": 0.01, "openTournament": 0.0}
# nor is a dispute, a report or a request that is drawn: what comes of them has tests of its own
OFTEN |= dict.fromkeys(
    ("openDispute", "fileAppeal", "giveAttestation", "castVote", "issueRuling", "withdrawDispute"), 0.0
)
OFTEN |= dict.fromkeys((f"get{what}{who}" for who in ("", " seat", " full") for what in ("Dispute", "Remedy")), 0.0)
OFTEN |= dict.fromkeys(("askTakeback", "getTakeback", "answerTakeback", "witnessReport", "listReportAttestations"), 0.0)
OFTEN |= dict.fromkeys(("correctReport", "recordDeviation", "resignOffice", "getDeviation", "answerDeviation"), 0.0)
OFTEN |= dict.fromkeys(("callOfficial", "withdrawCall", "answerCall"), 0.0)
# nothing that is drawn is a link or a kept seat, and the match that is drawn has not ended
OFTEN |= dict.fromkeys(("addDevice", "openRematch", "takeSeat"), 0.0)
# a text that is drawn is hardly ever a question
OFTEN["checkQuestionFile"] = 0.0
# the log of roots has one leaf, a key
OFTEN |= dict.fromkeys(("getRootsInclusion", "getRootsConsistency"), 0.0)

OFTEN["setDeviceKey"] = OFTEN["setSeed"] = (
    0.0  # in the lobby that is drawn nobody sits yet, and no seed that is drawn is one committed to
)
# calls that ask for tokens which no drawn request has: the operator's, a player's
OTHERS = {*PLACES["elsewhere"], "makePlayer"}

config = schemathesis.config.SchemathesisConfig.from_path(Path(__file__).parent / "schemathesis.toml")
shelf, app = on_the_shelf()
open_contract = load_contract(app)
strict_contract = {**open_contract, "components": close_answers(open_contract["components"])}
app.config["CONTRACT"] = lambda: strict_contract  # so an answer with a member that is not named fails
schema = schemathesis.openapi.from_wsgi("/openapi.json", app, config=config)
SLOW = {"POST /v1/games/{game}/rulings"}  # each answer is worked out on a whole table


@schema.auth(refresh_interval=None)  # else the first call's token is kept for the others
class Bearer:
    """The token that the call asks for: the host's, the auditor's, else that of the seats."""

    def get(self, case: Any, ctx: Any) -> str:
        name = case.operation.definition.raw.get("operationId")
        return TOKENS["host" if name in HOSTS else "players"]

    def set(self, case: Any, data: str, ctx: Any) -> None:
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}


@schema.hook
def map_headers(ctx: Any, headers: Any) -> Any:
    """Nobody waits."""
    return {**headers, "Prefer": "wait=0"} if headers and "Prefer" in headers else headers


@pytest.fixture(autouse=True)
def _rulings_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "rule_on_position", rule_once)


def least(expected: float) -> float:
    """How many are granted at the least where so many are expected: one, or as few as bad luck can bring."""
    return max(1.0, expected - 2 * sqrt(expected)) if expected else 0.0


@schemathesis.serializer("application/x-ndjson")
def as_it_is(_ctx: Any, value: Any) -> bytes:
    """A body that is text: the library knows no such type of its own."""
    return str(value).encode("utf-8", "replace")


CALLS: list[tuple[Any, str]] = []  # each with a viewer, if it takes one
for found in schema.get_all_operations():
    parameter = next((each for each in found.ok().query if each.name == "viewer"), None)
    viewers = [""] if parameter is None else ["seat:0", "full", *([] if parameter.is_required else ["public"])]
    CALLS += [(found.ok(), viewer) for viewer in viewers]


def answered(case: Any, viewer: str) -> None:
    """One drawn request, for this viewer if it takes one and is not broken."""
    shelf.renew()
    if viewer and case.meta.generation.mode.is_positive:
        case.query = {**(case.query or {}), "viewer": viewer}
    named = str((case.headers or {}).get("If-Match", '"v1"'))
    if case.meta.generation.mode.is_positive and not WELL_FORMED.fullmatch(named):
        case.headers["If-Match"] = '"v1"'  # the generator's own idea of an ETag, whatever the contract says
    case.call_and_validate()


@pytest.mark.contract
@pytest.mark.parametrize(("call", "viewer"), CALLS, ids=[f"{call.label} {viewer}".strip() for call, viewer in CALLS])
def test_requests_drawn_from_the_contract(call: Any, viewer: str, request: pytest.FixtureRequest) -> None:
    """The generator would draw for all calls while tests are collected, in every worker process alike, which took half
    of all collecting. So each call is handed to its plugin when its turn has come, in the way pytest would do it."""

    @settings(
        max_examples=EXAMPLES // 2 if call.label in SLOW else EXAMPLES,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @seed(20261120)
    def drawn(case: Any) -> None:
        answered(case, viewer)

    one = schema.exclude(lambda ctx: ctx.operation.label != call.label).parametrize()(drawn)
    node = request.node
    collector = node.ihook.pytest_pycollect_makeitem(collector=node.parent, name=node.originalname, obj=one)
    (item,) = collector.collect()
    assert item.name == f"{node.originalname}[{call.label}]"
    item.funcargs = {}
    item.ihook.pytest_pyfunc_call(pyfuncitem=item)


@pytest.mark.contract
def test_enough_of_what_was_drawn_was_granted() -> None:
    """Requests that all end at the door would test the door alone. Runs after those above, in the same process."""
    names = {name for name, _ in shelf.answers if name}
    if not names:
        pytest.skip("no requests were drawn in this process")
    told, few = {}, {}
    for name in names:
        of_it = {status: count for (op, status), count in shelf.answers.items() if op == name}
        granted = sum(count for status, count in of_it.items() if 200 <= status < 305)
        entered = sum(count for status, count in of_it.items() if status != 401)  # each call is tried without a token
        told[name] = (round(granted / max(1, entered), 2), dict(sorted(of_it.items())))
        if granted < least(OFTEN.get(name, LEAST) * entered) and name not in OTHERS:
            few[name] = told[name]
    print(*(f"{n}: {t}" for n, t in sorted(told.items())), sep="\n")
    assert not few
    assert shelf.answers["makeMove", 201] >= 3, "moves were tried and hardly one was made"
    assert all(status < 500 for _, status in shelf.answers)
