"""What a book of Munchkin cannot say: refused when it is checked, each thing with its line, so that no match trips."""

from __future__ import annotations

import pytest

from referee.engine.rulebook.editions import CardBookError
from referee.games.books import check_book_text
from referee.games.munchkin import GAME
from referee.games.munchkin.components import FACES, PROGRAMS
from referee.games.munchkin.positions.texts import list_text_names
from referee.games.munchkin.texts.checks import find_card_problems
from tests.games.munchkin.expansion import EDITION, FILE, TEXT

HEAD = "book: stall\ngame: munchkin\ntitle: Stall\nextends: printed\ncards:\n"
CARD = "- id: newcomer\n  kind: {kind}\n  name: Newcomer\n  text: Arrives.\n"


def misprints(text: str) -> list[str]:
    """All that is wrong with a book, line by line."""
    with pytest.raises(CardBookError) as error:
        check_book_text(text, "stall.yaml")
    return str(error.value).splitlines()


def wrong(kind: str, *lines: str) -> list[str]:
    """What is wrong with a card of this kind that has these lines, the first of which is line 10."""
    return misprints(HEAD + CARD.format(kind=kind) + "".join(f"  {line}\n" for line in lines))


MONSTER = ("level: 3", "bad_text: Ouch.")


def test_the_cards_of_the_box_could_stand_in_a_book() -> None:
    for card, face in FACES.items():
        assert list(find_card_problems(face, {name: PROGRAMS[card, name] for name in list_text_names(card)})) == []
    assert sum(len(list_text_names(card)) for card in FACES) == len(PROGRAMS)


def test_a_book_is_checked_without_being_installed() -> None:
    book = check_book_text(TEXT.replace("Herbstmarkt", "Herbstfest"), FILE.name)
    assert book.edition != EDITION
    assert book.edition not in GAME.list_editions()


def test_a_book_of_one_card_does_not_stand_alone() -> None:
    alone = (HEAD + CARD.format(kind="ride") + "  when: any_time\n").replace("extends: printed\n", "")
    for said in misprints(alone):
        assert said.startswith("stall.yaml:1: a book that stands alone needs at least ")
        assert said.endswith("did you mean 'extends: printed'?")


def test_all_that_is_wrong_is_said_at_once_in_the_order_of_the_lines() -> None:
    first = "- {id: wolfman, kind: itme, name: A, text: B}\n"
    second = "- {id: fight, kind: ride, name: A, text: B}\n"
    third = "- {id: hat, kind: item, name: A, text: B, slot: headgaer, bonus: 99}\n"
    assert misprints(HEAD + first + second + third) == [
        "stall.yaml:6: wolfman is already a printed card",
        "stall.yaml:6: unknown kind 'itme'; did you mean 'item'?",
        "stall.yaml:7: fight is a word of the rules and cannot be the id of a card",
        "stall.yaml:7: when is missing",
        "stall.yaml:8: bonus: 99 is not a whole number from -20 to 20",
        "stall.yaml:8: unknown slot 'headgaer'; did you mean 'headgear'?",
    ]


