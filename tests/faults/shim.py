"""The library that is preloaded into a program to be unkind to it: clocks are wrong, the disk is full, power fails."""

from __future__ import annotations

import functools
import mmap
import os
import shutil
import struct
import subprocess
import tempfile
from pathlib import Path

SOURCE = Path(__file__).with_name("shim.c")
SLOTS = 500
HEAD = struct.Struct("=qqq")  # skew in ms, room in bytes, skew of a store in ms
SLOT = struct.Struct("=qq")  # inode, size at its last completed sync
ENOUGH = -1
COMPILERS = ("cc", "gcc", "clang", "tcc")
NO_COMPILER = "no C compiler (cc, gcc, clang) that could build what is preloaded for clocks, full disks and power loss"


@functools.cache
def compiler() -> str | None:
    """A C compiler of this machine that makes libraries, if it has one."""
    return next((found for name in COMPILERS if (found := shutil.which(name))), None)


class Shim:
    """The library, built into a folder, and the page that tells it what to do."""

    def __init__(self, folder: Path) -> None:
        """Raises RuntimeError without a C compiler, CalledProcessError if it cannot build the library."""
        made = compiler()
        if made is None:
            raise RuntimeError(NO_COMPILER)
        self.library, self._page = folder / "shim.so", folder / "page"
        built = [made, "-shared", "-fPIC", "-O1", "-o", str(self.library), str(SOURCE)]
        subprocess.run(built, check=True, capture_output=True)
        self._page.write_bytes(HEAD.pack(0, ENOUGH, 0) + bytes(SLOT.size * SLOTS))
        with self._page.open("r+b") as page:
            self._map = mmap.mmap(page.fileno(), 0)

    def variables(self, *, store: bool = False) -> dict[str, str]:
        """The environment of a process that is to be treated so; a store has a skew of its own."""
        given = {"LD_PRELOAD": str(self.library), "FAULTS_PAGE": str(self._page)}
        return given | ({"FAULTS_STORE": "1"} if store else {})

    def server(self, binary: Path) -> Path:
        """A server in front of the server: the same binary, treated as a store."""
        front = self.library.with_name(f"as-store-{binary.name}")
        words = " ".join(f"{name}='{value}'" for name, value in self.variables(store=True).items())
        front.write_text(f"#!/bin/sh\n{words} exec '{binary}' \"$@\"\n")
        front.chmod(0o755)
        return front

    def skew(self, ms: int) -> None:
        """Puts the clocks of everything but the store forward, or back."""
        self._map[0:8] = struct.pack("=q", ms)

    def set_machine_clock(self, ms: int) -> None:
        """Puts all clocks forward, or back, that of the store too: the clock of the machine jumps."""
        self._map[16:24] = struct.pack("=q", ms)
        self.skew(ms)

    def room(self, room: int = ENOUGH) -> None:
        """How many bytes the disk takes from now on; ENOUGH: it is not full."""
        self._map[8:16] = struct.pack("=q", room)

    def synced(self) -> dict[int, int]:
        """How long each append-only file was when its last completed sync began, by inode."""
        slots = SLOT.iter_unpack(self._map[HEAD.size :])
        return {inode: size for inode, size in slots if inode}

    def cut_power(self, folder: Path) -> int:
        """What is left of a dead store's files when power has failed: what was synced. How many bytes that takes."""
        known, taken = self.synced(), 0
        for path in folder.rglob("*.aof"):
            found = path.stat()
            if found.st_ino in known and found.st_size > known[found.st_ino]:
                os.truncate(path, known[found.st_ino])
                taken += found.st_size - known[found.st_ino]
        return taken

    def close(self) -> None:
        """Lets go of the page; what was preloaded keeps its own hold on it."""
        self._map.close()


def short_folder() -> Path:
    """A folder with a short path, for sockets."""
    return Path(tempfile.mkdtemp(prefix="rff"))
