"""What the leak proof has in common."""

from __future__ import annotations

import pytest

from api.http import consistency_token


@pytest.fixture(autouse=True)
def nobody_waits_for_projections(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for a later state than there is gets his answer at once: nobody leads projections on meanwhile."""
    monkeypatch.setattr(consistency_token, "LONGEST_WAIT", 0.0)
