"""Pages to keep and to print: whole in themselves, without a script, and with nothing in them that steers a tool."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def sanitize_line(line: str) -> str:
    """A line as it may be shown: what people wrote may hold signs that steer a terminal, or turn the text around."""
    return CONTROL_CHARACTERS.sub("\ufffd", line)


@cache
def load_templates(folder: Path) -> Environment:
    """The templates of a folder; all that is filled in is escaped, and shown as `sanitize_line` does."""
    return Environment(
        loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, finalize=lambda value: sanitize_line(value) if type(value) is str else value,
    )  # fmt: skip


@cache
def load_style(file: Path) -> str:
    """The style of a page, which stands in the page itself, so that it can be kept and printed without a server."""
    return file.read_text("utf-8")


@cache
def compute_content_policy(file: Path) -> str:
    """The Content-Security-Policy of a page (CSP level 3): its own style by its hash, nothing else at all."""
    digest = base64.b64encode(hashlib.sha256(load_style(file).encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