@pytest.mark.parametrize(
    ("kind", "lines", "says"),
    [
        ("item", ("slot: hand",), "6: an item for the hand must say how many hands it needs"),
        ("item", ("slot: armor", "copies: 2"), "11: a card of kind item can have only one copy"),
        ("item", ("slot: armor", "big: 1"), "11: big must be true or false"),
        ("item", ("slot: armor", "gold: plenty"), "11: gold: 'plenty' is not a whole number from 0 to 10000"),
        (
            "item",
            ("slot: armor", "requires: {level_mni: 3}"),
            "11: unknown condition 'level_mni'; did you mean 'level_min'",
        ),
        ("item", ("slot: armor", "standing: {escape: 1}"), "11: standing must be a list of at most 20 entries"),
        (
            "item",
            ("slot: armor", "standing: [{esacpe: 1}]"),
            "11: unknown standing value 'esacpe'; did you mean 'escape'?",
        ),
        ("item", ("slot: armor", "standing: [{escape: 1, when: x}]"), "11: unknown key 'when'"),
        (
            "item",
            ("slot: armor", "standing: [{strength: 1, if: {losing: true}}]"),
            "11: losing cannot be a condition here",
        ),
        (
            "ride",
            ("when: [any_time, fleeing]",),
            "10: a card of kind ride can be played only any_time or own_turn or calm, not fl",
        ),
        ("curse", ("when: any_time",), "6: a curse must do something at once or stay"),
        ("curse", ("when: any_time", "stays: {until: sunday}"), "11: unknown until 'sunday'"),
        ("curse", ("when: any_time", "stays: {unless: {alone: true}}"), "11: stays needs 'until'"),
        (
            "curse",
            ("when: any_time", "does: [{do: lose_levels, count: 0}]"),
            "11: lose_levels.count: 0 is not a number from 1",
        ),
        (
            "curse",
            ("when: any_time", "does: [{do: lose_lvels, count: 1}]"),
            "11: unknown verb 'lose_lvels'; did you mean",
        ),
        (
            "curse",
            ("when: any_time", "does: [{do: die}]"),
            "11: die cannot be used in curse; it can be used in: bad_stuff",
        ),
        ("curse", ("when: any_time", "does: [{do: special, rule: x}]"), "11: unknown special function 'x'"),
        (
            "enhancer",
            ("when: any_combat", "does: [{do: rout}]"),
            "11: a card of kind enhancer needs the verb enhance exactly once",
        ),
        (
            "one_shot",
            ("when: any_time", "does: [{do: rout}]"),
            "11: rout cannot be used with the time any_time; only with any_combat",
        ),
        (
            "one_shot",
            ("when: calm", "does: [{do: turn_die}]"),
            "11: turn_die cannot be used with the time calm; only with after_my_roll",
        ),
        ("one_shot", ("when: any_time",), "6: does is missing"),
        (
            "one_shot",
            ("when: any_time", "does:", "- {do: choose, player: {any: true}, called: pal}", "- {do: take, card: pal}"),
            "11: take.card: 'pal' stands for players, not for a discarded card",
        ),
        (
            "one_shot",
            ("when: any_time", "does:", "- {do: roll, called: pips}", "- {do: lose_levels, count: 1, who: pips}"),
            "11: lose_levels.who: 'pips' stands for a number, not for players",
        ),
        (
            "one_shot",
            (
                "when: any_time",
                "does:",
                "- {do: roll, called: it}",
                "- {do: check, that: {alone: true}, called: it}",
                "- {do: lose_levels, count: 1, if: it}",
            ),
            "11: check: the name 'it' is already taken and stands for a number",
        ),
        ("monster", MONSTER, "6: bad_stuff is missing"),
        ("monster", ("level: 3", "bad_stuff: [{do: die}]"), "6: bad_text is missing"),
        (
            "monster",
            (*MONSTER, "bad_stuff: [{do: die}]", "lets_pass: [{do: die}]"),
            "13: a monster that lets players pass",
        ),
        (
            "monster",
            (*MONSTER, "bad_stuff: [{do: die}]", "tags: [undaed]"),
            "13: unknown tag 'undaed'; did you mean 'undead'?",
        ),
        ("monster", (*MONSTER, "bad_stuff: [{do: die}]", "clauses: [MK-99.9]"), "13: unknown clause 'MK-99.9'"),
        (
            "citizenship",
            ("when: own_turn", "town: easter", "powers: [{name: 5}]"),
            "12: a power needs a name, and 5 is not a valid one",
        ),
        ("citizenship", ("when: own_turn", "town: easter", "powers: [stroll]"), "12: a power must be a mapping"),
        (
            "citizenship",
            (
                "when: own_turn",
                "town: easter",
                "powers: [{name: stroll, cost: item, per: combat, when: fleeing, does: []}]",
            ),
            "12: does of a power is missing",
        ),
        (
            "citizenship",
            (
                "when: own_turn",
                "town: easter",
                "powers: [{name: stroll, cost: item, per: combat, when: fleeing, does: [{do: escape}]}]",
            ),
            "12: with cost monster, per must be combat; with cost item, monster",
        ),
        (
            "citizenship",
            (
                "when: own_turn",
                "town: easter",
                "powers: [{name: newcomer, cost: item, per: monster, when: fleeing, does: [{do: escape}]}]",
            ),
            "12: newcomer is already a card and cannot be the name of a power",
        ),
        (
            "citizenship",
            (
                "when: own_turn",
                "town: easter",
                "powers: [{name: scare, cost: item, per: monster, when: fleeing, does: [{do: escape}]}]",
            ),
            "12: scare is a word of the rules and cannot be the name of a power",
        ),
    ],
)
def test_a_card_that_could_not_be_played_is_refused(kind: str, lines: tuple[str, ...], says: str) -> None:
    found = wrong(kind, *lines)
    assert any(line.startswith(f"stall.yaml:{says}") for line in found), found


def test_two_powers_of_one_book_are_not_called_alike() -> None:
    power = "{name: stroll, cost: item, per: monster, when: fleeing, does: [{do: escape}]}"
    town = "- {{id: {}, kind: citizenship, name: A, text: B, when: own_turn, town: easter, powers: [{}]}}\n"
    assert misprints(HEAD + town.format("one_town", power) + town.format("two_towns", power)) == [
        "stall.yaml:6: stroll is already another power and cannot be the name of a power",
        "stall.yaml:7: stroll is already another power and cannot be the name of a power",
    ]
