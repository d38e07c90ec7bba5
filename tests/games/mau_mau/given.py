"""given a table / when a move / then facts: the words in which the tests of Mau-Mau are told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.engine.steps import Step
from referee.games.mau_mau.components import CARD_IDS, DECK, DISCARD, HANDS, Rules
from referee.games.mau_mau.rules.turn import TurnQuestion
from referee.games.mau_mau.state import Table


def table(
    *hands: Iterable[str],
    top: str = "hearts_9",
    below: Iterable[str] = (),
    deck: Iterable[str] | None = None,
    agenda: tuple[Step, ...] = (TurnQuestion(0),),
    rules: dict[str, Any] | None = None,
    **more: Any,
) -> Table:
    """A table with these hands; all other cards lie in the draw pile unless `deck` says otherwise."""
    piles: dict[str, tuple[str, ...]] = {HANDS[seat]: tuple(hand) for seat, hand in enumerate(hands)}
    piles[DISCARD] = (top, *below)
    lying = {card for cards in piles.values() for card in cards}
    piles[DECK] = tuple(card for card in CARD_IDS if card not in lying) if deck is None else tuple(deck)
    return Table(agenda=agenda, zones=piles, rules=Rules(len(hands), **(rules or {})), **more)
