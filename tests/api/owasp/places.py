"""Who belongs where: each call has its place here, and a test fails for a call that has none.

The calls come from the URL map, their addresses and bodies from the contract; only the places are written by hand, and
not taken from the code that they test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from flask import Flask

from api.pages import companion
from tests.api import house
from tests.api.house import Person, Table

PLACES: dict[str, tuple[str, ...]] = {
    # no token is looked at, and no match is asked about
    "open": (
        *("listGames", "getGame", "getRulebook", "listClauses", "getClause", "listCards", "getCard", "getCoverage"),
        *("listBots", "getPositions", "countPosition", "listPositionMoves", "judgePosition"),
        *("openMatch", "listMatches", "joinMatch", "openTournament"),
        *("getIndex", "getHealth", "getReadiness", "getContract", "getContractAsJson", "getProblem"),
        *("getDocs", "getDocsFile", "getStandings", "getCardStatistics", "getGameFairness", "makePlayer"),
        *("getStandingsPlot", "getGameFairnessPlot"),
        *("addDevice", "getScene", "getPageFile", "getPushKey"),
        *("listBooks", "getBook", "getVerifier", "getVerifierPage", "getCardForm", "checkCardTable"),
        "checkQuestionFile",
        *("getRootsCheckpoint", "listRoots", "getRootsConsistency", "getKeys"),
        "getRootsInclusion",  # names a match in its query: tests/api/test_roots.py asks it of everybody
    ),
    # whoever may see the match: anybody if it is public, else its own people
    "see": (
        *("getMatch", "getNames", "getView", "getBoard", "listEntries", "getEntry", "streamEntries"),
        "getEntryExplanation",
        *("listWindows", "getWindow", "getMatchFairness", "getExplanation", "getMatchBook", "getCensus"),
        "getMatchFairnessPlot",
        *("listDisputes", "getDispute", "getRemedy", "getTimeline", "listPrecedents"),
        *("listReportAttestations", "listDeviations", "getDeviation"),
        *("listTakebacks", "getTakeback"),
        *("getCheckpoint", "getReceipt", "getInclusion", "getConsistency"),
        *("getBundle", "makeStreamTicket"),
    ),
    # one seat's eyes, or its will
    "seat": (
        *("getView seat", "getBoard seat", "listEntries seat", "getEntry seat", "streamEntries seat", "listMoves"),
        *("makeMove", "setProxy", "checkMove", "setSeed", "setDeviceKey", "listOpenings seat"),
        *("getSituation", "getStandingPasses", "setStandingPasses", "deleteStandingPasses"),
        *("getEntryExplanation seat", "getExplanation seat", "listWindows seat", "getWindow seat"),
        *("listDisputes seat", "getDispute seat", "getRemedy seat", "getCensus seat"),
        *("getBundle seat", "makeStreamTicket seat"),
        *("takeSeat", "takeHint", "callOfficial", "withdrawCall"),
    ),
    "seat or host": ("leaveSeat",),
    "seat or host of the old match": ("openRematch",),
    "any seat or host": ("seatBot", "removeBot"),
    "any seat": (
        *("answerBot", "giveAttestation", "castVote", "fileAppeal", "askTakeback", "answerTakeback"),
        *("witnessReport", "answerDeviation", "correctReport", "answerEnding", "answerOfficial"),
        *("declareNoReaction", "objectInWindow", "answerCorrection"),
    ),
    "any seat, host or arbiter": ("openDispute", "withdrawDispute", "endMatch"),
    "host": (
        *("changeMatch", "withdrawMatch", "startMatch", "makeInvitation", "withdrawInvitation", "getInvitationQr"),
    ),
    "host or arbiter": ("issueRuling", "recordDeviation", "resignOffice", "answerCall"),
    # everything: seats and auditors, after the end
    "full": (
        *("getView full", "getBoard full", "listEntries full", "getEntry full", "streamEntries full"),
        *("getEntryExplanation full", "listWindows full", "getWindow full", "getExplanation full", "listOpenings full"),
        *("listDisputes full", "getDispute full", "getRemedy full", "getCensus full"),
        *("getBundle full", "makeStreamTicket full"),
    ),
    # what asks for other tokens than those of a match: ELSEWHERE names the tests that ask them of everybody
    "elsewhere": (
        *("makeWebhook", "listWebhooks", "getWebhook", "changeWebhook", "deleteWebhook", "testWebhook"),
        *("listDeliveries", "redeliverMessage"),
        *("getPlayer", "changePlayer", "deletePlayer", "listPlayerMatches"),
        *("listOpenMatches", "streamPlayer", "makePlayerStreamTicket"),
        *("makePushSubscription", "listPushSubscriptions", "deletePushSubscription", "makePlayerWebhook"),
        "listPlayerWebhooks",
        *("makeDeviceLink", "listDevices", "deleteDevice"),
        *("listDecks", "getDeck", "setDeck", "deleteDeck"),
        *("getMetrics", "publishBook"),
        *("judgeBundle", "getJudgedBundle"),
        *("getTournament", "listTournamentEntries", "streamTournament", "makeTournamentStreamTicket"),
        *("getTournamentFile", "makeTournamentInvitation", "getTournamentInvitation", "eraseTournamentName"),
        *("depositDeck", "listTournamentInvitations"),
        *("commandTournament", "getTournamentQueue", "listPenaltyProposals", "withdrawTournamentInvitation"),
        *("getTournamentCheckpoint", "getTournamentReceipt", "getTournamentInclusion", "getTournamentConsistency"),
    ),
}  # fmt: skip
FILES = (
    "webhooks",
    "players",
    "devices",
    "player_streams",
    "push",
    "decks",
    "metrics",
    "card_books",
    "handed_in",
    "tournaments",
)
ELSEWHERE = tuple(f"tests/api/test_{what}.py" for what in FILES)

MEMBERS = ("seat 0", "seat 1", "spectator", "arbiter", "auditor", "host")
STRANGERS = ("nobody", "garbage", "seat elsewhere", "host elsewhere", "revoked", "operator")
LET_IN: dict[str, tuple[str, ...]] = {  # the members whom a place lets in; strangers are let in nowhere but "open"
    "open": MEMBERS,
    "see": MEMBERS,
    "seat": ("seat 0",),
    "seat or host": ("seat 0", "host"),
    "seat or host of the old match": ("seat 0", "seat 1", "host"),
    "any seat or host": ("seat 0", "seat 1", "host"),
    "any seat": ("seat 0", "seat 1"),
    "any seat, host or arbiter": ("seat 0", "seat 1", "host", "arbiter"),
    "host": ("host",),
    "host or arbiter": ("host", "arbiter"),
    "full": ("seat 0", "seat 1", "auditor"),
}
SLUG = {  # what the others are told
    "seat": "not-your-seat",
    "seat or host": "not-your-seat",
    "any seat or host": "host-only",
    "seat or host of the old match": "players-only",
    "any seat": "players-only",
    "any seat, host or arbiter": "forbidden",
    "host": "host-only",
    "host or arbiter": "host-or-arbiter-only",
    "full": "full-view-only",
}
STANDS_FOR = {  # in addresses
    "ending": "1",
    "tournament": "07-T" + "a" * 26,
    "export": "results.csv",
    "entrant": "0",
    "official": "1",
    "call": "1",
    "seat": "0",
    "game": "monster_combat",
    "clause": "MC-SHIELD-1",
    "card": "shield",
    "slug": "not-found",
    "entry": "1",
    "version": "1",
    "invitation": "0123456789abcdef",
    "window": "1.0",
    "player": "pl-" + "a" * 26,
    "deck": "fast",
    "device": "0123456789abcdef",
    "webhook": "hook",
    "delivery": "delivery",
    "file": "LICENSE",
    "scene": "join",
    "digest": companion.compute_digest(),
    "asset": "main.js",
    "book": "my_cards",
    "dispute": "1",
    "deviation": "1",
    "remedy": "leave",
    "bundle": "bd-" + 26 * "b",
    "takeback": "1",
    "correction": "1",
    "proposal": "1",
}
ASKED_FOR = {  # parts of a query that a call needs
    "getInclusion": "?version=1", "getConsistency": "?from=1", "getTournamentInclusion": "?version=1",
    "getTournamentConsistency": "?from=1",
}  # fmt: skip
VIEWER = "#/components/parameters/ViewerQuery"
OPERATOR = "rfs_" + "o" * 43


@dataclass(frozen=True)
class Call:
    """One call of the contract, ready to be made."""

    name: str  # its operation, and its viewer if that is not the public
    method: str
    template: str
    body: Any  # the first example; None where it takes none
    token: bool  # whether the contract says that it needs one
    place: str

    def __str__(self) -> str:
        return self.name

    def path(self, match: str) -> str:
        """Its address, with something for every part of it."""
        path = re.sub(r"{(\w+)}", lambda part: {**STANDS_FOR, "match": match}[part[1]], self.template)
        viewer = {"seat": "?viewer=seat:0", "full": "?viewer=full"}.get(self.name.partition(" ")[2], "")
        return path + ASKED_FOR.get(self.name, "") + viewer

    def by(self, person: Person, match: str, body: Any = None, **headers: str) -> Any:
        """The call, made by somebody; a stream is closed as soon as it has begun."""
        headers.setdefault("If_Match", '"v1"')
        answer = person.ask(self.method, self.path(match), self.body if body is None else body, **headers)
        if answer.mimetype == "text/event-stream":
            answer.close()
        return answer

    def raw(self, person: Person, match: str, data: bytes) -> Any:
        """The call with these bytes as its body."""
        headers = {"Idempotency-Key": house.fresh(), "If-Match": '"v1"'}
        if person.token:
            headers["Authorization"] = f"Bearer {person.token}"
        return person.client.open(
            self.path(match), method=self.method, data=data, content_type="application/json", headers=headers
        )


def placed(name: str) -> str:
    """The place of a call. Raises LookupError if it has none, or two."""
    found = [place for place, names in PLACES.items() if name in names]
    if len(found) != 1:
        raise LookupError(f"{name} has {len(found)} places in tests/api/owasp/places.py; it needs one")
    return found[0]


def calls() -> Iterator[Call]:
    """Every call of the URL map, as the contract describes it."""
    app = house.app()
    contract = app.config["CONTRACT"]()
    for rule in app.url_map.iter_rules():
        template = re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", rule.rule)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            operation = contract["paths"][template][method.lower()]
            media = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            example = next((each["value"] for each in media.get("examples", {}).values()), None)
            security = operation.get("security", contract["security"])
            needs = bool(security) and {} not in security
            name, viewers = operation["operationId"], [""]
            asked = (*contract["paths"][template].get("parameters", ()), *operation.get("parameters", ()))
            if {"viewer", VIEWER} & {each.get(key) for each in asked for key in ("name", "$ref")}:
                viewers = [" seat", " full", *([] if needs else viewers)]  # what needs a token is not for the public
            for viewer in viewers:
                token = needs or bool(viewer)
                yield Call(name + viewer, method, template, example, token, placed(name + viewer))


CALLS = {call.name: call for call in calls()}
HERE = {name: call for name, call in CALLS.items() if call.place != "elsewhere"}  # of matches, or open to all


@dataclass(frozen=True)
class Everybody:
    """A running match of two, and everybody who might call: its members and the strangers."""

    app: Flask
    table: Table
    people: dict[str, Person]

    def state(self) -> tuple[Any, ...]:
        """All that a call could have changed."""
        log, match = self.app.config["SERVICE"].log, self.table.match
        version = log.read(match).head.version
        return (
            version,
            log.read_grants(match),
            log.read_seat_names(match),
            log.read_passes(match),
            len(log._invitations),
        )


def everybody(visibility: str) -> Everybody:
    """A match with people of every kind round it."""
    app = house.app(IS_OPERATOR=lambda token: token == OPERATOR)
    table = house.opened(app, visibility=visibility, hints=True)
    elsewhere = house.opened(app, visibility=visibility)

    def joined(role: str) -> Person:
        code = table.host.post(f"{table.path}/invitations", {"role": role}).json["code"]  # type: ignore[index]
        return Person(table.anyone.client, table.anyone.post("/v1/join", {"code": code}).json["token"])  # type: ignore[index]

    revoked = table.seats[0]
    assert revoked.delete(f"{table.path}/seats/0/player").status_code == 204
    people = {
        "nobody": table.anyone,
        "garbage": Person(table.anyone.client, "rfs_" + "A" * 43),
        "seat elsewhere": elsewhere.seats[0],
        "host elsewhere": elsewhere.host,
        "revoked": revoked,
        "operator": Person(table.anyone.client, OPERATOR),
        "seat 0": joined("seat:0"),
        "seat 1": table.seats[1],
        "host": table.host,
        **{role: joined(role) for role in ("spectator", "arbiter", "auditor")},
    }
    assert set(people) == {*MEMBERS, *STRANGERS}
    return Everybody(app, table, people)
