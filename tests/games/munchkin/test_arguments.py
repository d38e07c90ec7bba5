"""What tables quarrel about in Munchkin, and the clause that settles it."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.chance import RollResult
from referee.engine.events import replace_fields
from referee.engine.referee import rule_on_move
from referee.engine.seats import CHANCE, Seat
from referee.games.munchkin import GAME
from referee.games.munchkin.components import CORPSES, DOORS
from referee.games.munchkin.moves import (
    AcceptHelp,
    AskHelp,
    ClaimKill,
    CounterOffer,
    DeclineHelp,
    DiscardFromPlay,
    EndTurn,
    Equip,
    FleeFrom,
    GiveToCharity,
    GiveUpRide,
    JoinByTag,
    KeepRoll,
    KickDoor,
    LetPass,
    LookForTrouble,
    LootRoom,
    OfferTrade,
    Pass,
    PickTreasure,
    PlayCard,
    PutIntoPlay,
    RunAway,
    Sell,
    ShowHand,
    TakeBackPass,
    TakeBackRequest,
    TakeCard,
    Unequip,
    UsePower,
)
from referee.games.munchkin.rules.dying import Looting
from referee.games.munchkin.rules.setup import Preparing
from referee.games.munchkin.state import Table
from referee.position_rulings.judging import find_deciding_clause
from tests.games.arguments import Argument, as_parameters, check_argument
from tests.games.course import settled, then
from tests.games.munchkin.combats import fighting, when_all
from tests.games.munchkin.given import table, with_deck

NONE: tuple[str, ...] = ()
EMPTY = (NONE, NONE, NONE)
calm = table


def choosing(*hands: tuple[str, ...], **how: Any) -> Table:
    """Seat 0 has kicked open a door without a combat behind it."""
    return table(*(hands or EMPTY), stage="choice", **how)


def before_charity(*hands: tuple[str, ...], **how: Any) -> Table:
    """Seat 0 has only charity left to do."""
    return table(*(hands or EMPTY), stage="after", **how)


def losing(*hands: tuple[str, ...], **how: Any) -> Table:
    """Seat 0 of level 1 fights Sally, of level 8."""
    return fighting(*(hands or EMPTY), **{"foes": ("sally",), **how})


def winning(*hands: tuple[str, ...], **how: Any) -> Table:
    """Seat 0 of level 5 fights a monster of level 1."""
    return fighting(*(hands or EMPTY), **{"foes": ("marrow_pup",), "levels": (5,), **how})


def window(*hands: tuple[str, ...], **how: Any) -> Table:
    """Seat 0 has claimed a kill."""
    return then(winning(*hands, **how), 0, ClaimKill())


def fleeing(*hands: tuple[str, ...], **how: Any) -> Table:
    """Seat 0, and the helper, have turned to run."""
    return then(losing(*hands, **how), 0, RunAway())


def rolled(*hands: tuple[str, ...], pips: int = 3, **how: Any) -> Table:
    """Seat 0 has rolled to escape Sally."""
    state = then(fleeing(*hands, **how), 0, FleeFrom("sally"))
    return then(state, CHANCE, RollResult((pips,)))


def cursed(*hands: tuple[str, ...], **how: Any) -> Table:
    """Seat 1 has played a curse on seat 0, who may still answer."""
    first, second, *others = hands or EMPTY
    return then(calm(first, ("curse_footgear", *second), *others, **how), 1, PlayCard("curse_footgear", seat=0))


def before_turn_one(*hands: tuple[str, ...]) -> Table:
    """Nobody is ready yet."""
    return settled(table(*hands, turn=-1, turns=0, agenda=(Preparing(),)))


def looting() -> Table:
    """Seat 1 has died; seat 2, of the highest level, takes the first of two cards."""
    state = table(NONE, NONE, NONE, levels=(2, 1, 3), dead=(1,), zones={CORPSES[1]: ("bat_hat", "stilts")})
    return replace_fields(state, agenda=(*state.agenda, Looting(1, True, order=(2, 0))))


def sharing() -> Table:
    """Seat 0 and helper 1 share two treasures, main picks first."""
    state = fighting(
        NONE, NONE, NONE, foes=("skeleton_choir",), levels=(9 - 2,), treasures=("bat_hat", "stilts", "bone_spurs")
    )
    state = when_all(state, (0, AskHelp(seat=1, treasures=1)), (1, AcceptHelp()))[1]
    return when_all(state, (0, ClaimKill()), (2, Pass()))[1]


def asked_for_help(**how: Any) -> Table:
    """Seat 0 has asked seat 1 for help; seat 2 has nothing to say."""
    return then(losing(**how), 0, AskHelp(seat=1))


def running_from_undead() -> Table:
    """Seat 0 runs from an Undead monster, and seat 1 holds another."""
    return then(fighting(NONE, ("coffin_mouse",), NONE, foes=("skeleton_choir",)), 0, RunAway())


def no_longer_undead() -> Table:
    """The only Undead in the combat has been sent home; another monster is left to fight."""
    state = fighting(NONE, ("os_sleighbell", "coffin_mouse"), NONE, foes=("skeleton_choir", "sally"))
    return then(state, 1, PlayCard("os_sleighbell", monster="skeleton_choir"))


def the_helper_runs() -> Table:
    """Main has escaped Sally, and the helper has still to run."""
    state = then(fleeing(helper=1), 0, FleeFrom("sally"))
    return then(then(state, CHANCE, RollResult((6,))), 0, KeepRoll())


HAND_OF_SEVEN = ("candy_hook", "rusty_bell", "bat_hat", "stilts", "bone_spurs", "grave_spade", "coffin_nails")
DEAD_2: dict[str, Any] = {"dead": (2,), "bereft": (2,)}

TURN = [
    Argument("a door kicked in another's turn", calm(*EMPTY), 1, KickDoor(), "MK-1.8"),
    Argument("the room looted in another's turn", choosing(), 1, LootRoom(), "MK-1.8"),
    Argument("another's turn ended", before_charity(), 2, EndTurn(), "MK-1.8"),
    Argument("a second door", choosing(), 0, KickDoor(), "MK-5.1"),
    Argument("a second door during the combat", losing(), 0, KickDoor(), "MK-5.1"),
    Argument(
        "the room looted while the fighters are stronger", winning(), 0, LootRoom(), "MK-5.1", also=("MK-15.1",),
        never=("MK-17.1",),
    ),
    Argument(
        "the room looted while the monsters are stronger", losing(), 0, LootRoom(), "MK-5.1", also=("MK-17.1",),
        never=("MK-15.1",),
    ),
    Argument("looting before the kick", calm(*EMPTY), 0, LootRoom(), "MK-5.1"),
    Argument("looting during a combat", fighting(*EMPTY, foes=("sally",), fought=True), 0, LootRoom(), "MK-5.1"),
    Argument("looting after a combat", before_charity(fought=True), 0, LootRoom(), "MK-5.6"),
    Argument(
        "trouble after a combat", before_charity(("sally",), NONE, NONE, fought=True), 0, LookForTrouble("sally"),
        "MK-5.6",
    ),
    Argument("trouble after looting", before_charity(("sally",), NONE, NONE), 0, LookForTrouble("sally"), "MK-5.4"),
    Argument(
        "trouble with a curse", choosing(("curse_level",), NONE, NONE), 0, LookForTrouble("curse_level"), "MK-5.4"
    ),
    Argument("the choice skipped", choosing(), 0, EndTurn(), "MK-5.8"),
    Argument("too many cards kept", before_charity(HAND_OF_SEVEN, NONE, NONE), 0, EndTurn(), "MK-21.1"),
    Argument("the turn ended beside the monster", losing(), 0, EndTurn(), "MK-5.1"),
    Argument("the turn ended beside a weaker monster", winning(), 0, EndTurn(), "MK-5.1"),
    Argument(
        "charity in the middle of the combat", losing(("bat_hat",), NONE, NONE), 0, GiveToCharity(("bat_hat",), (1,)),
        "MK-5.1",
    ),
    Argument("the turn ended while the window is open", window(), 0, EndTurn(), "MK-15.3"),
    Argument("charity while the window is open", window(), 0, GiveToCharity(("bat_hat",), (1,)), "MK-15.3"),
    Argument("the turn ended on the run", fleeing(), 0, EndTurn(), "MK-17.9"),
    Argument("the turn ended while the helper runs", the_helper_runs(), 0, EndTurn(), "MK-17.9"),
    Argument("the first door before all are ready", before_turn_one(*EMPTY), 0, KickDoor(), "MK-1.6"),
    Argument(
        "a level before the first turn", before_turn_one(("gual_pie",), NONE, NONE), 0, PlayCard("gual_pie", seat=0),
        "MK-1.6",
    ),
]  # fmt: skip

ITEMS = [
    Argument(
        "a second Big item", calm(("snow_stompers",), NONE, NONE, items={0: ("coffin_lid_plate",)}), 0,
        PutIntoPlay("snow_stompers"), "MK-7.7",
    ),
    Argument(
        "two hats", calm(*EMPTY, items={0: ("bat_hat",)}, carried={0: ("crooked_crown",)}), 0, Equip("crooked_crown"),
        "MK-7.3",
    ),
    Argument(
        "a third hand", calm(*EMPTY, items={0: ("confetti_cannon",)}, carried={0: ("rusty_bell",)}), 0,
        Equip("rusty_bell"), "MK-7.3",
    ),
    Argument(
        "an item for citizens of a town that is not one's own", calm(*EMPTY, carried={0: ("roasting_pan",)}), 0,
        Equip("roasting_pan"), "MK-7.4",
    ),
    Argument("an item equipped in combat", losing(carried={0: ("bat_hat",)}), 0, Equip("bat_hat"), "MK-7.5"),
    Argument("an item put down in combat", losing(("bat_hat",), NONE, NONE), 0, PutIntoPlay("bat_hat"), "MK-9.7"),
    Argument(
        "an item put down in combat by the helper", losing(NONE, ("bat_hat",), NONE, helper=1), 1,
        PutIntoPlay("bat_hat"), "MK-9.7",
    ),
    Argument(
        "an item put down in another's turn", calm(NONE, ("bat_hat",), NONE), 1, PutIntoPlay("bat_hat"), "MK-6.3"
    ),
    Argument("a one-shot in use", calm(*EMPTY, carried={0: ("os_fruitcake",)}), 0, Equip("os_fruitcake"), "MK-8.2"),
    Argument("an item thrown away", calm(*EMPTY, items={0: ("bat_hat",)}), 0, DiscardFromPlay("bat_hat"), "MK-7.8"),
    Argument(
        "boots taken off between the curse and its effect", cursed(items={0: ("bone_spurs",)}), 0,
        Unequip("bone_spurs"), "MK-7.5",
    ),
    Argument(
        "a sale in combat", losing(*EMPTY, carried={0: ("overtime_scythe", "crooked_crown")}), 0,
        Sell(("overtime_scythe", "crooked_crown")), "MK-9.7",
    ),
    Argument(
        "a sale in another's turn", calm(*EMPTY, carried={1: ("overtime_scythe", "crooked_crown")}), 1,
        Sell(("overtime_scythe", "crooked_crown")), "MK-6.3",
    ),
    Argument(
        "a sale for 900", calm(*EMPTY, carried={0: ("overtime_scythe", "os_popping_corn")}), 0,
        Sell(("overtime_scythe", "os_popping_corn")), "MK-7.14",
    ),
    Argument(
        "a sale for level 10", calm(*EMPTY, carried={0: ("overtime_scythe", "crooked_crown")}, levels=(9,)), 0,
        Sell(("overtime_scythe", "crooked_crown")), "MK-7.15",
    ),
    Argument(
        "a ride sold", calm(("ride_broom", "overtime_scythe"), NONE, NONE, carried={0: ("crooked_crown",)}), 0,
        Sell(("ride_broom", "overtime_scythe", "crooked_crown")), "MK-7.17",
    ),
    Argument(
        "a trade with a fighter", losing(*EMPTY, carried={0: ("bat_hat",), 1: ("stilts",)}), 1,
        OfferTrade(0, ("stilts",), ("bat_hat",)), "MK-7.9",
    ),
    Argument(
        "a hand card traded", calm(("bat_hat",), NONE, NONE, carried={1: ("stilts",)}), 0,
        OfferTrade(1, ("bat_hat",), ("stilts",)), "MK-7.9",
    ),
    Argument("a ride traded", calm(*EMPTY, rides={0: ("ride_broom",)}), 0, OfferTrade(1, ("ride_broom",)), "MK-8.6"),
    Argument(
        "a gift of a second Big item", calm(*EMPTY, items={0: ("snow_stompers",), 1: ("coffin_lid_plate",)}), 0,
        OfferTrade(1, ("snow_stompers",)), "MK-7.10",
    ),
    Argument("an empty hand shown", calm(*EMPTY), 0, ShowHand(1), "MK-2.2"),
]  # fmt: skip

TOWNS_AND_LEVELS = [
    Argument(
        "a second citizenship", calm(("town_easter",), NONE, NONE, towns={0: ("town_halloween",)}), 0,
        PutIntoPlay("town_easter"), "MK-4.5",
    ),
    Argument(
        "a citizenship in another's turn", calm(NONE, ("town_easter",), NONE), 1, PutIntoPlay("town_easter"), "MK-4.4"
    ),
    Argument(
        "a citizenship of the helper in combat", losing(NONE, ("town_easter",), NONE, helper=1), 1,
        PutIntoPlay("town_easter"), "MK-4.4",
    ),
    Argument(
        "two of the same town",
        calm(("town_easter",), NONE, NONE, towns={0: ("town_easter", "dual_citizenship")}), 0,
        PutIntoPlay("town_easter"), "MK-4.5",
    ),
    Argument(
        "Dual Citizenship without a town", calm(("dual_citizenship",), NONE, NONE), 0, PutIntoPlay("dual_citizenship"),
        "MK-4.6",
    ),
    Argument(
        "a lasting curse thrown away", calm(*EMPTY, curses={0: ("curse_cobweb_hat",)}), 0,
        DiscardFromPlay("curse_cobweb_hat"), "MK-20.6",
    ),
    Argument(
        "level 10 by a card", calm(("gual_pie",), NONE, NONE, levels=(9,)), 0, PlayCard("gual_pie", seat=0), "MK-4.2"
    ),
    Argument(
        "another hurt for a level at level 9", calm(("gual_nametags",), NONE, NONE, levels=(9, 3)), 0,
        PlayCard("gual_nametags", seat=1), "MK-4.2",
    ),
    Argument(
        "a second ride", calm(("ride_broom",), NONE, NONE, rides={0: ("ride_sleigh",)}), 0, PutIntoPlay("ride_broom"),
        "MK-8.6",
    ),
    Argument(
        "bells without a ride", calm(("renh_bells",), NONE, NONE), 0, PutIntoPlay("renh_bells"), "MK-8.8"
    ),
    Argument("a card that is not in the hand", calm(*EMPTY), 0, PlayCard("gual_pie", seat=0), "MK-2.3"),
    Argument(
        "a curse on a dead player", calm(("curse_level",), NONE, NONE, **DEAD_2), 0, PlayCard("curse_level", seat=2),
        "MK-20.7",
    ),
    Argument(
        "a dead player interferes", losing(NONE, NONE, ("enh_hungry",), **DEAD_2), 2,
        PlayCard("enh_hungry", monster="sally"), "MK-19.7",
    ),
    Argument(
        "the power of a town that is not one's own", losing(("coffin_mouse",), NONE, NONE), 0,
        UsePower("scare", "coffin_mouse"), "MK-4.9", also=("MK-4.7",),
    ),
    Argument(
        "a power that no town gives", losing(("coffin_mouse",), NONE, NONE), 0, UsePower("gift", "coffin_mouse"),
        "MK-4.9", never=("MK-4.7",),
    ),
    Argument(
        "the power of Halloween for a combat of others",
        losing(NONE, ("coffin_mouse",), NONE, towns={1: ("town_halloween",)}), 1, UsePower("scare", "coffin_mouse"),
        "MK-4.9",
    ),
    Argument(
        "the power of Christmas for a cheap item",
        fleeing(towns={0: ("town_christmas",)}, items={0: ("rusty_bell",)}), 0,
        UsePower("parting_gift", "rusty_bell", "sally"), "MK-4.9",
    ),
]  # fmt: skip

COMBAT = [
    Argument("a claim on equal strength", fighting(*EMPTY, foes=("marrow_pup",)), 0, ClaimKill(), "MK-9.2"),
    Argument("a claim without a combat", calm(*EMPTY), 0, ClaimKill(), "MK-15.1"),
    Argument("the helper claims the kill", winning(helper=1), 1, ClaimKill(), "MK-15.1"),
    Argument("a bystander claims the kill", winning(), 2, ClaimKill(), "MK-15.1"),
    Argument("the kill claimed twice", window(), 0, ClaimKill(), "MK-15.1"),
    Argument("main passes in the window", window(), 0, Pass(), "MK-15.1"),
    Argument("main runs while winning", winning(), 0, RunAway(), "MK-17.2"),
    Argument("main runs while the window is open", window(), 0, RunAway(), "MK-17.2"),
    Argument("the helper turns to run", losing(helper=1), 1, RunAway(), "MK-17.2"),
    Argument("a second pass", then(window(), 1, Pass()), 1, Pass(), "MK-15.5"),
    Argument("a pass taken back that was none", window(), 1, TakeBackPass(), "MK-15.5"),
    Argument(
        "an enhancer without a combat", calm(("enh_hungry",), NONE, NONE), 0, PlayCard("enh_hungry", monster="sally"),
        "MK-14.2",
    ),
    Argument(
        "an enhancer on no monster in particular", losing(("enh_hungry",), NONE, NONE), 0, PlayCard("enh_hungry"),
        "MK-10.1", never=("MK-3.6",),
    ),
    Argument(
        "a curse on nobody in particular", losing(("curse_level",), NONE, NONE), 0, PlayCard("curse_level"), "MK-20.1",
        never=("MK-3.6",),
    ),
    Argument(
        "a one-shot for neither side", losing(("os_fruitcake",), NONE, NONE), 0, PlayCard("os_fruitcake"), "MK-8.3",
        never=("MK-3.6",),
    ),
    Argument(
        "a level card for nobody in particular", losing(("gual_coin",), NONE, NONE), 0, PlayCard("gual_coin"),
        "MK-8.4", never=("MK-3.6",),
    ),
    Argument(
        "a card that says itself on whom it is played", losing(("lend_me_that",), NONE, NONE), 0,
        PlayCard("lend_me_that"), "MK-3.1", never=("MK-3.6",),
    ),
    Argument(
        "a treasure of the own turn played in another's, with no combat", calm(NONE, ("loose_stitches",), NONE), 1,
        PlayCard("loose_stitches"), "MK-6.3", never=("MK-9.7",),
    ),
    Argument(
        "a treasure of calm moments played in combat", losing(("loose_stitches",), NONE, NONE), 0,
        PlayCard("loose_stitches"), "MK-6.3", also=("MK-9.7",),
    ),
    Argument(
        "an enhancer when they run already", fleeing(NONE, ("enh_hungry",), NONE), 1,
        PlayCard("enh_hungry", monster="sally"), "MK-14.2",
    ),
    Argument(
        "an enhancer on a monster that is not there", losing(("enh_hungry",), NONE, NONE), 0,
        PlayCard("enh_hungry", monster="oogie_boogie"), "MK-10.1",
    ),
    Argument(
        "a monster played just so", losing(NONE, ("puddle_bat",), NONE), 1, PlayCard("puddle_bat"), "MK-14.3"
    ),
    Argument(
        "Wandering Monster alone", losing(NONE, ("wandering_monster",), NONE), 1, PlayCard("wandering_monster"),
        "MK-14.3",
    ),
    Argument(
        "Wandering Monster with a curse", losing(NONE, ("wandering_monster", "curse_level"), NONE), 1,
        PlayCard("wandering_monster", partner="curse_level"), "MK-14.3",
    ),
    Argument(
        "an Undead that joins a living monster", losing(NONE, ("coffin_mouse",), NONE), 1, JoinByTag("coffin_mouse"),
        "MK-12.1",
    ),
    Argument(
        "an Undead that joins when the only one is gone", no_longer_undead(), 1, JoinByTag("coffin_mouse"), "MK-12.3"
    ),
    Argument(
        "a card makes an Undead Undead", fighting(NONE, ("enh_risen", "coffin_mouse"), NONE, foes=("marrow_pup",)), 1,
        JoinByTag("coffin_mouse", "enh_risen"), "MK-12.2",
    ),
    Argument(
        "a one-shot against the carolers", fighting(("os_fruitcake",), NONE, NONE, foes=("grave_carolers",)), 0,
        PlayCard("os_fruitcake", side="munchkins"), "MK-9.4",
    ),
    Argument(
        "a lullaby in the combat of others", losing(NONE, ("os_lullaby",), NONE), 1,
        PlayCard("os_lullaby"), "MK-14.1",
    ),
    Argument(
        "Sally let pass after something was played",
        then(losing(NONE, ("enh_hungry",), NONE), 1, PlayCard("enh_hungry", monster="sally")), 0, LetPass("sally"),
        "MK-3.1",
    ),
    Argument(
        "a curse while another one strikes", cursed(NONE, NONE, ("curse_level",)), 2, PlayCard("curse_level", seat=0),
        "MK-3.6",
    ),
    Argument(
        "a wreath against a curse on another", cursed(NONE, NONE, ("os_lucky_wreath",)), 2,
        PlayCard("os_lucky_wreath"), "MK-20.5",
    ),
    Argument(
        "a wreath without a curse", calm(("os_lucky_wreath",), NONE, NONE), 0, PlayCard("os_lucky_wreath"), "MK-20.5"
    ),
]  # fmt: skip

HELP = [
    Argument("the helper withdraws", losing(helper=1), 1, DeclineHelp(), "MK-13.9"),
    Argument("the helper takes the promise back", losing(helper=1), 1, TakeBackRequest(), "MK-13.9"),
    Argument("a second helper", losing(helper=1), 0, AskHelp(seat=2), "MK-13.1"),
    Argument("the helper brings another helper", losing(helper=1), 1, AskHelp(seat=2), "MK-13.1"),
    Argument("two asked at once", asked_for_help(), 0, AskHelp(seat=2), "MK-13.1"),
    Argument("help asked of oneself", losing(), 0, AskHelp(seat=0), "MK-13.1"),
    Argument("help asked of the dead", losing(**DEAD_2), 0, AskHelp(seat=2), "MK-19.7"),
    Argument("help asked without a combat", calm(*EMPTY), 0, AskHelp(seat=1), "MK-13.3"),
    Argument("help asked in the window", window(), 0, AskHelp(seat=1), "MK-13.3"),
    Argument("help accepted though nobody fights", calm(*EMPTY), 1, AcceptHelp(), "MK-13.2", also=("MK-13.3",)),
    Argument("help declined though nobody fights", calm(*EMPTY), 1, DeclineHelp(), "MK-13.2", also=("MK-13.3",)),
    Argument("a counter-offer though nobody fights", calm(*EMPTY), 1, CounterOffer(treasures=1), "MK-13.2"),
    Argument("help asked again", then(asked_for_help(), 1, DeclineHelp()), 0, AskHelp(seat=1), "MK-13.2"),
    Argument("help of one who was not asked", asked_for_help(), 2, AcceptHelp(), "MK-13.2"),
    Argument("a claim while somebody is asked", asked_for_help(levels=(9,)), 0, ClaimKill(), "MK-13.2"),
    Argument(
        "an item of the hand offered", losing(("bat_hat",), NONE, NONE), 0, AskHelp(seat=1, items=("bat_hat",)),
        "MK-13.5",
    ),
    Argument(
        "a curse promised", losing(("curse_level",), NONE, NONE), 0, AskHelp(seat=1, plays=("curse_level",)), "MK-13.5"
    ),
    Argument(
        "help against a monster that allows none", fighting(*EMPTY, foes=("pit_choirmaster",)), 0, AskHelp(seat=1),
        "MK-9.4",
    ),
    Argument(
        "forced help in another's combat", fighting(NONE, NONE, ("drafted",), foes=("sally",)), 2,
        PlayCard("drafted", seat=0), "MK-14.1",
    ),
    Argument(
        "forced help for the winning kill", fighting(("drafted",), NONE, NONE, foes=("sally",), levels=(9,)), 0,
        PlayCard("drafted", seat=1), "MK-3.5",
    ),
]  # fmt: skip

AFTERWARDS = [
    Argument(
        "a second run while the first die falls", then(fleeing(), 0, FleeFrom("sally")), 0, FleeFrom("sally"), "MK-3.6"
    ),
    Argument("the helper rolls before main", fleeing(helper=1), 1, FleeFrom("sally"), "MK-17.5"),
    Argument("a bystander rolls", fleeing(), 2, FleeFrom("sally"), "MK-17.3"),
    Argument("a run from a monster that is not there", fleeing(), 0, FleeFrom("oogie_boogie"), "MK-17.3"),
    Argument(
        "a level reopens the combat", then(fleeing(("gual_pie",), NONE, NONE, levels=(8,)), 0, PlayCard("gual_pie", 0)),
        0, ClaimKill(), "MK-17.8",
    ),
    Argument(
        "a one-shot for the combat on the run", fleeing(NONE, ("os_blessed_corn",), NONE), 1,
        PlayCard("os_blessed_corn", side="munchkins"), "MK-14.2", also=("MK-17.8",),
    ),
    Argument(
        "an enhancer on the run", fleeing(NONE, ("enh_old",), NONE), 1, PlayCard("enh_old", monster="sally"),
        "MK-14.2", also=("MK-17.8",),
    ),
    Argument(
        "a monster that joins on the run", running_from_undead(), 1, JoinByTag("coffin_mouse"),
        "MK-14.2", also=("MK-17.8",),
    ),
    Argument(
        "an enhancer before any combat", calm(NONE, ("enh_old",), NONE), 1, PlayCard("enh_old", monster="sally"),
        "MK-14.2", never=("MK-17.8",),
    ),
    Argument(
        "the power of another town", losing(towns={0: ("town_halloween",)}, items={0: ("bat_hat",)}), 0,
        UsePower("parting_gift", "bat_hat", "sally"), "MK-4.9", also=("MK-4.7",),
    ),
    Argument("the ride given up", fleeing(rides={0: ("ride_sleigh",)}), 0, GiveUpRide(), "MK-8.7"),
    Argument(
        "a die turned before it is rolled", fleeing(("os_knucklebone",), NONE, NONE), 0, PlayCard("os_knucklebone"),
        "MK-26.3",
    ),
    Argument("the die of another kept", rolled(), 1, KeepRoll(), "MK-26.3"),
    Argument("the dead take a card", looting(), 1, TakeCard("bat_hat"), "MK-19.7"),
    Argument("a card taken before those of higher level", looting(), 0, TakeCard("bat_hat"), "MK-19.4"),
    Argument("a card taken that was not left behind", looting(), 2, TakeCard("candy_hook"), "MK-19.4"),
    Argument("the helper picks first", sharing(), 1, PickTreasure("bat_hat"), "MK-16.4"),
    Argument(
        "charity for one who is not lowest", before_charity(HAND_OF_SEVEN, NONE, NONE, levels=(4, 2, 3)), 0,
        GiveToCharity(HAND_OF_SEVEN[:2], (2, 1)), "MK-21.2",
    ),
    Argument(
        "charity unevenly shared", before_charity(HAND_OF_SEVEN, NONE, NONE, levels=(4, 2, 2)), 0,
        GiveToCharity(HAND_OF_SEVEN[:2], (1, 1)), "MK-21.2",
    ),
    Argument(
        "charity by one who is lowest", before_charity(HAND_OF_SEVEN, NONE, NONE, levels=(2, 2, 3)), 0,
        GiveToCharity(HAND_OF_SEVEN[:2], (1, 1)), "MK-21.3",
    ),
    Argument(
        "more given than is too much", before_charity(HAND_OF_SEVEN, NONE, NONE, levels=(4, 2, 3)), 0,
        GiveToCharity(HAND_OF_SEVEN[:3], (1, 1, 1)), "MK-21.1",
    ),
    Argument(
        "charity of another", before_charity(NONE, HAND_OF_SEVEN, NONE, levels=(4, 4, 2)), 1,
        GiveToCharity(HAND_OF_SEVEN[:2], (2, 2)), "MK-21.4",
    ),
]  # fmt: skip

LEGAL = [
    Argument("a kick when no door is left", with_deck(calm(*EMPTY), DOORS), 0, KickDoor(), "MK-5.7", legal=True),
    Argument(
        "cards of one who is lowest discarded", before_charity(HAND_OF_SEVEN, NONE, NONE, levels=(2, 2, 3)), 0,
        GiveToCharity(HAND_OF_SEVEN[:2]), "MK-21.3", legal=True,
    ),
    Argument(
        "cards given to the lowest", before_charity(HAND_OF_SEVEN, NONE, NONE, levels=(4, 2, 3)), 0,
        GiveToCharity(HAND_OF_SEVEN[:2], (1, 1)), "MK-21.2", legal=True,
    ),
    Argument("main runs before the helper", fleeing(helper=1), 0, FleeFrom("sally"), "MK-17.5", legal=True),
    Argument(
        "a trip wire for a fighter on the run", fleeing(NONE, ("tripwire",), NONE), 1, PlayCard("tripwire", seat=0),
        "MK-17.8", legal=True,
    ),
    Argument(
        "a bystander helps the monster", losing(NONE, ("os_fruitcake",), NONE), 1,
        PlayCard("os_fruitcake", side="monsters"), "MK-14.1", legal=True,
    ),
    Argument(
        "an enhancer in the window", window(NONE, ("enh_hungry",), NONE), 1,
        PlayCard("enh_hungry", monster="marrow_pup"), "MK-15.2", legal=True,
    ),
    Argument(
        "a curse in another's turn", calm(NONE, ("curse_level",), NONE), 1, PlayCard("curse_level", seat=2), "MK-20.1",
        legal=True,
    ),
    Argument(
        "a level in the middle of a combat", fighting(("gual_pie",), NONE, NONE, foes=("marrow_pup",)), 0,
        PlayCard("gual_pie", seat=0), "MK-8.4", legal=True,
    ),
    Argument("help asked while winning", winning(), 0, AskHelp(seat=1), "MK-13.3", legal=True),
    Argument("a counter-offer", asked_for_help(), 1, CounterOffer(treasures=2), "MK-13.2", legal=True),
    Argument(
        "main makes the own combat harder", fighting(("coffin_mouse",), NONE, NONE, foes=("marrow_pup",)), 0,
        JoinByTag("coffin_mouse"), "MK-11.6", legal=True,
    ),
    Argument("running on equal strength", fighting(*EMPTY, foes=("marrow_pup",)), 0, RunAway(), "MK-17.2", legal=True),
    Argument("the winning kill has a window too", winning(levels=(9,)), 0, ClaimKill(), "MK-15.6", legal=True),
    Argument(
        "a citizenship discarded in combat", losing(towns={0: ("town_easter",)}), 0, DiscardFromPlay("town_easter"),
        "MK-4.4", legal=True,
    ),
    Argument(
        "an item just received put down in another's turn",
        calm(NONE, ("bat_hat",), NONE, fresh={1: ("bat_hat",)}), 1, PutIntoPlay("bat_hat"), "MK-6.6", legal=True,
    ),
    Argument(
        "a ride mounted in combat", losing(("ride_broom",), NONE, NONE), 0, PutIntoPlay("ride_broom"), "MK-8.6",
        legal=True,
    ),
    Argument(
        "a trade of others during a combat", losing(NONE, NONE, NONE, NONE, carried={1: ("bat_hat",)}), 1,
        OfferTrade(2, ("bat_hat",)), "MK-7.9", legal=True,
    ),
    Argument(
        "a one-shot used from play", losing(carried={1: ("os_fruitcake",)}), 1,
        PlayCard("os_fruitcake", side="munchkins"), "MK-8.1", legal=True,
    ),
    Argument(
        "a sale for 2,000 at level 8", calm(
            *EMPTY, levels=(8,), carried={0: ("overtime_scythe", "crooked_crown", "bat_hat", "stilts")}
        ), 0, Sell(("overtime_scythe", "crooked_crown", "bat_hat", "stilts")), "MK-7.15", legal=True,
    ),
    Argument(
        "a worthless item in a sale",
        calm(*EMPTY, carried={0: ("overtime_scythe", "crooked_crown", "lint_slippers")}), 0,
        Sell(("overtime_scythe", "crooked_crown", "lint_slippers")), "MK-7.16", legal=True,
    ),
]  # fmt: skip

# A clause that a party names, though it is not the first: it bears on the ruling all the same.
NAMED = [
    Argument("level 10 by a card", calm(("gual_pie",), NONE, NONE, levels=(9,)), 0, PlayCard("gual_pie", 0), "MK-8.4"),
    Argument(
        "level 10 for another by a card", losing(NONE, ("gual_pie",), NONE, levels=(9,)), 1, PlayCard("gual_pie", 0),
        "MK-8.4",
    ),
    Argument(
        "level 10 by a sale", calm(*EMPTY, carried={0: ("overtime_scythe", "crooked_crown")}, levels=(9,)), 0,
        Sell(("overtime_scythe", "crooked_crown")), "MK-4.2",
    ),
    Argument("the losing main player has to run", losing(), 0, EndTurn(), "MK-17.1"),
    Argument(
        "level 9 by a card", calm(("gual_pie",), NONE, NONE, levels=(8,)), 0, PlayCard("gual_pie", 0), "MK-4.2",
        legal=True,
    ),
    Argument(
        "a sale for 2,000 at level 8", calm(
            *EMPTY, levels=(8,), carried={0: ("overtime_scythe", "crooked_crown", "bat_hat", "stilts")}
        ), 0, Sell(("overtime_scythe", "crooked_crown", "bat_hat", "stilts")), "MK-4.2", legal=True,
    ),
    Argument(
        "a town feast for a citizen of level 9",
        calm(*EMPTY, doors=("town_parade",), towns={1: ("town_halloween",)}, levels=(1, 9)), 0, KickDoor(), "MK-4.2",
        legal=True,
    ),
    Argument(
        "a second Big item on the sleigh",
        calm(("snow_stompers",), NONE, NONE, items={0: ("coffin_lid_plate",)}, rides={0: ("ride_sleigh",)}), 0,
        PutIntoPlay("snow_stompers"), "MK-3.1", legal=True,
    ),
    Argument(
        "a third Big item on the sleigh",
        calm(
            ("confetti_cannon",), NONE, NONE, items={0: ("coffin_lid_plate",)}, carried={0: ("snow_stompers",)},
            rides={0: ("ride_sleigh",)},
        ), 0, PutIntoPlay("confetti_cannon"), "MK-8.6",
    ),
    Argument(
        "a Big item beside one that a card is sewn to",
        calm(
            ("snow_stompers",), NONE, NONE, items={0: ("coffin_lid_plate",)},
            attached={"coffin_lid_plate": "loose_stitches"},
        ), 0, PutIntoPlay("snow_stompers"), "MK-3.1", legal=True,
    ),
    Argument(
        "a gift of a second Big item for the sleigh",
        calm(
            *EMPTY, items={0: ("snow_stompers",), 1: ("coffin_lid_plate",)}, rides={1: ("ride_sleigh",)}
        ), 0, OfferTrade(1, ("snow_stompers",)), "MK-3.1", legal=True,
    ),
    Argument(
        "one Big item for another", calm(*EMPTY, items={0: ("snow_stompers",), 1: ("coffin_lid_plate",)}), 0,
        OfferTrade(1, ("snow_stompers",), ("coffin_lid_plate",)), "MK-7.10", legal=True,
    ),
]  # fmt: skip
# What is read aloud as the reason why a move is legal: not what holds of every move at such a moment.
READ_ALOUD = [
    Argument("a curse in another's turn", calm(NONE, ("curse_level",), NONE), 1, PlayCard("curse_level", 2), "MK-20.1"),
    Argument("a level in another's turn", calm(NONE, ("gual_pie",), NONE), 1, PlayCard("gual_pie", 1), "MK-8.4"),
    Argument("an item put down in calm", calm(("bat_hat",), NONE, NONE), 0, PutIntoPlay("bat_hat"), "MK-7.6"),
    Argument("a town in calm", calm(("town_easter",), NONE, NONE), 0, PutIntoPlay("town_easter"), "MK-4.4"),
    Argument("a ride in another's turn", calm(NONE, ("ride_broom",), NONE), 1, PutIntoPlay("ride_broom"), "MK-8.6"),
    Argument("a door kicked", calm(*EMPTY), 0, KickDoor(), "MK-5.3"),
    Argument("a hat put on in another's turn", calm(*EMPTY, carried={1: ("bat_hat",)}), 1, Equip("bat_hat"), "MK-7.2"),
    Argument(
        "a trade in another's turn", calm(*EMPTY, carried={1: ("bat_hat",)}), 1, OfferTrade(2, ("bat_hat",)), "MK-7.9"
    ),
    Argument(
        "a bystander plays an enhancer", losing(NONE, ("enh_hungry",), NONE), 1,
        PlayCard("enh_hungry", monster="sally"), "MK-14.1",
    ),
    Argument(
        "an enhancer in the window", window(NONE, ("enh_hungry",), NONE), 1,
        PlayCard("enh_hungry", monster="marrow_pup"), "MK-14.2",
    ),
    Argument(
        "a second Big item on the sleigh",
        calm(("snow_stompers",), NONE, NONE, items={0: ("coffin_lid_plate",)}, rides={0: ("ride_sleigh",)}), 0,
        PutIntoPlay("snow_stompers"), "MK-7.7",
    ),
]  # fmt: skip
REFUSED = [*TURN, *ITEMS, *TOWNS_AND_LEVELS, *COMBAT, *HELP, *AFTERWARDS]


@pytest.mark.clause("KERNEL-REASON-1")
@pytest.mark.parametrize("each", as_parameters(REFUSED))
def test_a_refused_move_is_settled_by_the_clause_that_players_would_name(each: Argument) -> None:
    check_argument(each)


@pytest.mark.clause("KERNEL-REASON-1")
@pytest.mark.parametrize("each", as_parameters(LEGAL))
def test_a_legal_move_that_somebody_objects_to_rests_on_the_clause_that_allows_it(each: Argument) -> None:
    check_argument(each)


@pytest.mark.clause("KERNEL-REASON-1")
@pytest.mark.parametrize("each", as_parameters(NAMED))
def test_a_clause_that_a_party_names_bears_on_the_ruling(each: Argument) -> None:
    ruling, _ = rule_on_move(each.state, Seat(each.seat), each.move)
    assert ruling.verdict == ("granted" if each.legal else "refused"), ruling
    assert each.clause in ruling.clauses


@pytest.mark.clause("KERNEL-REASON-1")
@pytest.mark.parametrize("each", as_parameters(READ_ALOUD))
def test_the_clause_that_makes_a_move_legal_is_read_aloud(each: Argument) -> None:
    ruling, _ = rule_on_move(each.state, Seat(each.seat), each.move)
    assert ruling.granted, ruling
    assert find_deciding_clause(GAME, ruling, each.state, each.move).id == each.clause
