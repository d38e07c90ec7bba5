"""The events of Shy Monsters.

`apply` only updates the state and holds no rule. `view_for` hides what a seat may not know. Some events say besides
in which case they happened, so that they cite the clauses that acted in it. Logs of earlier releases do not say it.
Then the fields are empty and the events cite what they did in those releases. Replay compares logs without these
fields (`without_refusal`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from referee.engine.codec import OMIT_IF_EMPTY, named
from referee.engine.events import Event, replace_fields
from referee.engine.rulings import Undetermined
from referee.engine.zones import Cards, Moved, arrange_cards, backs_of
from referee.games.shy_monsters.components import BACK, ENTRANCE, EXIT, START_SPOT, Spot
from referee.games.shy_monsters.state import (
    DISCOVERED,
    PILE,
    Dungeon,
    GameResult,
    Laid,
    Tile,
    hand_zone,
    undiscovered_zone,
)

ONLY_ENTRANCE = (Tile(*START_SPOT, ENTRANCE, up=True),)


@named("sm.RolesGiven")
@dataclass(frozen=True)
class RolesGiven(Event):
    """A seat became the dungeon master. The other seat is the hero."""

    dungeon_master: int
    clauses: ClassVar[tuple[str, ...]] = ("SM-SETUP-3", "SM-AMB-1")

    def apply(self, state: Dungeon) -> Dungeon:
        return replace_fields(state, dungeon_master=self.dungeon_master)


@named("sm.GameSetUp")
@dataclass(frozen=True)
class GameSetUp(Event):
    """The box was laid out for a game of the match.

    There is a pile of monsters. The dungeon master has four cards in hand, the hero stands on the entrance with both
    skills.
    """

    game: int
    dungeon_master: int
    pile: Cards
    hand: Cards
    clauses: ClassVar[tuple[str, ...]] = ("SM-MAT-1", "SM-MAT-2", "SM-MAT-3", "SM-SETUP-1", "SM-SETUP-2", "SM-GOAL-1")

    def apply(self, state: Dungeon) -> Dungeon:
        zones = {
            PILE: arrange_cards(self.pile),
            hand_zone(self.dungeon_master): arrange_cards(self.hand),
            DISCOVERED: (),
            undiscovered_zone(self.dungeon_master): (),
        }
        return replace(
            state,
            zones=zones,
            game=self.game,
            dungeon_master=self.dungeon_master,
            floor=0,
            tiles=ONLY_ENTRANCE,
            pawn=START_SPOT,
            attack=True,
            jump=True,
            turned=(),
            idle=0,
        )

    def view_for(self, seat: int) -> Event:
        hand = self.hand if seat == self.dungeon_master else backs_of(self.hand)
        return replace(self, pile=backs_of(self.pile), hand=hand)


@named("sm.FloorBegun")
@dataclass(frozen=True)
class FloorBegun(Event):
    """The next floor is to be built."""

    floor: int
    clauses: ClassVar[tuple[str, ...]] = ("SM-COURSE-1",)

    def apply(self, state: Dungeon) -> Dungeon:
        return replace_fields(state, floor=self.floor)


@named("sm.MonstersDrawn")
@dataclass(frozen=True)
class MonstersDrawn(Moved):
    """The dungeon master took two monsters from the pile.

    SM-BUILD-1: The dungeon master adds two monsters from the pile to the hand. The hero does not learn which.
    SM-AMB-18: Monsters of earlier floors do not come back. Each floor takes two of those left.
    """

    clauses: ClassVar[tuple[str, ...]] = ("SM-BUILD-1", "SM-AMB-18")

    def apply(self, state: Any) -> Any:
        """Raise Undetermined if the floor is unknown, and with it the pile and the hand."""
        if self.took and self.source not in state.zones:
            raise Undetermined("which_floor")
        return super().apply(state)


@named("sm.FloorBuilt")
@dataclass(frozen=True)
class FloorBuilt(Event):
    """The dungeon master laid all six cards face down. The hero sees only the places."""

    dungeon_master: int
    laid: tuple[Laid, ...]
    clauses: ClassVar[tuple[str, ...]] = (
        "SM-BUILD-2", "SM-BUILD-3", "SM-BUILD-4", "SM-BUILD-7", "SM-AMB-2", "SM-AMB-22",
    )  # fmt: skip

    def apply(self, state: Dungeon) -> Dungeon:
        tiles = (*ONLY_ENTRANCE, *(Tile(cell.x, cell.y, cell.card) for cell in self.laid))
        in_rows = tuple(sorted(tiles, key=lambda tile: (tile.y, tile.x)))
        return replace_fields(state, tiles=in_rows, zones={**state.zones, hand_zone(self.dungeon_master): ()})

    def view_for(self, seat: int) -> Event:
        if seat == self.dungeon_master:
            return self
        return replace(self, laid=tuple(replace(cell, card=BACK) for cell in self.laid))


class HeroMoved(Event):
    """The hero entered a card by a step or a jump.

    `attack` says whether an attack was announced, which spends the skill. `onto` says what lay there: `down` for a card
    that was down, and of those that were up `harmless` or `active` for a monster, `exit`, or `open` for any other.
    """

    attack: bool
    onto: str

    def without_refusal(self) -> Event:
        return replace_fields(self, onto="")

    def collect_attack_clauses(self) -> tuple[str, ...]:
        """Return the clauses of what was announced, and of entering a known monster."""
        if self.attack and not self.onto:
            return ("SM-HERO-SKILL-1", "SM-HERO-ATTACK-1", "SM-HERO-ATTACK-2", "SM-AMB-7")
        if self.attack:
            known = ("SM-HERO-KNOWN-1",) if self.onto == "active" else ()
            return ("SM-HERO-SKILL-1", "SM-HERO-ATTACK-1", "SM-AMB-7", *known)
        return ("SM-AMB-12",) if self.onto in ("active", "harmless") else ()


@named("sm.HeroExplored")
@dataclass(frozen=True)
class HeroExplored(HeroMoved):
    """The hero stepped onto a card.

    SM-AMB-16: Up cards and the entrance may be walked over again and again.
    """

    x: int
    y: int
    attack: bool
    onto: str = field(default="", metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("SM-HERO-EXPLORE-1",)

    def apply(self, state: Dungeon) -> Dungeon:
        return replace_fields(
            state,
            pawn=(self.x, self.y),
            attack=skill_after_move(state.attack, self.attack),
            idle=count_idle_move(state.idle),
        )

    def applied_clauses(self) -> tuple[str, ...]:
        again = ("SM-AMB-16",) if self.onto in ("open", "harmless") and not self.attack else ()
        return (*self.clauses, *self.collect_attack_clauses(), *again)


@named("sm.HeroJumped")
@dataclass(frozen=True)
class HeroJumped(HeroMoved):
    """The hero skipped the card on `over` and landed on another one.

    The jump is spent, and so is the attack if it was announced.
    """

    x: int
    y: int
    over: Spot
    attack: bool
    onto: str = field(default="", metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("SM-HERO-SKILL-1", "SM-HERO-JUMP-1", "SM-HERO-JUMP-3", "SM-AMB-10")

    def apply(self, state: Dungeon) -> Dungeon:
        attack = skill_after_move(state.attack, self.attack)
        return replace_fields(state, pawn=(self.x, self.y), attack=attack, jump=False, idle=count_idle_move(state.idle))

    def applied_clauses(self) -> tuple[str, ...]:
        both = ("SM-HERO-BOTH-1", "SM-AMB-11") if self.attack else ()
        return (*self.clauses, *both, *self.collect_attack_clauses())


def skill_after_move(ready: bool | None, used: bool) -> bool | None:
    """Return whether a skill is still ready after a move. None is unknown."""
    return False if used else ready


def count_idle_move(idle: int | None) -> int | None:
    """Add one to the hero's moves in a row that turned nothing up. None is unknown."""
    return None if idle is None else idle + 1


