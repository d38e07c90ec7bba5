"""What may be let pass, by whom, until when, and that a key puts it once."""

from __future__ import annotations

import pytest

from referee.engine.codec import REGISTRY
from referee.engine.rulings import IllegalMove, MalformedInput
from referee.engine.seats import Seat
from referee.engine.steps import Step
from referee.games import load_games
from referee.match.aggregate import SeatAssignment
from referee.match.errors import IdempotencyKeyConflict, UnknownMatch
from referee.match.table import commands
from referee.service.match_service import MatchService
from tests.doubles.party import PARTY
from tests.doubles.party.house import let, move, opened, waiting
from tests.engine.toy import Play
from tests.service.house import end_agreed_by_all


def test_a_seat_that_changes_hands_lets_nothing_pass(house: MatchService) -> None:
    match = opened(house)
    let(house, match, 1)
    house.execute_command(match, commands.LeaveSeat(1), key="leave", scope="seat1")
    assert house.log.read_passes(match) == {}
    house.log.put_pass(match, 1, "late", b"", b'{"kinds":["applause"],"since":1,"turn":1,"until":"match"}', 60_000)
    done = move(house, match, 0, Play("drum"))
    assert done.version == done.entry  # nobody sits there
    house.execute_command(match, commands.TakeSeat(1), key="take again", scope="join")
    assert house.get_auto_pass(match, Seat(1)) is None
    assert waiting(house, match) == {1, 2}


def test_bots_and_seats_without_a_phone_have_none(house: MatchService) -> None:
    match = opened(house, "human", "bot", "table")
    for seat in (1, 2):
        house.set_auto_pass(match, Seat(seat), ("applause",), "match", key=f"k{seat}")
    done = move(house, match, 0, Play("drum"))
    assert done.version == done.entry == house.load_match(match).version


def test_they_end_with_the_match(house: MatchService) -> None:
    match = opened(house)
    let(house, match, 1)
    house.execute_command(match, end_agreed_by_all("abandoned"), key="end", scope="host")
    assert house.log.read_passes(match) == {}
    assert house.get_auto_pass(match, Seat(1)) is None
    with pytest.raises(IllegalMove) as refused:
        house.set_auto_pass(match, Seat(1), ("applause",), "match", key="late")
    assert refused.value.ruling.clauses == ("TABLE-END-1",)
    assert house.log.read_passes(match) == {}


@pytest.mark.usefixtures("first_scheme")
def test_the_rules_may_end_the_match_by_a_pass(house: MatchService) -> None:
    match = opened(house, "human", "human")
    let(house, match, 0, 1)
    for turn in range(8):
        card = house.load_match(match).match.state.cards_at(f"hand:{turn % 2}")[0]
        done = move(house, match, turn % 2, Play(card))
        house.log.advance_clock(1000)
    assert done.match.status == "finished"
    assert house.log.read_passes(match) == {}


def test_before_the_start_nothing_can_stand(house: MatchService) -> None:
    match = house.open_match(
        commands.OpenMatch("party", "standard", {}, {}, (SeatAssignment("human"),) * 2), "k"
    ).match.id
    with pytest.raises(IllegalMove) as refused:
        house.set_auto_pass(match, Seat(0), ("applause",), "match", key="k")
    assert refused.value.ruling.clauses == ("TABLE-START-1",)
    assert house.get_auto_pass(match, Seat(0)) is None
    with pytest.raises(UnknownMatch):
        house.set_auto_pass("00-" + "z" * 26, Seat(0), ("applause",), "match", key="k")


def test_only_kinds_that_the_game_knows(house: MatchService, monkeypatch: pytest.MonkeyPatch) -> None:
    match = opened(house)
    with pytest.raises(MalformedInput) as malformed:
        house.set_auto_pass(match, Seat(1), ("encore", "ovation"), "match", key="k")
    assert malformed.value.errors == [
        {"pointer": "/kinds/1", "detail": "unknown kind of window; known: applause, encore, dull"}
    ]
    monkeypatch.setattr(type(PARTY), "windows", ())
    with pytest.raises(MalformedInput) as malformed:
        house.set_auto_pass(match, Seat(1), ("encore",), "match", key="k")
    assert malformed.value.errors == [
        {"pointer": "/kinds", "detail": "Party has no windows that can be passed automatically"}
    ]
    assert house.log.read_passes(match) == {}


def test_a_key_puts_once(house: MatchService) -> None:
    match = opened(house)
    put, replayed = house.set_auto_pass(match, Seat(1), ("encore", "applause"), "turn", key="k")
    assert (put.kinds, put.until, put.turn, replayed) == (("applause", "encore"), "turn", 1, False)
    house.set_auto_pass(match, Seat(1), ("dull",), "match", key="k2")
    assert house.set_auto_pass(match, Seat(1), ("applause", "encore"), "turn", key="k") == (put, True)
    assert house.get_auto_pass(match, Seat(1)).kinds == ("dull",)
    for kinds, until in ((("applause",), "turn"), (("applause", "encore"), "match")):
        with pytest.raises(IdempotencyKeyConflict):
            house.set_auto_pass(match, Seat(1), kinds, until, key="k")
    house.set_auto_pass(match, Seat(2), ("dull",), "match", key="k")  # the key is the seat's own
    house.clear_auto_pass(match, Seat(1))
    house.clear_auto_pass(match, Seat(1))
    assert house.get_auto_pass(match, Seat(1)) is None
    assert house.get_auto_pass(match, Seat(2)).kinds == ("dull",)
    house.execute_command(match, end_agreed_by_all("abandoned"), key="end", scope="host")
    assert house.set_auto_pass(match, Seat(1), ("applause", "encore"), "turn", key="k") == (put, True)


def test_a_game_names_the_windows_that_its_questions_are() -> None:
    for game in load_games().values():
        steps = [kind for tag, kind in REGISTRY.items() if tag.startswith(f"{game.prefix}.") and issubclass(kind, Step)]
        assert {kind.window_kind for kind in steps} - {""} == set(game.windows), game.name
