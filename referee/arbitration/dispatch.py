"""The dispatch of table commands to the module that decides each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.arbitration import calls, deviations, disputes, takebacks
from referee.arbitration.real_tables import silence, slips, table_reports
from referee.arbitration.remedies import ladder
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER
from referee.match.aggregate import Match, RewindEvent
from referee.match.bots import substitution as bot_substitution
from referee.match.entries import effective_entries, replay_entries
from referee.match.events.dispute_events import DisputeMoot
from referee.match.events.transfer_events import ImportMatch
from referee.match.evidence import Evidence
from referee.match.table import commands, endings, officials, transfer_policy


def handle_command(evidence: Evidence, command: Move) -> tuple[Event, ...]:
    """Return the events of a table command in a match that was opened.

    Raises IllegalMove (TABLE-*), MalformedInput.
    """
    events = _find_handled_events(evidence, command)
    return (*events, *_close_moot_disputes(evidence, events), *calls.close_moot_call(evidence.match, events))


def _find_handled_events(evidence: Evidence, command: Move) -> tuple[Event, ...]:
    if evidence.match.gone is not None and not isinstance(command, ImportMatch):
        raise IllegalMove("match_moved", "TABLE-HOME-1")
    for court in (
        transfer_policy.COMMAND_HANDLERS,
        disputes.COMMAND_HANDLERS,
        takebacks.COMMAND_HANDLERS,
        table_reports.COMMAND_HANDLERS,
        silence.COMMAND_HANDLERS,
        slips.COMMAND_HANDLERS,
        deviations.COMMAND_HANDLERS,
        officials.COMMAND_HANDLERS,
        calls.COMMAND_HANDLERS,
        endings.COMMAND_HANDLERS,
        bot_substitution.COMMAND_HANDLERS,
    ):
        if type(command) in court:
            return court[type(command)](evidence, command)
    return commands.decide_table_command(evidence.match, command)


def _close_moot_disputes(evidence: Evidence, events: tuple[Event, ...]) -> Iterator[Event]:
    """Yield the end of each open dispute about what these events go back behind.

    TABLE-DISPUTE-10: If play goes back behind what is disputed, the dispute closes by itself.
    """
    if not evidence.match.courts.needs_consent or not any(isinstance(event, RewindEvent) for event in events):
        return
    last = evidence.entries[-1]
    entry = replace(last, version=last.version + 1, seat=int(BYSTANDER), actor="table", move=None, events=events)
    log = [*evidence.entries, entry]
    after = replace(
        evidence, match=replay_entries(Match(), effective_entries(log)), version=entry.version, log=lambda: log
    )
    for dispute in after.match.disputes:
        if dispute.is_open and not ladder.is_still_effective(after, dispute):
            yield DisputeMoot(dispute.number)
