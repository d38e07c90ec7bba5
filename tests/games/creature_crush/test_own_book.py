"""Ten cards that somebody wrote by the guide alone: read, brought to the League by both, played to the end."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from referee.cardscript.moves import Accept, Decline
from referee.engine.events import Move, fold
from referee.engine.game import Setup
from referee.engine.referee import awaited, drawn, legal, play, sampled, settle
from referee.engine.seats import CHANCE
from referee.games.books import installed
from referee.games.creature_crush import GAME
from referee.games.creature_crush.components import DECK_SIZE, HELLS, SEATS, plain
from referee.games.creature_crush.moves import BringDeck
from referee.games.creature_crush.rules.decks import BringingDecks, designs
from referee.games.creature_crush.state import Table

FILE = Path(__file__).parent / "owned" / "marsh_lanterns.yaml"
LONGEST = 4000


def match(seed: int) -> tuple[Table, Counter[type[Move]]]:
    """A match by chance in which both bring the ten cards and ten of the game's: its end, and the moves made."""
    book, dice = installed(FILE.read_text("utf-8"), FILE.name), Random(seed)
    state: Table = fold(opened := GAME.open(GAME.set_up(Setup("league", 2, edition=book.edition))), settle(opened))
    made: Counter[type[Move]] = Counter()
    for _ in range(LONGEST):
        if GAME.outcome(state) is not None:
            return state, made
        if CHANCE in awaited(state):
            seat, move = CHANCE, drawn(state, dice.randrange)
        else:
            seat = min(awaited(state))
            own = [card for card in designs(state) if card.endswith(f"@{book.edition.partition('@')[2]}")]
            rest = [card for card in designs(state) if card not in own]
            asked = isinstance(state.agenda[-1], BringingDecks)
            chosen = sampled(state, seat, dice.randrange)
            move = BringDeck((*own, *rest)[:DECK_SIZE]) if asked else chosen  # type: ignore[assignment]
            assert all(type(other) in GAME.moves for other in legal(state, seat)), "what is listed can be posted"
        made[type(move)] += 1
        state = fold(state, play(state, seat, move))
    raise AssertionError(f"no end after {LONGEST} moves")


@pytest.mark.clause("CC-FORMAT-LEAGUE-1")
def test_a_book_written_by_the_guide_alone_is_played_to_the_end() -> None:
    seen: Counter[type[Move]] = Counter()
    owned: set[str] = set()
    for seed in range(4):
        ended, made = match(seed)
        seen += made
        owned |= {plain(card) for seat in SEATS for card in ended.place(HELLS[seat]) if "@" in card}
    assert len(owned) == 10
    assert {Accept, Decline} <= set(seen), "what the clock owl offers is taken and left"
