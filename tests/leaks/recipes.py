"""What somebody can ask at each address: a recipe for every route of the app, so that no new one is forgotten.

A GET needs no recipe of its own: its address is filled in from VALUES and its query from QUERIES, by name, so a new
route is asked by being registered. A name that stands in neither fails the test: add a line there. All other methods
have a line in WRITES, which are those that change nothing (refusals, dry runs, preconditions that fail, repeated
requests), and perhaps one in LAST_WRITES, which are made when the match has been looked at long enough.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any
from urllib.parse import quote, urlencode

from werkzeug.routing import Rule

from api.openapi.examples import REQUEST_EXAMPLES
from api.pages import companion
from referee.engine.seats import BYSTANDER
from referee.games import load_games
from referee.match.events.dispute_state import AS_IT_LIES, REMEDIES
from referee.queries import views
from tests.api.house import seen_as
from tests.leaks.sides import Side

ONCE = ("games", "rulings")  # blueprints that know of no match: asked once a session
DEAR = ("getContractAsJson", "getContract")  # long, and the same for everybody: asked by whoever is told to
APART = ("getMetrics",)  # counts every request, those that are asked twice too: compared in tests of its own
STREAMS = ("streamEntries",)
WRONG = "63-zzzzzzzzzzzzzzzzzzzzzzzzzz"
NO_PLAYER = "pl-" + "z" * 26
NO_TOURNAMENT = "63-T" + "z" * 26  # what tournaments hide has tests of its own
SUBSCRIPTION = REQUEST_EXAMPLES["makePushSubscription"]["browser"]["value"]


@dataclass(frozen=True)
class Ask:
    """One request, whole. `until`: read this stream up to that version. `pure`: it leaves no trace at all."""

    method: str
    path: str
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    until: int | None = None
    pure: bool = True
    anonymous: bool = False

    def __str__(self) -> str:
        return f"{self.method} {self.path} {self.body if self.body is not None else ''} {dict(self.headers) or ''}"


@dataclass(frozen=True)
class Here:
    """Where the asking is done: the match as it stands, and who asks."""

    side: Side
    dice: random.Random
    version: int
    dear: bool = False  # ask for what is long and tells nothing, too
    share: float = 0.15  # of the variations of a call, beyond one

    @property
    def match(self) -> str:
        return self.side.match

    @property
    def held(self) -> tuple[int, ...]:
        return self.side.sitting.held

    @property
    def foreign(self) -> int:
        """The seat of somebody else."""
        return next(seat for seat in range(len(self.side.sitting.chairs)) if seat not in self.held)

    @property
    def onlookers(self) -> int:
        """The version that onlookers see by now."""
        return views.load_visible_version(self.side.service, self.match, BYSTANDER, None).version

    def some_versions(self, count: int) -> list[int]:
        """The first, the last, the next and some between."""
        between = self.dice.sample(range(1, self.version + 1), min(count, self.version))
        return sorted({1, self.version, self.version + 1, *between})


def words(here: Here, key: str) -> list[str]:
    """Some names out of the box."""
    found = load_games()[here.side.sitting.game].cards
    return [str(card[key]) for card in here.dice.sample(found, min(2, len(found)))]


def windows(here: Here) -> list[str]:
    """Some events that opened something, windows among them, and one that did not."""
    log = here.side.service.repository.load_entries(here.match, 0, here.version)
    opened = [
        f"{entry.version}.{at}" for entry in log for at, event in enumerate(entry.events) if event.TAG == "Opened"
    ]
    return ["1.0", *opened[-2:]]


# what a part of an address may be, by its name in the rule
VALUES: dict[str, Callable[[Here], Iterable[Any]]] = {
    "match": lambda here: [here.match],
    "seat": lambda here: [*here.held, here.foreign],
    "mover": lambda here: [*here.held, here.foreign, "chance"],
    "game": lambda here: [here.side.sitting.game],
    "clause": lambda here: here.dice.sample(sorted(load_games()[here.side.sitting.game].rulebook.clauses), 2),
    "card": lambda here: words(here, "id"),
    "invitation": lambda here: ["0123456789abcdef"],
    "entry": lambda here: here.some_versions(3),
    "version": lambda here: here.some_versions(3),
    "slug": lambda here: ["illegal-move", "overtaken"],
    "file": lambda here: ["swagger-ui.css"],
    "scene": lambda here: ["join"],
    "digest": lambda here: [companion.compute_digest()],
    "asset": lambda here: ["main.js"],
    "window": lambda here: windows(here),
    "player": lambda here: [NO_PLAYER],
    "deck": lambda here: ["fast"],
    "webhook": lambda here: ["hook"],
    "book": lambda here: ["my_cards"],
    "dispute": lambda here: [1, *(each.number for each in here.side.loaded().match.disputes)],
    "remedy": lambda here: [each for each in REMEDIES if each != AS_IT_LIES],  # that is read in the courtroom
    "bundle": lambda here: ["bd-" + 26 * "b"],
    "deviation": lambda here: [1, *(each.number for each in here.side.loaded().match.deviations)],
    "takeback": lambda here: [1, *(each.number for each in here.side.loaded().match.takebacks)],
    "tournament": lambda here: [NO_TOURNAMENT],
    "entrant": lambda here: ["0"],
    "export": lambda here: ["results.csv"],
}
# what a part of a query may be, by its name
QUERIES: dict[str, Callable[[Here], Iterable[Any]]] = {
    "version": lambda here: here.some_versions(2),
    "open": lambda here: ["true", "false"],
    "near": lambda here: [0, 20],
    "whole": lambda here: ["true"],
    "steps": lambda here: ["true"],
    "says": lambda here: ["true", "false"],
    "type": lambda here: ["Moved", *(kind.TAG for kind in load_games()[here.side.sitting.game].move_types[:1])],
    "after": lambda here: [max(0, here.version - 3), here.version],
    "upto": lambda here: [here.version, here.version // 2],
    "limit": lambda here: [1, 200],
    "game": lambda here: [here.side.sitting.game],
    "status": lambda here: ["running"],
    "free_seats": lambda here: [1],
    "variant": lambda here: [here.side.sitting.variant],
    "edition": lambda here: ["printed"],
    "chapter": lambda here: ["Table"],
    "q": lambda here: words(here, "id")[:1],
    "kind": lambda here: [str(load_games()[here.side.sitting.game].cards[0].get("kind"))],
    "card": lambda here: words(here, "id")[:1],
    "place": lambda here: [f"hand:{seat}" for seat in (*here.held, here.foreign)],
    "count": lambda here: [3],
    "at_least": lambda here: [here.match],
    "match": lambda here: [here.match],
    "size": lambda here: [here.version, here.version // 2 or 1],
    "from": lambda here: [1, here.version // 2 or 1],
    "to": lambda here: [here.version],
    "lang": lambda here: ["de"],
    "send": lambda here: ["situations", "both"],
    "ticket": lambda here: ["A" * 43],
    "awaiting": lambda here: ["me"],
    "viewer": lambda here: ["nobody"],  # those that there are ask everything: `addressed`
    "player": lambda here: [0],
    "infraction": lambda here: ["late"],
    "form": lambda here: ["semicolon"],
    "proposal": lambda here: [],  # those of disputes are read in the courtroom
}
# further headers, by the name of the call
HEADERS: dict[str, list[dict[str, str]]] = {
    "listEntries": [{"Accept": "application/x-ndjson"}, {"Accept": "text/html"}, {"Prefer": "wait=0"}],
    "getView": [{"If-None-Match": '"v1"'}, {"If-None-Match": "*"}],
    "getSituation": [{"If-None-Match": "*", "Prefer": "wait=0"}, {"Prefer": "wait=0"}],
    "listMoves": [{"If-None-Match": "*"}, {"Accept-Language": "de"}],
}


def seat_path(here: Here, seat: Any, rest: str) -> str:
    return f"/v1/matches/{here.match}/seats/{seat}/{rest}"


def match_path(here: Here, rest: str = "") -> str:
    return f"/v1/matches/{here.match}{rest and '/' + rest}"


def key(name: str) -> dict[str, str]:
    """The headers of a write, with a key of its own."""
    return {"Idempotency-Key": f"{name}-of-the-one-who-looks-on"}


def table_business(here: Here) -> Iterator[Ask]:
    """What only hosts may do, and only in time."""
    stale = {"If-Match": '"v0"'}
    yield Ask("PATCH", match_path(here), {"visibility": "public"}, key("patch") | stale)
    yield Ask("POST", match_path(here, "start"), None, key("start") | stale)
    yield Ask("POST", match_path(here, "end"), {"reason": "agreed"}, key("end") | stale)
    yield Ask("DELETE", match_path(here), None, stale)
    yield Ask("POST", match_path(here, "start"), None, key("start"))


def rulings(here: Here, rest: str) -> Iterator[Ask]:
    """A written position, judged or counted."""
    game = load_games()[here.side.sitting.game]
    example = here.dice.choice(game.positions.build_examples(here.side.sitting.variant))
    path = f"/v1/games/{game.name}/{rest}"
    if rest == "rulings":
        body = {"position": example, "seat": 0, "move": {"type": game.move_types[0].TAG}}
        yield Ask("POST", path, body)
        quarrel = {"claim": "other", "says": [{"seat": 0, "legal": True}, {"seat": 1, "legal": False}]}
        yield Ask("POST", path, {**body, **quarrel}, {"Accept": "text/html"})
    else:
        yield Ask("POST", path, {"position": example})


def passes(here: Here) -> Iterator[Ask]:
    """Standing passes of others, and such as no game knows."""
    body = {"kinds": ["modifiers"], "until": "turn"}
    yield Ask("PUT", seat_path(here, here.foreign, "standing-passes"), body, key("pass"))
    for seat in here.held:
        yield Ask("PUT", seat_path(here, seat, "standing-passes"), {**body, "kinds": ["hand"]}, key("pass"))


def own_seats(here: Here, method: str, rest: str, body: Any, name: str) -> Iterator[Ask]:
    """A write about each of the own seats."""
    for seat in here.held:
        yield Ask(method, seat_path(here, seat, rest), body, key(f"{name}-{seat}"), pure=False)


def court(here: Here, rest: str, body: Any) -> Iterator[Ask]:
    """What is asked of a court about a dispute that there is not, and about those there are, of other stages."""
    path = match_path(here, "disputes")
    yield Ask("POST", f"{path}/1/{rest}", body, key(rest))
    for dispute in here.side.loaded().match.disputes:
        if not dispute.is_open:  # what is said of an open one counts
            yield Ask("POST", f"{path}/{dispute.number}/{rest}", body, {**key(rest), "If-Match": '"v0"'})


def disputes(here: Here) -> Iterator[Ask]:
    """Disputes about what is no entry of play, and refusals of moves that are none of the game's."""
    path, seat = match_path(here, "disputes"), here.held[0] if here.held else None
    named = {} if seat is None else {"seat": seat}
    for about, claim in ((1, "illegal_move"), (here.version + 1, "misreported"), (2, "missed_effect")):
        yield Ask("POST", path, {"about": about, "claim": claim, **named}, key(f"dispute-{claim}"))
    refused = {"about": here.version, "claim": "wrong_refusal", "move": {"type": "clock.timed_out"}, **named}
    yield Ask("POST", path, refused, key("dispute-refused"))


