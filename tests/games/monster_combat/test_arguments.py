"""What tables quarrel about in Monster Combat: each move, and the clause that a knowledgeable player names.

The clauses were chosen by the rulebook, not by what the program says: of several broken rules the one that says most
about this very move.
"""

from __future__ import annotations

import pytest

from referee.engine.chance import PickResult, TurnUpResult
from referee.engine.events import Move
from referee.engine.referee import rule_on_move
from referee.engine.seats import CHANCE, Seat
from referee.games.monster_combat import GAME
from referee.games.monster_combat.moves import (
    DiscardSurplus,
    DrawResult,
    LayOpenResult,
    Parry,
    Pass,
    PlayCard,
    ReviveDraw,
    TakeHit,
)
from referee.games.monster_combat.rules.attacks import LightningAttack, PendingAttack
from referee.games.monster_combat.rules.ending import DefeatCheck, HandLoss
from referee.games.monster_combat.rules.play_a_card import RefillHand
from referee.games.monster_combat.rules.setup import SetupStart
from referee.games.monster_combat.rules.theft import Theft
from referee.games.monster_combat.rules.triggers import AfterEvent, EventPhase
from referee.games.monster_combat.rules.turn import DrawPhase, EndOfTurn, PassTurn, SurplusDiscard
from referee.games.monster_combat.state import NOBODY, Table
from referee.position_rulings.judging import find_deciding_clause
from tests.games.arguments import Argument, as_parameters, check_argument
from tests.games.course import settled
from tests.games.monster_combat.given import struck, table

REAL = {"at_table": True}
BACKS = ("?",) * 12 + ("?trigger",) * 6
FACELESS = {"trigger_mode": "extra_cards"}


def to_draw(*hands: list[str], **more: object) -> Table:
    """A table of real cards at which the card of phase 1 has still to be reported."""
    agenda = (EndOfTurn(), DrawPhase(0))
    return table(*hands, agenda=agenda, deck=BACKS, events=("?event",) * 4, rules=REAL, **more)  # type: ignore[arg-type]


def event_due(*hands: list[str], **more: object) -> Table:
    """A table of real cards at which the event of phase 2 has still to be turned up."""
    agenda = (EndOfTurn(), EventPhase(0))
    return table(*hands, agenda=agenda, deck=BACKS, events=("?event",) * 4, rules=REAL, **more)  # type: ignore[arg-type]


def attacked_by_event(*hands: list[str], by: str = "event", strength: int = 1, **more: object) -> Table:
    """A table at which an event attacks seat 0, whose turn it is."""
    agenda = (EndOfTurn(), AfterEvent(0), PendingAttack(0, strength, by))
    return table(*hands, agenda=agenda, **more)  # type: ignore[arg-type]


def robbed(*hands: list[str], count: int = 1, **more: object) -> Table:
    """A table at which seat 0 has played a thief and takes cards from seat 1."""
    return table(*hands, agenda=(EndOfTurn(), Theft(1, 0, count)), discard=("thief_1",), **more)  # type: ignore[arg-type]


def lightning(*hands: list[str], order: tuple[int, ...], **more: object) -> Table:
    """A table at which the lightning of seat 0 waits for the answers of these seats."""
    return table(*hands, agenda=(EndOfTurn(), LightningAttack(order, 0)), **more)  # type: ignore[arg-type]


def surplus(count: int, *hands: list[str], **more: object) -> Table:
    """A table at which seat 0 has to give up cards at the end of the turn."""
    return table(*hands, agenda=(PassTurn(), SurplusDiscard(0, count)), **more)  # type: ignore[arg-type]


def revived(*hands: list[str], **more: object) -> Table:
    """A table at which seat 1 was revived and may draw five cards."""
    agenda = (EndOfTurn(), RefillHand(1))
    return table(*hands, agenda=agenda, variant="V2", discard=("life_back",), **more)  # type: ignore[arg-type]


