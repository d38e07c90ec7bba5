"""Effects on heroes: destroying, sacrificing, stealing, moving, and prevention.

Clauses: HTS-VERB-3 to HTS-VERB-5, HTS-VERB-10, HTS-DO-17 to HTS-DO-24, HTS-REPL-1 to HTS-REPL-5, HTS-PROT-1,
HTS-PROT-3, HTS-ITEM-5, HTS-AMB-35 to HTS-AMB-38, HTS-AMB-59, HTS-AMB-74.
HTS-VERB-10: Only heroes are destroyed, sacrificed and stolen. Nobody destroys or steals heroes in their own party.
HTS-PROT-3: Protection covers its own verb only. Items and the other verbs get through. Yet where nothing can be
    destroyed, nothing can be stolen instead.
HTS-ITEM-5: What happens to a hero happens to its item: they are destroyed, stolen, sacrificed, moved or returned to a
    hand together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.hidden_cards import cards_arriving
from referee.cardscript.moves import Accept, ChooseCards, Decline
from referee.cardscript.questions import AcceptPrompt, SimultaneousChoice, refuse_wrong_number
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove, NotAsked
from referee.engine.seats import Seat
from referee.engine.steps import Step, StepPopped, StepPushed, StepReplaced
from referee.games.here_to_slay.components import DISCARD, FACES, HANDS, PARTIES
from referee.games.here_to_slay.events.cards import EffectLapsed
from referee.games.here_to_slay.events.heroes import (
    HeroDestroyed,
    HeroMoved,
    HeroSacrificed,
    HeroStolen,
    ItemLost,
    ItemReturned,
    ReplacementApplied,
)
from referee.games.here_to_slay.rules.hands import cite_common_choice
from referee.games.here_to_slay.state import Table, item_place_of
from referee.games.here_to_slay.texts.faces import Replacement
from referee.games.here_to_slay.triggers import build_text_execution


def find_item_replacement(table: Table, hero: str, verb: str) -> tuple[str, Replacement] | None:
    """Return the item of a hero that steps in for it, and how, or None.

    HTS-REPL-2: Decoy Doll always steps in for a hero about to be destroyed or sacrificed: the item is discarded, the
        hero stays. It is no help against stealing or moving.
    """
    item = table.item_of(hero)
    found = [each for each in FACES[item].replacements if verb in each.of] if item else []
    return (item, found[0]) if item and found else None


def find_monster_replacement(table: Table, seat: int, hero: str, verb: str) -> tuple[str, Replacement] | None:
    """Return the destroyer's ability to do something else instead, or None.

    It steals the hero, so it is not available if the hero is protected from stealing.
    HTS-REPL-3: The owner of Corrupted Sabretooth is asked about each hero they would destroy and may steal it with its
        item instead, unless it is protected from that.
    """
    if table.find_protection(hero, "steal") is not None:
        return None
    for card in table.ability_cards_of(seat):
        for each in FACES[card].replacements:
            if verb in each.of:
                return card, each
    return None


@named("hts.WouldDestroy")
@dataclass(frozen=True)
class ImpendingDestruction(Step):
    """A hero is about to be destroyed by `by`.

    `item_to` is the player who gets its item (Shurikitty), or -1 for nobody.
    HTS-REPL-4: When a hero is to be destroyed, first its protection counts, then the question of Corrupted Sabretooth,
        then Decoy Doll. Only after that is it destroyed.
    """

    hero: str
    by: int
    item_to: int = -1
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-17", "HTS-REPL-4", "HTS-PROT-1")

    def resolve(self, state: Table) -> Iterator[Event]:
        owner = state.controller_of(self.hero)
        if owner in (None, self.by) or state.find_protection(self.hero, "destroy") is not None:
            yield EffectLapsed(self.hero, "destroy")  # HTS-TGT-4: what can no longer be affected lapses
            yield StepPopped()
            return
        doll = find_item_replacement(state, self.hero, "destroy")
        instead = find_monster_replacement(state, self.by, self.hero, "destroy")
        if instead and (state.rules.sabretooth_before_doll or not doll):
            yield StepReplaced(ReplacementOffer(self.by, instead[0], instead[1].text, self.hero, self.item_to))
        else:
            yield StepReplaced(HeroDestruction(self.hero, self.by, self.item_to))


@named("hts.Instead")
@dataclass(frozen=True)
class ReplacementOffer(AcceptPrompt):
    """The player who is about to destroy a hero may do something else with it.

    HTS-REPL-3: The owner of Corrupted Sabretooth is asked about each hero they would destroy and may steal it with its
        item instead, unless it is protected from that.
    """

    seat: int
    card: str
    text: str
    hero: str
    item_to: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-REPL-3", "HTS-AMB-36", "HTS-AMB-37")

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, Accept | Decline):
            raise NotAsked("take_or_leave", "HTS-REPL-3", card=self.card)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, Accept):
            yield ReplacementApplied(self.card, self.hero, "destroy")
            yield StepReplaced(build_text_execution(self.card, self.text, self.seat, {"hero": (self.hero,)}))
        else:
            yield StepReplaced(HeroDestruction(self.hero, self.seat, self.item_to))


@named("hts.Destroy")
@dataclass(frozen=True)
class HeroDestruction(Step):
    """A hero is destroyed, unless its item is discarded instead.

    HTS-REPL-2: Decoy Doll always steps in for a hero about to be destroyed or sacrificed: the item is discarded, the
        hero stays. It is no help against stealing or moving.
    """

    hero: str
    by: int
    item_to: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-3", "HTS-DO-17", "HTS-REPL-2")

    def resolve(self, state: Table) -> Iterator[Event]:
        owner = state.controller_of(self.hero)
        if owner is None:  # it has left with its player in the meantime (HTS-AMB-73)
            yield EffectLapsed(self.hero, "destroy")
            yield StepPopped()
            return
        doll = find_item_replacement(state, self.hero, "destroy")
        if doll:
            yield ReplacementApplied(doll[0], self.hero, "destroy")
            yield StepReplaced(build_text_execution(doll[0], doll[1].text, owner, {"hero": (self.hero,)}))
            return
        yield StepPopped()
        yield HeroDestroyed(PARTIES[owner], DISCARD, (self.hero,), (self.hero,), owner, self.by)
        item = state.item_of(self.hero)
        if item and self.item_to >= 0:
            put = cards_arriving(state, self.item_to, (item,))
            yield ItemReturned(item_place_of(self.hero), HANDS[self.item_to], (item,), put, self.item_to)
        elif item:
            yield ItemLost(item_place_of(self.hero), DISCARD, (item,), (item,))


@named("hts.Sacrifice")
@dataclass(frozen=True)
class HeroSacrifice(Step):
    """A player sacrifices a hero, unless its item is discarded instead.

    HTS-VERB-4: To sacrifice: a card in the player's own party goes to the discard pile.
    HTS-REPL-2: Decoy Doll always steps in for a hero about to be destroyed or sacrificed: the item is discarded, the
        hero stays. It is no help against stealing or moving.
    HTS-REPL-5: A hero who carries Decoy Doll may also be chosen for a sacrifice.
    """

    seat: int
    hero: str
    clauses: ClassVar[tuple[str, ...]] = ("HTS-VERB-4", "HTS-DO-18", "HTS-DO-22", "HTS-REPL-2")

    def resolve(self, state: Table) -> Iterator[Event]:
        if self.hero not in state.party_of(self.seat):
            yield EffectLapsed(self.hero, "sacrifice")
            yield StepPopped()
            return
        doll = find_item_replacement(state, self.hero, "sacrifice")
        if doll:
            yield ReplacementApplied(doll[0], self.hero, "sacrifice")
            yield StepReplaced(build_text_execution(doll[0], doll[1].text, self.seat, {"hero": (self.hero,)}))
            return
        yield StepPopped()
        yield HeroSacrificed(PARTIES[self.seat], DISCARD, (self.hero,), (self.hero,), self.seat)
        if item := state.item_of(self.hero):
            yield ItemLost(item_place_of(self.hero), DISCARD, (item,), (item,))


@named("hts.ChooseSacrifice")
@dataclass(frozen=True)
class ChooseSacrifice(SimultaneousChoice):
    """Each of these players chooses one of their heroes to sacrifice, in secret.

    HTS-EACH-2: If all of them choose, they do so at the same time and in secret. Once all have answered, it is carried
        out clockwise.
    """

    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-18", "HTS-TGT-6")

    def possible_choices(self, state: Table, seat: int) -> Iterable[tuple[str, ...]]:
        return ((hero,) for _, hero in state.iterate_heroes())

    def check_choice(self, state: Table, seat: int, cards: tuple[str, ...]) -> None:
        if len(cards) != 1:
            raise refuse_wrong_number(1, 1, "HTS-DO-18")
        if cards[0] not in state.party_of(seat):
            raise IllegalMove("not_in_the_party", "HTS-VERB-4", card=cards[0])

    def find_grounds(self, state: Table, move: Move) -> tuple[str, ...]:
        """Return why this hero may be sacrificed, if it carries what steps in for it.

        HTS-REPL-5: A hero who carries Decoy Doll may also be chosen for a sacrifice.
        """
        if not isinstance(move, ChooseCards):
            return ()
        stands_in = any(find_item_replacement(state, hero, "sacrifice") for hero in move.cards)
        doll = ("HTS-REPL-5",) if stands_in else ()
        return ("HTS-VERB-4", *doll, *cite_common_choice(self.waiting))

    def carry_out_choices(self, state: Table) -> Iterator[Event]:
        for seat in reversed(self.waiting):  # the step that is pushed last runs first
            if chosen := self.given.get(str(seat)):
                yield StepPushed(HeroSacrifice(seat, chosen[0]))


def start_sacrifices(table: Table, card: str, seats: Iterable[int]) -> Iterator[Event]:
    """Yield the events that make these players sacrifice a hero each.

    HTS-EACH-3: A player who has nothing to choose is skipped.
    """
    prompted = tuple(seat for seat in seats if table.party_of(seat))
    only = {str(seat): table.party_of(seat) for seat in prompted if len(table.party_of(seat)) == 1}
    if prompted:
        yield StepPushed(ChooseSacrifice(prompted, card, only))


def steal_hero(table: Table, by: int, hero: str) -> Iterator[Event]:
    """Yield the events of stealing a hero, or its lapse if that is no longer possible.

    HTS-DO-19: To steal: name a hero of another party that may be stolen. Its item and its roll mark come along.
    HTS-TGT-4: A named target stays the target. If it can no longer be affected when its part comes, that part lapses.
    HTS-REPL-6: An item of a book may step in when its hero would be stolen, too. The hero then stays where it is.
    """
    owner = table.controller_of(hero)
    if owner is None or owner == by or table.find_protection(hero, "steal") is not None:
        yield EffectLapsed(hero, "steal")
    elif "steal" in table.rules.boxes.item_powers and (doll := find_item_replacement(table, hero, "steal")):
        yield ReplacementApplied(doll[0], hero, "steal")
        yield StepPushed(build_text_execution(doll[0], doll[1].text, owner, {"hero": (hero,)}))
    else:
        yield HeroStolen(PARTIES[owner], PARTIES[by], (hero,), (hero,), by, owner)


def move_hero(table: Table, by: int, hero: str, to: int) -> Iterator[Event]:
    """Yield the events of giving a hero to another party, or its lapse if it has left.

    HTS-DO-20: A hero whom a text sends from its player's party to another takes its item along. That is not stealing,
        and no protection stops it.
    """
    if table.controller_of(hero) != by:
        yield EffectLapsed(hero, "give")
    else:
        yield HeroMoved(PARTIES[by], PARTIES[to], (hero,), (hero,), by, to)
