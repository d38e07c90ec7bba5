"""What holds for the parties.

It changes only with the cards on the table and lasting effects, so that it is remembered.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from referee.engine.remembering import remember
from referee.engine.rulings import Undetermined
from referee.engine.zones import is_back
from referee.games.here_to_slay.board.shapes import HeroClass, HeroMark
from referee.games.here_to_slay.components import CLASSES, FACES, PARTIES
from referee.games.here_to_slay.rules.attacking import list_party_classes
from referee.games.here_to_slay.state import PARTY, POINTS_PER_TURN, Table

R = TypeVar("R")
PROTECTIONS: tuple[tuple[str, HeroMark], ...] = (("destroy", "indestructible"), ("steal", "unstealable"))


class HeroFacts(NamedTuple):
    """What holds for a hero as long as the cards on the table stay as they are."""

    name: str
    printed_class: HeroClass
    class_now: HeroClass | None
    marks: tuple[HeroMark, ...]


class PartyFacts(NamedTuple):
    """What holds for a party. None: the position does not say enough.

    `slots` are the classes of the heroes and of the leader, as `can_fill_slots` takes them.
    """

    heroes: tuple[HeroFacts, ...]
    classes: tuple[HeroClass, ...] | None
    slots: tuple[tuple[str, ...], str] | None
    points_per_turn: int | None


@remember(*PARTY)
def find_party_facts(view: Table, seat: int) -> PartyFacts:
    """Return what holds for the party of a player."""
    extra = read_known(view.count_extra_points, seat)
    safe = [mark for verb, mark in PROTECTIONS if read_known(view.find_party_protection, seat, verb)]
    return PartyFacts(
        tuple(find_hero_facts(view, hero, safe) for hero in view.zones.get(PARTIES[seat], ()) if not is_back(hero)),
        read_known(list_classes, view, seat),
        read_known(list_party_classes, view, seat),
        None if extra is None else POINTS_PER_TURN + extra,
    )


def find_hero_facts(view: Table, hero: str, safe: list[HeroMark]) -> HeroFacts:
    """Return what holds for a hero. `safe` are the marks of its party."""
    printed: Any = FACES[hero].class_
    class_now: Any = read_known(view.class_of, hero)
    sealed: list[HeroMark] = ["sealed"] if read_known(view.is_sealed, hero) else []
    own = [mark for verb, mark in PROTECTIONS if read_known(view.find_item_protection, hero, verb) and mark not in safe]
    return HeroFacts(hero, printed, class_now, (*sealed, *safe, *own))


def list_classes(view: Table, seat: int) -> tuple[HeroClass, ...]:
    """Return the classes of a party in their usual order. Raises Undetermined."""
    present = view.classes_of(seat)
    found: Any = tuple(each for each in CLASSES if each in present)
    return found  # type: ignore[no-any-return]


def read_known(read: Callable[..., R], *about: Any) -> R | None:
    """Return what a function says, or None if the position does not say enough for it."""
    try:
        return read(*about)
    except Undetermined:
        return None
