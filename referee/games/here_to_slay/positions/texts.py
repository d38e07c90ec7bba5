"""Questions of card texts in a position: the running text and its question.

The text stands just past the line that asks. The words of that line give the rest of the question.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import CardEffect, Values
from referee.cardscript.positions.bindings import decode_bindings, encode_bindings
from referee.engine.codec import DecodeError
from referee.engine.positions.questions import Form, Question, Steps
from referee.engine.positions.shapes import Member
from referee.engine.steps import Step
from referee.engine.zones import Cards
from referee.games.here_to_slay.components import FACES, PROGRAMS
from referee.games.here_to_slay.events.plays import UnsettledRolls
from referee.games.here_to_slay.positions.rolls import find_seat
from referee.games.here_to_slay.rules.attacking import MonsterTurnUp
from referee.games.here_to_slay.rules.drawing import Pulling
from referee.games.here_to_slay.rules.effect_frames import EffectFrame, OrderTriggers
from referee.games.here_to_slay.rules.hands import LEFT, SimultaneousDiscard, SimultaneousGift
from referee.games.here_to_slay.rules.hero_removal import ReplacementOffer
from referee.games.here_to_slay.rules.playing import MagicDisposal
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.texts.amounts import count_for_line
from referee.games.here_to_slay.texts.verbs_of_cards import PassLeft

TEXT_NAMES = ("does", "action", "penalty", "reward", "whenever0", "whenever1", "instead0")
STEP_ATTRIBUTES = {"seats": "waiting", "use": "card"}  # by the names of members that are called otherwise


def list_text_names(card: str) -> list[str]:
    """Return the names of the texts of a card."""
    return [part for part in TEXT_NAMES if (card, part) in PROGRAMS]


def bind_ambient_names(card: str, by: int) -> dict[str, Values]:
    """Return the values of the names that every text finds bound."""
    return {"me": (by,), "this": (card,)}


def build_text(values: Form, part: str, by: int, at: int) -> Execution:
    """Return a text that is carried out, with line `at` next."""
    card = values["card"]
    bound = decode_bindings(values, bind_ambient_names(card, by))
    return Execution(card, part, by, at, bound, values.get("secret", ()))


def list_text_values(text: Execution, line: int) -> Form:
    """Return the values of the members that a text is written with."""
    known = encode_bindings(text, bind_ambient_names(text.card, text.by))
    return {"card": text.card, "part": text.text, "by": text.by, "line": line, **known}


def find_asking_text(values: Form, table: Table, *kinds: type[CardEffect]) -> tuple[Execution, Any]:
    """Return the text that asks, just past the asking line, and that line's word.

    The line must have one of these kinds of words. Raises DecodeError.
    """
    card = values["card"]
    by = values["by"] if "by" in values else find_seat(values, table)
    for part in [values["part"]] if "part" in values else list_text_names(card):
        lines = PROGRAMS.get((card, part), ())
        asking = [at for at, line in enumerate(lines) if isinstance(line.effect, kinds)]
        at = values.get("line", asking[0] if asking else -1)
        if at in asking:
            return build_text(values, part, by, at + 1), lines[at].effect
    raise DecodeError("/question/card", f"no such line of {card} asks this question")


def build_frames_beneath(text: Execution) -> Steps:
    """Return the steps that usually lie beneath a text.

    They are the play of magic, the end of a fight, or the frames of an action or a trigger.
    """
    if (text.card, text.text) not in PROGRAMS:
        return ()  # a stored step may name what does not exist, which is an error of its own
    if FACES[text.card].kind == "magic":
        return (EffectFrame(), MagicDisposal(text.by, text.card))
    if text.text == "reward":
        return (EffectFrame(), MonsterTurnUp(1))
    return (EffectFrame(),) if text.text in ("action", "penalty") else (EffectFrame(), EffectFrame())


# ---- what stands for the steps on top of a table ---------------------------------------------------------------------


def propose_text(table: Table, asked: Form) -> Form:
    """Return the values of a question and of the text directly beneath.

    Return nothing if none lies there.
    """
    text = table.agenda[-2] if len(table.agenda) > 1 else None
    if not isinstance(text, Execution) or text.at < 1:
        return {}
    values = {**asked, **list_text_values(text, text.at - 1)}
    if values.get("seat") == text.by:
        del values["by"]
    return values


def propose_target_choice(table: Table, _top: Step) -> Form:
    """Return the values of a target that is declared for a roll."""
    *_, roll, _window, text, _choice = (None, None, None, None, *table.agenda)
    if not isinstance(text, Execution) or not text.declaring or not isinstance(roll, UnsettledRolls):
        return {}
    return {"roll": roll, **list_text_values(text, text.at - 1)}


def propose_pull(table: Table, top: Pulling) -> Form:
    """Return the values of cards that chance picks out of a hand."""
    before = {} if top.before == table.cards_in_hand(top.seat) else {"before": top.before}
    return propose_text(table, {"seat": top.seat, "of": top.of, "count": max(top.count, 1), **before})


def propose_next_trigger(table: Table, top: OrderTriggers) -> Form:
    """Return the values of several abilities that wait in the frame directly beneath."""
    frame = table.agenda[-2] if len(table.agenda) > 1 else None
    if not isinstance(frame, EffectFrame):
        return {}
    waiting = [list_text_values(step, step.at) for step in frame.noted if isinstance(step, Execution)]
    return {"seat": top.seat, "texts": waiting}


# ---- the steps that a question stands for ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Asking:
    """What the question of a card text is made of.

    `word`: that of the line that asks. `values`: those of the written members.
    """

    text: Execution
    word: Any
    values: Form
    table: Table

    @property
    def card(self) -> str:
        """The card with the text."""
        return self.text.card

    @property
    def seat(self) -> int:
        """The seat asked."""
        return int(self.values.get("seat", self.text.by))

    @property
    def answers(self) -> tuple[tuple[int, ...], str, dict[str, Cards]]:
        """Who answers at the same time, to which card, and the answers so far."""
        return self.values["seats"], self.card, self.values.get("given", {})


def build_text_question(
    a_text: tuple[Member, ...],
    name: str,
    step: type[Step],
    says: str,
    words: tuple[type[CardEffect], ...],
    build_top: Callable[[Asking], Step],
    *members: Member,
    propose: Callable[[Table, Any], Form] | None = None,
) -> Question:
    """Return a question on top of a text that stands just past one of some words.

    `a_text`: the members of the text. `build_top`: builds the step that asks. `propose`: as of a question; without it,
    `members` are attributes of the step.
    """

    def build(values: Form, table: Table) -> Steps:
        text, word = find_asking_text(values, table, *words)
        return (text, build_top(Asking(text, word, values, table)))

    def propose_attributes(table: Table, top: Any) -> Form:
        own = {member.name: getattr(top, STEP_ATTRIBUTES.get(member.name, member.name)) for member in members}
        return propose_text(table, own)

    return Question(name, step, says, (*members, *a_text), build=build, propose=propose or propose_attributes)


def build_discard(q: Asking) -> Step:
    """Return the step in which players choose cards to discard."""
    count, least = count_for_line(q.table, q.text, q.word.count), getattr(q.word, "at_least", None)
    return SimultaneousDiscard(*q.answers, count if least is None else least, count, q.word.called)


def build_gifts(q: Asking) -> Step:
    """Return the step in which players give cards to the player of the text."""
    return SimultaneousGift(*q.answers, LEFT if isinstance(q.word, PassLeft) else q.text.by)


def build_replacement_offer(q: Asking) -> Step:
    """Return the step in which a destroyer may do something else. Raises DecodeError."""
    use, item_to = q.values["use"], q.seat if q.word.item_to_me else -1
    if not FACES[use].replacements:
        raise DecodeError("/question/use", f"{use} does not let its owner do something instead")
    return ReplacementOffer(q.seat, use, FACES[use].replacements[0].text, q.values["hero"], item_to)


def build_pull(q: Asking) -> Step:
    """Return the step in which chance picks cards out of a hand."""
    before = q.values["before"] if "before" in q.values else q.table.cards_in_hand(q.seat)
    count = q.values["count"] if "count" in q.values else count_for_line(q.table, q.text, q.word.count)
    return Pulling(q.seat, q.values["of"], count, q.word.called, before)


def build_next_trigger(values: Form, table: Table) -> Steps:
    """Return the steps in which one of several waiting abilities is chosen.

    Raises DecodeError.
    """
    seat = find_seat(values, table)
    noted = tuple(_build_waiting_text(each, seat) for each in values["texts"])
    own = tuple(dict.fromkeys(text.card for text in noted if text.by == seat))
    return (EffectFrame(noted), OrderTriggers(seat, own))


def _build_waiting_text(values: Form, seat: int) -> Execution:
    """Return a text that waits for its turn.

    If no part is named, it is the card's first trigger, or else its effect.
    """
    card, by = values["card"], values.get("by", seat)
    usual = next((each for each in list_text_names(card) if each.startswith("whenever")), "does")
    part = values.get("part", usual)
    if (card, part) not in PROGRAMS:
        raise DecodeError("/question/texts", f"{card} has no such text")
    return build_text(values, part, by, values.get("line", 0))