def reports(here: Here, rest: str, body: Any) -> Iterator[Ask]:
    """What is said of entries that are no reports, or of none."""
    for entry in (1, here.version, here.version + 1):
        path = match_path(here, f"entries/{entry}/{rest}")
        yield Ask("POST", path, body, key(f"{rest}-{entry}"), pure=False)


def silences(here: Here, rest: str, body: Any) -> Iterator[Ask]:
    """What is said of windows that were never open."""
    for window in ("9999.1", "1.99"):
        yield Ask("POST", match_path(here, f"windows/{window}/{rest}"), body, key(f"{rest}-{window.partition('.')[0]}"))


def deviations(here: Here) -> Iterator[Ask]:
    """Moves of others that are to count, at a version that is past; what the host asks is refused."""
    game = load_games()[here.side.sitting.game]
    clause = next(iter(game.rulebook.clauses))
    for kind in game.move_types[:2]:
        body = {"seat": here.foreign, "move": {"type": kind.TAG}, "clauses": [clause], "reason": "So it was."}
        yield Ask("POST", match_path(here, "deviations"), body, key("deviate") | {"If-Match": '"v0"'})


def seeds(here: Here) -> Iterator[Ask]:
    """Seeds of others, and of one's own that are none: one's own commitment would be granted."""
    for seat in (*here.held, here.foreign):
        path = seat_path(here, seat, "seed")
        yield Ask("PUT", path, {"reveal": "0" * 32}, key(f"reveal-{seat}"))
        if seat == here.foreign:
            yield Ask("PUT", path, {"commitment": "0" * 64}, key(f"commit-{seat}"))


