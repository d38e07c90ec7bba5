"""The golden protocols: `python -m tests.transcript.golden` writes them anew, after a look at what has changed."""

from __future__ import annotations

from pathlib import Path

from rich.text import Text

from referee.cli.commands.histories.show import MatchDocument, ShowOptions, render_document
from referee.engine.rulebook.book import LANGUAGES
from referee.rendering.times import ZonedTimeFormat
from tests.arbitration.playing import GAMES
from tests.transcript.played import rewound, told

FOLDER = Path(__file__).parents[1] / "golden" / "transcripts"
WIDTH = 110


def text_of(found: MatchDocument, lang: str, width: int | None = WIDTH) -> str:
    """The course as a terminal of this width shows it, without its marks."""
    lines = render_document(found, ShowOptions(lang), width, ZonedTimeFormat())
    return "".join(f"{Text.from_markup(line).plain.rstrip()}\n" for line in lines)


def write() -> None:
    """Writes them all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for game in GAMES:
        found = told(*rewound(game))
        for lang in LANGUAGES:
            (FOLDER / f"{game}.{lang}.txt").write_text(text_of(found, lang), "utf-8")


if __name__ == "__main__":
    write()
