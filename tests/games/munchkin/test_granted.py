"""What an enhancer grants its monster while it lies there, and curses that end as a turn begins."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.events import apply_events, replace_fields
from referee.engine.referee import build_view, resolve_pending_steps
from referee.engine.rulebook.editions import CardBookError
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.games.books import check_book_text, install_book_text
from referee.games.munchkin.components import BOOK, CURSES, DOOR_DISCARD, FACES
from referee.games.munchkin.rules.combat.fleeing import is_pursuing
from referee.games.munchkin.rules.combat.helping import check_help_allowed
from referee.games.munchkin.rules.combat.rolling import score_flight_roll
from referee.games.munchkin.rules.turn import TurnBegins
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import find_restrictions, score_monsters, score_munchkins, sum_lines
from referee.games.munchkin.values import Foe
from tests.games.munchkin.own_box import write_book
from tests.games.munchkin.wording import table

GRANTS: tuple[dict[str, Any], ...] = (
    {"strength": {"hand_of": "main"}}, {"escape": 2}, {"no_one_shots": True}, {"level_only": True},
    {"no_helper": True}, {"no_pursuit": True, "if": {"level_max": 3}}, {"no_bonus": "headgear"},
    {"strength": 4, "if": {"has_ride": True}},
)  # fmt: skip
CARDS: list[dict[str, Any]] = [
    {
        "id": f"grants_{number}", "kind": "enhancer", "name": f"Grant {number}", "text": "Grants.",
        "when": "any_combat", "does": [{"do": "enhance", "count": 1}], "grants": [grant],
    }
    for number, grant in enumerate(GRANTS)
]  # fmt: skip
CARDS.append(
    {
        "id": "hiccups", "kind": "curse", "name": "Hiccups", "text": "-2.", "when": "any_time",
        "standing": [{"strength": -2}], "stays": {"until": "next_turn"},
    }
)  # fmt: skip
BOOK_OF_GRANTS = install_book_text(write_book("grants", CARDS, extends="printed"))
(STRENGTH, ESCAPE, NO_ONE_SHOTS, LEVEL_ONLY, NO_HELPER, NO_PURSUIT, NO_BONUS, AGAINST_RIDES, HICCUPS) = (
    BOOK_OF_GRANTS.card_id(card["id"]) for card in CARDS
)
WORN = {0: ("bat_hat", "stilts")}


def fight(*enhancers: str, twin: bool = False) -> Table:
    """A combat of seat 0 against a monster with these enhancers, or against it and a twin that has copies of them."""
    foes = [Foe("gravy_wisp", "gravy_wisp", enhancers)]
    foes += [Foe("second_helping", "gravy_wisp", enhancers)] if twin else []
    return table(
        hands={0: ("?", "?", "?"), 1: ("?",)}, plays=WORN, monsters=foes, levels=(3, 9, 3),
        rules={"edition": BOOK_OF_GRANTS.edition},
    )  # fmt: skip


def sums(state: Table) -> tuple[int, int]:
    """Both strengths, which every view finds the same."""
    found = sum_lines(score_munchkins(state)), sum_lines(score_monsters(state))
    seen = build_view(state, Seat(2))
    assert (sum_lines(score_munchkins(seen)), sum_lines(score_monsters(seen))) == found
    return found


@pytest.mark.clause("MK-10.1", "MK-10.2", "MK-10.3")
def test_granted_strength_counts_for_the_monster_and_for_its_twin() -> None:
    plain, granted = sums(fight()), sums(fight(STRENGTH))
    assert (granted[0], granted[1]) == (plain[0], plain[1] + 1 + 3)
    assert sums(fight(STRENGTH, twin=True))[1] == 2 * granted[1]
    line = next(line for line in score_monsters(fight(STRENGTH)) if line.count == 3)
    assert (line.says, line.card, line.of) == ("line.enhancer", STRENGTH, "gravy_wisp")
    assert sums(fight(AGAINST_RIDES))[1] == plain[1] + 1


@pytest.mark.clause("MK-9.4")
def test_granted_restrictions_hold_for_the_whole_combat() -> None:
    assert sums(fight(LEVEL_ONLY))[0] == 3
    assert sums(fight())[0] - sums(fight(NO_BONUS))[0] == FACES["bat_hat"].bonus
    check_help_allowed(fight(ESCAPE))
    with pytest.raises(IllegalMove) as refused:
        check_help_allowed(fight(NO_HELPER))
    assert refused.value.ruling.reason == "nobody_can_help"
    assert [foe.card for foe, _ in find_restrictions(fight(NO_ONE_SHOTS), "no_one_shots")] == ["gravy_wisp"]
    assert not list(find_restrictions(fight(NO_HELPER), "no_one_shots"))


@pytest.mark.clause("MK-17.3", "MK-17.6")
def test_granted_escape_counts_for_the_roll_and_says_its_card() -> None:
    state = fight(ESCAPE)
    (foe,) = state.running_combat.foes
    (line,) = (each for each in score_flight_roll(state, 0, foe, 3) if each.of)
    assert (line.says, line.count, line.card) == ("line.escape_enhancer", 2, ESCAPE)
    told = BOOK.render_text(line.says, "de", number=line.count, **{"from": line.card, "of": line.of})
    assert told.startswith("„Grant 1“ auf ")
    state = fight(NO_PURSUIT)
    (foe,) = state.running_combat.foes
    assert [is_pursuing(state, seat, foe) for seat in (0, 1)] == [False, True]


# ---- curses that end as a turn begins ------------------------------------------------------------------------------


@pytest.fixture
def cursed() -> Table:
    """Seat 0 has the hiccups."""
    return table(curses={0: (HICCUPS,)}, doors=("wolfman",), rules={"edition": BOOK_OF_GRANTS.edition})


@pytest.mark.parametrize(("seat", "left"), [(0, ()), (1, (HICCUPS,)), (2, (HICCUPS,))])
def test_a_curse_goes_as_the_next_turn_of_its_victim_begins(cursed: Table, seat: int, left: tuple[str, ...]) -> None:
    state = replace_fields(cursed, agenda=(TurnBegins(seat),))
    state = apply_events(state, resolve_pending_steps(state))
    assert state.cards_at(CURSES[0]) == left
    assert (HICCUPS in state.cards_at(DOOR_DISCARD)) == (not left)


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("grants", [{"hand_limit": 1}], "an enhancer cannot grant hand_limit; it can grant: strength, escape"),
        ("grants", [{"strength": {"hand_of": "me"}}], "what a monster is granted is counted of main"),
        ("grants", [{"strenght": 1}], "unknown standing value 'strenght'; did you mean 'strength'?"),
        ("stays", {"until": "next_trun"}, "a card of kind enhancer takes no 'stays'"),
    ],
)
def test_what_cannot_be_granted_is_refused(key: str, value: object, says: str) -> None:
    with pytest.raises(CardBookError) as error:
        check_book_text(write_book("wrong", [{**CARDS[1], key: value}], extends="printed"))
    assert says in str(error.value)
