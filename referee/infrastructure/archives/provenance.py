"""Matches that were played on another server and are read here: whose they are, and what their own server disclosed.

Beside the file of such a match lies a note, `<match>.origin.json`, mode 0600: the origin of its checkpoints, the public
keys that signed them, the last one, and the secrets of its chance, so that salts and draws are checked here as there.
It is written before the match is known here. Of a match that was moved and goes on here, it tells where it was before;
a new note takes its place where it comes back from elsewhere. What is known of a note is kept as long as it is the same
file.
"""

from __future__ import annotations

import base64
import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import orjson

from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.disk import sync_to_disk
from referee.infrastructure.errors import HostError
from referee.infrastructure.secrets import write_private_file
from referee.transparency.randomness import ServerRandomSource

ORIGIN_SUFFIX = ".origin.json"
MAX_CACHED_ORIGINS = 10_000  # matches that a process remembers, most of them of this server
ID = re.compile("[0-9]{2}-[a-z]+")
SignCheckpoint = Callable[[str, int, bytes], str]
FileSignature = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class ForeignSigningKey:
    """A key of the other server, oldest first: as a bundle tells it."""

    public: bytes
    since_ms: int
    statement: str


@dataclass(frozen=True, slots=True)
class MatchOrigin:
    """Where a match was played: the origin and the last of its checkpoints with its size and root, the keys of that
    server, the secrets of chance by generation, and where its root was published, as the lines of a bundle tell it.

    `former`: the keys of servers where it was before that, as lines of a bundle, and `notes` the last checkpoint of
    each.
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
    """The notes of an archive. It may be used by many threads."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._known: OrderedDict[str, tuple[FileSignature, MatchOrigin]] = OrderedDict()
        self._lock = Lock()

    def path_for(self, match: str) -> Path:
        """Where a match's note lies, or would lie."""
        return self._archive.path_for(match).with_name(f"{match}{ORIGIN_SUFFIX}")

    def find_origin(self, match: str) -> MatchOrigin | None:
        """Where a match was played before; None if it always was this server's own. Raises HostError: a note that is
        none."""
        signature = self._read_file_signature(match)
        if signature is None:
            return None
        with self._lock:
            known = self._known.get(match)
        if known is not None and known[0] == signature:
            return known[1]
        found = self._read_origin(match)
        if found is not None:
            with self._lock:
                self._known[match] = signature, found
                while len(self._known) > MAX_CACHED_ORIGINS:
                    self._known.popitem(last=False)
        return found

    def _read_file_signature(self, match: str) -> FileSignature | None:
        """What changes when another note takes its place; None: there is none."""
        if not ID.fullmatch(match):
            return None
        try:
            found = self.path_for(match).stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

    def save_origin(self, match: str, origin: MatchOrigin) -> None:
        """Writes a note, on the disk when this comes back. Raises OSError."""
        told = {
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
        write_private_file(path, orjson.dumps(told), replace=True)
        sync_to_disk(path.parent)

    def _read_origin(self, match: str) -> MatchOrigin | None:
        try:
            told = orjson.loads(self.path_for(match).read_bytes())
            keys = tuple(ForeignSigningKey(base64.b64decode(key), since, said) for key, since, said in told["keys"])
            secrets = tuple(map(bytes.fromhex, told["secrets"]))
            root, published = bytes.fromhex(told["root"]), tuple(told["published"])
            before = tuple(told.get("former", ())), tuple(told.get("notes", ()))
            return MatchOrigin(told["origin"], told["note"], told["size"], root, keys, secrets, published, *before)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as wrong:
            raise HostError(f"{self.path_for(match)} is not what an import has written: {wrong}") from wrong


class FederatedRandomSource(ServerRandomSource):
    """This server's chance, and what other servers have disclosed of theirs."""

    def __init__(self, key: bytes, origins: OriginStore) -> None:
        super().__init__(key)
        self._origins = origins

    def secret(self, match: str, generation: int = 0) -> bytes:
        """The match's secret of a generation, of whichever server."""
        origin = self._origins.find_origin(match)
        if origin is None or generation >= len(origin.secrets):
            return super().secret(match, generation)
        return origin.secrets[generation]


def build_origin_aware_signer(sign: SignCheckpoint, origins: OriginStore) -> SignCheckpoint:
    """Signs as `sign` does; of a match from elsewhere the last checkpoint is that of its own server. Any other one is
    this server's word for what it holds, under this server's name."""

    def signs(match: str, size: int, root: bytes) -> str:
        origin = origins.find_origin(match)
        if origin is not None and (origin.size, origin.root) == (size, root):
            return origin.note
        return sign(match, size, root)

    return signs


def _encode_base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
