"""Tables of boardgame.io: the game of guild.js, two seats, random legal moves, over its own socket.io transport."""

from __future__ import annotations

import contextlib
import json
import os
import random
import select
import subprocess
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

from tests.bench.driving import request
from tests.bench.peers.ours import ask
from tests.bench.peers.wire import Address, HttpWire, Loop, Play, SocketIoWire

FOLDER = Path(__file__).parent
GAME = "guild"
SEATS = ("0", "1")
Option = tuple[str, list[Any]]  # a move's name and its arguments


@contextlib.contextmanager
def served(folder: Path | None) -> Iterator[tuple[int, Address, dict[str, str]]]:
    """A boardgame.io server, in memory or in files of a folder: its process, its address, the versions that run."""
    if not (FOLDER / "node_modules").is_dir():
        raise SystemExit(f"boardgame.io is not installed: npm ci --prefix {FOLDER}")
    command = ["node", str(FOLDER / "server.js"), *([] if folder is None else [str(folder)])]
    server = subprocess.Popen(
        command, env={**os.environ, "NODE_ENV": "production"}, stdout=subprocess.PIPE, start_new_session=True
    )
    try:
        assert server.stdout is not None
        readable, _, _ = select.select([server.stdout], [], [], 30)
        line = server.stdout.readline() if readable else b""
        if not line:
            raise SystemExit("boardgame.io did not start")
        said = json.loads(line)
        yield server.pid, ("127.0.0.1", said["port"]), said["versions"]
    finally:
        server.terminate()
        server.wait(30)


def list_options(state: Any, seat: str) -> list[Option]:
    """Return what a seat may do by the state that it sees; a client of boardgame.io finds that out by itself."""
    game, stages = state["G"], state["ctx"]["activePlayers"]
    hand = game["players"][seat]["hand"]
    if stages is not None:
        stage = stages.get(seat)
        if stage == "challenge":
            return [("pass", []), *(("challenge", [card]) for card in hand if card.startswith("challenge"))]
        if stage == "modify":
            modifiers = [card for card in hand if card.startswith("modifier")]
            return [("pass", []), *(("modify", [card, by]) for card in modifiers for by in (-2, 2))]
        return []
    if state["ctx"]["currentPlayer"] != seat:
        return []
    heroes, points = game["parties"][seat]["heroes"], game["points"]
    options: list[Option] = [("end", []), ("draw", [])]
    options += [("play", [card]) for card in hand if card.startswith(("hero", "item", "magic"))]
    options += [("roll", [hero["card"]]) for hero in heroes if not hero["rolled"]]
    if heroes and points >= 2:
        options += [("attack", [monster]) for monster in game["row"]]
    return options


def open_match(line: HttpWire) -> Generator[None, None, tuple[str, list[str]]]:
    """Open a match and sit down on both seats; return its id and the seats' credentials."""
    made = (yield from ask(line, request("POST", f"/games/{GAME}/create", body={"numPlayers": 2}))).json()
    name, keys = made["matchID"], []
    for seat in SEATS:
        body = {"playerID": seat, "playerName": f"Player {seat}"}
        joined = (yield from ask(line, request("POST", f"/games/{GAME}/{name}/join", body=body))).json()
        keys.append(joined["playerCredentials"])
    return name, keys


def take_state(wire: SocketIoWire, name: str, newer: int) -> Generator[None, None, Any]:
    """Wait for the state of a match with this number or a higher one and return it."""
    while True:
        kind, *args = yield from wire.take()
        if kind not in ("update", "sync") or args[0] != name:
            continue
        state = args[1]["state"] if kind == "sync" else args[1]
        if state["_stateID"] >= newer:
            return state


def play(loop: Loop, address: Address, dice: random.Random) -> Play:
    """Play matches for ever: the mover sends its move, and the server sends the new state to both seats."""
    line = HttpWire(loop, address)
    wires = [SocketIoWire(loop, address, GAME) for _ in SEATS]
    for wire in wires:
        while not wire.connected:
            yield
        wire.inbox.clear()
    while True:
        name, keys = yield from open_match(line)
        states: list[Any] = []
        for wire, seat, key in zip(wires, SEATS, keys, strict=True):
            wire.emit("sync", name, seat, key, 2)
            states.append((yield from take_state(wire, name, 0)))
        while "gameover" not in states[0]["ctx"]:
            options = [list_options(state, seat) for state, seat in zip(states, SEATS, strict=True)]
            mover = dice.choice([number for number in (0, 1) if options[number]])
            kind, args = dice.choice(options[mover])
            number, seat = states[mover]["_stateID"], SEATS[mover]
            payload = {"type": kind, "args": args, "playerID": seat, "credentials": keys[mover]}
            began = time.perf_counter()
            wires[mover].emit("update", {"type": "MAKE_MOVE", "payload": payload}, number, name, seat)
            states[mover] = yield from take_state(wires[mover], name, number + 1)
            answered = time.perf_counter() - began
            states[1 - mover] = yield from take_state(wires[1 - mover], name, number + 1)
            loop.figures.add_move(loop.current, answered, time.perf_counter() - began)
        loop.figures.matches += 1


def make_table(loop: Loop, address: Address, seed: int) -> Callable[[], Play]:
    """Return what starts a table."""
    return lambda: play(loop, address, random.Random(seed))
