"""Books with texts that do nothing are refused where they are checked, and read where they are published already."""

from __future__ import annotations

import pytest

from referee.engine.rulebook.editions import CardBookError
from referee.games.books import check_book_text, install_book_text
from referee.rendering.input_errors import translate_input_error

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
def test_lines_are_repeated_1_to_40_times(game: str) -> None:
    for times in (1, 40):
        assert check_book_text(repeated(game, times, DRAW[game])).game == game
    for times in (0, 41):
        with pytest.raises(CardBookError) as wrong:
            check_book_text(repeated(game, times, DRAW[game]))
        [told] = str(wrong.value).splitlines()
        assert told.endswith(f"repeat.times: {times} is out of range; allowed: 1 to 40")
        assert install_book_text(repeated(game, times, DRAW[game])).game == game
        detail = told.split(": ", 1)[1]
        assert translate_input_error(detail, "de") != detail


@pytest.mark.parametrize("game", ["creature_crush", "here_to_slay"])
def test_a_loop_without_lines_is_refused_but_still_read(game: str) -> None:
    with pytest.raises(CardBookError, match="lines has no lines; leave it out if nothing happens"):
        check_book_text(repeated(game, 2, ""))
    assert install_book_text(repeated(game, 2, "")).game == game


def test_a_text_without_lines_is_refused_but_still_read() -> None:
    book = HEAD.format("here_to_slay") + CARDS["here_to_slay"].format("")
    with pytest.raises(CardBookError, match="book:10: does has no lines; leave it out if nothing happens"):
        check_book_text(book)
    assert install_book_text(book).game == "here_to_slay"
