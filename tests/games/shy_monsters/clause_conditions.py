"""When clauses of Shy Monsters may be cited."""

from __future__ import annotations

from typing import Any

from referee.games.shy_monsters.components import EXIT
from referee.games.shy_monsters.events import (
    CardTurnedUp,
    ExitReached,
    FloorBegun,
    FloorBuilt,
    FloorDestroyed,
    GameClaimed,
    GameSetUp,
    GameWon,
    HeroBarred,
    HeroConceded,
    HeroExplored,
    HeroJumped,
    HeroKilled,
    MonsterKilled,
    MonstersDrawn,
    RolesGiven,
)
from referee.games.shy_monsters.moves import Build, Explore, Jump, Reveal, RolesDrawn
from referee.games.shy_monsters.rules.building import DrawMonsters
from referee.games.shy_monsters.rules.course import ShufflePile
from tests.games.conditions import Condition, before, both, either, happens, moves, pending
from tests.games.matches import Turned


def turns_up(because: str = "", **wanted: Any) -> Condition:
    """A card is turned up for this reason, and is such."""
    return happens(
        CardTurnedUp,
        where=lambda event: (
            because in ("", event.because) and all(getattr(event, name) == value for name, value in wanted.items())
        ),
    )


def enters(*onto: str) -> Condition:
    """The hero enters a card that is up, and is such."""
    return happens(HeroExplored, HeroJumped, where=lambda event: event.onto in onto)


def kills_nothing(turned: Turned) -> bool:
    """An attack meets no monster."""
    return not any(isinstance(event, MonsterKilled) for event in turned.events)


A_MONSTER = happens(CardTurnedUp, where=lambda event: event.is_active is not None)
BUILDS = either(moves(Build), happens(FloorBuilt))
ATTACKS = either(moves(Explore, Jump, where=lambda move: move.attack), turns_up(attacked=True))
REVEALS = either(moves(Reveal), turns_up("revealed"))
JUMPS = either(moves(Jump), turns_up("landed"))
CONDITIONS: dict[str, Condition] = {
    "SM-MAT-1": happens(GameSetUp),
    "SM-GOAL-1": happens(GameSetUp),
    "SM-SETUP-1": either(happens(GameSetUp), pending(ShufflePile)),
    "SM-SETUP-2": happens(GameSetUp),
    "SM-SETUP-3": either(moves(RolesDrawn), happens(RolesGiven)),
    "SM-AMB-1": either(moves(RolesDrawn), happens(RolesGiven, GameSetUp)),
    "SM-COURSE-1": happens(FloorBegun),
    "SM-BUILD-1": either(happens(MonstersDrawn), pending(DrawMonsters)),
    "SM-BUILD-2": BUILDS,
    "SM-BUILD-3": BUILDS,
    "SM-BUILD-4": BUILDS,
    "SM-BUILD-7": BUILDS,
    "SM-AMB-2": BUILDS,
    "SM-AMB-22": BUILDS,
    "SM-HERO-REVEAL-1": REVEALS,
    "SM-AMB-5": REVEALS,
    "SM-AMB-6": happens(
        CardTurnedUp,
        where=lambda event: event.because == "revealed" and (event.is_active or event.card == EXIT),
    ),
    "SM-ACT-1": A_MONSTER,
    "SM-ACT-1a": A_MONSTER,
    "SM-ACT-2": turns_up(frightened=True),
    "SM-ACT-2a": turns_up(frightened=True, beside="dead"),
    "SM-ACT-3": turns_up(is_active=False),
    "SM-ACT-4": A_MONSTER,
    "SM-AMB-3": A_MONSTER,
    "SM-AMB-4": A_MONSTER,
    "SM-AMB-13": A_MONSTER,
    "SM-AMB-14": either(turns_up(beside="dead"), turns_up(beside="harmless")),
    "SM-HERO-GOAL-1": moves(Explore, Jump),
    "SM-HERO-EXPLORE-1": either(moves(Explore), turns_up("entered")),
    "SM-HERO-EXPLORE-2": happens(HeroKilled),
    "SM-HERO-SKILL-1": either(moves(Jump), ATTACKS),
    "SM-HERO-ATTACK-1": either(ATTACKS, happens(MonsterKilled)),
    "SM-HERO-ATTACK-2": both(ATTACKS, kills_nothing),
    "SM-AMB-7": either(ATTACKS, happens(MonsterKilled)),
    "SM-AMB-15": happens(MonsterKilled),
    "SM-HERO-JUMP-1": JUMPS,
    "SM-HERO-JUMP-2": turns_up("skipped"),
    "SM-HERO-JUMP-3": JUMPS,
    "SM-AMB-8": turns_up("skipped"),
    "SM-AMB-9": happens(ExitReached, where=lambda event: event.by == "jump_over_down"),
    "SM-AMB-10": JUMPS,
    "SM-HERO-BOTH-1": moves(Jump, where=lambda move: move.attack),
    "SM-AMB-11": moves(Jump, where=lambda move: move.attack),
    "SM-HERO-KNOWN-1": either(enters("active"), happens(HeroBarred)),
    "SM-AMB-12": enters("active", "harmless"),
    "SM-AMB-16": both(moves(Explore), enters("open", "harmless")),
    "SM-AMB-17": happens(HeroConceded, GameClaimed, HeroBarred),
    "SM-AMB-19": moves(Explore, Jump),
    "SM-AMB-20": happens(HeroKilled),
    "SM-END-1": happens(GameWon),
    "SM-END-2": happens(HeroKilled),
    "SM-HERO-EXIT-1": happens(ExitReached),
    "SM-DESTROY-1": happens(FloorDestroyed, where=lambda event: event.found),
    "SM-DESTROY-2": happens(FloorDestroyed, where=lambda event: event.undiscovered),
    "SM-DESTROY-3": happens(FloorDestroyed),
    "SM-DESTROY-4": happens(FloorDestroyed),
    "SM-DESTROY-5": both(happens(ExitReached), before(lambda dungeon: dungeon.floor in (None, 3))),
    "SM-AMB-21": happens(FloorDestroyed, where=lambda event: event.undiscovered),
}  # fmt: skip
