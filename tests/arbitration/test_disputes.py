"""Disputes at the desk: judged at once, mended by the mildest remedy that is left."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from referee.arbitration import takebacks
from referee.arbitration.remedies.ladder import list_remedies, preview_match_after
from referee.arbitration.replay.replay import find_first_divergence
from referee.engine.codec import encode
from referee.engine.events import Move
from referee.engine.rulings import IllegalMove
from referee.match.aggregate import MatchRewound
from referee.match.events.dispute_commands import IssueRuling, OpenDispute
from referee.match.events.takeback_events import AnswerTakeback, RequestTakeback
from tests.arbitration.playing import GAMES, disputes, evidence, plays, started


@pytest.mark.clause("TABLE-DISPUTE-1")
@pytest.mark.parametrize("game", GAMES)
def test_what_was_played_by_the_rules_stands(game: str) -> None:
    house, match = started(game)
    done = plays(house, match, 2, 12)
    about = done[-1].entry
    dispute = disputes(house, match, about, "illegal_move")
    assert [each.verdict for each in dispute.verdicts] == ["stands"]
    rungs = {rung.name: rung for rung in list_remedies(evidence(house, match), dispute)}
    assert list(rungs) == ["leave", "partial_fix", "rewind", "void"]
    assert rungs["leave"].offered
    back = preview_match_after(evidence(house, match), dispute, "rewind")
    assert back.state is not None
    then = house.load_version(match, about - 1).match.state
    piles = {place for place in getattr(then, "zones", {}) if place.endswith(":")}
    assert encode(back.state) == encode(then) or piles


@pytest.mark.clause("TABLE-COURSE-1")
@pytest.mark.parametrize("game", GAMES)
def test_a_log_with_disputes_remedies_and_takebacks_is_judged_again_without_complaint(game: str) -> None:
    """And so is the course as somebody reads it who is told of the struck entries, too."""
    house, match = started(game, "table" if game == "munchkin" else "server")
    dice = random.Random(game)
    for number in range(8):
        plays(house, match, number, 3)
        found = evidence(house, match)
        if found.match.end is not None:
            break
        about = dice.choice(
            [entry.version for entry in found.effective_entries if entry.version >= found.start_version]
        )
        asks: list[Move] = [
            OpenDispute(str(dice.randrange(2)), about, dice.choice(("other", "illegal_move", "missed_effect"))),
            RequestTakeback(dice.randrange(len(found.match.chairs)), found.version - 1),
            IssueRuling(
                max((each.number for each in found.match.disputes), default=0),
                "host", (), True, dice.choice(("leave", "rewind")), ("TABLE-REMEDY-1",), "so be it",
            ),
        ]  # fmt: skip
        for at, ask in enumerate((asks[0], asks[2], asks[1])):
            with suppress(IllegalMove):
                house.execute_command(match, ask, key=f"{number}-{at}", scope="table")
        for each in house.load_match(match).match.disputes:
            if each.is_open:
                leave = IssueRuling(each.number, "host", (), False, "leave", ("TABLE-REMEDY-1",), "no")
                house.execute_command(match, leave, key=f"{number}-{each.number}", scope="arbiter")
        for request in house.load_match(match).match.takebacks:
            for seat in takebacks.find_awaited_seats(house.load_match(match).match, request):
                with suppress(IllegalMove):
                    house.execute_command(
                        match,
                        AnswerTakeback(request.number, seat, True),
                        key=f"{number}-{request.number}",
                        scope=f"seat{seat}",
                    )
    entries = house.repository.load_entries(match)
    assert any(isinstance(event, MatchRewound) for entry in entries for event in entry.events)
    assert find_first_divergence(entries) is None
    assert encode(evidence(house, match).replay_to(len(entries)).state) == encode(house.load_match(match).match.state)
