"""Play on with what lies there, although the rules say that it cannot.

TABLE-DEVIATION-4: At a table with real cards or dice what really lies there can be recorded against the rules, a report
of chance included. Play goes on by it, and copies beyond those of the box count from then on.
"""

from __future__ import annotations

from referee.census.suspects import count_surplus, list_unknown_cards
from referee.engine.events import Event, Move, replace_fields
from referee.engine.referee import play_unchecked, seats_that_must_act
from referee.engine.rulings import IllegalMove, MalformedInput
from referee.engine.seats import CHANCE, Seat
from referee.engine.zones import ZonedState
from referee.match.aggregate import Match
from referee.match.events.as_it_lies_events import TableTakenAsItLies
from referee.match.game_moves import apply_all, decide_match_end

Events = tuple[Event, ...]
# What a step may raise if a move is made that it would not have accepted.
RULE_FAILURES = (
    IllegalMove, MalformedInput, ValueError, LookupError, TypeError, AttributeError, AssertionError, RuntimeError,
)  # fmt: skip


def has_real_cards_or_dice(match: Match) -> bool:
    """Tell whether players report what some real device at this table shows."""
    return any(match.setup.is_at_table(device) for device in match.rules.devices)


def is_real_chance_awaited(match: Match) -> bool:
    """Tell whether a report of real cards or dice is awaited now."""
    if match.state is None or CHANCE not in seats_that_must_act(match.state):
        return False
    return match.setup.is_at_table(getattr(match.state.agenda[-1], "device", ""))


def play_as_it_lies(match: Match, seat: Seat, move: Move, ground: int) -> Events:
    """Return the events of a move at a real table that the rules do not allow.

    `ground` is the number of the dispute or deviation in which the table has agreed. Raises IllegalMove
    (court.deviation_impossible) if the rules cannot go on from it.
    """
    assert match.state is not None
    try:
        events = play_unchecked(match.state, seat, move)
        after = apply_all(match, events)
        _require_form(after)
    except RULE_FAILURES as broken:
        raise IllegalMove("court.deviation_impossible", "TABLE-DEVIATION-3") from broken
    if after.state == match.state or list_unknown_cards(after):
        raise IllegalMove("court.deviation_impossible", "TABLE-DEVIATION-3")
    return (*events, *take_as_it_lies(after, ground), *decide_match_end(match, events))


def take_as_it_lies(match: Match, ground: int) -> Events:
    """Return the event by which the census starts from what lies there.

    There is none without real cards.
    """
    if not match.rules.has_hidden_real_cards(match.setup):
        return ()
    return (TableTakenAsItLies(ground, count_surplus(match)),)


def _require_form(match: Match) -> None:
    """Raise MalformedInput if no position has a form for what lies there.

    Whether it can be is not asked. No position says what bots hold at a real table.
    """
    if not match.setup.named and isinstance(match.state, ZonedState):
        positions = match.rules.positions
        positions.check_census(positions.encode_position(replace_fields(match.state, surplus={})))
