"""Explanations: what each pair of eyes is told of why an entry is as it is."""

from __future__ import annotations

import random
from typing import Any

import pytest
from flask import Flask

from api.resources.explanations.schemas import ExplanationSchema, MomentSchema
from referee.engine.prompts import TimedOut
from referee.engine.seats import BYSTANDER
from referee.games import load_games
from tests.api import house
from tests.api.house import Table, problem
from tests.api.streaming import ended, moved


def tagged(viewer: int) -> str:
    """What an ETag calls a viewer."""
    return "" if viewer == BYSTANDER else f"-seat{viewer}"


def why(table: Table, n: int, viewer: int = BYSTANDER) -> dict[str, Any]:
    """The explanation of an entry as these eyes get it."""
    person = table.anyone if viewer == BYSTANDER else table.seats[viewer]
    answer = person.get(house.seen_as(f"{table.path}/entries/{n}/explanation", viewer))
    assert answer.status_code == 200, answer.text
    assert answer.headers["ETag"] == f'"v{n}{tagged(viewer)}"'
    told: dict[str, Any] = answer.json  # type: ignore[assignment]
    assert ExplanationSchema().validate(told) == {}
    return told


def test_table_business_is_explained_like_a_move(app: Flask) -> None:
    table = house.opened(app, visibility="public", spectator_delay=0)
    opened, taken, _, started = (why(table, n) for n in (1, 2, 3, 4))
    assert opened["sentence"]["en"].startswith("A table for Monster Combat has been opened, for the rule is: A match")
    assert taken["sentence"] == {
        "en": "Player 1 has sat down, for the rule is: A person may take a free seat that is meant for people; "
        "each seat holds one player or team.",
        "de": "Spieler 1 sitzt jetzt am Tisch, denn es gilt: Wer mitspielt, setzt sich auf einen freien Platz, der für "
        "Menschen bestimmt ist; jeder Platz gehört einer Person oder Gruppe.",
    }
    assert (taken["question"], taken["otherwise"], taken["numbers"]) == (None, None, [])
    cited = [(clause["id"], clause["used_for"]) for clause in taken["clauses"]]
    assert cited == [("TABLE-SEAT-1", ["2.0", "sentence"])]
    assert started["sentence"]["en"].startswith("The match of Monster Combat has begun, for the rule is: The host")
    ended(table)
    assert why(table, table.version)["sentence"]["en"].startswith(
        "The table has abandoned the match, so nobody has won"
    )


def test_what_the_table_does_meanwhile_answers_no_question_of_the_game(table: Table) -> None:
    assert table.seats[0].delete(f"{table.path}/seats/0/player").status_code == 204
    left = table.seats[1].get(f"{table.path}/entries/{table.version}/explanation?viewer=seat:1").json
    assert left["question"] is None  # type: ignore[index]
    assert [clause["id"] for clause in left["clauses"]] == ["TABLE-SEAT-2"]  # type: ignore[index]


@pytest.mark.usefixtures("first_scheme")
def test_only_a_seat_itself_is_told_what_else_it_could_have_done(app: Flask) -> None:
    table = house.opened(app, visibility="public")
    legal: list[Any] = []
    while len(legal) < 2:  # an event may have taken the whole hand
        moved(table)
        seat = table.awaited[0]
        legal = [each["move"] for each in table.moves(seat)["legal"]]
    assert {move["type"] for move in legal} == {"mc.pass", "mc.play"}
    n = table.version + 1
    assert table.move(seat, legal[0]).status_code == 201
    own, other, public = why(table, n, seat), why(table, n, 1 - seat), why(table, n)
    assert [each["move"] for each in own["otherwise"]["legal"]] == legal[1:]
    for told in (other, public):
        assert told["otherwise"]["legal"] is None
        kinds = {each["type"]: each["told"]["en"] for each in told["otherwise"]["kinds"]}
        assert kinds == {"mc.pass": "Play no card.", "mc.play": "Play …."}
        assert told["question"]["awaits"] == [seat]
        assert told["question"]["asks"]["de"] == "Eine Karte spielen oder keine? Nach dir kommt Spieler 2 mit 3 Herzen."
    problem(table.seats[0].get(f"{table.path}/entries/{n}/explanation?viewer=full"), 409, "still-running")
    ended(table)
    full = table.seats[0].get(f"{table.path}/entries/{n}/explanation?viewer=full").json
    assert full["otherwise"]["legal"] == own["otherwise"]["legal"]  # type: ignore[index]


