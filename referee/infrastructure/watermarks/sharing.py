"""One folder of marks for all hosts of a store.

Each host knows only the marks in its folder. If hosts had a folder each, one could sign what contradicts the receipts
of another, after the store went back. So a folder has an id, the store keeps the id of the folder that belongs to it,
and a process with another folder does not start.
"""

from __future__ import annotations

import re
import secrets
from pathlib import Path
from typing import Any

from referee.eventstore.redis.replies import partition_tag
from referee.infrastructure.errors import HostError
from referee.infrastructure.secrets import read_or_create_private_file

ID = re.compile(rb"[0-9a-f]{16}")
KEY = f"{partition_tag(0)}:watermarks"


class OtherMarksError(HostError):
    """The marks of this store are kept in another folder."""

    exit_code = 78  # EX_CONFIG


def claim_store(client: Any, folder: Path) -> None:
    """Keep in the store that its marks are in this folder, unless it has one.

    Raises OtherMarksError if that is another one, HostError if the folder cannot be written to.
    """
    client.set(KEY, read_folder_id(folder), nx=True)
    require_no_other_folder(client, folder)


def require_no_other_folder(client: Any, folder: Path) -> None:
    """Raise OtherMarksError if the store knows that its marks are elsewhere.

    Nothing is made. Raises HostError if the folder cannot be read.
    """
    known = client.get(KEY)
    own = read_folder_id(folder) if (folder / "id").exists() else ""
    if known is not None and known.decode(errors="replace") != own:
        raise OtherMarksError(
            f"{folder} is not where the marks of this store are kept ({known.decode(errors='replace')}): what other "
            "hosts signed would be unknown here. Let REFEREE_WATERMARKS_DIR name one folder that all hosts share; if "
            "that folder is lost, `referee history claim` takes this one instead"
        )


def take_over_store(client: Any, folder: Path) -> str:
    """Keep in the store that its marks are in this folder from now on.

    Return the id of the folder before, "" if there was none. Raises HostError.
    """
    before = client.set(KEY, read_folder_id(folder), get=True)
    return "" if before is None else before.decode()


def read_folder_id(folder: Path) -> str:
    """Return the id of a folder of marks; make both if need be.

    Raises HostError, also if the file of the id holds anything else: two folders with an empty one would pass for one.
    """
    found = read_or_create_private_file(folder / "id", lambda: secrets.token_hex(8).encode())
    if not ID.fullmatch(found):
        raise HostError(
            f"{folder / 'id'} does not hold the folder's id, 16 hexadecimal digits: put the file back from a copy, or "
            "remove it and let `referee history claim` take the folder under a new id"
        )
    return found.decode()
