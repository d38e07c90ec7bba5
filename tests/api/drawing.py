"""Requests drawn from the contract reach real matches: what they name is put in its place behind the fuzzer's back.

The fuzzer has to keep what it has drawn, or a broken request would be mended into a good one. So names that fit the
contract stand for others that fit it too: any match for the one at hand, any code for a live one, a well-formed move
for one that is legal now. What is not well formed is left as it is.
"""

from __future__ import annotations

import io
import itertools
import json
import pickle
import random
import re
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import Flask
from jsonschema_rs import Draft202012Validator

from api.openapi.examples import REQUEST_EXAMPLES
from referee.engine.codec import encode
from referee.engine.events import Move
from referee.engine.game import Game
from referee.engine.seats import Seat
from referee.games import load_games
from referee.position_rulings.judging import rule_on_position
from referee.position_rulings.request import Question
from tests.api import house
from tests.api.house import Person, Table
from tests.api.test_playing import GIVING_UP, play

TOKENS = {
    who: "rfs_" + who[0] * 43 for who in ("players", "host", "auditor")
}  # cases are drawn before there is a match
WELL_FORMED = re.compile(r'"v[0-9]{1,15}"')
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,40}")
THERE = {"games": "monster_combat", "clauses": "MC-SHIELD-1", "cards": "shield", "problems": "not-found"}
VIEWER = re.compile(r"\bviewer=(full|seat(?::|%3A)1?[0-9])(?![^&])")  # but the public
EDITION = re.compile(r"\bedition=[A-Za-z0-9_.]{1,40}(?![^&])")  # of a card book, of which there is none
PROOFS = {"getInclusion", "getConsistency"}
SIZE = re.compile(r"\b(version|size|from|to)=([1-9][0-9]{0,8})(?![^&])")  # of a log, hardly ever of this one
ID = re.compile(r"([0-5]\d|6[0-3])-[a-z]{26}")
MOVES = ("makeMove", "checkMove")
LOBBY = {
    "changeMatch",
    "withdrawMatch",
    "startMatch",
    "seatBot",
    "removeBot",
    "makeInvitation",
    "joinMatch",
    "setSeed",
    "setDeviceKey",
}
ABSENT = {"answerBot", "seatBot", "removeBot"}
WINDOWS = {"setStandingPasses", "getStandingPasses", "deleteStandingPasses"}


@dataclass(frozen=True)
class State:
    """A match in one state: who plays it, an invitation to it, and what is legal there."""

    name: str
    table: Table
    tokens: dict[str, str]  # by the name that a case has for them
    code: str
    invitation: str
    version: int
    seat: str  # one that is awaited, if any is
    legal: tuple[dict[str, Any], ...]


