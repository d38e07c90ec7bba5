"""The questions of a position: a row for each.

A short form gives the steps of the matter up to the open question. Beneath them lies the turn, unless the position says
otherwise. A step without a short form is written as the codec has it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.cardscript.free_text.asking import WrittenTextPrompt
from referee.cardscript.questions import ChoicePrompt
from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.chance import Shuffle
from referee.engine.codec import DecodeError
from referee.engine.positions.questions import Agenda, Form, Question, Steps
from referee.engine.positions.schema import BACK, BINDINGS_SCHEMA
from referee.engine.positions.shapes import (
    Member,
    Shape,
    choice_shape,
    list_shape,
    lists_by_name_shape,
    members_schema,
    number_shape,
    seat_shape,
)
from referee.engine.steps import Step
from referee.engine.zones import is_back
from referee.games.creature_crush.card_attributes import TEXT_NAMES
from referee.games.creature_crush.components import CRUSH_PLACES, DECK_SIZE, DECKS, DRAFTS, HANDS, POOL, SEATS, SOUGHT
from referee.games.creature_crush.positions import texts
from referee.games.creature_crush.positions.names import CardNames
from referee.games.creature_crush.positions.questions import happened
from referee.games.creature_crush.positions.questions.beneath import find_steps_beneath
from referee.games.creature_crush.positions.questions.happened import TRIGGER_KINDS, decode_seat
from referee.games.creature_crush.rules.actions.searching import Searching
from referee.games.creature_crush.rules.actions.summoning import Placing
from referee.games.creature_crush.rules.activating import activate_texts
from referee.games.creature_crush.rules.chain import Chain, EffectOrdering
from referee.games.creature_crush.rules.combat.losing import Destroying, Discarding, Milling, RandomDestruction
from referee.games.creature_crush.rules.combat.rerolling import Rerolling, RollAgain
from referee.games.creature_crush.rules.concede_and_draw import DrawAnswer
from referee.games.creature_crush.rules.decks import READY_ANSWER, BringingDecks, ConfirmingDecks
from referee.games.creature_crush.rules.drafting import Drafting
from referee.games.creature_crush.rules.drawing import CardNaming
from referee.games.creature_crush.rules.setup import StartingPlayerRoll
from referee.games.creature_crush.rules.turn import CombatPhase, StartDiceRoll, TacticPhase
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts.selecting import ChoosingSome, DrawTargets, RollForTarget
from referee.games.creature_crush.values import NOBODY, TriggerEvent

BEFORE_THE_FIRST_TURN = ("keep", "bring_deck", "deck_ready", "first_turn")

# ---- what a direct attack destroys, or a text ------------------------------------------------------------------------


def build_attack_done(table: Table, creature: str) -> TriggerEvent:
    """Build the event that a creature's direct attack is done, with its effects.

    Raises DecodeError.
    """
    seat = table.possessor_of(creature)
    if seat == NOBODY:
        raise DecodeError("/question/creature", f"{creature} does not lie on a field")
    effects = activate_texts(table, ((creature, "attacks_directly", seat),))
    return TriggerEvent("direct_done", seat, {"attacker": (creature,)}, effects)


def _find_attacker(done: TriggerEvent) -> str:
    return done.refs.get("attacker", ("",))[0]


def _build_random_field(form: Form, table: Table) -> Steps:
    done = build_attack_done(table, form["creature"])
    them = 1 - done.by
    targets = tuple(form.get("targets", table.list_crush_places(them) or table.list_creatures(them)))
    return (RandomDestruction(form["creature"], targets, done),)


# ---- what a real table names -----------------------------------------------------------------------------------------


def _build_naming(form: Form, table: Table) -> Steps:
    """Build the step in which cards of a seat are named at a real table.

    Without a count these are all cards that are backs. Raises DecodeError.
    """
    seat, place = form["seat"], form.get("place", HANDS[form["seat"]])
    hidden = sum(map(is_back, table.cards_at(place)))
    count = form.get("count", hidden)
    if UNCOUNTED_CARDS in table.cards_at(place) or not 0 < count <= hidden:
        raise DecodeError("/question/count", f"seat {seat} does not have this many unnamed cards")
    return (CardNaming(seat, count, place),)


def _propose_naming(_: Table, top: CardNaming) -> Form:
    place = {} if top.place == HANDS[top.seat] else {"place": top.place}
    return {"asks": "name_cards", "seat": top.seat, "count": top.count, **place}


# ---- the questions ---------------------------------------------------------------------------------------------------

SEAT, PIPS, NAME, COUNT = seat_shape(2), number_shape(1, 6), Shape({"type": "string"}), number_shape(1, 40)
ON_TURN = Member("seat", SEAT, "The seat asked; if left out, the active player.", assumed=True)
OTHER = Member("seat", SEAT, "Whose cards; if left out, those of the player whose turn it is not.", assumed=True)
BY = Member("by", SEAT, "The player for whom it is carried out; if left out, the active player.", assumed=True)
HOW_MANY = Member("count", COUNT, "How many; if left out, as the card says.", assumed=True)
KNOWN = Member("known", Shape(BINDINGS_SCHEMA), assumed=True)
SECRET = Member("secret", list_shape(NAME), "The names in `known` whose values only that player may see.", assumed=True)
LINE, TEXT = number_shape(0, 40), choice_shape(*TEXT_NAMES)
BOTH_ANSWER: dict[str, Any] = {"waiting": (0, 1), "card": "", "given": {}}


def build_given_member(answer: Shape) -> Member:
    """Return the answers that seats have already given to a question asked of both."""
    lists = lists_by_name_shape("Cards.", answer, 40)
    of_seats = replace(lists, schema={**lists.schema, "propertyNames": {"enum": [*map(str, SEATS)]}})
    return Member("given", of_seats, "The answers already given, by seat.", usual={})


def _find_seat_on_turn(table: Table, _: Form) -> int:
    return decode_seat({}, table)


def _build_text_question(
    name: str, step: type[Step], says: str, build: texts.StepsBuilder, of_text: tuple[Member, ...], *own: Member
) -> Question:
    """Return the question of a card text, with members of its own."""

    def propose(table: Table, top: Any) -> Form:
        values = {each.name: each.shape.write(getattr(top, each.attribute or each.name)) for each in own}
        return texts.encode_question(name, table, **values)

    return Question(name, step, says, (*of_text, *own), build=build, propose=propose)


def build_agenda(names: CardNames, variant: str) -> Agenda:
    """Return the questions of a format."""
    card, creature = choice_shape(*names.list_names()), choice_shape(*names.list_names("creature"))
    effect = Shape(members_schema("A text of a card that was activated.", (
        Member("card", card, "The card.", needed=True),
        Member("part", TEXT, "Which of its texts.", needed=True),
        BY,
        Member("line", LINE, "The line that comes next; the first if left out.", assumed=True),
        KNOWN,
        SECRET,
    )))  # fmt: skip
    effects = list_shape(effect)
    anything = choice_shape(*names.list_names(), BACK)
    event = (
        Member("event", choice_shape(*TRIGGER_KINDS), "What has happened.", needed=True),
        Member("by", SEAT, "The player whose event it is; if left out, the active player.", assumed=True),
        Member(
            "about", lists_by_name_shape("Cards.", anything),
            "The cards that it is about: attacker, defender, summoned, flipped, card, victim/0 and victim/1 (by the "
            "player who had them).",
        ),
        Member("effects", effects, "The effects that it triggered; if left out, those of the cards that it is about."),
    )  # fmt: skip
    window = Shape(members_schema("A window in which players may flip a crush card in answer to an event.", (
        *event,
        Member("next", SEAT, "Who is asked next; if left out, the player whose turn it is not.", assumed=True),
        Member("passed", number_shape(0, 2), "How many have passed in a row; 0 if left out."),
    )))  # fmt: skip
    of_text = (
        Member("card", card, "The card whose text is being carried out.", needed=True),
        Member("part", TEXT, "Which of its texts; if left out, the first that asks this question.", assumed=True),
        BY,
        Member("line", LINE, "The line that asks; if left out, the first that asks this question.", assumed=True),
        KNOWN,
        SECRET,
    )
    on_field = choice_shape(*names.list_names("creature"), *(place for places in CRUSH_PLACES for place in places))
    ready = build_given_member(choice_shape(*READY_ANSWER))
    strikes = "The creature whose direct attack causes it; if left out, a card text causes it."
    caused = replace(creature, read=lambda card, table: build_attack_done(table, card), write=_find_attacker)
    effects_of = replace(
        creature, read=lambda card, table: build_attack_done(table, card).effects, write=lambda then: then[0].card
    )
    striker = Member("creature", effects_of, strikes, usual=(), attribute="then")
    destroyed = Member(
        "what", list_shape(on_field, 1, 18), "The creatures, and the places of the crush cards.", needed=True
    )
    on_turn, of_other = {"seat": _find_seat_on_turn}, {"seat": lambda table, _: 1 - decode_seat({}, table)}
    questions = (
        Question(
            "combat", CombatPhase, "An action of the combat phase. This is the default question.", (ON_TURN,), on_turn
        ),
        Question("tactic", TacticPhase, "An action of the tactic phase.", (ON_TURN,), on_turn),
        Question(
            "answer_draw", DrawAnswer, "A draw was offered.",
            (Member("seat", SEAT, "Who answers; if left out, the player whose turn it is not.", assumed=True),),
            of_other,
        ),
        Question(
            "order", EffectOrdering, "Which of several effects activated at once is carried out first.", (
                *event,
                Member("left", effects, "The effects still to be ordered; if left out, all of them."),
                Member("chosen", effects, "Those already put first, in order; none if left out."),
            ), build=happened.build_order, propose=happened.propose_order,
        ),
        Question("respond", Chain, "A player may flip a crush card in answer to what has happened.", (
            Member("windows", list_shape(window, 1, 40), "The open windows, the innermost last.", needed=True),
            Member(
                "links", effects,
                "The effects that wait, the oldest first; if left out, those that the first window's event triggered.",
            ),
        ), build=happened.build_response, propose=happened.propose_response),
        _build_text_question(
            "choose", ChoicePrompt,
            "A card text lets its player choose one thing. If it rolled dice, only from those that the dice hit; "
            "list the dice in `known` under dice/ followed by the name of what is chosen.",
            texts.build_choose, of_text,
        ),
        _build_text_question(
            "as_written", WrittenTextPrompt, "A player carries out the free text of a card.",
            texts.build_written_text, of_text,
        ),
        _build_text_question(
            "choose_some", ChoosingSome, "A card text lets its player choose several things.",
            texts.build_choose_some, of_text, HOW_MANY,
        ),
        _build_text_question(
            "at_random", DrawTargets, "Chance picks targets for a card text.", texts.build_at_random, of_text, HOW_MANY
        ),
        _build_text_question(
            "target_dice", RollForTarget, "Dice are to be rolled to pick a target by its cost.",
            texts.build_target_dice, of_text,
        ),
        _build_text_question(
            "place", Placing, "The player chooses a place for a creature that is revived, taken over or moved.",
            texts.build_placing, of_text,
            Member("creature", creature, "The creature; if left out, the one that the text names."),
        ),
        _build_text_question(
            "search", Searching, "A player searches their own deck, whose cards are listed under `sought`.",
            texts.build_search, of_text,
        ),
        _build_text_question(
            "reroll", Rerolling, "A player may reroll start dice.", texts.build_reroll, of_text
        ),
        _build_text_question(
            "roll_again", RollAgain, "Start dice are to be rerolled.", texts.build_roll_again, of_text,
            Member("dice", list_shape(PIPS, 1, 5), "The numbers that they show now.", True, attribute="before"),
        ),
        Question("start_dice", StartDiceRoll, "Start dice are to be rolled.", (
            ON_TURN,
            Member("dice", number_shape(1, 5), "How many; one if left out.", usual=1, assumed=True),
            Member(
                "which", choice_shape("basic", "fewer", "triple", "quadruple", "extra"), "Which; basic if left out.",
                usual="basic",
            ),
            Member(
                "extra", number_shape(0, 100), "How many additional dice are still to follow; none if left out.",
                usual=0,
            ),
            Member(
                "alike", number_shape(0, 6), "The number that all dice rolled before show; 0 if left out.", usual=0
            ),
        ), on_turn),
        Question(
            "mill", Milling, "At a real table, the top card of a deck that is destroyed is named.",
            (
                OTHER, Member("count", COUNT, "How many more; one if left out.", usual=1, assumed=True), striker,
                Member(
                    "fallen", list_shape(NAME, 0, 40),
                    "The cards of this mill that lie in hell and whose Traps still wait; none if left out.", usual=(),
                ),
            ), of_other,
        ),
        Question(
            "discard", Discarding, "Chance picks the hand cards that are destroyed.",
            (OTHER, striker, Member("count", COUNT, "How many; one if left out.", usual=1, assumed=True)), of_other,
        ),
        Question("random_field", RandomDestruction, "Chance picks what a direct attack destroys on the field.", (
            Member("creature", creature, "The attacker.", needed=True),
            Member(
                "targets", list_shape(on_field, 1, 9),
                "What it is picked from, crush cards by their places; if left out, the crush cards of the other "
                "player, or the creatures if there are none.",
            ),
        ), build=_build_random_field),
        Question(
            "turn_over", Destroying, "At a real table, the crush cards among destroyed cards on the field are named.",
            (destroyed, Member("creature", caused, strikes, attribute="done")),
        ),
        Question(
            "shuffle", Shuffle, "A pile is shuffled.",
            (Member("where", choice_shape(POOL, *DECKS), "The pile.", needed=True),),
        ),
        Question("name_cards", CardNaming, "At a real table, the cards of a seat are named to the referee.", (
            Member("seat", SEAT, "Whose cards.", needed=True),
            Member("place", choice_shape(*HANDS, *SOUGHT, *DRAFTS), "Where they lie; in the hand if left out."),
            Member("count", COUNT, "How many; all if left out.", assumed=True),
        ), build=_build_naming, propose=_propose_naming),
        Question(
            "first_turn", StartingPlayerRoll, "Dice are rolled to decide who begins.",
            (Member("cast", list_shape(PIPS, 0, 1), "The rolls so far; none if left out.", usual=()),),
        ),
        Question(
            "deck_ready", ConfirmingDecks, "At a real table, both players confirm that their decks are ready.",
            (ready,), fixed=BOTH_ANSWER,
        ),
    )  # fmt: skip
    kept = build_given_member(choice_shape(*names.list_names(), *READY_ANSWER))
    brought = build_given_member(names.build_deck_card_shape(*READY_ANSWER))
    own = {
        "arena": (
            Question("keep", Drafting, "Each player keeps four of the seven cards drawn.", (kept,), fixed=BOTH_ANSWER),
        ),
        "league": (
            Question(
                "bring_deck",
                BringingDecks,
                "Both players submit their deck lists.",
                (
                    brought,
                    Member(
                        "taken",
                        list_shape(names.build_deck_card_shape(), 0, DECK_SIZE, distinct=True),
                        "The cards that the second player cannot have any more, where both build from one set "
                        "(CC-AMB-7-R2); none if left out.",
                        usual=(),
                    ),
                ),
                fixed=BOTH_ANSWER,
            ),
        ),
    }
    return Agenda((*questions, *own.get(variant, ())), find_steps_beneath, lambda _: {"asks": "combat"})