def tournaments(method: str, rest: str, body: Any = None) -> Iterator[Ask]:
    """A write to a tournament that there is not."""
    yield Ask(method, f"/v1/tournaments/{NO_TOURNAMENT}/{rest}", body, key("tournament"))


RULING = {"upheld": True, "remedy": "leave", "clauses": ["TABLE-RULING-4"], "reason": "So it is."}


def takebacks(here: Here) -> Iterator[Ask]:
    """Requests to go back to what nobody can go back to, and answers to such as there are not, or are over."""
    path, named = match_path(here, "takebacks"), {"seat": here.held[0]} if here.held else {}
    for to in (1, here.version, here.version + 1):
        yield Ask("POST", path, {"to": to, **named}, key(f"takeback-{to}") | {"If-Match": "*"})
    for to in here.dice.sample(range(1, here.version + 1), min(3, here.version)):  # refused for its version
        yield Ask("POST", path, {"to": to, **named}, key(f"stale-takeback-{to}") | {"If-Match": '"v0"'})
    for number in (1, *(each.number for each in here.side.loaded().match.takebacks if each.stage != "asked")):
        body = {"grant": True, **named}
        yield Ask("POST", f"{path}/{number}/consents", body, key(f"consent-{number}"))


def own_takebacks(here: Here) -> Iterator[Ask]:
    """For each of the own seats, back to before its last move, and then its answers to what others ask."""
    entries = here.side.service.repository.load_entries(here.match, 0, here.version)
    for seat in here.held:
        mine = [each.version for each in entries if each.seat == seat]
        if mine:
            body = {"to": mine[-1] - 1, "seat": seat}
            headers = key(f"back-{seat}") | {"If-Match": "*"}
            yield Ask("POST", match_path(here, "takebacks"), body, headers, pure=False)


