"""What is said to be right instead has to be something that can have been, as far as everybody sees."""

from __future__ import annotations

import random
from typing import Any

import pytest

from referee.arbitration.claim_validation import check_claim_possible
from referee.engine.chance import RollResult, TurnUpResult
from referee.engine.codec import encode
from referee.engine.game import Setup
from referee.engine.referee import find_legal_moves
from referee.engine.rulings import IllegalMove
from referee.engine.seats import CHANCE, Seat
from referee.games import load_games
from referee.match.events.dispute_commands import Attest, OpenDispute
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.arbitration.playing import Referee, evidence, opened, turn
from tests.games.declared import require_devices, require_moves


def played(game: str, seed: int, moves: int) -> tuple[Referee, str]:
    """A match with real dice and cards, as far as the game has them; whoever sits at seat 0 reports."""
    house, box = Referee(), load_games()[game]
    chance = dict.fromkeys(box.devices, "table")
    seats = min(max(box.min_seats, 3), box.max_seats)
    match = opened(house, game, Setup(box.variants[0], seats, {}, chance), f"{game}-{seed}")
    dice = random.Random(seed)
    for number in range(moves):
        following = turn(house, match, dice)
        if following is None:
            break
        seat, move = following
        actor = "reporter:0" if seat == CHANCE else "player"
        house.make_move(MoveRequest(match, seat, move, key=f"{number}", scope="seat0", actor=actor))
    return house, match


def rolled(house: MatchService, match: str) -> Any:
    return next(each for each in reversed(house.repository.load_entries(match)) if isinstance(each.move, RollResult))


def refused(house: MatchService, match: str, ask: Any) -> Any:
    """The ruling that refuses what is asked; nothing is written then."""
    version = house.load_match(match).version
    with pytest.raises(IllegalMove, match=r"court\.correction_impossible") as caught:
        house.execute_command(match, ask, key=f"no-{ask}", scope="seat1")
    assert house.load_match(match).version == version
    return caught.value.ruling


@pytest.mark.clause("TABLE-DISPUTE-6")
@pytest.mark.parametrize("game", ["here_to_slay", "munchkin"])
def test_a_die_does_not_show_seven_and_the_field_and_the_clauses_are_named(game: str) -> None:
    house, match = played(game, 3, 60)
    roll = rolled(house, match)
    pips = len(roll.move.values)
    for values in ((7,) * pips, (0,) * pips, (1,) * (pips + 1), (-1,) * pips):
        ruling = refused(house, match, OpenDispute("1", roll.version, "misreported", move=encode(RollResult(values))))
        assert (ruling.params["pointer"], ruling.clauses) == ("/move", ("TABLE-DISPUTE-6", "KERNEL-CHANCE-1"))
        assert ruling.params["detail"]["de"] != ruling.params["detail"]["en"]
    for saw in (7, [1, 9], encode(RollResult((7,) * pips))):
        ruling = refused(house, match, OpenDispute("1", roll.version, "misreported", saw=saw))
        assert ruling.params["pointer"] == "/saw"
    for saw in ("a seven, on the floor", {"pips": 7}, 3, [6], None):
        check_claim_possible(evidence(house, match), OpenDispute("1", roll.version, "misreported", saw=saw))
    number = house.execute_command(match, OpenDispute("1", roll.version, "misreported"), key="one", scope="seat1").entry
    deciding = sorted({0, 1, 2} - set(house.load_match(match).match.disputes[-1].parties))
    assert refused(house, match, Attest(number, deciding[0], True, 8)).params["pointer"] == "/saw"


@pytest.mark.clause("TABLE-DISPUTE-6")
@pytest.mark.parametrize("game", load_games())
def test_no_card_lies_there_that_the_box_has_not(game: str) -> None:
    require_devices(game, hidden=True)
    require_moves(game, TurnUpResult)
    house, match = played(game, 5, 60)
    shown = next(each for each in house.repository.load_entries(match) if isinstance(each.move, TurnUpResult))
    ruling = refused(
        house,
        match,
        OpenDispute("1", shown.version, "misreported", move=encode(TurnUpResult("a_card_of_another_game"))),
    )
    assert ruling.params["pointer"] == "/move"
    assert ruling.clauses[0] == "TABLE-DISPUTE-6"
    assert len(ruling.clauses) > 1


@pytest.mark.clause("TABLE-DISPUTE-6")
def test_nothing_is_counted_below_nothing() -> None:
    house, match = played("here_to_slay", 3, 30)
    about = max(entry.version for entry in house.repository.load_entries(match) if entry.seat >= 0)
    for saw in (-1, {"points": -2}, [3, -1]):
        ruling = refused(house, match, OpenDispute("1", about, "wrong_count", saw=saw))
        assert (ruling.params["pointer"], ruling.clauses) == ("/saw", ("TABLE-DISPUTE-6",))
    check_claim_possible(evidence(house, match), OpenDispute("1", about, "wrong_count", saw={"points": 0}))
    check_claim_possible(evidence(house, match), OpenDispute("1", about, "other", saw=-1))


@pytest.mark.clause("TABLE-DISPUTE-6")
@pytest.mark.parametrize("game", load_games())
def test_what_could_have_been_is_never_refused_whatever_lies_hidden(game: str) -> None:
    """The law: of every report, whatever else would have been legal on the whole table is heard by the court."""
    house, match = played(game, 5, 40)
    found, heard, dice = evidence(house, match), 0, random.Random(1)
    for entry in found.effective_entries:
        if entry.move is None or entry.move.TAG.startswith("table.") or entry.version <= found.start_version:
            continue
        before: Any = found.replay_to(entry.version - 1).state
        others = [move for move, _ in zip(find_legal_moves(before, Seat(entry.seat)), range(60), strict=False)]
        for move in dice.sample(others, min(3, len(others))):
            check_claim_possible(found, OpenDispute("1", entry.version, "misreported", move=encode(move)))
            heard += 1
    assert heard > 20
