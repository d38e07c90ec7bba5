"""What a player has looked at can be foreseen from the own view, where the place it lies in shows only backs."""

from __future__ import annotations

from itertools import islice
from typing import Any

from referee.cardscript.language.interpreter import CarryOut
from referee.engine.events import changed, fold
from referee.engine.game import Setup
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import DECK, HANDS, PROGRAMS
from referee.games.here_to_slay.events.cards import CardTaken
from referee.games.here_to_slay.rules.hands import given_to
from tests.games.matches import random_match


def a_view() -> Any:
    """The view of seat 0 in the middle of a match in which both hands hold cards."""
    setup = GAME.set_up(Setup("standard", 2))
    for turned in islice(random_match("here_to_slay", setup, 1), 20, None):
        if turned.before.hand(0) and turned.before.hand(1):
            return turned.before.seen_by(0)
    raise AssertionError("no such table")


def test_a_card_taken_out_of_a_hand_just_seen_leaves_a_back_less_there() -> None:
    view = a_view()
    held, mine = len(view.hand(1)), view.hand(0)
    after = fold(view, given_to(view, 1, 0, "bard_mask"))
    assert after.hand(1) == ("?",) * (held - 1)
    assert after.hand(0) == (*mine, "bard_mask")


def test_a_card_kept_from_the_top_of_the_deck_leaves_a_back_less_there() -> None:
    view = a_view()
    line = next(line for line in PROGRAMS["bullseye", "does"] if line.word.WORD == "keep")
    bound = {"me": (0,), "seen": ("challenge", "bard_mask", "modifier_plus_4"), "kept": ("bard_mask",)}
    text = CarryOut("bullseye", "does", 0, 2, bound, ("seen", "kept"))
    seen = changed(view, agenda=(*view.agenda, text))
    facts = [fact for fact in line.word.act(seen, text) if isinstance(fact, CardTaken)]
    after = fold(seen, facts)
    assert len(after.place(DECK)) == len(view.place(DECK)) - 1
    assert after.place(HANDS[0]) == (*view.place(HANDS[0]), "bard_mask")
