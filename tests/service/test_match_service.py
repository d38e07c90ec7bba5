"""The desk: a move becomes one entry, whoever comes second is told, nothing is done twice."""

from __future__ import annotations

import json
import threading

import pytest

from referee.engine.chance import RollResult
from referee.engine.referee import seats_that_must_act
from referee.engine.rulings import IllegalMove, MalformedInput
from referee.engine.seats import BYSTANDER, CHANCE, CLOCK, FULL_VIEWER, Seat
from referee.match.aggregate import MatchRewound, SeatAssignment
from referee.match.entries import decode_entry, effective_entries
from referee.match.errors import IdempotencyKeyConflict, MoveRejected, UnknownMatch, UnknownVersion, VersionConflict
from referee.match.table import commands
from referee.queries import views as seeing
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from referee.transparency.merkle import compute_root_of_leaves, leaf_hash
from tests.engine.toy import GAME, Bomb, Cheer, Dodge, Play, Suffer
from tests.service.house import end_agreed_by_all, service


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("referee.games", "referee.service.match_service", "referee.match.aggregate"):
        monkeypatch.setattr(f"{module}.load_games", lambda: {"toy": GAME})


@pytest.fixture
def house() -> MatchService:
    return service()


def opened(house: MatchService, seats: int = 3, **chance: str) -> str:
    ask = commands.OpenMatch("toy", "standard", {}, chance, (SeatAssignment("table"),) * seats)
    match = house.open_match(ask, "an-opening-key").match.id
    house.execute_command(match, commands.StartMatch(), key="start", scope="host")
    return match


def cards(house: MatchService, match: str, seat: int) -> tuple[str, ...]:
    return house.load_match(match).match.state.cards_at(f"hand:{seat}")


def playing(house: MatchService, match: str, card: str) -> int:
    """Plays on until the seat on turn holds a card, and gives that seat."""
    for n in range(100):
        state = house.load_match(match).match.state
        seat = min(seats_that_must_act(state) - {-2})
        if isinstance(state.agenda[-1], Bomb):
            house.make_move(MoveRequest(match, seat, Suffer(), key=f"on-{n}"))
            continue
        held = state.cards_at(f"hand:{seat}")
        if card in held:
            return seat
        house.make_move(MoveRequest(match, seat, Play(held[0]), key=f"on-{n}"))
    raise AssertionError("nobody holds it")


def test_opening_twice_under_one_key_finds_the_match(house: MatchService) -> None:
    ask = commands.OpenMatch("toy", "standard", {"limit": 2}, {}, (SeatAssignment("human"),) * 2)
    first, second = house.open_match(ask, "k"), house.open_match(ask, "k")
    assert (first.match.id, second.replayed) == (second.match.id, True)
    assert house.load_match(first.match.id).version == 1
    with pytest.raises(IdempotencyKeyConflict):
        house.open_match(commands.OpenMatch("toy", "standard", {"limit": 3}, {}, (SeatAssignment("human"),) * 2), "k")


@pytest.mark.clause("TABLE-OPEN-1")
def test_a_match_keeps_game_variant_edition_and_ruleset_and_binds_the_server(house: MatchService) -> None:
    match = house.load_match(opened(house)).match
    assert (match.game, match.variant, match.edition, match.ruleset) == ("toy", "standard", "printed", "1")
    assert match.settings == {"limit": 3}
    assert match.commitment == house.appender.draws.commitment(match.id)
    assert house.repository.load_entries(match.id, 0, 1)[0].events[0].commitment == match.commitment


@pytest.mark.clause("TABLE-START-1")
def test_a_match_starts_once_and_only_with_every_seat_taken(house: MatchService) -> None:
    match = house.open_match(
        commands.OpenMatch("toy", "standard", {}, {}, (SeatAssignment("human"),) * 2), "k"
    ).match.id
    with pytest.raises(IllegalMove) as refused:
        house.execute_command(match, commands.StartMatch(), key="s1", scope="host")
    assert refused.value.ruling.params == {"seats": [0, 1]}
    for seat in (0, 1):
        house.execute_command(match, commands.TakeSeat(seat), key=f"t{seat}", scope="join")
    house.execute_command(match, commands.StartMatch(), key="s2", scope="host")
    with pytest.raises(IllegalMove):
        house.execute_command(match, commands.StartMatch(), key="s3", scope="host")


