"""A match that goes from one server to another: it leaves by its last entry there, and arrives by the first one here.

Both are facts of the table, open to all, so everybody can check where a match was when. The one that leaves binds what
is taken along beside the log (tokens by their hash, names, keys of requests); the one that arrives binds all that was
before: its root, and the keys that vouch for it. In the same entry the server here binds itself to a secret of its own
(`renewal`), for the one before knows all that was to be drawn there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from referee.engine.events import Event, Move
from referee.engine.game import Malformed
from referee.engine.rulings import Refused
from referee.match.events.transfer_events import Arrive, LeaveHome, MatchArrived, MatchMoved
from referee.match.evidence import Evidence

STORE = re.compile(r"[A-Za-z0-9._-]{1,64}")
HEX = re.compile("[0-9a-f]{64}")  # of a hash, or of a public key
ADDRESS = re.compile(r"https?://[A-Za-z0-9.\[\]:-]{1,100}(?:/[!#-;=?-Z_a-z~]{0,120})?")
MOST_KEYS = 200
GOES = frozenset({"lobby", "running"})


def _leave(evidence: Evidence, ask: LeaveHome) -> tuple[Event, ...]:
    _formed(
        ("/store", STORE, ask.store), ("/luggage", HEX, ask.luggage), ("/new_home", ADDRESS, ask.new_home or None),
        ("/to", HEX, ask.to or None),
    )  # fmt: skip
    if evidence.match.status not in GOES:
        raise Refused("match_over", "TABLE-END-1")
    return (MatchMoved(ask.store, ask.luggage, ask.new_home, ask.to, evidence.left_ms),)


def _arrive(evidence: Evidence, ask: Arrive) -> tuple[Event, ...]:
    keys = [(f"/their_keys/{at}", HEX, key) for at, key in enumerate(ask.their_keys)]
    _formed(("/store", STORE, ask.store), ("/key", HEX, ask.key), ("/root", HEX, ask.root), *keys)
    if not 0 < len(keys) <= MOST_KEYS:
        raise Malformed([{"pointer": "/their_keys", "detail": f"a server has one to {MOST_KEYS} keys"}])
    gone = evidence.match.gone
    if gone is None:
        raise Refused("not_moved", "TABLE-HOME-2")
    last = evidence.entries[-1]
    if (ask.came_from, ask.root) != (gone.store, last.root.hex()):
        raise Refused("another_home", "TABLE-HOME-2")
    away = max(0, evidence.now_ms - last.at_ms)
    return (MatchArrived(ask.store, ask.key, ask.came_from, ask.their_keys, ask.root, away),)


def _formed(*told: tuple[str, re.Pattern[str], str | None]) -> None:
    """Raises Malformed where something has not its form; None has it."""
    wrong = [at for at, form, value in told if value is not None and not form.fullmatch(value)]
    if wrong:
        raise Malformed([{"pointer": at, "detail": "this is malformed"} for at in wrong])


DECIDES: dict[type[Move], Callable[[Evidence, Any], tuple[Event, ...]]] = {LeaveHome: _leave, Arrive: _arrive}
