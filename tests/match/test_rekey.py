"""After an end the secret of chance is open; where play goes back behind that end, another one takes its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from referee.arbitration.remedies.ladder import ladder
from referee.arbitration.remedies.rewind_impact import crossed, hidden_piles
from referee.arbitration.replay.replay import first_divergence
from referee.engine.chance import Rolled, Shuffled
from referee.engine.codec import encode
from referee.engine.game import Setup
from referee.engine.rulings import Refused
from referee.engine.seats import CHANCE
from referee.games import games
from referee.infrastructure.integrity_check import inspected
from referee.match.aggregate import Match
from referee.match.entries import Logged, commitment
from referee.match.events.dispute_commands import OpenDispute, Rule
from referee.match.events.report_events import Correct
from referee.match.events.takeback_events import TakeBack
from referee.match.table import commands
from referee.match.table.rekey import ChanceRenewed, renewed
from referee.repository.matches import packed, restored
from referee.transparency.randomness import Draws
from tests.arbitration import playing
from tests.arbitration.playing import Referee, evidence, plays

KEY = bytes(range(32))


def running(game: str = "monster_combat", moves: int = 8, **chance: str) -> tuple[Referee, str]:
    """A match of two under way, whose draws and salts are the server's own."""
    house, box = Referee(), games()[game]
    house.draws = Draws(KEY)
    house._salt = house.draws.salt
    devices = dict.fromkeys(box.devices, "server") | chance
    match = playing.opened(house, game, box.set_up(Setup(box.variants[0], 2, {}, devices)))
    plays(house, match, 3, moves)
    return house, match


def ends(house: Referee, match: str, key: str = "end") -> int:
    """The table agrees that the match is over; the entry that says so."""
    return house.business(match, commands.End("agreed", ((0,), (1,))), key=key, scope="host").entry


def goes_back(house: Referee, match: str, about: int, claim: str = "other", remedy: str = "rewind") -> Logged:
    """An entry is disputed, and an arbiter orders a remedy; the entry that carries it out."""
    number = house.business(match, OpenDispute("0", about, claim), key=f"d{about}", scope="seat0").entry
    rule = Rule(number, "arbiter", (), True, remedy, ("TABLE-REMEDY-1",), "so it is")
    done = house.business(match, rule, key=f"r{number}", scope="arbiter")
    return house.entries(match)[done.entry - 1]


def salted(house: Referee, match: str, version: int) -> int:
    """The generation of the secret that an entry's commitments are salted with."""
    stored = house.log.entries(match, version - 1, 1)[0]
    committed = json.loads(stored.envelope)["commitments"]["full"]
    fits = [n for n in range(4) if commitment(Draws(KEY).salt(match, n, version, "full"), stored.sealed) == committed]
    (generation,) = fits
    return generation


@pytest.mark.clause("TABLE-CHANCE-1")
def test_the_entry_that_goes_back_behind_an_end_commits_to_a_new_secret_and_is_salted_with_it() -> None:
    house, match = running()
    end = ends(house, match)
    assert house.load(match).match.generation == 0
    dispute = goes_back(house, match, end)
    fact = dispute.facts[-1]
    assert fact == ChanceRenewed(1, Draws(KEY).commitment(match, 1))
    assert "TABLE-CHANCE-1" in dispute.clauses
    now = house.load(match).match
    assert (now.status, now.generation) == ("running", 1)
    assert now.commitment == Draws(KEY).commitment(match), "what the match opened with stays"
    assert [salted(house, match, version) for version in (1, end, dispute.version - 1)] == [0, 0, 0]
    assert salted(house, match, dispute.version) == 1
    plays(house, match, 4, 3)
    assert salted(house, match, house.load(match).version) == 1
    assert len({Draws(KEY).secret(match, n) for n in range(5)}) == 5


