"""A physical table of Here to Slay: where each real card lies, in its order, and what the dice show.

It is told what the people did, moves its own cards accordingly and answers truthfully. A name that the referee says
must be that of the card lying there, and the referee's numbers of cards must be those of the table.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

from referee.engine.zones import is_back

DECK, MONSTERS, DISCARD, LEADERS, BOX = "deck:", "monsters:", "discard", "leaders", "box"


class PhysicalTable:
    """The real cards; the first card of a place is its top."""

    def __init__(self, places: dict[str, list[str]], dice: random.Random) -> None:
        self.places, self.dice = places, dice
        counts = Counter(card for cards in places.values() for card in cards)
        self.singles = frozenset(card for card, count in counts.items() if count == 1)
        self._shuffle(DECK)
        self._shuffle(MONSTERS)

    def lying_at(self, place: str) -> list[str]:
        """The cards of a place, its top first."""
        return self.places.setdefault(place, [])

    def hand_of(self, seat: int) -> list[str]:
        """What a seat really holds."""
        return self.lying_at(f"hand:{seat}")

    def hidden_in_hand(self, seat: int, named: Iterable[str]) -> list[str]:
        """What a seat really holds besides the cards that are named."""
        return list((Counter(self.hand_of(seat)) - Counter(named)).elements())

    def roll(self, count: int) -> list[int]:
        """What so many dice show."""
        return [self.dice.randint(1, 6) for _ in range(count)]

    def lying_openly(self) -> set[str]:
        """The names that everybody can read on the table."""
        return {card for place, cards in self.places.items() if ":" not in place for card in cards}

    # ---- following what was done -------------------------------------------------------------------------------------

    def follow(self, entry: dict[str, Any]) -> None:
        """Move the real cards as an entry says that they were moved; who moved one by name took that very card."""
        changes = [each for each in entry["move"].get("changes", ()) if "move" in each] if entry["move"] else []
        for event in entry["events"]:
            if {"source", "target", "took", "put"} <= event.keys():
                change = changes.pop(0) if event["type"] == "cards.MovedAsWritten" else {}
                self._move(event, change.get("move", "?"), on_top=bool(event.get("top")))
        assert not changes, "a change was listed and not carried out"

    def _move(self, event: dict[str, Any], meant: str, *, on_top: bool) -> None:
        source, target = event["source"], event["target"]
        assert len(event["took"]) == len(event["put"]), event
        names = [put if not is_back(put) else took for took, put in zip(event["took"], event["put"], strict=True)]
        arriving = [self._take(source, meant if is_back(name) else name) for name in names]
        there = self.lying_at(target)
        self.places[target] = [*arriving, *there] if on_top else [*there, *arriving]
        if source == DISCARD and len(arriving) > 1 and target == DECK:
            self._shuffle(DECK)

    def _take(self, place: str, name: str) -> str:
        """Take a card: the named one, the top of a pile, or one of a hand that nobody looks at."""
        there = self.lying_at(place)
        assert there, f"nothing lies at {place}"
        if is_back(name):
            name = there[0] if place.endswith(":") else self.dice.choice(there)
        assert name in there, f"{name} does not lie at {place}, but {there}"
        is_search = place.endswith(":") and there[0] != name
        there.remove(name)
        if is_search:
            self._shuffle(place)
        return name

    def _shuffle(self, place: str) -> None:
        self.dice.shuffle(self.places[place])

    # ---- comparing ---------------------------------------------------------------------------------------------------

    def compare_with_view(self, zones: dict[str, list[str]]) -> None:
        """Require that a view has as many cards everywhere, names those that lie openly, and no other."""
        for place in {*zones, *self.places}:
            shown, real = zones.get(place, []), self.lying_at(place)
            if ":" in place:
                assert all(map(is_back, shown)), f"a hidden card is named: {place} {shown}"
                assert len(shown) == len(real), f"{place} has {len(real)} cards, not {len(shown)}"
            else:
                assert Counter(shown) == Counter(real), f"{place} holds {real}, not {shown}"
