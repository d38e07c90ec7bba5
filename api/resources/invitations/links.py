"""Addresses that open the page which joins, and their QR codes.

What lets somebody in stands behind `#`, so it gets into no log, no history of a server and no Referer.
"""

from __future__ import annotations

import io

import segno
from flask import current_app, request


def build_join_url(fragment: str) -> str:
    """Return the address of the page that joins, with what it needs behind `#`."""
    base = current_app.config.get("PUBLIC_URL") or request.host_url.rstrip("/")
    return f"{base}/join#{fragment}"


def render_qr_code(url: str) -> bytes:
    """Return a QR code as SVG."""
    drawn = io.BytesIO()
    segno.make(url, error="m", micro=False).save(drawn, kind="svg", scale=8, border=4, xmldecl=False)
    return drawn.getvalue()
