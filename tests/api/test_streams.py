"""Streams: what each pair of eyes is told as it happens, once and in order, and what becomes of a stream in the end."""

from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from api.resources.streams import channel, routes
from referee.engine.events import Event
from referee.engine.seats import BYSTANDER
from referee.eventstore.contract import StoreUnavailable
from referee.match.aggregate import MatchRewound
from referee.match.table import commands
from referee.queries import views
from tests.api import house
from tests.api.house import Person, Table, problem, seen_as
from tests.api.streaming import Told, ended, entries, moved, open_stream, quick
from tests.api.test_leaks import changed, legal, view, world
from tests.api.test_playing import page_through


@pytest.fixture
def app() -> Flask:
    return quick(house.app())


# -- what is told -----------------------------------------------------------------------------------------------------


def test_each_pair_of_eyes_is_told_what_it_could_read_and_nothing_else(app: Flask) -> None:
    table = house.opened(app, visibility="public")
    pairs = [(table.anyone, None), *((seat, n) for n, seat in enumerate(table.seats))]
    for person, viewer in pairs:
        with open_stream(person, table.path, viewer) as stream:
            before: Any = person.get(seen_as(f"{table.path}/view", viewer)).json
            snapshot, presence, *more = stream.now()
            assert (snapshot.kind, snapshot.id, snapshot.data) == ("snapshot", before["version"], before)
            assert (presence.kind, presence.id) == ("presence", None)
            assert not more
            for _ in range(4):
                last = moved(table)
            shown = entries(stream.until(last))
            assert shown == page_through(person, seen_as(f"{table.path}/entries", viewer))[before["version"] :]
            assert [entry["version"] for entry in shown] == list(range(before["version"] + 1, last + 1))
    ended(table)
    with open_stream(table.seats[0], table.path, "full", after=0) as stream:
        assert entries(stream.now()) == page_through(table.seats[0], f"{table.path}/entries?viewer=full")


def test_it_streams_from_the_lobby_on(app: Flask) -> None:
    table = house.opened(app, visibility="public", start=False)
    with open_stream(table.anyone, table.path) as stream:
        (snapshot, _) = stream.now()
        assert (snapshot.id, snapshot.data["status"], snapshot.data["table"]) == (3, "lobby", None)
        started: Any = table.host.post(f"{table.path}/start", If_Match='"v3"').json
        shown = entries(stream.until(started["version"]))
        assert shown[0] == started["entry"]
        assert shown[1:] == started["followed"]


@pytest.mark.parametrize(("kept", "batch"), [(channel.KEPT, channel.BATCH), (4, 3), (1, 1)])
def test_a_stream_that_is_resumed_anywhere_skips_nothing_and_repeats_nothing(
    app: Flask, monkeypatch: pytest.MonkeyPatch, kept: int, batch: int
) -> None:
    monkeypatch.setattr(channel, "KEPT", kept)
    monkeypatch.setattr(channel, "BATCH", batch)
    table, dice = house.opened(app, visibility="public"), random.Random(4)
    while (last := moved(table, dice)) < 30:
        pass
    all_of_it = page_through(table.seats[0], f"{table.path}/entries?viewer=seat:0")
    with open_stream(table.seats[0], table.path, 0, after=last):  # others share what this one follows
        for after in (*range(0, last, 5), last - 1, last):
            with open_stream(table.seats[0], table.path, 0, after=after) as stream:
                told = stream.now()
                assert [each.kind for each in told if each.kind != "presence"] == ["entry"] * (last - after)
                assert entries(told) == all_of_it[after:]


def test_streams_that_break_off_all_the_time_are_told_everything_once(app: Flask) -> None:
    table, moves = house.opened(app, visibility="public", seats=5), 40
    start, goal, got = table.version, [10**9], {}

    def follow(number: int) -> None:
        person = Person(app.test_client(), table.seats[number].token if number < 2 else None)
        viewer, dice = number if number < 2 else None, random.Random(number)
        told: list[int] = []
        while not told or told[-1] < goal[0]:
            with open_stream(person, table.path, viewer, after=told[-1] if told else start) as stream:
                for batch, some in enumerate(stream.batches()):
                    told += [each.id for each in some if each.kind == "entry" and each.id is not None]
                    if (told and told[-1] >= goal[0]) or batch > dice.randrange(4):
                        break
        got[number] = told

    threads = [threading.Thread(target=follow, args=(number,)) for number in range(5)]
    for thread in threads:
        thread.start()
    dice = random.Random(7)
    for _ in range(moves):
        if not table.awaited:  # the match is over
            break
        moved(table, dice)
    goal[0] = last = table.version
    assert last > start + 10
    for thread in threads:
        thread.join(120)
    assert got == {number: list(range(start + 1, last + 1)) for number in range(5)}


