"""Bodies that are no JSON: files as they are sent."""

from __future__ import annotations

from collections.abc import Collection

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge

from api.problems import Problem


def sent(what: str, media: Collection[str], most: int) -> bytes:
    """The bytes of a body, at most so many, in one of these media types.

    Raises Problem `<what>-media-type`, `<what>-too-large`.
    """
    if request.mimetype not in media:
        raise Problem(f"{what}-media-type")
    request.max_content_length = most
    try:
        return request.get_data(cache=False)
    except RequestEntityTooLarge:
        raise Problem(f"{what}-too-large", params={"bytes": most}) from None
