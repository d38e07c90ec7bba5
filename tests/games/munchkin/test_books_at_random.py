"""Books made at random of what the cards of the box say, in cards of other kinds: what passes the check is playable."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from referee.engine.game import Setup
from referee.engine.referee import build_view
from referee.engine.rulebook.editions import CardBookError
from referee.engine.seats import Seat
from referee.games.books import check_book_text, install_book_text
from referee.games.munchkin import GAME
from referee.games.munchkin.card_attributes import KEYS_BY_KIND, KINDS, PLAY_TIMES, TEXT_NAMES
from referee.games.munchkin.components import ENTRIES
from referee.games.munchkin.conditions import SLOTS, TAGS, TOWNS
from referee.games.munchkin.texts.checks import TIMES_BY_KIND
from tests.games.matches import random_match

SAID: list[dict[str, Any]] = json.loads(json.dumps([entry for _, entry in ENTRIES]))
LINES = [entry[name] for entry in SAID for name in TEXT_NAMES if name in entry]
PARTS = {
    key: [entry[key] for entry in SAID if key in entry]
    for key in ("standing", "powers", "requires", "requires_target", "stays")
}
NUMBERS = {"level": 12, "treasures": 4, "levels": 2, "hands": 2, "bonus": 5, "gold": 600}
WORDS = {"town": TOWNS, "slot": SLOTS, "tags": TAGS}


def card(chance: random.Random, number: int) -> dict[str, Any]:
    """A card at random, which may well be none."""
    kind = chance.choice(KINDS)
    made: dict[str, Any] = {"id": f"card_{number}", "kind": kind, "name": f"Card {number}", "text": "It says so."}
    for key in KEYS_BY_KIND[kind]:
        if key == "when":
            made[key] = chance.choice(TIMES_BY_KIND.get(kind, PLAY_TIMES))
        elif key in TEXT_NAMES and (key in ("does", "bad_stuff") or chance.random() < 0.2):
            made[key] = chance.choice(LINES) + (chance.choice(LINES) if chance.random() < 0.3 else [])
        elif key == "powers":
            made[key] = [{**power, "name": f"power_{number}"} for power in chance.choice(PARTS[key])]
        elif key in PARTS and chance.random() < 0.5:
            made[key] = chance.choice(PARTS[key])
        elif key in NUMBERS:
            made[key] = chance.randint(1, NUMBERS[key])
        elif key in WORDS:
            made[key] = chance.choice(WORDS[key])
    return made | ({"bad_text": "It hurts."} if kind == "monster" else {})


def book(name: str, *cards: dict[str, Any]) -> str:
    """The text of a book with these cards."""
    return json.dumps({"book": name, "game": "munchkin", "title": "At random", "extends": "printed", "cards": cards})


def passes(entry: dict[str, Any]) -> bool:
    """Whether a card passes the check."""
    try:
        check_book_text(book("one_card", entry))
    except CardBookError:
        return False
    return True


@pytest.mark.deep
@pytest.mark.parametrize(("seed", "seats", "source"), [(1, 3, "server"), (2, 5, "table"), (3, 6, "server")])
def test_whatever_passes_the_check_is_played_to_the_end(seed: int, seats: int, source: str) -> None:
    chance = random.Random(seed)
    tried = [card(chance, number) for number in range(400)]
    cards = list(filter(passes, tried))
    assert 60 < len(cards) < len(tried)
    edition = install_book_text(book(f"at_random_{seed}", *cards)).edition
    setup = GAME.complete_setup(
        Setup("standard", seats, {"max_turns": 20}, dict.fromkeys(GAME.devices, source), edition=edition)
    )
    for number, turn in enumerate(random_match("munchkin", setup, seed, 4000)):
        for event in turn.events:
            GAME.narration.describe_event(event)
        if number % 20 == 0:
            assert GAME.positions.decode_position(GAME.positions.encode_position(turn.after)) == turn.after
            seen = build_view(turn.after, Seat(number % seats))
            assert GAME.positions.decode_position(GAME.positions.encode_position(seen)) == seen
    assert GAME.find_outcome(turn.after) is not None
