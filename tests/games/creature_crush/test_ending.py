"""How a match ends (CC-END-1 to CC-END-3, CC-AMB-2, CC-AMB-4)."""

from __future__ import annotations

import pytest

from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.referee import find_legal_moves, sample_legal_move
from referee.engine.rulings import Undetermined
from referee.engine.seats import Seat
from referee.games.creature_crush.events.course import BattleEnded, DrawDeclined, PlayerConceded
from referee.games.creature_crush.moves import (
    AcceptDraw,
    Attack,
    Concede,
    DeclineDraw,
    EndCombat,
    EndTurn,
    Flip,
    OfferDraw,
    Pass,
)
from referee.games.creature_crush.rules.ending import build_outcome, find_result
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY, LastingChange
from tests.games.course import asked, near_misses, of, refused, then, times_out, when
from tests.games.creature_crush.table import offered, rolled, table

ONE_LEFT = ((), ("clay_guard",))


@pytest.mark.clause("CC-END-1", "CC-AMB-2")
def test_who_has_no_card_outside_hell_has_lost() -> None:
    given = table({"A1": "ember_fox"}, dice=(3,), decks=ONE_LEFT)
    events, after = when(given, 0, Attack("ember_fox", (3,)))
    assert of(events, BattleEnded) == [BattleEnded(0, "all_in_hell")]
    assert after.agenda == ()
    result = build_outcome(after)
    assert result is not None
    assert (result.winners, result.placement, result.clauses) == ((0,), ((0,), (1,)), ("CC-END-1",))


@pytest.mark.clause("CC-END-1")
@pytest.mark.parametrize("where", ["deck", "hand", "A", "C"])
def test_one_card_in_deck_hand_or_on_the_board_is_enough_to_go_on(where: str) -> None:
    theirs = {"A": {"A1": "clay_guard"}, "C": {"C1": "sky_bolt"}}.get(where, {})
    decks = ((), ("clay_guard",)) if where == "deck" else ((), ())
    hands = ((), ("clay_guard",)) if where == "hand" else ((), ())
    assert find_result(table({"A1": "ember_fox"}, theirs, hands=hands, decks=decks)) is None
    assert find_result(table({"A1": "ember_fox"}, hells=((), ("clay_guard",)), decks=((), ()))) == (0, "all_in_hell")


@pytest.mark.clause("CC-AMB-2", "CC-AMB-25")
def test_the_end_is_not_looked_at_in_the_middle_of_a_chain() -> None:
    given = table({"A1": "ember_fox"}, dice=(3,), decks=((), ("gutter_rat",)))
    after = then(given, 0, Attack("ember_fox", (3,)))
    assert asked(after) == {1}  # the card revives itself, to a place of its player's choice
    assert after.count_left_in_play(1) == 0
    assert after.winner == NOBODY


@pytest.mark.clause("CC-AMB-2")
def test_if_both_have_lost_all_cards_at_once_it_is_a_draw() -> None:
    given = table({"A1": "pebble_brute"}, {"B1": "knife_goblin"}, dice=(2,), decks=((), ()))
    events, after = when(given, 0, Attack("pebble_brute", (2,), "knife_goblin"))
    assert of(events, BattleEnded) == [BattleEnded(NOBODY, "both_in_hell")]
    result = build_outcome(after)
    assert result is not None
    assert (result.winners, result.placement) == ((), ((0, 1),))


@pytest.mark.clause("CC-AMB-2", "CC-END-1")
def test_one_may_lose_in_the_own_turn() -> None:
    given = table({"A1": "pebble_brute"}, {"B1": "knife_goblin"}, dice=(2,), decks=((), ("clay_guard",)))
    events, _ = when(given, 0, Attack("pebble_brute", (2,), "knife_goblin"))
    assert of(events, BattleEnded) == [BattleEnded(1, "all_in_hell")]


# ---- giving up and agreeing ------------------------------------------------------------------------------------------


@pytest.mark.clause("CC-END-2")
@pytest.mark.parametrize("seat", [0, 1])
def test_either_player_may_concede_at_any_question(seat: int) -> None:
    board = {"A1": "ember_fox"}
    given = table(board, {"B1": "clay_guard", "C1": "recoil"}, dice=(3,))
    window = then(given, 0, Attack("ember_fox", (3,), "clay_guard"))
    for state in (given, window, then(table(board), 0, EndCombat())):
        assert Concede() in find_legal_moves(state, Seat(seat))
        events, after = when(state, seat, Concede())
        assert of(events, PlayerConceded) == [PlayerConceded(seat)]
        assert (after.winner, after.way, after.agenda) == (1 - seat, "conceded", ())


@pytest.mark.clause("CC-END-2")
def test_who_is_not_asked_may_do_nothing_but_concede() -> None:
    given = table({"A1": "ember_fox"}, dice=(3,))
    assert list(find_legal_moves(given, Seat(1))) == [Concede()]
    assert near_misses(given, 1) == []


@pytest.mark.clause("CC-END-2", "CC-END-3")
def test_nobody_concedes_or_ends_a_match_by_chance() -> None:
    given = table(dice=(3,))
    drawn = {type(sample_legal_move(given, Seat(0), lambda n, k=k: k % n)) for k in range(20)}
    assert drawn == {EndCombat}


