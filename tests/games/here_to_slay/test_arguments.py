"""What tables of Here to Slay quarrel about, and the clause that a knowledgeable player names.

Of a refused move it is the clause that says most about this very move: what bars a card goes before a window, a window
before the turn.
"""

from __future__ import annotations

from typing import Any

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChoosePlayer, Decline
from referee.engine.events import Move
from referee.engine.referee import rule_on_move
from referee.engine.seats import Seat
from referee.games.here_to_slay.moves import (
    Attack,
    Challenge,
    DrawOne,
    EndTurn,
    Leave,
    Modify,
    Pass,
    PickLeader,
    PlayCard,
    RedrawHand,
    RollFor,
    UseLeader,
)
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.values import LastingEffect
from tests.games.arguments import Argument, as_parameters, check_argument
from tests.games.course import pulled, then
from tests.games.here_to_slay.given import dice, passes, rolled_for, table, with_deck
from tests.games.here_to_slay.in_a_roll import MINUS_4, PLUS_4, QUIET, SIX, TWO, facing, rolled
from tests.games.here_to_slay.test_setup import cast, start

SAGE = {0: "the_cloaked_sage", 1: "the_divine_arrow"}
IRON = (LastingEffect("iron_resolve", 0, "no_challenge", "own_turn_end"),)
FIRST = {0: ["spooky", "fluffy"], 1: ["peanut", "wildshot"]}


def play(card: str, *hands: list[str], **more: Any) -> Table:
    """Seat 0 has announced a card; the others hold these hands."""
    return then(table([card, "hopper"], *hands, **{"leaders": QUIET, **more}), 0, PlayCard(card))


def challenged(*hands: list[str], **more: Any) -> Table:
    """Seat 0 has announced Peanut, seat 1 has challenged it; no dice have been thrown."""
    return then(play("peanut", *hands, **more), 1, Challenge())


def attacked(*hands: list[str], pips: tuple[int, int] = (3, 3)) -> Table:
    """Seat 0 has attacked Dracos; the dice lie there."""
    return dice(then(facing("dracos", *hands), 0, Attack("dracos")), *pips)[1]


def settled(hero: str, *hands: list[str], **more: Any) -> Table:
    """Seat 0 has rolled for a hero and succeeded; nobody plays a modifier any more."""
    return passes(rolled(hero, *hands, pips=(6, 6), **more))[1]


def out_of_turn() -> Table:
    """Amid seat 0's roll, seat 1 has drawn a mask and played it at once; it chooses who carries it."""
    state = rolled(
        "peanut", ["hopper"], [MINUS_4, "hook"], [PLUS_4, "challenge"], deck=["bard_mask"],
        parties={0: ["peanut"], 1: ["fluffy", "wildshot"]}, slain={1: ["crowned_serpent", "malamammoth"]},
    )  # fmt: skip
    return then(state, 1, Modify(MINUS_4, -4, 0), Accept(), ChooseCard("bard_mask"))


OPEN = play("peanut", ["challenge"], ["challenge", MINUS_4])
CHALLENGED = challenged(["challenge", "fluffy"], ["challenge", PLUS_4], ["spooky"])
ROLLED_OFF = dice(challenged(["challenge", TWO], [PLUS_4, "challenge"], ["spooky"]), 3, 3, 2, 2)[1]
ROLLING = rolled("peanut", [PLUS_4, "hopper"], [MINUS_4, TWO, "challenge"], [PLUS_4, "challenge"])
TURN = table(
    ["fluffy", "challenge", PLUS_4], ["spooky", "hook", "challenge", MINUS_4], ["hopper"],
    parties={0: ["peanut", ("bad_axe", "sealing_key")], 1: ["bun_bun"]}, row=["dracos", "orthus", "abyss_queen"],
    slain={1: ["terratuga"]}, leaders=QUIET,
)  # fmt: skip
AIMING = rolled("bad_axe", [PLUS_4], ["challenge", MINUS_4], parties={0: ["bad_axe"], 1: ["fluffy", "spooky"]})
NAMING = rolled("heavy_bear", [PLUS_4], ["challenge", MINUS_4, "fluffy"], [], ["hopper"])
DISCARDING = passes(then(NAMING, 0, ChoosePlayer(1)))[1]
HORN = then(  # seat 1 has played a modifier and may add to it
    rolled("peanut", ["hopper"], [MINUS_4, "hook"], [PLUS_4], leaders={**QUIET, 1: "the_protecting_horn"}),
    1, Modify(MINUS_4, -4, 0),
)  # fmt: skip
OFFERED = play("peanut", [], [])  # nobody could challenge: the free roll is offered
PICKING = cast(start(3), 3, 6, 1)  # seat 1 picks first

