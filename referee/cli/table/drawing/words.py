"""Words on the table: those of the API with names, and the few of its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.engine.rulebook.book import Text, read_yaml
from referee.engine.rulebook.messages import fill_names
from referee.rendering.html import sanitize_line

TEXTS: dict[str, Text] = read_yaml(Path(__file__).with_name("texts.yaml"))


@dataclass
class Words:
    """What things are called in one language, with the names of the players."""

    lang: str
    names: dict[int, str] = field(default_factory=dict)
    cards: dict[str, Any] = field(default_factory=dict)

    def t(self, key: str, **values: Any) -> str:
        """Return a text of the table's own."""
        return TEXTS[key][self.lang].format(**values)

    def say(self, words: dict[str, str] | None) -> str:
        """Return a text of the API; nothing in it steers the terminal."""
        if not words:
            return ""
        text = words.get(self.lang) or next(iter(words.values()))
        return sanitize_line(fill_names(text, self.names))

    def name_seat(self, seat: int) -> str:
        """Return what a seat is called."""
        return sanitize_line(self.names.get(seat) or self.t("player", n=seat + 1))

    def join(self, names: list[str]) -> str:
        """Return several names as people say them."""
        return " ".join([", ".join(names[:-1]), self.t("and"), names[-1]]) if len(names) > 1 else "".join(names)

    def name_card(self, card: dict[str, Any]) -> str:
        """Return the name of a card on a board, or of the back of one."""
        return self.say(card["name"]) if card["name"] else f"▒ {self.name_back(card['back'])}"

    def name_back(self, back: str) -> str:
        """Return what the back of a card is called."""
        key = f"back.{back}"
        return self.t(key) if key in TEXTS else sanitize_line(back)

    def name_value(self, value: Any, field_name: str) -> str:
        """Return what may be chosen for a field of a move."""
        if isinstance(value, str) and (card := self.cards.get(value.partition("!")[0])):  # after the !: its back
            return self.say(card["name"])
        if isinstance(value, bool):
            return self.t("yes" if value else "no")
        if isinstance(value, int) and any(part in field_name for part in SEAT_FIELDS):
            return self.name_seat(value)
        return self.t("nothing") if value in (None, "") else sanitize_line(str(value))


SEAT_FIELDS = ("seat", "player", "target", "victim", "helper")
