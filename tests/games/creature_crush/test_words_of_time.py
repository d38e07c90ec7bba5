"""Words about time: how often, at the end of a turn, at a flip."""

from __future__ import annotations

import pytest

from referee.engine.events import replace_fields
from referee.engine.referee import build_view, collect_granting_clauses, find_legal_moves
from referee.engine.rulebook.book import BookError
from referee.engine.seats import BYSTANDER, Seat
from referee.games.books import install_book_text
from referee.games.creature_crush import GAME
from referee.games.creature_crush.components import HANDS
from referee.games.creature_crush.events.course import DelayedEffectsDue, DiceBurned, EffectDelayed, TurnEnded
from referee.games.creature_crush.events.decks import CardDrawn
from referee.games.creature_crush.events.field import CreaturesDamaged, CreaturesHealed, EffectSkipped
from referee.games.creature_crush.moves import ChoosePlace, EndCombat, EndTurn, Flip, MoveCreature, Order, Pass
from referee.games.creature_crush.narration import describe_question
from referee.games.creature_crush.rules.chain import Chain, FlipOrdering
from referee.games.creature_crush.rules.turn import give_turn
from referee.games.creature_crush.state import Table
from referee.rendering.texts import describe_event
from tests.games.course import of, then, when
from tests.games.creature_crush.table import names, picked, rolled, table
from tests.games.creature_crush.wording import (
    at_rest,
    choices,
    kept,
    read,
    said,
    unsaid,  # noqa: F401
)

BOOK = """
book: hours
game: creature_crush
title: Hours
extends: printed
cards:
- {id: owl, kind: creature, cost: 9, attack: 3, life: 7, name: Owl, text: It rests.,
   turn_ends: [{do: heal, creature: this, points: 2}]}
- {id: imp, kind: creature, cost: 7, attack: 2, life: 4, name: Imp, text: It plays.,
   flips: [{do: draw, count: 1}],
   opponent_flips: [{do: choose, creature: {of: enemy}, called: it}, {do: damage, creature: it, points: 1}]}
- {id: cat, kind: creature, cost: 7, attack: 2, life: 4, name: Cat, text: It hisses.,
   flips: [{do: mill, who: opponent, count: 1}]}
"""


@pytest.fixture(scope="module")
def edition() -> str:
    """The book of the cards above."""
    return install_book_text(BOOK, "hours.yaml").edition


def named(edition: str, *cards: str) -> tuple[str, ...]:
    """These cards of the book."""
    return tuple(f"{card}@{edition.partition('@')[2]}" for card in cards)


def answered(state: Table) -> Table:
    """The table once nobody flips anything any more."""
    while isinstance(state.agenda[-1], Chain):
        state = when(state, state.agenda[-1].answering_seat, Pass())[1]
    return state


def read_back(state: Table) -> Table:
    """The table of a position, which has fewer cards than a box."""
    written = GAME.positions.encode_position(state)
    return GAME.positions.tables.find_table(written).examine(written)[0]


# ---- how often -------------------------------------------------------------------------------------------------------

HITS = [
    {"do": "at_random", "creature": {"of": "enemy"}, "called": "it"},
    {"do": "damage", "creature": "it", "points": 1},
]


@pytest.mark.clause("CC-CHAIN-5")
def test_lines_are_repeated_as_often_as_is_counted_and_name_anew_each_time() -> None:
    enemies = {"B1": "clay_guard", "B2": "stone_owl"}
    state = table({}, enemies, hands=(("thornback", "hex_toad", "bog_leech"), ()))
    events, state = said(state, {"do": "repeat", "times": {"hand_of": "me"}, "lines": HITS})
    hit: list[dict[str, int]] = [event.points for event in of(events, CreaturesDamaged)]
    for card in ("clay_guard", "stone_owl", "clay_guard"):
        events, state = picked(kept(state), card)
        hit += [event.points for event in of(events, CreaturesDamaged)]
    assert hit == [{"clay_guard": 1}, {"stone_owl": 1}, {"clay_guard": 1}]
    assert at_rest(state)


def test_with_nothing_to_count_the_lines_are_left_out() -> None:
    events, state = said(table(), {"do": "repeat", "times": {"hand_of": "me"}, "lines": [{"do": "draw", "count": 1}]})
    assert not of(events, CardDrawn)
    assert at_rest(state)


def test_nothing_is_repeated_without_end() -> None:
    with pytest.raises(BookError, match="not all"):
        read({"do": "repeat", "times": "all", "lines": HITS})
    with pytest.raises(BookError, match="needs 'lines'"):
        read({"do": "repeat", "times": 2})
    lines = [{"do": "strengthen", "creature": "this", "attack": 1}]
    _, state = said(table({"B1": "clay_guard"}), {"do": "repeat", "times": 99, "lines": lines}, this="clay_guard")
    assert len(state.lasting["clay_guard"]) == 40


