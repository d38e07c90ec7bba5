"""Who decides an appeal, and what that tells of who appeals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.engine.codec import encode
from referee.engine.seats import BYSTANDER
from referee.tournament import commands
from referee.tournament.deciding.rounds import find_lots_place
from referee.tournament.state import FIRST_SCHEME
from tests.tournament.evening import COMMITTEE, FLOOR, HEAD, Evening


@pytest.mark.clause("TOURNAMENT-APPEAL-2")
@pytest.mark.parametrize("grade", ["caution", "warning"])
def test_a_committee_does_not_tell_who_appeals(grade: str) -> None:
    """The late official is accepted by player 0 alone, and decides on neither player's appeal until all accept."""
    committees = []
    for appellant in (0, 1):
        at = Evening()
        at.start(3)
        at.do(commands.AppointOfficer("late", "committee"))
        late = at.version
        at.do(commands.AcceptOfficer(0, late))
        about = at.penalize(appellant, grade, officer=FLOOR, because="-")
        (opened,) = at.do(commands.OpenAppeal(appellant, about, "no"))
        committees.append(replace(opened, player=None, reason=None))  # type: ignore[type-var]
        assert opened.view_for(BYSTANDER) == committees[-1]
        assert opened.committee == (COMMITTEE,)  # type: ignore[attr-defined]
        at.do(commands.AcceptOfficer(1, late))
        at.do(commands.AcceptOfficer(2, late))
        (all_accept,) = at.do(commands.OpenAppeal(appellant, at.penalize(appellant, grade, because="-"), "no"))
        assert all_accept.committee == (COMMITTEE, late)  # type: ignore[attr-defined]
    assert committees[0] == committees[1]


@pytest.mark.clause("TOURNAMENT-APPEAL-2")
def test_who_appeals_against_what_everybody_knows_is_told() -> None:
    at = Evening()
    at.start(3)
    at.do(commands.AppointOfficer("late", "committee"))
    late, (player, other) = at.version, at.table().players
    at.do(commands.AcceptOfficer(player, late))
    loss = at.penalize(player, "game_loss", because="-")
    (opened,) = at.do(commands.OpenAppeal(player, loss, "no"))
    told = encode(opened.view_for(BYSTANDER))
    assert (told["player"], told["committee"]) == (player, [COMMITTEE, late]), "as many as the player has accepted"
    assert "reason" not in told
    at.do(commands.RuleResult(1, 1, HEAD, ((other,), (player,)), (), "seen"))
    (opened,) = at.do(commands.OpenAppeal(other, at.version, "no"))
    assert encode(opened.view_for(BYSTANDER))["player"] == other


def test_a_tournament_of_the_first_scheme_goes_on_by_its_rules() -> None:
    at = Evening()
    at.state = replace(at.state, format=replace(at.state.format, scheme=FIRST_SCHEME))
    at.start(3)
    at.do(commands.AppointOfficer("late", "committee"))
    late = at.version
    at.do(commands.AcceptOfficer(0, late))
    (opened,) = at.do(commands.OpenAppeal(0, at.penalize(0, "warning", because="-"), "no"))
    assert opened.committee == (COMMITTEE, late)  # type: ignore[attr-defined]
    assert "player" not in encode(opened.view_for(BYSTANDER))
    assert find_lots_place(at.state, 77) == 77
