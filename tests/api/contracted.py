"""What the contract says of a component, held against data."""

from __future__ import annotations

from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator

from api.resources.health.routes import load_contract
from tests.api import house


@cache
def _components() -> dict[str, Any]:
    return dict(load_contract(house.app())["components"])


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": _components()})


def fit(name: str, data: Any) -> None:
    """Fails unless the data has the form of this component."""
    wrong = [f"{each.instance_path}: {each.message}" for each in _validator(name).iter_errors(data)]
    assert not wrong, (name, wrong[0])
