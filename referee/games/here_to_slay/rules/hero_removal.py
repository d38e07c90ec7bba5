"""What befalls heroes: destroying and sacrificing with protections and replacements, stealing, moving, their items.

Clauses: HTS-VERB-3 to HTS-VERB-5, HTS-VERB-10, HTS-DO-17 to HTS-DO-24, HTS-REPL-1 to HTS-REPL-5, HTS-PROT-1,
HTS-PROT-3, HTS-ITEM-5, HTS-AMB-35 to HTS-AMB-38, HTS-AMB-59, HTS-AMB-74.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.hidden_cards import coming_to
from referee.cardscript.moves import Accept, Decline
from referee.cardscript.questions import Asking, Together, wrong_number
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Became, Closed, Opened, Step
from referee.games.here_to_slay.components import DISCARD, FACES, HANDS, PARTIES
from referee.games.here_to_slay.events.cards import Lapsed
from referee.games.here_to_slay.events.heroes import (
    HeroDestroyed,
    HeroMoved,
    HeroSacrificed,
    HeroStolen,
    ItemLost,
    ItemReturned,
    Replaced,
)
from referee.games.here_to_slay.state import Table, under
from referee.games.here_to_slay.texts.faces import Replacement
from referee.games.here_to_slay.triggers import text_of


def replacement_by_item(table: Table, hero: str, verb: str) -> tuple[str, Replacement] | None:
    """The item of a hero that steps in for what is about to happen, and how (HTS-REPL-2)."""
    item = table.item_of(hero)
    found = [each for each in FACES[item].replacements if verb in each.of] if item else []
    return (item, found[0]) if item and found else None


def replacement_by_monster(table: Table, seat: int, hero: str, verb: str) -> tuple[str, Replacement] | None:
    """The ability of the destroyer that may be used in place of it (HTS-REPL-3): stealing, so not if that is barred."""
    if table.protected(hero, "steal") is not None:
        return None
    for card in table.abilities(seat):
        for each in FACES[card].replacements:
            if verb in each.of:
                return card, each
    return None


@named("hts.WouldDestroy")
@dataclass(frozen=True)
class WouldDestroy(Step):
    """A hero is about to be destroyed by `by`: protection, then who may step in, then the deed (HTS-REPL-4).

    `item_to`: the player who gets its item, -1: nobody (Shurikitty).
    """

    hero: str
    by: int
    item_to: int = -1
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-17", "HTS-REPL-4", "HTS-PROT-1")

    def resolve(self, state: Table) -> Iterator[Event]:
        owner = state.controller(self.hero)
        if owner in (None, self.by) or state.protected(self.hero, "destroy") is not None:
            yield Lapsed(self.hero, "destroy")  # HTS-TGT-4
            yield Closed()
            return
        doll = replacement_by_item(state, self.hero, "destroy")
        instead = replacement_by_monster(state, self.by, self.hero, "destroy")
        if instead and (state.rules.sabretooth_before_doll or not doll):
            yield Became(Instead(self.by, instead[0], instead[1].text, self.hero, self.item_to))
        else:
            yield Became(Destroy(self.hero, self.by, self.item_to))


@named("hts.Instead")
@dataclass(frozen=True)
class Instead(Asking):
    """Whoever is about to destroy a hero may do something else with it (HTS-REPL-3)."""

    seat: int
    card: str
    text: str
    hero: str
    item_to: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-REPL-3", "HTS-AMB-36", "HTS-AMB-37")

    def asked(self, state: Table) -> tuple[int, ...]:
        return (self.seat,)

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Decline()
        yield Accept()

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Accept | Decline):
            raise Refused("take_or_leave", "HTS-REPL-3", card=self.card)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, Accept):
            yield Replaced(self.card, self.hero, "destroy")
            yield Became(text_of(self.card, self.text, self.seat, {"hero": (self.hero,)}))
        else:
            yield Became(Destroy(self.hero, self.seat, self.item_to))


@named("hts.Destroy")
@dataclass(frozen=True)
class Destroy(Step):
    """A hero is destroyed, unless its item gives way for it (HTS-REPL-2)."""

    hero: str
    by: int
    item_to: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-3", "HTS-DO-17", "HTS-REPL-2")

    def resolve(self, state: Table) -> Iterator[Event]:
        owner = state.controller(self.hero)
        if owner is None:  # it has left with its player in the meantime (HTS-AMB-73)
            yield Lapsed(self.hero, "destroy")
            yield Closed()
            return
        doll = replacement_by_item(state, self.hero, "destroy")
        if doll:
            yield Replaced(doll[0], self.hero, "destroy")
            yield Became(text_of(doll[0], doll[1].text, owner, {"hero": (self.hero,)}))
            return
        yield Closed()
        yield HeroDestroyed(PARTIES[owner], DISCARD, (self.hero,), (self.hero,), owner, self.by)
        item = state.item_of(self.hero)
        if item and self.item_to >= 0:
            put = coming_to(state, self.item_to, (item,))
            yield ItemReturned(under(self.hero), HANDS[self.item_to], (item,), put, self.item_to)
        elif item:
            yield ItemLost(under(self.hero), DISCARD, (item,), (item,))


@named("hts.Sacrifice")
@dataclass(frozen=True)
class Sacrifice(Step):
    """A player sacrifices a hero, unless its item gives way for it (HTS-VERB-4, HTS-REPL-2, HTS-REPL-5)."""

    seat: int
    hero: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-4", "HTS-DO-18", "HTS-DO-22", "HTS-REPL-2")

    def resolve(self, state: Table) -> Iterator[Event]:
        if self.hero not in state.party(self.seat):
            yield Lapsed(self.hero, "sacrifice")
            yield Closed()
            return
        doll = replacement_by_item(state, self.hero, "sacrifice")
        if doll:
            yield Replaced(doll[0], self.hero, "sacrifice")
            yield Became(text_of(doll[0], doll[1].text, self.seat, {"hero": (self.hero,)}))
            return
        yield Closed()
        yield HeroSacrificed(PARTIES[self.seat], DISCARD, (self.hero,), (self.hero,), self.seat)
        if item := state.item_of(self.hero):
            yield ItemLost(under(self.hero), DISCARD, (item,), (item,))


@named("hts.ChooseSacrifice")
@dataclass(frozen=True)
class ChooseSacrifice(Together):
    """Each of these players chooses a hero of the own party to sacrifice, unseen by the others (HTS-EACH-2)."""

    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-18", "HTS-EACH-2", "HTS-TGT-6", "HTS-AMB-54")

    def choices(self, state: Table, seat: int) -> Iterable[tuple[str, ...]]:
        return ((hero,) for _, hero in state.heroes())

    def fits(self, state: Table, seat: int, cards: tuple[str, ...]) -> None:
        if len(cards) != 1:
            raise wrong_number(1, 1, "HTS-DO-18")
        if cards[0] not in state.party(seat):
            raise Refused("not_in_the_party", "HTS-VERB-4", card=cards[0])

    def carried_out(self, state: Table) -> Iterator[Event]:
        for seat in reversed(self.waiting):  # the first to run is opened last
            if chosen := self.given.get(str(seat)):
                yield Opened(Sacrifice(seat, chosen[0]))


def sacrifices(table: Table, card: str, seats: Iterable[int]) -> Iterator[Event]:
    """The facts with which these players sacrifice a hero each; who has none is skipped (HTS-EACH-3)."""
    asked = tuple(seat for seat in seats if table.party(seat))
    only = {str(seat): table.party(seat) for seat in asked if len(table.party(seat)) == 1}
    if asked:
        yield Opened(ChooseSacrifice(asked, card, only))


def stolen(table: Table, by: int, hero: str) -> Iterator[Event]:
    """The facts of stealing a hero, none if it cannot be stolen any more (HTS-DO-19, HTS-TGT-4)."""
    owner = table.controller(hero)
    if owner is None or owner == by or table.protected(hero, "steal") is not None:
        yield Lapsed(hero, "steal")
    else:
        yield HeroStolen(PARTIES[owner], PARTIES[by], (hero,), (hero,), by, owner)


def moved(table: Table, by: int, hero: str, to: int) -> Iterator[Event]:
    """The facts of giving an own hero to another party, none if it is not there (HTS-DO-20)."""
    if table.controller(hero) != by:
        yield Lapsed(hero, "give")
    else:
        yield HeroMoved(PARTIES[by], PARTIES[to], (hero,), (hero,), by, to)
