"""Builds the context of a worker process from the environment."""

from __future__ import annotations

from typing import Any

from referee.infrastructure.clients import (
    build_queue_client,
    build_run_id_reader,
    build_store_client,
    open_match_log,
)
from referee.infrastructure.composition import build_match_service, build_publisher
from referee.infrastructure.secrets import derive_key, load_server_secret
from referee.infrastructure.settings import read_settings
from referee.infrastructure.telemetry.tracing import trace_service
from referee.infrastructure.webhooks.http_client import WebhookSender
from referee.infrastructure.webhooks.url_policy import parse_networks
from workers.context import WorkerContext
from workers.queues import RedisJobQueue
from workers.webhooks.dispatcher import Dispatcher

_context: WorkerContext | None = None
_office: Dispatcher | None = None


def current_context() -> WorkerContext:
    """Return the context of this process.

    It is built on the first call. A forked child keeps its parent's. Raises HostError if the settings name no store or
    no queue.
    """
    global _context
    if _context is None:
        _context = build_context()
    return _context


def set_context(given: WorkerContext | None) -> None:
    """Replace the context: by a test's own, or by None to forget it."""
    global _context
    _context = given


def current_dispatcher() -> Dispatcher:
    """Return the dispatcher of this process, built on the first call.

    Raises HostError.
    """
    global _office
    if _office is None:
        _office = build_dispatcher(current_context())
    return _office


def set_dispatcher(given: Dispatcher | None) -> None:
    """Replace the dispatcher: by a test's own, or by None to forget it."""
    global _office
    _office = given


def build_context() -> WorkerContext:
    """Build the context from the environment. Raises HostError."""
    settings = read_settings()
    log = open_match_log(settings)
    queues, run_id = RedisJobQueue(build_queue_client(settings)), build_run_id_reader(build_store_client(settings))
    service = build_match_service(settings, log)
    trace_service(service)
    secret = derive_key(load_server_secret(settings.secret_file), "tokens")
    return WorkerContext(service, log, queues, run_id, build_publisher(settings, log), secret)


def build_dispatcher(context: WorkerContext) -> Dispatcher:
    """Build the dispatcher from the environment. Raises HostError."""
    settings = read_settings()
    key = derive_key(load_server_secret(settings.secret_file), "webhooks")
    sender = WebhookSender(parse_networks(settings.webhook_allow))
    return Dispatcher(context.log, sender, key, contact=settings.push_contact)


def open_queue_connection() -> Any:
    """Open a connection to the queue, for a worker of its own.

    Raises HostError.
    """
    return build_queue_client(read_settings())
