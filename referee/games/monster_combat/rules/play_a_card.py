"""Phase 3, playing a card, and what each playing card does (chapters 5 and 6).

Clauses: MC-TURN-PLAY-1, MC-V1-SWORD-1, MC-V2-SWORD-1, MC-V2-LIGHTNING-1, MC-V1-LIFE-1, MC-V2-LIFE-1, MC-V2-LIFE-2,
MC-V1-SKIP-1, MC-V2-SKIP-1, MC-V2-SKIP-2, MC-V1-THIEF-1, MC-V1-THIEF-2, MC-V2-THIEF-1, MC-SHIELD-2, MC-AMB-8,
MC-AMB-8-R2, MC-AMB-12, MC-AMB-19, MC-AMB-27.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.prompts import SeatPrompt
from referee.engine.rulings import IllegalMove, NotAsked, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import StepPopped, StepPushed
from referee.engine.zones import find_cards_leaving
from referee.games.monster_combat.components import HEARTS_HIT_BY_CARD, MAGNETS_BY_CARD, design_name
from referee.games.monster_combat.events import CardPlayed, ComingTurnLost, HeartRegained, ImmunityHeld, PlayerRevived
from referee.games.monster_combat.monster_events import MonsterFellAsleep, MonsterHit
from referee.games.monster_combat.moves import Pass, PlayCard, ReviveDraw
from referee.games.monster_combat.rules.attacks import start_attack, start_lightning
from referee.games.monster_combat.rules.drawing import CardDrawing
from referee.games.monster_combat.rules.monsters import MonsterCheck
from referee.games.monster_combat.rules.naming import check_names, list_giveable_names
from referee.games.monster_combat.rules.theft import Theft
from referee.games.monster_combat.state import DISCARD, FIRST_HAND_SIZE, FULL_HEARTS, HANDS, NOBODY, SOME, TRAY, Table


@named("mc.PlayPhase")
@dataclass(frozen=True)
class PlayPhase(SeatPrompt):
    """Phase 3: the active player plays a card or none.

    MC-TURN-PLAY-1: Last, the active player may lay one card from the hand on the discard, and it does what it says.
    MC-TURN-1: A turn goes: draw, event, play a card. Only the last one can be left out.
    MC-AMB-19: If the event has defeated the active player, the turn is over and no card is played.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MC-TURN-PLAY-1", "MC-TURN-1")

    def awaited_seats(self, state: Table) -> frozenset[Seat]:
        return frozenset() if state.hearts[self.seat] == 0 else frozenset({Seat(self.seat)})

    def timeout_move(self, state: Table, seat: Seat) -> Move:
        return Pass()  # MC-AMB-27

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield Pass()
        for card in list_giveable_names(state, self.seat):
            if state.rules.is_against_monsters and design_name(card) == "life_back":
                yield from (PlayCard(card, other) for other in state.seats)
            else:
                yield PlayCard(card)

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, Pass):
            return
        if not isinstance(move, PlayCard):
            raise NotAsked("play_or_pass", "MC-TURN-PLAY-1", move=move.TAG)
        check_card_in_hand(state, self.seat, move.card, seat)
        check_use(state, self.seat, move)

    def _find_life_target(self, move: PlayCard) -> int:
        """Return the seat whose heart a life-back card is to fill."""
        return self.seat if move.target is None else move.target

    def find_rules(self, table: Table, move: PlayCard) -> tuple[str, ...]:
        """Return the clauses that say what a card does here.

        MC-V1-THIEF-2: What the victim's hand cannot give, the active player draws from the draw pile.
        MC-V2-SKIP-2: Attacks on a sleeping monster count double.
        MC-AMB-8-R2: A life-back card may be played with no empty heart to fill.
        """
        card = design_name(move.card)
        _, rules = CARD_EFFECTS[table.rules.variant, card]
        if card == "life_back" and is_in_vain(table, self._find_life_target(move)):
            return (*rules, "MC-AMB-8")
        if table.rules.is_against_monsters:
            asleep = card in HEARTS_HIT_BY_CARD and table.sleeper not in (NOBODY, None)
            return (*rules, "MC-V2-SKIP-2") if asleep else rules
        return (*rules, "MC-V1-THIEF-2") if is_victim_short(table, self.seat, card) else rules

    def find_grounds(self, state: Table, move: Move) -> tuple[str, ...]:
        """Return the clauses that say what a card does here, those of the situation first.

        MC-TURN-PLAY-1, MC-AMB-12: A card played against an immune player is legal, and used up. Lightning is played
            against everyone, so that its own rule says more.
        """
        if not isinstance(move, PlayCard):
            return ()
        card = design_name(move.card)
        _, rules = CARD_EFFECTS[state.rules.variant, card]
        with suppress(Undetermined):
            beside = (*self.find_rules(state, move)[len(rules) :], *rules)
            spared = ("MC-AMB-12", "MC-EVENT-IMMUNE-1") if find_immune_targets(state, self.seat, card) else ()
            return ("MC-TURN-PLAY-1", *spared, *beside) if spared and card != "lightning" else (*beside, *spared)
        return rules

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, PlayCard):
            effect, _ = CARD_EFFECTS[state.rules.variant, design_name(move.card)]
            rules = self.find_rules(state, move)
            took = find_cards_leaving(state, HANDS[self.seat], (move.card,))
            yield CardPlayed(HANDS[self.seat], DISCARD, took, (move.card,), self.seat, rules)
            yield StepPopped()
            yield from effect(state, self.seat, move)
        else:
            yield StepPopped()


