"""Cards of owners that wait for something to happen, and that answer dice and curses."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cardscript.moves import Accept, ChooseCard, Decline
from referee.engine.chance import RollResult
from referee.engine.events import apply_events, replace_fields
from referee.engine.referee import build_view, resolve_pending_steps
from referee.engine.rulebook.editions import CardBookError
from referee.engine.seats import CLOCK, Seat
from referee.engine.steps import StepPushed
from referee.games.books import check_book_text, install_book_text
from referee.games.munchkin import GAME
from referee.games.munchkin.components import HANDS, TREASURE_DISCARD, TREASURES
from referee.games.munchkin.events.cards import CardDrawn, PutOnDeck
from referee.games.munchkin.events.combat import DieRolledAgain, DieTurned
from referee.games.munchkin.events.course import LevelsGained, LevelsLost
from referee.games.munchkin.events.texts import CurseCancelled, CurseRedirected
from referee.games.munchkin.events.triggers import TriggerNoted
from referee.games.munchkin.moves import ClaimKill, KeepRoll, Pass, PlayCard, Sell
from referee.games.munchkin.rules.cards.cursing import CurseStrike, CurseWindow
from referee.games.munchkin.rules.cards.texts import build_text_execution
from referee.games.munchkin.rules.combat.fighting import Fight
from referee.games.munchkin.rules.items.selling import sum_gold
from referee.games.munchkin.rules.turn import AfterDoor, Calm
from referee.games.munchkin.state import Table
from tests.games.munchkin.own_box import write_book
from tests.games.munchkin.wording import by_chance, of, offered, refusal, said, table, unsaid, when  # noqa: F401


def card(name: str, kind: str, **says: Any) -> dict[str, Any]:
    """An entry of the book."""
    return {"id": name, "kind": kind, "name": name.title().replace("_", " "), "text": "As it says.", **says}


def item(name: str, **trigger: Any) -> dict[str, Any]:
    """An item that waits for something."""
    return card(name, "item", slot="none", gold=100, whenever=[trigger])


LOSE: list[dict[str, Any]] = [{"do": "lose_levels", "count": 1}]
DRAW_TREASURE, DRAW_DOOR = ({"do": "draw", "deck": deck, "count": 1} for deck in ("treasure", "door"))
CARDS: list[dict[str, Any]] = [
    item("consolation", event="level_lost", does=[DRAW_TREASURE]),
    item("gloating", event="monster_killed", by="others", may=True, does=[DRAW_DOOR]),
    item("envy", event="level_gained", by="others", how="sale", does=[{**LOSE[0], "who": "player"}]),
    card("new_morning", "citizenship", town="easter", when="own_turn",
         whenever=[{"event": "turn_starts", "by": "anyone", "does": [DRAW_DOOR]}]),
    card("nudge", "one_shot", gold=100, when="after_any_roll", does=[{"do": "turn_die", "to": 1}]),
    card("second_try", "one_shot", gold=100, when="after_my_roll", does=[{"do": "roll_again"}]),
    card("shield_of_a_friend", "one_shot", gold=100, when="reaction_any_curse", does=[{"do": "cancel_curse"}]),
    card("mirror", "one_shot", gold=100, when="reaction_curse", does=[{"do": "redirect_curse", "to": "target"}]),
    card("bad_day", "curse", when="any_time", does=LOSE),
]  # fmt: skip
BOOK = install_book_text(write_book("waiting", CARDS, extends="printed"))
CONSOLATION, GLOATING, ENVY, MORNING, NUDGE, SECOND_TRY, FRIEND, MIRROR, BAD_DAY = (
    BOOK.card_id(each["id"]) for each in CARDS
)
PILES = {"doors": ("wolfman", "pumpkin_brute"), "treasures": ("bat_hat", "stilts", "chained_lantern")}


def owned(**more: Any) -> Table:
    """A table that is played with the book."""
    state = table(**{**PILES, **more}, rules={"edition": BOOK.edition})
    return replace_fields(state, agenda=(Calm(0, "after"),)) if state.combat is None else state


def follows(state: Table, *steps: Any) -> tuple[tuple[Any, ...], Table]:
    """What follows from these steps on top of the table, down to the next question."""
    state = apply_events(state, tuple(map(StepPushed, steps)))
    events = resolve_pending_steps(state)
    return events, apply_events(state, events)


def read_back(state: Table) -> Table:
    """The table of its position, which has fewer cards than a box."""
    written = GAME.positions.encode_position(state)
    return GAME.positions.tables.find_table(written).examine(written)[0]  # type: ignore[no-any-return]


# ---- what waits ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-27.1")
def test_a_card_in_use_is_set_off_when_its_player_loses_a_level_and_comes_when_that_is_done() -> None:
    state = owned(plays={0: (CONSOLATION,), 1: (CONSOLATION,)}, used=(CONSOLATION,))
    text = build_text_execution(state, BAD_DAY, "does", 0)
    events, after = follows(state, text)
    assert [(event.card, event.seat) for event in of(events, TriggerNoted)] == [(CONSOLATION, 0)]
    kinds = [type(event) for event in events if isinstance(event, LevelsLost | TriggerNoted | CardDrawn)]
    assert kinds == [LevelsLost, TriggerNoted, CardDrawn]
    assert (after.cards_at(HANDS[0]), after.later) == (("bat_hat",), ())
    told = GAME.narration.describe_event(of(events, TriggerNoted)[0])
    assert told is not None
    assert told["en"] == "Consolation of Player 1 is set off and follows as soon as it can."
    idle = replace_fields(state, equipped=())
    assert not of(follows(idle, text)[0], TriggerNoted), "an item that is only carried waits for nothing"


@pytest.mark.clause("MK-27.1")
def test_an_offer_is_made_to_whoever_waits_once_another_s_monster_is_dead_and_the_rewards_are_given() -> None:
    state = owned(plays={1: (GLOATING,)}, used=(GLOATING,), monsters=("pumpkin_brute",), levels=(8, 3, 3))
    state = replace_fields(state, agenda=(AfterDoor(0), Fight(0)), levels=(8, 3, 3))
    _, state = when(state, 0, ClaimKill())
    _, state = when(state, 1, Pass())
    events, state = when(state, 2, Pass())
    assert [event.seat for event in of(events, TriggerNoted)] == [1]
    assert state.combat is None
    assert {*offered(state, 1)} >= {Accept(), Decline()}
    assert read_back(state).agenda == state.agenda
    events, _ = when(state, 1, Accept())
    assert [event.seat for event in of(events, CardDrawn)] == [1]
    events, _ = when(state, 1, Decline())
    assert not of(events, CardDrawn)


@pytest.mark.clause("MK-27.1")
def test_a_card_may_wait_for_a_level_by_a_sale_and_reach_the_player_who_gained_it() -> None:
    goods = ("chained_lantern", "bat_hat", "stilts", "os_popping_corn", "os_frog_fizz")
    state = owned(plays={0: goods, 2: (ENVY,)}, used=(ENVY,), levels=(3, 3, 3), treasures=())
    assert sum_gold(goods) >= 1000
    events, after = when(state, 0, Sell(goods))
    assert [(event.card, event.seat) for event in of(events, TriggerNoted)] == [(ENVY, 2)]
    assert (len(of(events, LevelsGained)), [event.seat for event in of(events, LevelsLost)]) == (1, [0])
    assert after.levels == (3, 3, 3)


def test_what_waits_is_written_in_positions_and_on_the_board() -> None:
    state = owned(plays={0: (CONSOLATION,)}, used=(CONSOLATION,))
    noted = tuple(state.collect_triggers(LevelsLost(0, 1, 2, BAD_DAY)))
    after = apply_events(state, noted)
    (later,) = GAME.boards.draw(build_view(after, Seat(1)), 1, "standard")["later"]  # type: ignore[index]
    assert (later["card"], later["seat"], later["when"]) == (CONSOLATION, 0, "now")
    assert read_back(after).later == after.later
    (text,) = after.find_waiting_texts()
    assert (text.bound["player"], text.by) == ((0,), 0)
    assert not tuple(state.collect_triggers(LevelsLost(1, 1, 2, BAD_DAY)))


def test_the_game_s_own_cards_wait_for_nothing() -> None:
    assert not tuple(table().collect_triggers(LevelsLost(0, 1, 2, "wolfman")))


@pytest.mark.parametrize(
    ("kind", "trigger", "says"),
    [
        ("item", {"event": "level_lots", "does": LOSE}, "level_lots"),
        ("item", {"event": "level_lost", "does": []}, "does of whenever is missing"),
        ("item", {"event": "level_lost", "how": "sale", "does": LOSE}, "only level_gained takes how"),
        ("item", {"event": "level_lost", "by": "left", "does": LOSE}, "left"),
        ("item", {"event": "died", "does": [{"do": "bonus", "side": "munchkins", "count": 1}]}, "bonus cannot be used"),
        ("item", {"event": "died", "does": [{"do": "draw", "deck": "door", "count": 1, "who": "plaier"}]}, "'player'"),
        ("curse", {"event": "level_lost", "does": LOSE}, "only a curse that stays can wait"),
        ("one_shot", {"event": "level_lost", "does": LOSE}, "a card of kind one_shot takes no 'whenever'"),
    ],
)
def test_what_cannot_be_waited_for_is_refused(kind: str, trigger: dict[str, Any], says: str) -> None:
    more: dict[str, Any] = {
        "item": {"slot": "none"}, "curse": {"when": "any_time", "does": LOSE},
        "one_shot": {"when": "calm", "does": LOSE},
    }[kind]  # fmt: skip
    with pytest.raises(CardBookError) as error:
        check_book_text(write_book("wrong", [card("wrong", kind, **more, whenever=[trigger])], extends="printed"))
    assert says in str(error.value)


# ---- dice ------------------------------------------------------------------------------------------------------------

ROLL: tuple[dict[str, Any], ...] = (
    {"do": "roll", "called": "pips"},
    {"do": "gain_levels", "count": {"value_of": "pips"}},
)


def rolled(hands: dict[int, tuple[str, ...]], value: int = 4) -> Table:
    """Seat 0 has rolled a die for a card."""
    _, state = said(owned(hands=hands, levels=(1, 1, 1)), *ROLL)
    return by_chance(state, RollResult((value,)))[1]


@pytest.mark.clause("MK-27.5")
def test_the_last_die_is_rolled_again_and_the_second_number_counts() -> None:
    state = rolled({0: (SECOND_TRY,)})
    _, state = when(state, 0, PlayCard(SECOND_TRY))
    events, state = by_chance(state, RollResult((2,)))
    assert [event.value for event in of(events, DieRolledAgain)] == [2]
    if not of(events, LevelsGained):
        events, state = when(state, 0, KeepRoll())
    assert [event.count for event in of(events, LevelsGained)] == [2]


@pytest.mark.clause("MK-27.5")
def test_another_player_may_turn_a_die_as_long_as_it_is_not_kept() -> None:
    state = rolled({0: ("?",), 1: (NUDGE,), 2: ("bat_hat",)})
    assert (PlayCard(NUDGE) in offered(state, 1), PlayCard(NUDGE) in offered(state, 2)) == (True, False)
    assert state.awaited_seats >= {Seat(0)}
    assert not state.awaited_seats & {Seat(1), Seat(2)}, "nobody is waited for but the player who rolled"
    assert refusal(state, 1, KeepRoll()).reason == "die_of_another"
    events, after = when(state, 1, PlayCard(NUDGE))
    assert [(event.seat, event.value) for event in of(events, DieTurned)] == [(0, 1)]
    events, _ = when(after, 0, KeepRoll())
    assert [event.count for event in of(events, LevelsGained)] == [1]
    assert refusal(when(state, 0, KeepRoll())[1], 1, PlayCard(NUDGE)).reason in ("carried_out_first", "not_the_time")


# ---- curses ----------------------------------------------------------------------------------------------------------


def cursed(hands: dict[int, tuple[str, ...]], victim: int = 0) -> Table:
    """A curse is about to strike."""
    state = owned(hands=hands)
    state = replace_fields(state, zones={**state.zones, "pending": (BAD_DAY,)})
    return replace_fields(state, agenda=(*state.agenda, CurseStrike(BAD_DAY, victim, 2), CurseWindow(BAD_DAY, victim)))


@pytest.mark.clause("MK-27.5", "MK-20.5")
def test_a_curse_on_another_is_cancelled_by_a_card_for_any_curse() -> None:
    state = cursed({0: ("?",), 1: (FRIEND,)})
    assert PlayCard(FRIEND) in offered(state, 1)
    assert not [each for each in offered(state, 2) if isinstance(each, PlayCard | Pass)]
    assert state.awaited_seats - {CLOCK} == {Seat(0)}
    assert refusal(state, 1, Pass()).reason == "victim_alone_answers"
    events, after = when(state, 1, PlayCard(FRIEND))
    assert [(event.seat, event.by) for event in of(events, CurseCancelled)] == [(1, FRIEND)]
    assert (after.levels, after.agenda) == ((3, 3, 3), (Calm(0, "after"),))


@pytest.mark.clause("MK-27.5")
def test_a_curse_is_turned_on_another_player_who_may_answer_it() -> None:
    state = cursed({0: (MIRROR,), 1: ("?",)})
    plays = {each for each in offered(state, 0) if isinstance(each, PlayCard)}
    assert plays == {PlayCard(MIRROR, seat=1), PlayCard(MIRROR, seat=2)}
    events, state = when(state, 0, PlayCard(MIRROR, seat=1))
    (turned,) = of(events, CurseRedirected)
    told = GAME.narration.describe_event(turned)
    assert told is not None
    assert told["en"] == "Mirror turns Bad Day on Player 2 instead of Player 1."
    assert state.awaited_seats - {CLOCK} == {Seat(1)}
    events, state = when(state, 1, Pass())
    assert (state.levels, state.agenda) == ((3, 2, 3), (Calm(0, "after"),))


# ---- discards --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("MK-27.6")
@pytest.mark.parametrize("at_table", [False, True])
def test_a_discarded_card_goes_on_top_of_its_deck_where_it_is_hidden(at_table: bool) -> None:
    deck = ("?",) * 3 if at_table else ("bat_hat", "stilts", "chained_lantern")
    thrown = {"treasure": ("os_frog_fizz", "os_popping_corn")}
    state = table(treasures=deck, thrown=thrown, rules={"cards_at_table": at_table})
    find = {"do": "choose", "discarded": {"deck": "treasure"}, "called": "found"}
    _, state = said(state, find, {"do": "put_on_deck", "card": "found"})
    events, state = when(state, 0, ChooseCard("os_frog_fizz"))
    (put,) = of(events, PutOnDeck)
    assert state.cards_at(TREASURE_DISCARD) == ("os_popping_corn",)
    assert state.cards_at(TREASURES)[0] == ("?" if at_table else "os_frog_fizz")
    assert set(build_view(state, Seat(0)).cards_at(TREASURES)) == {"?"}
    told = GAME.narration.describe_event(put)
    assert told is not None
    assert "Toad Fizz" in told["en"]
    assert len(state.cards_at(TREASURES)) == 4