CHALLENGES = (
    Argument("a challenge after one's own pass", then(OPEN, 1, Pass()), 1, Challenge(), "HTS-CHAL-3"),
    Argument("a second pass of the same player", then(OPEN, 1, Pass()), 1, Pass(), "HTS-CHAL-3"),
    Argument("a second challenge, before the dice", CHALLENGED, 2, Challenge(), "HTS-CHAL-6"),
    Argument("a second challenge, after the dice", ROLLED_OFF, 2, Challenge(), "HTS-CHAL-6"),
    Argument("a challenge of one's own play", OPEN, 0, Challenge(), "HTS-CHAL-1"),
    Argument("a challenge without the card", play("peanut", [MINUS_4], ["challenge"]), 1, Challenge(), "HTS-CHAL-1"),
    Argument("a challenge of a modifier", then(ROLLING, 1, Modify(MINUS_4, -4, 0)), 2, Challenge(), "HTS-CHAL-2"),
    Argument("a challenge of a hero's roll", ROLLING, 1, Challenge(), "HTS-CHAL-2"),
    Argument("a challenge of a roll before its dice", then(TURN, 0, RollFor("peanut")), 1, Challenge(), "HTS-CHAL-2"),
    Argument("a challenge of an attack", attacked(["hopper"], ["challenge"]), 1, Challenge(), "HTS-CHAL-2"),
    Argument("a challenge of a draw", then(TURN, 0, DrawOne()), 1, Challenge(), "HTS-CHAL-2"),
    Argument("a challenge of an effect", DISCARDING, 1, Challenge(), "HTS-CHAL-2"),
    Argument("a challenge of the Claw", then(TURN, 0, UseLeader()), 1, Challenge(), "HTS-CHAL-2"),
    Argument("a challenge when the hero is in the party", then(then(OPEN, 1, Pass()), 2, Pass()), 1, Challenge(),
             "HTS-CHAL-3"),
    Argument("a challenge under Iron Resolve", play("peanut", ["challenge"], lasting=IRON), 1, Challenge(),
             "HTS-DO-33"),
    Argument("a challenge of magic under Iron Resolve", play("enchanted_spell", ["challenge"], lasting=IRON), 1,
             Challenge(), "HTS-DO-33"),
    Argument("a challenge of an item of the Owlbear's owner",
             play("thief_mask", ["challenge"], parties=FIRST, slain={0: ["warworn_owlbear"]}), 1, Challenge(),
             "HTS-DO-33"),
    Argument("a challenge of a play out of turn", out_of_turn(), 2, Challenge(), "HTS-AMB-5"),
    Argument("a card that answers a challenge window but is a modifier", OPEN, 2, Modify(MINUS_4, -4, 0),
             "HTS-MOD-2"),
)  # fmt: skip
MODIFIERS = (
    Argument("a modifier too late, in the effect", DISCARDING, 1, Modify(MINUS_4, -4, 0), "HTS-MOD-9"),
    Argument("a modifier too late, back in the turn", settled("peanut", [PLUS_4], [MINUS_4]), 1,
             Modify(MINUS_4, -4, 0), "HTS-MOD-9"),
    Argument("a modifier before the dice", then(TURN, 0, RollFor("peanut")), 1, Modify(MINUS_4, -4, 0), "HTS-MOD-2"),
    Argument("a modifier before anybody rolls", TURN, 1, Modify(MINUS_4, -4, 0), "HTS-MOD-2"),
    Argument("a modifier before the target is named", AIMING, 1, Modify(MINUS_4, -4, 0), "HTS-MOD-4"),
    Argument("the roller's own modifier before the target", AIMING, 0, Modify(PLUS_4, 4, 0), "HTS-AMB-12"),
    Argument("a modifier when one side of the challenge has rolled",
             dice(challenged(["challenge"], [PLUS_4], ["spooky"]), 3, 3)[1], 2, Modify(PLUS_4, 4, 1), "HTS-MOD-5"),
    Argument("a modifier on a roll of nobody", ROLLING, 2, Modify(PLUS_4, 4, 2), "HTS-MOD-2"),
    Argument("a modifier in a challenge on neither side", ROLLED_OFF, 2, Modify(PLUS_4, 4, 2), "HTS-MOD-5"),
    Argument("a value that the modifier does not show", ROLLING, 1, Modify(TWO, 1, 0), "HTS-MOD-3"),
    Argument("a modifier not in the hand", ROLLING, 2, Modify(MINUS_4, -4, 0), "HTS-MOD-1"),
    Argument("a hero as a modifier", ROLLING, 0, Modify("hopper", 1, 0), "HTS-MOD-1"),
    Argument("a modifier after one's own pass", then(ROLLING, 1, Pass()), 1, Modify(MINUS_4, -4, 0), "HTS-MOD-7"),
    Argument("a modifier on the outer roll amid a nested play", out_of_turn(), 2, Modify(PLUS_4, 4, 0),
             "HTS-NEST-2"),
    Argument("a modifier as an action", TURN, 0, PlayCard(PLUS_4), "HTS-PLAY-1"),
)  # fmt: skip
ACTIONS = (
    Argument("drawing out of turn", TURN, 1, DrawOne(), "HTS-TURN-1"),
    Argument("playing a hero out of turn", TURN, 1, PlayCard("spooky"), "HTS-TURN-1"),
    Argument("rolling for an own hero out of turn", TURN, 1, RollFor("bun_bun"), "HTS-TURN-1"),
    Argument("ending the turn of another", TURN, 1, EndTurn(), "HTS-TURN-1"),
    Argument("playing out of turn in another's window", OPEN, 2, DrawOne(), "HTS-TURN-1"),
    Argument("drawing while the own play can be challenged", OPEN, 0, DrawOne(), "HTS-TURN-5"),
    Argument("playing a second hero during a roll", then(TURN, 0, RollFor("peanut")), 0, PlayCard("fluffy"),
             "HTS-TURN-5"),
    Argument("drawing when the free roll is offered", OFFERED, 0, DrawOne(), "HTS-TURN-5"),
    Argument("ending the turn amid an effect", DISCARDING, 0, EndTurn(), "HTS-TURN-5"),
    Argument("a challenge card as an action", TURN, 0, PlayCard("challenge"), "HTS-PLAY-1"),
    Argument("a hero that is not in the hand", TURN, 0, PlayCard("hopper"), "HTS-PLAY-1"),
    Argument("an item when every hero carries one",
             table(["thief_mask"], [], parties={0: [("peanut", "decoy_doll")], 1: [("fluffy", "bard_mask")]}), 0,
             PlayCard("thief_mask"), "HTS-PLAY-4"),
    Argument("magic whose price cannot be paid, if that is barred",
             table(["destructive_spell"], [], parties={1: ["peanut"]}, rules={"unpayable_play": "forbid"}), 0,
             PlayCard("destructive_spell"), "HTS-AMB-45"),
    Argument("a roll for a hero of another party", TURN, 0, RollFor("bun_bun"), "HTS-ROLL-3"),
    Argument("a roll for a hero in the hand", TURN, 0, RollFor("fluffy"), "HTS-ROLL-3"),
    Argument("a roll for a sealed hero", TURN, 0, RollFor("bad_axe"), "HTS-DO-27"),
    Argument("a second roll for the same hero", rolled_for(TURN, "peanut", 1, 1)[1], 0, RollFor("peanut"),
             "HTS-ROLL-4"),
    Argument("a second roll after the free one",
             passes(dice(then(OFFERED, 0, Accept()), 1, 1)[1])[1], 0, RollFor("peanut"), "HTS-ROLL-4"),
    Argument("a draw when both piles are empty", with_deck(table(["peanut"], [])), 0, DrawOne(), "HTS-ACT-1"),
    Argument("an attack with one point", facing("dracos", points=1), 0, Attack("dracos"), "HTS-ACT-8"),
    Argument("a new hand for two points", table(["peanut"], [], points=2), 0, RedrawHand(), "HTS-ACT-8"),
    Argument("a leader without an action", table(["peanut"], ["spooky"], leaders=SAGE), 0, UseLeader(), "HTS-ACT-6"),
    Argument("the Claw twice in a turn",
             table(["peanut"], ["spooky"], ["hook"], leaders=QUIET, used=True), 0, UseLeader(), "HTS-ACT-6"),
    Argument("the Claw when all other hands are empty", table(["peanut"], [], [], leaders=QUIET), 0, UseLeader(),
             "HTS-ACT-6"),
)  # fmt: skip
MONSTERS = (
    Argument("an attack without the class", facing("malamammoth", party=["peanut", "bun_bun"]), 0,
             Attack("malamammoth"), "HTS-MON-2"),
    Argument("the leader as a hero", facing("abyss_queen", party=["bun_bun"]), 0, Attack("abyss_queen"), "HTS-MON-3"),
    Argument("one masked hero for a class and a hero", facing("malamammoth", party=[("bun_bun", "ranger_mask")]), 0,
             Attack("malamammoth"), "HTS-MON-4"),
    Argument("an attack without any hero", facing("dracos", party=[]), 0, Attack("dracos"), "HTS-MON-2"),
    Argument("an attack on a monster not in the row", facing("dracos"), 0, Attack("mega_slime"), "HTS-MON-1"),
    Argument("an attack on a slain monster", TURN, 0, Attack("terratuga"), "HTS-MON-13"),
    Argument("an attack out of turn", facing("dracos", ["hopper"], ["spooky"], parties={1: ["qi_bear"], 0: SIX}), 1,
             Attack("dracos"), "HTS-TURN-1"),
)  # fmt: skip
CHOICES = (
    Argument("a hero of one's own to destroy", AIMING, 0, ChooseCard("bad_axe"), "HTS-VERB-10"),
    Argument("a protected hero to destroy",
             rolled("bad_axe", ["hopper"], ["hook"], [],
                    parties={0: ["bad_axe"], 1: ["fluffy", "peanut"], 2: ["wildshot", "spooky"]},
                    slain={1: ["terratuga"]}),
             0, ChooseCard("fluffy"), "HTS-PROT-1"),
    Argument("nobody as the target", AIMING, 0, Decline(), "HTS-TGT-2"),
    Argument("another target when it has been named",
             then(AIMING, 0, ChooseCard("fluffy")), 0, ChooseCard("spooky"), "HTS-TGT-4"),
    Argument("the target named by its owner", AIMING, 1, ChooseCard("spooky"), "HTS-ROLL-5"),
    Argument("oneself as the player", NAMING, 0, ChoosePlayer(0), "HTS-TGT-1"),
    Argument("a player without cards", NAMING, 0, ChoosePlayer(2), "HTS-TGT-2"),
    Argument("the same hero twice for Fluffy",
             then(rolled("fluffy", ["hopper"], ["hook"],
                         parties={0: ["fluffy"], 1: ["spooky", "peanut", "wildshot"]}), 0, ChooseCard("spooky")),
             0, ChooseCard("spooky"), "HTS-AMB-59"),
    Argument("one card instead of two", DISCARDING, 1, ChooseCards(("fluffy",)), "HTS-DO-5"),
    Argument("a discard chosen by the other", DISCARDING, 0, ChooseCards(("fluffy", "challenge")), "HTS-TGT-6"),
    Argument("a discard that is not held", DISCARDING, 1, ChooseCards(("fluffy", "hook")), "HTS-VERB-2"),
    Argument("four cards for Qi Bear",
             settled("qi_bear", ["hopper", "hook", "spooky", "fluffy"], [], parties={0: ["qi_bear"], 1: ["peanut"]}),
             0, ChooseCards(("hopper", "hook", "spooky", "fluffy")), "HTS-DO-4"),
    Argument("a foreign hero as the sacrifice",
             passes(then(rolled("hopper", ["hook"], ["spooky"], [], pips=(6, 6),
                                parties={0: ["hopper"], 1: ["fluffy", "peanut"], 2: ["wildshot"]}),
                         0, ChoosePlayer(1)))[1],
             1, ChooseCards(("hopper",)), "HTS-VERB-4"),
    Argument("Hook's item kept back",
             settled("hook", ["thief_mask", "spooky"], ["fluffy"], parties={0: ["hook", "peanut"]}), 0, Decline(),
             "HTS-AMB-48"),
    Argument("a hero pulled with Buttons", pulled(settled("buttons", ["hook"], ["spooky", MINUS_4]), "spooky")[1], 0,
             ChooseCard("spooky"), "HTS-DO-40"),
    Argument("an item on a leader", play("thief_mask", [], parties=FIRST), 0, ChooseCard("the_shadow_claw"),
             "HTS-ITEM-2"),
    Argument("a second item on a hero",
             play("thief_mask", [], parties={0: ["spooky", "hook"], 1: [("peanut", "decoy_doll")]}), 0,
             ChooseCard("peanut"), "HTS-ITEM-3"),
    Argument("the declined free roll taken after all", then(OFFERED, 0, Decline()), 0, Accept(), "HTS-MAY-2"),
    Argument("the Sage's card taken after all",
             then(play("enchanted_spell", [], leaders=SAGE), 0, Decline()), 0, Accept(), "HTS-MAY-2"),
    Argument("the free roll of another", OFFERED, 1, Accept(), "HTS-HERO-2"),
)  # fmt: skip
TABLES = (
    Argument("a leader that is taken", then(PICKING, 1, PickLeader("the_shadow_claw")), 2,
             PickLeader("the_shadow_claw"), "HTS-SETUP-1"),
    Argument("a leader out of order", PICKING, 0, PickLeader("the_shadow_claw"), "HTS-SETUP-2"),
    Argument("a second leader", then(PICKING, 1, PickLeader("the_shadow_claw")), 1, PickLeader("the_cloaked_sage"),
             "HTS-SETUP-1"),
    Argument("the slower hand, if all pick at once",
             then(start(3, leader_choice="at_once"), 2, PickLeader("the_shadow_claw")), 0,
             PickLeader("the_shadow_claw"), "HTS-AMB-71"),
    Argument("the Claw with two players", cast(start(2), 6, 1), 0, PickLeader("the_shadow_claw"), "HTS-SETUP-3"),
    Argument("another leader in the middle of the game", TURN, 0, PickLeader("the_fist_of_reason"), "HTS-SETUP-1"),
    Argument("a draw before the leaders are picked", PICKING, 1, DrawOne(), "HTS-SETUP-1"),
    Argument("leaving twice", then(TURN, 2, Leave()), 2, Leave(), "HTS-AMB-73"),
    Argument("a draw by one who has left", then(TURN, 2, Leave()), 2, DrawOne(), "HTS-AMB-73"),
    Argument("a draw after the win",
             dice(then(facing("dracos", slain={0: ["orthus", "mega_slime"]}), 0, Attack("dracos")), 1, 1)[1], 0,
             DrawOne(), "HTS-WIN-4"),
)  # fmt: skip
OTHER_REASONS = (
    Argument("a second roll for a hero that is sealed now",
             table(["hopper"], [], parties={0: [("peanut", "sealing_key")]}, rolled=("peanut",)), 0, RollFor("peanut"),
             "HTS-DO-27", also=("HTS-ROLL-3", "HTS-ROLL-4")),
    Argument("a foreign hero that was never rolled for", TURN, 0, RollFor("bun_bun"), "HTS-ROLL-3",
             never=("HTS-ROLL-4",)),
    Argument("a pass while the Horn is offered", HORN, 2, Pass(), "HTS-MOD-12", never=("HTS-STATE-7",)),
    Argument("a pass of the Horn's owner", HORN, 1, Pass(), "HTS-MOD-12", never=("HTS-STATE-7",)),
    Argument("a pass in the turn", TURN, 1, Pass(), "HTS-STATE-7"),
    Argument("a challenge of a card that nobody challenged", then(then(OPEN, 1, Pass()), 2, Pass()), 1, Challenge(),
             "HTS-CHAL-3", never=("HTS-CHAL-6",)),
    Argument("a second challenge when the first one is lost",
             passes(dice(challenged(["challenge"], ["challenge"]), 1, 1, 6, 6)[1])[1], 2, Challenge(), "HTS-CHAL-3",
             also=("HTS-CHAL-6",)),
    Argument("the own modifier before the target, which is no target", AIMING, 0, Modify(PLUS_4, 4, 0), "HTS-AMB-12",
             never=("HTS-VERB-10", "HTS-TGT-2")),
    Argument("a discard of one by the other", DISCARDING, 0, ChooseCards(("fluffy", "challenge")), "HTS-TGT-6",
             never=("HTS-EACH-2",)),
    Argument("a draw out of turn during a roll", ROLLING, 1, DrawOne(), "HTS-TURN-1", never=("HTS-MOD-1",)),
    Argument("a draw while a card can be challenged", OPEN, 1, DrawOne(), "HTS-TURN-1", never=("HTS-CHAL-1",)),
    Argument("a modifier while a card can be challenged", OPEN, 2, Modify(MINUS_4, -4, 0), "HTS-MOD-2",
             never=("HTS-CHAL-1",)),
    Argument("a modifier on nobody's roll without a challenge", ROLLING, 2, Modify(PLUS_4, 4, 2), "HTS-MOD-2",
             never=("HTS-MOD-5",)),
)  # fmt: skip
LEGAL = (
    Argument("a challenge after another's pass", then(OPEN, 1, Pass()), 2, Challenge(), "HTS-CHAL-3", legal=True),
    Argument("a challenge of a card that cost nothing",
             then(pulled(settled("buttons", ["hook"], ["enchanted_spell", "challenge"]), "enchanted_spell")[1], 0,
                  ChooseCard("enchanted_spell")), 1, Challenge(), "HTS-AMB-4", legal=True),
    Argument("a modifier against one's own roll", then(ROLLING, 1, Pass()), 0, Modify(PLUS_4, 4, 0), "HTS-MOD-1",
             legal=True),
    Argument("a second modifier of the same player", then(ROLLING, 1, Modify(MINUS_4, -4, 0)), 1, Modify(TWO, -2, 0),
             "HTS-MOD-6", legal=True),
    Argument("a modifier after a pass that another one cancelled",
             then(then(ROLLING, 1, Pass()), 2, Modify(PLUS_4, 4, 0)), 1, Modify(MINUS_4, -4, 0), "HTS-MOD-7",
             legal=True),
    Argument("a modifier on the challenger's roll by a third player", ROLLED_OFF, 2, Modify(PLUS_4, 4, 1), "HTS-MOD-5",
             legal=True),
    Argument("a good item for a foreign hero", play("thief_mask", [], parties=FIRST), 0, ChooseCard("peanut"),
             "HTS-ITEM-4", legal=True),
    Argument("an item when only others have heroes", table(["thief_mask"], [], parties={1: ["peanut"]}), 0,
             PlayCard("thief_mask"), "HTS-PLAY-4", legal=True),
    Argument("magic whose price cannot be paid", table(["destructive_spell"], [], parties={1: ["peanut"]}), 0,
             PlayCard("destructive_spell"), "HTS-AMB-45", legal=True),
    Argument("a roll after declining the free one", then(OFFERED, 0, Decline()), 0, RollFor("peanut"), "HTS-HERO-3",
             legal=True),
    Argument("a new hand with an empty one", table([], ["peanut"]), 0, RedrawHand(), "HTS-ACT-5", legal=True),
    Argument("the leader for the class, one hero besides", facing("orthus", party=["bun_bun"]), 0, Attack("orthus"),
             "HTS-MON-4", legal=True),
    Argument("a hero safe from destroying, stolen",
             rolled("kit_napper", ["hopper"], ["hook"], slain={1: ["terratuga"]},
                    parties={0: ["kit_napper"], 1: ["fluffy", "peanut"]}), 0, ChooseCard("fluffy"), "HTS-PROT-3",
             legal=True),
    Argument("the turn ended with points left", TURN, 0, EndTurn(), "HTS-TURN-6", legal=True),
    Argument("a draw with an empty hand", table([], ["peanut"]), 0, DrawOne(), "HTS-ACT-9", legal=True),
    Argument("a roll for one who does nothing", table(["hook"], [], parties={0: ["napping_nibbles"]}), 0,
             RollFor("napping_nibbles"), "HTS-AMB-43", legal=True),
    Argument("a masked hero for the class", facing("malamammoth", party=[("bun_bun", "ranger_mask"), "peanut"]), 0,
             Attack("malamammoth"), "HTS-ITEM-9", legal=True),
    Argument("the class of the leader", facing("orthus", party=["peanut"]), 0, Attack("orthus"), "HTS-LEAD-3",
             legal=True),
    Argument("a mask for one of that class", play("bard_mask", [], parties={0: ["peanut", "hook"]}), 0,
             ChooseCard("peanut"), "HTS-AMB-42", legal=True),
    Argument("a cursed item for a hero of one's own", play("sealing_key", [], parties=FIRST), 0, ChooseCard("spooky"),
             "HTS-ITEM-8", legal=True),
    Argument("a sacrifice of the one with the Doll",
             passes(then(rolled("hopper", ["hook"], ["spooky"], [], pips=(6, 6),
                                parties={0: ["hopper"], 1: [("fluffy", "decoy_doll"), "peanut"], 2: ["wildshot"]}),
                         0, ChoosePlayer(1)))[1],
             1, ChooseCards(("fluffy",)), "HTS-REPL-5", legal=True),
    Argument("leaving in the turn of another", TURN, 2, Leave(), "HTS-AMB-73", legal=True),
)  # fmt: skip
COURSE = (
    Argument("Bloodwing, whatever the outcome", play("peanut", ["challenge", "fluffy"], slain={0: ["bloodwing"]}), 1,
             Challenge(), "HTS-AMB-8", legal=True),
    Argument("the Sage for magic that stood", play("enchanted_spell", ["hook"], leaders=SAGE), 1, Pass(),
             "HTS-LEAD-6", legal=True),
    Argument("a bonus for every roll of the turn", play("enchanted_spell", ["hook"]), 1, Pass(), "HTS-AMB-21",
             legal=True),
    Argument("Iron Resolve from its success on", rolled("iron_resolve", ["hook"], [], pips=(6, 6)), 0, Pass(),
             "HTS-AMB-7", legal=True),
    Argument("Mighty Blade for all in the party", rolled("mighty_blade", ["hook"], [], pips=(6, 6)), 0, Pass(),
             "HTS-AMB-40", legal=True),
    Argument("Dracos slain by a low total", attacked(["hopper"], [], pips=(2, 2)), 0, Pass(), "HTS-MON-8", legal=True),
    Argument("an attack is no hero roll", attacked(["hopper"], [], pips=(3, 3)), 0, Pass(), "HTS-ROLL-2", legal=True),
    Argument("the Serpent for a modifier of anybody",
             rolled("peanut", ["hopper"], [MINUS_4, "hook"], slain={0: ["crowned_serpent"]}), 1,
             Modify(MINUS_4, -4, 0), "HTS-DO-45", legal=True),
    Argument("the Queen for a modifier of another",
             rolled("peanut", ["hopper"], [MINUS_4, "hook"], slain={0: ["abyss_queen"]}), 1, Modify(MINUS_4, -4, 0),
             "HTS-AMB-19", legal=True),
    Argument("the Doll for the hero destroyed",
             then(rolled("bad_axe", ["hopper"], [], pips=(6, 6),
                         parties={0: ["bad_axe"], 1: [("fluffy", "decoy_doll"), "spooky"]}), 0, ChooseCard("fluffy")),
             0, Pass(), "HTS-DO-21", legal=True),
    Argument("the challenge card when the dice are settled", dice(challenged(["challenge"]), 3, 3, 2, 2)[1], 0, Pass(),
             "HTS-AMB-3", legal=True),
    Argument("the card of a challenged player who has more", dice(challenged(["challenge"]), 1, 1, 6, 6)[1], 0, Pass(),
             "HTS-CHAL-9", legal=True),
    Argument("magic out of the discard pile",
             then(rolled("bun_bun", ["hook"], [], pips=(6, 6), discard=["enchanted_spell", "critical_boost"]), 0,
                  Pass()), 0, ChooseCard("enchanted_spell"), "HTS-DO-11", legal=True),
    Argument("Orthus after any draw", table([], ["hook"], slain={0: ["orthus"]}, leaders=QUIET), 0, DrawOne(),
             "HTS-DO-44", legal=True),
    Argument("Aries for a hero's success",
             rolled("napping_nibbles", ["hook"], [], pips=(6, 6), slain={0: ["arctic_aries"]}), 0, Pass(),
             "HTS-DO-46", legal=True),
    Argument("the rusty coin of the hero that failed",
             rolled("bad_axe", ["hook"], [], pips=(1, 1), parties={0: [("bad_axe", "particularly_rusty_coin")]}), 0,
             Pass(), "HTS-AMB-58", legal=True),
    Argument("Dracos for a hero that was destroyed",
             rolled("bad_axe", ["hook"], [], pips=(6, 6), parties={0: ["bad_axe"], 1: ["fluffy"]},
                    slain={1: ["dracos"]}), 0, Pass(), "HTS-DO-50", legal=True),
    Argument("Sabretooth before the hero is destroyed",
             then(rolled("bad_axe", ["hook"], [], pips=(6, 6), parties={0: ["bad_axe"], 1: ["fluffy"]},
                         slain={0: ["corrupted_sabretooth"]}), 0, Pass()), 0, Accept(), "HTS-REPL-4", legal=True),
    Argument("six classes at the end of the own turn", table([], ["spooky"], parties={0: SIX}), 0, EndTurn(),
             "HTS-WIN-3", legal=True),
    Argument("a mask that changes the class", play("thief_mask", [], parties=FIRST), 0, ChooseCard("peanut"),
             "HTS-DO-26", legal=True),
)  # fmt: skip
EVERYTHING = (*CHALLENGES, *MODIFIERS, *OTHER_REASONS, *ACTIONS, *MONSTERS, *CHOICES, *TABLES, *LEGAL, *COURSE)


