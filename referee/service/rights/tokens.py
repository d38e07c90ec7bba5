"""Tokens and codes, derived from the server's secret.

So a repeated request gets the same ones again. A token is opaque: `rfs_` and 256 bits, an HMAC over match, role and the
request's key. Only its SHA-256 is stored, with what it lets its bearer do. A player's token (`rfp_`) is made the same
way, and names its account by another HMAC. The token of a further device of an account (`rfd_`) holds the number of the
account and 128 secret bits. A code is short enough to be typed and lives for minutes.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import orjson

from referee.eventstore.contract import MatchLog

TOKEN_PREFIX = "rfs_"  # noqa: S105  # no secret: how every token begins
PLAYER_PREFIX = "rfp_"
DEVICE_PREFIX = "rfd_"
ACCOUNT_PREFIXES = (PLAYER_PREFIX, DEVICE_PREFIX)
TOKEN_PATTERN = re.compile(r"rf[spd]_[A-Za-z0-9_-]{43}")
DEVICE = "device"  # the kind of items of an account that are its devices, by the hash of the token
DEVICE_ID_LENGTH = 16
NUMBER_BYTES = 16  # bytes that hold the number of an account
ROLES = ("host", "arbiter", "seat", "auditor", "spectator")  # of several that a person has, the first counts
LETTERS = "abcdefghijklmnopqrstuvwxyz"
PLAYER_LETTERS = 26  # 122 bits
CODE_ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # without I L O 0 1
CODE_LENGTH = 6
LINK_LENGTH = 27  # characters of what nobody has to type: 133 bits
CODE_PATTERN = re.compile(f"[{CODE_ALPHABET}]{{{CODE_LENGTH}}}(?:[{CODE_ALPHABET}]{{{LINK_LENGTH - CODE_LENGTH}}})?")
CODE_TRIES = 8  # codes to try if other live invitations have the same


@dataclass(frozen=True, slots=True)
class Grant:
    """What a token lets its bearer be: a role, and the seats that the bearer holds.

    `person` is who the bearer is in this match, as far as known: empty in grants from before persons were compared.
    `device` is the device of an account that got the token, if one did.
    """

    role: str
    seats: tuple[int, ...] = ()
    person: str = ""
    device: str = ""

    def with_seat(self, seat: int) -> Grant:
        """Return the grant with one more seat; a spectator becomes a player."""
        role = "seat" if self.role == "spectator" else self.role
        return replace(self, role=role, seats=tuple(sorted({*self.seats, seat})))

    def without_seat(self, seat: int) -> Grant | None:
        """Return the grant without that seat; None if nothing is left of it."""
        seats = tuple(other for other in self.seats if other != seat)
        return None if self.role == "seat" and not seats else replace(self, seats=seats)

    def encode(self) -> bytes:
        """Return the grant as it is stored."""
        known = {name: value for name in ("person", "device") if (value := getattr(self, name))}
        return orjson.dumps({"role": self.role, "seats": list(self.seats), **known})

    @classmethod
    def decode(cls, record: bytes) -> Grant:
        """Return the grant in a stored record."""
        data = orjson.loads(record)
        return cls(data["role"], tuple(data["seats"]), data.get("person", ""), data.get("device", ""))


def name_device(token_hash: str) -> str:
    """Return the id of the device of an account whose token has this hash."""
    return token_hash[:DEVICE_ID_LENGTH]


def hash_token(token: str) -> str:
    """Return what is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def compute_hmac(secret: bytes, *parts: str) -> bytes:
    """Return an HMAC over several parts; the separator occurs in none of them."""
    return hmac.digest(secret, "\n".join(parts).encode(), "sha256")


def derive_token(secret: bytes, match: str, role: str, key: str) -> str:
    """Return the token of this role for the request with this key."""
    return (
        TOKEN_PREFIX + base64.urlsafe_b64encode(compute_hmac(secret, "token", match, role, key)).rstrip(b"=").decode()
    )


def derive_player_token(secret: bytes, key: str) -> str:
    """Return the token of the account that the request with this key makes."""
    return PLAYER_PREFIX + base64.urlsafe_b64encode(compute_hmac(secret, "player", key)).rstrip(b"=").decode()


def derive_device_token(secret: bytes, player: str, key: str) -> str:
    """Return the token of the device added by the request with this key."""
    number = 0
    for letter in reversed(player.removeprefix("pl-")):
        number = number * len(LETTERS) + LETTERS.index(letter)
    drawn = compute_hmac(secret, "device", player, key)[:NUMBER_BYTES]
    return DEVICE_PREFIX + base64.urlsafe_b64encode(number.to_bytes(NUMBER_BYTES, "big") + drawn).rstrip(b"=").decode()


