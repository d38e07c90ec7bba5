"""A table of real cards: the referee holds backs, chance is reported, and cards are named as they are played."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from referee.engine.chance import PickResult, TurnUpResult
from referee.engine.game import Setup
from referee.engine.referee import build_view, draw_chance_move, find_legal_moves, judge_move
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Step
from referee.engine.zones import CardsForgotten, is_back
from referee.games.monster_combat import GAME
from referee.games.monster_combat.events import CardsStolen
from referee.games.monster_combat.monster_events import LastSurvivorWon, MonstersWon
from referee.games.monster_combat.moves import (
    DiscardSurplus,
    DrawResult,
    FirstPlayerResult,
    LayOpenResult,
    Parry,
    Pass,
    PlayCard,
    TakeHit,
)
from referee.games.monster_combat.rules.attacks import PendingAttack
from referee.games.monster_combat.rules.drawing import CardDrawing
from referee.games.monster_combat.rules.ending import HandLoss
from referee.games.monster_combat.rules.setup import Deal
from referee.games.monster_combat.rules.turn import EndOfTurn, PassTurn, SurplusDiscard
from referee.games.monster_combat.state import DECK, DISCARD, Table
from tests.games.course import of, refusal, then, when
from tests.games.monster_combat.given import asked, chance, settled, struck, table

REAL = {"at_table": True}
BACKS = ("?",) * 12 + ("?trigger",) * 6


def real(
    *hands: tuple[str, ...], named: tuple[int, ...] = (), agenda: tuple[Step, ...] | None = None, **more: object
) -> Table:
    """A table of real cards: backs in the draw pile, whatever is given in the hands."""
    rules = {"at_table": True, "named": named}
    return table(*hands, deck=BACKS, events=("?event",) * 4, rules=rules, agenda=agenda, **more)  # type: ignore[arg-type]


def start(**more: object) -> Table:
    """A match of real cards, up to the first hand."""
    state = settled(GAME.build_table(Setup("V1", 2, {}, {"deck": "table"}, **more)))  # type: ignore[arg-type]
    return chance(state, FirstPlayerResult(0))


def test_nobody_shuffles_for_the_referee_and_hands_are_reported_by_their_backs() -> None:
    state = start()
    assert state.agenda[-1] == Deal(0, 5)
    assert asked(state) == {CHANCE}
    state = chance(state, DrawResult(("?", "?trigger", "?", "?", "?")))
    assert state.cards_in_hand(0) == ("?", "?", "?", "?", "?trigger")
    assert refusal(state, CHANCE, DrawResult(("?",))).reason == "so_many_are_drawn"
    assert refusal(state, CHANCE, DrawResult(("sword", "?", "?", "?", "?"))).reason == "only_backs_are_seen"


@pytest.mark.clause("MC-V1-TRIGGER-1", "MC-MAT-4")
def test_a_reported_trigger_back_brings_the_reported_event_about() -> None:
    state = start()
    for _hand in range(2):
        state = chance(state, DrawResult(("?",) * 5))
    plain = chance(state, DrawResult(("?",)))
    assert asked(plain) == {0}
    state = chance(state, DrawResult(("?trigger",)))
    assert asked(state) == {CHANCE}
    assert refusal(state, CHANCE, TurnUpResult("sword")).reason == "no_such_event"
    state = chance(state, TurnUpResult("attacked!event"))
    assert state.agenda[-1] == PendingAttack(0, 1, "event")


def test_a_bots_hand_is_named_card_by_card() -> None:
    state = start(named=(0,))
    assert refusal(state, CHANCE, DrawResult(("?",))).reason == "name_the_cards"
    for card in ("sword", "shield!trigger", "skip", "skip", "lightning"):
        state = chance(state, DrawResult((card,)))
    assert state.cards_in_hand(0) == ("sword", "shield!trigger", "skip", "skip", "lightning")
    assert build_view(state, Seat(1)).cards_in_hand(0) == ("?", "?", "?", "?", "?trigger")
    assert state.agenda[-1] == Deal(1, 5)


def test_a_card_is_named_by_whoever_plays_it_and_must_fit_a_back() -> None:
    state = real(("?", "?trigger"), ("?",))
    after = then(state, 0, PlayCard("sword!trigger"))
    assert after.cards_in_hand(0) == ("?",)
    assert after.cards_at(DISCARD) == ("sword!trigger",)
    assert asked(after) == {1}
    ruling = refusal(real(("?",), ("?",)), 0, PlayCard("sword!trigger"))
    assert ruling.reason == "no_such_back"
    assert ruling.clauses == ("MC-MAT-4",)


@pytest.mark.clause("MC-MAT-2")
def test_a_nineteenth_sword_is_refused() -> None:
    all_swords = ("sword",) * 12 + ("sword!trigger",) * 6
    state = real(("?", "?trigger"), (), discard=all_swords)
    for card in ("sword", "sword!trigger"):
        assert refusal(state, 0, PlayCard(card)).clauses == ("MC-MAT-2", "KERNEL-CENSUS-1")
    then(real(("?",), (), discard=all_swords[1:]), 0, PlayCard("sword"))


def test_a_refusal_does_not_tell_what_lies_in_a_bots_hand() -> None:
    skips = ("skip",) * 3
    then(real(("?",), skips, named=(1,)), 0, PlayCard("skip"))  # for all that seat 0 can know
    state = real(("?",), skips, named=(1,), agenda=(EndOfTurn(), HandLoss(0)))
    then(state, CHANCE, LayOpenResult("skip"))  # nor may whoever reports for chance learn what the referee knows


@pytest.mark.clause("MC-MAT-2")
def test_a_card_that_lies_in_the_discard_is_refused() -> None:
    ruling = refusal(real(("?",), (), discard=(*("skip",) * 3, "skip!trigger")), 0, PlayCard("skip"))
    assert ruling.reason == "lies_in_the_discard"
    assert ruling.params["lying"] == 3


@pytest.mark.clause("MC-AMB-2")
def test_a_refusal_that_rests_on_our_own_count_of_backs_says_so() -> None:
    ruling = refusal(real(("?",), (), discard=("skip",) * 3), 0, PlayCard("skip"))
    assert (ruling.reason, ruling.clauses) == ("no_copy_with_this_back", ("MC-AMB-2", "KERNEL-CENSUS-1"))
    assert ruling.params == {"card": "skip", "copies": 3}


def test_no_more_cards_are_given_up_than_the_hand_holds() -> None:
    agenda = (PassTurn(), SurplusDiscard(0, 2))
    ruling = refusal(real(("?",), (), agenda=agenda), 0, DiscardSurplus(("sword", "skip")))
    assert ruling.reason == "more_than_are_held"
    assert ruling.params == {"seat": 0, "count": 2, "held": 1}
    state = then(real(("?",) * 9, ("?",), agenda=agenda), 0, DiscardSurplus(("sword", "skip")))
    assert len(state.cards_in_hand(0)) == 7


def test_one_back_is_not_two_cards() -> None:
    agenda = (PassTurn(), SurplusDiscard(0, 2))
    hand = ("?",) * 8 + ("?trigger",)
    state = real(hand, (), agenda=agenda)
    assert refusal(state, 0, DiscardSurplus(("sword!trigger", "skip!trigger"))).reason == "no_such_back"
    assert refusal(
        real(("?",) * 9, (), agenda=agenda, discard=("skip",) * 2), 0, DiscardSurplus(("skip",) * 2)
    ).reason == ("no_copy_with_this_back")


@pytest.mark.clause("MC-V1-THIEF-1", "MC-AMB-26")
def test_a_theft_is_reported_by_backs_and_the_referee_forgets_which_card_was_which() -> None:
    state = then(real(("?",), ("sword", "?trigger", "?"), ()), 0, PlayCard("thief_1"))
    assert refusal(state, CHANCE, PickResult(("sword",))).reason == "only_backs_are_seen"
    assert refusal(state, CHANCE, PickResult(("?event",))).reason == "no_such_back"
    events, state = when(state, CHANCE, PickResult(("?",)))
    assert of(events, CardsForgotten) == [CardsForgotten("hand:1")]
    assert of(events, CardsStolen)[0].took == ("?",)
    assert state.cards_in_hand(0) == ("?",)
    assert state.cards_in_hand(1) == ("?", "?trigger")


def test_a_theft_from_or_by_a_bot_is_reported_by_name() -> None:
    for hand, named in ((("sword", "skip"), (1,)), (("?", "?"), (0,))):
        thief = ("thief_1",) if named == (0,) else ("?",)
        state = then(real(thief, hand, (), named=named), 0, PlayCard("thief_1"))
        state = chance(state, PickResult(("skip",)))
        assert state.cards_in_hand(0) == ("skip",)
        assert len(state.cards_in_hand(1)) == 1


@pytest.mark.clause("MC-AMB-18")
def test_a_hand_lost_is_laid_open_card_by_card() -> None:
    agenda = (EndOfTurn(), PendingAttack(1))
    state = real(("?",), ("?", "?trigger"), ("?",), agenda=agenda, hearts=(3, 1, 3))
    state = then(state, 1, TakeHit())
    assert state.agenda[-1] == HandLoss(1)
    assert refusal(state, CHANCE, LayOpenResult("sword!event")).reason == "not_in_the_box"
    assert refusal(state, CHANCE, DrawResult(("?",))).reason == "no_card_is_due"
    state = chance(state, LayOpenResult("skip!trigger"))
    assert asked(state) == {CHANCE}
    state = chance(state, LayOpenResult("shield"))
    assert state.cards_at(DISCARD) == ("skip!trigger", "shield")
    assert state.cards_in_hand(1) == ()
    assert state.active == 2


@pytest.mark.clause("MC-V1-END-1")
def test_at_a_table_too_the_match_is_over_at_once_and_no_hand_is_laid_open() -> None:
    state = then(real(("?",), ("?", "?trigger"), hearts=(3, 1)), 0, PlayCard("sword"))
    events, state = when(state, 1, TakeHit())
    assert of(events, LastSurvivorWon) == [LastSurvivorWon(0)]
    assert not asked(state)
    outcome = GAME.find_outcome(state)
    assert outcome is not None
    assert outcome.winners == (0,)
    assert state.cards_in_hand(1) == ("?", "?trigger")


@pytest.mark.clause("MC-V1-END-1", "MC-V1-LIGHTNING-3")
def test_at_a_table_a_strike_back_ends_the_match_at_once() -> None:
    state = then(real(("?", "?"), ("?", "?"), hearts=(1, 1)), 0, PlayCard("lightning"))
    events, state = when(state, 1, Parry("shield"))
    assert of(events, LastSurvivorWon) == [LastSurvivorWon(1)]
    assert state.agenda == ()


@pytest.mark.clause("MC-V2-END-2")
def test_at_a_table_the_last_defeat_by_a_monster_ends_the_match_at_once() -> None:
    agenda = (EndOfTurn(), PendingAttack(0, 2, "monster"))
    state = real(("?", "?"), (), hearts=(2, 0), agenda=agenda, variant="V2", monster=7)
    events, state = when(state, 0, TakeHit())
    assert of(events, MonstersWon) == [MonstersWon()]
    assert state.agenda == ()


@pytest.mark.clause("MC-AMB-6")
def test_a_pile_renewed_at_a_table_holds_backs_again() -> None:
    state = table(
        ("?",),
        ("?",),
        deck=(),
        discard=("skip", "sword!trigger", "shield"),
        rules=REAL,
        agenda=(EndOfTurn(), CardDrawing(0, 2, 0)),
    )
    state = settled(state)
    assert asked(state) == {CHANCE}
    assert state.cards_at(DECK) == ("?", "?", "?trigger")
    state = chance(state, DrawResult(("?trigger", "?")))
    assert state.cards_in_hand(0) == ("?", "?", "?trigger")


def test_backs_that_do_not_lie_in_the_pile_are_refused() -> None:
    state = table(("?",), ("?",), deck=("?", "?"), rules=REAL, agenda=(EndOfTurn(), CardDrawing(0, 1, 0)))
    assert refusal(state, CHANCE, DrawResult(("?trigger",))).reason == "no_such_back_in_pile"
    assert refusal(state, CHANCE, Pass()).reason == "not_what_is_asked"


def test_what_a_bot_draws_must_not_lie_open_in_every_copy() -> None:
    state = real((), ("?",), discard=("sword",) * 12, named=(0,), agenda=(EndOfTurn(), CardDrawing(0, 1, 0)))
    assert refusal(state, CHANCE, DrawResult(("sword",))).reason == "no_copy_with_this_back"
    assert DrawResult(("sword!trigger",)) in list(find_legal_moves(state, CHANCE))


def test_no_refusal_of_a_report_tells_what_a_bot_holds() -> None:
    """Two tables that differ in a hand that was read to the referee: a report is judged alike (MC-MAT-2)."""
    for step, report in (
        (CardDrawing(0, 1, 0), DrawResult(("sword",))),
        (HandLoss(1), LayOpenResult("sword")),
        (HandLoss(1), LayOpenResult("shield")),
    ):
        told = [
            judge_move(real((card,) * 9, ("?", "?trigger"), named=(0,), agenda=(EndOfTurn(), step)), CHANCE, report)
            for card in ("shield", "sword")
        ]
        full = real(("sword",) * 12, ("?", "?trigger"), named=(0,), agenda=(EndOfTurn(), step))
        assert [ruling.granted for ruling in (*told, judge_move(full, CHANCE, report))] == [True] * 3


def test_a_player_may_name_any_card_the_backs_allow() -> None:
    offered = {
        move.card for move in find_legal_moves(real(("?trigger",), ("?",)), Seat(0)) if isinstance(move, PlayCard)
    }
    assert offered == {f"{card}!trigger" for card in ("sword", "lightning", "skip", "thief_1", "thief_2")}
    answers = list(find_legal_moves(struck((), ("?",), rules=REAL), Seat(1)))
    assert answers == [TakeHit(), Parry("shield")]


def test_a_table_that_thinks_ahead_draws_what_its_backs_allow() -> None:
    dice = random.Random(3)
    bot = real(("sword",) * 12, ("?",), named=(0,), agenda=(EndOfTurn(), CardDrawing(0, 1, 0)))
    seen: Counter[str] = Counter()
    for _ in range(300):
        move = draw_chance_move(bot, dice.randrange)
        assert isinstance(move, DrawResult)
        seen[move.cards[0]] += 1
        assert "sword" not in move.cards
    assert len(seen) == 13
    player = real(("?",), ("?",), agenda=(EndOfTurn(), CardDrawing(0, 3, 0)))
    report = draw_chance_move(player, dice.randrange)
    assert isinstance(report, DrawResult)
    assert all(map(is_back, report.cards))
    hidden = real(("?",), ("?", "?trigger"), agenda=(EndOfTurn(), HandLoss(1)))
    assert draw_chance_move(hidden, dice.randrange) in list(find_legal_moves(hidden, CHANCE))