# ---- at the end of a turn --------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-WORD-TIME-1")
def test_a_card_acts_at_the_end_of_its_players_turn_after_the_dice_are_burned(edition: str) -> None:
    (owl,) = named(edition, "owl")
    how = {"rules": {"edition": edition}, "damage": {owl: 3}, "phase": "tactic", "dice": (2, 5)}
    events, after = when(table({"B1": owl}, **how), 0, EndTurn())
    kinds = [event for event in events if isinstance(event, DiceBurned | CreaturesHealed | TurnEnded)]
    assert [type(event) for event in kinds] == [DiceBurned, CreaturesHealed, TurnEnded]
    assert after.damage == {owl: 1}
    assert "CC-WORD-TIME-1" in collect_granting_clauses(table({"B1": owl}, **how), EndTurn(), events)
    other = table({}, {"B1": owl}, **how)
    assert not of(when(other, 0, EndTurn())[0], CreaturesHealed), "it is not its player's turn that ends"


def test_the_end_of_a_turn_can_be_answered_and_is_asked_about(edition: str) -> None:
    (owl,) = named(edition, "owl")
    how = {"rules": {"edition": edition}, "damage": {owl: 3}, "phase": "tactic", "decks": (("hex_toad",), ())}
    _, asking = when(table({"B1": owl}, {"C1": "last_reserve"}, **how), 0, EndTurn())
    assert asking.agenda[-1].question_name() == "response.end"
    assert describe_question(asking) == ("named", {"seat": 0})
    assert read_back(asking) == asking
    assert answered(asking).damage == {owl: 1}


# ---- at a flip -------------------------------------------------------------------------------------------------------

FLIP = Flip("C1", "volley")


@pytest.mark.clause("CC-CHAIN-4")
def test_a_creature_acts_when_its_player_flips_before_the_flipped_card_does(edition: str) -> None:
    (imp,) = named(edition, "imp")
    how = {"rules": {"edition": edition}, "dice": ()}
    events, _ = when(table({"B1": imp, "C1": "volley"}, {"B1": "clay_guard"}, **how), 0, FLIP)
    told = names(events)
    assert told.index("CardDrawn") < told.index("Damaged")


@pytest.mark.clause("CC-CHAIN-2")
def test_the_active_player_orders_several_effects_of_a_flip(edition: str) -> None:
    imp, cat = named(edition, "imp", "cat")
    state = table({"B1": imp, "B2": cat, "C1": "volley"}, {"B1": "clay_guard"}, rules={"edition": edition})
    _, asking = when(state, 0, FLIP)
    assert isinstance(asking.agenda[-1], FlipOrdering)
    assert choices(kept(asking), 0) == [Order(imp, "flips"), Order(cat, "flips")]
    assert read_back(asking) == asking
    events, _ = when(asking, 0, Order(cat, "flips"))
    told = names(events)
    assert told.index("CardsDestroyed") < told.index("CardDrawn") < told.index("Damaged")


def test_a_creature_acts_when_the_opponent_flips(edition: str) -> None:
    (imp,) = named(edition, "imp")
    state = table({"C1": "volley"}, {"B1": imp}, rules={"edition": edition})
    events, after = when(replace_fields(state, zones={**state.zones, "B2/0": ("stone_owl",)}), 0, FLIP)
    assert [event.points for event in of(events, CreaturesDamaged)][:1] == [{"stone_owl": 1}]
    assert find_legal_moves(after, Seat(0))


# ---- later -----------------------------------------------------------------------------------------------------------

NEXT = {"do": "later", "when": "next_turn", "lines": [{"do": "all", "creature": {"of": "enemy"}, "called": "them"},
                                                      {"do": "damage", "creature": "them", "points": 4}]}  # fmt: skip
BACK = [
    {"do": "choose", "hell_card": {"kind": "creature"}, "called": "back"},
    {"do": "revive", "card": "back"},
    {"do": "later", "when": "turn_ends", "lines": [{"do": "destroy", "what": "back"}]},
]