def test_a_takeback_is_an_entry_like_any_other(app: Flask) -> None:
    table = house.opened(app, visibility="public")
    back = moved(table)
    with open_stream(table.anyone, table.path) as stream:
        stream.now()
        last = moved(table)
        rewind(app, table.match, back)
        told = stream.until(last + 1)
        shown = entries(told)
        assert (told[-1].kind, told[-1].id) == ("snapshot", last + 1), "nobody has to fold backwards"
        assert told[-1].data["table"] == table.anyone.get(f"{table.path}/view?version={back}").json["table"]  # type: ignore[index]
        assert shown == page_through(table.anyone, f"{table.path}/entries")[back:]
        assert shown[-1]["events"][0]["type"] == "table.Rewound"
    with open_stream(table.anyone, table.path, after=back) as stream:
        assert entries(stream.now()) == shown
    for after, again in ((last + 1, True), (last, False)):  # the line may have been cut between the two
        with open_stream(table.anyone, table.path, after=after) as stream:
            assert (stream.now()[0].kind == "snapshot") is again
    page: Any = table.anyone.get(f"{table.path}/entries?after={back}&type=table.Rewound").json
    assert page["snapshot"] == table.anyone.get(f"{table.path}/view").json
    assert [len(each["events"]) for each in page["items"]] == [0] * (last - back) + [1]
    page = table.anyone.get(f"{table.path}/entries?upto={last}").json
    assert page["snapshot"] is None


def rewind(app: Flask, match: str, to: int) -> None:
    """Takes the match back, as the desk will once a table asks for it."""
    service = app.config["SERVICE"]
    events: tuple[Event, ...] = (MatchRewound(to),)
    service.appender.append_entry(
        service.load_match(match), BYSTANDER, "table", commands.StartMatch(), events, f"host:back{to}", b"x"
    )


@pytest.mark.parametrize("given", ["x", "-1", "1.0", "²", "9" * 11, "1 2", '"3"'])
def test_an_id_that_is_no_version_is_refused(table: Table, given: str) -> None:
    answer = table.seats[0].client.get(
        f"{table.path}/stream?viewer=seat:0",
        headers={"Last-Event-ID": given.encode().decode("latin-1"), "Authorization": f"Bearer {table.seats[0].token}"},
    )
    problem(answer, 400, "header-malformed")


def test_an_id_that_was_never_given_begins_anew(app: Flask) -> None:
    table = house.opened(app)
    before = table.version
    with open_stream(table.seats[0], table.path, 0, after=before + 7) as stream:
        snapshot, presence = stream.now()
        assert (snapshot.kind, snapshot.id, presence.kind) == ("snapshot", before, "presence")
        last = moved(table)
        assert [entry["version"] for entry in entries(stream.until(last))] == list(range(before + 1, last + 1))


# -- onlookers who come late ------------------------------------------------------------------------------------------


def test_onlookers_are_never_told_more_than_the_delay_lets_them_see(app: Flask) -> None:
    table, delay = house.opened(app, visibility="public", spectator_delay=3), 3
    with open_stream(table.anyone, table.path) as late, open_stream(table.seats[0], table.path, 0) as own:
        told = late.now()
        own.now()
        assert told[0].id == table.version - delay
        for _ in range(5):
            last = moved(table)
            assert entries(own.until(last))[-1]["version"] == last
            about: Any = table.anyone.get(table.path)
            assert about.json["version"] == last - delay
            assert about.headers["ETag"] == f'"v{last - delay}"'
            assert about.json["awaits"] == views.awaited_response(
                app.config["SERVICE"].load_version(table.match, last - delay).match
            )
            for person in (table.host, table.seats[1]):
                assert person.get(table.path).json["version"] == last  # type: ignore[index]
            told += late.now()
            assert [each.id for each in told if each.id] == list(range(told[0].id, last - delay + 1))
        assert {each.kind for each in told} == {"snapshot", "entry"}, "who comes and goes would be told in time"
        ended(table)
        told += late.rest()
        assert [each.id for each in told if each.id] == list(range(told[0].id, table.version + 1))
        assert told[-1] == Told("end", None, {"version": table.version, "status": "abandoned"})
    assert table.anyone.get(table.path).json["version"] == table.version  # type: ignore[index]


