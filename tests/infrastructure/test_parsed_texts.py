"""Texts that were parsed before: they are what parsing gives, and are never used where they might be wrong."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import referee
from referee.cardscript.language.parser import LocatedMapping, load_entries
from referee.engine.rulebook.book import BookError, read_yaml
from referee.engine.rulebook.parsed import PARSED_TEXTS
from referee.infrastructure import parsed_texts
from referee.infrastructure.parsed_texts import find_cache_file, read_parsed_texts, write_parsed_texts

TEXTS = sorted(Path(referee.__file__).parent.rglob("*.yaml"))
CARDS = [path for path in TEXTS if path.parent.name == "cards" and path.parents[1].parent.name == "games"]


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    yield
    PARSED_TEXTS.stop()


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A file with the data of one text."""
    source = tmp_path / "text.yaml"
    source.write_text("a: [1, true, ~, 'ä']\n", "utf-8")
    PARSED_TEXTS.start({})
    read_yaml(source)
    texts = PARSED_TEXTS.stop()
    assert texts is not None
    assert write_parsed_texts(tmp_path / "cache" / "texts", texts)
    return tmp_path / "cache" / "texts"


def lines_of(data: Any) -> Any:
    """All that a located mapping knows, with the types of its values."""
    if isinstance(data, LocatedMapping):
        return data.line, data.lines, [(key, lines_of(value)) for key, value in data.items()]
    return [lines_of(part) for part in data] if isinstance(data, list) else (type(data), data)


def test_what_is_kept_of_every_text_is_what_parsing_gives(tmp_path: Path) -> None:
    assert len(TEXTS) > 80
    assert len(CARDS) > 20
    plain = {path: read_yaml(path) for path in TEXTS}
    located = {path: lines_of(load_entries(path)) for path in CARDS}
    PARSED_TEXTS.start({})
    for path in TEXTS:
        read_yaml(path)
    for path in CARDS:
        load_entries(path)
    texts = PARSED_TEXTS.stop()
    assert texts is not None
    assert len(texts) == len(TEXTS) + len(CARDS)
    write_parsed_texts(tmp_path / "cache" / "texts", texts)
    PARSED_TEXTS.start(read_parsed_texts(tmp_path / "cache" / "texts"))
    assert {path: repr(read_yaml(path)) for path in TEXTS} == {path: repr(data) for path, data in plain.items()}
    assert {path: lines_of(load_entries(path)) for path in CARDS} == located
    assert PARSED_TEXTS.stop() is None, "all were known, so there is nothing to write"


def test_a_text_that_has_changed_is_parsed_afresh(kept: Path, tmp_path: Path) -> None:
    PARSED_TEXTS.start(read_parsed_texts(kept))
    (tmp_path / "text.yaml").write_text("a: [2]\n", "utf-8")
    assert read_yaml(tmp_path / "text.yaml") == {"a": [2]}
    texts = PARSED_TEXTS.stop()
    assert texts is not None
    assert list(texts.values()) == ['{"a": [2]}'], "what is no longer used is not kept"


def test_each_reader_gets_data_of_his_own(kept: Path, tmp_path: Path) -> None:
    PARSED_TEXTS.start(read_parsed_texts(kept))
    read_yaml(tmp_path / "text.yaml")["a"].clear()
    assert read_yaml(tmp_path / "text.yaml") == {"a": [1, True, None, "ä"]}


@pytest.mark.parametrize("text", ["1: one\n", "on: 2026-01-01\n"])
def test_data_that_json_would_change_is_not_kept(tmp_path: Path, text: str) -> None:
    (tmp_path / "text.yaml").write_text(text, "utf-8")
    PARSED_TEXTS.start({})
    data = read_yaml(tmp_path / "text.yaml")
    assert PARSED_TEXTS.stop() is None
    assert read_yaml(tmp_path / "text.yaml") == data


def test_an_error_is_an_error_every_time(tmp_path: Path) -> None:
    (tmp_path / "text.yaml").write_text("a: [", "utf-8")
    PARSED_TEXTS.start({})
    for _ in range(2):
        with pytest.raises(BookError, match=r"text\.yaml"):
            read_yaml(tmp_path / "text.yaml")


def test_a_damaged_file_is_not_used_and_is_replaced(kept: Path) -> None:
    texts, whole = read_parsed_texts(kept), kept.read_bytes()
    assert texts
    for damaged in (b"", whole[:-3], whole.replace(b"true", b"null"), whole + b"x", os.urandom(400), b"\xff\n\xff"):
        kept.write_bytes(damaged)
        assert read_parsed_texts(kept) == {}
    assert write_parsed_texts(kept, texts)
    assert read_parsed_texts(kept) == texts


def test_a_file_of_another_version_is_not_used(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_parsed_texts(kept)
    for thing, name in ((parsed_texts.sys, "version"), (parsed_texts.yaml, "__version__"), (referee, "__version__")):
        with monkeypatch.context() as other:
            other.setattr(thing, name, "another")
            assert read_parsed_texts(kept) == {}
    monkeypatch.setattr(parsed_texts, "PARSERS", (*parsed_texts.PARSERS, "engine/codec.py"))
    assert read_parsed_texts(kept) == {}, "another parser"


def test_a_file_that_others_could_write_is_not_used(kept: Path, tmp_path: Path) -> None:
    for path, mode in ((kept, 0o620), (kept, 0o602), (kept.parent, 0o770), (kept.parent, 0o707)):
        before = path.stat().st_mode
        path.chmod(mode)
        assert read_parsed_texts(kept) == {}
        if path == kept.parent:
            assert not write_parsed_texts(kept, {"a": "1"})
        path.chmod(before)
    assert read_parsed_texts(kept)
    (tmp_path / "cache" / "link").symlink_to(kept)
    assert read_parsed_texts(tmp_path / "cache" / "link") == {}


def test_a_file_of_somebody_else_is_not_used(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsed_texts.os, "getuid", lambda: os.geteuid() + 1)
    assert read_parsed_texts(kept) == {}
    assert not write_parsed_texts(kept, {"a": "1"})


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert not write_parsed_texts(tmp_path / "file" / "referee" / "texts", {"a": "1"})
    assert read_parsed_texts(tmp_path / "file" / "referee" / "texts") == {}


def test_it_lies_in_the_users_folder_for_caches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(parsed_texts.sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert find_cache_file() == tmp_path / "referee" / "texts"
    monkeypatch.setenv("XDG_CACHE_HOME", "here")  # a relative path has to be ignored
    monkeypatch.setenv("HOME", str(tmp_path))
    assert find_cache_file() == tmp_path / ".cache" / "referee" / "texts"
