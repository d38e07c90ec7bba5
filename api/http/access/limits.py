"""How much one token or one address may ask; the counters live with the queue, never in the store.

A request is counted once for whoever asks, on the queue's server, and once for its address in this process. A process
takes leave there for a few requests at a time (a call for each was a fifth of what a view costs, measured). So what
processes grant together is exact; but leave that one of them took and did not need is no other's, nor back when a new
minute begins there, so that a thirty-second part of a limit, for each process, may be missing or too much. While that
server is away, all counters are this process's own.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections import Counter, OrderedDict
from threading import Lock
from typing import Any

import structlog
from flask import Flask, Response, current_app, g, request
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.errors import StorageError
from limits.storage import MemoryStorage, Storage, storage_from_string
from limits.strategies import FixedWindowRateLimiter

from api.http.access import tokens

ADDRESS_FACTOR = 10  # a LAN of players sits behind one address; a made-up token per request buys no more than this,
# from each process of the API, which counts addresses for itself
TRUE = ("true", "t", "1", "yes", "y", "on")  # as the schema reads it
FREE = ("/healthz", "/readyz")
DEFAULTS = {"reads": 600, "writes": 120, "dry_runs": 60, "joins": 10, "matches": 30, "disputes": 6, "takebacks": 20}
DEFAULTS |= {"bundles": 12}
HOURLY = ("matches", "disputes", "takebacks", "bundles")
BY_ADDRESS = ("joins", "matches")  # asked for without a token
LEAVES = 32  # a limit is taken from its server in so many parts, or one by one if it is smaller than that
AT_A_TIME = 20  # and no more than this
ASKERS = 10_000  # whose leave is kept at most
STRIPES = 64  # askers at most for whom a process takes leave at a time
ROUNDED = 0.5  # seconds by which a server of counters may tell too little: it tells whole ones, the nearest
AGAIN_AFTER = 2.0  # seconds until a server of counters that was away is asked again
LOGGER = structlog.get_logger("referee.api")
DRY = (  # as dear as a dry run: stateless rulings, what a remedy would come to, a census, all of a match
    *("judgePosition", "countPosition"),
    *("getDispute", "getSeatDispute", "getFullDispute", "getRemedy", "getSeatRemedy", "getFullRemedy"),
    *("getCensus", "getSeatCensus", "getFullCensus"),
    *("getBundle", "getSeatBundle", "getFullBundle"),
)
OPENING = {
    **{"joinMatch": "joins", "makePlayer": "joins", "openMatch": "matches"},
    **{"openDispute": "disputes", "askTakeback": "takebacks"},
    **{"judgeBundle": "bundles"},
}


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


def whole(seconds: float) -> int:
    """So many whole seconds that whoever waits for them does not ask too early (Retry-After knows no parts)."""
    return max(1, math.ceil(seconds))


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
                raise Exceeded(self._limit, whole(self._began + lasts - now))


class Leave:
    """For how many more requests of each kind this process has leave, by whoever asks."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, ...], tuple[int, float]] = OrderedDict()
        self._lock = Lock()

    def used(self, *scope: str) -> bool:
        """Uses up leave for one request; False if there is none."""
        with self._lock:
            left, until = self._kept.get(scope, (0, 0.0))
            if left < 1 or until <= time.monotonic():
                return False
            self._kept[scope] = left - 1, until
            return True

    def add(self, more: int, seconds: float, *scope: str) -> None:
        """Leave for so many more, for so long."""
        if more < 1:
            return
        now = time.monotonic()
        with self._lock:
            left, until = self._kept.pop(scope, (0, 0.0))
            self._kept[scope] = (left + more, until) if until > now and left else (more, now + seconds)
            while len(self._kept) > ASKERS:
                self._kept.popitem(last=False)


class Limits:
    """The counters of one app. `shared` is where several processes count together."""

    def __init__(self, rates: dict[str, int], shared: Storage | None) -> None:
        per = {name: RateLimitItemPerHour if name in HOURLY else RateLimitItemPerMinute for name in DEFAULTS}
        self._of = {name: per[name](rates[name], 1, "referee") for name in DEFAULTS}
        self._addresses = Addresses(RateLimitItemPerMinute(rates["reads"] * ADDRESS_FACTOR, 1, "referee"))
        self._own = FixedWindowRateLimiter(MemoryStorage())
        self._shared = self._own if shared is None else FixedWindowRateLimiter(shared)
        self._leave, self._away_until = Leave(), 0.0
        self._taking = tuple(Lock() for _ in range(STRIPES))

    def count(self, name: str, who: str, where: str) -> None:
        """Counts a request of a kind. Raises Exceeded."""
        self._addresses.hit(where)
        if self._leave.used(name, who):
            return
        # one at a time for an asker: else everyone of many requests at once takes leave for many, and others go short
        with self._taking[hash((name, who)) % STRIPES]:
            if not self._leave.used(name, who):
                self._take(name, who)

    def _take(self, name: str, who: str) -> None:
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
        self._leave.add(1, self._of[name].get_expiry(), name, who)

    def _hit(self, counter: FixedWindowRateLimiter, limit: RateLimitItem, *scope: str) -> None:
        ask = max(1, min(limit.amount // LEAVES, AT_A_TIME))
        total = counter.storage.incr(limit.key_for(*scope), limit.get_expiry(), amount=ask)
        granted = ask - max(0, total - limit.amount)
        if granted < 1:
            left = counter.get_window_stats(limit, *scope).reset_time - time.time() + ROUNDED
            raise Exceeded(limit, min(whole(left), limit.get_expiry()))
        self._leave.add(granted - 1, limit.get_expiry(), *scope)

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