def test_who_was_ahead_of_the_delay_is_told_the_next_entry_and_none_again(app: Flask) -> None:
    table = house.opened(app, visibility="public", spectator_delay=3, start=False)
    with open_stream(table.anyone, table.path) as stream:
        seen = stream.now()[0].id
        assert seen == 3
    table.host.post(f"{table.path}/start", If_Match='"v3"')
    assert table.anyone.get(f"{table.path}/view").json["version"] < table.version  # type: ignore[index]
    with open_stream(table.anyone, table.path, after=table.version) as stream:  # whether it was seen, nobody can tell
        before = table.version
        assert stream.now() == []
        while (last := moved(table)) < before + 4:
            pass
        assert [entry["version"] for entry in entries(stream.until(last - 3))] == list(range(before + 1, last - 2))


def test_an_id_beyond_all_that_ever_was_gets_how_it_ended(app: Flask) -> None:
    table = house.opened(app, visibility="public", spectator_delay=3)
    with open_stream(table.anyone, table.path, after=table.version + 50) as stream:
        for _ in range(3):
            moved(table)
        assert stream.now() == [], "an answer would tell how far the match really is"
        ended(table)
        snapshot, end = stream.rest()
        assert (snapshot.kind, snapshot.id, snapshot.data["status"]) == ("snapshot", table.version, "abandoned")
        assert snapshot.data == table.anyone.get(f"{table.path}/view").json
        assert end.kind == "end"


@pytest.mark.parametrize("ahead", [0, 1, 2, 3])
def test_who_goes_on_beyond_what_is_visible_gets_the_rest_when_the_match_ends(app: Flask, ahead: int) -> None:
    table = house.opened(app, visibility="public", spectator_delay=3)
    moved(table)
    after = table.version - 3 + ahead
    with open_stream(table.anyone, table.path, after=after) as stream:
        assert stream.now() == []
        ended(table)
        told = stream.rest()
        assert [each["version"] for each in entries(told)] == list(range(after + 1, table.version + 1))
        assert told[-1].kind == "end"


# -- the end ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [None, 0, "full"])
def test_after_the_last_entry_comes_the_end_and_then_no_more(app: Flask, viewer: int | str | None) -> None:
    table = house.opened(app, visibility="public")
    person = table.anyone if viewer is None else table.seats[0]
    if viewer != "full":
        with open_stream(person, table.path, viewer) as stream:
            stream.now()
            last = moved(table)
            ended(table)
            told = stream.rest()
        assert [each["version"] for each in entries(told)] == list(range(told[0].id, table.version + 1))
        assert told[0].id <= last
        assert told[-1] == Told("end", None, {"version": table.version, "status": "abandoned"})
    else:
        ended(table)
    with open_stream(person, table.path, viewer) as stream_again:
        told = stream_again.rest()
        assert [each.kind for each in told if each.kind != "presence"] == ["snapshot", "end"]
        assert told[0].id == table.version
    with open_stream(person, table.path, viewer, after=2) as behind:
        told = behind.rest()
        assert [each["version"] for each in entries(told)] == list(range(3, table.version + 1))
        assert told[-1].kind == "end"
    answer = person.get(seen_as(f"{table.path}/stream", viewer), Last_Event_ID=str(table.version))
    assert (answer.status_code, answer.data) == (204, b"")
    assert app.config["CHANGE_FEED"].held_slots == 0
    problem(Person(app.test_client()).get(f"{table.path}/stream?viewer=seat:0", Last_Event_ID="5"), 401, "unauthorized")


def test_the_end_follows_the_last_entry_at_once_and_not_a_heartbeat_later(app: Flask) -> None:
    app.config["CHANGE_FEED"].beat = 30.0
    table = house.opened(app, visibility="public")
    with open_stream(table.anyone, table.path, after=table.version) as stream:
        ended(table)
        began = time.monotonic()
        assert stream.rest()[-1].kind == "end"
        assert time.monotonic() - began < 15


@pytest.mark.parametrize("game", ["monster_combat", "shy_monsters"])
def test_a_match_that_the_rules_end_ends_its_streams(app: Flask, game: str) -> None:
    table, dice = house.opened(app, game, visibility="public"), random.Random(3)
    with open_stream(table.anyone, table.path, after=table.version) as stream:
        while table.awaited:
            moved(table, dice)
        told = stream.rest()
    assert told[-1] == Told("end", None, {"version": table.version, "status": "finished"})
    assert entries(told)[-1]["version"] == table.version


# -- who may go on listening ------------------------------------------------------------------------------------------


