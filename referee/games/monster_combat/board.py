"""The board of Monster Combat: what is drawn of a table."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypedDict

from referee.engine.parts.boards import Board, BoardCard, BoardPile, Boards, BoardSeat
from referee.engine.steps import Step
from referee.games.monster_combat.components import MONSTERS, design_name
from referee.games.monster_combat.rules.attacks import LightningAttack, PendingAttack
from referee.games.monster_combat.rules.theft import Theft
from referee.games.monster_combat.rules.triggers import EventPhase
from referee.games.monster_combat.rules.turn import DrawPhase, SurplusDiscard
from referee.games.monster_combat.state import DECK, DISCARD, EVENTS, FULL_HEARTS, NOBODY, TRAY, Table

Phase = Literal["draw", "event", "play", "end"]
PHASE_STEPS: dict[type[Step], Phase] = {DrawPhase: "draw", EventPhase: "event", SurplusDiscard: "end"}
DIRECTIONS: dict[int | None, Literal["clockwise", "counterclockwise"] | None] = {
    1: "clockwise",
    -1: "counterclockwise",
    None: None,
}
ATTACK_CARDS = {"event": "attacked", "monster": "attacked"}  # by what attacks: the card that brings the attack


class MonsterCombatSeat(BoardSeat):
    """A player, living or defeated."""

    hearts: Annotated[int | None, "Full hearts"]
    of_hearts: int
    is_immune: Annotated[bool | None, "Whether nothing can be done to this player just now"]
    is_skipped: Annotated[bool, "Whether this player misses the coming turn"]


class ActiveMonster(TypedDict):
    """The monster that all players fight (variant 2)."""

    number: int
    card: BoardCard
    hearts: int | None
    of_hearts: int
    is_asleep: bool | None


class MonsterCombatAttack(TypedDict):
    """An attack that is still to be answered."""

    kind: Literal["attack"]
    by: Annotated[int | None, "The seat that attacks; null: an event or a monster does"]
    card: Annotated[BoardCard | None, "The card that attacks"]
    seats: Annotated[list[int], "Those who have still to answer, in order"]
    strength: Annotated[int | None, "The hearts that it costs without a shield"]


class MonsterCombatTheft(TypedDict):
    """Cards that are about to be taken unseen from a hand."""

    kind: Literal["theft"]
    by: int
    victim: int
    count: int


class MonsterCombatBoard(Board):
    """The table of Monster Combat."""

    game: Literal["monster_combat"]
    phase: Annotated[Phase | None, "The phase of the turn; null between turns"]
    direction: Annotated[Literal["clockwise", "counterclockwise"] | None, "The direction of play"]
    seats: list[MonsterCombatSeat]
    monster: Annotated[ActiveMonster | None, "Null in variant 1"]
    running: MonsterCombatAttack | MonsterCombatTheft | None


class MonsterCombatBoards(Boards):
    """Draws the tables of Monster Combat."""

    shape = MonsterCombatBoard

    def draw(self, view: Table, viewer: int, variant: str) -> MonsterCombatBoard:
        """Return the board of a view."""
        middle = self.draw_middle(view, variant, (DISCARD, EVENTS, TRAY))
        return {
            **middle,
            "game": "monster_combat",
            "piles": [self.draw_deck(view), *middle["piles"]],
            "phase": find_phase(view),
            "direction": DIRECTIONS[view.direction],
            "seats": [self.draw_player(view, seat) for seat in view.seats],
            "monster": self.draw_monster(view),
            "running": self.draw_running(view),
        }

    def draw_deck(self, view: Table) -> BoardPile:
        """Return the draw pile, of which the back on top lies open.

        MC-MAT-4: The back of the top card is there for all to see.
        """
        pile = self.draw_pile(view, DECK)
        return {**pile, "cards": [self.draw_card(view.top, DECK)] if view.top else []}

    def draw_player(self, view: Table, seat: int) -> MonsterCombatSeat:
        """Return a player."""
        hearts = view.hearts[seat]
        return {
            **self.draw_seat(view, seat),
            "is_out": None if hearts is None else hearts == 0,
            "hearts": hearts,
            "of_hearts": FULL_HEARTS,
            "is_immune": view.immune[seat],
            "is_skipped": view.skipped == seat,
        }

    def draw_monster(self, view: Table) -> ActiveMonster | None:
        """Return the active monster, if the position names one."""
        if not view.rules.is_against_monsters or view.monster not in MONSTERS:
            return None
        monster = MONSTERS[view.monster]
        return {
            "number": view.monster,
            "card": self.draw_card(monster["id"], "monster"),
            "hearts": view.monster_hearts,
            "of_hearts": monster["hearts"],
            "is_asleep": None if view.sleeper is None else view.sleeper != NOBODY,
        }

    def draw_running(self, view: Table) -> MonsterCombatAttack | MonsterCombatTheft | None:
        """Return what is going on beside the course of the turn."""
        top = view.agenda[-1] if view.agenda else None
        if isinstance(top, LightningAttack):
            lightning = self.draw_card("lightning", "attack")
            return {"kind": "attack", "by": top.by, "card": lightning, "seats": list(top.order), "strength": 1}
        if isinstance(top, PendingAttack):
            by = view.turn if top.by not in ("event", "monster", None) else None
            card = self.draw_attack_card(view, top.by)
            return {"kind": "attack", "by": by, "card": card, "seats": [top.seat], "strength": top.strength}
        if isinstance(top, Theft):
            return {"kind": "theft", "by": top.thief, "victim": top.victim, "count": top.count}
        return None

    def draw_attack_card(self, view: Table, by: str | None) -> BoardCard | None:
        """Return the card that attacks: a sword, the event, or the active monster."""
        if by is None:
            return None
        if by == "monster" and view.monster in MONSTERS:
            return self.draw_card(MONSTERS[view.monster]["id"], "attack")
        return self.draw_card(ATTACK_CARDS.get(by, design_name(by)), "attack")


def find_phase(view: Any) -> Phase | None:
    """Return the phase of the turn that is running."""
    if view.turn not in view.seats or not view.agenda:
        return None
    for step in reversed(view.agenda):
        if type(step) in PHASE_STEPS:
            return PHASE_STEPS[type(step)]
    return "play"