@pytest.mark.clause("TABLE-SEAT-1")
def test_a_seat_is_taken_by_one(house: MatchService) -> None:
    match = house.open_match(
        commands.OpenMatch("toy", "standard", {}, {}, (SeatAssignment("human"), SeatAssignment("bot"))), "k"
    ).match.id
    house.execute_command(match, commands.TakeSeat(0), key="a", scope="join")
    for seat in (0, 1, 7):
        with pytest.raises(IllegalMove) as refused:
            house.execute_command(match, commands.TakeSeat(seat), key=f"b{seat}", scope="join")
        assert refused.value.ruling.clauses == ("TABLE-SEAT-1",)


@pytest.mark.clause("TABLE-SEAT-2")
def test_a_seat_can_be_left_and_taken_again_while_the_match_runs(house: MatchService) -> None:
    match = house.open_match(
        commands.OpenMatch("toy", "standard", {}, {}, (SeatAssignment("human"), SeatAssignment("table"))), "k"
    ).match.id
    house.execute_command(match, commands.TakeSeat(0), key="a", scope="join")
    house.execute_command(match, commands.StartMatch(), key="s", scope="host")
    house.execute_command(match, commands.LeaveSeat(0), key="l", scope="seat0")
    assert not house.load_match(match).match.chairs[0].taken
    with pytest.raises(IllegalMove):
        house.execute_command(match, commands.LeaveSeat(0), key="l2", scope="seat0")
    house.execute_command(match, commands.TakeSeat(0), key="a2", scope="join")
    assert house.load_match(match).match.status == "running"
    house.execute_command(match, end_agreed_by_all("abandoned"), key="e", scope="host")
    with pytest.raises(IllegalMove):
        house.execute_command(match, commands.LeaveSeat(0), key="l3", scope="seat0")


@pytest.mark.clause("TABLE-PROXY-1")
def test_a_seat_says_who_else_may_move_for_it(house: MatchService) -> None:
    match = opened(house)
    house.execute_command(match, commands.SetProxy(1, "host"), key="p", scope="seat1")
    assert house.load_match(match).match.chairs[1].proxy == "host"
    for by in ("1", "9", "x"):
        with pytest.raises(IllegalMove):
            house.execute_command(match, commands.SetProxy(1, by), key=f"p{by}", scope="seat1")


@pytest.mark.clause("TABLE-LOBBY-1")
def test_settings_change_only_before_the_start(house: MatchService) -> None:
    match = house.open_match(
        commands.OpenMatch("toy", "standard", {}, {}, (SeatAssignment("table"),) * 2), "k"
    ).match.id
    house.execute_command(match, commands.ChangeSettings(settings={"limit": 5}), key="c", scope="host")
    house.execute_command(match, commands.StartMatch(), key="s", scope="host")
    assert house.load_match(match).match.settings == {"limit": 5}
    with pytest.raises(IllegalMove):
        house.execute_command(match, commands.ChangeSettings(settings={"limit": 6}), key="c2", scope="host")


@pytest.mark.clause("TABLE-END-1")
def test_the_table_may_end_a_match_and_then_nobody_moves(house: MatchService) -> None:
    match = opened(house)
    with pytest.raises(IllegalMove):
        house.execute_command(match, end_agreed_by_all("agreed", ((0,), (1,))), key="e0", scope="host")
    house.execute_command(match, end_agreed_by_all("agreed", ((0,), (1, 2))), key="e", scope="host")
    assert house.load_match(match).match.end.winners == (0,)
    with pytest.raises(IllegalMove) as refused:
        house.make_move(MoveRequest(match, Seat(0), Cheer(), key="m"))
    assert refused.value.ruling.clauses == ("TABLE-END-1",)


@pytest.mark.usefixtures("first_scheme")
@pytest.mark.clause("KERNEL-OVER-1")
def test_a_match_that_the_rules_have_ended_is_finished_and_takes_no_move(house: MatchService) -> None:
    match = opened(house, seats=2)
    for n in range(400):
        loaded = house.load_match(match).match
        if loaded.status == "finished":
            break
        state = loaded.state
        seat = min(seat for seat in seats_that_must_act(state) if seat >= 0)
        legal = seeing.list_legal_moves(house, match, seat).legal
        house.make_move(MoveRequest(match, seat, next(m for m in legal if not isinstance(m, Cheer)), key=f"k{n}"))
    assert loaded.status == "finished"
    with pytest.raises(IllegalMove):
        house.make_move(MoveRequest(match, Seat(0), Cheer(), key="late"))
    assert seeing.load_view(house, match, FULL_VIEWER)["outcome"]["winners"]


