"""Disputes in words: every claim, verdict, stage and time has its sentence in both languages."""

from __future__ import annotations

import pytest

from referee.games import load_games
from referee.match.events.dispute_events import CourtCalled, RulingIssued
from referee.match.events.dispute_state import (
    CLAIMS,
    DEFAULT_COURTS,
    REMEDIES,
    VERDICTS,
    CourtSettings,
    Dispute,
    Verdict,
)
from referee.match.events.office_events import OfficialNamed
from referee.rendering.quarrels import UndoRight, describe_claim, describe_duration, describe_progress, describe_ruling
from referee.rendering.texts import describe_event

STAGES = ("attesting", "voting", "ruling", "ruled", "withdrawn", "moot")


@pytest.mark.parametrize("parties", [(), (1,), (0, 1)])
@pytest.mark.parametrize("by", ["1", "host", "arbiter"])
@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_names_who_says_what_of_whom_in_their_words(claim: str, by: str, parties: tuple[int, ...]) -> None:
    found = describe_claim(Dispute(9, by, 7, claim, parties, statement="He peeked."))
    who = {"1": "Player 2", "host": "The host", "arbiter": "The arbiter"}[by]
    assert found["en"].startswith(who)
    assert found["en"].endswith(": “He peeked”.")
    assert found["de"].endswith(": „He peeked“.")
    assert "7" in found["en"]


@pytest.mark.parametrize("remedy", ["", *REMEDIES])
@pytest.mark.parametrize("verdict", VERDICTS)
def test_a_ruling_is_read_with_its_reason_the_words_of_who_ruled_and_the_remedy(verdict: str, remedy: str) -> None:
    ruled = RulingIssued(9, "arbiter", "arbiter", verdict, remedy, "court.arbiter_ruled", {}, (), "I saw the die.")
    found = describe_ruling(load_games()["munchkin"], ruled)
    assert "“I saw the die”" in found["en"]
    assert ("Remedy" in found["en"]) == ("Abhilfe" in found["de"]) == (remedy not in ("", "leave"))
    assert found["en"].startswith("The arbiter")


@pytest.mark.parametrize("next_court", [None, "table", "arbiter"])
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("courts", [DEFAULT_COURTS, CourtSettings()])
def test_each_stage_says_what_happens_now(courts: CourtSettings, stage: str, next_court: str | None) -> None:
    dispute = Dispute(9, "1", 7, "other", (1,), stage=stage)
    found = describe_progress(courts, dispute, [0, 2], next_court)
    assert ("Player 1 and Player 3" in found["en"]) == (stage in ("attesting", "voting"))
    assert ("Spieler 1 und Spieler 3" in found["de"]) == (stage in ("attesting", "voting"))


@pytest.mark.clause("TABLE-RULING-6")
@pytest.mark.parametrize("others", [False, True])
def test_what_an_official_may_still_undo_is_said(others: bool) -> None:
    found = describe_progress(
        DEFAULT_COURTS, Dispute(9, "1", 7, "other", ()), [], None, UndoRight("arbiter", 0, others)
    )
    assert "15 minutes after the ruling the arbiter may still undo it" in found["en"]
    assert "15 Minuten nach dem Spruch kann der Schiedsrichter ihn noch aufheben" in found["de"]
    assert ("another official at any time" in found["en"]) == others
    assert ("ein anderer Schiedsrichter jederzeit" in found["de"]) == others


def test_a_time_is_said_in_its_largest_exact_unit() -> None:
    spans = [describe_duration(ms)["en"] for ms in (5_000, 120_000, 900_000, 3_600_000, 86_400_000, 90_000)]
    assert spans == ["5 seconds", "2 minutes", "15 minutes", "1 hour", "1 day", "90 seconds"]
    assert describe_duration(60_000)["de"] == "einer Minute"


@pytest.mark.parametrize("stage", ["attesting", "voting"])
def test_where_nobody_is_awaited_no_list_of_seats_is_read(stage: str) -> None:
    found = describe_progress(DEFAULT_COURTS, Dispute(9, "1", 7, "other", (1,), stage=stage), [], None)
    assert found["en"].startswith("Every"), found
    assert found["de"].startswith("Alle"), found
    assert ": ." not in found["en"] + found["de"]


@pytest.mark.parametrize("remedy", REMEDIES)
@pytest.mark.parametrize("next_court", [None, "arbiter"])
def test_what_was_ruled_is_said_once_it_is_settled(remedy: str, next_court: str | None) -> None:
    ruled = (Verdict("table", "table", "does_not_stand", remedy, "court.all_agree", {}, ()),)
    found = describe_progress(
        DEFAULT_COURTS, Dispute(9, "1", 7, "other", (), stage="ruled", verdicts=ruled), [], next_court
    )
    assert found["en"].startswith("It is settled: "), found
    assert found["de"].startswith("Das ist entschieden: "), found
    assert ("any player may appeal" in found["en"]) == (next_court is not None)


def test_lines_of_the_log_about_courts_are_whole_sentences() -> None:
    game = load_games()["munchkin"]
    restored = RulingIssued(9, "arbiter", "host", "does_not_stand", "restore", "court.host_ruled", {}, ())
    assert describe_event(game, restored) == {
        "en": "Ruling on dispute 9: what stood before stands again.",
        "de": "Spruch zur Anfechtung 9: Es gilt wieder, was vorher galt.",
    }
    assert describe_event(game, CourtCalled(9, "table", "attesting", 0)) == {
        "en": "Dispute 9 is now before the table.",
        "de": "Über die Anfechtung 9 berät jetzt der Tisch.",
    }
    named = describe_event(game, OfficialNamed(9, "arbiter", "p"))
    assert named is not None
    assert named["en"].startswith("The arbiter does not play"), named
    assert named["de"].startswith("Der Schiedsrichter spielt"), named
    undone = describe_ruling(game, restored)
    assert undone["en"] == "The host undoes what was ruled on dispute 9. Remedy: restore what stood before."
    assert undone["de"] == (
        "Der Gastgeber hebt auf, was zur Anfechtung 9 entschieden war. Abhilfe: wieder gelten lassen, was vorher galt."
    )