def check_card_in_hand(table: Table, seat: int, card: str, viewer: int) -> None:
    """Check that a player can hold this card, as the viewer sees it.

    Raises IllegalMove or Undetermined.

    MC-EVENT-DISCARD-1: Every card the active player holds goes to the discard.
    MC-AMB-13: A turn goes on after that, and there is nothing to play.
    """
    if (
        not table.cards_in_hand(seat)
        and any(isinstance(step, PlayPhase) and step.seat == seat for step in table.agenda)
        and tuple(map(design_name, table.cards_at(TRAY)))[-1:] == ("discard_hand",)
    ):
        raise IllegalMove("hand_was_discarded", "MC-EVENT-DISCARD-1", "MC-AMB-13", "MC-TURN-PLAY-1")
    check_names(table, seat, (card,), viewer, "MC-TURN-PLAY-1")


# Cards whose rule says whom they affect: why they take no target, and the clauses that say so.
UNAIMED_CARDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("V1", "sword"): ("sword_hits_the_next_player", "MC-V1-SWORD-1"),
    ("V1", "lightning"): ("lightning_hits_all_others", "MC-V1-LIGHTNING-1"),
    ("V1", "life_back"): ("only_own_hearts", "MC-V1-LIFE-1"),
    ("V1", "skip"): ("skip_hits_the_next_player", "MC-V1-SKIP-1"),
    ("V1", "thief_1"): ("thief_robs_the_next_player", "MC-V1-THIEF-1"),
    ("V1", "thief_2"): ("thief_robs_the_next_player", "MC-V1-THIEF-1"),
    ("V2", "sword"): ("attacks_go_against_the_monster", "MC-V2-SWORD-1"),
    ("V2", "lightning"): ("lightning_goes_against_the_monster", "MC-V2-LIGHTNING-1", "MC-V2-SWORD-1"),
    ("V2", "skip"): ("skip_hits_the_monster", "MC-V2-SKIP-1"),
    ("V2", "thief_1"): ("thief_only_draws", "MC-V2-THIEF-1"),
    ("V2", "thief_2"): ("thief_only_draws", "MC-V2-THIEF-1"),
}


def check_use(table: Table, seat: int, move: PlayCard) -> None:
    """Check that a card can do what it says, and is aimed where it may go.

    Raises IllegalMove or Undetermined.

    MC-AMB-8: Not a shield, not a life-back card with no empty heart to fill, not a card without a face. Every other
        card always.
    MC-AMB-8-R2: A life-back card also with no empty heart to fill.
    """
    card = design_name(move.card)
    useless = table.interpretation_number("MC-AMB-8") == 2  # MC-AMB-8-R2: a card that does nothing may be played
    if card == "shield":
        raise IllegalMove("shield_only_answers", "MC-SHIELD-1", "MC-SHIELD-2", "MC-AMB-8", card=move.card)
    if card == "trigger":
        raise IllegalMove("card_without_a_face", "MC-AMB-1", "MC-AMB-8", card=move.card)
    if card == "life_back" and table.rules.is_against_monsters:
        if move.target is None and not useless and all(hearts == FULL_HEARTS for hearts in table.hearts):
            raise IllegalMove("nobody_lacks_a_heart", "MC-V2-LIFE-1", "MC-TERM-8", "MC-AMB-8", card=move.card)
        if move.target is None:
            raise IllegalMove("whose_heart", "MC-V2-LIFE-1", card=move.card)
        if move.target not in table.seats:
            raise IllegalMove("no_such_seat", "MC-MAT-5", seat=move.target, seats=table.rules.seats)
        if not useless and table.hearts_of(move.target) >= FULL_HEARTS:
            raise IllegalMove("no_empty_heart", "MC-V2-LIFE-1", "MC-TERM-8", "MC-AMB-8", seat=move.target)
        return
    if move.target is not None and (table.rules.variant, card) in UNAIMED_CARDS:
        raise IllegalMove(*UNAIMED_CARDS[table.rules.variant, card], card=move.card)
    if card == "life_back" and not useless and table.hearts_of(seat) >= FULL_HEARTS:
        raise IllegalMove("no_empty_heart", "MC-V1-LIFE-1", "MC-TERM-8", "MC-AMB-8", seat=seat)


