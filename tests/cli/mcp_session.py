"""A session of ten rules questions over `referee mcp`, two for each game, with the clauses that answer them.

`python -m tests.cli.mcp_session` writes it into the page about assistants; `test_mcp.py` asks again and compares.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "referee/docs/ASSISTANTS.md"
BEGIN, END = "<!-- session: begin -->\n", "<!-- session: end -->\n"
MAX_CLAUSES = 3  # of an answer that the page shows
ARGUMENTS = ("-m", "referee.cli", "mcp")


@dataclass(frozen=True)
class Asked:
    """A question as a player puts it, the call that an assistant makes of it, and what the answer has to cite."""

    game: str
    says: str
    tool: str
    arguments: dict[str, Any]
    clauses: tuple[str, ...]
    verdict: str = ""


def search(game: str, says: str, *clauses: str, lang: str = "en") -> Asked:
    """A general question, which the rulebook answers."""
    arguments: dict[str, Any] = {"game": game, "query": says, "limit": MAX_CLAUSES}
    return Asked(game, says, "search_rules", {**arguments, **({"lang": lang} if lang != "en" else {})}, clauses)


def judge(game: str, says: str, verdict: str, clauses: tuple[str, ...], **arguments: Any) -> Asked:
    """A question about a move in a situation, which is ruled on."""
    return Asked(game, says, "judge_position", {"game": game, **arguments}, clauses, verdict)


SESSION = (
    judge(
        "creature_crush",
        "My Dusk Bat came into play in this very turn. May it attack all the same?",
        "granted",
        ("CC-KEY-LIVELY-1", "CC-ATTACK-1"),
        position={
            "seats": [
                {"deck": 8, "hand": ["hex_toad"], "board": {"A2": "dusk_bat"}},
                {"deck": 9, "hand": 4, "board": {}},
            ],
            "turn": 0,
            "start_dice": [2, 3, 6],
            "entered": ["dusk_bat"],
        },
        seat=0,
        move={"type": "cc.attack", "creature": "dusk_bat", "dice": [2]},
    ),
    search("creature_crush", "How often may a creature attack in one turn?", "CC-ACT-1"),
    judge(
        "here_to_slay",
        "I have one action point left. Can I still attack Orthus?",
        "refused",
        ("HTS-ACT-8", "HTS-ACT-4"),
        position={
            "seats": [
                {"leader": "the_cloaked_sage", "hand": ["challenge"], "party": ["bad_axe", "fluffy"]},
                {"leader": "the_divine_arrow", "hand": 4, "party": ["peanut"]},
            ],
            "row": ["terratuga", "mega_slime", "orthus"],
            "turn": 0,
            "points": 1,
            "question": {"asks": "act"},
        },
        seat=0,
        move={"type": "hts.attack", "monster": "orthus"},
    ),
    search("here_to_slay", "Can an attack on a monster be challenged?", "HTS-CHAL-2"),
    judge(
        "monster_combat",
        "Ada is attacked. May I, Cem, play my shield for her?",
        "refused",
        ("MC-SHIELD-1", "KERNEL-TURN-1"),
        position={
            "players": [
                {"hearts": 3, "hand": 4},
                {"hearts": 2, "hand": 2},
                {"hearts": 2, "hand": ["shield"]},
            ],
            "turn": 0,
            "question": {"asks": "parry", "seat": 1},
        },
        seat=2,
        move={"type": "mc.parry", "card": "shield"},
        names=["Ben", "Ada", "Cem"],
    ),
    search("monster_combat", "Hilft ein Schild gegen den Dieb?", "MC-SHIELD-2", lang="de"),
    judge(
        "munchkin",
        "I am at level 9 with 1,200 gold of items. May I sell them for level 10?",
        "refused",
        ("MK-7.15", "MK-3.5"),
        position={
            "seats": [
                {"level": 9, "hand": 2, "items": ["candy_hook", "crooked_crown", "os_moth_cloak"]},
                {"level": 7, "hand": 5},
                {"level": 4, "hand": 4},
            ],
            "turn": 0,
            "question": {"asks": "calm", "stage": "choice"},
        },
        seat=0,
        move={"type": "mk.sell", "cards": ["candy_hook", "crooked_crown", "os_moth_cloak"]},
    ),
    search("munchkin", "Who decides whether to run away?", "MK-17.2"),
    judge(
        "shy_monsters",
        "Darf ich den Drachen nur über Eck anlegen?",
        "refused",
        ("SM-BUILD-3",),
        position={
            "question": "build",
            "dungeon_master": 0,
            "floor": 1,
            "hand": ["corridor", "corridor", "corridor", "exit", "kraken", "dragon"],
        },
        seat=0,
        move={
            "type": "sm.build",
            "cells": [
                {"x": 1, "y": 0, "card": "corridor"},
                {"x": 2, "y": 0, "card": "corridor"},
                {"x": 2, "y": 1, "card": "corridor"},
                {"x": 2, "y": 2, "card": "exit"},
                {"x": 1, "y": 2, "card": "kraken"},
                {"x": 0, "y": 3, "card": "dragon"},
            ],
        },
        lang="de",
    ),
    search("shy_monsters", "Must the dungeon master lay out all six cards?", "SM-BUILD-2"),
)


def start_process() -> StdioServerParameters:
    """A `referee mcp` of its own, over real pipes."""
    return StdioServerParameters(command=sys.executable, args=[*ARGUMENTS], cwd=ROOT)


async def ask_all(server: StdioServerParameters | MCPServer) -> list[CallToolResult]:
    """The answers to all questions of the session, in one connection."""
    async with Client(server) as client:
        return [await client.call_tool(each.tool, each.arguments) for each in SESSION]


def render_session(answers: list[CallToolResult]) -> str:
    """The session as the page shows it."""
    return "".join(
        f"{line}\n"
        for number, (asked, answer) in enumerate(zip(SESSION, answers, strict=True), 1)
        for line in render_question(number, asked, answer)
    )


def render_question(number: int, asked: Asked, answer: CallToolResult) -> Iterator[str]:
    data = answer.structured_content
    yield f"**{number}. {asked.says}**"
    yield ""
    yield f"`{asked.tool}` `{json.dumps(asked.arguments, ensure_ascii=False)}`"
    yield ""
    if "spoken" in data:
        yield f"> {data['verdict']}: {data['spoken']}"
        yield ">"
    cited = sorted(data["clauses"], key=lambda clause: clause["id"] not in asked.clauses)  # those that answer it first
    for clause in cited[:MAX_CLAUSES]:
        open_question = f"*{clause['open']}* " if clause.get("open") else ""
        yield f"> - `{clause['id']}` {open_question}{clause['says']}"
    yield ""


def read_session() -> str:
    """The session as the page has it now."""
    return PAGE.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]


def write_session(session: str) -> None:
    """Write the session into the page."""
    head, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    PAGE.write_text(f"{head}{BEGIN}{session}{END}{rest.partition(END)[2]}", "utf-8")


if __name__ == "__main__":
    write_session(render_session(asyncio.run(ask_all(start_process()))))
