"""What the slain monsters give to their owner with draws, turns and plays, and when they do not."""

from __future__ import annotations

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChooseUnseen, Decline
from referee.games.here_to_slay.events.cards import CardShown
from referee.games.here_to_slay.events.plays import PlayAnnounced, PlayStood
from referee.games.here_to_slay.events.turns import TurnStarted
from referee.games.here_to_slay.moves import Challenge, DrawOne, EndTurn, Pass, PlayCard, RollFor
from tests.games.course import of, pulled, refusal, then, when
from tests.games.here_to_slay.given import names, offered, owner, rolled_for, stands, table

# ---- draws: Malamammoth, Orthus, Rex Major -------------------------------------------------------------------


@pytest.mark.card("malamammoth", "orthus")
@pytest.mark.clause("HTS-DO-44", "HTS-DO-43", "HTS-DO-31", "HTS-NOW-1")
@pytest.mark.parametrize(("monster", "card"), [("malamammoth", "bard_mask"), ("orthus", "enchanted_spell")])
def test_a_drawn_card_of_its_kind_may_be_played_at_once_for_free(monster: str, card: str) -> None:
    state = then(owner(monster, [], ["challenge"], deck=[card]), 0, DrawOne())
    assert offered(state, 0) == [Decline(), ChooseCard(card)]
    events, state = stands(state, 0, ChooseCard(card))
    assert of(events, PlayAnnounced)[0].immediate
    assert (state.cards_in_hand(0), state.points) == ((), 2)
    assert state.item_of("peanut") == card or state.lasting[0].source == card


@pytest.mark.card("malamammoth", "orthus")
@pytest.mark.clause("HTS-AMB-5", "HTS-DO-44", "HTS-CHAL-5")
@pytest.mark.parametrize(("monster", "card"), [("malamammoth", "bard_mask"), ("orthus", "enchanted_spell")])
def test_played_in_the_turn_of_another_it_can_not_be_challenged(monster: str, card: str) -> None:
    state = owner(monster, ["hook"], ["challenge"], parties={1: ["plundering_puma"]}, deck=[card], turn=1)
    _, state = rolled_for(state, "plundering_puma", 3, 3, seat=1)
    state = then(state, 0, Accept())
    events, state = when(state, 0, ChooseCard(card))
    assert of(events, PlayStood) == [PlayStood(0, card)]


@pytest.mark.card("malamammoth", "orthus", "rex_major")
@pytest.mark.clause("HTS-DO-44", "HTS-AMB-51", "HTS-MAY-3", "HTS-ASK-3")
@pytest.mark.parametrize(
    ("monster", "card", "other"),
    [("malamammoth", "bard_mask", "enchanted_spell"), ("orthus", "enchanted_spell", "bard_mask"),
     ("rex_major", "modifier_plus_4", "enchanted_spell")],
)  # fmt: skip
def test_it_does_not_work_with_another_kind_nor_with_a_card_held_or_taken(monster: str, card: str, other: str) -> None:
    state = then(owner(monster, [card], [], deck=[other]), 0, DrawOne())
    assert offered(state, 0) == [Decline()]
    assert refusal(state, 0, ChooseCard(other)).clauses[0] == "HTS-DO-40"
    events, state = when(state, 0, Decline())
    assert (names(events), len(state.cards_in_hand(0))) == ([], 2)
    kept = owner(monster, [], [], party=["bullseye"], deck=[card, other, "hook"])
    _, kept = rolled_for(kept, "bullseye", 4, 3)
    kept = then(kept, 0, ChooseUnseen(card), ChooseCards(("hook", other)))
    assert (kept.cards_in_hand(0), RollFor("bullseye") in offered(kept, 0), EndTurn() in offered(kept, 0)) == (
        (card,), False, True
    )  # fmt: skip
    won = owner(monster, [], [card, "hook"], party=["silent_shadow", "bear_claw"])
    _, won = rolled_for(won, "bear_claw", 4, 3)
    _, won = pulled(won, card)
    assert (won.cards_in_hand(0), EndTurn() in offered(won, 0)) == ((card,), True)


