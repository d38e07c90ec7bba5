"""Questions that card texts ask, as a position says them: the text being carried out, and what it asks.

The text stands just past the line that asks; the words of that line say the rest of the question.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.cardscript.language.builtins import Choose, OfferTo
from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.language.primitives import Values, Word
from referee.cardscript.positions.steps import Said, Steps, values
from referee.cardscript.questions import Choosing, Offer
from referee.engine.codec import Unreadable
from referee.engine.rulings import Unknown
from referee.engine.steps import Step
from referee.games.munchkin.card_attributes import TEXTS
from referee.games.munchkin.components import FACES, PROGRAMS
from referee.games.munchkin.derived import holds
from referee.games.munchkin.rules.cards.cursing import Strikes
from referee.games.munchkin.rules.cards.playing import Finish, stays_in_combat
from referee.games.munchkin.rules.cards.texts import has_text
from referee.games.munchkin.rules.combat.rewards import Spoils
from referee.games.munchkin.rules.combat.rolling import AfterRoll, Throw
from referee.games.munchkin.rules.hands import DiscardHand
from referee.games.munchkin.rules.items.item_loss import LoseItems, PayWorth, cause_of
from referee.games.munchkin.state import Table
from referee.games.munchkin.texts.verbs_of_items import Lose, LoseWorth
from referee.games.munchkin.texts.verbs_of_players import DiscardFromHand, RollDie, number
from referee.games.munchkin.values import NOBODY

Top = Callable[[Said, CarryOut, Any, int], Step]  # makes the question on top of a text; the number is who is asked
OF_A_COMBAT = ("main", "helper", "fighters")


def seat_of(said: Said, table: Table, name: str = "seat") -> int:
    """The seat that a form names, else the player on turn. Raises Unreadable."""
    if name in said:
        return int(said[name])
    if table.turn == NOBODY:
        raise Unreadable(f"/question/{name}", "is missing: nobody is on turn")
    return table.turn


def around(table: Table, card: str, by: int) -> dict[str, Values]:
    """The names that every text finds bound, as the table is now."""
    others, combat = table.others(by), table.combat
    bound: dict[str, Values] = {
        "me": (by,), "this": (card,), "left": others[:1], "right": others[-1:], "everyone": table.clockwise(by)
    }  # fmt: skip
    if combat is not None:
        bound |= {"main": (combat.main,), "fighters": combat.fighters}
        bound |= {"helper": (combat.helper,)} if combat.helper != NOBODY else {}
    return bound


def parts(card: str) -> list[str]:
    """The texts of a card."""
    names = (*TEXTS, *(f"power/{power.name}" for power in FACES[card].powers))
    return [name for name in names if (card, name) in PROGRAMS]


def text_of(said: Said, table: Table, *kinds: type[Word]) -> tuple[CarryOut, Any]:
    """The text that asks, just past the line of one of these kinds, and that line's word. Raises Unreadable."""
    card = said["card"]
    by = said["by"] if "by" in said else seat_of(said, table)
    if by >= table.rules.seats:
        raise Unreadable("/question/by", f"seats go from 0 to {table.rules.seats - 1}")
    for part in [said["part"]] if "part" in said else parts(card):
        lines = PROGRAMS.get((card, part), ())
        asking = [at for at, line in enumerate(lines) if isinstance(line.word, kinds)]
        at = said.get("line", asking[0] if asking else -1)
        if at in asking:
            known = {**around(table, card, by), **values(said.get("known", {}))}
            bound = {name: given for name, given in known.items() if given or name not in OF_A_COMBAT}
            return CarryOut(card, part, by, at + 1, bound, tuple(said.get("secret", ()))), lines[at].word
    raise Unreadable("/question/card", f"no such line of {card} asks this")


def frames(text: CarryOut, table: Table) -> Steps:
    """What usually lies beneath a text, above the turn and the combat: the curse, the play, the rewards."""
    card, face = text.card, FACES[text.card]
    if face.kind == "curse":
        return (Strikes(card, text.by, stage="struck", stays=_stays(table, card, text.by)),)
    if text.text == "reward" and table.combat is not None:
        giving = [foe.of for foe in table.combat.foes if has_text(table, foe.of, "reward")]
        return (Spoils("gifts", giving.index(card) + 1),) if card in giving else ()
    if text.text != "does" or stays_in_combat(table, card):
        return ()
    return (Finish(card),)


def _stays(table: Table, card: str, victim: int) -> bool:
    stays = FACES[card].stays
    try:
        return stays is not None and (stays.unless is None or not holds(table, stays.unless, victim))
    except Unknown:
        return True


def of_a_text(*kinds: type[Word]) -> Callable[[Top], Callable[[Said, Table], Steps]]:
    """Makes a builder of a function that gives the question on top of the text."""

    def wrap(top: Top) -> Callable[[Said, Table], Steps]:
        def build(said: Said, table: Table) -> Steps:
            text, word = text_of(said, table, *kinds)
            return (*frames(text, table), text, top(said, text, word, said.get("seat", text.by)))

        return build

    return wrap


@of_a_text(Choose)
def choose(_: Said, text: CarryOut, word: Any, seat: int) -> Step:
    """A card text lets a player choose."""
    return Choosing(seat, text.card, word.noun, word.called, word.optional, word.duty, word.unseen)


@of_a_text(OfferTo)
def offer(_: Said, text: CarryOut, word: Any, seat: int) -> Step:
    """A card text offers something."""
    return Offer(seat, text.card, word.called)


@of_a_text(RollDie)
def die(_: Said, text: CarryOut, word: Any, seat: int) -> Step:
    """A die is to be rolled for a card."""
    return Throw(seat=seat, card=text.card, called=word.called)


@of_a_text(RollDie)
def die_fell(said: Said, text: CarryOut, word: Any, seat: int) -> Step:
    """The die of a card lies there and may still be turned."""
    return AfterRoll(seat, text.card, word.called, said["value"])


@of_a_text(Lose)
def lose(said: Said, text: CarryOut, word: Any, seat: int) -> Step:
    """A player loses items in play."""
    count, by = said.get("count", number(word.count)), said.get("chosen_by", seat)
    return LoseItems(seat, by, text.card, count, word.which.fitting, word.which.best, cause_of(text))


@of_a_text(LoseWorth)
def pay(said: Said, text: CarryOut, word: Any, seat: int) -> Step:
    """A player discards items until they are worth what is owed."""
    return PayWorth(seat, text.card, said.get("owed", word.gold), cause_of(text), word.called)


@of_a_text(DiscardFromHand)
def discard(said: Said, text: CarryOut, word: Any, seat: int) -> Step:
    """A player discards hand cards of the own choice."""
    return DiscardHand(seat, text.card, said.get("count", number(word.count)))
