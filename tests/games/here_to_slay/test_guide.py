"""The part of the guide to card books that is about this game: all of it is there, and what it shows can be played."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from referee.cardscript.language.builtins import COMMON_VOCABULARY
from referee.engine.codec import decode, encode
from referee.engine.events import apply_events
from referee.engine.game import Setup
from referee.engine.referee import build_view
from referee.engine.seats import Seat
from referee.games.books import install_book_text
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.texts.amounts import MEASURES
from referee.games.here_to_slay.texts.faces import KEYS_BY_KIND, ROLLS, STATIC_ABILITY_KEYS, TRIGGER_EVENTS
from referee.games.here_to_slay.texts.vocabulary import VOCABULARY
from tests.games.matches import random_match

SECTION = (Path(__file__).parents[3] / "referee/cardscript/guides/here_to_slay.md").read_text("utf-8")
(TEXT,) = re.findall(r"^```yaml\n(.*?)^```$", SECTION, re.M | re.S)
SAID = SECTION.replace(TEXT, "").replace("\n  ", " ")
UNSAID = {
    "go_back",
    "again",
    "alternative",
    "special",
}  # what games add to texts by themselves, and functions, of which this has none


def test_the_guide_names_every_verb_noun_and_parameter() -> None:
    tables = "\n".join(line for line in SAID.splitlines() if line.startswith("|"))
    for word, kind in VOCABULARY.effects.items():
        if word in UNSAID:
            continue
        assert f"`{word}`" in tables, word
        if word in COMMON_VOCABULARY.effects:
            continue
        line = [each for each in tables.splitlines() if re.match(rf"\| `{word}`[, |]", each)][-1]
        for parameter in {part.name.removesuffix("_") for part in fields(kind)} - {"noun", "called"}:
            assert re.search(rf"`{parameter}\b", line), (word, parameter)
    for word, noun in VOCABULARY.selectors.items():
        assert f"| `{word}: {{{', '.join(part.name.removesuffix('_') for part in fields(noun))}}}`" in tables, word


def test_the_guide_names_every_event_standing_value_and_amount() -> None:
    names = (name for bound in TRIGGER_EVENTS.values() for name in bound)
    for word in (*TRIGGER_EVENTS, *names, *MEASURES, *VOCABULARY.ambient):
        assert f"`{word}`" in SAID, word
    for word, keys in STATIC_ABILITY_KEYS.items():
        assert re.search(rf"`{word}\b", SAID), word
        assert all(f"`{key}`" in SAID for key in keys)
    assert ", ".join(ROLLS) in SAID


def test_the_guide_has_a_card_for_every_key_of_a_card() -> None:
    shown = {key for entry in install_book_text(TEXT).entries for key in entry}
    assert {key for keys in KEYS_BY_KIND.values() for key in keys} <= shown


@pytest.mark.parametrize(("seed", "source"), [(1, "server"), (2, "table"), (3, "server")])
def test_the_book_of_the_guide_is_played_to_the_end_and_each_seat_sees_its_own(seed: int, source: str) -> None:
    book = install_book_text(TEXT)
    setup = GAME.complete_setup(Setup("standard", 3, {}, dict.fromkeys(GAME.devices, source), edition=book.edition))
    last: Any = None
    for number, turned in enumerate(random_match("here_to_slay", setup, seed)):
        last = turned.after
        if not number % 5:
            for seat in map(Seat, range(3)):
                seen = tuple(event.view_for(seat) for event in turned.events)
                assert apply_events(build_view(turned.before, seat), seen) == build_view(last, seat)
        if not number % 40:
            assert decode(Table, encode(last)) == last
            assert GAME.positions.decode_position(GAME.positions.encode_position(last)) == last
    assert GAME.find_outcome(last) is not None
    assert any("@" in card for place, cards in last.zones.items() if ":" not in place for card in cards)
