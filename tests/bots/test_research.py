"""The examples of RESEARCH.md run as they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "referee/docs/RESEARCH.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


def test_the_page_has_an_example_of_each_interface() -> None:
    assert ["referee.bots.env" in text for text in EXAMPLES] == [True, False]
    assert all(len(text.split("\n")) <= 12 for text in EXAMPLES)


def test_random_agents_play_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    exec(EXAMPLES[0], {})
    assert capsys.readouterr().out.startswith("outcome.")


def test_random_agents_play_a_match_through_pettingzoo() -> None:
    pytest.importorskip("pettingzoo", reason="the extra is not installed: pip install '.[research]'")
    names: dict[str, object] = {}
    exec(EXAMPLES[1], names)
    assert names["match"].agents == []
    assert names["over"] is True
