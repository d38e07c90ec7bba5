"""Takebacks: at once within the four rules, by consent beyond them; nothing blocked, nothing erased."""

from __future__ import annotations

import pytest

from referee.engine.chance import Shuffle
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER, CHANCE, FULL_VIEWER
from referee.engine.steps import StepPushed
from referee.games import load_games
from referee.match.aggregate import MatchRewound, SeatAssignment
from referee.match.entries import LogEntry
from referee.match.errors import IdempotencyKeyConflict, VersionConflict
from referee.match.events.takeback_events import TakebackGranted, TakebackRefused
from referee.match.table import commands
from referee.service.match_service import MatchService
from tests.arbitration.takebacks import AT_ONCE, GAMES, Room, at_once, breaking, reached, room
from tests.service.house import end_agreed_by_all, service


def refused(call: object, *args: object, **more: object) -> tuple[str, tuple[str, ...]]:
    with pytest.raises(IllegalMove) as caught:
        call(*args, **more)  # type: ignore[operator]
    return caught.value.ruling.reason, caught.value.ruling.clauses


def state_at(here: Room, version: int) -> object:
    return here.house.load_version(here.match, version).match.state


def entry(here: Room, version: int) -> LogEntry:
    return here.house.repository.load_entries(here.match, version - 1, version)[0]


@pytest.mark.clause("TABLE-TAKEBACK-1")
@pytest.mark.parametrize("game", AT_ONCE)
def test_within_the_rules_play_goes_back_at_once_in_every_game(house: MatchService, game: str) -> None:
    here, to, seat = reached(house, game, at_once)
    before, length = state_at(here, to), here.version
    done = here.take_back(seat, to)
    assert done.version == done.entry == length + 1, "one entry, and nothing that follows it"
    assert here.now.state == before
    assert here.taken().stage == "granted"
    assert here.taken().waives == ()
    assert "TABLE-TAKEBACK-1" in entry(here, done.entry).clauses
    fresh = service(house.log)  # another process, which folds the log from its beginning
    assert fresh.load_match(here.match).match == here.now
    assert state_at(here, length) != before, "what was undone stays readable"
    here.play()
    assert here.now.takebacks[-1].stage == "granted"


@pytest.mark.clause("TABLE-TAKEBACK-2", "TABLE-COURSE-1")
@pytest.mark.parametrize("game", GAMES)
def test_beyond_the_rules_play_goes_back_once_all_others_consent_in_every_game(house: MatchService, game: str) -> None:
    here, to, seat = reached(house, game, breaking("revealed"), kinds=("human",) * min(3, load_games()[game].max_seats))
    before, length, crossing = state_at(here, to), here.version, here.crossing(to, seat)
    asked = here.take_back(seat, to)
    assert here.taken().stage == "asked"
    assert here.taken().waives == crossing.rules
    assert here.now.state == state_at(here, length), "asking changes nothing"
    others = [other for other in range(len(here.now.chairs)) if other != seat]
    for other in others:
        assert here.taken().stage == "asked"
        done = here.consent(asked.entry, other)
    assert here.taken().stage == "granted"
    assert sorted(here.taken().by) == others
    events = entry(here, done.entry).events
    assert [event.to for event in events if isinstance(event, MatchRewound)] == [to]
    shuffled = {
        event.step.where for event in events if isinstance(event, StepPushed) and isinstance(event.step, Shuffle)
    }
    assert shuffled <= set(crossing.piles)
    after = here.now.state
    assert after is not None
    assert before is not None
    assert after.agenda == before.agenda, "asked again is what was asked then"  # type: ignore[attr-defined]
    assert after.view_for(BYSTANDER) == before.view_for(BYSTANDER)  # type: ignore[attr-defined]
    assert service(house.log).load_match(here.match).match == here.now


@pytest.mark.clause("TABLE-TAKEBACK-2", "TABLE-REMEDY-3")
@pytest.mark.parametrize("game", ["monster_combat", "here_to_slay", "munchkin"])
def test_a_pile_from_which_cards_became_known_is_shuffled_again(house: MatchService, game: str) -> None:
    here, to, seat = reached(house, game, lambda crossing: bool(crossing.piles))
    (pile, *_), before = here.crossing(to, seat).piles, state_at(here, to)
    asked = here.take_back(seat, to)
    others = [other for other in range(len(here.now.chairs)) if other != seat]
    for other in others:
        done = here.consent(asked.entry, other)
    chance = house.repository.load_entries(here.match, done.entry, done.version)
    assert chance, "the ordinary chance step follows by itself"
    assert {each.seat for each in chance} == {CHANCE}
    order = here.now.state.cards_at(pile)  # type: ignore[union-attr]
    assert sorted(order) == sorted(before.cards_at(pile))  # type: ignore[attr-defined]
    assert order != before.cards_at(pile)  # type: ignore[attr-defined]
    assert "TABLE-REMEDY-3" in entry(here, done.entry).clauses
    for viewer in range(len(here.now.chairs)):
        seen = [event.view_for(viewer) for each in chance for event in each.events]
        assert not any(card in repr(seen) for card in order), "and nobody sees the new order"


