"""What is hidden from whom, what a table holds, and who is asked: from public facts only."""

from __future__ import annotations

from dataclasses import fields
from itertools import combinations

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChoosePlayer, ChooseUnseen, Decline
from referee.engine.chance import PickResult, RollResult, ShuffleResult
from referee.engine.codec import REGISTRY, decode, decode_named, encode
from referee.engine.events import Event, apply_events
from referee.engine.referee import build_view, draw_chance_move, seats_that_must_act
from referee.engine.seats import BYSTANDER, CHANCE, Seat
from referee.engine.steps import Step
from referee.engine.zones import CardsReordered
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import DECK, DISCARD, HANDS, MONSTERS, ROW
from referee.games.here_to_slay.events.cards import CardDrawn, CardPulled, DeckTopLookedAt, HandShown, HandsSwapped
from referee.games.here_to_slay.events.plays import DiceRolled
from referee.games.here_to_slay.moves import Attack, Challenge, DrawOne, EndTurn, Modify, Pass, PlayCard, RollFor
from referee.games.here_to_slay.state import Table
from tests.games.course import asked, of, pulled, refusal, then, when
from tests.games.here_to_slay.given import dice, names, offered, passes, shuffled, stands, succeeds, table, with_deck

QUIET = {0: "the_divine_arrow", 1: "the_fist_of_reason", 2: "the_shadow_claw"}


# ---- what is hidden from whom --------------------------------------------------------------------------------


@pytest.mark.clause("HTS-STATE-1")
def test_hands_and_decks_show_their_size_and_all_else_lies_open() -> None:
    state = table(["hook"], ["peanut", "challenge"], [], parties={1: [("fluffy", "bard_mask")]}, slain={2: ["dracos"]},
                  discard=["wildshot"])  # fmt: skip
    for seat in (0, 1, 2, int(BYSTANDER)):
        seen = build_view(state, Seat(seat))
        for place, cards in state.zones.items():
            hidden = place in (DECK, MONSTERS) or (place in HANDS and place != f"hand:{seat}")
            assert seen.cards_at(place) == (("?",) * len(cards) if hidden else cards), (seat, place)
        assert (seen.points, seen.turn, seen.rolled, seen.lasting) == (3, 0, (), ())


@pytest.mark.clause("HTS-STATE-1")
@pytest.mark.parametrize(
    ("hero", "kind", "private"),
    [
        ("bear_claw", CardPulled, {0, 1}), ("sharp_fox", HandShown, {0, 1}), ("silent_shadow", HandShown, {0, 1}),
        ("bullseye", DeckTopLookedAt, {0}), ("dodgy_dealer", HandsSwapped, {0}), ("hook", CardDrawn, {0}),
    ],
)  # fmt: skip
def test_a_fact_about_hidden_cards_has_a_public_form_and_a_private_one(
    hero: str, kind: type[Event], private: set[int]
) -> None:
    drawn_or_seen = hero in ("hook", "bullseye")
    hand, deck = ([], ["peanut"]) if drawn_or_seen else (["peanut"], [])
    events, _ = succeeds(table([], hand, [], parties={0: [hero]}, leaders=QUIET, deck=deck), hero)
    (told,) = of(events, kind)
    for seat in (0, 1, 2, int(BYSTANDER)):
        assert ("peanut" in str(encode(told.view_for(seat)))) == (seat in private), seat


@pytest.mark.clause("HTS-STATE-1", "HTS-DO-10")
def test_each_of_two_who_swap_hands_sees_what_it_gets() -> None:
    state = table(["spooky"], ["peanut"], [], parties={0: ["dodgy_dealer"]}, leaders=QUIET)
    events, _ = succeeds(state, "dodgy_dealer", ChoosePlayer(1))
    (swap,) = of(events, HandsSwapped)
    assert swap.view_for(0) == HandsSwapped(0, 1, ("peanut",), ("?",))
    assert swap.view_for(1) == HandsSwapped(0, 1, ("?",), ("spooky",))


@pytest.mark.clause("HTS-STATE-1")
def test_of_a_shuffle_and_a_pull_nobody_learns_more_than_the_facts_tell() -> None:
    for move in (ShuffleResult(("hook", "peanut")), PickResult(("hook",))):
        assert [move.view_for(seat, int(CHANCE)) for seat in (0, 1, int(BYSTANDER))] == [None] * 3
    state = with_deck(table([], [], [], discard=["hook", "peanut"]))
    events, state = shuffled(then(state, 0, DrawOne()), "peanut", "hook")
    for event in events:
        assert "peanut" not in str(encode(event.view_for(1)))


