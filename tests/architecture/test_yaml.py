"""The YAML files of the program: no key twice in one mapping, and none that YAML reads as a truth value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent.parent
FILES = sorted(path for top in ("referee", "api") for path in (ROOT / top).rglob("*.yaml"))


FastLoader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class StrictLoader(FastLoader):  # type: ignore[misc,valid-type]
    """A loader that refuses a key that stands twice in a mapping (the last would win), and keys such as `no`."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        twice = sorted({key for key in keys if keys.count(key) > 1})
        if twice:
            raise ValueError(f"line {node.start_mark.line + 1}: {', '.join(twice)}")
        made: dict[Any, Any] = super().construct_mapping(node, deep)
        if any(isinstance(key, bool) for key in made):
            raise ValueError(f"line {node.start_mark.line + 1}: a key is a truth value")
        return made


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_key_stands_once_and_is_no_truth_value(path: Path) -> None:
    yaml.load(path.read_text("utf-8"), StrictLoader)


def test_a_key_twice_is_found() -> None:
    with pytest.raises(ValueError, match="line 1: a"):
        yaml.load("a: 1\nb: 2\na: 3\n", StrictLoader)


def test_a_key_that_is_a_truth_value_is_found() -> None:
    with pytest.raises(ValueError, match="line 2: a key is"):
        yaml.load("a:\n  no: 1\n", StrictLoader)
