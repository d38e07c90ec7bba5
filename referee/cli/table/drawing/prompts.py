"""What covers the moves for a while: a reason, a picker, dice, the log.

Each prompt draws itself into lines and takes keys. A key returns STAY, CLOSED, or the body to send.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from rich.text import Text

from referee.cli.table.drawing.words import Words
from referee.cli.table.offers import Offer

STAY, CLOSED = object(), object()
Wrap = Callable[[Text], list[Text]]


class Prompt(Protocol):
    """Something that covers the moves."""

    def draw(self, words: Words, wrap: Wrap, height: int) -> list[Text]:
        """Return the lines."""

    def press(self, key: str) -> Any:
        """Take a key, and return STAY, CLOSED, or the body to send."""


@dataclass
class Reason:
    """Why something is refused, by which clauses, and how it would work."""

    title: str
    ruling: dict[str, Any]

    def draw(self, words: Words, wrap: Wrap, height: int) -> list[Text]:
        """Return the reason first, as the rest may not fit."""
        parts = [Text(self.title, style="bold"), Text(words.say(self.ruling["reason"]), style="bold #d0402f")]
        for clause in self.ruling["clauses"]:
            parts.append(Text.assemble((clause["id"], "reverse"), " ", words.say(clause["says"])))
        if self.ruling["way_out"]:
            parts.append(Text(words.t("way_out"), style="bold"))
            parts += [Text(words.say(way["because"])) for way in self.ruling["way_out"]]
        lines = [line for part in parts for line in wrap(part)]
        return [*lines[: height - 1], Text(words.t("any_key"), style="dim")]

    def press(self, key: str) -> Any:
        """Close with any key."""
        return CLOSED


@dataclass
class Notice:
    """Something that was refused and is no rule, or another message."""

    title: str
    detail: str

    def draw(self, words: Words, wrap: Wrap, height: int) -> list[Text]:
        """Return title and detail."""
        lines = [*wrap(Text(self.title, style="bold #d0402f")), *wrap(Text(self.detail))]
        return [*lines[: height - 1], Text(words.t("any_key"), style="dim")]

    def press(self, key: str) -> Any:
        """Close with any key."""
        return CLOSED


@dataclass
class Confirmation:
    """Whether something that cannot be taken back is meant."""

    offer: Offer
    yes_keys: str

    def draw(self, words: Words, wrap: Wrap, height: int) -> list[Text]:
        """Return what would be done."""
        return [*wrap(Text(self.offer.text, style="bold")), *wrap(Text(words.t("really")))][:height]

    def press(self, key: str) -> Any:
        """Send it only by the letter for yes."""
        return self.offer.body if len(key) == 1 and key in self.yes_keys else CLOSED


@dataclass
class Menu:
    """Something to choose by its number."""

    title: str
    offers: list[Offer]

    def draw(self, words: Words, wrap: Wrap, height: int) -> list[Text]:
        """Return the choices, each with its number."""
        lines = wrap(Text(self.title, style="bold"))
        for number, offer in enumerate(self.offers, start=1):
            lines.append(Text.assemble((f" {number} ", "reverse bold"), f" {offer.text}"))
        return [*lines[: height - 1], Text(words.t("menu_help"), style="dim")]

    def press(self, key: str) -> Any:
        """Return what was chosen; any other key closes it."""
        chosen = int(key) if key in tuple("123456789") else 0
        return self.offers[chosen - 1] if 0 < chosen <= len(self.offers) else CLOSED


@dataclass
class Sheet:
    """Lines over the whole width that scroll: what has happened, or the table."""

    title: str
    lines: list[Text]
    back: int = 0  # lines from the end

    def draw(self, words: Words, wrap: Wrap, height: int) -> list[Text]:
        """Return as much as fits."""
        lines = [broken for line in self.lines for broken in wrap(line)]
        room = height - 2
        self.back = max(0, min(self.back, len(lines) - room))
        shown = lines[max(0, len(lines) - room - self.back) : len(lines) - self.back]
        shown += [Text() for _ in range(room - len(shown))]
        return [Text(self.title, style="bold"), *shown, Text(f"↑ ↓ · {words.t('back')}", style="dim")]

    def press(self, key: str) -> Any:
        """Scroll, or close."""
        if key in ("up", "down", "tab", "backtab"):
            self.back += {"up": 1, "down": -1, "backtab": 10, "tab": -10}[key]
            return STAY
        return CLOSED


@dataclass
class Dice:
    """What real dice show: a digit for each."""

    offer: Offer
    question: str
    typed: str = ""

    def draw(self, words: Words, wrap: Wrap, height: int) -> list[Text]:
        """Return the dice, with a gap for each that is missing."""
        shown = " ".join(self.typed.ljust(self.offer.about, "_"))
        lines = [*wrap(Text(self.question, style="bold")), *wrap(Text(words.t("dice", typed=shown)))]
        return [*lines, *wrap(Text(words.t("dice_help"), style="dim"))][:height]

    def press(self, key: str) -> Any:
        """Take digits, and report with Enter."""
        if key == "esc":
            return CLOSED
        if key == "backspace":
            self.typed = self.typed[:-1]
        elif key in "123456" and len(self.typed) < self.offer.about:
            self.typed += key
        elif key == "enter" and len(self.typed) == self.offer.about:
            move = {"type": "chance.rolled", "values": [int(die) for die in self.typed]}
            return {**self.offer.body, "move": move}
        return STAY


@dataclass
class Picker:
    """Puts a move together, one field after the other.

    A field takes a value by search, several, places, a number, or words.
    """

    offer: Offer
    words: Words
    move: dict[str, Any] = field(default_factory=dict)
    at: int = 0  # the field
    typed: str = ""
    marked: int = 0  # the line
    picked: list[Any] = field(default_factory=list)  # of several
    laid: Any = None  # a card that gets a place

    @property
    def choice(self) -> dict[str, Any]:
        """Return the field that is open."""
        return dict(self.offer.about["choices"][self.at])

    def find_values(self) -> list[tuple[int, Any, str]]:
        """Return the values that fit what is typed: number, value, name."""
        named = (
            (at, each, self.words.name_value(each, self.choice["field"]))
            for at, each in enumerate(self.choice["values"])
        )
        return [row for row in named if self.typed.casefold() in row[2].casefold()]

    def draw(self, words: Words, wrap: Wrap, height: int) -> list[Text]:
        """Return the open field."""
        head, choice = wrap(Text(self.offer.text, style="bold")), self.choice
        if self.laid is not None:
            ask = words.t("place", card=words.name_value(self.laid, ""), typed=self.typed)
            return [*head, *wrap(Text(ask)), *wrap(Text(words.t("typed_help"), style="dim"))][:height]
        if choice["kind"] in ("number", "text"):
            least, most = choice["least"] or 0, choice["most"]
            key = "text" if choice["kind"] == "text" else "number" if most is not None else "any_number"
            ask = words.t(key, least=least, most=most, typed=f"{self.typed}_")
            return [*head, *wrap(Text(ask)), *wrap(Text(words.t("typed_help"), style="dim"))][:height]
        found = self.find_values()
        self.marked = max(0, min(self.marked, len(found) - 1))
        is_one = choice["kind"] == "one"
        help_lines = wrap(Text(words.t("one_help" if is_one else "several_help"), style="dim"))
        head.append(Text(words.t("search", typed=f"{self.typed}_")))
        if not is_one:
            chosen = ", ".join(self._name_picked(each) for each in self.picked)
            head += wrap(Text(f"{words.t('chosen', n=len(self.picked))}: {chosen}"))
        room = max(1, height - len(head) - len(help_lines))
        first = max(0, min(self.marked - room // 2, len(found) - room))
        lines = []
        for row, (_, value, name) in enumerate(found[first : first + room], start=first):
            count = sum(self._bare(each) == value for each in self.picked)
            sign = ("", " ✓")[count] if count < 2 else f" ×{count}"
            lines.append(Text(f" {name}{sign} ", style="reverse" if row == self.marked else ""))
        return [*head, *lines, *help_lines][:height]

    def press(self, key: str) -> Any:
        """Take a key for the open field."""
        kind = self.choice["kind"]
        if key == "esc":
            return CLOSED
        if key == "backspace":
            self.typed = self.typed[:-1]
        elif key in ("up", "down"):
            self.marked += 1 if key == "down" else -1
        elif key == "enter":
            return self._enter(kind)
        elif key == "tab" and kind in ("several", "places") and len(self.picked) >= (self.choice["least"] or 0):
            return self._finish(self.picked)
        elif len(key) == 1 and key.isprintable():
            self.typed, self.marked = self.typed + key, 0
        return STAY

    def _enter(self, kind: str) -> Any:
        choice, typed = self.choice, self.typed.strip()
        if self.laid is not None:
            return self._lay(typed)
        if kind == "text":
            return self._finish(typed) if typed else STAY
        if kind == "number":
            least, most = choice["least"] or 0, choice["most"]
            is_fit = typed.lstrip("-").isdecimal() and least <= int(typed) <= (int(typed) if most is None else most)
            return self._finish(int(typed)) if is_fit else STAY
        found = self.find_values()
        if not found:
            return STAY
        at, value, _ = found[self.marked]
        if kind == "one":
            return self._finish(value)
        self.typed = ""
        of_it = [each for each in self.picked if self._bare(each) == value]
        limit = choice["copies"][at] if choice["copies"] else choice["most"] or 1
        if len(of_it) >= limit or len(self.picked) >= (choice["most"] or len(choice["values"]) * limit):
            self.picked = [each for each in self.picked if each not in of_it]
        elif kind == "places":
            self.laid = value
        else:
            self.picked.append(value)
        return STAY

    def _lay(self, typed: str) -> Any:
        """Lay the card at the typed place."""
        numbers = typed.replace(",", " ").split()
        if len(numbers) == 2 and all(number.lstrip("-").isdecimal() for number in numbers):
            self.picked.append({"card": self.laid, "x": int(numbers[0]), "y": int(numbers[1])})
            self.laid, self.typed = None, ""
        return STAY

    def _finish(self, value: Any) -> Any:
        """Take the value of the open field, and go on to the next or return the body."""
        self.move[self.choice["field"]] = value
        self.at, self.typed, self.marked, self.picked = self.at + 1, "", 0, []
        if self.at < len(self.offer.about["choices"]):
            return STAY
        self.at = 0
        return {**self.offer.body, "move": {**self.offer.about["move"], **self.move}}

    def _bare(self, each: Any) -> Any:
        return each["card"] if isinstance(each, dict) else each

    def _name_picked(self, each: Any) -> str:
        name = self.words.name_value(self._bare(each), self.choice["field"])
        return f"{name} ({each['x']}|{each['y']})" if isinstance(each, dict) else name
