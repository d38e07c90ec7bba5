"""The questions of Monster Combat in a position, and the steps beneath."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from referee.engine.chance import Shuffle
from referee.engine.codec import DecodeError, named
from referee.engine.events import Event
from referee.engine.positions.questions import Agenda, Form, Question, Steps
from referee.engine.positions.shapes import FLAG, Member, choice_shape, list_shape, number_shape, seat_shape
from referee.engine.rulings import Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import Step
from referee.engine.zones import is_back
from referee.games.monster_combat.components import MAGNETS_BY_CARD, attack_strength_of, design_name
from referee.games.monster_combat.positions.cards import MAX_CARDS_AT_PLACE
from referee.games.monster_combat.rules.attacks import LightningAttack, PendingAttack
from referee.games.monster_combat.rules.drawing import CardDrawing, DeckTopReveal
from referee.games.monster_combat.rules.ending import DefeatCheck, EndCheck, HandLoss
from referee.games.monster_combat.rules.monsters import MonsterCheck
from referee.games.monster_combat.rules.play_a_card import PlayPhase, RefillHand
from referee.games.monster_combat.rules.setup import Deal, FirstHands, FirstPlayerLot, SetupStart
from referee.games.monster_combat.rules.theft import Theft
from referee.games.monster_combat.rules.triggers import AfterEvent, EventPhase
from referee.games.monster_combat.rules.turn import DrawPhase, EndOfTurn, PassTurn, SurplusDiscard, TurnStart
from referee.games.monster_combat.state import (
    DECK,
    DISCARD,
    EVENTS,
    FIRST_HAND_SIZE,
    HAND_LIMIT,
    NOBODY,
    SOME,
    Table,
)


@named("mc.Unasked")
@dataclass(frozen=True)
class UnknownQuestion(Step):
    """The question of a position that leaves out which question is open.

    KERNEL-POSITION-1: What a position leaves out is unknown.
    """

    def awaited_seats(self, state: Any) -> frozenset[Seat]:
        raise Undetermined("which_question")

    def resolve(self, state: Any) -> Iterator[Event]:
        raise Undetermined("which_question")


@named("mc.Unsaid")
@dataclass(frozen=True)
class UndeterminedQuestion(Step):
    """A question of which a position leaves out something that decides.

    What is left out does not follow from the rest. `need` is the key of the text that asks for it, `asks` the name of
    the question, `said` what the position says of it.
    """

    asks: str
    said: dict[str, int]
    need: str

    def awaited_seats(self, state: Any) -> frozenset[Seat]:
        raise Undetermined(self.need)

    def resolve(self, state: Any) -> Iterator[Event]:
        raise Undetermined(self.need)


# ---- what follows from the rest of a position ------------------------------------------------------------------


def find_hand_size(table: Table, seat: int | None) -> int | None:
    """Count the cards that a seat holds, or return None if a position does not say."""
    return None if seat is None or SOME in table.cards_in_hand(seat) else len(table.cards_in_hand(seat))


def require_hand_size(table: Table, seat: int) -> int:
    """Count the cards that a seat holds. Raises Undetermined."""
    held = find_hand_size(table, seat)
    if held is None:
        raise Undetermined("how_many_cards")
    return held


def infer_attacker(table: Table, given: Form) -> str | None:
    """Infer what attacks.

    In variant 2 it is a monster. In variant 1 it is the event if the player on turn is attacked, else a sword.

    MC-V1-SWORD-1: A sword attacks the next player.
    """
    if table.rules.is_against_monsters:
        return "monster"
    if table.turn is None:
        return None
    return "event" if given["seat"] == table.turn else "sword"


def infer_strength(table: Table, _given: Form) -> int | None:
    """Infer how many hearts an attack costs: one in variant 1, else by the monster.

    MC-V2-MONSTER-3: The first five monsters strike for one heart, all others for two.
    """
    if not table.rules.is_against_monsters:
        return 1
    return None if table.monster is None else attack_strength_of(table.monster)


def infer_all_parried(table: Table, given: Form) -> bool | None:
    """Infer whether all who were hit by lightning have parried so far.

    It is so if nobody has answered yet. Return None if it does not follow. What becomes of an immune player is for
    the reading of MC-AMB-11 to say, when all have answered.
    """
    others = [seat for seat in table.seats if seat != given["by"]]
    return True if all(seat in given["order"] for seat in others) else None


def infer_stolen_count(table: Table, given: Form) -> int:
    """Infer how many cards are stolen from the thief card last played.

    They are no more than the victim holds. Raises Undetermined.

    MC-V1-THIEF-1: A thief takes one card of the next player's hand for each magnet.
    """
    discard = table.cards_at(DISCARD)
    if not discard or any(map(is_back, discard)) or design_name(discard[-1]) not in MAGNETS_BY_CARD:
        raise Undetermined("how_many_cards")
    shown = MAGNETS_BY_CARD[design_name(discard[-1])]
    return shown if shown == 1 else min(shown, max(require_hand_size(table, given["victim"]), 1))


def infer_deal_count(table: Table, given: Form) -> int:
    """Infer how many cards are missing from a first hand. Raises Undetermined.

    MC-SETUP-5: A hand starts as five cards off the draw pile.
    """
    return max(FIRST_HAND_SIZE - require_hand_size(table, given["seat"]), 1)


def infer_surplus(table: Table, given: Form) -> int:
    """Infer how many cards a hand has above the limit. Raises Undetermined.

    MC-TURN-END-1: A player who ends a turn with more than seven cards gives up cards down to seven.
    """
    return max(require_hand_size(table, given["seat"]) - HAND_LIMIT, 1)


def infer_draw_count(_table: Table, _given: Form) -> int:
    """Raise Undetermined: nothing says how many cards a card lets a player draw."""
    raise Undetermined("how_many_cards")


def infer_seat_on_turn(table: Table, _given: Form) -> int:
    """Infer who is asked: the active player.

    Raises Undetermined, or DecodeError before the first turn.
    """
    if table.turn == NOBODY:
        raise DecodeError("", "is missing")
    return table.active


# ---- the questions -------------------------------------------------------------------------------------------------

SEAT = seat_shape(7)
ON_TURN = {"seat": infer_seat_on_turn}
LATE = Member("is_late", FLAG, "Whether it comes by a card played in phase 3; false if left out.", usual=False)
SEAT_ON_TURN = Member("seat", SEAT, "The seat asked; if left out, the active player.", assumed=True)


def build_seat(says: str, name: str = "seat") -> Member:
    """Return a seat that a question has to name."""
    return Member(name, SEAT, says, needed=True)


def build_count(says: str, most: int = FIRST_HAND_SIZE) -> Member:
    """Return a number of cards."""
    return Member("count", number_shape(1, most), says)


QUESTIONS = (  # name, step, description, members, what follows for members left out
    Question("play", PlayPhase, "Phase 3: play a card or pass.", (SEAT_ON_TURN,), ON_TURN),
    Question("parry", PendingAttack, "A player is attacked and may answer with a shield.", (
        build_seat("Who is attacked."),
        Member("strength", number_shape(1, 9),
               "How many hearts the attack costs; if left out, as many as the attacker takes."),
        Member(
            "by", choice_shape("sword", "event", "monster"), "What attacks; if left out, it follows from the rest.",
            assumed=True,
        ),
    ), {"strength": infer_strength, "by": infer_attacker}),
    Question("lightning", LightningAttack, "Lightning struck: the players attacked answer one after the other.", (
        Member("order", list_shape(SEAT, distinct=True), "The seats that still have to answer, in order.", needed=True),
        build_seat("Who played it.", "by"),
        Member("all_parried", FLAG, "Whether everybody so far has put down a shield."),
    ), {"all_parried": infer_all_parried}),
    Question("discard_down", SurplusDiscard, "The active player discards surplus cards at the end of the turn.", (
        SEAT_ON_TURN, build_count("How many; if left out, all cards above the hand limit.", MAX_CARDS_AT_PLACE),
    ), ON_TURN | {"count": infer_surplus}),
    Question("revive_draw", RefillHand, "A revived player may draw five cards.", (build_seat("Who was revived."),)),
    Question(
        "draw", DrawPhase, "The card of phase 1 is drawn; chance answers.", (SEAT_ON_TURN,), ON_TURN,
        fixed={"count": 1, "spare": 0},
    ),
    Question(
        "draw_more", CardDrawing, "A card lets a player draw.", (build_seat("Who draws."), build_count("How many.")),
        {"count": infer_draw_count}, fixed={"spare": 1},
    ),
    Question("deal", Deal, "A first hand is dealt.", (
        build_seat("The player who gets it."), build_count("How many; if left out, as many as the hand lacks."),
    ), {"count": infer_deal_count}, fixed={"spare": 0}),
    Question("event", EventPhase, "The top event card is turned up; chance answers.", (SEAT_ON_TURN, LATE), ON_TURN),
    Question("steal", Theft, "A thief takes cards unseen; chance answers.", (
        build_seat("Who loses them.", "victim"),
        build_seat("Who gets them.", "thief"),
        build_count("How many; if left out, as the card last played says.", max(MAGNETS_BY_CARD.values())),
    ), {"count": infer_stolen_count}),
    Question("lose_hand", HandLoss, "A whole hand is discarded.", (build_seat("Whose hand."),)),
    Question("first_player", FirstPlayerLot, "The player who begins is drawn by lot."),
    Question("shuffle", Shuffle, "A pile is shuffled.", (
        Member("where", choice_shape(DECK, EVENTS), "Which pile.", needed=True),
    )),
)  # fmt: skip
WAITING_STEPS = (
    Question("end_of_turn", EndOfTurn, "The turn ends."),
    Question("pass_turn", PassTurn, "The turn passes on."),
    Question("turn_begins", TurnStart, "A turn begins.", (SEAT_ON_TURN,), ON_TURN),
    Question("after_event", AfterEvent, "An event is over.", (
        SEAT_ON_TURN,
        Member("goes_on", FLAG, "Whether the turn goes on; true if left out.", usual=True),
        Member("ends_immunity", FLAG, "Whether immunity ends now; false if left out.", usual=False),
        LATE,
    ), ON_TURN),
    Question("end_check", EndCheck, "Whether the match is over is checked."),
    Question("fall", DefeatCheck, "Whether a player is defeated is checked.", (build_seat("Which player."),)),
    Question("monster_check", MonsterCheck, "Whether the monster is beaten is checked."),
    Question("look_at_top", DeckTopReveal, "The back on top of the draw pile is looked at."),
    Question("first_hands", FirstHands, "The first hands are dealt."),
    Question("opening", SetupStart, "The match is set up."),
)  # fmt: skip


# ---- the steps that wait ---------------------------------------------------------------------------------------------


def keep_undetermined(form: Form, unknown: Undetermined, table: Table) -> Step:
    """Return the step that stands for a question of which a position says too little."""
    said = {name: part for name, part in form.items() if name != "asks"}
    if "seat" in AGENDA.by_name[form["asks"]].follows and table.turn is not None:
        said.setdefault("seat", table.turn)
    return UndeterminedQuestion(form["asks"], said, unknown.need.key)


def find_said(step: Step) -> Form | None:
    """Return what a position says of a question that it leaves open.

    Return None for other steps.
    """
    if isinstance(step, UndeterminedQuestion):
        return {"asks": step.asks, **step.said}
    return {} if isinstance(step, UnknownQuestion) else None


def step_type_of(step: Step) -> type[Step]:
    """Return which step of the game this is, even if a position gives it only in part."""
    return AGENDA.by_name[step.asks].step if isinstance(step, UndeterminedQuestion) else type(step)


def collect_named_seats(step: Step) -> tuple[int, ...]:
    """Collect the seats that a step names."""
    found: list[int] = []
    for name in ("seat", "by", "victim", "thief", "order"):
        value = step.said.get(name) if isinstance(step, UndeterminedQuestion) else getattr(step, name, None)
        found += [value] if type(value) is int else list(value) if isinstance(value, tuple) else []
    return tuple(found)


def find_steps_beneath(table: Table, steps: Steps) -> Steps:
    """Return the steps that usually wait beneath a question in a turn.

    Beneath the questions of the setup wait its other steps. Beneath a shuffle in a turn waits what it interrupts, which
    only a position can say: raises DecodeError. Raises Undetermined if it is unknown who begins.

    MC-SETUP-5: A hand starts as five cards off the draw pile, for everybody.
    MC-SETUP-6: One player begins.
    """
    step = steps[0]
    if isinstance(step, FirstPlayerLot):
        return (FirstHands(),)
    if isinstance(step, Shuffle):
        return list_steps_after_shuffle(table, step.where)
    if isinstance(step, Deal):
        order = [(table.active + at) % table.rules.seats for at in range(table.rules.seats)]
        later = order[order.index(step.seat) + 1 :] if step.seat in order else []
        return (TurnStart(table.active), *(Deal(seat, _count_missing(table, seat)) for seat in reversed(later)))
    if step_type_of(step) is SurplusDiscard:
        return (PassTurn(),)
    if isinstance(step, PendingAttack) and step.by not in ("sword", None):
        return (EndOfTurn(), AfterEvent(step.seat))
    if isinstance(step, HandLoss) and step.seat == table.turn:
        return (EndOfTurn(), AfterEvent(step.seat))
    if issubclass(step_type_of(step), Deal | UnknownQuestion):
        return ()
    return (EndOfTurn(),)


def _count_missing(table: Table, seat: int) -> int:
    """Return how many cards a first hand lacks: all, if a position does not say."""
    return max(FIRST_HAND_SIZE - (find_hand_size(table, seat) or 0), 1)


def list_steps_after_shuffle(table: Table, where: str) -> Steps:
    """Return the steps that wait beneath a shuffle of the setup.

    Raises DecodeError if a turn may have begun.
    """
    if table.turn is None:
        raise Undetermined("whose_turn")
    if table.turn != NOBODY:
        raise DecodeError("/pending", "is missing: say what the shuffle interrupts")
    later = (Shuffle(EVENTS), DeckTopReveal()) if where == DECK else ()
    return (FirstHands(), FirstPlayerLot(), *later)


AGENDA = Agenda(
    QUESTIONS,
    find_steps_beneath,
    lambda _table: UnknownQuestion(),
    keep_undetermined,
    find_said,
    WAITING_STEPS,
    stores_steps=False,
    pending="pending",
)
