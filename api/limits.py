"""How much one token or one address may ask; the counters live with the queue, never in the store.

A request is counted once for whoever asks, by one call of the queue's server, and once for its address in this process.
While that server is away, all counters are this process's own.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from threading import Lock
from typing import Any

import structlog
from flask import Flask, Response, current_app, g, request
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.errors import StorageError
from limits.storage import MemoryStorage, Storage, storage_from_string
from limits.strategies import FixedWindowRateLimiter

from api import tokens

ADDRESS_FACTOR = 10  # a LAN of players sits behind one address; a made-up token per request buys no more than this,
# from each process of the API, which counts addresses for itself
TRUE = ("true", "t", "1", "yes", "y", "on")  # as the schema reads it
FREE = ("/healthz", "/readyz")
DEFAULTS = {"reads": 600, "writes": 120, "dry_runs": 60, "joins": 10, "matches": 30}
HOURLY = ("matches",)
BY_ADDRESS = ("joins", "matches")  # asked for without a token
AGAIN_AFTER = 2.0  # seconds until a server of counters that was away is asked again
LOGGER = structlog.get_logger("referee.api")
DRY = ("judgePosition", "countPosition")  # stateless, and as dear as a dry run
OPENING = {"joinMatch": "joins", "makePlayer": "joins", "openMatch": "matches"}


def kind() -> str:
    """Which of the limits this request counts against."""
    operation = (request.endpoint or "").rpartition(".")[2]
    if operation in OPENING:
        return OPENING[operation]
    if operation in DRY or request.args.get("dry_run", "").lower() in TRUE:
        return "dry_runs"
    return "reads" if request.method in ("GET", "HEAD") else "writes"


def address() -> str:
    """The address that asks."""
    return request.remote_addr or "nowhere"


def asker() -> str:
    """Who asks, for counting: his token's hash where he shows one, else his address."""
    _, _, given = request.headers.get("Authorization", "").partition(" ")
    if tokens.TOKEN.fullmatch(given.strip()):
        return hashlib.sha256(given.strip().encode()).hexdigest()[:32]
    return address()


class Exceeded(Exception):
    """Somebody has asked too much: the limit, and in how many seconds he may ask again."""

    def __init__(self, limit: RateLimitItem, wait: int) -> None:
        super().__init__(str(limit))
        self.limit, self.wait = limit, wait


class Addresses:
    """How often each address has asked in this minute, of this process. (The library's counters in memory start a
    thread for every few requests, which cost more than the rest of the limits together, measured.)"""

    def __init__(self, limit: RateLimitItem) -> None:
        self._limit, self._began, self._asked = limit, 0.0, Counter[str]()
        self._lock = Lock()

    def hit(self, where: str, cost: int = 1) -> None:
        """Counts a request. Raises Exceeded."""
        now, lasts = time.monotonic(), self._limit.get_expiry()
        with self._lock:
            if now - self._began >= lasts:
                self._began, self._asked = now, Counter()
            self._asked[where] += cost
            if self._asked[where] > self._limit.amount:
                raise Exceeded(self._limit, max(1, int(self._began + lasts - now)))


class Limits:
    """The counters of one app. `shared` is where several processes count together."""

    def __init__(self, rates: dict[str, int], shared: Storage | None) -> None:
        per = {name: RateLimitItemPerHour if name in HOURLY else RateLimitItemPerMinute for name in DEFAULTS}
        self._of = {name: per[name](rates[name], 1, "referee") for name in DEFAULTS}
        self._addresses = Addresses(RateLimitItemPerMinute(rates["reads"] * ADDRESS_FACTOR, 1, "referee"))
        self._own = FixedWindowRateLimiter(MemoryStorage())
        self._shared = self._own if shared is None else FixedWindowRateLimiter(shared)
        self._away_until = 0.0

    def count(self, name: str, who: str, where: str) -> None:
        """Counts a request of a kind. Raises Exceeded."""
        self._addresses.hit(where)
        try:
            self._hit(self._counter(), self._of[name], name, who)
        except StorageError as away:
            self._away(away)
            self._hit(self._own, self._of[name], name, who)

    def count_address(self, where: str) -> None:
        """Counts a request that is of no kind. Raises Exceeded."""
        self._addresses.hit(where)

    def give_back(self, name: str, who: str, where: str) -> None:
        """Takes back what was counted: the request cost nothing."""
        self._addresses.hit(where, -1)
        try:
            self._counter().hit(self._of[name], name, who, cost=-1)
        except StorageError as away:
            self._away(away)

    def _hit(self, counter: FixedWindowRateLimiter, limit: RateLimitItem, *scope: str) -> None:
        if not counter.hit(limit, *scope):
            reset = counter.get_window_stats(limit, *scope).reset_time
            raise Exceeded(limit, max(1, int(reset - time.time())))

    def _counter(self) -> FixedWindowRateLimiter:
        return self._own if time.monotonic() < self._away_until else self._shared

    def _away(self, why: StorageError) -> None:
        LOGGER.warning("requests are counted by this process alone", cause=str(why.storage_error))
        self._away_until = time.monotonic() + AGAIN_AFTER


def before() -> None:
    """Counts the request. Raises Exceeded."""
    if request.method == "OPTIONS":  # a preflight bears no token, and brings nothing; a page sends one per address
        counters().count_address(address())
    elif request.path not in FREE:
        name = kind()
        who = address() if name in BY_ADDRESS else asker()
        counters().count(name, who, address())
        g.counted = name, who, address()  # else what is refused here would be given back


def after(response: Response) -> Response:
    """What the caller has already is free."""
    if response.status_code == 304 and (counted := g.pop("counted", None)) is not None:
        counters().give_back(*counted)
    return response


def counters() -> Limits:
    """The counters of this app."""
    found: Limits = current_app.config["LIMITS"]
    return found


def install(app: Flask, storage: str, rates: dict[str, Any], connections: Any = None) -> None:
    """Puts the limits before every request, also before those that lead nowhere. `storage`: the URL of the server that
    counts, or `memory://`; `connections`: to it, where it is a server."""
    shared: Any = None
    if storage != "memory://":
        given = {} if connections is None else {"connection_pool": connections}
        shared = storage_from_string(storage, key_prefix="referee", wrap_exceptions=True, **given)
    app.config["LIMITS"] = Limits({**DEFAULTS, **rates}, shared)
    app.before_request(before)
    app.after_request(after)
