"""The bundle: one match as one file of lines, each a canonical JSON object.

Canonical is the form of RFC 8785 for such data. The first line is the header, the last one counts the lines before it.
Between them are, in this order: the public keys, those of servers where the match was before, the card book if there is
one, the entries, the secrets of the draws once they may be disclosed, what was drawn with them, checkpoints, where the
final root was published, timestamps over that, and the transfer payload of a match on its way to another server.

What the bundle's viewer may not see is not in it. An entry has its envelope, which binds all of it, and the parts that
the viewer may open. Reading a bundle checks its form and nothing else.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

import orjson

from referee.engine.codec import MAX_SAFE_INTEGER, encode_canonical
from referee.eventstore.contract import MAX_ENTRY_BYTES

FORMAT = "referee.bundle/1"
LONGEST_LINE = 4 * MAX_ENTRY_BYTES  # of an entry that is escaped twice
MOST_LINES = 200_000
DIGITS = re.compile("[0-9a-f]*")


class BundleError(ValueError):
    """A file is no bundle, or an incomplete one.

    `line` (from 1) says where, the message says what.
    """

    def __init__(self, line: int, detail: str) -> None:
        super().__init__(f"line {line}: {detail}")
        self.line, self.detail = line, detail


@dataclass(frozen=True, slots=True)
class BundleHeader:
    """Which log this is, up to which entry, and for which viewer.

    `eyes` is the viewer: `public`, a seat's number, `full` (everything, after the end), `sealed` (everything at any
    time, which a server keeps for itself), or `moving` (the same with the secrets of the draws and the transfer
    payload, for the server to which a match goes). `origin` is that of its checkpoints, `made_ms` when the bundle was
    made, `program` what made it.
    """

    KIND: ClassVar[str] = "header"
    match: str
    origin: str
    eyes: str
    game: str
    variant: str
    edition: str
    ruleset: str
    status: str
    size: int
    made_ms: int
    program: str
    format: str = FORMAT


@dataclass(frozen=True, slots=True)
class KeyLine:
    """A public key (Ed25519, 32 bytes) that signed checkpoints, oldest first.

    `statement` is the note by which the key before it named it (empty for the first).
    """

    KIND: ClassVar[str] = "key"
    public: bytes
    since_ms: int
    statement: str = ""


@dataclass(frozen=True, slots=True)
class FormerKeyLine:
    """A public key of a server where the match was before (`store`).

    The oldest of each server comes first. `statement` is that of a KeyLine.
    """

    KIND: ClassVar[str] = "former"
    store: str
    public: bytes
    since_ms: int
    statement: str = ""


@dataclass(frozen=True, slots=True)
class BookLine:
    """The text of the match's card book; the log names its hash."""

    KIND: ClassVar[str] = "book"
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class OpenedPart:
    """What a viewer saw of an entry: the bytes behind a commitment, and their salt.

    `who` is a seat's number or `full`.
    """

    who: str
    salt: bytes
    part: str


@dataclass(frozen=True, slots=True)
class EntryLine:
    """An entry: its envelope as hashed, the root including it, and the opened parts."""

    KIND: ClassVar[str] = "entry"
    version: int
    envelope: str
    root: bytes
    parts: tuple[OpenedPart, ...] = ()


@dataclass(frozen=True, slots=True)
class SecretLine:
    """The secret behind draws and salts from one commitment in the log to the next.

    `generation` counts them.
    """

    KIND: ClassVar[str] = "secret"
    generation: int
    secret: bytes


@dataclass(frozen=True, slots=True)
class DrawLine:
    """What the server drew for an entry, and from which stream.

    `below` are the limits of the draws and `gave` their results. `pile` are the cards in their order before a shuffle
    or a pick.
    """

    KIND: ClassVar[str] = "draw"
    version: int
    generation: int
    purpose: str
    below: tuple[int, ...]
    gave: tuple[int, ...]
    pile: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckpointLine:
    """A signed checkpoint of the match, as a C2SP note."""

    KIND: ClassVar[str] = "checkpoint"
    note: str


