"""For each game a dispute of each kind, over HTTP from opening to remedy; both courses stay readable."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.codec import encode
from referee.engine.events import Event
from referee.engine.referee import find_legal_moves, seats_that_must_act
from referee.engine.seats import CHANCE, Seat
from referee.match.game_moves import apply_all
from tests.api.disputing import GAMES, Court, court
from tests.bench.planted import breaking
from tests.games.declared import require_devices

pytestmark = pytest.mark.deep

ERRORS = {"illegal_move": "illegal_move", "missed_effect": "dropped", "wrong_count": "wrong_count"}


def planted(here: Court, kind: str) -> tuple[int, int]:
    """A mistake of this kind in the log, by a referee that is broken: its version, and whose move it was."""
    for _ in range(40):
        following = here.following()
        assert following is not None, "the match is over before anything could go wrong"
        seat, move = following
        found = breaking(here.service, here.table.match, seat, move, kind, here.dice) if seat >= 0 else None
        if found is None or not goes_on(here, found[1]):
            assert here.makes(seat, move).status_code == 201
            continue
        version = here.table.version
        made = here.makes(seat, found[0], found[1])
        assert made.status_code == 201, made.text
        return version + 1, int(seat)
    pytest.fail(f"nothing of the kind {kind} could be written wrong")


def goes_on(here: Court, events: tuple[Event, ...]) -> bool:
    """Whether somebody is asked something after these facts, so that the mistake may go unnoticed."""
    after = apply_all(here.service.load_match(here.table.match).match, events)
    state: Any = after.state
    return after.end is None and bool(state.agenda) and any(seat >= 0 for seat in seats_that_must_act(state))


def other(here: Court, seat: int) -> int:
    """A seat beside this one."""
    return (seat + 1) % here.seats


def both_courses_are_readable(here: Court, about: int, settled: dict[str, Any], before: dict[str, Any]) -> None:
    """What was superseded and what counts: by the timeline, the entries, and the table at each version."""
    version, anyone = here.table.version, here.table.anyone
    assert settled["stage"] == "ruled"
    assert settled["rulings"][-1]["remedy"] in ("partial_fix", "rewind")
    by = settled["rulings"][-1]["version"]
    timeline: Any = anyone.get(f"{here.table.path}/timeline").json
    assert timeline["version"] == version
    told = [at for each in timeline["stretches"] for at in range(each["from"], each["to"] + 1)]
    assert told == list(range(1, version + 1))
    gone = [each for each in timeline["stretches"] if each["superseded_by"] == by]
    assert gone
    assert all(each["dispute"] == settled["dispute"] for each in gone)
    back: Any = anyone.get(f"{here.table.path}/entries/{by}").json
    to = next(event["to"] for event in back["events"] if event["type"] == "table.Rewound")
    assert gone[0]["from"] == to + 1
    assert gone[-1]["to"] < by
    entries: Any = anyone.get(f"{here.table.path}/entries?after={to}&limit=200").json
    assert [entry["version"] for entry in entries["items"]] == list(range(to + 1, version + 1))
    then: Any = anyone.get(f"{here.table.path}/view?version={about}").json
    assert then == before  # the table as it was seen on the course that counts no more
    now: Any = anyone.get(f"{here.table.path}/view").json
    assert now["version"] == version
    about_it: Any = anyone.get(here.table.path).json
    assert about_it["disputes"] == []
    assert about_it["status"] != "disputed"
    assert about_it["status"] == "finished" or here.play(3) > 0


def dispute(here: Court, about: int, seat: int, claim: str, verdict: str, **more: Any) -> None:
    """A dispute from its opening to a remedy."""
    before: Any = here.table.anyone.get(f"{here.table.path}/view?version={about}").json
    opened = here.open(seat, about, claim, **more)
    assert opened["by"] == seat
    assert opened["rulings"][0]["court"] == "referee"
    assert opened["rulings"][0]["verdict"] == verdict, opened["rulings"]
    for ruling in opened["rulings"]:
        assert ruling["reason"]["en"]
        assert ruling["reason"]["de"]
        assert ruling["clauses"]
    for each in opened["remedies"]:
        assert each["why"]["en"]
        assert each["why"]["de"]
    assert opened["since"]["items"][0]["version"] == about + 1
    if claim != "wrong_refusal":
        assert opened["disputed"]["version"] == about
    both_courses_are_readable(here, about, here.settled(opened["dispute"]), before)


@pytest.mark.parametrize("game", GAMES)
def test_a_dispute_of_each_kind_goes_from_opening_to_remedy(game: str) -> None:
    here = court(game)
    here.play(3)
    for claim, kind in ERRORS.items():
        about, seat = planted(here, kind)
        dispute(here, about, other(here, seat), claim, "does_not_stand")
        here = here if here.going_on else court(game)

    following = here.following()
    assert following is not None
    seat, refused = int(following[0]), encode(following[1])
    about = here.table.version
    here.service.refusals.record(here.service.load_match(here.table.match).match, Seat(seat), following[1], about, 0)
    opened = here.open(seat, about, "wrong_refusal", move=refused)
    assert opened["move"] == refused
    assert opened["refusal"]["verdict"] == "granted"
    assert opened["rulings"][0]["verdict"] == "does_not_stand"
    for stranger in (None, other(here, seat)):
        told = here.read(opened["dispute"], stranger)
        assert (told["move"], told["refusal"], told["disputed"]) == (None, None, None)
        person = here.table.anyone if stranger is None else here.table.seats[stranger]
        logged: Any = person.get(f"{here.table.path}/entries/{opened['dispute']}").json
        assert (logged["move"]["move"], logged["events"][0]["move"]) == (None, None)
        assert told["rulings"][0]["reason"] == {
            "en": "The ruling rests on cards that are hidden from you.",
            "de": "Der Spruch beruht auf Karten, die für dich verdeckt sind.",
        }
    settled = here.voted(opened["dispute"], "partial_fix")
    assert settled["rulings"][-1]["remedy"] == "partial_fix"
    here = here if here.going_on else court(game)

    following = here.following()
    assert following is not None
    assert here.makes(*following).status_code == 201
    dispute(here, about_last(here), other(here, int(following[0])), "other", "undecided")


def about_last(here: Court) -> int:
    """The last entry that somebody at a seat made."""
    entries = here.service.repository.load_entries(here.table.match)
    return next(each.version for each in reversed(entries) if each.seat >= 0)


@pytest.mark.parametrize("game", GAMES)
def test_what_real_dice_and_cards_showed_is_attested_and_put_right(game: str) -> None:
    require_devices(game)
    here = court(game, "table")
    for _ in range(120):
        following = here.following()
        assert following is not None
        seat, move = following
        state = here.service.load_match(here.table.match).match.state
        others = [each for each in find_legal_moves(state, CHANCE) if each != move] if seat == CHANCE else []
        made = here.makes(seat, move)
        assert made.status_code == 201, made.text
        if others:
            break
    else:
        pytest.fail("nothing was reported that could have read otherwise")
    about = made.json["entry"]["version"]
    assert made.json["entry"]["actor"] == {"kind": "reporter", "seat": 0}
    right = encode(others[0])
    dispute(here, about, 1, "misreported", "undecided", move=right, saw=right)