@pytest.mark.clause("TABLE-TAKEBACK-2")
def test_one_no_ends_a_request_and_play_stands(house: MatchService) -> None:
    here, to, seat = reached(house, "munchkin", breaking("revealed"))
    stands = here.now.state
    asked = here.take_back(seat, to)
    first, second = (other for other in range(3) if other != seat)
    here.consent(asked.entry, first)
    done = here.consent(asked.entry, second, grant=False)
    assert here.now.state == stands
    assert (here.taken().stage, here.taken().against, here.taken().by) == ("refused", second, (first,))
    assert entry(here, done.entry).events == (TakebackRefused(asked.entry, second),)
    assert refused(here.consent, asked.entry, second) == ("takeback_closed", ("TABLE-TAKEBACK-2",))


def test_whoever_asks_or_has_spoken_or_is_no_person_has_no_say(house: MatchService) -> None:
    here, to, seat = asked_by_people(house, ("human", "human", "human", "bot"))
    asked = here.take_back(seat, to)
    others = [other for other in range(3) if other != seat]
    here.consent(asked.entry, others[0])
    for nobody in (seat, others[0], 3):
        assert refused(here.consent, asked.entry, nobody) == ("no_say_in_takeback", ("TABLE-TAKEBACK-2",))
    assert refused(here.take_back, 3, to)[0] == "no_say_in_takeback"
    assert refused(here.consent, 1, others[1]) == ("no_such_takeback", ("TABLE-TAKEBACK-1",))


def test_for_a_seat_without_a_phone_the_host_may_ask_and_it_is_not_asked(house: MatchService) -> None:
    here, to, seat = reached(house, "munchkin", breaking("revealed"), kinds=("table",) * 3)
    here.take_back(seat, to)
    assert here.taken().stage == "granted"


def asked_by_people(house: MatchService, kinds: tuple[str, ...]) -> tuple[Room, int, int]:
    """A match in which a person has moved last, and cannot take it back at once."""
    for seed in range(20):
        here = room(house, "munchkin", f"people{seed}", kinds=kinds)
        for _ in range(40):
            to, seat = here.play()
            if kinds[seat] == "human" and here.now.status == "running" and here.crossing(to, seat).rules:
                return here, to, seat
    raise AssertionError("no such course")


@pytest.mark.clause("TABLE-TAKEBACK-2")
def test_where_only_bots_sit_there_is_nobody_to_ask_and_the_rules_waived_are_named(house: MatchService) -> None:
    here = room(house, "monster_combat", "bots", kinds=("human", "bot"))
    while not any(each.seat == 0 for each in house.repository.load_entries(here.match)):
        here.play()
    to = next(each.version for each in house.repository.load_entries(here.match) if each.seat == 0) - 1
    for _ in range(4):
        here.play()
    rules = here.crossing(to, 0).rules
    assert "others" in rules
    here.take_back(0, to)
    assert (here.taken().stage, here.taken().waives, here.taken().by) == ("granted", rules, ())


@pytest.mark.clause("TABLE-TAKEBACK-3")
@pytest.mark.parametrize("game", GAMES)
def test_a_request_blocks_nobody_and_is_overtaken_when_play_goes_on(house: MatchService, game: str) -> None:
    here, to, seat = reached(house, game, breaking("revealed", "turn"))
    asked = here.take_back(seat, to)
    here.play()
    assert here.now.takebacks[0].stage == "overtaken"
    other = next(other for other in range(len(here.now.chairs)) if other != seat)
    assert refused(here.consent, asked.entry, other) == ("takeback_overtaken", ("TABLE-TAKEBACK-3",))
    assert service(house.log).load_match(here.match).match == here.now


def test_a_request_stays_overtaken_when_what_overtook_it_is_taken_back(house: MatchService) -> None:
    for seed in range(40):
        here = room(house, "creature_crush", f"twice{seed}")
        for _ in range(40):
            to, seat = here.play()
            if here.now.status == "running" and "revealed" in here.crossing(to, seat).rules:
                break
        here.take_back(seat, to)
        to, seat = here.play()
        if here.crossing(to, seat).rules == ():
            here.take_back(seat, to)
            assert [each.stage for each in here.now.takebacks] == ["overtaken", "granted"]
            return
    raise AssertionError("no such course")


@pytest.mark.clause("TABLE-TAKEBACK-4")
def test_after_two_refusals_a_seat_may_bar_further_requests_but_none_within_the_rules(house: MatchService) -> None:
    here, to, seat = reached(house, "munchkin", breaking("revealed"))
    other = next(other for other in range(3) if other != seat)
    asked = here.take_back(seat, to)
    too_early = refused(here.consent, asked.entry, other, grant=False, bar=True)
    assert too_early == ("takeback_not_to_be_barred", ("TABLE-TAKEBACK-4",))
    here.consent(asked.entry, other, grant=False)
    asked = here.take_back(seat, to)
    here.consent(asked.entry, other, grant=False, bar=True)
    assert [(bar.seat, bar.asker) for bar in here.now.bars] == [(other, seat)]
    length = here.version
    assert refused(here.take_back, seat, to) == ("takeback_barred", ("TABLE-TAKEBACK-4",))
    assert here.version == length
    for _ in range(200):
        to, mover = here.play()
        if mover == seat and here.crossing(to, mover).rules == ():
            break
    here.take_back(seat, to)
    assert here.taken().stage == "granted"


