"""Creature Crush over HTTP: a chain of three effects, a sealed draft, decks refused, mistakes and how a match ends."""

from __future__ import annotations

import itertools
import json
import re
from typing import Any

import pytest
from flask import Flask

from tests.api import house
from tests.api.house import Table

CHEAP = [
    "spark_imp", "bone_pup", "moss_tick", "lantern_moth", "gutter_rat", "pebble_brute", "thornback", "scrap_crow",
    "cave_scout", "bog_leech", "dusk_bat", "ember_fox", "clay_guard", "hex_toad", "salve_sprite", "grave_beetle",
    "horn_blower", "mirror_newt", "iron_boar",
]  # fmt: skip


def done(table: Table, seat: int | str, move: dict[str, Any], by: int = 0) -> Any:
    """What follows from a move that must be granted, as its maker sees it."""
    answer = table.move(seat, move, table.seats[by] if seat == "chance" else None)
    assert answer.status_code == 201, answer.text
    return answer.json


def refused(table: Table, seat: int | str, move: dict[str, Any]) -> list[str]:
    """The clauses by which a move is refused."""
    by = table.seats[0] if seat == "chance" else None
    answer: Any = house.problem(table.move(seat, move, by), 409, "illegal-move")
    assert answer["ruling"]["verdict"] == "refused"
    assert answer["ruling"]["reason"]["en"] != answer["ruling"]["reason"]["de"]
    return [clause["id"] for clause in answer["ruling"]["clauses"]]


def rolled(table: Table, *pips: int) -> None:
    done(table, "chance", {"type": "chance.rolled", "values": list(pips)})


def view(table: Table, seat: int) -> Any:
    found: Any = table.seats[seat].get(f"{table.path}/view?viewer=seat:{seat}").json
    return found["table"]


def told(answer: Any, lang: str = "en") -> list[str]:
    """What players read about the facts that follow from a move."""
    return [event["told"][lang] for event in answer["entry"]["events"] if event.get("told")]


@pytest.fixture
def at_the_table(app: Flask) -> Table:
    """Two players with real cards and dice; seat 0 begins, with a six and a two."""
    table = house.opened(app, "creature_crush", 2, chance={"dice": "table", "deck": "table"})
    rolled(table, 5)
    rolled(table, 3)
    rolled(table, 6, 2)
    assert table.awaited == [0]
    return table


@pytest.fixture
def league(app: Flask) -> Table:
    """A League match in which both have brought a deck of cheap creatures and one crush card; the dice are real."""
    table = house.opened(app, "creature_crush", 2, variant="league", chance={"dice": "table", "deck": "server"})
    for seat, crush in enumerate(("broken_seal", "pitfall")):
        done(table, seat, {"type": "cc.bring_deck", "cards": [crush, *CHEAP]})
    rolled(table, 6)
    rolled(table, 1)
    rolled(table, 1, 2)
    return table


def lay_when_drawn(table: Table, seats_cards: tuple[str, str], creature: str) -> None:
    """Turn after turn a seat does nothing but lay its card once it is drawn, until seat 0 holds the creature too."""
    waiting = dict(enumerate(seats_cards))
    for turn in range(40):
        seat = turn % 2
        hand = view(table, seat)["zones"][f"hand:{seat}"]
        if not waiting and seat == 0 and f"{creature}#1" in hand:
            return
        if (card := f"{waiting.get(seat)}#{seat + 1}") in hand:
            done(table, seat, {"type": "cc.lay", "card": card, "place": "C2", "dice": [2]})
            del waiting[seat]
        done(table, seat, {"type": "cc.end_combat"})
        done(table, seat, {"type": "cc.end_turn"})
        rolled(table, 1, 2, 4)
    raise AssertionError("the cards never came together")