# writes that change nothing, by the name of the call; moves are made in `guessing.py`
WRITES: dict[str, Callable[[Here], Iterable[Ask]]] = {
    "makeMove": lambda here: (),
    "checkMove": lambda here: (),
    "countPosition": lambda here: rulings(here, "positions/census"),
    "listPositionMoves": lambda here: rulings(here, "positions/moves"),
    "judgePosition": lambda here: rulings(here, "rulings"),
    "openMatch": lambda here: [Ask("POST", "/v1/matches", {"game": here.side.sitting.game}, key("open"))],
    "changeMatch": table_business,
    "withdrawMatch": lambda here: (),  # with the rest of table business
    "startMatch": lambda here: (),
    "endMatch": lambda here: (),
    "answerEnding": lambda here: [Ask("POST", match_path(here, "endings/1/consents"), {"grant": True}, key("end"))],
    "answerOfficial": lambda here: [
        Ask("POST", match_path(here, "officials/2/consents"), {"grant": True}, key("official"))
    ],
    "resignOffice": lambda here: [Ask("DELETE", match_path(here, "officials/2"))],
    "callOfficial": lambda here: [
        Ask("POST", seat_path(here, here.foreign, "calls"), {"reason": "rules"}, key("call"))
    ],
    "withdrawCall": lambda here: [Ask("DELETE", seat_path(here, here.foreign, "calls/2"))],
    "answerCall": lambda here: [Ask("POST", match_path(here, "calls/2/answer"), None, key("answer"))],
    "makeInvitation": lambda here: [Ask("POST", match_path(here, "invitations"), {"role": "seat:0"}, key("invite"))],
    "withdrawInvitation": lambda here: [Ask("DELETE", match_path(here, "invitations/0123456789abcdef"))],
    "joinMatch": lambda here: [Ask("POST", "/v1/join", {"code": "ZZZZZZ"}, key("join"))],
    "leaveSeat": lambda here: [Ask("DELETE", f"/v1/matches/{WRONG}/seats/{here.foreign}/player")],
    "setProxy": lambda here: [Ask("PUT", seat_path(here, here.foreign, "proxy"), {"by": "nobody"}, key("proxy"))],
    "setSeed": seeds,
    "setDeviceKey": lambda here: [Ask("PUT", seat_path(here, here.foreign, "key"), {"key": "0" * 64}, key("key"))],
    "setStandingPasses": passes,
    "seatBot": lambda here: [Ask("PUT", f"/v1/matches/{WRONG}/seats/{here.foreign}/bot", {"level": 0}, key("bot"))],
    "removeBot": lambda here: [Ask("DELETE", f"/v1/matches/{WRONG}/seats/{here.foreign}/bot", None, key("no-bot"))],
    "answerBot": lambda here: [
        Ask(
            "POST",
            f"/v1/matches/{WRONG}/seats/{here.foreign}/bot/proposals/1/consents",
            {"grant": False},
            key("consent"),
        )
    ],
    "openRematch": lambda here: (),  # the match runs, and once it is over this opens another
    "takeSeat": lambda here: [Ask("PUT", seat_path(here, here.foreign, "player"), {}, key("sit"))],
    "makeStreamTicket": lambda here: [  # what a ticket opens is asked for with the token itself
        Ask("POST", match_path(here, f"stream-tickets?viewer={viewer}"), None, key("ticket"))
        for viewer in (f"seat:{here.foreign}", "full")
    ],
    "makePlayerStreamTicket": lambda here: [
        Ask("POST", f"/v1/players/{NO_PLAYER}/stream-tickets", None, key("ticket"))
    ],
    "makeDeviceLink": lambda here: [Ask("POST", f"/v1/players/{NO_PLAYER}/device-links", None, key("link"))],
    "addDevice": lambda here: [Ask("POST", "/v1/devices", {"secret": "A" * 27}, key("device" + "x" * 22))],
    "deleteDevice": lambda here: [Ask("DELETE", f"/v1/players/{NO_PLAYER}/devices/0123456789abcdef")],
    "makePushSubscription": lambda here: [
        Ask("POST", f"/v1/players/{NO_PLAYER}/push-subscriptions", SUBSCRIPTION, key("push"))
    ],
    "deletePushSubscription": lambda here: [Ask("DELETE", f"/v1/players/{NO_PLAYER}/push-subscriptions/hook")],
    "makePlayerWebhook": lambda here: [
        Ask("POST", f"/v1/players/{NO_PLAYER}/webhooks", {"url": "https://10.0.0.1/"}, key("own"))
    ],
    "makePlayer": lambda here: [Ask("POST", "/v1/players", {"name": ""}, key("player"))],
    "changePlayer": lambda here: [Ask("PATCH", f"/v1/players/{NO_PLAYER}", {"name": "x"}, key("rename"))],
    "deletePlayer": lambda here: [Ask("DELETE", f"/v1/players/{NO_PLAYER}")],
    "setDeck": lambda here: [
        Ask("PUT", f"/v1/players/{NO_PLAYER}/decks/fast", REQUEST_EXAMPLES["setDeck"]["league"]["value"], key("deck"))
    ],
    "deleteDeck": lambda here: [Ask("DELETE", f"/v1/players/{NO_PLAYER}/decks/fast")],
    "makeWebhook": lambda here: [
        Ask("POST", "/v1/webhooks", {"url": "https://10.0.0.1/", "events": ["*"], "match": here.match}, key("hook"))
    ],
    "changeWebhook": lambda here: [Ask("PATCH", "/v1/webhooks/hook", {"paused": True}, key("pause"))],
    "deleteWebhook": lambda here: [Ask("DELETE", "/v1/webhooks/hook", None, key("unhook"))],
    "judgeBundle": lambda here: [Ask("POST", "/v1/bundles", {}, key("bundle"))],
    "checkCardTable": lambda here: [Ask("POST", f"/v1/games/{here.side.sitting.game}/card-tables", {})],
    "checkQuestionFile": lambda here: [Ask("POST", "/v1/question-files", {})],
    "publishBook": lambda here: [Ask("POST", f"/v1/games/{here.side.sitting.game}/books", {}, key("book"))],
    "testWebhook": lambda here: [Ask("POST", "/v1/webhooks/hook/test", None, key("test"))],
    "redeliverMessage": lambda here: [Ask("POST", "/v1/webhooks/hook/deliveries/one/redelivery", None, key("again"))],
    "openDispute": disputes,
    "giveAttestation": lambda here: court(here, "attestations", {"holds": True}),
    "castVote": lambda here: court(here, "votes", {"remedy": "leave"}),
    "issueRuling": lambda here: [
        Ask("POST", match_path(here, "disputes/1/rulings"), RULING, key("rule") | {"If-Match": "*"})
    ],
    "correctReport": lambda here: reports(here, "corrections", {"move": {"type": "chance.rolled", "values": [1]}}),
    "witnessReport": lambda here: [
        Ask("POST", match_path(here, "entries/1/attestations"), {"holds": True}, key("witness"))
    ],
    "recordDeviation": deviations,
    "answerDeviation": lambda here: [
        Ask("POST", match_path(here, "deviations/1/consents"), {"grant": True}, key("agree"))
    ],
    "fileAppeal": lambda here: court(here, "appeals", {"grounds": "It is wrong.", "clause": "TABLE-RULING-9"}),
    "withdrawDispute": lambda here: court(here, "withdrawal", None),
    "askTakeback": takebacks,
    "answerTakeback": lambda here: (),  # with the requests
    "takeHint": lambda here: [Ask("POST", seat_path(here, here.foreign, "hints"), None, key("hint"))],
    "declareNoReaction": lambda here: silences(here, "no-reaction", None),
    "objectInWindow": lambda here: silences(here, "objections", {}),
    "answerCorrection": lambda here: [
        Ask("POST", match_path(here, "corrections/1/consents"), {"grant": True}, key("slip"))
    ],
    "openTournament": lambda here: [Ask("POST", "/v1/tournaments", {"game": "none"}, key("tournament"))],
    "makeTournamentInvitation": lambda here: tournaments("POST", "invitations", {"role": "floor"}),
    "withdrawTournamentInvitation": lambda here: tournaments("DELETE", "invitations/0123456789abcdef"),
    "commandTournament": lambda here: tournaments("POST", "commands", {"command": {"type": "tournament.start"}}),
    "makeTournamentStreamTicket": lambda here: tournaments("POST", "stream-tickets"),
    "eraseTournamentName": lambda here: tournaments("DELETE", "players/0/name"),
    "depositDeck": lambda here: tournaments("PUT", "players/0/deck", {"cards": {}}),
    "deleteStandingPasses": lambda here: [
        Ask("DELETE", seat_path(here, here.foreign, "standing-passes")),
        *own_seats(here, "DELETE", "standing-passes", None, "drop"),
    ],
}
# writes that are granted, made at the end of the looking, in this order
LAST_WRITES: dict[str, Callable[[Here], Iterable[Ask]]] = {
    "setStandingPasses": lambda here: own_seats(
        here,
        "PUT",
        "standing-passes",
        {"kinds": list(load_games()[here.side.sitting.game].windows) or ["none"], "until": "match"},
        "pass",
    ),
    "askTakeback": own_takebacks,
    "takeHint": lambda here: own_seats(here, "POST", "hints", None, "hint"),
    "setProxy": lambda here: own_seats(here, "PUT", "proxy", {"by": "host"}, "proxy"),
    "setDeviceKey": lambda here: own_seats(here, "PUT", "key", {"key": "0" * 64}, "key"),
    "makeInvitation": lambda here: [
        Ask("POST", match_path(here, "invitations"), {"role": "spectator"}, key("invite"), pure=False)
    ],
}


