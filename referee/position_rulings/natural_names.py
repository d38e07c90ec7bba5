"""The words that people use in a file, in either language and in any case.

They are replaced by the names of the program before a file is read. What is no such word stays as it is, and is an
error later, at its own place. Cards are read with the position, which knows them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import Any

from referee.cardscript.language.parser import LocatedMapping
from referee.engine.events import Move
from referee.engine.game import Game
from referee.engine.positions.form import is_meant_option
from referee.engine.positions.schema import Schema
from referee.engine.rulebook.book import LANGUAGES
from referee.engine.rulebook.messages import NAMED_PLAYER_FOLDED
from referee.games import load_games
from referee.position_rulings.words import FILE_WORDS, MEMBER_NAMES, RULING_TEXTS

BOOLEANS = {"yes": True, "ja": True, "true": True, "no": False, "nein": False, "false": False}
PLACEHOLDER = re.compile(r"\{(\w+)(?:, player)?\}")
AND = re.compile(r"\s*,\s*|\s+(?:and|und)\s+")
QUOTES = re.compile('[„“”"«»]')


def read_natural_names(data: LocatedMapping) -> LocatedMapping:
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
    players = [str(each) for each in names] if isinstance(names, list) else []
    for holder in (read, *(each for each in read.get("says", ()) if isinstance(each, dict))):
        if "seat" in holder:
            holder["seat"] = find_seat(holder["seat"], players)
    if isinstance(read.get("claim"), str):
        read["claim"] = find_claim(read["claim"])
    if isinstance(read.get("position"), dict):
        position = rename_members(read["position"], {})
        variant = position.get("variant", read.get("variant", game.variants[0]))
        if variant in game.variants:
            read["position"] = PositionWords(game, players).read(game.positions.build_schema(variant), position)
    if "move" in read:
        read["move"] = read_move(game, read["move"], players)
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
    named = [seat for seat, name in enumerate(players) if name.casefold() == small]
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


def rename_members(data: Mapping[str, Any], words: Mapping[str, str], known: Collection[str] = ()) -> LocatedMapping:
    """Return a mapping, with its lines, whose members have the names of the program.

    `words`: these names by the words that people use, in small letters. What is in `known` keeps its name.
    """
    read = LocatedMapping()
    if isinstance(data, LocatedMapping):
        read.line = data.line
    for key, value in data.items():
        name = key if key in known else words.get(normalize_word(str(key)), key)
        name = key if name in read or (name != key and name in data) else name
        read[name] = value
        if isinstance(data, LocatedMapping):
            read.lines[name] = data.line_of(key)
    return read


def normalize_word(word: str) -> str:
    """Return a word as names are compared: small letters, with _ for what separates."""
    return re.sub(r"[\s_-]+", "_", word.strip().casefold())


def _read_flags(statement: LocatedMapping) -> LocatedMapping:
    if isinstance(statement.get("legal"), str):
        statement["legal"] = BOOLEANS.get(statement["legal"].casefold(), statement["legal"])
    return statement


class PositionWords:
    """The words in a position of a game, read by its schema.

    `players`: the names of the players, by seat.
    """

    def __init__(self, game: Game, players: Sequence[str]) -> None:
        self._game, self._players = game, players

    def read(self, schema: Schema, data: Any) -> Any:
        """Return written data under the names of its schema."""
        for option in schema.get("anyOf", ()):
            read = self.read(option, data)
            if is_meant_option(option, read) and not _is_mismatch(option, read):
                return read
        if "anyOf" in schema:
            return next(
                (read for option in schema["anyOf"] if is_meant_option(option, read := self.read(option, data))), data
            )
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


def read_move(game: Game, written: Any, players: Sequence[str]) -> Any:
    """Return a move as data.

    It is written as a request or a sentence ("Ada spielt Schild"), or as members under any of their names.
    """
    if isinstance(written, str):
        return next(_match_sentences(game, written, players), written)
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


def _match_sentences(game: Game, written: str, players: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the moves whose text is what is written.

    It may be in either language, and begin with the player.
    """
    said = QUOTES.sub("", written).strip().rstrip(".!")
    for name in (*players, *(f"{word} {at + 1}" for word in ("Player", "Spieler") for at in range(20))):
        if said.casefold().startswith(f"{name.casefold()} "):
            said = said[len(name) :].strip()
    for kind in sorted(game.move_types, key=lambda each: each.TAG):
        for template in _list_templates(game, kind):
            yield from _match_template(template, said, kind, players)


def _list_templates(game: Game, kind: type[Move]) -> Iterator[str]:
    """Yield the texts about a kind of move: as a request, and as a sentence about its player."""
    names = [each.name for each in fields(kind)]  # type: ignore[arg-type]
    keys = [f"move.{kind.TAG}", *(f"move.{kind.TAG}.{name}" for name in names)]
    for lang in LANGUAGES:
        yield from (game.rulebook.find_template(key, lang) for key in keys if game.rulebook.has_text(key))
        for key, spoken in game.rulebook.spoken_texts.items():
            if key == keys[0] or key.startswith(f"{keys[0]}."):
                yield spoken.says[lang].removeprefix("{who, player} ")


def _match_template(template: str, said: str, kind: type[Move], players: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the move that a text describes by a template.

    There is none unless all values of the template are plain, and fields of the move.
    """
    names = PLACEHOLDER.findall(template)
    types = {each.name: str(each.type) for each in fields(kind)}  # type: ignore[arg-type]
    if "{" in PLACEHOLDER.sub("", template) or any(name not in types for name in names):
        return
    pattern = "".join(
        f"(?P<{part}>.+)" if at % 2 else re.escape(part)
        for at, part in enumerate(PLACEHOLDER.split(template.rstrip(".")))
    )
    if (found := re.fullmatch(pattern, said, re.IGNORECASE)) is None:
        return
    move: dict[str, Any] = {"type": kind.TAG}
    for name, value in found.groupdict().items():
        seat = find_seat(value, players)
        if types[name].startswith("tuple") or "Cards" in types[name]:
            move[name] = [part for part in AND.split(value) if part]
        elif types[name] in ("int", "Seat"):
            move[name] = seat if isinstance(seat, int) else int(value) if value.isdecimal() else value
        else:
            move[name] = value
    yield move
