"""Card books over HTTP: published once by the operator, listed, read, and played with."""

from __future__ import annotations

import hashlib
import random
import re
from typing import Any

import pytest
from flask import Flask

from referee.eventstore.memory.log import MemoryLog
from tests.api import house
from tests.api.house import Person, Table, problem, publish
from tests.api.test_playing import play
from tests.games.here_to_slay.booked import TEXT as HARBOUR
from tests.games.here_to_slay.booked import forgotten
from tests.service import house as desks

HASH = hashlib.sha256(HARBOUR.encode()).hexdigest()
EDITION = f"harbour_tales@{HASH[:8]}"
BOOKS = "/v1/games/here_to_slay/books"
OPERATOR = "rfs_" + "o" * 43
OWN = (
    *("salty_skipper", "keel_hauler", "lucky_compass", "leaking_boots", "spring_tide", "tail_wind", "harbour_master"),
    "old_kraken",
)
TWO_BOTS = [{"kind": "bot", "level": 0}] * 2


@pytest.fixture
def app() -> Flask:
    """An app whose operator is known."""
    return house.app(IS_OPERATOR=lambda token: token == OPERATOR)


@pytest.fixture
def operator(app: Flask) -> Person:
    return Person(app.test_client(), OPERATOR)


@pytest.fixture
def anyone(app: Flask) -> Person:
    return Person(app.test_client())


def test_a_book_is_published_listed_and_read_as_it_was_sent(operator: Person, anyone: Person) -> None:
    assert anyone.get(BOOKS).json == {"items": [], "next_cursor": None}
    made: Any = publish(operator, "here_to_slay", HARBOUR)
    assert made.status_code == 201, made.text
    assert made.headers["Location"] == f"{BOOKS}/{EDITION}"
    assert (made.json["book"], made.json["edition"], made.json["hash"]) == ("harbour_tales", EDITION, HASH)
    assert (made.json["extends"], made.json["title"]["de"]) == ("printed", "Hafengeschichten")
    assert f"old_kraken@{HASH[:8]}" in made.json["cards"]
    assert anyone.get(BOOKS).json == {"items": [made.json], "next_cursor": None}
    for name in ("harbour_tales", EDITION):
        read = anyone.get(f"{BOOKS}/{name}")
        assert (read.status_code, read.data, read.mimetype) == (200, HARBOUR.encode(), "application/yaml")
        assert read.headers["ETag"] == f'"{HASH}"'
        assert "immutable" in read.headers["Cache-Control"]
        assert anyone.get(f"{BOOKS}/{name}", If_None_Match=f'"{HASH}"').status_code == 304
    for name in ("reef", f"harbour_tales@{'0' * 8}", "harbour_tales@"):
        problem(anyone.get(f"{BOOKS}/{name}"), 404, "unknown-book")
    problem(anyone.get("/v1/games/munchkin/books/harbour_tales"), 404, "unknown-book")


def test_the_same_text_again_is_answered_the_same_and_another_is_refused(operator: Person, anyone: Person) -> None:
    first: Any = publish(operator, "here_to_slay", HARBOUR, Idempotency_Key="one")
    repeated: Any = publish(operator, "here_to_slay", HARBOUR, Idempotency_Key="one")
    assert (first.status_code, repeated.status_code, repeated.json) == (201, 201, first.json)
    assert repeated.headers["Idempotency-Replayed"] == "true"
    again: Any = publish(operator, "here_to_slay", HARBOUR)
    assert (again.status_code, again.json) == (200, first.json)
    problem(
        publish(operator, "here_to_slay", HARBOUR + "# more\n", Idempotency_Key="one"), 422, "idempotency-key-reused"
    )
    taken = problem(publish(operator, "here_to_slay", HARBOUR + "# more\n"), 409, "name-taken")
    assert EDITION in taken["detail"]
    assert "Give the new one another name." in taken["detail"]
    assert anyone.get(f"{BOOKS}/harbour_tales").data == HARBOUR.encode()


