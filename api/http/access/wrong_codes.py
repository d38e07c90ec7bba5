"""Wrong codes slow their senders down, counted over all addresses of the server.

A code to type is one of 31**6, so somebody with many addresses could find one by trying. The limit of joins holds for
one address only. So if many codes were wrong in an hour on the whole server, the addresses that sent some of them wait
until the hour is over. Nobody else is delayed. Links are too long to be found, and count nothing.
"""

from __future__ import annotations

from flask import Flask, current_app
from limits import RateLimitItemPerHour

from api.http.access.limits import RateLimits, get_client_address
from referee.service.rights import tokens

SPARE_TRIES = 3  # wrong codes of an address that delay nobody
WRONG_FACTOR = 10  # so many times what an address may try in a minute may be wrong on the whole server in an hour
KIND = "joins"


class WrongCodes:
    """The wrong codes of this hour, together with the other processes."""

    def __init__(self, counters: RateLimits, joins: int) -> None:
        self._counters = counters
        self._everywhere = RateLimitItemPerHour(joins * WRONG_FACTOR, 1, "referee")
        self._each = RateLimitItemPerHour(SPARE_TRIES, 1, "referee")

    def check(self, code: str, where: str) -> None:
        """Refuse an address that has to wait. Raises RateLimitExceeded."""
        if is_short(code) and self._counters.is_exhausted(self._everywhere, "wrong-codes"):
            self._counters.refuse_exhausted(self._each, KIND, "wrong-code", where)

    def record(self, code: str, where: str) -> None:
        """Count a wrong code."""
        if is_short(code):
            self._counters.count_event(self._everywhere, "wrong-codes")
            self._counters.count_event(self._each, "wrong-code", where)


def is_short(code: str) -> bool:
    """Return whether a code is so short that it could be found by trying."""
    return len(code) < tokens.LINK_LENGTH


def check_code(code: str) -> None:
    """Refuse the client if it has to wait. Raises RateLimitExceeded."""
    found: WrongCodes = current_app.config["WRONG_CODES"]
    found.check(code, get_client_address())


def record_wrong_code(code: str) -> None:
    """Count a wrong code of the client."""
    found: WrongCodes = current_app.config["WRONG_CODES"]
    found.record(code, get_client_address())


def init_app(app: Flask, joins: int) -> None:
    """Count wrong codes; `joins` is how many an address may try in a minute."""
    app.config["WRONG_CODES"] = WrongCodes(app.config["LIMITS"], joins)
