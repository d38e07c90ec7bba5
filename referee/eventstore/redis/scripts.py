"""The Lua scripts of the store, one file each in `lua`, by their names.

A script does one write of the log whole, or nothing of it. It answers with a word or a number, never with an error, and
uses only commands of Redis 6.2. All its keys come in KEYS and share one hash tag; all its checks come before its first
write. (Three scripts only read, from many partitions: see `overview.py`.) A line
`-- include name.lua` stands for the text of that file. Files named `_*.lua` are only included.
"""

from __future__ import annotations

import re
from pathlib import Path

LUA_FOLDER = Path(__file__).with_name("lua")
INCLUDE_LINE = re.compile(r"^[ \t]*-- include (\w+\.lua)$", re.MULTILINE)


def load_script(name: str) -> str:
    """Return the text of the file `name` in the folder of scripts, with its includes."""
    text = (LUA_FOLDER / name).read_text("utf-8")
    return INCLUDE_LINE.sub(lambda line: load_script(line[1]).rstrip("\n"), text)


ALL = {path.stem: load_script(path.name) for path in sorted(LUA_FOLDER.glob("[!_]*.lua"))}

# As they are run at a server of a cluster: keys of several slots may not be declared, so their number and their names
# come first among the arguments. The server still refuses those that lie elsewhere.
NODE_PROLOGUE = """#!lua flags=no-writes,allow-cross-slot-keys
local KEYS, ARGV = {unpack(ARGV, 2, 1 + ARGV[1])}, {unpack(ARGV, 2 + ARGV[1])}
"""
FOR_NODES = {name: NODE_PROLOGUE + ALL[name] for name in ("positions", "first_scores", "changes")}
