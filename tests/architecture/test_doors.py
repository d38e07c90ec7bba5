"""The rings of the house: which room may import which, lazy imports included, and no circle anywhere."""

from __future__ import annotations

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# The rooms from the inside out: each may import those above it, and itself. See referee/docs/ARCHITECTURE.md.
RINGS = (
    "referee.engine",
    "referee.cardscript",
    "referee.games",
    "referee.bots",
    "referee.transparency",
    "referee.eventstore",
    "referee.match",
    "referee.tournament",
    "referee.rendering",
    "referee.census",
    "referee.arbitration",
    "referee.repository",
    "referee.position_rulings",
    "referee.transcript",
    "referee.ratings",
    "referee.service",
    "referee.queries",
    "referee.thoughts",
    "referee.infrastructure",
    "referee.audit",
    "referee.transfer",
    "referee.docs.clients",  # clients to copy; the table in the terminal uses the one in Python
    "referee.docs.examples",
    "referee.cli",
    "workers",
    "api",
    "referee.docs.site",
)
# What a room may not import although it lies further in.
SHUT = {
    "referee.transparency": ("referee.cardscript", "referee.games", "referee.bots"),
    "referee.eventstore": ("referee.cardscript", "referee.games", "referee.bots"),
    "referee.match": ("referee.bots",),
    "referee.arbitration": ("referee.bots",),
    "referee.ratings": ("referee.match", "referee.repository"),
    "api": ("workers", "referee.cli"),
    "workers": ("referee.cli",),
    "referee.cli": ("referee.docs.examples",),
    "referee.docs.site": (
        "referee.infrastructure",
        "referee.audit",
        "referee.transfer",
        "referee.cli",
        "workers",
        "api",
    ),
}
PURE = RINGS[: RINGS.index("referee.infrastructure")]
MACHINE = {
    "flask", "redis", "rq", "time", "datetime", "random", "secrets", "uuid", "os", "socket", "subprocess", "threading",
    "fakeredis", "requests", "urllib", "tempfile",
}  # fmt: skip
# a lock round a cache is no clock and no chance
LOCKED = ("matches", "recent_reads", "window_index", "proofs", "tournaments")
LOCKS = (*(f"repository/{name}" for name in LOCKED), "eventstore/memory/log")
ALLOWED = {(f"referee/{path}.py", "threading") for path in LOCKS} | {("referee/rendering/times.py", "datetime")}
MOST_FILES = 12  # in one folder, beside its __init__.py
LONGER = {
    "referee/audit/standalone.py": 1703
}  # it is handed out as one file, to those who trust nobody, in two languages


def module_of(path: Path) -> str:
    """Return the dotted name of a file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {
    module_of(path): path for top in ("referee", "api", "workers") for path in sorted((ROOT / top).rglob("*.py"))
}


@cache
def imports(path: Path, *, only_at_run_time: bool = False) -> tuple[str, ...]:
    """Return what a file imports, wherever in the file; without what only type checkers read if `only_at_run_time`."""
    tree = ast.parse(path.read_text("utf-8"))
    unread = {
        id(inner)
        for node in ast.walk(tree)
        if only_at_run_time and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    found: list[str] = []
    for node in ast.walk(tree):
        if id(node) in unread:
            continue
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.append(inner if inner in MODULES else node.module)
    return tuple(found)


def room_of(module: str) -> str | None:
    """Return the room that a module lies in; None if it is none of ours."""
    return next((room for room in RINGS if module == room or module.startswith(f"{room}.")), None)


def files(room: str) -> list[Path]:
    """Return the files of a room."""
    return sorted((ROOT / room.replace(".", "/")).rglob("*.py"))


@pytest.mark.parametrize("room", RINGS)
def test_a_room_imports_only_rooms_further_in(room: str) -> None:
    wrong = []
    for path in files(room):
        for module in imports(path):
            other = room_of(module)
            if other is None or other == room:
                continue
            if RINGS.index(other) > RINGS.index(room) or other in SHUT.get(room, ()):
                wrong.append(f"{path.relative_to(ROOT)} imports {module}")
    assert not wrong


def test_every_module_lies_in_a_room() -> None:
    assert [name for name in MODULES if room_of(name) is None] == ["referee"]


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Lazy imports count; only what type checkers read does not."""
    graph = {
        name: {module for module in imports(path, only_at_run_time=True) if module in MODULES and module != name}
        for name, path in MODULES.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


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
def test_a_pure_room_touches_no_machine(room: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in files(room)
        for module in imports(path)
        if module.partition(".")[0] in MACHINE
        and (str(path.relative_to(ROOT)), module.partition(".")[0]) not in ALLOWED
    ]
    assert not wrong


def test_only_transparency_and_what_lies_outside_it_uses_cryptography() -> None:
    outside = ("referee.transparency", *RINGS[RINGS.index("referee.infrastructure") :])
    wrong = [
        name
        for name, path in MODULES.items()
        if room_of(name) not in outside and any(module.startswith("cryptography") for module in imports(path))
    ]
    assert not wrong


def test_only_the_adapter_for_learners_needs_the_extra() -> None:
    adapter, extra = "referee.bots.pettingzoo", {"pettingzoo", "gymnasium", "numpy"}
    users = {name for name, path in MODULES.items() if extra & {module.partition(".")[0] for module in imports(path)}}
    assert users == {adapter}
    assert [name for name, path in MODULES.items() if adapter in imports(path)] == []


def test_only_the_server_of_assistants_needs_the_sdk() -> None:
    room, sdk = "referee.cli.assistants", {"mcp", "pydantic", "typing_extensions"}
    users = {name for name, path in MODULES.items() if sdk & {module.partition(".")[0] for module in imports(path)}}
    assert users == {f"{room}.server", f"{room}.shapes"}
    assert {name for name, path in MODULES.items() if f"{room}.server" in imports(path)} == {f"{room}.register"}


def test_a_folder_has_no_more_than_a_dozen_files() -> None:
    folders: dict[str, int] = {}
    for path in MODULES.values():
        if path.name != "__init__.py":
            folder = str(path.parent.relative_to(ROOT))
            folders[folder] = folders.get(folder, 0) + 1
    assert {folder: count for folder, count in folders.items() if count > MOST_FILES} == {}


def test_a_file_stays_small_enough_to_be_read_in_one_go() -> None:
    long = {}
    for path in MODULES.values():
        lines = len(path.read_text("utf-8").splitlines())
        if lines > LONGER.get(str(path.relative_to(ROOT)), 450):
            long[str(path.relative_to(ROOT))] = lines
    assert not long
