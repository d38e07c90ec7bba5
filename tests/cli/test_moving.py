"""`referee move` and `referee import` of a running match, between stores that run and that were stopped."""

from __future__ import annotations

import hashlib
import json
import random
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from referee.audit.checks.findings import TEXTS
from referee.engine.seats import Seat
from referee.infrastructure.composition import build_match_service, recover_after_start
from referee.infrastructure.embedded.servers import EmbeddedServers
from referee.infrastructure.embedded.store_binaries import find_installed_binaries
from referee.infrastructure.keyring import load_signer
from referee.infrastructure.settings import Settings, list_variables
from referee.match.aggregate import SeatAssignment
from referee.match.events.transfer_events import AnswerTransfer
from referee.match.table import commands
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from tests.cli.test_auditing import called
from tests.service.house import end_agreed_by_all
from tests.transfer.movers import agreed_by_all, next_move

ONE, OTHER = "one", "other"


class Places:
    """Two data directories, each with its store; `words` name one on the command line."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._running = folder, dict[str, ExitStack]()
        self.settings = {
            name: Settings(folder, folder, folder, folder).with_data_dir(folder / name) for name in (ONE, OTHER)
        }  # fmt: skip

    def words(self, name: str) -> tuple[str, Path]:
        return "--data-dir", self.settings[name].data_dir

    def start(self, name: str) -> MatchService:
        self._running[name] = ExitStack()
        keeper = self._running[name].enter_context(
            EmbeddedServers(self.settings[name].data_dir, store=True, queue=False)
        )
        self.settings[name] = replace(self.settings[name], store_url=keeper.store_url)
        return build_match_service(self.settings[name])

    def stop(self) -> None:
        while self._running:
            self._running.popitem()[1].close()


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Places]:
    if not find_installed_binaries():
        pytest.skip("no store server is installed")
    for name in list_variables():
        monkeypatch.delenv(name, raising=False)
    found = Places(tmp_path)
    yield found
    found.stop()


def begun(at: MatchService, key: str) -> str:
    chairs = (SeatAssignment("human"), SeatAssignment("human"))
    match = at.open_match(commands.OpenMatch("monster_combat", "V1", {}, {"deck": "server"}, chairs), key).match.id
    for seat in (0, 1):
        at.execute_command(match, commands.TakeSeat(seat), key=f"take{seat}", scope="join")
    at.execute_command(match, commands.StartMatch(), key="start", scope="host")
    at.log.put_grant(match, hashlib.sha256(b"token").hexdigest(), b'{"role":"seat","seats":[0]}')
    return match


def test_a_match_goes_and_comes_back_by_the_command_line_and_is_played_on(
    places: Places, capfd: pytest.CaptureFixture[str]
) -> None:
    here, there = places.start(ONE), places.start(OTHER)
    match, file = begun(here, "k" * 22), places.folder / "match.move"
    file.touch(mode=0o644)
    agreed_by_all(here, match, "https://b.example/")
    code, out, err = called(capfd, "move", match, "--to", file, "--new-home", "https://b.example/", *places.words(ONE))
    assert (code, err, stat.S_IMODE(file.stat().st_mode)) == (0, "", 0o600)
    assert TEXTS["move.secret"]["en"] in out
    first = file.read_bytes()
    code, out, _ = called(capfd, "move", match, "--to", file, "--json", *places.words(ONE))
    assert (code, file.read_bytes(), json.loads(out)["new_home"]) == (0, first, "https://b.example/")
    assert called(capfd, "verify", file)[0] == 0
    code, out, _ = called(capfd, "import", file, "--lang", "de", *places.words(OTHER))
    assert (code, f"{match} geht hier weiter" in out) == (0, True)
    assert called(capfd, "import", file, *places.words(OTHER))[0] == 0
    found = there.load_match(match, grant=hashlib.sha256(b"token").hexdigest())
    assert (found.match.public_status, found.read_result.grant) == ("running", b'{"role":"seat","seats":[0]}')
    seat, move = next_move(found.match, random.Random(1))
    there.make_move(MoveRequest(match, Seat(seat), move, key="on"))
    assert recover_after_start(places.settings[OTHER]) == [], "a server that starts finds it sound"
    agreed_by_all(there, match)
    places.stop()
    again = places.folder / "again.move"
    assert called(capfd, "move", match, "--to", again, *places.words(OTHER))[0] == 0, "of a store that is stopped"
    assert called(capfd, "import", again, *places.words(ONE))[0] == 0
    for name in (ONE, OTHER):
        assert called(capfd, "audit", *places.words(name))[0] == 0


def test_what_is_refused_is_said_in_both_languages_and_nothing_is_told_of_what_is_hidden(
    places: Places, capfd: pytest.CaptureFixture[str]
) -> None:
    here, _ = places.start(ONE), places.start(OTHER)
    match, file = begun(here, "l" * 22), places.folder / "match.move"
    where = places.words(ONE)
    for words, exit_code in (
        (("move", match, "--to", places.folder / "nowhere" / "x"), 73), (("move", "07-" + 26 * "a", "--to", file), 66),
        (("move", "nonsense", "--to", file), 66), (("move", match, "--to", file, "--new-home", "javascript:1"), 64),
        (("move", match, "--to", file, "--key", "nonsense"), 64), (("move", match), 64),
    ):  # fmt: skip
        code, out, err = called(capfd, *words, *where)
        assert (code, out) == (exit_code, ""), err
        assert not file.exists()
    assert here.load_match(match).head.status == "open", "nothing has left by any of these"
    over = begun(here, "m" * 22)
    here.execute_command(over, end_agreed_by_all("abandoned"), key="end", scope="host")
    for lang in ("en", "de"):
        code, _, err = called(capfd, "move", over, "--to", file, "--lang", lang, *where)
        assert (code, err.strip()) == (1, TEXTS["move.over"][lang].format(match=over))
    mine = load_signer(places.settings[ONE].signing_key_file).public.hex()
    agreed_by_all(here, match, to=bytes.fromhex(mine))
    code, out, _ = called(capfd, "move", match, "--to", file, "--key", mine, *where)
    assert (code, TEXTS["move.for_one"]["en"].format(key=mine) in out) == (0, True)
    for lang in ("en", "de"):
        code, out, _ = called(capfd, "import", file, "--lang", lang, *places.words(OTHER))
        assert (code, TEXTS["import.why.elsewhere"][lang].format(match=match) in out) == (1, True)
    changed = places.folder / "changed.move"
    changed.write_bytes(file.read_bytes().replace(b'\\"role\\":\\"seat\\"', b'\\"role\\":\\"host\\"', 1))
    code, out, err = called(capfd, "import", changed, *places.words(OTHER))
    assert (code, TEXTS["luggage.other"]["en"].format(version=here.load_match(match).version) in out) == (16, True)
    told = hashlib.sha256(b"token").hexdigest()
    assert told in file.read_text("utf-8")
    assert told not in out + err
    assert here.appender.draws.secret(match).hex() not in out + err


def answers(at: MatchService, match: str, seat: int, number: int, grant: bool = True) -> None:
    at.execute_command(match, AnswerTransfer(number, grant, (seat,)), key=f"say{number}{grant}", scope=f"seat{seat}")


@pytest.mark.clause("TABLE-HOME-3")
def test_the_table_is_asked_first_and_the_command_is_called_again(
    places: Places, capfd: pytest.CaptureFixture[str]
) -> None:
    here = places.start(ONE)
    match, file = begun(here, "n" * 22), places.folder / "match.move"
    words = ("move", match, "--to", file, *places.words(ONE))
    for lang in ("en", "de", "en"):
        code, out, err = called(capfd, *words, "--lang", lang)
        number = here.load_match(match).version
        said = TEXTS["move.asked"][lang].format(match=match, number=number, players="1, 2")
        assert (code, out, err.strip(), file.exists()) == (75, "", said, False)
    answers(here, match, 0, number)
    code, out, _ = called(capfd, *words, "--json")
    told = {"match": match, "state": "asked", "question": number, "granted": [0], "against": [], "asks": [1]}
    assert (code, json.loads(out)) == (75, told)
    answers(here, match, 1, number, grant=False)
    for lang in ("en", "de"):
        code, _, err = called(capfd, *words, "--lang", lang, "--wait", "60")
        assert (code, err.strip()) == (1, TEXTS["move.table"][lang].format(match=match, number=number, players="2"))
    code, out, _ = called(capfd, *words, "--json")
    assert (code, json.loads(out)["state"], json.loads(out)["why"]) == (1, "refused", "table")
    assert called(capfd, *words, "--ask-again")[0] == 75
    again = here.load_match(match).match.transfers[-1].number
    for seat in (0, 1):
        answers(here, match, seat, again)
    code, out, _ = called(capfd, *words, "--json")
    assert (code, json.loads(out)["state"], json.loads(out)["unagreed"]) == (0, "moved", [])


@pytest.mark.clause("TABLE-HOME-3")
def test_it_waits_for_the_table_where_somebody_can_answer(places: Places, capfd: pytest.CaptureFixture[str]) -> None:
    here = places.start(ONE)
    match, file = begun(here, "o" * 22), places.folder / "match.move"

    def agree_later() -> None:
        until = time.monotonic() + 60
        while not here.load_match(match).match.transfers and time.monotonic() < until:
            time.sleep(0.05)
        agreed_by_all(here, match)

    table = threading.Thread(target=agree_later)
    table.start()
    words = ("move", match, "--to", file, *places.words(ONE))
    assert called(capfd, *words, "--wait", "60")[0] == 0
    table.join()
    other = begun(here, "p" * 22)
    assert called(capfd, "move", other, "--to", file, "--wait", "1", *places.words(ONE))[0] == 75
    places.stop()
    began = time.monotonic()
    assert called(capfd, "move", other, "--to", file, "--wait", "300", *places.words(ONE))[0] == 75
    assert time.monotonic() - began < 60, "at a store that is stopped nobody can answer"


@pytest.mark.clause("TABLE-HOME-3")
def test_a_server_that_fails_moves_its_matches_without_consent_and_reports_say_so(
    places: Places, capfd: pytest.CaptureFixture[str]
) -> None:
    here, there = places.start(ONE), places.start(OTHER)
    match, file = begun(here, "q" * 22), places.folder / "match.move"
    words = ("move", match, "--to", file, *places.words(ONE))
    assert called(capfd, *words)[0] == 75
    answers(here, match, 0, here.load_match(match).version)
    for _ in range(2):  # repeated
        code, out, _ = called(capfd, *words, "--without-consent", "--lang", "de")
        assert (code, TEXTS["move.unagreed"]["de"].format(players="2") in out) == (0, True)
    assert called(capfd, "import", file, *places.words(OTHER))[0] == 0
    version = here.load_match(match).version
    for lang in ("en", "de"):
        code, out, _ = called(capfd, "verify", file, "--lang", lang)
        assert (code, TEXTS["fact.unagreed"][lang].format(players="2", at=version) in out) == (0, True)
    assert there.load_match(match).match.public_status == "running"
    for name in (ONE, OTHER):
        assert called(capfd, "audit", *places.words(name))[0] == 0
