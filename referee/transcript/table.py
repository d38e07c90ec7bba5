"""The table as it stood for some eyes, for people to read: made of the view that they were given, as plain data."""

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
MATCH_LEVEL_FIELDS = ("variant", "edition", "settings", "named", "cards", "dice")  # of the match as a whole
OMITTED_FIELDS = frozenset({*QUESTION_FIELDS, *MATCH_LEVEL_FIELDS, "emptied"})
MAX_LINE_LENGTH = 90  # signs: what is no longer stands on one line


class TableWording(PositionWording):
    """What lies on a table, in one language. Cards that are alike are counted, and backs are never named."""

    def __init__(self, game: Game, words: TranscriptWords, lang: str) -> None:
        super().__init__(game, lang)
        self._words = words

    def describe_seat(self, seat: int | str) -> str:
        """A seat, with its player's name where there is one."""
        return self._words.describe_seat(seat)[self.lang] if isinstance(seat, int) else super().describe_seat(seat)

    def describe_value(self, value: Any) -> str:
        """A value as people read it; of a list, the same ones counted."""
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
        """So many hidden cards of one back."""
        if not back:
            return self._words.render_text("at.hidden", count=count)[self.lang]
        known = self._words.has_text(f"back.{back}")
        name = self._words.render_text(f"back.{back}") if known else self._words.describe_value(back)
        return self._words.render_text("at.hidden_as", count=count, back=name)[self.lang]

    def describe_table(self, written: Doc) -> tuple[PositionNode, ...]:
        """What lies there, seat by seat and pile by pile."""
        return tuple(self._build_node(key, value) for key, value in written.items() if key not in OMITTED_FIELDS)


def _as_text(text: str) -> Text:
    """A text that is said already."""
    return dict.fromkeys(LANGUAGES, text)


def build_table_nodes(words: TranscriptWords, view: Doc, lang: str) -> tuple[PositionNode, ...]:
    """The table of a view for reading; nothing before it is laid out. Raises DecodeError, LookupError where the view is
    of a game, or of an edition, that this program has not."""
    if view.get("table") is None:
        return ()
    if words.game is None:
        raise LookupError("game")
    state = decode(words.game.state_type, view["table"])
    return TableWording(words.game, words, lang).describe_table(words.game.encode_position(state))


def describe_open_question(words: TranscriptWords, view: Doc) -> tuple[Text | None, list[Text]]:
    """The open question, and who is awaited."""
    question = view.get("question")
    awaited = [words.describe_author({"seat": seat}) for seat in view.get("awaits", ())]
    return (question["asks"] if question else None), awaited


def flatten_nodes(nodes: tuple[PositionNode, ...], depth: int = 0) -> Iterator[tuple[int, str, str]]:
    """Every member with how deep it lies, its label and its value; what is short stands on one line."""
    for node in nodes:
        if line := _fit_on_line(node):
            yield depth, node.label, line
            continue
        yield depth, node.label, node.value
        yield from flatten_nodes(node.parts, depth + 1)


def _fit_on_line(node: PositionNode) -> str:
    """The parts of a member on one line; empty where there are none, or they are too long for it."""
    if not node.parts or any(part.parts and not _fit_on_line(part) for part in node.parts):
        return ""
    values = (f"{part.label}: {f'({_fit_on_line(part)})' if part.parts else part.value}" for part in node.parts)
    line = " · ".join(values)
    return line if len(line) <= MAX_LINE_LENGTH else ""
