"""Chapter 5: the dungeon master builds the floor."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import pytest

from referee.engine.chance import PickResult, ShuffleResult
from referee.engine.events import apply_events
from referee.engine.referee import (
    build_view,
    find_legal_moves,
    find_near_misses,
    judge_candidates,
    judge_move,
    play_move,
    sample_legal_move,
    seats_that_may_act,
    seats_that_must_act,
)
from referee.engine.rulings import Ruling
from referee.engine.seats import BYSTANDER, CHANCE
from referee.games.shy_monsters import GAME
from referee.games.shy_monsters.components import BASE_HAND, MONSTERS
from referee.games.shy_monsters.floors import lay_floor, list_shapes
from referee.games.shy_monsters.moves import Build, Concede, Explore, sort_cells
from referee.games.shy_monsters.state import Laid
from tests.games.shy_monsters.table import HERO, MASTER, opened

LINE = tuple((x, 0) for x in range(1, 7))
HAND = ("corridor", "corridor", "corridor", "exit", "kraken", "mantis")


def building(**more: Any) -> Any:
    """The dungeon master is asked for the first floor and holds corridors, exit, kraken and mantis."""
    return GAME.positions.decode_position(
        {"question": "build", "dungeon_master": int(MASTER), "floor": 1, "hand": list(HAND), **more}
    )


def ruled(state: Any, spots: Any, cards: Any = HAND) -> Ruling:
    return judge_move(state, MASTER, Build(lay_floor(tuple(spots), cards)))


@pytest.mark.clause("SM-BUILD-1")
def test_the_dungeon_master_holds_two_monsters_that_the_hero_does_not_learn() -> None:
    state: Any = opened()
    events = play_move(state, CHANCE, ShuffleResult(MONSTERS))
    after: Any = apply_events(state, events)
    assert build_view(after, MASTER).get_hand() == (*BASE_HAND, "vampire_bat", "dragon")
    assert build_view(after, HERO).get_hand() == ("?",) * 6
    for seat in (HERO, BYSTANDER):
        seen = [event.view_for(seat) for event in events]
        assert not any(card in str(seen) for card in MONSTERS)
    wrong = ruled(after, LINE)  # a kraken and a mantis, which lie in the pile
    assert (wrong.reason, wrong.clauses[0]) == ("not_your_six_cards", "SM-BUILD-1")


@pytest.mark.clause("SM-BUILD-2", "SM-AMB-2")
def test_all_six_cards_are_laid() -> None:
    assert ruled(building(), LINE).granted
    for cells in (lay_floor(LINE[:5], HAND[:5]), (*lay_floor(LINE, HAND), Laid(0, 1, "corridor"))):
        ruling = judge_move(building(), MASTER, Build(cells))
        assert (ruling.reason, ruling.clauses) == ("six_cards_are_laid", ("SM-BUILD-2", "SM-AMB-2"))
    laid = apply_events(building(), play_move(building(), MASTER, Build(lay_floor(LINE, HAND))))
    assert laid.get_hand() == ()
    assert all(tile.up is False for tile in laid.tiles if tile.card != "entrance")


@pytest.mark.clause("SM-BUILD-3")
@pytest.mark.parametrize(
    ("spots", "reason"),
    [
        ([*LINE[:4], (0, 1), (5, 1)], "cards_lie_apart"),  # a corner only
        ([(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (1, 2)], "cards_lie_apart"),  # none beside the entrance
        ([(0, 1), (0, 2), (0, 3), (2, 0), (3, 0), (4, 0)], "cards_lie_apart"),
        ([*LINE[:5], (-6, 0)], "cards_lie_apart"),
        ([*LINE[:5], (5, 0)], "two_cards_on_one_place"),
        ([*LINE[:5], (0, 0)], "entrance_lies_there"),
    ],
)
def test_cards_that_do_not_lie_side_by_side_are_refused(spots: list[tuple[int, int]], reason: str) -> None:
    ruling = ruled(building(), spots)
    assert (ruling.verdict, ruling.reason) == ("refused", reason)
    assert "SM-BUILD-3" in ruling.clauses


@pytest.mark.clause("SM-BUILD-3", "SM-STATE-3")
def test_there_are_5320_floors_and_none_reaches_further_than_six_steps() -> None:
    assert len(set(list_shapes())) == 5320
    assert max(abs(x) + abs(y) for shape in list_shapes() for x, y in shape) == 6
    far = ruled(building(), [*LINE[:5], (7, 0)])
    assert (far.reason, far.clauses) == ("too_far_away", ("SM-BUILD-3", "SM-STATE-3"))


@pytest.mark.clause("SM-BUILD-4")
def test_any_shape_and_any_card_anywhere_will_do_and_the_hero_sees_the_places_only() -> None:
    dice, state = Random(4), building()
    for shape in dice.sample(list_shapes(), 200):
        cards = dice.sample(HAND, 6)
        move = Build(lay_floor(shape, cards))
        events = play_move(state, MASTER, move)
        after: Any = apply_events(state, events)
        seen = build_view(after, HERO)
        assert {tile.spot for tile in seen.tiles} == {(0, 0), *shape}
        assert {tile.card for tile in seen.tiles} == {"entrance", "?"}
        assert {tile.spot: tile.card for tile in build_view(after, MASTER).tiles if tile.spot != (0, 0)} == dict(
            zip(shape, cards, strict=True)
        )
        for told in (move.view_for(HERO, MASTER), *(event.view_for(HERO) for event in events)):
            assert not any(card in str(told) for card in HAND)
        assert move.view_for(MASTER, MASTER) == move


@pytest.mark.clause("SM-BUILD-5", "SM-BUILD-6")
def test_monsters_may_lie_where_they_are_not_active_and_side_by_side() -> None:
    uncomfortable = ("kraken", "mantis", "corridor", "corridor", "corridor", "exit")
    assert ruled(building(), LINE, uncomfortable).granted
    assert ruled(building(), LINE, ("exit", "corridor", "corridor", "corridor", "mantis", "kraken")).granted


@pytest.mark.clause("SM-BUILD-7")
def test_once_built_the_floor_stays_and_the_hero_is_on_turn() -> None:
    state = building()
    assert seats_that_must_act(state) == {MASTER}
    refusal = judge_move(state, HERO, Explore(1, 0))
    assert (refusal.reason, refusal.clauses) == ("wait_for_the_floor", ("SM-BUILD-7",))
    move = Build(lay_floor(LINE, HAND))
    after: Any = apply_events(state, play_move(state, MASTER, move))
    assert seats_that_must_act(after) == {HERO}
    assert not judge_move(after, MASTER, move).granted


@pytest.mark.clause("SM-AMB-17")
def test_the_hero_may_concede_while_the_dungeon_master_builds_and_nobody_else() -> None:
    state = building()
    assert seats_that_may_act(state) == {MASTER, HERO}
    assert list(find_legal_moves(state, HERO)) == [Concede()]
    after: Any = apply_events(state, play_move(state, HERO, Concede()))
    outcome = GAME.find_outcome(after)
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((MASTER,), "won.conceded")
    assert judge_move(state, MASTER, Concede()).reason == "only_the_hero_concedes"


@pytest.mark.clause("SM-AMB-22")
def test_only_the_finished_floor_counts_whatever_the_order_of_laying() -> None:
    cells = lay_floor(LINE, HAND)
    one, other = Build(cells), Build(tuple(reversed(cells)))
    assert play_move(building(), MASTER, one) == play_move(building(), MASTER, other)
    assert one.view_for(HERO, MASTER) == other.view_for(HERO, MASTER)
    assert sort_cells(reversed(cells)) == cells


@pytest.mark.clause("SM-AMB-20")
def test_the_referee_has_to_know_the_floor_unless_real_cards_lie_there() -> None:
    backs = Build(lay_floor(LINE, ("?",) * 6))
    told = judge_move(building(), MASTER, backs)
    assert (told.reason, told.clauses[0]) == ("name_every_card", "SM-AMB-20")
    table = opened("table")
    assert judge_move(table, MASTER, backs).granted
    assert judge_move(table, MASTER, Build(lay_floor(LINE, HAND))).reason == "name_no_card"


@pytest.mark.clause("SM-BUILD-1", "SM-AMB-18")
def test_a_bot_with_real_cards_is_told_its_monsters_and_names_the_floor() -> None:
    state: Any = opened("table", named=(0,))
    assert seats_that_must_act(state) == {CHANCE}
    assert judge_move(state, CHANCE, PickResult(("kraken", "kraken"))).reason == "two_monsters_are_drawn"
    events = play_move(state, CHANCE, PickResult(("kraken", "mantis")))
    assert "kraken" not in str([event.view_for(HERO) for event in events])
    state = apply_events(state, events)
    assert state.get_hand() == HAND
    assert ruled(state, LINE).granted
    later = GAME.positions.decode_position(
        {
            "question": "monsters",
            "dungeon_master": 0,
            "floor": 2,
            "cards": "table",
            "named": [0],
            "discovered": ["kraken"],
            "undiscovered": ["mantis"],
        }
    )
    for card in ("kraken", "mantis"):
        ruling = judge_move(later, CHANCE, PickResult(("dragon", card)))
        assert (ruling.reason, ruling.clauses[0]) == ("monster_was_used", "SM-AMB-18")
    assert judge_move(later, CHANCE, PickResult(("dragon", "basilisk"))).granted


def test_a_hand_that_is_not_known_leaves_the_ruling_open_unless_nobody_could_hold_it() -> None:
    state = GAME.positions.decode_position(
        {"question": "build", "dungeon_master": 0, "floor": 2, "discovered": ["mantis"]}
    )
    open_ruling = ruled(state, LINE, (*BASE_HAND, "dragon", "kraken"))
    assert (open_ruling.verdict, open_ruling.needs[0].key) == ("undecided", "which_cards_are_held")
    assert ruled(state, LINE, ("?",) * 6).granted
    for cards, reason in (
        ((*BASE_HAND, "dragon", "mantis"), "monster_was_used"),
        ((*BASE_HAND, "dragon", "exit"), "no_such_hand"),
        (("corridor", "corridor", "exit", "dragon", "kraken", "basilisk"), "card_is_kept_back"),
        ((*BASE_HAND, "dragon", "hydra"), "no_such_dungeon_card"),
        ((*BASE_HAND, "dragon", "?"), "name_every_card"),
    ):
        assert (ruled(state, LINE, cards).verdict, ruled(state, LINE, cards).reason) == ("refused", reason)


def test_floors_are_listed_lazily_described_by_a_pattern_and_drawn_at_random() -> None:
    state = building()
    first = list(islice(find_legal_moves(state, MASTER), 6000))
    assert len(set(first)) == 6000
    top = state.agenda[-1]
    assert [pattern["type"] for pattern in top.move_patterns(state, MASTER)] == ["sm.build"]
    assert top.move_patterns(state, HERO) == ()
    misses = [ruling.reason for _, ruling in islice(find_near_misses(state, MASTER), 6)]
    assert {"six_cards_are_laid", "cards_lie_apart", "entrance_lies_there", "two_cards_on_one_place"} <= set(misses)
    dice = Random(1)
    drawn = {sample_legal_move(state, MASTER, dice.randrange) for _ in range(50)}
    assert len(drawn) == 50
    assert all(move is not None and judge_move(state, MASTER, move).granted for move in drawn)


def test_with_real_cards_every_floor_is_listed_once_by_its_places() -> None:
    table = opened("table")
    moves = [move for move, against in judge_candidates(table, MASTER) if against is None]
    assert len(moves) == len(set(moves)) == 5320


def test_a_card_that_is_too_many_is_named() -> None:
    ruling = ruled(building(), LINE, tuple(replace_one(HAND, "exit", "corridor")))
    assert (ruling.reason, ruling.params) == ("not_your_six_cards", {"card": "corridor"})


def replace_one(cards: tuple[str, ...], old: str, new: str) -> list[str]:
    return [new if card == old else card for card in cards]
