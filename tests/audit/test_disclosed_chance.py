"""Matches with seeds, and such as went back behind an end, are found sound; another secret is found to be one."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from referee.audit import standalone
from referee.audit.bundles.format import Bundle, encode_bundle
from referee.audit.checks.findings import FindingKind
from referee.audit.checks.verifier import check_bundle
from referee.match.aggregate import SeatAssignment
from referee.match.events.dispute_commands import IssueRuling, OpenDispute
from referee.match.table import commands
from referee.match.table.player_entropy import RevealSeed
from referee.match.table.player_seed import compute_seed_commitment
from referee.service.match_service import MatchService
from tests.arbitration.playing import plays
from tests.audit.house import SIGNER, bundled, service
from tests.service.house import end_agreed_by_all

SEEDS = (b"sixteen bytes or", b"more than sixteen bytes")


@cache
def reopened() -> tuple[MatchService, str]:
    """A match with seeds that has ended three times, and gone on twice."""
    house = service()
    match = house.open_match(
        commands.OpenMatch("here_to_slay", "standard", {}, {}, (SeatAssignment("human"),) * 2, official="somebody"),
        "seeded",
    ).match.id
    for seat, seed in enumerate(SEEDS):
        house.execute_command(
            match, commands.TakeSeat(seat, compute_seed_commitment(seed)), key=f"join{seat}", scope="join"
        )
    for seat, seed in enumerate(SEEDS):
        house.execute_command(match, RevealSeed(seat, seed.hex()), key=f"show{seat}", scope=f"seat{seat}")
    house.execute_command(match, commands.StartMatch(), key="start", scope="host")
    for time in range(3):
        plays(house, match, time, 25)
        end = house.execute_command(
            match, end_agreed_by_all("agreed", ((0,), (1,))), key=f"end{time}", scope="host"
        ).entry
        if time < 2:
            number = house.execute_command(match, OpenDispute("0", end, "other"), key=f"d{time}", scope="seat0").entry
            rule = IssueRuling(number, "host", (), True, "rewind", ("TABLE-REMEDY-1",), "so it is")
            house.execute_command(match, rule, key=f"r{time}", scope="arbiter")
    assert house.load_match(match).match.generation == 2
    return house, match


@pytest.mark.parametrize("viewer", ["public", "0", "1", "full", "sealed"])
def test_seeds_and_generations_are_found_sound_by_both_verifiers(viewer: str, tmp_path: Path) -> None:
    bundle = bundled(*reopened(), viewer)
    report = check_bundle(bundle, [SIGNER.public])
    assert report.findings == ()
    assert len(bundle.secrets) == (3 if viewer in ("full", "sealed") else 0)
    path = tmp_path / "seeded.bundle"
    path.write_bytes(b"".join(encode_bundle(bundle.all_lines)))
    assert standalone.main([str(path)]) == 0


def test_draws_of_every_generation_are_redone() -> None:
    bundle = bundled(*reopened())
    assert {draw.generation for draw in bundle.draws} == {0, 1, 2}
    first = next(draw for draw in bundle.draws if draw.generation == 2)
    forged = replace(first, generation=1)
    told = replace(bundle, draws=tuple(forged if draw is first else draw for draw in bundle.draws))
    assert FindingKind.CHANCE in {finding.kind for finding in check_bundle(told).findings}


def test_the_secret_of_another_generation_is_none_of_this_one() -> None:
    bundle = bundled(*reopened())
    first, second, third = bundle.secrets
    swapped: tuple[Bundle, ...] = (
        replace(bundle, secrets=(first, replace(second, secret=first.secret), third)),
        replace(bundle, secrets=(first, replace(second, secret=third.secret), replace(third, secret=second.secret))),
        replace(bundle, secrets=(first, second)),
    )
    for told in swapped:
        assert FindingKind.OPENING in {finding.kind for finding in check_bundle(told).findings}
