"""Preconditions are asked at any time, of anybody, about any move: they refuse or keep silent, and never fail."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from referee.cardscript.moves import (
    Accept,
    ChooseCard,
    ChooseCards,
    ChoosePlayer,
    ChooseUnseen,
    ChooseValue,
    ConfirmSeen,
    Decline,
)
from referee.engine.chance import RollResult
from referee.engine.events import Move
from referee.engine.game import Setup
from referee.engine.reasons.preconditions import GENERAL_PREFIXES, find_broken_preconditions, list_preconditions
from referee.engine.referee import judge_move
from referee.engine.seats import BYSTANDER, CHANCE, CLOCK, Seat
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.moves import (
    Attack,
    Challenge,
    DrawOne,
    EndTurn,
    Leave,
    Modify,
    Pass,
    PickLeader,
    PlayCard,
    RedrawHand,
    RollFor,
    UseLeader,
)
from tests.games.here_to_slay.given import table
from tests.games.matches import random_match

CARDS = ("", "?", "no_such_card", "peanut", "dracos", "the_shadow_claw", "modifier_plus_4", "challenge", "sealing_key")
NUMBERS = (-9, -1, 0, 1, 6, 99)
ODD: tuple[Move, ...] = (
    *(kind(card) for kind in (PlayCard, RollFor, Attack, PickLeader, ChooseCard, ChooseUnseen) for card in CARDS),
    *(ChooseCards(cards) for cards in ((), ("?",), ("no_such_card", "peanut"), ("peanut",) * 9)),
    *(kind(number) for kind in (ChoosePlayer, ChooseValue) for number in NUMBERS),
    *(Modify(card, value, roller) for card in CARDS for value in (0, 4) for roller in (-1, 0, 7)),
    *(kind() for kind in (DrawOne, RedrawHand, UseLeader, EndTurn, Challenge, Pass, Leave, Accept, Decline)),
    ConfirmSeen(),
    RollResult((1, 9)),
)  # fmt: skip
SETUPS = {
    "server": Setup("standard", 3),
    "at once": Setup("standard", 2, {"leader_choice": "at_once", "good_items_at_home": True}),
    "real cards and dice": Setup("standard", 3, {}, {"dice": "table", "deck": "table"}),
    "a bot at a table": Setup("standard", 3, {}, {"dice": "table", "deck": "table"}, (1,)),
}


@pytest.mark.clause("KERNEL-REASON-1")
@pytest.mark.parametrize("name", SETUPS)
def test_any_move_of_anybody_is_judged_at_any_time(name: str) -> None:
    dice = random.Random(11)
    played = list(islice(random_match("here_to_slay", GAME.complete_setup(SETUPS[name]), 3), 250))
    refused = 0
    for turned in [*played[:12], *dice.sample(played, min(40, len(played)))]:
        for seat in (0, 1, 2, BYSTANDER, CHANCE, CLOCK):
            for move in dice.sample(ODD, 30):
                seen = turned.before.view_for(seat)
                assert len(list(find_broken_preconditions(seen, Seat(seat), move))) <= len(
                    list_preconditions(seen, move)
                )
                refused += judge_move(turned.before, Seat(seat), move).verdict == "refused"
    assert refused > 1000


@pytest.mark.clause("KERNEL-REASON-1")
def test_of_a_player_a_rule_of_the_game_is_broken_before_any_of_the_kernel() -> None:
    """Whatever a player does who is not asked, some rule of the game says why not."""
    state = table(["peanut", "challenge"], ["challenge", "modifier_plus_4"], ["hook"], parties={0: ["bad_axe"]})
    for move in ODD:
        if isinstance(move, Leave | RollResult):
            continue
        ruling = judge_move(state, Seat(1), move)
        assert ruling.verdict == "refused", move
        assert not ruling.clauses[0].startswith(GENERAL_PREFIXES), (move, ruling.clauses)
