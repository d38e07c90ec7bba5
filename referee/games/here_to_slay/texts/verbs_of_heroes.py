"""Verbs of card texts about heroes, items, rolls and lasting effects.

Clauses: HTS-DO-16 to HTS-DO-24, HTS-DO-28, HTS-DO-30, HTS-DO-32, HTS-DO-33, HTS-REPL-2, HTS-UNTIL-1, HTS-UNTIL-2.
HTS-DO-30: Roll bonuses for the turn last to its end and add up, copy by copy.
HTS-DO-33: Iron Resolve shields everything its player plays for the rest of that turn from challenges, free plays too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from referee.cardscript.hidden_cards import cards_arriving
from referee.cardscript.language.interpreter import Execution, NameBound
from referee.cardscript.language.primitives import ME, NO_NAME, BoundName, CardEffect, NewName, PlayerSelector
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
from referee.games.here_to_slay.texts.amounts import Amount, Count, compute_amount
from referee.games.here_to_slay.texts.nouns import CardKind
from referee.games.here_to_slay.texts.vocabulary import VOCABULARY


@VOCABULARY.register_effect("destroy")
@dataclass(frozen=True)
class DestroyHero(CardEffect):
    """Destroy a hero of another party.

    `item_to_me`: its item goes to the player's hand.
    HTS-DO-17: To destroy: name an unprotected hero in another party. Unless something takes its place, it is discarded
        with its item. Several are dealt with one at a time.
    HTS-DO-16: Shurikitty takes the item of the destroyed hero to its player's hand.
    """

    hero: BoundName
    item_to_me: bool = False

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if (hero := text.first_value(self.hero)) is not None:
            yield StepPushed(ImpendingDestruction(hero, text.by, text.by if self.item_to_me else -1))


@VOCABULARY.register_effect("sacrifice")
@dataclass(frozen=True)
class SacrificeHero(CardEffect):
    """These players sacrifice a hero each, of their own choice.

    HTS-DO-18: Players who have to sacrifice choose the hero. Without heroes nothing happens.
    """

    who: PlayerSelector

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        events = tuple(start_sacrifices(state, text.card, self.who.select_seats(state, text)))
        yield from events or (EffectLapsed(text.card, "sacrifices"),)


@VOCABULARY.register_effect("steal")
@dataclass(frozen=True)
class StealHero(CardEffect):
    """Steal a hero of another party, or of the party of `of`.

    HTS-AMB-47: If no hero can be stolen, nothing is given in exchange. So the name `called` is bound only if the hero
        was stolen.
    """

    hero: BoundName
    of: BoundName | None = None
    called: NewName = NO_NAME

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if (hero := text.first_value(self.hero)) is None:
            return
        if self.of is not None and state.controller_of(hero) != text.first_value(self.of):
            yield EffectLapsed(hero, "steal")  # HTS-TGT-4: it lies in a third party by now
            return
        for event in steal_hero(state, text.by, hero):
            yield event
            if self.called and isinstance(event, HeroStolen):
                yield NameBound(self.called, (hero,))


@VOCABULARY.register_effect("move_hero")
@dataclass(frozen=True)
class MoveHero(CardEffect):
    """Move a hero of the player's own party to the party of another player.

    HTS-DO-20: A hero whom a text sends from its player's party to another takes its item along. That is not stealing,
        and no protection stops it.
    """

    hero: BoundName
    to: BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        hero, to = text.first_value(self.hero), text.first_value(self.to)
        if hero is not None and to is not None:
            yield from move_hero(state, text.by, hero, to)


@VOCABULARY.register_effect("return_item")
@dataclass(frozen=True)
class ReturnItem(CardEffect):
    """Return an item to a hand.

    `item` names it by the hero that carries it. `every`: return all items instead.
    HTS-DO-16: A returned item leaves its hero for a hand.
    HTS-AMB-34: Items go to the player who controls the hero, or with Holy Curselifter and Shurikitty to the player
        using them.
    """

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
        """Return whether the item still fits what was declared in advance.

        HTS-TGT-4: A named target stays the target. If it can no longer be affected when its part comes, that part
            lapses.
        """
        return (not self.to_me or owner == text.by) and (self.kind is None or is_kind(item, self.kind))


@VOCABULARY.register_effect("lasting")
@dataclass(frozen=True)
class GrantLastingEffect(CardEffect):
    """Give something to players, or keep them from something, for a while.

    `who` is the player of the text unless said otherwise. It ends when a turn of theirs ends or starts (`own_turn_end`,
    `own_turn_start`), when their next roll is settled (`next_roll`), or when the next turn of the text's player starts
    (`my_turn_start`).

    HTS-UNTIL-1: What lasts until the turn ends runs from that moment to the end of the player's own turn, whatever
        becomes of the card.
    HTS-UNTIL-2: What lasts until the next turn ends when that player's turn starts.
    HTS-UNTIL-3: What a text gives or imposes may concern other players too. It may also end once the next roll of the
        player concerned is settled, or when the next turn of the text's player starts.
    """

    what: Literal["roll_bonus", "no_challenge", "no_destroy", "no_steal", "no_attack", "no_challenging", "no_modifying"]
    until: Literal["own_turn_end", "own_turn_start", "next_roll", "my_turn_start"]
    value: Count = 0
    who: PlayerSelector = ME

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        value = self.value if isinstance(self.value, int) else compute_amount(state, self.value, text.bound)
        for seat in self.who.select_seats(state, text):
            of = (text.by,) if self.until == "my_turn_start" else ()
            yield LastingEffectBegan(text.card, seat, self.what, self.until, value, of)


@VOCABULARY.register_effect("roll_for")
@dataclass(frozen=True)
class RollAtOnce(CardEffect):
    """Roll for a hero at once, without a point.

    HTS-DO-32: With Wiggles the stolen hero must be rolled for at once and for free. If it has a mark or seal, there is
        no roll.
    HTS-AMB-25: The roll costs no point, is not optional and is the stolen hero's roll of this turn.
    """

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
    """Put a value on the roll that set off the text.

    HTS-DO-45: The Protecting Horn may add +1 or -1, and Abyss Queen adds +1 by itself.
    """

    value: int | Amount | BoundName

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        match self.value:
            case Amount() as amount:
                value = compute_amount(state, amount, text.bound)
            case int() as value:
                pass
            case name:
                value = text.first_value(name)
        roller = text.first_value("roller")
        if value is not None and roller is not None:
            yield ValueAdded(text.by, text.card, value, roller)


@VOCABULARY.register_effect("give_way")
@dataclass(frozen=True)
class ItemGivesWay(CardEffect):
    """Discard the item instead of its hero.

    HTS-REPL-2: Decoy Doll always steps in for a hero about to be destroyed or sacrificed: the item is discarded, the
        hero stays. It is no help against stealing or moving.
    """

    def execute(self, state: Table, text: Execution) -> Iterator[Event]:
        if (hero := text.first_value("hero")) is not None:
            yield ItemGaveWay(item_place_of(hero), DISCARD, (text.card,), (text.card,), hero)
