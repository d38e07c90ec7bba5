"""The part of the guide to card books that is about this game: all of it is there, and what it shows can be played."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.cardscript.language.builtins import COMMON_VOCABULARY
from referee.engine.codec import encode
from referee.engine.events import Move, apply_events
from referee.engine.game import Setup
from referee.engine.referee import (
    build_view,
    draw_chance_move,
    play_move,
    resolve_pending_steps,
    sample_legal_move,
    seats_that_must_act,
)
from referee.engine.seats import CHANCE, Seat
from referee.games.books import install_book_text
from referee.games.creature_crush import GAME
from referee.games.creature_crush.card_attributes import (
    ABILITY_RECEIVERS,
    AMBIENT_NAMES,
    CREATURE_TEXTS,
    FLIP_EVENTS,
    KEYS_BY_KIND,
    KEYWORDS,
    NUMERIC_ABILITIES,
    SWITCH_ABILITIES,
)
from referee.games.creature_crush.components import DECK_SIZE, SEATS, strip_copy_number
from referee.games.creature_crush.conditions import CONDITION_WORDS
from referee.games.creature_crush.moves import BringDeck
from referee.games.creature_crush.rules.decks import BringingDecks, list_deck_cards
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts.books import LEAST_CARDS
from referee.games.creature_crush.texts.vocabulary import VOCABULARY

SECTION = (Path(__file__).parents[3] / "referee/cardscript/guides/creature_crush.md").read_text("utf-8")
(TEXT,) = re.findall(r"^```yaml\n(.*?)^```$", SECTION, re.M | re.S)
SAID = SECTION.replace(TEXT, "")
(MISTAKES,) = re.findall(r"^```\n(.*?)^```$", SECTION.split("Typical mistakes")[1], re.M | re.S)
UNSAID = {
    "go_back",
    "again",
    "alternative",
    "special",
}  # what games add to texts by themselves, and functions, of which this has none
LONGEST = 4000


def test_the_guide_names_every_verb_noun_and_parameter() -> None:
    tables = "\n".join(line for line in SAID.splitlines() if line.startswith("|"))
    for word, kind in VOCABULARY.effects.items():
        if word in UNSAID:
            continue
        assert f"`{word}`" in tables, word
        if word in COMMON_VOCABULARY.effects:
            continue
        (line,) = (each for each in tables.splitlines() if each.startswith(f"| `{word}`"))
        for parameter in {part.name for part in fields(kind)} - {"noun", "called"}:
            assert re.search(rf"`{parameter}\b", line), (word, parameter)
    for word, noun in VOCABULARY.selectors.items():
        assert f"| `{word}: {{{', '.join(part.name for part in fields(noun))}}}`" in tables


def test_the_guide_names_every_condition_event_and_standing_value() -> None:
    said = SAID.replace("\n  ", " ")
    for word in (
        *FLIP_EVENTS,
        *NUMERIC_ABILITIES,
        *SWITCH_ABILITIES,
        *ABILITY_RECEIVERS,
        *(name for names in AMBIENT_NAMES.values() for name in names),
    ):
        assert f"`{word}`" in said, word
    for word in CONDITION_WORDS:
        assert f"`{word}" in said or f"`{word.partition('_')[0]}`" in said, word
    assert f"at\nleast {LEAST_CARDS}" in SECTION


def test_the_guide_has_a_card_for_everything_that_a_card_can_say() -> None:
    entries = install_book_text(TEXT).entries
    shown = {key for entry in entries for key in entry}
    assert {key for keys in KEYS_BY_KIND.values() for key in keys} <= shown
    assert set(CREATURE_TEXTS) <= shown
    assert {word for entry in entries for word in entry.get("keywords", ())} | {"sluggish"} == set(KEYWORDS)
    assert any(not set(entry) & {*CREATURE_TEXTS, "standing", "keywords", "flip"} for entry in entries)
    assert any(entry["kind"] == "crush" and "flips_when" not in entry for entry in entries)
    assert {key for entry in entries for key in entry.get("flips_when", ())} == {"event", "that"}
    assert [entry["id"] for entry in entries if entry["cost"] == "X"] == ["spring_tide"]


def decks(state: Table, own: list[str]) -> Move:
    """A deck with all cards of the book."""
    others = [card for card in list_deck_cards(state) if card not in own]
    return BringDeck(tuple((own + others)[:DECK_SIZE]))


@pytest.mark.parametrize(("variant", "seed"), [("skirmish", 1), ("arena", 2), ("league", 3), ("league", 4)])
def test_the_book_of_the_guide_is_played_to_the_end(variant: str, seed: int) -> None:
    book, below = install_book_text(TEXT), Random(seed).randrange
    own, summoned, moves = [book.card_id(entry["id"]) for entry in book.entries], set[str](), 0
    opened: Any = GAME.build_table(GAME.complete_setup(Setup(variant, 2, edition=book.edition)))
    state: Table = apply_events(opened, resolve_pending_steps(opened))
    while state.agenda:
        seats = seats_that_must_act(state)
        seat = CHANCE if CHANCE in seats else min(seats)
        move = draw_chance_move(state, below) if seat == CHANCE else sample_legal_move(state, seat, below)
        if isinstance(state.agenda[-1], BringingDecks):
            move = decks(state, own)
        assert move is not None
        state = apply_events(state, play_move(state, seat, move))
        summoned |= {strip_copy_number(card) for card in state.places_by_creature} & set(own)
        if not moves % 20:
            seen = build_view(state, Seat(moves // 20 % len(SEATS)))
            assert GAME.positions.decode_position(GAME.positions.encode_position(seen)) == seen
            assert encode(state)
        moves += 1
        assert moves < LONGEST
    assert GAME.find_outcome(state) is not None
    assert len(summoned) > (6 if variant == "league" else 0)