@pytest.mark.clause("CC-WORD-TIME-2")
def test_a_revived_creature_dies_at_the_end_of_the_turn_wherever_on_the_field_it_is() -> None:
    state = table({"B1": "thornback"}, {}, hells=(("hex_toad",), ()), phase="tactic", dice=(3,))
    _, state = said(state, *BACK, {"do": "draw", "count": 1}, this="thornback")
    events, state = when(state, 0, ChoosePlace("B2"))
    assert len(of(events, CardDrawn)) == 1, "the text itself goes on at once"
    assert [each.when for each in state.later] == ["turn_ends"]
    assert read_back(state).later == state.later
    state = then(replace_fields(state, entered=()), 0, MoveCreature("hex_toad", "B3", 3))
    events, state = when(state, 0, EndTurn())
    assert of(events, DelayedEffectsDue) == [DelayedEffectsDue(0, "turn_ends")]
    assert state.list_hell(0) == ("hex_toad",)
    assert state.later == ()


def test_nothing_happens_to_one_that_is_not_there_any_more() -> None:
    state = table({"B1": "thornback"}, {}, hells=(("hex_toad",), ()), phase="tactic")
    _, state = said(state, *BACK, {"do": "send_back", "creature": "back"}, this="thornback")
    _, state = when(state, 0, ChoosePlace("B2"))
    events, state = when(state, 0, EndTurn())
    assert EffectSkipped("thornback", "gone") in events
    assert "hex_toad" in state.cards_at(HANDS[0])


@pytest.mark.clause("CC-WORD-TIME-2")
def test_what_is_put_off_to_the_next_turn_comes_then_though_its_card_is_gone() -> None:
    state = table({"B1": "thornback"}, {"B1": "stone_owl"}, phase="tactic", hands=((), ()))
    _, state = said(state, NEXT, {"do": "destroy", "what": "this"}, this="thornback")
    (board,) = [GAME.boards.draw(build_view(state, Seat(seat)), seat, "skirmish") for seat in (1,)]
    assert [(each["seat"], each["when"]) for each in board["later"]] == [(0, "next_turn")]
    events, state = when(state, 0, EndTurn())
    _, state = rolled(state, 1, 2, 4)
    assert not of(events, CreaturesDamaged), "the other player's turn begins"
    _, state = when(state, 1, EndCombat())
    events, state = when(state, 1, EndTurn())
    assert [event.points for event in of(events, CreaturesDamaged)] == [{"stone_owl": 4}]
    assert state.later == ()


def test_what_the_end_of_a_turn_puts_off_to_it_still_comes() -> None:
    state = table({"B1": "thornback"}, {}, phase="tactic")
    inner = {"do": "later", "when": "turn_ends", "lines": [{"do": "draw", "count": 1}]}
    _, state = said(state, {"do": "later", "when": "turn_ends", "lines": [inner]}, this="thornback")
    events, state = when(state, 0, EndTurn())
    assert [event.seat for event in of(events, CardDrawn)] == [0, 1], "the other one draws to begin the turn"
    assert state.turn == 1


def test_a_table_given_to_the_next_player_forgets_what_belonged_to_the_turn() -> None:
    _, state = said(table({"B1": "thornback"}), {**NEXT, "when": "turn_ends"}, NEXT, this="thornback")
    assert [each.when for each in give_turn(state, 1).later] == ["next_turn"]


def test_what_is_put_off_is_told_in_both_languages() -> None:
    _, state = said(table({"B1": "thornback"}), {**NEXT, "when": "turn_ends"}, NEXT, this="thornback")
    told = [describe_event(GAME, EffectDelayed("thornback", 0, each)) for each in state.later]
    assert [text["en"] for text in told if text] == [
        "The rest of Thornback follows when the turn ends.",
        "The rest of Thornback follows when the next turn of Player 1 begins.",
    ]
    assert all(text and "folgt" in text["de"] for text in told)


def test_what_only_one_player_knows_stays_so_while_it_is_put_off() -> None:
    _, state = said(table({"B1": "thornback"}), NEXT, this="thornback")
    (delayed,) = state.later
    text = replace_fields(delayed.effect, bound={**delayed.effect.bound, "found": ("hex_toad",)}, secret=("found",))
    delayed = replace_fields(delayed, effect=text)
    secret = replace_fields(state, later=(delayed,))
    assert build_view(secret, Seat(0)).later == (delayed,)
    for seat in (Seat(1), BYSTANDER):
        assert "hex_toad" not in repr(build_view(secret, seat).later)
        assert "hex_toad" not in repr(EffectDelayed("thornback", 0, delayed).view_for(int(seat)))


@pytest.mark.parametrize(
    ("line", "detail"),
    [
        ({**NEXT, "when": "never"}, "later.when: unknown 'never'"),
        ({"do": "later", "when": "turn_ends"}, "needs 'lines'"),
    ],
)
def test_a_delay_without_time_or_lines_is_refused(line: dict[str, object], detail: str) -> None:
    with pytest.raises(BookError, match=detail):
        read(line)
