"""What a position leaves out is unknown, never empty: a ruling that needs it stays undecided and asks for it."""

from __future__ import annotations

import random
from copy import deepcopy
from functools import partial
from typing import Any

import pytest

from referee.engine.events import apply_events
from referee.engine.rulings import ContradictoryPosition, MalformedInput
from referee.games.munchkin import GAME
from referee.games.munchkin.moves import (
    ClaimKill,
    EndTurn,
    Equip,
    KickDoor,
    LookForTrouble,
    LootRoom,
    PlayCard,
    PutIntoPlay,
)
from tests.games import left_out
from tests.games.left_out import judged_and_tried, less
from tests.games.munchkin.written import build_combat_position, build_midway_position, build_question

Data = dict[str, Any]
verdict, followed = partial(left_out.verdict, GAME), partial(left_out.followed, GAME)


@pytest.mark.clause("KERNEL-POSITION-1", "MK-5.4")
def test_a_hand_left_out_is_not_an_empty_hand() -> None:
    choice = build_midway_position(question=build_question("calm", stage="choice"))
    trouble = LookForTrouble("puddle_bat")
    assert verdict(choice, trouble) == "granted"
    assert verdict(less(choice, "seats/0/hand"), trouble) == "which_cards:hand:0"
    assert (
        verdict(build_midway_position({"hand": []}, question=build_question("calm", stage="choice")), trouble)
        == "refused"
    )
    assert (
        verdict(build_midway_position({"hand": 1}, question=build_question("calm", stage="choice")), trouble)
        == "granted"
    )
    some = {"hand": {"cards": ["stilts"], "more": True}}
    assert (
        verdict(build_midway_position(some, question=build_question("calm", stage="choice")), trouble)
        == "which_cards:hand:0"
    )
    assert (
        verdict(build_midway_position(some, question=build_question("calm", stage="choice")), LootRoom()) == "granted"
    )


@pytest.mark.clause("KERNEL-POSITION-1", "MK-21.1")
def test_how_many_cards_a_hand_holds_is_asked_for_at_the_end_of_a_turn() -> None:
    after = build_midway_position(question=build_question("calm", stage="after"))
    assert verdict(after, EndTurn()) == "granted"
    assert verdict(less(after, "seats/0/hand"), EndTurn()) == "how_many_cards:hand:0"
    assert verdict(less(after, "seats/0/towns"), EndTurn()) == "which_cards:town/0"  # Thanksgiving has a higher limit
    assert verdict(less(after, "seats/1/hand", "seats/2/towns", "doors"), EndTurn()) == "granted"


@pytest.mark.clause("KERNEL-POSITION-1", "MK-9.1", "MK-9.2")
def test_a_claim_needs_all_that_gives_the_fighters_strength_and_nothing_of_others() -> None:
    fight = build_combat_position(combat={"monsters": ["stale_candy_swarm"]})
    assert verdict(fight, ClaimKill()) == "granted"
    for member, place in (("items", "play/0"), ("ride", "ride/0"), ("curses", "curse/0"), ("towns", "town/0")):
        assert verdict(less(fight, f"seats/0/{member}"), ClaimKill()) == f"which_cards:{place}"
    others = [f"seats/{seat}/{member}" for seat in (1, 2) for member in ("items", "ride", "curses", "towns", "hand")]
    assert verdict(less(fight, *others, "seats/0/hand", "treasures"), ClaimKill()) == "granted"
    helped = build_combat_position(combat={"monsters": ["stale_candy_swarm"], "helper": 2})
    assert verdict(less(helped, "seats/2/items"), ClaimKill()) == "which_cards:play/2"


@pytest.mark.clause("KERNEL-POSITION-1", "MK-5.3", "MK-2.6")
def test_a_deck_left_out_is_not_an_empty_deck() -> None:
    assert followed(less(build_midway_position(), "doors"), KickDoor())[1] in ("which_cards", "how_many_cards")
    events, need = followed(build_midway_position(doors=["wolfman"]), KickDoor())
    assert need == ""
    assert (
        apply_events(GAME.positions.decode_position(build_midway_position(doors=["wolfman"])), events)
        .running_combat.foes[0]
        .card
        == "wolfman"
    )
    empty = build_midway_position(doors=[], door_discard=[])
    assert followed(empty, KickDoor())[1] == ""
    assert followed(less(build_midway_position(doors=[]), "turn") | {"turn": 0}, KickDoor())[1] == "how_many_cards"


@pytest.mark.clause("KERNEL-POSITION-1", "MK-7.3")
def test_items_left_out_are_asked_for_where_they_matter() -> None:
    putting = PutIntoPlay("stilts")
    data = build_midway_position({"hand": ["stilts"]})
    assert verdict(data, putting) == "granted"
    assert verdict(less(data, "seats/0/items"), Equip("candy_hook")) == "which_cards:play/0"
    assert verdict(less(data, "seats/1/items"), putting) == "granted"


@pytest.mark.clause("KERNEL-POSITION-1", "MK-3.1")
def test_a_condition_that_cannot_be_told_leaves_a_play_undecided() -> None:
    lend = build_combat_position({"hand": ["lend_me_that"]}, combat={"monsters": ["oogie_boogie"]})
    assert verdict(lend, PlayCard("lend_me_that", seat=1)) == "granted"
    assert verdict(less(lend, "seats/0/items"), PlayCard("lend_me_that", seat=1)) == "which_cards:play/0"


LEAVABLE = ("hand", "items", "towns", "ride", "curses")


def thinned(data: Data, dice: random.Random) -> Data:
    """A position of which some members are left out at random."""
    data = deepcopy(data)
    for player in data["seats"]:
        for member in LEAVABLE:
            if member in player and dice.random() < 0.4:
                del player[member]
                if member == "items":
                    player.pop("in_use", None)
                    player.pop("attached", None)
    for pile in ("doors", "treasures", "door_discard", "treasure_discard"):
        if pile in data and dice.random() < 0.5:
            del data[pile]
    return data


def test_whatever_is_left_out_every_question_can_be_asked_and_every_move_judged_and_tried() -> None:
    dice, judged = random.Random(11), 0
    for _ in range(6):
        for example in GAME.positions.build_examples("standard"):
            try:
                state = GAME.positions.decode_position(thinned(example, dice))
            except (MalformedInput, ContradictoryPosition):
                continue  # a count or a drawn card rests on what was left out
            assert GAME.positions.decode_position(GAME.positions.encode_position(state)) == state
            judged += sum(1 for _ in judged_and_tried(state, state.rules.seats))
    assert judged > 2000