@pytest.mark.clause("KERNEL-TURN-1", "KERNEL-MOVE-1")
def test_a_refusal_cites_the_clause_and_offers_ways_out_and_changes_nothing(house: MatchService) -> None:
    match = opened(house)
    seat = min(seats_that_must_act(house.load_match(match).match.state))
    missing = next(card for card in ("bomb", "cake", "dodge!red", "hat") if card not in cards(house, match, seat))
    before = house.load_match(match).version
    with pytest.raises(MoveRejected) as refused:
        house.make_move(MoveRequest(match, seat, Play(missing), key="k"))
    assert refused.value.nearest_moves
    for way in refused.value.nearest_moves:
        assert seeing.dry_run_move(house, match, seat, way).ruling.granted
    with pytest.raises(MoveRejected) as refused:
        house.make_move(MoveRequest(match, seat, Suffer(), key="k"))
    assert refused.value.ruling.clauses == ("KERNEL-MOVE-1",)
    with pytest.raises(MoveRejected) as refused:
        house.make_move(MoveRequest(match, CHANCE, Cheer(), key="k"))
    assert refused.value.ruling.clauses == ("KERNEL-TURN-1",)
    assert house.load_match(match).version == before


def test_the_same_key_and_ask_give_the_same_answer_and_one_entry(house: MatchService) -> None:
    match = opened(house)
    seat = min(seats_that_must_act(house.load_match(match).match.state))
    move = Play(cards(house, match, seat)[0])
    first = house.make_move(MoveRequest(match, seat, move, key="k"))
    for _ in range(5):
        again = house.make_move(MoveRequest(match, seat, move, key="k"))
        assert (again.entry, again.version, again.receipt, again.replayed) == (
            first.entry, first.version, first.receipt, True,
        )  # fmt: skip
    with pytest.raises(IdempotencyKeyConflict):
        house.make_move(MoveRequest(match, seat, Cheer(), key="k"))


def test_passes_may_cross_and_a_move_on_an_old_question_is_overtaken(house: MatchService) -> None:
    match = opened(house)
    bomber = playing(house, match, "bomb")
    version = house.make_move(MoveRequest(match, Seat(bomber), Play("bomb"), key="bomb")).version
    others = [seat for seat in range(3) if seat != bomber]
    house.make_move(MoveRequest(match, Seat(others[0]), Suffer(), key="x", seen=version))
    house.make_move(MoveRequest(match, Seat(others[1]), Suffer(), key="y", seen=version))
    with pytest.raises(VersionConflict) as behind:
        house.make_move(MoveRequest(match, Seat(others[1]), Cheer(), key="z", seen=version))
    assert behind.value.version > version
    with pytest.raises(VersionConflict) as behind:
        house.make_move(MoveRequest(match, Seat(others[1]), Cheer(), key="z", strict=version))
    assert behind.value.strict


def test_of_two_racing_clients_exactly_one_commits_and_the_other_is_told(house: MatchService) -> None:
    match = opened(house)
    for n in range(10):
        state = house.load_match(match).match.state
        if house.load_match(match).match.status != "running":
            break
        seat = min(seat for seat in seats_that_must_act(state) if seat >= 0)
        move = Suffer() if isinstance(state.agenda[-1], Bomb) else Play(state.cards_at(f"hand:{seat}")[0])
        seen, came = house.load_match(match).version, []
        gate = threading.Barrier(2)

        def race(
            name: str, n: int = n, seat: Seat = seat, move: object = move, seen: int = seen,
            gate: threading.Barrier = gate, came: list[str] = came,
        ) -> None:  # fmt: skip
            gate.wait()
            try:
                house.make_move(MoveRequest(match, seat, move, key=f"{name}{n}", seen=seen))
                came.append("done")
            except VersionConflict:
                came.append("behind")

        racers = [threading.Thread(target=race, args=(name,)) for name in "ab"]
        for racer in racers:
            racer.start()
        for racer in racers:
            racer.join()
        assert sorted(came) == ["behind", "done"]


def test_versions_have_no_gap_and_every_root_is_that_of_its_leaves(house: MatchService) -> None:
    match = opened(house)
    playing(house, match, "bomb")
    entries = house.log.read_entries(match, 0, 200)
    assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
    leaves = [leaf_hash(entry.envelope) for entry in entries]
    for n, entry in enumerate(entries, 1):
        assert entry.root == compute_root_of_leaves(leaves[:n])


