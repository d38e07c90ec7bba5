"""Addresses that open the page which joins, and their QR codes.

What lets somebody in stands behind `#`, so it gets into no log, no history of a server and no Referer.
"""

from __future__ import annotations

import io
from urllib.parse import urlsplit

import segno
from flask import current_app, request

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def build_join_url(fragment: str, role: str = "") -> str:
    """Return the address of the page that joins, with what it needs behind `#`.

    A role that takes no seat is named, so that the page says what a tap does before the code is used.
    """
    named = f"/{role}" if role and not role.startswith("seat:") else ""
    return f"{find_base()}/join#{fragment}{named}"


def find_base() -> str:
    """Return the address at which others reach the page.

    It is the one at which the caller does, unless that is good on this machine only.
    """
    config, called = current_app.config, request.host_url.rstrip("/")
    is_near = urlsplit(called).hostname in LOOPBACK
    return str(config.get("PUBLIC_URL") or (is_near and config.get("LAN_URL")) or called)


def render_qr_code(url: str) -> bytes:
    """Return a QR code as SVG."""
    drawn = io.BytesIO()
    segno.make(url, error="m", micro=False).save(drawn, kind="svg", scale=8, border=4, xmldecl=False)
    return drawn.getvalue()