@dataclass(frozen=True, slots=True)
class PublishedRootLine:
    """Where the server published a root of this match in its root log.

    It has the leaf's data and place, the path to the root of the log's checkpoint, and that checkpoint. There may be
    several, with checkpoints of different sizes: which of them others vouch for differs.
    """

    KIND: ClassVar[str] = "published"
    leaf: str
    index: int
    path: tuple[bytes, ...]
    note: str


@dataclass(frozen=True, slots=True)
class StampLine:
    """A timestamp (RFC 3161) over the checkpoint of one of the lines before.

    `note` is that checkpoint, byte by byte, and `response` the answer of the timestamp authority, in DER.
    """

    KIND: ClassVar[str] = "stamp"
    note: str
    response: bytes


@dataclass(frozen=True, slots=True)
class PayloadLine:
    """The transfer payload of a match, or a piece of a long one.

    The payload (`referee/transfer/payload.py`) is the text of all lines of this kind, in order.
    """

    KIND: ClassVar[str] = "luggage"
    text: str


@dataclass(frozen=True, slots=True)
class EndLine:
    """The last line: the number of lines before it, which reveals a file that was cut."""

    KIND: ClassVar[str] = "end"
    lines: int


BundleLine = (
    BundleHeader
    | KeyLine
    | FormerKeyLine
    | BookLine
    | EntryLine
    | SecretLine
    | DrawLine
    | CheckpointLine
    | PublishedRootLine
    | StampLine
    | PayloadLine
    | EndLine
)
LINE_ORDER = (
    BundleHeader,
    KeyLine,
    FormerKeyLine,
    BookLine,
    EntryLine,
    SecretLine,
    DrawLine,
    CheckpointLine,
    PublishedRootLine,
    StampLine,
    PayloadLine,
)
LINE_KINDS: dict[str, type] = {kind.KIND: kind for kind in (*LINE_ORDER, EndLine)}
SINGLE_KINDS = (BundleHeader, BookLine)


@dataclass(frozen=True)
class Bundle:
    """A bundle that was read, by kind of line."""

    header: BundleHeader
    keys: tuple[KeyLine, ...] = ()
    book: BookLine | None = None
    entries: tuple[EntryLine, ...] = ()
    secrets: tuple[SecretLine, ...] = ()
    draws: tuple[DrawLine, ...] = ()
    checkpoints: tuple[CheckpointLine, ...] = ()
    published: tuple[PublishedRootLine, ...] = ()
    former: tuple[FormerKeyLine, ...] = ()
    payload: tuple[PayloadLine, ...] = ()
    stamps: tuple[StampLine, ...] = ()
    lines: dict[str, int] = field(default_factory=dict, compare=False)  # `entry 7` -> the number of its line

    @property
    def all_lines(self) -> Iterator[BundleLine]:
        """The lines in their order, without the last one."""
        yield self.header
        yield from self.keys
        yield from self.former
        if self.book is not None:
            yield self.book
        yield from self.entries
        yield from self.secrets
        yield from self.draws
        yield from self.checkpoints
        yield from self.published
        yield from self.stamps
        yield from self.payload


# -- writing -----------------------------------------------------------------------------------------------------------


def encode_bundle(lines: Iterable[BundleLine]) -> Iterator[bytes]:
    """Yield the bytes of a bundle, line by line, and add the end."""
    count = 0
    for line in lines:
        count += 1
        yield encode_line(line)
    yield encode_line(EndLine(count))


def encode_line(line: BundleLine) -> bytes:
    """Return the bytes of one line, with its line break."""
    plain = {part.name: _encode_value(getattr(line, part.name)) for part in fields(line)}
    return encode_canonical({"kind": line.KIND, **plain}) + b"\n"


def _encode_value(value: Any) -> Any:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, tuple):
        return [_encode_value(part) for part in value]
    if isinstance(value, OpenedPart):
        return {"who": value.who, "salt": _encode_value(value.salt), "part": value.part}
    return value


# -- reading -----------------------------------------------------------------------------------------------------------


