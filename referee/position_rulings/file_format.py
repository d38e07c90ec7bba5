"""The file in which a table writes down a position and its question (YAML, JSON).

Its members are those of `POST /v1/games/{game}/rulings`, and `game`. A file is input like any other: it may be no
larger than a request, aliases and tags of YAML are refused, and errors are reported with line and member.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import yaml

from referee.cardscript.language.located_yaml import LocatedMapping, parse_located_yaml
from referee.engine.codec import DecodeError, decode_named, encode, escape_name
from referee.engine.events import Move
from referee.engine.game import Game
from referee.engine.positions.left_out import write_member
from referee.engine.referee import find_near_misses, seats_that_must_act
from referee.engine.rulebook.book import BookError
from referee.engine.rulings import ContradictoryPosition, MalformedInput, UnjudgeablePosition
from referee.engine.seats import CHANCE, Seat
from referee.games import load_games
from referee.position_rulings.facts import MissingFacts
from referee.position_rulings.house_rulings import add_house_rulings
from referee.position_rulings.judging import rule_on_position
from referee.position_rulings.natural_names import read_natural_names
from referee.position_rulings.plain_words.renaming import find_written_pointer
from referee.position_rulings.request import (
    MEMBER_CHECKS,
    MEMBERS_BESIDE_POSITION,
    STATEMENT_CHECKS,
    MalformedQuestion,
    Question,
    check_members,
    parse_question,
    read_path,
)
from referee.position_rulings.words import RULING_TEXTS
from referee.rendering.errors import translate_errors
from referee.rendering.html import sanitize_line
from referee.rendering.input_errors import translate_input_error
from referee.repository.card_books import CardBookRepository, UnknownEdition

MAX_BYTES = 64 * 1024
MAX_INTEGER = 2**53 - 1
MOST_ROUNDS = 5  # of questions, of which some are asked only after others
REQUIRED_MEMBERS = ("game", "position", "seat", "move")
SURROGATE_PAIR_PATTERN = re.compile(r"(?<!\\)((?:\\\\)*)\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
ErrorList = list[dict[str, Any]]
T = TypeVar("T")


class FactsMissingError(ValueError):
    """A file leaves out facts that its ruling depends on.

    `facts` are those facts as data, with pointers into the file.
    """

    def __init__(self, game: Game, facts: list[dict[str, Any]]) -> None:
        super().__init__(", ".join(fact["pointer"] for fact in facts))
        self.game, self.facts = game, facts


class QuestionFileError(ValueError):
    """A file cannot be judged.

    The message has a line `file:line: member: what is wrong` for each error. `errors` are `{pointer, detail, line}`;
    the pointer is empty if the file cannot even be parsed.
    """

    def __init__(self, message: str, errors: ErrorList) -> None:
        super().__init__(message)
        self.errors = errors


@dataclass(frozen=True, slots=True)
class QuestionFile:
    """The question of a file."""

    game: Game
    position: dict[str, Any]
    seat: Seat
    move: Move
    question: Question
    members_beside: frozenset[str]


def rule_on_file(
    text: bytes,
    file: str,
    library: CardBookRepository | None = None,
    precedents: Sequence[Mapping[str, Any]] = (),
    lang: str = "en",
) -> tuple[Game, dict[str, Any]]:
    """Return the game and the ruling that a file asks for.

    `library` holds the card books that it may name; `precedents` are house rulings to judge by, if it has none of its
    own. Raises FactsMissingError and QuestionFileError.
    """
    data = _parse_text(text, file, lang)
    try:
        question_file = parse_question_file(data, library, precedents)
        return question_file.game, rule_on_position(
            question_file.game, question_file.position, question_file.seat, question_file.move, question_file.question
        )
    except MalformedQuestion as wrong:
        raise _build_file_error(file, data, translate_errors(None, wrong.errors, lang), lang) from wrong
    except MissingFacts as missing:
        beside = question_file.members_beside
        facts = [
            {**fact, "pointer": find_written_pointer(data, _to_file_pointer(fact["pointer"], beside))}
            for fact in missing.facts
        ]
        raise FactsMissingError(question_file.game, facts) from None
    except MalformedInput as wrong:
        raise _build_position_error(
            file, data, question_file.game, question_file.members_beside, wrong, lang
        ) from wrong


def apply_to_position(
    text: bytes, file: str, command: Callable[[Game, dict[str, Any]], T], lang: str = "en"
) -> tuple[Game, T]:
    """Return the game of a file, and what a command makes of its position.

    The file needs neither a move nor a seat. Raises QuestionFileError, also for what the command finds wrong with the
    position (MalformedInput).
    """
    data = _parse_text(text, file, lang)
    try:
        plain = _check_form(data, ("game", "position"))
        game = _require_game(plain)
        position, beside = _parse_position(game, plain, None)
    except MalformedQuestion as wrong:
        raise _build_file_error(file, data, translate_errors(None, wrong.errors, lang), lang) from wrong
    try:
        return game, command(game, position)
    except MalformedInput as wrong:
        raise _build_position_error(file, data, game, beside, wrong, lang) from wrong


def parse_question_file(
    data: Mapping[str, Any], library: CardBookRepository | None = None, precedents: Sequence[Mapping[str, Any]] = ()
) -> QuestionFile:
    """Return the question in the data of a file.

    `library` holds the card books that it may name. Raises MalformedQuestion with everything that is wrong with its
    form.
    """
    plain = _check_form(data, REQUIRED_MEMBERS)
    game = _require_game(plain)
    move = _parse_move(game, plain["move"])
    position, beside = _parse_position(game, plain, library)
    seat = CHANCE if plain["seat"] == "chance" else Seat(plain["seat"])
    question = add_house_rulings(game, parse_question(game, plain), plain.get("precedents", precedents))
    return QuestionFile(game, position, seat, move, question, beside)


def open_question_file(
    text: bytes, file: str, library: CardBookRepository | None = None, lang: str = "en"
) -> dict[str, Any]:
    """Return the members of a file under the names of the program, to go on with.

    It needs a game and a position; whatever else is wrong is left as it is written, and told when it is judged.
    `library` holds the card books that it may name. Raises QuestionFileError.
    """
    data, wrong = _parse_text(text, file, lang), ErrorList()
    plain: dict[str, Any] = _to_plain_data(data, "", wrong)
    needed = ("game", "position")
    check_members({name: plain[name] for name in needed if name in plain}, MEMBER_CHECKS, needed, "", wrong)
    try:
        if wrong:
            raise MalformedQuestion(wrong)
        game = _require_game(plain)
    except MalformedQuestion as bad:
        raise _build_file_error(file, data, translate_errors(None, bad.errors, lang), lang) from bad
    position = {**{name: plain[name] for name in ("variant", "edition") if name in plain}, **plain["position"]}
    if library is not None and isinstance(position.get("edition"), str):
        with suppress(UnknownEdition):
            position["edition"] = library.resolve_edition(game, position["edition"])
    plain["position"] = position
    with suppress(MalformedInput):
        plain["position"] = game.positions.read_names(position)
        if isinstance(plain.get("move"), dict):
            plain["move"] = encode(game.positions.read_move_names(position, _parse_move(game, plain["move"])))
    return plain


def build_example(game: Game, variant: str, lang: str) -> str:
    """Return a file to start from: a position, and a dispute about an illegal move.

    Raises LookupError if the game has no example in which somebody could err.
    """
    for position in game.positions.build_examples(variant):
        state = game.positions.decode_position(game.apply_newest_ruleset(position))
        for seat in sorted(each for each in seats_that_must_act(state) if each >= 0):
            move = next((move for move, _ in find_near_misses(state, seat)), None)
            if move is not None:
                other = (seat + 1) % game.count_seats(state)
                said = say_what_matters(game, position, seat, move)
                example = {
                    "game": game.name,
                    "variant": variant,
                    "position": {name: value for name, value in said.items() if name != "variant"},
                    "seat": int(seat),
                    "move": encode(move),
                    "claim": "illegal_move",
                    "says": [
                        {"seat": int(seat), "says": RULING_TEXTS["example.for"][lang], "legal": True},
                        {"seat": int(other), "says": RULING_TEXTS["example.against"][lang], "legal": False},
                    ],
                }
                body = yaml.safe_dump(example, sort_keys=False, allow_unicode=True, width=110)
                return "".join(f"# {line}\n" for line in RULING_TEXTS["example.head"][lang].splitlines()) + body
    raise LookupError(f"{game.name} has no example of a mistake")


def say_what_matters(game: Game, position: dict[str, Any], seat: Seat, move: Move) -> dict[str, Any]:
    """Return the position with all that a quarrel about the move would ask for."""
    for _ in range(MOST_ROUNDS):
        try:
            rule_on_position(game, position, seat, move, Question("illegal_move"))
        except MissingFacts as missing:
            for fact in missing.facts:
                for value in fact["fragment"].values():
                    position = write_member(position, read_path(fact["pointer"]), value)
        else:
            break
    return position


def read_file_data(text: bytes, file: str, lang: str = "en") -> dict[str, Any]:
    """Return the members of a file as plain data. Raises QuestionFileError."""
    data, wrong = _parse_text(text, file, lang), ErrorList()
    plain: dict[str, Any] = _to_plain_data(data, "", wrong)
    if wrong:
        raise _build_file_error(file, data, wrong, lang)
    return plain


def _parse_text(text: bytes, file: str, lang: str) -> LocatedMapping:
    if len(text) > MAX_BYTES:
        raise _build_text_error(file, 1, f"a file has up to {MAX_BYTES} bytes", lang)
    try:
        read = text.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = text.count(10, 0, wrong.start) + 1
        raise _build_text_error(file, line, "what stands here is no UTF-8", lang) from wrong
    if read.lstrip()[:1] == "{":  # YAML reads JSON except tabs, which no JSON string holds, and surrogate pairs
        read = SURROGATE_PAIR_PATTERN.sub(_join_surrogates, read.replace("\t", " "))
    try:
        data = parse_located_yaml(read, file, with_tags=False)
    except BookError as wrong:
        at, _, detail = str(wrong).removeprefix(f"{file}:").partition(": ")
        raise _build_text_error(file, int(at), detail, lang) from wrong
    if not isinstance(data, LocatedMapping):
        raise _build_text_error(file, 1, f"members are needed: {', '.join(REQUIRED_MEMBERS)}", lang)
    return read_natural_names(data)


def _build_text_error(file: str, line: int, detail: str, lang: str) -> QuestionFileError:
    """Return the error of a text that cannot be parsed."""
    told = translate_input_error(sanitize_line(detail), lang)
    return QuestionFileError(f"{file}:{line}: {told}", [{"pointer": "", "detail": told, "line": line}])


def _join_surrogates(pair: re.Match[str]) -> str:
    """Return the character that JSON writes as a surrogate pair (RFC 8259, section 7)."""
    return pair[1] + chr(0x10000 + ((int(pair[2], 16) & 0x3FF) << 10) + (int(pair[3], 16) & 0x3FF))


def _to_plain_data(value: Any, pointer: str, wrong: ErrorList) -> Any:
    """Return the value as JSON data, without lines.

    Values that JSON lacks, such as a date or a fraction, are noted as wrong.
    """
    if isinstance(value, dict):
        return {key: _to_plain_data(below, f"{pointer}/{escape_name(key)}", wrong) for key, below in value.items()}
    if isinstance(value, list):
        return [_to_plain_data(below, f"{pointer}/{at}", wrong) for at, below in enumerate(value)]
    if isinstance(value, str):
        if value.encode("utf-8", "replace").decode() != value:
            wrong.append({"pointer": pointer, "detail": "This is no text."})
    elif isinstance(value, int):
        if abs(value) > MAX_INTEGER:
            wrong.append({"pointer": pointer, "detail": "Too large a number."})
    elif value is not None:
        detail = f"Text, a whole number, true, false or null is needed; {value} is a {type(value).__name__}."
        wrong.append({"pointer": pointer, "detail": detail})
    return value


def _check_form(data: Mapping[str, Any], needed: Iterable[str]) -> dict[str, Any]:
    """Return the data of a file as plain data.

    Raises MalformedQuestion with everything that is wrong with its members.
    """
    wrong: ErrorList = []
    plain: dict[str, Any] = _to_plain_data(data, "", wrong)
    check_members(plain, MEMBER_CHECKS, needed, "", wrong)
    for at, each in enumerate(plain.get("says", ()) if isinstance(plain.get("says"), list) else ()):
        if isinstance(each, dict):
            check_members(each, STATEMENT_CHECKS, ("seat",), f"/says/{at}", wrong)
    if wrong:
        raise MalformedQuestion(wrong)
    return plain


def _require_game(plain: Mapping[str, Any]) -> Game:
    """Return the game that a file names. Raises MalformedQuestion."""
    game = load_games().get(plain["game"])
    if game is None:
        raise MalformedQuestion([{"pointer": "/game", "detail": f"One of {', '.join(load_games())}."}])
    return game


def _parse_move(game: Game, data: dict[str, Any]) -> Move:
    try:
        move = decode_named(data, Move, "/move")
    except DecodeError as wrong:
        raise MalformedQuestion(
            [{"pointer": wrong.pointer, "detail": f"{wrong.detail[:1].upper()}{wrong.detail[1:]}."}]
        ) from wrong
    if type(move) not in game.move_types:
        known = ", ".join(sorted(kind.TAG for kind in game.move_types))
        raise MalformedQuestion([{"pointer": "/move/type", "detail": f"Not a move of this game; known: {known}."}])
    return move


def _parse_position(
    game: Game, data: Mapping[str, Any], library: CardBookRepository | None
) -> tuple[dict[str, Any], frozenset[str]]:
    """Return the position completed from beside it, and the names that stood beside.

    Raises MalformedQuestion.
    """
    position = dict(data["position"])
    variant = data.get("variant", position.get("variant", game.variants[0]))
    if variant not in game.variants:
        where = "/variant" if "variant" in data else "/position/variant"
        raise MalformedQuestion([{"pointer": where, "detail": f"One of {', '.join(game.variants)}."}])
    edition = _resolve_edition(game, position.get("edition", data.get("edition", "")), "edition" in position, library)
    if "edition" in position:
        position["edition"] = edition
    beside = frozenset(name for name in MEMBERS_BESIDE_POSITION if name in data and name not in position)
    members = game.positions.build_schema(variant).get("properties", {})
    of = None if edition == game.edition else edition
    for name, value in (("variant", variant), ("edition", of), ("settings", data.get("settings"))):
        if value is not None and name in members:
            position.setdefault(name, value)
    return position, beside


def _resolve_edition(game: Game, given: Any, within: bool, library: CardBookRepository | None) -> str:
    """Return the edition that is meant, with its book installed.

    As on a server, the name of a book alone will do. Raises MalformedQuestion.
    """
    if given in ("", *game.own_editions):
        return str(given) or game.edition
    try:
        if library is None or not isinstance(given, str):
            raise UnknownEdition(given)
        return library.resolve_edition(game, given)
    except UnknownEdition:
        known = game.own_editions if library is None else library.list_editions(game)
        detail = f"Known are the game's own cards, and those of the books that are given: {', '.join(known)}."
        raise MalformedQuestion(
            [{"pointer": "/position/edition" if within else "/edition", "detail": detail}]
        ) from None


def _to_file_pointer(pointer: str, beside: frozenset[str]) -> str:
    """Return a pointer into the position as one into the file."""
    return pointer if pointer.split("/")[1:2] in ([name] for name in beside) else f"/position{pointer}"


def _build_position_error(
    file: str, data: LocatedMapping, game: Game, beside: frozenset[str], wrong: MalformedInput, lang: str
) -> QuestionFileError:
    errors = [
        {**error, "pointer": _to_file_pointer(error["pointer"], beside)}
        for error in translate_errors(game, wrong.errors, lang)
    ]
    if isinstance(wrong, UnjudgeablePosition):
        errors = [{**error, "detail": f"{error['detail']} ({wrong.__cause__!r:.200})"} for error in errors]
    if isinstance(wrong, ContradictoryPosition):
        errors = [{**error, "detail": f"{error['detail']} ({error.get('clause', '')})"} for error in errors]
    return _build_file_error(file, data, errors, lang)


def _build_file_error(file: str, data: LocatedMapping, errors: ErrorList, lang: str) -> QuestionFileError:
    found = sorted(
        (
            find_line(data, error["pointer"]),
            find_written_pointer(data, error["pointer"]),
            translate_input_error(error["detail"], lang),
        )
        for error in errors
    )
    lines = (sanitize_line(f"{file}:{line}: {pointer or '/'}: {detail}") for line, pointer, detail in found)
    errors = [{"pointer": pointer, "detail": detail, "line": line} for line, pointer, detail in found]
    return QuestionFileError("\n".join(lines), errors)


def find_line(data: Any, pointer: str) -> int:
    """Return the line of what a pointer leads to.

    Single items of a list have no line; for those it is that of the nearest member around.
    """
    line = 1
    for part in pointer.split("/")[1:]:
        step = part.replace("~1", "/").replace("~0", "~")
        if isinstance(data, LocatedMapping):
            line = data.line_of(step) or line
            data = data.get(step)
        elif isinstance(data, list) and step.isdigit() and int(step) < len(data):
            data = data[int(step)]
            line = data.line if isinstance(data, LocatedMapping) else line
        else:
            break
    return line
