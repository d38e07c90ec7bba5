"""verify.py: checks the bundle of a match of Referee, for those who trust nobody.

    python verify.py MATCH.bundle... [--receipts FILE...] [--key KEY...] [--roots FILE...] [--witness KEY...]
                     [--refusals FILE...] [--require WHAT,...] [--write-stamps FOLDER] [--lang de] [--json]

It needs Python 3.11 and the library `cryptography`, no server and nothing else of Referee. It checks the signatures,
the Merkle tree over the entries (RFC 9162), the receipts that you kept, hidden parts against their commitments, and
every draw against the secret to which the server committed before the first. It does not play the match again.
Only `referee verify` checks whether each move was legal, what each seat was shown, and how shuffled cards lay before,
and whether the rules forbid a move that was refused. Timestamps (RFC 3161) are judged by `referee verify` or OpenSSL.

Several files of one match are held against each other. There are three verdicts: proved (by a key that you gave, or
that signed your receipts), consistent in itself but nobody vouches for it, wrong.
The exit code is 0, or that of the gravest finding (KINDS), or 24 if nothing is wrong and something that --require names
is missing, or 2 if the arguments cannot be understood.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import hmac
import json
import re
import signal
import sys
import time
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

KINDS = {  # exit code, and what it means
    "unreadable": (10, "this is no bundle, or not a whole one", "das ist kein Bündel, oder kein ganzes"),
    "key": (11, "nothing vouches for this key", "für diesen Schlüssel steht nichts ein"),
    "signature": (12, "not signed by the server", "nicht vom Server unterschrieben"),
    "version": (13, "an entry is missing, or of elsewhere", "ein Eintrag fehlt oder gehört anderswohin"),
    "root": (14, "not the entries that were signed", "nicht die Einträge, die unterschrieben wurden"),
    "fork": (15, "two signed things contradict each other", "zwei signierte Angaben widersprechen einander"),
    "opening": (16, "not what was committed to", "nicht das, worauf man sich festgelegt hat"),
    "chance": (17, "not what the secret draws", "nicht, was das Geheimnis zieht"),
    "rules": (18, "not what the rules allow", "nicht, was die Regeln erlauben"),
    "book": (20, "not the card book played with", "nicht das Kartenbuch, mit dem gespielt wurde"),
    "published": (21, "not the root that was published", "nicht die Wurzel, die veröffentlicht wurde"),
    "time": (23, "a time that cannot be", "eine unmögliche Zeit"),
    "device": (25, "not what a player's device signed", "nicht, was das Gerät eines Spielers signiert hat"),
}
UNMET = 24  # nothing is wrong, but something that --require names is missing
REQUIREMENTS = {
    "key": ("a key that you trust", "ein Schlüssel, dem du vertraust"),
    "receipts": ("receipts of yours that fit, and none beyond the file",
                 "passende eigene Quittungen, und keine über die Datei hinaus"),
    "published": ("a root in the server's public log", "eine Wurzel im öffentlichen Log des Servers"),
    "chance": ("draws that could be repeated", "Ziehungen, die sich wiederholen ließen"),
    "seeds": ("a share of seats in all draws", "Plätze, die an allen Ziehungen beteiligt waren"),
    "signatures": ("a device's signature on every move of a player",
                   "die Signatur eines Geräts auf jedem Zug eines Spielers"),
}  # fmt: skip
FORMAT = "referee.bundle/1"
FIELDS = {  # the kinds of line, in their order, each with the types of its fields
    "header": {"format": "text", "match": "text", "origin": "text", "eyes": "text", "game": "text", "variant": "text",
               "edition": "text", "ruleset": "text", "status": "text", "program": "text", "size": "number",
               "made_ms": "number"},
    "key": {"public": "bytes", "since_ms": "number", "statement": "text"},
    "former": {"store": "text", "public": "bytes", "since_ms": "number", "statement": "text"},
    "book": {"name": "text", "text": "text"},
    "entry": {"version": "number", "envelope": "text", "root": "bytes", "parts": "parts"},
    "secret": {"generation": "number", "secret": "bytes"},
    "draw": {"version": "number", "generation": "number", "purpose": "text", "below": "numbers", "gave": "numbers",
             "pile": "texts"},
    "checkpoint": {"note": "text"},
    "published": {"leaf": "text", "index": "number", "path": "hashes", "note": "text"},
    "stamp": {"note": "text", "response": "bytes"},
    "luggage": {"text": "text"},
    "end": {"lines": "number"},
}  # fmt: skip
ENVELOPE: dict[str, Any] = {
    "match": str, "version": int, "at": int, "seat": int, "actor": str, "rules": str, "edition": str,
    "clauses": list, "move": (dict, type(None)), "events": list, "commitments": dict,
}  # fmt: skip
PART = {"who": "text", "salt": "bytes", "part": "text"}
LISTS = {"numbers": "number", "texts": "text", "hashes": "bytes"}
LONGEST_LINE, MOST_LINES, MOST_BYTES, SAFE = 1 << 20, 200_000, 1 << 26, 1 << 53
LONGEST_NOTE = 1 << 16
MOST_OF_KIND = {"key": 200, "former": 200, "checkpoint": 200, "published": 100, "stamp": 100, "secret": 1000}
ENDED = "tournament.Ended"
OVER = ("finished", "void", "abandoned", "withdrawn", "archived")  # in these states the secrets are disclosed
CONSENT_EVENTS = (
    "table.MatchOpened", "table.SettingsChanged", "table.Started", "table.SeatTaken", "table.SeatLeft",
    "table.BotSeated", "table.TransferProposed", "table.TransferConsented", "table.TransferRefused", "table.MatchMoved",
)  # fmt: skip
MANY = 5  # notices of one kind that are given
SET_BACK, DAY = 5 * 60_000, 24 * 3600_000  # ms: how far a clock is set back, or two servers' clocks differ, at most
REFUSAL = re.compile(r"(\S+)/refusals\n(\S+) (0|1?[0-9]) ([1-9][0-9]{0,9}) ([0-9a-f]{64})\n([0-9a-f]{64})\n([^\n]+)\n")
LAST_DATE = 253_402_300_800  # s: the years that a calendar has
NOTE = re.compile(r"[^\n]+\n[0-9]+\n(?:[^\n]+\n)+\n(?:\N{EM DASH} [^\n]+\n)+")
FIELD = 2**255 - 19  # of Ed25519
EIGHTH = 0x5FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
SMALL_ORDER = {0, 1, FIELD - 1, EIGHTH, FIELD - EIGHTH}  # y of its eight points of order 1, 2, 4 and 8
Line = dict[str, Any]


class VerificationError(Exception):
    """Something cannot be read or does not fit: what, and in which line of a file."""

    def __init__(self, why: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {why}" if line else why)


# -- the file ----------------------------------------------------------------------------------------------------------


def read_bundle(path: str) -> dict[str, list[Line]]:
    """Return the lines of a bundle by kind. Raises VerificationError with the line."""
    found: dict[str, list[Line]] = {kind: [] for kind in FIELDS}
    order, at, number, total = list(FIELDS), 0, 0, 0
    with Path(path).open("rb") as plain:
        packed = plain.read(2) == b"\x1f\x8b"
    with gzip.open(path) if packed else Path(path).open("rb") as file:
        for number, raw in enumerate(iter(lambda: file.readline(LONGEST_LINE + 2), b""), 1):
            total += len(raw)
            if found["end"] or number > MOST_LINES or total > MOST_BYTES:
                raise VerificationError(
                    "something follows the end" if found["end"] else "the file is longer than any", number
                )
            try:
                kind, line = read_line(raw)
            except (ValueError, RecursionError, VerificationError) as why:
                raise VerificationError(str(why) or "no line of a bundle", number) from None
            here = order.index(kind)
            if here < at or (number == 1) != (kind == "header") or (kind in ("header", "book") and found[kind]):
                raise VerificationError(f"a line of kind {kind} does not belong here", number)
            if kind == "end" and line["lines"] != number - 1:
                raise VerificationError(f"{line['lines']} lines were written before this one, not {number - 1}", number)
            at = here
            found[kind].append(line)
            if len(found[kind]) > MOST_OF_KIND.get(kind, MOST_LINES):
                raise VerificationError(f"there are more than {MOST_OF_KIND[kind]} lines of kind {kind}", number)
    if not found["end"]:
        raise VerificationError("the end is missing: the file was cut" if number else "the file is empty", number)
    return found


def read_line(raw: bytes) -> tuple[str, Line]:
    """Return the kind and the fields of a line in canonical form.

    Raises VerificationError or ValueError.
    """
    if len(raw) > LONGEST_LINE:
        raise VerificationError("the line is too long")
    raw = raw[:-1] if raw.endswith(b"\n") else raw
    data = parse_object(raw.decode())
    if not isinstance(data.get("kind"), str) or data["kind"] not in FIELDS:
        raise VerificationError("no line of a bundle in its one proper form")
    kind, types = data["kind"], FIELDS[data.pop("kind")]
    if set(data) != set(types) or data.get("format", FORMAT) != FORMAT:
        raise VerificationError(f"the fields are {', '.join(sorted(types))}, the format {FORMAT}")
    return kind, {name: decode_value(types[name], data[name]) for name in types}


def decode_value(kind: str, data: Any) -> Any:
    """Return a field's value. Raises VerificationError or ValueError."""
    if (kind == "text" and isinstance(data, str)) or (kind == "number" and type(data) is int and 0 <= data < SAFE):
        return data
    if kind == "bytes" and isinstance(data, str):
        return decode_base64(data)
    if kind in LISTS and isinstance(data, list):
        return [decode_value(LISTS[kind], each) for each in data]
    if kind == "parts" and isinstance(data, list) and all(isinstance(x, dict) and set(x) == set(PART) for x in data):
        return [{name: decode_value(PART[name], each[name]) for name in PART} for each in data]
    raise VerificationError("a field is malformed")


def decode_base64(text: str) -> bytes:
    """Return the bytes of canonical base64. Raises VerificationError or ValueError."""
    found = base64.b64decode(text, validate=True)
    if base64.b64encode(found).decode() != text:
        raise VerificationError("base64 is not in its one proper form")
    return found


# -- signatures: C2SP signed-note and tlog-checkpoint, Ed25519 ---------------------------------------------------------


def compute_key_id(name: str, public: bytes, kind: bytes = b"\x01") -> bytes:
    """Return the four bytes that name a key in a signature (`kind` 4: a witness's)."""
    return hashlib.sha256(name.encode() + b"\n" + kind + public).digest()[:4]