def test_a_stream_ends_with_the_right_to_it(app: Flask) -> None:
    table = house.opened(app, visibility="public")
    with (
        open_stream(table.seats[0], table.path, 0) as own,
        open_stream(table.seats[1], table.path, 1) as other,
    ):
        own.now()
        other.now()
        assert table.seats[0].delete(f"{table.path}/seats/0/player").status_code == 204
        assert own.rest() == [], "not even that the seat is free: these eyes could not read it"
        assert entries(other.until(table.version))[-1]["events"][0]["type"] == "table.SeatLeft"
    problem(table.seats[0].get(f"{table.path}/stream?viewer=seat:0"), 401, "unauthorized")
    assert app.config["CHANGE_FEED"].held_slots == 0


def test_a_match_that_becomes_private_is_told_to_nobody_outside(app: Flask) -> None:
    table = house.opened(app, visibility="public", start=False)
    with open_stream(table.anyone, table.path) as outside, open_stream(table.seats[0], table.path) as inside:
        outside.now()
        inside.now()
        changed_to = table.host.patch(table.path, {"visibility": "private"}, If_Match='"v3"')
        assert changed_to.status_code == 200
        assert entries(inside.until(4))
        assert outside.rest() == []
    problem(table.anyone.get(f"{table.path}/stream"), 404, "unknown-match")


ROOT = re.compile(b'"root":"[0-9a-f]{64}"')


@pytest.mark.parametrize("query", ["", "?send=both"])
def test_what_is_hidden_changes_no_byte_of_a_stream(monkeypatch: pytest.MonkeyPatch, query: str) -> None:
    monkeypatch.setattr(routes.secrets, "token_hex", lambda _: "the-same-visit")
    compared = 0
    for moves in range(2, 30, 3):
        both, tables = [], []
        for other in (False, True):
            house.COUNTERS[0] = iter(range(10**6))
            app, table = world("monster_combat", "V1", moves, seed=moves, seats=4)
            quick(app)
            mover = table.awaited[0]
            if other:
                changed(app, table, (mover + 3) % 4, seed=moves)
            tables.append(table)
        move = next((move for move in legal(tables[0], mover) if move in legal(tables[1], mover)), None)
        if move is None:
            continue
        watcher = (mover + 3) % 4
        for table in tables:
            response = table.seats[watcher].get(seen_as(f"{table.path}/stream{query}", watcher), X_Request_Id="same")
            chunks: Iterator[bytes] = iter(response.response)  # type: ignore[assignment]
            said = next(chunks) + next(chunks)
            done = table.move(mover, move, **{"Idempotency-Key": f"a-key-for-this-{moves}"})
            last = done.json["version"]  # type: ignore[index]
            while f"id: {last}\n".encode() not in said:
                said += next(chunks).replace(b":\n\n", b"")
            response.close()
            said = ROOT.sub(b"", said)  # it rests on the commitments to hidden parts, which are salted
            both.append((sorted(response.headers.items()), said))
        if view(tables[0], watcher).data == view(tables[1], watcher).data:  # else he has seen of it by right
            assert both[0] == both[1]
            compared += 1
        if compared == 3:
            return
    pytest.fail("too seldom did the watcher see the same")


# -- presence ---------------------------------------------------------------------------------------------------------


def test_presence_tells_which_seats_look_on_and_is_no_part_of_the_match(app: Flask) -> None:
    table = house.opened(app, visibility="public")
    version = table.version
    with open_stream(table.anyone, table.path) as looker:
        assert looker.now()[1:] == [Told("presence", None, {"seats": []})]
        with open_stream(table.seats[1], table.path, 1) as own:
            assert own.now()[1:] == [Told("presence", None, {"seats": [1]})]
            assert looker.now() == [Told("presence", None, {"seats": [1]})]
            with open_stream(table.seats[1], table.path, 1):
                assert looker.now() == [], "a second phone of the same seat"
            assert looker.now() == []
        assert looker.now() == [Told("presence", None, {"seats": []})]
    assert table.version == version


def test_a_visit_that_is_not_noted_again_runs_out(app: Flask) -> None:
    table, log = house.opened(app, visibility="public"), app.config["SERVICE"].log
    log.record_visit(table.match, 0, "a process that was killed", 30_000)
    with open_stream(table.seats[1], table.path, 1) as own:
        assert own.now()[1].data == {"seats": [0, 1]}
        log.advance_clock(30_000)
        alone, until = Told("presence", None, {"seats": [1]}), time.monotonic() + 30
        while alone not in own.now():
            assert time.monotonic() < until, "it is present for ever"


# -- how many, and for how long ---------------------------------------------------------------------------------------