@pytest.mark.clause("HTS-STATE-1")
def test_a_view_follows_from_the_facts_as_its_seat_sees_them() -> None:
    state = table(["peanut"], ["hook", "challenge"], ["fluffy"], parties={0: ["plundering_puma"]}, leaders=QUIET)
    before = state
    events, state = succeeds(state, "plundering_puma", ChoosePlayer(1))
    more, state = when(state, CHANCE, PickResult(("challenge",)))  # the second can only be Hook
    events += more
    for seat in (0, 1, 2, int(BYSTANDER)):
        assert apply_events(build_view(before, Seat(seat)), [event.view_for(seat) for event in events]) == build_view(
            state, Seat(seat)
        )


@pytest.mark.clause("HTS-STATE-2")
def test_where_a_rule_gives_something_away_it_may() -> None:
    state = table([], ["hook", "spooky"], ["fluffy"], parties={0: ["bear_claw"]})
    _, state = succeeds(state, "bear_claw", ChoosePlayer(1))
    events, state = pulled(state, "hook")
    seen = [event.view_for(2) for event in events if event.TAG == "hts.CardPulled"]
    assert [event.took for event in seen] == [("?",), ("?",)]  # type: ignore[attr-defined]  # so the first was a hero
    _, state = succeeds(table(["challenge"], [], parties={0: ["hook"]}), "hook")
    assert (asked(build_view(state, Seat(1))), offered(state, 0)) == ({0}, [Decline()])  # so there is no item


# ---- lasting state -------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-STATE-3", "HTS-STATE-4")
def test_the_table_keeps_what_lies_where_whose_turn_it_is_and_what_was_used() -> None:
    state = table(
        ["hook"], ["fluffy"], [], parties={0: [("peanut", "bard_mask")]}, leaders={0: "the_shadow_claw"},
        slain={1: ["dracos"]}, row=["terratuga", "orthus", "bloodwing"], discard=["wildshot"],
        rules={"targets": "after_success"},
    )  # fmt: skip
    _, state = succeeds(state, "peanut")
    for held in (
        state,
        GAME.positions.decode_position(GAME.positions.encode_position(state)),
        decode(Table, encode(state)),
    ):
        assert (held.rules.seats, held.active, held.points, held.winner) == (3, 0, 2, -1)
        assert held.rules.targets == "after_success"
        assert (held.cards_at(ROW), held.cards_at(DISCARD)) == (("terratuga", "orthus", "bloodwing"), ("wildshot",))
        assert [len(held.cards_at(deck)) for deck in (DECK, MONSTERS)] == [len(state.cards_at(DECK)), 11]
        assert (held.leader_of(0), len(held.cards_in_hand(0)), held.cards_in_hand(1)) == (
            "the_shadow_claw",
            3,
            ("fluffy",),
        )
        assert (held.party_of(0), held.item_of("peanut"), held.monsters_slain_by(1)) == (
            ("peanut",),
            "bard_mask",
            ("dracos",),
        )
        assert (held.rolled, held.used) == (("peanut",), False)


@pytest.mark.clause("HTS-STATE-5")
def test_running_effects_are_kept_with_source_player_what_and_until() -> None:
    heroes = ["iron_resolve", "mighty_blade", "calming_voice", "vibrant_glow"]
    state = table([], [], parties={0: heroes}, leaders=QUIET, points=9)
    for hero in heroes:
        _, state = succeeds(state, hero)
    assert [(each.source, each.what, each.until, each.value) for each in state.lasting] == [
        ("iron_resolve", "no_challenge", "own_turn_end", 0), ("mighty_blade", "no_destroy", "own_turn_start", 0),
        ("calming_voice", "no_steal", "own_turn_start", 0), ("vibrant_glow", "roll_bonus", "own_turn_end", 5),
    ]  # fmt: skip


@pytest.mark.clause("HTS-STATE-6")
def test_classes_standing_values_targets_and_totals_are_worked_out_and_never_stored() -> None:
    stored = {field.name for field in fields(Table)}
    assert stored == {
        "agenda", "readings", "zones", "surplus", "rules", "turn", "turns", "points", "rolled", "used", "lasting",
        "picked", "gone", "winner", "way", "later",
    }  # fmt: skip
    state = table(["bard_mask"], ["hook"], parties={0: ["fluffy"]}, leaders=QUIET)
    assert state.classes_of(0) == {"wizard", "ranger"}
    _, state = stands(state, 0, PlayCard("bard_mask"))
    assert state.classes_of(0) == {"bard", "ranger"}  # from the cards alone
    _, state = dice(then(state, 0, RollFor("fluffy")), 3, 3)
    (roll,) = (step for step in reversed(state.agenda) if hasattr(step, "casts"))
    assert {field.name for field in fields(roll.casts[0])} == {"kind", "seat", "about", "dice", "added"}


