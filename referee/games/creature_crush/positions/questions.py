"""The questions of a position: a short name and what decides, and the steps that they stand for.

A short form gives the steps of the matter up to the open question; what lies beneath is the turn, unless the position
says otherwise. A step without a short form is written as the codec has it.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.cards.carrying_out import CarryOut
from referee.cards.positions.steps import Said, Steps
from referee.games.creature_crush.material import face
from referee.games.creature_crush.positions import texts
from referee.games.creature_crush.positions.happened import effects, happening_of, of_turn, window_of
from referee.games.creature_crush.rules.agreeing import DrawAnswer
from referee.games.creature_crush.rules.chain import Chain, Ordering, Spending
from referee.games.creature_crush.rules.combat import Combat
from referee.games.creature_crush.rules.drawing import Drawing
from referee.games.creature_crush.rules.ending import Judging
from referee.games.creature_crush.rules.striking import Strike
from referee.games.creature_crush.rules.tactic import Tactic
from referee.games.creature_crush.rules.turn import BASIC, OPENING, StartDice, TurnBegins
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY, Happening
from referee.kernel.agenda import Frame, Step
from referee.kernel.codec import Unreadable

OF_THE_TURN = (Combat, Tactic, TurnBegins)


def bottom(table: Table, steps: Steps) -> Steps:
    """What lies beneath some steps in the ordinary course: the phase, and the action that caused what is asked."""
    first = steps[0]
    if table.turn == NOBODY or isinstance(first, OF_THE_TURN):
        return ()
    if isinstance(first, DrawAnswer):
        return (_phase(table),)
    text = first if isinstance(first, CarryOut) else None
    spent = (Spending(text.card, text.by),) if text is not None and text.text == "flip" else ()
    chain = (Chain((), ()), Frame(), *spent) if text is not None else ()
    return (*_cause(table, first), *chain)


def _phase(table: Table) -> Step:
    return Tactic(table.turn) if table.phase == "tactic" else Combat(table.turn)


def _cause(table: Table, first: Step) -> Steps:
    """The phase, and above it what has set off what begins with this step."""
    happening = _happening(first)
    if table.phase == "start":
        return (*starting(table), Frame())
    begun = happening is not None and happening.kind == "flipped"
    if begun or (isinstance(first, CarryOut) and first.text == "flip" and face(first.card).flips_when is None):
        return (_phase(table), Judging())  # a flip in the own combat phase begins a chain by itself
    attack = _attack(table, happening) if happening is not None else _attack_of(table, first)
    return (_phase(table), Judging(), *attack, Frame())


def starting(table: Table) -> Steps:
    """What is still to come in the start phase before the dice are rolled: the draw and the dice."""
    seat = table.turn
    dice = OPENING if table.turns == 1 else BASIC
    return (Combat(seat), StartDice(dice=dice, seat=seat, extra=table.extra[seat]), Drawing(seat, 1, True))


def _happening(first: Step) -> Happening | None:
    """What has happened, where the steps begin with what it set off."""
    if isinstance(first, Ordering):
        return first.happening
    return first.windows[0].happening if isinstance(first, Chain) and first.windows else None


def _attack(table: Table, happening: Happening) -> Steps:
    """The attack that waits for what its declaration set off."""
    if happening.kind not in ("attack", "direct_attack"):
        return ()
    refs = {name: cards[0] for name, cards in happening.refs.items() if cards}
    return _strike(table, happening.by, refs.get("attacker", ""), refs.get("defender", ""))


def _attack_of(table: Table, first: Step) -> Steps:
    """The attack that waits for a text of one of the two creatures."""
    if not isinstance(first, CarryOut) or first.text not in ("attacks", "attacked"):
        return ()
    mine, seat = first.text == "attacks", first.by
    attacker = first.card if mine else str(first.first("attacker") or "")
    target = str(first.first("defender") or "") if mine else first.card
    return _strike(table, seat if mine else 1 - seat, attacker, target)


def _strike(table: Table, seat: int, attacker: str, target: str) -> Steps:
    if attacker not in table.spots or (target and target not in table.spots):
        return ()
    return (Strike(seat, attacker, table.spots[attacker], target, table.spots.get(target, "")),)


def built(said: Said, table: Table) -> Steps:
    """The steps that a short form stands for. Raises Unreadable; Unknown if the position says too little."""
    return BUILDERS[said["asks"]](said, table)


def order(said: Said, table: Table) -> Steps:
    """Effects activated at once are put into an order."""
    happening = happening_of(said, table)
    bare = Happening(happening.kind, happening.by, happening.refs)
    left = effects(said["left"], table, bare) if "left" in said else happening.effects
    return (Ordering(happening, left, effects(said.get("chosen", []), table, bare)),)


def respond(said: Said, table: Table) -> Steps:
    """A window is open in which a crush card may be flipped. Raises Unreadable."""
    if table.turn == NOBODY:
        raise Unreadable("/turn", "is missing: nothing is answered before the first turn")
    windows = tuple(window_of(each, table) for each in said["windows"])
    first = windows[0].happening
    bare = Happening(first.kind, first.by, first.refs)
    links = effects(said["links"], table, bare) if "links" in said else first.effects[::-1]
    return (Chain(links, windows),)


TACTIC = ("tactic",)  # questions that are asked in the tactic phase, unless the position says otherwise
BUILDERS: dict[str, Callable[[Said, Table], Steps]] = {
    "combat": lambda said, table: (Combat(of_turn(said, table)),),
    "tactic": lambda said, table: (Tactic(of_turn(said, table)),),
    "order": order,
    "respond": respond,
    "choose": texts.choose,
}