def refused(says: str, state: Table, seat: int, move: Move, clause: str) -> Argument:
    """A move that is refused, first by this clause."""
    return Argument(says, state, seat, move, clause)


def granted(says: str, state: Table, seat: int, move: Move, clause: str) -> Argument:
    """A legal move that somebody objects to, and a clause that the ruling rests on."""
    return Argument(says, state, seat, move, clause, legal=True)


def undealt() -> Table:
    """A table at which the first hands have still to be dealt."""
    return table([], [], turn=NOBODY, agenda=(SetupStart(),))


TEN = ["sword"] * 10
REFUSED = (
    # ---- a thief, who attacks nobody
    Argument(
        "the victim parries the thief",
        robbed([], ["shield"], []),
        1,
        Parry("shield"),
        "MC-SHIELD-2",
        also=("MC-SHIELD-1",),
        never=("MC-AMB-20",),
    ),
    Argument(
        "another player parries the thief",
        robbed([], ["shield"], ["shield"]),
        2,
        Parry("shield"),
        "MC-SHIELD-2",
        also=("MC-SHIELD-1",),
        never=("MC-AMB-20",),
    ),
    Argument(
        "a hit is taken though nobody is attacked",
        table(["skip"], []),
        1,
        TakeHit(),
        "MC-SHIELD-1",
        never=("MC-AMB-20",),
    ),
    # ---- whose turn, and which phase of it
    refused("plays a card in another's turn", table(["skip"], ["sword"]), 1, PlayCard("sword"), "MC-TURN-PLAY-1"),
    refused("passes in another's turn", table(["skip"], ["sword"]), 1, Pass(), "MC-TURN-PLAY-1"),
    refused("plays before the drawn card is reported", to_draw(["sword"], ["?"]), 0, PlayCard("sword"), "MC-TURN-1"),
    refused("leaves out the draw", to_draw(["sword"], ["?"]), 0, Pass(), "MC-TURN-1"),
    refused(
        "plays before the draw of the player on turn", to_draw(["?"], ["sword"]), 1, PlayCard("sword"), "MC-TURN-PLAY-1"
    ),
    refused("plays before the event", event_due(["sword"], ["?"]), 0, PlayCard("sword"), "MC-TURN-1"),
    refused("leaves out the event", event_due(["sword"], ["?"]), 0, Pass(), "MC-TURN-1"),
    refused(
        "plays a sword instead of answering the event",
        attacked_by_event(["sword"], []),
        0,
        PlayCard("sword"),
        "MC-TURN-1",
    ),
    refused(
        "leaves out the attack of the event", attacked_by_event(["sword"], [], variant="V2"), 0, Pass(), "MC-TURN-1"
    ),
    refused(
        "plays a second card while the first is answered", struck(["sword"], []), 0, PlayCard("sword"), "MC-TURN-PLAY-1"
    ),
    refused("plays a second card during the theft", robbed(["skip"], ["sword"]), 0, PlayCard("skip"), "MC-TURN-PLAY-1"),
    refused(
        "plays a second card against the monster while a fellow draws",
        revived(["sword"], []),
        0,
        PlayCard("sword"),
        "MC-TURN-PLAY-1",
    ),
    refused("draws a second card in phase 3", table(["sword"], []), CHANCE, DrawResult(("sword",)), "MC-TURN-DRAW-1"),
    refused("draws instead of playing a card", table(["sword"], []), 0, DrawResult(("sword",)), "MC-TURN-DRAW-1"),
    refused("draws two cards in phase 1", to_draw(["sword"], ["?"]), CHANCE, DrawResult(("?", "?")), "MC-TURN-DRAW-1"),
    refused(
        "reports another back than lies on top",
        to_draw(["?"], ["?"], top="?"),
        CHANCE,
        DrawResult(("?trigger",)),
        "MC-MAT-4",
    ),
    refused(
        "turns up an event though no trigger was drawn",
        table(["sword"], []),
        CHANCE,
        TurnUpResult("immune!event"),
        "MC-V1-TURN-EVENT-1",
    ),
    refused(
        "turns up a second event against the monsters",
        table(["sword"], [], variant="V2"),
        CHANCE,
        TurnUpResult("immune!event"),
        "MC-V2-TURN-EVENT-1",
    ),
    refused("reports an event that is none", event_due(["?"], ["?"]), CHANCE, TurnUpResult("sword"), "MC-MAT-3"),
    refused(
        "a defeated player plays on",
        table(["sword"], [], ["sword"], hearts=(3, 3, 0)),
        2,
        PlayCard("sword"),
        "MC-LIFE-2",
    ),
    refused(
        "a defeated player puts down a shield for another",
        struck([], [], ["shield"], hearts=(3, 3, 0)),
        2,
        Parry("shield"),
        "MC-LIFE-2",
    ),
    refused(
        "the skipped player wants the turn",
        surplus(1, TEN[:8], ["sword"], [], skipped=1),
        1,
        PlayCard("sword"),
        "MC-V1-SKIP-1",
    ),
    refused(
        "plays a card while the event takes the hand",
        table(["?", "sword"], ["?"], agenda=(EndOfTurn(), AfterEvent(0), HandLoss(0)), rules=REAL),
        0,
        PlayCard("sword"),
        "MC-EVENT-DISCARD-1",
    ),
    refused(
        "plays a card that the event has taken",
        table([], [], tray=("discard_hand!event",), discard=("sword",)),
        0,
        PlayCard("sword"),
        "MC-EVENT-DISCARD-1",
    ),
    refused("plays before the first deal", undealt(), 0, PlayCard("sword"), "MC-SETUP-5"),
    refused("plays life-back before the first deal", undealt(), 1, PlayCard("life_back"), "MC-SETUP-5"),
    refused("passes instead of answering an attack", struck([], ["shield"]), 1, Pass(), "MC-SHIELD-1"),
    refused(
        "passes instead of answering the lightning",
        lightning([], ["shield"], [], order=(1, 2)),
        2,
        Pass(),
        "MC-SHIELD-1",
    ),
    # ---- the end of the turn
    refused("plays a surplus card instead of giving it up", surplus(3, TEN, []), 0, PlayCard("sword"), "MC-TURN-END-1"),
    refused("keeps ten cards", surplus(3, TEN, []), 0, Pass(), "MC-TURN-END-1"),
    refused("gives up too few cards", surplus(3, TEN, []), 0, DiscardSurplus(("sword",)), "MC-TURN-END-1"),
    refused("gives up down to six", surplus(3, TEN, []), 0, DiscardSurplus(("sword",) * 4), "MC-TURN-END-1"),
    refused(
        "gives up a card that is not held",
        surplus(3, TEN, []),
        0,
        DiscardSurplus(("sword", "sword", "skip")),
        "MC-TURN-END-1",
    ),
    refused("gives up cards with six in the hand", table(TEN[:6], []), 0, DiscardSurplus(("sword",)), "MC-TURN-END-1"),
    refused(
        "gives up cards before the end of the turn", table(TEN, []), 0, DiscardSurplus(("sword",) * 3), "MC-TURN-END-1"
    ),
    refused("the limit is claimed in another's turn", table([], TEN), 1, DiscardSurplus(("sword",) * 3), "MC-AMB-25"),
    # ---- which card
    refused("plays a card of another hand", table(["skip"], ["sword"]), 0, PlayCard("sword"), "MC-TURN-PLAY-1"),
    refused("plays a card that the box lacks", table(["skip"], []), 0, PlayCard("banana"), "MC-MAT-2"),
    refused("plays a shield in phase 3", table(["shield"], []), 0, PlayCard("shield"), "MC-SHIELD-1"),
    refused("plays life-back with three hearts", table(["life_back"], []), 0, PlayCard("life_back"), "MC-V1-LIFE-1"),
    refused(
        "plays life-back for nobody who lacks a heart",
        table(["life_back"], [], variant="V2"),
        0,
        PlayCard("life_back", 1),
        "MC-V2-LIFE-1",
    ),
    refused(
        "plays life-back and does not say for whom",
        table(["life_back"], [], variant="V2", hearts=(1, 1)),
        0,
        PlayCard("life_back"),
        "MC-V2-LIFE-1",
    ),
    refused(
        "plays a trigger card without a face",
        table(["trigger!trigger"], [], rules=FACELESS),
        0,
        PlayCard("trigger!trigger"),
        "MC-AMB-1",
    ),
    refused(
        "names a sword though all lie in the discard",
        table(["?"], [], discard=("sword",) * 12 + ("sword!trigger",) * 6, rules=REAL),
        0,
        PlayCard("sword"),
        "MC-MAT-2",
    ),
    refused(
        "names one more sword with a plain back than the referee counts",
        table(["?"], [], discard=("sword",) * 12, rules=REAL),
        0,
        PlayCard("sword"),
        "MC-AMB-2",
    ),
    # ---- whom it hits
    refused("aims a sword past the next player", table(["sword"], [], []), 0, PlayCard("sword", 2), "MC-V1-SWORD-1"),
    refused("aims lightning at one", table(["lightning"], [], []), 0, PlayCard("lightning", 1), "MC-V1-LIGHTNING-1"),
    refused("skips whom he likes", table(["skip"], [], []), 0, PlayCard("skip", 2), "MC-V1-SKIP-1"),
    refused("robs whom he likes", table(["thief_1"], [], ["skip"]), 0, PlayCard("thief_1", 2), "MC-V1-THIEF-1"),
    refused(
        "gives an ally a heart in variant 1",
        table(["life_back"], [], hearts=(2, 1)),
        0,
        PlayCard("life_back", 1),
        "MC-V1-LIFE-1",
    ),
    refused("strikes a fellow player", table(["sword"], [], variant="V2"), 0, PlayCard("sword", 1), "MC-V2-SWORD-1"),
    refused(
        "lightning at a fellow player",
        table(["lightning"], [], variant="V2"),
        0,
        PlayCard("lightning", 1),
        "MC-V2-LIGHTNING-1",
    ),
    refused(
        "robs a fellow player",
        table(["thief_1"], ["skip"], variant="V2"),
        0,
        PlayCard("thief_1", 1),
        "MC-V2-THIEF-1",
    ),
    refused("skips a fellow player", table(["skip"], [], variant="V2"), 0, PlayCard("skip", 1), "MC-V2-SKIP-1"),
    # ---- shields
    refused("shields against a thief", robbed([], ["shield"]), 1, Parry("shield"), "MC-SHIELD-2"),
    refused(
        "shields against a skip card", surplus(1, TEN[:8], ["shield"], skipped=1), 1, Parry("shield"), "MC-SHIELD-2"
    ),
    refused(
        "shields against the loss of the hand",
        table(["?", "?"], ["?"], agenda=(EndOfTurn(), AfterEvent(0), HandLoss(0)), rules=REAL),
        0,
        Parry("shield"),
        "MC-SHIELD-2",
    ),
    refused("shields another player", struck([], [], ["shield"]), 2, Parry("shield"), "MC-SHIELD-1"),
    refused(
        "shields a fellow player against a monster",
        attacked_by_event([], ["shield"], by="monster", variant="V2"),
        1,
        Parry("shield"),
        "MC-SHIELD-1",
    ),
    refused("shields without an attack", table(["shield"], []), 0, Parry("shield"), "MC-SHIELD-1"),
    refused("takes an attack that is none", table(["shield"], []), 1, TakeHit(), "MC-SHIELD-1"),
    refused("parries with a sword", struck([], ["sword"]), 1, Parry("sword"), "MC-SHIELD-1"),
    refused("parries with a shield of another hand", struck(["shield"], ["sword"]), 1, Parry("shield"), "MC-SHIELD-1"),
    refused(
        "answers an attack with life-back",
        struck([], ["life_back"], hearts=(3, 1)),
        1,
        PlayCard("life_back"),
        "MC-TURN-PLAY-1",
    ),
    refused(
        "answers the lightning before the next player",
        lightning([], ["shield"], ["shield"], order=(1, 2)),
        2,
        Parry("shield"),
        "MC-V1-LIGHTNING-2",
    ),
    refused(
        "thinks better of the lightning",
        lightning([], ["shield"], ["shield"], order=(2,), hearts=(3, 2, 3)),
        1,
        Parry("shield"),
        "MC-V1-LIGHTNING-2",
    ),
    refused(
        "an immune player puts down a shield for the strike back",
        lightning([], ["shield"], [], order=(2,), immune=(False, True, False)),
        1,
        Parry("shield"),
        "MC-AMB-11",
    ),
    refused(
        "shields against the strike back",
        lightning(["shield"], ["shield"], [], order=(2,)),
        0,
        Parry("shield"),
        "MC-V1-LIGHTNING-3",
    ),
    # ---- thief, revival, lost hands
    refused(
        "the victim chooses what is stolen", robbed([], ["skip", "sword"]), 1, PickResult(("skip",)), "MC-V1-THIEF-1"
    ),
    refused(
        "the thief looks at what he takes", robbed([], ["skip", "sword"]), 0, PickResult(("sword",)), "MC-V1-THIEF-1"
    ),
    refused(
        "steals two cards with one magnet",
        robbed([], ["skip", "sword"]),
        CHANCE,
        PickResult(("skip", "sword")),
        "MC-V1-THIEF-1",
    ),
    refused("steals without a thief", table(["sword"], ["skip"]), CHANCE, PickResult(("skip",)), "MC-V1-THIEF-1"),
    refused(
        "draws five cards without having been defeated",
        table(["sword"], [], variant="V2"),
        0,
        ReviveDraw(True),
        "MC-V2-LIFE-2",
    ),
    refused("the reviver draws five cards himself", revived(["sword"], []), 0, ReviveDraw(True), "MC-V2-LIFE-2"),
    refused(
        "draws five cards in variant 1",
        table(["life_back"], [], hearts=(1, 3)),
        0,
        ReviveDraw(True),
        "MC-V1-LIFE-1",
    ),
    refused(
        "the revived player plays before the turn is his",
        revived([], ["sword"], hearts=(3, 1)),
        1,
        PlayCard("sword"),
        "MC-TURN-PLAY-1",
    ),
    refused(
        "lays open a hand that nobody lost",
        table(["?"], ["?"], rules=REAL),
        CHANCE,
        LayOpenResult("sword"),
        "MC-EVENT-DISCARD-1",
    ),
)
# A clause that a party names, though it is not the first: it bears on the ruling all the same.
NAMED = (
    Argument(
        "a sword aimed at a defeated player",
        table(["sword"], [], [], hearts=(3, 3, 0)),
        0,
        PlayCard("sword", 2),
        "MC-LIFE-2",
    ),
    Argument("a card not held, out of turn", table(["sword"], ["skip"]), 1, PlayCard("sword"), "MC-TERM-5"),
    Argument("a card with a back that is not held", struck([], ["shield"]), 1, Parry("shield!trigger"), "MC-MAT-4"),
    Argument("a card that does not exist", struck([], ["shield"]), 1, Parry("shield_x"), "MC-MAT-2"),
    refused("a trigger brings an event", event_due(["sword"], ["?"]), 0, PlayCard("sword"), "MC-V1-TURN-EVENT-1"),
    refused("an event cannot be left out", event_due(["sword"], ["?"]), 0, Pass(), "MC-V1-TURN-EVENT-1"),
    refused(
        "every turn has an event", event_due(["sword"], ["?"], variant="V2"), 0, PlayCard("sword"), "MC-V2-TURN-EVENT-1"
    ),
    refused(
        "attacks go against monsters",
        table(["lightning"], [], variant="V2"),
        0,
        PlayCard("lightning", 1),
        "MC-V2-SWORD-1",
    ),
)
# What is read aloud as the reason why a move is legal.
READ_ALOUD = (
    granted(
        "a thief at an immune player",
        table(["thief_1"], ["skip"], immune=(False, True)),
        0,
        PlayCard("thief_1"),
        "MC-TURN-PLAY-1",
    ),
    granted(
        "a skip card at an immune player",
        table(["skip"], ["skip"], immune=(False, True)),
        0,
        PlayCard("skip"),
        "MC-TURN-PLAY-1",
    ),
    granted("a sword", table(["sword"], []), 0, PlayCard("sword"), "MC-V1-SWORD-1"),
    granted("a sword against a monster", table(["sword"], [], variant="V2"), 0, PlayCard("sword"), "MC-V2-SWORD-1"),
    granted(
        "a sword against a sleeping monster",
        table(["sword"], [], variant="V2", sleeper=1),
        0,
        PlayCard("sword"),
        "MC-V2-SKIP-2",
    ),
    granted(
        "a sword against an immune player",
        table(["sword"], [], immune=(False, True)),
        0,
        PlayCard("sword"),
        "MC-TURN-PLAY-1",
    ),
    granted("a skip card", table(["skip"], []), 0, PlayCard("skip"), "MC-V1-SKIP-1"),
    granted("a thief who has to draw", table(["thief_2"], ["sword"]), 0, PlayCard("thief_2"), "MC-V1-THIEF-2"),
    granted("no card at all", table(["sword"], []), 0, Pass(), "MC-TURN-1"),
    granted("a shield out of turn", struck([], ["shield"]), 1, Parry("shield"), "MC-SHIELD-1"),
    granted("a drawn card reported", to_draw(["?"], ["?"]), CHANCE, DrawResult(("?",)), "MC-TURN-DRAW-1"),
)
LEGAL = (
    granted("nobody has to play a card", table(["sword"], []), 0, Pass(), "MC-TURN-1"),
    granted("a held shield need not be used", struck([], ["shield"]), 1, TakeHit(), "MC-AMB-20"),
    granted("a shield answers out of turn", struck([], ["shield"]), 1, Parry("shield"), "MC-SHIELD-1"),
    granted(
        "one shield stops two hearts",
        attacked_by_event(["shield"], [], by="monster", strength=2, variant="V2", monster=7, monster_hearts=7),
        0,
        Parry("shield"),
        "MC-AMB-9",
    ),
    granted(
        "a sword on an immune player is used up",
        table(["sword"], [], immune=(False, True)),
        0,
        PlayCard("sword"),
        "MC-AMB-12",
    ),
    granted(
        "a thief gets nothing from an immune player, nor from the pile",
        table(["thief_1"], ["skip"], immune=(False, True)),
        0,
        PlayCard("thief_1"),
        "MC-AMB-12",
    ),
    granted("a thief draws what the victim lacks", table(["thief_2"], []), 0, PlayCard("thief_2"), "MC-V1-THIEF-2"),
    granted(
        "a trigger that a thief draws brings no event",
        table(["thief_2"], [], deck=("sword!trigger", "skip", "sword")),
        0,
        PlayCard("thief_2"),
        "MC-AMB-4",
    ),
    granted("two turns in a row with two players", table(["skip"], []), 0, PlayCard("skip"), "MC-V1-SKIP-1"),
    granted(
        "lightning strikes back with a single opponent",
        lightning([], ["shield"], order=(1,)),
        1,
        Parry("shield"),
        "MC-AMB-10",
    ),
    granted(
        "all parried, so the lightning turns round",
        lightning([], [], ["shield"], order=(2,)),
        2,
        Parry("shield"),
        "MC-V1-LIGHTNING-3",
    ),
    granted(
        "nothing strikes back as one is immune",
        table(["lightning"], [], ["shield"], immune=(False, True, False)),
        0,
        PlayCard("lightning"),
        "MC-AMB-11",
    ),
    granted(
        "a sword counts double on a sleeping monster",
        table(["sword"], [], variant="V2", sleeper=1),
        0,
        PlayCard("sword"),
        "MC-V2-SKIP-2",
    ),
    granted(
        "what the monster has no heart for is lost",
        table(["lightning"], [], variant="V2", sleeper=1),
        0,
        PlayCard("lightning"),
        "MC-AMB-15",
    ),
    granted(
        "a defeated fellow comes back",
        table(["life_back"], [], variant="V2", hearts=(3, 0), fallen=(1,)),
        0,
        PlayCard("life_back", 1),
        "MC-V2-LIFE-1",
    ),
    granted("the five cards may be declined", revived([], []), 1, ReviveDraw(False), "MC-V2-LIFE-2"),
    granted("surplus cards are chosen freely", surplus(3, TEN, []), 0, DiscardSurplus(("sword",) * 3), "MC-TURN-END-1"),
    granted(
        "a drawn trigger brings an event about",
        to_draw(["?"], ["?"]),
        CHANCE,
        DrawResult(("?trigger",)),
        "MC-V1-TURN-EVENT-1",
    ),
    granted(
        "every turn against the monsters has an event",
        to_draw(["?"], ["?"], variant="V2"),
        CHANCE,
        DrawResult(("?",)),
        "MC-V2-TURN-EVENT-1",
    ),
    granted(
        "who is defeated by the own event plays no card",
        attacked_by_event(["sword"], [], [], hearts=(1, 3, 3)),
        0,
        TakeHit(),
        "MC-AMB-19",
    ),
    granted(
        "the hand goes when its player is defeated",
        struck([], ["skip"], [], hearts=(3, 1, 3)),
        1,
        TakeHit(),
        "MC-AMB-18",
    ),
    granted(
        "the turn goes to the previous player",
        event_due(["?"], ["?"], ["?"]),
        CHANCE,
        TurnUpResult("change_direction!event"),
        "MC-EVENT-3",
    ),
)


