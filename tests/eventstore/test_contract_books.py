"""What every log promises of card books."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from referee.eventstore.contract import MatchLog

GAME, OTHER = "here_to_slay", "munchkin"


def test_a_book_is_kept_once_and_the_first_text_stays(log: MatchLog) -> None:
    assert log.find_book(GAME, "harbour") is None
    assert log.put_book(GAME, "harbour", b"first \x00\xff") == b"first \x00\xff"
    assert log.put_book(GAME, "harbour", b"second") == b"first \x00\xff"
    assert log.find_book(GAME, "harbour") == b"first \x00\xff"


def test_books_of_different_games_may_have_the_same_name(log: MatchLog) -> None:
    log.put_book(GAME, "harbour", b"one")
    log.put_book(OTHER, "harbour", b"other")
    assert (log.find_book(GAME, "harbour"), log.find_book(OTHER, "harbour")) == (b"one", b"other")


def test_books_are_listed_by_their_names_in_order(log: MatchLog) -> None:
    assert log.list_book_names(GAME) == ()
    for name in ("reef", "anchor", "mole"):
        log.put_book(GAME, name, b"")
    assert log.list_book_names(GAME) == ("anchor", "mole", "reef")
    assert log.list_book_names(OTHER) == ()


def test_of_many_who_publish_at_once_one_text_stays_and_all_are_told_of_it(log: MatchLog) -> None:
    texts = [f"text {number}".encode() for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        stands = set(pool.map(lambda text: log.put_book(GAME, "harbour", text), texts))
    assert len(stands) == 1
    assert stands == {log.find_book(GAME, "harbour")}
    assert stands <= set(texts)
