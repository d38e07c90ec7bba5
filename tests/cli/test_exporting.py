"""`referee export`: a match as a file, from an API that is served."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from werkzeug.serving import make_server

from referee.audit.bundles.files import read_bundle_file
from referee.audit.checks.verifier import check_bundle
from referee.cli.client import ApiUnavailableError, ProblemError
from referee.cli.commands.histories.export import write_output
from referee.cli.commands.rulings.judge import UnwritableOutputError
from referee.cli.main import cli
from tests.api import house
from tests.api.ended import ended
from tests.api.evenings import REPORTED
from tests.api.house import Table
from tests.audit.house import BESIDE, SIGNER, service


@contextmanager
def served() -> Iterator[tuple[str, Table]]:
    """The address of an app, and a match that was played at it."""
    app = house.app(service(), BUNDLE_METADATA=lambda: BESIDE)
    table = house.opened(app)
    ended(app, table)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", table
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def run(*arguments: str | Path, token: str | None = None) -> Result:
    return CliRunner(env={"REFEREE_TOKEN": token}).invoke(cli, ["export", *map(str, arguments)])


def test_the_bundle_of_any_eyes_is_written_to_a_file(tmp_path: Path) -> None:
    with served() as (url, table):
        token = table.seats[0].token
        for viewer, name in (("public", "a"), ("0", "b"), ("full", "c")):
            done = run(table.match, "--viewer", viewer, "-o", tmp_path / name, "--url", url, token=token)
            assert done.exit_code == 0, done.output
            found = read_bundle_file(tmp_path / name)
            assert found.header.eyes == viewer
            assert check_bundle(found, [SIGNER.public]).is_sound
        printed = run(table.match, "--url", url, token=token)
        assert printed.stdout_bytes.splitlines()[1:] == (tmp_path / "a").read_bytes().splitlines()[1:]  # but the time
        assert isinstance(run(table.match, "-o", tmp_path / "d", "--url", url).exception, ProblemError)
        assert run(table.match, "--eyes", "all", "--url", url).exit_code == 64
    assert isinstance(run(table.match, "-o", tmp_path / "d", "--url", url).exception, ApiUnavailableError)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "c"]


def test_the_bundle_of_a_tournament_is_written_too(tmp_path: Path) -> None:
    with served() as (url, table):
        opened = table.anyone.post("/v1/tournaments", REPORTED).json
        assert opened is not None
        name, path = opened["tournament"], tmp_path / "t"
        done = run(name, "-o", path, "--url", url, token=opened["token"])
        assert done.exit_code == 0, (done.output, done.exception)
        found = read_bundle_file(path)
        assert (found.header.match, found.header.eyes) == (name, "public")
        assert check_bundle(found, [SIGNER.public]).is_sound
        wrong = run(name, "--viewer", "0", "--url", url)
        assert (wrong.exit_code, "a tournament has no seats" in wrong.output) == (64, True)
        refused = run(name, "--viewer", "full", "-o", tmp_path / "f", "--url", url, token=opened["token"])
        assert str(refused.exception).startswith("403 "), refused.exception  # only officials, and after the end


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield b"half"
        raise ApiUnavailableError("gone")

    (tmp_path / "there").write_bytes(b"before")
    with pytest.raises(ApiUnavailableError):
        write_output(broken(), tmp_path / "there")
    assert (tmp_path / "there").read_bytes() == b"before"
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
    write_output([b"a", b"b"], tmp_path / "there", private=True)
    assert (tmp_path / "there").read_bytes() == b"ab"
    assert (tmp_path / "there").stat().st_mode & 0o777 == 0o600
    with pytest.raises(UnwritableOutputError):
        write_output([b"a"], tmp_path / "none" / "there")
