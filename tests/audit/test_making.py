"""Bundles as a server makes them: with its chain of keys, the root that it published, the card book of the match."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.audit.bundles import format as form
from referee.audit.bundles.export import Beside, beside, lines
from referee.audit.bundles.format import Bundle, KeyLine, PublishedLine
from referee.audit.checks import rules
from referee.audit.checks.findings import Kind
from referee.audit.checks.verifier import checked
from referee.engine.game import Setup
from referee.games import games
from referee.infrastructure.root_publisher import Publisher
from referee.match.table.commands import End
from referee.service.match_service import Desk
from referee.transparency.key_chain import RootLeaf
from tests.arbitration.playing import opened, plays
from tests.audit.house import OTHER, SIGNER, STORE, bundled, desk, played

BOOK = Path(__file__).parents[1] / "games/here_to_slay/books/harbour_tales.yaml"


def published() -> Bundle:
    """The bundle of a match whose root was published."""
    house, match = played("shy_monsters")
    publisher = Publisher(house.log, SIGNER, STORE)
    head = house.load(match).head
    publisher.publish(RootLeaf("07-" + "z" * 26, 5, bytes(32), "finished"))
    publisher.publish(RootLeaf(match, head.version, head.root, "finished"))
    return form.read(form.written(lines(house, match, "full", beside(publisher))))


def test_the_published_root_is_shown_and_checked() -> None:
    bundle = published()
    assert len(bundle.published) == 1
    assert [key.public for key in bundle.keys] == [SIGNER.public]
    report = checked(bundle, [SIGNER.public])
    assert report.findings == ()
    assert next(check.state for check in report.checks if check.name == "published") == "done"
    line = bundle.published[0]
    other = line.leaf.replace(bundle.header.match, "07-" + "z" * 26)
    for wrong, kind in (
        (replace(line, index=line.index + 1), Kind.PUBLISHED),
        (replace(line, path=line.path[1:]), Kind.PUBLISHED),
        (replace(line, leaf=other), Kind.PUBLISHED),
        (replace(line, leaf="{}"), Kind.PUBLISHED),
        (replace(line, note=OTHER.receipt(f"{STORE}/roots", 3, bytes(32))), Kind.SIGNATURE),
        (replace(line, note=bundle.checkpoints[0].note), Kind.SIGNATURE),
    ):
        assert checked(replace(bundle, published=(wrong,))).exit_code == kind


def test_a_root_that_was_published_of_another_history_is_found() -> None:
    house, match = played("shy_monsters")
    publisher = Publisher(house.log, SIGNER, STORE)
    publisher.publish(RootLeaf(match, 9, bytes(32), "finished"))
    bundle = form.read(form.written(lines(house, match, "full", beside(publisher))))
    assert checked(bundle).exit_code == Kind.PUBLISHED


def test_a_root_beyond_what_the_eyes_are_told_of_is_not_shown_to_them() -> None:
    house, match = played("shy_monsters", most=3)
    publisher = Publisher(house.log, SIGNER, STORE)
    publisher.publish(RootLeaf(match, 500, bytes(32), "finished"))
    assert beside(publisher).published(match, 7) == ()
    assert isinstance(beside(publisher).published(match, 500)[0], PublishedLine)


def booked() -> tuple[Desk, str]:
    """A match that is played with a card book, and over."""
    house, game = desk(), games()["here_to_slay"]
    book, _ = house.library.publish(BOOK.read_text("utf-8"))
    setup = game.set_up(Setup("standard", 3, {}, dict.fromkeys(game.devices, "server"), (), book.edition))
    match = opened(house, "here_to_slay", setup, "booked")
    plays(house, match, 1, 30)
    house.business(match, End("agreed"), key="end", scope="host")
    return house, match


def test_a_match_carries_its_card_book_and_is_judged_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    house, match = booked()
    bundle = bundled(house, match)
    assert bundle.book is not None
    assert bundle.book.text == BOOK.read_text("utf-8")
    fresh = []
    install = rules.installed
    monkeypatch.setattr(rules, "installed", lambda *of: fresh.append(of) or install(*of))
    assert checked(bundle, [SIGNER.public]).findings == ()
    assert fresh  # from the bundle, and no store was asked
    for eyes in ("public", "1"):
        assert checked(bundled(house, match, eyes)).findings == ()
    kept = bundle.book
    for wrong in (None, replace(kept, text=kept.text + "\n"), replace(kept, name="other")):
        assert checked(replace(bundle, book=wrong)).exit_code == Kind.BOOK
    stranger = played("shy_monsters")
    assert checked(replace(bundled(*stranger), book=kept)).exit_code == Kind.BOOK


def test_the_keys_of_a_bundle_are_those_that_there_are_once_all_of_it_is_signed() -> None:
    house, match = played("monster_combat", most=3)
    chain, signed = [KeyLine(OTHER.public, 0)], house.sign

    def signs(name: str, size: int, root: bytes) -> str:
        chain.append(KeyLine(SIGNER.public, 1))  # somebody rotates the key meanwhile
        return signed(name, size, root)

    house.sign = signs
    bundle = form.read(form.written(lines(house, match, "public", Beside((chain[0],), latest=lambda: tuple(chain)))))
    assert [key.public for key in bundle.keys] == [OTHER.public, SIGNER.public]
