"""Card books at the desk: published once, found by name and edition, installed before a match is folded."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import pytest

from referee.engine.rulebook.editions import CardBookError
from referee.engine.rulings import MalformedInput
from referee.eventstore.memory.log import MemoryLog
from referee.games import load_games
from referee.match.aggregate import SeatAssignment
from referee.match.entries import decode_public_entry
from referee.match.table import commands
from referee.repository import matches
from referee.repository.card_books import (
    CardBookLimitReached,
    CardBookNameConflict,
    CardBookRepository,
    CardBookTamperedError,
    UnknownEdition,
)
from referee.repository.matches import decode_snapshot, encode_snapshot
from referee.service import appender
from referee.service.match_service import MatchService
from tests.games.here_to_slay.booked import TEXT, forgotten
from tests.repository.test_snapshots import played
from tests.service import house
from workers.projections.public_match import PublicMatches

GAME = load_games()["here_to_slay"]
EDITION = f"harbour_tales@{hashlib.sha256(TEXT.encode()).hexdigest()[:8]}"


@pytest.fixture
def service() -> MatchService:
    """A desk over a log in memory, in which the book is published."""
    made = house.service()
    made.repository.library.publish_book(TEXT)
    return made


def opened(service: MatchService, edition: str, key: str = "key") -> Any:
    """A match that was opened with an edition and started."""
    ask = commands.OpenMatch(
        "here_to_slay", "standard", {}, {}, (SeatAssignment("table"), SeatAssignment("table")), edition=edition
    )
    return service.open_match(ask, key)


def test_a_book_is_published_once_and_its_name_stands_for_it_for_ever(service: MatchService) -> None:
    book, new = service.repository.library.publish_book(TEXT)
    assert (book.edition, new) == (EDITION, False)
    with pytest.raises(CardBookNameConflict) as taken:
        service.repository.library.publish_book(TEXT + "# more\n")
    assert taken.value.edition == EDITION
    assert service.repository.library.list_editions(GAME) == ("printed", EDITION)
    assert CardBookRepository(service.log).find_book(GAME, "harbour_tales").text == TEXT
    assert CardBookRepository(service.log).find_book(GAME, EDITION).text == TEXT


def test_what_cannot_be_understood_or_is_for_another_game_is_not_published() -> None:
    library = house.service().repository.library
    for text, game in ((TEXT.replace("kind: magic", "kind: majic"), ""), (TEXT, "munchkin")):
        with pytest.raises(CardBookError):
            library.publish_book(text, game=game)
    assert library.list_books(GAME) == ()


def test_a_shelf_has_an_end(monkeypatch: pytest.MonkeyPatch, service: MatchService) -> None:
    monkeypatch.setattr("referee.repository.card_books.MAX_BOOKS_PER_GAME", 1)
    assert service.repository.library.publish_book(TEXT)[1] is False
    with pytest.raises(CardBookLimitReached):
        service.repository.library.publish_book(TEXT.replace("harbour_tales", "harbour_two"))
    assert len(service.repository.library.list_books(GAME)) == 1


@pytest.mark.parametrize("given", ["reef", "harbour_tales@00000000", "harbour_tales@", "@", "harbour_tales@f14"])
def test_an_edition_that_is_not_there_is_unknown(service: MatchService, given: str) -> None:
    with pytest.raises(UnknownEdition):
        service.repository.library.resolve_edition(GAME, given)
    with pytest.raises(MalformedInput, match="/edition"):
        opened(service, given)


def test_a_match_keeps_edition_and_hash_and_its_setup_names_them(service: MatchService) -> None:
    match = opened(service, "harbour_tales").match
    assert (match.edition, match.book) == (EDITION, hashlib.sha256(TEXT.encode()).hexdigest())
    assert match.setup.edition == EDITION
    assert opened(service, "", "other").match.book == ""
    again = opened(service, "harbour_tales")
    assert (again.replayed, again.match.edition) == (True, EDITION)


def test_settings_may_change_in_the_lobby_and_the_book_stays(service: MatchService) -> None:
    match = opened(service, "harbour_tales").match.id
    changed = service.execute_command(
        match, commands.ChangeSettings(settings={"targets": "after_success"}), key="c", scope="host"
    ).match
    assert (changed.edition, changed.settings["targets"]) == (EDITION, "after_success")
    started = service.execute_command(match, commands.StartMatch(), key="s", scope="host").match
    assert started.state.rules.edition == EDITION  # type: ignore[union-attr]


def test_whoever_meets_a_match_installs_its_book_first(monkeypatch: pytest.MonkeyPatch, service: MatchService) -> None:
    match = opened(service, "harbour_tales").match.id
    done = service.execute_command(match, commands.StartMatch(), key="s", scope="host")
    assert isinstance(service.log, MemoryLog)
    for look in (
        lambda: house.service(service.log).load_match(match).match,
        lambda: house.service(service.log).repository.replay_for_viewer(match, 0, done.version),
        lambda: PublicMatches(service.log).load_match(match, done.version).match,
        lambda: decode_snapshot(encode_snapshot(b"r", done.match), CardBookRepository(service.log))[1],
    ):
        with monkeypatch.context() as process:
            forgotten(process)
            assert GAME.list_editions() == ("printed",)
            found = look()
            assert GAME.list_editions() == ("printed", EDITION)
            assert found.edition == EDITION
            assert found.rules.narration.text_parameters is not None
            assert found.state.rules.boxes.all_cards  # type: ignore[union-attr]


def test_a_book_that_was_swapped_in_the_store_is_noticed(
    monkeypatch: pytest.MonkeyPatch, service: MatchService
) -> None:
    match = opened(service, "harbour_tales").match.id
    forgotten(monkeypatch)
    assert isinstance(service.log, MemoryLog)
    service.log._books["here_to_slay"]["harbour_tales"] = TEXT.replace("copies: 3", "copies: 9").encode()
    with pytest.raises(UnknownEdition):
        house.service(service.log).load_match(match)


def test_a_book_with_another_hash_than_the_match_was_opened_with_is_refused(service: MatchService) -> None:
    match = opened(service, "harbour_tales").match.id
    logged = decode_public_entry(service.log.read_entries(match)[0])
    event = replace(logged.events[0], book="0" * 64)  # type: ignore[call-arg]
    assert service.repository.library.install_book_for(logged) is logged
    with pytest.raises(CardBookTamperedError):
        service.repository.library.install_book_for(replace(logged, events=(event,)))


def test_a_match_with_a_book_is_gone_on_with_from_its_snapshot_by_another_process(
    monkeypatch: pytest.MonkeyPatch, service: MatchService
) -> None:
    for module in (matches, appender):
        monkeypatch.setattr(module, "SNAPSHOT_EVERY", 10)
    match = opened(service, "harbour_tales").match.id
    service.execute_command(match, commands.StartMatch(), key="start", scope="host")
    played(service, match, 45)
    before = service.load_match(match)
    snapshot = service.log.read(match).snapshot
    assert snapshot is not None
    forgotten(monkeypatch)
    after = house.service(service.log).load_match(match)
    assert (after.version, after.match) == (before.version, before.match)
