"""Leaving for another server and arriving from one: one entry each, in one act.

Before a match leaves, the table is asked (TABLE-HOME-3).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace

from referee.arbitration import dispatch
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER
from referee.eventstore.contract import Head, LogWriteStatus, StoredEntry
from referee.eventstore.transfer import TransferPayload
from referee.match.aggregate import Match
from referee.match.entries import effective_entries, replay_entries
from referee.match.errors import VersionConflict
from referee.match.events.dispute_state import TransferProposal
from referee.match.events.transfer_events import ImportMatch, ProposeTransfer, TransferMatch
from referee.match.evidence import Evidence
from referee.match.loaded import LoadedMatch
from referee.match.table.transfer_policy import find_agreeing_seats, find_proposal
from referee.service.appender import ensure_writable
from referee.service.match_service import MAX_ATTEMPTS, MatchService
from referee.transparency.merkle import Hash, extend_frontier, leaf_hash

GRACE_MS = 30_000  # the least time for the open question: players have to find the new address first
# encodes what moves with the match outside its log; the last entry names the hash of the result
PayloadEncoder = Callable[[LoadedMatch, TransferPayload], bytes]


def propose_transfer(service: MatchService, match: str, *, new_home: str = "", to: str = "") -> TransferProposal | None:
    """Ask the table whether a match may move there, and return the question.

    Return the one that is open, or was refused, if this very move was asked for before; None if nobody has to be asked.
    Raises as `transfer_match`.
    """
    loaded = service.load_match(match)
    if not find_agreeing_seats(loaded.match):
        return None
    asked = find_proposal(loaded.match, new_home, to)
    if asked is None or asked.stage == "overtaken":
        return ask_table(service, match, new_home=new_home, to=to)
    return asked


def ask_table(service: MatchService, match: str, *, new_home: str = "", to: str = "") -> TransferProposal | None:
    """Ask the table again, also if it has refused, and return the question.

    It is as that of `propose_transfer`.
    """
    command, key = ProposeTransfer(new_home, to), f"ask:{service.load_match(match).version + 1}"
    try:
        after = service.execute_command(match, command, key=key, scope="leave").match
    except IllegalMove as refused:
        if refused.ruling.reason != "transfer_proposed":  # by another call in the same moment
            raise
        after = service.load_match(match).match
    return find_proposal(after, new_home, to)


def transfer_match(
    service: MatchService,
    match: str,
    store: str,
    packs: PayloadEncoder,
    *,
    new_home: str = "",
    to: str = "",
    without_consent: bool = False,
) -> LoadedMatch:
    """Release a match, and return it after its last entry: nobody writes to it here.

    Return it as it is if it has left before. `without_consent`: also if the table has not agreed; its last entry then
    names who has not. Raises UnknownMatch; MatchUnavailable if it is archived or frozen; IllegalMove if it is over or
    the table has not agreed (`transfer_unagreed`); MalformedInput if the address or the key is none; VersionConflict if
    other writers were faster again and again.
    """
    for _ in range(MAX_ATTEMPTS):
        loaded = service.load_match(match)
        if loaded.head.status == "moved":
            return loaded
        ensure_writable(loaded)
        expected = service.log.read_transfer_payload(match)
        packed = packs(loaded, expected)
        command = TransferMatch(store, hashlib.sha256(packed).hexdigest(), new_home, to, without_consent)
        events = dispatch.handle_command(service.build_evidence(loaded), command)
        made = service.appender.prepare_entry(
            loaded, BYSTANDER, "table", command, events, f"leave:{loaded.version + 1}", b""
        )
        made = replace(made, commit=replace(made.commit, status="moved", thinking_ms=None))
        _, after = service.appender.finish_append(loaded, made, service.log.transfer_out(made.commit, expected, packed))
        if after is not None:
            return after
    raise VersionConflict(loaded.version, service.load_match(match).version, False)


def import_match(
    service: MatchService, entries: Sequence[StoredEntry], here: int, command: ImportMatch, payload: TransferPayload
) -> tuple[LogWriteStatus, int]:
    """Take in a match that left another server, and return the answer and a version.

    `here` is the number of its entries that are here because it left from here before. The answer is OK; DUP or REUSED
    if it was taken in before, by the same entries or by others; CONFLICT if something else is here. The version is the
    one by which it arrived, or the one that is here.

    Raises IllegalMove if it has not left, or not from there; MalformedInput; MatchUnavailable if the store contradicts
    itself.
    """
    logged = service.repository.library.decode_entries(entries)
    match, version = replay_entries(Match(), effective_entries(logged)), len(entries)
    reading = service.log.read(match.id, limit=0)
    head = Head(version, entries[-1].root, _compute_frontier(entries), "moved", 0, "", match.edition)
    loaded = LoadedMatch(match, version, head, reading)
    events = dispatch.handle_command(Evidence(match, version, reading.now_ms, None, lambda: logged), command)
    made = service.appender.prepare_entry(
        loaded, BYSTANDER, "table", command, events, f"arrive:{version + 1}", bytes.fromhex(command.root)
    )
    if (limit := made.commit.thinking_ms) is not None:
        made = replace(made, commit=replace(made.commit, thinking_ms=max(limit, GRACE_MS)))
    root = entries[here - 1].root if here else b""
    done = service.log.transfer_in(made.commit, entries[here:], here, root, payload)
    answer, _ = service.appender.finish_append(loaded, made, done)
    return answer, done.version


def _compute_frontier(entries: Sequence[StoredEntry]) -> tuple[Hash, ...]:
    frontier: tuple[Hash, ...] = ()
    for at, entry in enumerate(entries):
        frontier = extend_frontier(frontier, at, leaf_hash(entry.envelope))
    return frontier
