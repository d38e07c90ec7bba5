"""Names by which this server may be called.

A page of another site can give its own name an address of this machine (DNS rebinding). A browser then takes this
server for that site and lets the page read every answer. But it still sends the name in `Host`, so a name that is not
known is refused. An address needs no list: nobody can point one elsewhere.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from functools import lru_cache

from flask import Flask, current_app, request

from api.http.problems import Problem

HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^\[\]:/?#@\\\s]+))(?::[0-9]{1,5})?")
LOCAL_NAME = "localhost"
MAX_HOST = 261  # characters: the longest name, and a port
MAX_SHOWN = 64  # characters of a name, as a problem repeats it


def find_host_name(host: str) -> str:
    """Return the name or address in a `Host` field, without its port.

    It is in lower case, and empty if it has not that form.
    """
    found = HOST.fullmatch(host.lower())
    return "" if found is None else found[1] or found[2].removesuffix(".")


def is_address(name: str) -> bool:
    """Return whether a name is an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_allowed_host(host: str, names: frozenset[str]) -> bool:
    """Return whether the server may be called so.

    It may be by an address, as localhost, and by one of these names.
    """
    return len(host) <= MAX_HOST and _is_allowed_short_host(host, names)


@lru_cache(maxsize=256)
def _is_allowed_short_host(host: str, names: frozenset[str]) -> bool:
    name = find_host_name(host)
    return name == LOCAL_NAME or name.endswith(f".{LOCAL_NAME}") or name in names or is_address(name)


def refuse_unknown_host() -> None:
    """Refuse a request to a name that is not this server's. Raises Problem."""
    names: frozenset[str] | None = current_app.config["HOST_NAMES"]
    host = request.environ.get("HTTP_HOST")
    if names is not None and host is not None and not is_allowed_host(host, names):
        raise Problem("host-unknown", params={"host": find_host_name(host)[:MAX_SHOWN] or "?"})


def init_app(app: Flask, names: Iterable[str] | None) -> None:
    """Refuse requests to other names than these; None allows every name."""
    app.config["HOST_NAMES"] = None if names is None else frozenset(find_host_name(name) for name in names) - {""}
    app.before_request(refuse_unknown_host)