def test_every_draw_after_that_comes_from_the_new_secret() -> None:
    house, match = running()
    back = goes_back(house, match, ends(house, match))
    drawn = [entry for entry in house.entries(match, back.version) if isinstance(entry.move, Shuffled)]
    assert drawn, "the piles that everybody could look at are shuffled again"
    for entry in drawn:
        before = house.at(match, entry.version - 1).match
        top = before.state.agenda[-1]
        for generation in range(3):
            below = Draws(KEY).source(match, generation, entry.version, top.question())
            assert (top.draw(before.state, below) == entry.move) == (generation == 1)


def test_each_end_that_play_goes_back_behind_has_a_secret_of_its_own() -> None:
    house, match = running()
    for generation in (1, 2, 3):
        back = goes_back(house, match, ends(house, match, f"end{generation}"))
        assert renewed(back.facts) == ChanceRenewed(generation, Draws(KEY).commitment(match, generation))
        assert salted(house, match, back.version) == generation
    told = house.load(match).match.renewals
    assert told == tuple(Draws(KEY).commitment(match, n) for n in (1, 2, 3))
    assert first_divergence(house.entries(match)) is None
    assert inspected(house.log, match, Draws(KEY).salt) is None
    fresh = Referee()
    fresh.log = house.log
    assert fresh.load(match).match == house.load(match).match
    root, kept = restored(packed(b"r", house.load(match).match))
    assert (root, kept) == (b"r", house.load(match).match)


def test_what_goes_back_within_play_or_after_it_renews_nothing() -> None:
    house, match = running()
    last = next(entry for entry in reversed(house.entries(match)) if entry.seat >= 0)
    house.business(match, TakeBack(last.seat, last.version - 1), key="t", scope=f"seat{last.seat}")
    last = next(entry for entry in reversed(house.entries(match)) if entry.seat >= 0 and entry.version <= 8)
    assert renewed(goes_back(house, match, last.version).facts) is None
    end = ends(house, match)
    number = house.business(match, OpenDispute("0", end, "other"), key="d", scope="seat0").entry
    fix = ({"placement": [[1], [0]]},)
    rule = Rule(number, "arbiter", (), True, "partial_fix", ("TABLE-REMEDY-2",), "other way round", fix=fix)
    house.business(match, rule, key="r", scope="arbiter")
    assert house.load(match).match.status == "finished"
    assert house.load(match).match.generation == 0
    assert not [entry for entry in house.entries(match) if renewed(entry.facts)]


def wrong(entries: list[Logged], at: int, facts: Callable[[tuple[Any, ...]], tuple[Any, ...]]) -> int | None:
    """The first entry that diverges once the facts of one were changed."""
    changed = [replace(each, facts=facts(each.facts)) if each.version == at else each for each in entries]
    found = first_divergence(changed)
    return None if found is None else found.version


def test_judging_again_finds_a_new_secret_that_is_missing_out_of_place_or_miscounted() -> None:
    house, match = running()
    back = goes_back(house, match, ends(house, match)).version
    plays(house, match, 4, 3)
    entries, more = house.entries(match), ChanceRenewed(2, "0" * 64)
    assert wrong(entries, back, lambda facts: facts) is None
    assert wrong(entries, back, lambda facts: facts[:-1]) == back
    assert wrong(entries, back, lambda facts: (*facts, more)) == back
    assert wrong(entries, back, lambda facts: (facts[-1], *facts[:-1])) == back
    assert wrong(entries, back, lambda facts: (*facts[:-1], replace(facts[-1], generation=2))) == back
    for other in (1, 3, back - 2, back - 1, back + 1, back + 2):
        assert wrong(entries, other, lambda facts: (*facts, more)) == other


