"""The screen of the table: golden pictures at 80 × 24, any size, and what a covered hand does not show."""

from __future__ import annotations

import pytest
from rich.text import Text

from referee.cli.table.drawing.letters import draw_large
from referee.cli.table.drawing.prompts import Reason
from referee.cli.table.drawing.screen import Screen, Shown, draw_screen, find_headline, wrap_text
from referee.cli.table.offers import KEYS, Offer, list_offers
from tests.cli.table.sitting import GAMES, HERE, plain_lines, sit_down

SIZES = [(80, 24), (120, 40), (200, 60), (72, 20), (50, 16), (30, 12)]


def draw(game: str, lang: str = "en", size: tuple[int, int] = (80, 24), **opened: object) -> Screen:
    return draw_screen(sit_down(game, lang), Shown(**opened), *size)  # type: ignore[arg-type]


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("game", GAMES)
def test_the_screen_is_the_one_that_was_looked_at(game: str, lang: str) -> None:
    """Covered hand in English, open hand in German."""
    screen = draw(game, lang, is_hand_open=lang == "de", title=game.replace("_", " ").title())
    golden = (HERE / "screens" / f"{game}.{lang}.txt").read_text("utf-8")
    assert "\n".join(plain_lines(screen.lines)) + "\n" == golden


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_a_screen_fills_any_terminal_and_never_more(game: str, size: tuple[int, int]) -> None:
    for is_open in (False, True):
        screen = draw(game, "de", size, is_hand_open=is_open)
        assert len(screen.lines) == size[1]
        assert max(line.cell_len for line in screen.lines) <= size[0]


