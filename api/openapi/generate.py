"""Generates the contract as it is committed: `referee openapi write`."""

from __future__ import annotations

from api.app import create_app
from api.resources.health.routes import dump_yaml, load_contract


def as_yaml() -> str:
    """Return the contract as YAML text."""
    return dump_yaml(load_contract(create_app({"SERVICE": None, "SECRET": b"\0" * 32})))
