"""When clauses of Mau-Mau may be cited."""

from __future__ import annotations

from typing import cast

from referee.engine.chance import PickResult
from referee.games.mau_mau.components import rank_of, suit_of
from referee.games.mau_mau.events import (
    CardsBecameDue,
    FirstCardTurnedUp,
    HandEmptied,
    NothingToDraw,
    PileRenewed,
    SuitWished,
    TurnPassed,
    TurnSkipped,
    TurnsRanOut,
)
from referee.games.mau_mau.moves import PassTurn, PlayCard, WishSuit
from referee.games.mau_mau.rules.drawing import CardDrawing
from referee.games.mau_mau.rules.turn import SetupStart
from tests.games.conditions import Condition, before, both, either, happens, moves, pending
from tests.games.matches import Turned


def plays(*ranks: str) -> Condition:
    """A card of these ranks is played."""
    return moves(PlayCard, where=lambda move: rank_of(move.card) in ranks)


def fits(turned: Turned) -> bool:
    """The card that is played has the suit or the rank of the one on top."""
    top, card = turned.before.top, cast(PlayCard, turned.move).card
    return rank_of(card) == rank_of(top) or suit_of(card) == (turned.before.wished_suit or suit_of(top))


def has_drawn(turned: Turned) -> bool:
    """The player on turn has drawn already."""
    return bool(turned.before.agenda[-1].drew)


def draws(why: str) -> Condition:
    """Cards are drawn for this reason."""

    def is_drawing(turned: Turned) -> bool:
        begun = (step for event in turned.events if (step := getattr(event, "step", None)) is not None)
        return any(isinstance(step, CardDrawing) and step.why == why for step in (*turned.before.agenda, *begun))

    return is_drawing


CONDITIONS: dict[str, Condition] = {
    "MM-SETUP-1": either(pending(SetupStart), happens(FirstCardTurnedUp), moves(PickResult)),
    "MM-SETUP-2": either(pending(SetupStart), happens(FirstCardTurnedUp)),
    "MM-AMB-3": happens(FirstCardTurnedUp),
    "MM-PLAY-1": both(moves(PlayCard), fits),
    "MM-DRAW-1": draws("turn"),
    "MM-DRAW-2": either(moves(PassTurn), happens(TurnPassed), both(moves(PlayCard), has_drawn)),
    "MM-AMB-5": both(moves(PlayCard), has_drawn),
    "MM-DRAW-3": happens(PileRenewed, NothingToDraw),
    "MM-SEVEN-1": either(plays("7"), happens(CardsBecameDue), draws("sevens")),
    "MM-AMB-7": draws("sevens"),
    "MM-AMB-8": either(both(plays("7"), before(lambda table: table.cards_due)), draws("sevens")),
    "MM-EIGHT-1": either(plays("8"), happens(TurnSkipped)),
    "MM-JACK-1": plays("jack"),
    "MM-JACK-2": either(plays("jack"), moves(WishSuit), happens(SuitWished), before(lambda table: table.wished_suit)),
    "MM-PLAIN-1": plays("9", "10", "queen", "king", "ace"),
    "MM-END-1": happens(HandEmptied),
    "MM-AMB-1": happens(HandEmptied),
    "MM-AMB-2": happens(TurnsRanOut),
}  # fmt: skip