def test_chance_and_what_it_hides_are_explained(app: Flask) -> None:
    table = house.opened(app, visibility="public")
    shuffled = why(table, 5)
    assert (shuffled["seat"], shuffled["move"], shuffled["otherwise"]) == ("chance", None, None)
    assert shuffled["question"]["awaits"] == ["chance"]
    assert shuffled["sentence"]["de"].startswith("Der Nachziehstapel wird gemischt, denn es gilt: ")


def test_an_explanation_comes_as_late_as_the_entry(app: Flask) -> None:
    table = house.opened(app, visibility="public", spectator_delay=3)
    moved(table)
    visible = table.version - 3
    assert why(table, visible)["version"] == visible
    for beyond in (visible + 1, table.version, table.version + 1):
        problem(table.anyone.get(f"{table.path}/entries/{beyond}/explanation"), 404, "unknown-version")
    assert why(table, table.version, 0)
    known = table.anyone.get(f"{table.path}/entries/{visible}/explanation", If_None_Match=f'"v{visible}"')
    assert known.status_code == 304


def test_the_clock_is_explained(app: Flask) -> None:
    settings = {"window_ms": 2_000}
    table = house.opened(app, "here_to_slay", visibility="public", settings=settings)
    dice, service = random.Random(1), app.config["SERVICE"]
    for _ in range(200):
        if "clock" in table.awaited:
            break
        moved(table, dice)
    else:
        pytest.fail("no window opened")
    loaded = service.load_match(table.match)
    service.log.advance_clock(2_100)
    now = service.load_match(table.match)
    assert now.version > loaded.version
    told = why(table, loaded.version + 1)
    assert (told["seat"], told["actor"], told["otherwise"]) == ("clock", {"kind": "clock"}, None)
    assert told["move"]["move"] == {"type": TimedOut.TAG}
    assert told["sentence"]["en"].startswith("The time to answer is up. ")
    assert "clock" in told["question"]["awaits"]


def test_a_challenge_is_told_line_by_line(app: Flask) -> None:
    for seed in range(40):
        house.COUNTERS[0] = iter(range(10**6))
        table = house.opened(app, "here_to_slay", 3, visibility="public", settings={"free_roll_counts": True})
        found = challenged(table, seed)
        if found is not None:
            break
        app = house.app()
    else:
        pytest.fail("no challenge with a modifier came about")
    told = why(table, found)
    rolls = [number for number in told["numbers"] if "'s roll in all" in number["says"]["en"]]
    assert len(rolls) == 2
    for roll in rolls:
        assert roll["value"] == sum(part["value"] for part in roll["parts"])
        assert [part["clause"] for part in roll["parts"][:2]] == ["HTS-ROLL-1"] * 2
    assert any(part["clause"] == "HTS-MOD-3" and part["card"] for roll in rolls for part in roll["parts"])
    against = next(number for number in told["numbers"] if number["clause"] == "HTS-CHAL-7")
    assert against["value"] == rolls[0]["value"]
    lost = rolls[0]["value"] >= rolls[1]["value"]
    used = {clause["id"] for clause in told["clauses"]}
    assert ("HTS-CHAL-8" in used) == lost
    assert ("is stopped" in told["sentence"]["en"]) == lost
    for lang in ("en", "de"):
        assert str(rolls[0]["value"]) in told["sentence"][lang]
    cards = {card["id"] for card in load_games()["here_to_slay"].cards}
    assert {part["card"] for roll in rolls for part in roll["parts"] if part["card"]} <= cards


def challenged(table: Table, seed: int) -> int | None:
    """Plays until a challenge with a modifier is settled; that entry. None: it did not come to it."""
    dice, modified = random.Random(seed), False
    for _ in range(120):
        seat = next((seat for seat in table.awaited if isinstance(seat, int)), None)
        if seat is None:
            return None
        options = [each["move"] for each in table.moves(seat)["legal"]]
        wanted = [move for move in options if move["type"] in ("hts.challenge", "hts.modify")]
        going_on = [move for move in options if move["type"] != "hts.leave"]
        done: Any = table.move(seat, dice.choice(wanted or going_on)).json
        for entry in (done["entry"], *done["followed"]):
            kinds = [event["type"] for event in entry["events"]]
            if "hts.ChallengeDeclared" in kinds:
                modified = False
            modified = modified or "hts.ModifierPlayed" in kinds
            compared = [event for event in entry["events"] if event.get("outcome") == "compared"]
            if compared and modified:
                return int(entry["version"])
    return None


# ---- how things stand ----------------------------------------------------------------------------------------


