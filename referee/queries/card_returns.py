"""Which cards change places by a remedy, so that people can lay them back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from referee.census.texts import render_census_text
from referee.engine.game import Game
from referee.engine.rulebook.book import Text
from referee.engine.zones import back_of, is_back


@dataclass(frozen=True)
class CardReturn:
    """Cards that go from one place to another; hidden ones are named by their back."""

    card: str
    count: int
    source: str
    target: str


def find_card_returns(game: Game, before: Any, after: Any) -> tuple[CardReturn, ...]:
    """Return the cards that lie elsewhere on the second table.

    Both tables are as one viewer sees them. Cards that go to or come from a hidden place are matched by their backs.
    """
    lost, gained = _count_changes(game, before, after), _count_changes(game, after, before)
    by_name = list(_match_cards(lost, gained, lambda card: card))
    by_back = list(_match_cards(lost, gained, back_of))
    return tuple(by_name + by_back)


Places = dict[str, Counter[str]]


def _count_changes(game: Game, first: Any, second: Any) -> Places:
    """Return by place which cards of the first table do not lie there on the second."""
    there = game.tracking.cards_by_zone(second)
    changes = (
        (place, Counter(cards) - Counter(there.get(place, ())))
        for place, cards in game.tracking.cards_by_zone(first).items()
    )
    return {place: cards for place, cards in changes if cards}


def _match_cards(lost: Places, gained: Places, key: Any) -> Iterator[CardReturn]:
    """Yield which lost cards are which gained ones, and take them out of both."""
    for source, cards in lost.items():
        for target, others in gained.items():
            if source == target:
                continue
            for card in list(cards):
                for other in [each for each in others if key(each) == key(card)]:
                    if count := min(cards[card], others[other]):
                        yield CardReturn(other if is_back(card) else card, count, source, target)
                        cards[card] -= count
                        others[other] -= count


def card_return_response(game: Game, found: CardReturn) -> dict[str, Any]:
    """Return cards that change places, in words too."""
    hidden = is_back(found.card)
    return {
        "card": None if hidden else found.card,
        "count": found.count,
        "from": found.source,
        "to": found.target,
        "says": _describe_return(game, found, hidden),
    }


def _describe_return(game: Game, found: CardReturn, hidden: bool) -> Text:
    source, target = (game.tracking.zone_label(place) for place in (found.source, found.target))
    key = "remedy.hidden_cards_return" if hidden else "remedy.card_returns"
    params = {"count": found.count, "source": source, "target": target}
    return render_census_text(game, key, params if hidden else {**params, "card": found.card})
