"""How much one token or one address may ask; the counters live with the queue, never in the store."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from flask import Flask, Response, current_app, request
from flask_limiter import ApplicationLimit, Limiter

from api import tokens

ADDRESS_FACTOR = 10  # a LAN of players sits behind one address; a made-up token per request buys no more than this
FREE = ("/healthz", "/readyz")
DEFAULTS = {"reads": 600, "writes": 120, "dry_runs": 60, "joins": 10, "matches": 30}
HOURLY = ("matches",)
DRY = ("judgePosition", "countPosition")  # stateless, and as dear as a dry run
OPENING = {"joinMatch": "joins", "openMatch": "matches"}


def kind() -> str:
    """Which of the limits this request counts against."""
    operation = (request.endpoint or "").rpartition(".")[2]
    if operation in OPENING:
        return OPENING[operation]
    if operation in DRY or request.args.get("dry_run", "").lower() in ("true", "1"):
        return "dry_runs"
    return "reads" if request.method in ("GET", "HEAD", "OPTIONS") else "writes"


def address() -> str:
    """The address that asks."""
    return request.remote_addr or "nowhere"


def asker() -> str:
    """Who asks, for counting: his token's hash where he shows one, else his address."""
    _, _, given = request.headers.get("Authorization", "").partition(" ")
    if tokens.TOKEN.fullmatch(given.strip()):
        return hashlib.sha256(given.strip().encode()).hexdigest()[:32]
    return address()


def counted(response: Response) -> bool:
    """Whether a request uses up some of the limit: what the caller has already is free."""
    return response.status_code != 304


def limit(name: str, by: Callable[[], str], factor: int = 1) -> ApplicationLimit:
    """The limit of this name; the counters of two limits never meet, whatever the settings."""

    def amount() -> str:
        per = "hour" if name in HOURLY else "minute"
        return f"{current_app.config['RATES'][name] * factor}/{per}"

    return ApplicationLimit(
        amount,
        key_function=by,
        scope=f"{name}-{by.__name__}",
        exempt_when=lambda: request.path in FREE or (factor == 1 and kind() != name),
        deduct_when=counted if name == "reads" else None,
    )


def install(app: Flask, storage: str, rates: dict[str, Any], connections: Any = None) -> Limiter:
    """Puts the limits before every request, also before those that lead nowhere. `connections`: to the storage, where
    it is a server."""
    app.config["RATES"] = {**DEFAULTS, **rates}
    limiter = Limiter(
        asker,
        application_limits=[
            limit("reads", address, ADDRESS_FACTOR),
            *(limit(name, address if name in ("joins", "matches") else asker) for name in DEFAULTS),
        ],
        storage_uri=storage,
        storage_options={} if connections is None else {"connection_pool": connections},
        strategy="fixed-window",
        headers_enabled=False,
        in_memory_fallback_enabled=True,
        swallow_errors=True,  # an answer that is made already is not lost because it cannot be counted
        request_identifier=lambda: request.endpoint or "unmatched",
        key_prefix="referee",
    )
    limiter.init_app(app)
    app.config["LIMITER"] = limiter
    return limiter
