"""Let a bot of your own play a seat, through the API like everybody else.

    python -m referee.docs.examples.own_bot http://127.0.0.1:8080 K7QF2M

It sits down with the code of an invitation and plays until the match is over. It sees what its seat may see, no more.
To make it clever, change `choose_move`.
"""

from __future__ import annotations

import random
import sys
from typing import Any

from referee.docs.clients.referee_client import Dice, ProblemError, Referee, build_move


def main() -> None:
    """Take the seat of the code on the command line, and play."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    server, code = sys.argv[1:]
    made = play_seat(Referee(server).join(code, "Robin"), random.Random())
    print(f"The match is over after {made} moves of mine.")


def play_seat(me: Referee, dice: Dice) -> int:
    """Play a seat to the end of its match, and return how many moves were made."""
    made = 0
    for event in me.stream_situations():
        moves = event.data["moves"]
        while moves["awaited"] or moves["window"]:
            move = choose_move(moves, dice)
            if move is None:
                break
            try:
                me.make_move(move, seen=moves["version"])
            except ProblemError as refused:
                if refused.is_overtaken:  # somebody was faster; the stream brings the next situation
                    break
                if not refused.is_against_the_rules:
                    raise
                moves = me.list_moves(me.seat)  # a picker allows more than the rules: choose again
                continue
            made += 1
            break
    return made


def choose_move(moves: dict[str, Any], dice: Dice) -> dict[str, Any] | None:
    """Return the move to make, or None to wait: any that does not give up."""
    listed = [each["move"] for each in moves["legal"] if each["flag"] != "gives_up"]
    if moves["pickers"] and (not listed or dice.randint(0, 1)):
        return build_move(dice.choice(moves["pickers"]), dice)
    return dict(dice.choice(listed)) if listed else None


if __name__ == "__main__":
    main()
