"""What the public part of a tournament's log says of what is hidden, now and in logs of earlier versions."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from referee.audit.bundles.files import read_bundle_file
from referee.audit.verdicts import find_verdict
from referee.tournament.conduct_events import AppealVoted, DeckChecked
from tests.audit.test_tournaments import evening, report_on, states

OLD = Path(__file__).parents[1] / "golden/tournament"


@pytest.mark.parametrize("system", ["swiss", "round_robin"])
@pytest.mark.parametrize("viewer", ["public", "full"])
def test_a_tournament_of_an_earlier_version_is_sound(system: str, viewer: str) -> None:
    """Its lots depend on versions of entries, and what is hidden stands there as false values."""
    report = report_on(read_bundle_file(OLD / f"{system}.{viewer}.bundle"))
    assert report.findings == ()
    told = states(report)
    assert (told["rules"], told["chance"], find_verdict(report)) == ("done", "done", "proves")
    notices = {each.key for each in report.notices}
    assert "fact.lots" in notices
    assert "fact.lots_by_round" not in notices


def test_what_is_hidden_is_left_out_of_the_public_part_and_no_old_value_stands_for_it() -> None:
    bundle = evening().bundle("public")
    hidden = {kind: {each for line in bundle.entries for each in orjson.loads(line.envelope)["events"]
              if each["type"] == kind.TAG for each in each} for kind in (AppealVoted, DeckChecked)}  # fmt: skip
    assert hidden == {AppealVoted: {"type", "appeal", "officer"}, DeckChecked: {"type", "check", "officer"}}
