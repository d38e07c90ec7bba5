"""The desk: a move becomes one entry, whoever comes second is told, nothing is done twice."""

from __future__ import annotations

import json
import threading

import pytest

from referee.engine.chance import Rolled
from referee.engine.game import Malformed
from referee.engine.referee import awaited
from referee.engine.rulings import Refused
from referee.engine.seats import BYSTANDER, CHANCE, CLOCK, FULL, Seat
from referee.match.aggregate import Chair, Rewound
from referee.match.entries import course, unpack
from referee.match.table import commands
from referee.queries import views as seeing
from referee.service.match_service import Behind, Desk, IllegalMove, KeyReused, UnknownMatch, UnknownVersion
from referee.transparency.merkle import leaf_hash, root_of_leaves
from tests.engine.toy import GAME, Bomb, Cheer, Dodge, Play, Suffer
from tests.service.house import desk


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("referee.games", "referee.service.match_service", "referee.match.aggregate"):
        monkeypatch.setattr(f"{module}.games", lambda: {"toy": GAME})


@pytest.fixture
def house() -> Desk:
    return desk()


def opened(house: Desk, seats: int = 3, **chance: str) -> str:
    ask = commands.Open("toy", "standard", {}, chance, (Chair("table"),) * seats)
    match = house.open(ask, "an-opening-key").match.id
    house.business(match, commands.Start(), key="start", scope="host")
    return match


def cards(house: Desk, match: str, seat: int) -> tuple[str, ...]:
    return house.load(match).match.state.place(f"hand:{seat}")


def playing(house: Desk, match: str, card: str) -> int:
    """Plays on until the seat on turn holds a card, and gives that seat."""
    for n in range(100):
        state = house.load(match).match.state
        seat = min(awaited(state) - {-2})
        if isinstance(state.agenda[-1], Bomb):
            house.move(match, seat, Suffer(), key=f"on-{n}")
            continue
        held = state.place(f"hand:{seat}")
        if card in held:
            return seat
        house.move(match, seat, Play(held[0]), key=f"on-{n}")
    raise AssertionError("nobody holds it")


def test_opening_twice_under_one_key_finds_the_match(house: Desk) -> None:
    ask = commands.Open("toy", "standard", {"limit": 2}, {}, (Chair("human"),) * 2)
    first, second = house.open(ask, "k"), house.open(ask, "k")
    assert (first.match.id, second.replayed) == (second.match.id, True)
    assert house.load(first.match.id).version == 1
    with pytest.raises(KeyReused):
        house.open(commands.Open("toy", "standard", {"limit": 3}, {}, (Chair("human"),) * 2), "k")


@pytest.mark.clause("TABLE-OPEN-1")
def test_a_match_keeps_game_variant_edition_and_ruleset_and_binds_the_server(house: Desk) -> None:
    match = house.load(opened(house)).match
    assert (match.game, match.variant, match.edition, match.ruleset) == ("toy", "standard", "printed", "1")
    assert match.settings == {"limit": 3}
    assert match.commitment == house.draws.commitment(match.id)
    assert house.entries(match.id, 0, 1)[0].facts[0].commitment == match.commitment


@pytest.mark.clause("TABLE-START-1")
def test_a_match_starts_once_and_only_with_every_seat_taken(house: Desk) -> None:
    match = house.open(commands.Open("toy", "standard", {}, {}, (Chair("human"),) * 2), "k").match.id
    with pytest.raises(Refused) as refused:
        house.business(match, commands.Start(), key="s1", scope="host")
    assert refused.value.ruling.params == {"seats": [0, 1]}
    for seat in (0, 1):
        house.business(match, commands.TakeSeat(seat), key=f"t{seat}", scope="join")
    house.business(match, commands.Start(), key="s2", scope="host")
    with pytest.raises(Refused):
        house.business(match, commands.Start(), key="s3", scope="host")