def stands(table: Table, viewer: int = BYSTANDER, version: int | None = None) -> dict[str, Any]:
    """How things stand for these eyes, now or at a version."""
    person = table.anyone if viewer == BYSTANDER else table.seats[viewer]
    query = "" if version is None else f"?version={version}"
    answer = person.get(house.seen_as(f"{table.path}/explanation{query}", viewer))
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json  # type: ignore[assignment]
    assert answer.headers["ETag"] == f'"v{told["version"]}{tagged(viewer)}"'
    assert MomentSchema().validate(told) == {}
    return told


def kinds_of(told: dict[str, Any], seat: int) -> set[str]:
    """The kinds of move that a seat could make, as it is told."""
    (mine,) = [each["kinds"] for each in told["could"] if each["seat"] == seat]
    return {kind["type"] for kind in mine}


def test_before_the_start_and_after_the_end_nothing_stands(app: Flask) -> None:
    table = house.opened(app, visibility="public", spectator_delay=0)
    last = table.version
    assert stands(table, version=3) == {"version": 3, "question": None, "sums": [], "could": []}  # the start is the 4th
    problem(table.seats[0].get(f"{table.path}/explanation?viewer=full"), 409, "still-running")
    ended(table)
    assert {**stands(table), "version": 0} == {"version": 0, "question": None, "sums": [], "could": []}
    full = table.seats[0].get(f"{table.path}/explanation?viewer=full&version={last}").json
    assert full["version"] == last  # type: ignore[index]
    assert full["question"]["awaits"] == stands(table, version=last)["question"]["awaits"]  # type: ignore[index]


def test_a_seat_is_told_its_legal_kinds_and_of_others_what_may_be(app: Flask) -> None:
    table = house.opened(app, visibility="public")
    legal: set[str] = set()
    while legal != {"mc.pass", "mc.play"}:  # an event may have taken the whole hand
        moved(table)
        (seat,) = table.awaited
        legal = {each["move"]["type"] for each in table.moves(seat)["legal"]}
    own, other, public = stands(table, seat), stands(table, 1 - seat), stands(table)
    assert kinds_of(own, seat) == kinds_of(other, seat) == kinds_of(public, seat) == legal
    (held,) = (each["kinds"] for each in public["could"])
    assert {kind["told"]["de"] for kind in held} == {"Keine Karte spielen.", "… spielen."}
    for told in (own, other, public):
        assert told["question"]["awaits"] == [seat]
        assert (told["version"], told["sums"]) == (table.version, [])


def test_how_things_stand_comes_as_late_to_onlookers_as_the_log(app: Flask) -> None:
    table = house.opened(app, visibility="public", spectator_delay=3)
    moved(table)
    told = stands(table)
    assert told["version"] == table.version - 3
    problem(table.anyone.get(f"{table.path}/explanation?version={table.version}"), 404, "unknown-version")
    assert stands(table, 0)["version"] == table.version
    known = table.anyone.get(f"{table.path}/explanation", If_None_Match=f'"v{told["version"]}"')
    assert (known.status_code, known.data) == (304, b"")
    problem(table.anyone.get(f"{table.path}/explanation?version=x"), 422, "invalid-input")


def test_an_open_roll_stands_line_by_line_as_it_is_settled_later(app: Flask) -> None:
    for seed in range(40):
        house.COUNTERS[0] = iter(range(10**6))
        table = house.opened(app, "here_to_slay", 3, visibility="public", settings={"free_roll_counts": True})
        found = challenged(table, seed)
        if found is not None:
            break
        app = house.app()
    else:
        pytest.fail("no challenge with a modifier came about")
    now = {viewer: stands(table, viewer, found - 1) for viewer in (BYSTANDER, 0, 1, 2)}
    rolls = now[BYSTANDER]["sums"]
    assert len(rolls) == 2
    assert all(told["sums"] == rolls for told in now.values())
    settled = [each for each in why(table, found)["numbers"] if "'s roll in all" in each["says"]["en"]]
    assert [(roll["value"], roll["parts"]) for roll in rolls] == [(roll["value"], roll["parts"]) for roll in settled]
    assert any(part["clause"] == "HTS-MOD-3" and part["card"] for roll in rolls for part in roll["parts"])
    asked = now[BYSTANDER]["question"]
    waited = [seat for seat in asked["awaits"] if isinstance(seat, int)]
    for seat in waited:
        assert kinds_of(now[BYSTANDER], seat) >= {"hts.modify", "hts.pass"}
        assert kinds_of(now[seat], seat) <= kinds_of(now[BYSTANDER], seat)
