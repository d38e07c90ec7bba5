"""A report begins with what match it is, and ends with what no report shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.audit.facts import MatchFrame, collect_frame
from referee.audit.reporting import describe_frame, render_report
from tests.audit.sitting import played
from tests.audit.test_devices import SigningHouse
from tests.audit.test_tampering import whole

ENTRIES = (
    {
        "at": 1_700_000_000_000,
        "events": [{"type": "table.MatchOpened", "chairs": [{"kind": "bot"}, {"kind": "human"}]}],
    },
    {"at": 1_700_003_600_000, "events": [{"type": "table.BotSeated", "seat": 1}]},
)


def test_a_report_says_what_was_played_when_and_by_whom() -> None:
    frame = collect_frame("here_to_slay", "standard", "finished", ENTRIES)
    assert frame == MatchFrame("here_to_slay", "standard", "finished", 2, (0, 1), 1_700_000_000_000, 1_700_003_600_000)
    told = describe_frame(frame)
    assert (told["game"], told["bots"], told["start"], told["end"]) == (
        *("Here to Slay", "1, 2"),
        *("2023-11-14 22:13:20 UTC", "2023-11-14 23:13:20 UTC"),
    )
    assert collect_frame("here_to_slay", "standard", "lobby", ()) is None


@pytest.mark.parametrize("ms", [10**30, -(10**30)])
def test_a_time_that_no_calendar_has_breaks_no_report(ms: int) -> None:
    frame = collect_frame("chess", "x" * 1000, "odd", ({"at": ms, "events": [{"type": "table.BotSeated"}, "odd"]},))
    assert frame is not None
    assert describe_frame(frame)["start"] == f"{ms} ms"
    assert len(describe_frame(frame)["game"]) < 200


@pytest.mark.parametrize("lang", ["en", "de"])
def test_keys_are_named_so_that_they_can_be_compared(lang: str, tmp_path: Path) -> None:
    house = SigningHouse()
    report = whole(house.bundle(played(1, house, 40).match, "full"), [], [])
    signers = report.facts.signers
    assert all(each.keys for each in signers if each.signed)
    lines = list(render_report(report, lang))
    assert "Here to Slay, 2" in lines[1]
    for each in signers:
        assert any(each.keys[0][:4] in line for line in lines)
    assert "Server" in lines[-1] or "server" in lines[-1]
