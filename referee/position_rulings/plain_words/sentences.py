"""Moves written as a sentence, or as members under any of their names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from itertools import product
from typing import Any

from referee.engine.codec import DecodeError, decode_named
from referee.engine.events import Move
from referee.engine.game import Game
from referee.engine.rulebook.book import LANGUAGES, Rulebook
from referee.engine.rulebook.messages import PLAYER
from referee.position_rulings.plain_words.renaming import find_member_words, find_seat, normalize_word, rename_members
from referee.position_rulings.request import MAX_SENTENCE_LENGTH
from referee.rendering.texts import describe_event

INTEGER = re.compile(r"[+-]?[0-9]+")
AND = re.compile(r"\s*,\s*|\s+(?:and|und)\s+")
ANYBODY = "–"  # stands for the player in a sentence
MOST_PLAYERS = 20
MAX_NUMBERED_LENGTH = MAX_SENTENCE_LENGTH + 100  # of a sentence whose players are called by number, which is longer
QUOTES = re.compile('[„“”"«»]')


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
