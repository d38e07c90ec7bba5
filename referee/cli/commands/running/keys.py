"""`referee keys`: which keys sign this server's receipts, and putting a new one in the place of the old."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import click

from referee.cli.output import print_json
from referee.eventstore.contract import MatchLog, StoreAway
from referee.infrastructure.clients import match_log, store_id
from referee.infrastructure.composition import graced
from referee.infrastructure.embedded.servers import Keeper, store_of
from referee.infrastructure.errors import NoStore
from referee.infrastructure.keyring import Keyring, pending, rotate
from referee.infrastructure.root_publisher import Publisher
from referee.infrastructure.settings import Settings
from referee.transparency.key_chain import ChainKey, vouched


@dataclass(frozen=True)
class Known:
    """A key of the chain: whether it signs now, and whether the first key vouches for it, by way of the others."""

    key: ChainKey
    signs: bool
    vouched: bool

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the public key, in hex."""
        return hashlib.sha256(self.key.public).hexdigest()

    def told(self) -> dict[str, Any]:
        """The key as JSON data."""
        return {
            "fingerprint": self.fingerprint,
            "public": self.key.public.hex(),
            "since": moment(self.key.since_ms),
            "signs": self.signs,
            "vouched": self.vouched,
        }


def listed(settings: Settings, *, as_json: bool) -> None:
    """Prints the keys of the chain, oldest first. Raises HostError, NoStore."""
    with reached(settings) as log:
        ring, store = Keyring(settings.signing_key_file), store_id(settings)
        chain = Publisher(log, ring, store).keys()
    trusted = vouched(chain, store=store)
    keys = [Known(key, key.public == ring.public, key.public in trusted) for key in chain]
    broken_off = pending(settings.signing_key_file)
    if as_json:
        print_json({"store": store, "keys": [key.told() for key in keys], "rotation_broken_off": broken_off})
        return
    click.echo(f"store {store}")
    for known in keys:
        notes = [note for note, so in (("signs now", known.signs), ("NOTHING VOUCHES FOR IT", not known.vouched)) if so]
        click.echo(f"{known.fingerprint}  since {moment(known.key.since_ms)}  {', '.join(notes)}".rstrip())
    if broken_off:
        click.echo("a rotation was broken off: `referee keys rotate` goes on with it")


def rotated(settings: Settings, *, as_json: bool) -> None:
    """Puts a new key in the old one's place, and says which. Raises HostError, NoStore."""
    with reached(settings) as log:
        done = rotate(settings.signing_key_file, log, store_id(settings))
    now, before = hashlib.sha256(done.key.public).hexdigest(), hashlib.sha256(done.before).hexdigest()
    if as_json:
        print_json({"before": before, "fingerprint": now, "since": moment(done.key.since_ms), "resumed": done.resumed})
        return
    if done.resumed:
        click.echo("a rotation that was broken off is done now")
    click.echo(f"{now} signs since {moment(done.key.since_ms)}, named by {before}")
    click.echo("a server that runs takes it up by itself; hosts that have copies of the file need the new one")


@contextlib.contextmanager
def reached(settings: Settings, *, plays: bool = False) -> Iterator[MatchLog]:
    """The log in the store that the settings name, or that a server runs in their directory; where none runs, the store
    of that directory is started for so long. `plays`: what is done lets clocks run out; those that did while the store
    was stopped are given time then, as by a server that starts. Raises HostError, NoStore."""
    url = settings.store_url or store_of(settings.data_dir)
    with contextlib.ExitStack() as cleanup:
        if url is None:
            if not (settings.data_dir / "store").exists():
                raise NoStore(f"no server has run in {settings.data_dir}; name its directory, or set REFEREE_STORE_URL")
            keeper = cleanup.enter_context(Keeper(settings.data_dir, store=True, queue=False))
            url = keeper.store_url
        try:
            log = match_log(replace(settings, store_url=url))
            if plays:
                graced(replace(settings, store_url=url), log)
            yield log
        except StoreAway as away:
            raise NoStore(f"the store does not answer: {away}") from away


def moment(ms: int) -> str:
    """A time in ms as RFC 3339 in UTC, to the second."""
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
