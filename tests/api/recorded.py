"""Answers of the real program for the contract: one evening, whose keys, clock and chance are always the same.

`python -m tests.api.recorded` writes them again when what the program answers has changed.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any
from unittest.mock import patch

from flask import Flask
from werkzeug.test import TestResponse

from api.app import BODY_LIMIT
from api.openapi.answers import ANSWERS_FILE
from api.openapi.examples import REQUEST_EXAMPLES
from api.resources.health.routes import dump_yaml
from referee.eventstore.memory.log import MemoryLog
from tests.api import house
from tests.api.ended import led
from tests.api.house import Person, Table
from tests.api.signed import signed_app
from tests.api.tables import service

START_MS = 1_798_743_600_000  # 2026-12-31, in the evening
DAY_MS = 24 * 3600 * 1000
OPEN_TO_ALL = REQUEST_EXAMPLES["openMatch"]["monster_combat"]["value"]
REQUEST_ID = "5f0c2d9e"
FIRST = slice(1)


@dataclass
class Recorder:
    """What was answered, by the name of the operation; problems by their slug."""

    app: Flask
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    problems: dict[str, dict[str, Any]] = field(default_factory=dict)

    def note(self, operation: str, summary: str, answer: TestResponse, items: slice | None = None) -> Any:
        """Keep an answer under its operation; of its list, only these items. The whole body is returned."""
        assert 200 <= answer.status_code < 300, (operation, answer.text)
        body: Any = answer.json
        kept = body if items is None else {**body, "items": body["items"][items]}
        assert operation not in self.answers
        self.answers[operation] = {"status": answer.status_code, "summary": summary, "value": kept}
        return body

    def note_stream(self, operation: str, summary: str, answer: TestResponse, ends: bytes) -> None:
        """Keep what a stream says up to the first event of a kind; then it is closed."""
        assert answer.status_code == 200, answer.text
        blocks: list[bytes] = []
        for chunk in answer.response:
            blocks += chunk.split(b"\n\n")[:-1]  # type: ignore[union-attr]
            if any(ends in block for block in blocks):
                break
        answer.close()
        last = next(at for at, block in enumerate(blocks) if ends in block)
        said = "".join(f"{block.decode()}\n\n" for block in blocks[: last + 1])
        told = {"media": "text/event-stream", "value": said}
        self.answers[operation] = {"status": 200, "summary": summary, **told}

    def refuse(self, summary: str, answer: TestResponse) -> None:
        """Keep a problem under its slug."""
        body: Any = answer.json
        assert answer.content_type == "application/problem+json", answer.text
        slug = body["type"].rpartition("/")[2]
        assert slug not in self.problems, answer.text
        self.problems[slug] = {"summary": summary, "value": body}


def in_english(path: str) -> str:
    """Return an address with the language of the examples."""
    return f"{path}{'&' if '?' in path else '?'}lang=en"


class EnglishPerson(Person):
    """Somebody whose answers come in English, under the same number."""

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> TestResponse:
        """Make one call."""
        return super().ask(method, in_english(path), body, **{"X_Request_Id": REQUEST_ID, **headers})


def record_answers() -> dict[str, dict[str, dict[str, Any]]]:
    """Return all answers and problems of the evening."""
    house.COUNTERS[0] = itertools.count()
    app = signed_app()
    log = app.config["SERVICE"].log
    assert isinstance(log, MemoryLog)
    log.advance_clock(START_MS - log.now())
    found = Recorder(app)
    for play in PARTS:
        play(found)
    return {"answers": dict(sorted(found.answers.items())), "problems": dict(sorted(found.problems.items()))}


def english(person: Person) -> EnglishPerson:
    """Return the same person, answered in English."""
    return EnglishPerson(person.client, person.token)


def record_games(found: Recorder) -> None:
    anyone = EnglishPerson(found.app.test_client())
    game = "/v1/games/monster_combat"
    found.note("listGames", "One of the games", anyone.get("/v1/games"), items=slice(2, 3))
    found.note("getGame", "Mau Mau", anyone.get("/v1/games/mau_mau"))
    found.note("listBots", "The first level", anyone.get(f"{game}/bots"), items=FIRST)
    found.note("listCards", "The first cards", anyone.get(f"{game}/cards"), items=slice(2))
    found.note("getCard", "A card", anyone.get(f"{game}/cards/shield"))
    found.note("listClauses", "What is found on shields", anyone.get(f"{game}/clauses?q=shield"), items=slice(2))
    found.note("getClause", "A clause", anyone.get(f"{game}/clauses/MC-SHIELD-2"))
    ruled = REQUEST_EXAMPLES["judgePosition"]["monster_combat"]["value"]
    counted = REQUEST_EXAMPLES["countPosition"]["monster_combat"]["value"]
    listed = REQUEST_EXAMPLES["listPositionMoves"]["monster_combat"]["value"]
    found.note("judgePosition", "A shield may not be played alone", anyone.post(f"{game}/rulings", ruled))
    found.note("countPosition", "The cards can lie so", anyone.post(f"{game}/positions/census", counted))
    found.note("listPositionMoves", "What may be played", anyone.post(f"{game}/positions/moves", listed))


def record_matches(found: Recorder) -> None:
    anyone = EnglishPerson(found.app.test_client())
    body = REQUEST_EXAMPLES["openMatch"]["monster_combat"]["value"]
    opened = found.note("openMatch", "Opened; codes for the seats", anyone.post("/v1/matches", body))
    host = replace(anyone, token=opened["token"])
    path = f"/v1/matches/{opened['match']}"
    invitation = {"role": "spectator", "uses": 5, "minutes": 60}
    found.note("makeInvitation", "A code for onlookers", host.post(f"{path}/invitations", invitation))
    people = []
    for name, each in zip(("Ada", "Ben"), opened["invitations"], strict=True):
        answer = anyone.post("/v1/join", {"code": each["code"], "name": name, "lang": "en"})
        joined = answer.json if people else found.note("joinMatch", "A seat, and a token for it", answer)
        people.append(replace(anyone, token=joined["token"]))  # type: ignore[index]
    version = joined["version"]  # type: ignore[index]
    led(found.app)
    found.note("listMatches", "Public matches", anyone.get("/v1/matches"))
    shown = host.patch(path, {"hints": True}, If_Match=f'"v{version}"')
    found.note("changeMatch", "Hints are allowed", shown)
    found.note("startMatch", "Started", host.post(f"{path}/start", If_Match=f'"v{version + 1}"'))
    found.note("getNames", "Who sits there", anyone.get(f"{path}/names"))
    table = Table(opened["match"], anyone, host, tuple(people), ())
    record_moves(found, table)
    found.note("getMatch", "After a few moves", anyone.get(path))


def record_moves(found: Recorder, table: Table) -> None:
    path, seat = table.path, int(table.awaited[0])
    person, at = table.seats[seat], f"{table.path}/seats/{seat}"
    found.note("getSituation", "What the seat sees and may do", person.get(f"{at}/situation"))
    listed = found.note("listMoves", "The legal moves", person.get(f"{at}/moves"))
    move = next(each["move"] for each in listed["legal"] if each["flag"] is None)
    found.note("checkMove", "It would be legal", person.post(f"{at}/moves/check", {"move": move}))
    alone = {"move": {"type": "mc.play", "card": "shield"}}
    found.refuse("A move that the rules forbid", person.post(f"{at}/moves", alone))
    found.note("takeHint", "What the referee advises", person.post(f"{at}/hints"))
    made = found.note("makeMove", "Made", person.post(f"{at}/moves", {"move": move, "seen": listed["version"]}))
    stale = {"move": move, "seen": listed["version"]}
    found.refuse("Somebody was faster", person.post(f"{at}/moves", stale))
    entries = f"{path}/entries?viewer=seat:{seat}&after={listed['version']}&limit=1"
    number = made["version"]
    found.note("listEntries", "The entry after one that you have", person.get(entries))
    found.note("getEntry", "The move", person.get(f"{path}/entries/{made['entry']['version']}"))
    found.note("getEntryExplanation", "Why", person.get(f"{path}/entries/{made['entry']['version']}/explanation"))
    found.note("getExplanation", "How play stands", person.get(f"{path}/explanation"))
    found.note("getBoard", "What everybody sees", person.get(f"{path}/board"))
    found.note("getView", "What everybody sees, as the engine has it", person.get(f"{path}/view"))
    found.note("listWindows", "Reactions that seats were asked for", person.get(f"{path}/windows?limit=1"))
    found.note("getTimeline", "Nothing was taken back", person.get(f"{path}/timeline"))
    stream = f"{path}/stream?viewer=seat:{seat}&after={number - 1}"
    found.note_stream("streamEntries", "Resumed after the last entry but one", person.get(stream), b"event: entry")
    found.note("makeStreamTicket", "For EventSource", person.post(f"{path}/stream-tickets?viewer=seat:{seat}"))
    for name, where in (("getCheckpoint", "checkpoint"), ("getReceipt", f"receipts/{number}")):
        found.note(name, "A signed checkpoint", person.get(f"{path}/{where}"))
    found.note("getInclusion", "That an entry is in the log", person.get(f"{path}/proofs/inclusion?version=2"))
    found.note("getConsistency", "That the log only grew", person.get(f"{path}/proofs/consistency?from=2"))


def record_court(found: Recorder) -> None:
    table, seats, seat = play_once(found.app)
    asked = seats[seat].post(f"{table.path}/takebacks", {"to": table.version - 1}, If_Match="*")
    found.note("askTakeback", "A seat asks to go back", asked)
    found.note("listTakebacks", "The requests of a match", seats[seat].get(f"{table.path}/takebacks"))
    table, seats, seat = play_once(found.app)
    claim = {"about": table.version, "claim": "other", "statement": "I had not finished."}
    found.note("openDispute", "A disagreement", seats[1 - seat].post(f"{table.path}/disputes", claim))


def play_once(app: Flask) -> tuple[Table, list[EnglishPerson], int]:
    """Return a match with a first move, its people, and the seat that made it."""
    table = house.opened(app)
    seat = int(table.awaited[0])
    move = next(each["move"] for each in table.moves(seat)["legal"] if each["flag"] is None)
    assert table.move(seat, move).status_code == 201
    return table, [english(each) for each in table.seats], seat


def record_end(found: Recorder) -> None:
    table = house.opened(found.app)
    host = english(table.host)
    body = {"reason": "agreed", "placement": [[0], [1]]}
    said = found.note("endMatch", "It ends if all agree", host.post(f"{table.path}/end", body, If_Match="*"))
    for seat in said["ending"]["asks"]:
        agreed = table.seats[seat].post(f"{table.path}/endings/{said['ending']['ending']}/consents", {"grant": True})
        assert agreed.status_code == 201, agreed.text
    again = found.note("openRematch", "The same people once again", host.post(f"{table.path}/rematch"))
    taken = table.seats[1].put(f"/v1/matches/{again['match']}/seats/1/player", {"name": "Ben"})
    found.note("takeSeat", "The seat that was kept", taken)


def record_players(found: Recorder) -> None:
    anyone = EnglishPerson(found.app.test_client())
    made = found.note("makePlayer", "An account", anyone.post("/v1/players", {"name": "Ada", "lang": "en"}))
    own = replace(anyone, token=made["token"])
    path = f"/v1/players/{made['id']}"
    found.note("getPlayer", "An account", own.get(path))
    table = house.opened(found.app, "mau_mau", join=False, start=False)
    assert own.post("/v1/join", {"code": table.codes[0], "name": "Ada"}).status_code == 201
    led(found.app)
    found.note("listOpenMatches", "Where it is your turn, and where not", own.get(f"{path}/matches/open"))
    found.note("listPlayerMatches", "Matches of a player", own.get(f"{path}/matches"))
    found.note("listDevices", "Where you are logged in", own.get(f"{path}/devices"))


def record_tournaments(found: Recorder) -> None:
    anyone = EnglishPerson(found.app.test_client())
    body = REQUEST_EXAMPLES["openTournament"]["club_evening"]["value"]
    opened = found.note("openTournament", "Opened; a code for players", anyone.post("/v1/tournaments", body))
    host = replace(anyone, token=opened["token"])
    path = f"/v1/tournaments/{opened['tournament']}"
    invited = host.post(f"{path}/invitations", {"role": "floor"})
    found.note("makeTournamentInvitation", "A code for a floor official", invited)
    for name in ("Ada", "Ben", "Cleo", "Dan"):
        joined = anyone.post("/v1/join", {"code": opened["invitations"][0]["code"], "name": name})
        assert joined.status_code == 201, joined.text
    for command in ("start", "pair"):
        answer = host.post(f"{path}/commands", {"command": {"type": f"tournament.{command}"}})
        assert answer.status_code == 201, answer.text
    found.note("commandTournament", "The first round is paired", answer)
    found.note("getTournament", "After the first pairing", anyone.get(path))
    found.note("listTournamentEntries", "The first entry", anyone.get(f"{path}/entries?limit=1"))
    found.note("getTournamentQueue", "What waits for officials", host.get(f"{path}/queue"))


def record_proofs(found: Recorder) -> None:
    anyone = EnglishPerson(found.app.test_client())
    found.app.config["PUBLISHER"].ensure_key_published()
    found.note("getKeys", "The keys of the server", anyone.get("/v1/keys"))
    found.note("listRoots", "What the log of roots holds", anyone.get("/v1/roots?limit=1"))
    found.note("getRootsCheckpoint", "Its checkpoint", anyone.get("/v1/roots/checkpoint"))
    bundle = REQUEST_EXAMPLES["judgeBundle"]["cut"]["value"]
    sent = {"Content_Type": "application/x-ndjson", "Idempotency_Key": "an-example-of-a-key-of-a-bundle"}
    taken = found.note("judgeBundle", "It waits to be checked", anyone.post("/v1/bundles", bundle.encode(), **sent))
    found.note(
        "getJudgedBundle", "Not checked yet", replace(anyone, token=taken["token"]).get(f"/v1/bundles/{taken['id']}")
    )


def record_problems(found: Recorder) -> None:
    anyone = EnglishPerson(found.app.test_client())
    table = house.opened(found.app)
    host, seat = english(table.host), english(table.seats[0])
    moves = f"{table.path}/seats/0/moves"
    found.refuse("Without a key", seat.post(moves, {"move": {"type": "mc.pass"}}, Idempotency_Key=""))
    found.refuse("Without a token", anyone.get(moves))
    found.refuse("With a token that may not do it", seat.post(f"{table.path}/invitations", {"role": "spectator"}))
    found.refuse("Nothing is there", anyone.get("/v1/nowhere"))
    found.refuse("The address takes other methods", anyone.put("/v1/games", {}))
    found.refuse("The match has gone on", host.post(f"{table.path}/end", {"reason": "agreed"}, If_Match='"v1"'))
    found.refuse("No body that the call takes", anyone.post("/v1/matches", b"game", Content_Type="text/plain"))
    found.refuse("Not as the contract says", anyone.post("/v1/matches", {"game": "chess"}))
    found.refuse("The version is missing", host.post(f"{table.path}/end", {"reason": "agreed"}))
    found.refuse("More than a body may have", anyone.post("/v1/matches", {"name": "x" * BODY_LIMIT}))
    lobby = house.opened(found.app, join=False, start=False)
    service(lobby).log.advance_clock(DAY_MS)  # type: ignore[attr-defined]
    found.refuse("A code that is too old", anyone.post("/v1/join", {"code": lobby.codes[0], "name": "Ada"}))
    busy = EnglishPerson(signed_app(STREAMS=0).test_client())
    path = f"/v1/matches/{busy.post('/v1/matches', OPEN_TO_ALL).json['match']}"  # type: ignore[index]
    found.refuse("No stream more", busy.get(f"{path}/stream"))
    hasty = EnglishPerson(signed_app(RATES={**house.FREE, "reads": 1}).test_client())
    with patch("time.time", return_value=START_MS / 1000):
        assert hasty.get("/v1/games").status_code == 200
        found.refuse("Too fast", hasty.get("/v1/games"))


PARTS: tuple[Callable[[Recorder], None], ...] = (
    record_games,
    record_matches,
    record_court,
    record_end,
    record_players,
    record_tournaments,
    record_proofs,
    record_problems,
)

if __name__ == "__main__":
    ANSWERS_FILE.write_text(dump_yaml(record_answers()), "utf-8")