def verify_note(note: str, name: str, keys: Iterable[bytes]) -> str:
    """Return the text of a note that one of these keys signed as `name`, or raise."""
    text, blank, signatures = note.rpartition("\n\n")
    if not blank or not signatures.endswith("\n"):
        raise VerificationError("no signature")
    if len(note) > LONGEST_NOTE or any(sign < " " and sign != "\n" for sign in note):
        raise VerificationError("a note is too long or holds control characters")
    known, signed = {compute_key_id(name, key): key for key in keys}, False
    for line in signatures[:-1].split("\n"):
        words = line.split(" ")
        if len(words) != 3 or words[0] != "\u2014" or not words[1]:
            raise VerificationError("a signature line is malformed")
        try:
            blob = decode_base64(words[2])
        except ValueError:
            raise VerificationError("a signature line is malformed") from None
        if len(blob) < 5:
            raise VerificationError("a signature line is malformed")
        if words[1] != name or blob[:4] not in known:
            continue  # by a witness, or by a key that is not known here
        try:
            Ed25519PublicKey.from_public_bytes(known[blob[:4]]).verify(blob[4:], f"{text}\n".encode())
        except (InvalidSignature, ValueError):
            raise VerificationError("the signature does not fit") from None
        signed = True
    if not signed:
        raise VerificationError("not signed by a key that is vouched for")
    return text + "\n"


def verify_checkpoint(note: str, origin: str, keys: Iterable[bytes]) -> tuple[int, bytes]:
    """Return size and root of a signed checkpoint of this log, or raise."""
    lines = verify_note(note, origin, keys).split("\n")
    if len(lines) < 4 or not all(lines[:-1]) or not re.fullmatch("0|[1-9][0-9]{0,18}", lines[1]):
        raise VerificationError("a checkpoint has a line each for origin, size, root, and then no empty one")
    if lines[0] != origin:
        raise VerificationError(f"a checkpoint of {lines[0]}, not of {origin}")
    try:
        root = decode_base64(lines[2])
    except ValueError:
        raise VerificationError("its root is malformed") from None
    return int(lines[1]), root


def is_key_named(line: Line, store: str, keys: list[bytes]) -> bool:
    """Return whether one of these keys signed that the key of this line succeeds it."""
    public = base64.b64encode(line["public"]).decode()
    text = f"{store}/keys\nnext key ed25519 {public}\nsince {line['since_ms']}\n"
    try:
        return verify_note(line["statement"], f"{store}/keys", keys) == text
    except VerificationError:
        return False


def parse_public_key(text: str) -> bytes:
    """Return a public key from a file, PEM, base64, hex or a verifier key, or raise."""
    path = Path(text)
    if len(text) < 256 and "\n" not in text and path.is_file():
        text = path.read_text("utf-8")
    text = text.strip()
    try:
        if text.startswith("-----BEGIN"):
            key = serialization.load_pem_public_key(text.encode())
            if not isinstance(key, Ed25519PublicKey):
                raise VerificationError("the key is not Ed25519")
            return key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        if re.fullmatch("[0-9a-f]{64}", text):
            return bytes.fromhex(text)
        name, _, rest = text.partition("+") if re.fullmatch(r"[^+\s]+\+[0-9a-f]{8}\+\S+", text) else ("", "", "")
        raw = decode_base64(rest[9:] if name else text)
        if name and (raw[:1] != b"\x01" or compute_key_id(name, raw[1:]).hex() != rest[:8]):
            raise VerificationError("the key does not fit its own line")
    except ValueError:
        raise VerificationError("no public key") from None
    raw = raw[1:] if name else raw
    if len(raw) != 32:
        raise VerificationError("a public key has 32 bytes")
    return raw


def parse_witness_key(text: str) -> tuple[tuple[str, bytes], bytes]:
    """Return a witness's name with the id of its key, and the key, or raise."""
    name, key_id, packed = [*text.strip().split("+", 2), "", ""][:3]
    raw = decode_base64(packed)
    if raw[:1] != b"\x04" or len(raw) != 33 or compute_key_id(name, raw[1:], b"\x04").hex() != key_id:
        raise VerificationError("no key of a witness")
    return (name, bytes.fromhex(key_id)), raw[1:]


def verify_cosignature(text: str, blob: bytes, public: bytes) -> int:
    """Return when a witness cosigned a checkpoint (s since 1970), or raise."""
    at = int.from_bytes(blob[4:12], "big")
    if len(blob) != 76 or at >= 1 << 63:
        raise VerificationError("a signature line is malformed")
    try:
        key = Ed25519PublicKey.from_public_bytes(public)
        key.verify(blob[12:], f"cosignature/v1\ntime {at}\n{text}\n".encode())
    except (InvalidSignature, ValueError):
        raise VerificationError("the signature does not fit") from None
    return at


# -- the tree: RFC 9162, section 2.1 -----------------------------------------------------------------------------------


def hash_leaf(data: bytes) -> bytes:
    """Return the hash of a leaf."""
    return hashlib.sha256(b"\x00" + data).digest()


def hash_nodes(left: bytes, right: bytes) -> bytes:
    """Return the hash over two nodes."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def compute_roots(leaves: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the root after each leaf."""
    full: list[bytes] = []  # the roots of the perfect trees that the leaves fill, largest first
    for size, leaf in enumerate(leaves):
        top = leaf
        for _ in range((size ^ (size + 1)).bit_length() - 1):  # that many perfect trees are joined
            top = hash_nodes(full.pop(), top)
        full.append(top)
        root = top
        for left in reversed(full[:-1]):
            root = hash_nodes(left, root)
        yield root


def is_included(leaf: bytes, index: int, size: int, path: list[bytes], root: bytes) -> bool:
    """Return whether the path leads from a leaf to the root over `size` (2.1.3.2)."""
    if not 0 <= index < size:
        return False
    at, last, found = index, size - 1, leaf
    for step in path:
        if last == 0:
            return False
        if at & 1 or at == last:
            found = hash_nodes(step, found)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            found = hash_nodes(found, step)
        at, last = at >> 1, last >> 1
    return last == 0 and found == root


# -- chance: HKDF-SHA256 (RFC 5869), HMAC-SHA256 -----------------------------------------------------------------------


def derive_key(secret: bytes, info: str) -> bytes:
    """Return the first 32 bytes of HKDF without salt."""
    extracted = hmac.new(bytes(32), secret, "sha256").digest()
    return hmac.new(extracted, info.encode() + b"\x01", "sha256").digest()


def compute_salt(secret: bytes, match: str, version: int, who: str) -> bytes:
    """Return the salt before a part that was committed to."""
    return hmac.new(derive_key(secret, "referee/v1/salt"), f"v1|{match}|{version}|{who}".encode(), "sha256").digest()


def generate_numbers(secret: bytes, purpose: str, place: str, seeds: bytes) -> Iterator[int]:
    """Yield the stream of 64-bit numbers for one purpose.

    `place` names scheme, match and draw.
    """
    key, block = derive_key(secret, f"referee/v1/draw/{purpose}"), 0
    while True:
        text = f"{place}|{block}|{hashlib.sha256(seeds).hexdigest()}"
        digest = hmac.new(key, text.encode(), "sha256").digest()
        yield from (int.from_bytes(digest[start : start + 8], "big") for start in range(0, 32, 8))
        block += 1


