"""Bundles as a server makes them: with its chain of keys, the root that it published, the card book of the match."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.audit.bundles import format as form
from referee.audit.bundles.export import BundleMetadata, build_bundle_lines, collect_bundle_metadata
from referee.audit.bundles.format import Bundle, KeyLine, PublishedRootLine
from referee.audit.checks import rules
from referee.audit.checks.findings import FindingKind
from referee.audit.checks.verifier import check_bundle
from referee.engine.game import Setup
from referee.games import load_games
from referee.infrastructure.root_publisher import RootPublisher
from referee.service.match_service import MatchService
from referee.transparency.key_chain import RootLeaf
from tests.arbitration.playing import opened, plays
from tests.audit.house import OTHER, SIGNER, STORE, bundled, played, service
from tests.service.house import end_agreed_by_all

BOOK = Path(__file__).parents[1] / "games/here_to_slay/books/harbour_tales.yaml"


def published() -> Bundle:
    """The bundle of a match whose root was published."""
    house, match = played("shy_monsters")
    publisher = RootPublisher(house.log, SIGNER, STORE)
    head = house.load_match(match).head
    publisher.publish_root(RootLeaf("07-" + "z" * 26, 5, bytes(32), "finished"))
    publisher.publish_root(RootLeaf(match, head.version, head.root, "finished"))
    return form.decode_bundle(
        form.encode_bundle(build_bundle_lines(house, match, "full", collect_bundle_metadata(publisher)))
    )


def test_the_published_root_is_shown_and_checked() -> None:
    bundle = published()
    assert len(bundle.published) == 1
    assert [key.public for key in bundle.keys] == [SIGNER.public]
    report = check_bundle(bundle, [SIGNER.public])
    assert report.findings == ()
    assert next(check.state for check in report.checks if check.name == "published") == "done"
    line = bundle.published[0]
    other = line.leaf.replace(bundle.header.match, "07-" + "z" * 26)
    for wrong, kind in (
        (replace(line, index=line.index + 1), FindingKind.PUBLISHED),
        (replace(line, path=line.path[1:]), FindingKind.PUBLISHED),
        (replace(line, leaf=other), FindingKind.PUBLISHED),
        (replace(line, leaf="{}"), FindingKind.PUBLISHED),
        (replace(line, note=OTHER.sign_receipt(f"{STORE}/roots", 3, bytes(32))), FindingKind.SIGNATURE),
        (replace(line, note=bundle.checkpoints[0].note), FindingKind.SIGNATURE),
    ):
        assert check_bundle(replace(bundle, published=(wrong,))).exit_code == kind


def test_a_root_that_was_published_of_another_history_is_found() -> None:
    house, match = played("shy_monsters")
    publisher = RootPublisher(house.log, SIGNER, STORE)
    publisher.publish_root(RootLeaf(match, 9, bytes(32), "finished"))
    bundle = form.decode_bundle(
        form.encode_bundle(build_bundle_lines(house, match, "full", collect_bundle_metadata(publisher)))
    )
    assert check_bundle(bundle).exit_code == FindingKind.PUBLISHED


def test_a_root_beyond_what_the_eyes_are_told_of_is_not_shown_to_them() -> None:
    house, match = played("shy_monsters", most=3)
    publisher = RootPublisher(house.log, SIGNER, STORE)
    publisher.publish_root(RootLeaf(match, 500, bytes(32), "finished"))
    assert collect_bundle_metadata(publisher).published(match, 7) == ()
    assert isinstance(collect_bundle_metadata(publisher).published(match, 500)[0], PublishedRootLine)


def booked() -> tuple[MatchService, str]:
    """A match that is played with a card book, and over."""
    house, game = service(), load_games()["here_to_slay"]
    book, _ = house.repository.library.publish_book(BOOK.read_text("utf-8"))
    setup = game.complete_setup(Setup("standard", 3, {}, dict.fromkeys(game.devices, "server"), (), book.edition))
    match = opened(house, "here_to_slay", setup, "booked")
    plays(house, match, 1, 30)
    house.execute_command(match, end_agreed_by_all("agreed"), key="end", scope="host")
    return house, match


def test_a_match_carries_its_card_book_and_is_judged_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    house, match = booked()
    bundle = bundled(house, match)
    assert bundle.book is not None
    assert bundle.book.text == BOOK.read_text("utf-8")
    fresh = []
    install = rules.install_book_text
    monkeypatch.setattr(rules, "install_book_text", lambda *of: fresh.append(of) or install(*of))
    assert check_bundle(bundle, [SIGNER.public]).findings == ()
    assert fresh  # from the bundle, and no store was asked
    for viewer in ("public", "1"):
        assert check_bundle(bundled(house, match, viewer)).findings == ()
    kept = bundle.book
    for wrong in (None, replace(kept, text=kept.text + "\n"), replace(kept, name="other")):
        assert check_bundle(replace(bundle, book=wrong)).exit_code == FindingKind.BOOK
    stranger = played("shy_monsters")
    assert check_bundle(replace(bundled(*stranger), book=kept)).exit_code == FindingKind.BOOK


def test_the_keys_of_a_bundle_are_those_that_there_are_once_all_of_it_is_signed() -> None:
    house, match = played("monster_combat", most=3)
    chain, signed = [KeyLine(OTHER.public, 0)], house.sign

    def signs(name: str, size: int, root: bytes) -> str:
        chain.append(KeyLine(SIGNER.public, 1))  # somebody rotates the key meanwhile
        return signed(name, size, root)

    house.sign = signs
    bundle = form.decode_bundle(
        form.encode_bundle(
            build_bundle_lines(house, match, "public", BundleMetadata((chain[0],), latest=lambda: tuple(chain)))
        )
    )
    assert [key.public for key in bundle.keys] == [OTHER.public, SIGNER.public]