def rules(here: Here) -> list[Rule]:
    """The routes of the app, in a fixed order."""
    return sorted(here.side.app.url_map.iter_rules(), key=lambda rule: (rule.rule, sorted(rule.methods or ())))


def operation(rule: Rule) -> str:
    """The name of the call behind a route."""
    return rule.endpoint.rpartition(".")[2]


def queries(here: Here, name: str) -> list[str]:
    """The query parameters of a call, as the contract has them."""
    contract = here.side.app.config["CONTRACT"]()
    shared = contract["components"]["parameters"]
    for calls in contract["paths"].values():
        for call in calls.values():
            if isinstance(call, dict) and call.get("operationId") == name:
                named = (*calls.get("parameters", ()), *call.get("parameters", ()))
                taken = (shared[each["$ref"].rpartition("/")[2]] if "$ref" in each else each for each in named)
                return [each["name"] for each in taken if each["in"] == "query"]
    return []


def parts(rule: Rule) -> dict[str, str]:
    """The parts of a route's address, each with the name of its values: `mover` for seats that include chance."""
    kinds = {name: type(converter).__name__ for name, converter in rule._converters.items()}
    return {name: "mover" if kind == "Mover" else name for name, kind in kinds.items()}


def missing(here: Here) -> list[str]:
    """What the recipes lack for the routes of the app, in words."""
    found = []
    for rule in rules(here):
        name = operation(rule)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            if method != "GET" and name not in WRITES:
                found.append(f"{method} {rule.rule}: no line `{name}` in WRITES")
            if method == "GET":
                found += [f"{rule.rule}: no `{part}` in VALUES" for part in parts(rule).values() if part not in VALUES]
                found += [f"{rule.rule}: no `{each}` in QUERIES" for each in queries(here, name) if each not in QUERIES]
    calls = {operation(rule) for rule in rules(here)}
    return found + [f"{name}: there is no such call" for name in {*WRITES, *LAST_WRITES, *HEADERS} - calls]


