"""What tables quarrel about in Mau-Mau, and the clause that settles it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.engine.chance import PickResult, Shuffle, TurnUpResult
from referee.engine.game import Setup
from referee.engine.seats import CHANCE
from referee.games.mau_mau import GAME
from referee.games.mau_mau.components import DECK
from referee.games.mau_mau.moves import DrawCard, PassTurn, PlayCard, WishSuit
from referee.games.mau_mau.rules.drawing import CardDrawing
from referee.games.mau_mau.rules.turn import SuitWish, TurnQuestion
from referee.games.mau_mau.state import Table
from tests.games.arguments import Argument, as_parameters, check_argument
from tests.games.course import settled, then
from tests.games.mau_mau.given import table

OWN = ["hearts_7", "hearts_8", "clubs_jack", "hearts_ace", "clubs_king"]
NEXT = ["spades_7", "spades_9", "spades_jack", "clubs_ace"]
THIRD = ["clubs_9", "diamonds_ace"]
AT_TURN = table(OWN, NEXT, THIRD)
DREW = table(OWN, NEXT, THIRD, agenda=(TurnQuestion(0, drew=True),))
UNDER_SEVEN = then(AT_TURN, 0, PlayCard("hearts_7"))
UNDER_TWO_SEVENS = then(UNDER_SEVEN, 1, PlayCard("spades_7"))
WISHING = then(AT_TURN, 0, PlayCard("clubs_jack"))
WISHED = then(WISHING, 0, WishSuit("hearts"))
NO_JACK_LAST = {"MM-AMB-1": 2}
REAL = {"at_table": True}


def at_a_table(named: tuple[int, ...] = ()) -> Table:
    """Real cards: a match that has just begun."""
    return settled(GAME.build_table(Setup("standard", 2, chance={"deck": "table"}, named=named)))


def naming(why: str) -> Table:
    """Real cards: a bot on seat 0 has drawn, and somebody is to name the card."""
    steps = (TurnQuestion(0, drew=True), CardDrawing(0, 1, why))
    return table(["?"], ["?"], deck=["?"] * 29, agenda=steps, rules={**REAL, "named": (0,)})


TURNS = [
    Argument("a card of another suit and rank", AT_TURN, 0, PlayCard("clubs_king"), "MM-PLAY-1"),
    Argument("a card of somebody else", AT_TURN, 0, PlayCard("clubs_9"), "MM-TURN-1"),
    Argument("the card that lies on top", AT_TURN, 0, PlayCard("hearts_9"), "MM-MAT-1"),
    Argument("a card that the pack lacks", AT_TURN, 0, PlayCard("hearts_6"), "MM-MAT-1"),
    Argument("a card out of turn", AT_TURN, 1, PlayCard("spades_9"), "MM-TURN-1"),
    Argument("a card out of turn that would not fit", AT_TURN, 1, PlayCard("clubs_ace"), "MM-TURN-1"),
    Argument("a second card in one turn", then(AT_TURN, 0, PlayCard("hearts_ace")), 0, PlayCard("hearts_7"),
             "MM-TURN-1"),
    Argument("a card drawn out of turn", AT_TURN, 2, DrawCard(), "MM-TURN-1"),
    Argument("a pass out of turn", AT_TURN, 2, PassTurn(), "MM-TURN-1"),
    Argument("a second pass", then(DREW, 0, PassTurn()), 0, PassTurn(), "MM-TURN-1"),
    Argument("a pass without drawing", AT_TURN, 0, PassTurn(), "MM-DRAW-1"),
    Argument("a second card is drawn", DREW, 0, DrawCard(), "MM-DRAW-2"),
    Argument("a card that does not fit after drawing", DREW, 0, PlayCard("clubs_king"), "MM-PLAY-1"),
    Argument("a card is drawn although one would fit", AT_TURN, 0, DrawCard(), "MM-DRAW-1", legal=True),
    Argument("after drawing another card than the one drawn", DREW, 0, PlayCard("hearts_ace"), "MM-AMB-5", legal=True),
    Argument("a pass after drawing with a card that fits", DREW, 0, PassTurn(), "MM-DRAW-2", legal=True),
    Argument("nothing is left to draw", table(OWN, NEXT, deck=[]), 0, DrawCard(), "MM-DRAW-3", legal=True),
    Argument("an ace lets nobody play again", AT_TURN, 0, PlayCard("hearts_ace"), "MM-PLAIN-1", legal=True),
]  # fmt: skip

SPECIAL = [
    Argument("another card on a seven", UNDER_SEVEN, 1, PlayCard("spades_9"), "MM-SEVEN-1"),
    Argument("a jack on a seven", UNDER_SEVEN, 1, PlayCard("spades_jack"), "MM-SEVEN-1"),
    Argument("a pass under a seven", UNDER_SEVEN, 1, PassTurn(), "MM-SEVEN-1"),
    Argument("a seven on a seven where the table forbids it",
             table(NEXT, OWN, top="hearts_7", due=2, rules={"stacking": False}), 0, PlayCard("spades_7"), "MM-AMB-8"),
    Argument("a pass under a seven where nothing answers it",
             table(NEXT, OWN, top="hearts_7", due=2, rules={"stacking": False}), 0, PassTurn(), "MM-AMB-8"),
    Argument("a seven out of turn helps nobody", UNDER_TWO_SEVENS, 0, PlayCard("hearts_8"), "MM-TURN-1"),
    Argument("a suit that was not wished", WISHED, 1, PlayCard("spades_9"), "MM-JACK-2"),
    Argument("a jack on a jack", WISHED, 1, PlayCard("spades_jack"), "MM-AMB-9"),
    Argument("a jack on a jack that follows the wish", table(OWN, NEXT, top="hearts_jack", wish="clubs"), 0,
             PlayCard("clubs_jack"), "MM-AMB-9"),
    Argument("a jack as the last card where the table forbids it",
             replace(table(["clubs_jack"], NEXT), readings=NO_JACK_LAST), 0, PlayCard("clubs_jack"), "MM-AMB-1-R2"),
    Argument("a wish without a jack", AT_TURN, 0, WishSuit("hearts"), "MM-JACK-2"),
    Argument("a wish for stars", WISHING, 0, WishSuit("stars"), "MM-MAT-1"),
    Argument("a wish by the next player", WISHING, 1, WishSuit("spades"), "MM-JACK-2"),
    Argument("another card before the wish", WISHING, 0, PlayCard("hearts_7"), "MM-JACK-2"),
    Argument("a card is drawn before the wish", WISHING, 0, DrawCard(), "MM-JACK-2"),
    Argument("the next player does not wait for the wish", WISHING, 1, PlayCard("clubs_ace"), "MM-JACK-2"),
    Argument("the wish is changed afterwards", WISHED, 0, WishSuit("clubs"), "MM-JACK-2"),
    Argument("a seven on a seven", UNDER_SEVEN, 1, PlayCard("spades_7"), "MM-AMB-8", legal=True),
    Argument("four cards for two sevens, and the turn is over", UNDER_TWO_SEVENS, 2, DrawCard(), "MM-AMB-7",
             legal=True),
    Argument("a jack of another suit on a plain card", AT_TURN, 0, PlayCard("clubs_jack"), "MM-JACK-1", legal=True),
    Argument("a jack on a jack where the table allows it",
             table(OWN, NEXT, top="hearts_jack", wish="spades", rules={"jack_on_jack": True}), 0,
             PlayCard("clubs_jack"), "MM-AMB-9", legal=True),
    Argument("an eight of two players", table(OWN, NEXT), 0, PlayCard("hearts_8"), "MM-EIGHT-1", legal=True),
    Argument("a seven as the last card", table(["hearts_7"], NEXT), 0, PlayCard("hearts_7"), "MM-AMB-1", legal=True),
    Argument("a jack as the last card", table(["clubs_jack"], NEXT), 0, PlayCard("clubs_jack"), "MM-AMB-1",
             legal=True),
    Argument("a wish for a suit that the player lacks", WISHING, 0, WishSuit("diamonds"), "MM-JACK-2", legal=True),
]  # fmt: skip

CHANCES = [
    Argument("a card is played before the shuffle", settled(GAME.build_table(Setup("standard", 2))), 0,
             PlayCard("hearts_7"), "MM-SETUP-1"),
    Argument("a card is played before the first is turned up", at_a_table(), 0, PlayCard("hearts_7"), "MM-SETUP-2"),
    Argument("a card is drawn before a bot has its hand", at_a_table((1,)), 0, DrawCard(), "MM-SETUP-1"),
    Argument("the first card is one that the pack lacks", at_a_table(), CHANCE, TurnUpResult("stars_7"), "MM-MAT-1"),
    Argument("a bot plays before its card is named", naming("turn"), 0, PlayCard("hearts_8"), "MM-DRAW-1"),
    Argument("the next plays before the cards for sevens are named", naming("sevens"), 1, PlayCard("hearts_8"),
             "MM-SEVEN-1"),
    Argument("a bot drew a card that lies open", naming("turn"), CHANCE, PickResult(("hearts_9",)), "MM-MAT-1"),
    Argument("a card is played before the discards are shuffled",
             table(OWN, NEXT, deck=["clubs_7", "clubs_8"],
                   agenda=(TurnQuestion(0, drew=True), CardDrawing(0, 1, "turn"), Shuffle(DECK))), 0,
             PlayCard("hearts_7"), "MM-DRAW-3"),
]  # fmt: skip

ARGUMENTS = [*TURNS, *SPECIAL, *CHANCES]


@pytest.mark.parametrize("each", as_parameters(ARGUMENTS))
def test_a_quarrel_is_settled_by_the_clause_that_players_name(each: Argument) -> None:
    check_argument(each)


def test_every_argument_is_one_of_its_own() -> None:
    assert len({each.says for each in ARGUMENTS}) == len(ARGUMENTS) >= 25
    assert sum(each.legal for each in ARGUMENTS) >= 8
    assert any(isinstance(step, SuitWish) for step in WISHING.agenda)
