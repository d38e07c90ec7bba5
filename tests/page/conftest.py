"""What the page's tests share: one browser and one served app for each file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.clients.house import served
from tests.page.browsing import open_browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser() as found:
        yield found


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with served() as (address, _):
        yield address
