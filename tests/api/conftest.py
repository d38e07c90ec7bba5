"""What tests of the API share."""

from __future__ import annotations

import itertools

import pytest
from flask import Flask

from tests.api import house


@pytest.fixture(autouse=True)
def same_keys() -> None:
    """Every test begins with the same keys, so that it gets the same matches whatever ran before."""
    house.COUNTERS[0] = itertools.count()


@pytest.fixture
def app() -> Flask:
    """An app with a desk of its own."""
    return house.app()


@pytest.fixture
def table(app: Flask) -> house.Table:
    """A running match of Monster Combat between two people."""
    return house.opened(app)
