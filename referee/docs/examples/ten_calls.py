"""Play a match with ten kinds of calls: the least that a companion app needs.

    python -m referee.docs.examples.ten_calls http://127.0.0.1:8080

One phone goes round the table here: the app has both seats and chooses at random. `TEN_CALLS.md` shows each request
with its answer.
"""

from __future__ import annotations

import random
import sys
from typing import Any

from referee.docs.clients.referee_client import Event, ProblemError, Referee

GAME = "mau_mau"
PLAYERS = ("Ada", "Ben")


def main() -> None:
    """Play a match on the server that the command line names."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for line in play(sys.argv[1], settings={"max_turns": 20}):
        print(line)


def play(server: str, **opening: Any) -> list[str]:
    """Play a match to its end, and return what there is to tell of it."""
    anyone = Referee(server)

    # 1. What can be played here?
    games = anyone.request("GET", "/v1/games")
    game = next(each for each in games["items"] if each["name"] == GAME)
    told = [f"{game['title']['en']}, {game['min_seats']} to {game['max_seats']} seats"]

    # 2. Open a match. The token in the answer is the host's.
    opened = anyone.request("POST", "/v1/matches", {"game": GAME, "seats": [{"kind": "human"}] * 2, **opening})
    host = Referee(server, opened["token"], opened["match"])

    # 3. Sit down. Each code belongs to a seat, and the answer holds the token of that seat.
    codes = [each["code"] for each in opened["invitations"]]
    players = [anyone.join(code, name) for code, name in zip(codes, PLAYERS, strict=True)]

    # 4. Start.
    host.write_at_present(f"/v1/matches/{host.match}/start")

    # 5. Look at the table and its buttons, as one seat sees them.
    situation = players[0].get_situation()
    mover = players[situation["view"]["awaits"][0]]

    # 6. Ask whether something would be allowed. Nothing is stored.
    told.append(ask_about(mover, {"type": "mm.pass"}))

    # 7. and 8. Make moves, and hear of each change: one stream for each seat, each with board and buttons.
    made = follow([player.stream_situations() for player in players], players)
    told += [f"{number} moves were made", *explain(mover, made)] if (number := len(made)) else []

    # 10. Read the log, as one seat saw it.
    entries = mover.request("GET", f"/v1/matches/{mover.match}/entries?viewer=seat:{mover.seat}&limit=200")
    return [*told, *(entry["says"]["en"] for entry in entries["items"][-2:])]


def ask_about(mover: Referee, move: dict[str, Any]) -> str:
    """Return what the referee says of a move that nobody has made yet."""
    ruling = mover.request("POST", f"{mover.seat_path(mover.seat)}/moves/check", {"move": move})
    if ruling["verdict"] != "refused":
        return "That is allowed."
    clauses = ", ".join(clause["id"] for clause in ruling["clauses"])
    return f"{ruling['reason']['en']} ({clauses})"


def follow(streams: list[Any], players: list[Referee]) -> list[int]:
    """Play at random until the match is over, and return the versions of the moves."""
    shown: list[Event] = [next(stream) for stream in streams]
    made: list[int] = []
    while shown[0].data["view"]["status"] == "running":
        seat = shown[0].data["view"]["awaits"][0]
        situation = shown[seat].data
        move = random.choice(situation["moves"]["legal"])["move"]
        try:
            version = players[seat].make_move(move, seen=situation["version"])["version"]
            made.append(version)
        except ProblemError as refused:
            if not refused.is_overtaken:  # else somebody was faster: the next situation is on its way
                raise
            version = situation["version"] + 1
        for number, stream in enumerate(streams):
            while shown[number].data["version"] < version:
                shown[number] = next(stream)
    return made


def explain(mover: Referee, made: list[int]) -> list[str]:
    """Return why the last move was allowed, with its clauses."""
    # 9. Ask why an entry is as it is.
    why = mover.request("GET", f"/v1/matches/{mover.match}/entries/{made[-1]}/explanation?viewer=seat:{mover.seat}")
    return [why["sentence"]["en"], *(f"{clause['id']}: {clause['says']['en']}" for clause in why["clauses"])]


if __name__ == "__main__":
    main()
