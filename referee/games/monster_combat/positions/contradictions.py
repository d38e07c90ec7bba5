"""What cannot be: the contradictions of a position, each with its place and the clause that it breaks.

Only what a position says is held against it; what it leaves out may be anything. Clauses: MC-MAT-1 to MC-MAT-4,
MC-TERM-5, MC-TERM-7, MC-V1-END-1, MC-V2-END-1, MC-V2-END-2, MC-TURN-END-1, MC-SETUP-5, MC-LIFE-2, MC-AMB-18 and those
of the cards, events and monsters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from referee.engine.rulings import Unknown
from referee.engine.steps import Step
from referee.games.monster_combat.components import LAST_MONSTER, strength
from referee.games.monster_combat.positions.census import contradictions
from referee.games.monster_combat.positions.questions import Unasked, hand_size, kind_of, seats_named
from referee.games.monster_combat.rules.attacks import Lightning, Struck
from referee.games.monster_combat.rules.drawing import Draw
from referee.games.monster_combat.rules.ending import Fall, LoseHand
from referee.games.monster_combat.rules.play_a_card import PlayPhase, RefillHand
from referee.games.monster_combat.rules.setup import Deal
from referee.games.monster_combat.rules.theft import Theft
from referee.games.monster_combat.rules.triggers import EventPhase
from referee.games.monster_combat.rules.turn import DrawPhase, Surplus
from referee.games.monster_combat.state import (
    DEALT,
    DECK,
    DISCARD,
    EVENTS,
    HAND_LIMIT,
    HANDS,
    NOBODY,
    SOME,
    TRAY,
    Table,
)

PILES = {"draw_pile": DECK, "discard": DISCARD, "event_pile": EVENTS, "event_tray": TRAY}
Fault = tuple[str, str, str]  # where, what, which clause
Faults = Iterator[Fault]


def impossible(table: Table) -> list[dict[str, str]]:
    """The contradictions of a position, each with place, reason and clause."""
    faults = [
        (pointer_of(finding["places"]), finding["says"]["en"], finding["clause"])
        for finding in contradictions(table.rules, table.zones)
    ]
    faults += [*_of_the_monster(table), *_of_the_defeated(table), *_of_the_end(table)]
    if table.agenda and not isinstance(table.agenda[-1], Unasked):
        faults += [*_of_the_skip(table), *_of_the_question(table, table.agenda[-1])]
    faults += [fault for step in table.agenda if isinstance(step, Lightning) for fault in _of_lightning(table, step)]
    return [{"pointer": pointer, "detail": detail, "clause": clause} for pointer, detail, clause in faults]


def pointer_of(places: list[str]) -> str:
    """Where in a position the first of these places stands."""
    names = {place: f"/{name}" for name, place in PILES.items()}
    names |= {place: f"/players/{seat}/hand" for seat, place in enumerate(HANDS)}
    return names[places[0]] if places else ""


# ---- the table -------------------------------------------------------------------------------------------------


def _of_the_monster(table: Table) -> Faults:
    if (table.monster_hearts or 0) > (table.monster or LAST_MONSTER):
        detail = f"monster {table.monster} has no more than {table.monster} hearts"
        yield "/monster/hearts", detail, "MC-V2-MONSTER-1"
    if table.rules.against_monsters and table.monster_hearts == 0 and _going_on(table):
        yield "/monster/hearts", "a monster without hearts has made way for the next", "MC-V2-MONSTER-1"


def _going_on(table: Table) -> bool:
    """Whether a position says that the match is not over."""
    return bool(table.agenda) and not isinstance(table.agenda[-1], Unasked)


def _of_the_defeated(table: Table) -> Faults:
    for seat in table.seats:
        hearts, fell = table.hearts[seat], seat in (table.fallen or ())
        if fell and hearts:
            yield "/fallen", f"seat {seat} has a full heart left", "MC-TERM-7"
        if hearts == 0 and table.fallen is not None and not fell:
            yield "/fallen", f"seat {seat} has no full heart left", "MC-TERM-7"
        losing = any(isinstance(step, LoseHand | Fall) and step.seat == seat for step in table.agenda)
        if hearts == 0 and _going_on(table) and not losing and any(card != SOME for card in table.hand(seat)):
            yield f"/players/{seat}/hand", f"seat {seat} is defeated and holds no cards", "MC-AMB-18"
    if len(set(table.fallen or ())) != len(table.fallen or ()):
        yield "/fallen", "nobody is defeated twice over", "MC-TERM-7"


def _of_the_end(table: Table) -> Faults:
    """A match is over exactly when one player is left, or none, or no monster."""
    living, gone = sum(map(bool, table.hearts)), sum(hearts == 0 for hearts in table.hearts)
    all_known = living + gone == table.rules.seats
    if _going_on(table) and table.rules.against_monsters and gone == table.rules.seats:
        yield "/question", "nobody has a full heart left: the match is over", "MC-V2-END-2"
    elif _going_on(table) and not table.rules.against_monsters and all_known and living <= 1:
        yield "/question", "no two players have a full heart left: the match is over", "MC-V1-END-1"
    if table.agenda:
        return
    if not table.rules.against_monsters and (living > 1 or (all_known and living == 0)):
        yield "/question", "the match is over when exactly one player has a full heart left", "MC-V1-END-1"
    beaten = table.monster in (None, LAST_MONSTER) and not table.monster_hearts
    if table.rules.against_monsters and living and not beaten:
        yield "/question", "somebody lives, and not all monsters are beaten: the match goes on", "MC-V2-END-1"


def _of_the_skip(table: Table) -> Faults:
    if table.skipped in (None, NOBODY):
        return
    if kind_of(table.agenda[-1]) is not Surplus:
        detail = "a skip card is used up as soon as the turn passes, and nothing is asked between"
        yield "/skipped", detail, "MC-AMB-7"
    elif table.turn not in (None, NOBODY) and _next(table, table.active) not in (None, table.skipped):
        yield "/skipped", "it is the next player who misses a turn", "MC-V1-SKIP-1"


def _next(table: Table, seat: int) -> int | None:
    """The next player after a seat, None if a position does not say."""
    try:
        return table.next_living(seat)
    except Unknown:
        return None


# ---- the question ----------------------------------------------------------------------------------------------

OWN_PHASE = (PlayPhase, DrawPhase, EventPhase, Surplus)
VARIANT: dict[type[Step], tuple[str, str]] = {  # what is asked in one variant only, and the clause of the other
    Lightning: ("V1", "MC-V2-LIGHTNING-1"),
    Theft: ("V1", "MC-V2-THIEF-1"),
    RefillHand: ("V2", "MC-V1-LIFE-1"),
}


def _of_the_question(table: Table, top: Step) -> Faults:
    kind, place = kind_of(top), "/question"
    variant, clause = VARIANT.get(kind, (table.rules.variant, ""))
    if variant != table.rules.variant:
        yield place, f"this is asked in variant {variant[1]} only", clause
        return
    if not isinstance(top, LoseHand):
        for seat in dict.fromkeys(seats_named(top)):
            if table.hearts[seat] == 0:
                yield place, f"seat {seat} is defeated", "MC-LIFE-2"
    own = seats_named(top)[:1] if kind in OWN_PHASE else ()
    if own and table.turn not in (None, *own):
        yield place, f"this is a question to the player on turn, and that is not seat {own[0]}", "MC-TERM-5"
    for kinds, rule in RULES.items():
        if isinstance(top, kinds):
            yield from ((place, detail, clause) for detail, clause in rule(table, top))


def _of_an_attack(table: Table, step: Struck) -> Iterator[tuple[str, str]]:
    on_turn = table.turn in (None, step.seat)
    if table.immune[step.seat]:
        yield f"seat {step.seat} is immune", "MC-EVENT-IMMUNE-1"
    if table.rules.against_monsters:
        if step.by == "sword":
            yield "no sword is raised against players", "MC-V2-SWORD-1"
        if not on_turn:
            yield "a monster attacks the player on turn", "MC-V2-EVENT-ATTACK-1"
        if table.sleeper not in (None, NOBODY):
            yield "the monster sleeps", "MC-V2-SKIP-1"
        if table.monster and step.strength not in (None, strength(table.monster)):
            yield f"monster {table.monster} attacks with strength {strength(table.monster)}", "MC-V2-MONSTER-3"
        return
    event = "MC-V1-EVENT-ATTACK-1"
    if step.strength != 1:
        yield "the attack costs one heart", "MC-V1-SWORD-1" if step.by == "sword" else event
    if step.by == "monster":
        yield "monsters do nothing here", "MC-V1-MONSTER-1"
    elif step.by == "event" and not on_turn:
        yield "an event hits the player on turn", "MC-EVENT-1"
    elif step.by == "sword" and table.turn not in (None, NOBODY):
        following = _next(table, table.active)
        if step.seat == table.turn or following not in (None, step.seat):
            yield "a sword attacks the next player", "MC-V1-SWORD-1"


def _of_lightning(table: Table, step: Lightning) -> Faults:
    place = "/question/order"
    if table.turn not in (None, step.by):
        yield "/question/by", "lightning is played by the player on turn", "MC-TERM-5"
    if step is table.agenda[-1] and not step.order:
        yield place, "somebody has still to answer, or nothing is asked", "MC-V1-LIGHTNING-2"
    if step.by in step.order:
        yield place, "lightning strikes everybody but the one who played it", "MC-V1-LIGHTNING-1"
    for seat in step.order:
        if table.hearts[seat] == 0 and step is not table.agenda[-1]:
            yield place, f"seat {seat} is defeated", "MC-LIFE-2"
        if table.immune[seat]:
            yield place, f"seat {seat} is immune and not asked", "MC-AMB-11"
    if table.direction is not None:
        round_the_table = [seat for seat in table.after(step.by) if seat in step.order]
        if tuple(round_the_table) != step.order:
            yield place, "they answer in the order of play", "MC-V1-LIGHTNING-2"
    others = [seat for seat in table.seats if seat != step.by]
    if step.all_parried and any(table.immune[seat] and table.hearts[seat] for seat in others):
        yield "/question/all_parried", "whoever is immune puts down no shield", "MC-AMB-11"


def _of_a_theft(table: Table, step: Theft) -> Iterator[tuple[str, str]]:
    if table.turn not in (None, step.thief):
        yield "a thief card is played by the player on turn", "MC-TERM-5"
    if step.victim == step.thief or _next(table, step.thief) not in (None, step.victim):
        yield "a thief steals from the next player", "MC-V1-THIEF-1"
    if table.immune[step.victim]:
        yield f"seat {step.victim} is immune", "MC-AMB-12"
    held = hand_size(table, step.victim)
    if held is not None and step.count > held:
        yield f"seat {step.victim} holds {held}; what is missing is drawn", "MC-V1-THIEF-2"


def _of_surplus(table: Table, step: Surplus) -> Iterator[tuple[str, str]]:
    held = hand_size(table, step.seat)
    if held is not None and step.count != held - HAND_LIMIT:
        yield f"of {held} cards {max(held - HAND_LIMIT, 0)} are too many", "MC-TURN-END-1"


def _of_a_deal(table: Table, step: Deal) -> Iterator[tuple[str, str]]:
    held = hand_size(table, step.seat)
    if held is not None and step.count != DEALT - held:
        yield f"a first hand has {DEALT} cards, and {held} are there", "MC-SETUP-5"


def _of_a_draw(table: Table, step: Draw) -> Iterator[tuple[str, str]]:
    drawn_for_a_card = not isinstance(step, DrawPhase | Deal)
    if drawn_for_a_card and not table.rules.against_monsters and table.turn not in (None, step.seat):
        yield "a thief card is played by the player on turn", "MC-TERM-5"


def _of_a_lost_hand(table: Table, step: LoseHand) -> Iterator[tuple[str, str]]:
    if table.hearts[step.seat] and table.turn not in (None, step.seat):
        yield "a hand is lost by the player on turn, or in defeat", "MC-EVENT-DISCARD-1"


RULES: dict[type[Step], Callable[..., Iterator[tuple[str, str]]]] = {
    Struck: _of_an_attack,
    Theft: _of_a_theft,
    Surplus: _of_surplus,
    Deal: _of_a_deal,
    Draw: _of_a_draw,
    LoseHand: _of_a_lost_hand,
}
