"""The dispatch of table commands to the module that decides each."""

from __future__ import annotations

from referee.arbitration import deviations, disputes, table_reports, takebacks
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.match.events.transfer_events import ImportMatch
from referee.match.evidence import Evidence
from referee.match.table import commands, transfer_policy


def handle_command(evidence: Evidence, command: Move) -> tuple[Event, ...]:
    """Return the events of a table command in a match that was opened.

    Raises IllegalMove (TABLE-*), MalformedInput.
    """
    if evidence.match.gone is not None and not isinstance(command, ImportMatch):
        raise IllegalMove("match_moved", "TABLE-HOME-1")
    for court in (
        transfer_policy.COMMAND_HANDLERS,
        disputes.COMMAND_HANDLERS,
        takebacks.COMMAND_HANDLERS,
        table_reports.COMMAND_HANDLERS,
        deviations.COMMAND_HANDLERS,
    ):
        if type(command) in court:
            return court[type(command)](evidence, command)
    return commands.decide_table_command(evidence.match, command)
