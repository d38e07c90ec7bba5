"""What the rules demand of each kind of move, whatever question is open.

They give the reasons of refusals (`referee.engine.preconditions`); the steps decide what is legal, by the same
functions.
"""

from __future__ import annotations

from referee.engine.preconditions import precondition
from referee.engine.rulings import IllegalMove, Scope
from referee.engine.seats import Seat
from referee.engine.steps import Step
from referee.games.here_to_slay.moves import (
    Attack,
    Challenge,
    DrawOne,
    EndTurn,
    PlayCard,
    RedrawHand,
    RollFor,
    UseLeader,
)
from referee.games.here_to_slay.rules.announcing import check_announcement
from referee.games.here_to_slay.rules.attacking import check_attack
from referee.games.here_to_slay.rules.playing import ChallengeWindow, RollOff
from referee.games.here_to_slay.rules.rolling import ModifierWindow, check_hero_roll
from referee.games.here_to_slay.state import Table

ACTIONS = (DrawOne, PlayCard, RollFor, Attack, RedrawHand, UseLeader, EndTurn)


def find_pending(table: Table, *kinds: type[Step]) -> Step | None:
    """Return the innermost pending step of these kinds, or None."""
    return next((step for step in reversed(table.agenda) if isinstance(step, kinds)), None)


# ---- actions -------------------------------------------------------------------------------------------------


@precondition(Table, PlayCard, clauses=("HTS-PLAY-1", "HTS-PLAY-4", "HTS-AMB-45"))
def require_announceable_card(table: Table, seat: Seat, move: PlayCard) -> None:
    """Refuse a card that this seat could not announce."""
    check_announcement(table, int(seat), move.card)


@precondition(Table, RollFor, clauses=("HTS-ROLL-3", "HTS-ROLL-4"))
def require_hero_to_roll_for(table: Table, seat: Seat, move: RollFor) -> None:
    """Refuse a hero that this seat could not roll for."""
    check_hero_roll(table, int(seat), move.hero)


@precondition(Table, Attack, clauses=("HTS-MON-1", "HTS-MON-2"))
def require_monster_to_attack(table: Table, seat: Seat, move: Attack) -> None:
    """Refuse a monster that this party may not attack."""
    check_attack(table, int(seat), move.monster)


@precondition(Table, *ACTIONS, scope=Scope.TURN, clauses=("HTS-TURN-1",))
def require_own_turn(table: Table, seat: Seat, move: object) -> None:
    """Refuse actions in somebody else's turn.

    HTS-TURN-1: The turn passes clockwise from player to player.
    """
    if table.active != seat:
        raise IllegalMove("turn_of_another", "HTS-TURN-1", seat=table.active)


# ---- challenges ----------------------------------------------------------------------------------------------


@precondition(Table, Challenge, clauses=("HTS-CHAL-6",))
def require_first_challenge(table: Table, seat: Seat, move: Challenge) -> None:
    """Refuse a second challenge of the same play.

    HTS-CHAL-6: Each played card can be challenged once. The first challenge declared counts.
    """
    if find_pending(table, RollOff) is not None:
        raise IllegalMove("challenged_already", "HTS-CHAL-6")


@precondition(Table, Challenge, clauses=("HTS-CHAL-3",))
def require_no_pass_before(table: Table, seat: Seat, move: Challenge) -> None:
    """Refuse a challenge after the player's own pass.

    HTS-CHAL-3: A player who passed is out for this card. The play goes ahead when nobody is left to answer.
    """
    window = find_pending(table, ChallengeWindow)
    if isinstance(window, ChallengeWindow) and seat in window.passed:
        raise IllegalMove("passed_already", "HTS-CHAL-3", card=window.card)


@precondition(Table, Challenge, clauses=("HTS-CHAL-2",))
def require_play_to_challenge(table: Table, seat: Seat, move: Challenge) -> None:
    """Refuse a challenge of a roll or a modifier.

    HTS-CHAL-2: Only the playing of a card can be challenged.
    """
    if isinstance(table.agenda[-1], ModifierWindow) and find_pending(table, RollOff) is None:
        raise IllegalMove("only_plays_are_challenged", "HTS-CHAL-2", "HTS-MOD-11")
