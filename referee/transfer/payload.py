"""What a match takes along outside its log, as one text.

It holds tokens by their hash with what they allow, names and standing passes by seat, and the versions that idempotency
keys led to, so that a repeated request is recognised.

The entry by which a match leaves names the text's hash. The text begins with a salt of the match's secret, so that it
cannot be guessed from the hash.

Left behind are the key of the request that opened the match (with which the first server gives out the host's token),
the names of people with an account there (who may delete it), invitations, webhooks, and links to accounts.
"""

from __future__ import annotations

import re
from typing import Any

import orjson

from referee.engine.codec import encode_canonical
from referee.eventstore.contract import IdempotencyRecord
from referee.eventstore.transfer import TransferPayload
from referee.match.aggregate import SeatTaken
from referee.match.entries import LogEntry
from referee.match.loaded import LoadedMatch
from referee.match.table.auto_pass import UNTIL_MATCH_END, UNTIL_TURN_END, AutoPass
from referee.service.match_service import MatchService

ROLES = frozenset({"host", "seat", "spectator", "arbiter", "auditor"})
# scopes of keys that no client repeats elsewhere: the server's own, which name versions, and the opening request's
SERVER_KEY_SCOPES = re.compile("(?:open|chance|clock|court|witness|leave|arrive|bot[0-9]*):")
# as people may call themselves: a match that has left its server must not be refused because of a name
NAME = re.compile(r"[^\x00-\x1f\x7f]+")
LONGEST_NAME, LONGEST_KEY, MOST = 40, 200, 100_000
HASHED = 64


class PayloadError(ValueError):
    """A text is no transfer payload; the message says why."""


def encode_payload(service: MatchService, loaded: LoadedMatch, beside: TransferPayload) -> bytes:
    """Return the part of `beside` that goes along with a match, as canonical JSON."""
    match = loaded.match
    salt: Any = service.appender.draws.salt(match.id, match.generation, loaded.version + 1, "luggage")
    own = _find_account_seats(service, loaded)
    keys = {key: known for key, known in beside.keys.items() if not SERVER_KEY_SCOPES.match(key)}
    content = {
        "salt": salt.hex(),
        "grants": {token: orjson.loads(record) for token, record in beside.grants.items()},
        "names": {seat: name for seat, name in beside.names.items() if seat not in own},
        "passes": {str(seat): orjson.loads(record) for seat, record in beside.passes.items()},
        "keys": {key: [known.version, known.fingerprint.hex()] for key, known in keys.items()},
    }
    return encode_canonical(content)


def _find_account_seats(service: MatchService, loaded: LoadedMatch) -> set[str]:
    """Return the seats of people who sat down with an account of this server."""
    linked = service.log.read_links([loaded.match.id]).get(loaded.match.id, {})
    entries: list[LogEntry] = service.repository.load_entries(loaded.match.id, 0, loaded.version) if linked else []
    events = (event for entry in entries if entry.version in linked for event in entry.events)
    return {str(event.seat) for event in events if isinstance(event, SeatTaken)}


def decode_payload(text: str, seats: int, version: int) -> TransferPayload:
    """Return the transfer payload of a match of that many seats and entries.

    Raises PayloadError. Everything is checked, because the text comes from outside and what is taken in is trusted
    later.
    """
    try:
        content = orjson.loads(text)
        if set(content) != {"salt", "grants", "names", "passes", "keys"} or encode_canonical(content).decode() != text:
            raise PayloadError("it is not in canonical form")
        if any(not isinstance(content[part], dict) or len(content[part]) > MOST for part in content if part != "salt"):
            raise PayloadError("a part of it is no object, or too long")
        return TransferPayload(
            {_parse_token_hash(token): _parse_grant(record, seats) for token, record in content["grants"].items()},
            {_parse_named(who, seats, version): _parse_name(name) for who, name in content["names"].items()},
            {_parse_seat(seat, seats): _parse_pass(record, version) for seat, record in content["passes"].items()},
            {_parse_request_key(key): _parse_idempotency_record(led, version) for key, led in content["keys"].items()},
        )
    except PayloadError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError) as wrong:
        raise PayloadError("it cannot be read") from wrong


def _require_form(right: bool, what: str) -> None:
    if not right:
        raise PayloadError(f"{what} is malformed")


def _parse_token_hash(token: str) -> str:
    _require_form(len(token) == HASHED and set(token) <= set("0123456789abcdef"), "the hash of a token")
    return token


def _parse_grant(record: Any, seats: int) -> bytes:
    parts = {"role", "seats"} | ({"person"} & set(record))
    _require_form(set(record) == parts and record["role"] in ROLES, "what a token allows")
    _require_form(re.fullmatch("[0-9a-f]{32}", record.get("person", "0" * 32)) is not None, "the person of a token")
    held = record["seats"]
    _require_form(
        held == sorted(set(held)) and all(type(each) is int and 0 <= each < seats for each in held), "a token's seats"
    )
    return orjson.dumps({part: record[part] for part in ("role", "seats", "person") if part in record})


def _parse_seat(seat: str, seats: int) -> int:
    _require_form(seat.isascii() and seat.isdecimal() and str(int(seat[:3])) == seat and int(seat) < seats, "a seat")
    return int(seat)


def _parse_named(who: str, seats: int, version: int) -> str:
    """Return whose name it is: the seat's number, or `official:` and the official's."""
    _, office, number = who.rpartition("official:")
    if not office:
        return str(_parse_seat(who, seats))
    right = re.fullmatch("[1-9][0-9]{0,8}", number) is not None and int(number) <= version
    _require_form(right and who == office + number, "an official")
    return who


def _parse_name(name: Any) -> str:
    right = isinstance(name, str) and 0 < len(name) <= LONGEST_NAME and NAME.fullmatch(name) is not None
    _require_form(right, "a name")
    return str(name)


def _parse_pass(record: Any, version: int) -> bytes:
    kinds, unless_mine = record["kinds"], record.get("unless_mine", [])
    for names in (kinds, unless_mine):
        _require_form(
            isinstance(names, list) and all(isinstance(each, str) and len(each) < HASHED for each in names), "a pass"
        )
    members = {"kinds", "until", "turn", "since", *(("unless_mine",) if unless_mine else ())}
    _require_form(record["until"] in (UNTIL_TURN_END, UNTIL_MATCH_END) and set(record) == members, "a pass")
    _require_form(type(record["turn"]) is int and type(record["since"]) is int and record["since"] <= version, "a pass")
    return AutoPass(tuple(kinds), record["until"], record["turn"], record["since"], tuple(unless_mine)).to_record()


def _parse_request_key(key: str) -> str:
    _require_form(0 < len(key) <= LONGEST_KEY and ":" in key and key.isprintable(), "the key of a request")
    _require_form(SERVER_KEY_SCOPES.match(key) is None, "the key of a request")
    return key


def _parse_idempotency_record(data: Any, version: int) -> IdempotencyRecord:
    version_made, command = data
    _require_form(
        type(version_made) is int and 1 <= version_made <= version and len(command) <= HASHED, "what a request became"
    )
    return IdempotencyRecord(version_made, bytes.fromhex(command))
