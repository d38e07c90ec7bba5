"""HTML pages to keep and print: complete, without scripts or control characters."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def sanitize_line(line: str) -> str:
    """Return a line without characters that steer a terminal or reverse the text.

    People's own words may hold such characters.
    """
    return CONTROL_CHARACTERS.sub("\ufffd", line)


@cache
def load_templates(folder: Path) -> Environment:
    """Return the templates of a folder; they escape and sanitize all values."""
    return Environment(
        loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, finalize=lambda value: sanitize_line(value) if type(value) is str else value,
    )  # fmt: skip


@cache
def load_style(file: Path) -> str:
    """Return the style of a page.

    It stands in the page itself, so that the page can be kept and printed without a server.
    """
    return file.read_text("utf-8")


@cache
def compute_content_policy(*files: Path) -> str:
    """Return the Content-Security-Policy of a page (CSP level 3).

    It allows the page's own styles by their hashes, and nothing else.
    """
    digests = (base64.b64encode(hashlib.sha256(load_style(file).encode()).digest()).decode() for file in files)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return f"default-src 'none'; style-src {allowed}; base-uri 'none'; form-action 'none'"
