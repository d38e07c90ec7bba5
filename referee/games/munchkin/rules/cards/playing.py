"""Playing a card for what it does, at the moments that the card or the rules name.

Clauses: MK-2.3, MK-3.1, MK-3.6, MK-3.7, MK-4.2, MK-4.8, MK-4.9, MK-6.1, MK-6.4, MK-7.12, MK-8.1, MK-8.3, MK-8.4,
MK-8.5, MK-10.1, MK-12.1, MK-12.2, MK-12.3, MK-12.4, MK-13.10, MK-14.1, MK-14.2, MK-14.3, MK-17.8, MK-19.7, MK-20.1,
MK-20.7, MK-26.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from referee.cardscript.hidden_cards import check_cards_from_hand, check_in_hand, find_nameable_cards
from referee.cardscript.questions import CardPrompt
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.remembering import remember
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.engine.steps import Step, StepPopped, StepPushed
from referee.engine.zones import find_cards_leaving, is_back
from referee.games.munchkin.components import BOOK, COMBAT, FACES, HANDS, PENDING, PLAYS, TOP_LEVEL
from referee.games.munchkin.derived import find_active_abilities, name_unmet_condition
from referee.games.munchkin.events.cards import CardPlayed
from referee.games.munchkin.moves import PlayCard
from referee.games.munchkin.player_leaves import check_presence
from referee.games.munchkin.rules.cards import cursing
from referee.games.munchkin.rules.cards.requirements import (
    find_required_names,
    find_verbs,
    gives_player_a_level,
    must_target_another,
    strengthens_munchkins,
)
from referee.games.munchkin.rules.cards.texts import build_text_execution
from referee.games.munchkin.rules.combat import helping
from referee.games.munchkin.rules.combat.claim_breaking import break_claim
from referee.games.munchkin.rules.combat.combat_changed import HANDLERS, MoveHandler
from referee.games.munchkin.rules.items.discarding import discard_cards, find_attached_card
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import find_restrictions, is_condition_met

PLAYED_KINDS = (
    "enhancer", "curse", "wandering_monster", "door_special", "one_shot", "go_up_a_level", "treasure_special",
)  # fmt: skip
OPEN_MOMENTS = ("calm", "fight", "window", "flee")  # the moments at which plays of any time are taken (MK-6.1)
SIDES = ("munchkins", "monsters")
HIGHEST_LEVEL_BY_CARD = TOP_LEVEL - 1  # the highest level that anything but a kill gives (MK-4.2)
TIME_CLAUSES = {
    "calm": ("MK-6.3", "MK-9.7"),
    "own_turn": ("MK-6.3",),
    "any_time": ("MK-6.1",),
    "any_combat": ("MK-14.2",),
    "my_combat": ("MK-14.1",),
    "fleeing": ("MK-17.8",),
    "any_flee": ("MK-17.8",),
    "after_my_roll": ("MK-26.3", "MK-17.7", "MK-3.6"),
    "reaction_curse": ("MK-20.5", "MK-3.6"),
    "after_any_roll": ("MK-27.5", "MK-26.3"),
    "reaction_any_curse": ("MK-27.5", "MK-20.5"),
}
NAMING_CLAUSES = {  # by kind: what says on whom or what such a card is played; of other cards their own text does
    "curse": "MK-20.1",
    "enhancer": "MK-10.1",
    "wandering_monster": "MK-14.3",
    "one_shot": "MK-8.3",
    "go_up_a_level": "MK-8.4",
}
ANSWERING_TIMES = {
    "after_my_roll": "roll",
    "reaction_curse": "curse",
    "after_any_roll": "roll",
    "reaction_any_curse": "curse",
}  # by the moment that such cards answer


# ---- when ------------------------------------------------------------------------------------------------------------


def is_time_to_play(table: Table, seat: int, when: str, moment: str) -> bool:
    """Return whether a moment is one of the times that a card names for this player."""
    match when:
        case "calm":
            return moment == "calm" and seat == table.turn
        case "own_turn":
            return moment in OPEN_MOMENTS and seat == table.turn
        case "any_time":
            return moment in (*OPEN_MOMENTS, "promise")
        case "any_combat":
            return moment in ("fight", "window")
        case "my_combat":
            return moment in ("fight", "window") and table.is_in_combat(seat)
        case "fleeing":
            return moment == "flee" and any(pair.startswith(f"{seat}/") for pair in table.running_combat.to_flee)
        case "any_flee":
            return moment == "flee"
        case "after_my_roll" | "reaction_curse":
            if moment != ANSWERING_TIMES[when]:
                return False
            top = table.agenda[-1]  # only the player who rolled, or is about to be cursed, answers
            return not isinstance(top, CardPrompt) or seat in top.prompted_seats(table)
        case "after_any_roll" | "reaction_any_curse":
            return moment == ANSWERING_TIMES[when]
    return False


def admit_players(table: Table, when: str) -> frozenset[Seat]:
    """Return the seats that may answer for another player, if the box has such cards.

    MK-27.5: Such a card may be played by every living player. Only the player concerned is waited for.
    """
    return frozenset(map(Seat, table.living_seats)) if when in table.boxes.play_times else frozenset()


def list_answers_of_others(table: Table, seat: Seat, when: str) -> Iterator[Move]:
    """Yield the plays with which a seat that is not asked may answer for another."""
    top = table.agenda[-1]
    if seat < 0 or seat not in admit_players(table, when) or seat in top.awaited_seats(table):
        return
    for card in list_playable_cards(table, int(seat)):
        if when in FACES[card].when:
            yield from list_plays_of_card(table, int(seat), card)


def is_answer_of_another(table: Table, seat: Seat, move: Move, when: str) -> bool:
    """Return whether a seat that is not asked answers for another by a card (MK-27.5)."""
    if not isinstance(move, PlayCard) or move.card not in FACES or when not in FACES[move.card].when:
        return False
    return seat in admit_players(table, when) and seat not in table.agenda[-1].awaited_seats(table)


def check_time(table: Table, seat: int, card: str, moment: str) -> None:
    """Raise IllegalMove unless this player may play this card at this moment.

    MK-17.8: While somebody runs away, only cards whose text allows it can be played.
    """
    face = FACES[card]
    if any(is_time_to_play(table, seat, when, moment) for when in face.when):
        return
    if moment == "setup":
        raise IllegalMove("not_before_the_first_turn", "MK-1.6", card=card)
    if "any_time" in face.when:  # any moment of any turn is meant, but not the midst of something
        raise IllegalMove("carried_out_first", "MK-3.6")
    running = ("MK-17.8",) if moment == "flee" and not set(ANSWERING_TIMES) & set(face.when) else ()
    named = dict.fromkeys((*(clause for when in face.when for clause in TIME_CLAUSES[when]), *running))
    clauses = (clause for clause in named if clause != "MK-9.7" or table.is_in_combat(seat))  # it binds fighters only
    raise IllegalMove("not_the_time", *clauses, card=card, when=face.when[0])


# ---- the predicate ---------------------------------------------------------------------------------------------------


def check_play_at(table: Table, seat: int, move: PlayCard, moment: str) -> None:
    """Raise IllegalMove unless the player may make this play at this moment.

    Raises Undetermined if a position says too little.
    """
    _check_card_and_time(table, seat, move.card, moment)
    check_names(table, seat, move)
    check_target(table, seat, move)
    check_conditions(table, seat, move)
    check_bars(table, seat, move)


@remember()  # a card's many targets share one check of its time
def _check_card_and_time(table: Table, seat: int, card: str, moment: str) -> None:
    check_card_to_play(table, seat, card)
    check_time(table, seat, card, moment)


def check_card_to_play(table: Table, seat: int, card: str) -> None:
    """Raise IllegalMove unless the living player has this card to play.

    It does not look at the moment, or at what the card is played on.
    """
    if card not in table.boxes.whole:
        raise IllegalMove("no_such_card", "MK-2.1", card=card)
    check_presence(table, seat)
    if seat in table.dead:
        raise IllegalMove("is_dead", "MK-19.7", seat=seat)
    face = FACES[card]
    if not (face.kind == "one_shot" and card in table.cards_in_play_of(seat)):
        check_in_hand(table, seat, card, "MK-2.3")
    if face.kind == "monster":
        if table.combat is not None:
            raise IllegalMove("monsters_join", "MK-14.3", "MK-12.1", "MK-5.4", card=card)
        raise IllegalMove("monsters_join", "MK-5.4", "MK-14.3", "MK-12.1", card=card)
    if face.kind not in PLAYED_KINDS:
        raise IllegalMove("is_put_into_play", "MK-6.3", "MK-7.6", card=card)


def check_names(table: Table, seat: int, move: PlayCard) -> None:
    """Raise IllegalMove unless the play names exactly what its card asks for.

    MK-20.1: A curse may be played on anyone.
    MK-10.1: A monster enhancer is played on one monster.
    MK-8.3: If a one-shot can be used for either side, the player chooses the side.
    MK-8.4: A Go Up a Level card may be played on oneself or on anyone else.
    MK-14.3: Wandering Monster is played together with a monster from the same hand.
    MK-3.1: Any other card says itself what it is played on.
    """
    clause = NAMING_CLAUSES.get(FACES[move.card].kind, "MK-3.1")
    asks = find_required_names(move.card)
    given = (
        ("seat", move.seat != -1), ("monster", bool(move.monster)), ("side", bool(move.side)),
        ("partner", bool(move.partner)),
    )  # fmt: skip
    for what, there in given:
        if there and what not in asks:
            raise IllegalMove("names_too_much", clause, card=move.card, what=f"names_{what}")
        if not there and what in asks:
            raise IllegalMove("names_too_little", clause, card=move.card, what=f"names_{what}")
    if "side" in asks and move.side not in SIDES:
        raise IllegalMove("no_such_side", "MK-8.3")
    if "partner" in asks:
        _check_partner(table, seat, move.card, move.partner)


def check_target(table: Table, seat: int, move: PlayCard) -> None:
    """Raise IllegalMove if the card cannot be played on what the play names."""
    asks = find_required_names(move.card)
    if "seat" in asks:
        if not 0 <= move.seat < table.rules.seats:
            raise IllegalMove("no_such_player", "MK-1.1", seat=move.seat)
        check_presence(table, move.seat)
        if move.seat in table.dead:
            clause = "MK-20.7" if FACES[move.card].kind == "curse" else "MK-19.7"
            raise IllegalMove("is_dead", clause, seat=move.seat)
        if move.seat == seat and must_target_another(move.card):
            raise IllegalMove("another_player", "MK-3.1", card=move.card)
    if "monster" in asks and table.running_combat.find_foe(move.monster) is None:
        raise IllegalMove("not_in_the_combat", "MK-10.1", card=move.monster)


def _check_partner(table: Table, seat: int, card: str, monster: str) -> None:
    """Raise IllegalMove unless the partner is another card of that hand, a monster.

    MK-14.3: Wandering Monster is played together with a monster from the same hand.
    """
    if monster not in table.boxes.whole or FACES[monster].kind != "monster":
        raise IllegalMove("no_monster", "MK-14.3", card=monster)
    check_cards_from_hand(table, seat, (card, monster), "MK-14.3")


def check_conditions(table: Table, seat: int, move: PlayCard) -> None:
    """Raise IllegalMove unless the conditions that the card itself sets hold now.

    MK-3.1: Where a card and the rules disagree, the card wins.
    """
    card, face = move.card, FACES[move.card]
    if face.requires is not None and not is_condition_met(table, face.requires, seat):
        needs = name_unmet_condition(table, face.requires, seat)
        raise IllegalMove("condition_fails", "MK-3.1", card=card, needs=needs)
    if face.requires_target is not None and not is_condition_met(table, face.requires_target, move.seat):
        needs = name_unmet_condition(table, face.requires_target, move.seat)
        raise IllegalMove("target_does_not_fit", "MK-3.1", card=card, seat=move.seat, needs=needs)


def check_bars(table: Table, seat: int, move: PlayCard) -> None:
    """Raise IllegalMove if the rules, or a card in the combat, bar this play.

    MK-3.5: Level 10 is reached only by killing a monster.
    MK-4.2, MK-8.4: On a player of level 9 no Go Up a Level card can be played.
    """
    card, face = move.card, FACES[move.card]
    if face.kind == "go_up_a_level":
        riser = seat if gives_player_a_level(card) else move.seat
        if table.levels[riser] >= HIGHEST_LEVEL_BY_CARD:
            raise IllegalMove("level_ten_by_a_kill", "MK-4.2", "MK-8.4", "MK-3.5", seat=riser)
    if "draft" in find_verbs(card):
        helping.check_drafting(table, move.seat)
    if face.kind == "one_shot" and table.combat is not None:
        by = next((each for each, _ in find_active_abilities(table, seat, "cannot_play_one_shots")), None)
        if by is not None:
            raise IllegalMove("cannot_play_one_shots", "MK-27.4", card=card, by=by)
    if (
        face.kind == "one_shot"
        and (move.side == "munchkins" or strengthens_munchkins(card))
        and table.combat is not None
    ):
        foe = next((foe for foe, _ in find_restrictions(table, "no_one_shots")), None)
        if foe is not None:
            raise IllegalMove("no_one_shots_here", "MK-9.4", card=card, by=foe.card)


# ---- carrying out ----------------------------------------------------------------------------------------------------


@named("mk.Finish")
@dataclass(frozen=True)
class FinishPlay(Step):
    """The discard of a card that was carried out, unless it has found another place.

    MK-8.5: A treasure that is neither an item nor a lasting card is played as it says and then discarded.
    """

    card: str
    clauses = ("MK-8.5",)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepPopped()
        if self.card in state.cards_at(PENDING):
            yield from discard_cards(state, PENDING, (self.card,))


def stays_in_combat(table: Table, card: str) -> bool:
    """Return whether a card lies with the combat until it ends.

    MK-8.1: In combat a one-shot lies with the side it helps until the combat ends.
    MK-10.6: Enhancers leave the combat together with their monster.
    """
    face = FACES[card]
    if table.combat is None or face.kind in ("curse", "go_up_a_level"):
        return False
    return bool({"any_combat", "my_combat", "fleeing", "any_flee"} & set(face.when))


def play_card(table: Table, seat: int, move: PlayCard) -> Iterator[Event]:
    """Yield the events of playing a card that was checked before.

    MK-3.6: A play is carried out in full before the next one is taken.
    """
    card, source = move.card, HANDS[seat]
    if FACES[card].kind == "one_shot" and card in table.cards_in_play_of(seat):
        source = PLAYS[seat]
    took = find_cards_leaving(table, source, (card,))
    target = COMBAT if stays_in_combat(table, card) else PENDING
    yield CardPlayed(source, target, took, (card,), seat, card, move.seat, move.monster, move.side)
    if (lying := find_attached_card(table, source, card)) is not None:
        yield from discard_cards(table, source, (lying,))  # MK-7.12: the attached card is discarded
    if FACES[card].kind == "curse":
        yield from cursing.start_curse(table, card, move.seat, seat)
        return
    if target == PENDING:
        yield StepPushed(FinishPlay(card))
    yield StepPushed(build_text_execution(table, card, "does", seat, move.seat, move.monster, move.partner, move.side))


def check_play(table: Table, seat: int, move: PlayCard) -> None:
    """Raise IllegalMove unless the player may make this play now."""
    check_play_at(table, seat, move, table.moment)


def decide_play(table: Table, seat: int, move: PlayCard) -> Iterator[Event]:
    """Yield the events of a play, which first closes an open claim window.

    MK-15.2: Any accepted play in the window closes it without a kill.
    """
    yield from break_claim(table, seat)
    yield from play_card(table, seat, move)


# ---- listing ---------------------------------------------------------------------------------------------------------


def list_playable_cards(table: Table, seat: int) -> Iterator[str]:
    """Yield the cards that a player may think of playing: hand and one-shots in play."""
    for card in find_nameable_cards(table, HANDS[seat]):
        if FACES[card].kind in PLAYED_KINDS:
            yield card
    for card in table.cards_in_play_of(seat):
        if FACES[card].kind == "one_shot":
            yield card


def list_plays(table: Table, seat: int) -> Iterator[Move]:
    """Yield every conceivable play, and one near miss for a card at the wrong time."""
    if seat in table.dead:
        return
    moment = table.moment
    for card in list_playable_cards(table, seat):
        if any(is_time_to_play(table, seat, when, moment) for when in FACES[card].when):
            yield from list_plays_of_card(table, seat, card)
        else:
            yield PlayCard(card)


def list_timely_plays(table: Table, seat: int) -> Iterator[Move]:
    """Yield the conceivable plays of the cards whose time it is."""
    if seat in table.dead:
        return
    moment, now = table.moment, dict[tuple[str, ...], bool]()  # cards name few different times
    for card in list_playable_cards(table, seat):
        when = FACES[card].when
        if when not in now:
            now[when] = any(is_time_to_play(table, seat, each, moment) for each in when)
        if now[when]:
            yield from list_plays_of_card(table, seat, card)


def list_plays_of_card(table: Table, seat: int, card: str) -> Iterator[PlayCard]:
    """Yield the plays of one card, one for each thing that it may be played on."""
    asks = find_required_names(card)
    foes = [foe.card for foe in table.combat.foes] if table.combat is not None else []
    partners = (
        [name for name in find_nameable_cards(table, HANDS[seat]) if FACES[name].kind == "monster"]
        if "partner" in asks
        else [""]
    )
    for target in table.living_seats if "seat" in asks else (-1,):
        for monster in foes if "monster" in asks else ("",):
            for side in SIDES if "side" in asks else ("",):
                for partner in partners:
                    yield PlayCard(card, target, monster, side, partner)


def build_play_patterns(table: Table, seat: int) -> tuple[dict[str, Any], ...]:
    """Describe the plays of a hand that the referee has not seen."""
    if not any(map(is_back, table.cards_in_hand(seat))):
        return ()
    names = {
        "enum": sorted(card for card in find_nameable_cards(table, HANDS[seat]) if FACES[card].kind in PLAYED_KINDS)
    }
    fields_: dict[str, Any] = {
        "card": names,
        "seat": {"type": "integer", "minimum": -1, "maximum": table.rules.seats - 1},
        "monster": {"type": "string"},
        "side": {"enum": ["", *SIDES]},
        "partner": {"type": "string"},
    }
    return ({"type": PlayCard.TAG, "fields": fields_, "says": BOOK.render_texts("pattern.play")},)


HANDLERS[PlayCard] = MoveHandler(list_plays, check_play, decide_play, build_play_patterns, list_timely_plays)
