"""Draw what is going on beside the course of the turn, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, get_args

from referee.cardscript.chance import HandPull
from referee.cardscript.hand_disclosure import HandReport
from referee.cardscript.language.alternatives import AlternativePrompt
from referee.cardscript.language.interpreter import Execution
from referee.cardscript.questions import ChoicePrompt, LookPrompt, OfferPrompt
from referee.engine.chance import Shuffle
from referee.engine.parts.boards import board_place
from referee.engine.steps import Step
from referee.games.munchkin.board.drawing_cards import draw_card, draw_pile, find_if_known
from referee.games.munchkin.board.drawing_combat import find_needed_face
from referee.games.munchkin.board.running import (
    ChoiceAbout,
    CurseState,
    MunchkinCharity,
    MunchkinChoice,
    MunchkinDie,
    MunchkinFlight,
    MunchkinLooting,
    MunchkinReport,
    MunchkinThrow,
    TextPart,
)
from referee.games.munchkin.board.shapes import Running
from referee.games.munchkin.components import CORPSES, DOORS, HANDS, PENDING, TREASURES
from referee.games.munchkin.events.dice import RolledDie
from referee.games.munchkin.rules import charity
from referee.games.munchkin.rules.cards.cursing import CurseStrike
from referee.games.munchkin.rules.cards.looking import DeckTopOrdering
from referee.games.munchkin.rules.citizenship import LoseTown, SwapTown
from referee.games.munchkin.rules.combat import rolling
from referee.games.munchkin.rules.combat.rewards import Sharing
from referee.games.munchkin.rules.drawing import TurnUpTreasures
from referee.games.munchkin.rules.dying import Looting, NamingDead
from referee.games.munchkin.rules.hands import DiscardAtRandom, DiscardHand
from referee.games.munchkin.rules.items.item_loss import LoseItems, PayWorth
from referee.games.munchkin.rules.opening_doors import OpenDoor
from referee.games.munchkin.rules.setup import CastForStart
from referee.games.munchkin.rules.state_based_checks import TooManyBig, TooManyInUse, TooManyTowns
from referee.games.munchkin.rules.turn import Calm, KeepOne
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import sum_lines
from referee.games.munchkin.values import NOBODY

CHOICES: dict[type[Step], ChoiceAbout] = {
    LoseItems: "lose_items",
    PayWorth: "pay",
    LoseTown: "lose_citizenship",
    SwapTown: "swap_citizenship",
    TooManyTowns: "too_many_citizenships",
    TooManyInUse: "too_many_in_use",
    TooManyBig: "too_many_big",
    KeepOne: "keep_a_door",
    DiscardHand: "discard_hand",
    OfferPrompt: "offer",
    ChoicePrompt: "text",
    AlternativePrompt: "alternative",
    LookPrompt: "look",
    DeckTopOrdering: "put_back",
}
PARTS: dict[str, TextPart] = {part: part for part in get_args(TextPart)}  # the others are those of powers
CURSE_STATES: dict[str, CurseState] = {state: state for state in get_args(CurseState)}


def draw_running(view: Table) -> Iterator[Running]:
    """Yield what is going on, the innermost last."""
    for step in view.agenda:
        if (drawn := draw_step(view, step)) is not None:
            yield drawn


def draw_step(view: Table, step: Step) -> Running | None:
    """Return what a step stands for, or None.

    The course of the turn and the combat are drawn elsewhere.
    """
    match step:
        case Calm(seat=seat, stage="after"):
            return draw_charity(view, seat)
        case rolling.Throw() | RolledDie():
            return draw_die(view, step)
        case CurseStrike():
            return {
                "kind": "curse",
                "card": draw_card(step.card, PENDING),
                "by": None if step.by == NOBODY else step.by,
                "victim": step.victim,
                "state": CURSE_STATES[step.stage],
            }
        case Execution():
            return {"kind": "text", "card": step.card, "part": draw_part(step.text), "seat": step.by}
        case Sharing(order=order):
            return {"kind": "treasures", "picks": list(order)}
        case Looting():
            return draw_looting(view, step)
        case CastForStart(contenders=contenders, cast=cast):
            rolled: list[MunchkinThrow] = [
                {"seat": seat, "dice": [face]} for seat, face in zip(contenders, cast, strict=False)
            ]
            return {"kind": "start_roll", "seats": list(contenders), "rolled": rolled}
    if type(step) in CHOICES:
        return draw_choice(view, step)
    return draw_report(step)


def draw_part(text: str) -> TextPart:
    """Return which text of a card this is.

    A power has a name of its own, and a text that waits has a number.
    """
    return "whenever" if text.startswith("whenever") else PARTS.get(text, "power")


def draw_report(step: Step) -> MunchkinReport | None:
    """Return what chance draws from cards, or None if the step draws nothing."""
    match step:
        case Shuffle(where=place):
            return {"kind": "report", "of": "shuffle", "place": board_place(place), "count": None}
        case OpenDoor():
            return {"kind": "report", "of": "door", "place": board_place(DOORS), "count": 1}
        case TurnUpTreasures(count=count):
            return {"kind": "report", "of": "treasures", "place": board_place(TREASURES), "count": count}
        case HandPull(of=seat, count=count):
            return {"kind": "report", "of": "hand", "place": board_place(HANDS[seat]), "count": count}
        case (
            HandReport(seat=seat, count=count)
            | NamingDead(seat=seat, count=count)
            | DiscardAtRandom(seat=seat, count=count)
        ):
            return {"kind": "report", "of": "hand", "place": HANDS[seat], "count": count if count > 0 else None}
    return None


def draw_throws(seats: Iterable[int], dice: Iterable[int]) -> list[MunchkinThrow]:
    """Return one die each of the players who have rolled."""
    return [{"seat": seat, "dice": [face]} for seat, face in zip(seats, dice, strict=False)]


def draw_charity(view: Table, seat: int) -> MunchkinCharity | None:
    """Return what a player has to give away or discard, or None if nothing is known.

    MK-21.1: At the end of the turn a player must come down to the hand limit.
    """
    count = find_if_known(charity.count_excess_cards, view, seat)
    if not count:
        return None
    return {"kind": "charity", "seat": seat, "count": count, "to": list(charity.find_receivers(view, seat))}


def draw_die(view: Table, step: rolling.Throw | RolledDie) -> MunchkinFlight | MunchkinDie:
    """Return a die, rolled or not: to run away, or for a text."""
    seat, face = step.seat, step.value if isinstance(step, RolledDie) else None
    is_turning = face is not None and isinstance(view.agenda[-1], rolling.TurnDie)
    if step.called:
        total = None if face is None else find_if_known(rolling.compute_text_total, view, seat, face)
        return {
            "kind": "die",
            "seat": seat,
            "card": step.card,
            "die": face,
            "total": total,
            "is_turning": is_turning,
        }
    total = None if face is None else find_if_known(compute_flight_total, view, step)
    return {
        "kind": "flight",
        "seat": seat,
        "monster": step.card,
        "die": face,
        "total": total,
        "need": rolling.ESCAPE_TOTAL,
        "face": find_needed_face(view, seat, step.card),
        "is_enough": None if total is None else total >= rolling.ESCAPE_TOTAL,
        "is_turning": is_turning,
    }


def compute_flight_total(view: Table, die: RolledDie) -> int | None:
    """Return what a roll to run away totals, or None if the monster has left.

    Raises Undetermined.
    """
    foe = view.combat.find_foe(die.card) if view.combat is not None else None
    return None if foe is None else sum_lines(rolling.score_flight_roll(view, die.seat, foe, die.value))


def draw_looting(view: Table, step: Looting) -> MunchkinLooting:
    """Return the looting of a dead player."""
    return {
        "kind": "looting",
        "dead": step.seat,
        "pile": draw_pile(view, CORPSES[step.seat]),
        "order": None if step.order is None else list(step.order),
        "rolled": [{"seat": int(seat), "dice": list(dice)} for seat, dice in step.casts.items()],
        "rolling": list(step.casting),
    }


def draw_choice(view: Table, step: Any) -> MunchkinChoice:
    """Return a choice that a player has to make. `step` is one of `CHOICES`."""
    count = find_if_known(step.count_cards, view) if isinstance(step, DiscardHand) else getattr(step, "count", None)
    return {
        "kind": "choice",
        "about": CHOICES[type(step)],
        "seat": getattr(step, "by", step.seat),
        "of": step.seat,
        "card": getattr(step, "card", None),
        "count": count if count is None or count > 0 else None,
        "owed": getattr(step, "owed", None),
    }
