"""Draw the tables of Here to Slay."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.questions import ChoicePrompt, LookPrompt, OfferPrompt, SimultaneousPrompt
from referee.engine.parts.boards import Boards
from referee.engine.rulings import Undetermined
from referee.engine.steps import Step
from referee.engine.zones import is_back
from referee.games.here_to_slay.board.shapes import (
    HereToSlayBoard,
    HereToSlayHero,
    HereToSlayLasting,
    HereToSlayLeader,
    HereToSlayMonster,
    HereToSlayRoll,
    HereToSlaySeat,
    HereToSlaySpan,
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
from referee.games.here_to_slay.rules.hero_removal import ReplacementOffer
from referee.games.here_to_slay.rules.playing import ChallengeWindow, EquipChoice, FreeRoll
from referee.games.here_to_slay.rules.rolling import HeroRoll, ModifierWindow
from referee.games.here_to_slay.rules.setup import PickLeaders
from referee.games.here_to_slay.state import POINTS_PER_TURN, Table, item_place_of
from referee.games.here_to_slay.texts.faces import Span
from referee.games.here_to_slay.values import DiceRoll

SLAIN_TO_WIN, CLASSES_TO_WIN = 3, 6  # HTS-WIN-2, HTS-WIN-3
UNCOUNTED = "?some"


class HereToSlayBoards(Boards):
    """Draws the tables of Here to Slay."""

    shape = HereToSlayBoard

    def draw(self, view: Table, viewer: int, variant: str) -> HereToSlayBoard:
        """Return the board of a view."""
        marks = find_hero_marks(view)
        middle = self.draw_middle(view, variant, (DECK, DISCARD, MONSTERS))
        shown = [place for place in (PENDING, LEADERS) if view.cards_at(place)]
        row = view.cards_at(ROW)
        way: Any = view.way or None
        return {
            **middle,
            "game": "here_to_slay",
            "piles": [*middle["piles"], *(self.draw_pile(view, place) for place in shown)],
            "seats": [self.draw_player(view, seat, marks) for seat in range(view.rules.seats)],
            "row": None if UNCOUNTED in row else [self.draw_monster(view, card, ROW) for card in list_named(row)],
            "running": [drawn for step in view.agenda for drawn in self.draw_step(view, step)],
            "won_by": way,
        }

    # ---- players -----------------------------------------------------------------------------------------------------

    def draw_player(self, view: Table, seat: int, marks: dict[str, list[HeroMark]]) -> HereToSlaySeat:
        """Return a player with the party."""
        party, is_active = view.cards_at(PARTIES[seat]), view.turn == seat
        classes: frozenset[str] | None = None
        extra: int | None = None
        with suppress(Undetermined):
            classes = view.classes_of(seat)
        with suppress(Undetermined):
            extra = view.count_extra_points(seat)
        return {
            "seat": seat,
            "is_out": seat in view.gone,
            "hand": self.draw_pile(view, HANDS[seat]),
            "leader": self.draw_leader(view, seat),
            "party": None
            if UNCOUNTED in party
            else [self.draw_hero(view, hero, seat, marks) for hero in list_named(party)],
            "slain": [self.draw_monster(view, card, SLAIN[seat]) for card in list_named(view.cards_at(SLAIN[seat]))],
            "of_slain": SLAIN_TO_WIN,
            "classes": None if classes is None else [name for name in CLASSES if name in classes],  # type: ignore[misc]
            "of_classes": CLASSES_TO_WIN,
            "lasting": [self.draw_lasting(each) for each in view.lasting if each.seat == seat],
            "points": view.points if is_active else None if view.turn is None else 0,
            "of_points": None if extra is None else POINTS_PER_TURN + extra,
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

    def draw_hero(self, view: Table, hero: str, seat: int, marks: dict[str, list[HeroMark]]) -> HereToSlayHero:
        """Return a hero of a party with the item underneath."""
        place = item_place_of(hero)
        items = list_named(view.cards_at(place))
        hero_class: Any = FACES[hero].class_
        own = list(marks.get(hero, ()))
        if items:
            hero_class = view.class_of(hero)
            own += ["sealed"] if view.is_sealed(hero) else []
        with suppress(Undetermined):
            own += ["indestructible"] if view.find_protection(hero, "destroy") else []
            own += ["unstealable"] if view.find_protection(hero, "steal") else []
        return {
            "card": self.draw_card(hero, PARTIES[seat]),
            "hero_class": hero_class,
            "needs": draw_span(FACES[hero].roll),
            "item": self.draw_card(items[0], place) if items else None,
            "marks": own,
        }

    def draw_monster(self, view: Table, card: str, place: str) -> HereToSlayMonster:
        """Return a monster with what it asks for."""
        face = FACES[card]
        attacked = place == ROW and any(cast.kind == "attack" and cast.about == card for cast in iterate_rolls(view))
        return {
            "card": self.draw_card(card, place),
            "requires": list(face.requires),
            "slays": draw_span(face.slay),
            "fights_back": draw_span(face.fight_back),
            "is_attacked": attacked,
        }

    def draw_lasting(self, effect: Any) -> HereToSlayLasting:
        """Return what a card gives a player for a while."""
        return {
            "source": self.draw_card(effect.source, "lasting"),
            "what": effect.what,
            "value": effect.value,
            "until": effect.until,
        }

    # ---- what is going on --------------------------------------------------------------------------------------------

    def draw_step(self, view: Table, step: Step) -> Iterator[Any]:
        """Yield how a step is drawn, nothing for bookkeeping and for the turn itself."""
        match step:
            case UnsettledRolls(casts=casts):
                yield self.draw_rolls(view, step, casts)
            case ChallengeWindow(seat=seat, card=card, passed=passed):
                asked = list_asked(view, step)
                played = self.draw_card(card, PENDING)
                yield {"kind": "announced", "seat": seat, "card": played, "asked": asked, "passed": list(passed)}
            case FreeRoll(seat=seat, hero=card):
                yield {"kind": "offer", "offer": "free_roll", "seat": seat, "card": self.draw_card(card, "running")}
            case ReplacementOffer(seat=seat, card=card):
                yield {"kind": "offer", "offer": "replacement", "seat": seat, "card": self.draw_card(card, "running")}
            case OfferPrompt(seat=seat, card=card):
                yield {"kind": "offer", "offer": "text", "seat": seat, "card": self.draw_card(card, "running")}
            case Execution(card=card, by=by):
                yield {"kind": "effect", "seat": by, "card": self.draw_card(card, "running")}
            case _:
                yield from self.draw_choice(step)

    def draw_choice(self, step: Step) -> Iterator[Any]:
        """Yield a choice."""
        match step:
            case LookPrompt(seat=seat, card=card, cards=cards):
                yield self.build_choice((seat,), card, len(cards))
            case ChoicePrompt(seat=seat, card=card) | EquipChoice(seat=seat, item=card):
                yield self.build_choice((seat,), card)
            case SimultaneousPrompt(waiting=waiting, card=card):
                yield self.build_choice(waiting, card)
            case PickLeaders(order=order, at_once=at_once):
                yield self.build_choice(order if at_once else order[:1], "")

    def build_choice(self, seats: tuple[int, ...], card: str, count: int | None = None) -> Any:
        """Return a choice of these players that a card asks for."""
        asking = self.draw_card(card, "running") if card else None
        return {"kind": "choice", "seats": list(seats), "card": asking, "count": count}

    def draw_rolls(self, view: Table, step: UnsettledRolls, casts: tuple[DiceRoll, ...]) -> Any:
        """Return open rolls, and who may still change them."""
        top = view.agenda[-1]
        window = top if isinstance(top, ModifierWindow) and step is find_open_step(view) else None
        targets = list_targets(step)
        return {
            "kind": "roll",
            "rolls": [self.draw_roll(view, cast, targets) for cast in casts],
            "asked": [] if window is None else list_asked(view, window),
            "passed": [] if window is None else list(window.passed),
        }

    def draw_roll(self, view: Table, cast: DiceRoll, targets: list[str]) -> HereToSlayRoll:
        """Return a roll with all that counts for it."""
        face, roll_kind = FACES[cast.about], cast.kind
        total: int | None = None
        standing: tuple[tuple[str, int], ...] = ()
        with suppress(Undetermined):
            standing = view.list_standing_values(cast)
            total = view.compute_roll_total(cast) if cast.dice else None
        needs = {"hero": face.roll, "attack": face.slay}.get(roll_kind)
        additions: list[Any] = [
            {"card": self.draw_card(card, "standing"), "value": value, "seat": None} for card, value in standing
        ]
        additions += [
            {"card": self.draw_card(each.source, "added"), "value": each.value, "seat": each.seat}
            for each in cast.added
        ]
        back = face.fight_back if roll_kind == "attack" else None
        kind: Any = roll_kind
        return {
            "roll": kind,
            "seat": cast.seat,
            "card": self.draw_card(cast.about, "running"),
            "dice": list(cast.dice),
            "additions": additions,
            "total": total,
            "needs": None if needs is None else draw_span(needs),
            "fights_back": None if back is None else draw_span(back),
            "targets": targets if roll_kind == "hero" else [],
            "result": find_result(total, needs, back),
        }


def list_named(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cards that are named."""
    return tuple(card for card in cards if not is_back(card))


