"""The words that people use in a file, in either language and in any case.

They are replaced by the names of the program before a file is read. What is no such word stays as it is, and is an
error later, at its own place. Cards are read with the position, which knows them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.cardscript.language.located_yaml import LocatedMapping
from referee.engine.game import Game
from referee.engine.positions.form import is_meant_option
from referee.engine.positions.schema import Schema
from referee.engine.rulebook.book import LANGUAGES
from referee.games import load_games
from referee.position_rulings.plain_words.renaming import (
    RenamedMapping,
    find_member_words,
    find_seat,
    normalize_word,
    rename_members,
)
from referee.position_rulings.plain_words.sentences import MOST_PLAYERS, NOBODY, read_move
from referee.position_rulings.request import (
    MEMBERS_BESIDE_POSITION,
    find_place_schema,
    find_schemas_below,
    list_members,
)
from referee.position_rulings.words import FILE_WORDS, RULING_TEXTS

BOOLEANS = {"yes": True, "ja": True, "true": True, "no": False, "nein": False, "false": False}


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
        within = read["position"] if isinstance(read.get("position"), dict) else {}
        whole = {**{name: read[name] for name in MEMBERS_BESIDE_POSITION if name in read}, **within}
        if whole.get("variant") not in game.variants:
            whole["variant"] = game.variants[0]
        read["move"] = read_move(game, read["move"], players, whole, read.get("seat"))
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


def find_claim(written: str) -> str:
    """Return the claim that people describe so."""
    for key, text in RULING_TEXTS.items():
        if key.startswith("claim.") and normalize_word(written) in {normalize_word(text[lang]) for lang in LANGUAGES}:
            return key.removeprefix("claim.")
    return normalize_word(written)


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
            return None if normalize_word(data) in NOBODY else data
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
