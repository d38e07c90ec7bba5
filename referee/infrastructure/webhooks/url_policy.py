"""Where a webhook may be sent: public https addresses, and an allow-list's.

The operator sets the allow-list. The form of a URL is checked when it is given, and the addresses behind its name
whenever something is sent. A name is looked up once, and the connection goes to the address that was checked, so a
second answer of the name server changes nothing.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Lookup = Callable[..., Sequence[Any]]

MAX_URL_LENGTH = 2048
PORTS = {"https": 443, "http": 80}
LOWEST_PORT = 1024  # below it only 443, because servers there use other protocols
PRINTABLE = re.compile(r"[\x21-\x7e]+")
# The last label begins with a letter, as every public one does, so that no spelling of a number matches: the C library
# reads `2130706433`, `0177.0.0.1`, `0x7f.1` and `127.1` as addresses.
NAME = re.compile(r"(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?")
INTERNAL_DOMAINS = (
    "localhost",
    "local",
    "internal",
    "intranet",
    "lan",
    "home",
    "corp",
    "private",
    "home.arpa",
    "onion",
    "alt",
)

# IANA's registries of special-purpose addresses; written out, because Python versions differ in what is global.
CLOSED_NETWORKS = tuple(
    ipaddress.ip_network(net)
    for net in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24"),
        *("203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        "168.63.129.16/32",  # a public number, but Azure's address for the host of a virtual machine
        *("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),  # Teredo and 6to4 hold an IPv4 address
    )
)
# The part of IPv6 that is assigned as global unicast. It leaves out mapped and compatible IPv4 addresses, NAT64, and
# addresses that are local to a link, a site or an organisation.
PUBLIC_IPV6 = ipaddress.IPv6Network("2000::/3")


class UrlRefusedError(Exception):
    """Nothing may be sent to this URL. The text says why, and quotes nothing of it."""


class HostUnreachableError(Exception):
    """The name leads nowhere, or to a closed address; the log says which."""


@dataclass(frozen=True, slots=True)
class WebhookTarget:
    """The parts of a URL: `path` with its query, `host` without brackets."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        """The URL for logs, without path and query, which may hold secrets."""
        return f"{self.scheme}://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


def parse_networks(words: Iterable[str]) -> tuple[Network, ...]:
    """Return an allow-list (`192.168.0.0/16`, `10.1.2.3`) as networks.

    Raises ValueError.
    """
    return tuple(ipaddress.ip_network(word) for word in words)


def parse_target(url: str, allowed: Sequence[Network] = ()) -> WebhookTarget:
    """Return the parts of a URL, if something may be sent to a URL of this form.

    Raises UrlRefusedError.
    """
    if len(url) > MAX_URL_LENGTH or not PRINTABLE.fullmatch(url) or "\\" in url:
        raise UrlRefusedError(f"Not a URL of at most {MAX_URL_LENGTH} printable ASCII characters.")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise UrlRefusedError("Not a URL.") from None
    scheme, host = parts.scheme, (parts.hostname or "")
    if scheme != "https" and not (scheme == "http" and allowed):
        raise UrlRefusedError("Only https.")
    if "@" in parts.netloc:
        raise UrlRefusedError("No user or password in it.")
    if "#" in url:
        raise UrlRefusedError("No fragment in it.")
    found = WebhookTarget(scheme, host, PORTS[scheme] if port is None else port, parts.path or "/")
    if parts.query:
        found = WebhookTarget(scheme, host, found.port, f"{found.path}?{parts.query}")
    if not 1 <= found.port <= 65535 or (not allowed and is_closed_port(found.port)):
        raise UrlRefusedError(f"Only port 443, or one from {LOWEST_PORT} on.")
    literal = _parse_literal_address(parts.netloc, host)
    if literal is not None:
        if not is_permitted_address(literal, found, allowed):
            raise UrlRefusedError("Not a public address.")
    elif not NAME.fullmatch(host):
        raise UrlRefusedError("Not the name of a host.")
    elif not allowed and (
        "." not in host or any(host == inner or host.endswith("." + inner) for inner in INTERNAL_DOMAINS)
    ):
        raise UrlRefusedError("Not a public name.")
    return found


def _parse_literal_address(netloc: str, host: str) -> Address | None:
    """Return the address that is written in a URL, or None if a name is.

    Raises UrlRefusedError if an address in brackets is malformed.
    """
    if netloc.startswith("["):
        try:
            return ipaddress.IPv6Address(host)
        except ValueError:
            raise UrlRefusedError("Not an address.") from None
    try:
        return ipaddress.IPv4Address(host)
    except ValueError:
        return None


def is_closed_port(port: int) -> bool:
    """Return whether nothing is sent to this port of a public address."""
    return port != PORTS["https"] and port < LOWEST_PORT


def is_permitted_address(address: Address, at: WebhookTarget, allowed: Sequence[Network] = ()) -> bool:
    """Return whether something may be sent to this address.

    Multicast and unspecified addresses are never permitted.
    """
    if address.is_multicast or address.is_unspecified or getattr(address, "scope_id", None) is not None:
        return False
    if any(address in net for net in allowed):
        return True
    if at.scheme != "https" or is_closed_port(at.port) or any(address in net for net in CLOSED_NETWORKS):
        return False
    return address.is_global if isinstance(address, ipaddress.IPv4Address) else address in PUBLIC_IPV6


def resolve_addresses(
    at: WebhookTarget, allowed: Sequence[Network] = (), lookup: Lookup = socket.getaddrinfo
) -> tuple[str, ...]:
    """Return the addresses behind a target, in the order of the name server.

    Raises HostUnreachableError if one of them is not permitted, even if others are: an honest receiver does not mix
    them.
    """
    try:
        found = lookup(at.host, at.port, type=socket.SOCK_STREAM)
        addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
        closed = [one for one in addresses if not is_permitted_address(ipaddress.ip_address(one), at, allowed)]
    except (OSError, UnicodeError, ValueError) as wrong:
        raise HostUnreachableError(f"{at.host} cannot be looked up: {wrong}") from wrong
    if closed or not addresses:
        raise HostUnreachableError(f"{at.host} leads to {', '.join(closed) or 'nothing'}, which is not permitted")
    return tuple(addresses)
