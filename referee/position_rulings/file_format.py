"""A file that says what a table quarrels about, in YAML or JSON: read, and written as an example to start from.

The members are those of `POST /v1/games/{game}/rulings`, and `game`. A file is input like any other: it may be no
larger than a request, no alias and no tag of YAML is taken, and what is wrong is told with line and member.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from referee.engine.codec import Unreadable, decode_named, encode
from referee.engine.events import Move
from referee.engine.game import Game, Impossible, Malformed
from referee.engine.referee import awaited, near
from referee.engine.rulebook.book import Misprint
from referee.engine.seats import CHANCE, Seat
from referee.games import games
from referee.games.files import Marked, marked_text
from referee.position_rulings.judging import WORDS, judged
from referee.position_rulings.request import (
    CLAIMS,
    LONGEST_SAYS,
    MOST_PARTIES,
    MOST_SEEN,
    Misasked,
    Quarrel,
    quarrel_of,
)
from referee.rendering.html import shown
from referee.repository.card_books import Library, UnknownEdition

BYTES = 64 * 1024
LARGEST = 2**53 - 1
NEEDED = ("game", "position", "seat", "move")
BESIDE = ("variant", "edition", "settings")  # what may stand beside the position as well as in it
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
PAIR = re.compile(r"(?<!\\)((?:\\\\)*)\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
Wrong = list[dict[str, str]]


class BadFile(ValueError):
    """A file cannot be judged; the message has a line `file:line: member: what is wrong` for each error."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a file asks."""

    game: Game
    position: dict[str, Any]
    seat: Seat
    move: Move
    quarrel: Quarrel
    beside: frozenset[str]


def ruling_of(text: bytes, file: str, library: Library | None = None) -> tuple[Game, dict[str, Any]]:
    """The game and the ruling that a file asks for; `library`: the card books that it may name. Raises BadFile."""
    data = _read(text, file)
    try:
        asked = asked_of(data, library)
        return asked.game, judged(asked.game, asked.position, asked.seat, asked.move, asked.quarrel)
    except Misasked as wrong:
        raise BadFile(_lines(file, data, wrong.errors)) from wrong
    except Malformed as wrong:
        errors = [{**error, "pointer": _placed(error["pointer"], asked.beside)} for error in wrong.errors]
        if isinstance(wrong, Impossible):
            errors = [{**error, "detail": f"{error['detail']} ({error.get('clause', '')})"} for error in errors]
        raise BadFile(_lines(file, data, errors)) from wrong


def asked_of(data: Mapping[str, Any], library: Library | None = None) -> Asked:
    """What the data of a file ask; `library`: the card books that they may name. Raises Misasked with everything that
    is wrong with its form."""
    wrong: Wrong = []
    plain = _plain(data, "", wrong)
    _shaped(plain, MEMBERS, NEEDED, "", wrong)
    for at, each in enumerate(plain.get("says", ()) if isinstance(plain.get("says"), list) else ()):
        if isinstance(each, dict):
            _shaped(each, SAYS, ("seat",), f"/says/{at}", wrong)
    if wrong:
        raise Misasked(wrong)
    game = games().get(plain["game"])
    if game is None:
        raise Misasked([{"pointer": "/game", "detail": f"One of {', '.join(games())}."}])
    move = _move(game, plain["move"])
    position, beside = _position(game, plain, library)
    seat = CHANCE if plain["seat"] == "chance" else Seat(plain["seat"])
    return Asked(game, position, seat, move, quarrel_of(game, plain), beside)


def example(game: Game, variant: str, lang: str) -> str:
    """A file to start from: a position of the game, and a quarrel about a move that is not legal there. Raises
    LookupError if the game has no example in which somebody could err."""
    for position in game.examples(variant):
        state = game.position(position)
        for seat in sorted(each for each in awaited(state) if each >= 0):
            move = next((encode(move) for move, _ in near(state, seat)), None)
            if move is not None:
                other = (seat + 1) % game.seats_at(state)
                asked = {
                    "game": game.name,
                    "variant": variant,
                    "position": {name: value for name, value in position.items() if name != "variant"},
                    "seat": int(seat),
                    "move": move,
                    "claim": "illegal_move",
                    "says": [
                        {"seat": int(seat), "says": WORDS["example.for"][lang], "legal": True},
                        {"seat": int(other), "says": WORDS["example.against"][lang], "legal": False},
                    ],
                }
                body = yaml.safe_dump(asked, sort_keys=False, allow_unicode=True, width=110)
                return "".join(f"# {line}\n" for line in WORDS["example.head"][lang].splitlines()) + body
    raise LookupError(f"{game.name} has no example of a mistake")


