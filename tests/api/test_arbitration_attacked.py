"""What an attack on disputes found: hidden cards probed, time bought, own causes judged. Each test is one attack."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.codec import encode
from referee.match.evidence import Evidence
from tests.api.disputing import Court, court
from tests.api.house import problem

pytestmark = pytest.mark.deep

BY_HAND = {"remedy": "partial_fix", "clauses": ["TABLE-REMEDY-2"]}
SHAKY = {"grounds": "It was not so.", "clause": "TABLE-REMEDY-1"}


def evidence(here: Court) -> Evidence:
    """What the court looks at now."""
    return here.service.build_evidence(here.service.load_match(here.table.match))


def played(game: str, moves: int, **body: Any) -> tuple[Court, int, int]:
    """A match in which a seat has just moved: the entry, and the seat."""
    here = court(game, **body)
    here.play(moves)
    last = [entry for entry in evidence(here).effective_entries if entry.seat >= 0][-1]
    return here, last.version, last.seat


def held(here: Court, seat: int) -> int:
    """Another seat."""
    return (seat + 1) % here.seats


@pytest.mark.clause("TABLE-REMEDY-2")
def test_naming_another_move_as_what_was_really_played_does_not_tell_what_lies_in_the_hand_of_whoever_played() -> None:
    here, about, mover = played("monster_combat", 7)
    hand = evidence(here).replay_to(about - 1).state.cards_at(f"hand:{mover}")  # type: ignore[union-attr]
    asked = ("sword", "life_back", "skip", "thief_1", "sword!trigger", "shield!trigger")
    assert set(asked) & set(hand)
    assert set(asked) - set(hand)
    told = []
    for card in asked:
        found = here.open(held(here, mover), about, "misreported", move={"type": "mc.play", "card": card})
        path = f"{here.disputes}/{found['dispute']}/remedies/partial_fix"
        shown = here.table.seats[held(here, mover)].get(path)
        told.append((found["remedies"], shown.status_code, shown.json["detail"]))  # type: ignore[index]
    assert all(each == told[0] for each in told)
    fix = next(rung for rung in told[0][0] if rung["remedy"] == "partial_fix")
    assert (fix["offered"], told[0][1]) == (False, 409)


@pytest.mark.clause("TABLE-REMEDY-2")
def test_a_card_laid_into_a_hand_and_taken_out_twice_does_not_tell_whether_another_lies_there() -> None:
    here, about, mover = played("monster_combat", 9, seats=3)
    number = here.open(held(here, mover), about, "other")["dispute"]
    state: Any = here.service.load_match(here.table.match).match.state
    card = state.cards_at("discard")[0]
    hands = [f"hand:{seat}" for seat in range(3)]
    assert len({card in state.cards_at(hand) for hand in hands}) == 2  # somebody holds such a card, and somebody none
    for hand in hands:
        there, out = {"move": card, "from": "discard", "to": hand}, {"move": card, "from": hand, "to": "discard"}
        wrong = problem(here.ruled(number, **BY_HAND, fix=[there, out, out, {"turn": 99}]), 422, "invalid-input")
        assert wrong["errors"] == [{"pointer": "/fix/2/move", "detail": "No such card lies open to you there."}]
        wrong = problem(here.ruled(number, **BY_HAND, fix=[there, out, {"turn": 99}]), 422, "invalid-input")
        assert [error["pointer"] for error in wrong["errors"]] == ["/fix/2/turn"]


@pytest.mark.clause("TABLE-REMEDY-2")
def test_what_lies_face_down_is_neither_guessed_nor_turned_up_by_setting_it() -> None:
    here = court("shy_monsters")
    while True:
        here.play(1)
        state: Any = here.service.load_match(here.table.match).match.state
        down = [at for at, tile in enumerate(state.tiles or ()) if not tile.up]
        moved = [entry for entry in evidence(here).effective_entries if entry.seat >= 0]
        if down and moved and any(tile.up for tile in state.tiles):
            break
    number = here.open(1 - state.dungeon_master, moved[-1].version, "other")["dispute"]
    at = down[0]
    for card in ("corridor", "exit", "dragon", "kraken", "basilisk", "mantis"):
        for further in ([], [{"turn": 99}]):
            fix = [{"set": f"/tiles/{at}/card", "to": card}, *further]
            wrong = problem(here.ruled(number, **BY_HAND, fix=fix), 422, "invalid-input")
            assert wrong["errors"] == [{"pointer": "/fix/0/set", "detail": "That does not lie open to you."}]
    for pointer in (f"/tiles/{at}/up", f"/tiles/{at}", "/tiles"):
        wrong = problem(here.ruled(number, **BY_HAND, fix=[{"set": pointer, "to": True}]), 422, "invalid-input")
        assert wrong["errors"][0]["pointer"] == "/fix/0/set"
    shown = next(tile for tile in range(len(state.tiles)) if state.tiles[tile].up)
    hidden = next(tile.card for tile in state.tiles if not tile.up and tile.card not in ("corridor", "exit"))
    fix = [{"set": f"/tiles/{shown}/card", "to": hidden}]
    wrong = problem(here.ruled(number, **BY_HAND, fix=fix), 422, "invalid-input")
    assert wrong["errors"] == [{"pointer": "/fix/0/to", "detail": "That does not lie open to you."}]


@pytest.mark.clause("TABLE-REMEDY-2")
def test_a_correction_by_hand_cannot_make_unknown_what_a_match_has_to_know() -> None:
    for game in ("monster_combat", "here_to_slay", "shy_monsters"):
        here, about, mover = played(game, 9)
        number = here.open(held(here, mover), about, "other")["dispute"]
        data = encode(here.service.load_match(here.table.match).match.state)
        pointers = {"hearts": "/hearts/0", "points": "/points", "pawn": "/pawn"}
        pointer = next(pointers[name] for name in pointers if name in data)
        wrong = problem(here.ruled(number, **BY_HAND, fix=[{"set": pointer, "to": None}]), 422, "invalid-input")
        assert [error["pointer"] for error in wrong["errors"]] == ["/fix/0/to"]
    for pointer in ("/hearts/" + "1" * 5000, "/hearts/٣", "/" * 2000):
        here, about, mover = played("monster_combat", 9)
        number = here.open(held(here, mover), about, "other")["dispute"]
        problem(here.ruled(number, **BY_HAND, fix=[{"set": pointer, "to": 1}]), 422, "invalid-input")


@pytest.mark.clause("TABLE-DISPUTE-2")
def test_an_appeal_buys_no_time_to_think() -> None:
    here, about, mover = played("monster_combat", 7, seats=3, clocks={"move_ms": 60_000, "window_ms": 60_000})

    def left() -> int | None:
        reading = here.service.load_match(here.table.match).read_result
        return None if reading.due is None else reading.due.at_ms - reading.now_ms

    assert left() == 60_000
    claimant = held(here, mover)
    number = here.open(claimant, about, "illegal_move")["dispute"]
    here.service.log.advance_clock(45_000)  # type: ignore[attr-defined]
    assert left() == 15_000
    assert here.says(claimant, number, "appeals", **SHAKY).status_code == 201
    here.service.log.advance_clock(500_000)  # type: ignore[attr-defined]
    assert here.ruled(number, remedy="leave", upheld=False).status_code == 201
    assert left() == 15_000


@pytest.mark.clause("TABLE-REMEDY-1")
@pytest.mark.parametrize("game", ["monster_combat", "here_to_slay", "creature_crush"])
def test_when_all_cards_were_open_after_the_end_only_an_arbiter_goes_back_and_piles_are_shuffled(game: str) -> None:
    here, about, mover = played(game, 2000)
    before: Any = here.service.load_match(here.table.match).match
    assert before.status == "finished"
    claimant = held(here, mover)
    assert here.table.seats[claimant].get(f"{here.table.path}/view?viewer=full").status_code == 200
    found = here.open(claimant, about, "other")
    number = found["dispute"]
    rewind = next(rung for rung in found["remedies"] if rung["remedy"] == "rewind")
    assert (rewind["mild"], "revealed" in rewind["crosses"]) == (False, True)
    assert here.attested(number)["stage"] == "voting"
    assert here.ruled(number).status_code == 201
    problem(here.table.seats[claimant].get(f"{here.table.path}/view?viewer=full"), 409, "still-running")
    here.play(1)
    after: Any = here.service.load_match(here.table.match).match.state
    piles = {place for place, cards in before.state.zones.items() if place.endswith(":") and len(cards) > 3}
    assert piles
    assert all(after.cards_at(pile) != before.state.cards_at(pile) for pile in piles)


@pytest.mark.clause("TABLE-RULING-4")
def test_nobody_rules_on_a_dispute_that_he_opened_himself_as_host() -> None:
    here, about, mover = played("monster_combat", 9, seats=3)
    opened: Any = here.table.host.post(here.disputes, {"about": about, "claim": "other"}).json
    number = opened["dispute"]["dispute"]
    problem(here.ruled(number), 403, "own-cause")
    gone = here.table.host.post(f"{here.disputes}/{number}/withdrawal")
    assert gone.status_code == 201, gone.text
    other = here.open(held(here, mover), about, "other")["dispute"]
    assert here.ruled(other, remedy="leave").status_code == 201


@pytest.mark.clause("TABLE-REMEDY-4")
def test_a_match_that_the_table_voided_stays_void_until_an_official_restores_it() -> None:
    here, _, _ = played("monster_combat", 12, seats=3)
    number = 0
    for entry in evidence(here).effective_entries:
        claimant = held(here, max(entry.seat, 0))
        opened = here.table.seats[claimant].post(here.disputes, {"about": entry.version, "claim": "other"})
        if opened.status_code != 201 or opened.json["dispute"]["stage"] != "attesting":  # type: ignore[index]
            continue
        number = opened.json["dispute"]["dispute"]  # type: ignore[index]
        rungs = {rung["remedy"]: rung["offered"] for rung in here.attested(number)["remedies"]}
        if rungs["void"]:
            break
        here.ruled(number, remedy="leave", upheld=False)
    else:
        pytest.fail("the table may void nothing here")
    here.voted(number, "void")
    version = here.table.version
    for remedy in ("partial_fix", "rewind", "void"):  # nothing that has no meaning in a match that counts for nothing
        problem(here.ruled(number, remedy=remedy, confirm=True), 409, "not-offered")
    problem(here.table.seats[0].post(here.disputes, {"about": version - 1, "claim": "other"}), 409, "match-over")
    about: Any = here.table.anyone.get(here.table.path).json
    assert (about["status"], about["version"]) == ("void", version)
    assert here.ruled(number, remedy="leave").status_code == 201
    assert here.table.anyone.get(here.table.path).json["status"] == "void"  # type: ignore[index]
    assert here.ruled(number, remedy="restore", upheld=False).status_code == 201
    assert here.table.anyone.get(here.table.path).json["status"] == "running"  # type: ignore[index]
    problem(here.says(here.read(number)["decide"][0], number, "appeals", **SHAKY), 409, "last-court")
