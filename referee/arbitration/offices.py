"""Offices: who may have the last word at a table, and on what nobody has.

TABLE-OFFICE-4: Only an official whom every seat held by a person has accepted rules on a dispute. Until there is one,
there is no arbiter: what stands in the log stands at once.

In matches of the first edition of the courts the host and every arbiter have the last word, accepted or not.
"""

from __future__ import annotations

from referee.engine.rulings import IllegalMove
from referee.match.aggregate import Match
from referee.match.events.dispute_state import Dispute
from referee.match.table.office_state import Official
from referee.match.table.officials import find_human_seats, find_official, is_accepted

DRAWN = "court.server_drew"  # the reason of the finding that the referee can prove an entry


def has_official(match: Match, dispute: Dispute) -> bool:
    """Tell whether somebody is there who may have the last word in a dispute."""
    if "arbiter" not in match.courts.levels:
        return False
    if match.courts.counts_words:
        return any(may_rule(match, dispute, each.role, (), each.number) for each in match.officials)
    return match.courts.edition is None or any(is_accepted(match, each) for each in match.officials)


def require_claimant(match: Match, by: str, official: int | None) -> None:
    """Raise IllegalMove unless this seat, host or arbiter may open a dispute.

    TABLE-DISPUTE-11: Players open disputes, and officials whom everybody has accepted; the host does for players
    without a device. The token of a host who plays is nobody's in particular: its holder may sit at any seat.
    """
    people = find_human_seats(match)
    speaks = by == "host" and (not people or any(chair.kind == "table" for chair in match.chairs))
    if by.isdecimal() or not match.courts.counts_words or speaks or is_trusted(match, by, official):
        return
    raise IllegalMove("court.no_claimant", "TABLE-DISPUTE-11")


def may_rule(match: Match, dispute: Dispute, by: str, seats: tuple[int, ...], official: int | None = None) -> bool:
    """Tell whether host or arbiter, who holds these seats, may rule on a dispute.

    `official` is the number of the official; None: any of this role.

    TABLE-RULING-4: Nobody rules who plays, or who opened the dispute. Where one device speaks for all, its holder opens
    every dispute and rules on it too.

    In matches of the first edition that holds unless all who sit there are parties.
    """
    held = set(seats) & find_human_seats(match)
    if match.courts.edition is None:
        claimant = {int(dispute.by)} if dispute.by.isdecimal() else set()
        parties = {*dispute.parties, *claimant}  # a claim may accuse nobody, and then has no parties
        party = bool(held & parties) or dispute.by == by
        return not party or find_human_seats(match) <= parties
    opened = dispute.by == by and bool(find_human_seats(match))
    return not (held or opened or is_proved(match, dispute)) and is_trusted(match, by, official)


def is_trusted(match: Match, by: str, official: int | None = None) -> bool:
    """Tell whether the table has accepted this host or arbiter as an official.

    `official` is the number; None: any of this role.
    """
    known = [find_official(match, official)] if official is not None else list(match.officials)
    return any(each is not None and each.role == by and is_accepted(match, each) for each in known)


def may_inspect(match: Match, official: Official) -> bool:
    """Tell whether an official may look at all cards for a dispute now.

    TABLE-RULING-5: If the match is set so, an official whom all have accepted looks at all cards while a dispute waits
    for their ruling.
    """
    waits = (each for each in match.disputes if each.stage == "ruling")
    wanted = any(may_rule(match, each, official.role, (), official.number) for each in waits)
    return match.courts.arbiter_sees == "full" and wanted


def is_proved(match: Match, dispute: Dispute) -> bool:
    """Tell whether the referee has proved the disputed entry: no court decides it.

    TABLE-DRAW-1: What the server has drawn it can prove. Claims about such an entry are dismissed at once. No court
    takes them up, and nobody rules on them.
    """
    first = dispute.verdicts[0] if match.courts.edition is not None and dispute.verdicts else None
    return first is not None and first.reason == DRAWN


def require_not_proved(match: Match, dispute: Dispute) -> None:
    """Raise IllegalMove if the referee has proved the disputed entry."""
    if is_proved(match, dispute):
        raise IllegalMove("court.proved", "TABLE-DRAW-1", about=dispute.about)


def require_ruler(match: Match, dispute: Dispute, by: str, seats: tuple[int, ...], official: int | None) -> None:
    """Raise IllegalMove unless this host or arbiter may rule on a dispute."""
    require_not_proved(match, dispute)
    if "arbiter" not in match.courts.levels:
        raise IllegalMove("court.no_arbiter", "TABLE-RULING-4")
    if may_rule(match, dispute, by, seats, official):
        return
    if match.courts.edition is not None and not seats and not is_trusted(match, by, official):
        raise IllegalMove("court.not_accepted", "TABLE-OFFICE-4")
    raise IllegalMove("court.own_cause", "TABLE-RULING-4")
