"""What card texts let players choose: a hero, a player, a card, an item, a value.

Clauses: HTS-TGT-1, HTS-TGT-2, HTS-TGT-6, HTS-PROT-1, HTS-TEXT-3, HTS-ASK-3, HTS-AMB-55, HTS-DO-11, HTS-DO-12,
HTS-DO-38, HTS-DO-40, HTS-DO-41.
HTS-TEXT-3: If everyone can see that only one answer is possible, the referee gives it. A player who is shown hidden
    cards always confirms having seen them.
HTS-ASK-3: Questions about the kind of hidden cards come every time, whatever was drawn, pulled or held. Where playing
    is a duty, declining is legal only if nothing fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from referee.cardscript.hidden_cards import BACK, can_name_card, find_nameable_cards
from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import BoundName, Selector, Value, Values
from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.zones import is_back
from referee.games.here_to_slay.components import DISCARD, FACES, HANDS, is_kind
from referee.games.here_to_slay.rules.announcing import check_announcement, could_announce
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.texts.faces import Span
from referee.games.here_to_slay.texts.vocabulary import VOCABULARY
from referee.games.here_to_slay.values import sign_values

SHOWN_NAME = "shown/so_far"  # the name under which a text keeps what it has shown to all
HeroClass = Literal["fighter", "guardian", "ranger", "thief", "wizard", "bard"]
CardKind = Literal["hero", "item", "cursed_item", "magic", "modifier", "challenge"]


@VOCABULARY.register_selector("hero")
@named("hts.HeroNoun")
@dataclass(frozen=True)
class HeroSelector(Selector):
    """A hero of another party, or with `give` of one's own.

    `to` says what for: `destroy`, `steal`, `put` elsewhere, `use` its effect, or `give`. `class`: the hero has this
    class now, mask included. `carries`: an item, a cursed item or nothing. `roll_min`, `roll_max`: what its roll needs.

    HTS-DO-17: Only an unprotected hero in another party can be named to be destroyed.
    HTS-DO-19: Only a hero of another party that may be stolen can be named to be stolen.
    """

    to: Literal["destroy", "steal", "give", "put", "use"]
    of: BoundName | None = None
    but: BoundName | None = None
    class_: HeroClass | None = field(default=None, metadata=OMIT_IF_EMPTY)
    carries: Literal["item", "cursed_item", "nothing"] | None = field(default=None, metadata=OMIT_IF_EMPTY)
    roll_min: int | None = field(default=None, metadata=OMIT_IF_EMPTY)
    roll_max: int | None = field(default=None, metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TGT-2", "HTS-VERB-10")

    def find_options(self, state: Table, text: Execution, seat: int) -> Values:
        return tuple(
            hero for owner, hero in state.iterate_heroes() if self._find_objection(state, text, owner, hero) is None
        )

    def list_imaginable_values(self, state: Table, text: Execution, seat: int) -> Iterable[Value]:
        return (hero for _, hero in state.iterate_heroes())

    def check_value(self, state: Table, text: Execution, seat: int, value: Value) -> None:
        owner = state.controller_of(str(value))
        if owner is None:
            raise IllegalMove("no_such_hero", "HTS-VERB-10", card=value)
        against = self._find_objection(state, text, owner, str(value))
        if against is not None:
            raise against

    def _find_objection(self, state: Table, text: Execution, owner: int, hero: str) -> IllegalMove | None:
        """Return why this hero may not be chosen, or None."""
        if self.to == "give":
            if owner != text.by:
                return IllegalMove("own_hero_only", "HTS-DO-20", card=hero)
            return self._find_misfit(state, hero)
        if owner == text.by:
            return IllegalMove("not_the_own_party", "HTS-VERB-10", "HTS-AMB-29", card=hero)
        if self.of is not None and owner not in text.bound.get(self.of, ()):
            chosen = text.first_value(self.of)
            if chosen is None:
                return IllegalMove("not_among_these", "HTS-TGT-4", card=hero)
            return IllegalMove("another_party", "HTS-TGT-4", card=hero, seat=chosen)
        if self.but is not None and hero in text.bound.get(self.but, ()):
            return IllegalMove("named_already", "HTS-AMB-59", card=hero)
        if (misfit := self._find_misfit(state, hero)) is not None:
            return misfit
        if self.to in ("destroy", "steal") and (shield := state.find_protection(hero, self.to)) is not None:
            if shield == state.find_item_protection(hero, self.to):
                return IllegalMove("its_item_protects", "HTS-PROT-4", card=hero, by=shield, verb=self.to)
            clause = "HTS-DO-23" if self.to == "destroy" else "HTS-DO-24"
            return IllegalMove("is_protected", "HTS-PROT-1", clause, "HTS-AMB-39", card=hero, by=shield, verb=self.to)
        return None

    def _find_misfit(self, state: Table, hero: str) -> IllegalMove | None:
        """Return why this hero is not of the sort that the text asks for, or None.

        HTS-FILTER-1: Where a text asks for a certain sort of hero, what counts is what the hero is, carries and needs
            at the moment of the choice.
        """
        if self.class_ is not None and state.class_of(hero) != self.class_:
            return IllegalMove("not_of_this_class", "HTS-FILTER-1", card=hero, kind=self.class_)
        if self.carries is not None:
            item = state.item_of(hero)
            fits = item is None if self.carries == "nothing" else item is not None and is_kind(item, self.carries)
            if not fits:
                return IllegalMove("carries_otherwise", "HTS-FILTER-1", card=hero, kind=self.carries)
        span = Span(self.roll_min, self.roll_max)
        needed = FACES[hero].roll.most if FACES[hero].roll.least is None else FACES[hero].roll.least
        if span != Span() and (needed is None or not span.contains_total(needed)):
            return IllegalMove("needs_another_roll", "HTS-FILTER-1", card=hero)
        return None

    def find_grounds(self, state: Table, text: Execution, value: Value) -> tuple[str, ...]:
        """Return the clauses by which this hero may be chosen.

        HTS-PROT-3: Protection covers its own verb only.
        """
        other = {"destroy": "steal", "steal": "destroy"}.get(self.to)
        shielded = other is not None and state.find_protection(str(value), other) is not None
        filtered = any(each is not None for each in (self.class_, self.carries, self.roll_min, self.roll_max))
        found = (*self.clauses, "HTS-FILTER-1") if filtered else self.clauses
        return (*found, "HTS-PROT-3") if shielded else found


@VOCABULARY.register_selector("player")
@named("hts.PlayerNoun")
@dataclass(frozen=True)
class OpponentSelector(Selector):
    """Another player whom the first part of the text can affect.

    HTS-TGT-1: Where a text has someone choose a player, it means another player, never the chooser.
    HTS-TGT-2: Only a player to whom the first part can do something may be chosen: one with cards, with heroes or with
        a hero that can be stolen, as the text needs. For Meowzio either part will do. For Dodgy Dealer one of the two
        hands must hold a card. If somebody fits, one must be chosen. If nobody does, these parts lapse.
    """

    holding: bool = False  # the player has hand cards
    with_hero: bool = False
    stealable: bool = False  # the player has a hero that can be stolen
    class_: str = ""  # the player has this class in the party
    or_me: bool = False  # with `holding`: it suffices that the player of the text has hand cards
    or_holding: bool = False  # with `stealable`: it suffices that the player has hand cards
    but: BoundName | None = field(default=None, metadata=OMIT_IF_EMPTY)  # not the player with this name
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TGT-1", "HTS-TGT-2", "HTS-DO-38")
    answer_kind: ClassVar[str] = "player"

    def duty_clauses(self) -> tuple[str, ...]:
        return ("HTS-TGT-2", "HTS-TGT-1", "HTS-DO-38")

    def find_options(self, state: Table, text: Execution, seat: int) -> Values:
        return tuple(other for other in state.other_seats(text.by) if self._is_eligible(state, text, other))

    def list_imaginable_values(self, state: Table, text: Execution, seat: int) -> Iterable[Value]:
        return state.seats_clockwise_from(text.by)

    def check_value(self, state: Table, text: Execution, seat: int, value: Value) -> None:
        if value == text.by:
            raise IllegalMove("not_oneself", "HTS-TGT-1", "HTS-AMB-44")
        if value not in state.seats_at_table:
            raise IllegalMove("no_such_player", "HTS-TGT-1", seat=value)
        if not self._is_eligible(state, text, int(value)):
            raise IllegalMove("nothing_to_do_there", "HTS-TGT-2", "HTS-AMB-44", seat=value, what=self._name_demand())

    def _name_demand(self) -> str:
        """Return which of several texts says what a player lacks who may not be chosen."""
        if self.stealable:
            return "stealable_or_hand" if self.or_holding else "stealable"
        if self.with_hero:
            return "hero"
        if self.holding:
            return "both_hands" if self.or_me else "hand"
        return ""

    def _is_eligible(self, state: Table, text: Execution, seat: int) -> bool:
        if seat == text.by or (self.class_ and self.class_ not in state.classes_of(seat)):
            return False
        if self.but is not None and seat in text.bound.get(self.but, ()):
            return False
        if self.stealable:
            can = any(state.find_protection(hero, "steal") is None for hero in state.party_of(seat))
            return can or (self.or_holding and state.holds_cards(seat))
        if self.with_hero:
            return bool(state.party_of(seat))
        if self.holding:
            return state.holds_cards(seat) or (self.or_me and state.holds_cards(text.by))
        return True


@VOCABULARY.register_selector("card")
@named("hts.CardNoun")
@dataclass(frozen=True)
class CardSelector(Selector):
    """A card of the hand, of the discard pile, or of a set that the text has bound.

    A set holds cards that the text has drawn, pulled, shown or discarded. Only those still in their place count. At a
    real table the hand's cards are backs, and the player names one.
    """

    among: BoundName
    kind: CardKind | None = None
    playable: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-12", "HTS-DO-40")

    def duty_clauses(self) -> tuple[str, ...]:
        """Return the clauses by which a card must be chosen.

        HTS-AMB-48: Hook and Fuzzy Cheeks must play a card if there is one that can be played.
        """
        return ("HTS-AMB-48", "HTS-DO-31", "HTS-ASK-3") if self.playable else self.clauses

    def find_options(self, state: Table, text: Execution, seat: int) -> Values:
        pool = dict.fromkeys(
            card
            for card in self._iterate_nameable_cards(state, text)
            if self._find_objection(state, text, card) is None
        )
        return tuple(pool)

    def list_imaginable_values(self, state: Table, text: Execution, seat: int) -> Iterable[Value]:
        return dict.fromkeys(self._iterate_nameable_cards(state, text))

    def check_value(self, state: Table, text: Execution, seat: int, value: Value) -> None:
        card = str(value)
        if not is_back(card) and card not in FACES:
            raise IllegalMove("no_such_card", *self.clauses, card=card)
        against = self._find_objection(state, text, card)
        if against is not None:
            raise against

    def is_known(self, state: Table, text: Execution, seat: int, value: Value) -> bool:
        return value in state.cards_at(self._place_of_cards(text))

    def is_not_nameable(self, state: Table, text: Execution, seat: int) -> bool:
        return not state.rules.knows_hand_of(text.by) and self._place_of_cards(text) == HANDS[text.by]

    def is_open_to_all(self, state: Table, text: Execution) -> bool:
        where, lying = self._place_of_cards(text), self._list_meant_cards(state, text)
        if where == HANDS[text.by] and self.among != "hand" and self.kind is None:
            return len(lying) == 1 and not any(map(is_back, lying))  # everybody has seen how many were pulled
        return where == DISCARD or (where == "" and all(map(is_back, lying)))

    def has_no_options(self, state: Table, text: Execution, seat: int) -> bool:
        where = self._place_of_cards(text)
        if where == HANDS[text.by] and not state.holds_cards(text.by):
            return True
        if self.among not in ("hand", "discard") and not text.bound.get(self.among):
            return True
        return where == DISCARD and all(
            self._find_objection(state, text, card) for card in self._iterate_nameable_cards(state, text)
        )

    # -- where the cards lie ---------------------------------------------------------------------------------------

    def _place_of_cards(self, text: Execution) -> str:
        """Return the place of the cards, empty if they are only looked at."""
        if self.among in ("hand", "discard"):
            return HANDS[text.by] if self.among == "hand" else DISCARD
        return str((*text.bound.get(f"{self.among}/at", ()), HANDS[text.by])[0])

    def _list_meant_cards(self, state: Table, text: Execution) -> tuple[str, ...]:
        """Return the cards meant, as the text knows them."""
        if self.among in ("hand", "discard"):
            return state.cards_at(self._place_of_cards(text))
        return tuple(map(str, text.bound.get(self.among, ())))

    def _iterate_nameable_cards(self, state: Table, text: Execution) -> Iterator[str]:
        """Yield the cards that may be named, whether or not they fit."""
        where = self._place_of_cards(text)
        if where == DISCARD and UNCOUNTED_CARDS in state.cards_at(DISCARD):
            raise Undetermined("which_cards", place=DISCARD)
        for card in dict.fromkeys(self._list_meant_cards(state, text)):
            if not is_back(card):
                yield card
            elif where:
                yield from find_nameable_cards(state, where)
            else:
                yield card

    def _find_objection(self, state: Table, text: Execution, card: str) -> IllegalMove | None:
        where, lying = self._place_of_cards(text), self._list_meant_cards(state, text)
        hidden = BACK in lying
        if where == "":
            return None if card in lying else IllegalMove("not_among_these", *self.clauses, card=card)
        if card not in lying and not hidden:
            return IllegalMove("not_among_these", *self.clauses, card=card)
        if not can_name_card(state, where, card):
            return IllegalMove("not_there_any_more", *self.clauses, card=card)
        shown = text.bound.get(SHOWN_NAME, ()).count(card) if SHOWN_NAME in text.bound else 0
        if shown and not hidden and state.cards_at(where).count(card) <= shown:
            return IllegalMove("not_there_any_more", "HTS-AMB-50", card=card)  # each card is shown once
        if self.kind is not None and not is_kind(card, self.kind):
            return IllegalMove("another_kind", "HTS-DO-40", "HTS-MAY-3", card=card, kind=self.kind)
        if self.playable and not could_announce(state, text.by, card):
            try:
                check_announcement(state, text.by, card)
            except IllegalMove as refused:
                return refused
        return None


@VOCABULARY.register_selector("item")
@named("hts.ItemNoun")
@dataclass(frozen=True)
class ItemSelector(Selector):
    """An item on the table, named by the hero that carries it.

    HTS-DO-16: A returned item leaves its hero for a hand.
    """

    of: Literal["me", "anyone"]
    kind: CardKind | None = None
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-16", "HTS-AMB-34")

    def find_options(self, state: Table, text: Execution, seat: int) -> Values:
        return tuple(
            hero for owner, hero, item in state.iterate_items() if self._find_objection(text, owner, item) is None
        )

    def list_imaginable_values(self, state: Table, text: Execution, seat: int) -> Iterable[Value]:
        return (hero for _, hero in state.iterate_heroes())

    def check_value(self, state: Table, text: Execution, seat: int, value: Value) -> None:
        owner, item = state.controller_of(str(value)), state.item_of(str(value))
        if owner is None or item is None:
            raise IllegalMove("carries_no_item", "HTS-DO-16", card=value)
        if (against := self._find_objection(text, owner, item)) is not None:
            raise against

    def _find_objection(self, text: Execution, owner: int, item: str) -> IllegalMove | None:
        if self.of == "me" and owner != text.by:
            return IllegalMove("own_party_only", "HTS-DO-16", card=item)
        if self.kind is not None and not is_kind(item, self.kind):
            return IllegalMove("another_kind", "HTS-DO-16", card=item, kind=self.kind)
        return None


@VOCABULARY.register_selector("value")
@named("hts.ValueNoun")
@dataclass(frozen=True)
class ValueSelector(Selector):
    """One of several values, for instance +1 or -1.

    HTS-DO-45: The Protecting Horn may add +1 or -1 to one of its owner's rolls.
    """

    among: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-45",)
    answer_kind: ClassVar[str] = "value"

    def find_options(self, state: Any, text: Execution, seat: int) -> Values:
        return self.among

    def check_value(self, state: Any, text: Execution, seat: int, value: Value) -> None:
        if value not in self.among:
            raise IllegalMove("no_such_value", "HTS-DO-45", "HTS-AMB-18", values=sign_values(self.among))
