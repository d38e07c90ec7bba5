"""Tickets for streams: good once, for a minute, at one address.

`EventSource` in a browser sends no Authorization, and a token has no place in an address. A ticket has:
those who read it there later can do nothing with it. Only its hash is kept, with whose token it stands for.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from dataclasses import dataclass

import orjson

from api.http.problems import Problem
from referee.eventstore.contract import MatchLog
from referee.service.rights import tokens

TICKET_MS = 60_000
TICKET_METADATA = {"description": "A ticket from `POST …/stream-tickets`, in place of a token"}
TICKET_PATTERN = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class Bearer:
    """Whose token a request shows: its hash, and its account if it is an account's."""

    token_hash: str = ""
    account: str = ""


def create_ticket(log: MatchLog, secret: bytes, path: str, bearer: Bearer, key: str) -> tuple[str, int, bool]:
    """Return the ticket for the request with this key, its end, and if it is new."""
    drawn = tokens.compute_hmac(secret, "ticket", path, bearer.token_hash, key)
    ticket = base64.urlsafe_b64encode(drawn).rstrip(b"=").decode()
    until = log.now() + TICKET_MS
    record = {"path": path, "hash": bearer.token_hash, "account": bearer.account, "until_ms": until}
    if log.add_invitation(hash_ticket(ticket), orjson.dumps(record), 1, TICKET_MS):
        return ticket, until, True
    kept = log.find_invitation(hash_ticket(ticket))
    return ticket, until if kept is None else orjson.loads(kept[0])["until_ms"], False


def redeem_ticket(log: MatchLog, ticket: str, path: str) -> Bearer:
    """Use up a ticket, and return for whom it speaks. Raises Problem.

    At another address it is no ticket, and stays good for its own.
    """
    code = hash_ticket(ticket)
    kept = log.find_invitation(code) if TICKET_PATTERN.fullmatch(ticket) else None
    record = {} if kept is None else orjson.loads(kept[0])
    if record.get("path") != path or log.redeem_invitation(code, secrets.token_hex(16)) is None:
        raise Problem("ticket-void")
    bearer = Bearer(record["hash"], record["account"])
    if bearer.account and not tokens.is_account_token(log, bearer.account, bearer.token_hash):
        raise Problem("ticket-void")
    return bearer


def hash_ticket(ticket: str) -> str:
    """Return the code under which a ticket is kept."""
    return f"ticket:{hashlib.sha256(ticket.encode()).hexdigest()}"
