"""What tables quarrel about in Shy Monsters, and the clause that settles it."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.chance import PickResult, TurnUpResult
from referee.engine.seats import CHANCE
from referee.games.shy_monsters import GAME
from referee.games.shy_monsters.components import BASE_HAND
from referee.games.shy_monsters.floors import lay_floor
from referee.games.shy_monsters.moves import Build, Claim, Concede, Explore, Jump, Place, Reveal, RolesDrawn
from referee.games.shy_monsters.state import Laid
from tests.games.arguments import Argument, as_parameters, check_argument
from tests.games.shy_monsters.table import BLOCK, CROSS, HERO, LINE, MASTER, STAIRS, Scene, opened

ROW = tuple((x, 0) for x in range(1, 7))
HAND = (*BASE_HAND, "kraken", "mantis")
FLOOR = Build(lay_floor(ROW, HAND))


def building(**more: Any) -> Any:
    """The dungeon master is asked for a floor and holds corridors, exit, kraken and mantis."""
    return GAME.positions.decode_position(
        {"question": "build", "dungeon_master": int(MASTER), "floor": 1, "hand": list(HAND), **more}
    )


def lays(spots: Any = ROW, cards: Any = HAND) -> Build:
    return Build(lay_floor(tuple(spots), cards))


def replaced(old: str, new: str) -> tuple[str, ...]:
    """The hand with one card in place of another."""
    return tuple(new if card == old else card for card in HAND)


def reporting(at: str = "a", because: str = "entered", **more: Any) -> Any:
    """Real cards: a card has been entered, revealed or skipped, and its face is still to be told."""
    turn = {"at": at, "because": because, **more.pop("turn", {})}
    data = {
        "question": "turn_up",
        "dungeon_master": int(MASTER),
        "floor": 1 if because == "revealed" else 3,
        "cards": "table",
        "plan": {"rows": LINE, "up": []},
        "turn_up": turn,
        "discovered": [],
        **more,
    }
    return GAME.positions.decode_position(data)


def naming(**more: Any) -> Any:
    """Real cards of a bot: the two monsters that it draws are still to be named."""
    data = {"question": "monsters", "dungeon_master": int(MASTER), "floor": 1, "cards": "table", "named": [int(MASTER)]}
    return GAME.positions.decode_position({**data, **more})


def due(**more: Any) -> Scene:
    """The first floor: the hero has two cards to turn up before setting out."""
    return Scene(STAIRS, floor=1, question="reveal", **more)


MONSTER_AHEAD = {"a": "mantis"}  # active on a line, between the entrance and b
LATER = {"floor": 2, "discovered": ["dragon"], "undiscovered": ["gargoyle"]}

# ---- the dungeon master builds ----------------------------------------------------------------------------------
BUILDING = [
    Argument("five cards are laid", building(), 0, lays(ROW[:5], HAND[:5]), "SM-BUILD-2"),
    Argument("a seventh card is laid", building(), 0, Build((*FLOOR.cells, Laid(0, 1, "corridor"))), "SM-BUILD-2"),
    Argument("a card touches at a corner only", building(), 0, lays([*ROW[:4], (0, 1), (5, 1)]), "SM-BUILD-3"),
    Argument("the floor lies apart from the entrance", building(), 0, lays([(x, 2) for x in range(6)]), "SM-BUILD-3"),
    Argument("a card lies on the entrance", building(), 0, lays([*ROW[:5], (0, 0)]), "SM-BUILD-3"),
    Argument("two cards lie on one place", building(), 0, lays([*ROW[:5], (5, 0)]), "SM-BUILD-3"),
    Argument("there is a gap in the floor", building(), 0, lays([*ROW[:5], (-2, 0)]), "SM-BUILD-3"),
    Argument("a card lies seven steps away", building(), 0, lays([*ROW[:5], (7, 0)]), "SM-BUILD-3"),
    Argument("a fourth corridor in place of the exit", building(), 0, lays(cards=replaced("exit", "corridor")),
             "SM-BUILD-1"),
    Argument("a monster that was not drawn", building(), 0, lays(cards=replaced("kraken", "dragon")), "SM-BUILD-1"),
    Argument("a monster that the hero found before", building(**LATER), 0, lays(cards=replaced("kraken", "dragon")),
             "SM-AMB-18"),
    Argument("a monster of an earlier floor that stayed hidden", building(**LATER), 0,
             lays(cards=replaced("kraken", "gargoyle")), "SM-AMB-18"),
    Argument("the faces are kept from the referee", building(), 0, lays(cards=("?",) * 6), "SM-AMB-20"),
    Argument("real cards are named", opened("table"), 0, FLOOR, "SM-BUILD-2"),
    Argument("a player takes a role", opened(roles="drawn"), 0, RolesDrawn(0), "SM-SETUP-3"),
    Argument("the roles are changed in the game", building(), 1, RolesDrawn(1), "SM-SETUP-3"),
    Argument("the floor is laid before the roles are drawn", opened(roles="drawn"), 0, FLOOR, "SM-SETUP-3"),
    Argument("the floor is laid before the pile is shuffled", opened(), 0, FLOOR, "SM-SETUP-1"),
    Argument("the floor is laid before the two monsters are drawn", naming(), 0, FLOOR, "SM-BUILD-1"),
    Argument("the same monster is drawn twice", naming(), CHANCE, PickResult(("kraken", "kraken")), "SM-BUILD-1"),
    Argument("three monsters are drawn", naming(), CHANCE, PickResult(("kraken", "mantis", "dragon")), "SM-BUILD-1"),
    Argument("a monster of an earlier floor is drawn", naming(floor=2, discovered=["dragon"], undiscovered=1), CHANCE,
             PickResult(("dragon", "mantis")), "SM-AMB-18"),
    Argument("the hero sets out while the floor is built", building(), 1, Explore(1, 0), "SM-BUILD-7"),
    Argument("the hero jumps while the floor is built", building(), 1, Jump(2, 0, Place(1, 0)), "SM-BUILD-7"),
    Argument("the hero turns a card up while the floor is built", building(), 1, Reveal(1, 0), "SM-BUILD-7"),
    Argument("the hero lays the floor", building(), 1, FLOOR, "SM-COURSE-1", never=("SM-BUILD-7",)),
    Argument("the hero lays the floor when it stands", Scene(LINE).state, 1, FLOOR, "SM-COURSE-1",
             also=("SM-BUILD-7",)),
    Argument("the dungeon master gives up while building", building(), 0, Concede(), "SM-AMB-17"),
    Argument("the dungeon master claims while building", building(), 0, Claim(), "SM-AMB-17"),
    Argument("the floor is changed once the hero is on turn", Scene(LINE).state, 0, FLOOR, "SM-BUILD-7"),
    Argument("the floor is changed while the hero turns cards up", due().state, 0, FLOOR, "SM-BUILD-7"),
    Argument("the floor is changed while a face is told", reporting(), 0, FLOOR, "SM-BUILD-7"),
    Argument("a monster lies where it is harmless", building(), 0, lays(cards=("kraken", "mantis", *BASE_HAND)),
             "SM-BUILD-5", legal=True),
    Argument("two monsters lie side by side", building(), 0, lays(cards=(*BASE_HAND, "mantis", "kraken")),
             "SM-BUILD-6", legal=True),
]  # fmt: skip

# ---- cards turned up before the hero sets out -------------------------------------------------------------------
REVEALING = [
    Argument("a step before the cards due are up", due().state, 1, due().explore("a"), "SM-HERO-REVEAL-1"),
    Argument("a jump before the cards due are up", due().state, 1, due().jump("b", "a"), "SM-HERO-REVEAL-1"),
    Argument("an attack before the cards due are up", due().state, 1, due().explore("a", attack=True),
             "SM-HERO-REVEAL-1"),
    Argument("a step after the first of two", due().plays(due().reveal("f")).state, 1, due().explore("a"),
             "SM-HERO-REVEAL-1"),
    Argument("the same card is turned up twice", due().plays(due().reveal("f")).state, 1, due().reveal("f"),
             "SM-HERO-REVEAL-1"),
    Argument("the entrance is turned up", due().state, 1, Reveal(0, 0), "SM-HERO-REVEAL-1"),
    Argument("an empty place is turned up", due().state, 1, Reveal(0, 1), "SM-HERO-REVEAL-1"),
    Argument("the dungeon master turns a card up", due().state, 0, due().reveal("f"), "SM-HERO-REVEAL-1"),
    Argument("a third card on the first floor", due().plays(due().reveal("f"), due().reveal("e")).state, 1,
             due().reveal("d"), "SM-HERO-REVEAL-1"),
    Argument("a card on the third floor", Scene(LINE).state, 1, Reveal(1, 0), "SM-HERO-REVEAL-1"),
    Argument("the second before the first is told", reporting(because="revealed"), 1, Reveal(2, 0), "SM-AMB-5"),
    Argument("the dungeon master gives up then", due().state, 0, Concede(), "SM-AMB-17"),
    Argument("the dungeon master claims then", due().state, 0, Claim(), "SM-AMB-17"),
    Argument("an active monster turned up then kills nobody",
             Scene(LINE, MONSTER_AHEAD, floor=1, question="reveal").state, 1, Reveal(1, 0), "SM-AMB-6", legal=True),
    Argument("the exit turned up then does not end the floor",
             Scene(LINE, {"a": "exit"}, floor=1, question="reveal").state, 1, Reveal(1, 0), "SM-AMB-6", legal=True),
    Argument("the hero gives up then", due().state, 1, Concede(), "SM-AMB-17", legal=True),
]  # fmt: skip


def ahead(cards: dict[str, str] | None = None, **more: Any) -> Scene:
    """A line on which a lies up, a mantis that is active there unless another card is given."""
    return Scene(LINE, cards or MONSTER_AHEAD, up="a", **more)


ON_LINE = Scene(LINE)
SPENT = Scene(LINE, attack_ready=False, jump_ready=False, up="a", idle_moves=0)
FREE = {"a": "corridor", "b": "corridor"}

# ---- steps, attacks and jumps ------------------------------------------------------------------------------------
WALKING = [
    Argument("a diagonal step", Scene(STAIRS).state, 1, Explore(1, 1), "SM-HERO-EXPLORE-1"),
    Argument("a step of two cards", ON_LINE.state, 1, Explore(2, 0), "SM-HERO-EXPLORE-1"),
    Argument("a step where no card lies", ON_LINE.state, 1, Explore(0, 1), "SM-HERO-EXPLORE-1"),
    Argument("the hero waits", ON_LINE.state, 1, Explore(0, 0), "SM-AMB-19"),
    Argument("the dungeon master moves the pawn", ON_LINE.state, 0, Explore(1, 0), "SM-COURSE-1"),
    Argument("the dungeon master makes the hero jump", ON_LINE.state, 0, Jump(2, 0, Place(1, 0)), "SM-COURSE-1"),
    Argument("a second attack on a floor", SPENT.state, 1, SPENT.explore("a", attack=True), "SM-HERO-SKILL-1"),
    Argument("a second jump on a floor", SPENT.state, 1, SPENT.jump("b", "a"), "SM-HERO-SKILL-1"),
    Argument("a spent attack in a jump", Scene(LINE, attack_ready=False).state, 1, ON_LINE.jump("b", "a", attack=True),
             "SM-HERO-SKILL-1"),
    Argument("a spent attack where no card lies", SPENT.state, 1, Explore(0, 1, attack=True), "SM-HERO-SKILL-1",
             also=("SM-HERO-EXPLORE-1",)),
    Argument("a spent attack in a jump over nothing", Scene(LINE, attack_ready=False).state, 1,
             Jump(0, 2, Place(0, 1), attack=True), "SM-HERO-SKILL-1", also=("SM-HERO-JUMP-3", "SM-AMB-10")),
    Argument("a step without an attack where no card lies", SPENT.state, 1, Explore(0, 1), "SM-HERO-EXPLORE-1",
             never=("SM-HERO-SKILL-1",)),
    Argument("an attack on an open corridor", ahead(FREE).state, 1, ON_LINE.explore("a", attack=True), "SM-AMB-7"),
    Argument("an attack on the entrance", ahead(FREE, hero="a").state, 1, ON_LINE.explore("E", attack=True),
             "SM-AMB-7"),
    Argument("a dead monster is attacked again", ahead(dead=["a"], attack_ready=False).state, 1,
             ON_LINE.explore("a", attack=True), "SM-HERO-SKILL-1"),
    Argument("a step onto a known active monster", ahead().state, 1, ON_LINE.explore("a"), "SM-AMB-12",
             also=("SM-HERO-KNOWN-1",)),
    Argument("a landing on a known active monster", Scene(LINE, {"b": "mantis"}, up="b").state, 1,
             ON_LINE.jump("b", "a"), "SM-AMB-12"),
    Argument("a step onto it where the table forbids it", ahead(readings={"SM-AMB-12": 2}).state, 1,
             ON_LINE.explore("a", sure=True), "SM-AMB-12-R2"),
    Argument("certain death where nothing kills", ON_LINE.state, 1, ON_LINE.explore("a", sure=True), "SM-AMB-12"),
    Argument("a jump over an empty place", Scene(STAIRS).state, 1, Jump(1, 1, Place(0, 1)), "SM-HERO-JUMP-3"),
    Argument("a jump on the spot", ON_LINE.state, 1, Jump(0, 0, Place(1, 0)), "SM-AMB-10"),
    Argument("a jump over two cards", ON_LINE.state, 1, ON_LINE.jump("c", "b"), "SM-HERO-JUMP-1"),
    Argument("a jump that lands too far", ON_LINE.state, 1, ON_LINE.jump("c", "a"), "SM-HERO-JUMP-1"),
    Argument("a jump to where no card lies", Scene(STAIRS).state, 1, Jump(2, 0, Place(1, 0)), "SM-HERO-JUMP-1"),
    Argument("a card is turned up while walking", ON_LINE.state, 1, ON_LINE.reveal("f"), "SM-HERO-REVEAL-1"),
    Argument("a step before the card entered is told", reporting(), 1, Explore(2, 0), "SM-HERO-EXPLORE-1"),
    Argument("a step before the landing card is told", reporting("b", turn={"over": "a"}), 1, Explore(3, 0),
             "SM-HERO-JUMP-1"),
    Argument("a step before the skipped card is told",
             reporting("a", "skipped", plan={"rows": LINE, "cards": {"b": "corridor"}, "up": ["b"]}, hero="b"), 1,
             Explore(3, 0), "SM-HERO-JUMP-2"),
    Argument("giving up before the card entered is told", reporting(), 1, Concede(), "SM-AMB-17"),
    Argument("giving up before the monsters are named", naming(), 1, Concede(), "SM-AMB-17"),
    Argument("a claim after nineteen moves", ahead(FREE, idle_moves=19).state, 0, Claim(), "SM-AMB-17"),
    Argument("the hero claims", ahead(FREE, idle_moves=20).state, 1, Claim(), "SM-AMB-17"),
    Argument("the dungeon master gives up", ON_LINE.state, 0, Concede(), "SM-AMB-17"),
    Argument("a claim after twenty moves", ahead(FREE, idle_moves=20).state, 0, Claim(), "SM-AMB-17", legal=True),
    Argument("back onto the entrance", ahead(FREE, hero="a").state, 1, ON_LINE.explore("E"), "SM-AMB-16", legal=True),
    Argument("back over an open corridor", ahead(FREE).state, 1, ON_LINE.explore("a"), "SM-AMB-16", legal=True),
    Argument("onto a harmless monster", ahead({"a": "kraken"}).state, 1, ON_LINE.explore("a"), "SM-AMB-12",
             legal=True),
    Argument("into certain death", ahead().state, 1, ON_LINE.explore("a", sure=True), "SM-AMB-12", legal=True),
    Argument("a known monster is killed to get past", ahead().state, 1, ON_LINE.explore("a", attack=True),
             "SM-HERO-KNOWN-1", legal=True),
    Argument("an attack on nothing is spent", ON_LINE.state, 1, ON_LINE.explore("a", attack=True), "SM-HERO-ATTACK-2",
             legal=True),
    Argument("an active monster that is attacked does not strike", Scene(LINE, MONSTER_AHEAD).state, 1,
             ON_LINE.explore("a", attack=True), "SM-AMB-15", legal=True),
    Argument("an attack in a jump", ON_LINE.state, 1, ON_LINE.jump("b", "a", attack=True), "SM-HERO-BOTH-1",
             legal=True),
    Argument("a jump that ends diagonally", Scene(BLOCK, {"d": "corridor"}).state, 1, Jump(1, 1, Place(1, 0)),
             "SM-HERO-JUMP-3", legal=True),
    Argument("the skipped card is turned up", ON_LINE.state, 1, ON_LINE.jump("b", "a"), "SM-HERO-JUMP-2", legal=True),
    Argument("a skipped monster does not attack", Scene(LINE, MONSTER_AHEAD).state, 1, ON_LINE.jump("b", "a"),
             "SM-AMB-8", legal=True),
    Argument("after a jump onto the exit the skipped card stays down", Scene(LINE, {"a": "mantis", "b": "exit"}).state,
             1, ON_LINE.jump("b", "a"), "SM-AMB-9", legal=True),
    Argument("a jump over a known active monster", ahead({"a": "mantis", "b": "corridor"}).state, 1,
             ON_LINE.jump("b", "a"), "SM-AMB-10", legal=True),
    Argument("after the third floor nothing is built", Scene(LINE, {"a": "exit"}).state, 1, ON_LINE.explore("a"),
             "SM-DESTROY-5", legal=True),
]  # fmt: skip

# ---- what lies under a card --------------------------------------------------------------------------------------
TWO_KNOWN = {"rows": LINE, "cards": {"c": "dragon", "d": "kraken"}, "up": ["c", "d"]}
EXIT_KNOWN = {"rows": LINE, "cards": {"d": "exit"}, "up": ["d"]}
TURNING = [
    Argument("a third monster on a floor", reporting(plan=TWO_KNOWN), CHANCE, TurnUpResult("mantis"), "SM-BUILD-1"),
    Argument("a second exit", reporting(plan=EXIT_KNOWN), CHANCE, TurnUpResult("exit"), "SM-MAT-2"),
    Argument("a monster found before", reporting(discovered=["mantis"]), CHANCE, TurnUpResult("mantis"), "SM-AMB-18"),
    Argument("a second entrance", reporting(), CHANCE, TurnUpResult("entrance"), "SM-BUILD-4"),
    Argument("a card that is not in the box", reporting(), CHANCE, TurnUpResult("hydra"), "SM-MAT-2"),
    Argument("an active monster cannot spare the hero", Scene(LINE, MONSTER_AHEAD).state, 1, ON_LINE.explore("a"),
             "SM-AMB-20", legal=True),
    Argument("a card that is down counts for a pattern", Scene(LINE, MONSTER_AHEAD).state, 1, ON_LINE.explore("a"),
             "SM-ACT-1a", legal=True),
    Argument("the second of two monsters side by side panics", Scene(LINE, {"a": "dragon", "b": "mantis"}, up="a",
             hero="a").state, 1, ON_LINE.explore("b"), "SM-ACT-2", legal=True),
    Argument("a dead monster frightens", ahead({"a": "mantis", "b": "dragon"}, dead=["a"], attack_ready=False,
             hero="a").state, 1, ON_LINE.explore("b"), "SM-ACT-2a", legal=True),
    Argument("monsters at a corner do not frighten each other", Scene(CROSS, {"a": "dragon", "b": "mantis"},
             up="a").state, 1, Explore(-1, 0), "SM-ACT-1", legal=True),
]  # fmt: skip

ARGUMENTS = [*BUILDING, *REVEALING, *WALKING, *TURNING]


@pytest.mark.parametrize("each", as_parameters(ARGUMENTS))
def test_a_quarrel_is_settled_by_the_clause_that_players_name(each: Argument) -> None:
    check_argument(each)


def test_every_argument_is_one_of_its_own() -> None:
    assert len({each.says for each in ARGUMENTS}) == len(ARGUMENTS) >= 45
    assert sum(each.legal for each in ARGUMENTS) >= 8
    assert {each.seat for each in ARGUMENTS} == {HERO, MASTER, CHANCE}