def reads(here: Here, once: bool = False) -> Iterator[Ask]:
    """Every GET, in one of its variations and a share of the others: of what knows of the match, or (`once`) of what
    does not."""
    for rule in rules(here):
        name, blueprint = operation(rule), rule.endpoint.partition(".")[0]
        if (
            "GET" not in (rule.methods or ())
            or (blueprint in ONCE) != once
            or name in APART
            or (name in DEAR and not here.dear)
        ):
            continue
        for kind in ("public", "seat", "full") if "viewer" in queries(here, name) else ("",):
            found = list(addressed(here, rule, name, kind))
            chosen = here.dice.randrange(len(found))
            yield from (ask for at, ask in enumerate(found) if at == chosen or here.dice.random() < here.share)


def addressed(here: Here, rule: Rule, name: str, kind: str) -> Iterator[Ask]:
    """All variations of one GET for a kind of viewer, if it takes one."""
    eyes = {"seat": (*here.held, here.foreign), "full": ("full",)}.get(kind, (None,))
    named = parts(rule)
    for values in product(*(list(VALUES[kind](here)) for kind in named.values())):
        filled = {part: str(value) for part, value in zip(named, values, strict=True)}
        path = rule.build(filled, append_unknown=False)
        assert path is not None
        for viewer in eyes:
            yield from variations(here, name, seen_as(path[1], viewer))


