"""An action of another creature that is copied, and one that is cancelled before it happens."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cardscript.moves import ChooseCard
from referee.engine.rulebook.book import BookError
from referee.games.books import install_book_text
from referee.games.creature_crush import GAME
from referee.games.creature_crush.events.field import ActionCopied, CreaturesDamaged, EffectCancelled, EffectSkipped
from referee.games.creature_crush.moves import Flip, Summon
from referee.rendering.texts import describe_event
from tests.games.course import of, when
from tests.games.creature_crush.table import offered, table
from tests.games.creature_crush.wording import (
    at_rest,
    card,
    of_card,
    said,
    unsaid,  # noqa: F401
)

BOOK = """
book: mimics
game: creature_crush
title: Mimics
extends: printed
cards:
- {id: spitter, kind: creature, cost: 2, attack: 2, life: 4, name: Spitter, text: It spits.,
   action: [{do: choose, creature: {of: enemy}, called: it}, {do: damage, creature: it, points: {attack_of: this}}]}
- {id: mimic, kind: creature, cost: 3, attack: 1, life: 4, name: Mimic, text: It copies.,
   action: [{do: choose, creature: {of: ally, other: true}, called: it}, {do: copy_action, creature: it}]}
- {id: other_mimic, kind: creature, cost: 4, attack: 1, life: 4, name: Other Mimic, text: It copies, too.,
   action: [{do: choose, creature: {of: ally, other: true}, called: it}, {do: copy_action, creature: it}]}
- {id: current, kind: crush, cost: 1, name: Current, text: It cancels., flips_when: {event: enemy_summoned},
   flip: [{do: cancel_effect, card: summoned}]}
"""
THEIRS = {"B1": "world_eater", "B2": "storm_gull"}


@pytest.fixture(scope="module")
def digits() -> str:
    """What the cards of the book are called after their names."""
    return install_book_text(BOOK.replace("It copies, too", "It copies too"), "mimics.yaml").edition.partition("@")[2]


def board(digits: str, **more: Any) -> Any:
    rules = {"edition": f"mimics@{digits}"}
    return table({"B1": f"spitter@{digits}", "B2": f"mimic@{digits}"}, THEIRS, rules=rules, **more)


@pytest.mark.clause("CC-KEY-ACTION-1")
def test_an_action_is_copied_as_if_it_stood_on_the_card_that_copies(digits: str) -> None:
    events, asking = of_card(board(digits), f"mimic@{digits}", "action")
    (copied,) = of(events, ActionCopied)
    assert (copied.card, copied.of) == (f"mimic@{digits}", f"spitter@{digits}")
    assert GAME.positions.encode_position(asking)
    events, state = when(asking, 0, ChooseCard("world_eater"))
    assert of(events, CreaturesDamaged)[0].points == {"world_eater": 1}, "the attack of the mimic, not of the model"
    assert at_rest(state)
    assert describe_event(GAME, copied)["de"].endswith("sagt.")


def test_two_that_copy_each_other_come_to_an_end(digits: str) -> None:
    rules = {"edition": f"mimics@{digits}"}
    state = table({"B1": f"other_mimic@{digits}", "B2": f"mimic@{digits}"}, THEIRS, rules=rules)
    events, state = of_card(state, f"mimic@{digits}", "action")
    assert len(of(events, ActionCopied)) == 1
    assert [event.why for event in of(events, EffectSkipped)] == ["nothing_fits"]
    assert at_rest(state)


def test_nothing_is_copied_from_a_creature_without_an_action() -> None:
    lines = ({"do": "all", "creature": {"of": "enemy"}, "called": "it"}, {"do": "copy_action", "creature": "it"})
    events, state = said(table({}, {"B1": "clay_guard"}), *lines)
    assert not of(events, ActionCopied)
    assert at_rest(state)


@pytest.mark.clause("CC-CHAIN-8", "CC-CHAIN-5")
def test_a_crush_card_cancels_the_action_of_a_creature_just_summoned(digits: str) -> None:
    spitter, current = f"spitter@{digits}", f"current@{digits}"
    state = table({}, {"B1": "world_eater", "C1": current}, hands=((spitter,), ()), dice=(2,),
                  rules={"edition": f"mimics@{digits}"})  # fmt: skip
    _, window = when(state, 0, Summon(spitter, "B1", (2,)))
    assert Flip("C1", current) in offered(window, 1)
    events, after = when(window, 1, Flip("C1", current))
    (cancelled,) = of(events, EffectCancelled)
    assert (cancelled.card, cancelled.part) == (spitter, "action")
    assert not of(events, CreaturesDamaged)
    assert after.possessor_of(spitter) == 0
    assert after.list_hell(1) == (current,)


def test_only_what_was_summoned_or_flipped_can_be_cancelled() -> None:
    with pytest.raises(BookError, match="'defender' stands for creatures, not for a creature just summoned"):
        card(kind="creature", attacks=[{"do": "cancel_effect", "card": "defender"}])
