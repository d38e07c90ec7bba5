"""The log: a line of JSON for each request, and in none of them a token, a code, a name or a card."""

from __future__ import annotations

import json
import logging
import random
from typing import Any

import pytest

from referee.games import load_games
from referee.infrastructure import logs
from tests.api import house
from tests.api.house import Person, Table, problem
from tests.api.test_leaks import CHAFF
from tests.api.test_playing import GIVING_UP

NAMES = ("Hedwig Geheim", "Ottokar Verborgen", "Almut Leise")
EVERY = {"event", "level", "timestamp", "method", "rule", "status", "problem", "ms", "request_id"}


def lines(text: str) -> list[dict[str, Any]]:
    """The log, line by line; each has to be JSON."""
    return [json.loads(line) for line in text.splitlines()]


def played(app: Any, game: str, seed: int) -> tuple[Table, list[str]]:
    """A match with everything that people do in it: moves, refusals, dry runs, reads; and every secret in it."""
    anyone, dice = Person(app.test_client()), random.Random(seed)
    chairs = [{"kind": "human"}] * load_games()[game].min_seats
    opened: Any = anyone.post("/v1/matches", {"game": game, "seats": chairs}).json
    codes = [each["code"] for each in opened["invitations"]]
    people = []
    for code, name in zip(codes, NAMES, strict=False):
        joined: Any = anyone.post("/v1/join", {"code": code, "name": name}).json
        people.append(Person(anyone.client, joined["token"]))
    host = Person(anyone.client, opened["token"])
    table = Table(opened["match"], anyone, host, tuple(people), tuple(codes))
    assert host.post(f"{table.path}/start", If_Match=f'"v{table.version}"').status_code == 201
    for _ in range(12):
        seat = next((seat for seat in table.awaited if isinstance(seat, int)), None)
        if seat is None:
            break
        for move in CHAFF[game]:
            people[seat].post(f"{table.path}/seats/{seat}/moves/check", {"move": move})
            people[seat - 1].post(f"{table.path}/seats/{seat}/moves", {"move": move})
        options = [each["move"] for each in table.moves(seat)["legal"]]
        going_on = [move for move in options if move["type"] not in GIVING_UP]
        table.move(seat, dice.choice(going_on or options))
        for path in ("view", f"view?viewer=seat:{seat}", f"entries?viewer=seat:{seat}", "names", "view?viewer=full"):
            people[seat].get(f"{table.path}/{path}")
    secret: Any = host.post(f"{table.path}/invitations", {"role": "arbiter"}).json
    host.get(f"{table.path}/invitations/{secret['id']}/qr.svg")
    anyone.post("/v1/join", {"code": "QQQQQQ", "name": "Nobody At All"})
    anyone.get("/nowhere/Hedwig%20Geheim?token=" + str(host.token))
    tokens = [str(person.token) for person in (host, *people)]
    names = NAMES[: len(people)]
    return table, [*tokens, *codes, secret["code"], secret["id"], "QQQQQQ", "Nobody At All", *names, table.match]


@pytest.mark.parametrize("game", load_games())
def test_a_whole_match_leaves_no_secret_in_the_log(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    app = house.app(LOG_LEVEL="info")
    _, secrets = played(app, game, seed=7)
    written = capsys.readouterr().err
    found = lines(written)
    assert len(found) > 50
    assert all(set(line) == EVERY for line in found)
    for secret in secrets:
        assert secret not in written
    cards = {card["id"] for card in load_games()[game].cards}
    said = {str(value) for line in found for value in line.values()}
    assert not said & cards
    assert not [card for card in cards if len(card) > 5 and card in written]
    rules = {line["rule"] for line in found}
    assert "/v1/matches/<match:match>/seats/<mover:seat>/moves" in rules
    assert None in rules  # of what leads nowhere not even the address is told
    assert {line["problem"] for line in found} >= {"not-your-seat", "unknown-code", "not-found"}


def test_each_line_has_the_id_that_its_answer_has(capsys: pytest.CaptureFixture[str]) -> None:
    anyone = Person(house.app(LOG_LEVEL="info").test_client())
    given = [anyone.get("/v1/games", X_Request_Id="my-own").headers["X-Request-Id"]]
    given += [problem(anyone.get("/nowhere"), 404, "not-found")["request_id"]]
    assert [line["request_id"] for line in lines(capsys.readouterr().err)] == given == ["my-own", given[1]]


@pytest.mark.parametrize(("level", "said"), [("debug", 1), ("info", 1), ("warning", 0), ("error", 0)])
def test_the_level_says_how_much_is_logged(level: str, said: int, capsys: pytest.CaptureFixture[str]) -> None:
    Person(house.app(LOG_LEVEL=level).test_client()).get("/v1/games")
    assert len(capsys.readouterr().err.splitlines()) == said


@pytest.fixture
def captured() -> Any:
    """The log of the whole process in our form, and afterwards as it was."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield logs.configure_logging
    root.handlers[:] = before
    root.setLevel(level)


def test_the_standard_librarys_lines_have_the_same_form(captured: Any, capsys: pytest.CaptureFixture[str]) -> None:
    captured("info")
    logging.getLogger("referee.workers.queue").info("partition %d waits", 7)
    logging.getLogger("referee.workers.queue").debug("nothing of this")
    (line,) = lines(capsys.readouterr().err)
    assert line.pop("timestamp").endswith("Z")
    assert line == {"event": "partition 7 waits", "level": "info", "logger": "referee.workers.queue"}


def test_of_a_fault_its_kind_and_place_are_logged_and_not_its_words(
    captured: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    captured("info")

    def fault() -> None:
        hand = ["lightning"]
        try:
            raise ValueError("sword")
        except ValueError as cause:
            raise KeyError(f"{hand[0]} is not on the table") from cause

    try:
        fault()
    except KeyError:
        logging.getLogger("referee.workers.queue").exception("the bots cannot go on")
    text = capsys.readouterr().err
    (line,) = lines(text)
    assert [each["exc_type"] for each in line["exception"]] == ["KeyError", "ValueError"]
    assert line["exception"][0]["frames"][-1]["name"] == "fault"
    assert "lightning" not in text
    assert "sword" not in text


def test_what_looks_like_a_token_is_struck_out_wherever_it_stands(
    captured: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    captured("debug")
    token = "rfs_" + "aB3-_" * 8 + "xyz"
    try:
        raise RuntimeError(f"refused: {token}")
    except RuntimeError:
        logging.getLogger("anything").exception("asked with %s", token, extra={"token": token})
    text = capsys.readouterr().err
    assert "refused: rfs_…" in text, "on the level for developers a fault says what it is"
    assert token[4:] not in text
