"""One folder of marks for all hosts of a store: a host with another one does not start."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.cli.commands.histories.lost import claim_store as take_over
from referee.cli.commands.running.doctor import WRONG, check_environment
from referee.cli.commands.running.serve import claim_marks
from referee.infrastructure.composition import open_signed_history
from referee.infrastructure.errors import HostError
from referee.infrastructure.settings import Settings
from referee.infrastructure.watermarks.guard import HistoryLostError
from referee.infrastructure.watermarks.mark_file import Mark
from referee.infrastructure.watermarks.sharing import OtherMarksError, read_folder_id
from tests.eventstore.servers import NO_SERVER, Server, binaries
from tests.infrastructure.test_backup import settings_of

pytestmark = pytest.mark.skipif(not binaries(), reason=NO_SERVER)


@pytest.fixture
def hosts(tmp_path: Path) -> Iterator[list[Settings]]:
    """Two hosts with a data directory each, and one store."""
    server = Server(next(iter(binaries().values()))).start()
    yield [replace(settings_of(tmp_path / name), store_url=f"unix://{server.socket}") for name in ("one", "two")]
    server.remove()


def test_a_host_with_a_folder_of_its_own_is_refused_and_one_that_shares_it_is_not(hosts: list[Settings]) -> None:
    one, two = hosts
    claim_marks(one)
    claim_marks(one)
    with pytest.raises(OtherMarksError, match="REFEREE_WATERMARKS_DIR") as refused:
        claim_marks(two)
    assert refused.value.exit_code == 78
    claim_marks(replace(two, watermarks_dir=one.watermarks_path))


def test_the_doctor_names_another_folder_and_makes_none(hosts: list[Settings]) -> None:
    one, two = hosts
    claim_marks(one)
    assert not [each for each in check_environment(one) if "marks" in each.says]
    (found,) = (each for each in check_environment(two) if "marks" in each.says)
    assert (found.check, found.state) == ("store", WRONG)
    assert not two.watermarks_path.exists()


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"0123456789abcde", b"0123456789ABCDEF"])
def test_a_damaged_id_is_said_to_be_one_and_a_claim_gives_a_new_one(content: bytes, hosts: list[Settings]) -> None:
    one = hosts[0]
    claim_marks(one)
    kept = one.watermarks_path / "id"
    kept.write_bytes(content)
    with pytest.raises(HostError, match="history claim"):
        claim_marks(one)
    assert any(each.state == WRONG and str(kept) in each.says for each in check_environment(one))
    kept.unlink()
    with pytest.raises(OtherMarksError):
        claim_marks(one)
    take_over(one, "its id was damaged")
    claim_marks(one)


def test_a_lost_folder_is_replaced_on_record(hosts: list[Settings], capsys: pytest.CaptureFixture[str]) -> None:
    one, two = hosts
    claim_marks(one)
    take_over(two, "the disk of one is gone")
    assert str(two.watermarks_path) in capsys.readouterr().out
    claim_marks(two)
    with pytest.raises(OtherMarksError):
        claim_marks(one)
    (line,) = open_signed_history(two).journal.read_lines()
    assert (line["what"], line["before"]) == ("claimed", read_folder_id(one.watermarks_path))
    assert line["reason"] == "the disk of one is gone"
    assert open_signed_history(two).journal.list_lost() == []


def test_what_one_host_signed_binds_the_other_that_shares_its_folder(hosts: list[Settings]) -> None:
    one, two = (open_signed_history(replace(host, watermarks_dir=hosts[0].watermarks_path)) for host in hosts)
    signed, other = Mark(2, bytes(32)), Mark(2, bytes(31) + b"1")
    one.require_continued("00-a", signed, lambda _size: signed.root)
    with pytest.raises(HistoryLostError):
        two.require_continued("00-a", other, lambda _size: other.root)
