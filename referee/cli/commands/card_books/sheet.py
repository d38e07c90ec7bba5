"""`referee cards show --print`: a page with all faces, to print and cut out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
from markupsafe import Markup

import referee
from referee.cli.commands.card_books.cards import (
    CARD_WORDS,
    FIELDS_SHOWN_APART,
    Card,
    ShownCards,
    describe_member,
    translate_word,
)
from referee.engine.rulebook.book import Rulebook
from referee.infrastructure.errors import HostError
from referee.rendering import html

HERE = Path(__file__).parent
STYLE = HERE / "sheet.css"


@dataclass(frozen=True)
class Face:
    """What stands on one card."""

    name: str
    kind: str
    numbers: tuple[str, ...]
    text: str


def write_sheet(shown: ShownCards, path: Path, lang: str) -> None:
    """Write a page with the faces of these cards. Raises HostError."""
    faces = [face for card in shown.cards for face in build_faces(card, shown.rulebook, lang)]
    page = (
        html.load_templates(HERE)
        .get_template("sheet.html")
        .render(
            title=shown.title,
            lang=lang,
            faces=faces,
            made=f"Referee {referee.__version__}",
            policy=html.compute_content_policy(STYLE),
            style=Markup(html.load_style(STYLE)),  # noqa: S704  (a file of ours)
        )
    )
    try:
        path.write_text(page, "utf-8")
    except OSError as wrong:
        raise HostError(f"{path} cannot be written: {wrong.strerror}") from wrong
    click.echo(f"{path}: {len(faces)} faces")


def build_faces(card: Card, rulebook: Rulebook, lang: str) -> Iterator[Face]:
    """Yield the face of a card, as often as it is in the box."""
    text = (card.get("text") or {}).get(lang, "")
    bad = (card.get("bad_text") or {}).get(lang, "")
    numbers = tuple(
        describe_member(name, value, rulebook, lang)
        for name, value in card.items()
        if f"field.{name}" in CARD_WORDS and name not in (*FIELDS_SHOWN_APART, "bad_text") and is_plain(value)
    )
    kind = translate_word("kind", str(card.get("kind", "")), lang)
    copies = card.get("copies", 1)
    for _ in range(copies if isinstance(copies, int) else 1):
        yield Face(str(card["name"][lang]), kind, numbers, " ".join(filter(None, (text, bad))))


def is_plain(value: object) -> bool:
    """Return whether a member is a number, a word or a list of these.

    The others say for the program what the text says for people.
    """
    if isinstance(value, list | tuple):
        return all(map(is_plain, value))
    return isinstance(value, str | int)
