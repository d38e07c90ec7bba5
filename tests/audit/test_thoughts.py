"""`referee verify --thoughts`: what bots thought is thought again, and a bot that peeked is found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from referee.audit.bundles.format import Bundle, decode_bundle
from referee.audit.checks.findings import AuditReport, FindingKind
from referee.audit.checks.verifier import check_bundle
from referee.bots.minds import SEARCHING, think
from referee.engine.game import Setup
from referee.games import load_games
from referee.match.bots.decisions import BotDecision, ThoughtRecord
from referee.match.entries import LogEntry
from tests.audit.sitting import House, begun, over
from workers.bots import player
from workers.bots.player import ThinkingTime, play_bots

MOVES = 24


def play(
    change: Callable[[BotDecision], BotDecision] = lambda made: made,
    level: int = SEARCHING,
    style: str = "",
    seconds: float = 0.1,
) -> Bundle:
    """The bundle of a match in which bots of all levels moved, with `change` done to what the host recorded."""
    house = House()
    game = load_games()["here_to_slay"]
    setup = game.complete_setup(Setup("standard", 3, {}, dict.fromkeys(game.devices, "server")))
    match = begun(house, "here_to_slay", setup, "thoughts", {0: 0, 1: 1, 2: level}, style=style)
    real = player.record_decision
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(player, "record_decision", lambda *given: change(real(*given)))
        play_bots(house.service, match, MOVES, 600.0, thinking=ThinkingTime(seconds))
    return decode_bundle(house.bundle(over(house, match, "").match))


@cache
def honest() -> Bundle:
    return play()


def check(bundle: Bundle) -> tuple[AuditReport, int]:
    asked: list[None] = []
    report = check_bundle(bundle, note_thought=lambda: asked.append(None))
    return report, len(asked)


def keys_of(report: AuditReport) -> set[str]:
    return {each.key for each in report.findings}


def notices_of(report: AuditReport) -> dict[str, Any]:
    """The notices of thoughts, but for how many the clock cut short."""
    counts = {each.key: each.params["count"] for each in report.notices if each.key.startswith("thought.")}
    counts.pop("thought.cut_short", None)
    return counts


def state_of(report: AuditReport) -> tuple[str, str]:
    made = next(each for each in report.checks if each.name == "thoughts")
    return made.state, made.reason


def test_every_thought_of_an_honest_host_is_repeated() -> None:
    report, asked = check(honest())
    assert not report.findings
    assert notices_of(report) == {"thought.repeated": MOVES}
    assert asked == MOVES
    assert state_of(report) == ("done", "")
    levels = {entry.decision.thought.level for entry in read(honest()) if entry.decision.thought is not None}
    assert levels == {0, 1, SEARCHING}


def test_a_thought_is_repeated_in_the_style_of_its_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    bold, styles = play(style="bold"), Counter[str]()

    def note_style(level: int, *given: Any) -> Any:
        styles[given[-1]] += level == SEARCHING
        return think(level, *given)

    monkeypatch.setattr("referee.thoughts.thinking.think", note_style)
    assert notices_of(check(bold)[0]) == {"thought.repeated": MOVES}
    assert styles["bold"] == styles.total() > 0


def test_it_is_said_how_many_thoughts_were_cut_short() -> None:
    hurried = check(play(seconds=0.0))[0]
    assert not hurried.findings
    (cut,) = (each for each in hurried.notices if each.key == "thought.cut_short")
    searched = [entry.decision.thought for entry in read(play(seconds=0.0)) if entry.decision.thought is not None]
    levels = [thought.playouts for thought in searched if thought.level == SEARCHING]
    assert cut.params["fewest"] == 0
    assert 0 < cut.params["count"] <= len(levels)
    leisurely = check(play(seconds=600.0))[0]
    assert "thought.cut_short" not in {each.key for each in leisurely.notices}


def test_thoughts_are_repeated_only_if_that_is_asked_for() -> None:
    report = check_bundle(honest())
    assert "thoughts" not in {each.name for each in report.checks}
    assert not notices_of(report)


def read(bundle: Bundle) -> list[LogEntry]:
    from referee.audit.checks.rules import decode_line

    return [decode_line(line) for line in bundle.entries]


def test_a_bot_that_peeked_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host lets the bot think with all cards open, and records it like any other thought."""
    from referee.thoughts import thinking

    def peek(level: int, state: Any, seat: Any, seed: str, *more: Any) -> Any:
        return think(level, state, seat, f"{seed}|the cards of the others", *more)

    with monkeypatch.context() as patched:
        patched.setattr(thinking, "think", peek)
        bundle = play()
    report, _ = check(bundle)
    assert keys_of(report) <= {"thought.move", "thought.view"}
    assert report.exit_code == FindingKind.THOUGHT


@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        ({"playouts": 100_000}, "thought.view"),
        ({"level": 2}, "thought.level"),
        ({"seen": 1}, "thought.seen"),
        ({"seen": 10**6}, "thought.seen"),
        ({"memory": "00"}, "thought.memory"),
    ],
)
def test_a_record_that_is_wrong_is_found(wrong: dict[str, Any], key: str) -> None:
    def change(made: BotDecision) -> BotDecision:
        assert made.thought is not None
        return replace(made, thought=replace(made.thought, **wrong)) if made.thought.level == SEARCHING else made

    report, _ = check(play(change))
    assert key in keys_of(report)
    assert report.exit_code == FindingKind.THOUGHT


def test_a_thought_of_another_program_is_told_apart_and_is_nobodys_fault() -> None:
    def change(made: BotDecision) -> BotDecision:
        assert made.thought is not None
        return replace(made, thought=replace(made.thought, mind="0" * 32))

    report, _ = check(play(change))
    assert not report.findings
    assert notices_of(report) == {"thought.by_others": MOVES}
    assert state_of(report) == ("skipped", "none_repeated"), "what nobody has checked is not in order"


def test_entries_from_before_thoughts_were_recorded_are_read() -> None:
    report, _ = check(play(lambda made: replace(made, thought=None)))
    assert not report.findings
    assert notices_of(report) == {"thought.unrecorded": MOVES}
    assert state_of(report) == ("skipped", "none_repeated"), "what nobody has checked is not in order"


def test_a_search_that_fails_plays_greedily_and_the_record_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from referee.bots import minds

    def fail(*_: Any) -> None:
        raise ZeroDivisionError("a hidden card")

    with monkeypatch.context() as patched:
        patched.setattr(minds, "search_move", fail)
        bundle = play()
    report, _ = check(bundle)
    assert not report.findings
    assert notices_of(report)["thought.below_level"] > 0
    assert notices_of(report)["thought.repeated"] == MOVES


@pytest.mark.parametrize(
    "data",
    [None, {}, {"level": 3}, {"level": "3", "playouts": 0, "seen": 1, "mind": "", "memory": ""}, {"level": True}],
)
def test_what_is_no_record_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match="thought"):
        ThoughtRecord.from_dict(data)
