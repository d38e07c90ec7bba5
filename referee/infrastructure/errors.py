"""What the machine lacks, as errors with which the command line ends."""

from __future__ import annotations


class HostError(Exception):
    """The machine is not as Referee needs it; the message says what to do about it.

    No player and no rule is at fault, so no clause is cited. The command line ends with `exit_code`.
    """

    exit_code = 1


class StoreNotFoundError(HostError):
    """No store is installed or reachable, or the directory belongs to another server."""

    exit_code = 69  # EX_UNAVAILABLE


class AlreadyServedError(HostError):
    """Another process serves the data directory right now."""


class MarksError(HostError):
    """What was signed cannot be read, so nobody knows whether something of it is lost."""

    exit_code = 74  # EX_IOERR
