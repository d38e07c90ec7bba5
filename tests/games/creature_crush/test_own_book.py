"""Ten cards that somebody wrote by the guide alone: read, brought to the League by both, played to the end."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from referee.cardscript.moves import Accept, Decline
from referee.engine.events import Move, apply_events
from referee.engine.game import Setup
from referee.engine.referee import (
    draw_chance_move,
    find_legal_moves,
    play_move,
    resolve_pending_steps,
    sample_legal_move,
    seats_that_must_act,
)
from referee.engine.seats import CHANCE
from referee.games.books import install_book_text
from referee.games.creature_crush import GAME
from referee.games.creature_crush.components import DECK_SIZE, HELLS, SEATS, strip_copy_number
from referee.games.creature_crush.moves import BringDeck
from referee.games.creature_crush.rules.decks import BringingDecks, list_deck_cards
from referee.games.creature_crush.state import Table

FILE = Path(__file__).parent / "owned" / "marsh_lanterns.yaml"
LONGEST = 4000


def match(seed: int) -> tuple[Table, Counter[type[Move]]]:
    """A match by chance in which both bring the ten cards and ten of the game's: its end, and the moves made."""
    book, dice = install_book_text(FILE.read_text("utf-8"), FILE.name), Random(seed)
    state: Table = apply_events(
        opened := GAME.build_table(GAME.complete_setup(Setup("league", 2, edition=book.edition))),
        resolve_pending_steps(opened),
    )
    made: Counter[type[Move]] = Counter()
    for _ in range(LONGEST):
        if GAME.find_outcome(state) is not None:
            return state, made
        if CHANCE in seats_that_must_act(state):
            seat, move = CHANCE, draw_chance_move(state, dice.randrange)
        else:
            seat = min(seats_that_must_act(state))
            own = [card for card in list_deck_cards(state) if card.endswith(f"@{book.edition.partition('@')[2]}")]
            rest = [card for card in list_deck_cards(state) if card not in own]
            asked = isinstance(state.agenda[-1], BringingDecks)
            chosen = sample_legal_move(state, seat, dice.randrange)
            move = BringDeck((*own, *rest)[:DECK_SIZE]) if asked else chosen  # type: ignore[assignment]
            assert all(type(other) in GAME.move_types for other in find_legal_moves(state, seat)), (
                "what is listed can be posted"
            )
        made[type(move)] += 1
        state = apply_events(state, play_move(state, seat, move))
    raise AssertionError(f"no end after {LONGEST} moves")


@pytest.mark.clause("CC-FORMAT-LEAGUE-1")
def test_a_book_written_by_the_guide_alone_is_played_to_the_end() -> None:
    seen: Counter[type[Move]] = Counter()
    owned: set[str] = set()
    for seed in range(4):
        ended, made = match(seed)
        seen += made
        owned |= {strip_copy_number(card) for seat in SEATS for card in ended.cards_at(HELLS[seat]) if "@" in card}
    assert len(owned) == 10
    assert {Accept, Decline} <= set(seen), "what the clock owl offers is taken and left"