def draw_numbers(stream: Iterator[int], below: Iterable[int]) -> list[int]:
    """Draw a number below each of these; all numbers below it are equally likely."""
    return [next(number for number in stream if number < (1 << 64) // n * n) % n for n in below]


def shuffle_pile(pile: list[str], gave: list[int]) -> list[str]:
    """Return the pile after a shuffle (Fisher-Yates, from the end) with these numbers."""
    order = list(pile)
    for last, other in zip(range(len(order) - 1, 0, -1), gave, strict=False):
        order[last], order[other] = order[other], order[last]
    return order


# -- the checks --------------------------------------------------------------------------------------------------------


class BundleChecks:
    """The checks of one bundle: its `findings`, and the `states` of the checks."""

    def __init__(
        self, found: dict[str, list[Line]], trusted: list[bytes], receipts: list[str], beside: Beside | None = None
    ) -> None:
        self.found, self.trusted, self.receipts, self.header = found, trusted, receipts, found["header"][0]
        self.beside = beside or Beside()
        self.match, self.origin, self.eyes = (self.header[name] for name in ("match", "origin", "eyes"))
        self.log = [(n, entry, parse_envelope(entry["envelope"])) for n, entry in enumerate(found["entry"], 1)]
        self.roots = [hashlib.sha256(b"").digest()]  # by the number of entries that they cover
        self.roots += compute_roots(hash_leaf(entry["envelope"].encode()) for _, entry, _ in self.log)
        self.size = len(self.log)
        self.opened: Line = next((event for n, event in self.find_events("table.MatchOpened") if n == 1), {})
        self.is_tournament = self.header["game"] == "tournament"
        if self.is_tournament:
            told = next((event for n, event in self.find_events("tournament.Opened") if n == 1), {})
            form = told["format"] if isinstance(told.get("format"), dict) else {}
            self.opened = {"match": told.get("tournament"), "game": "tournament", "variant": form.get("game")}
            self.opened |= {"edition": "", "ruleset": "1", "later_scheme": bool(form.get("scheme"))}
            self.opened["commitment"] = told.get("commitment")
        self.left = list(self.find_events("table.MatchMoved"))  # each time that it left a server
        self.came = list(self.find_events("table.MatchArrived"))
        self.findings: list[dict[str, Any]] = []
        self.notices: list[str] = []  # what is not wrong, but good to know
        self.receipted, self.is_older = 0, False  # up to this entry receipts fit; whether one is beyond the file
        self.unknown: dict[str, None] = {}  # witnesses of whom no key was given
        self.good: list[bytes] = []
        self.vouch: dict[str, list[bytes]] = {}  # the keys that count, by server
        self.seeds: dict[int, tuple[int, bytes]] = {}  # by the entry of a draw: its place, and the seeds behind it
        self.shares: list[tuple[int, int, list[int]]] = []  # runs of draws: first and last entry, seats with a share
        self.device_saw: dict[int, list[int]] = {}  # by seat: what its device had seen when it signed moves
        self.unsigned: dict[int, list[int]] = {}  # by seat: the player's entries without a signature
        self.states: dict[str, str] = {}

    def find_events(self, *kinds: str) -> Iterator[tuple[int, Line]]:
        """Yield the public events of these kinds with the versions of their entries."""
        for version, _, envelope in self.log:
            for event in envelope.get("events", ()):
                if isinstance(event, dict) and event.get("type") in kinds:
                    yield version, event

    def add_finding(self, kind: str, why: str, version: int | None = None) -> None:
        """Add a finding."""
        self.findings.append(build_finding(kind, why, version))

    def run(self) -> BundleChecks:
        """Run all checks one after another."""
        for check in (self.keys, self.homes, self.signatures, self.versions, self.tree, self.compared, self.openings,
                      self.makers, self.chance, self.book, self.devices, self.times, self.published):  # fmt: skip
            before, skipped = len(self.findings), ""
            try:
                skipped = check()
            except (TypeError, ValueError, LookupError, AttributeError) as why:  # a stranger's data may have any shape
                self.add_finding("unreadable", f"what it holds cannot be checked: {why}")
            state = f"skipped: {skipped}" if skipped else "done"
            self.states[check.__name__] = "failed" if len(self.findings) > before else state
        self.states["rules"] = "skipped: the match is not played again here"
        self.notices += [f"with entry {version} the match came to {event.get('store')}" for version, event in self.came]
        self.notices += self.describe_missing_consents()
        self.notices += self.describe_shares()
        self.notices += self.describe_devices()
        return self

    def describe_missing_consents(self) -> Iterator[str]:
        """Yield who had not agreed when the match left a server during play.

        It is read from seats and consents, not from what the leaving entry says of itself.
        """
        held, granted, tables, runs, asked = set[int](), set[int](), set[int](), False, tuple[Any, ...]()
        for version, event in self.find_events(*CONSENT_EVENTS):
            kind, seat, by = event["type"], event.get("seat"), event.get("by")
            if kind in ("table.MatchOpened", "table.SettingsChanged"):
                chairs = event.get("chairs")
                chairs = chairs if isinstance(chairs, list) else []
                tables = {
                    at for at, chair in enumerate(chairs) if isinstance(chair, dict) and chair.get("kind") == "table"
                }
            elif kind == "table.Started":
                runs = bool(self.opened.get("later_scheme"))
            elif kind == "table.SeatTaken" and type(seat) is int:
                held.add(seat)
            elif kind in ("table.SeatLeft", "table.BotSeated") and type(seat) is int:
                held, granted = held - {seat}, granted - {seat}
                tables -= {seat} if kind == "table.BotSeated" else set()
            elif kind == "table.TransferProposed":
                asked, granted = (event.get("transfer"), event.get("new_home"), event.get("to")), set()
            elif kind == "table.MatchMoved":
                agreed = granted if asked[1:] == (event.get("new_home"), event.get("to")) else set()
                missing = sorted((held | tables) - agreed)
                if runs and missing and len(held) + bool(tables) > 1:
                    names = name_players(missing)
                    yield f"with entry {version} the match moved without the consent of player {names}"
                asked = ()
            elif asked and event.get("transfer") == asked[0]:
                if kind == "table.TransferRefused":
                    asked = ()
                elif kind == "table.TransferConsented" and isinstance(by, list):
                    granted |= {each for each in by if type(each) is int}

    def describe_shares(self) -> Iterator[str]:
        """Yield who had a share in the draws besides the server."""
        if not self.has_server_draws():
            return
        if not any(seats for _, _, seats in self.shares):
            yield "no device added random numbers: the server alone chose the secret, from several if it liked"
        elif len(self.shares) == 1:
            yield f"had a share in all draws besides the server: player {name_players(self.shares[0][2])}"
        else:
            for first, last, seats in self.shares[:MANY]:
                if seats:
                    names = name_players(seats)
                    yield f"draws of the entries {first} to {last}: besides the server player {names} had a share"
                else:
                    yield f"draws of the entries {first} to {last}: nobody but the server had a share"
            if len(self.shares) > MANY:
                yield "from there on the shares in the draws change again and again"
        if not self.opened.get("later_scheme"):
            yield "draws depend on the entries before them: with the secret one could add some to steer"

    def has_server_draws(self) -> bool:
        """Return whether the server draws anything."""
        settings = [event.get("chance") for _, event in self.find_events("table.MatchOpened", "table.SettingsChanged")]
        chance = next((each for each in reversed(settings) if isinstance(each, dict)), {})
        return self.is_tournament or "server" in chance.values()

    def list_unmet(self, required: Iterable[str]) -> list[str]:
        """Return which of these requirements are not met."""
        met = {
            "key": bool(self.trusted),
            "receipts": self.receipted > 0 and not self.is_older,
            "published": self.states["published"] == "done",
            "chance": self.states["chance"] == "done",
            "seeds": self.size > 0
            and (not self.has_server_draws() or (bool(self.shares) and all(seats for *_, seats in self.shares))),
            "signatures": bool(self.device_saw) and not self.unsigned,
        }
        return [name for name in REQUIREMENTS if name in required and not met[name]]

    def keys(self) -> str:
        """Collect the keys that count: trusted ones or the first, and those they name."""
        self.good, before, store = (
            [*self.trusted, *self.find_named_keys()],
            list[bytes](),
            self.origin.rpartition("/")[0],
        )
        for n, line in enumerate(self.found["key"], 1):
            public, first = line["public"], n == 1 and not line["statement"]
            if is_key_named(line, store, self.good) or (n == 1 and not self.trusted):
                self.good.append(public)
            named = first or public in self.trusted or is_key_named(line, store, before)
            if len(public) != 32 or not named:
                self.add_finding("key", f"the key {n} is none, or is not named by one before it")
            before.append(public)
        if not set(before) & set(self.good):
            self.add_finding("key", "none of the keys is one that you trust, or is named by such a one")
        return ""

    def find_key_chain(self, store: str) -> list[Line]:
        """Return the keys of a server, as the file lists them."""
        own = store == self.origin.rpartition("/")[0]
        return self.found["key"] if own else [line for line in self.found["former"] if line["store"] == store]

    def find_named_keys(self) -> list[bytes]:
        """Return the keys of next servers that a vouched-for server named at release."""
        known: list[bytes] = []
        for version, event in self.left if self.trusted else ():
            store, good = str(event.get("store")), [*self.trusted, *known]
            for line in self.find_key_chain(store):
                good += [line["public"]] if is_key_named(line, store, good) else []
            to = parse_hex_key(event.get("to"))
            if to and any(
                self.is_departure_signed(line["note"], store, version, good) for line in self.found["checkpoint"]
            ):
                known.append(to)
        return known

    def is_departure_signed(self, note: str, store: str, version: int, keys: Iterable[bytes]) -> bool:
        """Return whether this note signs that the match left a server after `version`."""
        try:
            return verify_checkpoint(note, f"{store}/{self.origin.rpartition('/')[2]}", keys)[0] == version
        except VerificationError:
            return False

    def homes(self) -> str:
        """Check that each server vouches for its part, and the next one for its keys.

        Nothing may come between leaving and arriving, and what arrives is what left.
        """
        own = self.origin.rpartition("/")[0]
        self.vouch = {own: self.good}
        stays = [(version, "left", event) for version, event in self.left]
        stays = sorted([*stays, *((version, "came", event) for version, event in self.came)], key=lambda each: each[0])
        for at, (version, what, _) in enumerate(stays):
            before = stays[at - 1] if at else (0, "came", {})
            if (what == before[1]) or (what == "came" and version != before[0] + 1):
                self.add_finding("version", "the match leaves or arrives where it does not", version)
                return ""
        if stays and stays[-1][1] == "left" and stays[-1][0] != self.size:
            self.add_finding("version", "the match goes on after it has left", stays[-1][0])
        for (version, left), (arrived, came) in zip(self.left, self.came, strict=False):
            store, after = str(left.get("store")), str(came.get("store"))
            bound = [key for each in came.get("their_keys", ()) if (key := parse_hex_key(each))]
            listed, here = ([line["public"] for line in self.find_key_chain(each)] for each in (store, after))
            if not set(bound) <= set(listed) or parse_hex_key(came.get("key")) not in here:
                self.add_finding("key", "it arrives by keys that the file does not hold", arrived)
            if left.get("to") and parse_hex_key(left.get("to")) not in here:
                self.add_finding("key", "it was let go for another server", arrived)
            self.vouch[store] = [*self.vouch.get(store, ()), *bound, *self.trusted]
            if came.get("came_from") != store:
                self.add_finding("version", "it comes from another server than the one that it left", arrived)
            if came.get("root") != self.roots[version].hex():
                self.add_finding("root", "what arrives is not what has left", arrived)
            if not any(
                self.is_departure_signed(line["note"], store, version, self.vouch[store])
                for line in self.found["checkpoint"]
            ):
                self.add_finding("signature", f"no checkpoint of {store} tells what has left it", version)
        last = str(stays[-1][2].get("store")) if stays else own
        if last != own and self.eyes != "public":
            self.add_finding("version", "the header names another server than the one where the match is")
        return "" if stays else "it always was on one server"

    def signatures(self) -> str:
        """Check that all checkpoints and receipts are signed, and one covers all entries."""
        notes = [line["note"] for line in self.found["checkpoint"]]
        here = self.verify_notes("checkpoint", [note for note in notes if note.partition("\n")[0] == self.origin])
        self.signed = here + self.verify_notes(
            "checkpoint", [note for note in notes if note.partition("\n")[0] != self.origin]
        )
        self.kept = self.verify_notes("receipt", self.receipts)
        if all(size < self.size for size, _ in here):
            self.add_finding("signature", f"no checkpoint is of all {self.size} entries")
        return ""

    def verify_notes(self, what: str, notes: list[str]) -> list[tuple[int, bytes]]:
        """Return sizes and roots of this match's checkpoints; add findings for the others."""
        found = []
        for note in notes:
            store, _, about = note.partition("\n")[0].rpartition("/")
            if about != self.origin.rpartition("/")[2]:
                self.add_finding("version", f"a {what} is of {about}")
                continue
            try:
                known = self.vouch.get(store)
                origin = self.origin if known is None else f"{store}/{about}"
                found.append(verify_checkpoint(note, origin, self.good if known is None else known))
            except VerificationError as why:
                self.add_finding("signature", f"a {what}: {why}")
        return found

    def versions(self) -> str:
        """Check that the entries are 1 to n of this match, and the header is the first's."""
        for version, entry, envelope in self.log:
            if not envelope and entry["root"] == self.roots[version]:
                self.add_finding("unreadable", "this is no envelope", version)
            shown = envelope or {"version": version, "match": self.match}  # otherwise the root is a finding
            if (entry["version"], shown.get("version"), shown.get("match")) != (version, version, self.match):
                self.add_finding("version", "another entry stands here", version)
        most = max([self.header["size"], 1, *(size for size, _ in self.signed)])
        if most != self.size:
            self.add_finding("version", f"{most} entries were written, {self.size} are here")
        for field in ("match", "game", "variant", "edition", "ruleset") if self.log and self.log[0][2] else ():
            if self.opened.get(field) != self.header[field]:
                self.add_finding("version", f"the header tells of another {field}", 1)
        if self.origin.rpartition("/")[2] != self.match:
            self.add_finding("version", "the header's origin is that of another match")
        if self.log and self.header["status"] != self.find_status():
            self.add_finding("version", "the header tells of another status")
        seats = {who for _, _, envelope in self.log for who in envelope.get("commitments", {})}
        if self.eyes not in ("public", "full", "sealed", "moving", *seats):
            self.add_finding("version", "the header names a viewer that there is not")
        return ""

    def find_status(self) -> str:
        """Return the status after all entries, of which some may have been taken back."""
        if self.is_tournament:
            told = [event.get("status", "running") for _, event in self.find_events("tournament.Started", ENDED)]
            return str(["registration", *told][-1])
        counted: list[tuple[int, str]] = [(0, "lobby")]  # the entries that changed it, as far as they still count
        before: dict[int, list[tuple[int, str]]] = {}
        for version, _, envelope in self.log:
            before[version] = counted
            events = [event for event in envelope.get("events", ()) if isinstance(event, dict)]
            for event in events:
                if event.get("type") == "table.Rewound":
                    counted = [each for each in counted if each[0] <= event["to"]]
                elif event.get("type") == "table.Restored":
                    counted = before.get(event["entry"], counted)
            for event in events:
                named = {"table.Started": "running", "table.Voided": "void", "table.Ended": event.get("status")}
                if event.get("type") in named:
                    counted = [*counted, (version, str(named[event["type"]]))]
        return counted[-1][1]

    def makers(self) -> str:
        """Check that those who are said to have made entries can have, as everybody sees."""
        bots, proxies, has_clock = set[int](), set[int](), False  # as they were at any time before
        for version, _, envelope in self.log:
            seat, actor = envelope.get("seat"), str(envelope.get("actor"))
            kind = actor.partition(":")[0]
            fits = {"bot": seat in bots, "proxy": seat in proxies, "clock": has_clock, "player": True, "spoken": True}
            draws = {"chance": True, "reporter": True}
            due = draws if seat == -1 else {"clock": True} if seat == -2 else fits
            if envelope and seat != -3 and not due.get(kind, False):
                wrong = "time" if kind == "clock" and isinstance(seat, int) and seat >= 0 else "rules"
                self.add_finding(wrong, f"{actor} cannot have made it for {seat}", version)
            for event in envelope.get("events", ()):
                chairs = event.get("chairs") if isinstance(event, dict) else None
                for at, chair in enumerate(chairs if isinstance(chairs, list) else ()):
                    bots |= {at} if chair["kind"] == "bot" else set()
                    proxies |= {at} if chair["kind"] == "table" or chair["proxy"] != "nobody" else set()
                limits = event.get("clocks") if isinstance(event, dict) else None
                has_clock |= isinstance(limits, dict) and bool(limits.get("move_ms") or limits.get("window_ms"))
                if isinstance(event, dict) and event.get("type") == "table.BotSeated":
                    bots.add(event["seat"])
                if isinstance(event, dict) and event.get("type") == "table.ProxySet" and event["by"] != "nobody":
                    proxies.add(event["seat"])
        return ""

    def devices(self) -> str:
        """Check what devices signed: their key, the history before, the move."""
        keys, last = dict[Any, Any](), dict[Any, int]()  # by seat: the key that counts, and the last entry
        links = SeatSeeds(bool(self.opened.get("later_scheme")))
        for version, entry, envelope in self.log:
            seat: Any = envelope.get("seat")
            events = [each for each in envelope.get("events", ()) if isinstance(each, dict)]
            signatures = [event for event in events if event.get("type") == "table.MoveSigned"]
            for event in signatures:
                seen: Any = event.get("seen")
                # No entry of the seat lies between: else the server kept a signed move back, or wrote it twice.
                is_fit = type(seen) is int and last.get(seat, 1) <= seen < version and event.get("seat") == seat
                if not is_fit or envelope.get("actor") != "player" or len(signatures) > 1:
                    self.add_finding("device", "the signature of a device does not fit", version)
                    continue
                upon, link = f"{self.match}\n{seat}\n{seen} {self.roots[seen].hex()}", str(event.get("link"))
                text = f"referee/v1/move\n{upon}\n{link or '-'}\n{event.get('digest')}\n"
                if not is_signed_by(keys.get(seat), text.encode(), event.get("signature")):
                    self.add_finding("device", "the signature of a device does not fit", version)
                elif not self.is_signed_move(entry, seat, event.get("digest")):
                    self.add_finding("device", "a device signed another move than this one", version)
                elif links.leaves_out(seat, link, events):
                    self.add_finding("device", "the server left out a link that was due", version)
                else:
                    self.device_saw.setdefault(seat, []).append(seen)
            if not signatures and envelope.get("actor") == "player" and type(seat) is int and seat >= 0:
                self.unsigned.setdefault(seat, []).append(version)
            last[seat] = version
            if envelope.get("actor") == "chance":
                links.fresh.clear()
            for event in events:
                links.take(event)
                if event.get("type") == "table.DeviceKeyNamed":
                    keys[event.get("seat")] = event.get("public_key")
                elif event.get("type") == "table.SeatLeft":
                    keys.pop(event.get("seat"), None)
        return "" if self.device_saw else "no device signed a move"

    def is_signed_move(self, entry: Line, seat: Any, digest: Any) -> bool:
        """Return whether the move in opened parts is the one that the digest stands for.

        The seat itself and the full viewer get what opens it: without that the server could write another move.
        """
        digests = [each for part in entry["parts"] for each in compute_move_digests(parse_object(part["part"]))]
        is_due = self.eyes in ("full", "sealed", "moving", str(seat))
        return all(each == digest for each in digests) and (bool(digests) or not is_due)

    def describe_devices(self) -> Iterator[str]:
        """Yield whose device vouches for which moves."""
        for seat in sorted({*self.device_saw, *self.unsigned}):
            if saw := self.device_saw.get(seat):
                yield f"a device signed {len(saw)} moves of player {seat + 1}, the last upon all up to entry {max(saw)}"
            if bare := self.unsigned.get(seat):
                listed = ", ".join(map(str, bare[:MANY])) + (", …" if len(bare) > MANY else "")
                yield f"{len(bare)} moves of player {seat + 1} are not signed by a device: {listed}"

    def times(self) -> str:
        """Check that times do not fall, and are not of the future.

        Clocks are set back a little, and the clocks of two servers differ, so small steps are none.
        """
        now, made, arrived = int(1000 * time.time()), self.header["made_ms"], {version for version, _ in self.came}
        at = [0, *(envelope.get("at", 0) for _, _, envelope in self.log)]
        highest = at[1] if self.log else 0
        for version in range(2, len(at)):
            if version in arrived:
                if at[version - 1] - at[version] > DAY:
                    self.add_finding("time", "it arrives before it has left", version)
                    break
                highest = at[version]
            elif highest - at[version] > SET_BACK:
                self.add_finding("time", "it is said to be older than an entry before it", version)
                break
            highest = max(highest, at[version])
        latest = max(at)
        if max(latest, made) > now + DAY:
            self.add_finding("time", "this time is still to come", at.index(latest) if latest > now + DAY else None)
        last = str(self.left[-1][1].get("store")) if self.left else ""
        if made < at[-1] - (DAY if last and self.size == self.left[-1][0] else SET_BACK):
            self.add_finding("time", "the file is said to be older than its last entry")
        for n, line in enumerate(self.found["key"], 1):
            if line["since_ms"] > min(now, made if self.eyes != "moving" else now) + DAY:
                self.add_finding("time", f"the key {n} is said to be younger than what it signed")
        if self.found["key"] and not self.came and self.log and self.found["key"][0]["since_ms"] - at[1] > 31 * DAY:
            self.add_finding("time", "the match is said to be much older than the server's first key", 1)
        return ""

    def tree(self) -> str:
        """Check that the computed roots are those in the lines and the signed ones."""
        for version, entry, _ in self.log:
            if entry["root"] != self.roots[version]:
                self.add_finding("root", "this entry is not what was written, or the root beside it", version)
                break
        for size, root in self.signed:
            if size <= self.size and (not size or root != self.roots[size]):
                self.add_finding("root", f"the checkpoint of {size} entries is of others")
        return ""

    def compared(self) -> str:
        """Check that every receipt is of this history."""
        for size, root in self.kept:
            if size > self.size:
                self.is_older = True
                self.notices.append(
                    f"a receipt is for {size} entries, the file ends before, with {self.size}: get a newer one"
                )
            elif not size or root != self.roots[size]:
                self.add_finding("fork", f"a receipt for {size} entries is of others: one of both was rewritten")
            else:
                self.receipted = max(self.receipted, size)
        return "" if self.receipts else "no receipts were given"

    def openings(self) -> str:
        """Check opened parts against commitments, and that no due part is missing."""
        due = "full" if self.eyes in ("sealed", "moving") else self.eyes
        payload = "".join(line["text"] for line in self.found["luggage"])
        named = self.left[-1][1].get("luggage") if self.left and self.left[-1][0] == self.size else None
        if (self.eyes == "moving") != bool(payload) or (payload and named != hash_text(payload)):
            self.add_finding("opening", "the transfer payload is not the one it left with, or is not for this viewer")
        for version, entry, envelope in self.log:
            committed = envelope.get("commitments", {})
            for part in entry["parts"]:
                computed = hashlib.sha256(part["salt"] + part["part"].encode()).hexdigest()
                if committed.get(part["who"]) != computed:
                    self.add_finding("opening", f"the part {part['who']} is another", version)
            if due == "public" and entry["parts"]:
                self.add_finding("opening", "a part is here that not everybody may see", version)
            if due != "public" and due in committed and [part["who"] for part in entry["parts"]] != [due]:
                self.add_finding("opening", f"the part {due} is missing, or more is here", version)
        return "nothing is opened for this viewer" if due == "public" else ""

    def chance(self) -> str:
        """Check secrets against commitments, salts and draws against secrets, and moves."""
        if self.is_tournament:
            if self.found["secret"] or self.header["status"] in OVER:
                self.check_secrets({1: (1, self.opened["commitment"])})
            if self.found["draw"]:
                self.add_finding("chance", "draws for entries that are not here")
            return "rules and lots of tournaments are judged by referee verify alone"
        self.collect_seeds()
        since: dict[int, tuple[int, Any]] = {}  # by generation: its first entry, and the commitment
        for version, event in self.find_events("table.MatchOpened", "table.ChanceRenewed"):
            opens, number = event["type"] == "table.MatchOpened", len(since)
            if opens != (version == 1) or opens == bool(since) or event.get("generation", 0) != number:
                self.add_finding("opening", "a secret is committed to where none is due", version)
                continue
            since[number] = version, event.get("commitment")
        due = self.eyes in ("full", "moving") or (self.eyes == "sealed" and self.header["status"] in OVER)
        if not self.found["secret"] and not self.found["draw"] and not due:
            return "the secret is not for this viewer, or not yet"
        secrets = self.check_secrets(since)
        draws = {line["version"]: line for line in self.found["draw"]}
        if len(draws) != len(self.found["draw"]):
            self.add_finding("chance", "a draw is told twice")
        dice_by_step: dict[str, list[list[int]]] = {}  # by type of step in the log so far: the sides of its dice
        for version, entry, envelope in self.log:
            generation = max((n for n, (first, _) in since.items() if first <= version), default=0)
            secret, draw = secrets.get(generation, b""), draws.pop(version, None)
            for part in entry["parts"]:
                if part["salt"] != compute_salt(secret, self.match, version, part["who"]):
                    self.add_finding("opening", f"the salt of the part {part['who']} is another", version)
            full = parse_object(next((part["part"] for part in entry["parts"] if part["who"] == "full"), ""))
            if (envelope.get("actor") == "chance") != (draw is not None):
                self.add_finding("chance", "no draw where one is due, or one where none is", version)
            elif draw and (draw["generation"] != generation or not self.is_draw_reproduced(secret, version, draw)):
                self.add_finding("chance", "the secret gives other numbers", version)
            elif draw and not is_move_drawn(full.get("move"), draw, dice_by_step.get(draw["purpose"])):
                self.add_finding("chance", "this is not what was drawn, or not how to draw", version)
            for step in iterate_objects(full.get("events")):
                dice, sides = step.get("dice"), step.get("sides")
                rolls = [sides] * dice if type(dice) is int and type(sides) is int and 0 < dice < 100 else []
                dice_by_step.setdefault(str(step.get("type")), []).append(rolls)
        if draws:
            self.add_finding("chance", "draws for entries that are not here")
        return ""

    def check_secrets(self, since: dict[int, tuple[int, Any]]) -> dict[int, bytes]:
        """Check the secrets against what was committed to, by generation, and return them."""
        secrets = {line["generation"]: line["secret"] for line in self.found["secret"]}
        if len(secrets) != len(self.found["secret"]):
            self.add_finding("opening", "a secret is told twice")
        for number in sorted({*since, *secrets}):
            computed = hashlib.sha256(b"referee/v1/commitment|" + secrets.get(number, b"")).hexdigest()
            if number not in secrets or since.get(number, (0, ""))[1] != computed:
                self.add_finding("opening", f"the secret {number} is missing, or not the one committed to")
        return secrets

    def is_draw_reproduced(self, secret: bytes, version: int, draw: Line) -> bool:
        """Return whether the stream of this entry gives these numbers."""
        place, seeds = self.seeds[version]
        scheme = self.opened.get("later_scheme") or 1
        stream = generate_numbers(secret, draw["purpose"], f"v{scheme}|{self.match}|{place}", seeds)
        return all(draw["below"]) and draw_numbers(stream, draw["below"]) == draw["gave"]

    def collect_seeds(self) -> None:
        """Collect for each draw its place, the seeds behind it and who had a share."""
        seeds, draws = SeatSeeds(bool(self.opened.get("later_scheme"))), 0
        for version, _, envelope in self.log:
            if envelope.get("actor") == "chance":
                draws += 1
                self.seeds[version] = draws if seeds.is_chained else version, seeds.encode()
                seats, last = seeds.list_sharing_seats(), self.shares[-1:]
                if last and last[0][2] == seats:
                    self.shares[-1] = last[0][0], version, seats
                else:
                    self.shares.append((version, version, seats))
                seeds.fresh.clear()
            for event in envelope.get("events", ()):
                if isinstance(event, dict) and (why := seeds.take(event)):
                    self.add_finding("chance", why, version)

    def book(self) -> str:
        """Check that the card book is the one named when the match was opened."""
        named = self.opened.get("book") or ""
        texts = [hashlib.sha256(line["text"].encode()).hexdigest() for line in self.found["book"]]
        if texts != ([named] if named else []):
            self.add_finding("book", "the hash of its text is not the one in the log")
        return "" if named or texts else "none was played with"

    def published(self) -> str:
        """Check that the published root is in the server's root log and of these entries.

        Tell who vouches for that log.
        """
        self.covered: dict[tuple[str, int, bytes], int] = {}  # checkpoints of logs that have the match, up to an entry
        self.logs: dict[tuple[str, int], bytes] = {}
        for line in self.found["published"]:
            leaf = parse_object(line["leaf"])
            store = line["note"].partition("\n")[0].removesuffix("/roots")
            store = store if store in self.vouch else self.origin.rpartition("/")[0]
            try:
                size, root = verify_checkpoint(line["note"], f"{store}/roots", self.vouch[store])
            except VerificationError as why:
                self.add_finding("signature", f"the checkpoint of the log of roots: {why}")
                continue
            if not is_included(hash_leaf(line["leaf"].encode()), line["index"], size, line["path"], root):
                self.add_finding("published", "it does not lie where it is said to")
            over: Any = leaf.get("size")
            known = self.roots[over].hex() if type(over) is int and 0 < over <= self.size else ""
            if not known or (leaf.get("kind"), leaf.get("match"), leaf.get("root")) != ("root", self.match, known):
                self.add_finding("published", f"what was published is of {leaf.get('match')}, {over} entries")
                continue
            self.covered[f"{store}/roots", size, root] = over
            self.logs.setdefault((f"{store}/roots", size), root)
            self.judge_cosignatures(line["note"], f"{store}/roots", size, over)
        for line in self.found["stamp"]:
            self.look_at_stamp(line)
        self.compare_roots()
        self.notices = list(dict.fromkeys(self.notices))  # two checkpoints may be cosigned alike
        for name in self.unknown:
            self.notices.append(f"a cosignature by {name} was not judged: you gave no --witness key of that name")
        return "" if self.found["published"] else "none was published yet"

    def judge_cosignatures(self, note: str, origin: str, size: int, upto: int) -> None:
        """Tell which witnesses vouch for a checkpoint of a root log.

        It has the match up to the entry `upto` (0: not that anybody knows).
        """
        text, _, lines = note.rpartition("\n\n")
        for _, name, packed in (line.split(" ") for line in lines[:-1].split("\n")):
            blob = decode_base64(packed)
            public = self.beside.witnesses.get((name, blob[:4]))
            if public is None:
                self.unknown |= {} if name == origin else {name: None}
                continue
            try:
                at = verify_cosignature(text, blob, public)
            except VerificationError as why:
                self.add_finding("signature", f"the cosignature of {name}: {why}")
                continue
            if upto and self.log[upto - 1][2].get("at", 0) > 1000 * at + DAY:
                self.add_finding("time", f"this time is after the cosignature of {name} over it", upto)
            elif upto:
                self.notices.append(
                    f"the witness {name} vouches for the match up to entry {upto}, on {render_time(at)}"
                )
            else:
                self.notices.append(f"the witness {name} cosigned {size} entries of {origin}, on {render_time(at)}")

    def look_at_stamp(self, line: Line) -> None:
        """Check that a timestamp is over a checkpoint that stands here.

        Who signed it is not checked: that takes certificates.
        """
        digest, response = hashlib.sha256(line["note"].encode("utf-8", "replace")).digest(), line["response"]
        if line["note"] not in [each["note"] for each in self.found["published"]]:
            self.add_finding("published", "a timestamp is over a checkpoint that does not stand here")
        elif digest not in response:
            self.add_finding("signature", "a timestamp is not over its checkpoint")
        else:
            claimed = re.search(rb"\x18[\x0f-\x19](\d{14})(\.\d+)?Z", response[response.find(digest) :])
            when = claimed[1].decode() if claimed else "–"
            self.notices.append(
                f"a timestamp that names {when} was NOT judged: --write-stamps FOLDER writes it out, and there "
                "openssl ts -verify -data checkpoint -in response.tsr -CAfile CERTIFICATES judges it"
            )

    def compare_roots(self) -> None:
        """Check the given checkpoints of root logs whose keys this file knows."""
        shown = set(self.logs)
        for note in self.beside.roots:
            origin = note.partition("\n")[0]
            store, _, kind = origin.rpartition("/")
            if store not in self.vouch or kind != "roots":
                continue  # of another file, or told of at the end
            try:
                size, root = verify_checkpoint(note, origin, self.vouch[store])
            except VerificationError as why:
                self.add_finding("signature", f"the checkpoint of the log of roots: {why}")
                continue
            first = self.logs.setdefault((origin, size), root)
            if first != root:
                self.add_finding("fork", f"two root logs of {size} entries were signed: {first.hex()} / {root.hex()}")
            if (origin, size) not in shown and any(each[0] == origin for each in self.logs if each[1] != size):
                self.notices.append(
                    f"a checkpoint of {origin} with {size} entries: only its server can prove that the log only grew "
                    "(referee verify --server URL)"
                )
            self.judge_cosignatures(note, origin, size, self.covered.get((origin, size, root), 0))

    def look_at_refusal(self, kept: Line) -> None:
        """Tell of a refusal that a player kept as far as that takes no rules."""
        note, nonce, move = kept["note"], str(kept["nonce"]), kept["move"]
        store, _, seat, version, root, digest, clauses = parse_refusal(note)
        at = int(version)
        known = bytes.fromhex(nonce) if re.fullmatch("[0-9a-f]{32}", nonce) else b""
        try:
            verify_note(note, f"{store}/refusals", self.vouch.get(store, ()))
        except VerificationError as why:
            self.add_finding("signature", f"a refusal: {why}")
            return
        if at > self.size:
            self.notices.append(f"a refusal is upon entry {at}, the file ends before: get a newer one")
        elif self.roots[at].hex() != root:
            self.add_finding("fork", "a refusal is upon another history: one of both was rewritten", at)
        elif not known or hashlib.sha256(b"referee/v1/move|" + known + encode_move(move)).hexdigest() != digest:
            misfit = VerificationError("its move is another than the one refused")
            self.add_finding("signature", f"a refusal: {misfit}")
        else:
            self.notices.append(
                f"the server signed that it refused this move of player {int(seat) + 1} upon entry {at} ({clauses}); "
                "whether the rules allow it is NOT judged here, but by referee verify --refusals"
            )


class Beside:
    """What was given beside the files: checkpoints, and keys of witnesses."""

    def __init__(self, roots: Iterable[str] = (), witnesses: dict[tuple[str, bytes], bytes] | None = None) -> None:
        self.roots, self.witnesses = list(roots), witnesses or {}


class SeatSeeds:
    """What the seats add to the draws, as it stands before an entry."""

    def __init__(self, is_chained: bool) -> None:
        self.is_chained = is_chained  # whether seats go on showing links during play
        self.awaited: dict[Any, Any] = {}  # by seat: the hash of what it shows next
        self.shown: dict[int, str] = {}  # by seat: the seed, or the newest link of its chain
        self.fresh: set[int] = set()  # seats whose link has served in no draw yet; of a new chain two may come at once
        self.has_started, self.at, self.secret_at = False, 0, 0
        self.bound_at: dict[Any, int] = {}
        # by seat: when it was bound to its chain, showed the link before (of the first: was bound), and its link;
        # 0 for the one before if somebody has left the seat since
        self.shown_at: dict[int, tuple[int, int, int]] = {}

    def encode(self) -> bytes:
        """Return the seeds as a draw takes them."""
        seeds = [[seat, self.shown[seat]] for seat in sorted(self.shown)]
        return json.dumps(seeds, separators=(",", ":")).encode() if seeds else b""

    def list_sharing_seats(self) -> list[int]:
        """Return the seats that have a share in the next draw.

        The link before their newest was written when the server and all other seats were bound. Since a device sends a
        link only when the one before is written, nobody could know the newest then. Who has left the seat has none.
        """
        sharing = []
        for seat, (_, before, _) in sorted(self.shown_at.items()):
            others = [bound for other, (bound, _, _) in self.shown_at.items() if other != seat]
            if before > max([self.secret_at, *others]):
                sharing.append(seat)
        return sharing

    def leaves_out(self, seat: Any, link: str, events: list[Line]) -> bool:
        """Return whether a link that was sent was due, and these events lack it."""
        is_old = link == self.shown.get(seat)  # it is not due again, although a seat may commit to its hash
        if is_old or not self.is_chained or seat in self.fresh or not re.fullmatch("([0-9a-f]{2})+", link):
            return False
        is_next = self.awaited.get(seat) == hashlib.sha256(b"referee/v1/seed|" + bytes.fromhex(link)).hexdigest()
        return is_next and not any(
            event.get("type") == "table.LinkRevealed" and event.get("link") == link for event in events
        )

    def take(self, event: Line) -> str:
        """Take the next event of the log.

        Return what is wrong with it, an empty text if nothing is.
        """
        seat: Any = event.get("seat")
        kind = event.get("type")
        self.at += 1
        if kind in ("table.MatchOpened", "table.ChanceRenewed"):
            self.secret_at = self.at
            self.fresh.clear()
        elif kind == "table.DrawsCounted":
            self.fresh.clear()
        elif kind == "table.Started":
            self.has_started = True
        elif self.has_started and not self.is_chained:
            return ""
        elif kind == "table.SeatLeft" and not self.has_started:
            for known in (self.awaited, self.shown, self.bound_at, self.shown_at):
                known.pop(seat, None)
        elif kind == "table.SeatLeft" and seat in self.shown_at:
            bound, _, shown = self.shown_at[seat]
            self.shown_at[seat] = bound, 0, shown  # the link goes on counting, but nobody is there to show the next
        elif kind == "table.SeedCommitted":
            if not self.is_chained:
                self.shown.pop(seat, None)
                self.shown_at.pop(seat, None)
            self.awaited[seat], self.bound_at[seat] = event.get("commitment"), self.at
            self.fresh.discard(seat)
            if self.has_started:
                self.fresh.add(seat)
        elif kind in ("table.SeedRevealed", "table.LinkRevealed"):
            return self.show(seat, str(event.get("seed" if kind == "table.SeedRevealed" else "link")))
        return ""

    def show(self, seat: Any, text: str) -> str:
        """Take a seed or a link that a seat shows; return what is wrong with it."""
        seed = bytes.fromhex(text) if re.fullmatch("([0-9a-f]{2})+", text) else b""
        is_bound = self.awaited.get(seat) == hashlib.sha256(b"referee/v1/seed|" + seed).hexdigest()
        is_early = self.is_chained and seat in self.fresh
        bound, last = self.bound_at.get(seat, 0), self.shown_at.get(seat)
        is_first = last is None or last[0] != bound
        self.shown[seat], self.shown_at[seat] = text, (bound, bound if last is None or is_first else last[2], self.at)
        if self.is_chained:
            self.awaited[seat] = text
            if not is_first:
                self.fresh.add(seat)
        if not is_bound:
            return "not the seed that was committed to"
        return "a link is shown while the one before it has not served yet" if is_early else ""


def name_players(seats: Iterable[int]) -> str:
    """Return the numbers by which players at these seats are called."""
    return ", ".join(str(seat + 1) for seat in seats)


def is_signed_by(key: Any, text: bytes, signature: Any) -> bool:
    """Return whether a device's key made this signature, both in hex.

    Everybody can sign for a key of small order, and libraries differ on whether that counts: here it does not.
    """
    if not re.fullmatch("[0-9a-f]{128}", str(signature)):  # `fromhex` would skip spaces
        return False
    try:
        public = parse_hex_key(key)
        Ed25519PublicKey.from_public_bytes(public).verify(bytes.fromhex(str(signature)), text)
    except (InvalidSignature, ValueError):
        return False
    y = int.from_bytes(public, "little") % 2**255  # without the sign of x
    return y < FIELD and y not in SMALL_ORDER


def compute_move_digests(content: Line) -> Iterator[str]:
    """Yield the digest of the move in an opened part, if its random bytes are there."""
    move = encode_move(content.get("move"))
    for event in content.get("events", ()):
        nonce = str(event.get("nonce", "")) if event.get("type") == "table.MoveSigned" else ""
        known = bytes.fromhex(nonce) if re.fullmatch("[0-9a-f]{32}", nonce) else b""
        if nonce:
            yield hashlib.sha256(b"referee/v1/move|" + known + move).hexdigest() if known else ""


def encode_move(move: Any) -> bytes:
    """Return a move as canonical JSON."""
    return json.dumps(move, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def parse_refusal(note: str) -> tuple[str, ...]:
    """Return server, match, seat, version, root, digest and clauses, or raise."""
    found = REFUSAL.fullmatch(note.rpartition("\n\n")[0] + "\n")
    if not found:
        raise VerificationError("this is no refusal")
    return found.groups()


def render_time(at: int) -> str:
    """Return a time (s since 1970) for people, in UTC."""
    return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(at)) if at < LAST_DATE else f"{at} s"


def parse_hex_key(text: Any) -> bytes:
    """Return a public key in hex as bytes, or no bytes if it is none."""
    return bytes.fromhex(text) if isinstance(text, str) and re.fullmatch("[0-9a-f]{64}", text) else b""


def hash_text(text: str) -> str:
    """Return the hash of a text, in hex."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def translate(text: str, lang: str) -> str:
    """Return a text in a language.

    It is one of GERMAN, and its gaps hold names, numbers, or such texts.
    """
    for pattern, german in GERMAN.items() if lang == "de" else ():
        gaps = re.fullmatch("(.*)".join(map(re.escape, pattern.split("{}"))), text, re.DOTALL)
        if gaps:
            return german.format(*(translate(gap, lang) for gap in gaps.groups()))
    return text


def build_finding(kind: str, why: str, version: int | None = None) -> dict[str, Any]:
    """Return a finding: its kind, the entry if it is about one, and its texts."""
    code, en, de = KINDS[kind]
    return {"kind": kind, "code": code, "version": version, "says": {"en": en, "de": de}, "why": why}


def parse_object(text: str) -> dict[str, Any]:
    """Return the JSON object of a canonical text, or an empty one if it is none."""
    try:
        found = json.loads(
            text, parse_int=parse_whole_number, parse_float=parse_whole_number, parse_constant=parse_whole_number
        )
        again = json.dumps(found, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) and again == text else {}


def parse_whole_number(text: str) -> int:
    """Return a whole number that all readers read alike. Raises ValueError."""
    number = int(text)
    if abs(number) >= SAFE:
        raise ValueError(text)
    return number


def parse_envelope(text: str) -> dict[str, Any]:
    """Return the envelope of a text, or an empty object if it is none."""
    data = parse_object(text)
    if set(data) != set(ENVELOPE) or not all(isinstance(data[name], kind) for name, kind in ENVELOPE.items()):
        return {}
    words = (*data["clauses"], *data["commitments"].values())
    numbers = (data["version"], data["at"], data["seat"])
    return data if all(isinstance(word, str) for word in words) and bool not in map(type, numbers) else {}


def iterate_objects(data: Any) -> Iterator[Line]:
    """Yield all objects within JSON data."""
    waiting = [data]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            yield each
        waiting += each.values() if isinstance(each, dict) else each if isinstance(each, list) else ()


def is_move_drawn(move: Any, draw: Line, requested: list[list[int]] | None) -> bool:
    """Return whether the log asked for this draw, and these numbers make this move.

    If no pile is given, as for a card turned up, only the rules know what was drawn from. Only they know how a pile
    lay.
    """
    if requested is None or not isinstance(move, dict):
        return False
    below, gave, pile, kind = draw["below"], draw["gave"], draw["pile"], move.get("type")
    order = shuffle_pile(pile, gave) if below == list(range(len(pile), 1, -1)) else None
    if kind == "chance.rolled":
        return bool(below) and below in requested and move.get("values") == [1 + number for number in gave]
    if kind == "chance.shuffled":
        return order is not None and move.get("order") == order
    if kind == "chance.picked":
        cards = move.get("cards")
        return not pile or (order is not None and isinstance(cards, list) and cards == order[: len(cards)])
    number = {"sm.RolesDrawn": "dungeon_master", "mc.Begins": "seat"}.get(str(kind))
    return number is None or [move.get(number)] == gave


# -- words: English, German --------------------------------------------------------------------------------------------
CHECKS = {
    "keys": ("keys", "Schlüssel"),
    "homes": ("moves between servers", "Umzüge zwischen Servern"),
    "signatures": ("signatures", "Signaturen"),
    "versions": ("entries, none missing", "Einträge, keiner fehlt"),
    "tree": ("root (one hash over all entries)", "Wurzel (ein Hash über alle Einträge)"),
    "compared": ("receipts", "Quittungen"),
    "openings": ("hidden parts", "verdeckte Teile"),
    "makers": ("who made the entries", "von wem die Einträge sind"),
    "chance": ("random draws", "Ziehungen"),
    "book": ("card book", "Kartenbuch"),
    "devices": ("signatures of devices", "Signaturen der Geräte"),
    "times": ("times", "Zeiten"),
    "published": ("published root (in the server's log)", "veröffentlichte Wurzel (im Log des Servers)"),
    "rules": ("rules", "Regeln"),
}
WIDTH = max(len(word) for words in CHECKS.values() for word in words)
STATES = {"done": ("ok", "in Ordnung"), "failed": ("WRONG", "FALSCH"), "skipped": ("not checked", "nicht geprüft")}
VERDICTS = {
    "proves_key": (
        "PROVED: the holder of the key {key}, whom your --key vouches for, has signed exactly these {size} entries.",
        "BEWIESEN: Wer den Schlüssel {key} hat, für den dein --key bürgt, hat genau diese {size} Einträge signiert.",
    ),
    "proves_receipts": (
        "PROVED: the key {key}, which signed your receipts (up to entry {upto}), has signed exactly these {size} "
        "entries.",
        "BEWIESEN: Der Schlüssel {key}, mit dem deine Quittungen signiert sind (bis Eintrag {upto}), hat genau diese "
        "{size} Einträge signiert.",
    ),
    "consistent": (
        "CONSISTENT IN ITSELF, BUT NOBODY VOUCHES FOR IT: anybody can make such a file with a key of their own. "
        "Compare {key} with the key of the server (--key), or give receipts that you kept (--receipts).",
        "IN SICH STIMMIG, ABER NIEMAND BÜRGT DAFÜR: So eine Datei kann jeder mit einem eigenen Schlüssel machen. "
        "Vergleiche {key} mit dem Schlüssel des Servers (--key), oder gib Quittungen an, die du hast (--receipts).",
    ),
    "wrong": ("WRONG (exit code {code}), signed with the key {key}:", "FALSCH (Exit-Code {code}), Schlüssel {key}:"),
}
GERMAN = {  # what is found, and why something was not checked; a gap holds a name, a number, or such a text
    "checkpoint": "Prüfpunkt",
    "receipt": "Quittung",

    "the file is empty": "die Datei ist leer",
    "the end is missing: the file was cut": "das Ende fehlt: Die Datei wurde abgeschnitten",
    "something follows the end": "nach dem Ende folgt noch etwas",
    "there are more than {} lines of kind {}": "es gibt mehr als {} Zeilen der Art {}",
    "the file is longer than any": "die Datei ist zu lang",
    "the line is too long": "die Zeile ist zu lang",
    "no line of a bundle": "keine Zeile eines Bündels",
    "no line of a bundle in its one proper form": "keine Zeile eines Bündels in ihrer einzig richtigen Form",
    "a line of kind {} does not belong here": "eine Zeile der Art {} gehört nicht hierher",
    "{} lines were written before this one, not {}": "vor dieser Zeile wurden {} geschrieben, nicht {}",
    "the fields are {}, the format {}": "die Felder sind {}, das Format {}",
    "a field is malformed": "ein Feld ist fehlerhaft",
    "base64 is not in its one proper form": "Base64 nicht in seiner einzig richtigen Form",
    "no signature": "keine Signatur",
    "a signature line is malformed": "eine Signaturzeile ist fehlerhaft",
    "a note is too long or holds control characters": "eine Notiz ist zu lang oder hat Steuerzeichen",
    "the signature does not fit": "die Signatur passt nicht",
    "not signed by a key that is vouched for": "von keinem Schlüssel signiert, für den etwas bürgt",
    "a checkpoint has a line each for origin, size, root, and then no empty one":
        "ein Prüfpunkt hat je eine Zeile für Herkunft, Größe und Wurzel und danach keine leere",
    "a checkpoint of {}, not of {}": "ein Prüfpunkt von {}, nicht von {}",
    "its root is malformed": "seine Wurzel ist fehlerhaft",
    "the key {} is none, or is not named by one before it":
        "der Schlüssel {} ist keiner, oder kein früherer nennt ihn",
    "none of the keys is one that you trust, or is named by such a one":
        "du vertraust keinem der Schlüssel, und keiner deiner Schlüssel nennt einen von ihnen",
    "the match leaves or arrives where it does not": "die Partie zieht um, wo sie es nicht kann",
    "the match goes on after it has left": "die Partie geht weiter, nachdem sie umgezogen ist",
    "it arrives by keys that the file does not hold": "sie kommt mit Schlüsseln an, die nicht in der Datei stehen",
    "it was let go for another server": "sie war für einen anderen Server freigegeben",
    "it comes from another server than the one that it left": "sie kommt von einem anderen Server, als sie verließ",
    "what arrives is not what has left": "was ankommt, ist nicht, was umgezogen ist",
    "no checkpoint of {} tells what has left it": "kein Prüfpunkt von {} belegt, was von dort umgezogen ist",
    "the header names another server than the one where the match is":
        "der Kopf nennt einen anderen Server als den, auf dem die Partie ist",
    "it always was on one server": "die Partie war immer auf demselben Server",
    "no checkpoint is of all {} entries": "kein Prüfpunkt gilt für alle {} Einträge",
    "this is no envelope": "das ist kein Eintrag",
    "another entry stands here": "hier steht ein anderer Eintrag",
    "{} entries were written, {} are here": "{} Einträge wurden geschrieben, {} sind da",
    "the header tells of another status": "der Kopf nennt einen anderen Stand der Partie",
    "the header tells of another {}": "der Kopf nennt etwas anderes: {}",
    "the header's origin is that of another match": "die Herkunft im Kopf ist die einer anderen Partie",
    "the header names a viewer that there is not": "der Kopf nennt eine Sicht, die es nicht gibt",
    "this entry is not what was written, or the root beside it":
        "dieser Eintrag ist nicht, was geschrieben wurde, oder die Wurzel daneben nicht",
    "the checkpoint of {} entries is of others": "der Prüfpunkt über {} Einträge gilt für andere",
    "a receipt is for {} entries, the file ends before, with {}: get a newer one":
        "eine Quittung gilt für {} Einträge, die Datei endet davor, mit {}: Hol dir eine neuere",
    "a receipt for {} entries is of others: one of both was rewritten":
        "eine Quittung über {} Einträge gilt für andere: Eines von beiden wurde umgeschrieben",
    "a receipt is of {}": "eine Quittung gehört zu {}",
    "no receipts were given": "keine Quittungen angegeben",
    "from entry {} on two files tell this match differently (root, time, key): {} / {}":
        "ab Eintrag {} erzählen zwei Dateien diese Partie verschieden (Wurzel, Zeit, Schlüssel): {} / {}",
    "the transfer payload is not the one it left with, or is not for this viewer":
        "das Umzugsgut ist nicht das, mit dem sie umzog, oder nicht für diese Sicht",
    "the part {} is another": "der Teil {} ist ein anderer",
    "the part {} is missing, or more is here": "der Teil {} fehlt, oder es sind mehr da",
    "a part is here that not everybody may see": "hier steht ein Teil, den nicht alle sehen dürfen",
    "nothing is opened for this viewer": "für diese Sicht ist nichts aufgedeckt",
    "{} cannot have made it for {}": "{} kann ihn nicht für {} gemacht haben",
    "a secret is committed to where none is due": "ein Geheimnis wird festgelegt, wo keines fällig ist",
    "the secret is not for this viewer, or not yet": "das Geheimnis ist nicht für diese Sicht, oder noch nicht",
    "rules and lots of tournaments are judged by referee verify alone":
        "Regeln und Lose von Turnieren prüft nur referee verify",
    "a secret is told twice": "ein Geheimnis steht doppelt da",
    "the secret {} is missing, or not the one committed to": "das Geheimnis {} fehlt oder ist nicht das festgelegte",
    "a draw is told twice": "eine Ziehung steht doppelt da",
    "the salt of the part {} is another": "das Salz des Teils {} ist ein anderes",
    "no draw where one is due, or one where none is": "eine Ziehung fehlt, oder eine ist da, wo keine fällig ist",
    "the secret gives other numbers": "das Geheimnis ergibt andere Zahlen",
    "this is not what was drawn, or not how to draw": "das wurde nicht gezogen, oder so wird nicht gezogen",
    "draws for entries that are not here": "Ziehungen zu Einträgen, die nicht da sind",
    "not the seed that was committed to": "nicht der Startwert, der festgelegt war",
    "the hash of its text is not the one in the log": "der Hash seines Texts ist nicht der im Log",
    "none was played with": "es wurde ohne gespielt",
    "it arrives before it has left": "sie kommt an, bevor sie umgezogen ist",
    "it is said to be older than an entry before it": "er soll älter sein als ein Eintrag vor ihm",
    "this time is still to come": "diese Zeit liegt noch in der Zukunft",
    "the file is said to be older than its last entry": "die Datei soll älter sein als ihr letzter Eintrag",
    "the key {} is said to be younger than what it signed":
        "der Schlüssel {} soll jünger sein als das, was er signiert hat",
    "the match is said to be much older than the server's first key":
        "die Partie soll viel älter sein als der erste Schlüssel des Servers",
    "the checkpoint of the log of roots: {}": "der Prüfpunkt des Wurzel-Logs: {}",
    "it does not lie where it is said to": "sie liegt nicht da, wo sie liegen soll",
    "what was published is of {}, {} entries": "was veröffentlicht wurde, ist von {}, {} Einträge",
    "none was published yet": "es wurde noch keine veröffentlicht",
    "the cosignature of {}: {}": "die Mitsignatur von {}: {}",
    "this time is after the cosignature of {} over it": "diese Zeit liegt nach der Mitsignatur von {} darüber",
    "the witness {} vouches for the match up to entry {}, on {}":
        "der Zeuge {} bürgt für die Partie bis Eintrag {}, am {}",
    "the witness {} cosigned {} entries of {}, on {}": "der Zeuge {} hat {} Einträge von {} mitsigniert, am {}",
    "a cosignature by {} was not judged: you gave no --witness key of that name":
        "eine Mitsignatur von {} wurde nicht geprüft: Du hast dazu keinen Schlüssel angegeben (--witness)",
    "a timestamp is over a checkpoint that does not stand here":
        "ein Zeitstempel gehört zu einem Prüfpunkt, der nicht hier steht",
    "a timestamp is not over its checkpoint": "ein Zeitstempel gehört nicht zu seinem Prüfpunkt",
    "a timestamp that names {} was NOT judged: --write-stamps FOLDER writes it out, and there "
    "openssl ts -verify -data checkpoint -in response.tsr -CAfile CERTIFICATES judges it":
        "ein Zeitstempel, der {} nennt, wurde NICHT geprüft: --write-stamps ORDNER schreibt ihn heraus, und dort prüft "
        "ihn openssl ts -verify -data checkpoint -in response.tsr -CAfile ZERTIFIKATE",
    "two root logs of {} entries were signed: {} / {}": "zwei Wurzel-Logs mit {} Einträgen wurden signiert: {} / {}",
    "a checkpoint of {} with {} entries: only its server can prove that the log only grew "
    "(referee verify --server URL)":
        "ein Prüfpunkt von {} mit {} Einträgen: Dass das Log nur gewachsen ist, kann nur der Server beweisen "
        "(referee verify --server URL)",
    "a checkpoint of {}: no log of roots of a server that the files name":
        "ein Prüfpunkt von {}: kein Wurzel-Log eines Servers, den die Dateien nennen",
    "this is no refusal": "das ist keine Ablehnung",
    "a refusal is upon entry {}, the file ends before: get a newer one":
        "eine Ablehnung gilt nach Eintrag {}, die Datei endet davor: Hol dir eine neuere",
    "a refusal is upon another history: one of both was rewritten":
        "eine Ablehnung gilt für einen anderen Verlauf: Eines von beiden wurde umgeschrieben",
    "its move is another than the one refused": "ihr Zug ist ein anderer als der abgelehnte",
    "a refusal: {}": "eine Ablehnung: {}",
    "the server signed that it refused this move of player {} upon entry {} ({}); whether the "
    "rules allow it is NOT judged here, but by referee verify --refusals":
        "der Server hat signiert, dass er diesen Zug von Spieler {} nach Eintrag {} abgelehnt hat ({}); ob die Regeln "
        "ihn erlauben, wird hier NICHT geprüft, sondern von referee verify --refusals",
    "a refusal is of another match than these files": "eine Ablehnung gehört zu einer anderen Partie als diese Dateien",
    "what it holds cannot be checked: {}": "was darin steht, lässt sich nicht prüfen: {}",
    "the match is not played again here": "die Partie wird hier nicht nachgespielt",
    "with entry {} the match came to {}": "mit Eintrag {} kam die Partie auf den Server {}",
    "with entry {} the match moved without the consent of player {}":
        "mit Eintrag {} ist die Partie ohne die Zustimmung von Spieler {} umgezogen",
    "the signature of a device does not fit": "die Signatur eines Geräts passt nicht",
    "the server left out a link that was due":
        "der Server hat ein fälliges Kettenglied weggelassen",
    "a device signed another move than this one": "ein Gerät hat einen anderen Zug signiert als diesen",
    "no device signed a move": "kein Gerät hat einen Zug signiert",
    "a device signed {} moves of player {}, the last upon all up to entry {}":
        "ein Gerät hat {} Züge von Spieler {} signiert, den letzten auf alles bis Eintrag {}",
    "{} moves of player {} are not signed by a device: {}": "{} Züge von Spieler {} hat kein Gerät signiert: {}",
    "had a share in all draws besides the server: player {}":
        "an allen Ziehungen waren außer dem Server beteiligt: Spieler {}",
    "draws of the entries {} to {}: besides the server player {} had a share":
        "Ziehungen der Einträge {} bis {}: außer dem Server beteiligt: Spieler {}",
    "draws of the entries {} to {}: nobody but the server had a share":
        "Ziehungen der Einträge {} bis {}: beteiligt war niemand außer dem Server",
    "from there on the shares in the draws change again and again":
        "von da an wechselt immer wieder, wer an den Ziehungen beteiligt war",
    "draws depend on the entries before them: with the secret one could add some to steer":
        "Ziehungen hängen von den Einträgen davor ab: Wer das Geheimnis kannte, konnte mit weiteren lenken",
    "a link is shown while the one before it has not served yet":
        "ein Kettenglied wird gezeigt, obwohl das davor noch nicht gedient hat",
    "no device added random numbers: the server alone chose the secret, from several if it liked":
        "kein Gerät hat Zufallszahlen beigetragen: Das Geheimnis wählte der Server allein, wenn er wollte aus mehreren",
    "line {}: {}": "Zeile {}: {}",
    "a {} is of {}": "{} einer anderen Partie: {}",
    "a {}: {}": "{}: {}",
}  # fmt: skip


# -- the command -------------------------------------------------------------------------------------------------------


def check_file(path: str, trusted: list[bytes], receipts: list[str], only: bool) -> dict[str, Any]:
    """Return the report on one file; receipts of other matches count if `only`."""
    return check_and_keep(path, trusted, receipts, only)[0]


def check_and_keep(
    path: str, trusted: list[bytes], receipts: list[str], only: bool, beside: Beside | None = None
) -> tuple[dict[str, Any], BundleChecks | None]:
    """Return the report on one file, and its checks if it could be read."""
    report: dict[str, Any] = {
        "file": path, "match": "", "size": 0, "trusted": bool(trusted), "receipted": 0, "keys": [], "checks": {},
        "notices": [],
    }  # fmt: skip
    try:
        found = read_bundle(path)
    except (VerificationError, OSError, EOFError, zlib.error) as why:
        return conclude({**report, "findings": [build_finding("unreadable", str(why))]}), None
    own = [note for note in receipts if only or find_receipt_match(note) == found["header"][0]["match"]]
    checks = BundleChecks(found, trusted, own, beside).run()
    report.update(match=checks.match, size=checks.size, checks=checks.states, findings=checks.findings)
    report.update(notices=checks.notices, receipted=checks.receipted)
    report["keys"] = [hashlib.sha256(key).hexdigest() for key in checks.good]
    return conclude(report), checks


def conclude(report: dict[str, Any]) -> dict[str, Any]:
    """Return the report with its exit code and its verdict."""
    code = min((each["code"] for each in report["findings"]), default=0)
    proves = report["trusted"] or report["receipted"]
    return {**report, "exit": code, "verdict": "wrong" if code else "proves" if proves else "consistent"}


def compare_files(one: dict[str, Any], ours: BundleChecks, other: dict[str, Any], theirs: BundleChecks) -> str:
    """Return where two files of one match contradict each other, side by side.

    The text is empty if they do not.
    """
    if ours.match != theirs.match or any(0 < each["exit"] < KINDS["fork"][0] for each in (one, other)):
        return ""  # of a file that is not signed soundly its own report tells
    size = min(ours.size, theirs.size)
    at = next((n for n in range(1, size + 1) if ours.roots[n] != theirs.roots[n]), 0)
    if not at:
        return ""
    sides = [f"{each['file']}: {checks.roots[at].hex()[:16]}, {checks.log[at - 1][2].get('at')} ms, "
             f"{render_key(each)}" for each, checks in ((one, ours), (other, theirs))]  # fmt: skip
    return f"from entry {at} on two files tell this match differently (root, time, key): {sides[0]} / {sides[1]}"


def render_key(report: dict[str, Any]) -> str:
    """Return the first digits of the key that signed, as people compare them."""
    key = report["keys"][-1] if report["keys"] else ""
    return " ".join(key[at : at + 4] for at in range(0, 16, 4)) + "…" if key else "–"


def print_report(report: dict[str, Any], lang: str) -> None:
    """Print a report for people."""
    de = lang == "de"
    print_line(f"{report['file']}: {report['match']} ({report['size']} {'Einträge' if de else 'entries'})")
    for name, state in report["checks"].items():
        word, _, why = state.partition(": ")
        named, states = CHECKS[name][de], STATES[word][de]
        print_line(f"  {named:<{WIDTH}} {states}{': ' if why else ''}{translate(why, lang)}")
    values = {"key": render_key(report), "size": report["size"], "upto": report["receipted"], "code": report["exit"]}
    verdict = report["verdict"]
    if verdict == "proves":
        verdict += "_key" if report["trusted"] else "_receipts"
    print_line("  " + VERDICTS[verdict][de].format(**values))
    for each in report["findings"]:
        where = f", {each['version']}" if each["version"] else ""
        why = translate(each["why"], lang)
        print_line(f"  {each['kind']} ({each['code']}{where}): {each['says'][lang]}: {why}")
    for notice in report["notices"]:
        print_line(f"  {translate(notice, lang)}")
    if unmet := report.get("unmet"):
        head = "VERLANGT, ABER NICHT ERFÜLLT (Exit-Code {})" if de else "REQUIRED BUT MISSING (exit code {})"
        print_line(f"  {head.format(UNMET)}: {'; '.join(REQUIREMENTS[name][de] for name in unmet)}")


def find_receipt_match(note: str) -> str:
    """Return the match that a receipt names."""
    return note.partition("\n")[0].rpartition("/")[2]


def print_line(text: str) -> None:
    """Print a line that cannot steer the terminal, nor break one that knows few signs."""
    seen = "".join(sign if sign.isprintable() else "?" for sign in text)
    print(seen.encode(sys.stdout.encoding or "ascii", "replace").decode(sys.stdout.encoding or "ascii"))


def read_receipts(path: str) -> list[str]:
    """Return the receipts in a file of text or of the server's JSON answers, or raise."""
    text = Path(path).read_text("utf-8")
    if text.startswith(("{", "[")):
        try:
            answers = json.loads(text)
        except ValueError:
            answers = [json.loads(line) for line in text.splitlines() if line.strip()]
        text = "".join(
            str(each[name]) for each in iterate_objects(answers) for name in ("receipt", "note") if each.get(name)
        )
    notes = NOTE.findall(text)
    if not notes or NOTE.sub("", text).strip():
        raise VerificationError(f"{path} holds no receipts, or not only receipts")
    return notes


def read_refusals(path: str) -> list[Line]:
    """Return the refusals in a file, each with note, nonce and move, or raise."""
    found = [json.loads(line) for line in Path(path).read_text("utf-8").split("\n") if line.strip()]
    fits = (isinstance(each, dict) and set(each) == {"note", "nonce", "move"} for each in found)
    if not found or not all(fits) or not all(isinstance(each["note"], str) for each in found):
        raise VerificationError(f"{path} holds no refusals, or not only refusals")
    return found


def write_stamps(folder: str, read: Iterable[BundleChecks]) -> None:
    """Write each timestamp in the files into a folder, as OpenSSL reads it."""
    for line in (line for checks in read for line in checks.found["stamp"]):
        place = Path(folder) / hashlib.sha256(line["response"]).hexdigest()[:16]
        place.mkdir(parents=True, exist_ok=True)
        (place / "checkpoint").write_bytes(line["note"].encode())
        (place / "response.tsr").write_bytes(line["response"])


def parse_requirements(given: str) -> list[str]:
    """Return what is required, or raise."""
    names = [name.strip() for name in given.split(",") if name.strip()]
    if unknown := set(names) - set(REQUIREMENTS):
        raise VerificationError(f"--require: {min(unknown)} is none of {', '.join(REQUIREMENTS)}")
    return names


def tell_of_rest(read: list[tuple[dict[str, Any], BundleChecks]], beside: Beside, refusals: list[Line]) -> None:
    """Add to the reports what refusals say, and what is of none of these files."""
    first = read[0][1]
    for note in beside.roots:
        store, _, kind = note.partition("\n")[0].rpartition("/")
        if kind != "roots" or not any(store in checks.vouch for _, checks in read):
            about = f"{store}/{kind}"
            first.add_finding("signature", f"a checkpoint of {about}: no log of roots of a server that the files name")
    for kept in refusals:
        try:
            match = parse_refusal(kept["note"])[1]
        except VerificationError as why:
            first.add_finding("signature", f"a refusal: {why}")
            continue
        own = sorted((checks for _, checks in read if checks.match == match), key=lambda checks: -checks.size)
        if own:
            own[0].look_at_refusal(kept)
        else:
            first.notices.append("a refusal is of another match than these files")
    for report, _ in read:
        report.update(conclude(report))


def main(given: list[str] | None = None) -> int:
    """Run the command, and return its exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("files", nargs="+", metavar="FILE", help="a bundle")
    parser.add_argument("--receipts", nargs="+", action="extend", default=[], metavar="FILE", help="receipts you kept")
    parser.add_argument("--key", action="append", default=[], help="a key you trust: a file, PEM, base64, key line")
    parser.add_argument("--roots", nargs="+", action="extend", default=[], metavar="FILE",
                        help="checkpoints of the server's log of roots")  # fmt: skip
    parser.add_argument("--witness", action="append", default=[], metavar="KEY", help="the key line of a witness")
    parser.add_argument("--refusals", nargs="+", action="extend", default=[], metavar="FILE",
                        help="refusals you kept: note, nonce and move as JSON, one a line")  # fmt: skip
    parser.add_argument("--require", default="", metavar="WHAT,...",
                        help=f"exit with {UNMET} unless all of these are there: {', '.join(REQUIREMENTS)}")  # fmt: skip
    parser.add_argument("--write-stamps", metavar="FOLDER", help="write the timestamps in the files for OpenSSL")
    parser.add_argument("--lang", choices=("en", "de"), default="en")
    parser.add_argument("--json", action="store_true", help="print one JSON value")
    options = parser.parse_args(given)
    try:
        trusted = [parse_public_key(key) for key in options.key]
        receipts = [note for path in options.receipts for note in read_receipts(path)]
        roots = [note for path in options.roots for note in read_receipts(path)]
        refusals = [each for path in options.refusals for each in read_refusals(path)]
        beside = Beside(roots, dict(parse_witness_key(key) for key in options.witness))
        required = parse_requirements(options.require)
    except (VerificationError, OSError, ValueError, RecursionError) as why:
        parser.error(str(why))
    kept = [check_and_keep(path, trusted, receipts, len(options.files) == 1, beside) for path in options.files]
    reports = [report for report, _ in kept]
    read = [(report, checks) for report, checks in kept if checks is not None]
    for n, (report, checks) in enumerate(read):
        told = [compare_files(*before, report, checks) for before in read[:n]]
        report["findings"] += [build_finding("fork", why) for why in told if why]
        report.update(conclude(report))
    known = {report["match"] for report in reports if report["match"]}
    if len(reports) > 1 and known and (strays := {find_receipt_match(note) for note in receipts} - known):
        first = next(report for report in reports if report["match"])
        first["findings"] += [build_finding("version", f"a receipt is of {stray}") for stray in sorted(strays)]
        first.update(conclude(first))
    if read:
        tell_of_rest(read, beside, refusals)
    for report, checks in read:
        report["unmet"] = checks.list_unmet(required)
    if options.write_stamps is not None:
        try:
            write_stamps(options.write_stamps, [checks for _, checks in read])
        except (OSError, ValueError) as why:
            parser.error(str(why))
    if options.json:
        print(json.dumps(reports, indent=1))
    for report in [] if options.json else reports:
        print_report(report, options.lang)
    missing = UNMET if any(report.get("unmet") for report in reports) else 0
    return min((report["exit"] for report in reports if report["exit"]), default=missing)


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):  # as other programs: when nobody reads on, as after `head`, it ends without a word
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