@pytest.mark.clause("CC-END-3")
def test_a_draw_that_both_agree_to_ends_the_match() -> None:
    asking = then(table(), 0, OfferDraw())
    assert asked(asking) == {1}
    assert refused(asking, 1, Pass()) == ("draw_is_open", "CC-END-3")
    events, after = when(asking, 1, AcceptDraw())
    assert of(events, BattleEnded) == [BattleEnded(NOBODY, "agreed")]
    result = build_outcome(after)
    assert result is not None
    assert result.placement == ((0, 1),)


@pytest.mark.clause("CC-END-3")
def test_a_draw_that_is_declined_is_not_offered_twice_in_a_turn() -> None:
    events, after = when(then(table(), 0, OfferDraw()), 1, DeclineDraw())
    assert of(events, DrawDeclined) == [DrawDeclined(1)]
    assert asked(after) == {0}
    assert refused(after, 0, OfferDraw()) == ("offered_already", "CC-END-3")
    later = then(after, 0, EndCombat())
    assert refused(later, 0, OfferDraw()) == ("offered_already", "CC-END-3")
    _, theirs = rolled(then(later, 0, EndTurn()), 1, 2, 3)
    assert OfferDraw() in offered(theirs, 1)


@pytest.mark.clause("CC-END-3")
def test_who_lets_the_time_run_out_declines() -> None:
    asking = then(table(rules={"turn_timeout_ms": 60_000}), 0, OfferDraw())
    events, after = times_out(asking)
    assert of(events, DrawDeclined) == [DrawDeclined(1)]
    assert after.winner == NOBODY


# ---- stalemate -------------------------------------------------------------------------------------------------------


WEAK = {"hex_toad": (LastingChange("attack", -1, False, "rune_smith"),)}  # it has one attack point


@pytest.mark.clause("CC-AMB-4")
def test_without_attack_points_and_crush_cards_outside_hell_it_is_drawn_at_once() -> None:
    hells = (("ember_fox",), ("sky_bolt",))
    given = table({"A1": "lantern_moth"}, {"A1": "hex_toad"}, decks=((), ()), hells=hells, lasting=WEAK)
    events, after = when(given, 0, EndCombat())
    assert of(events, BattleEnded) == [BattleEnded(NOBODY, "stalemate_no_force")]
    result = build_outcome(after)
    assert result is not None
    assert (result.winners, result.clauses) == ((), ("CC-AMB-4",))


@pytest.mark.clause("CC-AMB-4")
@pytest.mark.parametrize(
    ("where", "card"),
    [
        ("decks", "war_council"),
        ("hands", "clay_guard"),
        ("decks", "clay_guard"),
        ("C1", "sky_bolt"),
        ("A2", "clay_guard"),
    ],
)
def test_a_crush_card_or_an_attacker_anywhere_but_in_hell_keeps_the_match_going(where: str, card: str) -> None:
    theirs = {"A1": "hex_toad"} | ({where: card} if where in ("C1", "A2") else {})
    piles = {name: ((), (card,) if where == name else ()) for name in ("decks", "hands")}
    assert find_result(table({"A1": "lantern_moth"}, theirs, lasting=WEAK, **piles)) is None  # type: ignore[arg-type]


@pytest.mark.clause("CC-AMB-4")
def test_forty_quiet_turns_in_a_row_are_a_draw() -> None:
    given = table({"A1": "ember_fox"}, phase="tactic", quiet=39)
    events, _ = when(given, 0, EndTurn())
    assert of(events, BattleEnded) == [BattleEnded(NOBODY, "stalemate_quiet")]


@pytest.mark.clause("CC-AMB-4")
def test_a_turn_in_which_something_changed_is_not_quiet() -> None:
    given = table({"A1": "ember_fox"}, dice=(3,), quiet=39)
    after = then(given, 0, Attack("ember_fox", (3,)), EndCombat(), EndTurn())
    assert (after.quiet, after.winner) == (0, NOBODY)


@pytest.mark.clause("CC-AMB-4")
def test_the_draw_of_a_turn_does_not_disturb_the_quiet() -> None:
    _, after = rolled(then(table({"A1": "ember_fox"}, quiet=3), 0, EndCombat(), EndTurn()), 1, 2, 4)
    assert after.quiet == 4
    assert not after.stirred
    assert then(after, 1, EndCombat(), EndTurn()).quiet == 5


@pytest.mark.clause("CC-AMB-4", "CC-CRUSH-3")
def test_a_flip_disturbs_the_quiet() -> None:
    after = then(table({"C1": "lucky_streak"}, quiet=39), 0, Flip("C1", "lucky_streak"), EndCombat(), EndTurn())
    assert after.quiet == 0


@pytest.mark.clause("KERNEL-POSITION-1")
def test_cards_that_a_position_leaves_out_matter_only_where_nothing_else_tells() -> None:
    some = ((UNCOUNTED_CARDS,), (UNCOUNTED_CARDS,))
    assert find_result(table({"A1": "ember_fox"}, {"B1": "clay_guard"}, hands=((), ()), decks=((), ()))) is None
    known = table({"A1": "ember_fox"}, {"B1": "clay_guard"}, decks=((), ()))
    zones = {**known.zones, "hand:0": some[0], "deck/1:": some[1]}
    assert find_result(Table(**{**vars(known), "zones": zones})) is None
    empty = {**zones, "A1/0": ()}
    with pytest.raises(Undetermined):
        find_result(Table(**{**vars(known), "zones": empty}))
