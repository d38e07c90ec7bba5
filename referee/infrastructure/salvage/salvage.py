"""Recovers a damaged data directory into a new one, match by match."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import redis

from referee.eventstore.contract import PARTITIONS, MatchLog, partition_for_match
from referee.eventstore.redis.log import RedisLog
from referee.infrastructure.archives.archive import Archive
from referee.infrastructure.archives.backup import NOTE, BackupFolderError, create_backup
from referee.infrastructure.clients import UNAVAILABLE_ERRORS, build_client, derive_store_id
from referee.infrastructure.composition import build_random_source
from referee.infrastructure.disk import sync_to_disk
from referee.infrastructure.embedded.servers import EmbeddedServers, end_orphans, find_holder
from referee.infrastructure.embedded.store_binaries import choose_binary, find_installed_binaries
from referee.infrastructure.errors import AlreadyServedError, HostError
from referee.infrastructure.salvage.loading import MATCH_KEY, Loading, load_files
from referee.infrastructure.salvage.outside import check_files, check_marks, is_root_log_short, read_marks
from referee.infrastructure.salvage.rebuilding import (
    MatchLoss,
    drop_malformed_keys,
    find_matches,
    mend_feed,
    mend_match,
)
from referee.infrastructure.secrets import write_private_file
from referee.infrastructure.settings import Settings
from referee.infrastructure.watermarks.guard import FOLDER as WATERMARKS
from referee.infrastructure.watermarks.guard import SignedHistory

LOADING_OPTIONS = {
    "appendfsync": "no",  # nobody relies on the new folder before it is whole
    "sanitize-dump-payload": "yes",  # values are looked through before they are taken
    "enable-debug-command": "local",  # values come without a checksum
}
REPORT, ASIDE = "salvage.json", "set-aside.jsonl"


@dataclass(frozen=True)
class SalvageResult:
    """What was recovered, and what is lost.

    `sound` counts the matches of which nothing is lost. `keys` are the other keys that a lost part names: accounts,
    tokens, decks, views. `unread` counts the bytes of all lost parts, `feed_lines` the lines of feeds that were filled.
    `misfits` are sentences about whole files that are missing or damaged.
    """

    folder: Path
    sound: int
    lost: tuple[MatchLoss, ...]
    keys: tuple[str, ...]
    parts: int
    unread: int
    feed_lines: int
    misfits: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        """Whether nothing was lost."""
        return not (self.lost or self.keys or self.parts or self.misfits)


def salvage(settings: Settings, folder: Path) -> SalvageResult:
    """Recover what is whole in a data directory into an empty or missing folder.

    The directory itself is only read. Raises BackupFolderError, AlreadyServedError if it is served now,
    StoreNotFoundError, HostError.
    """
    folder = folder.expanduser().absolute()
    if folder.resolve().is_relative_to(settings.data_dir.resolve()):
        raise BackupFolderError(f"{folder} lies in the directory that is to be recovered; it only is read")
    if holder := find_holder(settings.data_dir):
        raise AlreadyServedError(f"{settings.data_dir} is served by {holder}; stop it first")
    if folder.is_symlink() or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
        raise BackupFolderError(f"{folder} is a link or is not empty; what is recovered goes to a folder of its own")
    end_orphans(settings.data_dir)
    part = folder.parent / f".{folder.name}.salvage"
    if part.exists():  # of a run that was killed
        end_orphans(part)
        shutil.rmtree(part)
    create_backup(settings, part, store=False)  # keys, archive, and what else lies there
    try:
        if (marks := settings.watermarks_path).exists():  # a history that went back unseen is frozen by them
            shutil.copytree(marks, part / WATERMARKS)
        result = _fill(settings, part, folder)
        (part / NOTE).unlink()
        for path in sorted(part.rglob("*")):
            sync_to_disk(path)
        os.rename(part, folder)
        sync_to_disk(folder.parent)
    except (OSError, redis.exceptions.RedisError) as wrong:
        raise HostError(f"the salvage failed: {wrong}") from wrong
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return result


def _fill(settings: Settings, part: Path, folder: Path) -> SalvageResult:
    store = settings.data_dir / "store"
    binary = choose_binary(store, find_installed_binaries(settings.store_server))
    own = settings.with_data_dir(part)
    with EmbeddedServers(part, queue=False, server=binary.path, store_options=LOADING_OPTIONS) as keeper:
        client = build_client(str(keeper.store_url))
        loading = load_files(store, client)
        log = RedisLog(client, UNAVAILABLE_ERRORS, derive_store_id(own))
        result = _mend(own, client, log, loading, part, folder)
        client.bgrewriteaof()
        client.close()
    for name in ("run", "keeper.lock", "sockets.json"):
        path = part / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    report = {
        "sound": result.sound,
        "lost": [
            {
                "match": each.match,
                "says": each.says,
                "sound": each.sound,
                "missing": each.missing,
                "aside": each.unsound,
            }
            for each in result.lost
        ],
        "keys": result.keys,
        "misfits": result.misfits,
        "parts": [{"file": each.file, "begin": each.begin, "end": each.end} for each in loading.lost],
    }
    write_private_file(part / REPORT, json.dumps(report).encode() + b"\n", replace=True)
    return result


def _mend(
    settings: Settings, client: redis.Redis, log: MatchLog, loading: Loading, part: Path, folder: Path
) -> SalvageResult:
    salt = build_random_source(settings).salt
    lost: dict[str, MatchLoss] = {}
    dropped = drop_malformed_keys(client, log)
    loading.keys |= {*dropped}
    for key in dropped:
        if named := MATCH_KEY.match(key):
            loading.matches.setdefault(named[1], set())
    matches = sorted({*find_matches(client), *loading.matches})
    for match in matches:
        known = loading.matches.get(match)
        if loss := mend_match(client, log, match, salt, known, part / ASIDE):
            lost[match] = loss
    signed, archive = read_marks(SignedHistory(part / WATERMARKS)), Archive(settings.archive_path)
    lost |= {loss.match: loss for loss in check_files(log, archive, (match for match in matches if match not in lost))}
    lost |= {loss.match: loss for loss in check_marks(log, archive, signed, lost)}
    heads: dict[int, dict[str, int]] = {partition: {} for partition in range(PARTITIONS)}
    for match in matches:
        head = log.read(match, limit=0).head
        heads[partition_for_match(match)][match] = 0 if head is None else head.version
    store = derive_store_id(settings)
    filled = sum(mend_feed(client, partition, known_heads, store) for partition, known_heads in heads.items())
    misfits = [*loading.misfits, *([signed.damage] if signed.damage else [])]
    if is_root_log_short(log, signed):
        misfits.append("the root log lacks entries of which a checkpoint was signed")
    return SalvageResult(
        folder,
        len({*matches, *lost}) - len(lost),
        tuple(loss for _, loss in sorted(lost.items())),
        tuple(sorted(key for key in loading.keys if ":m:" not in key)),
        len(loading.lost),
        sum(len(each.content) for each in loading.lost),
        filled,
        tuple(misfits),
    )
