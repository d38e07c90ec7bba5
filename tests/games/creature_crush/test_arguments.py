"""What tables quarrel about in Creature Crush: the clause that a knowledgeable player names settles it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from referee.cardscript.moves import ChooseCard, ChooseCards, Decline
from referee.engine.events import Move
from referee.engine.referee import rule_on_move
from referee.engine.seats import Seat
from referee.games.creature_crush import GAME
from referee.games.creature_crush.components import DRAFTS, POOL
from referee.games.creature_crush.events.cards import CreatureSummoned
from referee.games.creature_crush.moves import (
    AcceptDraw,
    Attack,
    BringDeck,
    ChoosePlace,
    Concede,
    DeckReady,
    EndCombat,
    EndTurn,
    Flip,
    Keep,
    Lay,
    MoveCreature,
    OfferDraw,
    Order,
    Pass,
    Reroll,
    Summon,
    Swap,
)
from referee.position_rulings.judging import find_deciding_clause
from tests.games.arguments import Argument, as_parameters, check_argument
from tests.games.course import then
from tests.games.creature_crush.table import rolled, shuffled, table
from tests.games.creature_crush.test_decks import EVERY, FIRST
from tests.games.creature_crush.test_setup import opened

RAID = {"A1": "ember_fox"}
THREE = {"C1": "sky_bolt", "C2": "lucky_streak", "C3": "war_drums"}
SIX = {"A1": "clay_guard", "A2": "hex_toad", "A3": "thornback", "B1": "frost_lout", "B2": "bone_pup", "B3": "iron_boar"}


def summoning() -> Iterator[Argument]:
    """Bringing creatures onto the field."""
    hand = (("ember_fox", "hex_toad", "sky_bolt"), ("iron_boar",))
    given = table(dice=(1, 2, 5), hands=hand)
    yield Argument("a 5 pays for a cost of 3", given, 0, Summon("ember_fox", "B1", (5,)), "CC-PAY-1")
    yield Argument("a die that nobody rolled", given, 0, Summon("ember_fox", "B1", (3,)), "CC-PAY-2")
    yield Argument("one die paid twice", table(dice=(3,), hands=hand), 0, Summon("ember_fox", "B1", (3, 3)), "CC-PAY-2")
    spent = then(table(dice=(3, 4), hands=hand), 0, Summon("ember_fox", "B1", (3,)))
    yield Argument("a burned die pays again", spent, 0, Summon("hex_toad", "B2", (3,)), "CC-PAY-2")
    yield Argument(
        "a die that nobody rolled and that would not pay", given, 0, Summon("ember_fox", "B1", (6,)), "CC-PAY-2",
        also=("CC-PAY-1",),
    )  # fmt: skip
    yield Argument(
        "a card that is not in the hand, for a wrong die", given, 0, Summon("clay_guard", "B1", (6,)), "CC-SUMMON-1",
        also=("CC-PAY-1", "CC-PAY-2"),
    )  # fmt: skip
    yield Argument("a creature for no die", given, 0, Summon("ember_fox", "B1", ()), "CC-PAY-1", never=("CC-PAY-2",))
    yield Argument("a card that is not in the hand", given, 0, Summon("clay_guard", "B1", (1, 2)), "CC-SUMMON-1")
    hell = table(dice=(3,), hells=(("hex_toad",), ()))
    yield Argument("a creature straight out of hell", hell, 0, Summon("hex_toad", "B1", (3,)), "CC-SUMMON-1")
    yield Argument("a crush card as a creature", given, 0, Summon("sky_bolt", "B1", (1,)), "CC-SUMMON-1")
    yield Argument("a creature on a C-place", given, 0, Summon("ember_fox", "C1", (1, 2)), "CC-ZONE-1")
    yield Argument("to the front with nobody behind", given, 0, Summon("ember_fox", "A1", (1, 2)), "CC-SUMMON-2")
    slanting = table({"B1": "clay_guard"}, dice=(3,), hands=hand)
    yield Argument("to the front, behind it only diagonally", slanting, 0, Summon("ember_fox", "A2", (3,)), "CC-AMB-11")
    yield Argument("onto an ally", slanting, 0, Summon("ember_fox", "B1", (3,)), "CC-SUMMON-1")
    full = table(SIX, dice=(3,), hands=(("ember_fox",), ()))
    yield Argument("onto a full field", full, 0, Summon("ember_fox", "B1", (3,)), "CC-SUMMON-4")
    yield Argument("summon in the turn of the other", given, 1, Summon("iron_boar", "B1", (1, 2)), "CC-TURN-1")
    later = table(dice=(3,), hands=hand, phase="tactic")
    yield Argument("a creature in the tactic phase", later, 0, Summon("ember_fox", "B1", (3,)), "CC-COMBAT-1")
    yield Argument(
        "to the front with an ally behind", slanting, 0, Summon("ember_fox", "A1", (3,)), "CC-SUMMON-2", legal=True
    )
    yield Argument(
        "a 1 and a 2 added up for a low cost", given, 0, Summon("ember_fox", "B1", (1, 2)), "CC-PAY-4", legal=True
    )


def attacking() -> Iterator[Argument]:
    """Who attacks whom, how often, and for how much."""
    theirs = {"A1": "knife_goblin", "B1": "clay_guard", "A2": "frost_lout", "B3": "hex_toad", "C2": "volley"}
    given = table({"A1": "ember_fox", "B2": "iron_boar", "A2": "lantern_moth"}, theirs, dice=(1, 3, 3, 4))
    yield Argument("A against A", given, 0, Attack("ember_fox", (3,), "knife_goblin"), "CC-ATTACK-3")
    opposite = ("CC-ZONE-2",)
    yield Argument("past a guard in B", given, 0, Attack("ember_fox", (3,)), "CC-ATTACK-3", also=opposite)
    yield Argument("into another column", given, 0, Attack("ember_fox", (3,), "hex_toad"), "CC-ATTACK-3", also=opposite)
    yield Argument(
        "from B into another column", given, 0, Attack("iron_boar", (4,), "hex_toad"), "CC-ATTACK-4", also=opposite
    )
    yield Argument(
        "what lies opposite is that of the same column", given, 0, Attack("ember_fox", (3,), "clay_guard"),
        "CC-ATTACK-3", legal=True, also=opposite,
    )  # fmt: skip
    yield Argument("directly from B", given, 0, Attack("iron_boar", (4,)), "CC-ATTACK-4")
    yield Argument("without attack points", given, 0, Attack("lantern_moth", (1,)), "CC-ATTACK-2")
    yield Argument("an ally as a target", given, 0, Attack("iron_boar", (4,), "ember_fox"), "CC-GLOSS-4")
    yield Argument("a crush card as a target", given, 0, Attack("iron_boar", (4,), "volley"), "CC-GLOSS-4")
    yield Argument("with a creature of the other", given, 0, Attack("clay_guard", (3,), "ember_fox"), "CC-GLOSS-4")
    yield Argument("for dice that do not fit", given, 0, Attack("ember_fox", (4,), "clay_guard"), "CC-PAY-1")
    yield Argument(
        "for a die that is not there and would not pay", given, 0, Attack("ember_fox", (6,), "clay_guard"), "CC-PAY-2",
        also=("CC-PAY-1",),
    )  # fmt: skip
    again = then(given, 0, Attack("ember_fox", (3,), "clay_guard"))
    yield Argument("twice with the same creature", again, 0, Attack("ember_fox", (3,), "clay_guard"), "CC-ACT-1")
    fresh = then(table(dice=(3, 3, 3), hands=(("hex_toad", "ember_fox"), ())), 0, Summon("hex_toad", "B1", (3,)))
    fresh = then(fresh, 0, Summon("ember_fox", "A1", (3,)))
    yield Argument("with a creature just summoned", fresh, 0, Attack("hex_toad", (3,)), "CC-ACT-1")
    yield Argument("attack in the turn of the other", given, 1, Attack("clay_guard", (3,), "ember_fox"), "CC-TURN-1")
    late = then(given, 0, EndCombat())
    yield Argument("after the combat phase", late, 0, Attack("ember_fox", (3,), "clay_guard"), "CC-COMBAT-1")
    yield Argument(
        "a Lively creature just summoned", fresh, 0, Attack("ember_fox", (3,)), "CC-KEY-LIVELY-1", legal=True
    )
    twice = table(RAID, dice=(3,), entered=("ember_fox",), acted={"ember_fox": 1})
    yield Argument("a Lively creature a second time", twice, 0, Attack("ember_fox", (3,)), "CC-KEY-LIVELY-1")
    past = table(RAID, {"A1": "knife_goblin"}, dice=(3,))
    yield Argument("past an enemy in A", past, 0, Attack("ember_fox", (3,)), "CC-ATTACK-3", legal=True)
    weak = table({"A1": "spark_imp"}, dice=(1,))
    yield Argument("one point takes a whole card", weak, 0, Attack("spark_imp", (1,)), "CC-DIRECT-1", legal=True)
    handed = table(RAID, dice=(3,), decks=(("clay_guard",), ()), hands=((), ("frost_lout", "hex_toad")))
    yield Argument("an empty deck protects nobody", handed, 0, Attack("ember_fox", (3,)), "CC-DIRECT-2", legal=True)
    grudge = table(RAID, {"B1": "knife_goblin"}, dice=(3,))
    yield Argument(
        "a dying defender strikes back", grudge, 0, Attack("ember_fox", (3,), "knife_goblin"), "CC-KEY-VENGEFUL-1",
        legal=True,
    )  # fmt: skip


def crush_cards() -> Iterator[Argument]:
    """Laying and flipping crush cards."""
    given = table({"C1": "sky_bolt", "C2": "sudden_lunge"}, {"B1": "frost_lout"}, dice=(1, 6), hands=(("volley",), ()))
    yield Argument("three dice are the price", given, 0, Lay("volley", "C3", (1, 6)), "CC-CRUSH-1")
    yield Argument("on top of another crush card", given, 0, Lay("volley", "C1", (1, 6)), "CC-CRUSH-1")
    full = table(THREE, dice=(1, 2, 3), hands=(("volley",), ()))
    yield Argument("a fourth crush card", full, 0, Lay("volley", "C1", (1, 2, 3)), "CC-AMB-14")
    frogs = table(dice=(3,), hands=(("hex_toad",), ("pitfall",)))
    yield Argument("a creature face down", frogs, 0, Lay("hex_toad", "C1", (3,)), "CC-CRUSH-1")
    yield Argument("lay in the turn of the other", frogs, 1, Lay("pitfall", "C1", (3,)), "CC-CRUSH-1")
    later = table({"C1": "sky_bolt"}, {"B1": "frost_lout"}, dice=(1,), hands=(("pitfall",), ()), phase="tactic")
    yield Argument("lay in the tactic phase", later, 0, Lay("pitfall", "C2", (1,)), "CC-CRUSH-1")
    yield Argument("flip in the tactic phase", later, 0, Flip("C1", "sky_bolt"), "CC-CRUSH-FLIP-2")
    yield Argument("flip a card from the hand", given, 0, Flip("C3", "volley"), "CC-CRUSH-1")
    yield Argument("flip where no card lies", later, 0, Flip("C3", "worldfire"), "CC-CRUSH-FLIP-1")
    yield Argument("flip before anything has happened", given, 0, Flip("C2", "sudden_lunge"), "CC-CRUSH-FLIP-3")
    shot = table(RAID, {"B1": "frost_lout", "C1": "sky_bolt", "C2": "recoil"}, dice=(3,))
    hit = then(shot, 0, Attack("ember_fox", (3,), "frost_lout"))
    yield Argument("a bolt in the turn of the other", hit, 1, Flip("C1", "sky_bolt"), "CC-CRUSH-FLIP-2")
    yield Argument("a bolt with no window open", shot, 1, Flip("C1", "sky_bolt"), "CC-CRUSH-FLIP-2")
    after = then(hit, 1, Pass())
    yield Argument("recoil once the attack is over", after, 1, Flip("C2", "recoil"), "CC-CRUSH-FLIP-3")
    both = table({**RAID, "C1": "sudden_lunge"}, {"B1": "frost_lout", "C2": "recoil"}, dice=(3,))
    window = then(both, 0, Attack("ember_fox", (3,), "frost_lout"))
    yield Argument("flip before the other has answered", window, 0, Flip("C1", "sudden_lunge"), "CC-CHAIN-4")
    passed = then(window, 1, Pass())
    yield Argument("flip after having passed", passed, 1, Flip("C2", "recoil"), "CC-CHAIN-4")
    yield Argument("pass a second time", passed, 1, Pass(), "CC-CHAIN-4")
    yield Argument("a second attack in the window", window, 0, Attack("ember_fox", (3,), "frost_lout"), "CC-ACT-1")
    yield Argument("end the phase in the window", window, 0, EndCombat(), "CC-CHAIN-4")
    yield Argument("pass where nothing has happened", given, 0, Pass(), "CC-CHAIN-4")
    doubled = then(table({"C1": "sky_bolt"}, {"B1": "frost_lout", "C1": "broken_seal"}), 0, Flip("C1", "sky_bolt"))
    yield Argument("flip the same card twice", doubled, 0, Flip("C1", "sky_bolt"), "CC-AMB-16")
    yield Argument("recoil in the turn of the other", hit, 1, Flip("C2", "recoil"), "CC-CRUSH-FLIP-3", legal=True)
    new = then(table(dice=(2,), hands=(("lucky_streak",), ())), 0, Lay("lucky_streak", "C1", (2,)))
    yield Argument("flipped in the turn it was laid", new, 0, Flip("C1", "lucky_streak"), "CC-CRUSH-FLIP-2", legal=True)
    free = table(hands=(("dam_break",), ()))
    yield Argument("X for no die at all", free, 0, Lay("dam_break", "C1", ()), "CC-AMB-15", legal=True)


def tactics() -> Iterator[Argument]:
    """Moving, swapping, and the end of phase and turn."""
    board = {"A1": "ember_fox", "B2": "frost_lout", "C1": "sky_bolt"}
    given = table(board, {"A1": "hex_toad"}, dice=(1, 5), phase="tactic")
    combat = table(board, dice=(1, 5))
    yield Argument("move in the combat phase", combat, 0, MoveCreature("ember_fox", "A2", 1), "CC-TACTIC-1")
    yield Argument("move onto an ally", given, 0, MoveCreature("ember_fox", "B2", 1), "CC-TACTIC-1")
    yield Argument("move a creature of the other", given, 0, MoveCreature("hex_toad", "A2", 1), "CC-GLOSS-4")
    yield Argument("move a crush card", given, 0, MoveCreature("sky_bolt", "C2", 1), "CC-AMB-14")
    yield Argument("move into the C-zone", given, 0, MoveCreature("ember_fox", "C2", 1), "CC-ZONE-1")
    yield Argument("move for a die that is gone", given, 0, MoveCreature("ember_fox", "A2", 6), "CC-PAY-2")
    tired = table(board, dice=(1, 5), phase="tactic", acted={"ember_fox": 1})
    yield Argument("move after an attack", tired, 0, MoveCreature("ember_fox", "A2", 1), "CC-ACT-1")
    yield Argument("swap with one that has attacked", tired, 0, Swap("ember_fox", "frost_lout", (1, 5)), "CC-AMB-17")
    yield Argument("swap for one die", given, 0, Swap("ember_fox", "frost_lout", (5,)), "CC-TACTIC-2")
    yield Argument("swap with an enemy", given, 0, Swap("ember_fox", "hex_toad", (1, 5)), "CC-GLOSS-4")
    yield Argument("swap in the combat phase", combat, 0, Swap("ember_fox", "frost_lout", (1, 5)), "CC-TACTIC-2")
    yield Argument("move in the turn of the other", given, 1, MoveCreature("hex_toad", "A2", 1), "CC-TURN-1")
    yield Argument("end the turn before the tactic phase", combat, 0, EndTurn(), "CC-TURN-1")
    yield Argument("end the combat phase twice", given, 0, EndCombat(), "CC-TURN-1")
    yield Argument("end the turn of the other", given, 1, EndTurn(), "CC-TURN-1")
    yield Argument("swap on a full field", table(SIX, dice=(1, 5), phase="tactic"), 0,
                   Swap("hex_toad", "frost_lout", (1, 5)), "CC-AMB-17", legal=True)  # fmt: skip
    yield Argument("moving a Sluggish one hurts", given, 0, MoveCreature("frost_lout", "B1", 5), "CC-KEY-SLUGGISH-1",
                   legal=True)  # fmt: skip


def effects() -> Iterator[Argument]:
    """Choices that texts of cards ask for."""
    given = table({"A3": "ember_fox"}, {"B1": "frost_lout", "B2": "iron_boar"}, dice=(3, 3), hands=(("hex_toad",), ()))
    asking = then(given, 0, Summon("hex_toad", "B1", (3,)))
    yield Argument("damage on an ally instead of an enemy", asking, 0, ChooseCard("ember_fox"), "CC-GLOSS-4")
    yield Argument("damage on a card in the hand", asking, 0, ChooseCard("clay_guard"), "CC-EFF-FIELD-1")
    yield Argument("no target, please", asking, 0, Decline(), "CC-AMB-18")
    yield Argument("the victim chooses", asking, 1, ChooseCard("iron_boar"), "CC-AMB-18")
    yield Argument("attack before the effect is over", asking, 0, Attack("ember_fox", (3,)), "CC-CHAIN-5")
    siren = table(
        theirs={"B1": "frost_lout", "B2": "bone_pup", "B3": "knife_goblin"}, dice=(1, 6, 6), hands=(("siren",), ())
    )
    rolls = rolled(then(siren, 0, Summon("siren", "B1", (1, 6, 6))), 3, 4)[1]
    yield Argument("a cost that the dice do not give", rolls, 0, ChooseCard("bone_pup"), "CC-DICE-1")
    wolf = table(dice=(2, 5), hands=(("lantern_moth",), ()))
    moth = table(dice=(1, 2, 5, 6), hands=(("lantern_moth",), ()))
    again = then(moth, 0, Summon("lantern_moth", "B1", (1,)))
    yield Argument("all three dice again", again, 0, Reroll((2, 5, 6)), "CC-AMB-9")
    yield Argument("a burned die again", again, 0, Reroll((1,)), "CC-PAY-2")
    yield Argument("roll again without any card", wolf, 0, Reroll((2,)), "CC-START-2")
    rat = table(RAID, dice=(3,), decks=(("clay_guard",), ("gutter_rat", "thornback")))
    risen = then(rat, 0, Attack("ember_fox", (3,)))
    yield Argument("revive to the front with nobody behind", risen, 1, ChoosePlace("A1"), "CC-SUMMON-2")
    yield Argument("the attacker says where it is revived", risen, 0, ChoosePlace("B3"), "CC-AMB-18")
    board = {"B1": "bone_pup", "B2": "grave_beetle"}
    several = table({"C1": "volley"}, board, decks=(("clay_guard", "thornback"), ("storm_gull", "chimera")))
    ordering = then(several, 0, Flip("C1", "volley"))
    yield Argument("the other one orders the effects", ordering, 1, Order("bone_pup", "hell"), "CC-CHAIN-2")
    yield Argument("an effect that was not activated", ordering, 0, Order("volley", "flip"), "CC-CHAIN-2")
    scout = table(dice=(2,), hands=(("cave_scout",), ()), decks=(("sky_bolt", "hex_toad"), ("clay_guard",)))
    searching = then(scout, 0, Summon("cave_scout", "B1", (2,)))
    yield Argument("search a creature for a C-card", searching, 0, ChooseCards(("hex_toad",)), "CC-EFF-SEARCH-1")
    yield Argument("find nothing on purpose", searching, 0, ChooseCards(()), "CC-AMB-29", legal=True)


def around_the_match() -> Iterator[Argument]:
    """Decks, draws and giving up."""
    given = table(RAID, dice=(3,))
    yield Argument("accept a draw that nobody offered", given, 0, AcceptDraw(), "CC-END-3")
    offered = then(given, 0, OfferDraw())
    yield Argument("accept the own offer", offered, 0, AcceptDraw(), "CC-END-3")
    yield Argument("offer a draw in the turn of the other", given, 1, OfferDraw(), "CC-END-3")
    yield Argument("play on before the draw is answered", offered, 0, EndCombat(), "CC-END-3")
    yield Argument("give up in the turn of the other", given, 1, Concede(), "CC-END-2", legal=True)
    draft = shuffled(opened("arena"), POOL)[1]
    seven = draft.cards_at(DRAFTS[0])
    yield Argument("keep five of the seven", draft, 0, Keep(seven[:5]), "CC-FORMAT-ARENA-1")
    chosen = then(draft, 0, Keep(seven[:4]))
    yield Argument("think again after the choice", chosen, 0, Keep(seven[1:5]), "CC-FORMAT-ARENA-1")
    league = opened("league")
    yield Argument("a deck of nineteen", league, 0, BringDeck(FIRST[:19]), "CC-PREP-1")
    double = BringDeck((*FIRST[:19], FIRST[0]))
    yield Argument("the same card twice in a deck", league, 0, double, "CC-FORMAT-LEAGUE-1")
    brought = then(league, 0, BringDeck(FIRST))
    yield Argument("another deck after all", brought, 0, BringDeck(EVERY[20:40]), "CC-PREP-1")
    yield Argument("a deck of one's own in Skirmish", given, 0, BringDeck(FIRST), "CC-FORMAT-SKIRMISH-1")
    yield Argument("say ready in the middle of the match", given, 0, DeckReady(), "CC-PREP-1")


def places_and_owners() -> Iterator[Argument]:
    """Places of the wrong zone, and creatures of the other."""
    board = {"A1": "ember_fox"}
    given = table(board, {"A1": "hex_toad"}, dice=(1, 5), phase="tactic")
    combat = table(board, {"B1": "hex_toad"}, dice=(1, 2, 5), hands=(("frost_lout", "volley"), ()))
    zone = ("CC-SUMMON-1",)
    yield Argument("summon onto a C-place", combat, 0, Summon("frost_lout", "C3", (2, 5)), "CC-ZONE-1", also=zone)
    yield Argument("summon onto no place", combat, 0, Summon("frost_lout", "D9", (2, 5)), "CC-ZONE-1", also=zone)
    yield Argument("lay onto a B-place", combat, 0, Lay("volley", "B3", (1, 2, 5)), "CC-ZONE-1", also=("CC-CRUSH-1",))
    yield Argument("move onto a C-place", given, 0, MoveCreature("ember_fox", "C3", 1), "CC-ZONE-1",
                   also=("CC-TACTIC-1",))  # fmt: skip
    yield Argument("move what is not one's own", given, 0, MoveCreature("hex_toad", "A2", 1), "CC-GLOSS-4",
                   also=("CC-TACTIC-1",))  # fmt: skip
    yield Argument("swap what is not one's own", given, 0, Swap("ember_fox", "hex_toad", (1, 5)), "CC-GLOSS-4",
                   also=("CC-TACTIC-2",))  # fmt: skip
    yield Argument("attack with what is not one's own", combat, 0, Attack("hex_toad", (1, 2)), "CC-GLOSS-4",
                   also=("CC-COMBAT-1",))  # fmt: skip
    offered = then(combat, 0, OfferDraw())
    yield Argument("pass over the offered draw", offered, 1, Pass(), "CC-END-3", also=("CC-CHAIN-4",))
    yield Argument("pass over the own offer", offered, 0, Pass(), "CC-END-3", also=("CC-CHAIN-4",))


ARGUMENTS = (
    *places_and_owners(),
    *summoning(),
    *attacking(),
    *crush_cards(),
    *tactics(),
    *effects(),
    *around_the_match(),
)


@pytest.mark.clause("KERNEL-REASON-1")
@pytest.mark.parametrize("each", as_parameters(ARGUMENTS))
def test_an_argument_is_settled_by_the_clause_that_players_name(each: Argument) -> None:
    check_argument(each)


@pytest.mark.clause("CC-ZONE-1")
@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (Summon("ember_fox", "C3", (3,)), "place_of_crush_cards"),
        (Summon("ember_fox", "D9", (3,)), "no_such_place"),
        (Lay("volley", "B3", (3,)), "place_of_creatures"),
        (Lay("volley", "D9", (3,)), "no_such_place"),
    ],
)
def test_a_place_for_other_cards_is_not_said_to_be_missing(move: Move, reason: str) -> None:
    given = table(dice=(3,), hands=(("ember_fox", "volley"), ()))
    assert rule_on_move(given, Seat(0), move)[0].reason == reason


@pytest.mark.clause("CC-SUMMON-1", "CC-SUMMON-2")
@pytest.mark.parametrize(("place", "decides"), [("B2", "CC-SUMMON-1"), ("A1", "CC-SUMMON-2")])
def test_a_legal_summon_is_read_with_the_rule_of_its_zone(place: str, decides: str) -> None:
    """The rule of the B-zone is no reason for an A-place."""
    given = table({"B1": "clay_guard"}, dice=(3,), hands=(("ember_fox",), ()))
    move = Summon("ember_fox", place, (3,))
    ruling, events = rule_on_move(given, Seat(0), move)
    assert find_deciding_clause(GAME, ruling, given, move).id == decides
    assert ({"CC-SUMMON-1", "CC-SUMMON-2"} & set(ruling.clauses)) == {decides}
    summoned = next(event for event in events if isinstance(event, CreatureSummoned))
    spoken = GAME.narration.render_spoken_text(summoned)
    assert spoken is not None
    assert spoken.clause == decides