@pytest.mark.card("rex_major")
@pytest.mark.clause("HTS-DO-44", "HTS-DO-15", "HTS-DO-1", "HTS-MAY-4", "HTS-AMB-50")
def test_rex_major_shows_a_drawn_modifier_and_draws_which_may_be_shown_in_turn() -> None:
    deck = ["modifier_plus_4", "modifier_minus_4", "hook"]
    state = then(owner("rex_major", [], [], deck=deck), 0, DrawOne())
    events, state = when(state, 0, ChooseCard("modifier_plus_4"))
    assert names(events) == ["CardShown", "CardDrawn"]
    events, state = when(state, 0, ChooseCard("modifier_minus_4"))
    assert of(events, CardShown) == [CardShown(0, "modifier_minus_4")]
    assert offered(state, 0) == [Decline()]
    state = then(state, 0, Decline())
    assert sorted(state.cards_in_hand(0)) == sorted(deck)


@pytest.mark.card("rex_major")
@pytest.mark.clause("HTS-DO-44", "HTS-MAY-4", "HTS-AMB-50")
def test_rex_major_does_not_draw_for_a_modifier_that_is_not_shown() -> None:
    state = then(owner("rex_major", [], [], deck=["modifier_plus_4", "hook"]), 0, DrawOne())
    events, state = when(state, 0, Decline())
    assert (names(events), state.cards_in_hand(0)) == ([], ("modifier_plus_4",))


# ---- Mega Slime, Warworn Owlbear -----------------------------------------------------------------------------


@pytest.mark.card("mega_slime")
@pytest.mark.clause("HTS-DO-36", "HTS-TURN-2", "HTS-TURN-7")
def test_mega_slime_gives_a_fourth_point_in_each_own_turn() -> None:
    events, _ = when(owner("mega_slime", [], [], turn=1), 1, EndTurn())
    assert of(events, TurnStarted) == [TurnStarted(0, 4)]


@pytest.mark.card("mega_slime")
@pytest.mark.clause("HTS-DO-36", "HTS-TURN-2", "HTS-MON-12")
def test_mega_slime_does_not_give_a_point_to_others_nor_from_the_row() -> None:
    events, _ = when(owner("mega_slime", [], []), 0, EndTurn())
    assert of(events, TurnStarted) == [TurnStarted(1, 3)]
    events, _ = when(table([], [], row=["mega_slime"], turn=1), 1, EndTurn())
    assert of(events, TurnStarted) == [TurnStarted(0, 3)]


@pytest.mark.card("warworn_owlbear")
@pytest.mark.clause("HTS-DO-33", "HTS-CHAL-5", "HTS-AMB-33")
@pytest.mark.parametrize("item", ["bard_mask", "sealing_key"])
def test_warworn_owlbear_keeps_own_items_even_cursed_ones_from_challenges(item: str) -> None:
    events, state = when(owner("warworn_owlbear", [item], ["challenge"]), 0, PlayCard(item))
    assert of(events, PlayStood) == [PlayStood(0, item)]
    assert state.item_of("peanut") == item


@pytest.mark.card("warworn_owlbear")
@pytest.mark.clause("HTS-DO-33", "HTS-CHAL-5")
@pytest.mark.parametrize("card", ["hook", "enchanted_spell"])
def test_warworn_owlbear_does_not_cover_heroes_magic_or_the_items_of_others(card: str) -> None:
    state = then(owner("warworn_owlbear", [card], ["challenge"]), 0, PlayCard(card))
    assert offered(state, 1) == [Pass(), Challenge()]
    theirs = then(owner("warworn_owlbear", ["challenge"], ["bard_mask"], turn=1), 1, PlayCard("bard_mask"))
    assert offered(theirs, 0) == [Pass(), Challenge()]