# ---- pending things ------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-STATE-7")
def test_there_are_two_windows_only() -> None:
    steps = [kind for tag, kind in REGISTRY.items() if tag.startswith(("hts.", "cards.")) and issubclass(kind, Step)]
    assert {kind.window_kind for kind in steps} - {""} == {"challenge", "modifiers"}
    state = table(["peanut"], ["challenge"], ["hook"], parties={0: ["hopper"], 1: ["fluffy", "spooky"]})
    assert asked(then(state, 0, PlayCard("peanut"))) == {1, 2}  # a window
    for question in (state, succeeds(state, "hopper")[1], stands(state, 0, PlayCard("peanut"))[1]):
        assert (question.agenda[-1].window_kind, len(asked(question))) == ("", 1)  # a named seat


@pytest.mark.clause("HTS-STATE-8")
def test_chance_is_a_recorded_fact_and_a_replay_draws_nothing_new() -> None:
    state = table([], ["hook", "spooky"], parties={0: ["bear_claw"]}, discard=["fluffy", "bad_axe"])
    start = state = with_deck(state)
    record: list[Event] = []

    def go(seat: int, *moves) -> None:  # type: ignore[no-untyped-def]
        nonlocal state
        events, state = when(state, seat, *moves)
        record.extend(events)

    go(0, RollFor("bear_claw"))
    go(CHANCE, RollResult((6, 5)))
    go(1, Pass())
    go(CHANCE, PickResult(("hook",)))
    go(0, DrawOne())
    go(CHANCE, ShuffleResult(("bad_axe", "fluffy")))
    assert [event.dice for event in of(record, DiceRolled)] == [(6, 5)]
    assert [event.took for event in of(record, CardPulled)] == [("hook",), ("spooky",)]
    assert [event.order for event in of(record, CardsReordered)] == [("bad_axe", "fluffy")]
    assert (
        apply_events(start, [decode_named(encode(event), Event) for event in record]) == state
    )  # nothing is drawn again


@pytest.mark.clause("HTS-STATE-9")
def test_facts_stand_in_the_order_of_the_clauses_and_frames_do_not_mix() -> None:
    parties = {0: [("hook", "particularly_rusty_coin")]}
    leaders = {0: "the_cloaked_sage", 1: "the_protecting_horn"}
    state = table(["critical_boost"], ["modifier_minus_4", "challenge"], parties=parties, leaders=leaders)
    events: tuple[Event, ...] = ()
    for seat, move in ((0, RollFor("hook")), (CHANCE, RollResult((2, 3))), (1, Modify("modifier_minus_4", -4, 0)),
                       (1, Decline()), (0, Pass()), (1, Pass())):  # fmt: skip
        more, state = when(state, seat, move)
        events += more
    assert names(events) == [
        "PointsSpent", "DiceRolled", "HeroMarked", "ModifierPlayed", "RollSettled", "CardDrawn",
    ]  # fmt: skip
    depths, depth = [], 0
    for event in events:
        depth += {"Opened": 1, "Closed": -1}.get(event.TAG, 0)
        depths.append(depth)
    assert (min(depths), depths[-1]) == (0, 0)  # an inner frame closes before the outer goes on


# ---- who is asked --------------------------------------------------------------------------------------------


@pytest.mark.clause("HTS-ASK-1", "HTS-TURN-5")
def test_only_the_innermost_pending_thing_takes_moves() -> None:
    state = table(["peanut", "hook"], ["challenge"], parties={0: ["fluffy"]}, row=["terratuga"])
    state = then(state, 0, PlayCard("peanut"))
    for move in (PlayCard("hook"), DrawOne(), EndTurn(), RollFor("fluffy"), Attack("terratuga")):
        refusal(state, 0, move)
    assert "HTS-ASK-1" in refusal(state, 1, Modify("modifier_plus_4", 4, 0)).clauses
    _, state = passes(state)
    refusal(state, 1, Challenge())
    assert offered(state, 0) == [Decline(), Accept()]


