"""Matches with seeds, and such as went back behind an end, are found sound; another secret is found to be one."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from referee.audit import standalone
from referee.audit.bundles.format import Bundle, written
from referee.audit.checks.findings import Kind
from referee.audit.checks.verifier import checked
from referee.match.aggregate import Chair
from referee.match.events.dispute_commands import OpenDispute, Rule
from referee.match.table import commands
from referee.match.table.player_entropy import RevealSeed, seed_commitment
from referee.service.match_service import Desk
from tests.arbitration.playing import plays
from tests.audit.house import SIGNER, bundled, desk

SEEDS = (b"sixteen bytes or", b"more than sixteen bytes")


@cache
def reopened() -> tuple[Desk, str]:
    """A match with seeds that has ended three times, and gone on twice."""
    house = desk()
    match = house.open(commands.Open("here_to_slay", "standard", {}, {}, (Chair("human"),) * 2), "seeded").match.id
    for seat, seed in enumerate(SEEDS):
        house.business(match, commands.TakeSeat(seat, seed_commitment(seed)), key=f"join{seat}", scope="join")
    for seat, seed in enumerate(SEEDS):
        house.business(match, RevealSeed(seat, seed.hex()), key=f"show{seat}", scope=f"seat{seat}")
    house.business(match, commands.Start(), key="start", scope="host")
    for time in range(3):
        plays(house, match, time, 25)
        end = house.business(match, commands.End("agreed", ((0,), (1,))), key=f"end{time}", scope="host").entry
        if time < 2:
            number = house.business(match, OpenDispute("0", end, "other"), key=f"d{time}", scope="seat0").entry
            rule = Rule(number, "arbiter", (), True, "rewind", ("TABLE-REMEDY-1",), "so it is")
            house.business(match, rule, key=f"r{time}", scope="arbiter")
    assert house.load(match).match.generation == 2
    return house, match


@pytest.mark.parametrize("eyes", ["public", "0", "1", "full", "sealed"])
def test_seeds_and_generations_are_found_sound_by_both_verifiers(eyes: str, tmp_path: Path) -> None:
    bundle = bundled(*reopened(), eyes)
    report = checked(bundle, [SIGNER.public])
    assert report.findings == ()
    assert len(bundle.secrets) == (3 if eyes in ("full", "sealed") else 0)
    path = tmp_path / "seeded.bundle"
    path.write_bytes(b"".join(written(bundle.all)))
    assert standalone.main([str(path)]) == 0


def test_draws_of_every_generation_are_redone() -> None:
    bundle = bundled(*reopened())
    assert {draw.generation for draw in bundle.draws} == {0, 1, 2}
    first = next(draw for draw in bundle.draws if draw.generation == 2)
    forged = replace(first, generation=1)
    told = replace(bundle, draws=tuple(forged if draw is first else draw for draw in bundle.draws))
    assert Kind.CHANCE in {finding.kind for finding in checked(told).findings}


def test_the_secret_of_another_generation_is_none_of_this_one() -> None:
    bundle = bundled(*reopened())
    first, second, third = bundle.secrets
    swapped: tuple[Bundle, ...] = (
        replace(bundle, secrets=(first, replace(second, secret=first.secret), third)),
        replace(bundle, secrets=(first, replace(second, secret=third.secret), replace(third, secret=second.secret))),
        replace(bundle, secrets=(first, second)),
    )
    for told in swapped:
        assert Kind.OPENING in {finding.kind for finding in checked(told).findings}
