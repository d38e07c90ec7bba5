"""Where matches came from that were played on another server and are read here.

Next to the file of such a match is a note, `<match>.origin.json`, mode 0600. It holds the origin of its checkpoints,
the public keys that signed them, the last checkpoint, and the secrets of its draws, so that salts and draws are checked
here as there. It is written before the match is added here.

For a match that moved and continues here, the note says where the match was before. A new note replaces it if the match
comes back from elsewhere. A note that was read is cached as long as its file is the same.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock

import orjson
from cachetools import LRUCache

from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.disk import sync_to_disk
from referee.infrastructure.errors import HostError
from referee.infrastructure.secrets import write_private_file
from referee.transparency.randomness import ServerRandomSource

ORIGIN_SUFFIX = ".origin.json"
MAX_CACHED_ORIGINS = 10_000  # matches whose origin a process remembers
ID = re.compile("[0-9]{2}-[a-z]+")
SignCheckpoint = Callable[[str, int, bytes], str]
FileSignature = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class ForeignSigningKey:
    """A signing key of the other server, in the form of a bundle's key line."""

    public: bytes
    since_ms: int
    statement: str


@dataclass(frozen=True, slots=True)
class MatchOrigin:
    """Where a match was played.

    `origin` is that of its checkpoints, `note` the last of them with its size and root. `keys` are that server's,
    oldest first, `secrets` those of the draws by generation. `published` says where the root was published, with
    timestamps over that, as lines of a bundle. `former` are the keys of servers where it was before that, as lines of a
    bundle, and `notes` the last checkpoint of each.
    """

    origin: str
    note: str
    size: int
    root: bytes
    keys: tuple[ForeignSigningKey, ...]
    secrets: tuple[bytes, ...]
    published: tuple[str, ...] = ()
    former: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class OriginStore:
    """The origin notes of an archive. Several threads may use it."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._known: LRUCache[str, tuple[FileSignature, MatchOrigin]] = LRUCache(MAX_CACHED_ORIGINS)
        self._lock = Lock()
        self._find_note = lru_cache(MAX_CACHED_ORIGINS)(lambda match: str(self.path_for(match)))  # asked at each draw

    def path_for(self, match: str) -> Path:
        """Return the path of a match's note, whether or not it exists."""
        return self._archive.path_for(match).with_name(f"{match}{ORIGIN_SUFFIX}")

    def find_origin(self, match: str) -> MatchOrigin | None:
        """Return where a match was played before, or None if it is this server's own.

        Raises HostError if the note cannot be read.
        """
        signature = self._read_file_signature(match)
        if signature is None:
            return None
        with self._lock:
            cached = self._known.get(match)
        if cached is not None and cached[0] == signature:
            return cached[1]
        found = self._read_origin(match)
        if found is not None:
            with self._lock:
                self._known[match] = signature, found
        return found

    def _read_file_signature(self, match: str) -> FileSignature | None:
        """Return what changes when another note replaces this one, or None."""
        if not ID.fullmatch(match):
            return None
        try:
            found = os.stat(self._find_note(match))  # making a Path takes longer than the call
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

    def save_origin(self, match: str, origin: MatchOrigin) -> None:
        """Write a note, which is on the disk when this returns. Raises OSError."""
        content = {
            "origin": origin.origin,
            "note": origin.note,
            "size": origin.size,
            "root": origin.root.hex(),
            "keys": [[_encode_base64(key.public), key.since_ms, key.statement] for key in origin.keys],
            "secrets": [secret.hex() for secret in origin.secrets],
            "published": list(origin.published),
            "former": list(origin.former),
            "notes": list(origin.notes),
        }
        path = self.path_for(match)
        write_private_file(path, orjson.dumps(content), replace=True)
        sync_to_disk(path.parent)

    def _read_origin(self, match: str) -> MatchOrigin | None:
        try:
            data = orjson.loads(self.path_for(match).read_bytes())
            keys = tuple(ForeignSigningKey(base64.b64decode(key), since, text) for key, since, text in data["keys"])
            secrets = tuple(map(bytes.fromhex, data["secrets"]))
            root, published = bytes.fromhex(data["root"]), tuple(data["published"])
            before = tuple(data.get("former", ())), tuple(data.get("notes", ()))
            return MatchOrigin(data["origin"], data["note"], data["size"], root, keys, secrets, published, *before)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as wrong:
            raise HostError(f"{self.path_for(match)} is not as an import wrote it: {wrong}") from wrong


class FederatedRandomSource(ServerRandomSource):
    """The draws of this server, and the disclosed ones of other servers."""

    def __init__(self, key: bytes, origins: OriginStore) -> None:
        super().__init__(key)
        self._origins = origins

    def secret(self, match: str, generation: int = 0) -> bytes:
        """Return the match's secret of a generation, of this or another server."""
        origin = self._origins.find_origin(match)
        if origin is None or generation >= len(origin.secrets):
            return super().secret(match, generation)
        return origin.secrets[generation]


def build_origin_aware_signer(sign: SignCheckpoint, origins: OriginStore) -> SignCheckpoint:
    """Return a signer that reuses the last checkpoint of a match from elsewhere.

    That one is its own server's. Any other checkpoint is signed by `sign`: it is what this server claims, under its own
    name.
    """

    def signs(match: str, size: int, root: bytes) -> str:
        origin = origins.find_origin(match)
        if origin is not None and (origin.size, origin.root) == (size, root):
            return origin.note
        return sign(match, size, root)

    return signs


def _encode_base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
