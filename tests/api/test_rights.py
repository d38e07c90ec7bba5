"""Every route × whoever has no business there: no token, another match's, another seat's, an onlooker's, a dead one."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from tests.api import house
from tests.api.house import Person, Table, problem

pytestmark = pytest.mark.deep

M = "/v1/matches/{m}"
OPEN_TO_ALL = {  # calls that ask for no token, and are not about one match
    "listGames", "getGame", "getRulebook", "listClauses", "getClause", "listCards", "getCard", "getCoverage",
    "listBots", "getPositions", "countPosition", "judgePosition", "openMatch", "listMatches", "joinMatch", "getIndex",
    "getHealth", "getReadiness", "getContract", "getContractAsJson", "getProblem", "makePlayer", "getStandings",
    "getCardStatistics", "getGameFairness",
    "getDocs", "getDocsFile", "getVerifier", "getMetrics", "listBooks", "getBook",
    "getRootsCheckpoint", "listRoots", "getPublishedRoot", "getRootsConsistency", "getKeys",
    "addDevice", "getJoinPage", "getPushKey",
}  # fmt: skip
OF_PLAYERS = {  # test_players.py, test_devices.py and test_decks.py ask them of everybody
    *("getPlayer", "changePlayer", "deletePlayer", "listPlayerMatches"),
    *("listDecks", "getDeck", "putDeck", "deleteDeck"),
    *("listOpenMatches", "streamPlayer", "makePlayerStreamTicket"),
    *("subscribeDevice", "listSubscriptions", "unsubscribeDevice", "makePlayerWebhook", "listPlayerWebhooks"),
    *("linkDevice", "listDevices", "removeDevice"),
}
CALLS: dict[str, tuple[str, str, Any]] = {  # operation: method, address, body
    "getMatch": ("GET", M, None),
    "changeMatch": ("PATCH", M, {"visibility": "public"}),
    "withdrawMatch": ("DELETE", M, None),
    "startMatch": ("POST", f"{M}/start", None),
    "endMatch": ("POST", f"{M}/end", {"reason": "abandoned"}),
    "answerEnd": ("POST", f"{M}/endings/1/consents", {"grant": True}),
    "acceptOfficial": ("POST", f"{M}/officials/1/acceptances", {"grant": True}),
    "resignOffice": ("DELETE", f"{M}/officials/1", None),
    "invite": ("POST", f"{M}/invitations", {"role": "spectator"}),
    "withdrawInvitation": ("DELETE", f"{M}/invitations/abc", None),
    "getInvitationCode": ("GET", f"{M}/invitations/abc/qr.svg", None),
    "leaveSeat": ("DELETE", f"{M}/seats/0/player", None),
    "setSeed": ("PUT", f"{M}/seats/0/seed", {"commitment": "0" * 64}),
    "openRematch": ("POST", f"{M}/rematch", None),
    "sitDown": ("PUT", f"{M}/seats/0/player", {}),
    "setProxy": ("PUT", f"{M}/seats/0/proxy", {"by": "host"}),
    "getStandingPasses": ("GET", f"{M}/seats/0/standing-passes", None),
    "setStandingPasses": ("PUT", f"{M}/seats/0/standing-passes", {"kinds": ["modifiers"], "until": "turn"}),
    "dropStandingPasses": ("DELETE", f"{M}/seats/0/standing-passes", None),
    "seatBot": ("PUT", f"{M}/seats/0/bot", {"level": 0}),
    "removeBot": ("DELETE", f"{M}/seats/0/bot", None),
    "answerBot": ("POST", f"{M}/seats/0/bot/proposals/1/consents", {"grant": True}),
    "getNames": ("GET", f"{M}/names", None),
    "listMoves": ("GET", f"{M}/seats/0/moves", None),
    "makeMove": ("POST", f"{M}/seats/0/moves", {"move": {"type": "mc.pass"}}),
    "checkMove": ("POST", f"{M}/seats/0/moves/check", {"move": {"type": "mc.pass"}}),
    "getView": ("GET", f"{M}/view", None),
    "getBoard": ("GET", f"{M}/board", None),
    "getSeatBoard": ("GET", f"{M}/seats/0/board", None),
    "getFullBoard": ("GET", f"{M}/full/board", None),
    "listEntries": ("GET", f"{M}/entries", None),
    "getEntry": ("GET", f"{M}/entries/1", None),
    "explainEntry": ("GET", f"{M}/entries/1/explain", None),
    "explainSeatEntry": ("GET", f"{M}/seats/0/entries/1/explain", None),
    "explainFullEntry": ("GET", f"{M}/full/entries/1/explain", None),
    "explainMoment": ("GET", f"{M}/explain", None),
    "explainSeatMoment": ("GET", f"{M}/seats/0/explain", None),
    "explainFullMoment": ("GET", f"{M}/full/explain", None),
    "getSeatView": ("GET", f"{M}/seats/0/view", None),
    "getSituation": ("GET", f"{M}/seats/0/situation", None),
    "listSeatOpenings": ("GET", f"{M}/seats/0/openings", None),
    "listFullOpenings": ("GET", f"{M}/full/openings", None),
    "listSeatEntries": ("GET", f"{M}/seats/0/entries", None),
    "getSeatEntry": ("GET", f"{M}/seats/0/entries/1", None),
    "getFullView": ("GET", f"{M}/full/view", None),
    "getBundle": ("GET", f"{M}/bundle", None),
    "getSeatBundle": ("GET", f"{M}/seats/0/bundle", None),
    "getFullBundle": ("GET", f"{M}/full/bundle", None),
    "listFullEntries": ("GET", f"{M}/full/entries", None),
    "getFullEntry": ("GET", f"{M}/full/entries/1", None),
    "listWindows": ("GET", f"{M}/windows", None),
    "getWindow": ("GET", f"{M}/windows/3.1", None),
    "listSeatWindows": ("GET", f"{M}/seats/0/windows", None),
    "getSeatWindow": ("GET", f"{M}/seats/0/windows/3.1", None),
    "listFullWindows": ("GET", f"{M}/full/windows", None),
    "getFullWindow": ("GET", f"{M}/full/windows/3.1", None),
    "getMatchBook": ("GET", f"{M}/book", None),
    "getMatchFairness": ("GET", f"{M}/fairness", None),
    "answerCorrection": ("POST", f"{M}/corrections/1/consents", {"grant": True}),
    "declareNoReaction": ("POST", f"{M}/windows/3.1/no-reaction", None),
    "objectInWindow": ("POST", f"{M}/windows/3.1/objections", {}),
    "askTakeback": ("POST", f"{M}/takebacks", {"to": 1}),
    "listTakebacks": ("GET", f"{M}/takebacks", None),
    "getTakeback": ("GET", f"{M}/takebacks/1", None),
    "answerTakeback": ("POST", f"{M}/takebacks/1/consents", {"grant": True}),
    "streamEntries": ("GET", f"{M}/stream", None),
    "streamSeatEntries": ("GET", f"{M}/seats/0/stream", None),
    "streamFullEntries": ("GET", f"{M}/full/stream", None),
    "makeStreamTicket": ("POST", f"{M}/stream-tickets", None),
    "makeSeatStreamTicket": ("POST", f"{M}/seats/0/stream-tickets", None),
    "makeFullStreamTicket": ("POST", f"{M}/full/stream-tickets", None),
    "listDisputes": ("GET", f"{M}/disputes", None),
    "getDispute": ("GET", f"{M}/disputes/1", None),
    "getRemedy": ("GET", f"{M}/disputes/1/remedies/leave", None),
    "listSeatDisputes": ("GET", f"{M}/seats/0/disputes", None),
    "getSeatDispute": ("GET", f"{M}/seats/0/disputes/1", None),
    "getSeatRemedy": ("GET", f"{M}/seats/0/disputes/1/remedies/leave", None),
    "listFullDisputes": ("GET", f"{M}/full/disputes", None),
    "getFullDispute": ("GET", f"{M}/full/disputes/1", None),
    "getFullRemedy": ("GET", f"{M}/full/disputes/1/remedies/leave", None),
    "getTimeline": ("GET", f"{M}/timeline", None),
    "getCensus": ("GET", f"{M}/census", None),
    "getSeatCensus": ("GET", f"{M}/seats/0/census", None),
    "getFullCensus": ("GET", f"{M}/full/census", None),
    "listPrecedents": ("GET", f"{M}/precedents", None),
    "getCheckpoint": ("GET", f"{M}/checkpoint", None),
    "getReceipt": ("GET", f"{M}/receipts/1", None),
    "getInclusion": ("GET", f"{M}/proofs/inclusion?version=1", None),
    "getConsistency": ("GET", f"{M}/proofs/consistency?from=1", None),
    "openDispute": ("POST", f"{M}/disputes", {"about": 1, "claim": "illegal_move"}),
    "withdrawDispute": ("POST", f"{M}/disputes/1/withdrawal", None),
    "attest": ("POST", f"{M}/disputes/1/attestations", {"holds": True}),
    "vote": ("POST", f"{M}/disputes/1/votes", {"remedy": "leave"}),
    "rule": (
        "POST",
        f"{M}/disputes/1/rulings",
        {"upheld": True, "remedy": "leave", "clauses": ["TABLE-RULING-4"], "reason": "It is so."},
    ),
    "correctReport": ("POST", f"{M}/entries/1/corrections", {"move": {"type": "chance.turned_up", "card": "sword"}}),
    "witnessReport": ("POST", f"{M}/entries/1/attestations", {"holds": True}),
    "listWitnesses": ("GET", f"{M}/entries/1/attestations", None),
    "listDeviations": ("GET", f"{M}/deviations", None),
    "getDeviation": ("GET", f"{M}/deviations/1", None),
    "deviate": (
        "POST",
        f"{M}/deviations",
        {"seat": 0, "move": {"type": "mc.play", "card": "shield"}, "clauses": ["MC-SHIELD-2"], "reason": "So it was."},
    ),
    "answerDeviation": ("POST", f"{M}/deviations/1/consents", {"grant": True}),
    "appeal": ("POST", f"{M}/disputes/1/appeals", {"grounds": "It is not so.", "clause": "TABLE-RULING-4"}),
}
OF_WEBHOOKS = {  # tests/api/test_webhooks.py asks them of everybody
    "makeWebhook", "listWebhooks", "getWebhook", "changeWebhook", "deleteWebhook", "testWebhook", "listDeliveries",
    "redeliver",
}  # fmt: skip
OF_BEARERS = {"judgeBundle", "getJudgedBundle"}  # test_handed_in.py asks them of everybody
OF_OPERATORS = {"publishBook"}  # test_card_books.py asks it of everybody
SEEN_BY_ALL = {
    *("getMatch", "getNames", "getView", "getBoard", "listEntries", "getEntry", "explainEntry", "streamEntries"),
    *("listWindows", "getWindow", "getMatchFairness", "explainMoment", "getCensus"),
    "getMatchBook",
    *("listDisputes", "getDispute", "getRemedy", "getTimeline", "listPrecedents"),
    *("listWitnesses", "listDeviations", "getDeviation"),
    *("listTakebacks", "getTakeback"),
    *("getCheckpoint", "getReceipt", "getInclusion", "getConsistency"),
    *("getBundle", "makeStreamTicket"),
}
HOSTS = {
    "changeMatch": "host-only", "withdrawMatch": "host-only", "startMatch": "host-only",
    "invite": "host-only", "withdrawInvitation": "host-only", "getInvitationCode": "host-only",
    "rule": "host-or-arbiter-only",
    "deviate": "host-or-arbiter-only",
    "resignOffice": "host-or-arbiter-only",
}  # fmt: skip
OF_SEATS = (
    *("leaveSeat", "setProxy", "listMoves", "makeMove", "checkMove", "getSeatView", "getSeatBoard"),
    *("listSeatEntries", "getSeatEntry"),
    *("getSituation", "setSeed", "listSeatOpenings"),
    *("streamSeatEntries", "explainSeatEntry", "explainSeatMoment", "listSeatWindows", "getSeatWindow"),
    *("getStandingPasses", "setStandingPasses", "dropStandingPasses"),
    *("listSeatDisputes", "getSeatDispute", "getSeatRemedy", "getSeatCensus"),
    *("sitDown", "getSeatBundle", "makeSeatStreamTicket"),
)
ASKING = {  # any seat may
    **{"seatBot": "host-only", "removeBot": "host-only", "answerBot": "players-only"},
    **{"openDispute": "forbidden", "withdrawDispute": "forbidden", "endMatch": "forbidden"},
    "openRematch": "players-only",
    **{"answerEnd": "players-only", "acceptOfficial": "players-only"},
    **dict.fromkeys(("attest", "vote", "appeal", "correctReport", "witnessReport", "answerDeviation"), "players-only"),
    **dict.fromkeys(
        ("askTakeback", "answerTakeback", "declareNoReaction", "objectInWindow", "answerCorrection"), "players-only"
    ),
}
SEATS = dict.fromkeys(OF_SEATS, "not-your-seat")
OF_ALL = (
    *("getFullView", "getFullBoard", "listFullEntries", "getFullEntry", "explainFullEntry", "streamFullEntries"),
    *("listFullWindows", "getFullWindow", "explainFullMoment", "listFullOpenings"),
    *("listFullDisputes", "getFullDispute", "getFullRemedy", "getFullCensus"),
    *("getFullBundle", "makeFullStreamTicket"),
)
FULLS = dict.fromkeys(OF_ALL, "full-view-only")


def call(person: Person, match: str, operation: str) -> Any:
    method, path, body = CALLS[operation]
    answer = person.ask(method, path.format(m=match), body, If_Match='"v1"')
    if answer.mimetype == "text/event-stream":
        answer.close()  # it has no end of its own
    return answer


def let_in(answer: Any, operation: str) -> None:
    """Asserts that the call was answered; there is no window yet, no book, no dispute and no takeback, and only who
    is let in is told so."""
    missing = {
        "getWindow": "unknown-window", "getMatchBook": "unknown-book", "getDispute": "no-such-dispute",
        "getRemedy": "no-such-dispute", "getTakeback": "no-such-takeback", "getDeviation": "no-such-deviation",
    }  # fmt: skip
    if operation in missing:
        problem(answer, 404, missing[operation])
    else:
        assert answer.status_code in (200, 201), answer.text


def spectator(table: Table) -> Person:
    """Somebody who was invited to look on."""
    invitation: Any = table.host.post(f"{table.path}/invitations", {"role": "spectator"}).json
    joined: Any = table.anyone.post("/v1/join", {"code": invitation["code"]}).json
    assert joined["role"] == "spectator"
    return Person(table.anyone.client, joined["token"])


def test_every_call_is_in_the_table(app: Flask) -> None:
    known = {rule.endpoint.rpartition(".")[2] for rule in app.url_map.iter_rules()}
    assert known == set(CALLS) | OPEN_TO_ALL | OF_WEBHOOKS | OF_PLAYERS | OF_OPERATORS | OF_BEARERS
    assert {*SEEN_BY_ALL, *HOSTS, *SEATS, *FULLS, *ASKING} == set(CALLS)


@pytest.fixture(params=["public", "private"])
def visible(request: pytest.FixtureRequest, app: Flask) -> Table:
    return house.opened(app, visibility=request.param)


@pytest.mark.parametrize("operation", CALLS)
def test_without_a_token(visible: Table, operation: str) -> None:
    version, public = visible.version, visible.anyone.get(visible.path).status_code == 200
    answer = call(visible.anyone, visible.match, operation)
    if operation not in SEEN_BY_ALL:
        problem(answer, 401, "unauthorized")
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    elif public:
        let_in(answer, operation)
    else:
        problem(answer, 404, "unknown-match")
    assert visible.version == version


@pytest.mark.parametrize("operation", CALLS)
def test_with_a_token_of_another_match(app: Flask, visible: Table, operation: str) -> None:
    other = house.opened(app)
    version, public = visible.version, visible.anyone.get(visible.path).status_code == 200
    for stranger in (*other.seats, other.host, Person(other.anyone.client, "rfs_" + "A" * 43)):
        answer = call(stranger, visible.match, operation)
        if not public:
            problem(answer, 404, "unknown-match")
            unknown = problem(call(stranger, "07-" + "x" * 26, operation), 404, "unknown-match")
            same = {"instance", "request_id"}
            known = {key: value for key, value in answer.json.items() if key not in same}
            assert known == {key: value for key, value in unknown.items() if key not in same}
        elif operation in SEEN_BY_ALL:
            let_in(answer, operation)
        else:
            problem(answer, 401, "unauthorized")
    assert visible.version == version


@pytest.mark.parametrize("operation", CALLS)
def test_with_another_seat_and_as_an_onlooker(visible: Table, operation: str) -> None:
    onlooker, version = spectator(visible), visible.version
    for person in (visible.seats[1], onlooker):
        answer = call(person, visible.match, operation)
        if operation in SEEN_BY_ALL:
            let_in(answer, operation)
        elif operation in FULLS and person is not onlooker:
            problem(answer, 409, "still-running")
        elif operation in ASKING and person is not onlooker:
            assert answer.status_code in (204, 404, 409, 412)
            assert answer.status_code != 404 or answer.json["type"].startswith("/problems/no-such-")
        else:
            problem(answer, 403, {**HOSTS, **SEATS, **FULLS, **ASKING}[operation])
    if operation in {*SEATS, *FULLS} - {"leaveSeat"}:
        problem(call(visible.host, visible.match, operation), 403, {**SEATS, **FULLS}[operation])
    assert visible.version == version


@pytest.mark.parametrize("operation", CALLS)
def test_with_a_token_that_was_taken_back(visible: Table, operation: str) -> None:
    gone = visible.seats[0]
    assert gone.delete(f"{visible.path}/seats/0/player").status_code == 204
    version, public = visible.version, visible.anyone.get(visible.path).status_code == 200
    answer = call(gone, visible.match, operation)
    if not public:
        problem(answer, 404, "unknown-match")
    elif operation in SEEN_BY_ALL:
        let_in(answer, operation)
    else:
        problem(answer, 401, "unauthorized")
    assert visible.version == version


@pytest.mark.parametrize("given", ["Bearer", "Bearer x", "Basic abc", "Bearer rfs_short", "rfs_" + "A" * 43, ""])
def test_what_is_no_token_is_401_everywhere(table: Table, given: str) -> None:
    for operation in CALLS:
        method, path, body = CALLS[operation]
        answer = table.anyone.client.open(
            path.format(m=table.match), method=method, json=body, headers={"Authorization": given}
        )
        problem(answer, 401, "unauthorized")


def test_the_token_is_looked_at_before_the_body(table: Table) -> None:
    path = f"{table.path}/seats/0/moves"
    for body, kind in ((b"{", "application/json"), (b"x", "text/plain"), (b'{"move": 1}', "application/json")):
        problem(table.anyone.client.post(path, data=body, content_type=kind), 401, "unauthorized")
    other = table.seats[1].token
    for body, kind, status, slug in (
        (b"x", "text/plain", 415, "unsupported-media-type"),
        (b"{", "application/json", 400, "not-json"),
        (b'{"move": 1}', "application/json", 403, "not-your-seat"),
    ):
        answer = table.anyone.client.post(
            path, data=body, content_type=kind, headers={"Authorization": f"Bearer {other}"}
        )
        problem(answer, status, slug)


def test_an_unknown_seat_is_404(table: Table) -> None:
    for person in (table.seats[0], table.host):
        problem(person.get(f"{table.path}/seats/2/view"), 404, "unknown-seat")
        problem(person.post(f"{table.path}/seats/9/moves", {"move": {"type": "mc.pass"}}), 404, "unknown-seat")
        problem(person.delete(f"{table.path}/seats/9/player"), 404, "unknown-seat")


def test_only_seats_and_auditors_see_all_after_the_end(app: Flask) -> None:
    table = house.opened(app, visibility="public")
    auditor: Any = table.host.post(f"{table.path}/invitations", {"role": "auditor"}).json
    joined: Any = table.anyone.post("/v1/join", {"code": auditor["code"]}).json
    audits = Person(table.anyone.client, joined["token"])
    problem(audits.get(f"{table.path}/full/view"), 409, "still-running")
    table.end("abandoned")
    for person in (audits, *table.seats):
        for path in ("view", "entries", "entries/3"):
            assert person.get(f"{table.path}/full/{path}").status_code == 200
    for person in (table.host, spectator(table)):
        problem(person.get(f"{table.path}/full/view"), 403, "full-view-only")
    problem(audits.get(f"{table.path}/seats/0/view"), 403, "not-your-seat")


def test_the_operator_alone_opens_matches_where_creation_is_closed() -> None:
    token = "rfs_" + "o" * 43
    closed = house.app(OPEN_CREATION=False, IS_OPERATOR=lambda given: given == token)
    body = {"game": "monster_combat", "seats": [{"kind": "bot"}] * 2}
    problem(Person(closed.test_client()).post("/v1/matches", body), 403, "creation-closed")
    problem(Person(closed.test_client(), "rfs_" + "x" * 43).post("/v1/matches", body), 403, "creation-closed")
    assert Person(closed.test_client(), token).post("/v1/matches", body).status_code == 201
