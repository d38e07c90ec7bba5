"""Books with texts that do nothing are refused where they are checked, and read where they are published already."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.engine.rulebook.editions import CardBookError
from referee.eventstore.memory.log import MemoryLog
from referee.games.books import check_book_text, install_book_text
from referee.infrastructure.card_book_files import CardBookFileError, publish_books
from referee.repository.card_books import CardBookRepository

HEAD = (
    "book: idle_hands\ngame: {}\ntitle: Idle\nextends: printed\ncards:\n- id: idler\n  name: Idler\n  text: It idles.\n"
)
CARDS = {
    "creature_crush": "  kind: creature\n  cost: 5\n  attack: 2\n  life: 3\n  action: [{}]\n",
    "here_to_slay": "  kind: magic\n  does: [{}]\n",
}
DRAW = {
    "creature_crush": "{do: draw, count: 1}",
    "here_to_slay": "{do: draw, count: 1}",
}


def repeated(game: str, times: int, lines: str) -> str:
    """A book with a card that repeats lines."""
    return HEAD.format(game) + CARDS[game].format(f"{{do: repeat, times: {times}, lines: [{lines}]}}")


@pytest.mark.parametrize("game", ["creature_crush", "here_to_slay"])
def test_a_loop_without_lines_is_refused_but_still_read(game: str) -> None:
    with pytest.raises(CardBookError, match="lines has no lines; leave it out if nothing happens"):
        check_book_text(repeated(game, 2, ""))
    assert install_book_text(repeated(game, 2, "")).game == game


def test_a_book_that_is_published_already_is_published_again_as_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    log, text = MemoryLog(), repeated("here_to_slay", 41, DRAW["here_to_slay"])
    (tmp_path / "idle.yaml").write_text(text)
    with pytest.raises(CardBookFileError):
        publish_books(log, tmp_path)
    with monkeypatch.context() as before:
        before.setattr("referee.games.books.find_odd_numbers", lambda *_: ())
        assert len(publish_books(log, tmp_path)) == 1
    assert publish_books(log, tmp_path) == (), "the server starts with it as before"
    assert CardBookRepository(log).publish_book(text)[1] is False
    with pytest.raises(CardBookError, match="out of range"):
        CardBookRepository(log).publish_book(text + "# another text\n")
    with pytest.raises(CardBookError):
        CardBookRepository(log).publish_book(text, game="munchkin")


def test_a_text_without_lines_is_refused_but_still_read() -> None:
    book = HEAD.format("here_to_slay") + CARDS["here_to_slay"].format("")
    with pytest.raises(CardBookError, match="book:10: does has no lines; leave it out if nothing happens"):
        check_book_text(book)
    assert install_book_text(book).game == "here_to_slay"
