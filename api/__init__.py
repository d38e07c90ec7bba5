"""The API: Flask turns HTTP into calls to the desk and back; it decides nothing."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from typing import Any

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import BaseConverter, IntegerConverter

from api import (
    books,
    bundles,
    capacity,
    census,
    contract,
    cors,
    decks,
    disputes,
    docs,
    explaining,
    games,
    handed,
    headers,
    invitations,
    limits,
    log,
    matches,
    metrics,
    moves,
    openings,
    passes,
    players,
    proofs,
    reports,
    rulings,
    seats,
    service,
    standings,
    takebacks,
    webhooks,
)
from api import streams as live
from api import windows as reactions
from api.answers import OrjsonProvider
from api.bots import room as bots
from api.hub import Hub
from api.ladders import AllStandings
from api.schemas.fields import WINDOW
from referee.audit.making import Beside, beside
from referee.desk.court.records import REMEDIES
from referee.desk.proving import Prover
from referee.games import games as registered
from referee.hosting.publishing import Publisher
from referee.hosting.signing import Signer

BODY_LIMIT = 64 * 1024
ROOMS = (
    *(games.room, books.room, rulings.room, matches.room, invitations.room, seats.room, moves.room, passes.room),
    *(log.room, openings.room, bots, explaining.room, live.room, reactions.room, players.room, decks.room),
    *(standings.room, proofs.room, bundles.room, disputes.room, takebacks.room, census.room, reports.room),
    *(webhooks.room, handed.room, service.room, docs.room),
)
registered()  # the games are read now: else the first request would wait for them, and every worker read its own


class Patterned(BaseConverter):
    """A part of an address that has to look like this; anything else leads nowhere."""

    part_isolating = True


class MatchId(Patterned):
    """A match: its partition, then its name."""

    regex = "(?:[0-5][0-9]|6[0-3])-[a-z]{26}"


class Whole(IntegerConverter):
    """A whole number in plain digits and in one form: what else Unicode calls a digit, or with a nought before it,
    leads nowhere."""

    regex = "(?:0|[1-9][0-9]{0,9})"


class SeatNumber(Patterned):
    """A seat: 0, 1, …"""

    regex = "(?:1?[0-9])"

    def to_python(self, value: str) -> int:
        return int(value)


class Mover(Patterned):
    """A seat, or `chance`."""

    regex = "(?:1?[0-9]|chance)"

    def to_python(self, value: str) -> int | str:
        return value if value == "chance" else int(value)


class GameName(Patterned):
    """A game."""

    regex = "[a-z][a-z_]{0,40}"


class PlayerId(Patterned):
    """An account of a player."""

    regex = "pl-[a-z]{26}"


class DeckName(Patterned):
    """A deck, as its player calls it in addresses."""

    regex = "[a-z0-9][a-z0-9_-]{0,39}"


class Word(Patterned):
    """The name of a clause, a card, an invitation or a problem."""

    regex = "[A-Za-z0-9_.-]{1,64}"


class EditionName(Patterned):
    """An edition, or a card, which may be one of a card book: both end in the first digits of its hash."""

    regex = "[A-Za-z0-9_.@-]{1,64}"


class WindowName(Patterned):
    """A window, by the event that opened it."""

    regex = f"(?:{WINDOW})"


class RemedyName(Patterned):
    """A remedy."""

    regex = f"(?:{'|'.join(REMEDIES)})"


class BundleName(Patterned):
    """A bundle that somebody handed in."""

    regex = "bd-[a-z]{26}"


CONVERTERS = {
    "int": Whole, "match": MatchId, "seat": SeatNumber, "mover": Mover, "name": GameName, "word": Word,
    "window": WindowName, "player": PlayerId, "deck": DeckName, "edition": EditionName, "remedy": RemedyName,
    "bundle": BundleName,
}  # fmt: skip


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """The app. `config` may hand it a DESK, the SECRET behind its tokens and any of the settings below; what it does
    not say comes from the environment (`referee.hosting`). Raises HostError where that is wanting."""
    app = Flask("api", static_folder=None)
    app.json = OrjsonProvider(app)
    # Flask's own line would tell the path; problems.py logs the fault with the rule
    app.log_exception = lambda exc_info: None  # type: ignore[method-assign]  # noqa: ARG005
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False  # an address that is not in the contract leads nowhere
    app.config.from_mapping(
        MAX_CONTENT_LENGTH=BODY_LIMIT,
        PROPAGATE_EXCEPTIONS=False,
        OPEN_CREATION=True,
        IS_OPERATOR=lambda _token: False,
        CORS_ORIGINS=(),
        RATES={},
        RATE_STORAGE="memory://",
        RATE_CONNECTIONS=None,
        LOG_LEVEL="info",
        PROXIES=0,
        PUBLIC_URL="",
        STREAMS=240,
        AT_ONCE=None,
        CLOCK=time.perf_counter,
        STREAMS_PER_TOKEN=0,
        STREAMS_PER_ADDRESS=0,
        ON_STOP=lambda _close: None,
        WEBHOOK_ALLOW=(),
        BESIDE=Beside,
        ASK_VERDICT=lambda _bundle: None,
    )
    given = dict(config or {})
    app.config.update(given if "DESK" in given else from_environment() | given)
    app.config.setdefault("SECRET", secrets.token_bytes(32))
    app.config.setdefault("WEBHOOK_KEY", app.config["SECRET"])
    log = getattr(app.config["DESK"], "log", None)
    app.config.setdefault("PROVER", Prover(log))
    if "PUBLISHER" not in app.config:  # a desk that was handed in without the key that signs for it
        app.config["PUBLISHER"] = Publisher(log, Signer.made(), "store")
    hub = app.config["HUB"] = Hub(
        getattr(app.config["DESK"], "log", None),
        app.config["STREAMS"],
        of_token=app.config["STREAMS_PER_TOKEN"],
        of_address=app.config["STREAMS_PER_ADDRESS"],
    )
    app.config["ON_STOP"](hub.close)
    app.config["STANDINGS"] = AllStandings(hub.log)
    if proxies := app.config["PROXIES"]:  # Host is left as it came: a proxy that does not set it would pass on anything
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=0)  # type: ignore[method-assign]
    app.url_map.converters.update(CONVERTERS)
    headers.install(app)
    counted = metrics.install(app)
    hub.noted = counted.streams.set
    capacity.install(app, counted.busy.set)
    limits.install(app, app.config["RATE_STORAGE"], app.config["RATES"], app.config["RATE_CONNECTIONS"])
    cors.install(app, app.config["CORS_ORIGINS"])
    api = contract.install(app)
    for name, kind in CONVERTERS.items():
        if name != "int":  # which the contract knows by what it is
            api.register_converter(kind, shape)
    for room in ROOMS:
        api.register_blueprint(room)
    return app


def shape(converter: BaseConverter) -> dict[str, Any]:
    """The JSON Schema of a part of an address."""
    if isinstance(converter, SeatNumber):
        return {"type": "integer", "minimum": 0, "maximum": 19}
    return {"type": "string", "pattern": f"^{converter.regex}$".replace("(?:", "(")}


def from_environment() -> dict[str, Any]:
    """Desk, secret and policy as the environment has them. Raises HostError."""
    from referee.hosting import assembly, settings, stopping
    from referee.hosting.archive import Archive
    from referee.hosting.clients import counting_pool
    from referee.hosting.foreign import Origins
    from referee.hosting.hooks.addresses import networks
    from referee.hosting.secrets import derived, is_operator, server_secret

    found = settings.load()
    counted = rate_storage(found.queue_url)
    desk = assembly.desk(found)
    publisher = assembly.publisher(found, desk.log)
    origins = Origins(Archive(found.archive))
    return {
        "DESK": desk,
        "PUBLISHER": publisher,
        "BESIDE": lambda: beside(publisher, origins),
        "ASK_VERDICT": assembly.verdicts(found),
        "SECRET": derived(server_secret(found.secret_file), "tokens"),
        "WEBHOOK_KEY": derived(server_secret(found.secret_file), "webhooks"),
        "WEBHOOK_ALLOW": networks(found.webhook_allow),
        "OPEN_CREATION": found.open_creation,
        "IS_OPERATOR": lambda token: is_operator(found.operator_hash_file, token),
        "CORS_ORIGINS": found.cors_origins,
        "RATES": {name: getattr(found.rates, name) for name in limits.DEFAULTS},
        "RATE_STORAGE": counted,
        "RATE_CONNECTIONS": None if counted.startswith("memory:") else counting_pool(str(found.queue_url)),
        "LOG_LEVEL": found.log_level,
        "PROXIES": found.trusted_proxies,
        "QUEUE_STATE": assembly.queue_state(found),
        "STREAMS": found.streams,
        "AT_ONCE": capacity.at_once(found.threads),
        "STREAMS_PER_TOKEN": found.streams_per_token,
        "STREAMS_PER_ADDRESS": found.streams_of_an_address,
        "ON_STOP": stopping.tell,
    }


def rate_storage(queue_url: str | None) -> str:
    """Where limits are counted: with the queue, or in this process if there is none that others can reach."""
    if queue_url is None or queue_url.startswith("fake:"):
        return "memory://"
    return f"redis+{queue_url}" if queue_url.startswith("unix:") else queue_url
