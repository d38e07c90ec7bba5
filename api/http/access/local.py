"""Whether a request comes from this machine itself."""

from __future__ import annotations

import ipaddress

from flask import request

FORWARDING_HEADERS = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip")


def is_local_request() -> bool:
    """Return whether the request comes from this machine itself.

    A request through a proxy on this machine does not count. Nor does one from a web page that gave its own name an
    address of this machine (DNS rebinding).
    """
    peer = request.environ.get("werkzeug.proxy_fix.orig", {}).get("REMOTE_ADDR", request.environ.get("REMOTE_ADDR"))
    host = request.environ.get("HTTP_HOST", "").lower().rpartition("@")[2]
    bare = host.rpartition("]")[0].lstrip("[") if host.startswith("[") else host.partition(":")[0]
    return (
        is_loopback(peer or "")
        and (bare == "localhost" or is_loopback(bare))
        and "Origin" not in request.headers
        and not any(name in request.headers for name in FORWARDING_HEADERS)
    )


def is_loopback(address: str) -> bool:
    """Return whether an address belongs to this machine alone."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