def variations(here: Here, name: str, path: str) -> Iterator[Ask]:
    """One address, asked plainly and with each part of a query and each header by itself."""
    is_public, more = "/seats/" not in path and "viewer=" not in path, "&" if "?" in path else "?"
    if name in STREAMS:
        version = here.onlookers if is_public else here.version
        asked = [
            "",
            *(
                f"{more}{each}={value}"
                for each in queries(here, name)
                for value in QUERIES[each](here)
                if each != "after" or value < version  # else the stream would wait for what does not come
            ),
        ]
        path += asked[version % len(asked)]
        yield Ask("GET", path, headers={"Last-Event-ID": "0"}, until=version)
        yield Ask("GET", path, until=version)
        return
    yield Ask("GET", path)
    if is_public:
        yield Ask("GET", path, anonymous=True)
    for each in queries(here, name):
        for value in QUERIES[each](here):
            yield Ask("GET", f"{path}{more}{urlencode({each: value}, quote_via=quote)}")
    for headers in HEADERS.get(name, ()):
        yield Ask("GET", path, headers=headers)


def writes(here: Here, once: bool = False) -> Iterator[Ask]:
    """Every write that changes nothing."""
    for rule in rules(here):
        if operation(rule) in WRITES and (rule.endpoint.partition(".")[0] in ONCE) == once:
            yield from WRITES[operation(rule)](here)


def last_writes(here: Here) -> Iterator[Ask]:
    """Every write that changes something, as far as it is for the one who asks."""
    for recipe in LAST_WRITES.values():
        yield from recipe(here)


def eyes_of(here: Here) -> tuple[int, ...]:
    """All eyes that he may look through."""
    return (*here.held, int(BYSTANDER))
