"""Events of heroes, their items, and monsters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.events import CardsMoved
from referee.engine.codec import named
from referee.engine.events import Event


@named("hts.HeroDestroyed")
@dataclass(frozen=True)
class HeroDestroyed(CardsMoved):
    """A hero of `seat` was destroyed by `by`.

    HTS-VERB-3: To destroy: a card in somebody else's party goes to the discard pile.
    """

    seat: int
    by: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-3", "HTS-DO-17")


@named("hts.HeroSacrificed")
@dataclass(frozen=True)
class HeroSacrificed(CardsMoved):
    """A player sacrificed a hero.

    HTS-VERB-4: To sacrifice: a card in the player's own party goes to the discard pile.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-4", "HTS-DO-18")


@named("hts.ItemLost")
@dataclass(frozen=True)
class ItemLost(CardsMoved):
    """An item went to the discard pile with its hero.

    HTS-ITEM-5: What happens to a hero happens to its item: they are destroyed, stolen, sacrificed, moved or returned
        to a hand together.
    """

    clauses: ClassVar[tuple[str, ...]] = ("HTS-ITEM-5",)


@named("hts.HeroStolen")
@dataclass(frozen=True)
class HeroStolen(CardsMoved):
    """A player stole a hero, with its item and its mark.

    HTS-VERB-5: To steal: a card moves from somebody else's party to the player's own.
    """

    seat: int
    of: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-5", "HTS-DO-19")


@named("hts.HeroMoved")
@dataclass(frozen=True)
class HeroMoved(CardsMoved):
    """A hero went to another party, with its item.

    HTS-DO-20: A hero whom a text sends from its player's party to another takes its item along. That is not stealing,
        and no protection stops it.
    """

    seat: int
    to: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-20",)


@named("hts.Replaced")
@dataclass(frozen=True)
class ReplacementApplied(Event):
    """A card replaced what was about to happen to a hero.

    HTS-REPL-1: What is replaced did not happen. Even so, the instruction counts as followed and the cost as paid.
    """

    card: str
    hero: str
    verb: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-REPL-1",)


@named("hts.GaveWay")
@dataclass(frozen=True)
class ItemGaveWay(CardsMoved):
    """An item went to the discard pile in place of its hero.

    HTS-REPL-2: Decoy Doll always steps in for a hero about to be destroyed or sacrificed: the item is discarded, the
        hero stays. It is no help against stealing or moving.
    """

    hero: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-REPL-2", "HTS-AMB-35")


@named("hts.ItemReturned")
@dataclass(frozen=True)
class ItemReturned(CardsMoved):
    """An item went from its hero to a hand.

    HTS-DO-16: A returned item leaves its hero for a hand.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-16", "HTS-AMB-34")


@named("hts.MonsterSlain")
@dataclass(frozen=True)
class MonsterSlain(CardsMoved):
    """A player slew a monster.

    HTS-MON-10: When a monster is slain, in this order: it joins the party beside the leader, the win is checked, its
        ability begins, the reward is given, a new monster is turned up, triggers follow.
    """

    seat: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-9", "HTS-MON-10")


@named("hts.FoughtBack")
@dataclass(frozen=True)
class MonsterFoughtBack(Event):
    """A monster fought back. The penalty follows.

    HTS-MON-7: A total in the slaying range slays the monster. In the range where it fights back, the attacker pays the
        penalty and the monster is unharmed. Otherwise nothing happens.
    HTS-MON-9: The penalty is a hero to sacrifice or two cards to discard, as the monster says. Which ones is the
        attacker's choice.
    """

    seat: int
    monster: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-MON-7", "HTS-MON-9")
