"""`referee keys`: lists or rotates the keys that sign receipts."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import click

from referee.cli.output import print_json
from referee.eventstore.contract import MatchLog, StoreUnavailable
from referee.infrastructure.clients import derive_store_id, open_match_log
from referee.infrastructure.composition import extend_missed_deadlines
from referee.infrastructure.embedded.servers import EmbeddedServers, find_store_url
from referee.infrastructure.errors import StoreNotFoundError
from referee.infrastructure.keyring import Keyring, is_rotation_pending, rotate_key
from referee.infrastructure.root_publisher import RootPublisher
from referee.infrastructure.settings import Settings
from referee.infrastructure.watermarks.mark_file import MarksUnavailable, build_marks_error
from referee.transparency.key_chain import ChainKey, find_trusted_keys


@dataclass(frozen=True)
class KeyStatus:
    """A key of the chain, whether it signs now, and whether it is trusted.

    `vouched`: the first key vouches for it, directly or through the keys in between.
    """

    key: ChainKey
    signs: bool
    vouched: bool

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the public key, in hex."""
        return hashlib.sha256(self.key.public).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """Return the key as JSON data."""
        return {
            "fingerprint": self.fingerprint,
            "public": self.key.public.hex(),
            "since": format_time(self.key.since_ms),
            "signs": self.signs,
            "vouched": self.vouched,
        }


def print_keys(settings: Settings, *, as_json: bool) -> None:
    """Print the keys of the chain, oldest first.

    Raises HostError, StoreNotFoundError.
    """
    with open_log(settings) as log:
        ring, store = Keyring(settings.signing_key_file), derive_store_id(settings)
        chain = RootPublisher(log, ring, store).ensure_key_published()
    trusted = find_trusted_keys(chain, store=store)
    keys = [KeyStatus(key, key.public == ring.public, key.public in trusted) for key in chain]
    broken_off = is_rotation_pending(settings.signing_key_file)
    if as_json:
        print_json({"store": store, "keys": [key.to_dict() for key in keys], "rotation_broken_off": broken_off})
        return
    click.echo(f"store {store}")
    for each in keys:
        notes = [note for note, so in (("signs now", each.signs), ("NOTHING VOUCHES FOR IT", not each.vouched)) if so]
        click.echo(f"{each.fingerprint}  since {format_time(each.key.since_ms)}  {', '.join(notes)}".rstrip())
        click.echo(f"  for others: referee verify FILE --key {each.key.public.hex()}")
    if broken_off:
        click.echo("a rotation was interrupted: `referee keys rotate` completes it")


def rotate_signing_key(settings: Settings, *, as_json: bool) -> None:
    """Replace the signing key by a new one, and print both fingerprints.

    A rotation that was interrupted is completed. Raises HostError, StoreNotFoundError.
    """
    with open_log(settings) as log:
        done = rotate_key(settings.signing_key_file, log, derive_store_id(settings))
    now, before = hashlib.sha256(done.key.public).hexdigest(), hashlib.sha256(done.before).hexdigest()
    if as_json:
        print_json(
            {"before": before, "fingerprint": now, "since": format_time(done.key.since_ms), "resumed": done.resumed}
        )
        return
    if done.resumed:
        click.echo("an interrupted rotation is complete now")
    click.echo(f"{now} signs since {format_time(done.key.since_ms)}; {before} vouches for it")
    click.echo("a running server uses it by itself; other machines with a copy of the key file need the new file")


@contextlib.contextmanager
def open_log(settings: Settings, *, plays: bool = False) -> Iterator[MatchLog]:
    """Open the log in the store that the settings name.

    If they name none, it is the store that a server runs in their data directory. If no server runs there, the store of
    that directory is started and stopped again.

    `plays`: the caller lets clocks run out. Then deadlines that passed while the store was stopped are extended first,
    as a starting server does. Raises HostError, StoreNotFoundError.
    """
    url = settings.store_url or find_store_url(settings.data_dir)
    with contextlib.ExitStack() as cleanup:
        if url is None:
            if not (settings.data_dir / "store").exists():
                raise StoreNotFoundError(
                    f"no server has run in {settings.data_dir}; name its directory, or set REFEREE_STORE_URL"
                )
            keeper = cleanup.enter_context(EmbeddedServers(settings.data_dir, store=True, queue=False))
            url = keeper.store_url
        try:
            log = open_match_log(replace(settings, store_url=url))
            if plays:
                extend_missed_deadlines(replace(settings, store_url=url), log)
            yield log
        except MarksUnavailable as wrong:
            raise build_marks_error(wrong) from wrong
        except StoreUnavailable as away:
            raise StoreNotFoundError(f"the store does not answer: {away}") from away


def format_time(ms: int) -> str:
    """Format a time in ms as RFC 3339 in UTC, to the second."""
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
