"""The seats that a person holds, with their tokens.

They lie in the user's configuration folder, readable by nobody else.

A move that was decided on is kept here too until the server has answered, so that it is made once even if the program
is ended in between.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from referee.infrastructure.errors import HostError
from referee.infrastructure.secrets import write_private_file


@dataclass(frozen=True)
class SavedSeat:
    """A seat, or a spectator's place, that was taken with a code.

    `pending` is the write that the server has not answered yet: path, body and idempotency key. `chain` is the end of
    the chain that the seat adds to the server's draws, in hex, and `key` the secret with which it signs its moves.
    """

    base: str
    match: str
    token: str
    seat: int | None
    code: str = ""
    game: str = ""
    pending: dict[str, Any] | None = field(default=None)
    chain: str = ""
    key: str = ""

    @property
    def file(self) -> Path:
        """Return the file of the seat."""
        return find_folder() / f"{self.match}.{'watch' if self.seat is None else self.seat}.json"

    def keep_pending(self, pending: dict[str, Any] | None) -> SavedSeat:
        """Store the write that is under way, or that there is none."""
        kept = replace(self, pending=pending)
        save_seat(kept)
        return kept


def find_folder() -> Path:
    """Return the folder of the saved seats."""
    home = os.environ.get("XDG_CONFIG_HOME", "")
    return (Path(home) if os.path.isabs(home) else Path.home() / ".config") / "referee" / "seats"


def save_seat(saved: SavedSeat) -> None:
    """Write a seat to its file, mode 0600. Raises HostError."""
    try:
        find_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        write_private_file(saved.file, json.dumps(asdict(saved)).encode(), replace=True)
    except OSError as wrong:
        raise HostError(f"the seat cannot be kept in {find_folder()}: {wrong.strerror}") from wrong


def list_seats() -> list[SavedSeat]:
    """Return the saved seats, the newest first.

    Raises HostError if a file is damaged.
    """
    files = sorted(find_folder().glob("*.json"), key=lambda file: file.stat().st_mtime_ns, reverse=True)
    return [_read_seat(file) for file in files]


def _read_seat(file: Path) -> SavedSeat:
    try:
        return SavedSeat(**json.loads(file.read_text("utf-8")))
    except (OSError, ValueError, TypeError) as wrong:
        raise HostError(f"{file} cannot be read ({wrong}); delete it and join again") from wrong