def _read(text: bytes, file: str) -> Marked:
    if len(text) > BYTES:
        raise BadFile(f"{file}:1: a file has up to {BYTES} bytes")
    try:
        read = text.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise BadFile(f"{file}:{text.count(10, 0, wrong.start) + 1}: what stands here is no UTF-8") from wrong
    if read.lstrip()[:1] == "{":  # YAML takes JSON but for its tabs (no text in it has any), and signs written as two
        read = PAIR.sub(_joined, read.replace("\t", " "))
    try:
        data = marked_text(read, file)
    except Misprint as wrong:
        raise BadFile(shown(str(wrong))) from wrong
    if not isinstance(data, Marked):
        raise BadFile(f"{file}:1: members are needed: {', '.join(NEEDED)}")
    return data


def _joined(pair: re.Match[str]) -> str:
    """The sign that JSON writes as a surrogate pair (RFC 8259, section 7)."""
    return pair[1] + chr(0x10000 + ((int(pair[2], 16) & 0x3FF) << 10) + (int(pair[3], 16) & 0x3FF))


def _plain(value: Any, pointer: str, wrong: Wrong) -> Any:
    """The value as JSON data, without the lines. What JSON has not, as a date or a fraction, is noted as wrong."""
    if isinstance(value, dict):
        return {key: _plain(below, f"{pointer}/{_step(key)}", wrong) for key, below in value.items()}
    if isinstance(value, list):
        return [_plain(below, f"{pointer}/{at}", wrong) for at, below in enumerate(value)]
    if isinstance(value, str):
        if value.encode("utf-8", "replace").decode() != value:
            wrong.append({"pointer": pointer, "detail": "This is no text."})
    elif isinstance(value, int):
        if abs(value) > LARGEST:
            wrong.append({"pointer": pointer, "detail": "Too large a number."})
    elif value is not None:
        detail = f"Text, a whole number, true, false or null is needed; {value} is a {type(value).__name__}."
        wrong.append({"pointer": pointer, "detail": detail})
    return value


