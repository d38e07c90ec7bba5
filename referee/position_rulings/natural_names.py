"""The words that people use in a file, in either language and in any case.

They are replaced by the names of the program before a file is read. What is no such word stays as it is, and is an
error later, at its own place. Cards are read with the position, which knows them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from itertools import product
from typing import Any

from referee.cardscript.language.located_yaml import LocatedMapping
from referee.engine.codec import DecodeError, decode_named, escape_name
from referee.engine.events import Move
from referee.engine.game import Game
from referee.engine.positions.form import is_meant_option
from referee.engine.positions.schema import Schema
from referee.engine.rulebook.book import LANGUAGES, Rulebook
from referee.engine.rulebook.messages import NAMED_PLAYER_FOLDED, PLAYER
from referee.games import load_games
from referee.position_rulings.request import MAX_SENTENCE_LENGTH, find_place_schema, find_schemas_below, list_members
from referee.position_rulings.words import FILE_WORDS, MEMBER_NAMES, RULING_TEXTS
from referee.rendering.texts import describe_event

BOOLEANS = {"yes": True, "ja": True, "true": True, "no": False, "nein": False, "false": False}
INTEGER = re.compile(r"[+-]?[0-9]+")
AND = re.compile(r"\s*,\s*|\s+(?:and|und)\s+")
ANYBODY = "–"  # stands for the player in a sentence
MOST_PLAYERS = 20
MAX_NUMBERED_LENGTH = MAX_SENTENCE_LENGTH + 100  # of a sentence whose players are called by number, which is longer
QUOTES = re.compile('[„“”"«»]')


class RenamedMapping(LocatedMapping):
    """A mapping whose members have the names of the program.

    `source`: the mapping as it was written. `written`: what each member is called there.
    """

    def __init__(self, source: Mapping[str, Any]) -> None:
        super().__init__()
        self.source: Mapping[str, Any] = source.source if isinstance(source, RenamedMapping) else source
        self.written: dict[str, str] = {}


def read_natural_names(data: Mapping[str, Any]) -> RenamedMapping:
    """Return the data of a file under the names of the program."""
    read = rename_members(data, FILE_WORDS)
    if "says" in read and isinstance(read["says"], list):
        statements = [rename_members(each, FILE_WORDS) if isinstance(each, dict) else each for each in read["says"]]
        read["says"] = [_read_flags(each) if isinstance(each, LocatedMapping) else each for each in statements]
    game = find_game(read.get("game"))
    if game is None:
        return read
    read["game"] = game.name
    names = read.get("names")
    players = [str(each) for each in names[:MOST_PLAYERS]] if isinstance(names, list) else []
    said_by = read["says"] if isinstance(read.get("says"), list) else ()
    for holder in (read, *(each for each in said_by if isinstance(each, dict))):
        if "seat" in holder:
            holder["seat"] = find_seat(holder["seat"], players)
    if isinstance(read.get("claim"), str):
        read["claim"] = find_claim(read["claim"])
    if isinstance(read.get("position"), dict):
        position = rename_members(read["position"], {})
        variant = position.get("variant", read.get("variant", game.variants[0]))
        if variant in game.variants:
            words, schema = PositionWords(game, players), game.positions.build_schema(variant)
            read["position"] = words.read(schema, position)
            for holder in (read, *(each for each in said_by if isinstance(each, dict))):
                if isinstance(holder.get("saw"), dict):
                    holder["saw"] = words.read_seen_places(schema, holder["saw"])
            if isinstance(read.get("unknown"), list):
                places = (words.read_place(schema, each) if isinstance(each, str) else each for each in read["unknown"])
                read["unknown"] = list(places)
    if "move" in read:
        said = read["position"] if isinstance(read.get("position"), dict) else {}
        variant = said.get("variant", read.get("variant"))
        of = variant if variant in game.variants else game.variants[0]
        read["move"] = read_move(game, read["move"], players, of)
    return read


def find_game(written: Any) -> Game | None:
    """Return the game of this id or title, or of one that begins so."""
    small = normalize_word(str(written))
    found = []
    for game in load_games().values():
        titles = {normalize_word(title) for title in (game.name, *game.title.values())}
        if small in titles:
            return game
        found += [game] if small and any(title.startswith(small) for title in titles) else []
    return found[0] if len(found) == 1 else None


def find_seat(written: Any, players: Sequence[str]) -> Any:
    """Return the seat of a player who is named, or called Player 1 or Spieler 1.

    What names no player is returned as it is.
    """
    if not isinstance(written, str):
        return written
    small = written.strip().casefold()
    named = [seat for seat, name in enumerate(players) if small and name.strip().casefold() == small]
    if len(named) == 1:
        return named[0]
    if (numbered := NAMED_PLAYER_FOLDED.fullmatch(written.strip())) is not None:
        return int(numbered[1]) - 1
    return "chance" if small in {RULING_TEXTS["chance"][lang].casefold() for lang in LANGUAGES} else written


def find_claim(written: str) -> str:
    """Return the claim that people describe so."""
    for key, text in RULING_TEXTS.items():
        if key.startswith("claim.") and normalize_word(written) in {normalize_word(text[lang]) for lang in LANGUAGES}:
            return key.removeprefix("claim.")
    return normalize_word(written)


def rename_members(data: Mapping[str, Any], words: Mapping[str, str], known: Collection[str] = ()) -> RenamedMapping:
    """Return a mapping, with its lines, whose members have the names of the program.

    `words`: these names by the words that people use, in small letters. What is in `known` keeps its name.
    """
    read, before = RenamedMapping(data), data.written if isinstance(data, RenamedMapping) else {}
    if isinstance(data, LocatedMapping):
        read.line = data.line
    for key, value in data.items():
        name = key if key in known else words.get(normalize_word(str(key)), key)
        name = key if name in read or (name != key and name in data) else name
        read[name], read.written[name] = value, before.get(key, key)
        if isinstance(data, LocatedMapping):
            read.lines[name] = data.line_of(key)
    return read


def find_written_pointer(read: Any, pointer: str) -> str:
    """Return a pointer into data that was read as one into what was written.

    It ends at a sentence that was read as members.
    """
    written, found = read.source if isinstance(read, RenamedMapping) else read, ""
    for part in pointer.split("/")[1:]:
        step: Any = part.replace("~1", "/").replace("~0", "~")
        name = read.written.get(step, step) if isinstance(read, RenamedMapping) else step
        if isinstance(written, Mapping):
            written = written.get(name, {})
        elif isinstance(written, list):
            written = written[int(name)] if name.isascii() and name.isdigit() and int(name) < len(written) else {}
        else:
            break
        found += f"/{escape_name(name)}"
        if isinstance(read, Mapping):
            read = read.get(step)
        else:
            read = read[int(step)] if isinstance(read, list) and step.isdigit() and int(step) < len(read) else None
    return found


def normalize_word(word: str) -> str:
    """Return a word as names are compared: small letters, with _ for what separates."""
    return re.sub(r"[\s_-]+", "_", word.strip().casefold())


def _read_flags(statement: LocatedMapping) -> LocatedMapping:
    if isinstance(statement.get("legal"), str):
        statement["legal"] = BOOLEANS.get(statement["legal"].casefold(), statement["legal"])
    return statement


def read_question_words(game: Game, body: Mapping[str, Any]) -> RenamedMapping:
    """Return a question about a game under the names of the program.

    If it names another game, that stays, so that it is found to be wrong.
    """
    renamed = rename_members(body, FILE_WORDS)
    said = renamed.get("game", game.name)
    renamed["game"] = game.name
    read = read_natural_names(renamed)
    if find_game(said) is not game:
        read["game"] = said
    return read


def to_plain_mappings(value: Any) -> Any:
    """Return data whose mappings know nothing of how they were written."""
    if isinstance(value, list):
        return [to_plain_mappings(each) for each in value]
    return {name: to_plain_mappings(each) for name, each in value.items()} if isinstance(value, dict) else value


class PositionWords:
    """The words in a position of a game, read by its schema.

    `players`: the names of the players, by seat.
    """

    def __init__(self, game: Game, players: Sequence[str]) -> None:
        self._game, self._players = game, players

    def read(self, schema: Schema, data: Any) -> Any:
        """Return written data under the names of its schema."""
        if "anyOf" in schema:
            readings = [(option, self.read(option, data)) for option in schema["anyOf"]]
            meant = [(option, read) for option, read in readings if is_meant_option(option, _to_plain_type(read))]
            fitting = [read for option, read in meant if not _is_mismatch(option, read)]
            return next(iter([*fitting, *(read for _, read in meant)]), data)
        if "x-seat" in schema:
            return find_seat(data, self._players)
        if schema.get("type") == "boolean" and isinstance(data, str):
            return BOOLEANS.get(data.casefold(), data)
        if schema.get("type") == "null" and isinstance(data, str):
            return None if normalize_word(data) in ("nobody", "niemand", "none", "keine") else data
        if isinstance(data, str) and ("enum" in schema or "const" in schema):
            return self._read_value(schema.get("enum", [schema.get("const")]), data)
        if isinstance(data, list) and "items" in schema:
            return [self.read(schema["items"], each) for each in data]
        if isinstance(data, dict) and schema.get("properties"):
            members: Mapping[str, Schema] = schema["properties"]
            read = rename_members(data, find_member_words(tuple(members)), members)
            for name in read:
                if name in members:
                    read[name] = self.read(members[name], read[name])
            return read
        return data

    def read_place(self, schema: Schema, place: str) -> str:
        """Return a pointer into a position under the names of its schema."""
        found, schemas = "", [schema]
        for part in place.split("/")[1:]:
            step = part.replace("~1", "/").replace("~0", "~")
            members = tuple(list_members(schemas))
            if not found and FILE_WORDS.get(normalize_word(step)) == "position":
                found = "/position"
                continue
            name = step if step in members else find_member_words(members).get(normalize_word(step), step)
            found, schemas = f"{found}/{part if name == step else name}", find_schemas_below(schemas, name)
        return found or place

    def read_seen_places(self, schema: Schema, saw: Mapping[str, Any]) -> LocatedMapping:
        """Return what was seen at places of a position under the names of its schema."""
        read = rename_members(saw, {normalize_word(place): self.read_place(schema, place) for place in saw})
        for place in read:
            read[place] = self.read(find_place_schema(schema, place), read[place])
        return read

    def _read_value(self, values: Sequence[Any], written: str) -> Any:
        """Return the value that is called so, or what is written if there is none."""
        if written in values:
            return written
        small = normalize_word(written)
        for value in values:
            if isinstance(value, str) and small in {normalize_word(value), *self._find_value_words(value)}:
                return value
        return written

    def _find_value_words(self, value: str) -> Iterator[str]:
        for lang in LANGUAGES:
            text = RULING_TEXTS[value][lang] if value in RULING_TEXTS else self._game.rulebook.name_value(value, lang)
            yield normalize_word(str(text))


def _to_plain_type(value: Any) -> Any:
    """Return a mapping that knows its lines as a plain one."""
    return dict(value) if isinstance(value, dict) else value


def _is_mismatch(option: Schema, read: Any) -> bool:
    """Return whether a text is none of the values that an option lists."""
    return isinstance(read, str) and "enum" in option and read not in option["enum"]


@cache
def find_member_words(members: tuple[str, ...]) -> dict[str, str]:
    """Return members by the words for them in either language.

    A word that means several of them is left out.
    """
    found: dict[str, list[str]] = {}
    for name in members:
        words = {normalize_word(name), *(normalize_word(text) for text in MEMBER_NAMES.get(name, {}).values())}
        for word in words:
            found.setdefault(word, []).append(name)
    return {word: names[0] for word, names in found.items() if len(names) == 1}


# ---- moves -----------------------------------------------------------------------------------------------------------


def read_move(game: Game, written: Any, players: Sequence[str], variant: str) -> Any:
    """Return a move as data.

    It is written as a sentence ("spielt Schild"), or as members under any of their names.
    """
    if isinstance(written, str):
        is_short = len(written) <= MAX_SENTENCE_LENGTH
        return (match_sentence(game, written, players, variant) if is_short else None) or written
    if not isinstance(written, dict):
        return written
    move = rename_members(written, {"art": "type", "typ": "type", "kind": "type"})
    if not isinstance(move.get("type"), str):
        return move
    small = normalize_word(move["type"])
    for kind in game.move_types:
        if small in (kind.TAG, kind.TAG.partition(".")[2]) or small in find_move_words(game, kind.TAG):
            move["type"] = kind.TAG
            own = [each.name for each in fields(kind)]  # type: ignore[arg-type]
            read = rename_members(move, find_member_words(tuple(own)), (*own, "type"))
            for name in ("seat", "to", "by", "asked", "victim"):
                if name in read:
                    read[name] = find_seat(read[name], players)
            return read
    return move


@cache
def find_move_words(game: Game, tag: str) -> frozenset[str]:
    """Return what a kind of move is called: its text before the first value."""
    key = f"move.{tag}"
    if not game.rulebook.has_text(key):
        return frozenset()
    texts = (game.rulebook.find_template(key, lang) for lang in LANGUAGES)
    return frozenset(normalize_word(text.partition("{")[0]) for text in texts) - {""}


def match_sentence(game: Game, written: str, players: Sequence[str], variant: str) -> dict[str, Any] | None:
    """Return the move whose text in either language is what is written.

    None: there is no such move, or there are several. The sentence may begin with the player. A move is taken only if
    its own text says the same, so nothing that is written is lost.
    """
    said = normalize_sentence(written, players)
    for name in (f"{word} {at + 1}" for word in PLAYER.values() for at in range(MOST_PLAYERS)):
        said = said[len(name) :].strip() if said.startswith(f"{name.casefold()} ") else said
    if len(said) > MAX_NUMBERED_LENGTH:
        return None
    known = game.positions.tables.build_table(variant, game.edition)
    found: list[dict[str, Any]] = []
    for kind in sorted(game.move_types, key=lambda each: each.TAG):
        for data in _list_candidates(game, kind, said, players):
            try:
                read = known.read_names_beside(data)
                move = decode_named({**read, "type": kind.TAG}, Move)
                texts = _list_move_texts(game, move)
            except (DecodeError, KeyError, ValueError, TypeError):
                continue  # what stands at these places is no value of such a move
            words = [each for name, value in read.items() if name != "type" for each in _list_texts(value)]
            is_same = said in {normalize_sentence(text, players) for text in texts}
            if is_same and all(word in known.known_names for word in words if word) and data not in found:
                found.append(data)
    return found[0] if len(found) == 1 else None


def _list_move_texts(game: Game, move: Move) -> list[str]:
    """Return the texts of a move in both languages.

    It is told as a request, and as a sentence without its player.
    """
    spoken = game.narration.render_spoken_text(move, who=ANYBODY) if _list_spoken_templates(game, type(move)) else None
    said = [text.removeprefix(f"{ANYBODY} ") for text in spoken.says.values()] if spoken is not None else []
    return [*(describe_event(game, move) or {}).values(), *said]


def _list_spoken_templates(game: Game, kind: type[Move]) -> list[str]:
    """Return the sentences about a kind of move in both languages, without its player."""
    prefix = f"move.{kind.TAG}"
    found = [each for key, each in game.rulebook.spoken_texts.items() if key == prefix or key.startswith(f"{prefix}.")]
    return [each.says[lang].removeprefix("{who, player} ") for each in found for lang in LANGUAGES]


def normalize_sentence(text: str, players: Sequence[str]) -> str:
    """Return a sentence without quotes and full stop, with players by number."""
    plain = QUOTES.sub("", text).strip().casefold()
    numbers: dict[str, int] = {}
    for number, name in enumerate(players, 1):
        numbers.setdefault(QUOTES.sub("", name).strip().casefold(), number)
    names = sorted(filter(None, numbers), key=len, reverse=True)  # Ann-Marie before Ann
    if names:  # all in one go, because a name may be part of what stands for another
        anybody = rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)"
        plain = re.sub(anybody, lambda found: f"player {numbers[found[0]]}", plain)
    return plain.rstrip(".!").replace("spieler ", "player ")


def _list_candidates(game: Game, kind: type[Move], said: str, players: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield moves of a kind that a sentence may mean, by the templates of its texts."""
    types = {each.name: str(each.type) for each in fields(kind)}  # type: ignore[arg-type]
    prefix = f"move.{kind.TAG}"
    flags = [name for name, of in types.items() if of == "bool"]
    keys = (key for key in _list_text_keys(game.rulebook) if key == prefix or key.startswith(f"{prefix}."))
    requests = [game.rulebook.find_template(key, lang) for key, lang in product(keys, LANGUAGES)]
    for written, rest in product((*requests, *_list_spoken_templates(game, kind)), ("", ".*?")):
        template = normalize_sentence(written, ())
        found = re.fullmatch(_build_pattern(template, types, rest), said)
        if found is None:
            continue
        data: dict[str, Any] = {"type": kind.TAG}
        for name, value in found.groupdict().items():
            data[name] = _read_field(types[name], value.strip(), players)
        yield data
        yield from ({**data, flag: True} for flag in flags)