def draw_span(span: Span) -> HereToSlaySpan:
    """Return the totals of a span."""
    return {"least": span.least, "most": span.most}


def find_result(total: int | None, needs: Span | None, back: Span | None) -> Any:
    """Return what a roll would do as it stands; None if nobody knows."""
    if total is None or needs is None:
        return None
    if needs.contains_total(total):
        return "succeeds"
    return "fights_back" if back is not None and back.contains_total(total) else "fails"


def find_open_step(view: Table) -> UnsettledRolls | None:
    """Return the innermost step with unsettled rolls."""
    return next((step for step in reversed(view.agenda) if isinstance(step, UnsettledRolls)), None)


def iterate_rolls(view: Table) -> Iterator[DiceRoll]:
    """Yield all rolls that are not settled yet."""
    for step in view.agenda:
        if isinstance(step, UnsettledRolls):
            yield from step.casts


def list_targets(step: Step) -> list[str]:
    """Return the cards that are named as targets of a hero's roll."""
    if not isinstance(step, HeroRoll):
        return []
    return [str(each) for chosen in step.declared.values() for each in chosen]


def list_asked(view: Table, window: Any) -> list[int]:
    """Return who is still asked in a window; nobody if that is not known."""
    with suppress(Undetermined):
        return list(window.prompted_seats(view))
    return []


def find_hero_marks(view: Table) -> dict[str, list[HeroMark]]:
    """Return what is true of heroes in this turn and in the open rolls."""
    marks: dict[str, list[HeroMark]] = {}
    for hero in view.rolled or ():
        marks.setdefault(hero, []).append("rolled")
    for step in view.agenda:
        if isinstance(step, HeroRoll):
            for cast in step.casts:
                marks.setdefault(cast.about, []).append("rolling")
            for card in list_targets(step):
                marks.setdefault(card, []).append("target")
    return marks
