"""Card books at the desk: published once, found by name and edition, installed before a match is folded."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import pytest

from referee.engine.game import Malformed
from referee.engine.rulebook.editions import Misprints
from referee.eventstore.memory.log import MemoryLog
from referee.games import games
from referee.match.aggregate import Chair
from referee.match.entries import public
from referee.match.table import commands
from referee.repository import matches
from referee.repository.card_books import BookSwapped, Library, NameTaken, ShelfFull, UnknownEdition
from referee.repository.matches import packed, restored
from referee.service import appender
from referee.service.match_service import Desk
from tests.games.here_to_slay.booked import TEXT, forgotten
from tests.repository.test_snapshots import played
from tests.service import house
from workers.projections.public_match import Courses
from workers.webhooks.notifications import Onlookers

GAME = games()["here_to_slay"]
EDITION = f"harbour_tales@{hashlib.sha256(TEXT.encode()).hexdigest()[:8]}"


@pytest.fixture
def desk() -> Desk:
    """A desk over a log in memory, in which the book is published."""
    made = house.desk()
    made.library.publish(TEXT)
    return made


def opened(desk: Desk, edition: str, key: str = "key") -> Any:
    """A match that was opened with an edition and started."""
    ask = commands.Open("here_to_slay", "standard", {}, {}, (Chair("table"), Chair("table")), edition=edition)
    return desk.open(ask, key)


def test_a_book_is_published_once_and_its_name_stands_for_it_for_ever(desk: Desk) -> None:
    book, new = desk.library.publish(TEXT)
    assert (book.edition, new) == (EDITION, False)
    with pytest.raises(NameTaken) as taken:
        desk.library.publish(TEXT + "# more\n")
    assert taken.value.edition == EDITION
    assert desk.library.editions(GAME) == ("printed", EDITION)
    assert Library(desk.log).book(GAME, "harbour_tales").text == TEXT
    assert Library(desk.log).book(GAME, EDITION).text == TEXT


def test_what_cannot_be_understood_or_is_for_another_game_is_not_published() -> None:
    library = house.desk().library
    for text, game in ((TEXT.replace("kind: magic", "kind: majic"), ""), (TEXT, "munchkin")):
        with pytest.raises(Misprints):
            library.publish(text, game=game)
    assert library.published(GAME) == ()


def test_a_shelf_has_an_end(monkeypatch: pytest.MonkeyPatch, desk: Desk) -> None:
    monkeypatch.setattr("referee.repository.card_books.MOST", 1)
    assert desk.library.publish(TEXT)[1] is False
    with pytest.raises(ShelfFull):
        desk.library.publish(TEXT.replace("harbour_tales", "harbour_two"))
    assert len(desk.library.published(GAME)) == 1


@pytest.mark.parametrize("given", ["reef", "harbour_tales@00000000", "harbour_tales@", "@", "harbour_tales@f14"])
def test_an_edition_that_is_not_there_is_unknown(desk: Desk, given: str) -> None:
    with pytest.raises(UnknownEdition):
        desk.library.edition(GAME, given)
    with pytest.raises(Malformed, match="/edition"):
        opened(desk, given)


def test_a_match_keeps_edition_and_hash_and_its_setup_names_them(desk: Desk) -> None:
    match = opened(desk, "harbour_tales").match
    assert (match.edition, match.book) == (EDITION, hashlib.sha256(TEXT.encode()).hexdigest())
    assert match.setup.edition == EDITION
    assert opened(desk, "", "other").match.book == ""
    again = opened(desk, "harbour_tales")
    assert (again.replayed, again.match.edition) == (True, EDITION)


def test_settings_may_change_in_the_lobby_and_the_book_stays(desk: Desk) -> None:
    match = opened(desk, "harbour_tales").match.id
    changed = desk.business(match, commands.Change(settings={"targets": "after_success"}), key="c", scope="host").match
    assert (changed.edition, changed.settings["targets"]) == (EDITION, "after_success")
    started = desk.business(match, commands.Start(), key="s", scope="host").match
    assert started.state.rules.edition == EDITION  # type: ignore[union-attr]


def test_whoever_meets_a_match_installs_its_book_first(monkeypatch: pytest.MonkeyPatch, desk: Desk) -> None:
    match = opened(desk, "harbour_tales").match.id
    done = desk.business(match, commands.Start(), key="s", scope="host")
    assert isinstance(desk.log, MemoryLog)
    for look in (
        lambda: house.desk(desk.log).load(match).match,
        lambda: house.desk(desk.log).seen(match, 0, done.version),
        lambda: Courses(desk.log).told(match, done.version).match,
        lambda: Onlookers(desk.log).at(match, done.version).match,
        lambda: restored(packed(b"r", done.match), Library(desk.log))[1],
    ):
        with monkeypatch.context() as process:
            forgotten(process)
            assert GAME.editions() == ("printed",)
            found = look()
            assert GAME.editions() == ("printed", EDITION)
            assert found.edition == EDITION
            assert found.rules.said is not None
            assert found.state.rules.boxes.whole  # type: ignore[union-attr]


def test_a_book_that_was_swapped_in_the_store_is_noticed(monkeypatch: pytest.MonkeyPatch, desk: Desk) -> None:
    match = opened(desk, "harbour_tales").match.id
    forgotten(monkeypatch)
    assert isinstance(desk.log, MemoryLog)
    desk.log._books["here_to_slay"]["harbour_tales"] = TEXT.replace("copies: 3", "copies: 9").encode()
    with pytest.raises(UnknownEdition):
        house.desk(desk.log).load(match)


def test_a_book_with_another_hash_than_the_match_was_opened_with_is_refused(desk: Desk) -> None:
    match = opened(desk, "harbour_tales").match.id
    logged = public(desk.log.entries(match)[0])
    fact = replace(logged.facts[0], book="0" * 64)  # type: ignore[call-arg]
    assert desk.library.ready(logged) is logged
    with pytest.raises(BookSwapped):
        desk.library.ready(replace(logged, facts=(fact,)))


def test_a_match_with_a_book_is_gone_on_with_from_its_snapshot_by_another_process(
    monkeypatch: pytest.MonkeyPatch, desk: Desk
) -> None:
    for module in (matches, appender):
        monkeypatch.setattr(module, "SNAPSHOT_EVERY", 10)
    match = opened(desk, "harbour_tales").match.id
    desk.business(match, commands.Start(), key="start", scope="host")
    played(desk, match, 45)
    before = desk.load(match)
    snapshot = desk.log.read(match).snapshot
    assert snapshot is not None
    forgotten(monkeypatch)
    after = house.desk(desk.log).load(match)
    assert (after.version, after.match) == (before.version, before.match)
