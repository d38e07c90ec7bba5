"""Draw the tables of Here to Slay."""

from __future__ import annotations

from typing import Any

from referee.cardscript.language.delayed import DelayedText
from referee.cardscript.language.interpreter import Execution
from referee.engine.zones import Cards, is_back
from referee.games.here_to_slay.board.parties import HeroFacts, find_party_facts
from referee.games.here_to_slay.board.running import RunningBoards, draw_span, list_targets
from referee.games.here_to_slay.board.shapes import (
    HereToSlayBoard,
    HereToSlayDelayed,
    HereToSlayHero,
    HereToSlayLasting,
    HereToSlayLeader,
    HereToSlayMonster,
    HereToSlaySeat,
    HeroMark,
)
from referee.games.here_to_slay.components import (
    CLASSES,
    DECK,
    DISCARD,
    FACES,
    HANDS,
    LEADER,
    LEADERS,
    MONSTERS,
    PARTIES,
    PENDING,
    ROW,
    SLAIN,
)
from referee.games.here_to_slay.events.plays import UnsettledRolls
from referee.games.here_to_slay.rules.attacking import can_fill_slots
from referee.games.here_to_slay.rules.hero_removal import (
    HeroDestruction,
    HeroSacrifice,
    ImpendingDestruction,
    ReplacementOffer,
)
from referee.games.here_to_slay.rules.rolling import HeroRoll
from referee.games.here_to_slay.state import Table, item_place_of
from referee.games.here_to_slay.values import MONSTERS_TO_WIN

Concerned = dict[HeroMark, list[str]]  # the heroes and monsters that what is going on is about, by what it does
UNCOUNTED = "?some"


class HereToSlayBoards(RunningBoards):
    """Draws the tables of Here to Slay."""

    shape = HereToSlayBoard

    def draw(self, view: Table, viewer: int, variant: str) -> HereToSlayBoard:
        """Return the board of a view."""
        concerned = find_concerned_cards(view)
        middle = self.draw_middle(view, variant, (DECK, DISCARD, MONSTERS))
        shown = [place for place in (PENDING, LEADERS) if view.cards_at(place)]
        row = view.cards_at(ROW)
        way: Any = view.way or None
        return {
            **middle,
            "game": "here_to_slay",
            "piles": [*middle["piles"], *(self.draw_pile(view, place) for place in shown)],
            "seats": [self.draw_player(view, seat, concerned) for seat in range(view.rules.seats)],
            "row": None if UNCOUNTED in row else self.draw_row(view, row, concerned),
            "running": self.draw_running(view),
            "later": [self.draw_delayed(view, each) for each in view.later],
            "won_by": way,
        }

    def draw_delayed(self, view: Table, delayed: DelayedText) -> HereToSlayDelayed:
        """Return what a card text has put off."""
        when: Any = delayed.when
        return {"card": self.draw_named(view, delayed.text.card), "seat": delayed.text.by, "when": when}

    def draw_row(self, view: Table, row: Cards, concerned: Concerned) -> list[HereToSlayMonster]:
        """Return the monsters that can be attacked."""
        slots = [(seat, find_party_facts(view, seat).slots) for seat in view.seats_at_table]
        rolling = concerned.get("rolling", ())
        return [
            self.draw_monster(
                card,
                ROW,
                card in rolling,
                [seat for seat, filling in slots if filling and can_fill_slots(FACES[card].requires, *filling)],
            )
            for card in list_named(row)
        ]

    # ---- players -----------------------------------------------------------------------------------------------------

    def draw_player(self, view: Table, seat: int, concerned: Concerned) -> HereToSlaySeat:
        """Return a player with the party."""
        place, facts, is_active = PARTIES[seat], find_party_facts(view, seat), view.turn == seat
        slain = list_named(view.cards_at(SLAIN[seat]))
        return {
            "seat": seat,
            "is_out": seat in view.gone,
            "hand": self.draw_pile(view, HANDS[seat]),
            "leader": self.draw_leader(view, seat),
            "party": None
            if UNCOUNTED in view.cards_at(place)
            else [self.draw_hero(view, hero, place, concerned) for hero in facts.heroes],
            "slain": [self.draw_monster(card, SLAIN[seat], False, []) for card in slain],
            "of_slain": MONSTERS_TO_WIN,
            "classes": None if facts.classes is None else [*facts.classes],
            "of_classes": len(CLASSES),
            "lasting": [self.draw_lasting(each) for each in view.lasting if each.seat == seat],
            "points": view.points if is_active else None if view.turn is None else 0,
            "of_points": facts.points_per_turn,
        }

    def draw_leader(self, view: Table, seat: int) -> HereToSlayLeader | None:
        """Return the leader of a player, if one is known."""
        there = list_named(view.cards_at(LEADER[seat]))
        if not there:
            return None
        face, name = FACES[there[0]], self.draw_card(there[0], LEADER[seat])
        hero_class: Any = face.class_
        used = view.used if view.turn == seat else None if view.turn is None else False
        return {"card": name, "hero_class": hero_class, "has_action": face.action_cost > 0, "is_used": used}

    def draw_hero(self, view: Table, hero: HeroFacts, place: str, concerned: Concerned) -> HereToSlayHero:
        """Return a hero of a party with the item underneath."""
        name, under = hero.name, item_place_of(hero.name)
        items = list_named(view.cards_at(under))
        marks: list[HeroMark] = ["rolled", *hero.marks] if view.rolled and name in view.rolled else [*hero.marks]
        marks += [mark for mark, cards in concerned.items() if name in cards]
        return {
            "card": self.draw_card(name, place),
            "hero_class": hero.class_now or hero.printed_class,
            "needs": draw_span(FACES[name].roll),
            "item": self.draw_card(items[0], under) if items else None,
            "marks": marks,
        }

    def draw_monster(self, card: str, place: str, is_attacked: bool, ready: list[int]) -> HereToSlayMonster:
        """Return a monster with what it asks for."""
        face = FACES[card]
        return {
            "card": self.draw_card(card, place),
            "requires": list(face.requires),
            "slays": draw_span(face.slay),
            "fights_back": draw_span(face.fight_back),
            "is_attacked": is_attacked,
            "ready": ready,
        }

    def draw_lasting(self, effect: Any) -> HereToSlayLasting:
        """Return what a card gives a player for a while."""
        return {
            "source": self.draw_card(effect.source, "lasting"),
            "what": effect.what,
            "value": effect.value,
            "until": effect.until,
        }


def list_named(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cards that are named."""
    return tuple(card for card in cards if not is_back(card))


def find_concerned_cards(view: Table) -> Concerned:
    """Return the cards that what is going on is about."""
    found: Concerned = {}
    for step in view.agenda:
        match step:
            case UnsettledRolls(casts=casts):
                found.setdefault("rolling", []).extend(cast.about for cast in casts)
                if isinstance(step, HeroRoll):
                    found.setdefault("target", []).extend(list_targets(view, casts[0].about, "does", step.declared)[0])
            case Execution(card=card, text=text, bound=bound):
                found.setdefault("target", []).extend(list_targets(view, card, text, bound)[0])
            case ImpendingDestruction() | ReplacementOffer() | HeroDestruction() | HeroSacrifice():
                found.setdefault("threatened", []).append(step.hero)
    return found
