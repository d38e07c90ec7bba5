"""What the machine lacks, as errors that the command line ends with."""

from __future__ import annotations


class HostError(Exception):
    """The machine is not as Referee needs it; the message says what to do about it.

    Nothing here is a fault of a player or of a rule, so no clause is cited. The command line ends with `exit_code`.
    """

    exit_code = 1


class StoreNotFoundError(HostError):
    """No store can be had: none installed, none reachable, or the directory belongs to another server."""

    exit_code = 69  # EX_UNAVAILABLE


class AlreadyServedError(HostError):
    """Another keeper holds the data directory right now."""
