"""Find the contradictions of a position, each with its place and its clause.

Only what a position says can contradict the rules. What it leaves out may be anything. Clauses: MC-MAT-1 to MC-MAT-4,
MC-TERM-5, MC-TERM-7, MC-V1-END-1, MC-V2-END-1, MC-V2-END-2, MC-TURN-END-1, MC-SETUP-5, MC-LIFE-2, MC-AMB-18 and those
of the cards, events and monsters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from referee.engine.positions.contradictions import Contradiction, build_contradiction
from referee.engine.rulebook.book import Text
from referee.engine.rulings import Undetermined
from referee.engine.steps import Step
from referee.games.monster_combat.components import LAST_MONSTER, attack_strength_of
from referee.games.monster_combat.positions.census import find_contradictions
from referee.games.monster_combat.positions.questions import (
    QUESTIONS,
    UndeterminedQuestion,
    UnknownQuestion,
    collect_named_seats,
    find_hand_size,
    step_type_of,
)
from referee.games.monster_combat.rules.attacks import LightningAttack, PendingAttack
from referee.games.monster_combat.rules.drawing import CardDrawing
from referee.games.monster_combat.rules.ending import DefeatCheck, HandLoss
from referee.games.monster_combat.rules.monsters import MonsterCheck
from referee.games.monster_combat.rules.play_a_card import PlayPhase, RefillHand
from referee.games.monster_combat.rules.setup import Deal
from referee.games.monster_combat.rules.theft import Theft
from referee.games.monster_combat.rules.triggers import EventPhase
from referee.games.monster_combat.rules.turn import DrawPhase, SurplusDiscard
from referee.games.monster_combat.state import (
    FIRST_HAND_SIZE,
    HAND_LIMIT,
    NOBODY,
    SOME,
    Table,
)

Fault = tuple[str, str | Text, str]  # pointer, detail, clause
Faults = Iterator[Fault]


def find_faults(table: Table, pointers: Mapping[str, str]) -> list[Contradiction]:
    """Find the contradictions of a position, each as `{pointer, detail, clause}`.

    `pointers`: where a position writes each place.
    """
    faults = [
        (pointers[finding["places"][0]] if finding["places"] else "", finding["says"], finding["clause"])
        for finding in find_contradictions(table.rules, table.zones)
    ]
    faults += [*_find_monster_faults(table), *_find_defeat_faults(table), *_find_end_faults(table)]
    if table.agenda and not isinstance(table.agenda[-1], UnknownQuestion):
        faults += [*_find_skip_faults(table), *_find_question_faults(table, table.agenda[-1])]
    faults += [
        fault
        for step in table.agenda
        if isinstance(step, LightningAttack)
        for fault in _find_lightning_faults(table, step)
    ]
    return [build_contradiction(*fault) for fault in faults]


# ---- the table -------------------------------------------------------------------------------------------------


def _find_monster_faults(table: Table) -> Faults:
    if (table.monster_hearts or 0) > (table.monster or LAST_MONSTER):
        detail = f"monster {table.monster} has at most {table.monster} hearts"
        yield "/monster/hearts", detail, "MC-V2-MONSTER-1"
    if table.rules.is_against_monsters and table.monster_hearts == 0 and _is_going_on(table):
        yield "/monster/hearts", "a monster without hearts is beaten, so the next one must be active", "MC-V2-MONSTER-1"


def _is_going_on(table: Table) -> bool:
    """Return whether a position says that the match is not over."""
    return bool(table.agenda) and not isinstance(table.agenda[-1], UnknownQuestion)


def _find_defeat_faults(table: Table) -> Faults:
    for seat in table.seats:
        hearts, fell = table.hearts[seat], seat in (table.fallen or ())
        if fell and hearts:
            yield "/fallen", f"seat {seat} has a full heart left, so it is not defeated", "MC-TERM-7"
        if hearts == 0 and table.fallen is not None and not fell:
            yield "/fallen", f"seat {seat} has no full heart left, so it must be listed as defeated", "MC-TERM-7"
        losing = any(isinstance(step, HandLoss | DefeatCheck) and step.seat == seat for step in table.agenda)
        if (
            hearts == 0
            and _is_going_on(table)
            and not losing
            and any(card != SOME for card in table.cards_in_hand(seat))
        ):
            yield f"/players/{seat}/hand", f"seat {seat} is defeated, so it cannot hold cards", "MC-AMB-18"
    if len(set(table.fallen or ())) != len(table.fallen or ()):
        yield "/fallen", "name each seat only once", "MC-TERM-7"


def _find_end_faults(table: Table) -> Faults:
    """Find contradictions between the question and the end of the match.

    A match is over exactly when one player is left, or none, or no monster.
    """
    living, gone = sum(map(bool, table.hearts)), sum(hearts == 0 for hearts in table.hearts)
    is_complete = living + gone == table.rules.seats
    if _is_going_on(table) and table.rules.is_against_monsters and gone == table.rules.seats:
        yield "/question", "nobody has a full heart left, so the match is over", "MC-V2-END-2"
    elif _is_going_on(table) and not table.rules.is_against_monsters and is_complete and living <= 1:
        yield "/question", "fewer than two players have a full heart left, so the match is over", "MC-V1-END-1"
    if table.agenda:
        return
    if not table.rules.is_against_monsters and (living > 1 or (is_complete and living == 0)):
        yield "/question", "the match is over only when exactly one player has a full heart left", "MC-V1-END-1"
    beaten = table.monster in (None, LAST_MONSTER) and not table.monster_hearts
    if table.rules.is_against_monsters and living and not beaten:
        yield (
            "/question",
            "a player still has a full heart and a monster is not beaten, so the match is not over",
            "MC-V2-END-1",
        )


def _find_skip_faults(table: Table) -> Faults:
    if table.skipped in (None, NOBODY):
        return
    if step_type_of(table.agenda[-1]) is not SurplusDiscard:
        detail = "a skip takes effect as soon as the turn passes, so nobody can still be due to miss a turn here"
        yield "/skipped", detail, "MC-AMB-7"
    elif table.turn not in (None, NOBODY) and _find_next_player(table, table.active) not in (None, table.skipped):
        yield "/skipped", "only the next player can miss a turn", "MC-V1-SKIP-1"


def _find_next_player(table: Table, seat: int) -> int | None:
    """Return the next player after a seat, or None if a position does not say."""
    try:
        return table.find_next_living(seat)
    except Undetermined:
        return None


# ---- the question ----------------------------------------------------------------------------------------------

OWN_TURN_STEPS = (PlayPhase, DrawPhase, EventPhase, SurplusDiscard)
# Questions asked in one variant only, and the clause of the other variant.
VARIANT_BY_STEP: dict[type[Step], tuple[str, str]] = {
    LightningAttack: ("V1", "MC-V2-LIGHTNING-1"),
    Theft: ("V1", "MC-V2-THIEF-1"),
    RefillHand: ("V2", "MC-V1-LIFE-1"),
    MonsterCheck: ("V2", "MC-V1-MONSTER-1"),
}


def _find_variant_faults(table: Table) -> Faults:
    """Find the steps that belong to the other variant, the open question first."""
    for at, step in enumerate(reversed(table.agenda)):
        variant, clause = VARIANT_BY_STEP.get(step_type_of(step), (table.rules.variant, ""))
        if variant != table.rules.variant:
            what = "question is asked" if at == 0 else "step waits"
            yield f"/pending/{at - 1}" if at else "/question", f"this {what} only in variant {variant[1]}", clause


def _find_question_faults(table: Table, top: Step) -> Faults:
    kind, place = step_type_of(top), "/question"
    if wrong := [*_find_variant_faults(table)]:
        yield from wrong
        return
    if not isinstance(top, HandLoss):
        for seat in dict.fromkeys(collect_named_seats(top)):
            if table.hearts[seat] == 0:
                yield place, f"seat {seat} is defeated and cannot take part", "MC-LIFE-2"
    own = collect_named_seats(top)[:1] if kind in OWN_TURN_STEPS else ()
    if own and table.turn not in (None, *own):
        yield place, f"this question goes to the active player, and that is not seat {own[0]}", "MC-TERM-5"
    for kinds, rule in FAULT_FINDERS.items():
        if isinstance(top, kinds):
            yield from ((place, detail, clause) for detail, clause in rule(table, top))
    yield from _find_waiting_faults(table, kind)


def _find_waiting_faults(table: Table, asked: type[Step]) -> Faults:
    """Find steps that cannot wait beneath the open question, or are missing."""
    if len(table.agenda) == 1 and asked in {each.step for each in QUESTIONS}:
        clause = "MC-V2-END-1" if table.rules.is_against_monsters else "MC-V1-END-1"
        if not isinstance(table.agenda[0], UndeterminedQuestion):
            yield "/pending", "something must wait here, or the match would be over after this question", clause
    for at, step in enumerate(reversed(table.agenda[:-1])):
        if isinstance(step, Deal):
            for detail, clause in _find_deal_faults(table, step):
                yield f"/pending/{at}", detail, clause


def _find_attack_faults(table: Table, step: PendingAttack) -> Iterator[tuple[str, str]]:
    on_turn = table.turn in (None, step.seat)
    if table.immune[step.seat]:
        yield f"seat {step.seat} is immune and cannot be attacked", "MC-EVENT-IMMUNE-1"
    if table.rules.is_against_monsters:
        if step.by == "sword":
            yield "a sword cannot be used against players in this variant", "MC-V2-SWORD-1"
        if not on_turn:
            yield "a monster attacks only the active player", "MC-V2-EVENT-ATTACK-1"
        if table.sleeper not in (None, NOBODY):
            yield "the monster is asleep, so it cannot attack", "MC-V2-SKIP-1"
        if table.monster and step.strength not in (None, attack_strength_of(table.monster)):
            yield (
                f"monster {table.monster} attacks with strength {attack_strength_of(table.monster)}",
                "MC-V2-MONSTER-3",
            )
        return
    event = "MC-V1-EVENT-ATTACK-1"
    if step.strength != 1:
        yield "this attack always costs one heart", "MC-V1-SWORD-1" if step.by == "sword" else event
    if step.by == "monster":
        yield "monsters do not attack in this variant", "MC-V1-MONSTER-1"
    elif step.by == "event" and not on_turn:
        yield "an event attacks only the active player", "MC-EVENT-1"
    elif step.by == "sword" and table.turn not in (None, NOBODY):
        following = _find_next_player(table, table.active)
        if step.seat == table.turn or following not in (None, step.seat):
            yield "a sword attacks only the next player", "MC-V1-SWORD-1"


def _find_lightning_faults(table: Table, step: LightningAttack) -> Faults:
    place = "/question/order"
    if table.turn not in (None, step.by):
        yield "/question/by", "only the active player can have played lightning", "MC-TERM-5"
    if step is table.agenda[-1] and not step.order and not step.all_parried:  # else the lightning strikes back now
        yield place, "name at least one player who still has to answer", "MC-V1-LIGHTNING-2"
    if step.by in step.order:
        yield place, "lightning does not strike the player who played it", "MC-V1-LIGHTNING-1"
    for seat in step.order:
        if table.hearts[seat] == 0 and step is not table.agenda[-1]:
            yield place, f"seat {seat} is defeated and cannot take part", "MC-LIFE-2"
        if table.immune[seat]:
            yield place, f"seat {seat} is immune and cannot be asked", "MC-AMB-11"
    if table.direction is not None:
        round_the_table = [seat for seat in table.seats_after(step.by) if seat in step.order]
        if tuple(round_the_table) != step.order:
            yield place, "list the seats in the order of play, as they answer", "MC-V1-LIGHTNING-2"


def _find_theft_faults(table: Table, step: Theft) -> Iterator[tuple[str, str]]:
    if table.turn not in (None, step.thief):
        yield "only the active player can have played a thief card", "MC-TERM-5"
    if step.victim == step.thief or _find_next_player(table, step.thief) not in (None, step.victim):
        yield "a thief steals only from the next player", "MC-V1-THIEF-1"
    if table.immune[step.victim]:
        yield f"seat {step.victim} is immune and cannot be robbed", "MC-AMB-12"
    held = find_hand_size(table, step.victim)
    if held is not None and step.count > held:
        yield (
            f"seat {step.victim} holds {held} cards, so no more can be stolen: the rest is drawn from the pile",
            "MC-V1-THIEF-2",
        )


def _find_surplus_faults(table: Table, step: SurplusDiscard) -> Iterator[tuple[str, str]]:
    held = find_hand_size(table, step.seat)
    if held is not None and step.count != held - HAND_LIMIT:
        yield f"this hand has {held} cards, so {max(held - HAND_LIMIT, 0)} must be discarded", "MC-TURN-END-1"


def _find_deal_faults(table: Table, step: Deal) -> Iterator[tuple[str, str]]:
    held = find_hand_size(table, step.seat)
    if held is not None and step.count != FIRST_HAND_SIZE - held:
        yield f"a first hand has {FIRST_HAND_SIZE} cards, so {FIRST_HAND_SIZE - held} must be dealt here", "MC-SETUP-5"


def _find_draw_faults(table: Table, step: CardDrawing) -> Iterator[tuple[str, str]]:
    drawn_for_a_card = not isinstance(step, DrawPhase | Deal)
    if drawn_for_a_card and not table.rules.is_against_monsters and table.turn not in (None, step.seat):
        yield "only the active player can have played a thief card", "MC-TERM-5"


def _find_event_faults(table: Table, step: EventPhase) -> Iterator[tuple[str, str]]:
    if not table.rules.has_late_immunity and table.immune[step.seat]:
        yield f"seat {step.seat} is immune, and so meets no event until the immunity has ended", "MC-EVENT-IMMUNE-1"


def _find_lost_hand_faults(table: Table, step: HandLoss) -> Iterator[tuple[str, str]]:
    if table.hearts[step.seat] and table.turn not in (None, step.seat):
        yield "only the active player or a defeated player can lose the whole hand", "MC-EVENT-DISCARD-1"


FAULT_FINDERS: dict[type[Step], Callable[..., Iterator[tuple[str, str]]]] = {
    PendingAttack: _find_attack_faults,
    Theft: _find_theft_faults,
    SurplusDiscard: _find_surplus_faults,
    Deal: _find_deal_faults,
    CardDrawing: _find_draw_faults,
    HandLoss: _find_lost_hand_faults,
    EventPhase: _find_event_faults,
}
