"""Seats of a new match that are kept for the people of an old one.

A seat is kept by a grant: the token that held it in the old match is good for it in the new one, before anybody sits
there. A person without that token shows the account that held it. Sitting down makes the entry.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import orjson

from referee.eventstore.accounts import DELETED_PLAYER
from referee.eventstore.contract import MatchLog
from referee.match.aggregate import Match
from referee.service.rights import tokens

RESERVED = "reserved"  # the kind of items of an account that are matches where a seat is kept for it
MAX_RESERVED = 50
KEPT_MS = 30 * 24 * 3600 * 1000
WATCHERS = ("spectator", "auditor")


@dataclass(frozen=True, slots=True)
class Reservation:
    """Whose a kept seat is: the match where it was theirs, and their account or ""."""

    match: str
    player: str = ""

    def encode(self) -> bytes:
        """Return it as it is stored."""
        return orjson.dumps({"match": self.match, "player": self.player})


def find_reservation(log: MatchLog, match: str, seat: int) -> Reservation | None:
    """Return for whom a seat is kept, or None."""
    kept = log.find_answer(f"{RESERVED}:{match}", str(seat))
    return None if kept is None else Reservation(**orjson.loads(kept[1]))


def find_reserved_seats(log: MatchLog, match: Match) -> set[int]:
    """Return the free seats that are kept for somebody."""
    held = {seat for grant in map(tokens.Grant.decode, log.read_grants(match.id).values()) for seat in grant.seats}
    return {seat for seat in held if match.may_seat_person(seat)}


def find_seat_players(log: MatchLog, match: Match) -> dict[int, str]:
    """Return the account that holds each seat, as far as accounts do."""
    links = log.read_links([match.id]).get(match.id, {})
    players: dict[int, str] = {}
    for version, player in sorted(links.items()):
        if player == DELETED_PLAYER:
            continue
        sitting = log.read_sittings(player).get(f"{match.id}:{version}")
        if sitting is not None:
            players[orjson.loads(sitting)["seat"]] = player
    return players


class Successor:
    """A new match with the people of an old one."""

    def __init__(self, log: MatchLog, secret: bytes, old: Match, new: str, hosts: tuple[str, ...]) -> None:
        self._log, self._secret, self._old, self._new, self._hosts = log, secret, old, new, hosts
        self._players = find_seat_players(log, old)
        self._grants = {name: tokens.Grant.decode(record) for name, record in log.read_grants(old.id).items()}
        known = {*self._grants, *self._players.values()}
        self._names = {tokens.derive_person(secret, old.id, name): name for name in known}

    def find_person(self, name: str, grant: tokens.Grant) -> str:
        """Return who the bearer of a token of the old match is in the new one."""
        return tokens.derive_person(self._secret, self._new, self._names.get(grant.person, name))

    def find_host_person(self) -> str:
        """Return who the host of the old match is in the new one."""
        hosts = [(name, grant) for name, grant in sorted(self._grants.items()) if grant.role == "host"]
        return self.find_person(*hosts[0]) if hosts else tokens.derive_person(self._secret, self._new, "nobody")

    def keep_seats(self, match: Match) -> None:
        """Keep the seats of the new match for those who held them in the old one.

        A repeated call completes one that broke off.
        """
        people = [seat for seat, chair in enumerate(self._old.chairs) if chair.kind == "human" and chair.taken]
        free = {seat for seat in people if match.may_seat_person(seat)}
        there = self._log.read_grants(self._new)
        for name, grant in self._grants.items():
            made = self._translate(name, grant, free)
            if made is not None and name not in there:
                self._log.put_grant(self._new, name, made.encode())
        at = orjson.dumps({"at_ms": self._log.now()})
        for seat in sorted(free):
            player = self._players.get(seat, "")
            kept = Reservation(self._old.id, player).encode()
            self._log.remember_answer(f"{RESERVED}:{self._new}", str(seat), b"", kept, KEPT_MS)
            if player:
                self._log.put_account_item(player, RESERVED, self._new, at, MAX_RESERVED)

    def _translate(self, name: str, grant: tokens.Grant, free: set[int]) -> tokens.Grant | None:
        seats = tuple(seat for seat in grant.seats if seat in free)
        role = "host" if grant.role == "host" or name in self._hosts else grant.role
        if role not in ("host", *WATCHERS) and not seats:
            return None
        role = "seat" if role == "arbiter" else role
        return replace(grant, role=role, seats=seats, person=self.find_person(name, grant))
