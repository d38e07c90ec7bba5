"""What the rules demand of the actions of a turn."""

from __future__ import annotations

from referee.engine.events import Move
from referee.engine.reasons.preconditions import precondition
from referee.engine.rulings import IllegalMove, Scope
from referee.engine.seats import Seat
from referee.games.here_to_slay.moves import Attack, DrawOne, EndTurn, PlayCard, RedrawHand, RollFor, UseLeader
from referee.games.here_to_slay.player_leaves import check_presence
from referee.games.here_to_slay.rules.announcing import check_announcement
from referee.games.here_to_slay.rules.attacking import check_attack
from referee.games.here_to_slay.rules.preconditions.pending import find_card_under_way, has_begun, is_player
from referee.games.here_to_slay.rules.rolling import check_first_hero_roll, check_unsealed_hero
from referee.games.here_to_slay.rules.turn import (
    Turn,
    TurnEnd,
    check_drawing,
    check_leader_action,
    check_points,
    find_action_cost,
)
from referee.games.here_to_slay.state import Table

ACTIONS = (DrawOne, PlayCard, RollFor, Attack, RedrawHand, UseLeader, EndTurn)


@precondition(Table, Move, clauses=("HTS-AMB-73",))
def require_player_at_table(table: Table, seat: Seat, move: Move) -> None:
    """Refuse whatever a player does who has left."""
    check_presence(table, seat)


@precondition(Table, PlayCard, clauses=("HTS-PLAY-1", "HTS-PLAY-4", "HTS-AMB-45"))
def require_announceable_card(table: Table, seat: Seat, move: PlayCard) -> None:
    """Refuse a card that this seat could not announce."""
    if is_player(table, seat):
        check_announcement(table, int(seat), move.card)


@precondition(Table, RollFor, clauses=("HTS-ROLL-3", "HTS-DO-27"))
def require_hero_to_roll_for(table: Table, seat: Seat, move: RollFor) -> None:
    """Refuse a hero that is sealed or not in this party."""
    if is_player(table, seat):
        check_unsealed_hero(table, int(seat), move.hero)


@precondition(Table, RollFor, clauses=("HTS-ROLL-4",))
def require_first_roll_for_hero(table: Table, seat: Seat, move: RollFor) -> None:
    """Refuse a second roll for a hero in a turn."""
    if is_player(table, seat) and table.controller_of(move.hero) == seat:
        check_first_hero_roll(table, move.hero)


@precondition(Table, Attack, clauses=("HTS-MON-1", "HTS-MON-2", "HTS-MON-3", "HTS-MON-4", "HTS-MON-13"))
def require_monster_to_attack(table: Table, seat: Seat, move: Attack) -> None:
    """Refuse a monster that this party may not attack."""
    if is_player(table, seat):
        check_attack(table, int(seat), move.monster)


@precondition(Table, DrawOne, clauses=("HTS-ACT-1",))
def require_card_to_draw(table: Table, seat: Seat, move: DrawOne) -> None:
    """Refuse a draw if no card is left."""
    if is_player(table, seat):
        check_drawing(table)


@precondition(Table, UseLeader, clauses=("HTS-ACT-6",))
def require_leader_with_action(table: Table, seat: Seat, move: UseLeader) -> None:
    """Refuse the action of a leader that has none, was used, or finds nothing to pull."""
    if is_player(table, seat) and has_begun(table):
        check_leader_action(table, int(seat))


@precondition(Table, *ACTIONS, clauses=("HTS-ACT-8",))
def require_points(table: Table, seat: Seat, move: Move) -> None:
    """Refuse an action of the active player that costs more points than are left."""
    if is_player(table, seat) and table.active == seat:
        check_points(table, find_action_cost(table, int(seat), move), move)


@precondition(Table, *ACTIONS, scope=Scope.WINDOW, clauses=("HTS-SETUP-1",))
def require_game_begun(table: Table, seat: Seat, move: Move) -> None:
    """Refuse actions before the first turn.

    HTS-SETUP-1: Everyone chooses one leader and puts it on the table in front of them.
    """
    if not has_begun(table):
        raise IllegalMove("leaders_come_first", "HTS-SETUP-1", "HTS-SETUP-7")


@precondition(Table, *ACTIONS, scope=Scope.WINDOW, clauses=("HTS-TURN-5",))
def require_nothing_pending(table: Table, seat: Seat, move: Move) -> None:
    """Refuse a new action while something is still being carried out.

    HTS-TURN-5: While anything is still being carried out, no further action may be declared.
    """
    if not table.agenda or isinstance(table.agenda[-1], Turn | TurnEnd) or not has_begun(table) or table.active != seat:
        return
    also = ("HTS-ACT-7",) if isinstance(move, EndTurn) else ()
    if (card := find_card_under_way(table)) is not None:
        raise IllegalMove("card_under_way", "HTS-TURN-5", "HTS-ASK-1", *also, card=card)
    raise IllegalMove("something_under_way", "HTS-TURN-5", "HTS-ASK-1", *also)


@precondition(Table, *ACTIONS, scope=Scope.TURN, clauses=("HTS-TURN-1",))
def require_own_turn(table: Table, seat: Seat, move: Move) -> None:
    """Refuse actions in somebody else's turn.

    HTS-TURN-1: The turn passes clockwise from player to player.
    """
    if has_begun(table) and table.active != seat:
        raise IllegalMove("turn_of_another", "HTS-TURN-1", seat=table.active)