def is_in_vain(table: Table, seat: int) -> bool:
    """Return whether a life-back card is played for a player without an empty heart.

    MC-AMB-8-R2: A life-back card may be played with no empty heart to fill. Then nothing happens.
    """
    return table.interpretation_number("MC-AMB-8") == 2 and table.hearts_of(seat) >= FULL_HEARTS


# ---- what the cards do: everyone against everyone ------------------------------------------------------------


def play_sword(table: Table, seat: int, move: PlayCard) -> Iterator[Event]:
    """Yield the events of a sword in variant 1.

    MC-V1-SWORD-1: A sword attacks the next player, who loses a life or parries with a shield.
    MC-AMB-12: An immune player is not attacked. The card is used up all the same.
    """
    target = table.find_next_living(seat)
    if table.is_immune(target):
        yield ImmunityHeld(target, move.card)
    else:
        yield from start_attack(target, 1, "sword")


def play_lightning(table: Table, seat: int, _move: PlayCard) -> Iterator[Event]:
    """Yield the events of lightning in variant 1.

    MC-V1-LIGHTNING-1: Lightning attacks everyone but the active player. Each loses a life or parries for themselves.
    """
    yield from start_lightning(table, seat)


def regain_own_heart(table: Table, seat: int, _move: PlayCard) -> Iterator[Event]:
    """Yield the events of a life-back card in variant 1.

    MC-V1-LIFE-1: A life-back card fills one empty heart of the player who plays it.
    MC-AMB-8-R2: With no empty heart to fill nothing happens.
    """
    if not is_in_vain(table, seat):
        yield HeartRegained(seat)


def skip_next_player(table: Table, seat: int, move: PlayCard) -> Iterator[Event]:
    """Yield the events of a skip card in variant 1.

    MC-V1-SKIP-1: A skip card takes the coming turn from the next player.
    MC-AMB-12: It does not affect an immune player. The card is used up all the same.
    """
    target = table.find_next_living(seat)
    yield ImmunityHeld(target, move.card) if table.is_immune(target) else ComingTurnLost(target)


def steal_cards(table: Table, seat: int, move: PlayCard) -> Iterator[Event]:
    """Yield the events of a thief in variant 1.

    MC-V1-THIEF-1: A thief takes one card of the next player's hand for each magnet, unseen and by chance.
    MC-V1-THIEF-2: What that hand cannot give, the active player draws from the draw pile.
    MC-AMB-12: From an immune player a thief gets nothing, from the pile neither.
    MC-AMB-12-R2: From an immune player a thief takes nothing, and draws as many cards from the pile.
    """
    target = table.find_next_living(seat)
    wanted = MAGNETS_BY_CARD[design_name(move.card)]
    if table.is_immune(target):
        yield ImmunityHeld(target, move.card)
        if table.interpretation_number("MC-AMB-12") == 2:
            yield StepPushed(CardDrawing(seat, wanted, spare=1))
        return
    there = min(wanted, table.count_hand_cards(target))
    if there < wanted:
        yield StepPushed(CardDrawing(seat, wanted - there, spare=1))
    if there:
        yield StepPushed(Theft(target, seat, there))


def find_immune_targets(table: Table, seat: int, card: str) -> tuple[int, ...]:
    """Return the players at whom a card is aimed by its rule, and who are immune.

    MC-AMB-12: An immune player is not affected.
    """
    if table.rules.is_against_monsters or card == "life_back":
        return ()
    targets = table.seats_after(seat) if card == "lightning" else (table.find_next_living(seat),)
    return tuple(other for other in targets if other != seat and table.is_immune(other))


def is_victim_short(table: Table, seat: int, card: str) -> bool:
    """Return whether the next player surely has fewer cards than a thief takes.

    MC-V1-THIEF-2: What that hand cannot give, the active player draws from the draw pile.
    """
    if card not in MAGNETS_BY_CARD or table.direction is None or None in table.hearts:
        return False
    target = table.find_next_living(seat)
    hand = table.cards_in_hand(target)
    return SOME not in hand and len(hand) < MAGNETS_BY_CARD[card] and table.immune[target] is False


# ---- what the cards do: all against the monsters -------------------------------------------------------------