@pytest.mark.parametrize("argument", as_parameters(REFUSED))
def test_what_players_object_to_is_refused_by_the_clause_they_name(argument: Argument) -> None:
    check_argument(argument)


@pytest.mark.parametrize("argument", as_parameters(LEGAL))
def test_what_is_legal_rests_on_the_clause_that_settles_the_quarrel(argument: Argument) -> None:
    check_argument(argument)


@pytest.mark.clause("KERNEL-REASON-1")
@pytest.mark.parametrize("argument", as_parameters(NAMED))
def test_a_clause_that_a_party_names_bears_on_the_ruling(argument: Argument) -> None:
    ruling, _ = rule_on_move(argument.state, Seat(argument.seat), argument.move)
    assert ruling.verdict == "refused"
    assert argument.clause in ruling.clauses


@pytest.mark.clause("KERNEL-REASON-1")
@pytest.mark.parametrize("argument", as_parameters(READ_ALOUD))
def test_the_clause_that_makes_a_move_legal_is_read_aloud(argument: Argument) -> None:
    ruling, _ = rule_on_move(argument.state, Seat(argument.seat), argument.move)
    assert find_deciding_clause(GAME, ruling, argument.state, argument.move).id == argument.clause


@pytest.mark.clause("MC-TERM-7")
def test_a_seat_that_is_listed_as_defeated_is_not_listed_twice() -> None:
    state = table([], [], [], hearts=(3, 0, 3), fallen=(1,), agenda=(EndOfTurn(), DefeatCheck(1)))
    assert settled(state).fallen == (1,)


def test_there_are_enough_quarrels_to_learn_from() -> None:
    assert len(REFUSED) + len(LEGAL) >= 45
    assert len(LEGAL) >= 8
