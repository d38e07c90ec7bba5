"""Generates the contract as it is committed: `referee openapi write`."""

from __future__ import annotations

from api.app import create_app
from api.resources.health.routes import dump_yaml as dumped
from api.resources.health.routes import load_contract as made


def as_yaml() -> str:
    """Return the contract as YAML text."""
    return dumped(made(create_app({"SERVICE": None, "SECRET": b"\0" * 32})))