@pytest.mark.parametrize("size", SIZES[:4])
@pytest.mark.parametrize("game", GAMES)
def test_each_offer_has_a_key_on_one_of_the_pages(game: str, size: tuple[int, int]) -> None:
    state = sit_down(game)
    pages = draw_screen(state, Shown(is_hand_open=True), *size).pages
    found: list[Offer] = []
    for page in range(pages):
        screen = draw_screen(state, Shown(is_hand_open=True, page=page), *size)
        found += screen.keys.values()
        left = [line[: size[0] * 3 // 5] for line in plain_lines(screen.lines)]
        assert all(any(line.startswith(f" {key} ") for line in left) for key in screen.keys), "each is to be seen"
    assert found == list_offers(state, is_hand_open=True)
    assert all(len(key) == 1 and key in KEYS for key in screen.keys)


@pytest.mark.parametrize("game", GAMES)
def test_a_covered_hand_is_named_nowhere(game: str) -> None:
    state, onlooker = sit_down(game), sit_down(game)
    onlooker.seat = None  # it sees the same table without hand and moves
    onlooker.entries = []
    public = "\n".join(plain_lines(draw_screen(onlooker, Shown(), 200, 60).lines))
    hidden = {state.words.name_card(card) for card in state.hand["cards"]}  # type: ignore[index]
    hidden = {name for name in hidden if name not in public}
    covered = "\n".join(plain_lines(draw(game, size=(200, 60)).lines))
    opened = "\n".join(plain_lines(draw(game, size=(200, 60), is_hand_open=True).lines))
    assert hidden
    assert [name for name in hidden if name in covered] == []
    assert [name for name in hidden if name not in opened] == []


def test_near_misses_say_why_not_with_the_clause() -> None:
    state = sit_down("mau_mau")
    screen = draw_screen(state, Shown(is_hand_open=True), 80, 24)
    why = [offer for offer in screen.keys.values() if offer.kind == "why"]
    assert why
    prompt = Reason(why[-1].text, why[-1].about)
    shown = "\n".join(plain_lines(draw_screen(state, Shown(prompt=prompt), 80, 24).lines))
    said = " ".join(line.split("│")[0].strip() for line in shown.splitlines()[5:17])
    assert state.words.say(why[-1].about["reason"]) in said
    assert f"MM-PLAY-1 {state.words.say(why[-1].about['clauses'][0]['says'])}" in said


def test_a_lost_connection_is_a_banner_over_the_whole_width() -> None:
    state = sit_down("mau_mau", "de")
    state.take("line", False)
    first = draw_screen(state, Shown(is_sending=True), 80, 24).lines[0]
    assert first.plain == " Keine Verbindung. Dein Zug ist gespeichert und geht raus, sobald sie wieder da…"
    state.take("line", True)
    assert "Verbindung" not in draw_screen(state, Shown(), 80, 24).lines[0].plain


def test_the_headline_says_whose_turn_it_is() -> None:
    state = sit_down("mau_mau", "de")
    assert state.view is not None
    assert find_headline(state) == "Du bist dran"
    state.view = {**state.view, "awaits": [1], "board": {**state.view["board"], "turn": 1}}
    assert find_headline(state) == "Björn ist dran"
    state.view["board"]["turn"] = 0
    state.view["awaits"] = [1, 0]
    assert find_headline(state) == "Du bist dran"
    state.seat = 2
    assert find_headline(state) == "Warten auf Ada und Björn"
    state.view["outcome"] = {"winners": [1], "reason": None}
    assert find_headline(state) == "Björn gewinnt"


def test_large_letters_are_three_lines_of_one_width_with_dots() -> None:
    lines = draw_large("Du bist dran, Jürgen", 80)
    assert lines is not None
    assert len({len(line) for line in lines}) == 1
    assert draw_large("Ü", 80) != draw_large("U", 80)
    assert draw_large("Ада ходит", 80) is None, "letters that it lacks"
    assert draw_large("a long name " * 3, 80) is None


def test_words_of_people_do_not_steer_the_terminal() -> None:
    state = sit_down("mau_mau")
    state.words.names[1] = "\x1b[31mEve\x07"
    shown = "\n".join(plain_lines(draw_screen(state, Shown(), 80, 24).lines))
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "[31mEve" in shown


def test_broken_lines_are_indented() -> None:
    lines = wrap_text(Text("one two three four"), 10, hanging=2)
    assert plain_lines(lines) == ["one two", "  three", "  four"]


def test_what_the_table_asks_and_that_nobody_reacts_have_keys_too() -> None:
    state = sit_down("here_to_slay")
    assert state.moves is not None
    assert state.about is not None
    says = {"en": "Do you agree to the takeback?", "de": "Bist du einverstanden?"}
    yes = {"body": {"grant": True}, "says": {"en": "Yes", "de": "Ja"}}
    state.moves = {**state.moves}
    state.moves["asked"] = [{"asks": says, "path": "/v1/matches/01-match/takebacks/9/consents", "answers": [yes]}]
    first, *others = list_offers(state, is_hand_open=False)
    assert (first.group, first.text, first.kind) == ("Do you agree to the takeback?", "Yes", "write")
    assert (first.path, first.body) == ("/v1/matches/01-match/takebacks/9/consents", {"grant": True})
    assert not any("no-reaction" in offer.path for offer in others), "not where the server deals"
    state.about["chance"] = {"deck": "table", "dice": "server"}
    window = state.moves["window"]["id"]
    [nobody] = [offer for offer in list_offers(state, is_hand_open=False) if "no-reaction" in offer.path]
    assert nobody.path == f"/v1/matches/01-match/windows/{window}/no-reaction"
    assert nobody.body is None
    assert nobody.text == "Nobody reacts (goes for everyone)"


def test_a_picker_without_a_heading_is_offered_all_the_same() -> None:
    state = sit_down("mau_mau")
    assert state.moves is not None
    picker = {"type": "x.build", "says": {"en": "Build"}, "move": {"type": "x.build"}, "choices": []}
    state.moves = {**state.moves, "pickers": [picker]}
    assert [offer.text for offer in list_offers(state, is_hand_open=False) if offer.kind == "picker"] == ["Build …"]


def test_what_a_free_text_changed_is_not_asked_for_where_there_is_no_form() -> None:
    state = sit_down("mau_mau")
    assert state.moves is not None
    changes = {"field": "changes", "kind": "changes", "values": ["x"], "copies": None, "least": 1, "most": 50}
    picker = {"type": "x.report", "says": {"en": "Report"}, "move": {"type": "x.report"}, "choices": [changes]}
    state.moves = {**state.moves, "pickers": [picker]}
    assert [offer.text for offer in list_offers(state, is_hand_open=False) if offer.kind == "picker"] == []


def test_a_near_miss_that_names_a_covered_card_waits_for_the_hand() -> None:
    state = sit_down("mau_mau")
    card = state.hand["cards"][0]["card"]  # type: ignore[index]
    told = {"en": "Lay it out", "de": "Auslegen"}
    miss = {"move": {"type": "x", "cells": [{"card": card, "x": 1, "y": 0}]}, "told": told, "ruling": {}}
    state.near = (state.version, [miss])
    assert [offer.kind for offer in list_offers(state, is_hand_open=False) if offer.kind == "why"] == []
    assert [offer.text for offer in list_offers(state, is_hand_open=True) if offer.kind == "why"] == ["Lay it out"]