@named("sm.CardTurnedUp")
@dataclass(frozen=True)
class CardTurnedUp(Event):
    """A card of the floor now lies face up.

    `because` says why: `revealed` before the hero moved, `entered` by a step, `landed` on by a jump, `skipped` by one,
    or `reached` by either if a position does not say which. `attacked` says whether an attack was announced on it.
    `beside` says which kind of monster a frightened one lies beside: `dead` or `harmless`; empty for an active one.

    SM-AMB-13: Whether a monster is active is decided once, when it is turned up, and holds for the floor.
    """

    x: int
    y: int
    card: str
    comfortable: bool | None = None  # of a monster: whether its pattern fits (SM-ACT-1)
    frightened: bool | None = None  # of a monster: whether it panics beside another one (SM-ACT-2)
    because: str = field(default="", metadata=OMIT_IF_EMPTY)
    attacked: bool = field(default=False, metadata=OMIT_IF_EMPTY)
    beside: str = field(default="", metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ()

    @property
    def is_active(self) -> bool | None:
        """Whether the monster is active, or None if the card is no monster."""
        return None if self.comfortable is None else self.comfortable and not self.frightened

    def apply(self, state: Dungeon) -> Dungeon:
        alive = None if self.is_active is None else True
        tile = Tile(self.x, self.y, self.card, up=True, active=self.is_active, alive=alive)
        turned = None if state.turned is None else (*state.turned, tile.spot)
        return replace_fields(state, tiles=state.replace_tile(tile), turned=turned, idle=0)

    def applied_clauses(self) -> tuple[str, ...]:
        if self.is_active is None:
            return (*TURN_UP_CLAUSES[self.because], *self._collect_harmless_clauses())
        looked_at = ("SM-ACT-0", "SM-ACT-1", "SM-ACT-1a", "SM-ACT-1b", "SM-AMB-3", "SM-AMB-4", "SM-AMB-13", "SM-ACT-4")
        fear = FEAR_CLAUSES[self.beside if self.because else "dead"] if self.frightened else ()
        calm = () if self.is_active else ("SM-ACT-3",)
        return (*TURN_UP_CLAUSES[self.because], *looked_at, *fear, *calm, *self._collect_harmless_clauses())

    def _collect_harmless_clauses(self) -> tuple[str, ...]:
        """Return the clauses by which nothing happens, or an attack was in vain.

        SM-AMB-6: Nothing attacks before the first step, and an exit turned up still has to be walked to.
        """
        if self.because == "revealed" and (self.is_active or self.card == EXIT):
            return ("SM-AMB-6",)
        return ("SM-HERO-ATTACK-2",) if self.attacked and self.is_active is None else ()

    def without_refusal(self) -> Event:
        return replace_fields(self, because="", attacked=False, beside="")


TURN_UP_CLAUSES = {  # why a card is turned up: the clauses that say so
    "": (),
    "reached": (),
    "revealed": ("SM-HERO-REVEAL-1", "SM-AMB-5"),
    "entered": ("SM-HERO-EXPLORE-1",),
    "landed": ("SM-HERO-JUMP-1",),
    "skipped": ("SM-HERO-JUMP-2", "SM-AMB-8"),
}
FEAR_CLAUSES = {  # beside which kind of monster one panics: the clauses that say so
    "": ("SM-ACT-2",),
    "harmless": ("SM-ACT-2", "SM-AMB-14"),
    "dead": ("SM-ACT-2", "SM-ACT-2a", "SM-AMB-14"),
}


@named("sm.MonsterKilled")
@dataclass(frozen=True)
class MonsterKilled(Event):
    """An attack killed the monster on this place. It stays there, up and dead."""

    x: int
    y: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("SM-HERO-ATTACK-1", "SM-AMB-7", "SM-AMB-15")

    def apply(self, state: Dungeon) -> Dungeon:
        return replace_fields(state, tiles=state.replace_tile(replace(state.board[self.x, self.y], alive=False)))


@named("sm.HeroKilled")
@dataclass(frozen=True)
class HeroKilled(Event):
    """The hero entered an active monster."""

    x: int
    y: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("SM-HERO-EXPLORE-2", "SM-END-2", "SM-AMB-20")


@named("sm.ExitReached")
@dataclass(frozen=True)
class ExitReached(Event):
    """The hero reached the exit of this floor. Nothing more is turned up on it.

    `by` says how: by a `step`, by a `jump`, or by a jump over a card that was down (`jump_over_down`).

    SM-AMB-9: The exit goes first. The skipped card stays down then.
    """

    x: int
    y: int
    by: str = field(default="", metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("SM-HERO-EXIT-1",)

    def without_refusal(self) -> Event:
        return replace_fields(self, by="")

    def applied_clauses(self) -> tuple[str, ...]:
        return (*self.clauses, *(() if self.by in ("step", "jump") else ("SM-AMB-9",)))


@named("sm.FloorDestroyed")
@dataclass(frozen=True)
class FloorDestroyed(Event):
    """The floor was taken up, and both skills are ready again.

    The discovered monsters lie open beside the playing area, the others face down in a place apart. `by_case`: the
    event cites only what acted.

    SM-DESTROY-2: The dungeon master mixes all cards that are down in the hand first, so nobody else learns where an
        undiscovered monster lay.
    """

    dungeon_master: int
    found: Cards
    undiscovered: Cards
    hand: Cards
    by_case: bool = field(default=False, metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = (
        "SM-DESTROY-1", "SM-DESTROY-2", "SM-DESTROY-3", "SM-DESTROY-4", "SM-AMB-18", "SM-AMB-21",
    )  # fmt: skip

    def without_refusal(self) -> Event:
        return replace_fields(self, by_case=False)

    def applied_clauses(self) -> tuple[str, ...]:
        idle: set[str] = set()
        if self.by_case and not self.found:
            idle |= {"SM-DESTROY-1"}
        if self.by_case and not self.undiscovered:
            idle |= {"SM-DESTROY-2", "SM-AMB-21"}
        return tuple(name for name in self.clauses if name not in idle)

    @property
    def undiscovered_count(self) -> int:
        """The number of monsters that stayed undiscovered, which everybody may know."""
        return len(self.undiscovered)

    def apply(self, state: Dungeon) -> Dungeon:
        aside, hand = undiscovered_zone(self.dungeon_master), hand_zone(self.dungeon_master)
        zones = {**state.zones, hand: arrange_cards(self.hand)}
        if DISCOVERED in zones:
            zones[DISCOVERED] = (*zones[DISCOVERED], *self.found)
        if aside in zones:
            zones[aside] = arrange_cards((*zones[aside], *self.undiscovered))
        return replace_fields(
            state, zones=zones, tiles=ONLY_ENTRANCE, pawn=START_SPOT, attack=True, jump=True, turned=(), idle=0
        )

    def view_for(self, seat: int) -> Event:
        if seat == self.dungeon_master:
            return self
        return replace(self, undiscovered=backs_of(self.undiscovered), hand=backs_of(self.hand))


@named("sm.HeroBarred")
@dataclass(frozen=True)
class HeroBarred(Event):
    """The hero can enter neither a card that is down nor an exit, with any skill left."""

    clauses: ClassVar[tuple[str, ...]] = ("SM-HERO-KNOWN-1", "SM-AMB-17")


@named("sm.HeroConceded")
@dataclass(frozen=True)
class HeroConceded(Event):
    """The hero gave up."""

    clauses: ClassVar[tuple[str, ...]] = ("SM-AMB-17",)


@named("sm.GameClaimed")
@dataclass(frozen=True)
class GameClaimed(Event):
    """The dungeon master claimed the game after many moves that turned nothing up."""

    clauses: ClassVar[tuple[str, ...]] = ("SM-AMB-17",)


@named("sm.GameWon")
@dataclass(frozen=True)
class GameWon(Event):
    """A game of the match is over.

    `how` is "escaped", "killed", "conceded", "barred" or "claimed". `by_case`: the event cites only what acted.
    """

    winner: int
    how: str
    by_case: bool = field(default=False, metadata=OMIT_IF_EMPTY)
    clauses: ClassVar[tuple[str, ...]] = ("SM-END-1",)

    def applied_clauses(self) -> tuple[str, ...]:
        return WIN_CLAUSES.get(self.how, ("SM-AMB-17",)) if self.by_case else self.clauses

    def without_refusal(self) -> Event:
        return replace_fields(self, by_case=False)

    def apply(self, state: Dungeon) -> Dungeon:
        return replace_fields(state, results=(*state.results, GameResult(self.winner, self.how)))


WIN_CLAUSES = {"escaped": ("SM-END-1", "SM-DESTROY-5"), "killed": ("SM-END-1",)}  # all other ways rest on SM-AMB-17
