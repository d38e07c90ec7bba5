"""Questions say what is needed to answer them, and tell nobody more than everybody knows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice

import pytest

from referee.engine.game import Setup
from referee.engine.referee import find_legal_moves, seats_that_may_act
from referee.engine.rulebook.book import LANGUAGES, Rulebook
from referee.engine.rulebook.messages import blank_placeholders
from referee.engine.seats import BYSTANDER, Seat
from referee.games import load_games
from referee.games.here_to_slay.moves import Attack, RollFor
from referee.rendering import texts
from tests.games.course import then
from tests.games.here_to_slay.given import table
from tests.games.here_to_slay.test_challenges import challenged, dice
from tests.games.matches import marked_setups, random_match

HTS = load_games()["here_to_slay"]
COPY = re.compile(r"#[0-9]+|![a-z_]+")  # copies of one card, and those with another back, do the same


@pytest.mark.parametrize("pair", marked_setups())
def test_the_variant_of_a_question_and_its_numbers_are_the_same_for_everybody(pair: tuple[str, Setup]) -> None:
    game = load_games()[pair[0]]
    for turned in islice(random_match(*pair, 8), 200):
        state = turned.before
        told = game.narration.describe_question(state)
        for seat in (*range(pair[1].seats), BYSTANDER):
            seen = state.view_for(Seat(seat))
            assert game.narration.describe_question(seen) == told
            assert texts.question_response(game, seen) == texts.question_response(game, state)
        assert all(texts.question_response(game, state)["asks"].values())


@pytest.mark.parametrize("pair", marked_setups())
def test_no_two_legal_moves_read_alike_unless_they_do_the_same(pair: tuple[str, Setup]) -> None:
    game = load_games()[pair[0]]
    for turned in islice(random_match(*pair, 8), 150):
        for seat in seats_that_may_act(turned.before):
            legal = islice(find_legal_moves(turned.before, seat), 60)
            meant: dict[tuple[str, str], set[str]] = {}
            for each in texts.legal_moves_response(game, legal, turned.before):
                if each["told"] is not None:
                    move = COPY.sub("", json.dumps(each["move"], sort_keys=True))
                    meant.setdefault((each["told"]["en"], each["told"]["de"]), set()).add(move)
            assert {told: moves for told, moves in meant.items() if len(moves) > 1} == {}


@pytest.mark.clause("HTS-MOD-1")
def test_who_is_asked_for_a_modifier_reads_what_the_roll_has_and_needs() -> None:
    _, rolled = dice(then(table(["hook"], ["spooky"], parties={0: ["peanut"]}), 0, RollFor("peanut")), 3, 3)
    asks = texts.question_response(HTS, rolled)["asks"]
    assert asks["en"].startswith("Player 1 has 6 on Peanut and needs 7 or more")
    fighters = table(["hook"], ["spooky"], parties={0: ["peanut", "fluffy", "bad_axe"]}, row=["dracos"])
    _, fought = dice(then(fighters, 0, Attack("dracos")), 2, 3)
    asks = texts.question_response(HTS, fought)["asks"]
    assert "5 or less slays it, at 8 or more it fights back" in asks["en"]
    assert "höchstens 5" in asks["de"]
    state = challenged("peanut", ["hook"], ["challenge", "spooky"])
    _, state = dice(state, 1, 2, 3, 4)
    assert "a tie wins for the challenger" in texts.question_response(HTS, state)["asks"]["en"]


@pytest.mark.parametrize("name", load_games())
def test_every_setting_is_described_in_both_languages_as_its_schema_says(name: str) -> None:
    game = load_games()[name]
    for setting, schema in game.settings["properties"].items():
        says = game.rulebook.render_texts(f"setting.{setting}.says")
        assert says["en"] == schema["description"]
        assert says["de"] != says["en"]


def player_moves(book: Rulebook) -> Iterator[tuple[str, dict[str, str]]]:
    """The texts of what players do: what chance and the clock do is not theirs to choose."""
    for key, said in book.reasons.items():
        if re.match(r"(move|answer)\.(?!chance\.|clock\.|mc\.(begins|drawn|laid_open)|sm\.roles_drawn)", key):
            yield key, {lang: blank_placeholders(said[lang]) for lang in LANGUAGES}


@pytest.mark.parametrize("name", load_games())
def test_buttons_are_requests(name: str) -> None:
    """In English the imperative, in German the infinitive, each a sentence; never what somebody else does."""
    book: Rulebook | None = load_games()[name].rulebook
    seen = 0
    while book is not None:
        for key, said in player_moves(book):
            seen += 1
            assert re.match(r"[A-Z…].*\.$", said["en"]), key
            assert not re.match(r"(?!Yes,)\w*[^s\W]s\b", said["en"]), (key, "reads like what somebody does")
            assert re.match(r"[A-ZÄÖÜ…(].*\.$", said["de"]), key
            first = re.split("[.,:]", re.sub(r" \([^)]*\)\.", ".", said["de"]))[0]
            assert first.endswith("n") or first in ("…", "Ja"), (key, "is no infinitive")
        book = book.base
    assert seen > 4


@pytest.mark.parametrize("pair", marked_setups())
def test_buttons_of_matches_are_whole_sentences(pair: tuple[str, Setup]) -> None:
    game = load_games()[pair[0]]
    for turned in islice(random_match(*pair, 9), 100):
        for seat in seats_that_may_act(turned.before):
            for each in texts.legal_moves_response(
                game, islice(find_legal_moves(turned.before, seat), 30), turned.before
            ):
                if each["told"] is not None:
                    for lang in LANGUAGES:
                        assert re.match(r"[^a-zäöü].*\.$", each["told"][lang]), each