@pytest.mark.clause("TABLE-SEAT-1")
def test_a_seat_is_taken_by_one(house: Desk) -> None:
    match = house.open(commands.Open("toy", "standard", {}, {}, (Chair("human"), Chair("bot"))), "k").match.id
    house.business(match, commands.TakeSeat(0), key="a", scope="join")
    for seat in (0, 1, 7):
        with pytest.raises(Refused) as refused:
            house.business(match, commands.TakeSeat(seat), key=f"b{seat}", scope="join")
        assert refused.value.ruling.clauses == ("TABLE-SEAT-1",)


@pytest.mark.clause("TABLE-SEAT-2")
def test_a_seat_can_be_left_and_taken_again_while_the_match_runs(house: Desk) -> None:
    match = house.open(commands.Open("toy", "standard", {}, {}, (Chair("human"), Chair("table"))), "k").match.id
    house.business(match, commands.TakeSeat(0), key="a", scope="join")
    house.business(match, commands.Start(), key="s", scope="host")
    house.business(match, commands.LeaveSeat(0), key="l", scope="seat0")
    assert not house.load(match).match.chairs[0].taken
    with pytest.raises(Refused):
        house.business(match, commands.LeaveSeat(0), key="l2", scope="seat0")
    house.business(match, commands.TakeSeat(0), key="a2", scope="join")
    assert house.load(match).match.status == "running"
    house.business(match, commands.End("abandoned"), key="e", scope="host")
    with pytest.raises(Refused):
        house.business(match, commands.LeaveSeat(0), key="l3", scope="seat0")


@pytest.mark.clause("TABLE-PROXY-1")
def test_a_seat_says_who_else_may_move_for_it(house: Desk) -> None:
    match = opened(house)
    house.business(match, commands.SetProxy(1, "host"), key="p", scope="seat1")
    assert house.load(match).match.chairs[1].proxy == "host"
    for by in ("1", "9", "x"):
        with pytest.raises(Refused):
            house.business(match, commands.SetProxy(1, by), key=f"p{by}", scope="seat1")


@pytest.mark.clause("TABLE-LOBBY-1")
def test_settings_change_only_before_the_start(house: Desk) -> None:
    match = house.open(commands.Open("toy", "standard", {}, {}, (Chair("table"),) * 2), "k").match.id
    house.business(match, commands.Change(settings={"limit": 5}), key="c", scope="host")
    house.business(match, commands.Start(), key="s", scope="host")
    assert house.load(match).match.settings == {"limit": 5}
    with pytest.raises(Refused):
        house.business(match, commands.Change(settings={"limit": 6}), key="c2", scope="host")


@pytest.mark.clause("TABLE-END-1")
def test_the_table_may_end_a_match_and_then_nobody_moves(house: Desk) -> None:
    match = opened(house)
    with pytest.raises(Refused):
        house.business(match, commands.End("agreed", ((0,), (1,))), key="e0", scope="host")
    house.business(match, commands.End("agreed", ((0,), (1, 2))), key="e", scope="host")
    assert house.load(match).match.end.winners == (0,)
    with pytest.raises(Refused) as refused:
        house.move(match, Seat(0), Cheer(), key="m")
    assert refused.value.ruling.clauses == ("TABLE-END-1",)


@pytest.mark.clause("KERNEL-OVER-1")
def test_a_match_that_the_rules_have_ended_is_finished_and_takes_no_move(house: Desk) -> None:
    match = opened(house, seats=2)
    for n in range(400):
        loaded = house.load(match).match
        if loaded.status == "finished":
            break
        state = loaded.state
        seat = min(seat for seat in awaited(state) if seat >= 0)
        legal = seeing.listing(house, match, seat).legal
        house.move(match, seat, next(m for m in legal if not isinstance(m, Cheer)), key=f"k{n}")
    assert loaded.status == "finished"
    with pytest.raises(Refused):
        house.move(match, Seat(0), Cheer(), key="late")
    assert seeing.view(house, match, FULL)["outcome"]["winners"]


