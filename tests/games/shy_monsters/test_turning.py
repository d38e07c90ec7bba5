"""Positions in which a card is being turned up: what has to be told of the move under way, and what cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.chance import TurnUpResult
from referee.engine.referee import preview_move
from referee.engine.rulings import ContradictoryPosition
from referee.engine.seats import CHANCE
from referee.games.shy_monsters import GAME
from tests.games.shy_monsters.table import LINE, MASTER

B_DEAD = {"rows": LINE, "cards": {"b": "mantis"}, "up": ["b"], "dead": ["b"]}
D_UP = {"rows": LINE, "cards": {"d": "corridor"}, "up": ["d"]}


TURNING: dict[str, Any] = {
    "question": "turn_up",
    "dungeon_master": int(MASTER),
    "floor": 3,
    "cards": "table",
    "plan": {"rows": LINE, "up": []},
    "turn_up": {"at": "a", "because": "entered"},
    "idle_moves": 0,
    "discovered": [],
}


def reported(card: str, **more: Any) -> tuple[list[str], str | None]:
    """The facts that follow from this face of the card entered, and what is asked for."""
    turn = {**TURNING["turn_up"], **more.pop("turn_up", {})}
    state = GAME.positions.decode_position({**TURNING, **more, "turn_up": turn})
    assert GAME.positions.decode_position(GAME.positions.encode_position(state)) == state
    events, need = preview_move(state, CHANCE, TurnUpResult(card))
    kinds = ("HeroKilled", "MonsterKilled", "CardTurnedUp", "ExitReached", "GameWon")
    return [type(event).__name__ for event in events if type(event).__name__ in kinds], need.key if need else None


@pytest.mark.clause("KERNEL-POSITION-1")
def test_whether_an_attack_was_announced_is_asked_where_a_monster_is_turned_up() -> None:
    spent, ready = {"attack_ready": False, "jump_ready": True}, {"attack_ready": True, "jump_ready": True}
    assert reported("mantis", **spent) == (["CardTurnedUp"], "was_an_attack_announced")
    assert reported("kraken", **spent) == (["CardTurnedUp"], "was_an_attack_announced")  # harmless, but dead or alive?
    assert reported("corridor", **spent) == (["CardTurnedUp"], None)
    assert reported("exit", **spent)[1] is None
    killed = ["CardTurnedUp", "HeroKilled", "GameWon"]
    assert reported("mantis", **spent, turn_up={"attack": False}) == (killed, None)
    assert reported("mantis", **spent, turn_up={"attack": True}) == (["CardTurnedUp", "MonsterKilled"], None)
    assert reported("mantis", jump_ready=True, turn_up={"attack": True}) == (["CardTurnedUp", "MonsterKilled"], None)
    assert reported("mantis", **ready) == (killed, None)  # an attack still ready was not used
    assert reported("mantis", jump_ready=True)[1] == "was_an_attack_announced"


@pytest.mark.clause("KERNEL-POSITION-1")
def test_whether_a_card_was_skipped_is_asked_where_the_hero_lives_to_see_it() -> None:
    spent = {"attack_ready": True, "jump_ready": False}
    assert reported("corridor", **spent) == (["CardTurnedUp"], "which_card_was_skipped")
    assert reported("corridor", attack_ready=True)[1] == "which_card_was_skipped"
    assert reported("mantis", **spent)[1] is None  # dead in any case
    assert reported("exit", **spent)[1] is None
    assert reported("corridor", **spent, turn_up={"over": None})[1] is None
    assert reported("corridor", attack_ready=True, jump_ready=True)[1] is None
    beside_is_up = {"rows": LINE, "cards": {"b": "corridor"}, "up": ["b"], "dead": []}
    assert reported("corridor", **spent, plan=beside_is_up)[1] is None
    for key in ("was_an_attack_announced", "which_card_was_skipped"):
        assert "(2|0)" in GAME.rulebook.render_texts(key, x=2, y=0)["de"]


def test_a_jump_under_way_has_used_the_jump() -> None:
    over = GAME.positions.decode_position(
        {**TURNING, "turn_up": {"at": "b", "because": "entered", "over": "a", "attack": True}}
    )
    assert (over.attack, over.jump) == (False, False)
    skipped = GAME.positions.decode_position(
        {**TURNING, "plan": D_UP, "turn_up": {"at": "c", "because": "skipped"}, "hero": "d"}
    )
    assert skipped.jump is False


@pytest.mark.parametrize(
    ("change", "turn", "clause"),
    [
        ({"attack_ready": True}, {"attack": True}, "SM-HERO-SKILL-1"),
        ({"plan": B_DEAD}, {"attack": True}, "SM-HERO-SKILL-1"),
        ({"jump_ready": True}, {"at": "b", "over": "a"}, "SM-HERO-SKILL-1"),
        ({"jump_ready": True}, {"because": "skipped"}, "SM-HERO-SKILL-1"),
        ({}, {"over": "f"}, "SM-HERO-JUMP-1"),
        ({}, {"at": "c", "over": "d"}, "SM-AMB-10"),  # only cards that are down lie beyond
        ({}, {"at": "b", "over": None}, "SM-HERO-EXPLORE-1"),
        ({}, {"at": "d"}, "SM-HERO-EXPLORE-1"),  # neither by a step nor by a jump
        ({"hero": "E"}, {}, "SM-HERO-EXPLORE-1"),
        ({"plan": D_UP, "hero": "d"}, {"because": "skipped"}, "SM-HERO-JUMP-1"),
    ],
)
def test_a_card_that_cannot_have_been_turned_up_so_cites_the_clause(
    change: dict[str, Any], turn: dict[str, Any], clause: str
) -> None:
    data = {**TURNING, **change, "turn_up": {**TURNING["turn_up"], **turn}}
    with pytest.raises(ContradictoryPosition) as caught:
        GAME.positions.decode_position(data)
    assert {error["clause"] for error in caught.value.errors} == {clause}
    assert GAME.positions.decode_position(TURNING).agenda
