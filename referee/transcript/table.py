"""The table as it stood for some eyes, for people to read: made of the view that they were given, as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from referee.engine.codec import decode
from referee.engine.game import Game
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.position_rulings.labels import TOLD_ELSEWHERE, Node, Wording
from referee.transcript.wording import Words

Doc = Mapping[str, Any]
SAID = ("variant", "edition", "settings", "named", "cards", "dice")  # of the match as a whole
UNTOLD = frozenset({*TOLD_ELSEWHERE, *SAID, "emptied"})
SHORT = 90  # signs: what is no longer stands on one line


class Laid(Wording):
    """What lies on a table, in one language. Cards that are alike are counted, and backs are never named."""

    def __init__(self, game: Game, words: Words, lang: str) -> None:
        super().__init__(game, lang)
        self._words = words

    def who(self, seat: int | str) -> str:
        """A seat, with its player's name where there is one."""
        return self._words.seat(seat)[self.lang] if isinstance(seat, int) else super().who(seat)

    def plain(self, value: Any) -> str:
        """A value as people read it; of a list, the same ones counted."""
        if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
            return ", ".join(self._counted(value))
        if isinstance(value, str) and self._words.has(f"value.{value}"):
            return self._words.text(f"value.{value}")[self.lang]
        return super().plain(value)

    def _counted(self, cards: list[str]) -> Iterator[str]:
        for back, count in Counter(card for card in cards if card.startswith("?")).items():
            yield self._backs(back.removeprefix("?"), count)
        for name, count in Counter(self.plain(card) for card in cards if not card.startswith("?")).items():
            yield name if count == 1 else self._words.text("at.times", count=count, card=_plain(name))[self.lang]

    def _backs(self, back: str, count: int) -> str:
        """So many hidden cards of one back."""
        if not back:
            return self._words.text("at.hidden", count=count)[self.lang]
        known = self._words.has(f"back.{back}")
        name = self._words.text(f"back.{back}") if known else self._words.called(back)
        return self._words.text("at.hidden_as", count=count, back=name)[self.lang]

    def table(self, written: Doc) -> tuple[Node, ...]:
        """What lies there, seat by seat and pile by pile."""
        return tuple(self._node(key, value) for key, value in written.items() if key not in UNTOLD)


def _plain(text: str) -> Text:
    """A text that is said already."""
    return dict.fromkeys(LANGUAGES, text)


def laid(words: Words, view: Doc, lang: str) -> tuple[Node, ...]:
    """The table of a view for reading; nothing before it is laid out. Raises Unreadable, LookupError where the view is
    of a game, or of an edition, that this program has not."""
    if view.get("table") is None:
        return ()
    if words.game is None:
        raise LookupError("game")
    state = decode(words.game.state, view["table"])
    return Laid(words.game, words, lang).table(words.game.written(state))


def asked(words: Words, view: Doc) -> tuple[Text | None, list[Text]]:
    """The open question, and who is awaited."""
    question = view.get("question")
    awaited = [words.who({"seat": seat}) for seat in view.get("awaits", ())]
    return (question["asks"] if question else None), awaited


def drawn(nodes: tuple[Node, ...], depth: int = 0) -> Iterator[tuple[int, str, str]]:
    """Every member with how deep it lies, its label and its value; what is short stands on one line."""
    for node in nodes:
        if line := _short(node):
            yield depth, node.label, line
            continue
        yield depth, node.label, node.value
        yield from drawn(node.parts, depth + 1)


def _short(node: Node) -> str:
    """The parts of a member on one line; empty where there are none, or they are too long for it."""
    if not node.parts or any(part.parts and not _short(part) for part in node.parts):
        return ""
    values = (f"{part.label}: {f'({_short(part)})' if part.parts else part.value}" for part in node.parts)
    line = " · ".join(values)
    return line if len(line) <= SHORT else ""
