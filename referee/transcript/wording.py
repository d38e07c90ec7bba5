"""The words of a protocol: those of its frame, and whom an entry is by."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.engine.game import Game
from referee.engine.rulebook.book import LANGUAGES, Book, Text, read_yaml
from referee.match.rulebook import TABLE
from referee.position_rulings.judging import WORDS as OF_QUARRELS

FRAME: dict[str, Text] = read_yaml(Path(__file__).parent / "words.yaml")
SIDES = ("chance", "clock", "table")


class Words:
    """The words of one match. `game` is None where this program has it not: then cards and reasons keep their ids.

    `names` are those of the players by seat, as far as they may be told.
    """

    def __init__(self, game: Game | None, names: Mapping[str, str | None] | None = None) -> None:
        self.game = game
        self.book: Book = TABLE if game is None else game.book
        self._names = names or {}

    def text(self, key: str, **params: Any) -> Text:
        """A text of the frame in every language, its placeholders filled. Raises KeyError."""
        return {lang: self.book.fill(FRAME[key][lang], lang, params) for lang in LANGUAGES}

    def has(self, key: str) -> bool:
        """Whether the frame has this text."""
        return key in FRAME

    def of_claims(self, key: str) -> Text:
        """A claim in words; one that is not known keeps its name."""
        return OF_QUARRELS.get(f"claim.{key}", dict.fromkeys(LANGUAGES, key))

    def of_courts(self, key: str) -> Text:
        """A verdict, a remedy or a court in words; one that is not known keeps its name."""
        return {lang: str(TABLE.called(key, lang)) for lang in LANGUAGES}

    def reason(self, key: str, params: Mapping[str, Any]) -> Text | None:
        """The reason of a court in words; None where this program knows it not."""
        for book in (TABLE, self.book):
            if book.has(key):
                return book.texts(key, **params)
        return None

    def called(self, value: Any) -> Text:
        """A value as people read it: cards by name."""
        return {lang: str(self.book.called(value, lang)) for lang in LANGUAGES}

    def name(self, seat: int) -> str:
        """What the player of a seat is called; empty where nobody says."""
        return self._names.get(str(seat)) or ""

    def seat(self, seat: int) -> Text:
        """A seat, with its player's name where there is one."""
        name = self.name(seat)
        return self.text("seat.named", seat=seat, name=_whole(name)) if name else self.text("seat", seat=seat)

    def turn(self, number: int, seat: int) -> Text:
        """The heading of a turn."""
        return self.text("part.turn", number=number, who=self.seat(seat))

    def bare(self, told: Text | None) -> Text:
        """A line as a heading: without the mark at its end."""
        return self.text("part.unnamed") if not told else {lang: told[lang].rstrip(".") for lang in LANGUAGES}

    def someone(self, by: Any) -> Text:
        """A seat by its number (also as text), the host or the arbiter."""
        if isinstance(by, int) or (isinstance(by, str) and by.isdecimal()):
            return self.text("seat", seat=int(by))
        return self.text(f"by.{by}") if f"by.{by}" in FRAME else dict.fromkeys(LANGUAGES, str(by))

    def who(self, entry: Mapping[str, Any]) -> Text:
        """Who made an entry: a seat, chance, the clock or the table; and how, where it was not the player himself."""
        seat, actor = entry.get("seat"), entry.get("actor") or {}
        who = self.text("seat", seat=seat) if isinstance(seat, int) else self._side(seat)
        how = actor.get("kind", "")
        if how == "reporter":
            return self.text("actor.reporter", who=who, by=self.someone(actor.get("seat")))
        return self.text(f"actor.{how}", who=who) if f"actor.{how}" in FRAME else who

    def _side(self, seat: Any) -> Text:
        return self.text(f"side.{seat}") if seat in SIDES else dict.fromkeys(LANGUAGES, str(seat or ""))


def _whole(name: str) -> Text:
    """A name that is no card's, whatever it says."""
    return dict.fromkeys(LANGUAGES, name)
