"""What may be let pass, by whom, until when, and that a key puts it once."""

from __future__ import annotations

import pytest

from referee.engine.codec import REGISTRY
from referee.engine.game import Malformed
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Step
from referee.games import games
from referee.match.aggregate import Chair
from referee.match.table import commands
from referee.service.match_service import Desk, KeyReused, UnknownMatch
from tests.doubles.party import PARTY
from tests.doubles.party.house import let, move, opened, waiting
from tests.engine.toy import Play


def test_a_seat_that_changes_hands_lets_nothing_pass(house: Desk) -> None:
    match = opened(house)
    let(house, match, 1)
    house.business(match, commands.LeaveSeat(1), key="leave", scope="seat1")
    assert house.log.passes(match) == {}
    house.log.put_pass(match, 1, "late", b"", b'{"kinds":["applause"],"since":1,"turn":1,"until":"match"}', 60_000)
    done = move(house, match, 0, Play("drum"))
    assert done.version == done.entry  # nobody sits there
    house.business(match, commands.TakeSeat(1), key="take again", scope="join")
    assert house.let_passed(match, Seat(1)) is None
    assert waiting(house, match) == {1, 2}


def test_bots_and_seats_without_a_phone_have_none(house: Desk) -> None:
    match = opened(house, "human", "bot", "table")
    for seat in (1, 2):
        house.let_pass(match, Seat(seat), ("applause",), "match", key=f"k{seat}")
    done = move(house, match, 0, Play("drum"))
    assert done.version == done.entry == house.load(match).version


def test_they_end_with_the_match(house: Desk) -> None:
    match = opened(house)
    let(house, match, 1)
    house.business(match, commands.End("abandoned"), key="end", scope="host")
    assert house.log.passes(match) == {}
    assert house.let_passed(match, Seat(1)) is None
    with pytest.raises(Refused) as refused:
        house.let_pass(match, Seat(1), ("applause",), "match", key="late")
    assert refused.value.ruling.clauses == ("TABLE-END-1",)
    assert house.log.passes(match) == {}


def test_the_rules_may_end_the_match_by_a_pass(house: Desk) -> None:
    match = opened(house, "human", "human")
    let(house, match, 0, 1)
    for turn in range(8):
        card = house.load(match).match.state.place(f"hand:{turn % 2}")[0]
        done = move(house, match, turn % 2, Play(card))
        house.log.advance(1000)
    assert done.match.status == "finished"
    assert house.log.passes(match) == {}


def test_before_the_start_nothing_can_stand(house: Desk) -> None:
    match = house.open(commands.Open("party", "standard", {}, {}, (Chair("human"),) * 2), "k").match.id
    with pytest.raises(Refused) as refused:
        house.let_pass(match, Seat(0), ("applause",), "match", key="k")
    assert refused.value.ruling.clauses == ("TABLE-START-1",)
    assert house.let_passed(match, Seat(0)) is None
    with pytest.raises(UnknownMatch):
        house.let_pass("00-" + "z" * 26, Seat(0), ("applause",), "match", key="k")


def test_only_kinds_that_the_game_knows(house: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    match = opened(house)
    with pytest.raises(Malformed) as malformed:
        house.let_pass(match, Seat(1), ("encore", "ovation"), "match", key="k")
    assert malformed.value.errors == [{"pointer": "/kinds/1", "detail": "one of applause, encore, dull"}]
    monkeypatch.setattr(type(PARTY), "windows", ())
    with pytest.raises(Malformed) as malformed:
        house.let_pass(match, Seat(1), ("encore",), "match", key="k")
    assert malformed.value.errors == [{"pointer": "/kinds", "detail": "Party has no windows to let pass"}]
    assert house.log.passes(match) == {}


def test_a_key_puts_once(house: Desk) -> None:
    match = opened(house)
    put, replayed = house.let_pass(match, Seat(1), ("encore", "applause"), "turn", key="k")
    assert (put.kinds, put.until, put.turn, replayed) == (("applause", "encore"), "turn", 1, False)
    house.let_pass(match, Seat(1), ("dull",), "match", key="k2")
    assert house.let_pass(match, Seat(1), ("applause", "encore"), "turn", key="k") == (put, True)
    assert house.let_passed(match, Seat(1)).kinds == ("dull",)
    for kinds, until in ((("applause",), "turn"), (("applause", "encore"), "match")):
        with pytest.raises(KeyReused):
            house.let_pass(match, Seat(1), kinds, until, key="k")
    house.let_pass(match, Seat(2), ("dull",), "match", key="k")  # the key is the seat's own
    house.let_none_pass(match, Seat(1))
    house.let_none_pass(match, Seat(1))
    assert house.let_passed(match, Seat(1)) is None
    assert house.let_passed(match, Seat(2)).kinds == ("dull",)
    house.business(match, commands.End("abandoned"), key="end", scope="host")
    assert house.let_pass(match, Seat(1), ("applause", "encore"), "turn", key="k") == (put, True)


def test_a_game_names_the_windows_that_its_questions_are() -> None:
    for game in games().values():
        steps = [kind for tag, kind in REGISTRY.items() if tag.startswith(f"{game.prefix}.") and issubclass(kind, Step)]
        assert {kind.window for kind in steps} - {""} == set(game.windows), game.name
