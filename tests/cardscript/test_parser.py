"""What the reader of card texts refuses, with file, line and suggestion, and what it makes of the rest."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent, indent

import pytest

from referee.cardscript.language.builtins import COMMON_VOCABULARY, Choose, ForEach, GoBack, Stop
from referee.cardscript.language.located_yaml import load_entries
from referee.cardscript.language.parser import CardTextParser, collect_verbs
from referee.cardscript.language.primitives import (
    ME,
    NO_NAME,
    BoundName,
    CardEffect,
    NewName,
    PlayerSelector,
    Program,
    Selector,
    Values,
)
from referee.engine.codec import named
from referee.engine.rulebook.book import BookError

WORDS = COMMON_VOCABULARY.copy_for_game()


@WORDS.register_selector("fruit")
@named("test.Fruit")
@dataclass(frozen=True)
class Fruit(Selector):
    ripe: bool = False
    from_: BoundName | None = None

    def find_options(self, state: object, text: object, seat: int) -> Values:
        return ("apple", "pear")


@WORDS.register_selector("player")
@named("test.Player")
@dataclass(frozen=True)
class Player(Selector):
    near: bool = False


@WORDS.register_effect("eat")
@dataclass(frozen=True)
class Eat(CardEffect):
    what: BoundName
    bites: int = 1
    who: PlayerSelector = ME
    called: NewName = NO_NAME


def text(tmp_path: Path, written: str, ambient: tuple[str, ...] = ()) -> Program:
    file = tmp_path / "cards.yaml"
    file.write_text("- does:\n" + indent(dedent(written), "    "), "utf-8")
    (entry,) = load_entries(file)
    return CardTextParser("cards.yaml", WORDS).parse_text(entry["does"], entry.line, ambient)


def misprint(tmp_path: Path, written: str) -> str:
    with pytest.raises(BookError) as wrong:
        text(tmp_path, written)
    return str(wrong.value)


GOOD = "- {do: choose, fruit: {ripe: true}, called: snack}\n- {do: eat, what: snack}"


def test_a_text_becomes_a_program(tmp_path: Path) -> None:
    choose, eat = text(tmp_path, GOOD)
    assert choose.effect == Choose(Fruit(ripe=True), NewName("snack"))
    assert eat.effect == Eat(BoundName("snack"))


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("- {do: chose, fruit: {}, called: x}", "cards.yaml:2: unknown verb 'chose'; did you mean 'choose'?"),
        ("- {do: eat, whta: me}", "cards.yaml:2: eat takes no 'whta'; did you mean 'what'?"),
        ("- {do: eat}", "cards.yaml:2: eat needs 'what'"),
        ("- {do: eat, what: snak}", "unknown name 'snak'"),
        ("- {do: eat, what: me, bites: two}", "eat.bites: 'two' is not a whole number"),
        ("- {do: eat, what: me, bites: true}", "eat.bites: True is not a whole number"),
        ("- {do: eat, what: me, who: everybody}", "eat.who: unknown player 'everybody'"),
        ("- {do: choose, called: x}", "choose needs one of fruit, player"),
        ("- {do: choose, fruit: {}, player: {}, called: x}", "choose takes only one of fruit, player"),
        ("- {do: choose, fruit: {rip: true}, called: x}", "fruit takes no 'rip'; did you mean 'ripe'?"),
        ("- {do: choose, fruit: {}, called: me}", "'me' cannot be a name"),
        ("- {do: choose, fruit: {}, called: 'two words'}", "cannot be a name"),
        ("- {do: eat, what: me, if: hungry}", "'if': unknown name 'hungry'"),
        ("- {do: eat, what: me, if: me, unless: me}", "never reached"),
        ("- {do: stop, if: me}\n- {do: eat, what: me, called: rest}", "cards.yaml:3: the name 'rest' is never used"),
        ("- {do: stop}\n- {do: eat, what: me}", "cards.yaml:3: this line is never reached"),
        ("- {do: for_each, fruit: {}, called: each}", "for_each needs 'lines' to repeat"),
        ("- {do: eat, what: me, lines: []}", "eat takes no 'lines'"),
        ("- {eat: me}", "a line needs a verb under 'do'"),
        ("- eat", "a line must be a mapping with 'do'"),
        ("- {do: eat, what: me, on: x}", "is not text; put it in quotes"),
        ("- {do: eat, do: eat}", "do appears twice"),
        (
            "- {do: choose, fruit: {}, called: a}\n- {do: choose, fruit: {from: a}, called: b, declared: true}",
            "cards.yaml:3: fruit.from: unknown name 'a'",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_line(tmp_path: Path, written: str, says: str) -> None:
    assert says in misprint(tmp_path, written)


def test_a_verb_without_keys_is_told_without_a_list_of_them(tmp_path: Path) -> None:
    assert misprint(tmp_path, "- {do: as_written, count: 1}").endswith("as_written takes no 'count'")


def test_a_stop_under_a_condition_ends_nothing_for_sure(tmp_path: Path) -> None:
    stop, eat = text(tmp_path, "- {do: stop, if: me}\n- {do: eat, what: me}")
    assert isinstance(stop.effect, Stop)
    assert eat.jump == 2


def test_lines_that_are_repeated_come_back_and_forget_what_they_named(tmp_path: Path) -> None:
    lines = text(
        tmp_path,
        """\
        - do: for_each
          fruit: {ripe: true}
          called: each
          lines:
            - {do: choose, fruit: {}, called: other}
            - {do: eat, what: other}
        """,
    )
    loop, _, _, back = lines
    assert isinstance(loop.effect, ForEach)
    assert loop.jump == 4
    assert back.effect == GoBack(0, ("other",))
    assert collect_verbs(lines) == {"for_each", "choose", "eat"}


def test_names_at_hand_may_be_given_to_a_text(tmp_path: Path) -> None:
    (line,) = text(tmp_path, "- {do: eat, what: lot, who: lot}", ("lot",))
    assert line.effect == Eat(BoundName("lot"), who=PlayerSelector("lot"))
    (line,) = text(tmp_path, "- {do: eat, what: me, who: {near: true}}")
    assert line.effect == Eat(BoundName("me"), who=PlayerSelector(noun=Player(near=True)))


def test_a_word_is_registered_once() -> None:
    with pytest.raises(ValueError, match="eat is already a verb"):
        WORDS.register_effect("eat")(Eat)
    with pytest.raises(ValueError, match="fruit is already a noun"):
        WORDS.register_selector("fruit")(Fruit)
    assert "eat" not in COMMON_VOCABULARY.effects


def test_a_file_that_is_no_list_of_entries_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "cards.yaml"
    for written in ("a: b", "- a\n- b", "- {a: [}"):
        file.write_text(written, "utf-8")
        with pytest.raises(BookError, match=r"cards\.yaml"):
            load_entries(file)
