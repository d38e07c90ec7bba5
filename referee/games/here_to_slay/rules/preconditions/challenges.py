"""What the rules demand of a challenge, and of a pass in its window."""

from __future__ import annotations

from referee.cardscript.language.interpreter import Execution
from referee.engine.reasons.preconditions import precondition
from referee.engine.rulings import IllegalMove, Scope
from referee.engine.seats import Seat
from referee.games.here_to_slay.components import DISCARD, FACES
from referee.games.here_to_slay.events.plays import UnsettledRolls
from referee.games.here_to_slay.moves import Challenge, Pass
from referee.games.here_to_slay.rules.announcing import check_challengeable
from referee.games.here_to_slay.rules.playing import (
    ChallengeWindow,
    EquipChoice,
    FreeRoll,
    RollOff,
    check_challenge_card,
)
from referee.games.here_to_slay.rules.preconditions.pending import (
    StandingPlay,
    find_innermost_matter,
    has_begun,
    is_player,
)
from referee.games.here_to_slay.rules.rolling import ModifierWindow
from referee.games.here_to_slay.state import Table


@precondition(Table, Challenge, clauses=("HTS-DO-33", "HTS-AMB-4", "HTS-AMB-5"))
def require_play_open_to_challenge(table: Table, seat: Seat, move: Challenge) -> None:
    """Refuse a challenge of a play that a card or a rule protects.

    HTS-DO-33: Iron Resolve: no play of that player can be challenged until that turn ends.
    """
    at, step = find_innermost_matter(table)
    if isinstance(step, StandingPlay):
        immediate = any(isinstance(below, Execution) for below in table.agenda[:at])
        check_challengeable(table, step.seat, find_played_card(step), immediate)
    elif step is None and has_begun(table):
        by = table.find_challenge_protection(table.active, "hero")
        if by is not None and table.active != seat:
            raise IllegalMove("turn_is_protected", "HTS-DO-33", "HTS-CHAL-5", seat=table.active, by=by)


@precondition(Table, Challenge, clauses=("HTS-CHAL-6",))
def require_first_challenge(table: Table, seat: Seat, move: Challenge) -> None:
    """Refuse a second challenge of the same play.

    HTS-CHAL-6: Each played card can be challenged once. The first challenge declared counts.
    """
    _, step = find_innermost_matter(table)
    if isinstance(step, RollOff):
        raise IllegalMove("challenged_already", "HTS-CHAL-6", card=step.card)


@precondition(Table, Challenge, Pass, clauses=("HTS-CHAL-3",))
def require_no_pass_before(table: Table, seat: Seat, move: Challenge | Pass) -> None:
    """Refuse a challenge, or another pass, after the player's own pass.

    HTS-CHAL-3: A player who passed is out for this card. The play goes ahead when nobody is left to answer.
    """
    _, step = find_innermost_matter(table)
    if isinstance(step, ChallengeWindow) and seat in step.passed:
        raise IllegalMove("passed_already", "HTS-CHAL-3", card=step.card)


@precondition(Table, Challenge, clauses=("HTS-CHAL-2",))
def require_play_to_challenge(table: Table, seat: Seat, move: Challenge) -> None:
    """Refuse a challenge of a roll, an effect, a modifier, or of nothing.

    HTS-CHAL-2: Only the playing of a card can be challenged.
    """
    _, step = find_innermost_matter(table)
    if isinstance(step, UnsettledRolls) and not isinstance(step, RollOff):
        if any(FACES[added.source].kind == "modifier" for cast in step.casts for added in cast.added):
            raise IllegalMove("modifiers_are_not_challenged", "HTS-CHAL-2", "HTS-MOD-11")
        roll = step.casts[0]
        raise IllegalMove("rolls_are_not_challenged", "HTS-CHAL-2", "HTS-ACT-10", card=roll.about, kind=roll.kind)
    if step is None or not isinstance(step, ChallengeWindow | RollOff | StandingPlay):
        raise IllegalMove("only_plays_are_challenged", "HTS-CHAL-2", "HTS-ACT-10")


@precondition(Table, Challenge, Pass, clauses=("HTS-CHAL-1",))
def require_play_of_another(table: Table, seat: Seat, move: Challenge | Pass) -> None:
    """Refuse a challenge of the player's own card.

    HTS-CHAL-1: If somebody plays a hero, item or magic card, another player may use a challenge card against it.
    """
    _, step = find_innermost_matter(table)
    if isinstance(step, ChallengeWindow) and step.seat == seat:
        raise IllegalMove("card_of_your_own", "HTS-CHAL-1", "HTS-CHAL-3", card=step.card)


@precondition(Table, Challenge, clauses=("HTS-CHAL-3", "HTS-CHAL-6"))
def require_challenge_in_time(table: Table, seat: Seat, move: Challenge) -> None:
    """Refuse a challenge of a card that stands.

    HTS-CHAL-3: The play goes ahead when nobody is left to answer.
    HTS-CHAL-6: Each played card can be challenged once. If it was, the challenge card now tops the discard pile.
    """
    _, step = find_innermost_matter(table)
    if isinstance(step, StandingPlay) and step.seat != seat:
        once = ("HTS-CHAL-6",) if table.cards_at(DISCARD)[-1:] == ("challenge",) else ()
        raise IllegalMove("card_stands", "HTS-CHAL-3", *once, card=find_played_card(step))


@precondition(Table, Challenge, clauses=("HTS-CHAL-1",))
def require_challenge_card(table: Table, seat: Seat, move: Challenge) -> None:
    """Refuse a challenge without a challenge card in the hand."""
    if is_player(table, seat):
        check_challenge_card(table, int(seat))


@precondition(Table, Pass, scope=Scope.WINDOW, clauses=("HTS-CHAL-4", "HTS-MOD-8"))
def require_hand_to_pass(table: Table, seat: Seat, move: Pass) -> None:
    """Refuse a pass of a player without hand cards, who counts as having passed."""
    top = table.agenda[-1] if table.agenda else None
    if not is_player(table, seat) or table.holds_cards(int(seat)):
        return
    if isinstance(top, ChallengeWindow) and top.seat != seat:
        raise IllegalMove("empty_hand_has_passed", "HTS-CHAL-4")
    if isinstance(top, ModifierWindow):
        raise IllegalMove("without_cards_you_have_passed", "HTS-MOD-8")


@precondition(Table, Pass, scope=Scope.QUESTION, clauses=("HTS-STATE-7",))
def require_window_to_pass(table: Table, seat: Seat, move: Pass) -> None:
    """Refuse a pass if no window is open.

    HTS-STATE-7: There are just two windows, for challenges and for modifiers.
    """
    if not any(isinstance(step, ChallengeWindow | ModifierWindow) for step in table.agenda) and table.agenda:
        raise IllegalMove("no_window_to_pass", "HTS-STATE-7")


def find_played_card(step: StandingPlay) -> str:
    """Return the card of a play that stands."""
    match step:
        case FreeRoll(hero=card) | EquipChoice(item=card):
            return card
    return step.card