def _step(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _text(longest: int) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        fitting = isinstance(value, str) and len(value) <= longest and not CONTROL.search(value)
        return "" if fitting else f"Text of one line is needed, of up to {longest} characters."

    return check


def _mapping(value: Any) -> str:
    return "" if isinstance(value, dict) else "Members with values are needed."


def _saw(value: Any) -> str:
    fitting = isinstance(value, dict) and len(value) <= MOST_SEEN
    return "" if fitting else f"Up to {MOST_SEEN} places of the position with their values are needed."


def _seat(value: Any) -> str:
    number = type(value) is int and 0 <= value <= 19
    return "" if number or value == "chance" else "A seat from 0 to 19 is needed, or chance."


def _party(value: Any) -> str:
    return "" if type(value) is int and 0 <= value <= 19 else "A seat from 0 to 19 is needed."


def _claim(value: Any) -> str:
    return "" if value in CLAIMS else f"One of {', '.join(CLAIMS)}."


def _says(value: Any) -> str:
    fitting = isinstance(value, list) and len(value) <= MOST_PARTIES and all(isinstance(each, dict) for each in value)
    return "" if fitting else f"A list of up to {MOST_PARTIES} parties is needed, each with seat and says."


def _legal(value: Any) -> str:
    return "" if isinstance(value, bool) else "true or false is needed."


Member = Callable[[Any], str]
SAYS: dict[str, Member] = {
    "seat": _party, "says": _text(LONGEST_SAYS), "clause": _text(64), "legal": _legal, "saw": _saw,
}  # fmt: skip
MEMBERS: dict[str, Member] = {
    "game": _text(64), "variant": _text(64), "edition": _text(64), "settings": _mapping, "position": _mapping,
    "seat": _seat, "move": _mapping, "claim": _claim, "clause": _text(64), "saw": _saw, "says": _says,
    "readings": _mapping,
}  # fmt: skip


def _shaped(
    data: Mapping[str, Any], members: Mapping[str, Member], needed: Iterable[str], where: str, wrong: Wrong
) -> None:
    """Notes members that are unknown, missing or of the wrong type."""
    for name, value in data.items():
        detail = members[name](value) if name in members else f"No such member; known: {', '.join(members)}."
        if detail:
            wrong.append({"pointer": f"{where}/{_step(name)}", "detail": detail})
    wrong += [{"pointer": f"{where}/{name}", "detail": "This is missing."} for name in needed if name not in data]


def _move(game: Game, data: dict[str, Any]) -> Move:
    try:
        move = decode_named(data, Move, "/move")
    except Unreadable as wrong:
        raise Misasked(
            [{"pointer": wrong.pointer, "detail": f"{wrong.detail[:1].upper()}{wrong.detail[1:]}."}]
        ) from wrong
    if type(move) not in game.moves:
        known = ", ".join(sorted(kind.TAG for kind in game.moves))
        raise Misasked([{"pointer": "/move/type", "detail": f"Not a move of this game; known: {known}."}])
    return move


def _position(game: Game, data: Mapping[str, Any], library: Library | None) -> tuple[dict[str, Any], frozenset[str]]:
    """The position with what stands beside it, and the names of what does. Raises Misasked."""
    position = dict(data["position"])
    variant = data.get("variant", position.get("variant", game.variants[0]))
    if variant not in game.variants:
        where = "/variant" if "variant" in data else "/position/variant"
        raise Misasked([{"pointer": where, "detail": f"One of {', '.join(game.variants)}."}])
    edition = _edition(game, position.get("edition", data.get("edition", "")), "edition" in position, library)
    if "edition" in position:
        position["edition"] = edition
    beside = frozenset(name for name in BESIDE if name in data and name not in position)
    members = game.position_schema(variant).get("properties", {})
    of = None if edition == game.edition else edition
    for name, value in (("variant", variant), ("edition", of), ("settings", data.get("settings"))):
        if value is not None and name in members:
            position.setdefault(name, value)
    return position, beside


def _edition(game: Game, given: Any, within: bool, library: Library | None) -> str:
    """The edition that is meant, its book installed; as for a server, the name of a book alone will do. Raises
    Misasked."""
    if given in ("", game.edition):
        return game.edition
    try:
        if library is None or not isinstance(given, str):
            raise UnknownEdition(given)
        return library.edition(game, given)
    except UnknownEdition:
        known = (game.edition,) if library is None else library.editions(game)
        detail = f"Known are the game's own cards, and those of the books that are handed in: {', '.join(known)}."
        raise Misasked([{"pointer": "/position/edition" if within else "/edition", "detail": detail}]) from None


def _placed(pointer: str, beside: frozenset[str]) -> str:
    """A pointer into the position as one into the file."""
    return pointer if pointer.split("/")[1:2] in ([name] for name in beside) else f"/position{pointer}"


def _lines(file: str, data: Marked, errors: Wrong) -> str:
    told = sorted((line_of(data, error["pointer"]), error["pointer"], error["detail"]) for error in errors)
    return "\n".join(shown(f"{file}:{line}: {pointer or '/'}: {detail}") for line, pointer, detail in told)


def line_of(data: Any, pointer: str) -> int:
    """The line of what a pointer leads to; as near as the file tells, for single items of a list have no line."""
    line = 1
    for part in pointer.split("/")[1:]:
        step = part.replace("~1", "/").replace("~0", "~")
        if isinstance(data, Marked):
            line = data.at(step) or line
            data = data.get(step)
        elif isinstance(data, list) and step.isdigit() and int(step) < len(data):
            data = data[int(step)]
            line = data.line if isinstance(data, Marked) else line
        else:
            break
    return line