@pytest.mark.clause("KERNEL-TURN-1", "KERNEL-MOVE-1")
def test_a_refusal_cites_the_clause_and_offers_ways_out_and_changes_nothing(house: Desk) -> None:
    match = opened(house)
    seat = min(awaited(house.load(match).match.state))
    missing = next(card for card in ("bomb", "cake", "dodge!red", "hat") if card not in cards(house, match, seat))
    before = house.load(match).version
    with pytest.raises(IllegalMove) as refused:
        house.move(match, seat, Play(missing), key="k")
    assert refused.value.ways
    for way in refused.value.ways:
        assert seeing.tried(house, match, seat, way).ruling.granted
    with pytest.raises(IllegalMove) as refused:
        house.move(match, seat, Suffer(), key="k")
    assert refused.value.ruling.clauses == ("KERNEL-MOVE-1",)
    with pytest.raises(IllegalMove) as refused:
        house.move(match, CHANCE, Cheer(), key="k")
    assert refused.value.ruling.clauses == ("KERNEL-TURN-1",)
    assert house.load(match).version == before


def test_the_same_key_and_ask_give_the_same_answer_and_one_entry(house: Desk) -> None:
    match = opened(house)
    seat = min(awaited(house.load(match).match.state))
    move = Play(cards(house, match, seat)[0])
    first = house.move(match, seat, move, key="k")
    for _ in range(5):
        again = house.move(match, seat, move, key="k")
        assert (again.entry, again.version, again.receipt, again.replayed) == (
            first.entry, first.version, first.receipt, True,
        )  # fmt: skip
    with pytest.raises(KeyReused):
        house.move(match, seat, Cheer(), key="k")


def test_passes_may_cross_and_a_move_on_an_old_question_is_overtaken(house: Desk) -> None:
    match = opened(house)
    bomber = playing(house, match, "bomb")
    version = house.move(match, Seat(bomber), Play("bomb"), key="bomb").version
    others = [seat for seat in range(3) if seat != bomber]
    house.move(match, Seat(others[0]), Suffer(), key="x", seen=version)
    house.move(match, Seat(others[1]), Suffer(), key="y", seen=version)
    with pytest.raises(Behind) as behind:
        house.move(match, Seat(others[1]), Cheer(), key="z", seen=version)
    assert behind.value.current > version
    with pytest.raises(Behind) as behind:
        house.move(match, Seat(others[1]), Cheer(), key="z", strict=version)
    assert behind.value.strict


def test_of_two_racing_clients_exactly_one_commits_and_the_other_is_told(house: Desk) -> None:
    match = opened(house)
    for n in range(10):
        state = house.load(match).match.state
        if house.load(match).match.status != "running":
            break
        seat = min(seat for seat in awaited(state) if seat >= 0)
        move = Suffer() if isinstance(state.agenda[-1], Bomb) else Play(state.place(f"hand:{seat}")[0])
        seen, came = house.load(match).version, []
        gate = threading.Barrier(2)

        def race(
            name: str, n: int = n, seat: Seat = seat, move: object = move, seen: int = seen,
            gate: threading.Barrier = gate, came: list[str] = came,
        ) -> None:  # fmt: skip
            gate.wait()
            try:
                house.move(match, seat, move, key=f"{name}{n}", seen=seen)
                came.append("done")
            except Behind:
                came.append("behind")

        racers = [threading.Thread(target=race, args=(name,)) for name in "ab"]
        for racer in racers:
            racer.start()
        for racer in racers:
            racer.join()
        assert sorted(came) == ["behind", "done"]


def test_versions_have_no_gap_and_every_root_is_that_of_its_leaves(house: Desk) -> None:
    match = opened(house)
    playing(house, match, "bomb")
    entries = house.log.entries(match, 0, 200)
    assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
    leaves = [leaf_hash(entry.envelope) for entry in entries]
    for n, entry in enumerate(entries, 1):
        assert entry.root == root_of_leaves(leaves[:n])


