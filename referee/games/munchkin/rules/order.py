"""What has to be put right at once when a limit shrinks: hands, slots, Big items, citizenships (MK-7.11, MK-4.6)."""

from __future__ import annotations

from referee.games.munchkin.state import Table
from referee.kernel.agenda import Step


def amiss(table: Table) -> Step | None:  # noqa: ARG001
    """The step that puts the first thing right that is not in order, None if all is. Public knowledge alone."""
    return None
