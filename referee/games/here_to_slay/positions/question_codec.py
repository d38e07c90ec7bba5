"""The short forms of questions in a position, and the steps that they stand for.

A short form gives the steps from the outermost frame of the matter up to the open question. Beneath lies the turn,
unless the position says otherwise. A step without a short form is written as the codec encodes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.positions.steps import JsonObject, Steps
from referee.engine.chance import Shuffle
from referee.engine.codec import DecodeError, named
from referee.engine.events import Event
from referee.engine.rulings import Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import Step
from referee.games.here_to_slay.components import DECK, HANDS, MONSTERS
from referee.games.here_to_slay.positions import texts
from referee.games.here_to_slay.positions.rolls import (
    build_dice,
    build_modifier_window,
    build_target_choice,
    decode_seat,
)
from referee.games.here_to_slay.positions.texts import build_frames_beneath
from referee.games.here_to_slay.rules.attacking import MonsterTurnUp
from referee.games.here_to_slay.rules.drawing import CardDrawing, HandNaming
from referee.games.here_to_slay.rules.effect_frames import EffectFrame
from referee.games.here_to_slay.rules.hands import SimultaneousDiscard
from referee.games.here_to_slay.rules.playing import ChallengeWindow, EquipChoice, FreeRoll
from referee.games.here_to_slay.rules.setup import ROW_SIZE, BoxLeaders, Deal, FirstPickRoll, FirstTurn, PickLeaders
from referee.games.here_to_slay.rules.turn import REDRAW_SIZE, Turn
from referee.games.here_to_slay.state import NOBODY, Table, select_named_cards


@named("hts.Unsaid")
@dataclass(frozen=True)
class UndeterminedQuestion(Step):
    """A question that a position leaves partly open.

    `need` is the key of what it must still say, with its parameters. `said` is the question as written.
    KERNEL-POSITION-1: What a written position leaves out is unknown, not empty. A ruling that needs it stays undecided
        and asks for it.
    """

    need: str
    params: dict[str, Any]
    said: dict[str, Any]

    def awaited_seats(self, state: Any) -> frozenset[Seat]:
        raise Undetermined(self.need, **self.params)

    def resolve(self, state: Any) -> Iterator[Event]:
        raise Undetermined(self.need, **self.params)


def build_steps_beneath(table: Table, steps: Steps) -> Steps:
    """Return what usually lies beneath some steps: the turn, and the frames of a text.

    Before the first turn nothing lies beneath.
    """
    if isinstance(steps[0], Turn) or table.turn == NOBODY:
        return ()
    turn: Step = UndeterminedQuestion("whose_turn", {}, {}) if table.turn is None else Turn(table.turn)
    if isinstance(steps[0], MonsterTurnUp):
        return (turn, EffectFrame())
    return (turn, *build_frames_beneath(steps[0])) if isinstance(steps[0], Execution) else (turn,)


def build_question_steps(form: JsonObject, table: Table) -> Steps:
    """Return the steps that a short form stands for.

    Raises DecodeError, or Undetermined if the position says too little.
    """
    return BUILDERS[form["asks"]](form, table)


# ---- the turn, cards being played, the setup -------------------------------------------------------------------------


def build_setup_steps(table: Table) -> Steps:
    """Return all steps that follow once the leaders are chosen, the first on top."""
    everybody = tuple(range(table.rules.seats))
    return (FirstTurn(), MonsterTurnUp(ROW_SIZE), Shuffle(MONSTERS), Deal(everybody), Shuffle(DECK), BoxLeaders())


def build_shuffle(form: JsonObject, table: Table) -> Steps:
    """Return the steps of shuffling a deck, during the setup or when it is renewed."""
    if table.turn != NOBODY:
        return (Shuffle(form["where"]),)
    return build_setup_steps(table)[: 3 if form["where"] == MONSTERS else 5]


def build_turn_up(form: JsonObject, table: Table) -> Steps:
    """Return the steps of turning up monsters, during the setup or for one slain."""
    top = MonsterTurnUp(form.get("count", 1))
    return (FirstTurn(), top) if table.turn == NOBODY else (top,)


def build_first_pick(form: JsonObject, table: Table) -> Steps:
    """Return the steps of rolling a die for the first choice of a leader."""
    contenders = tuple(form.get("contenders", range(table.rules.seats)))
    return (*build_setup_steps(table), FirstPickRoll(contenders=contenders, cast=tuple(form.get("cast", ()))))


def build_leader_pick(form: JsonObject, table: Table) -> Steps:
    """Return the steps of choosing leaders."""
    at_once = form.get("at_once", table.rules.leader_choice == "at_once")
    return (*build_setup_steps(table), PickLeaders(tuple(form["order"]), at_once))


def build_redraw(form: JsonObject, table: Table) -> Steps:
    """Return the steps of naming a hand that is discarded whole at a real table.

    Raises Undetermined.
    """
    seat = decode_seat(form, table)
    count = table.count_cards_at(HANDS[seat])
    return (EffectFrame(), CardDrawing(seat, REDRAW_SIZE), SimultaneousDiscard((seat,), "", {}, count, count))


def build_card_naming(form: JsonObject, table: Table) -> Steps:
    """Return the step of naming cards of a hand at a real table.

    Without a number, all backs are to be named. Raises Undetermined.
    """
    seat = decode_seat(form, table)
    if "count" not in form and table.count_cards_at(HANDS[seat]) == len(select_named_cards(table.cards_in_hand(seat))):
        raise DecodeError("/question/seat", f"all cards of seat {seat} are already named")
    count = form.get("count", len(table.cards_in_hand(seat)) - len(select_named_cards(table.cards_in_hand(seat))))
    return (HandNaming(seat, count),)


def build_challenge_window(form: JsonObject, table: Table) -> Steps:
    """Return the steps of a window in which the others may challenge a card."""
    passed, called = tuple(form.get("passed", ())), form.get("called", "")
    return (EffectFrame(), ChallengeWindow(decode_seat(form, table), form["card"], called, passed))


BUILDERS: dict[str, Callable[[JsonObject, Table], Steps]] = {
    "act": lambda said, table: (Turn(decode_seat(said, table)),),
    "challenge": build_challenge_window,
    "modifiers": build_modifier_window,
    "dice": build_dice,
    "target": build_target_choice,
    "free_roll": lambda said, table: (EffectFrame(), FreeRoll(decode_seat(said, table), said["hero"])),
    "equip": lambda said, table: (EffectFrame(), EquipChoice(decode_seat(said, table), said["item"])),
    "choose": texts.build_choice,
    "offer": texts.build_offer,
    "discard": texts.build_discard,
    "sacrifice": texts.build_sacrifice,
    "give": texts.build_gifts,
    "look": texts.build_look,
    "put_back": texts.build_deck_top_ordering,
    "tell": texts.build_card_kind_prompt,
    "instead": texts.build_replacement_offer,
    "pull": texts.build_pull,
    "next_trigger": texts.build_next_trigger,
    "turn_up": build_turn_up,
    "shuffle": build_shuffle,
    "redraw": build_redraw,
    "name_cards": build_card_naming,
    "pick_leader": build_leader_pick,
    "first_pick": build_first_pick,
}  # fmt: skip
