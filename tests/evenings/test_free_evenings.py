"""Whole evenings with real cards and free texts only: nothing gets stuck or is told too soon, and the file is right."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli.main import cli
from referee.engine.seats import BYSTANDER
from tests.evenings import true_reports
from tests.evenings.free_evening import Evening


def verify(evening: Evening, folder: Path, viewer: int | str) -> str:
    """What `referee verify` says of the file of a match."""
    file = folder / f"{viewer}.bundle"
    file.write_bytes(evening.export(viewer))
    key = base64.b64encode(evening.house.signer.public).decode()
    done = CliRunner().invoke(cli, ["verify", str(file), "--key", key])
    assert done.exit_code == 0, done.output
    return done.output


def test_an_evening_begins_and_what_is_reported_so_far_is_by_the_rules(tmp_path: Path) -> None:
    evening = Evening(1, seats=2)
    evening.play(most=40)
    assert evening.moves == 40
    assert evening.kinds["choose.as_written"]
    for viewer in (0, BYSTANDER):
        assert "by the rules" in verify(evening, tmp_path, viewer)


@pytest.mark.deep
@pytest.mark.parametrize(("seed", "seats"), [(3, 2), (2, 3), (1, 4)])
def test_a_whole_evening_is_played_to_its_end_and_its_file_is_found_right(
    seed: int, seats: int, tmp_path: Path
) -> None:
    evening = Evening(seed, seats)
    evening.play(most=2000)
    assert evening.status == "finished"
    assert evening.moves > 150
    assert len(evening.refused) >= 3
    assert len(evening.reported) > len(true_reports.TRUE) // 2
    for viewer in ("full", BYSTANDER, 0, seats - 1):
        assert "by the rules" in verify(evening, tmp_path, viewer)


@pytest.mark.deep
def test_a_bot_plays_along_and_its_cards_are_read_to_the_referee(tmp_path: Path) -> None:
    evening = Evening(1, seats=3, has_bot=True)
    evening.play(most=2000)
    assert evening.status == "finished"
    assert evening.kinds["chance.picked"]
    for viewer in ("full", BYSTANDER, 0):
        assert "by the rules" in verify(evening, tmp_path, viewer)
