"""House rulings bind: a match is played on by the readings that they choose, and what rests on them says so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.arbitration.remedies.rejudging import rejudge_entries
from referee.arbitration.replay.divergence import is_game_entry
from referee.arbitration.replay.replay import find_first_divergence
from referee.engine.codec import encode
from referee.engine.referee import judge_candidates
from referee.engine.seats import BYSTANDER, Seat
from referee.match.aggregate import Match
from referee.match.entries import LogEntry, effective_entries, replay_entries
from referee.match.events.dispute_events import HistoryRestored, MoveRemade
from referee.match.house_readings import ReadingFollowed, apply_readings
from tests.api import house
from tests.api.house import problem
from tests.api.housing import Quarrel, bone_of_contention, quarrel

QUARRELS: list[tuple[str, str, int, dict[str, Any]]] = [
    ("monster_combat", "MC-AMB-8", 2, {}),
    ("mau_mau", "MM-AMB-9", 2, {}),
    ("here_to_slay", "HTS-AMB-45", 1, {"settings": {"unpayable_play": "forbid"}}),
    ("munchkin", "MK-13.3", 1, {"readings": {"MK-13.3": 2}}),
    ("creature_crush", "CC-AMB-11", 2, {"seats": 2}),
    ("here_to_slay", "HTS-AMB-32", 1, {"settings": {"good_items_at_home": True}}),  # a legal move does not cite it
]
PLAYED: dict[str, Any] = {"game": "monster_combat", "clause": "MC-AMB-8", "number": 2}


def entries(found: Quarrel) -> list[LogEntry]:
    return found.here.service.repository.load_entries(found.here.table.match)


def find_reading_in_force(found: Quarrel) -> int:
    """The number of the reading that holds now."""
    shown: Any = found.here.table.anyone.get(found.here.table.path).json
    return int(shown["readings"][found.clause])


@pytest.mark.clause("TABLE-HOUSE-1")
@pytest.mark.parametrize(("game", "clause", "number", "body"), QUARRELS, ids=lambda each: str(each))
def test_a_move_that_was_refused_goes_after_a_house_ruling(
    game: str, clause: str, number: int, body: dict[str, Any]
) -> None:
    found = quarrel(game, clause, number, **body)
    before = find_reading_in_force(found)
    assert before != number
    ruled = found.rules(found.disputes())
    assert ruled.status_code == 201, ruled.text
    told = [each for each in ruled.json["entry"]["events"] if each["type"] == "table.HouseReading"]
    assert [(each["clause"], each["number"]) for each in told] == [(clause, number)]
    assert "TABLE-HOUSE-1" in ruled.json["entry"]["clauses"]
    assert find_reading_in_force(found) == number
    listed = found.here.table.moves(found.seat)
    assert listed["cut"] or encode(found.move) in [each["move"] for each in listed["legal"]]
    made = found.tries()
    assert made.status_code == 201, made.text
    explained: Any = (
        found.here.table.seats[found.seat]
        .get(f"{found.here.table.path}/entries/{made.json['version']}/explanation?viewer=seat:{found.seat}")
        .json
    )
    named = [each["house_ruling"]["entry"] for each in explained["clauses"] if "house_ruling" in each]
    assert named == [ruled.json["version"]]
    assert f"So says the house ruling of entry {named[0]}." in explained["sentence"]["en"]
    assert f"So bestimmt es das Hausurteil aus Eintrag {named[0]}." in explained["sentence"]["de"]
    log = entries(found)
    assert find_first_divergence(log) is None
    assert replay_entries(Match(), effective_entries(log)) == found.match
    (kept,) = found.here.table.anyone.get(f"{found.here.table.path}/precedents").json["items"]  # type: ignore[index]
    assert kept["entry"] == ruled.json["version"]
    assert [(each["clause"], each["number"], each["holds"]) for each in kept["readings"]] == [(clause, number, True)]


@pytest.mark.clause("TABLE-HOUSE-1")
@pytest.mark.parametrize(
    ("game", "clause", "number", "cited"),
    [("here_to_slay", "HTS-AMB-45", 2, "HTS-AMB-45"), ("munchkin", "MK-13.3", 2, "MK-13.3-R2")],
)
def test_a_refusal_that_rests_on_a_house_ruling_names_it(game: str, clause: str, number: int, cited: str) -> None:
    found = bone_of_contention(game, clause, number)
    here = found.here
    made = found.tries()
    assert made.status_code == 201, made.text
    about = made.json["entry"]["version"]
    dispute = here.open((found.seat + 1) % here.seats, about, "illegal_move")["dispute"]
    ruled = found.rules(dispute, remedy="rewind")
    assert ruled.status_code == 201, ruled.text
    assert find_reading_in_force(found) == number
    refused = problem(found.tries(), 409, "illegal-move")
    notes = {each["id"]: each.get("house_ruling") for each in refused["ruling"]["clauses"]}
    assert notes[cited]["entry"] == ruled.json["version"]
    assert notes[cited]["says"] == {
        "en": f"house ruling of entry {ruled.json['version']}",
        "de": f"Hausurteil aus Eintrag {ruled.json['version']}",
    }
    assert [name for name in notes if notes[name]] == [cited]
    # the refusal may be disputed, and then the court names the house ruling too
    again = here.open(found.seat, here.table.version, "wrong_refusal", move=encode(found.move))
    (named,) = [each for each in again["rulings"][0]["clauses"] if each["id"] == cited]
    assert named["house_ruling"]["entry"] == ruled.json["version"]
    assert again["rulings"][0]["verdict"] == "stands"
    # what was played before is judged by the reading of its time
    old = here.read(dispute)
    assert all("house_ruling" not in each for each in old["rulings"][0]["clauses"])
    assert find_first_divergence(entries(found)) is None


@pytest.mark.clause("TABLE-HOUSE-1")
def test_an_entry_from_before_is_judged_by_the_reading_of_its_time() -> None:
    found = bone_of_contention("munchkin", "MK-13.3", 2)
    here = found.here
    about = found.tries().json["entry"]["version"]
    other = (found.seat + 1) % here.seats
    ruled = found.rules(here.open(other, about, "illegal_move")["dispute"])
    assert ruled.json["entry"]["events"][-1]["type"] == "table.HouseReading"
    again = here.open((found.seat + 2) % here.seats, about, "illegal_move")
    assert again["rulings"][0]["verdict"] == "stands"
    assert find_first_divergence(entries(found)) is None


@pytest.mark.clause("TABLE-HOUSE-1")
def test_a_house_ruling_outlasts_play_that_goes_back_behind_it() -> None:
    found = quarrel("mau_mau", "MM-AMB-9", 2)  # it is played on until somebody holds the card for it
    ruled = found.rules(found.disputes())
    here, last = found.here, ruled.json["version"]
    played = [each for each in entries(found) if each.move is not None and not each.move.TAG.startswith("table.")]
    made = [each for each in played if each.seat >= 0][-1]  # what the server draws cannot be disputed
    about = made.version
    claimant = next(seat for seat in range(here.seats) if seat != made.seat)
    back = here.ruled(here.open(claimant, about, "other")["dispute"], remedy="rewind")
    assert back.status_code == 201, back.text
    assert about < last < back.json["version"]
    assert find_reading_in_force(found) == found.number
    assert find_first_divergence(entries(found)) is None
    assert replay_entries(Match(), effective_entries(entries(found))) == found.match


@pytest.mark.clause("TABLE-HOUSE-1")
def test_what_is_judged_again_across_a_house_ruling_is_judged_by_the_readings_of_its_time() -> None:
    found = bone_of_contention("munchkin", "MK-13.3", 2)
    here = found.here
    about = found.tries().json["entry"]["version"]
    ruled = found.rules(here.open((found.seat + 1) % here.seats, about, "illegal_move")["dispute"])
    assert ruled.status_code == 201
    assert here.play(2) == 2
    first = next(each for each in reversed(entries(found)[: about - 1]) if is_game_entry(each))
    assert first.move is not None
    evidence = here.service.build_evidence(here.service.load_match(here.table.match))
    again = rejudge_entries(evidence, first.version - 1, (Seat(first.seat), first.move), first.version)
    switches = [event for event in again.events if isinstance(event, ReadingFollowed)]
    made = [event.entry for event in again.events if isinstance(event, MoveRemade)]
    assert switches == [ReadingFollowed(found.clause, 1), ReadingFollowed(found.clause, 2)]
    assert again.events[0] == switches[0]
    assert again.events.index(MoveRemade(about, found.seat)) < again.events.index(switches[1])
    assert (about in made, len(made) > 3, again.drops) == (True, True, ())
    assert again.after.state == found.match.state
    # the same moves by the reading that holds now: what it forbids ends what can be kept
    strict = replace(evidence, reinterpret=lambda match: apply_readings(match, found.readings))
    assert about in rejudge_entries(strict, first.version - 1, (Seat(first.seat), first.move), first.version).drops


@pytest.mark.clause("TABLE-HOUSE-1")
def test_undoing_the_ruling_undoes_the_reading_and_no_later_one() -> None:
    found = quarrel(**PLAYED)
    ruled = found.rules(found.disputes())
    log = entries(found)
    last = log[-1]
    undone = replace(
        last,
        version=last.version + 1,
        seat=int(BYSTANDER),
        actor="table",
        move=None,
        events=(HistoryRestored(ruled.json["version"]),),
    )
    after = replay_entries(Match(), effective_entries([*log, undone]))
    assert found.match.readings == {found.clause: found.number}
    assert (after.readings, after.precedents) == ({}, ())
    assert after.state is not None
    assert after.state.readings == {}
    assert after.disputes == found.match.disputes  # that it was ruled stays on record


@pytest.mark.clause("TABLE-HOUSE-1")
def test_what_no_house_ruling_can_order_is_refused_and_changes_nothing() -> None:
    found = quarrel(**PLAYED, seats=2)
    number = found.disputes()
    for body, pointer in (
        ({"keep": False}, "/readings"),
        ({"readings": {found.clause: 9}}, f"/readings/{found.clause}"),
        ({"readings": {"MC-AMB-9": 2}}, "/readings/MC-AMB-9"),
        ({"allows": "mc.no_such_move"}, "/allows"),
    ):
        wrong = problem(found.rules(number, **body), 422, "invalid-input")
        assert wrong["errors"][0]["pointer"] == pointer
    fixed = problem(found.rules(number, readings={"MC-AMB-3": 2}), 409, "reading-fixed")
    assert fixed["errors"][0]["pointer"] == "/readings/MC-AMB-3"
    assert find_reading_in_force(found) == 1


@pytest.mark.clause("TABLE-HOUSE-3")
def test_a_new_match_takes_over_the_readings_and_its_host_goes_first() -> None:
    found = quarrel(**PLAYED)
    ruled = found.rules(found.disputes())
    here = found.here
    heir = house.opened(here.app, "monster_combat", 2, precedents_of=here.table.match)
    shown: Any = heir.host.get(heir.path).json
    assert shown["readings"]["MC-AMB-8"] == 2
    first: Any = heir.host.get(f"{heir.path}/entries?limit=1").json
    assert "TABLE-HOUSE-3" in first["items"][0]["clauses"]
    (kept,) = heir.host.get(f"{heir.path}/precedents").json["items"]  # type: ignore[index]
    assert (kept["match"], kept["entry"]) == (here.table.match, ruled.json["version"])
    assert kept["readings"][0]["holds"]
    own = house.opened(here.app, "monster_combat", 2, precedents_of=here.table.match, readings={"MC-AMB-8": 1})
    assert own.host.get(own.path).json["readings"]["MC-AMB-8"] == 1  # type: ignore[index]
    (kept,) = own.host.get(f"{own.path}/precedents").json["items"]  # type: ignore[index]
    assert not kept["readings"][0]["holds"]


def in_words(found: Quarrel, **body: Any) -> Any:
    """The host keeps a ruling in words: the move counts, and so will others of its type."""
    number = found.disputes()
    said = {"readings": {}, "allows": found.move.TAG, "clauses": ["MK-13.3-R2"], **body}
    return found.rules(number, **said)


def records(found: Quarrel, entry: int, **body: Any) -> Any:
    """The host records the refused move as having happened, by the house ruling of an entry."""
    table = found.here.table
    said = {"seat": found.seat, "move": encode(found.move), "clauses": ["MK-13.3-R2"], "reason": "As we play it."}
    return table.host.post(f"{table.path}/deviations", {**said, "house_ruling": entry, **body}, If_Match="*")


HELP: dict[str, Any] = {"game": "munchkin", "clause": "MK-13.3", "number": 1, "readings": {"MK-13.3": 2}}


@pytest.mark.clause("TABLE-HOUSE-2")
def test_what_a_house_ruling_in_words_allows_is_recorded_without_asking_everybody() -> None:
    found = quarrel(**HELP)
    ruled = in_words(found)
    assert ruled.status_code == 201, ruled.text
    entry = ruled.json["version"]
    assert found.tries().status_code == 409  # the rules are what they were
    done = records(found, entry)
    assert done.status_code == 201, done.text
    assert (done.json["deviation"]["stage"], done.json["deviation"]["house_ruling"]) == ("recorded", entry)
    assert done.json["deviation"]["asks"] == []
    events = done.json["entry"]["events"]
    assert [each["type"] for each in events[:3]] == [
        "table.DeviationAsked", "table.Deviated", "table.HouseRulingFollowed",
    ]  # fmt: skip
    assert str(entry) in events[2]["told"]["en"]
    assert "TABLE-HOUSE-2" in done.json["entry"]["clauses"]
    explained: Any = found.here.table.host.get(
        f"{found.here.table.path}/entries/{done.json['entry']['version']}/explanation"
    ).json
    notes = {each["id"]: each.get("house_ruling") for each in explained["clauses"]}
    assert notes["TABLE-HOUSE-2"]["entry"] == entry
    assert f"house ruling of entry {entry} allows it" in explained["sentence"]["en"]
    assert f"Hausurteil aus Eintrag {entry} erlaubt es" in explained["sentence"]["de"]
    assert "is asked" not in explained["sentence"]["en"]
    assert find_first_divergence(entries(found)) is None


@pytest.mark.clause("TABLE-HOUSE-2", "TABLE-DEVIATION-2")
def test_a_host_who_plays_makes_no_other_seat_move_by_a_house_ruling() -> None:
    found = quarrel(**HELP, host_plays=True)
    arbiter, people = found.here.table.arbiter(), set(range(found.here.seats))
    said = {"readings": {}, "allows": found.move.TAG, "clauses": ["MK-13.3-R2"], "by": arbiter}
    entry = found.rules(found.disputes(), **said).json["version"]
    asked: Any = records(found, entry).json["deviation"]
    assert (asked["stage"], set(asked["asks"])) == ("asked", people)
    refused = found.here.table.seats[found.seat].post(
        f"{found.here.table.path}/deviations/{asked['deviation']}/consents", {"grant": False}
    )
    assert refused.json["deviation"]["stage"] == "refused"  # type: ignore[index]
    proxy = found.here.table.seats[found.seat].put(
        f"{found.here.table.path}/seats/{found.seat}/proxy", {"by": "host"}, If_Match="*"
    )
    assert proxy.status_code == 200, proxy.text
    assert records(found, entry).json["deviation"]["stage"] == "recorded"
    shown: Any = found.here.table.host.get(found.here.table.path).json
    assert shown["uncounted"] == []  # others were there, and the house ruling allows it


@pytest.mark.clause("TABLE-HOUSE-2")
def test_a_house_ruling_is_no_way_round_consent() -> None:
    found = quarrel(**HELP)
    entry = in_words(found).json["version"]
    before = found.match
    problem(records(found, entry - 1), 404, "no-such-house-ruling")
    by_hand = problem(records(found, entry, fix=[{"set": "/turn", "to": 0}]), 422, "invalid-input")
    assert by_hand["errors"][0]["pointer"] == "/fix"
    other = next(
        move for move, against in judge_candidates(before.state, Seat(found.seat))
        if against is not None and type(move) is not type(found.move)
    )  # fmt: skip
    problem(records(found, entry, move=encode(other)), 409, "not-covered")
    # of the same type, but against another rule than the house ruling cites
    foreign = {**encode(found.move), "treasures": 19}
    problem(records(found, entry, move=foreign), 409, "not-covered")
    assert found.match == before


@pytest.mark.clause("TABLE-HOUSE-2")
def test_a_house_ruling_for_a_seat_that_is_not_asked_says_what_is_possible() -> None:
    found = quarrel(**PLAYED)
    entry = in_words(found, clauses=["MC-AMB-8"]).json["version"]
    other = next(each for each in range(found.here.seats) if each != found.seat)
    wrong = problem(records(found, entry, seat=other, clauses=["MC-AMB-8"]), 409, "not-covered")
    assert wrong["errors"][0]["pointer"] == "/house_ruling"
    assert "Leave out `house_ruling` and say with `fix`" in wrong["detail"]
    table, body = found.here.table, {"move": encode(found.move), "clauses": ["MC-AMB-8"], "reason": "As we play it."}
    body |= {"seat": other, "fix": [{"turn": other}]}
    way = table.host.post(f"{table.path}/deviations", body, If_Match="*")
    assert way.status_code == 201, way.text


@pytest.mark.clause("TABLE-HOUSE-2")
def test_a_ruling_that_lets_nothing_count_allows_nothing() -> None:
    found = quarrel(**HELP)
    number = found.disputes()
    wrong = problem(found.rules(number, upheld=False, readings={}, allows=found.move.TAG), 422, "invalid-input")
    assert wrong["errors"][0]["pointer"] == "/allows"
    kept = found.rules(number, readings={}, clauses=["MK-13.3-R2"])  # it does not say which type of move it allows
    assert kept.status_code == 201, kept.text
    problem(records(found, kept.json["version"]), 409, "not-covered")
