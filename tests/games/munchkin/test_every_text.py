"""Every text of every card is carried out to its end, whatever is answered, and no card gets lost on the way."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest

import referee.games.munchkin  # noqa: F401  # reads the card texts
from referee.engine.events import apply_events, replace_fields
from referee.engine.referee import (
    draw_chance_move,
    find_legal_moves,
    play_move,
    resolve_pending_steps,
    seats_that_must_act,
)
from referee.engine.seats import CHANCE, CLOCK
from referee.engine.steps import StepPushed
from referee.engine.zones import backs_of
from referee.games.munchkin.components import COMBAT, FACES, PENDING, PROGRAMS
from referee.games.munchkin.rules.cards.cursing import start_curse
from referee.games.munchkin.rules.cards.texts import build_text_execution
from referee.games.munchkin.state import Table
from referee.games.munchkin.texts.vocabulary import WORDS
from referee.games.munchkin.values import Foe
from tests.games.munchkin.wording import at_rest, kept, table

GUIDE = Path(__file__).parents[3] / "referee/cardscript/guides/munchkin.md"
TEXTS = sorted((card, text) for card, text in PROGRAMS)
IN_COMBAT = ("any_combat", "my_combat")


def rich(card: str, text: str) -> Table:
    """A table on which nearly every text finds something to do."""
    fleeing = text in ("bad_stuff", "escaped") or {"fleeing", "any_flee"} & set(FACES[card].when)
    monsters = (Foe("attic_widow", "attic_widow"), Foe("wolfman", "wolfman"))
    if FACES[card].kind == "monster" and card not in ("attic_widow", "wolfman"):
        monsters = (*monsters, Foe(card, card))
    state = table(
        {0: ("bat_hat", "coal_imp", "os_popping_corn"), 1: ("stilts", "marrow_pup"), 2: ("rusty_bell", "cellar_imp")},
        {0: ("crooked_crown", "snow_stompers", "candy_hook", "buckled_vest", "os_glitter_bomb"),
         1: ("curly_boots", "bat_hat", "grave_spade"), 2: ("icicle_dirk", "spare_shadow")},
        towns={0: ("town_easter", "town_halloween", "dual_citizenship"), 1: ("town_christmas",)},
        rides={0: ("ride_broom", "renh_bells"), 1: ("ride_pram",)},
        curses={0: ("curse_cobweb_hat",)},
        doors=("puddle_bat", "gravy_wisp", "curse_level"), treasures=("eggshell_helm", "tinfoil_suit", "bone_spurs"),
        thrown={"door": ("town_thanksgiving", "ember_hound"), "treasure": ("bat_hat", "gual_pie")},
        monsters=monsters, helper=1, levels=(5, 5, 2),
    )  # fmt: skip
    if fleeing:
        pairs = tuple(f"{seat}/{foe.card}" for seat in (0, 1) for foe in state.running_combat.foes)
        state = replace_fields(state, combat=replace_fields(state.running_combat, to_flee=pairs))
    if text == "does" and FACES[card].kind != "curse":
        lies = COMBAT if set(IN_COMBAT) & set(FACES[card].when) else PENDING
        state = replace_fields(state, zones={**state.zones, lies: (*state.cards_at(lies), card)})
    return state


def begun(card: str, text: str) -> Table:
    """The text is under way."""
    state = rich(card, text)
    if FACES[card].kind == "curse":
        state = replace_fields(state, zones={**state.zones, PENDING: (card,)})
        state = apply_events(state, start_curse(state, card, 0))
    else:
        named = {"target": 2, "monster": "wolfman", "partner": "coal_imp", "side": "monsters"}
        state = apply_events(state, (StepPushed(build_text_execution(state, card, text, 0, **named)),))
    return apply_events(state, resolve_pending_steps(state))


def counted(state: Table) -> Counter[str]:
    return Counter(card for cards in state.zones.values() for card in cards)


@pytest.mark.clause("MK-2.1")
@pytest.mark.parametrize(("card", "text"), TEXTS, ids=[f"{card}.{text}" for card, text in TEXTS])
def test_the_text_comes_to_an_end_and_loses_no_card(card: str, text: str) -> None:
    for seed in range(6):
        below = random.Random(seed)
        state = begun(card, text)
        there = counted(state)
        for _ in range(60):
            if at_rest(state):
                break
            state = kept(state)
            waiting = sorted(seats_that_must_act(state) - {CLOCK})
            if waiting == [CHANCE]:
                seat, move = CHANCE, draw_chance_move(state, below.randrange)
            else:
                seat = waiting[0]
                move = below.choice(list(find_legal_moves(state, seat)))
            state = apply_events(state, play_move(state, seat, move))
            assert counted(state) == there
        assert at_rest(state), state.agenda
        assert all(1 <= level <= 9 for level in state.levels)


def unseen(state: Table) -> Table:
    """The same table with real cards: nobody has told the referee what the hands and decks hold."""
    zones = {name: backs_of(cards) if ":" in name else cards for name, cards in state.zones.items()}
    return replace_fields(state, zones=zones, rules=replace_fields(state.rules, cards_at_table=True))


@pytest.mark.parametrize(("card", "text"), TEXTS, ids=[f"{card}.{text}" for card, text in TEXTS])
def test_with_real_cards_the_text_comes_to_an_end_as_well(card: str, text: str) -> None:
    below, state = random.Random(card), unseen(rich(card, text))
    state = apply_events(
        state, (StepPushed(build_text_execution(state, card, text, 0, target=2, monster="wolfman", side="monsters")),)
    )
    state, there = apply_events(state, resolve_pending_steps(state)), sum(map(len, state.zones.values()))
    for _ in range(60):
        if at_rest(state):
            break
        seat = min(seats_that_must_act(state) - {CLOCK})
        move = (
            draw_chance_move(state, below.randrange)
            if seat == CHANCE
            else below.choice(list(find_legal_moves(state, seat)))
        )
        state = apply_events(state, play_move(state, seat, move))
        assert sum(map(len, state.zones.values())) == there
    assert at_rest(state), state.agenda


def test_every_word_of_the_language_is_used_by_a_card() -> None:
    used = {line.effect.WORD for lines in PROGRAMS.values() for line in lines}
    used |= set(re.findall(r"\bdo: (\w+)", GUIDE.read_text("utf-8")))  # its book is played in test_guide.py
    assert set(WORDS.effects) - used <= {"stop", "special", "again", "alternative"}