def find_named_player(secret: bytes, token: str) -> str:
    """Return the account that a token names, or "".

    That the account has such a token is for `is_account_token` to say.
    """
    if token.startswith(PLAYER_PREFIX):
        return derive_player_id(secret, token)
    if not token.startswith(DEVICE_PREFIX):
        return ""
    found = base64.urlsafe_b64decode(token.removeprefix(DEVICE_PREFIX) + "=")
    return f"pl-{_encode_letters(found[:NUMBER_BYTES])}"


def is_account_token(log: MatchLog, player: str, token_hash: str) -> bool:
    """Return whether an account or one of its devices has the token with this hash."""
    kept = log.find_player(player)
    if kept is None:
        return False
    return hmac.compare_digest(kept[0], token_hash) or log.find_account_item(player, DEVICE, token_hash) is not None


def derive_person(secret: bytes, match: str, known_by: str) -> str:
    """Return who somebody is in one match, by account or token hash.

    Only the server can tell that the persons of two matches are the same.
    """
    return compute_hmac(secret, "person", match, known_by).hex()[:32]


def derive_bundle_token(secret: bytes, key: str) -> str:
    """Return the token for a bundle submitted under this key; it gives the report."""
    return TOKEN_PREFIX + base64.urlsafe_b64encode(compute_hmac(secret, "bundle", key)).rstrip(b"=").decode()


def derive_bundle_id(secret: bytes, token: str) -> str:
    """Return the id of the bundle that a token is for.

    The id does not reveal the token.
    """
    return f"bd-{_encode_letters(compute_hmac(secret, 'handed-in', token))}"


def derive_player_id(secret: bytes, token: str) -> str:
    """Return the id of the account that a player's token is for.

    The id does not reveal the token.
    """
    return f"pl-{_encode_letters(compute_hmac(secret, 'account', token))}"


def _encode_letters(found: bytes) -> str:
    """Return 122 bits of the bytes as letters."""
    number, letters = int.from_bytes(found, "big"), ""
    while len(letters) < PLAYER_LETTERS:
        number, letter = divmod(number, len(LETTERS))
        letters += LETTERS[letter]
    return letters


def derive_code(secret: bytes, match: str, role: str, key: str, attempt: int, length: int = CODE_LENGTH) -> str:
    """Return the code for the request with this key, at this attempt.

    `match` is an account if the code is for its devices.
    """
    number = int.from_bytes(compute_hmac(secret, "code", match, role, key, str(attempt)), "big")
    letters = ""
    while len(letters) < length:
        number, letter = divmod(number, len(CODE_ALPHABET))
        letters += CODE_ALPHABET[letter]
    return letters


def derive_invitation_id(secret: bytes, match: str, role: str, key: str) -> str:
    """Return the id that names an invitation in addresses without revealing its code."""
    return compute_hmac(secret, "invitation", match, role, key).hex()[:16]


def find_person_grant(log: MatchLog, match: str, person: str) -> Grant | None:
    """Return what a person may do in a match with all tokens together, or None."""
    grants = [grant for grant in map(Grant.decode, log.read_grants(match).values()) if grant.person == person]
    if not grants:
        return None
    role = min((grant.role for grant in grants), key=ROLES.index)
    return Grant(role, tuple(sorted({seat for grant in grants for seat in grant.seats})), person)


def find_person_seats(log: MatchLog, match: str, person: str) -> tuple[int, ...]:
    """Return the seats that a person holds with any of their tokens."""
    grants = map(Grant.decode, log.read_grants(match).values())
    return tuple(sorted({seat for grant in grants if grant.person == person for seat in grant.seats}))


def is_host(log: MatchLog, match: str, person: str) -> bool:
    """Tell whether a person holds the token of the host."""
    grants = map(Grant.decode, log.read_grants(match).values())
    return any(grant.role == "host" and grant.person == person for grant in grants)


def revoke_seat(log: MatchLog, match: str, seat: int, but: Iterable[str] = ()) -> bool:
    """Take a seat away from every token that holds it, and return whether any did.

    The tokens with the hashes in `but` keep it.
    """
    spared, found = set(but), False
    for token_hash, record in log.read_grants(match).items():
        grant = Grant.decode(record)
        if seat not in grant.seats or token_hash in spared:
            continue
        found, left = True, grant.without_seat(seat)
        if left is None:
            log.revoke_grants(match, [token_hash])
        else:
            log.put_grant(match, token_hash, left.encode())
    return found


def add_seat_to_token(log: MatchLog, match: str, token_hash: str, seat: int) -> Grant | None:
    """Add a seat to a token of the match; return None if the match has no such token.

    Two requests may do so at once, each adding another seat. So the record is read again until the seat is in it.
    """
    while (record := log.read(match, limit=0, grant=token_hash).grant) is not None:
        grant = Grant.decode(record)
        if seat in grant.seats:
            return grant
        log.put_grant(match, token_hash, grant.with_seat(seat).encode())
    return None
