"""The words of a transcript: texts of its frame, and who made an entry."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.engine.game import Game
from referee.engine.rulebook.book import LANGUAGES, Rulebook, Text, read_yaml
from referee.engine.rulebook.messages import distinguish_names, fill_names
from referee.match.rulebook import TABLE_BOOK
from referee.position_rulings.words import RULING_TEXTS as OF_QUARRELS
from referee.rendering.input_errors import translate_parameters

FRAME_TEXTS: dict[str, Text] = read_yaml(Path(__file__).parent / "words.yaml")
SIDES = ("chance", "clock", "table")


class TranscriptWords:
    """The words of one match's transcript.

    `game` is None if this program does not have the game: then cards and reasons keep their ids. `names` are the
    players' names by seat, where the viewer may know them.
    """

    def __init__(self, game: Game | None, names: Mapping[str, str | None] | None = None) -> None:
        self.game = game
        self.book: Rulebook = TABLE_BOOK if game is None else game.rulebook
        self._names = distinguish_names(names or {})

    def render_text(self, key: str, **params: Any) -> Text:
        """Return a text of the frame in every language, its placeholders filled.

        Raises KeyError.
        """
        text = {lang: self.book.fill_template(FRAME_TEXTS[key][lang], lang, params) for lang in LANGUAGES}
        return self.name_players(text)

    def name_players(self, text: Text) -> Text:
        """Return a text with the players called by their names, as far as known."""
        return {lang: fill_names(text[lang], self._names) for lang in LANGUAGES}

    def has_text(self, key: str) -> bool:
        """Tell whether the frame has this text."""
        return key in FRAME_TEXTS

    def describe_claim(self, key: str) -> Text:
        """Return a claim in words; an unknown one keeps its name."""
        return OF_QUARRELS.get(f"claim.{key}", dict.fromkeys(LANGUAGES, key))

    def describe_court_term(self, key: str) -> Text:
        """Return a verdict, a remedy or a court in words; an unknown one keeps its name."""
        return {lang: str(TABLE_BOOK.name_value(key, lang)) for lang in LANGUAGES}

    def describe_reason(self, key: str, params: Mapping[str, Any]) -> Text | None:
        """Return the reason of a court in words; None if this program does not know it."""
        for book in (TABLE_BOOK, self.book):
            if book.has_text(key):
                return self.name_players(book.render_texts(key, **translate_parameters(self.book, params)))
        return None

    def describe_value(self, value: Any) -> Text:
        """Return a value as people read it, with cards by name."""
        return {lang: str(self.book.name_value(value, lang)) for lang in LANGUAGES}

    def find_player_name(self, seat: int) -> str:
        """Return the name of a seat's player; empty if it is unknown."""
        return self._names.get(seat, "")

    def describe_seat(self, seat: int) -> Text:
        """Return a player by name, or else by the number of the seat."""
        return self.render_text("seat", seat=seat)

    def describe_turn(self, number: int, seat: int) -> Text:
        """Return the heading of a turn."""
        return self.render_text("part.turn", number=number, who=self.describe_seat(seat))

    def strip_heading(self, line: Text | None) -> Text:
        """Return a line as a heading, without its full stop."""
        if not line:
            return self.render_text("part.unnamed")
        return {lang: said.rstrip(".") for lang, said in self.name_players(line).items()}

    def describe_person(self, by: Any) -> Text:
        """Return a seat by its number (also as text), the host or the arbiter."""
        if isinstance(by, int) or (isinstance(by, str) and by.isdecimal()):
            return self.render_text("seat", seat=int(by))
        return self.render_text(f"by.{by}") if f"by.{by}" in FRAME_TEXTS else dict.fromkeys(LANGUAGES, str(by))

    def describe_author(self, entry: Mapping[str, Any]) -> Text:
        """Return who made an entry: a seat, chance, the clock or the table.

        It adds how the entry came about, if the player did not make it alone.
        """
        seat, actor = entry.get("seat"), entry.get("actor") or {}
        who = self.render_text("seat", seat=seat) if isinstance(seat, int) else self._describe_side(seat)
        how = actor.get("kind", "")
        if how in ("reporter", "spoken"):
            return self.render_text(f"actor.{how}", who=who, by=self.describe_person(actor.get("seat")))
        return self.render_text(f"actor.{how}", who=who) if f"actor.{how}" in FRAME_TEXTS else who

    def _describe_side(self, seat: Any) -> Text:
        return self.render_text(f"side.{seat}") if seat in SIDES else dict.fromkeys(LANGUAGES, str(seat or ""))
