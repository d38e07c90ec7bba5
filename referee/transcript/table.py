"""The table as it stood for a viewer, for people to read, made of the view's data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from referee.engine.codec import decode
from referee.engine.game import Game
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.position_rulings.labels import QUESTION_FIELDS, PositionNode, PositionWording
from referee.transcript.wording import TranscriptWords

Doc = Mapping[str, Any]
MATCH_LEVEL_FIELDS = ("variant", "edition", "settings", "named", "cards", "dice")  # they describe the whole match
OMITTED_FIELDS = frozenset({*QUESTION_FIELDS, *MATCH_LEVEL_FIELDS, "emptied"})
MAX_LINE_LENGTH = 90  # characters: members up to this length stand on one line


class TableWording(PositionWording):
    """The words for a table in one language.

    Cards that are alike are counted, and backs are never named.
    """

    def __init__(self, game: Game, words: TranscriptWords, lang: str) -> None:
        super().__init__(game, lang)
        self._words = words

    def describe_seat(self, seat: int | str) -> str:
        """Return a seat, with its player's name if there is one."""
        return self._words.describe_seat(seat)[self.lang] if isinstance(seat, int) else super().describe_seat(seat)

    def describe_value(self, value: Any) -> str:
        """Return a value as people read it; a list counts equal values."""
        if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
            return ", ".join(self._count_cards(value))
        if isinstance(value, str) and self._words.has_text(f"value.{value}"):
            return self._words.render_text(f"value.{value}")[self.lang]
        return super().describe_value(value)

    def _count_cards(self, cards: list[str]) -> Iterator[str]:
        for back, count in Counter(card for card in cards if card.startswith("?")).items():
            yield self._describe_hidden_cards(back.removeprefix("?"), count)
        for name, count in Counter(self.describe_value(card) for card in cards if not card.startswith("?")).items():
            yield (
                name if count == 1 else self._words.render_text("at.times", count=count, card=_as_text(name))[self.lang]
            )

    def _describe_hidden_cards(self, back: str, count: int) -> str:
        """Return a count of hidden cards with the same back."""
        if not back:
            return self._words.render_text("at.hidden", count=count)[self.lang]
        has_text = self._words.has_text(f"back.{back}")
        name = self._words.render_text(f"back.{back}") if has_text else self._words.describe_value(back)
        return self._words.render_text("at.hidden_as", count=count, back=name)[self.lang]

    def describe_table(self, written: Doc) -> tuple[PositionNode, ...]:
        """Return the table, seat by seat and pile by pile."""
        return tuple(self._build_node(key, value) for key, value in written.items() if key not in OMITTED_FIELDS)


def _as_text(text: str) -> Text:
    """Return a name in words as a text."""
    return dict.fromkeys(LANGUAGES, text)


def build_table_nodes(words: TranscriptWords, view: Doc, lang: str) -> tuple[PositionNode, ...]:
    """Return the table of a view for reading; nothing before the start.

    Raises DecodeError or LookupError if this program lacks the game or the edition.
    """
    if view.get("table") is None:
        return ()
    if words.game is None:
        raise LookupError("game")
    state = decode(words.game.state_type, view["table"])
    return TableWording(words.game, words, lang).describe_table(words.game.positions.encode_position(state))


def describe_open_question(words: TranscriptWords, view: Doc) -> tuple[Text | None, list[Text]]:
    """Return the open question, and who is awaited."""
    question = view.get("question")
    awaited = [words.describe_author({"seat": seat}) for seat in view.get("awaits", ())]
    return (words.name_players(question["asks"]) if question else None), awaited


def flatten_nodes(nodes: tuple[PositionNode, ...], depth: int = 0) -> Iterator[tuple[int, str, str]]:
    """Yield every member with its depth, label and value; short ones on one line."""
    for node in nodes:
        if line := _fit_on_line(node):
            yield depth, node.label, line
            continue
        yield depth, node.label, node.value
        yield from flatten_nodes(node.parts, depth + 1)


def _fit_on_line(node: PositionNode) -> str:
    """Return the parts of a member on one line; empty if there are none or too many."""
    if not node.parts or any(part.parts and not _fit_on_line(part) for part in node.parts):
        return ""
    values = (f"{part.label}: {f'({_fit_on_line(part)})' if part.parts else part.value}" for part in node.parts)
    line = " · ".join(values)
    return line if len(line) <= MAX_LINE_LENGTH else ""
