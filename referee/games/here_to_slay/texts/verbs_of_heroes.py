"""Verbs of the card texts about heroes, items, rolls, and what lasts for a while.

Clauses: HTS-DO-16 to HTS-DO-24, HTS-DO-28, HTS-DO-30, HTS-DO-32, HTS-DO-33, HTS-REPL-2, HTS-UNTIL-1, HTS-UNTIL-2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from referee.cardscript.hidden_cards import cards_arriving
from referee.cardscript.language.interpreter import Execution, NameBound
from referee.cardscript.language.primitives import NO_NAME, BoundName, CardEffect, NewName, PlayerSelector
from referee.engine.events import Event
from referee.engine.steps import StepPushed
from referee.games.here_to_slay.components import DISCARD, HANDS, is_kind
from referee.games.here_to_slay.events.cards import EffectLapsed
from referee.games.here_to_slay.events.heroes import HeroStolen, ItemGaveWay, ItemReturned
from referee.games.here_to_slay.events.plays import ValueAdded
from referee.games.here_to_slay.events.turns import LastingEffectBegan
from referee.games.here_to_slay.rules.hero_removal import ImpendingDestruction, move_hero, start_sacrifices, steal_hero
from referee.games.here_to_slay.rules.rolling import find_marked_heroes, roll_for_hero
from referee.games.here_to_slay.state import Table, item_place_of
from referee.games.here_to_slay.texts.nouns import CardKind
from referee.games.here_to_slay.texts.vocabulary import VOCABULARY


@VOCABULARY.register_effect("destroy")
@dataclass(frozen=True)
class DestroyHero(CardEffect):
    """Destroys a hero of another party (HTS-DO-17); `item_to_me`: its item comes to the hand (HTS-DO-16)."""

    hero: BoundName
    item_to_me: bool = False

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if (hero := text.first_value(self.hero)) is not None:
            yield StepPushed(ImpendingDestruction(hero, text.by, text.by if self.item_to_me else -1))


@VOCABULARY.register_effect("sacrifice")
@dataclass(frozen=True)
class SacrificeHero(CardEffect):
    """These players sacrifice a hero each, of their own choice (HTS-DO-18)."""

    who: PlayerSelector

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        events = tuple(start_sacrifices(state, text.card, self.who.select_seats(state, text)))
        yield from events or (EffectLapsed(text.card, "sacrifices"),)


@VOCABULARY.register_effect("steal")
@dataclass(frozen=True)
class StealHero(CardEffect):
    """Steals a hero of another party, of the one `of` if that is named; the name is bound if it worked (HTS-AMB-47)."""

    hero: BoundName
    of: BoundName | None = None
    called: NewName = NO_NAME

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if (hero := text.first_value(self.hero)) is None:
            return
        if self.of is not None and state.controller_of(hero) != text.first_value(self.of):
            yield EffectLapsed(hero, "steal")  # it lies in a third party by now (HTS-TGT-4)
            return
        for event in steal_hero(state, text.by, hero):
            yield event
            if self.called and isinstance(event, HeroStolen):
                yield NameBound(self.called, (hero,))


@VOCABULARY.register_effect("move_hero")
@dataclass(frozen=True)
class MoveHero(CardEffect):
    """Gives an own hero to the party of another player (HTS-DO-20)."""

    hero: BoundName
    to: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        hero, to = text.first_value(self.hero), text.first_value(self.to)
        if hero is not None and to is not None:
            yield from move_hero(state, text.by, hero, to)


@VOCABULARY.register_effect("return_item")
@dataclass(frozen=True)
class ReturnItem(CardEffect):
    """Returns an item, named by the hero that carries it, or every item, to a hand (HTS-DO-16, HTS-AMB-34)."""

    item: BoundName | None = None
    every: bool = False
    to_me: bool = False
    kind: CardKind | None = None

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        hosts = text.bound.get(self.item, ()) if self.item else ()
        found = [
            each
            for each in state.iterate_items()
            if self.every or (each[1] in hosts and self._is_still_meant(text, *each))
        ]
        if not found and (self.every or hosts):
            yield EffectLapsed(text.card, "item")
        for owner, hero, item in found:
            seat = text.by if self.to_me else owner
            yield ItemReturned(item_place_of(hero), HANDS[seat], (item,), cards_arriving(state, seat, (item,)), seat)

    def _is_still_meant(self, text: Execution, owner: int, _hero: str, item: str) -> bool:
        """Whether the item is still what was named in advance: in the own party, of that kind (HTS-TGT-4)."""
        return (not self.to_me or owner == text.by) and (self.kind is None or is_kind(item, self.kind))


@VOCABULARY.register_effect("lasting")
@dataclass(frozen=True)
class GrantLastingEffect(CardEffect):
    """Gives the player of the text something until a turn of theirs ends or starts (HTS-UNTIL-1, HTS-UNTIL-2)."""

    what: Literal["roll_bonus", "no_challenge", "no_destroy", "no_steal"]
    until: Literal["own_turn_end", "own_turn_start"]
    value: int = 0

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        yield LastingEffectBegan(text.card, text.by, self.what, self.until, self.value)


@VOCABULARY.register_effect("roll_for")
@dataclass(frozen=True)
class RollAtOnce(CardEffect):
    """Rolls for a hero at once, without a point; lapses if it is marked or sealed (HTS-DO-32, HTS-AMB-25)."""

    hero: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        hero = text.first_value(self.hero)
        if hero is None:
            return
        if state.controller_of(hero) != text.by or state.is_sealed(hero) or hero in find_marked_heroes(state):
            yield EffectLapsed(hero, "roll")
        else:
            yield from roll_for_hero(state, text.by, hero)


@VOCABULARY.register_effect("add_value")
@dataclass(frozen=True)
class AddValue(CardEffect):
    """Puts a value on the roll that set the text off (HTS-DO-45)."""

    value: int | BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        value = self.value if isinstance(self.value, int) else text.first_value(self.value)
        roller = text.first_value("roller")
        if value is not None and roller is not None:
            yield ValueAdded(text.by, text.card, value, roller)


@VOCABULARY.register_effect("give_way")
@dataclass(frozen=True)
class ItemGivesWay(CardEffect):
    """The item goes to the discard pile in place of its hero (HTS-REPL-2)."""

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if (hero := text.first_value("hero")) is not None:
            yield ItemGaveWay(item_place_of(hero), DISCARD, (text.card,), (text.card,), hero)
