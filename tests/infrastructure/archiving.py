"""Archive files for tests whose desk draws as it likes: entries and nothing else, as a sealed bundle has them."""

from __future__ import annotations

from collections.abc import Iterator

from referee.audit.bundles.format import CheckpointLine, EntryLine, Header, Line, Part
from referee.audit.checks import randomness
from referee.service.match_service import Desk, Loaded


def plain(desk: Desk, loaded: Loaded) -> Iterator[Line]:
    """The lines of a match's file, but for the end."""
    match, version = loaded.match, loaded.version
    note = desk.sign(match.id, version, loaded.head.root)
    yield Header(
        match.id, f"tests/{match.id}", "sealed", match.game, match.variant, match.edition, match.ruleset, match.status,
        version, loaded.reading.now_ms, "tests",
    )  # fmt: skip
    for entry in desk.log.entries(match.id, 0, version):
        part = Part("full", randomness.salt(desk.draws, match.id, 0, entry.version, "full"), entry.sealed.decode())
        yield EntryLine(entry.version, entry.envelope.decode(), entry.root, (part,))
    yield CheckpointLine(note)
