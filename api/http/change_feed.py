"""The change feed: one reader follows the store and wakes everybody who waits.

A thread that waits holds no connection to the store. The reader of this process follows the partitions of watched
matches, and wakes the subscribers of each match that changed. They read for themselves what changed. So a superfluous
wake-up does no harm, and the next heartbeat makes up for a lost one.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import structlog

from referee.eventstore.contract import MatchLog, PartitionProgress, StoreUnavailable, partition_for_match

HEARTBEAT_SECONDS = 10.0  # seconds after which every subscriber looks by itself, whatever the reader has noticed
STORE_WAIT_MS = 100  # how long the reader waits for the store at a time; a newly watched partition waits as long
POLL_PAUSE = 0.025  # seconds between two looks where the store cannot wait
AWAY_PAUSE = 0.5  # seconds before an unavailable store is tried again
PART_PAUSE = 5.0  # and before a partition is whose server alone is away: asking may take as long as a request waits
LOGGER = structlog.get_logger("referee.api")


class Subscription:
    """A subscriber that waits for changes of one match.

    Subscriptions that share `woken` wake the same subscriber, who waits for several matches at once.
    """

    def __init__(self, hub: ChangeFeed, match: str, woken: threading.Event | None = None) -> None:
        self.match, self._hub, self._woken = match, hub, woken or threading.Event()

    def arm_wakeup(self) -> tuple[int, int]:
        """Return the counts of changes and of visits.

        Any change after this call wakes the next `wait`.
        """
        self._woken.clear()
        return self._hub.get_change_counts(self.match)

    def wait(self, seconds: float) -> bool:
        """Wait for a change of the match, the end of the server, or the end of the time.

        Return whether something woke it.
        """
        return not self._hub.closing and self._woken.wait(max(0.0, seconds))

    def wake(self) -> None:
        """End the wait."""
        self._woken.set()

    def close(self) -> None:
        """End the subscription; a second call does nothing."""
        self._hub.end_subscription(self)


class NoSlotError(Exception):
    """No more waiting is allowed: all `limit` slots are taken.

    `own` says that this is the limit of one token or address, not of the server.
    """

    def __init__(self, limit: int, own: bool) -> None:
        super().__init__(f"{limit} places are taken")
        self.limit, self.own = limit, own


class Slot:
    """A slot held until it is released; a second release does nothing."""

    def __init__(self, hub: ChangeFeed, kind: str, shares: tuple[str, ...]) -> None:
        self._hub, self._left, self.kind, self.shares = hub, False, kind, shares

    def release(self) -> None:
        """Give the slot back."""
        if not self._left:
            self._left = True
            self._hub.release_slot(self)


class ChangeFeed:
    """The reader, the subscriptions, and the slots of those who wait.

    `places` is how many may wait at a time: each holds a thread. Of these one token may hold `of_token` and one address
    `of_address` (0: no limit).
    """

    def __init__(
        self, log: MatchLog, places: int, beat: float = HEARTBEAT_SECONDS, of_token: int = 0, of_address: int = 0
    ) -> None:
        self.log, self.places, self.beat, self.closing = log, places, beat, False
        self._shares = {"token": of_token, "address": of_address}
        self._held: Counter[str] = Counter()
        self._held_by: Counter[str] = Counter()
        self.on_slots_changed: Callable[[int], None] = lambda _held: None  # called with how many slots are held
        self._watches: dict[str, set[Subscription]] = {}
        self._ticks: dict[str, int] = {}
        self._visit_ticks: dict[str, int] = {}
        self._written: dict[str, int] = {}  # versions of which this process has told the subscribers itself
        self._count = 0
        self._changed = threading.Condition()
        self._reader: threading.Thread | None = None
        self._rests: dict[int, float] = {}  # until when the reader leaves partitions alone whose server is away
        self._shared: dict[tuple[str, Any], Any] = {}

    @property
    def held_slots(self) -> int:
        """The number of slots held by streams and long polls."""
        return self._held.total()

    def count_held_slots(self, kind: str) -> int:
        """Return how many slots of one kind are held: `stream`, `poll` or `projection`."""
        return self._held[kind]

    def acquire_slot(self, kind: str, *, token: str = "", address: str = "") -> Slot:
        """Take a slot for this token and this address.

        Raises NoSlotError, also if the server stops.
        """
        limits = {f"{of}:{who}": self._shares[of] for of, who in (("token", token), ("address", address)) if who}
        with self._changed:
            if self.closing or self.held_slots >= self.places:
                raise NoSlotError(self.places, False)
            for share, most in limits.items():
                if most and self._held_by[share] >= most:
                    raise NoSlotError(most, True)
            self._held[kind] += 1
            self._held_by.update(limits.keys())
            self.on_slots_changed(self.held_slots)
            return Slot(self, kind, tuple(limits))

    def release_slot(self, place: Slot) -> None:
        """Free a slot."""
        with self._changed:
            self._held[place.kind] -= 1
            self._held_by.subtract(place.shares)
            self.on_slots_changed(self.held_slots)
            for share in place.shares:
                if not self._held_by[share]:
                    del self._held_by[share]

    def subscribe_to_match(self, match: str, woken: threading.Event | None = None) -> Subscription:
        """Begin to watch a match."""
        made = Subscription(self, match, woken)
        with self._changed:
            self._watches.setdefault(match, set()).add(made)
            self._ticks.setdefault(match, self._next_tick())
            self._visit_ticks.setdefault(match, self._ticks[match])
            if self._reader is None and not self.closing:
                self._reader = threading.Thread(target=self._run_reader, name="hub", daemon=True)
                self._reader.start()
            self._changed.notify_all()
        return made

    def end_subscription(self, watch: Subscription) -> None:
        """End a subscription.

        What the subscribers of a match share is dropped with the last of them.
        """
        with self._changed:
            left = self._watches.get(watch.match, set())
            left.discard(watch)
            if not left:
                self._watches.pop(watch.match, None)
                for counts in (self._ticks, self._visit_ticks, self._written):
                    counts.pop(watch.match, None)
                for key in [key for key in self._shared if key[0] == watch.match]:
                    del self._shared[key]

    def get_or_create_shared(self, match: str, name: Any, made: Any) -> Any:
        """Return what the subscribers of a match share under `name`.

        `made` creates it for the first of them.
        """
        with self._changed:
            if (match, name) not in self._shared:
                self._shared[match, name] = made()
            return self._shared[match, name]

    def get_change_counts(self, match: str) -> tuple[int, int]:
        """Return the counts of all changes of a match and of visits: they rise with each."""
        with self._changed:
            return self._ticks.get(match, 0), self._visit_ticks.get(match, 0)

    def note_written(self, match: str, version: int) -> None:
        """Wake the subscribers of a match that this process has just written.

        The reader need not tell them again.
        """
        if match in self._watches:
            with self._changed:
                if match in self._watches:
                    self._written[match] = version
            self.wake_subscribers(match)

    def wake_subscribers(self, *matches: str, visited: bool = False) -> None:
        """Wake the subscribers of these matches.

        `visited` says that somebody may have come or gone.
        """
        with self._changed:
            for match in matches:
                if match in self._ticks:
                    self._ticks[match] = self._next_tick()
                    if visited:
                        self._visit_ticks[match] = self._ticks[match]
                for watch in self._watches.get(match, ()):
                    watch.wake()

    def close(self) -> None:
        """End every wait for good, because the server stops."""
        with self._changed:
            self.closing = True
            self._changed.notify_all()
            for watches in self._watches.values():
                for watch in watches:
                    watch.wake()

    def _next_tick(self) -> int:
        """Return a change count that no match has had.

        So a new subscriber never takes an old count for the present one.
        """
        self._count += 1
        return self._count

    # -- the reader ------------------------------------------------------------------------------------------------

    def _wait_for_watched_matches(self) -> dict[int, list[str]] | None:
        """Wait for watched matches and return them by partition; None means stop."""
        with self._changed:
            while not self._watches and not self.closing:
                self._changed.wait()
            if self.closing:
                return None
            found: dict[int, list[str]] = {}
            for match in self._watches:
                found.setdefault(partition_for_match(match), []).append(match)
            return found

    def _watched_matches_in(self, partition: int) -> list[str]:
        """Return the matches of a partition that are watched by now.

        Some may have been added since the reader looked.
        """
        with self._changed:
            return [match for match in self._watches if partition_for_match(match) == partition]

    def _select_untold(self, versions: Mapping[str, int]) -> list[str]:
        """Return the matches of whose version this process has not told by itself."""
        with self._changed:
            return [match for match, version in versions.items() if version > self._written.get(match, 0)]

    def _forget_written(self, matches: Iterable[str]) -> None:
        """Forget which versions were told.

        A store that was restored to an earlier state writes them again.
        """
        with self._changed:
            for match in matches:
                self._written.pop(match, None)

    def _run_reader(self) -> None:
        progress: dict[int, PartitionProgress] = {}
        beat = time.monotonic() + self.beat
        while (watched := self._wait_for_watched_matches()) is not None:
            try:
                if time.monotonic() >= beat:
                    beat = time.monotonic() + self.beat
                    progress = {each: tide for each, tide in progress.items() if not self._is_behind(each, tide)}
                progress = self._poll_partitions(progress, watched)
            except StoreUnavailable as away:
                LOGGER.warning("streams wait for the store", cause=str(away))
                progress = {}
                time.sleep(AWAY_PAUSE)
            except Exception as wrong:  # nothing else would report it, and all streams would fall silent
                LOGGER.error("the reader of streams stumbled", exc_info=wrong)
                progress = {}
                time.sleep(AWAY_PAUSE)

    def _is_behind(self, partition: int, tide: PartitionProgress) -> bool:
        """Return whether the store stands before what was followed.

        Then it was restored to an earlier state.
        """
        now = self.log.read_progress(partition)
        return now.position < tide.position or now.notes < tide.notes

    def _poll_partitions(
        self, progress: dict[int, PartitionProgress], watched: dict[int, list[str]]
    ) -> dict[int, PartitionProgress]:
        """Look once at the watched partitions, and return their progress after it.

        A part of a cluster may be away while the others go on.
        """
        now = {partition: progress[partition] for partition in watched if partition in progress}
        began = time.monotonic()
        # those that were away come last, or they would hold up the others again and again
        for partition in sorted(watched.keys() - now.keys(), key=lambda each: self._rests.get(each, 0.0)):
            if now and began < self._rests.get(partition, 0.0):
                break
            try:
                now[partition] = self.log.read_progress(partition)
            except StoreUnavailable as away:
                self._rests[partition] = time.monotonic() + PART_PAUSE
                if not now:
                    raise
                LOGGER.warning("streams wait for a part of the store", partition=partition, cause=str(away))
                break  # others of that server would take as long, and those that are followed have waited
            self._rests.pop(partition, None)
            # earlier changes are not reported any more, so every subscriber looks
            matches = self._watched_matches_in(partition)
            self._forget_written(matches)
            self.wake_subscribers(*matches, visited=True)
        for partition, changes in self.log.wait_for_changes(now, STORE_WAIT_MS).items():
            now[partition] = changes.progress
            self.wake_subscribers(*self._select_untold(changes.versions))
            self.wake_subscribers(*changes.visited, visited=True)
        time.sleep(max(0.0, POLL_PAUSE - (time.monotonic() - began)))  # so that a burst wakes its subscribers once
        return now


class WatchingStream:
    """A stream that holds a slot, and that several logs wake."""

    def __init__(self, feed: ChangeFeed, slot: Slot) -> None:
        self._feed, self._slot = feed, slot
        self._woken = threading.Event()
        self._watches: dict[str, Subscription] = {}

    def _watch(self, name: str) -> None:
        """Be woken by the log of a match or a tournament."""
        self._watches[name] = self._feed.subscribe_to_match(name, self._woken)

    def close(self) -> None:
        """Give back slot and subscriptions; a second time does nothing."""
        for watch in self._watches.values():
            watch.close()
        self._slot.release()