def test_the_public_envelope_names_no_hidden_card(house: Desk) -> None:
    match = opened(house)
    envelope = json.loads(house.log.entries(match, 1, 10)[0].envelope)
    dealt = [event for event in envelope["events"] if event["type"] == "Moved"]
    hidden = [json.dumps(event) for event in json.loads(house.log.entries(match, 0, 10)[-1].envelope)["events"]]
    assert all(card.startswith("?") for event in dealt for card in event["put"])
    assert not any("bomb" in line for line in hidden if "Moved" in line)


def test_time_travel_shows_the_table_as_it_was(house: Desk) -> None:
    match = opened(house)
    views = {1: None}
    for n in range(4):
        version = house.load(match).version
        views[version] = seeing.view(house, match, BYSTANDER)
        seat = min(awaited(house.load(match).match.state))
        if seat < 0:
            break
        house.move(match, seat, Cheer(), key=f"c{n}")
    for version, seen in views.items():
        if seen is not None:
            assert seeing.view(house, match, BYSTANDER, version) == seen
    with pytest.raises(UnknownVersion):
        seeing.view(house, match, BYSTANDER, 9999)
    with pytest.raises(UnknownMatch):
        seeing.view(house, "00-" + "z" * 26, BYSTANDER)


def test_all_is_shown_only_after_the_end(house: Desk) -> None:
    match = opened(house)
    with pytest.raises(Refused):
        seeing.view(house, match, FULL)
    house.business(match, commands.End("abandoned"), key="e", scope="host")
    assert seeing.view(house, match, FULL)["table"]["zones"]["hand:0"][0] != "?"


def test_onlookers_come_late_if_the_match_says_so(house: Desk) -> None:
    ask = commands.Open("toy", "standard", {}, {}, (Chair("table"),) * 2, spectator_delay=2)
    match = house.open(ask, "k").match.id
    house.business(match, commands.Start(), key="s", scope="host")
    for n in range(3):
        house.move(match, Seat(1), Cheer(), key=f"c{n}")
    version = house.load(match).version
    assert seeing.view(house, match, BYSTANDER)["version"] == version - 2
    assert [item["version"] for item in seeing.log(house, match, BYSTANDER)[0]][-1] == version - 2
    assert seeing.view(house, match, 0)["version"] == version
    with pytest.raises(UnknownVersion):
        seeing.view(house, match, BYSTANDER, version)


def test_a_passed_deadline_is_played_before_any_answer(house: Desk) -> None:
    match = opened(house)
    bomber = playing(house, match, "bomb")
    house.move(match, Seat(bomber), Play("bomb"), key="bomb")
    house.log.advance(1001)
    target = next(seat for seat in range(3) if seat != bomber)
    with pytest.raises(IllegalMove):
        house.move(match, Seat(target), Dodge(), key="late", seen=None)
    moved = [entry.seat for entry in house.entries(match)]
    assert moved.count(-2) == 1


@pytest.mark.clause("KERNEL-CHANCE-1")
def test_chance_moves_by_itself_where_the_server_holds_the_dice(house: Desk) -> None:
    match = opened(house)
    entry = house.entries(match)[2]
    assert (entry.seat, entry.actor) == (CHANCE, "chance")
    assert awaited(house.load(match).match.state) == {0}