@pytest.mark.clause("KERNEL-REASON-1")
@pytest.mark.parametrize("each", as_parameters(EVERYTHING))
def test_a_quarrel_is_settled_as_a_knowledgeable_player_would(each: Argument) -> None:
    check_argument(each)


@pytest.mark.clause("HTS-MON-4", "HTS-ITEM-9", "HTS-AMB-43", "HTS-ACT-9")
@pytest.mark.parametrize(
    ("state", "move", "clause"),
    [
        (facing("dracos", party=["peanut"]), Attack("dracos"), "HTS-MON-4"),  # asks for no class
        (facing("malamammoth", party=["hook", "peanut"]), Attack("malamammoth"), "HTS-ITEM-9"),  # nobody is masked
        (table(["hook"], [], parties={0: ["peanut"]}), RollFor("peanut"), "HTS-AMB-43"),
        (table(["hook"], []), DrawOne(), "HTS-ACT-9"),
        (table(["peanut"], []), PlayCard("peanut"), "HTS-AMB-45"),
        (play("thief_mask", [], parties=FIRST), ChooseCard("peanut"), "HTS-ITEM-8"),
        (OPEN, Challenge(), "HTS-AMB-4"),
        (ROLLING, Modify(PLUS_4, 4, 0), "HTS-MOD-5"),
        (ROLLING, Modify(PLUS_4, 4, 0), "HTS-DO-45"),  # nobody has an ability that answers it
        (OPEN, Challenge(), "HTS-AMB-8"),
        (attacked(["hopper"], [], pips=(3, 3)), Pass(), "HTS-MON-8"),  # nothing is slain
        (play("thief_mask", [], parties=FIRST), ChooseCard("peanut"), "HTS-AMB-42"),
    ],
)
def test_a_ruling_does_not_rest_on_a_clause_whose_condition_is_not_there(state: Table, move: Move, clause: str) -> None:
    seat = 2 if isinstance(move, Challenge | Modify) else 0
    ruling, _ = rule_on_move(state, Seat(seat), move)
    assert ruling.granted
    assert clause not in ruling.clauses
