"""Reasons of refusals: every legal move meets what the rules demand, and a refusal names all that is broken."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from referee.engine.game import Setup
from referee.engine.reasons.grounds import find_grounds
from referee.engine.reasons.preconditions import GENERAL_PREFIXES, find_broken_preconditions
from referee.engine.referee import build_view, judge_move
from referee.engine.seats import BYSTANDER, CHANCE, Seat
from tests.games.matches import marked_setups, random_match

MOVES = 300


@pytest.mark.clause("KERNEL-REASON-1")
@pytest.mark.parametrize("pair", marked_setups())
def test_no_legal_move_breaks_a_precondition(pair: tuple[str, Setup]) -> None:
    """Neither in the seat's own view nor in the full state."""
    for turned in islice(random_match(*pair, 5), MOVES):
        for state in (turned.before, turned.before.view_for(turned.seat)):
            assert list(find_broken_preconditions(state, turned.seat, turned.move)) == [], turned.move


@pytest.mark.clause("KERNEL-REASON-1")
@pytest.mark.parametrize("pair", marked_setups())
def test_a_refusal_holds_in_the_seats_own_view_and_names_its_rules_first(pair: tuple[str, Setup]) -> None:
    """Moves of a match are tried by all seats at other times of it: most are refused, for any reason."""
    dice = random.Random(7)
    played = list(islice(random_match(*pair, 6), MOVES))
    refused = 0
    for turned in dice.sample(played, min(60, len(played))):
        state = turned.before
        for other in dice.sample(played, min(8, len(played))):
            for seat in {int(other.seat), int(turned.seat), BYSTANDER}:
                ruling = judge_move(state, Seat(seat), other.move)
                if ruling.verdict != "refused":
                    continue
                refused += 1
                firsts = [rule.clauses[0] for rule in ruling.broken_rules]
                general = [name.startswith(GENERAL_PREFIXES) for name in firsts]
                assert general == sorted(general), "a rule of the game goes before any of the kernel"
                assert len(set(firsts)) == len(firsts)
                assert set(ruling.clauses) == {name for rule in ruling.broken_rules for name in rule.clauses}
                if seat >= 0:
                    seen = judge_move(state.view_for(seat), Seat(seat), other.move)
                    assert seen.verdict != "refused" or seen == ruling, "a refusal rests on the seat's own view"
    assert refused > 50 or len(played) < 20


@pytest.mark.clause("KERNEL-REASON-1")
@pytest.mark.parametrize("pair", marked_setups())
def test_what_a_legal_move_rests_on_in_its_situation_tells_nothing_that_is_hidden(pair: tuple[str, Setup]) -> None:
    """Everybody reads the clauses of an entry, so they are the same on the table as everybody sees it."""
    for turned in islice(random_match(*pair, 5), MOVES):
        found = find_grounds(turned.before, turned.move, turned.events)
        move = turned.move.view_for(BYSTANDER, turned.seat)
        if turned.seat == CHANCE:
            move = turned.move  # what it names is hidden in the events
        seen = build_view(turned.before, BYSTANDER)
        events = tuple(event.view_for(BYSTANDER) for event in turned.events)
        if found:
            assert move is not None, "a hidden move has grounds that everybody reads"
            public = find_grounds(seen, move, events)
            assert set(found) <= set(public), (turned.move, set(found) - set(public))
