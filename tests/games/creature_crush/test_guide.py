"""The part of the guide to card books that is about this game: all of it is there, and what it shows can be played."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.cardscript.language.builtins import COMMON
from referee.engine.codec import encode
from referee.engine.events import Move, fold
from referee.engine.game import Setup
from referee.engine.referee import awaited, drawn, play, sampled, settle, view
from referee.engine.seats import CHANCE, Seat
from referee.games.books import installed
from referee.games.creature_crush import GAME
from referee.games.creature_crush.card_attributes import (
    BY_KIND,
    EVENTS,
    KEYWORDS,
    NAMES,
    NUMBERED,
    OF_CREATURES,
    SWITCHES,
    WHOM,
)
from referee.games.creature_crush.components import DECK_SIZE, SEATS, plain
from referee.games.creature_crush.conditions import KNOWN
from referee.games.creature_crush.moves import BringDeck
from referee.games.creature_crush.rules.decks import BringingDecks, designs
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts.books import LEAST
from referee.games.creature_crush.texts.vocabulary import WORDS

GUIDE = (Path(__file__).parents[3] / "referee/cardscript/GUIDE.md").read_text("utf-8")
SECTION = GUIDE.split("## Creature Crush\n")[1].split("\n## ")[0]
(TEXT,) = re.findall(r"^```yaml\n(.*?)^```$", SECTION, re.M | re.S)
SAID = SECTION.replace(TEXT, "")
(MISTAKES,) = re.findall(r"^```\n(.*?)^```$", SECTION.split("Typical mistakes")[1], re.M | re.S)
UNSAID = {"go_back", "again", "special"}  # what games add to texts by themselves, and functions, of which this has none
LONGEST = 4000


def test_the_guide_names_every_verb_noun_and_parameter() -> None:
    tables = "\n".join(line for line in SAID.splitlines() if line.startswith("|"))
    for word, kind in WORDS.words.items():
        if word in UNSAID:
            continue
        assert f"`{word}`" in tables, word
        if word in COMMON.words:
            continue
        (line,) = (each for each in tables.splitlines() if each.startswith(f"| `{word}`"))
        for parameter in {part.name for part in fields(kind)} - {"noun", "called"}:
            assert re.search(rf"`{parameter}\b", line), (word, parameter)
    for word, noun in WORDS.nouns.items():
        assert f"| `{word}: {{{', '.join(part.name for part in fields(noun))}}}`" in tables


def test_the_guide_names_every_condition_event_and_standing_value() -> None:
    said = SAID.replace("\n  ", " ")
    for word in (*EVENTS, *NUMBERED, *SWITCHES, *WHOM, *(name for names in NAMES.values() for name in names)):
        assert f"`{word}`" in said, word
    for word in KNOWN:
        assert f"`{word}" in said or f"`{word.partition('_')[0]}`" in said, word
    assert f"at\nleast {LEAST}" in SECTION


def test_the_guide_has_a_card_for_everything_that_a_card_can_say() -> None:
    entries = installed(TEXT).entries
    shown = {key for entry in entries for key in entry}
    assert {key for keys in BY_KIND.values() for key in keys} <= shown
    assert set(OF_CREATURES) <= shown
    assert {word for entry in entries for word in entry.get("keywords", ())} | {"sluggish"} == set(KEYWORDS)
    assert any(not set(entry) & {*OF_CREATURES, "standing", "keywords", "flip"} for entry in entries)
    assert any(entry["kind"] == "crush" and "flips_when" not in entry for entry in entries)
    assert {key for entry in entries for key in entry.get("flips_when", ())} == {"event", "that"}
    assert [entry["id"] for entry in entries if entry["cost"] == "X"] == ["spring_tide"]


def decks(state: Table, own: list[str]) -> Move:
    """A deck with all cards of the book."""
    others = [card for card in designs(state) if card not in own]
    return BringDeck(tuple((own + others)[:DECK_SIZE]))


@pytest.mark.parametrize(("variant", "seed"), [("skirmish", 1), ("arena", 2), ("league", 3), ("league", 4)])
def test_the_book_of_the_guide_is_played_to_the_end(variant: str, seed: int) -> None:
    book, below = installed(TEXT), Random(seed).randrange
    own, summoned, moves = [book.called(entry["id"]) for entry in book.entries], set[str](), 0
    opened: Any = GAME.open(GAME.set_up(Setup(variant, 2, edition=book.edition)))
    state: Table = fold(opened, settle(opened))
    while state.agenda:
        seats = awaited(state)
        seat = CHANCE if CHANCE in seats else min(seats)
        move = drawn(state, below) if seat == CHANCE else sampled(state, seat, below)
        if isinstance(state.agenda[-1], BringingDecks):
            move = decks(state, own)
        assert move is not None
        state = fold(state, play(state, seat, move))
        summoned |= {plain(card) for card in state.spots} & set(own)
        if not moves % 20:
            seen = view(state, Seat(moves // 20 % len(SEATS)))
            assert GAME.position(GAME.written(seen)) == seen
            assert encode(state)
        moves += 1
        assert moves < LONGEST
    assert GAME.outcome(state) is not None
    assert len(summoned) > (6 if variant == "league" else 0)
