"""What the rules demand of answers to card texts.

They say who is asked, for what, and whether an offer is open.
"""

from __future__ import annotations

from referee.cardscript.language.interpreter import find_innermost_execution
from referee.cardscript.moves import (
    Accept,
    ChooseCard,
    ChooseCards,
    ChoosePlayer,
    ChooseUnseen,
    ChooseValue,
    ConfirmSeen,
    Decline,
)
from referee.cardscript.questions import CardPrompt, ChoicePrompt, LookPrompt, OfferPrompt, SimultaneousPrompt
from referee.engine.events import Move
from referee.engine.reasons.preconditions import precondition
from referee.engine.rulings import IllegalMove, NotAsked, Scope
from referee.engine.seats import Seat
from referee.engine.steps import Step
from referee.games.here_to_slay.moves import Leave
from referee.games.here_to_slay.rules.hands import SimultaneousDiscard, SimultaneousGift
from referee.games.here_to_slay.rules.hero_removal import ChooseSacrifice
from referee.games.here_to_slay.rules.playing import ChallengeWindow, EquipChoice, FreeRoll
from referee.games.here_to_slay.rules.preconditions.pending import is_player
from referee.games.here_to_slay.rules.rolling import HeroRoll, ModifierWindow
from referee.games.here_to_slay.rules.setup import PickLeaders
from referee.games.here_to_slay.rules.turn import Turn
from referee.games.here_to_slay.state import Table

CHOICES = (ChooseCard, ChooseCards, ChoosePlayer, ChooseUnseen, ChooseValue, ConfirmSeen)
ANSWERS = (Accept, Decline, *CHOICES)
NO_CHOICE = Turn | ChallengeWindow | ModifierWindow | PickLeaders  # questions that no answer to a text answers


def find_choice(table: Table) -> CardPrompt | None:
    """Return the open question of a card text, or None."""
    top: Step | None = table.agenda[-1] if table.agenda else None
    return top if isinstance(top, CardPrompt) and not isinstance(top, NO_CHOICE) else None


@precondition(Table, ChooseCard, ChoosePlayer, clauses=("HTS-TGT-4",))
def require_target_not_named_yet(table: Table, seat: Seat, move: Move) -> None:
    """Refuse another target after the roller has named one.

    HTS-TGT-4: A named target stays the target.
    """
    if len(table.agenda) > 1 and isinstance(table.agenda[-1], ModifierWindow):
        roll = table.agenda[-2]
        if isinstance(roll, HeroRoll) and roll.declared and roll.casts[0].seat == seat:
            raise IllegalMove("target_is_named", "HTS-TGT-4", "HTS-ROLL-5", card=roll.casts[0].about)


@precondition(Table, *ANSWERS, clauses=("HTS-EACH-2",))
def require_no_answer_before(table: Table, seat: Seat, move: Move) -> None:
    """Refuse a second answer to a question that several players answer in secret.

    HTS-EACH-2: Those players choose at the same time and in secret.
    """
    choice = find_choice(table)
    if isinstance(choice, SimultaneousPrompt) and seat in choice.waiting and str(int(seat)) in choice.given:
        raise IllegalMove("answered_already", "HTS-EACH-2", "HTS-AMB-54", card=choice.card)


@precondition(Table, Accept, Decline, scope=Scope.WINDOW, clauses=("HTS-MAY-2",))
def require_open_offer(table: Table, seat: Seat, move: Move) -> None:
    """Refuse to accept or decline if nothing is offered.

    HTS-MAY-2: An offer is made once, at its moment. A declined offer does not come back.
    """
    if table.agenda and find_choice(table) is None:
        raise IllegalMove("no_offer_is_open", "HTS-MAY-2", "HTS-NOW-2")


@precondition(Table, *ANSWERS, scope=Scope.TURN, clauses=("HTS-STATE-7", "HTS-TGT-6", "HTS-ROLL-5", "HTS-HERO-2"))
def require_asked_seat(table: Table, seat: Seat, move: Move) -> None:
    """Refuse an answer to a question that is put to somebody else.

    HTS-TGT-6: Choices of the affected player are made by that player.
    """
    choice = find_choice(table)
    asked = choice.prompted_seats(table) if choice is not None else ()
    if not asked or seat in asked:
        return
    first = asked[0]
    if isinstance(choice, SimultaneousPrompt):
        if seat not in choice.waiting:
            together = ("HTS-EACH-2",) if len(choice.waiting) > 1 else ()
            raise IllegalMove("they_choose_themselves", "HTS-TGT-6", *together, seat=first, card=choice.card)
        return
    if isinstance(choice, FreeRoll):
        raise IllegalMove("free_roll_of_another", "HTS-HERO-2", seat=first, card=choice.hero)
    if isinstance(choice, ChoicePrompt) and find_innermost_execution(table).declaring:
        raise IllegalMove("roller_names_target", "HTS-ROLL-5", "HTS-TGT-3", seat=first, card=choice.card)
    raise IllegalMove("another_is_asked", "HTS-STATE-7", "HTS-ASK-1", seat=first)


@precondition(Table, *CHOICES, scope=Scope.QUESTION, clauses=("HTS-STATE-7",))
def require_open_choice(table: Table, seat: Seat, move: Move) -> None:
    """Refuse a choice if nothing is to be chosen.

    HTS-STATE-7: Every question but the two windows goes to certain seats.
    """
    if table.agenda and find_choice(table) is None:
        raise NotAsked("nothing_to_choose", "HTS-STATE-7", "HTS-ASK-1")


@precondition(Table, Move, scope=Scope.QUESTION, clauses=("HTS-ASK-1",))
def require_answer_of_its_kind(table: Table, seat: Seat, move: Move) -> None:
    """Refuse what does not answer the question that a card text puts to this seat.

    HTS-ASK-1: Only the innermost pending thing takes moves.
    """
    choice = find_choice(table)
    if choice is None or isinstance(move, Leave) or not is_player(table, seat):
        return
    if seat not in choice.prompted_seats(table):
        return
    match choice:
        case ChoicePrompt(noun=noun):
            if not isinstance(move, Decline) and noun.parse_answer(move, choice.unseen) is None:
                bearing = noun.clauses if isinstance(move, ANSWERS) else ()  # other moves name no target
                raise NotAsked(f"choose_{noun.WORD}", *bearing, "HTS-ASK-1", card=choice.card)
        case OfferPrompt() if not isinstance(move, Accept | Decline):
            raise NotAsked("accept_or_decline", "HTS-MAY-2", "HTS-ASK-1", card=choice.card)
        case LookPrompt() if not isinstance(move, ConfirmSeen):
            raise NotAsked("confirm_what_you_saw", "HTS-TEXT-3", "HTS-ASK-1")
        case EquipChoice() if not isinstance(move, ChooseCard):
            raise NotAsked("name_who_carries", "HTS-ITEM-1", "HTS-ASK-1", card=choice.item)
        case SimultaneousDiscard() if not isinstance(move, ChooseCards):
            raise NotAsked("name_cards_to_discard", "HTS-VERB-2", "HTS-ASK-1")
        case SimultaneousGift() if not isinstance(move, ChooseCards):
            raise NotAsked("name_card_to_give", "HTS-DO-9", "HTS-ASK-1")
        case ChooseSacrifice() if not isinstance(move, ChooseCards):
            raise NotAsked("name_hero_to_sacrifice", "HTS-VERB-4", "HTS-ASK-1")
