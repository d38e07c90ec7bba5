"""What a card text lets somebody choose: a hero, a player, a card, an item, a value.

Clauses: HTS-TGT-1, HTS-TGT-2, HTS-TGT-6, HTS-PROT-1, HTS-TEXT-3, HTS-ASK-3, HTS-AMB-55,
HTS-DO-11, HTS-DO-12, HTS-DO-38, HTS-DO-40, HTS-DO-41.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from referee.cardscript.hidden_cards import BACK, can_name, namable
from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.language.primitives import Name, Noun, Value, Values
from referee.cardscript.table import SOME
from referee.engine.codec import named
from referee.engine.rulings import Refused, Unknown
from referee.engine.zones import is_back
from referee.games.here_to_slay.components import DISCARD, FACES, HANDS, is_kind
from referee.games.here_to_slay.rules.announcing import check_announcing, could_announce
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.texts.vocabulary import WORDS

SHOWN = "shown/so_far"  # the name under which a text keeps what it has shown to all
Kind = Literal["hero", "item", "cursed_item", "magic", "modifier", "challenge"]


@WORDS.noun("hero")
@named("hts.HeroNoun")
@dataclass(frozen=True)
class Hero(Noun):
    """A hero to destroy or steal in another party, or one of the own party to give away (HTS-DO-17, HTS-DO-19)."""

    to: Literal["destroy", "steal", "give"]
    of: Name | None = None
    but: Name | None = None
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TGT-2", "HTS-VERB-10")

    def options(self, state: Table, text: CarryOut, seat: int) -> Values:
        return tuple(hero for owner, hero in state.heroes() if self._against(state, text, owner, hero) is None)

    def thinkable(self, state: Table, text: CarryOut, seat: int) -> Values:
        return tuple(hero for owner, hero in state.heroes() if self._against(state, text, owner, hero) is not None)

    def check(self, state: Table, text: CarryOut, seat: int, value: Value) -> None:
        owner = state.controller(str(value))
        if owner is None:
            raise Refused("no_such_hero", "HTS-TGT-2", card=value)
        against = self._against(state, text, owner, str(value))
        if against is not None:
            raise against

    def _against(self, state: Table, text: CarryOut, owner: int, hero: str) -> Refused | None:
        """Why this hero may not be named, None if it may."""
        if self.to == "give":
            return None if owner == text.by else Refused("own_hero_only", "HTS-DO-20", card=hero)
        if owner == text.by:
            return Refused("not_the_own_party", "HTS-VERB-10", "HTS-AMB-29", card=hero)
        if self.of is not None and owner not in text.bound.get(self.of, ()):
            return Refused("another_party", "HTS-TGT-4", card=hero)
        if self.but is not None and hero in text.bound.get(self.but, ()):
            return Refused("named_already", "HTS-AMB-59", card=hero)
        if (shield := state.protected(hero, self.to)) is not None:
            clause = "HTS-DO-23" if self.to == "destroy" else "HTS-DO-24"
            return Refused("is_protected", "HTS-PROT-1", clause, "HTS-AMB-39", card=hero, by=shield, verb=self.to)
        return None


@WORDS.noun("player")
@named("hts.PlayerNoun")
@dataclass(frozen=True)
class Player(Noun):
    """Another player on whom the first part of the text can do something (HTS-TGT-1, HTS-TGT-2)."""

    holding: bool = False  # has a hand card
    with_hero: bool = False
    stealable: bool = False  # has a hero that can be stolen
    class_: str = ""  # has this class in the party
    or_me: bool = False  # or the player of the text has a hand card
    or_holding: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("HTS-TGT-1", "HTS-TGT-2", "HTS-DO-38")
    asks: ClassVar[str] = "player"

    def options(self, state: Table, text: CarryOut, seat: int) -> Values:
        return tuple(other for other in state.others(text.by) if self._fits(state, text, other))

    def thinkable(self, state: Table, text: CarryOut, seat: int) -> Values:
        return tuple(other for other in state.clockwise(text.by) if not self._fits(state, text, other))

    def check(self, state: Table, text: CarryOut, seat: int, value: Value) -> None:
        if value == text.by:
            raise Refused("not_oneself", "HTS-TGT-1", "HTS-AMB-44")
        if value not in state.playing:
            raise Refused("no_such_player", "HTS-TGT-1", seat=value)
        if not self._fits(state, text, int(value)):
            raise Refused("nothing_to_do_there", "HTS-TGT-2", "HTS-AMB-44", seat=value)

    def _fits(self, state: Table, text: CarryOut, seat: int) -> bool:
        if seat == text.by or (self.class_ and self.class_ not in state.classes(seat)):
            return False
        if self.stealable:
            can = any(state.protected(hero, "steal") is None for hero in state.party(seat))
            return can or (self.or_holding and state.holds_cards(seat))
        if self.with_hero:
            return bool(state.party(seat))
        if self.holding:
            return state.holds_cards(seat) or (self.or_me and state.holds_cards(text.by))
        return True


@WORDS.noun("card")
@named("hts.CardNoun")
@dataclass(frozen=True)
class Card(Noun):
    """A card of the hand, of the discard pile, or of a set that the text has drawn, pulled, shown or thrown away.

    Of a set only what is still there counts. At a real table the hand's cards are backs: the player names one.
    """

    among: Name
    kind: Kind | None = None
    playable: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-12", "HTS-DO-40")

    def options(self, state: Table, text: CarryOut, seat: int) -> Values:
        pool = dict.fromkeys(card for card in self._pool(state, text) if self._against(state, text, card) is None)
        return tuple(pool)

    def thinkable(self, state: Table, text: CarryOut, seat: int) -> Values:
        pool = dict.fromkeys(card for card in self._pool(state, text) if self._against(state, text, card) is not None)
        return tuple(pool)

    def check(self, state: Table, text: CarryOut, seat: int, value: Value) -> None:
        card = str(value)
        if not is_back(card) and card not in FACES:
            raise Refused("no_such_card", *self.clauses, card=card)
        against = self._against(state, text, card)
        if against is not None:
            raise against

    def is_known(self, state: Table, text: CarryOut, seat: int, value: Value) -> bool:
        return value in state.place(self._where(text))

    def nameless(self, state: Table, text: CarryOut, seat: int) -> bool:
        unseen = state.rules.cards_at_table and text.by not in state.rules.named
        return unseen and self._where(text) == HANDS[text.by]

    def open_to_all(self, state: Table, text: CarryOut) -> bool:
        where, lying = self._where(text), self._lying(state, text)
        if where == HANDS[text.by] and self.among != "hand" and self.kind is None:
            return len(lying) == 1 and not any(map(is_back, lying))  # how many were pulled, all have seen
        return where == DISCARD or (where == "" and all(map(is_back, lying)))

    def nothing_there(self, state: Table, text: CarryOut, seat: int) -> bool:
        where = self._where(text)
        if where == HANDS[text.by] and not state.holds_cards(text.by):
            return True
        if self.among not in ("hand", "discard") and not text.bound.get(self.among):
            return True
        return where == DISCARD and all(self._against(state, text, card) for card in self._pool(state, text))

    # -- where the cards lie ---------------------------------------------------------------------------------------

    def _where(self, text: CarryOut) -> str:
        """The place of the cards; empty if they are only looked at."""
        if self.among in ("hand", "discard"):
            return HANDS[text.by] if self.among == "hand" else DISCARD
        return str((*text.bound.get(f"{self.among}/at", ()), HANDS[text.by])[0])

    def _lying(self, state: Table, text: CarryOut) -> tuple[str, ...]:
        """The cards meant, as the text knows them."""
        if self.among in ("hand", "discard"):
            return state.place(self._where(text))
        return tuple(map(str, text.bound.get(self.among, ())))

    def _pool(self, state: Table, text: CarryOut) -> Iterator[str]:
        """The cards that may be named, whether or not they fit."""
        where = self._where(text)
        if where == DISCARD and SOME in state.place(DISCARD):
            raise Unknown("which_cards", place=DISCARD)
        for card in dict.fromkeys(self._lying(state, text)):
            if not is_back(card):
                yield card
            elif where:
                yield from namable(state, where)
            else:
                yield card

    def _against(self, state: Table, text: CarryOut, card: str) -> Refused | None:
        where, lying = self._where(text), self._lying(state, text)
        hidden = BACK in lying
        if where == "":
            return None if card in lying else Refused("not_among_these", *self.clauses, card=card)
        if card not in lying and not hidden:
            return Refused("not_among_these", *self.clauses, card=card)
        if not can_name(state, where, card):
            return Refused("not_there_any_more", *self.clauses, card=card)
        shown = text.bound.get(SHOWN, ()).count(card) if SHOWN in text.bound else 0
        if shown and not hidden and state.place(where).count(card) <= shown:
            return Refused("not_there_any_more", "HTS-AMB-50", card=card)  # each is shown once
        if self.kind is not None and not is_kind(card, self.kind):
            return Refused("another_kind", "HTS-DO-40", "HTS-MAY-3", card=card, kind=self.kind)
        if self.playable and not could_announce(state, text.by, card):
            try:
                check_announcing(state, text.by, card)
            except Refused as refused:
                return refused
        return None


@WORDS.noun("item")
@named("hts.ItemNoun")
@dataclass(frozen=True)
class Item(Noun):
    """An item on the table, named by the hero that carries it (HTS-DO-16)."""

    of: Literal["me", "anyone"]
    kind: Kind | None = None
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-16", "HTS-AMB-34")

    def options(self, state: Table, text: CarryOut, seat: int) -> Values:
        return tuple(hero for owner, hero, item in state.items() if self._against(text, owner, item) is None)

    def thinkable(self, state: Table, text: CarryOut, seat: int) -> Values:
        return tuple(hero for owner, hero in state.heroes() if hero not in self.options(state, text, seat))

    def check(self, state: Table, text: CarryOut, seat: int, value: Value) -> None:
        owner, item = state.controller(str(value)), state.item_of(str(value))
        if owner is None or item is None:
            raise Refused("carries_no_item", "HTS-DO-16", card=value)
        if (against := self._against(text, owner, item)) is not None:
            raise against

    def _against(self, text: CarryOut, owner: int, item: str) -> Refused | None:
        if self.of == "me" and owner != text.by:
            return Refused("own_party_only", "HTS-DO-16", card=item)
        if self.kind is not None and not is_kind(item, self.kind):
            return Refused("another_kind", "HTS-DO-16", card=item, kind=self.kind)
        return None


@WORDS.noun("value")
@named("hts.ValueNoun")
@dataclass(frozen=True)
class Number(Noun):
    """One of several values, such as one more or one less (HTS-DO-45)."""

    among: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("HTS-DO-45",)
    asks: ClassVar[str] = "value"

    def options(self, state: Any, text: CarryOut, seat: int) -> Values:
        return self.among

    def check(self, state: Any, text: CarryOut, seat: int, value: Value) -> None:
        if value not in self.among:
            raise Refused("no_such_value", "HTS-DO-45", "HTS-AMB-18", values=self.among)