def test_the_public_envelope_names_no_hidden_card(house: MatchService) -> None:
    match = opened(house)
    envelope = json.loads(house.log.read_entries(match, 1, 10)[0].envelope)
    dealt = [event for event in envelope["events"] if event["type"] == "Moved"]
    hidden = [json.dumps(event) for event in json.loads(house.log.read_entries(match, 0, 10)[-1].envelope)["events"]]
    assert all(card.startswith("?") for event in dealt for card in event["put"])
    assert not any("bomb" in line for line in hidden if "Moved" in line)


def test_time_travel_shows_the_table_as_it_was(house: MatchService) -> None:
    match = opened(house)
    views = {1: None}
    for n in range(4):
        version = house.load_match(match).version
        views[version] = seeing.load_view(house, match, BYSTANDER)
        seat = min(seats_that_must_act(house.load_match(match).match.state))
        if seat < 0:
            break
        house.make_move(MoveRequest(match, seat, Cheer(), key=f"c{n}"))
    for version, seen in views.items():
        if seen is not None:
            assert seeing.load_view(house, match, BYSTANDER, version) == seen
    with pytest.raises(UnknownVersion):
        seeing.load_view(house, match, BYSTANDER, 9999)
    with pytest.raises(UnknownMatch):
        seeing.load_view(house, "00-" + "z" * 26, BYSTANDER)


def test_all_is_shown_only_after_the_end(house: MatchService) -> None:
    match = opened(house)
    with pytest.raises(IllegalMove):
        seeing.load_view(house, match, FULL_VIEWER)
    house.execute_command(match, end_agreed_by_all("abandoned"), key="e", scope="host")
    assert seeing.load_view(house, match, FULL_VIEWER)["table"]["zones"]["hand:0"][0] != "?"


def test_onlookers_come_late_if_the_match_says_so(house: MatchService) -> None:
    ask = commands.OpenMatch("toy", "standard", {}, {}, (SeatAssignment("table"),) * 2, spectator_delay=2)
    match = house.open_match(ask, "k").match.id
    house.execute_command(match, commands.StartMatch(), key="s", scope="host")
    for n in range(3):
        house.make_move(MoveRequest(match, Seat(1), Cheer(), key=f"c{n}"))
    version = house.load_match(match).version
    assert seeing.load_view(house, match, BYSTANDER)["version"] == version - 2
    assert [item["version"] for item in seeing.list_entries(house, match, BYSTANDER)[0]][-1] == version - 2
    assert seeing.load_view(house, match, 0)["version"] == version
    with pytest.raises(UnknownVersion):
        seeing.load_view(house, match, BYSTANDER, version)


def test_a_passed_deadline_is_played_before_any_answer(house: MatchService) -> None:
    match = opened(house)
    bomber = playing(house, match, "bomb")
    house.make_move(MoveRequest(match, Seat(bomber), Play("bomb"), key="bomb"))
    house.log.advance_clock(1001)
    target = next(seat for seat in range(3) if seat != bomber)
    with pytest.raises(MoveRejected):
        house.make_move(MoveRequest(match, Seat(target), Dodge(), key="late", seen=None))
    moved = [entry.seat for entry in house.repository.load_entries(match)]
    assert moved.count(-2) == 1


@pytest.mark.clause("KERNEL-CHANCE-1")
def test_chance_moves_by_itself_where_the_server_holds_the_dice(house: MatchService) -> None:
    match = opened(house)
    entry = house.repository.load_entries(match)[2]
    assert (entry.seat, entry.actor) == (CHANCE, "chance")
    assert seats_that_must_act(house.load_match(match).match.state) == {0}


