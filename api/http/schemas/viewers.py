"""The viewer of a read: the public, a seat, or everything, as the query names it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError

from api.http.schemas.fields import Body, JsonSchemaField
from referee.engine.seats import BYSTANDER, FULL_VIEWER

PARAMETER = "viewer"
PUBLIC = "public"
NAMES = {int(BYSTANDER): PUBLIC, int(FULL_VIEWER): "full"}
VIEWERS = {name: viewer for viewer, name in NAMES.items()}
SEAT_PATTERN = re.compile(r"seat:(1?[0-9])")
DESCRIPTION = (
    "Who looks: `public`; `seat:0` and so on, for who may see as that seat; or `full`, everything, for seats and "
    "auditors after the end and for an arbiter where the match allows it"
)


def parse_viewer(name: str) -> int | None:
    """Return the viewer with this name; None if there is no such name."""
    found = SEAT_PATTERN.fullmatch(name)
    return int(found[1]) if found else VIEWERS.get(name)


def name_viewer(viewer: int) -> str:
    """Return the name of a viewer."""
    return NAMES.get(viewer, f"seat:{int(viewer)}")


def viewer_query(viewer: int) -> str:
    """Return the query that names a viewer; nothing for the public."""
    return "" if viewer == BYSTANDER else f"?{PARAMETER}={name_viewer(viewer)}"


def tag_viewer(viewer: int) -> str:
    """Return what an ETag calls a viewer; nothing for the public."""
    return "" if viewer == BYSTANDER else name_viewer(viewer).replace(":", "")


class ViewerField(JsonSchemaField):
    """A viewer by its name, loaded as its number."""

    def __init__(self, *, takes_public: bool = True, **kwargs: Any) -> None:
        default = {"load_default": int(BYSTANDER)} if takes_public else {"required": True}
        super().__init__(**default, metadata={"description": DESCRIPTION}, **kwargs)
        self._takes_public = takes_public

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> str:
        return name_viewer(value)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        found = parse_viewer(value)
        if found is None or (found == BYSTANDER and not self._takes_public):
            raise ValidationError(f"Must be one of: {', '.join(self._list_names())}, seat:0, seat:1 and so on.")
        return found

    def to_json_schema(self, of: Any) -> dict[str, Any]:
        return {"type": "string", "pattern": f"^({'|'.join(self._list_names())}|{SEAT_PATTERN.pattern})$"}

    def _list_names(self) -> list[str]:
        return [name for viewer, name in NAMES.items() if viewer != BYSTANDER or self._takes_public]


class ViewerQuery(Body):
    """Who looks."""

    viewer = ViewerField()