def test_nothing_is_taken_back_across_the_start_after_the_end_or_where_the_seat_has_not_moved(
    house: MatchService,
) -> None:
    here = room(house, "monster_combat", "edges")
    nothing = ("nothing_to_take_back", ("TABLE-TAKEBACK-1",))
    start = here.version
    assert refused(here.take_back, 0, start) == nothing
    to, seat = here.play()
    assert refused(here.take_back, 1 - seat, to) == nothing
    assert refused(here.take_back, seat, here.version) == nothing
    assert refused(here.take_back, seat, here.version + 5) == nothing
    began = next(
        each.version for each in house.repository.load_entries(here.match) if each.move == commands.StartMatch()
    )
    assert refused(here.take_back, seat, began - 1) == nothing
    house.execute_command(here.match, end_agreed_by_all("agreed"), key="end", scope="host")
    assert refused(here.take_back, seat, to) == nothing


def test_before_the_start_there_is_nothing_to_go_back_to(house: MatchService) -> None:
    ask = commands.OpenMatch("monster_combat", "V1", {}, {}, (SeatAssignment("human"),) * 2)
    match = house.open_match(ask, "still-in-the-lobby").match.id
    house.execute_command(match, commands.TakeSeat(0), key="take0", scope="join")
    here = Room(house, match, None)  # type: ignore[arg-type]
    assert refused(here.take_back, 0, 1)[0] == "not_running"


def test_what_was_undone_cannot_be_gone_back_to(house: MatchService) -> None:
    here, to, seat = reached(house, "creature_crush", at_once)
    undone = here.version
    here.take_back(seat, to)
    for _ in range(60):
        here.play()
        if any(each.seat == seat and each.version > undone for each in house.repository.load_entries(here.match)):
            break
    assert refused(here.take_back, seat, undone) == ("nothing_to_take_back", ("TABLE-TAKEBACK-1",))


def test_the_same_request_twice_is_one_entry_and_an_old_version_is_told(house: MatchService) -> None:
    here, to, seat = reached(house, "creature_crush", at_once)
    length = here.version
    first = here.take_back(seat, to, key="twice", strict=length)
    again = here.take_back(seat, to, key="twice", strict=length)
    assert again.replayed
    assert (again.entry, again.version, again.receipt) == (first.entry, first.version, first.receipt)
    assert here.version == length + 1
    with pytest.raises(IdempotencyKeyConflict):
        here.take_back(seat, to - 1, key="twice")
    with pytest.raises(VersionConflict):
        here.take_back(seat, to, strict=length)


def test_who_is_killed_before_the_entry_is_written_has_done_nothing_and_after_it_all(house: MatchService) -> None:
    here, to, seat = reached(house, "here_to_slay", lambda crossing: bool(crossing.piles))
    asked = here.take_back(seat, to)
    others = [other for other in range(len(here.now.chairs)) if other != seat]
    for other in others[:-1]:
        here.consent(asked.entry, other)
    stands, append = here.now, house.log.append

    def dies(commit: object) -> object:
        raise SystemExit

    house.log.append = dies  # type: ignore[method-assign,assignment]
    with pytest.raises(SystemExit):
        here.consent(asked.entry, others[-1])
    house.log.append = append  # type: ignore[method-assign]
    house = here.house = service(house.log)
    assert here.now == stands
    written: list[object] = []

    def dies_after(commit: object) -> object:
        if written:
            raise SystemExit
        written.append(commit)
        return append(commit)  # type: ignore[arg-type]

    house.log.append = dies_after  # type: ignore[method-assign,assignment]
    here.keys = 900
    with pytest.raises(SystemExit):
        here.consent(asked.entry, others[-1])  # dies between the entry and the shuffling that follows it
    house.log.append = append  # type: ignore[method-assign]
    here.house = service(house.log)
    here.keys = 900
    done = here.consent(asked.entry, others[-1])
    assert done.replayed
    here.house.recover_match(here.match)
    granted = [
        event
        for each in here.house.repository.load_entries(here.match)
        for event in each.events
        if type(event) is TakebackGranted
    ]
    assert len(granted) == 1
    assert here.now.state.view_for(BYSTANDER).agenda == state_at(here, to).agenda  # type: ignore[union-attr,attr-defined]


def test_everybody_may_know_of_a_request_and_it_names_no_card(house: MatchService) -> None:
    here, to, seat = reached(house, "munchkin", breaking("revealed"))
    done = here.take_back(seat, to)
    logged = entry(here, done.entry)
    for viewer in (0, 1, 2, BYSTANDER):
        assert logged.view_for(viewer) == logged.view_for(FULL_VIEWER)