def test_a_chain_of_three_is_carried_out_backwards_and_the_log_says_by_which_rule(league: Table) -> None:
    table = league
    lay_when_drawn(table, ("broken_seal", "pitfall"), "spark_imp")
    deck = len(view(table, 1)["zones"]["deck/1:"])
    summoned = done(table, 0, {"type": "cc.summon", "card": "spark_imp#1", "place": "B1", "dice": [1]})
    assert summoned["awaits"] == [1]
    flip = {"type": "cc.flip", "place": "C2", "card": "pitfall#2", "about": ""}
    listed = {entry["move"]["type"]: entry for entry in table.moves(1)["legal"]}
    assert listed["cc.flip"]["move"] == flip
    assert listed["cc.flip"]["told"] == {"en": "Flip Pitfall on C2.", "de": "„Fallgrube“ auf C2 flippen."}
    assert "pitfall" not in json.dumps(table.seats[0].get(f"{table.path}/seats/0/situation").json)
    first = done(table, 1, flip)
    assert first["awaits"] == [0]  # the flip is an event with a window of its own
    assert table.moves(0)["question"]["name"] == "response.flipped"
    second = done(table, 0, {"type": "cc.flip", "place": "C2", "card": "broken_seal#1", "about": ""})
    lines = told(second)
    assert lines[1:3] == ["Broken Seal cancels the effect of Pitfall.", "Pitfall goes to hell."]
    assert lines[-1] == "Broken Seal goes to hell."
    assert "„Gebrochenes Siegel“ bricht den Effekt von „Fallgrube“ ab." in told(second, "de")
    assert table.awaited == [0]
    now = view(table, 0)
    assert now["zones"]["B1/0"] == ["spark_imp#1"]
    assert now["damage"] == {}
    assert len(now["zones"]["deck/1:"]) == deck

    version = second["entry"]["version"]
    why: Any = table.seats[1].get(f"{table.path}/entries/{version}/explanation?viewer=seat:1").json
    used = {clause["id"]: clause["used_for"] for clause in why["clauses"]}
    (cancelled,) = [event["n"] for event in why["events"] if event["type"] == "cc.EffectCancelled"]
    assert cancelled in used["CC-CHAIN-5"]  # the newest first
    assert "question" in used["CC-CHAIN-4"]
    entries: Any = table.host.get(f"{table.path}/entries?after={version - 3}").json
    assert [entry["move"]["type"] for entry in entries["items"]] == ["cc.summon", "cc.flip", "cc.flip"]


def test_an_attack_is_stopped_by_a_card_that_is_stopped_in_turn_at_a_real_table(at_the_table: Table) -> None:
    table = at_the_table
    done(table, 0, {"type": "cc.summon", "card": "thornback", "place": "B1", "dice": [2]})
    done(table, 0, {"type": "cc.lay", "card": "?", "place": "C1", "dice": [6]})
    done(table, 0, {"type": "cc.end_combat"})
    done(table, 0, {"type": "cc.end_turn"})
    rolled(table, 4, 4, 1)
    assert done(table, 1, {"type": "cc.lay", "card": "?", "place": "C3", "dice": [1]})["awaits"] == [1]
    assert view(table, 0)["paid"] == {"C1/0:0": 1, "C3/1:1": 1}
    summoned = done(table, 1, {"type": "cc.summon", "card": "knife_goblin", "place": "B1", "dice": [4]})
    assert summoned["awaits"] == [0]  # whatever lies there: it might be an answer
    done(table, 0, {"type": "cc.pass"})
    done(table, 1, {"type": "cc.end_combat"})
    done(table, 1, {"type": "cc.end_turn"})
    rolled(table, 2, 6, 6)
    attack = {"type": "cc.attack", "creature": "thornback", "target": "knife_goblin", "dice": [2]}
    assert done(table, 0, attack)["awaits"] == [1]
    assert refused(table, 1, {"type": "cc.flip", "place": "C3", "card": "overthrow"}) == ["CC-CRUSH-1"]  # three dice
    assert refused(table, 1, {"type": "cc.flip", "place": "C3", "card": "pitfall"}) == ["CC-CRUSH-FLIP-3"]
    done(table, 1, {"type": "cc.flip", "place": "C3", "card": "recoil"})
    assert refused(table, 0, {"type": "cc.flip", "place": "C1", "card": "recoil"})[0] == "CC-CRUSH-FLIP-1"  # lies open
    lines = told(done(table, 0, {"type": "cc.flip", "place": "C1", "card": "broken_seal"}))
    struck = [line for line in lines if "Knife Goblin" in line and "damage" in line]
    assert lines.index("Broken Seal cancels the effect of Recoil.") < lines.index(struck[0])
    assert view(table, 0)["damage"]["knife_goblin"] == 1
    assert view(table, 0)["damage"]["thornback"] == 3  # vengeful


