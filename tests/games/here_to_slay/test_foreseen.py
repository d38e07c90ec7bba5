"""What a player has looked at can be foreseen from the own view, where the place it lies in shows only backs."""

from __future__ import annotations

from itertools import islice
from typing import Any

from referee.cardscript.language.interpreter import Execution
from referee.engine.events import apply_events, replace_fields
from referee.engine.game import Setup
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import DECK, HANDS, PROGRAMS
from referee.games.here_to_slay.events.cards import CardTaken
from referee.games.here_to_slay.rules.hands import give_card
from tests.games.matches import random_match


def a_view() -> Any:
    """The view of seat 0 in the middle of a match in which both hands hold cards."""
    setup = GAME.complete_setup(Setup("standard", 2))
    for turned in islice(random_match("here_to_slay", setup, 1), 20, None):
        if turned.before.cards_in_hand(0) and turned.before.cards_in_hand(1):
            return turned.before.view_for(0)
    raise AssertionError("no such table")


def test_a_card_taken_out_of_a_hand_just_seen_leaves_a_back_less_there() -> None:
    view = a_view()
    held, mine = len(view.cards_in_hand(1)), view.cards_in_hand(0)
    after = apply_events(view, give_card(view, 1, 0, "bard_mask"))
    assert after.cards_in_hand(1) == ("?",) * (held - 1)
    assert after.cards_in_hand(0) == (*mine, "bard_mask")


def test_a_card_kept_from_the_top_of_the_deck_leaves_a_back_less_there() -> None:
    view = a_view()
    line = next(line for line in PROGRAMS["bullseye", "does"] if line.effect.WORD == "keep")
    bound = {"me": (0,), "seen": ("challenge", "bard_mask", "modifier_plus_4"), "kept": ("bard_mask",)}
    text = Execution("bullseye", "does", 0, 2, bound, ("seen", "kept"))
    seen = replace_fields(view, agenda=(*view.agenda, text))
    events = [event for event in line.effect.execute(seen, text) if isinstance(event, CardTaken)]
    after = apply_events(seen, events)
    assert len(after.cards_at(DECK)) == len(view.cards_at(DECK)) - 1
    assert after.cards_at(HANDS[0]) == (*view.cards_at(HANDS[0]), "bard_mask")