def test_beyond_the_cap_streams_are_refused_and_long_polls_answered_at_once() -> None:
    app = quick(house.app(STREAMS=2))
    table, hub = house.opened(app, visibility="public"), app.config["CHANGE_FEED"]
    with open_stream(table.anyone, table.path) as first:
        with open_stream(table.anyone, table.path):
            full = table.anyone.get(f"{table.path}/stream")
            body = problem(full, 503, "streams-full")
            assert full.headers["Retry-After"] == str(body["seconds"]) == "5"
            assert body["limit"] == 2
            assert "2" in body["detail"]
            began = time.monotonic()
            poll = table.anyone.get(f"{table.path}/entries?after={table.version}", Prefer="wait=20")
            assert time.monotonic() - began < 15
            assert poll.json["items"] == []  # type: ignore[index]
            assert "Preference-Applied" not in poll.headers
        assert hub.held_slots == 1
        with open_stream(table.anyone, table.path) as again:
            assert again.now()[0].kind == "snapshot"
        assert first.now()
    for _ in range(5):
        table.anyone.ask("HEAD", f"{table.path}/stream").close()
        problem(table.anyone.get(f"{table.path}/stream?viewer=seat:0"), 401, "unauthorized")
        problem(table.seats[0].get(f"{table.path}/stream?viewer=full"), 409, "still-running")
    assert (hub.held_slots, hub._watches, hub._shared) == (0, {}, {})


def test_one_token_and_one_address_hold_their_share_and_no_more() -> None:
    app = quick(house.app(STREAMS=6, STREAMS_PER_TOKEN=2, STREAMS_PER_ADDRESS=4))
    table, hub = house.opened(app, visibility="public"), app.config["CHANGE_FEED"]
    path, elsewhere = f"{table.path}/stream", Person(app.test_client(), None)
    elsewhere.client.environ_base["REMOTE_ADDR"] = "10.0.0.7"
    opened = [table.seats[0].get(path) for _ in range(2)]
    refused = table.seats[0].get(path)
    body = problem(refused, 429, "streams-yours")
    assert (body["limit"], refused.headers["Retry-After"]) == (2, str(body["seconds"]))
    began = time.monotonic()
    poll = table.seats[0].get(f"{table.path}/entries?after={table.version}", Prefer="wait=20")
    assert (poll.json["items"], "Preference-Applied" in poll.headers) == ([], False)  # type: ignore[index]
    assert time.monotonic() - began < 15
    opened += [table.seats[1].get(path), table.anyone.get(path)]
    assert problem(table.anyone.get(path), 429, "streams-yours")["limit"] == 4
    assert problem(table.seats[1].get(path), 429, "streams-yours")["limit"] == 4
    opened += [elsewhere.get(path) for _ in range(2)]
    assert [answer.status_code for answer in opened] == [200] * 6
    assert problem(elsewhere.get(path), 503, "streams-full")["limit"] == 6
    assert (hub.held_slots, hub.count_held_slots("stream"), hub.count_held_slots("poll")) == (6, 6, 0)
    for answer in opened:
        answer.close()
        answer.close()
    assert (hub.held_slots, hub._held_by) == (0, {})


def test_when_the_server_stops_every_stream_and_every_wait_ends(app: Flask) -> None:
    table, polled = house.opened(app, visibility="public"), []
    hub = app.config["CHANGE_FEED"]
    hub.beat = 60

    def poll() -> None:
        path = f"{table.path}/entries?after={table.version}"
        polled.append(Person(app.test_client()).get(path, Prefer="wait=30").json)

    with open_stream(table.anyone, table.path) as stream:
        snapshot, presence = (next(stream.batches())[0] for _ in range(2))
        assert (snapshot.kind, presence.kind) == ("snapshot", "presence")
        waiting = threading.Thread(target=poll)
        waiting.start()
        while hub.held_slots < 2:
            time.sleep(0.01)
        threading.Timer(0.1, hub.close).start()
        began = time.monotonic()
        assert stream.rest() == []
        waiting.join(25)
        assert polled == [{"items": [], "next_cursor": None, "snapshot": None}]
        assert time.monotonic() - began < 20
    problem(table.anyone.get(f"{table.path}/stream"), 503, "streams-full")


def test_a_store_that_goes_away_ends_the_stream_and_gives_the_place_back(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, log = house.opened(app, visibility="public"), app.config["SERVICE"].log

    def away(*_: Any, **__: Any) -> Any:
        raise StoreUnavailable

    with open_stream(table.seats[0], table.path, 0) as stream:
        stream.now()
        with monkeypatch.context() as gone:
            gone.setattr(log, "read", away)
            gone.setattr(log, "record_visit", away)
            assert stream.rest() == []
            problem(table.anyone.get(f"{table.path}/stream"), 503, "store-away")
            stream.response.close()
    assert app.config["CHANGE_FEED"].held_slots == 0
