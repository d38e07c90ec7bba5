"""Moves written as a sentence, or as members under any of their names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from itertools import islice, product
from typing import Any

import orjson

from referee.engine.codec import DecodeError, decode_named, encode
from referee.engine.events import Move
from referee.engine.game import Game
from referee.engine.parts.narration import SEAT_FIELDS
from referee.engine.referee import judge_candidates, seats_that_may_act
from referee.engine.rulebook.book import LANGUAGES, Rulebook
from referee.engine.rulebook.messages import PLAYER
from referee.engine.rulings import MalformedInput, Undetermined
from referee.engine.seats import CHANCE
from referee.position_rulings.plain_words.renaming import find_member_words, find_seat, normalize_word, rename_members
from referee.position_rulings.request import MAX_SENTENCE_LENGTH
from referee.position_rulings.written_moves import decode_position
from referee.rendering.texts import describe_event, describe_move, legal_moves_response

INTEGER = re.compile(r"[+-]?[0-9]+")
AND = re.compile(r"\s*,\s*|\s+(?:and|und)\s+")
ANYBODY = "–"  # stands for the player in a sentence
MOST_PLAYERS = 20
NOBODY = ("nobody", "niemand", "none", "keine")
MOST_COMPARED = 500  # moves of a position whose words are compared with a sentence
MOST_NAMED = 3  # moves of those that a sentence may mean
QUOTES = re.compile('[„“”"«»]')


class UnreadSentence(str):
    """A sentence that several moves read like, with these moves as data."""

    detail: str

    def __new__(cls, written: str, moves: Sequence[Mapping[str, Any]]) -> UnreadSentence:
        """Return the sentence with what tells its moves apart."""
        made, first = super().__new__(cls, written), moves[0]
        alike = {name for name in first if all(name in each and each[name] == first[name] for each in moves)} - {"type"}
        told = ({name: value for name, value in each.items() if name not in alike} for each in moves[:MOST_NAMED])
        named = " ".join([*(orjson.dumps(each).decode() for each in told), *(["…"] if len(moves) > MOST_NAMED else [])])
        made.detail = f"Several moves read like this: write the `type` and the members of the one meant, of {named}"
        return made


def read_move(game: Game, written: Any, players: Sequence[str], position: Mapping[str, Any], seat: Any = None) -> Any:
    """Return a move as data.

    It is written as a sentence ("spielt Schild"), or as members under any of their names. `position`, in which `seat`
    makes it, has the variant at least.
    """
    if isinstance(written, str):
        found = match_sentence(game, written, players, position, seat) if len(written) <= MAX_SENTENCE_LENGTH else []
        return found[0] if len(found) == 1 else UnreadSentence(written, found) if found else written
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
            for each in fields(kind):  # type: ignore[arg-type]
                if each.name in read:
                    read[each.name] = _read_member(str(each.type), each.name, read[each.name], players)
            return read
    return move


def _read_member(of: str, name: str, value: Any, players: Sequence[str]) -> Any:
    """Return a member of a move, which may name players, or nobody."""
    if "None" in of and isinstance(value, str) and normalize_word(value) in NOBODY:
        return None
    if name not in SEAT_FIELDS or "int" not in of:
        return value
    return [find_seat(each, players) for each in value] if isinstance(value, list) else find_seat(value, players)


@cache
def find_move_words(game: Game, tag: str) -> frozenset[str]:
    """Return what a kind of move is called: its text before the first value."""
    key = f"move.{tag}"
    if not game.rulebook.has_text(key):
        return frozenset()
    texts = (game.rulebook.find_template(key, lang) for lang in LANGUAGES)
    return frozenset(normalize_word(text.partition("{")[0]) for text in texts) - {""}


def match_sentence(
    game: Game, written: str, players: Sequence[str], position: Mapping[str, Any], seat: Any = None
) -> list[dict[str, Any]]:
    """Return the moves whose text in either language is what is written.

    The sentence may begin with the player. Moves that somebody may think of in the position are taken as they are
    worded there; only if there is none, those of any position by the templates of their texts. A move is taken only if
    its own text says the same, so nothing that is written is lost.
    """
    bare = _strip_player(written, players)
    said = {normalize_sentence(each, names) for each in (written, bare) for names in (players, ())}
    worded = _find_worded_moves(game, position, seat, lambda text: normalize_sentence(text) in said)
    return worded or _match_templates(
        game, normalize_sentence(bare, players), players, position.get("variant", game.variants[0])
    )


def _find_worded_moves(
    game: Game, position: Mapping[str, Any], seat: Any, is_meant: Callable[[str], bool]
) -> list[dict[str, Any]]:
    """Return the moves to think of in a written position whose words are meant.

    They are those of `seat`, or else of another one. Legal ones come before others, and words in which moves are listed
    before others. None are found in a position that cannot be judged as it is.
    """
    mover = CHANCE if seat == "chance" else seat
    try:
        state = decode_position(game, game.apply_newest_ruleset(game.positions.read_names(dict(position))))
        seats = sorted(seats_that_may_act(state), key=lambda each: (each != mover, each))
    except (MalformedInput, Undetermined):  # the ruling on it says what is wrong
        return []
    for who in (each for each in seats if each >= CHANCE):
        thought_of = dict(islice(judge_candidates(state, who, complete=False), MOST_COMPARED))
        legal = [move for move, refused in thought_of.items() if refused is None]
        found = (
            [
                each["move"]
                for each in legal_moves_response(game, legal, state, who)
                if any(map(is_meant, (each["told"] or {}).values()))
            ]
            or [encode(move) for move in legal if any(map(is_meant, _list_move_texts(game, move)))]
            or [encode(move) for move in thought_of if any(map(is_meant, _list_move_texts(game, move, state)))]
        )
        if found:
            return found
    return []


def _strip_player(text: str, players: Sequence[str]) -> str:
    """Return a sentence without the player with whom it begins."""
    called = [re.escape(name.strip()) for name in players if name.strip()]
    player = "|".join((*sorted(called, key=len, reverse=True), rf"(?:{'|'.join(PLAYER.values())}) [0-9]+"))
    begun = re.match(rf"\s*(?:{player})\s+", text, re.IGNORECASE)
    return text[begun.end() :] if begun is not None else text


def _match_templates(game: Game, said: str, players: Sequence[str], variant: str) -> list[dict[str, Any]]:
    """Return the moves of a game whose texts, by their templates, are a sentence."""
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
    return found


def _list_move_texts(game: Game, move: Move, state: Any = None) -> list[str]:
    """Return the texts of a move in both languages, those that fit a state among them.

    It is told as a request, and as a sentence without its player.
    """
    spoken = game.narration.render_spoken_text(move, who=ANYBODY) if _list_spoken_templates(game, type(move)) else None
    said = [text.removeprefix(f"{ANYBODY} ") for text in spoken.says.values()] if spoken is not None else []
    told = (describe_event(game, move), game.narration.tell_apart(move), describe_move(game, state, move))
    return [*(text for each in told for text in (each or {}).values()), *said]


def _list_spoken_templates(game: Game, kind: type[Move]) -> list[str]:
    """Return the sentences about a kind of move in both languages, without its player."""
    prefix = f"move.{kind.TAG}"
    found = [each for key, each in game.rulebook.spoken_texts.items() if key == prefix or key.startswith(f"{prefix}.")]
    return [each.says[lang].removeprefix("{who, player} ") for each in found for lang in LANGUAGES]


def normalize_sentence(text: str, players: Sequence[str] = ()) -> str:
    """Return a sentence without quotes and full stop, with players by number."""
    plain = " ".join(QUOTES.sub("", text).casefold().split())
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

    `rest`: the pattern of all other values. What stands between the values is looked for ahead, each from where the one
    before it was found first: a sentence that lacks it is not searched again and again.
    """
    parts, ahead, depth, begin, seen = [], [], 0, 0, set()
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
                ahead.append(".+?" if is_field else rest)
                seen.add(name)
                begin = at + 1
    parts.append(re.escape(template[begin:]))
    found_first = (f"(?>{each}{text})" for each, text in zip(ahead, (*parts[2:-1:2], rf"{parts[-1]}\Z"), strict=True))
    return "".join((f"(?={parts[0]}{''.join(found_first)})" if ahead else "", *parts))


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
