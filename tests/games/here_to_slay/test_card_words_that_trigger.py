"""What the steps of card texts do, one by one: what draws, modifiers, rolls, magic and losses set off."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChooseValue, Decline
from referee.games.here_to_slay.events.cards import CardDiscarded, CardDrawn, CardShown
from referee.games.here_to_slay.events.plays import ModifierPlayed, PlayAnnounced, RollSettled, ValueAdded
from referee.games.here_to_slay.events.turns import PointsSpent
from referee.games.here_to_slay.moves import Attack, Challenge, DrawOne, Modify, PlayCard, RollFor
from referee.games.here_to_slay.state import Table
from tests.games.course import asked, of, refusal, then, when
from tests.games.here_to_slay.given import dice, names, offered, passes, rolls, stands, succeeds, table

QUIET = {0: "the_divine_arrow", 1: "the_fist_of_reason", 2: "the_shadow_claw"}  # leaders without a say in hero rolls


@pytest.mark.clause("HTS-DO-44")
@pytest.mark.parametrize(
    ("monster", "card"), [("malamammoth", "bard_mask"), ("malamammoth", "sealing_key"), ("orthus", "critical_boost")]
)
def test_a_card_drawn_of_the_kind_may_be_played_immediately(monster: str, card: str) -> None:
    state = table([], [], parties={0: ["peanut"]}, slain={0: [monster]}, deck=[card], points=1)
    _, state = when(state, 0, DrawOne())
    assert offered(state, 0) == [Decline(), ChooseCard(card)]
    events, _ = when(state, 0, ChooseCard(card))
    assert [event.immediate for event in of(events, PlayAnnounced)] == [True]
    assert not of(events, PointsSpent)


@pytest.mark.clause("HTS-DO-44", "HTS-DO-15", "HTS-AMB-50", "HTS-MAY-4")
def test_rex_major_shows_a_modifier_and_draws_one_which_may_be_shown_in_turn() -> None:
    state = table([], [], slain={0: ["rex_major"]}, deck=["modifier_plus_4", "modifier_minus_4", "peanut"])
    _, state = when(state, 0, DrawOne())
    for card in ("modifier_plus_4", "modifier_minus_4"):
        assert offered(state, 0) == [Decline(), ChooseCard(card)]
        events, state = when(state, 0, ChooseCard(card))
        assert [event.card for event in of(events, CardShown)] == [card]
        assert len(of(events, CardDrawn)) == 1
    assert offered(state, 0) == [Decline()]  # a hero, but the question is put all the same
    assert state.cards_in_hand(0) == ("modifier_plus_4", "modifier_minus_4", "peanut")


def with_modifiers(owner: str = "", **slain: str) -> Table:
    """Seat 0 has rolled 4+4 for Peanut; seats 1 and 2 hold modifiers."""
    hands = (["modifier_plus_4"], ["modifier_plus_2_minus_2"] * 2, ["modifier_minus_4"])
    monsters = {int(seat.removeprefix("seat")): [monster] for seat, monster in slain.items()}
    state = table(*hands, parties={0: ["peanut"]}, leaders={**QUIET, **({1: owner} if owner else {})}, slain=monsters)
    return dice(then(state, 0, RollFor("peanut")), 4, 4)[1]


@pytest.mark.clause("HTS-DO-45", "HTS-AMB-18")
@pytest.mark.parametrize(("answer", "added"), [(ChooseValue(1), [1]), (ChooseValue(-1), [-1]), (Decline(), [])])
def test_the_protecting_horn_adds_one_of_free_sign_to_each_own_modifier(answer: ChooseValue, added: list[int]) -> None:
    state = with_modifiers(owner="the_protecting_horn")
    events, state = when(state, 1, Modify("modifier_plus_2_minus_2", -2, 0))
    assert (asked(state), offered(state, 1)) == ({1}, [Decline(), ChooseValue(1), ChooseValue(-1)])
    assert refusal(state, 1, ChooseValue(2)).clauses == ("HTS-DO-45", "HTS-AMB-18")
    events, state = when(state, 1, answer)
    assert [(event.value, event.roller) for event in of(events, ValueAdded)] == [(value, 0) for value in added]
    assert asked(state) == {0, 1, 2}  # it is no modifier card and sets nothing off
    _, state = when(state, 2, Modify("modifier_minus_4", -4, 0))
    assert asked(state) == {0, 1}  # somebody else's modifier is none of the horn's


@pytest.mark.clause("HTS-DO-45", "HTS-AMB-19")
def test_abyss_queen_adds_one_to_the_owners_roll_for_each_modifier_of_another() -> None:
    events, state = when(with_modifiers(seat0="abyss_queen"), 1, Modify("modifier_plus_2_minus_2", -2, 0))
    assert [(event.source, event.value) for event in of(events, ValueAdded)] == [("abyss_queen", 1)]
    events, state = when(state, 0, Modify("modifier_plus_4", 4, 0))
    assert not of(events, ValueAdded)
    events, _ = when(with_modifiers(seat1="abyss_queen"), 2, Modify("modifier_minus_4", -4, 0))
    assert not of(events, ValueAdded)  # not a roll of its owner


@pytest.mark.clause("HTS-DO-45", "HTS-AMB-20")
@pytest.mark.parametrize("player", [0, 1, 2])
def test_crowned_serpent_may_draw_for_each_modifier_of_anybody_on_any_roll(player: int) -> None:
    state = with_modifiers(seat1="crowned_serpent")
    card = state.cards_in_hand(player)[0]
    value = {"modifier_plus_4": 4, "modifier_minus_4": -4, "modifier_plus_2_minus_2": 2}[card]
    _, state = when(state, player, Modify(card, value, 0))
    assert offered(state, 1) == [Decline(), Accept()]
    events, state = when(state, 1, Accept())
    assert [event.seat for event in of(events, CardDrawn)] == [1]
    assert state.agenda[-1].window_kind == "modifiers"


@pytest.mark.clause("HTS-DO-46", "HTS-DO-47")
def test_coins_and_arctic_aries_look_at_the_outcome_of_hero_rolls_only() -> None:
    def roll(item: str, *pips: int, monster: str = "") -> tuple[list[str], Table]:
        slain = {0: [monster] if monster else []}
        state = table(["challenge"], [], parties={0: [("napping_nibbles", item)]}, leaders=QUIET, slain=slain)
        events, after = rolls(then(state, 0, RollFor("napping_nibbles")), *pips)
        return names(events), after

    assert roll("suspiciously_shiny_coin", 6, 6)[0][-1] == "CardDiscarded"
    assert offered(roll("", 6, 6, monster="arctic_aries")[1], 0) == [Decline(), Accept()]
    parties = {0: [("peanut", "suspiciously_shiny_coin"), ("hook", "particularly_rusty_coin")]}
    state = table(["challenge"], [], parties=parties)
    events, after = rolls(then(state, 0, RollFor("peanut")), 1, 1)
    assert not of(events, CardDiscarded)
    events, after = rolls(then(state, 0, RollFor("hook")), 1, 1)
    assert [event.seat for event in of(events, CardDrawn)] == [0]  # by itself
    state = table(["challenge"], [], parties={0: [("peanut", "particularly_rusty_coin")]}, slain={0: ["arctic_aries"]},
                  row=["terratuga"])  # fmt: skip
    for pips in ((6, 6), (1, 1), (4, 4)):
        events, after = rolls(then(state, 0, Attack("terratuga")), *pips)
        assert not of(events, CardDrawn)
        assert after.agenda[-1].question_name() != "cards.Offer"


@pytest.mark.clause("HTS-DO-48")
def test_the_cloaked_sage_is_offered_a_draw_for_each_own_magic_that_stood() -> None:
    spells = ["enchanted_spell", "enchanted_spell", "forceful_winds"]
    state = table(spells, ["challenge"], leaders={0: "the_cloaked_sage", 1: "the_divine_arrow"})
    for spell, answer, drawn in zip(spells, (Accept(), Decline(), Accept()), (1, 0, 1), strict=True):
        events, state = stands(state, 0, PlayCard(spell))
        assert names(events)[-1] == "MagicPlayed"  # it lies in the discard pile before the offer
        assert offered(state, 0) == [Decline(), Accept()]
        events, state = when(state, 0, answer)
        assert len(of(events, CardDrawn)) == drawn
    state = table([], ["enchanted_spell"], leaders={0: "the_cloaked_sage", 1: "the_divine_arrow"}, turn=1)
    events, state = stands(state, 1, PlayCard("enchanted_spell"))
    assert asked(state) == {1}  # not an own magic


@pytest.mark.clause("HTS-DO-49")
def test_bloodwing_costs_the_challenger_a_card_before_the_dice() -> None:
    state = table(["peanut"], ["challenge", "hook", "fluffy"], slain={0: ["bloodwing"]})
    _, state = when(then(state, 0, PlayCard("peanut")), 1, Challenge())
    assert offered(state, 1) == [ChooseCards(("fluffy",)), ChooseCards(("hook",))]
    events, state = when(state, 1, ChooseCards(("hook",)))
    assert [(event.seat, event.put) for event in of(events, CardDiscarded)] == [(1, ("hook",))]
    events, _ = dice(state, 6, 6, 1, 1)
    assert names(events)[0] == "DiceRolled"


@pytest.mark.clause("HTS-DO-50")
def test_dracos_may_draw_for_each_own_hero_that_was_in_fact_destroyed() -> None:
    parties = {0: ["fluffy"], 1: ["peanut", "hook", ("spooky", "decoy_doll")]}
    state = table([], [], parties=parties, slain={1: ["dracos"]})
    _, both = succeeds(state, "fluffy", ChooseCard("peanut"), ChooseCard("hook"))
    for _ in range(2):
        assert offered(both, 1) == [Decline(), Accept()]
        events, both = when(both, 1, Accept())
        assert [event.seat for event in of(events, CardDrawn)] == [1]
    assert asked(both) == {0}
    _, saved = succeeds(state, "fluffy", ChooseCard("spooky"), ChooseCard("hook"))
    assert asked(saved) == {1}
    assert asked(then(saved, 1, Accept())) == {0}  # one only: Spooky was saved by its doll


@pytest.mark.clause("HTS-DO-45")
def test_a_modifier_in_a_challenge_is_a_modifier_on_a_roll_too() -> None:
    state = table(["peanut"], ["challenge"], ["modifier_plus_4", "hook"], leaders=QUIET, slain={0: ["abyss_queen"]})
    state = then(then(state, 0, PlayCard("peanut")), 1, Challenge())
    _, state = dice(state, 3, 3, 3, 3)
    events, on_own = when(state, 2, Modify("modifier_plus_4", 4, 0))
    assert [event.roller for event in of(events, ValueAdded)] == [0]
    events, _ = when(state, 2, Modify("modifier_plus_4", 4, 1))
    assert (len(of(events, ModifierPlayed)), of(events, ValueAdded)) == (1, [])  # on the challenger's roll
    events, _ = passes(on_own)
    assert [event.total for event in of(events, RollSettled)] == [8, 11]  # the Fist's 2; 4 and 1
