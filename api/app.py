"""The Flask app, built from the environment or from a given configuration."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from api.http import metrics, request_log
from api.http.access import cors, hosts, limits, load_shedding, wrong_codes
from api.http.change_feed import ChangeFeed
from api.http.converters import CONVERTERS, converter_to_json_schema
from api.http.encoding import compression
from api.http.responses import OrjsonProvider
from api.lane import lane
from api.openapi import spec
from api.pages import companion, pages
from api.resources.boards import routes as boards
from api.resources.bots import routes as bots
from api.resources.bundles import routes as bundles
from api.resources.bundles import submissions
from api.resources.card_books import routes as card_books
from api.resources.card_tables import routes as card_tables
from api.resources.census import routes as census
from api.resources.decks import routes as decks
from api.resources.devices import routes as devices
from api.resources.disputes import routes as disputes
from api.resources.endings import routes as endings
from api.resources.entries import routes as entries
from api.resources.explanations import routes as explanations
from api.resources.games import routes as games
from api.resources.health import routes as health
from api.resources.hints import routes as hints
from api.resources.invitations import routes as invitations
from api.resources.matches import routes as matches
from api.resources.moves import routes as moves
from api.resources.officials import routes as officials
from api.resources.players import routes as players
from api.resources.players import stream as player_stream
from api.resources.proofs import of_tournaments as tournament_proofs
from api.resources.proofs import routes as proofs
from api.resources.push import routes as push
from api.resources.rematches import routes as rematches
from api.resources.reports import routes as reports
from api.resources.reveals import routes as reveals
from api.resources.rulings import routes as rulings
from api.resources.seats import routes as seats
from api.resources.standing_passes import routes as standing_passes
from api.resources.standings import plots
from api.resources.standings import routes as standings
from api.resources.standings.cache import LeaderboardCache
from api.resources.streams import routes as streams
from api.resources.streams import tickets as stream_tickets
from api.resources.takebacks import routes as takebacks
from api.resources.tournaments import exports as tournament_exports
from api.resources.tournaments import invitations as tournament_invitations
from api.resources.tournaments import officiating, tournament_stream
from api.resources.tournaments import people as tournament_people
from api.resources.tournaments import routes as tournaments
from api.resources.webhooks import routes as webhooks
from api.resources.windows import routes as windows
from referee.audit.bundles.export import BundleMetadata, collect_bundle_metadata
from referee.games import load_games
from referee.infrastructure.root_publisher import RootPublisher
from referee.infrastructure.telemetry import tracing
from referee.repository.proofs import Prover
from referee.service.tournament_service import TournamentService
from referee.transparency.receipts import Signer

BODY_LIMIT = 64 * 1024
RESOURCES = (  # in the order of the contract
    games,
    card_books,
    card_tables,
    rulings,
    matches,
    invitations,
    seats,
    rematches,
    moves,
    standing_passes,
    hints,
    entries,
    boards,
    reveals,
    bots,
    explanations,
    streams,
    stream_tickets,
    windows,
    players,
    player_stream,
    devices,
    push,
    decks,
    standings,
    plots,
    proofs,
    bundles,
    disputes,
    takebacks,
    endings,
    officials,
    tournaments,
    tournament_invitations,
    tournament_people,
    officiating,
    tournament_stream,
    tournament_exports,
    tournament_proofs,
    census,
    reports,
    webhooks,
    submissions,
    health,
    pages,
    companion,
)
load_games()  # read the games now: else the first request would wait for them, and every worker would read its own


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """Return the app.

    `config` may give it a SERVICE, the SECRET behind its tokens, and any of the settings below; the rest comes from the
    environment (`referee.infrastructure`). Raises HostError if that is incomplete.
    """
    app = Flask("api", static_folder=None)
    app.json = OrjsonProvider(app)
    # Flask's own log line would reveal the path; problems.py logs the error with the rule of the route
    app.log_exception = lambda exc_info: None  # type: ignore[method-assign]  # noqa: ARG005
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False  # an address that is not in the contract is 404
    app.config.from_mapping(
        MAX_CONTENT_LENGTH=BODY_LIMIT,
        PROPAGATE_EXCEPTIONS=False,
        OPEN_CREATION=True,
        OPEN_MATCHES_PER_ACCOUNT=100,
        OPEN_MATCHES_PER_ADDRESS=300,
        IS_OPERATOR=lambda _token: False,
        CORS_ORIGINS=(),
        RATES={},
        RATE_STORAGE="memory://",
        RATE_CONNECTIONS=None,
        LOG_LEVEL="info",
        PROXIES=0,
        PUBLIC_URL="",
        HOST_NAMES=None,
        METRICS_PORT="",
        LAN_URL="",
        STREAMS=240,
        MAX_REQUESTS=None,
        HOT_LANE=True,
        CLOCK=time.perf_counter,
        STREAMS_PER_TOKEN=0,
        STREAMS_PER_ADDRESS=0,
        ON_STOP=lambda _close: None,
        WEBHOOK_ALLOW=(),
        BUNDLE_METADATA=BundleMetadata,
        IS_STORE_UNSAFE=lambda: False,
        QUEUE_DETAILS=dict,
        DATA_DIR=None,
        REQUEST_VERDICT=lambda _bundle: None,
        REQUEST_HINT=lambda _match, _seat, _at: None,
    )
    given = dict(config or {})
    app.config.update(given if "SERVICE" in given else load_environment_config() | given)
    app.config.setdefault("SECRET", secrets.token_bytes(32))
    app.config.setdefault("WEBHOOK_KEY", app.config["SECRET"])
    if app.config["SERVICE"] is not None:
        app.config["TOURNAMENTS"] = TournamentService(app.config["SERVICE"])
    log: Any = getattr(app.config["SERVICE"], "log", None)  # None where only the contract is generated
    app.config.setdefault("PROVER", Prover(log))
    if "PUBLISHER" not in app.config:  # a service that was given without the key that signs for it
        app.config["PUBLISHER"] = RootPublisher(log, Signer.generate(), "store")
    feed = app.config["CHANGE_FEED"] = ChangeFeed(
        log,
        app.config["STREAMS"],
        of_token=app.config["STREAMS_PER_TOKEN"],
        of_address=app.config["STREAMS_PER_ADDRESS"],
    )
    app.config["ON_STOP"](feed.close)
    if app.config["SERVICE"] is not None:
        app.config["SERVICE"].on_written = feed.note_written
    app.config["STANDINGS"] = LeaderboardCache(feed.log)
    app.url_map.converters.update(CONVERTERS)
    request_log.init_app(app)
    counted = metrics.init_app(app)
    feed.on_slots_changed = counted.streams.set
    load_shedding.init_app(app)
    hosts.init_app(app, app.config["HOST_NAMES"])
    limits.init_app(app, app.config["RATE_STORAGE"], app.config["RATES"], app.config["RATE_CONNECTIONS"])
    wrong_codes.init_app(app, {**limits.DEFAULTS, **app.config["RATES"]}["joins"])
    cors.init_app(app, app.config["CORS_ORIGINS"])
    api = spec.init_app(app)
    for name, kind in CONVERTERS.items():
        if name != "int":  # apispec knows integers by itself
            api.register_converter(kind, converter_to_json_schema)
    for resource in RESOURCES:
        api.register_blueprint(resource.blueprint)
    if app.config["HOT_LANE"]:
        lane.init_app(app)
    companion.init_app(app)
    compression.init_app(app)
    if proxies := app.config["PROXIES"]:  # x_host=0: a proxy that does not set X-Forwarded-Host would pass on anything
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=0)  # type: ignore[method-assign]
    load_shedding.count_requests(app, counted.busy.set)
    if tracing.TRACING.tracer is not None:
        app.wsgi_app = tracing.TracedRequests(app.wsgi_app)  # type: ignore[method-assign, assignment]
    return app


def load_environment_config() -> dict[str, Any]:
    """Return match service, secret and policy as the environment sets them.

    Raises HostError.
    """
    from referee.infrastructure import composition, settings
    from referee.infrastructure.archives.archive import Archive
    from referee.infrastructure.archives.provenance import OriginStore
    from referee.infrastructure.clients import build_rate_limit_pool
    from referee.infrastructure.errors import StoreNotFoundError
    from referee.infrastructure.gunicorn import shutdown
    from referee.infrastructure.secrets import derive_key, is_operator_token, load_server_secret
    from referee.infrastructure.stores import check as store_check
    from referee.infrastructure.webhooks.url_policy import parse_networks

    found = settings.read_settings()
    with suppress(StoreNotFoundError):  # it may be away for a moment, when a process of the API starts again
        store_check.refuse_unsafe_store(found)
    counted = choose_rate_storage(found.queue_url)
    tracing.TRACING.start("api")  # here and not before, because this process is forked by now
    service = composition.build_match_service(found)
    tracing.trace_service(service)
    publisher = composition.build_publisher(found, service.log)
    origins = OriginStore(Archive(found.archive_path))
    return {
        "SERVICE": service,
        "PUBLISHER": publisher,
        "BUNDLE_METADATA": lambda: collect_bundle_metadata(publisher, origins),
        "REQUEST_VERDICT": composition.build_verdict_requester(found),
        "REQUEST_HINT": composition.build_hint_requester(found),
        "SECRET": derive_key(load_server_secret(found.secret_file), "tokens"),
        "WEBHOOK_KEY": derive_key(load_server_secret(found.secret_file), "webhooks"),
        "WEBHOOK_ALLOW": parse_networks(found.webhook_allow),
        "OPEN_CREATION": found.open_creation,
        "OPEN_MATCHES_PER_ACCOUNT": found.open_matches_per_account,
        "OPEN_MATCHES_PER_ADDRESS": found.open_matches_per_address,
        "IS_OPERATOR": lambda token: is_operator_token(found.operator_hash_file, token),
        "CORS_ORIGINS": found.cors_origins,
        "RATES": {name: getattr(found.rates, name) for name in limits.DEFAULTS},
        "RATE_STORAGE": counted,
        "RATE_CONNECTIONS": None if counted.startswith("memory:") else build_rate_limit_pool(str(found.queue_url)),
        "LOG_LEVEL": found.log_level,
        "PROXIES": found.trusted_proxies,
        "LAN_URL": found.lan_url,
        "PUBLIC_URL": found.public_url,
        "METRICS_PORT": str(found.metrics_bind[1]) if found.metrics_bind else "",
        "HOST_NAMES": found.host_names,
        "HOT_LANE": found.hot_lane,
        "IS_STORE_UNSAFE": store_check.build_store_check(found),
        "QUEUE_STATE": composition.build_queue_check(found),
        "QUEUE_DETAILS": composition.build_queue_survey(found),
        "DATA_DIR": found.data_dir,
        "STREAMS": found.max_streams,
        "MAX_REQUESTS": load_shedding.compute_request_limit(found.threads),
        "STREAMS_PER_TOKEN": found.streams_per_token,
        "STREAMS_PER_ADDRESS": found.max_streams_per_address,
        "ON_STOP": shutdown.add_stop_listener,
    }


def choose_rate_storage(queue_url: str | None) -> str:
    """Return where limits are counted: with the queue, or in this process.

    The process itself counts if there is no queue that other processes can reach.
    """
    if queue_url is None or queue_url.startswith("fake:"):
        return "memory://"
    return f"redis+{queue_url}" if queue_url.startswith("unix:") else queue_url
