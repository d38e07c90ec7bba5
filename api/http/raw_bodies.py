"""Request bodies that are not JSON: uploaded files.

Bodies that are packed are refused.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge

from api.http.problems import Problem

MULTIPART_FORM = "multipart/form-data"
MOST_PARTS = 16
PACKED = {
    "en": "The body has to be sent as it is: without Content-Encoding, not compressed.",
    "de": "Der Inhalt muss so gesendet werden, wie er ist: ohne Content-Encoding, nicht komprimiert.",
}


def require_unpacked_body() -> None:
    """Refuse a body that is packed (RFC 9110, section 15.5.16). Raises Problem."""
    if request.headers.get("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
        raise Problem("unsupported-media-type", detail=PACKED, headers={"Accept-Encoding": "identity"})


def read_raw_body(what: str, media: Collection[str], most: int) -> bytes:
    """Return the bytes of a body in one of the given media types.

    `most` is the largest size in bytes. Raises Problem `<what>-media-type`, `<what>-too-large` or
    `unsupported-media-type`.
    """
    require_unpacked_body()
    if request.mimetype not in media:
        raise Problem(f"{what}-media-type")
    request.max_content_length = most
    try:
        return request.get_data(cache=False)
    except RequestEntityTooLarge:
        raise Problem(f"{what}-too-large", params={"bytes": most}) from None


def read_multipart_files(what: str, most: Mapping[str, int]) -> dict[str, list[bytes]]:
    """Return the files of a multipart body (RFC 7578), by the names of the parts.

    `most` is, by name, how many bytes the files of that name may have together. Raises Problem `<what>-too-large`, or
    `invalid-input` if a part has another name or is not a file, or if there are too many parts, or
    `unsupported-media-type` if the body is packed.
    """
    require_unpacked_body()
    whole = sum(most.values())
    request.max_content_length = request.max_form_memory_size = whole  # so a long part that is not a file is named
    request.max_form_parts = MOST_PARTS
    try:
        found = {name: [each.read() for each in request.files.getlist(name)] for name in request.files}
    except RequestEntityTooLarge:
        if request.content_length is not None and request.content_length <= whole:  # so it was not the length
            errors = [{"pointer": "", "detail": f"At most {MOST_PARTS} parts."}]
            raise Problem("invalid-input", errors=errors) from None
        raise Problem(f"{what}-too-large", params={"bytes": whole}) from None
    wrong = [{"pointer": f"/{name}", "detail": "Unknown field."} for name in found if name not in most]
    wrong += [{"pointer": f"/{name}", "detail": "Not a file."} for name in request.form]
    wrong += [
        {"pointer": f"/{name}", "detail": f"Longer than {most[name]} bytes."}
        for name, parts in found.items()
        if name in most and sum(map(len, parts)) > most[name]
    ]
    if wrong:
        raise Problem("invalid-input", errors=wrong)
    return found