@pytest.mark.clause("TABLE-CHANCE-1", "TABLE-REMEDY-3")
def test_piles_that_were_open_to_all_at_the_end_are_shuffled_whichever_remedy_goes_back() -> None:
    house, match = running("monster_combat", 2000)
    over = house.load(match).match
    assert over.status == "finished"
    last = next(entry for entry in reversed(house.entries(match)) if entry.seat >= 0)
    number = house.business(match, OpenDispute("0", last.version, "illegal_move"), key="d", scope="seat0").entry
    court = evidence(house, match)
    rung = next(each for each in ladder(court, court.match.disputes[-1]) if each.name == "partial_fix")
    assert rung.why != "remedy.no_correction", "the last move is simply left out"
    rule = Rule(number, "arbiter", (), True, "partial_fix", ("TABLE-REMEDY-1",), "it was not legal")
    try:
        done = house.business(match, rule, key="r", scope="arbiter")
    except Refused:
        pytest.fail(f"nothing could be left out: {rung}")
    after = house.load(match).match
    assert (after.status, after.generation) == ("running", 1)
    before = house.at(match, done.entry).match
    shuffled = [each.move for each in house.entries(match, done.entry) if isinstance(each.move, Shuffled)]
    known = [pile for pile in hidden_piles(before) if len(before.state.place(pile)) > 1]
    assert len(shuffled) == len(known) > 0
    assert [after.state.place(pile) for pile in known] != [before.state.place(pile) for pile in known]
    assert first_divergence(house.entries(match)) is None


def test_going_back_further_later_shuffles_again_what_the_end_has_shown() -> None:
    """The table lies then as it was disclosed, before it was shuffled for that."""
    house, match = running(moves=12)
    moves = [entry.version for entry in house.entries(match) if entry.seat >= 0]
    goes_back(house, match, ends(house, match))
    found = crossed(evidence(house, match), moves[3], None)
    assert "revealed" in found.rules
    assert set(hidden_piles(evidence(house, match).at(moves[3]))) <= set(found.piles)
    assert house.load(match).match.end is None
    fewer = crossed(evidence(house, match), house.load(match).version, None)
    assert fewer.piles == (), "after the shuffle nothing of it is known any more"


def test_the_shuffle_that_a_takeback_called_for_is_made_again_where_it_is_undone() -> None:
    house, match = running(moves=40)
    entries = house.entries(match)
    for entry in entries:
        if entry.seat >= 0 and (first := crossed(evidence(house, match), entry.version - 1, None)).piles:
            break
    number = house.business(match, OpenDispute("0", entry.version, "other"), key="d", scope="seat0").entry
    rule = Rule(number, "arbiter", (), True, "rewind", ("TABLE-REMEDY-1",), "so it is")
    house.business(match, rule, key="r", scope="arbiter")
    again = crossed(evidence(house, match), entry.version - 2, None)
    assert set(first.piles) <= set(again.piles)
    assert "revealed" in again.rules


@pytest.mark.parametrize(("deck", "reopens"), [("table", True), ("server", False)])
def test_a_report_corrected_after_the_end_reopens_only_where_no_pile_was_shown(deck: str, reopens: bool) -> None:
    house, match = running("here_to_slay", 0, dice="table", deck=deck)
    over, roll = played_out(house, match)
    assert over.status == "finished"
    low = Rolled((1,) * len(roll.move.values))  # type: ignore[union-attr]
    ask = Correct(roll.version, (0, 1), True, encode(low))
    if not reopens:
        with pytest.raises(Refused) as caught:
            house.business(match, ask, key="c", scope="host")
        assert caught.value.ruling.reason == "court.all_shown"
        return
    done = house.business(match, ask, key="c", scope="host")
    entry = house.entries(match)[done.entry - 1]
    assert (entry.seat, entry.move) == (CHANCE, low)
    assert entry.facts[-1] == ChanceRenewed(1, Draws(KEY).commitment(match, 1))
    assert salted(house, match, entry.version) == 1
    assert first_divergence(house.entries(match)) is None
    assert wrong(house.entries(match), entry.version, lambda facts: facts[:-1]) == entry.version


def played_out(house: Referee, match: str) -> tuple[Match, Logged]:
    """The match at its end, and the last roll that was reported, after which only a few seats have passed."""
    for seed in range(40):
        plays(house, match, seed, 2000)
        now = house.load(match).match
        if now.end is not None:
            break
    return now, next(entry for entry in reversed(house.entries(match)) if isinstance(entry.move, Rolled))
