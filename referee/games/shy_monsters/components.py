"""The cards of the box as data, and the comfort patterns of the monsters.

The patterns stand in `cards.yaml`. This module adds their quarter turns.

SM-MAT-2: There are eleven dungeon cards, six different monsters among them.
SM-ACT-1: A monster is comfortable where its pattern on the overview card fits.
SM-AMB-3: The six patterns of the card file count.
SM-ACT-1b, SM-AMB-4: Four turns of a pattern count. Mirroring changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from pathlib import Path
from typing import Any

from referee.engine.rulebook.book import KERNEL_RULEBOOK, Rulebook, read_yaml

Spot = tuple[int, int]  # a place on the floor: x to the right, y down, the entrance at 0, 0

HERE = Path(__file__).parent


class ShyMonstersBook(Rulebook):
    """The rulebook, which can put an article before the name of a card.

    In its texts `{named}` and `{Named}` stand for `{card}` with the article that the card takes in a sentence.
    """

    def render_text(self, key: str, lang: str, **params: Any) -> str:
        return super().render_text(key, lang, **self._add_article(lang, params))

    def fill_template(self, text: str, lang: str, params: dict[str, Any]) -> str:
        return super().fill_template(text, lang, self._add_article(lang, params))

    def _add_article(self, lang: str, params: dict[str, Any]) -> dict[str, Any]:
        card = params.get("card")
        if not isinstance(card, str) or "named" in params:
            return params
        article = self.reasons.get(f"named.{card}")
        name = article[lang] if article else str(self.render_parameter(card, lang))
        return params | {"named": name, "Named": name[:1].upper() + name[1:]}


CARDS: tuple[dict[str, Any], ...] = tuple(read_yaml(HERE / "cards.yaml")["cards"])
BOOK = ShyMonstersBook.load(HERE, base=KERNEL_RULEBOOK, names={card["id"]: card["name"] for card in CARDS})

ENTRANCE, CORRIDOR, EXIT, BACK = "entrance", "corridor", "exit", "?"
MONSTERS: tuple[str, ...] = tuple(card["id"] for card in CARDS if card["kind"] == "monster")
FACES = (CORRIDOR, EXIT, *MONSTERS)  # what may lie face down on a floor
BASE_HAND = (CORRIDOR, CORRIDOR, CORRIDOR, EXIT)  # what the dungeon master takes back after each floor (SM-DESTROY-3)
CARD_COPIES: dict[str, int] = {card["id"]: card["copies"] for card in CARDS if card["id"] in FACES}

START_SPOT: Spot = (0, 0)
CARDS_PER_FLOOR = 6  # cards laid on a floor besides the entrance (SM-BUILD-2, SM-AMB-2)
MONSTERS_PER_FLOOR = 2  # monsters on a floor (SM-BUILD-1)
FLOOR_COUNT = 3  # SM-COURSE-1
MAX_DISTANCE = 6  # steps from the entrance within which every card lies (SM-STATE-3)
REVEALS_PER_FLOOR = (2, 1, 0)  # cards turned up before the hero moves, by floor (SM-HERO-REVEAL-1)
# The dungeon master may claim the game after this many hero moves in a row that turned nothing up (SM-AMB-17).
CLAIMABLE_IDLE_MOVES = 20

SIDES: tuple[Spot, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
CORNERS: tuple[Spot, ...] = ((1, -1), (1, 1), (-1, 1), (-1, -1))


@lru_cache(maxsize=1024)
def adjacent_spots(spot: Spot) -> tuple[Spot, ...]:
    """Return the four places side by side with a place, the diagonal ones excluded."""
    x, y = spot
    return tuple((x + dx, y + dy) for dx, dy in SIDES)


def format_spot(x: int, y: int) -> str:
    """Write a place for people as (column|row).

    With a comma it would read as a decimal.
    """
    return f"({x}|{y})"


def rotate_offset(offset: Spot) -> Spot:
    """Turn an offset by 90 degrees."""
    dx, dy = offset
    return (-dy, dx)


def _rotate_pattern(comfort: dict[str, list[list[int]]]) -> tuple[tuple[tuple[Spot, ...], tuple[Spot, ...]], ...]:
    must = tuple((dx, dy) for dx, dy in comfort["must"])
    must_not = tuple((dx, dy) for dx, dy in comfort["must_not"])
    found = []
    for _ in range(4):
        found.append((must, must_not))
        must, must_not = tuple(map(rotate_offset, must)), tuple(map(rotate_offset, must_not))
    return tuple(found)


PATTERNS = {card["id"]: _rotate_pattern(card["comfort"]) for card in CARDS if card["kind"] == "monster"}


def is_comfortable(monster: str, at: Spot, cards: Collection[Spot]) -> bool:
    """Return whether one of the four turns of a monster's pattern fits at `at`.

    `cards` are the places on which cards lie.

    SM-ACT-1: The pattern names places that must hold a card and places that must not. All others do not matter.
    """
    x, y = at
    return any(
        all((x + dx, y + dy) in cards for dx, dy in must) and not any((x + dx, y + dy) in cards for dx, dy in must_not)
        for must, must_not in PATTERNS[monster]
    )
