"""What no phone may show: cards that its seat does not see, and those of its own covered hand."""

from __future__ import annotations

import json
import re
import urllib.request
from functools import cache
from typing import Any

from tests.page.browsing import Device
from tests.page.tables import OpenTable

RECENT = 12  # entries that a page may still speak of

# All that a phone holds: what is to be read, what only a screen reader says, and what buttons stand for.
HELD = """() => ({ version: Number(document.querySelector('.page-seat')?.dataset.version ?? -1),
  all: document.body.outerHTML,
  isOpen: document.querySelector('footer.hand.open, [role=dialog]') !== null })"""


def list_shown_secrets(table: OpenTable, phones: list[Device]) -> list[str]:
    """Names the cards on phones that a neighbour or an onlooker would read there against the rules."""
    version = table.read("")["version"]
    names = _read_names(table.base, table.game)
    seen = [_find_cards(table.read(f"/board?viewer=seat:{seat}", seat)) for seat in range(len(phones))]
    everything = set().union(*seen)
    found = []
    for seat, phone in enumerate(phones):
        held = phone.page.evaluate(HELD)
        if held["version"] != version:
            continue
        said = _read_said(table, version, seat)
        public = _find_cards(table.read("/board")) | _find_cards(said)
        own = seen[seat] | public
        secret = everything - (own if held["isOpen"] else public)
        told = json.dumps(said, ensure_ascii=False)
        for card in sorted(secret):
            shown = [name for name in names.get(card, {card}) if _is_in(name, held["all"]) and not _is_in(name, told)]
            found += [f"version {version}, seat {seat}: {name}" for name in shown]
    return found


@cache
def _read_names(base: str, game: str) -> dict[str, set[str]]:
    """By the ids of all cards what a page may call them, in every language."""
    with urllib.request.urlopen(f"{base}/v1/games/{game}/cards", timeout=30) as answer:
        return {card["id"]: {card["id"], *card["name"].values()} for card in json.load(answer)["items"]}


def _read_said(table: OpenTable, version: int, seat: int) -> list[Any]:
    """What was said of late to a seat, in all languages, without what it may do now, which names its hand."""
    after = max(0, version - RECENT)
    recent = f"/entries?after={after}&limit={RECENT}&viewer=seat:{seat}"
    board = f"/board?viewer=seat:{seat}"
    return [
        said
        for language in ("de", "en")
        for said in (table.read(recent, seat, language)["items"], table.read(board, seat, language)["question"])
    ]


def _find_cards(found: Any) -> set[str]:
    """The designs of all cards in an answer."""
    if isinstance(found, dict):
        own = {found["card"]} if isinstance(found.get("card"), str) else set()
        return own.union(*map(_find_cards, found.values()))
    return set().union(*map(_find_cards, found)) if isinstance(found, list) else set()


def _is_in(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None
