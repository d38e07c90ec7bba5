"""The commands by which a match leaves one server and arrives at another.

The last entry there and the first one here are public, so everybody can check where a match was when. The entry that
leaves binds what is taken along outside the log: tokens by their hash, names, idempotency keys. The entry that arrives
binds all that was before: its root, and the keys that vouch for it. In the same entry the new server binds itself to a
secret of its own (`rekey`), because the old one knows what would have been drawn there.

TABLE-HOME-3: A running match leaves its server only when every seat held by a person has agreed to this very move; one
no settles the question. For seats without a device the host agrees. The seats decide that are held when the match
leaves, and a yes counts for the person who gave it. If the match leaves nevertheless, the same entry names who had not
agreed. Nobody asks a person who is alone at the table.

Who runs the server could otherwise choose the next one's secret to fit the seats' seeds, which are known by then.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove, MalformedInput
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.match.events.dispute_state import TransferProposal
from referee.match.events.transfer_events import (
    AnswerTransfer,
    ImportMatch,
    MatchImported,
    MatchTransferred,
    ProposeTransfer,
    TransferConsented,
    TransferMatch,
    TransferProposed,
    TransferRefused,
    TransferUnagreed,
)
from referee.match.evidence import Evidence
from referee.match.table.officials import find_human_seats

STORE_PATTERN = re.compile(r"[A-Za-z0-9._-]{1,64}")
HASH_PATTERN = re.compile("[0-9a-f]{64}")  # of a hash, or of a public key
ADDRESS_PATTERN = re.compile(r"https?://[A-Za-z0-9.\[\]:-]{1,100}(?:/[!#-;=?-Z_a-z~]{0,120})?")
MAX_KEYS = 200
TRANSFERABLE_STATUSES = frozenset({"lobby", "running"})


def find_agreeing_seats(match: Match) -> frozenset[int]:
    """Return the seats that have to agree before a match leaves its server.

    Nobody has to in the lobby, in matches that were opened when nobody was asked, and if one person is alone at the
    table. The seats without a device are in the hand of one person, the host.
    """
    people = find_human_seats(match)
    without_device = {seat for seat, chair in enumerate(match.chairs) if chair.kind == "table"}
    if match.status != "running" or not match.later_scheme or len(people) + bool(without_device) <= 1:
        return frozenset()
    return people | without_device


def find_proposal(match: Match, new_home: str, to: str) -> TransferProposal | None:
    """Return the newest question if it is about this very move.

    None if none was asked, or one about another move.
    """
    last = match.transfers[-1] if match.transfers else None
    return last if last is not None and (last.new_home, last.to) == (new_home, to) else None


def find_awaited_seats(match: Match, asked: TransferProposal) -> frozenset[int]:
    """Return the seats whose consent a proposed move still needs.

    None once it is closed.
    """
    return find_agreeing_seats(match) - set(asked.granted) if asked.stage == "asked" else frozenset()


def find_unagreed_seats(match: Match, new_home: str, to: str) -> frozenset[int]:
    """Return the seats that have to agree to this very move and have not."""
    asked = find_proposal(match, new_home, to)
    agreed = asked.granted if asked is not None and asked.stage == "asked" else ()
    return find_agreeing_seats(match) - set(agreed)


def _handle_proposal(evidence: Evidence, command: ProposeTransfer) -> tuple[Event, ...]:
    """Ask the table whether the match may move (TABLE-HOME-3)."""
    match = evidence.match
    _require_formats(
        ("/new_home", ADDRESS_PATTERN, command.new_home or None), ("/to", HASH_PATTERN, command.to or None)
    )
    if match.status not in TRANSFERABLE_STATUSES:
        raise IllegalMove("match_over", "TABLE-END-1")
    if not find_agreeing_seats(match):
        raise IllegalMove("nobody_to_ask", "TABLE-HOME-3")
    asked = find_proposal(match, command.new_home, command.to)
    if asked is not None and asked.stage == "asked":
        raise IllegalMove("transfer_proposed", "TABLE-HOME-3", transfer=asked.number)
    return (TransferProposed(evidence.version + 1, command.new_home, command.to),)


def _handle_answer(evidence: Evidence, command: AnswerTransfer) -> tuple[Event, ...]:
    """Record a consent or a refusal (TABLE-HOME-3).

    A seat that has agreed may still refuse as long as the match is here.
    """
    match = evidence.match
    asked = next((each for each in match.transfers if each.number == command.transfer), None)
    if asked is None:
        raise IllegalMove("no_such_transfer", "TABLE-HOME-3", transfer=command.transfer)
    if match.status in FINAL_STATUSES:
        raise IllegalMove("match_over", "TABLE-END-1")
    if asked.stage != "asked":
        raise IllegalMove("transfer_decided", "TABLE-HOME-3", transfer=asked.number)
    by = tuple(sorted(find_agreeing_seats(match) & set(command.by)))
    if not by:
        raise IllegalMove("court.no_say_in_transfer", "TABLE-HOME-3")
    return ((TransferConsented if command.grant else TransferRefused)(asked.number, by),)


def _handle_transfer(evidence: Evidence, command: TransferMatch) -> tuple[Event, ...]:
    """Let a match leave this server.

    TABLE-HOME-1: Before its end a match may leave its server for another. By the entry that says so its time stands
    still.

    TABLE-HOME-3: Without everybody's consent it leaves only by a command that says so, and the entry names who had not
    agreed.
    """
    _require_formats(
        ("/store", STORE_PATTERN, command.store),
        ("/luggage", HASH_PATTERN, command.luggage),
        ("/new_home", ADDRESS_PATTERN, command.new_home or None),
        ("/to", HASH_PATTERN, command.to or None),
    )
    if evidence.match.status not in TRANSFERABLE_STATUSES:
        raise IllegalMove("match_over", "TABLE-END-1")
    missing = tuple(sorted(find_unagreed_seats(evidence.match, command.new_home, command.to)))
    if missing and not command.without_consent:
        raise IllegalMove("transfer_unagreed", "TABLE-HOME-3", seats=missing)
    left = MatchTransferred(command.store, command.luggage, command.new_home, command.to, evidence.left_ms)
    return (TransferUnagreed(missing), left) if missing else (left,)


def _handle_import(evidence: Evidence, command: ImportMatch) -> tuple[Event, ...]:
    """Import a match that has left its server.

    TABLE-HOME-2: A match that has left its server arrives at another one by its next entry. That names where it came
    from, with all that was before.
    """
    keys = [(f"/their_keys/{at}", HASH_PATTERN, key) for at, key in enumerate(command.their_keys)]
    _require_formats(
        ("/store", STORE_PATTERN, command.store),
        ("/key", HASH_PATTERN, command.key),
        ("/root", HASH_PATTERN, command.root),
        *keys,
    )
    if not 0 < len(keys) <= MAX_KEYS:
        raise MalformedInput([{"pointer": "/their_keys", "detail": f"a server must have 1 to {MAX_KEYS} keys"}])
    gone = evidence.match.gone
    if gone is None:
        raise IllegalMove("not_moved", "TABLE-HOME-2")
    last = evidence.entries[-1]
    if (command.came_from, command.root) != (gone.store, last.root.hex()):
        raise IllegalMove("another_home", "TABLE-HOME-2")
    away = max(0, evidence.now_ms - last.at_ms)
    return (MatchImported(command.store, command.key, command.came_from, command.their_keys, command.root, away),)


def _require_formats(*fields: tuple[str, re.Pattern[str], str | None]) -> None:
    """Raise MalformedInput unless each value has its form; None is accepted."""
    wrong = [at for at, form, value in fields if value is not None and not form.fullmatch(value)]
    if wrong:
        raise MalformedInput([{"pointer": at, "detail": "this value does not have the required form"} for at in wrong])


COMMAND_HANDLERS: dict[type[Move], Callable[[Evidence, Any], tuple[Event, ...]]] = {
    ProposeTransfer: _handle_proposal,
    AnswerTransfer: _handle_answer,
    TransferMatch: _handle_transfer,
    ImportMatch: _handle_import,
}
