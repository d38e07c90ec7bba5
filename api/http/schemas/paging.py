"""Pages of lists: `after` and `limit`, `next_cursor`, the link to the next page.

A cursor is a number where it is a place in a log, because that number is known from elsewhere: of an entry, of what
an entry opened, of a leaf. Else it is text, which an app sends back as it came.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar
from urllib.parse import quote

from flask import request
from marshmallow import fields

from api.http.schemas.fields import Body, QueryInt, WholeText, query_integer_field

Item = TypeVar("Item")
MAX_PLACE = 2**31 - 1  # in a log
PLACE_PATTERN = "[0-9]{1,10}"  # in a list


def limit_field() -> QueryInt:
    """Return the parameter that says how many items a page has at most."""
    return query_integer_field(1, 200, load_default=50)


class NumberedPageQuery(Body):
    """Which page of a list whose items are numbered as entries of a log are."""

    after = query_integer_field(0, MAX_PLACE, load_default=0)
    limit = limit_field()


class PageQuery(Body):
    """Which page of a list whose cursor is text."""

    after = fields.Str(validate=WholeText(PLACE_PATTERN))
    limit = limit_field()


def take_numbered_page(
    items: Iterable[Item], after: int, limit: int, number: Callable[[Item], int]
) -> tuple[list[Item], int | None]:
    """Return the items with a number after that one, `limit` at most, and the cursor."""
    rest = sorted((item for item in items if number(item) > after), key=number)
    return rest[:limit], number(rest[limit - 1]) if len(rest) > limit else None


def take_page(items: list[Item], after: str | None, limit: int) -> tuple[list[Item], str | None]:
    """Return the items after a place in the list, `limit` at most, and the cursor."""
    begin = int(after or 0)
    end = begin + limit
    return items[begin:end], str(end) if len(items) > end else None


def next_link_header(cursor: int | str | None) -> dict[str, str]:
    """Return the header that links to the next page."""
    if cursor is None:
        return {}
    query = {**request.args.to_dict(), "after": str(cursor)}
    rest = "&".join(f"{name}={quote(value, safe=':,')}" for name, value in query.items())
    return {"Link": f'<{request.path}?{rest}>; rel="next"'}
