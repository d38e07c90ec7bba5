"""What a program uses: CPU and memory of a process and of everything that it has started, from /proc."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")
WORKERS = ("drain", "bots", "thinkers", "webhooks", "bundles", "sweeper", "archiver")
PARTS = ("api", "workers", "store", "queue", "supervisor", "server")


@dataclass(frozen=True)
class Process:
    """One process: its parent, its name, its CPU seconds with those of its children that have ended."""

    pid: int
    parent: int
    name: str
    seconds: float


def read_tree(root: int) -> list[Process]:
    """Return a process and all that come from it, parents first."""
    everything: dict[int, Process] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            before, _, after = (folder / "stat").read_text().rpartition(")")
        except (FileNotFoundError, ProcessLookupError):
            continue
        fields, pid = after.split(), int(folder.name)
        seconds = sum(map(int, fields[11:15])) / TICK
        everything[pid] = Process(pid, int(fields[1]), before.partition("(")[2], seconds)
    tree = [everything[root]]
    for process in tree:
        tree += [each for each in everything.values() if each.parent == process.pid]
    return tree


def name_parts(tree: Iterable[Process]) -> dict[int, str]:
    """Return for each process of a tree which part of the program it is: one of PARTS.

    A process that says nothing of itself belongs to its parent's part.
    """
    parts: dict[int, str] = {}
    for process in tree:
        above = parts.get(process.parent)
        parts[process.pid] = _name_part(process, above)
    return parts


def _name_part(process: Process, above: str | None) -> str:
    folder, command = Path(_read_link(process.pid, "cwd")).name, _read_command(process.pid)
    if above is None:
        return "server" if Path(command[0]).name == "node" else "supervisor"
    if above != "supervisor":
        return above
    if folder in ("store", "queue"):
        return folder
    if process.name == "API" or "gunicorn" in command:
        return "api"
    if process.name.removesuffix(" worker") in WORKERS or "workers" in command:
        return "workers"
    return above


def _read_link(pid: int, name: str) -> str:
    try:
        return str(Path(f"/proc/{pid}/{name}").readlink())
    except OSError:
        return ""


def _read_command(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return []


def read_cpu(root: int) -> dict[str, float]:
    """Return the CPU seconds so far by part of the program."""
    tree = read_tree(root)
    parts, spent = name_parts(tree), dict.fromkeys(PARTS, 0.0)
    for process in tree:
        spent[parts[process.pid]] += process.seconds
    return spent


def read_memory(root: int) -> dict[str, float]:
    """Return the proportional set size in bytes by part of the program."""
    tree = read_tree(root)
    parts, sizes = name_parts(tree), dict.fromkeys(PARTS, 0.0)
    for process in tree:
        try:
            lines = Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()
        except (OSError, ProcessLookupError):
            continue  # it has just ended
        sizes[parts[process.pid]] += sum(1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return sizes


def subtract(after: dict[str, float], before: dict[str, float]) -> dict[str, float]:
    """Return what was added, without parts that added nothing."""
    return {part: after[part] - before[part] for part in after if after[part] != before[part]}
