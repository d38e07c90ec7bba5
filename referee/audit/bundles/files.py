"""What people give to a verifier: bundle files, receipts they kept, trusted keys."""

from __future__ import annotations

import base64
import binascii
import gzip
import zlib
from collections.abc import Iterator
from io import BufferedReader, BytesIO
from pathlib import Path

import orjson
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key

from referee.audit.bundles.format import LONGEST_LINE, Bundle, BundleError, decode_bundle
from referee.transparency.receipts import DASH, ED25519, MAX_NOTE_CHARACTERS, compute_key_id

MOST_BYTES = 64 * 1024 * 1024  # the longest bundle, unpacked
GZIP_MAGIC = b"\x1f\x8b"  # the start of a file packed by gzip
KEY_BYTES = 32
BASE64 = 44  # digits of a key in base64
MOST_NOTES = 10_000
NOTE_KEYS = ("receipt", "note", "checkpoint")  # the fields in which the API's answers hold one


class ReceiptFileError(ValueError):
    """A file holds no receipts; the message says why."""


class PublicKeyError(ValueError):
    """A text is no public key; the message says why."""


# -- bundles -----------------------------------------------------------------------------------------------------------


def read_bundle_file(path: Path) -> Bundle:
    """Return the bundle in a file, packed by gzip or not. Raises BundleError, OSError."""
    with path.open("rb") as source:
        return read_bundle_stream(source)


def parse_bundle_bytes(raw: bytes) -> Bundle:
    """Return the bundle in these bytes. Raises BundleError."""
    return read_bundle_stream(BufferedReader(BytesIO(raw)))


def read_bundle_stream(source: BufferedReader) -> Bundle:
    """Return the bundle in a stream of bytes, and read no more than one may have.

    Raises BundleError, OSError.
    """
    if source.peek(len(GZIP_MAGIC))[: len(GZIP_MAGIC)] != GZIP_MAGIC:
        return decode_bundle(_read_lines(source))
    try:
        with gzip.GzipFile(fileobj=source, mode="rb") as unpacked:
            return decode_bundle(_read_lines(unpacked))
    except (gzip.BadGzipFile, EOFError, zlib.error) as wrong:
        raise BundleError(1, f"the file is not packed correctly: {wrong}") from None


def _read_lines(source: BufferedReader | gzip.GzipFile) -> Iterator[bytes]:
    """Yield the lines of a stream; one that is too long is cut, and then refused."""
    total = 0
    while line := source.readline(LONGEST_LINE + 1):
        total += len(line)
        if total > MOST_BYTES:
            raise BundleError(1, f"the file is longer than {MOST_BYTES // 1024 // 1024} MB")
        yield line


# -- receipts ----------------------------------------------------------------------------------------------------------


def parse_notes(raw: bytes) -> list[str]:
    """Return the signed notes in a file. Nobody has checked their signatures yet.

    They are text, one after another, or JSON: answers of the API that hold them, a list, or one on each line. Raises
    ReceiptFileError.
    """
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        raise ReceiptFileError("there is no text in it") from None
    found = _parse_json_notes(text) if text.lstrip()[:1] in ("{", "[", '"') else list(_parse_text_notes(text))
    if len(found) > MOST_NOTES or any(len(note) > MAX_NOTE_CHARACTERS for note in found):
        raise ReceiptFileError("there are too many receipts in it, or too long ones")
    if not any(f"\n\n{DASH}" in note for note in found):  # another file was given by mistake: that accuses nobody
        raise ReceiptFileError("nothing in it is signed")
    return found


def _parse_text_notes(text: str) -> Iterator[str]:
    """Yield notes that follow each other: each ends with its last signature line.

    Signatures come after an empty line, so a line of the text before may begin as they do.
    """
    lines: list[str] = []
    for line in text.replace("\r\n", "\n").removesuffix("\n").split("\n"):
        if "\n" in lines and lines[-1].startswith(DASH) and not line.startswith(DASH):
            yield "".join(lines)
            lines = []
        if lines or line.strip():
            lines.append(f"{line}\n")
    if lines:
        yield "".join(lines)


def _parse_json_notes(text: str) -> list[str]:
    try:
        waiting = [orjson.loads(text)]
    except orjson.JSONDecodeError:
        try:
            waiting = [orjson.loads(line) for line in text.splitlines() if line.strip()]
        except orjson.JSONDecodeError:
            raise ReceiptFileError("it is neither text nor JSON") from None
    found: list[str] = []
    waiting.reverse()
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, list):
            waiting += reversed(value)
        elif isinstance(value, dict):
            waiting += [value[name] for name in NOTE_KEYS if isinstance(value.get(name), str | dict)]
    return found


# -- keys --------------------------------------------------------------------------------------------------------------


def parse_public_key(text: str) -> bytes:
    """Return the 32 bytes of an Ed25519 public key.

    The text is PEM, a verifier key of signed notes (`name+id+key`), base64 or hex. Raises PublicKeyError.
    """
    text = text.strip()
    if text.startswith("-----BEGIN"):
        return _parse_pem_key(text)
    if len(text) != BASE64 and (found := _parse_verifier_key(text)) is not None:
        return found
    if len(text) == 2 * KEY_BYTES:
        try:
            return bytes.fromhex(text)
        except ValueError:
            raise PublicKeyError("this is no public key") from None
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise PublicKeyError("this is no public key") from None
    if len(raw) != KEY_BYTES:
        raise PublicKeyError(f"a public key has {KEY_BYTES} bytes, not {len(raw)}")
    return raw


def _parse_pem_key(text: str) -> bytes:
    try:
        key = load_pem_public_key(text.encode())
    except (ValueError, UnsupportedAlgorithm):
        raise PublicKeyError("this is no public key in PEM") from None
    if not isinstance(key, Ed25519PublicKey):
        raise PublicKeyError("this key is not Ed25519")
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def _parse_verifier_key(text: str) -> bytes | None:
    """Return the key of `<name>+<id>+<base64>`, or None if the text has no such form.

    The base64 may contain a plus. Raises PublicKeyError if the key is malformed.
    """
    name, plus, rest = text.partition("+")
    given, plus_too, encoded = rest.partition("+")
    if not (name and plus and plus_too) or len(given) != 8:
        return None
    try:
        raw = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        raise PublicKeyError("this is no verifier key") from None
    if raw[:1] != ED25519 or len(raw) != KEY_BYTES + 1:
        raise PublicKeyError("this verifier key is not Ed25519")
    if compute_key_id(name, raw[1:]).hex() != given:
        raise PublicKeyError("the id in this verifier key is not that of its key")
    return raw[1:]
