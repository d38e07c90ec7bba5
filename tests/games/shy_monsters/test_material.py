"""Chapter 1: what is in the box."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.engine.game import Setup
from referee.engine.rulings import MalformedInput
from referee.games.shy_monsters import GAME
from referee.games.shy_monsters.components import CARDS, FACES, MONSTERS

by_id = {card["id"]: card for card in CARDS}


@pytest.mark.clause("SM-MAT-1")
def test_there_are_exactly_two_players() -> None:
    assert GAME.complete_setup(Setup("standard", 2)).seats == 2
    for seats in (1, 3):
        with pytest.raises(MalformedInput):
            GAME.complete_setup(Setup("standard", seats))


@pytest.mark.clause("SM-MAT-2")
def test_there_are_eleven_dungeon_cards_six_of_them_different_monsters() -> None:
    kinds = Counter({card["kind"]: 0 for card in CARDS})
    for card in CARDS:
        kinds[card["kind"]] += card["copies"]
    assert {kind: kinds[kind] for kind in ("entrance", "corridor", "exit", "monster")} == {
        "entrance": 1, "corridor": 3, "exit": 1, "monster": 6,
    }  # fmt: skip
    assert len(set(MONSTERS)) == 6
    assert set(MONSTERS) < set(FACES)


@pytest.mark.clause("SM-MAT-3")
def test_there_are_a_pawn_two_skills_and_an_overview_card_each() -> None:
    pieces = {name: by_id[name]["copies"] for name in ("hero_pawn", "skill_attack", "skill_jump", "overview_card")}
    assert pieces == {"hero_pawn": 1, "skill_attack": 1, "skill_jump": 1, "overview_card": 2}


def test_every_card_is_named_and_described_in_both_languages_and_says_how_well_it_is_sourced() -> None:
    for card in CARDS:
        assert all(card[part][lang] for part in ("name", "text") for lang in ("en", "de")), card["id"]
        assert card["sourced"]
        assert all(clause in GAME.rulebook.clauses for clause in card["clauses"])


def test_the_picture_of_a_pattern_shows_the_same_as_its_places() -> None:
    for card in CARDS:
        if card["kind"] != "monster":
            continue
        marks = {(x - 1, y - 1): mark for y, row in enumerate(card["picture"]) for x, mark in enumerate(row)}
        assert marks[0, 0] == "M"
        assert {spot for spot, mark in marks.items() if mark == "#"} == set(map(tuple, card["comfort"]["must"]))
        assert {spot for spot, mark in marks.items() if mark == "x"} == set(map(tuple, card["comfort"]["must_not"]))
