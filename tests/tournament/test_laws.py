"""Laws of tournaments under any sequence of commands, sensible or not."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from referee.engine.codec import decode_named, encode
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.engine.seats import BYSTANDER, FULL_VIEWER
from referee.tournament import commands
from referee.tournament.deciding.conduct import CALL_REASONS
from referee.tournament.events import ResultRestored, ResultRuled, fold_events
from referee.tournament.penalties import GRADES, load_infractions
from referee.tournament.state import Tournament
from tests.tournament.evening import Evening, with_format

STEPS = 400


def draw_command(at: Evening, by: random.Random) -> Move:
    """Return any command, often one that fits."""
    state, player, officer = at.state, by.randrange(8), by.choice((1, 2, 3, 4))
    one = by.randint(1, max(1, len(state.rounds)))
    table = by.randint(1, 4)
    seated = state.rounds[one - 1].find_table(table) if state.rounds else None
    players = seated.players if seated else (0, 1)
    order = by.sample(players, len(players))
    placement = tuple((each,) for each in order) if by.random() < 0.8 else (tuple(order),)
    entry = by.randint(1, max(1, at.version))
    infraction, grade = by.choice(list(load_infractions())), by.choice(GRADES)
    appeal = next((each.number for each in state.appeals if each.stage == "open"), entry)
    call = next((each.number for each in state.calls if each.is_open), entry)
    return by.choice(
        [
            commands.PairRound(),
            commands.PairRound(),
            commands.ReportResult(one, table, placement, by.choice((*players, -1))),
            commands.ReportResult(one, table, placement, players[0]),
            commands.AnswerResult(one, table, players[-1], by.random() < 0.8),
            commands.AnswerResult(one, table, players[0], True),
            commands.RuleResult(one, table, officer, placement, (), "seen"),
            commands.Concede(player),
            commands.AddTime(one, table, officer, by.choice((0, 60_000))),
            commands.CallOfficer(player, by.choice(CALL_REASONS)),
            commands.EndCall(call, by.choice((None, officer))),
            commands.ClaimItem(f"call:{call}", officer, by.random() < 0.3),
            commands.Penalize(player, infraction, grade, officer, because=by.choice(("", "why"))),
            commands.Expunge(entry, officer, "mistaken"),
            commands.OpenAppeal(player, entry, "no"),
            commands.VoteOnAppeal(appeal, officer, by.random() < 0.5),
            commands.EndTournament(),
            commands.Leave(player) if by.random() < 0.1 else commands.AcceptOfficer(player, officer),
        ]
    )


def check_rounds(state: Tournament) -> None:
    """Check that everybody sits once a round at most, and each result fits its table."""
    for one in state.rounds:
        seats = Counter([*one.byes, *(player for table in one.tables for player in table.players)])
        assert set(seats.values()) <= {1}
        for table in one.tables:
            if table.result is not None:
                assert sorted(table.result.players) == sorted(table.players)
            assert table.result is not None or not table.final
            assert set(table.signed) <= set(table.players)


@pytest.mark.parametrize("system", ["round_robin", "knockout", "swiss"])
@pytest.mark.parametrize("seed", range(6))
def test_any_sequence_of_commands_keeps_the_laws(system: str, seed: int) -> None:
    by = random.Random(seed)
    at = Evening(with_format(system=system, round_ms=600_000), offices=("floor", "committee", "committee"))
    at.below = by.randrange  # type: ignore[assignment]
    at.start(7, bots=1)
    public, done = fold_events(Tournament(), (event.view_for(BYSTANDER) for said in at.said for event in said)), 0
    for _ in range(STEPS):
        before, command = at.state, draw_command(at, by)
        try:
            events = at.do(command)
        except IllegalMove:
            assert at.state is before
            continue
        done += bool(events)
        check_rounds(at.state)
        for event in events:
            assert decode_named(encode(event), Event) == event
        assert decode_named(encode(command), Move) == command
        public = fold_events(public, (event.view_for(BYSTANDER) for event in events))
        assert public.rounds == at.state.rounds, "what others see says the same of rounds and results"
        assert public.ranks == at.state.ranks
        if not any(isinstance(event, ResultRuled | ResultRestored) for event in events):
            for old, new in zip(before.rounds, at.state.rounds, strict=False):
                for was, now in zip(old.tables, new.tables, strict=True):
                    assert not was.final or was.result == now.result, "only a ruling changes a final result"
        if by.random() < 0.05:
            at.wait(by.choice((60_000, at.state.format.sign_ms, at.state.format.appeal_ms)))
            public = fold_events(Tournament(), (e.view_for(BYSTANDER) for said in at.said for e in said))
        if at.state.is_over:
            break
    assert done > 20
    assert fold_events(Tournament(), (event.view_for(FULL_VIEWER) for said in at.said for event in said)) == at.state
