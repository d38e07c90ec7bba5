"""Verbs of the card texts about heroes, items, rolls, and what lasts for a while.

Clauses: HTS-DO-16 to HTS-DO-24, HTS-DO-28, HTS-DO-30, HTS-DO-32, HTS-DO-33, HTS-REPL-2, HTS-UNTIL-1, HTS-UNTIL-2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from referee.cardscript.hidden_cards import coming_to
from referee.cardscript.language.interpreter import Bound, CarryOut
from referee.cardscript.language.primitives import UNNAMED, Called, Name, Who, Word
from referee.engine.events import Event
from referee.engine.steps import Opened
from referee.games.here_to_slay.components import DISCARD, HANDS, is_kind
from referee.games.here_to_slay.events.cards import Lapsed
from referee.games.here_to_slay.events.heroes import GaveWay, HeroStolen, ItemReturned
from referee.games.here_to_slay.events.plays import ValueAdded
from referee.games.here_to_slay.events.turns import LastingBegan
from referee.games.here_to_slay.rules.hero_removal import WouldDestroy, moved, sacrifices, stolen
from referee.games.here_to_slay.rules.rolling import marked, roll_for_hero
from referee.games.here_to_slay.state import Table, under
from referee.games.here_to_slay.texts.nouns import Kind
from referee.games.here_to_slay.texts.vocabulary import WORDS


@WORDS.word("destroy")
@dataclass(frozen=True)
class DestroyHero(Word):
    """Destroys a hero of another party (HTS-DO-17); `item_to_me`: its item comes to the hand (HTS-DO-16)."""

    hero: Name
    item_to_me: bool = False

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        if (hero := text.first(self.hero)) is not None:
            yield Opened(WouldDestroy(hero, text.by, text.by if self.item_to_me else -1))


@WORDS.word("sacrifice")
@dataclass(frozen=True)
class SacrificeHero(Word):
    """These players sacrifice a hero each, of their own choice (HTS-DO-18)."""

    who: Who

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        facts = tuple(sacrifices(state, text.card, self.who.seats(state, text)))
        yield from facts or (Lapsed(text.card, "sacrifices"),)


@WORDS.word("steal")
@dataclass(frozen=True)
class StealHero(Word):
    """Steals a hero of another party, of the one `of` if that is named; the name is bound if it worked (HTS-AMB-47)."""

    hero: Name
    of: Name | None = None
    called: Called = UNNAMED

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        if (hero := text.first(self.hero)) is None:
            return
        if self.of is not None and state.controller(hero) != text.first(self.of):
            yield Lapsed(hero, "steal")  # it lies in a third party by now (HTS-TGT-4)
            return
        for fact in stolen(state, text.by, hero):
            yield fact
            if self.called and isinstance(fact, HeroStolen):
                yield Bound(self.called, (hero,))


@WORDS.word("move_hero")
@dataclass(frozen=True)
class MoveHero(Word):
    """Gives an own hero to the party of another player (HTS-DO-20)."""

    hero: Name
    to: Name

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        hero, to = text.first(self.hero), text.first(self.to)
        if hero is not None and to is not None:
            yield from moved(state, text.by, hero, to)


@WORDS.word("return_item")
@dataclass(frozen=True)
class ReturnItem(Word):
    """Returns an item, named by the hero that carries it, or every item, to a hand (HTS-DO-16, HTS-AMB-34)."""

    item: Name | None = None
    every: bool = False
    to_me: bool = False
    kind: Kind | None = None

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        hosts = text.bound.get(self.item, ()) if self.item else ()
        found = [each for each in state.items() if self.every or (each[1] in hosts and self._still(text, *each))]
        if not found and (self.every or hosts):
            yield Lapsed(text.card, "item")
        for owner, hero, item in found:
            seat = text.by if self.to_me else owner
            yield ItemReturned(under(hero), HANDS[seat], (item,), coming_to(state, seat, (item,)), seat)

    def _still(self, text: CarryOut, owner: int, _hero: str, item: str) -> bool:
        """Whether the item is still what was named in advance: in the own party, of that kind (HTS-TGT-4)."""
        return (not self.to_me or owner == text.by) and (self.kind is None or is_kind(item, self.kind))


@WORDS.word("lasting")
@dataclass(frozen=True)
class LastingFor(Word):
    """Gives the player of the text something until a turn of theirs ends or starts (HTS-UNTIL-1, HTS-UNTIL-2)."""

    what: Literal["roll_bonus", "no_challenge", "no_destroy", "no_steal"]
    until: Literal["own_turn_end", "own_turn_start"]
    value: int = 0

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        yield LastingBegan(text.card, text.by, self.what, self.until, self.value)


@WORDS.word("roll_for")
@dataclass(frozen=True)
class RollAtOnce(Word):
    """Rolls for a hero at once, without a point; lapses if it is marked or sealed (HTS-DO-32, HTS-AMB-25)."""

    hero: Name

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        hero = text.first(self.hero)
        if hero is None:
            return
        if state.controller(hero) != text.by or state.sealed(hero) or hero in marked(state):
            yield Lapsed(hero, "roll")
        else:
            yield from roll_for_hero(state, text.by, hero)


@WORDS.word("add_value")
@dataclass(frozen=True)
class AddValue(Word):
    """Puts a value on the roll that set the text off (HTS-DO-45)."""

    value: int | Name

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        value = self.value if isinstance(self.value, int) else text.first(self.value)
        roller = text.first("roller")
        if value is not None and roller is not None:
            yield ValueAdded(text.by, text.card, value, roller)


@WORDS.word("give_way")
@dataclass(frozen=True)
class GiveWay(Word):
    """The item goes to the discard pile in place of its hero (HTS-REPL-2)."""

    def act(self, state: Table, text: CarryOut) -> Iterator[Event]:
        if (hero := text.first("hero")) is not None:
            yield GaveWay(under(hero), DISCARD, (text.card,), (text.card,), hero)
