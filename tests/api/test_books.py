"""The boxes, the books and rulings without a match."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from flask import Flask
from jsonschema_rs import Draft202012Validator

from referee.engine.codec import encode
from referee.engine.referee import sample_legal_move, seats_that_must_act
from referee.engine.rulebook.book import KERNEL_RULEBOOK
from referee.games import load_games
from tests.api.examples import SOME, check_ruling, spread_out
from tests.api.house import Person, problem

GAMES = list(load_games())


@pytest.fixture
def anyone(app: Flask) -> Person:
    return Person(app.test_client())


def test_all_games_are_listed(anyone: Person) -> None:
    listed: Any = anyone.get("/v1/games").json
    assert [box["name"] for box in listed["items"]] == GAMES
    for box in listed["items"]:
        assert anyone.get(f"/v1/games/{box['name']}").json == box
        jsonschema_rs.meta.validate(box["settings"])
        contract: Any = anyone.get("/openapi.json").json
        for move in box["moves"]:
            assert move["schema"]["$ref"].rpartition("/")[2] in contract["components"]["schemas"]
            assert move["description"]
    problem(anyone.get("/v1/games/chess"), 404, "unknown-game")


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_that_a_written_position_does_not_have_is_told_where_it_stands(anyone: Person, name: str) -> None:
    game = load_games()[name]
    for variant in game.variants:
        examples = [
            (position, game.positions.decode_position(position)) for position in game.positions.build_examples(variant)
        ]
        position, state, seat = next(
            (p, s, min(seats_that_must_act(s))) for p, s in examples if min(seats_that_must_act(s), default=-1) >= 0
        )
        seats = game.count_seats(state)
        assert game.min_seats <= seats <= game.max_seats
        body = {"variant": variant, "position": position, "move": encode(sample_legal_move(state, seat, lambda _: 0))}
        for wrong in (seats, 19):
            refused = problem(anyone.post(f"/v1/games/{name}/rulings", {**body, "seat": wrong}), 422, "invalid-input")
            assert [error["pointer"] for error in refused["errors"]] == ["/seat"]
        assert anyone.post(f"/v1/games/{name}/rulings", {**body, "seat": seats - 1}).status_code == 200


@pytest.mark.parametrize("game", GAMES)
def test_the_book(anyone: Person, game: str) -> None:
    book: Any = anyone.get(f"/v1/games/{game}/rulebook").json
    inside = [clause for chapter in book["chapters"] for clause in chapter["items"]]
    ids = {clause["id"] for clause in inside}
    assert len(ids) == len(inside) > 20
    books, book_of = {load_games()[game].prefix.upper(), "TABLE", "KERNEL"}, load_games()[game].rulebook
    if book_of.base is not KERNEL_RULEBOOK:
        books.add("CARDS")  # games with card texts share the clauses of their language
    assert {name.partition("-")[0] for name in ids} == books
    assert all(clause["says"]["en"] and clause["says"]["de"] for clause in inside)
    one = inside[0]
    assert anyone.get(f"/v1/games/{game}/clauses/{one['id']}").json == one
    found: Any = anyone.get(f"/v1/games/{game}/clauses?q={one['id'].lower()}").json
    assert one in found["items"]
    chapter = book["chapters"][0]["chapter"]["de"]
    of_chapter: Any = anyone.get(f"/v1/games/{game}/rulebook?chapter={chapter}").json
    assert of_chapter["chapters"] == book["chapters"][:1]
    assert anyone.get(f"/v1/games/{game}/clauses?q=qqqqqq").json == {"items": []}
    problem(anyone.get(f"/v1/games/{game}/clauses/XX-1"), 404, "unknown-clause")
    problem(anyone.get(f"/v1/games/{game}/rulebook?edition=other"), 422, "invalid-input")


@pytest.mark.parametrize("game", GAMES)
def test_the_cards(anyone: Person, game: str) -> None:
    listed: Any = anyone.get(f"/v1/games/{game}/cards").json
    assert len(listed["items"]) == len(load_games()[game].cards) > 2
    one = listed["items"][0]
    assert anyone.get(f"/v1/games/{game}/cards/{one['id']}").json == one
    kind: Any = anyone.get(f"/v1/games/{game}/cards?kind={one['kind']}").json
    assert one in kind["items"]
    assert all(card["kind"] == one["kind"] for card in kind["items"])
    named: Any = anyone.get(f"/v1/games/{game}/cards?q={one['name']['de'].upper()}").json
    assert one in named["items"]
    if one.get("clauses"):
        resting: Any = anyone.get(f"/v1/games/{game}/clauses?card={one['id']}").json
        assert {clause["id"] for clause in resting["items"]} == set(one["clauses"])
    problem(anyone.get(f"/v1/games/{game}/cards/joker"), 404, "unknown-card")


@pytest.mark.parametrize("game", GAMES)
def test_coverage_and_bots(anyone: Person, game: str) -> None:
    coverage: Any = anyone.get(f"/v1/games/{game}/coverage").json
    assert coverage["clauses"] == len(coverage["items"])
    assert coverage["tested"] == sum(bool(each["tests"]) for each in coverage["items"])
    bots: Any = anyone.get(f"/v1/games/{game}/bots").json
    assert [bot["level"] for bot in bots["items"]] == [0, 1, 2, 3]
    greedy = bots["items"][1]
    assert greedy["measured_strength"]
    assert {row["variant"] for row in greedy["measured_strength"]} == set(load_games()[game].variants)


@pytest.mark.parametrize(("game", "variant"), [(name, v) for name, game in load_games().items() for v in game.variants])
def test_every_example_position_fits_its_schema_and_can_be_ruled_on(anyone: Person, game: str, variant: str) -> None:
    told: Any = anyone.get(f"/v1/games/{game}/positions?variant={variant}").json
    assert told["variant"] == variant
    validator = Draft202012Validator(told["schema"])
    for position in told["examples"]:
        assert not [*validator.iter_errors(position)]
        census: Any = anyone.post(f"/v1/games/{game}/positions/census", {"position": position}).json
        assert census["possible"] is True
    move = {
        "monster_combat": {"type": "mc.play", "card": "sword"},
        "shy_monsters": {"type": "sm.concede"},
        "here_to_slay": {"type": "hts.attack", "monster": "orthus"},
        "munchkin": {"type": "mk.look_for_trouble", "monster": "puddle_bat"},
        "creature_crush": {"type": "cc.end_combat"},
        "mau_mau": {"type": "mm.pass"},
    }[game]
    verdicts = set()
    for position in spread_out(told["examples"], SOME):  # test_position_forms.py has rulings on all of them
        for seat in (0, 1, "chance"):
            asked = {"position": position, "seat": seat, "move": move}
            ruled = anyone.post(f"/v1/games/{game}/rulings", asked)
            assert ruled.status_code == 200, ruled.text
            ruling: Any = ruled.json
            check_ruling(anyone, game, asked, ruling)
            assert (ruling["after"] is not None) == (ruling["verdict"] == "granted")
            verdicts.add(ruling["verdict"])
    assert "refused" in verdicts
    problem(anyone.get(f"/v1/games/{game}/positions?variant=none"), 422, "invalid-input")


def position(**changes: Any) -> dict[str, Any]:
    """A simple position of Monster Combat."""
    return {
        "players": [
            {"hearts": 3, "immune": False, "hand": ["sword", "shield"]},
            {"hearts": 2, "immune": False, "hand": 4},
        ],
        "turn": 0, "direction": "clockwise", "question": {"asks": "play"}, **changes,
    }  # fmt: skip


SWORD = {"type": "mc.play", "card": "sword"}


def judge(anyone: Person, **body: Any) -> Any:
    return anyone.post("/v1/games/monster_combat/rulings", body, Idempotency_Key="")


def test_a_ruling_on_a_written_position(anyone: Person) -> None:
    granted: Any = judge(anyone, variant="V1", position=position(skipped=None), seat=0, move=SWORD).json
    assert granted["verdict"] in ("granted", "undecided")
    refused: Any = judge(anyone, variant="V1", position=position(), seat=0, move={**SWORD, "card": "shield"}).json
    assert refused["verdict"] == "refused"
    assert refused["reason"]["de"]
    assert refused["events"] == []
    assert refused["after"] is None
    other: Any = judge(anyone, variant="V1", position=position(), seat=1, move=SWORD).json
    assert other["verdict"] == "refused"


def test_positions_that_cannot_be(anyone: Person) -> None:
    crowd = [{"hearts": 3, "hand": ["sword"] * 12}, {"hearts": 3, "hand": ["sword"] * 12}]
    impossible = problem(
        judge(anyone, variant="V1", position=position(players=crowd), seat=0, move=SWORD), 409, "position-impossible"
    )
    assert impossible["errors"][0]["clause"]
    counted: Any = anyone.post(
        "/v1/games/monster_combat/positions/census", {"variant": "V1", "position": position(players=crowd)}
    ).json
    assert counted["possible"] is False
    assert counted["contradictions"]
    assert counted["recounts"]


@pytest.mark.parametrize(
    ("body", "slug"),
    [
        ({"position": position(nonsense=1), "seat": 0, "move": SWORD, "variant": "V1"}, "position-malformed"),
        ({"position": position(turn="zero"), "seat": 0, "move": SWORD, "variant": "V1"}, "position-malformed"),
        ({"position": {}, "seat": 0, "move": SWORD, "variant": "V1"}, "position-malformed"),
        ({"position": position(), "seat": 0, "move": SWORD, "variant": "V9"}, "invalid-input"),
        ({"position": position(variant=["V1"]), "seat": 0, "move": SWORD}, "invalid-input"),
        ({"position": [], "seat": 0, "move": SWORD}, "invalid-input"),
        ({"position": position(turn=0.5), "seat": 0, "move": SWORD}, "invalid-input"),
        ({"position": position(), "seat": "dealer", "move": SWORD}, "invalid-input"),
        ({"position": position(), "seat": -1, "move": SWORD}, "invalid-input"),
        ({"position": position(), "seat": True, "move": SWORD}, "invalid-input"),
        ({"position": position(), "seat": 0, "move": {"type": "sm.concede"}}, "invalid-input"),
        ({"position": position(), "seat": 0}, "invalid-input"),
    ],
)
def test_what_is_no_question(anyone: Person, body: dict[str, Any], slug: str) -> None:
    assert problem(anyone.post("/v1/games/monster_combat/rulings", body), 422, slug)["errors"]


def test_a_position_nested_too_deeply(anyone: Person) -> None:
    deep: Any = []
    for _ in range(100):
        deep = [deep]
    problem(judge(anyone, position=position(players=deep), seat=0, move=SWORD), 422, "invalid-input")


BARE: Any = {"players": [{}, {}]}
TURNED_UP = {"type": "chance.turned_up", "card": "clubs_7"}
PICKED = {"type": "chance.picked", "cards": ["clubs_7"]}
DRAW = {"asks": "draw", "seat": 1, "count": 1, "why": "turn"}


@pytest.mark.parametrize(
    ("game", "position", "seat", "move", "status"),
    [
        ("mau_mau", {**BARE, "question": {"asks": "first_card"}}, "chance", TURNED_UP, 422),
        ("mau_mau", {**BARE, "cards": "table", "named": [1], "question": DRAW}, "chance", PICKED, 422),
        (
            "mau_mau",
            {**BARE, "cards": "table", "named": [1], "draw_pile": ["hearts_9", "clubs_7"], "question": DRAW},
            "chance",
            PICKED,
            200,
        ),
        ("mau_mau", {**BARE, "draw_pile": [], "question": {"asks": "first_card"}}, "chance", TURNED_UP, 409),
        ("monster_combat", {**BARE, "variant": "V1", "question": {"asks": "play"}}, 0, {"type": "mc.pass"}, 422),
        ("monster_combat", {**BARE, "variant": "V1", "question": {"asks": "draw"}}, 0, {"type": "mc.pass"}, 200),
        (
            "monster_combat",
            {**BARE, "variant": "V1", "question": {"asks": "discard_down"}},
            0,
            {"type": "mc.pass"},
            422,
        ),
    ],
)
def test_of_a_position_that_says_too_little_the_facts_are_asked_for_unless_the_move_is_refused(
    anyone: Person, game: str, position: Any, seat: Any, move: Any, status: int
) -> None:
    found = anyone.post(f"/v1/games/{game}/rulings", {"position": position, "seat": seat, "move": move})
    assert found.status_code == status, found.json
    if status == 200:
        assert found.json["verdict"] in ("undecided", "refused")  # type: ignore[index]
    if status == 422:
        assert found.json["type"] == "/problems/facts-missing"  # type: ignore[index]
        assert found.json["errors"]  # type: ignore[index]
