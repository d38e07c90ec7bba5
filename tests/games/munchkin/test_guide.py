"""The guide to Munchkin's card books: every word is in it, and what it shows is accepted, refused, and played."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.cardscript.language.builtins import COMMON_VOCABULARY
from referee.engine.events import apply_events
from referee.engine.game import Setup
from referee.engine.referee import build_view
from referee.engine.rulebook.editions import CardBookError
from referee.engine.seats import Seat
from referee.games.books import check_book_text, install_book_text
from referee.games.munchkin import GAME
from referee.games.munchkin.card_attributes import (
    CAUSE_ABILITIES,
    CAUSES,
    CURSE_DURATIONS,
    GRANTED_ABILITIES,
    KINDS,
    NUMBER_ABILITIES,
    PLAY_TIMES,
    SLOT_ABILITIES,
    SWITCH_ABILITIES,
    TEXT_NAMES,
    TRIGGER_EVENTS,
    TRIGGER_NAMES,
    TRIGGER_SUBJECTS,
    WAYS_TO_GAIN,
)
from referee.games.munchkin.conditions import CONDITION_NAMES, MEASURES, SLOTS, TAGS
from referee.games.munchkin.rules.cards.texts import AMBIENT
from referee.games.munchkin.texts.books import LEAST_CARDS
from referee.games.munchkin.texts.vocabulary import WORDS
from referee.games.munchkin.values import LASTING_WORDS
from tests.games.matches import random_match

GUIDE = (Path(__file__).parents[3] / "referee/cardscript/guides/munchkin.md").read_text("utf-8")
(TEXT,) = re.findall(r"^```yaml\n(.*?)^```$", GUIDE, re.M | re.S)
(MISTAKES,) = re.findall(r"^```\n(.*?)^```$", GUIDE.split("Typical mistakes")[1], re.M | re.S)
SAID = GUIDE.replace(TEXT, "")
UNSAID = {
    "go_back",
    "again",
    "alternative",
    "special",
}  # what games add to texts by themselves, and functions, which books cannot have


def test_the_guide_names_every_verb_noun_and_parameter() -> None:
    lines = [line for line in SAID.splitlines() if line.startswith("| `")]
    for word, kind in WORDS.effects.items():
        if word in UNSAID:
            continue
        (line,) = (each for each in lines if re.match(rf"\| `{word}`[, |]", each))
        assert word in COMMON_VOCABULARY.effects or kind.__doc__
        for parameter in {part.name.rstrip("_") for part in fields(kind)} - {"noun", "called", "which"}:
            assert re.search(rf"`{parameter}\b", line), (word, parameter)
    for word, noun in WORDS.selectors.items():
        assert any(
            line.startswith(f"| `{word}: {{{', '.join(part.name.rstrip('_') for part in fields(noun))}}}`")
            for line in lines
        ), word


@pytest.mark.parametrize(
    "words",
    [
        AMBIENT, PLAY_TIMES, CONDITION_NAMES, MEASURES, NUMBER_ABILITIES, SWITCH_ABILITIES, SLOT_ABILITIES, TEXT_NAMES,
        CAUSE_ABILITIES, CAUSES, TRIGGER_EVENTS, TRIGGER_NAMES, TRIGGER_SUBJECTS, WAYS_TO_GAIN, LASTING_WORDS,
        SLOTS, TAGS, ("requires", "requires_target", "times", "plus", "per", "others"),
    ],
    ids=lambda words: words[0],
)  # fmt: skip
def test_the_guide_names_every_name_time_condition_amount_and_standing_value(words: tuple[str, ...]) -> None:
    for word in words:
        assert re.search(rf"`{word}[`:]", SAID), word


def test_the_guide_says_what_a_box_and_a_curse_need() -> None:
    for what, (_, least) in LEAST_CARDS.items():
        assert f"{least} {what}" in SAID
    assert all(f"`{word}`" in SAID.split("- **Granted**")[1].split("- **Texts**")[0] for word in GRANTED_ABILITIES)
    for until in CURSE_DURATIONS:
        assert f"{{until: {until}}}" in SAID


def test_the_guide_has_a_card_of_every_kind() -> None:
    assert {entry["kind"] for entry in check_book_text(TEXT).entries} == set(KINDS)


def test_the_mistakes_of_the_guide_are_told_as_it_says() -> None:
    head = (
        "book: attic_finds\ngame: munchkin\ntitle: Attic finds\nextends: printed\ncards:\n- id: dust\n  kind: curse\n"
    )
    wrong: list[dict[str, Any]] = [
        {"when": "any_time", "does": [{"do": "lose_levels", "count": {"hands_of": "me"}}]},
        {"when": "any_time", "does": [{"do": "draw", "deck": "door", "count": {"hand_of": "this"}}]},
        {"when": "any_time", "does": [{"do": "die"}]},
        {"when": "calm", "does": [{"do": "lose_levels", "count": 1}]},
    ]
    told = []
    for each in wrong:
        lines = "".join(
            f"  {key}: {yaml.safe_dump(value, default_flow_style=True, width=999).splitlines()[0]}\n"
            for key, value in each.items()
        )
        with pytest.raises(CardBookError) as error:
            check_book_text(head + "  name: Dust\n" + lines + "  text: Dust.\n", "attic_finds.yaml")
        told += [re.sub(r":\d+:", ":9:", line) for line in str(error.value).splitlines()]
    assert told == MISTAKES.splitlines()


@pytest.mark.parametrize(("seats", "seed", "source"), [(3, 1, "server"), (6, 2, "server"), (4, 3, "table")])
def test_the_book_of_the_guide_is_played_to_the_end_and_each_seat_sees_its_own(
    seats: int, seed: int, source: str
) -> None:
    book = install_book_text(TEXT)
    sources = dict.fromkeys(GAME.devices, source)
    setup = GAME.complete_setup(Setup("standard", seats, {"max_turns": 40}, sources, edition=book.edition))
    seen: set[str] = set()
    for number, turn in enumerate(random_match("munchkin", setup, seed)):
        seen |= {card for place, cards in turn.after.zones.items() if ":" not in place for card in cards if "@" in card}
        if not number % 10:
            for seat in map(Seat, range(seats)):
                known = tuple(event.view_for(seat) for event in turn.events)
                assert apply_events(build_view(turn.before, seat), known) == build_view(turn.after, seat)
        if not number % 40:
            written = GAME.positions.encode_position(turn.after)
            assert GAME.positions.decode_position(written) == turn.after
    assert GAME.find_outcome(turn.after) is not None
    assert len(seen) > 5