def decode_bundle(lines: Iterable[bytes]) -> Bundle:
    """Return the bundle of these lines, each with or without its line break.

    Raises BundleError if a line is malformed, in the wrong place or repeated, or if the end is missing.
    """
    found: dict[type, list[Any]] = {kind: [] for kind in LINE_ORDER}
    where: dict[str, int] = {}
    rank, number, ended = 0, 0, False
    for number, raw in enumerate(lines, 1):
        if ended:
            raise BundleError(number, "something follows the end")
        if number > MOST_LINES:
            raise BundleError(number, f"a bundle has at most {MOST_LINES} lines")
        line = decode_line(raw, number)
        if isinstance(line, EndLine):
            if line.lines != number - 1:
                raise BundleError(
                    number, f"{line.lines} lines were written before this one, and {number - 1} are there"
                )
            ended = True
            continue
        here = LINE_ORDER.index(type(line))
        if here < rank or (number == 1) != (here == 0):
            raise BundleError(number, f"a line of kind {line.KIND} does not belong here")
        if here == rank and type(line) in SINGLE_KINDS and found[type(line)]:
            raise BundleError(number, f"a bundle has one line of kind {line.KIND}")
        rank = here
        where[f"{line.KIND} {len(found[type(line)]) + 1}"] = number
        found[type(line)].append(line)
    if not found[BundleHeader]:
        raise BundleError(1, "the file is empty")
    if not ended:
        raise BundleError(number, "the end is missing: the file was cut")
    book = found[BookLine][0] if found[BookLine] else None
    keys, former = tuple(found[KeyLine]), tuple(found[FormerKeyLine])
    entries, secrets, draws, checkpoints, published, stamps, payload = (tuple(found[kind]) for kind in LINE_ORDER[4:])
    return Bundle(
        found[BundleHeader][0], keys, book, entries, secrets, draws, checkpoints, published, former, payload, stamps,
        where,
    )  # fmt: skip


def decode_line(raw: bytes, number: int) -> BundleLine:
    """Decode one line.

    Raises BundleError if it is no canonical JSON object, of an unknown kind or format, or has a wrong field.
    """
    if len(raw) > LONGEST_LINE:
        raise BundleError(number, "the line is too long")
    raw = raw.removesuffix(b"\n")
    try:
        data = orjson.loads(raw)
    except orjson.JSONDecodeError:
        raise BundleError(number, "no JSON") from None
    kind = (
        LINE_KINDS.get(data.pop("kind", "")) if isinstance(data, dict) and isinstance(data.get("kind"), str) else None
    )
    if kind is None:
        raise BundleError(number, "no line of a bundle")
    if kind is BundleHeader and data.get("format") != FORMAT:
        raise BundleError(number, f"the format is not {FORMAT}")
    names = {part.name for part in fields(kind)}
    if set(data) != names:
        raise BundleError(number, f"the fields are {', '.join(sorted(names))}")
    values = {part.name: _decode_value(str(part.type), data[part.name], part.name, number) for part in fields(kind)}
    line: BundleLine = kind(**values)
    if encode_line(line) != raw + b"\n":
        raise BundleError(number, "the line is not in its one proper form")
    return line


def _decode_value(hint: str, data: Any, name: str, number: int) -> Any:
    """Return a field's value, of the type that its class names."""
    wrong = BundleError(number, f"the field {name} is malformed")
    if hint == "int":
        if type(data) is not int or not 0 <= data < MAX_SAFE_INTEGER:
            raise wrong
        return data
    if hint == "str":
        if not isinstance(data, str):
            raise wrong
        return data
    if hint == "bytes":
        try:
            return base64.b64decode(data, validate=True)
        except (binascii.Error, ValueError, TypeError):
            raise wrong from None
    if not isinstance(data, list):
        raise wrong
    inner = hint.removeprefix("tuple[").removesuffix(", ...]")
    if inner != "OpenedPart":
        return tuple(_decode_value(inner, each, name, number) for each in data)
    if not all(isinstance(each, dict) and set(each) == {"who", "salt", "part"} for each in data):
        raise wrong
    return tuple(
        OpenedPart(
            _decode_value("str", each["who"], name, number),
            _decode_value("bytes", each["salt"], name, number),
            _decode_value("str", each["part"], name, number),
        )
        for each in data
    )
