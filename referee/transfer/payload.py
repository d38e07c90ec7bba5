"""What a match takes along beside its log, as one text: tokens by their hash with what they allow, names and standing
passes by seat, and what idempotency keys became, so that a repeated request is known again.

The entry by which a match leaves names the text's hash. Nobody who has not the text can guess it from that, for it
begins with a salt of the match's secret.

Left behind are the key of the request that opened the match (with it the first server gives out the host's token), the
names of people with an account there (who may delete it), invitations, webhooks, and who is linked to an account.
"""

from __future__ import annotations

import re
from typing import Any

import orjson

from referee.engine.codec import canonical
from referee.eventstore.contract import Known
from referee.eventstore.transfer import Luggage
from referee.match.aggregate import SeatTaken
from referee.match.entries import Logged
from referee.match.table.auto_pass import MATCH, TURN, Standing
from referee.service.match_service import Desk, Loaded

ROLES = frozenset({"host", "seat", "spectator", "arbiter", "auditor"})
# scopes of keys that nobody repeats elsewhere: the server's own, which name versions, and that of the opening request
ITS_OWN = re.compile("(?:open|chance|clock|court|witness|leave|arrive|bot[0-9]*):")
LONGEST_NAME, LONGEST_KEY, MOST = 40, 200, 100_000
HASHED = 64


class BadLuggage(ValueError):
    """A text is no luggage; the message says why."""


def packed(desk: Desk, loaded: Loaded, beside: Luggage) -> bytes:
    """What goes along with a match that stands so, of what lies beside its log."""
    match = loaded.match
    salt: Any = desk.draws.salt(match.id, match.generation, loaded.version + 1, "luggage")
    own = _of_accounts(desk, loaded)
    keys = {key: known for key, known in beside.keys.items() if not ITS_OWN.match(key)}
    told = {
        "salt": salt.hex(),
        "grants": {token: orjson.loads(record) for token, record in beside.grants.items()},
        "names": {seat: name for seat, name in beside.names.items() if seat not in own},
        "passes": {str(seat): orjson.loads(record) for seat, record in beside.passes.items()},
        "keys": {key: [known.version, known.ask.hex()] for key, known in keys.items()},
    }
    return canonical(told)


def _of_accounts(desk: Desk, loaded: Loaded) -> set[str]:
    """The seats of people who sat down with an account of this server."""
    linked = desk.log.links([loaded.match.id]).get(loaded.match.id, {})
    entries: list[Logged] = desk.entries(loaded.match.id, 0, loaded.version) if linked else []
    facts = (fact for entry in entries if entry.version in linked for fact in entry.facts)
    return {str(fact.seat) for fact in facts if isinstance(fact, SeatTaken)}


def unpacked(text: str, seats: int, version: int) -> Luggage:
    """The luggage of a match of so many seats and entries. Raises BadLuggage: whoever made it may have had anything in
    mind, and what is taken in is read by others that trust it."""
    try:
        told = orjson.loads(text)
        if set(told) != {"salt", "grants", "names", "passes", "keys"} or canonical(told).decode() != text:
            raise BadLuggage("it has not its one proper form")
        if any(not isinstance(told[part], dict) or len(told[part]) > MOST for part in told if part != "salt"):
            raise BadLuggage("a part of it is no table, or too long")
        return Luggage(
            {_hashed(token): _grant(record, seats) for token, record in told["grants"].items()},
            {str(_seat(seat, seats)): _name(name) for seat, name in told["names"].items()},
            {_seat(seat, seats): _pass(record, version) for seat, record in told["passes"].items()},
            {_key(key): _known(known, version) for key, known in told["keys"].items()},
        )
    except BadLuggage:
        raise
    except (ValueError, TypeError, KeyError, AttributeError) as wrong:
        raise BadLuggage("it cannot be read") from wrong


def _is(right: bool, what: str) -> None:
    if not right:
        raise BadLuggage(f"{what} is malformed")


def _hashed(token: str) -> str:
    _is(len(token) == HASHED and set(token) <= set("0123456789abcdef"), "the hash of a token")
    return token


def _grant(record: Any, seats: int) -> bytes:
    _is(set(record) == {"role", "seats"} and record["role"] in ROLES, "what a token allows")
    held = record["seats"]
    _is(held == sorted(set(held)) and all(type(each) is int and 0 <= each < seats for each in held), "a token's seats")
    return orjson.dumps({"role": record["role"], "seats": held})


def _seat(seat: str, seats: int) -> int:
    _is(seat.isascii() and seat.isdecimal() and str(int(seat[:3])) == seat and int(seat) < seats, "a seat")
    return int(seat)


def _name(name: Any) -> str:
    _is(isinstance(name, str) and 0 < len(name) <= LONGEST_NAME and name.isprintable(), "a name")
    return str(name)


def _pass(record: Any, version: int) -> bytes:
    kinds = record["kinds"]
    _is(isinstance(kinds, list) and all(isinstance(each, str) and len(each) < HASHED for each in kinds), "a pass")
    _is(record["until"] in (TURN, MATCH) and set(record) == {"kinds", "until", "turn", "since"}, "a pass")
    _is(type(record["turn"]) is int and type(record["since"]) is int and record["since"] <= version, "a pass")
    return Standing(tuple(kinds), record["until"], record["turn"], record["since"]).packed()


def _key(key: str) -> str:
    _is(0 < len(key) <= LONGEST_KEY and ":" in key and key.isprintable(), "the key of a request")
    _is(ITS_OWN.match(key) is None, "the key of a request")
    return key


def _known(known: Any, version: int) -> Known:
    became, ask = known
    _is(type(became) is int and 1 <= became <= version and len(ask) <= HASHED, "what a request became")
    return Known(became, bytes.fromhex(ask))
