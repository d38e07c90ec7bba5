"""What the campaign of kills says of remedies: that one was lost or done twice is found, and each kind is counted."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import fakeredis
import pytest

from referee.engine.chance import RollResult
from referee.engine.codec import encode
from referee.eventstore.redis.log import RedisLog
from referee.match.aggregate import MatchRewound
from referee.match.events.dispute_commands import IssueRuling, OpenDispute
from referee.match.events.dispute_state import DEFAULT_COURTS
from tests.eventstore.servers import AWAY
from tests.faults import checks
from tests.faults.figures import FOLLOWED, by_kind, in_the_middle
from tests.faults.quarrels import REMEDIES, kinds_of
from tests.service.house import service
from tests.workers.house import KNOWING_GAMES, SHORT
from tests.workers.quarrels import quarrelling, step


@pytest.fixture
def ruled(monkeypatch: pytest.MonkeyPatch) -> tuple[RedisLog, str, int]:
    """A log with a match of the toy in which an arbiter has gone back behind a report; the match, and the entry of his
    ruling."""
    for module in KNOWING_GAMES:
        monkeypatch.setattr(f"{module}.load_games", lambda: {"toy": SHORT})
    log, dice = RedisLog(fakeredis.FakeRedis(), AWAY, "test"), random.Random(2)
    at, number = service(log), 0
    match = quarrelling(at, "killed", DEFAULT_COURTS)
    while not (rolls := [each for each in at.repository.load_entries(match) if isinstance(each.move, RollResult)]):
        step(at, match, dice, f"{(number := number + 1)}")
    assert step(at, match, dice, "one more")
    asked = OpenDispute("0", rolls[0].version, "misreported", move=encode(RollResult((7 - rolls[0].move.values[0],))))
    dispute = at.execute_command(match, asked, key="ask", scope="seat0").entry
    rule = IssueRuling(dispute, "host", (), True, "rewind", ("TABLE-REMEDY-3",), "once more")
    return log, match, at.execute_command(match, rule, key="rule", scope="arbiter").entry


def test_a_remedy_that_is_whole_passes(ruled: tuple[RedisLog, str, int]) -> None:
    log, match, _ = ruled
    told = checks.check_courts(log, [match])
    assert (told["table.Rewound"], told["remedy rewind"], told["table.RulingIssued"]) == (1, 1, 2)
    assert "gone back" not in checks.untried(told)
    assert {"voided", "undone"} <= set(checks.untried(told))


def lost(events: tuple[Any, ...]) -> tuple[Any, ...]:
    """The ruling is there, and what it ordered is not."""
    return tuple(event for event in events if not isinstance(event, MatchRewound))


def doubled(events: tuple[Any, ...]) -> tuple[Any, ...]:
    return (*events, *(event for event in events if isinstance(event, MatchRewound)))


def unruled(events: tuple[Any, ...]) -> tuple[Any, ...]:
    """What was ordered was done, and nobody has ruled it."""
    return tuple(event for event in events if isinstance(event, MatchRewound))


@pytest.mark.parametrize("wrong", [lost, doubled, unruled])
def test_half_a_remedy_or_one_done_twice_is_found_out(
    ruled: tuple[RedisLog, str, int], monkeypatch: pytest.MonkeyPatch, wrong: Callable[[Any], Any]
) -> None:
    log, match, at = ruled
    unpack = checks.decode_entry

    def otherwise(entry: Any) -> Any:
        found = unpack(entry)
        return replace(found, events=wrong(found.events)) if found.version == at else found

    monkeypatch.setattr(checks, "decode_entry", otherwise)
    with pytest.raises(AssertionError, match=rf"version={at}\b|still at it"):
        checks.check_courts(log, [match])


def test_each_remedy_is_known_by_its_fact_and_a_ruling_by_what_it_orders() -> None:
    going_back = [{"type": "table.RulingIssued", "remedy": "rewind"}, {"type": "table.Rewound"}]
    assert kinds_of(going_back) == {"gone back"}
    assert kinds_of([{"type": "table.RulingIssued", "remedy": ""}, {"type": "table.Rewound"}]) == set()
    events = {name: event for name, event in REMEDIES.items() if event.startswith("table.")}
    assert {name: kinds_of([{"type": event}]) for name, event in events.items()} == {name: {name} for name in events}


def test_a_kill_is_in_the_middle_of_a_remedy_from_asking_to_the_answer_and_that_of_a_follower_a_little_longer() -> None:
    remedies = [(10.0, 10.2, {"voided"}), (20.0, 20.1, {"gone back", "undone"})]
    killed = [(9.99, "api", 1), (10.1, "api", 2), (10.21, "api", 3), (10.2 + FOLLOWED, "drain", 4), (20.05, "store", 5)]
    found = in_the_middle(killed, remedies)
    assert found == {"voided / api": 1, "voided / drain": 1, "gone back / store": 1, "undone / store": 1}
    assert by_kind(found) == ["gone back (store 1)", "undone (store 1)", "voided (api 1, drain 1)"]
