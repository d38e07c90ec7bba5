"""The tokens of devices at tables, all of which end when a device is logged out.

Tokens of seats are found by the sittings of the account. Others (of a host, an arbiter, an onlooker) leave a note with
the account, for nothing leads from an account to them. A rematch knows the tokens of its old match.
"""

from __future__ import annotations

import orjson

from referee.eventstore.accounts import ItemWriteStatus
from referee.eventstore.contract import MatchLog
from referee.service.match_service import MatchService
from referee.service.rights.tokens import Grant, compute_hmac, hash_token, name_device

HELD = "held"  # begins the kind of items of an account that are matches where a device got a token
MAX_HELD = 500  # such matches of a device; of more, the oldest token is logged out


def find_device(log: MatchLog, match: str, shown: str | None, player: str) -> str:
    """Return the device that asks for a new token of a match, or "".

    `shown` is the token of the request, of an account or of the match; `player` its account.
    """
    if player:
        return name_device(hash_token(shown or ""))
    record = log.read_grants(match).get(hash_token(shown)) if shown else None
    return "" if record is None else Grant.decode(record).device


def note_match(log: MatchLog, player: str, device: str, match: str) -> None:
    """Note that a device of an account gets a token at a match.

    Call it before the token is good for anything.
    """
    kind, note = f"{HELD}-{device}", orjson.dumps({"at_ms": log.now()})
    while log.put_account_item(player, kind, match, note, MAX_HELD) is ItemWriteStatus.FULL:
        kept = log.list_account_items(player, kind)
        oldest = min(kept, key=lambda name: orjson.loads(kept[name])["at_ms"])
        _void_tokens(log, oldest, device)
        log.drop_account_item(player, kind, oldest)


def is_logged_out(log: MatchLog, match: str, token_hash: str) -> bool:
    """Return whether a token was voided with the device that got it."""
    return _name_void(token_hash) in log.read_grants(match)


def derive_rematch_key(secret: bytes, match: str) -> str:
    """Return the key under which the rematch of a match is opened."""
    return compute_hmac(secret, "rematch", match).hex()


def log_out_device(service: MatchService, secret: bytes, player: str, device: str) -> None:
    """Make all tokens void that a device of an account got at tables.

    The account keeps what they were good for.
    """
    log, kind = service.log, f"{HELD}-{device}"
    left = {sitting.partition(":")[0] for sitting in log.read_sittings(player)}
    left |= set(log.list_account_items(player, kind))
    done = set[str]()
    while left:
        match = left.pop()
        done.add(match)
        if _void_tokens(log, match, device):
            left |= {service.identify(derive_rematch_key(secret, match))} - done
        log.drop_account_item(player, kind, match)


def _void_tokens(log: MatchLog, match: str, device: str) -> bool:
    """Void the tokens of a device at a match; return whether it ever had any there.

    The grant stays, under a name that is no token's, and the person keeps it.
    """
    found = False
    for name, record in log.read_grants(match).items():
        grant = Grant.decode(record)
        if grant.device != device:
            continue
        found = True
        if name != _name_void(name):
            log.put_grant(match, _name_void(name), record)
            log.revoke_grants(match, [name])
    return found


def _name_void(name: str) -> str:
    """Return the name under which the grant of a voided token is kept."""
    return name if name.startswith("account:") else f"account:{name}"