def hit_monster(table: Table, _seat: int, move: PlayCard) -> Iterator[Event]:
    """Yield the events of a sword or lightning in variant 2.

    MC-V2-SWORD-1: A sword takes one life from the active monster.
    MC-V2-LIGHTNING-1: Lightning takes two lives from the active monster.
    MC-V2-SKIP-2: Attacks on a sleeping monster count double.
    MC-AMB-15: Hits in excess are lost.
    """
    force = HEARTS_HIT_BY_CARD[design_name(move.card)] * (2 if table.is_monster_asleep() else 1)
    left = table.monster_hearts_left()
    yield MonsterHit(table.monster_number(), min(force, left), ("MC-AMB-15",) if force > left else ())
    yield StepPushed(MonsterCheck())


def regain_any_heart(table: Table, _seat: int, move: PlayCard) -> Iterator[Event]:
    """Yield the events of a life-back card in variant 2.

    MC-V2-LIFE-1: A life-back card fills exactly one empty heart of a player of one's choice. A defeated one comes back
        with it.
    MC-V2-LIFE-2: A player who comes back into play may draw five cards.
    MC-AMB-8-R2: With no empty heart to fill nothing happens.
    """
    target = NOBODY if move.target is None else move.target
    if is_in_vain(table, target):
        return
    back_in_play = not table.is_alive(target)
    yield HeartRegained(target)
    if back_in_play:
        yield PlayerRevived(target)
        yield StepPushed(RefillHand(target))


def put_monster_to_sleep(table: Table, seat: int, _move: PlayCard) -> Iterator[Event]:
    """Yield the event of a skip card in variant 2.

    MC-V2-SKIP-1: A skip card puts the active monster to sleep for one round.
    MC-AMB-14: A further skip starts the round again.
    MC-AMB-14-R2: It sleeps through one turn.
    """
    yield MonsterFellAsleep(seat, through_one_turn=table.interpretation_number("MC-AMB-14") == 2)


def draw_extra_cards(_table: Table, seat: int, move: PlayCard) -> Iterator[Event]:
    """Yield the event of a thief in variant 2.

    MC-V2-THIEF-1: A thief draws one card from the draw pile for each magnet.
    """
    yield StepPushed(CardDrawing(seat, MAGNETS_BY_CARD[design_name(move.card)], spare=1))


CardEffectFunction = Callable[[Table, int, PlayCard], Iterator[Event]]
# What a card does in a variant, and the clauses that always say so.
CARD_EFFECTS: dict[tuple[str, str], tuple[CardEffectFunction, tuple[str, ...]]] = {
    ("V1", "sword"): (play_sword, ("MC-V1-SWORD-1",)),
    ("V1", "lightning"): (play_lightning, ("MC-V1-LIGHTNING-1", "MC-V1-LIGHTNING-2")),
    ("V1", "life_back"): (regain_own_heart, ("MC-V1-LIFE-1",)),
    ("V1", "skip"): (skip_next_player, ("MC-V1-SKIP-1",)),
    ("V1", "thief_1"): (steal_cards, ("MC-V1-THIEF-1",)),
    ("V1", "thief_2"): (steal_cards, ("MC-V1-THIEF-1",)),
    ("V2", "sword"): (hit_monster, ("MC-V2-SWORD-1",)),
    ("V2", "lightning"): (hit_monster, ("MC-V2-LIGHTNING-1",)),
    ("V2", "life_back"): (regain_any_heart, ("MC-V2-LIFE-1",)),
    ("V2", "skip"): (put_monster_to_sleep, ("MC-V2-SKIP-1",)),
    ("V2", "thief_1"): (draw_extra_cards, ("MC-V2-THIEF-1",)),
    ("V2", "thief_2"): (draw_extra_cards, ("MC-V2-THIEF-1",)),
}


@named("mc.RefillHand")
@dataclass(frozen=True)
class RefillHand(SeatPrompt):
    """A revived player may draw five cards, at once or not at all.

    MC-V2-LIFE-2: A player who comes back into play may draw five cards.
    MC-AMB-18: A revived player draws five at once if they wish.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MC-V2-LIFE-2", "MC-AMB-18")

    def timeout_move(self, state: Table, seat: Seat) -> Move:
        return ReviveDraw(False)  # MC-AMB-27

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        return (ReviveDraw(True), ReviveDraw(False))

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, ReviveDraw):
            raise NotAsked("draw_or_not", "MC-V2-LIFE-2", move=move.TAG)

    def decide_move(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ReviveDraw)
        yield StepPopped()
        if move.draw:
            yield StepPushed(CardDrawing(self.seat, FIRST_HAND_SIZE, spare=1))
