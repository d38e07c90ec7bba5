"""The YAML files of the program: no key twice in one mapping, of which the parser would keep only the last."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent.parent
FILES = sorted(path for top in ("referee", "api") for path in (ROOT / top).rglob("*.yaml"))


class OnceLoader(yaml.SafeLoader):
    """A loader that refuses a mapping with the same key twice."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        twice = sorted({key for key in keys if keys.count(key) > 1})
        if twice:
            raise ValueError(f"line {node.start_mark.line + 1}: {', '.join(twice)}")
        return super().construct_mapping(node, deep)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_key_stands_twice(path: Path) -> None:
    yaml.load(path.read_text("utf-8"), OnceLoader)


def test_a_key_twice_is_found() -> None:
    with pytest.raises(ValueError, match="line 1: a"):
        yaml.load("a: 1\nb: 2\na: 3\n", OnceLoader)
