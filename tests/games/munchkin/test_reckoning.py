"""The numbers that players are told: where each comes from, and that the parts add up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.engine.breakdown import Term
from referee.engine.events import Event, apply_events
from referee.games.munchkin import breakdowns
from referee.games.munchkin.card_attributes import Face, StaticAbility
from referee.games.munchkin.components import BOOK, FACES
from referee.games.munchkin.conditions import Condition
from referee.games.munchkin.events.combat import (
    Caught,
    DieRolled,
    DieTurned,
    Escaped,
    FlightRollModified,
    KillClaimed,
    MonstersKilled,
)
from referee.games.munchkin.events.course import LevelsGained, LevelsLost
from referee.games.munchkin.moves import FleeFrom, KeepRoll
from referee.games.munchkin.rules.cards.texts import build_text_execution
from referee.games.munchkin.rules.combat.rolling import AfterRoll
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import score_monsters, score_munchkins, sum_lines
from referee.games.munchkin.values import AddedStrength
from tests.games.munchkin.running import (
    die,
    flees,
    invented,  # noqa: F401  # the fixture that lays the invented cards into the box
    running,
    table,
    when,
)


def told(number: Term) -> tuple[str, int, str]:
    return number.says, number.value, number.card


def just_before(state: Table, events: tuple[Event, ...], kind: type[Event]) -> tuple[Table, Event]:
    """The table just before the first fact of a kind, and that fact."""
    at = next(at for at, event in enumerate(events) if isinstance(event, kind))
    return apply_events(state, events[:at]), events[at]


def all_of(numbers: tuple[Term, ...]) -> list[Term]:
    return [each for number in numbers for each in (number, *number.parts)]


# ---- both sides of a combat -----------------------------------------------------------------------------------------


def fought() -> Table:
    state = table("t_rat", "t_owl", helper=1, levels=(4, 3, 1), plays={0: ("t_cap",), 1: ("t_boots",)},
                  rides={1: ("t_goat", "t_saddle")})  # fmt: skip
    added = (AddedStrength("t_bead", 2, "monsters", 2), AddedStrength("t_ring", 0, "munchkins", 3))
    return replace(state, combat=replace(state.running_combat, added=added))


def test_a_running_combat_is_told_line_by_line_on_both_sides() -> None:
    ours, theirs = breakdowns.compute_totals(fought())
    assert told(ours) == ("number.munchkins", 14, "")
    assert [told(part) for part in ours.parts] == [
        ("line.level", 4, ""), ("line.item", 1, "t_cap"), ("line.level", 3, ""), ("line.item", 1, "t_boots"),
        ("line.ride", 1, "t_goat"), ("line.ride", 1, "t_saddle"), ("line.added", 3, "t_ring"),
    ]  # fmt: skip
    assert [told(part) for part in theirs.parts] == [
        ("line.monster", 5, "t_rat"), ("line.monster", 5, "t_owl"), ("line.added", 2, "t_bead")
    ]  # fmt: skip
    assert theirs.value == 12


def test_each_line_of_a_combat_names_its_clause_and_whose_it_is() -> None:
    ours, _ = breakdowns.compute_totals(fought())
    assert [part.clause for part in ours.parts][:2] == ["MK-9.1", "MK-7.2"]
    assert [part.params["seat"] for part in ours.parts] == [0, 0, 1, 1, 1, 1, 0]


def test_a_claimed_kill_tells_both_sides_as_the_rules_count_them() -> None:
    state = fought()
    ours, theirs = breakdowns.break_down_event(state, KillClaimed(0, 14, 12))
    assert (
        (ours.value, theirs.value) == (sum_lines(score_munchkins(state)), sum_lines(score_monsters(state))) == (14, 12)
    )


def test_a_kill_tells_what_each_monster_brings() -> None:
    numbers = breakdowns.break_down_event(fought(), MonstersKilled(0, ("t_rat", "t_owl")))
    assert [told(number) for number in numbers[2:]] == [
        ("number.levels_of_kill", 2, ""), ("number.treasures_of_kill", 2, "")
    ]  # fmt: skip
    assert [told(part) for part in numbers[2].parts] == [
        ("number.levels_for", 1, "t_rat"), ("number.levels_for", 1, "t_owl")
    ]  # fmt: skip


def test_without_a_combat_there_are_no_sums() -> None:
    assert breakdowns.compute_totals(table("t_rat", combat=None)) == ()


# ---- rolls ----------------------------------------------------------------------------------------------------------


def cursed() -> Table:
    return running("t_wolf", "t_snail", plays={0: ("t_boots",)}, curses={0: ("t_shakes",)})


@pytest.mark.parametrize(("pips", "kind", "count"), [(6, Escaped, 5), (2, Caught, 1)])
def test_the_outcome_of_a_flight_is_told_with_die_and_all_that_is_added(
    pips: int, kind: type[Event], count: int
) -> None:
    state = cursed()
    events, _ = flees(state, 0, "t_wolf", pips)
    before, event = just_before(state, events, kind)
    run, needed = breakdowns.break_down_event(before, event)
    assert told(run) == ("number.run_away", count, "t_wolf")
    assert [told(part) for part in run.parts] == [
        ("line.die", pips, ""), ("line.die_rolls", -1, "t_shakes"), ("line.escape", 1, "t_boots"),
        ("line.escape_monster", -1, "t_wolf"),
    ]  # fmt: skip
    assert told(needed) == ("number.escape_needed", 5, "")


def test_the_die_of_a_flight_is_told_as_it_falls_with_all_that_is_added() -> None:
    state = cursed()
    _facts, state = when(state, 0, FleeFrom("t_wolf"))
    more, _ = die(state, 3)
    before, event = just_before(state, more, DieRolled)
    assert told(breakdowns.break_down_event(before, event)[0]) == ("number.run_away", 2, "t_wolf")


def test_a_turned_die_is_told_with_its_new_face() -> None:
    _, state = when(cursed(), 0, FleeFrom("t_wolf"))
    _, state = die(state, 3)
    assert told(breakdowns.break_down_event(state, DieTurned(0, 6))[0]) == ("number.run_away", 5, "t_wolf")


def test_an_escape_without_a_roll_counts_nothing_but_what_the_fact_says() -> None:
    assert "number.run_away" not in {
        each.says for each in breakdowns.break_down_event(cursed(), Escaped(0, "t_wolf", "card"))
    }


def test_the_die_for_a_text_counts_no_bonus_to_run_away() -> None:
    state = cursed()
    rolling = replace(state, agenda=(*state.agenda, build_text_execution(state, "t_leech", "bad_stuff", 0)))
    (number,) = breakdowns.break_down_event(rolling, DieRolled(0, 4, "t_leech"))
    assert told(number) == ("number.die_for_text", 3, "t_leech")
    assert [told(part) for part in number.parts] == [("line.die", 4, ""), ("line.die_rolls", -1, "t_shakes")]


def test_a_die_that_cannot_count_less_than_one_has_no_parts_that_do_not_add_up() -> None:
    state = cursed()
    rolling = replace(state, agenda=(*state.agenda, AfterRoll(0, "t_leech", "pips", 1)))
    (number,) = breakdowns.break_down_event(rolling, DieTurned(0, 1))
    assert (number.value, number.parts) == (1, ())


def test_once_the_fighters_run_the_face_needed_is_told_for_every_roll_still_due() -> None:
    state = apply_events(cursed(), [FlightRollModified(0, -1)])
    wolf, snail = breakdowns.compute_totals(state)
    assert told(wolf) == ("number.run_needed", 7, "t_wolf")
    assert [told(part) for part in wolf.parts] == [
        ("number.escape_needed", 5, ""), ("number.less", 1, "t_shakes"), ("number.less", -1, "t_boots"),
        ("number.less", 1, "t_wolf"), ("number.less.hindered", 1, ""),
    ]  # fmt: skip
    assert told(snail) == ("number.run_needed", 4, "t_snail")


def test_the_face_needed_does_not_change_while_the_die_lies_there() -> None:
    _, state = when(cursed(), 0, FleeFrom("t_wolf"))
    _, after = die(state, 3)
    assert breakdowns.compute_totals(after)[0].value == breakdowns.compute_totals(state)[0].value == 6
    _, after = when(after, 0, KeepRoll())
    assert [number.card for number in breakdowns.compute_totals(after)] == ["t_snail"]


# ---- levels ---------------------------------------------------------------------------------------------------------


def test_a_level_gained_or_lost_is_told_with_the_one_before() -> None:
    (up,) = breakdowns.break_down_event(table("t_rat"), LevelsGained(0, 2, 6, "t_rat"))
    assert [told(up), *map(told, up.parts)] == [
        ("number.level_after", 6, ""), ("number.level_before", 4, ""), ("number.levels_gained.card", 2, "t_rat")
    ]  # fmt: skip
    (down,) = breakdowns.break_down_event(table("t_rat"), LevelsLost(0, 1, 3))
    assert [part.value for part in down.parts] == [4, -1]
    assert down.parts[1].says == "number.levels_lost"


# ---- for all of them ------------------------------------------------------------------------------------------------


def test_every_number_has_words_in_both_languages_and_its_parts_add_up() -> None:
    state = apply_events(cursed(), [FlightRollModified(0, -1)])
    found = all_of((
        *breakdowns.compute_totals(fought()), *breakdowns.compute_totals(state),
        *breakdowns.break_down_event(fought(), MonstersKilled(0, ("t_rat", "t_owl"))),
        *breakdowns.break_down_event(state, Caught(0, "t_wolf", 1)),
        *breakdowns.break_down_event(table("t_rat"), LevelsGained(0, 1, 5)),
        *breakdowns.break_down_event(table("t_rat"), LevelsGained(0, 1, 5, "t_rat")),
        *breakdowns.break_down_event(table("t_rat"), LevelsLost(0, 1, 3, "t_rat")),
    ))  # fmt: skip
    assert len(found) > 30
    for number in found:
        words = BOOK.render_texts(number.says, **{**number.params, "number": number.value, "from": number.card})
        assert all("{" not in each for each in words.values())
        if number.parts:
            assert sum(part.value for part in number.parts) == number.value


def test_a_position_that_does_not_say_enough_is_told_no_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    miser = Face(
        "t_rat", "monster", level=5, standing=(StaticAbility("strength", 2, when=Condition("hand_min", number=3)),)
    )
    monkeypatch.setitem(FACES, "t_rat", miser)
    assert [number.value for number in breakdowns.compute_totals(table("t_rat", hands={0: ("t_owl",) * 3}))] == [4, 7]
    unsaid = table("t_rat", hands={0: ("?some",)})
    assert breakdowns.compute_totals(unsaid) == ()
    assert breakdowns.break_down_event(unsaid, KillClaimed(0, 4, 7)) == ()
