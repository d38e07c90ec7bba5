"""Doors open one way: which room may import which."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PURE = ("referee.kernel", "referee.cards", "referee.games", "referee.store", "referee.desk", "referee.reckoning")

# room -> rooms of this project that it may import (itself always)
DOORS = {
    "referee.kernel": (),
    "referee.cards": ("referee.kernel",),
    "referee.games": ("referee.kernel", "referee.cards"),
    "referee.store": ("referee.kernel",),
    "referee.desk": ("referee.kernel", "referee.games", "referee.store"),
    "referee.reckoning": ("referee.kernel", "referee.store"),
    "referee.hosting": ("referee.kernel", "referee.games", "referee.store", "referee.desk"),
    "referee.audit": ("referee.kernel", "referee.games", "referee.store", "referee.desk", "referee.hosting"),
    "referee.cli": (
        "referee.kernel",
        "referee.games",
        "referee.store",
        "referee.desk",
        "referee.hosting",
        "referee.audit",
    ),
    "api": ("referee",),
    "workers": ("referee",),
}
MACHINE = {
    "flask", "redis", "rq", "time", "datetime", "random", "secrets", "uuid", "os", "socket", "subprocess", "threading",
    "cryptography", "fakeredis", "requests", "urllib", "tempfile",
}  # fmt: skip
# a lock round a cache is no clock and no chance
ALLOWED = {
    (f"referee/{path}.py", "threading") for path in ("desk/reading", "desk/windows", "desk/proving", "store/memory")
}


def files(room: str) -> list[Path]:
    return sorted((ROOT / room.replace(".", "/")).rglob("*.py"))


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def room_of(module: str) -> str | None:
    rooms = [room for room in DOORS if module == room or module.startswith(room + ".")]
    return max(rooms, key=len, default=None)


@pytest.mark.parametrize("room", DOORS)
def test_a_room_opens_only_its_own_doors(room: str) -> None:
    wrong = []
    for path in files(room):
        for module in imports(path):
            other = room_of(module)
            if other is None or other == room:
                continue
            if not any(other == door or other.startswith(door + ".") for door in DOORS[room]):
                wrong.append(f"{path.relative_to(ROOT)} imports {module}")
    assert not wrong


def test_no_game_knows_another() -> None:
    games = [path.name for path in (ROOT / "referee/games").iterdir() if (path / "__init__.py").exists()]
    wrong = []
    for game in games:
        for path in (ROOT / "referee/games" / game).rglob("*.py"):
            for module in imports(path):
                parts = module.split(".")
                if parts[:2] == ["referee", "games"] and len(parts) > 2 and parts[2] in games and parts[2] != game:
                    wrong.append(f"{path.relative_to(ROOT)} imports {module}")
    assert games
    assert not wrong


@pytest.mark.parametrize("room", PURE)
def test_the_pure_rooms_touch_no_machine(room: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in files(room)
        for module in imports(path)
        if module.partition(".")[0] in MACHINE
        and (str(path.relative_to(ROOT)), module.partition(".")[0]) not in ALLOWED
    ]
    assert not wrong


LONGER = {"referee/audit/standalone.py": 780}  # it is handed out as one file, to those who trust nobody


def test_a_file_stays_small_enough_to_be_read_in_one_go() -> None:
    long = {}
    for room in ("referee", "api", "workers"):
        for path in files(room):
            lines = len(path.read_text("utf-8").splitlines())
            if lines > LONGER.get(str(path.relative_to(ROOT)), 450):
                long[str(path.relative_to(ROOT))] = lines
    assert not long