@pytest.mark.clause("TABLE-REPORT-1")
def test_at_a_table_the_dice_wait_for_a_report_and_elsewhere_nobody_may_report(
    house: MatchService, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = opened(house, dice="table")
    bomber = playing(house, match, "bomb")
    house.make_move(MoveRequest(match, Seat(bomber), Play("bomb"), key="bomb"))
    others = [seat for seat in range(3) if seat != bomber]
    for seat in others:
        house.make_move(MoveRequest(match, Seat(seat), Suffer(), key=f"s{seat}"))
    assert seats_that_must_act(house.load_match(match).match.state) == {CHANCE}
    first = house.make_move(MoveRequest(match, CHANCE, RollResult((3,)), key="r", actor="reporter"))
    assert house.repository.load_entries(match)[-1].actor == "reporter"
    house.make_move(MoveRequest(match, CHANCE, RollResult((2,)), key="s", actor="reporter"))
    assert (
        house.make_move(MoveRequest(match, CHANCE, RollResult((3,)), key="r", actor="reporter")).version
        == first.version
    )

    monkeypatch.setattr(house.appender, "run_chance", lambda loaded: loaded)  # the desk dies before its draw
    other = house.open_match(
        commands.OpenMatch("toy", "standard", {}, {}, (SeatAssignment("table"),) * 2), "other"
    ).match.id
    house.execute_command(other, commands.StartMatch(), key="start", scope="host")
    assert seats_that_must_act(house.load_match(other).match.state) == {CHANCE}
    with pytest.raises(IllegalMove) as refused:
        house.make_move(MoveRequest(other, CHANCE, RollResult((3,)), key="r", actor="reporter"))
    assert refused.value.ruling.clauses == ("TABLE-REPORT-1",)


@pytest.mark.clause("TABLE-COURSE-1")
def test_going_back_is_an_entry_and_the_course_leaves_out_what_it_strikes(house: MatchService) -> None:
    match = opened(house)
    version = house.load_match(match).version
    house.make_move(MoveRequest(match, Seat(1), Cheer(), key="c1"))
    house.make_move(MoveRequest(match, Seat(2), Cheer(), key="c2"))
    assert house.load_match(match).match.state.cheers == 2
    loaded = house.load_match(match)
    house.appender.append_entry(  # what a remedy will write
        loaded, BYSTANDER, "table", commands.StartMatch(), (MatchRewound(version),), "host:back", b"x"
    )
    assert house.load_match(match).match.state.cheers == 0
    fresh = service(house.log)
    assert fresh.load_match(match).match == house.load_match(match).match
    house.make_move(MoveRequest(match, Seat(1), Cheer(), key="c3"))
    assert fresh.load_match(match).match.state.cheers == 1
    kept = [
        entry.version for entry in effective_entries([decode_entry(entry) for entry in house.log.read_entries(match)])
    ]
    assert kept == [*range(1, version + 1), version + 3, version + 4]


def test_a_write_that_is_asked_again_after_a_deadline_gets_its_answer_and_the_clock_its_entry(
    house: MatchService,
) -> None:
    """The key that is looked up with the match is the caller's: it says nothing of what the clock has asked."""
    match = opened(house)
    bomber = playing(house, match, "bomb")
    house.make_move(MoveRequest(match, Seat(bomber), Play("bomb"), key="bomb"))
    answering = min(seat for seat in seats_that_must_act(house.load_match(match).match.state) if seat >= 0)
    first = house.make_move(MoveRequest(match, Seat(answering), Suffer(), key="k"))
    assert first.entry == first.version
    house.log.advance_clock(1001)
    again = house.make_move(MoveRequest(match, Seat(answering), Suffer(), key="k"))
    assert (again.replayed, again.entry, again.receipt) == (True, first.entry, first.receipt)
    assert house.repository.load_entries(match, first.entry)[0].seat == CLOCK
    assert house.execute_command(match, end_agreed_by_all("abandoned"), key="e", scope="host").replayed is False


def test_a_deadline_of_a_match_that_has_ended_means_nothing(house: MatchService) -> None:
    match = opened(house)
    bomber = playing(house, match, "bomb")
    house.make_move(MoveRequest(match, Seat(bomber), Play("bomb"), key="bomb"))
    house.execute_command(match, end_agreed_by_all("abandoned"), key="e", scope="host")
    house.log.advance_clock(5000)
    assert house.load_match(match).match.status == "abandoned"
    assert house.log.find_next_deadline() is None


def test_a_setting_out_of_range_is_refused_in_words(house: MatchService) -> None:
    for settings, words in (({"limit": 99}, "a whole number from 1 to 9"), ({"hue": 1}, "no such setting")):
        with pytest.raises(MalformedInput) as malformed:
            house.open_match(
                commands.OpenMatch("toy", "standard", settings, {}, (SeatAssignment("table"),) * 2), f"k{words}"
            )
        assert words in malformed.value.errors[0]["detail"]
    with pytest.raises(MalformedInput) as malformed:
        house.open_match(commands.OpenMatch("toy", "standard", {}, {}, (SeatAssignment("table"),) * 9), "many")
    assert malformed.value.errors == [{"pointer": "/seats", "detail": "the game has 2 to 4 seats"}]