@pytest.mark.clause("HTS-ASK-2")
@pytest.mark.parametrize("hand", [["challenge"], ["modifier_plus_4"], ["hook"], ["challenge", "modifier_minus_4"]])
def test_who_is_asked_does_not_depend_on_what_the_hands_hold(hand: list[str]) -> None:
    state = table(["peanut"], hand, [], parties={0: ["napping_nibbles"]}, leaders=QUIET)
    assert asked(then(state, 0, PlayCard("peanut"))) == {1}  # only an empty hand is not asked
    _, rolled = dice(then(state, 0, RollFor("napping_nibbles")), 3, 3)
    assert asked(rolled) == {0, 1}
    for seat in (0, 1, 2):
        assert seats_that_must_act(build_view(rolled, Seat(seat))) == seats_that_must_act(rolled)


@pytest.mark.clause("HTS-ASK-3")
@pytest.mark.parametrize("monster", ["malamammoth", "orthus", "rex_major"])
def test_the_draw_powers_ask_after_each_lot_whatever_was_drawn(monster: str) -> None:
    for card in ("bard_mask", "enchanted_spell", "modifier_plus_4", "peanut"):
        state = table([], [], parties={0: ["hook"]}, slain={0: [monster]}, leaders=QUIET, deck=[card])
        state = then(state, 0, DrawOne())
        assert (asked(state), state.agenda[-1].question_name()) == ({0}, "choose.card")
        assert Decline() in offered(state, 0)


@pytest.mark.clause("HTS-ASK-3")
@pytest.mark.parametrize("hero", ["hook", "fuzzy_cheeks"])
def test_hook_and_fuzzy_cheeks_ask_for_a_card_even_if_none_can_be_played(hero: str) -> None:
    fitting, other = {"hook": ("bard_mask", "spooky"), "fuzzy_cheeks": ("spooky", "bard_mask")}[hero]
    for card in (fitting, other):
        _, state = succeeds(table([card], [], parties={0: [hero]}, leaders=QUIET, deck=["challenge"]), hero)
        assert (asked(state), state.agenda[-1].question_name()) == ({0}, "choose.card")
        assert (Decline() in offered(state, 0)) == (card == other)


@pytest.mark.clause("HTS-ASK-4", "HTS-AMB-2")
def test_a_move_is_judged_against_the_table_at_the_moment_it_is_taken() -> None:
    state = then(table(["peanut"], ["challenge"], ["challenge"], leaders=QUIET), 0, PlayCard("peanut"))
    for first, late in ((1, 2), (2, 1)):
        taken = then(state, first, Challenge())
        refusal(taken, late, Challenge())
        assert taken.cards_in_hand(late) == ("challenge",)
    state = table([], ["modifier_plus_4"], parties={0: ["napping_nibbles"]}, leaders=QUIET)
    _, state = dice(then(state, 0, RollFor("napping_nibbles")), 1, 1)
    _, state = passes(state)
    refusal(state, 1, Modify("modifier_plus_4", 4, 0))  # the window has closed
    assert state.cards_in_hand(1) == ("modifier_plus_4",)


@pytest.mark.clause("HTS-STATE-1", "HTS-ASK-2")
def test_two_worlds_that_a_seat_cannot_tell_apart_look_the_same_to_it_at_every_question() -> None:
    def seen(hand: list[str]) -> list[Table]:
        state = table(["challenge"], hand, parties={0: ["silent_shadow"]}, leaders=QUIET, deck=["wildshot"], points=1)
        looks = [state]
        for seat, move in ((0, RollFor("silent_shadow")), (CHANCE, RollResult((6, 6))), (0, Pass()), (1, Pass())):
            looks.append(state := then(state, seat, move))
        looks.append(then(state, 0, ChooseUnseen(hand[0])))
        return [build_view(each, BYSTANDER) for each in looks]

    hands = (["hook", "modifier_plus_4"], ["spooky", "challenge"], ["bard_mask", "critical_boost"])
    for one, other in combinations([seen(hand) for hand in hands], 2):
        assert one == other


@pytest.mark.clause("HTS-STATE-8")
def test_the_server_draws_only_where_chance_is_asked() -> None:
    state = table([], ["hook", "spooky"], parties={0: ["bear_claw"]})
    with pytest.raises(ValueError, match="no chance step"):
        draw_chance_move(state, lambda n: 0)
    assert draw_chance_move(then(state, 0, RollFor("bear_claw")), lambda n: n - 1) == RollResult((6, 6))
    assert refusal(state, 0, ChooseCards(("hook",))).verdict == "refused"
    assert refusal(state, 0, ChooseCard("hook")).verdict == "refused"
