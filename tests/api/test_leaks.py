"""Two worlds that differ only in what a seat cannot see give it the same answers, byte for byte."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from referee.engine.seats import BYSTANDER
from referee.games import load_games
from tests.api import house
from tests.api.house import Person, Table
from tests.api.test_playing import GIVING_UP

pytestmark = pytest.mark.deep

GAMES = [(name, variant) for name, game in load_games().items() for variant in game.variants]
CLOCKS = {"move_ms": 60_000, "window_ms": 20_000}  # what an absent seat would do must not tell either
CHAFF = {
    "creature_crush": [
        {"type": "cc.summon", "card": "hex_toad", "place": "B1", "dice": [3]},
        {"type": "cc.summon", "card": "hex_toad#1", "place": "B2", "dice": [1, 2]},
        {"type": "cc.lay", "card": "recoil", "place": "C1", "dice": [1]},
        {"type": "cc.lay", "card": "recoil#2", "place": "C1", "dice": [6]},
        {"type": "cc.flip", "place": "C1", "card": "sky_bolt"},
        {"type": "cc.attack", "creature": "bone_pup", "dice": [1]},
        {"type": "cc.keep", "cards": ["hex_toad", "recoil", "bone_pup", "sky_bolt"]},
        {"type": "cc.bring_deck", "cards": ["hex_toad"]},
        {"type": "choose.card", "card": "recoil"},
        {"type": "choose.cards", "cards": ["recoil"]},
        {"type": "cc.end_combat"},
        {"type": "cc.pass"},
    ],
    "mau_mau": [
        *({"type": "mm.play", "card": card} for card in ("hearts_7", "clubs_jack", "spades_ace", "nothing", "?")),
        {"type": "mm.wish", "suit": "hearts"},
        {"type": "mm.draw"},
        {"type": "mm.pass"},
    ],
    "monster_combat": [
        {"type": "mc.play", "card": card}
        for card in ("sword", "sword!trigger", "shield", "shield!trigger", "lightning", "thief_1", "nothing", "?")
    ]
    + [{"type": "mc.parry", "card": "shield"}, {"type": "mc.take_it"}, {"type": "mc.pass"}],
    "shy_monsters": [
        {"type": "sm.reveal", "x": 0, "y": 1},
        {"type": "sm.explore", "x": 1, "y": 0},
        {"type": "sm.explore", "x": 1, "y": 0, "attack": True},
        {"type": "sm.jump", "x": 2, "y": 0, "over": {"x": 1, "y": 0}},
        {"type": "sm.claim"},
    ],
    "here_to_slay": [
        *({"type": "hts.play", "card": card} for card in ("bad_axe", "decoy_doll", "critical_boost", "challenge", "?")),
        *(
            {"type": "hts.modify", "card": card, "value": value, "roller": 0}
            for card, value in (("modifier_plus_4", 4), ("modifier_plus_2_minus_2", -2))
        ),
        {"type": "hts.challenge"},
        {"type": "hts.draw"},
        {"type": "hts.attack", "monster": "orthus"},
        {"type": "hts.use_leader"},
        {"type": "choose.card", "card": "challenge"},
        {"type": "choose.cards", "cards": ["challenge", "bad_axe"]},
        {"type": "choose.accept"},
    ],
    "munchkin": [
        *({"type": "mk.play", "card": card} for card in ("os_glitter_bomb", "os_frog_fizz", "curse_ride_bolts", "?")),
        *({"type": "mk.put", "card": card} for card in ("town_easter", "crooked_crown", "ride_sleigh", "puddle_bat")),
        {"type": "mk.look_for_trouble", "monster": "puddle_bat"},
        {"type": "mk.join", "monster": "puddle_bat"},
        {"type": "mk.give", "cards": ["puddle_bat", "os_frog_fizz"]},
        {"type": "mk.sell", "cards": ["os_glitter_bomb", "os_frog_fizz", "os_popping_corn"]},
        {"type": "mk.take", "card": "puddle_bat"},
        {"type": "mk.claim"},
        {"type": "mk.pass"},
        {"type": "choose.card", "card": "puddle_bat"},
        {"type": "choose.cards", "cards": ["puddle_bat", "os_frog_fizz"]},
    ],
}  # moves that might ask the server about what is hidden


def world(game: str, variant: str, moves: int, seed: int, seats: int = 0, **more: Any) -> tuple[Flask, Table]:
    """A match after so many random moves (of the fewest, or so many); the same one for the same numbers."""
    app, dice = house.app(), random.Random(seed)
    table = house.opened(app, game, seats or load_games()[game].min_seats, variant=variant, visibility="public", **more)
    for _ in range(moves):
        awaited = [seat for seat in table.awaited if isinstance(seat, int)]
        if not awaited:
            break
        seat = dice.choice(awaited)
        options = [each["move"] for each in table.moves(seat)["legal"]]
        going_on = [move for move in options if move["type"] not in GIVING_UP]
        assert table.move(seat, dice.choice(going_on or options)).status_code == 201
    return app, table


def changed(app: Flask, table: Table, seat: int, seed: int) -> bool:
    """Makes the world another one that this seat cannot tell from this; whether anything changed."""
    service = app.config["SERVICE"]
    kept = service.repository._cache[table.match]
    match = kept.match
    other = match.rules.tracking.determinize(match.state, seat, random.Random(seed).randrange)
    service.repository._cache[table.match] = kept._replace(match=replace(match, state=other))
    return bool(other != match.state)


def told(answer: TestResponse) -> tuple[Any, ...]:
    """All of an answer that its reader gets."""
    return answer.status_code, sorted(answer.headers.items()), answer.data


def asked(table: Table, game: str, seat: int) -> list[tuple[str, tuple[Any, ...]]]:
    """Everything that a seat (or an onlooker) can ask without changing anything, and the answers."""
    person = table.anyone if seat == BYSTANDER else table.seats[seat]
    own = f"{table.path}/seats/{seat}"
    same = {"X-Request-Id": "same"}
    reads = (
        *("view", "entries?limit=200", "windows?limit=200", "windows?open=true"),
        *("explanation", f"explanation?version={max(1, table.version - 1)}"),
        *("census", "census?place=hand:0&card=sword", "census?place=hand:1&count=3"),
        *(f"entries/{n}/explanation" for n in range(1, table.version + 1)),
    )
    public = (table.path, *(f"{table.path}/{what}" for what in ("view", "names", "windows", "explanation")))
    asked = (*(house.seen_as(f"{table.path}/{what}", seat) for what in reads), *public)
    found = [(path, told(person.get(path, **same))) for path in asked]
    windows: Any = person.get(house.seen_as(f"{table.path}/windows?limit=200", seat)).json
    for window in windows["items"]:
        path = house.seen_as(f"{table.path}/windows/{window['id']}", seat)
        found.append((path, told(person.get(path, **same))))
    if seat == BYSTANDER:
        return found
    found.append(("moves", told(person.get(f"{own}/moves?near=20", **same))))
    legal = [each["move"] for each in table.moves(seat)["legal"]]
    for move in (*CHAFF[game], *legal[:8]):
        dry = person.post(f"{own}/moves/check", {"move": move}, **same)
        found.append((f"dry {move}", told(dry)))
        if move not in legal:
            # `seen` of long ago: what would be granted is overtaken, so nothing is ever written
            refused = person.post(f"{own}/moves", {"move": move, "seen": 1}, Idempotency_Key="same", **same)
            assert refused.status_code == 409
            found.append((f"stale {move}", told(refused)))
    if not table.moves(seat)["awaited"]:
        for move in CHAFF[game]:
            refused = person.post(f"{own}/moves", {"move": move}, Idempotency_Key="same", **same)
            assert refused.status_code == 409, refused.text
            found.append((f"refused {move}", told(refused)))
    return found


@pytest.mark.parametrize(("game", "variant"), GAMES)
@pytest.mark.parametrize("moves", [0, 5, 11])
def test_hidden_cards_change_no_byte_of_any_answer(game: str, variant: str, moves: int) -> None:
    differing = 0
    for seat in (BYSTANDER, *range(load_games()[game].min_seats)):
        house.COUNTERS[0] = iter(range(10**6))
        _, here = world(game, variant, moves, seed=moves, clocks=CLOCKS)
        house.COUNTERS[0] = iter(range(10**6))
        app, there = world(game, variant, moves, seed=moves, clocks=CLOCKS)
        assert here.match == there.match
        differing += changed(app, there, seat, seed=seat)
        for (what, first), (_, second) in zip(asked(here, game, seat), asked(there, game, seat), strict=True):
            assert first == second, (seat, what)
    assert differing, "nothing was hidden, so nothing was tested"


@pytest.mark.parametrize("variant", ["V1", "V2"])
def test_what_others_do_looks_the_same_in_both_worlds(variant: str) -> None:
    compared, game = 0, "monster_combat"
    for moves in range(2, 60, 3):
        house.COUNTERS[0] = iter(range(10**6))
        _, here = world(game, variant, moves, seed=moves, seats=4)
        house.COUNTERS[0] = iter(range(10**6))
        app, there = world(game, variant, moves, seed=moves, seats=4)
        mover = here.awaited[0]
        watcher = (mover + 3) % 4  # the last to be dealt a card again
        changed(app, there, watcher, seed=moves)
        move = next((move for move in legal(here, mover) if move in legal(there, mover)), None)
        if move is None:
            continue
        for table in (here, there):
            assert table.move(mover, move, **{"Idempotency-Key": f"a-key-for-this-{moves}"}).status_code == 201
        if told(view(here, watcher)) != told(view(there, watcher)):
            continue  # he has since been dealt or shown a card, so the worlds differ for him by right
        events = f"/entries?viewer=seat:{watcher}&limit=200"
        since = [table.seats[watcher].get(table.path + events).data for table in (here, there)]
        assert since[0] == since[1]
        compared += 1
        if compared == 3:
            return
    pytest.fail("too seldom did the watcher see the same")


def legal(table: Table, seat: int) -> list[dict[str, Any]]:
    return [each["move"] for each in table.moves(seat)["legal"]]


def view(table: Table, seat: int) -> TestResponse:
    person: Person = table.seats[seat]
    return person.get(f"{table.path}/view?viewer=seat:{seat}", **{"X-Request-Id": "same"})


def test_commitments_are_not_shown_and_receipts_only_to_whoever_writes(table: Table) -> None:
    seat = table.awaited[0]
    done: Any = table.move(seat, legal(table, seat)[0]).json
    assert done["receipt"]
    shown = table.seats[1 - seat].get(f"{table.path}/entries?viewer=seat:{1 - seat}").text
    assert done["receipt"] not in shown
    assert "commitments" not in shown