def _list_text_keys(book: Rulebook) -> Iterator[str]:
    """Yield the keys of the texts of a book and of those on which it rests."""
    yield from book.reasons
    if book.base is not None:
        yield from _list_text_keys(book.base)


def _build_pattern(template: str, types: Mapping[str, str], rest: str) -> str:
    """Return the pattern of a text, with the fields of the move by their names.

    `rest`: the pattern of all other values.
    """
    parts, depth, begin, seen = [], 0, 0, set()
    for at, letter in enumerate(template):
        if letter == "{":
            parts += [re.escape(template[begin:at])] if depth == 0 else []
            begin, depth = (at, 1) if depth == 0 else (begin, depth + 1)
        elif letter == "}":
            depth -= 1
            if depth == 0:
                name = template[begin + 1 : at].partition(",")[0].strip()
                is_field = name in types and name not in seen and "select" not in template[begin:at]
                parts.append(f"(?P<{name}>.+?)" if is_field else rest)
                seen.add(name)
                begin = at + 1
    return "".join((*parts, re.escape(template[begin:])))


def _read_field(of: str, value: str, players: Sequence[str]) -> Any:
    """Return a value of a move from its words."""
    if of.startswith("tuple") or of == "Cards":
        return [part for part in AND.split(value) if part]
    if of in ("int", "Seat"):
        seat = find_seat(value, players)
        return seat if isinstance(seat, int) else int(value) if INTEGER.fullmatch(value) else value
    return value


def _list_texts(value: Any) -> list[str]:
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str)]
