"""What happens to heroes, their items, and monsters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.events import CardsMoved
from referee.engine.codec import named
from referee.engine.events import Event


@named("hts.HeroDestroyed")
@dataclass(frozen=True)
class HeroDestroyed(CardsMoved):
    """A hero of `seat` was destroyed by `by` (HTS-VERB-3)."""

    seat: int
    by: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-3", "HTS-DO-17")


@named("hts.HeroSacrificed")
@dataclass(frozen=True)
class HeroSacrificed(CardsMoved):
    """A player sacrificed a hero (HTS-VERB-4)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-4", "HTS-DO-18")


@named("hts.ItemLost")
@dataclass(frozen=True)
class ItemLost(CardsMoved):
    """An item shared the fate of its hero (HTS-ITEM-5)."""

    clauses: ClassVar[tuple[str, ...]] = ("HTS-ITEM-5", "HTS-AMB-30")


@named("hts.HeroStolen")
@dataclass(frozen=True)
class HeroStolen(CardsMoved):
    """A player stole a hero, with its item and its mark (HTS-VERB-5)."""

    seat: int
    of: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-5", "HTS-DO-19", "HTS-ITEM-5")


@named("hts.HeroMoved")
@dataclass(frozen=True)
class HeroMoved(CardsMoved):
    """A hero went to another party, with its item (HTS-DO-20)."""

    seat: int
    to: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-20", "HTS-AMB-31")


@named("hts.Replaced")
@dataclass(frozen=True)
class ReplacementApplied(Event):
    """Because of a card, what was about to happen to a hero did not happen (HTS-REPL-1)."""

    card: str
    hero: str
    verb: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-REPL-1",)


@named("hts.GaveWay")
@dataclass(frozen=True)
class ItemGaveWay(CardsMoved):
    """An item went to the discard pile in place of its hero (HTS-REPL-2)."""

    hero: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-REPL-2", "HTS-AMB-35")


@named("hts.ItemReturned")
@dataclass(frozen=True)
class ItemReturned(CardsMoved):
    """An item went from its hero to a hand (HTS-DO-16)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-16", "HTS-AMB-34")


@named("hts.MonsterSlain")
@dataclass(frozen=True)
class MonsterSlain(CardsMoved):
    """A player slew a monster; it lies beside the leader (HTS-MON-10)."""

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-9", "HTS-MON-10")


@named("hts.FoughtBack")
@dataclass(frozen=True)
class MonsterFoughtBack(Event):
    """A monster fought back; the penalty follows (HTS-MON-7, HTS-MON-9)."""

    seat: int
    monster: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-MON-7", "HTS-MON-9")
