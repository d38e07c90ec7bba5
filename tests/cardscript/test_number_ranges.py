"""Every number of a new book has a range; books that are published already are read as they are."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args, get_type_hints

import pytest

from referee.cardscript.game import CardGame
from referee.cardscript.language.primitives import Selector
from referee.cardscript.words import NOT_FOR_WRITERS
from referee.engine.rulebook.editions import CardBookError
from referee.games import load_games
from referee.games.books import check_book_text, install_book_text
from referee.rendering.input_errors import translate_input_error
from tests.cardscript.test_idle_texts import CARDS, DRAW, HEAD, repeated

GAMES = {name: game for name, game in load_games().items() if isinstance(game, CardGame)}
CHECKED_BY_VERB = {  # of Creature Crush, where no book could ever have more
    *("with_dice.dice", "set_die.to", "turn_die.by", "add_dice.count", "next_crush.dice"),
    *("look_at_top.count", "look_at_top.destroy"),
}
MONSTER = HEAD.format("here_to_slay") + (
    "  kind: monster\n  requires: [hero]\n  slay: {{min: {slay}}}\n  fight_back: {{max: {back}}}\n"
    "  penalty: [{{do: draw, count: 1}}]\n"
)
HERO = HEAD.format("here_to_slay") + (
    "  kind: hero\n  class: bard\n  roll: {{min: {low}, max: {high}}}\n  does: [{{do: draw, count: {count}}}]\n"
)


def list_errors(text: str) -> list[str]:
    """Return the errors of a book, without file and line."""
    with pytest.raises(CardBookError) as wrong:
        check_book_text(text)
    return [each.detail for each in wrong.value.problems]


def takes_number(hint: Any) -> bool:
    """Whether a parameter of this type may be a number."""
    return hint is int or hasattr(hint, "MEASURES") or any(map(takes_number, get_args(hint)))


@pytest.mark.parametrize("game", GAMES)
def test_every_number_of_a_text_has_a_range(game: str) -> None:
    vocabulary = GAMES[game].library.vocabulary
    numbers = {
        (word, field.name.rstrip("_"))
        for word, kind in {**vocabulary.effects, **vocabulary.selectors}.items()
        if word not in (*NOT_FOR_WRITERS, "alternative")
        for field in fields(kind)  # type: ignore[arg-type]
        if takes_number(get_type_hints(kind)[field.name])
    }
    assert len(numbers) > 10
    bare = {f"{word}.{key}" for word, key in numbers if not {f"{word}.{key}", key} & set(vocabulary.ranges)}
    assert bare <= CHECKED_BY_VERB
    assert all(least < most for least, most in vocabulary.ranges.values())
    words = {**vocabulary.effects, **vocabulary.selectors}
    for where in vocabulary.ranges:
        word, _, key = where.partition(".")
        if key and word in words and issubclass(words[word], Selector):
            assert key in {field.name for field in fields(words[word])}, where  # type: ignore[arg-type]


@pytest.mark.parametrize("game", ["creature_crush", "here_to_slay"])
def test_lines_are_repeated_1_to_40_times(game: str) -> None:
    for times in (1, 40):
        assert check_book_text(repeated(game, times, DRAW[game])).game == game
    for times in (-1, 0, 41, 99_999):
        [told] = list_errors(repeated(game, times, DRAW[game]))
        assert told == f"repeat.times: {times} is out of range; allowed: 1 to 40"
        assert translate_input_error(told, "de") == f"repeat.times: {times} geht nicht. Erlaubt ist 1 bis 40."
    for times in (0, 41):
        assert install_book_text(repeated(game, times, DRAW[game])).game == game


def test_totals_of_rolls_are_those_that_dice_and_cards_can_reach() -> None:
    assert check_book_text(MONSTER.format(slay=9, back=4)).game == "here_to_slay"
    wild = MONSTER.format(slay=99_999, back=-3)
    assert list_errors(wild) == [
        "slay.min: 99999 is out of range; allowed: 1 to 20",
        "fight_back.max: -3 is out of range; allowed: 1 to 20",
    ]
    assert install_book_text(wild).game == "here_to_slay", "it may have been published before"


def test_all_numbers_are_told_at_once_and_each_once() -> None:
    assert list_errors(HERO.format(low=12, high=3, count=-2)) == [
        "there is no number between these",
        "draw.count: -2 is out of range; allowed: 1 to 20",
    ]
    assert list_errors(HERO.format(low=5, high=9, count=20_000)) == [
        "draw.count: 20000 is out of range; allowed: 1 to 20"
    ]
    block = HERO.format(low=5, high=9, count=1).replace("[{do: draw, count: 1}]", "\n  - do: draw\n    count: -5")
    assert list_errors(block) == ["draw.count: -5 is out of range; allowed: 1 to 20"]


def test_conditions_and_nouns_have_ranges_as_well() -> None:
    crush = HEAD.format("creature_crush") + CARDS["creature_crush"]
    line = "{do: check, that: {hand_min: {of: me, count: 500}}, called: many}, {do: draw, count: 1, if: many}"
    assert list_errors(crush.format(line)) == ["hand_min.count: 500 is out of range; allowed: 0 to 99"]
    line = "{do: choose, creature: {of: enemy, cost_max: 400}, called: it}, {do: destroy, what: it}"
    assert list_errors(crush.format(line)) == ["creature.cost_max: 400 is out of range; allowed: 0 to 30"]
    munchkin = HEAD.format("munchkin") + "  kind: one_shot\n  when: calm\n  does: [{}]\n"
    line = "{do: check, that: {not: {level_min: 4000}}, called: low}, {do: draw, deck: door, count: 1, if: low}"
    assert list_errors(munchkin.format(line)) == ["level_min: 4000 is out of range; allowed: 0 to 100"]
    line = "{do: lose, item: {gold_min: 20000}}"
    assert list_errors(munchkin.format(line)) == ["gold_min: 20000 is out of range; allowed: 0 to 10000"]
