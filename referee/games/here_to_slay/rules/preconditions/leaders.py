"""What the rules demand of picking a leader, and of leaving the table."""

from __future__ import annotations

from referee.engine.reasons.preconditions import precondition
from referee.engine.rulings import IllegalMove, Scope
from referee.engine.seats import Seat
from referee.games.here_to_slay.moves import Leave, PickLeader
from referee.games.here_to_slay.player_leaves import check_leave
from referee.games.here_to_slay.rules.preconditions.pending import is_player
from referee.games.here_to_slay.rules.setup import FirstPickRoll, PickLeaders, check_leader
from referee.games.here_to_slay.state import Table


@precondition(Table, PickLeader, clauses=("HTS-SETUP-1",))
def require_no_leader_yet(table: Table, seat: Seat, move: PickLeader) -> None:
    """Refuse another leader to a player who has one.

    HTS-SETUP-1: Everyone chooses one leader. It is theirs until the match ends.
    """
    if is_player(table, seat) and (leader := table.leader_of(int(seat))) is not None:
        raise IllegalMove("leader_is_for_good", "HTS-SETUP-1", "HTS-LEAD-2", card=leader)


@precondition(Table, PickLeader, clauses=("HTS-SETUP-1", "HTS-SETUP-3", "HTS-AMB-71"))
def require_leader_to_pick(table: Table, seat: Seat, move: PickLeader) -> None:
    """Refuse a leader that is taken or left out."""
    check_leader(table, move.leader)


@precondition(Table, PickLeader, scope=Scope.WINDOW, clauses=("HTS-SETUP-2",))
def require_first_pick_rolled(table: Table, seat: Seat, move: PickLeader) -> None:
    """Refuse a pick while dice decide who picks first."""
    if table.agenda and isinstance(table.agenda[-1], FirstPickRoll):
        raise IllegalMove("dice_decide_first_pick", "HTS-SETUP-2", "HTS-AMB-71")


@precondition(Table, PickLeader, scope=Scope.TURN, clauses=("HTS-SETUP-2",))
def require_turn_to_pick(table: Table, seat: Seat, move: PickLeader) -> None:
    """Refuse a pick before its turn, if leaders are picked one after the other."""
    top = table.agenda[-1] if table.agenda else None
    if isinstance(top, PickLeaders) and not top.at_once and top.order[:1] not in ((), (int(seat),)):
        raise IllegalMove("another_picks_first", "HTS-SETUP-2", "HTS-AMB-71", seat=top.order[0])


@precondition(Table, Leave, clauses=("HTS-AMB-73", "HTS-EDGE-5"))
def require_player_who_may_leave(table: Table, seat: Seat, move: Leave) -> None:
    """Refuse leaving before the match has begun."""
    if is_player(table, seat):
        check_leave(table, seat)