def test_only_the_operator_publishes(app: Flask, anyone: Person) -> None:
    table = house.opened(app)
    problem(publish(anyone, "here_to_slay", HARBOUR), 401, "unauthorized")
    for person in (table.host, *table.seats, Person(anyone.client, "rfs_" + "x" * 43)):
        problem(publish(person, "here_to_slay", HARBOUR), 403, "operator-only")
    assert anyone.get(BOOKS).json == {"items": [], "next_cursor": None}


def test_every_error_of_a_book_is_told_with_its_line_and_what_was_meant(operator: Person, anyone: Person) -> None:
    wrong = HARBOUR.replace("class: ranger", "class: rangre").replace("{do: draw, count: 3}", "{do: darw, count: 3}")
    wrong = wrong.replace("  requires: [hero]\n", "")
    refused = problem(publish(operator, "here_to_slay", wrong), 422, "book-malformed")
    told = {(error["line"], error.get("suggestion")) for error in refused["errors"]}
    lines = wrong.splitlines()
    assert told == {
        (lines.index("  class: rangre") + 1, "ranger"),
        (lines.index("    - {do: darw, count: 3}") + 1, "draw"),
        (lines.index("- id: old_kraken") + 1, None),
    }
    assert anyone.get(BOOKS).json == {"items": [], "next_cursor": None}


def test_whatever_is_wrong_with_a_book_is_told_in_german(operator: Person) -> None:
    dice, found = random.Random(51), set[str]()
    odd = (
        "x",
        "-1",
        "9" * 12,
        "[]",
        "{}",
        "true",
        "''",
        "{a: 1}",
        "me",
        "null",
        "1.5",
        "draw",
        "*a",
        "!b c",
        "@",
        "\t-",
    )
    for _ in range(60):
        text = HARBOUR
        for _ in range(4):
            place = dice.choice(list(re.finditer(r"[\w@.-]+", text)))
            text = text[: place.start()] + dice.choice(odd) + text[place.end() :]
        english, german = (
            {
                each["detail"]
                for each in (publish(operator, "here_to_slay", text, Accept_Language=lang).json or {}).get("errors", ())
            }
            for lang in ("en", "de")
        )
        assert not german & english, (text, german & english)
        found |= german
    assert len(found) > 30


def test_the_answer_lists_the_challenges_of_a_book(operator: Person) -> None:
    fair = (
        "book: more_challenges\ngame: here_to_slay\ntitle: More\nextends: printed\ncards:\n"
        "- id: challenge\n  kind: challenge\n  copies: 2\n  name: Challenge\n  text: Challenge a card.\n"
    )
    made: Any = publish(operator, "here_to_slay", fair)
    assert (made.status_code, (made.json or {}).get("cards")) == (201, ["challenge"]), made.text


@pytest.mark.parametrize(
    ("text", "kind", "status", "slug"),
    [
        (b"book: x", "application/json", 415, "book-media-type"),
        (b"book: x", "", 415, "book-media-type"),
        (b"\xff\xfe", "application/yaml", 422, "book-malformed"),
        (b"", "application/yaml", 422, "book-malformed"),
        (b"[" * 5000, "application/yaml", 422, "book-malformed"),
        (b"a: &a [1]\nb: *a\n", "application/yaml", 422, "book-malformed"),
        (b"#" * 1_000_001, "application/yaml", 413, "book-too-large"),
    ],
)
def test_what_is_no_book_is_refused(operator: Person, text: bytes, kind: str, status: int, slug: str) -> None:
    problem(publish(operator, "here_to_slay", text, Content_Type=kind), status, slug)


def test_a_book_goes_to_the_game_that_it_is_for_and_only_where_books_are_taken(operator: Person) -> None:
    problem(publish(operator, "monster_combat", HARBOUR), 409, "no-card-books")
    problem(publish(operator, "chess", HARBOUR), 404, "unknown-game")
    foreign = HARBOUR.replace("game: here_to_slay", "game: here_to_slya")
    refused = problem(publish(operator, "here_to_slay", foreign), 422, "book-malformed")
    assert refused["errors"][0]["suggestion"] == "here_to_slay"


