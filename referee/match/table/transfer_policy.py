"""The commands by which a match leaves one server and arrives at another.

The last entry there and the first one here are public, so everybody can check where a match was when. The entry that
leaves binds what is taken along outside the log: tokens by their hash, names, idempotency keys. The entry that arrives
binds all that was before: its root, and the keys that vouch for it. In the same entry the new server binds itself to a
secret of its own (`rekey`), because the old one knows what would have been drawn there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove, MalformedInput
from referee.match.events.transfer_events import ImportMatch, MatchImported, MatchTransferred, TransferMatch
from referee.match.evidence import Evidence

STORE_PATTERN = re.compile(r"[A-Za-z0-9._-]{1,64}")
HASH_PATTERN = re.compile("[0-9a-f]{64}")  # of a hash, or of a public key
ADDRESS_PATTERN = re.compile(r"https?://[A-Za-z0-9.\[\]:-]{1,100}(?:/[!#-;=?-Z_a-z~]{0,120})?")
MAX_KEYS = 200
TRANSFERABLE_STATUSES = frozenset({"lobby", "running"})


def _handle_transfer(evidence: Evidence, command: TransferMatch) -> tuple[Event, ...]:
    """Let a match leave this server.

    TABLE-HOME-1: Before its end a match may leave its server for another. By the entry that says so its time stands
    still.
    """
    _require_formats(
        ("/store", STORE_PATTERN, command.store),
        ("/luggage", HASH_PATTERN, command.luggage),
        ("/new_home", ADDRESS_PATTERN, command.new_home or None),
        ("/to", HASH_PATTERN, command.to or None),
    )
    if evidence.match.status not in TRANSFERABLE_STATUSES:
        raise IllegalMove("match_over", "TABLE-END-1")
    return (MatchTransferred(command.store, command.luggage, command.new_home, command.to, evidence.left_ms),)


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
    TransferMatch: _handle_transfer,
    ImportMatch: _handle_import,
}
