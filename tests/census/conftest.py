"""These tests use the toy game `party` and the match service of tests/service."""

from tests.service.conftest import _party, house

__all__ = ["_party", "house"]
