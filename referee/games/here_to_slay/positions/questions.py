"""The questions of a position with a short form, and what they stand for.

A short form gives the steps from the outermost frame of the matter up to the open question. Beneath lies the turn,
unless the position says otherwise. A step without a short form is written as the codec encodes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from referee.cardscript.free_text.asking import WrittenTextPrompt
from referee.cardscript.language.builtins import AsWritten, Choose, OfferTo
from referee.cardscript.language.interpreter import Execution
from referee.cardscript.questions import ChoicePrompt, LookPrompt, OfferPrompt
from referee.engine.chance import Shuffle
from referee.engine.codec import DecodeError, named
from referee.engine.events import Event
from referee.engine.positions.questions import Agenda, Form, Question, Steps
from referee.engine.positions.shapes import FLAG, Member, choice_shape, list_shape, number_shape, record_shape
from referee.engine.rulings import Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import Step
from referee.games.here_to_slay.components import DECK, HANDS, MONSTERS
from referee.games.here_to_slay.positions import rolls, texts
from referee.games.here_to_slay.positions.rolls import CALLED, find_seat
from referee.games.here_to_slay.positions.shapes import BINDINGS, DIE, NAME, SEAT, SEATS_LISTED, SOME_SEATS, CardShapes
from referee.games.here_to_slay.positions.texts import TEXT_NAMES
from referee.games.here_to_slay.rules.announcing import PLAYED_KINDS
from referee.games.here_to_slay.rules.attacking import MonsterTurnUp
from referee.games.here_to_slay.rules.drawing import CardDrawing, HandNaming, Pulling
from referee.games.here_to_slay.rules.effect_frames import EffectFrame, OrderTriggers
from referee.games.here_to_slay.rules.hands import (
    CardKindPrompt,
    DeckTopOrdering,
    SimultaneousDiscard,
    SimultaneousGift,
)
from referee.games.here_to_slay.rules.hero_removal import ChooseSacrifice, ReplacementOffer
from referee.games.here_to_slay.rules.playing import ChallengeWindow, EquipChoice, FreeRoll
from referee.games.here_to_slay.rules.rolling import ModifierWindow, Throw
from referee.games.here_to_slay.rules.setup import ROW_SIZE, BoxLeaders, Deal, FirstPickRoll, FirstTurn, PickLeaders
from referee.games.here_to_slay.rules.turn import REDRAW_SIZE, Turn
from referee.games.here_to_slay.state import NOBODY, Table, select_named_cards
from referee.games.here_to_slay.texts.verbs_of_cards import (
    CheckCardKind,
    DiscardCards,
    GiveCards,
    LookAtDeck,
    LookAtHand,
    PassLeft,
    PayCards,
    PullCards,
    PutOnTop,
)
from referee.games.here_to_slay.texts.verbs_of_heroes import DestroyHero, SacrificeHero


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


UNKNOWN_TURN = UndeterminedQuestion("whose_turn", {}, {})

# ---- the steps that wait ---------------------------------------------------------------------------------------------


def find_steps_beneath(table: Table, steps: Steps) -> Steps:
    """Return what usually lies beneath some steps: the turn, and the frames of a text.

    Before the first turn nothing lies beneath, nor beneath what is left open.
    """
    if isinstance(steps[0], Turn | UndeterminedQuestion) or table.turn == NOBODY:
        return ()
    turn: Step = UNKNOWN_TURN if table.turn is None else Turn(table.turn)
    if isinstance(steps[0], MonsterTurnUp):
        return (turn, EffectFrame())
    return (turn, *texts.build_frames_beneath(steps[0])) if isinstance(steps[0], Execution) else (turn,)


def find_default_question(table: Table) -> Form | Step:
    """Return the question of a position that names none: the active player is to act."""
    return UNKNOWN_TURN if table.turn is None else {"asks": "act"}


def keep_undetermined(form: Form, unknown: Undetermined, _table: Table) -> Step:
    """Return the step that stands for a question of which a position says too little."""
    return UndeterminedQuestion(unknown.need.key, unknown.need.params, form)


def find_said(step: Step) -> Form | None:
    """Return what a position says of a question that it leaves open.

    Return None for other steps.
    """
    return step.said if isinstance(step, UndeterminedQuestion) else None


# ---- the setup, cards that are named ---------------------------------------------------------------------------------


def build_setup_steps(table: Table) -> Steps:
    """Return all steps that follow once the leaders are chosen, the first on top."""
    everybody = tuple(range(table.rules.seats))
    return (FirstTurn(), MonsterTurnUp(ROW_SIZE), Shuffle(MONSTERS), Deal(everybody), Shuffle(DECK), BoxLeaders())


def build_shuffle(values: Form, table: Table) -> Steps:
    """Return the steps of shuffling a deck, during the setup or when it is renewed."""
    if table.turn != NOBODY:
        return (Shuffle(values["where"]),)
    return build_setup_steps(table)[: 3 if values["where"] == MONSTERS else 5]


def build_redraw(values: Form, table: Table) -> Steps:
    """Return the steps of naming a hand that is discarded whole at a real table.

    Raises Undetermined.
    """
    seat = find_seat(values, table)
    count = table.count_cards_at(HANDS[seat])
    return (EffectFrame(), CardDrawing(seat, REDRAW_SIZE), SimultaneousDiscard((seat,), "", {}, count, count))


def count_unnamed_cards(table: Table, given: Form) -> int:
    """Count the cards of a hand at a real table that are still to be named.

    Raises Undetermined, or DecodeError if there are none.
    """
    seat = given["seat"]
    unnamed = table.count_cards_at(HANDS[seat]) - len(select_named_cards(table.cards_in_hand(seat)))
    if not unnamed:
        raise DecodeError("", f"all cards of seat {seat} are already named")
    return unnamed


# ---- the questions ---------------------------------------------------------------------------------------------------

SEAT_ON_TURN = Member("seat", SEAT, "The seat asked; if left out, the active player.", assumed=True)
ON_TURN = {"seat": lambda table, _given: find_seat({}, table)}
PASSED = Member("passed", SEATS_LISTED, "The seats that have already passed; none if left out.", usual=())
OF_A_TEXT = (
    Member("part", choice_shape(*TEXT_NAMES), "Which of its texts; if left out, does.", assumed=True),
    Member("by", SEAT, "The player for whom it is carried out; if left out, the active player.", assumed=True),
    Member("line", number_shape(0, 40), "The line that asks; if left out, the first.", assumed=True),
    Member("known", BINDINGS, usual={}, assumed=True),
    Member(
        "secret",
        list_shape(NAME),
        "The names in `known` whose values only that player may see.",
        usual=(),
        assumed=True,
    ),
)


@cache
def build_agenda(edition: str) -> Agenda:
    """Return the questions of a position that is played with the cards of an edition."""
    cards = CardShapes(edition)
    any_roll, hero_roll = rolls.build_roll_shapes(cards)
    roll = Member("roll", any_roll, needed=True)
    hero = Member("hero", cards.hero, "The hero.", needed=True)
    a_text = (Member("card", cards.any, "The card whose text is being carried out.", needed=True), *OF_A_TEXT)
    of_text = partial(texts.build_text_question, a_text)
    seen = Member("cards", cards.seen, "The cards.", needed=True)
    answers = (
        Member(
            "seats", SOME_SEATS, "The seats that have to answer, in the order in which the answers take effect.",
            needed=True,
        ),
        Member("given", cards.by_seat, "The answers already given, by seat.", usual={}),
    )  # fmt: skip
    questions = (
        Question("act", Turn, "An action, or the end of the turn. This is the default question.", (SEAT_ON_TURN,),
                 ON_TURN),
        Question("challenge", ChallengeWindow, "The others may challenge a card that is being played.", (
            Member("seat", SEAT, "Who plays it; if left out, the active player.", assumed=True),
            Member("card", cards.of_kinds(*PLAYED_KINDS), "The card.", needed=True),
            CALLED,
            PASSED,
        ), ON_TURN, frames=lambda _table: (EffectFrame(),)),
        Question(
            "modifiers", ModifierWindow, "Everybody may play modifiers on a roll.", (roll, PASSED),
            build=rolls.build_modifier_window, propose=rolls.propose_modifier_window,
        ),
        Question("dice", Throw, "Dice are to be rolled: the first that the roll leaves out.", (
            roll,
            Member("marks", FLAG, "Whether it counts as the hero's roll of this turn; true if left out.", usual=True),
        ), build=rolls.build_dice, propose=rolls.propose_dice),
        Question(
            "target", ChoicePrompt, "The dice are rolled; the roller names a target before modifiers are played.",
            (Member("roll", hero_roll, needed=True), *OF_A_TEXT[2:]),
            build=rolls.build_target_choice, propose=texts.propose_target_choice,
        ),
        Question(
            "free_roll", FreeRoll, "A hero has just been played; its player may roll for it at once.",
            (SEAT_ON_TURN, hero), ON_TURN, frames=lambda _table: (EffectFrame(),),
        ),
        Question(
            "equip", EquipChoice, "An item was played; its player chooses the hero that carries it.",
            (SEAT_ON_TURN, Member("item", cards.item, "The item.", needed=True)),
            ON_TURN, frames=lambda _table: (EffectFrame(),),
        ),
        of_text(
            "choose", ChoicePrompt, "A card text asks a player to choose.", (Choose,),
            lambda q: rolls.build_choice_prompt(q.seat, q.card, q.word), SEAT_ON_TURN,
        ),
        of_text(
            "offer", OfferPrompt, "A card text offers a player something, to accept or decline.", (OfferTo,),
            lambda q: OfferPrompt(q.seat, q.card, q.word.called), SEAT_ON_TURN,
        ),
        of_text(
            "as_written", WrittenTextPrompt, "A player carries out the free text of a card.", (AsWritten,),
            lambda q: WrittenTextPrompt(q.seat, q.card), SEAT_ON_TURN,
        ),
        of_text(
            "discard", SimultaneousDiscard, "Players choose cards to discard.", (DiscardCards, PayCards),
            texts.build_discard, *answers,
        ),
        of_text(
            "sacrifice", ChooseSacrifice, "Players choose heroes to sacrifice.", (SacrificeHero,),
            lambda q: ChooseSacrifice(*q.answers), *answers,
        ),
        of_text(
            "give", SimultaneousGift, "Players choose cards to give away.", (GiveCards, PassLeft),
            texts.build_gifts, *answers,
        ),
        of_text(
            "look", LookPrompt, "A player is shown cards.", (LookAtHand, LookAtDeck),
            lambda q: LookPrompt(q.seat, q.card, q.values["cards"]), SEAT_ON_TURN, seen,
        ),
        of_text(
            "put_back", DeckTopOrdering, "A player puts cards back on the deck in an order of their choice.",
            (PutOnTop,), lambda q: DeckTopOrdering(q.seat, q.values["cards"]), SEAT_ON_TURN, seen,
        ),
        of_text(
            "tell", CardKindPrompt, "At a real table, a player says what kind a card is.", (CheckCardKind,),
            lambda q: CardKindPrompt(q.seat, q.card, q.word.kind, q.word.called), SEAT_ON_TURN,
        ),
        of_text(
            "instead", ReplacementOffer, "A player about to destroy a hero may do something else instead.",
            (DestroyHero,), texts.build_replacement_offer,
            SEAT_ON_TURN, hero, Member("use", cards.monster, "The monster that may be used.", needed=True),
        ),
        of_text(
            "pull", Pulling, "Chance picks a card from a hand.", (PullCards,), texts.build_pull,
            SEAT_ON_TURN,
            Member("of", SEAT, "Whose hand.", needed=True),
            Member("count", number_shape(1, 5), "How many cards are still to be pulled."),
            Member(
                "before", cards.seen,
                "The hand of the player who pulls, before the first pull; if left out, as it is now.", assumed=True,
            ),
            propose=texts.propose_pull,
        ),
        Question(
            "next_trigger", OrderTriggers, "Several abilities of one player wait; the player chooses the next one.", (
                SEAT_ON_TURN,
                Member("texts", list_shape(record_shape(dict, *a_text, says="A text."), 2, 30), "The waiting texts.",
                       needed=True),
            ), build=texts.build_next_trigger, propose=texts.propose_next_trigger,
        ),
        Question(
            "turn_up", MonsterTurnUp, "A monster is turned face up.",
            (Member("count", number_shape(1, 3), "How many; one if left out.", assumed=True),),
            {"count": lambda _table, _given: 1},
            frames=lambda table: (FirstTurn(),) if table.turn == NOBODY else (),
        ),
        Question(
            "shuffle", Shuffle, "A deck is shuffled.",
            (Member("where", choice_shape(DECK, MONSTERS), "The deck.", needed=True),), build=build_shuffle,
        ),
        Question(
            "redraw", SimultaneousDiscard,
            "At a real table, the cards of a hand that is discarded as a whole are named.", (SEAT_ON_TURN,),
            build=build_redraw, propose=lambda _table, top: {"seat": top.waiting[0]},
        ),
        Question("name_cards", HandNaming, "At a real table, the cards of a seat are named to the referee.", (
            SEAT_ON_TURN,
            Member(
                "count", number_shape(1, sum(cards.boxes.main.values())), "How many; all if left out.",
                assumed=True,
            ),
        ), {**ON_TURN, "count": count_unnamed_cards}),
        Question("pick_leader", PickLeaders, "Players pick leaders.", (
            Member("order", SOME_SEATS, "The seats that still have to pick.", needed=True),
            Member("at_once", FLAG, "Whether all pick at the same time, first come, first served."),
        ), {"at_once": lambda table, _given: table.rules.leader_choice == "at_once"}, frames=build_setup_steps),
        Question("first_pick", FirstPickRoll, "Dice are rolled to decide who picks first.", (
            Member("contenders", SOME_SEATS, "Who rolls; everybody if left out.", assumed=True),
            Member("cast", list_shape(DIE, 0, 6), "Their rolls so far, in the same order."),
        ), {"contenders": lambda table, _given: tuple(range(table.rules.seats))}, frames=build_setup_steps),
    )  # fmt: skip
    return Agenda(questions, find_steps_beneath, find_default_question, keep_undetermined, find_said)
