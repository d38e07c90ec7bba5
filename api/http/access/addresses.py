"""Client addresses as they are counted."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

IPV6_PREFIX = 64  # bits: the smallest network that anybody gets, and with it 2**64 addresses


@lru_cache(maxsize=4096)
def group_address(address: str) -> str:
    """Return the name under which the client at an address is counted.

    It is the address itself, for IPv6 its network: who has one address of that has them all.
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address or "nowhere"
    if found.version == 4:
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((int(found), IPV6_PREFIX), strict=False))