@pytest.mark.clause("TABLE-REPORT-1")
def test_at_a_table_the_dice_wait_for_a_report_and_elsewhere_nobody_may_report(
    house: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = opened(house, dice="table")
    bomber = playing(house, match, "bomb")
    house.move(match, Seat(bomber), Play("bomb"), key="bomb")
    others = [seat for seat in range(3) if seat != bomber]
    for seat in others:
        house.move(match, Seat(seat), Suffer(), key=f"s{seat}")
    assert awaited(house.load(match).match.state) == {CHANCE}
    first = house.move(match, CHANCE, Rolled((3,)), key="r", actor="reporter")
    assert house.entries(match)[-1].actor == "reporter"
    house.move(match, CHANCE, Rolled((2,)), key="s", actor="reporter")
    assert house.move(match, CHANCE, Rolled((3,)), key="r", actor="reporter").version == first.version

    monkeypatch.setattr(house, "_drawn", lambda loaded: loaded)  # the desk dies before its draw
    other = house.open(commands.Open("toy", "standard", {}, {}, (Chair("table"),) * 2), "other").match.id
    house.business(other, commands.Start(), key="start", scope="host")
    assert awaited(house.load(other).match.state) == {CHANCE}
    with pytest.raises(Refused) as refused:
        house.move(other, CHANCE, Rolled((3,)), key="r", actor="reporter")
    assert refused.value.ruling.clauses == ("TABLE-REPORT-1",)


@pytest.mark.clause("TABLE-COURSE-1")
def test_going_back_is_an_entry_and_the_course_leaves_out_what_it_strikes(house: Desk) -> None:
    match = opened(house)
    version = house.load(match).version
    house.move(match, Seat(1), Cheer(), key="c1")
    house.move(match, Seat(2), Cheer(), key="c2")
    assert house.load(match).match.state.cheers == 2
    loaded = house.load(match)
    house._append(  # what a remedy will write
        loaded, BYSTANDER, "table", commands.Start(), (Rewound(version),), "host:back", b"x"
    )
    assert house.load(match).match.state.cheers == 0
    fresh = desk(house.log)
    assert fresh.load(match).match == house.load(match).match
    house.move(match, Seat(1), Cheer(), key="c3")
    assert fresh.load(match).match.state.cheers == 1
    kept = [entry.version for entry in course([unpack(entry) for entry in house.log.entries(match)])]
    assert kept == [*range(1, version + 1), version + 3, version + 4]


def test_a_write_that_is_asked_again_after_a_deadline_gets_its_answer_and_the_clock_its_entry(house: Desk) -> None:
    """The key that is looked up with the match is the caller's: it says nothing of what the clock has asked."""
    match = opened(house)
    bomber = playing(house, match, "bomb")
    house.move(match, Seat(bomber), Play("bomb"), key="bomb")
    answering = min(seat for seat in awaited(house.load(match).match.state) if seat >= 0)
    first = house.move(match, Seat(answering), Suffer(), key="k")
    assert first.entry == first.version
    house.log.advance(1001)
    again = house.move(match, Seat(answering), Suffer(), key="k")
    assert (again.replayed, again.entry, again.receipt) == (True, first.entry, first.receipt)
    assert house.entries(match, first.entry)[0].seat == CLOCK
    assert house.business(match, commands.End("abandoned"), key="e", scope="host").replayed is False


def test_a_deadline_of_a_match_that_has_ended_means_nothing(house: Desk) -> None:
    match = opened(house)
    bomber = playing(house, match, "bomb")
    house.move(match, Seat(bomber), Play("bomb"), key="bomb")
    house.business(match, commands.End("abandoned"), key="e", scope="host")
    house.log.advance(5000)
    assert house.load(match).match.status == "abandoned"
    assert house.log.next_due() is None


def test_a_setting_out_of_range_is_refused_in_words(house: Desk) -> None:
    for settings, words in (({"limit": 99}, "a whole number from 1 to 9"), ({"hue": 1}, "no such setting")):
        with pytest.raises(Malformed) as malformed:
            house.open(commands.Open("toy", "standard", settings, {}, (Chair("table"),) * 2), f"k{words}")
        assert words in malformed.value.errors[0]["detail"]
    with pytest.raises(Malformed) as malformed:
        house.open(commands.Open("toy", "standard", {}, {}, (Chair("table"),) * 9), "many")
    assert malformed.value.errors == [{"pointer": "/seats", "detail": "the game has 2 to 4 seats"}]
