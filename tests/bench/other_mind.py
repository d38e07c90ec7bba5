"""A greedy bot of another checkout, in a process of its own, to play against.

Each line that it reads is a level, a seat, a seed and a view; it answers with a move, or null. Views and moves are
exchanged as JSON, so both checkouts have to know the same ones.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

from referee.bots.policy import choose_greedy_move, choose_tempting_move
from referee.engine.codec import decode, decode_named, encode
from referee.engine.events import Move
from referee.engine.seats import Seat
from referee.games import load_games


class OtherMind:
    """A bot whose every move is asked from the other checkout."""

    name = "other"

    def __init__(self, folder: Path, game: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        command = [sys.executable, str(Path(__file__).resolve()), game]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder, env=environment
        )

    def choose_move(self, view: Any, seat: Seat, below: Any) -> Move | None:
        """Choose a move where the seat is awaited."""
        return self._ask(True, view, seat, below)

    def answer_invitation(self, view: Any, seat: Seat, below: Any) -> Move | None:
        """Choose a move where the seat is invited, or decline."""
        return self._ask(False, view, seat, below)

    def close(self) -> None:
        """End the process."""
        self.process.communicate("")

    def _ask(self, awaited: bool, view: Any, seat: Seat, below: Any) -> Move | None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([awaited, int(seat), below(1 << 30), encode(view)]) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        return None if answer is None else decode_named(answer, Move)


def serve(game: str) -> None:
    """Answer until there is nothing more to read."""
    kind = load_games()[game].state_type
    for line in sys.stdin:
        awaited, seat, seed, view = json.loads(line)
        choose = choose_greedy_move if awaited else choose_tempting_move
        move = choose(decode(kind, view), Seat(seat), random.Random(seed).randrange)
        print(json.dumps(None if move is None else encode(move)), flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
