"""The boards of all games: what is drawn has the declared shape, and shows what the viewer sees and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from api.http.schemas.typed_dicts import build_answer_schema
from referee.engine.game import Setup
from referee.engine.parts.boards import PlainBoard
from referee.engine.parts.card_usage import design_name
from referee.engine.seats import BYSTANDER, FULL_VIEWER, Seat
from referee.engine.zones import is_back
from referee.games import load_games
from tests.games.matches import marked_setups, recorded

each = pytest.mark.parametrize("pair", marked_setups(), scope="module")
LOOKS = 60  # states of a match that are looked at


def boards(pair: tuple[str, Setup]) -> Iterator[tuple[Any, int, dict[str, Any]]]:
    """Views of a random match, whose they are, and what is drawn of them."""
    name, setup = pair
    turns = list(recorded(pair, 0))
    for turn in turns[:: max(1, len(turns) // LOOKS)]:
        for viewer in (*map(Seat, range(setup.seats)), BYSTANDER, FULL_VIEWER):
            view = turn.after if viewer == FULL_VIEWER else turn.after.view_for(viewer)
            yield view, viewer, load_games()[name].boards.draw(view, viewer, setup.variant)


def iterate_cards(part: Any) -> Iterator[dict[str, Any]]:
    """Every card that is drawn in a part of a board."""
    if isinstance(part, dict):
        if part.keys() >= {"id", "card", "name", "back"}:
            yield part
        for inner in part.values():
            yield from iterate_cards(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from iterate_cards(inner)


@pytest.mark.parametrize("name", load_games())
def test_every_game_declares_the_shape_of_its_board(name: str) -> None:
    shape = load_games()[name].boards.shape
    assert shape is not PlainBoard
    assert build_answer_schema(shape)().fields["game"].validate.choices == (name,)


@each
def test_a_board_has_the_shape_that_the_contract_declares(pair: tuple[str, Setup]) -> None:
    schema = build_answer_schema(load_games()[pair[0]].boards.shape)()
    for _, _, board in boards(pair):
        assert schema.load(board), "nothing is missing, and nothing is there that is not declared"


@each
def test_a_board_names_only_cards_that_the_viewer_sees(pair: tuple[str, Setup]) -> None:
    game = load_games()[pair[0]]
    named = 0
    for view, viewer, board in boards(pair):
        seen = {design_name(card) for card in game.tracking.visible_cards(view, viewer) if not is_back(card)}
        seen |= {design_name(card) for cards in game.tracking.cards_by_zone(view).values() for card in cards}
        for card in iterate_cards({"seats": board["seats"], "piles": board["piles"]}):
            assert card["card"] is None or card["card"] in seen
            named += card["card"] is not None
    assert named


@each
def test_no_two_cards_of_a_board_have_one_id(pair: tuple[str, Setup]) -> None:
    game = load_games()[pair[0]]
    for view, _, board in boards(pair):
        lying = [card for cards in game.tracking.cards_by_zone(view).values() for card in cards if not is_back(card)]
        if not game.boards.has_copies and len(set(lying)) < len(lying):
            continue  # people have reported one card twice
        ids = [card["id"] for card in iterate_cards({"seats": board["seats"], "piles": board["piles"]})]
        assert len(ids) == len(set(ids))


@each
def test_a_hand_and_a_pile_hold_as_many_cards_as_lie_there(pair: tuple[str, Setup]) -> None:
    game = load_games()[pair[0]]
    for view, _, board in boards(pair):
        zones = {place.removesuffix(":"): len(cards) for place, cards in game.tracking.cards_by_zone(view).items()}
        for pile in (*board["piles"], *(seat["hand"] for seat in board["seats"] if seat["hand"])):
            assert pile["count"] in (zones.get(pile["place"], 0), None)
            assert pile["count"] is None or len(pile["cards"]) <= pile["count"]
