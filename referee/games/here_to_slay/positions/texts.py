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
from referee.cardscript.questions import Looking, Offer
from referee.engine.codec import Unreadable
from referee.engine.steps import Step
from referee.games.here_to_slay.components import FACES, PROGRAMS
from referee.games.here_to_slay.positions.rolls import choosing, seat_of
from referee.games.here_to_slay.positions.schema import PARTS
from referee.games.here_to_slay.rules.attacking import TurnUp
from referee.games.here_to_slay.rules.drawing import Pulling
from referee.games.here_to_slay.rules.effect_frames import Carried, OrderTriggers
from referee.games.here_to_slay.rules.hands import GiveUp, HandOver, PutBack, Telling
from referee.games.here_to_slay.rules.hero_removal import ChooseSacrifice, Instead
from referee.games.here_to_slay.rules.playing import MagicEnds
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.texts.verbs_of_cards import (
    Discard,
    Give,
    LookAtDeck,
    LookAtHand,
    LookWhether,
    Pay,
    Pull,
    PutOnTop,
)
from referee.games.here_to_slay.texts.verbs_of_heroes import DestroyHero, SacrificeHero

Top = Callable[[Said, CarryOut, Any, Table], Step]  # makes the question on top of a text


def parts(card: str) -> list[str]:
    """The texts of a card."""
    return [part for part in PARTS if (card, part) in PROGRAMS]


def text_of(said: Said, table: Table, *kinds: type[Word]) -> tuple[CarryOut, Any]:
    """The text that asks, just past the line of one of these kinds, and that line's word. Raises Unreadable."""
    card = said["card"]
    by = said["by"] if "by" in said else seat_of(said, table)
    for part in [said["part"]] if "part" in said else parts(card):
        lines = PROGRAMS.get((card, part), ())
        asking = [at for at, line in enumerate(lines) if isinstance(line.word, kinds)]
        at = said.get("line", asking[0] if asking else -1)
        if at in asking:
            bound: dict[str, Values] = {"me": (by,), "this": (card,), **values(said.get("known", {}))}
            text = CarryOut(card, part, by, at + 1, bound, tuple(said.get("secret", ())))
            return text, lines[at].word
    raise Unreadable("/question/card", f"no such line of {card} asks this")


def frames(text: CarryOut) -> Steps:
    """What usually lies beneath a text: the play of magic, the end of a fight, the frame of an action or trigger."""
    if FACES[text.card].kind == "magic":
        return (Carried(), MagicEnds(text.by, text.card))
    if text.text == "reward":
        return (Carried(), TurnUp(1))
    return (Carried(),) if text.text in ("action", "penalty") else (Carried(), Carried())


def of_a_text(*kinds: type[Word]) -> Callable[[Callable[..., Step]], Callable[..., Steps]]:
    """Makes a builder of a function that gives the question on top of the text."""

    def wrap(top: Top) -> Callable[[Said, Table], Steps]:
        def build(said: Said, table: Table) -> Steps:
            text, word = text_of(said, table, *kinds)
            return (text, top(said, text, word, table))

        return build

    return wrap


def _given(said: Said) -> dict[str, tuple[str, ...]]:
    return {seat: tuple(cards) for seat, cards in said.get("given", {}).items()}


@of_a_text(Choose)
def choose(said: Said, text: CarryOut, word: Any, *_: Table) -> Step:
    """A card text lets a player choose."""
    return choosing(said.get("seat", text.by), text.card, word)


@of_a_text(OfferTo)
def offer(said: Said, text: CarryOut, word: Any, *_: Table) -> Step:
    """A card text offers something."""
    return Offer(said.get("seat", text.by), text.card, word.called)


@of_a_text(Discard, Pay)
def discard(said: Said, text: CarryOut, word: Any, *_: Table) -> Step:
    """Players choose cards to discard."""
    least = getattr(word, "at_least", None)
    waiting, called = tuple(said["seats"]), word.called
    return GiveUp(waiting, text.card, _given(said), word.count if least is None else least, word.count, called)


@of_a_text(SacrificeHero)
def sacrifice(said: Said, text: CarryOut, *_: Any) -> Step:
    """Players choose heroes to sacrifice."""
    return ChooseSacrifice(tuple(said["seats"]), text.card, _given(said))


@of_a_text(Give)
def give(said: Said, text: CarryOut, *_: Any) -> Step:
    """Players choose cards to give to the player of the text."""
    return HandOver(tuple(said["seats"]), text.card, _given(said), text.by)


@of_a_text(LookAtHand, LookAtDeck)
def look(said: Said, text: CarryOut, *_: Any) -> Step:
    """A player is shown cards."""
    return Looking(said.get("seat", text.by), text.card, tuple(said["cards"]))


@of_a_text(PutOnTop)
def put_back(said: Said, text: CarryOut, *_: Any) -> Step:
    """A player puts cards back on the deck."""
    return PutBack(said.get("seat", text.by), tuple(said["cards"]))


@of_a_text(LookWhether)
def tell(said: Said, text: CarryOut, word: Any, *_: Table) -> Step:
    """A player says of what kind a card is."""
    return Telling(said.get("seat", text.by), text.card, word.kind, word.called)


@of_a_text(DestroyHero)
def instead(said: Said, text: CarryOut, word: Any, *_: Table) -> Step:
    """Whoever is about to destroy a hero may do something else. Raises Unreadable."""
    use, seat = said["use"], said.get("seat", text.by)
    if not FACES[use].replacements:
        raise Unreadable("/question/use", f"{use} takes the place of nothing")
    item_to = seat if word.item_to_me else -1
    return Instead(seat, use, FACES[use].replacements[0].text, said["hero"], item_to)


@of_a_text(Pull)
def pull(said: Said, text: CarryOut, word: Any, table: Table) -> Step:
    """Chance picks a card out of a hand."""
    seat = said.get("seat", text.by)
    before = tuple(said["before"]) if "before" in said else table.hand(seat)
    return Pulling(seat, said["of"], said.get("count", word.count), word.called, before)


def next_trigger(said: Said, table: Table) -> Steps:
    """Several abilities of one player wait in a frame. Raises Unreadable."""
    seat = seat_of(said, table)
    noted = tuple(waiting(each, seat) for each in said["texts"])
    own = tuple(dict.fromkeys(text.card for text in noted if text.by == seat))
    return (Carried(noted), OrderTriggers(seat, own))


def waiting(said: Said, seat: int) -> CarryOut:
    """A text that waits for its turn; if no part is named, what the card does when something happens."""
    card, by = said["card"], said.get("by", seat)
    part = said.get("part") or next((each for each in parts(card) if each.startswith("whenever")), "does")
    if (card, part) not in PROGRAMS:
        raise Unreadable("/question/texts", f"{card} has no such text")
    bound: dict[str, Values] = {"me": (by,), "this": (card,), **values(said.get("known", {}))}
    return CarryOut(card, part, by, said.get("line", 0), bound, tuple(said.get("secret", ())))
