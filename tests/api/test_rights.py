"""Every route × whoever has no business there: no token, another match's, another seat's, an onlooker's, a dead one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from tests.api import house
from tests.api.house import Person, Table, problem

pytestmark = pytest.mark.deep

M = "/v1/matches/{m}"
VIEWER = "#/components/parameters/ViewerQuery"
OPEN_TO_ALL = {  # calls that ask for no token, and are not about one match
    "listGames", "getGame", "getRulebook", "listClauses", "getClause", "listCards", "getCard", "getCoverage",
    "listBots", "getPositions", "countPosition", "listPositionMoves", "judgePosition",
    "openMatch", "listMatches", "joinMatch", "openTournament", "getIndex", "getHealth",
    "getReadiness", "getContract", "getContractAsJson", "getProblem", "makePlayer",
    "getStandings", "getCardStatistics", "getGameFairness", "getStandingsPlot", "getGameFairnessPlot",
    "getDocs", "getDocsFile", "getVerifier", "getVerifierPage", "getMetrics", "listBooks", "getBook",
    "getCardForm", "checkCardTable", "checkQuestionFile",
    "getRootsCheckpoint", "listRoots", "getRootsInclusion", "getRootsConsistency", "getKeys",
    "addDevice", "getScene", "getPageFile", "getPushKey",
}  # fmt: skip
OF_PLAYERS = {  # test_players.py, test_devices.py and test_decks.py ask them of everybody
    *("getPlayer", "changePlayer", "deletePlayer", "listPlayerMatches"),
    *("listDecks", "getDeck", "setDeck", "deleteDeck"),
    *("listOpenMatches", "streamPlayer", "makePlayerStreamTicket"),
    *(
        "makePushSubscription",
        "listPushSubscriptions",
        "deletePushSubscription",
        "makePlayerWebhook",
        "listPlayerWebhooks",
    ),
    *("makeDeviceLink", "listDevices", "deleteDevice"),
}
CALLS: dict[str, tuple[str, str, Any]] = {  # operation, and its viewer if that is not the public: method, address, body
    "getMatch": ("GET", M, None),
    "changeMatch": ("PATCH", M, {"visibility": "public"}),
    "withdrawMatch": ("DELETE", M, None),
    "startMatch": ("POST", f"{M}/start", None),
    "endMatch": ("POST", f"{M}/end", {"reason": "abandoned"}),
    "answerEnding": ("POST", f"{M}/endings/1/consents", {"grant": True}),
    "answerOfficial": ("POST", f"{M}/officials/1/consents", {"grant": True}),
    "resignOffice": ("DELETE", f"{M}/officials/1", None),
    "callOfficial": ("POST", f"{M}/seats/0/calls", {"reason": "rules"}),
    "withdrawCall": ("DELETE", f"{M}/seats/0/calls/1", None),
    "answerCall": ("POST", f"{M}/calls/1/answer", None),
    "makeInvitation": ("POST", f"{M}/invitations", {"role": "spectator"}),
    "withdrawInvitation": ("DELETE", f"{M}/invitations/abc", None),
    "getInvitationQr": ("GET", f"{M}/invitations/abc/qr.svg", None),
    "leaveSeat": ("DELETE", f"{M}/seats/0/player", None),
    "setSeed": ("PUT", f"{M}/seats/0/seed", {"commitment": "0" * 64}),
    "setDeviceKey": ("PUT", f"{M}/seats/0/key", {"key": "0" * 64}),
    "openRematch": ("POST", f"{M}/rematch", None),
    "takeSeat": ("PUT", f"{M}/seats/0/player", {}),
    "setProxy": ("PUT", f"{M}/seats/0/proxy", {"by": "host"}),
    "getStandingPasses": ("GET", f"{M}/seats/0/standing-passes", None),
    "setStandingPasses": ("PUT", f"{M}/seats/0/standing-passes", {"kinds": ["modifiers"], "until": "turn"}),
    "deleteStandingPasses": ("DELETE", f"{M}/seats/0/standing-passes", None),
    "seatBot": ("PUT", f"{M}/seats/0/bot", {"level": 0}),
    "removeBot": ("DELETE", f"{M}/seats/0/bot", None),
    "answerBot": ("POST", f"{M}/seats/0/bot/proposals/1/consents", {"grant": True}),
    "getNames": ("GET", f"{M}/names", None),
    "listMoves": ("GET", f"{M}/seats/0/moves", None),
    "makeMove": ("POST", f"{M}/seats/0/moves", {"move": {"type": "mc.pass"}}),
    "checkMove": ("POST", f"{M}/seats/0/moves/check", {"move": {"type": "mc.pass"}}),
    "getView": ("GET", f"{M}/view", None),
    "getBoard": ("GET", f"{M}/board", None),
    "getBoard seat": ("GET", f"{M}/board?viewer=seat:0", None),
    "getBoard full": ("GET", f"{M}/board?viewer=full", None),
    "listEntries": ("GET", f"{M}/entries", None),
    "getEntry": ("GET", f"{M}/entries/1", None),
    "getEntryExplanation": ("GET", f"{M}/entries/1/explanation", None),
    "getEntryExplanation seat": ("GET", f"{M}/entries/1/explanation?viewer=seat:0", None),
    "getEntryExplanation full": ("GET", f"{M}/entries/1/explanation?viewer=full", None),
    "getExplanation": ("GET", f"{M}/explanation", None),
    "getExplanation seat": ("GET", f"{M}/explanation?viewer=seat:0", None),
    "getExplanation full": ("GET", f"{M}/explanation?viewer=full", None),
    "getView seat": ("GET", f"{M}/view?viewer=seat:0", None),
    "getSituation": ("GET", f"{M}/seats/0/situation", None),
    "listOpenings seat": ("GET", f"{M}/openings?viewer=seat:0", None),
    "listOpenings full": ("GET", f"{M}/openings?viewer=full", None),
    "listEntries seat": ("GET", f"{M}/entries?viewer=seat:0", None),
    "getEntry seat": ("GET", f"{M}/entries/1?viewer=seat:0", None),
    "getView full": ("GET", f"{M}/view?viewer=full", None),
    "getBundle": ("GET", f"{M}/bundle", None),
    "getBundle seat": ("GET", f"{M}/bundle?viewer=seat:0", None),
    "getBundle full": ("GET", f"{M}/bundle?viewer=full", None),
    "listEntries full": ("GET", f"{M}/entries?viewer=full", None),
    "getEntry full": ("GET", f"{M}/entries/1?viewer=full", None),
    "listWindows": ("GET", f"{M}/windows", None),
    "getWindow": ("GET", f"{M}/windows/3.1", None),
    "listWindows seat": ("GET", f"{M}/windows?viewer=seat:0", None),
    "getWindow seat": ("GET", f"{M}/windows/3.1?viewer=seat:0", None),
    "listWindows full": ("GET", f"{M}/windows?viewer=full", None),
    "getWindow full": ("GET", f"{M}/windows/3.1?viewer=full", None),
    "getMatchBook": ("GET", f"{M}/book", None),
    "getMatchFairness": ("GET", f"{M}/fairness", None),
    "getMatchFairnessPlot": ("GET", f"{M}/fairness.svg", None),
    "takeHint": ("POST", f"{M}/seats/0/hints", None),
    "answerCorrection": ("POST", f"{M}/corrections/1/consents", {"grant": True}),
    "declareNoReaction": ("POST", f"{M}/windows/3.1/no-reaction", None),
    "objectInWindow": ("POST", f"{M}/windows/3.1/objections", {}),
    "askTakeback": ("POST", f"{M}/takebacks", {"to": 1}),
    "listTakebacks": ("GET", f"{M}/takebacks", None),
    "getTakeback": ("GET", f"{M}/takebacks/1", None),
    "answerTakeback": ("POST", f"{M}/takebacks/1/consents", {"grant": True}),
    "streamEntries": ("GET", f"{M}/stream", None),
    "streamEntries seat": ("GET", f"{M}/stream?viewer=seat:0", None),
    "streamEntries full": ("GET", f"{M}/stream?viewer=full", None),
    "makeStreamTicket": ("POST", f"{M}/stream-tickets", None),
    "makeStreamTicket seat": ("POST", f"{M}/stream-tickets?viewer=seat:0", None),
    "makeStreamTicket full": ("POST", f"{M}/stream-tickets?viewer=full", None),
    "listDisputes": ("GET", f"{M}/disputes", None),
    "getDispute": ("GET", f"{M}/disputes/1", None),
    "getRemedy": ("GET", f"{M}/disputes/1/remedies/leave", None),
    "listDisputes seat": ("GET", f"{M}/disputes?viewer=seat:0", None),
    "getDispute seat": ("GET", f"{M}/disputes/1?viewer=seat:0", None),
    "getRemedy seat": ("GET", f"{M}/disputes/1/remedies/leave?viewer=seat:0", None),
    "listDisputes full": ("GET", f"{M}/disputes?viewer=full", None),
    "getDispute full": ("GET", f"{M}/disputes/1?viewer=full", None),
    "getRemedy full": ("GET", f"{M}/disputes/1/remedies/leave?viewer=full", None),
    "getTimeline": ("GET", f"{M}/timeline", None),
    "getCensus": ("GET", f"{M}/census", None),
    "getCensus seat": ("GET", f"{M}/census?viewer=seat:0", None),
    "getCensus full": ("GET", f"{M}/census?viewer=full", None),
    "listPrecedents": ("GET", f"{M}/precedents", None),
    "getCheckpoint": ("GET", f"{M}/checkpoint", None),
    "getReceipt": ("GET", f"{M}/receipts/1", None),
    "getInclusion": ("GET", f"{M}/proofs/inclusion?version=1", None),
    "getConsistency": ("GET", f"{M}/proofs/consistency?from=1", None),
    "openDispute": ("POST", f"{M}/disputes", {"about": 1, "claim": "illegal_move"}),
    "withdrawDispute": ("POST", f"{M}/disputes/1/withdrawal", None),
    "giveAttestation": ("POST", f"{M}/disputes/1/attestations", {"holds": True}),
    "castVote": ("POST", f"{M}/disputes/1/votes", {"remedy": "leave"}),
    "issueRuling": (
        "POST",
        f"{M}/disputes/1/rulings",
        {"upheld": True, "remedy": "leave", "clauses": ["TABLE-RULING-4"], "reason": "It is so."},
    ),
    "correctReport": ("POST", f"{M}/entries/1/corrections", {"move": {"type": "chance.turned_up", "card": "sword"}}),
    "witnessReport": ("POST", f"{M}/entries/1/attestations", {"holds": True}),
    "listReportAttestations": ("GET", f"{M}/entries/1/attestations", None),
    "listDeviations": ("GET", f"{M}/deviations", None),
    "getDeviation": ("GET", f"{M}/deviations/1", None),
    "recordDeviation": (
        "POST",
        f"{M}/deviations",
        {"seat": 0, "move": {"type": "mc.play", "card": "shield"}, "clauses": ["MC-SHIELD-2"], "reason": "So it was."},
    ),
    "answerDeviation": ("POST", f"{M}/deviations/1/consents", {"grant": True}),
    "fileAppeal": ("POST", f"{M}/disputes/1/appeals", {"grounds": "It is not so.", "clause": "TABLE-RULING-4"}),
}
OF_WEBHOOKS = {  # tests/api/test_webhooks.py asks them of everybody
    "makeWebhook", "listWebhooks", "getWebhook", "changeWebhook", "deleteWebhook", "testWebhook", "listDeliveries",
    "redeliverMessage",
}  # fmt: skip
OF_BEARERS = {"judgeBundle", "getJudgedBundle"}  # test_handed_in.py asks them of everybody
OF_TOURNAMENTS = {  # test_tournaments.py and the other test_tournament_….py ask them of everybody
    *("getTournament", "listTournamentEntries", "streamTournament", "makeTournamentStreamTicket", "getTournamentFile"),
    *("makeTournamentInvitation", "eraseTournamentName", "depositDeck", "commandTournament", "getTournamentQueue"),
    *("listPenaltyProposals", "getTournamentInvitation", "withdrawTournamentInvitation"),
    "listTournamentInvitations",
    # test_tournament_proofs.py asks them of everybody
    *("getTournamentCheckpoint", "getTournamentReceipt", "getTournamentInclusion", "getTournamentConsistency"),
}
OF_OPERATORS = {"publishBook"}  # test_card_books.py asks it of everybody
SEEN_BY_ALL = {
    *("getMatch", "getNames", "getView", "getBoard", "listEntries", "getEntry", "getEntryExplanation", "streamEntries"),
    *("listWindows", "getWindow", "getMatchFairness", "getMatchFairnessPlot", "getExplanation", "getCensus"),
    "getMatchBook",
    *("listDisputes", "getDispute", "getRemedy", "getTimeline", "listPrecedents"),
    *("listReportAttestations", "listDeviations", "getDeviation"),
    *("listTakebacks", "getTakeback"),
    *("getCheckpoint", "getReceipt", "getInclusion", "getConsistency"),
    *("getBundle", "makeStreamTicket"),
}
HOSTS = {
    "changeMatch": "host-only", "withdrawMatch": "host-only", "startMatch": "host-only",
    "makeInvitation": "host-only", "withdrawInvitation": "host-only", "getInvitationQr": "host-only",
    "issueRuling": "host-or-arbiter-only",
    "recordDeviation": "host-or-arbiter-only",
    "resignOffice": "host-or-arbiter-only",
    "answerCall": "host-or-arbiter-only",
}  # fmt: skip
OF_SEATS = (
    *("leaveSeat", "setProxy", "listMoves", "makeMove", "checkMove", "getView seat", "getBoard seat"),
    *("listEntries seat", "getEntry seat"),
    *("getSituation", "setSeed", "setDeviceKey", "listOpenings seat"),
    *("streamEntries seat", "getEntryExplanation seat", "getExplanation seat", "listWindows seat", "getWindow seat"),
    *("getStandingPasses", "setStandingPasses", "deleteStandingPasses"),
    *("listDisputes seat", "getDispute seat", "getRemedy seat", "getCensus seat"),
    *("takeSeat", "getBundle seat", "makeStreamTicket seat", "takeHint", "callOfficial", "withdrawCall"),
)
ASKING = {  # any seat may
    **{"seatBot": "host-only", "removeBot": "host-only", "answerBot": "players-only"},
    **{"openDispute": "forbidden", "withdrawDispute": "forbidden", "endMatch": "forbidden"},
    "openRematch": "players-only",
    **{"answerEnding": "players-only", "answerOfficial": "players-only"},
    **dict.fromkeys(
        ("giveAttestation", "castVote", "fileAppeal", "correctReport", "witnessReport", "answerDeviation"),
        "players-only",
    ),
    **dict.fromkeys(
        ("askTakeback", "answerTakeback", "declareNoReaction", "objectInWindow", "answerCorrection"), "players-only"
    ),
}
SEATS = dict.fromkeys(OF_SEATS, "not-your-seat")
OF_ALL = (
    *("getView full", "getBoard full", "listEntries full", "getEntry full", "getEntryExplanation full"),
    "streamEntries full",
    *("listWindows full", "getWindow full", "getExplanation full", "listOpenings full"),
    *("listDisputes full", "getDispute full", "getRemedy full", "getCensus full"),
    *("getBundle full", "makeStreamTicket full"),
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
    asked = {name.partition(" ")[0] for name in CALLS}
    assert known == asked | OPEN_TO_ALL | OF_WEBHOOKS | OF_PLAYERS | OF_OPERATORS | OF_BEARERS | OF_TOURNAMENTS
    assert {*SEEN_BY_ALL, *HOSTS, *SEATS, *FULLS, *ASKING} == set(CALLS)
    by_viewer = set(name_calls_by_viewer(app))
    assert {name.partition(" ")[0] for name in CALLS if " " in name} == by_viewer
    for name in by_viewer:
        assert {f"{name} seat", f"{name} full"} <= set(CALLS)
        assert (name in CALLS) == (name != "listOpenings")  # of which the public has none


def name_calls_by_viewer(app: Flask) -> Iterator[str]:
    """The calls that take a viewer, as the contract has them."""
    for item in app.config["CONTRACT"]()["paths"].values():
        for operation in item.values():
            if not isinstance(operation, dict):
                continue
            parameters = (*item.get("parameters", ()), *operation.get("parameters", ()))
            if {"viewer", VIEWER} & {part for each in parameters for part in (each.get("name"), each.get("$ref"))}:
                yield operation["operationId"]


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
        problem(person.get(f"{table.path}/view?viewer=seat:2"), 404, "unknown-seat")
        problem(person.post(f"{table.path}/seats/9/moves", {"move": {"type": "mc.pass"}}), 404, "unknown-seat")
        problem(person.delete(f"{table.path}/seats/9/player"), 404, "unknown-seat")


def test_only_seats_and_auditors_see_all_after_the_end(app: Flask) -> None:
    table = house.opened(app, visibility="public")
    auditor: Any = table.host.post(f"{table.path}/invitations", {"role": "auditor"}).json
    joined: Any = table.anyone.post("/v1/join", {"code": auditor["code"]}).json
    audits = Person(table.anyone.client, joined["token"])
    problem(audits.get(f"{table.path}/view?viewer=full"), 409, "still-running")
    table.end("abandoned")
    for person in (audits, *table.seats):
        for path in ("view", "entries", "entries/3"):
            assert person.get(f"{table.path}/{path}?viewer=full").status_code == 200
    for person in (table.host, spectator(table)):
        problem(person.get(f"{table.path}/view?viewer=full"), 403, "full-view-only")
    problem(audits.get(f"{table.path}/view?viewer=seat:0"), 403, "not-your-seat")


def test_the_operator_alone_opens_matches_where_creation_is_closed() -> None:
    token = "rfs_" + "o" * 43
    closed = house.app(OPEN_CREATION=False, IS_OPERATOR=lambda given: given == token)
    body = {"game": "monster_combat", "seats": [{"kind": "bot"}] * 2}
    problem(Person(closed.test_client()).post("/v1/matches", body), 403, "creation-closed")
    problem(Person(closed.test_client(), "rfs_" + "x" * 43).post("/v1/matches", body), 403, "creation-closed")
    assert Person(closed.test_client(), token).post("/v1/matches", body).status_code == 201
