"""Holds what was recovered against what lies outside the store.

These are the files of archived and sleeping matches, and the marks of what was signed. Only they tell of a loss that
leaves no trace in the store's own files.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from referee.eventstore.contract import MatchLog
from referee.infrastructure.archives.archive import Archive, ArchiveMissing
from referee.infrastructure.archives.archived_log import attach_archive
from referee.infrastructure.integrity_check import LOST_SAYS, find_lost_histories
from referee.infrastructure.root_publisher import ORIGIN_SUFFIX
from referee.infrastructure.salvage.rebuilding import LARGEST_GAP, MatchLoss
from referee.infrastructure.watermarks.guard import SignedHistory
from referee.infrastructure.watermarks.mark_file import Mark, MarksUnavailable


@dataclass(frozen=True)
class SignedMarks:
    """The marks of the matches and of the root log; `damage` says why there are none."""

    history: SignedHistory
    matches: dict[str, Mark]
    roots: Mark | None = None
    damage: str = ""


def read_marks(history: SignedHistory) -> SignedMarks:
    """Return what was signed, as the marks have it."""
    try:
        marks = dict(history.marks.list_marks())
    except MarksUnavailable as wrong:
        return SignedMarks(history, {}, damage=str(wrong))
    return SignedMarks(history, marks, marks.pop(ORIGIN_SUFFIX, None))


def check_files(log: MatchLog, archive: Archive, matches: Iterable[str]) -> list[MatchLoss]:
    """Return the archived and sleeping matches whose file is missing or damaged."""
    found = []
    for match in matches:
        head = log.read(match, limit=0).head
        if head is None or not (head.status == "archived" or head.asleep):
            continue
        try:
            archive.load_entries(match, head.version, head.root)
        except ArchiveMissing as wrong:
            says = f"its entries lie in a file of the archive, which is no help: {wrong.detail}"
            found.append(MatchLoss(match, 0, tuple(range(1, head.version + 1)), (), says))
    return found


def check_marks(log: MatchLog, archive: Archive, signed: SignedMarks, lost: dict[str, MatchLoss]) -> list[MatchLoss]:
    """Freeze the matches that lack what was signed of them, and return them as losses.

    What was found of them before is completed.
    """
    found: list[MatchLoss] = []
    if signed.damage:
        return found
    for match, mark in find_lost_histories(attach_archive(log, archive), signed.history):
        head = log.read(match, limit=0).head
        version = 0 if head is None else head.version
        log.freeze_match(match)
        missing = range(version + 1, min(mark.size, version + LARGEST_GAP) + 1)
        loss = lost.get(match, MatchLoss(match, version, (), (), LOST_SAYS))
        unnamed = {*missing} - {*loss.unsound}
        found.append(replace(loss, missing=tuple(sorted({*loss.missing} | unnamed))))
    return found


def is_root_log_short(log: MatchLog, signed: SignedMarks) -> bool:
    """Return whether the root log lacks leaves of which a checkpoint was signed."""
    return signed.roots is not None and log.read_roots_head().size < signed.roots.size