class Shelf:
    """An app over a store with a match in each state; `renew` makes the store what it was.

    It is filled when a test first asks for that: every worker process that only collects the tests would play too.
    """

    def __init__(self) -> None:
        self.app = house.app()
        self.log = self.app.config["SERVICE"].log
        self.states: dict[str, State] = {}
        self.answers: Counter[tuple[str, int]] = Counter()

    def fill(self) -> None:
        """Play a match to each state, the same ones whatever ran before."""
        house.COUNTERS[0] = itertools.count()
        running = [(name, game.variants[0]) for name, game in load_games().items()]
        made = [self.lobby(), self.ready(), *(self.running(*each) for each in running), self.absent(), self.ended()]
        self.states = {state.name: state for state in made}
        self.kept = {name: pickle.dumps(part) for name, part in vars(self.log).items() if name not in LOCKS}
        self.touched = False
        for name in dir(self.log):
            if not name.startswith("_") and name not in READS and callable(getattr(self.log, name)):
                setattr(self.log, name, self.touching(getattr(self.log, name)))

    def touching(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """A call of the log that notes that something was taken from the shelf, or may have been."""

        def noting(*args: Any, **kwargs: Any) -> Any:
            self.touched = True
            return call(*args, **kwargs)

        return noting

    def renew(self) -> None:
        """Puts everything back on the shelf, if anything was touched: most requests only look, or end at the door."""
        if not self.states:
            self.fill()
        if self.touched:
            for name, part in self.kept.items():
                setattr(self.log, name, pickle.loads(part))
        self.touched = False

    def opened(self, name: str, game: str, **body: Any) -> tuple[str, Table, str]:
        """A public match, all of whose seats one phone holds; its token."""
        table = house.opened(self.app, game, load_games()[game].min_seats, start=False, join=False, **body)
        phone = table.anyone
        for code in table.codes:
            joined: Any = phone.post("/v1/join", {"code": code}).json
            phone = Person(table.anyone.client, joined["token"])
        return name, Table(table.match, table.anyone, table.host, (phone,) * len(table.codes), table.codes), game

    def lobby(self) -> State:
        """Before the start; the last seat is free."""
        name, table, _ = self.opened("lobby", "monster_combat", visibility="public")
        last = len(table.seats) - 1
        assert table.host.delete(f"{table.path}/seats/{last}/player").status_code == 204
        return self.placed(name, table, f"seat:{last}")

    def ready(self) -> State:
        """Before the start; everybody is there."""
        name, table, _ = self.opened("ready", "shy_monsters", visibility="public")
        return self.placed(name, table, "spectator")

    def started(self, table: Table) -> None:
        answer = table.host.post(f"{table.path}/start", If_Match=f'"v{table.version}"')
        assert answer.status_code == 201, answer.text

    def running(self, game: str, variant: str) -> State:
        """A few moves after the start."""
        name, table, _ = self.opened(game, game, visibility="public", variant=variant, hints=True)
        self.started(table)
        play(table, random.Random(game), 4)
        return self.placed(name, table, "spectator")

    def absent(self) -> State:
        """Somebody has left, and the table is asked whether a bot may play for him."""
        name, table, _ = self.opened("absent", "shy_monsters", visibility="public")
        self.started(table)
        assert table.seats[0].delete(f"{table.path}/seats/0/player").status_code == 204
        assert table.host.put(f"{table.path}/seats/0/bot", {"level": 0}).status_code == 202
        return self.placed(name, table, "seat:0")

    def ended(self) -> State:
        """Ended by the word of the table."""
        name, table, _ = self.opened("ended", "monster_combat", visibility="public")
        self.started(table)
        play(table, random.Random("ended"), 3)
        state = self.placed(name, table, "spectator")
        assert table.end().status_code == 201
        return State(name, table, state.tokens, state.code, state.invitation, table.version, "0", ())

    def placed(self, name: str, table: Table, role: str) -> State:
        made: Any = table.host.post(f"{table.path}/invitations", {"role": role, "uses": 50}).json
        audit: Any = table.host.post(f"{table.path}/invitations", {"role": "auditor"}).json
        auditor: Any = table.anyone.post("/v1/join", {"code": audit["code"]}).json
        tokens = {"players": table.seats[0].token, "host": table.host.token, "auditor": auditor["token"]}
        left = 0 if name == "absent" else None
        awaited = [str(seat) for seat in table.awaited if isinstance(seat, int) and seat != left] or ["1"]
        found = table.moves(awaited[0], table.seats[0])["legal"] if name not in ("lobby", "ready") else []
        legal = tuple(each["move"] for each in found if each["move"]["type"] not in GIVING_UP)
        by_case = {TOKENS[who]: str(token) for who, token in tokens.items()}
        return State(name, table, by_case, made["code"], made["id"], table.version, awaited[0], legal)

    def state_for(self, operation: str, dice: random.Random) -> State:
        """A state in which this call has something to do, more often than not."""
        likely = {
            **{key: ["lobby"] for key in LOBBY},
            **{key: ["absent"] for key in ABSENT},
            **{key: ["lobby", "absent"] for key in LOBBY & ABSENT},
            **({operation: ["ended"]} if operation.endswith(" full") else {}),
            **{key: ["here_to_slay"] for key in WINDOWS},
            "startMatch": ["ready"],
            **{key: list(load_games()) for key in MOVES},
            **{key: list(load_games()) for key in ("endMatch", "takeHint")},
        }.get(operation, list(self.states))
        return self.states[dice.choice(likely if dice.random() < 0.8 else list(self.states))]


LOCKS = ("_lock", "_stirring", "_given")
READS = {  # calls of a log that change nothing; all others count as changes
    *(
        "now",
        "ping",
        "read",
        "read_entries",
        "read_progress",
        "wait_for_changes",
        "read_feed",
        "read_partition_info",
        "find_due_deadlines",
        "find_next_deadline",
        "read_cursor",
        "read_view_cursors",
    ),
    *(
        "read_projection",
        "read_partition_cursors",
        "read_across_partitions",
        "read_ranking",
        "read_grants",
        "read_seat_names",
        "find_answer",
        "find_pass_by_key",
        "read_passes",
        "read_present_seats",
    ),
    *("find_player", "find_players", "read_sittings", "read_links", "read_links_version"),
    *("read_roots_head", "find_root_leaf", "read_root_leaves", "read_root_nodes"),
}


class AtHand:
    """A WSGI layer that puts what is at hand in the place of what a case has drawn, and notes how it was answered."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf, self.wsgi, self.app = shelf, shelf.app.wsgi_app, shelf.app
        self.schemas: dict[str, Draft202012Validator] = {}

    def __call__(self, environ: dict[str, Any], start: Any) -> Any:
        if not self.shelf.states:  # the contract is read, to draw from
            return self.wsgi(environ, start)
        environ.pop("HTTP_ACCEPT_ENCODING", None)  # schemathesis asks for packed answers and does not unpack them
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        drawn = [environ["REQUEST_METHOD"], environ["PATH_INFO"], environ.get("QUERY_STRING", ""), body]
        dice = random.Random(zlib.crc32(repr(drawn).encode()))
        operation = asked = self.operation(environ)
        looks = VIEWER.search(environ.get("QUERY_STRING", "")) if operation else None
        if looks:
            asked = f"{operation} {looks[1][:4]}"
        state = self.shelf.state_for(asked, dice)
        if looks and looks[1] == "full" and "HTTP_AUTHORIZATION" in environ:
            shown = environ["HTTP_AUTHORIZATION"].replace(TOKENS["players"], TOKENS["auditor"])
            environ["HTTP_AUTHORIZATION"] = shown
        elif looks and dice.random() < 0.9:
            seat = f"viewer=seat:{self.seat(operation, state, dice)}"
            environ["QUERY_STRING"] = VIEWER.sub(seat, environ["QUERY_STRING"])
        for name, token in state.tokens.items():
            if "HTTP_AUTHORIZATION" in environ:
                environ["HTTP_AUTHORIZATION"] = environ["HTTP_AUTHORIZATION"].replace(name, token)
        for header in ("HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH"):
            if WELL_FORMED.fullmatch(environ.get(header, "")) and dice.random() < 0.8:
                environ[header] = f'"v{state.version}"'
        if dice.random() < 0.8:
            environ["QUERY_STRING"] = EDITION.sub("edition=printed", environ.get("QUERY_STRING", ""))
        if operation in PROOFS and dice.random() < 0.8:
            there = SIZE.sub(lambda size: f"{size[1]}={1 + int(size[2]) % state.version}", environ["QUERY_STRING"])
            environ["QUERY_STRING"] = there
        environ["PATH_INFO"] = self.path(environ["PATH_INFO"], operation, state, dice)
        body = self.body(body, operation, state, dice)
        environ["wsgi.input"], environ["CONTENT_LENGTH"] = io.BytesIO(body), str(len(body))

        def answered(status: str, headers: Any, exc_info: Any = None) -> Any:
            self.shelf.answers[asked, int(status[:3])] += 1
            return start(status, headers, exc_info)

        return self.wsgi(environ, answered)

    def operation(self, environ: dict[str, Any]) -> str:
        """The call that the address names; empty if none."""
        try:
            endpoint, _ = self.app.url_map.bind_to_environ(environ).match()
        except Exception:  # an address that leads nowhere, in whatever way
            return ""
        return str(endpoint).rpartition(".")[2]

    def path(self, path: str, operation: str, state: State, dice: random.Random) -> str:
        """The address, at the match at hand, a seat that is awaited, an entry that is there."""
        parts = path.split("/")
        for at, part in enumerate(parts[:-1]):
            after = parts[at + 1]
            if part == "matches" and ID.fullmatch(after):
                parts[at + 1] = state.table.match
            if part in THERE and WORD.fullmatch(after) and dice.random() < 0.8:
                parts[at + 1] = THERE[part]
            if part == "seats" and re.fullmatch("1?[0-9]", after) and dice.random() < 0.9:
                parts[at + 1] = self.seat(operation, state, dice)
            if part in ("entries", "receipts") and re.fullmatch("[1-9][0-9]{0,8}", after) and dice.random() < 0.9:
                parts[at + 1] = str(1 + int(after) % state.version)
            if part == "invitations" and after and operation in ("withdrawInvitation", "getInvitationQr"):
                parts[at + 1] = state.invitation if dice.random() < 0.7 else after
        return "/".join(parts)

    @staticmethod
    def seat(operation: str, state: State, dice: random.Random) -> str:
        """A seat of this table: the free one for a bot, else one that is awaited."""
        if operation in ABSENT:
            return str(len(state.table.seats) - 1) if state.name == "lobby" else "0"
        return state.seat if operation in MOVES else str(dice.randrange(len(state.table.seats)))

    def body(self, body: bytes, operation: str, state: State, dice: random.Random) -> bytes:
        """A body that fits the contract, about what is there; any other as it is."""
        if operation not in (*MOVES, "joinMatch", "judgePosition", "countPosition", "listPositionMoves", "endMatch"):
            return body
        try:
            data = json.loads(body)
        except ValueError:
            return body
        if not self.fits(operation, data) or dice.random() < 0.1:
            return body
        if operation in MOVES and state.legal:
            data = {**data, "move": dice.choice(state.legal)} | ({"seen": state.version} if "seen" in data else {})
            data.pop("window", None)  # one that is drawn is hardly ever there
        elif operation == "joinMatch":
            data = {**data, "code": state.code}
        elif operation in ("judgePosition", "countPosition", "listPositionMoves"):
            example = REQUEST_EXAMPLES[operation]["monster_combat"]["value"]
            data = {key: example[key] for key in data if key in example} | example
        elif "placement" in data:
            data = {**data, "placement": [[seat] for seat in range(len(state.table.seats))]}
        return json.dumps(data).encode()

    def fits(self, operation: str, data: Any) -> bool:
        """Whether a body is what the contract asks for."""
        if operation not in self.schemas:
            contract = self.app.config["CONTRACT"]()
            every = [each for item in contract["paths"].values() for each in item.values() if isinstance(each, dict)]
            one = next(each for each in every if each["operationId"] == operation)
            schema = one["requestBody"]["content"]["application/json"]["schema"]
            self.schemas[operation] = Draft202012Validator({**schema, "components": contract["components"]})
        return bool(self.schemas[operation].is_valid(data))


RULED: dict[str, bytes] = {}


def rule_once(game: Game, position: dict[str, Any], seat: Seat, move: Move, quarrel: Question) -> dict[str, Any]:
    """Rule on each position as the program does, and only once: most requests for rulings ask the example of theirs.

    A ruling depends on nothing but these. Each is worked out over hundreds of tables.
    """
    asked = repr((game.name, position, seat, encode(move), quarrel))
    if asked not in RULED:
        RULED[asked] = pickle.dumps(rule_on_position(game, position, seat, move, quarrel))
    ruling: dict[str, Any] = pickle.loads(RULED[asked])
    return ruling


def on_the_shelf() -> tuple[Shelf, Flask]:
    """A shelf, and its app with the layer in front."""
    shelf = Shelf()
    shelf.app.wsgi_app = AtHand(shelf)  # type: ignore[method-assign]
    return shelf, shelf.app
