"""Plain data of the table besides cards: a combat, its monsters, a deal, a trade.

Clauses: MK-9.1, MK-10.2, MK-10.3, MK-13.6, MK-17.3, MK-26.1.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.engine.codec import OMIT_IF_EMPTY
from referee.engine.zones import Cards

NOBODY = -1


@dataclass(frozen=True)
class Foe:
    """A monster of the running combat.

    `card` names it. It is the monster's own card, or the card Second Helping if the monster is a twin of `of`.
    """

    card: str
    of: str
    enhancers: Cards = ()


@dataclass(frozen=True)
class AddedStrength:
    """What a card or a power has added to one side for this combat (MK-9.1)."""

    card: str
    seat: int
    side: str  # munchkins or monsters
    count: int
    one_shot: bool = False


@dataclass(frozen=True)
class Deal:
    """What main gives for help (MK-13.6).

    `treasures` is their number, `all_of_them` means every one, and `picks` is the order of picking. `items` are in
    play.
    `plays` are cards from the hand that main plays on the helper. The `note` binds nobody.
    """

    treasures: int = 0
    all_of_them: bool = False
    picks: tuple[str, ...] = ()  # main or helper, in the order of picking
    items: Cards = ()
    plays: Cards = ()
    note: str = ""


@dataclass(frozen=True)
class Combat:
    """The running combat (MK-9.1, MK-13.1, MK-17.3).

    `asked` has to answer `offer`, which `offered_by` made.
    """

    main: int
    foes: tuple[Foe, ...] = ()
    helper: int = NOBODY
    forced: bool = False  # the helper was drafted (MK-13.10)
    deal: Deal | None = None
    asked: int = NOBODY
    offered_by: int = NOBODY
    offer: Deal | None = None
    # How often terms were named since the combat last changed, where talks are limited (MK-13.2-R2).
    proposals: int = field(default=0, metadata=OMIT_IF_EMPTY)
    declined: tuple[int, ...] = ()  # since the combat last changed; main in it: one request was taken back (MK-13.2)
    added: tuple[AddedStrength, ...] = ()
    used: tuple[str, ...] = ()  # powers used: name and seat, `scare/2` (MK-4.9)
    removed: int = 0  # how many monsters a card has removed (MK-11.3)
    swap_wanted: tuple[int, ...] = ()  # the fighters who want the helper to run first (MK-17.5)
    helper_first: bool = False
    to_flee: tuple[str, ...] = ()  # `seat/monster` pairs still to be escaped, once the fighters run (MK-17.3)
    caught: tuple[int, ...] = ()  # who died in this combat (MK-19.6)

    @property
    def fighters(self) -> tuple[int, ...]:
        """Main, and the helper if there is one."""
        return (self.main,) if self.helper == NOBODY else (self.main, self.helper)

    def find_foe(self, card: str) -> Foe | None:
        """Return the monster of this name, or None if it is not in the combat."""
        return next((foe for foe in self.foes if foe.card == card), None)


@dataclass(frozen=True)
class Trade:
    """A standing offer: `by` gives `give` to `to` and gets `take` (MK-26.1).

    Both are items in play, named by card.
    """

    by: int
    to: int
    give: Cards = ()
    take: Cards = ()


LASTING_NUMBERS = ("strength", "escape", "die_rolls", "hand_limit", "treasures", "sale_times")
LASTING_WORDS = (*LASTING_NUMBERS, "cannot_help", "cannot_play_one_shots")
COMBAT_END, TURN_END, OWN_NEXT_TURN = "combat_end", "turn_end", "next_turn"


@dataclass(frozen=True)
class LastingValue:
    """What a text gives a player for a while, or keeps the player from (MK-27.2).

    `until` is `combat_end`, `turn_end` or `next_turn`: that of `by`, the player of the text.
    """

    card: str
    seat: int
    what: str
    until: str
    by: int
    value: int = 0