def viewer(table: Table, seat: int) -> str:
    """Everything that a seat can read about a match, with the headers."""
    found = []
    shown = (
        house.seen_as(f"{table.path}/{what}", seat) for what in ("entries?limit=200", "view", "windows", "explanation")
    )
    for path in (*shown, f"{table.path}/seats/{seat}/situation", f"{table.path}/seats/{seat}/moves"):
        answer = table.seats[seat].get(path)
        assert answer.status_code == 200, answer.text
        heads = {name: value for name, value in answer.headers.items() if name not in ("X-Request-Id", "Date")}
        found.append((answer.text, heads))
    return json.dumps(found)


ROOT = re.compile(r'\\?"root\\?":\\?"[0-9a-f]{64}\\?"')


def drafted(app: Flask, choice: int) -> tuple[Table, list[list[str]], list[str]]:
    """A draft in which seat 0 always keeps the four of this number: what it kept, and what seat 1 read meanwhile."""
    table = house.opened(app, "creature_crush", 2, variant="arena", chance={"dice": "table", "deck": "server"})
    kept, seen = [], []
    for _ in range(5):
        assert sorted(table.awaited) == [0, 1]
        ways = [[each["move"] for each in table.moves(seat)["legal"] if "cards" in each["move"]] for seat in (0, 1)]
        assert [len(each) for each in ways] == [35, 35]
        done(table, 0, ways[0][choice])
        kept.append(ways[0][choice]["cards"])
        seen.append(ROOT.sub("", viewer(table, 1)))  # it rests on salted commitments to what the other has kept
        done(table, 1, ways[1][0])
    return table, kept, seen


def test_a_whole_draft_tells_neither_player_what_the_other_keeps() -> None:
    first, second = house.app(), house.app()  # the same match twice, with the same cards dealt
    table, kept, seen = drafted(first, 0)
    house.COUNTERS[0] = itertools.count()
    _, others, meanwhile = drafted(second, 34)
    assert kept[0] != others[0]
    assert seen[0] == meanwhile[0]  # byte for byte, whatever the other has kept
    assert len({card for cards in kept for card in cards}) == 20
    for version in range(table.version + 1):
        entry: Any = table.seats[1].get(f"{table.path}/entries/{version}?viewer=seat:1").json
        if entry.get("move") and entry["seat"] == 0:
            assert entry["move"]["cards"] == ["?"] * 4
        for event in entry.get("events", ()):
            if event["type"] in ("cc.CardsDrafted", "cc.CardsKept", "cc.CardsPutBack") and event["seat"] == 0:
                assert set(event["took"]) | set(event["put"]) == {"?"}
    assert table.awaited == ["chance"]
    assert view(table, 0)["zones"]["deck/0:"] == ["?"] * 20


EVERY = [*CHEAP, "broken_seal"]


@pytest.mark.parametrize(
    ("cards", "clauses"),
    [
        (EVERY[:19], ["CC-PREP-1", "CC-FORMAT-LEAGUE-1"]),
        ([*EVERY, "pitfall"], ["CC-PREP-1", "CC-FORMAT-LEAGUE-1"]),
        ([*EVERY[:19], EVERY[0]], ["CC-FORMAT-LEAGUE-1", "CC-AMB-7"]),
        ([*EVERY[:19], "dragon_of_nowhere"], ["CC-FORMAT-LEAGUE-1"]),
        ([*EVERY[:19], "?"], ["CC-FORMAT-LEAGUE-1"]),
        ([], ["CC-PREP-1", "CC-FORMAT-LEAGUE-1"]),
    ],
    ids=["nineteen", "twenty-one", "twice", "unknown", "a back", "none"],
)
def test_a_league_deck_is_refused_for_its_reason_and_then_accepted(
    app: Flask, cards: list[str], clauses: list[str]
) -> None:
    table = house.opened(app, "creature_crush", 2, variant="league")
    offered = table.moves(0)
    assert offered["cut"]
    (choice,) = offered["pickers"][0]["choices"]
    assert (choice["kind"], len(choice["values"])) == ("several", 100)
    version = table.version
    assert refused(table, 0, {"type": "cc.bring_deck", "cards": cards}) == clauses
    assert table.version == version
    done(table, 0, {"type": "cc.bring_deck", "cards": EVERY})
    assert table.awaited == [1]
    assert "broken_seal" not in json.dumps(table.seats[1].get(f"{table.path}/entries?viewer=seat:1").json)