# ---- matches ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["harbour_tales", EDITION])
def test_a_match_names_its_book_and_carries_it(app: Flask, operator: Person, name: str) -> None:
    publish(operator, "here_to_slay", HARBOUR)
    table = house.opened(app, "here_to_slay", edition=name, visibility="public")
    about: Any = table.anyone.get(table.path).json
    assert (about["edition"], about["book"]) == (EDITION, HASH)
    book = table.anyone.get(f"{table.path}/book")
    assert (book.status_code, book.data) == (200, HARBOUR.encode())
    assert table.anyone.get(f"{table.path}/book", If_None_Match=f'"{HASH}"').status_code == 304
    offered = [each["move"] for each in table.moves(table.awaited[0])["legal"]]
    leaders = {move["leader"] for move in offered if "leader" in move}
    assert f"harbour_master@{HASH[:8]}" in leaders


def test_a_match_with_the_game_s_own_cards_has_no_book(table: Table) -> None:
    about: Any = table.host.get(table.path).json
    assert (about["edition"], about["book"]) == ("printed", None)
    problem(table.host.get(f"{table.path}/book"), 404, "unknown-book")


def test_an_edition_that_is_nearly_a_published_one_is_refused_with_its_name(operator: Person, anyone: Person) -> None:
    def told(edition: str) -> str:
        body = {"game": "here_to_slay", "edition": edition, "seats": TWO_BOTS}
        (error,) = problem(anyone.post("/v1/matches", body), 422, "invalid-input")["errors"]
        return f"{error['pointer']}: {error['detail']}"

    name = EDITION.partition("@")[0]
    assert told(f"{name}x") == "/edition: no such edition"
    assert publish(operator, "here_to_slay", HARBOUR).status_code == 201
    assert told(f"{name}x") == told(f"{name}@00000000") == f"/edition: no such edition; did you mean {name}?"
    assert told("nothing_like_it") == "/edition: no such edition"


def test_an_edition_that_is_not_published_is_refused_and_opens_nothing(anyone: Person) -> None:
    for edition in ("reef", EDITION, "printed@00000000"):
        body = {"game": "here_to_slay", "edition": edition, "seats": TWO_BOTS, "visibility": "public"}
        refused = problem(anyone.post("/v1/matches", body), 422, "invalid-input")
        assert [error["pointer"] for error in refused["errors"]] == ["/edition"]
    body = {"game": "monster_combat", "edition": "harbour_tales", "seats": TWO_BOTS}
    problem(anyone.post("/v1/matches", body), 422, "invalid-input")
    for name in ("printed", ""):
        assert (
            anyone.post("/v1/matches", {"game": "here_to_slay", "edition": name, "seats": TWO_BOTS}).status_code == 201
        )


def test_a_match_with_a_book_is_played_to_its_end_and_told_by_the_names_of_its_cards(
    app: Flask, operator: Person
) -> None:
    publish(operator, "here_to_slay", HARBOUR)
    table = house.opened(app, "here_to_slay", edition="harbour_tales", visibility="public")
    play(table, random.Random(7), 4000)
    about: Any = table.anyone.get(table.path).json
    assert (about["status"], about["awaits"]) == ("finished", [])
    told = table.seats[0].get(f"{table.path}/entries?viewer=seat:0&limit=200", Accept="application/x-ndjson").text
    assert f"@{HASH[:8]}" in told
    assert any(name in told for name in ("Salty Skipper", "Keel Hauler", "Lucky Compass", "Spring Tide", "Old Kraken"))


