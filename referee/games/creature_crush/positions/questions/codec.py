"""The questions of a position: a short name and what decides, and the steps that they stand for.

A short form gives the steps of the matter up to the open question; what lies beneath is the turn, unless the position
says otherwise. A step without a short form is written as the codec has it.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.positions.steps import Said, Steps
from referee.cardscript.table import SOME
from referee.engine.chance import Shuffle
from referee.engine.codec import Unreadable
from referee.engine.steps import Frame, Step
from referee.engine.zones import is_back
from referee.games.creature_crush.components import DECKS, DRAFTS, HANDS, POOL, face
from referee.games.creature_crush.positions import plain, texts
from referee.games.creature_crush.positions.questions.happened import effects, happening_of, known_to_links, window_of
from referee.games.creature_crush.rules.actions.tactic import Tactic
from referee.games.creature_crush.rules.chain import Chain, Ordering, Spending
from referee.games.creature_crush.rules.combat.damage import Strike
from referee.games.creature_crush.rules.combat.fighting import Combat
from referee.games.creature_crush.rules.concede_and_draw import DrawAnswer
from referee.games.creature_crush.rules.drafting import Drafting, DraftRound, DrawSeven
from referee.games.creature_crush.rules.drawing import Drawing, Naming
from referee.games.creature_crush.rules.ending import Judging
from referee.games.creature_crush.rules.setup import CastForStart, DealDecks
from referee.games.creature_crush.rules.turn import BASIC, OPENING, StartDice, TurnBegins
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY, Happening

OF_THE_TURN = (Combat, Tactic, TurnBegins)


def bottom(table: Table, steps: Steps) -> Steps:
    """What lies beneath some steps in the ordinary course: the phase, and the action that caused what is asked."""
    first = steps[0]
    if table.turn == NOBODY:
        return _preparing(table, first)
    if isinstance(first, OF_THE_TURN):
        return ()
    if isinstance(first, DrawAnswer):
        return (_phase(table),)
    if isinstance(first, StartDice):
        return (Combat(table.turn),)
    if isinstance(first, Naming) and table.phase == "start":
        return starting(table)[:-1]
    text = first if isinstance(first, CarryOut) else None
    spent = (Spending(text.card, text.by),) if text is not None and text.text == "flip" else ()
    chain = (Chain((), ()), Frame(), *spent) if text is not None else ()
    return (*_cause(table, first), *chain)


def _preparing(table: Table, first: Step) -> Steps:
    """What is still to come before the first turn."""
    if isinstance(first, CastForStart):
        return ()
    dice = CastForStart()
    match first:
        case Drafting():
            return (dice, DraftRound())
        case Shuffle(where=where) if where == POOL:
            arena = table.rules.variant == "arena"
            return (dice, DraftRound(), DrawSeven()) if arena else (dice, DealDecks())
        case Shuffle(where=where) if where == DECKS[0]:
            return (dice, Shuffle(DECKS[1]))
        case Naming(place=place) if place in DRAFTS:
            return (dice, DraftRound(), Drafting((0, 1), "", {}))
        case Naming():
            return (TurnBegins(0),)
    return (dice,)


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
    links = effects(said["links"], table, known_to_links(first)) if "links" in said else first.effects[::-1]
    return (Chain(links, windows),)


def name_cards(said: Said, table: Table) -> Steps:
    """At a real table cards of a seat are named: if no number is said, all that stand as backs. Raises Unreadable."""
    seat, place = said["seat"], said.get("place", HANDS[said["seat"]])
    hidden = sum(map(is_back, table.place(place)))
    count = said.get("count", hidden)
    if SOME in table.place(place) or not 0 < count <= hidden:
        raise Unreadable("/question/count", f"seat {seat} has not so many cards that nobody has named")
    return (Naming(seat, count, place),)


TACTIC = ("tactic",)  # questions that are asked in the tactic phase, unless the position says otherwise
BUILDERS: dict[str, Callable[[Said, Table], Steps]] = {
    **plain.BUILDERS,
    "order": order,
    "respond": respond,
    "choose": texts.choose,
    "choose_some": texts.choose_some,
    "at_random": texts.at_random,
    "target_dice": texts.target_dice,
    "place": texts.place,
    "search": texts.search,
    "reroll": texts.reroll,
    "roll_again": texts.roll_again,
    "name_cards": name_cards,
}
