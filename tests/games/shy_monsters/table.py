"""Tables for the tests: floors drawn in rows, moves by letters, facts by name."""

from __future__ import annotations

from typing import Any, TypeVar

from referee.engine.events import Event, Move, apply_events
from referee.engine.game import Setup
from referee.engine.referee import judge_move, play_move, resolve_pending_steps
from referee.engine.seats import Seat
from referee.games.shy_monsters import GAME
from referee.games.shy_monsters.components import MONSTERS
from referee.games.shy_monsters.moves import Explore, Jump, Place, Reveal

MASTER, HERO = Seat(0), Seat(1)
LINE = ["Eabcdef"]
BLOCK = ["Eab", "cde", "f.."]
STAIRS = ["Ea..", ".bc.", "..de", "...f"]
CROSS = [".a.", "bEc", ".d.", ".ef"]

E = TypeVar("E", bound=Event)


class Scene:
    """A floor with its letters, and the table it stands for."""

    def __init__(self, rows: list[str], cards: dict[str, str] | None = None, **more: Any) -> None:
        marks = {mark: (x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark != "."}
        x0, y0 = marks["E"]
        self.at = {mark: (x - x0, y - y0) for mark, (x, y) in marks.items()}
        up = list(more.pop("up", ""))
        lie = all_six(sorted(set(marks) - {"E"}), cards or {})
        plan = {"rows": rows, "cards": lie, "up": up, "dead": more.pop("dead", [])}
        self.data = {
            "question": "explore",
            "dungeon_master": int(MASTER),
            "floor": 3,
            "plan": plan,
            "turned_up": up,
            "hero": "E",
            "attack_ready": True,
            "jump_ready": True,
            "idle_moves": 0,
            **more,
        }
        self.state: Any = GAME.positions.decode_position(
            {name: value for name, value in self.data.items() if value is not None}
        )
        self.events: tuple[Event, ...] = ()

    def explore(self, mark: str, attack: bool = False, sure: bool = False) -> Explore:
        return Explore(*self.at[mark], attack=attack, sure=sure)

    def jump(self, mark: str, over: str, attack: bool = False, sure: bool = False) -> Jump:
        return Jump(*self.at[mark], Place(*self.at[over]), attack=attack, sure=sure)

    def reveal(self, mark: str) -> Reveal:
        return Reveal(*self.at[mark])

    def plays(self, *moves: Move, seat: Seat = HERO) -> Scene:
        """Plays the moves one after the other; `facts` are those of the last."""
        for move in moves:
            self.events = play_move(self.state, seat, move)
            self.state = apply_events(self.state, self.events)
        return self

    def refuses(self, move: Move, reason: str, *clauses: str, seat: Seat = HERO) -> None:
        """The move is refused for this reason, and the ruling cites these clauses among others."""
        ruling = judge_move(self.state, seat, move)
        assert (ruling.verdict, ruling.reason) == ("refused", reason)
        assert set(clauses) <= set(ruling.clauses)

    def grants(self, move: Move, seat: Seat = HERO) -> None:
        """The move is legal."""
        assert judge_move(self.state, seat, move).verdict == "granted"

    def told(self, kind: type[E]) -> list[E]:
        """The facts of this kind that followed from the last move."""
        return [event for event in self.events if isinstance(event, kind)]

    def tile(self, mark: str) -> Any:
        """The card on a letter as it lies now."""
        return self.state.board[self.at[mark]]

    def up(self) -> str:
        """The letters of the cards that are up, in order of the alphabet."""
        return "".join(sorted(mark for mark in self.at if mark != "E" and self.tile(mark).up))


def all_six(letters: list[str], given: dict[str, str]) -> dict[str, str]:
    """The cards given, and on the other letters what is left of six: corridors, the exit, other monsters."""
    monsters = [card for card in given.values() if card in MONSTERS]
    spare = [card for card in ("dragon", "kraken", "mantis", "gargoyle") if card not in monsters]
    rest = ["corridor"] * 3 + ["exit"] + monsters + spare[: 2 - len(monsters)]
    for card in given.values():
        rest.remove(card)
    free = [letter for letter in letters if letter not in given]
    return {**given, **dict(zip(free, rest, strict=True))}


def opened(chance: str = "server", named: tuple[int, ...] = (), **settings: Any) -> Any:
    """A match at its first question."""
    roles = settings.pop("roles", {"dungeon_master": int(MASTER)})
    setup = Setup("standard", 2, {"roles": roles, **settings}, {"cards": chance}, named)
    state: Any = GAME.build_table(GAME.complete_setup(setup))
    return apply_events(state, resolve_pending_steps(state))