def test_the_cards_of_an_edition_are_listed_and_looked_up(operator: Person, anyone: Person) -> None:
    game = "/v1/games/here_to_slay"
    publish(operator, "here_to_slay", HARBOUR)
    box: Any = anyone.get(game).json
    assert (box["edition"], box["editions"]) == ("printed", ["printed", EDITION])
    printed: Any = anyone.get(f"{game}/cards").json["items"]  # type: ignore[index]
    listed: Any = anyone.get(f"{game}/cards?edition=harbour_tales").json["items"]  # type: ignore[index]
    more = {card["id"] for card in listed} - {card["id"] for card in printed}
    assert more == {f"{card}@{HASH[:8]}" for card in OWN}
    assert next(card["copies"] for card in listed if card["id"] == "challenge") == 16
    one: Any = anyone.get(f"{game}/cards/old_kraken@{HASH[:8]}").json
    assert one["name"] == {"en": "Old Kraken", "de": "Alter Krake"}
    assert "does" not in one
    problem(anyone.get(f"{game}/cards/old_kraken"), 404, "unknown-card")
    statistics: Any = anyone.get(f"{game}/statistics/cards?edition={EDITION}").json
    assert (statistics["edition"], len(statistics["items"])) == (EDITION, len(listed))
    book: Any = anyone.get(f"{game}/rulebook?edition={EDITION}").json
    assert book["edition"] == EDITION
    for path in ("cards", "rulebook", "statistics/cards", "positions"):
        problem(anyone.get(f"{game}/{path}?edition=reef"), 422, "invalid-input")


def test_a_position_of_an_edition_may_call_its_cards_plainly(operator: Person, anyone: Person) -> None:
    game = "/v1/games/here_to_slay"
    publish(operator, "here_to_slay", HARBOUR)
    schema: Any = anyone.get(f"{game}/positions?edition={EDITION}").json["schema"]  # type: ignore[index]
    assert f"old_kraken@{HASH[:8]}" in str(schema["properties"]["row"])
    position = {
        "seats": [
            {"leader": "harbour_master", "hand": ["spring_tide"], "party": ["salty_skipper"]},
            {"hand": 3, "party": []},
        ],
        "row": ["old_kraken", "orthus", "dracos"], "turn": 0, "points": 3,
    }  # fmt: skip
    ask = {"position": position, "seat": 0, "move": {"type": "hts.attack", "monster": f"old_kraken@{HASH[:8]}"}}
    judged: Any = anyone.post(f"{game}/rulings", {**ask, "edition": "harbour_tales"}).json
    assert judged["verdict"] == "granted", judged
    assert judged["after"]["edition"] == EDITION
    within: Any = anyone.post(f"{game}/rulings", {**ask, "position": {**position, "edition": EDITION}}).json
    assert within["after"] == judged["after"]
    counted: Any = anyone.post(
        f"{game}/positions/census", {"position": {**position, "edition": EDITION, "discard": ["spring_tide"] * 2}}
    ).json
    assert [(each["card"], each["copies"]) for each in counted["contradictions"]] == [(f"spring_tide@{HASH[:8]}", 2)]
    problem(anyone.post(f"{game}/rulings", ask), 422, "position-malformed")
    wrong = problem(anyone.post(f"{game}/rulings", {**ask, "edition": "reef"}), 422, "invalid-input")
    assert wrong["errors"][0]["pointer"] == "/edition"


def test_another_process_plays_on_with_a_book_that_it_has_never_seen(
    app: Flask, operator: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(operator, "here_to_slay", HARBOUR)
    table = house.opened(app, "here_to_slay", edition="harbour_tales", visibility="public")
    play(table, random.Random(3), 25)
    seen: Any = table.anyone.get(f"{table.path}/view").json
    log = app.config["SERVICE"].log
    assert isinstance(log, MemoryLog)
    forgotten(monkeypatch)
    other = house.app(desks.service(log))
    anyone, host, *seats = (
        Person(other.test_client(), each.token) for each in (table.anyone, table.host, *table.seats)
    )
    there = Table(table.match, anyone, host, tuple(seats), ())
    assert there.anyone.get(f"{table.path}/view").json == seen
    assert play(there, random.Random(4), 10) == 10
