"""`referee tournament` in both languages: what it prints, and how it refuses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.cli.commands.tournaments.hosting import WORDS
from referee.cli.main import main
from referee.tournament.exports import CSV_REASONS
from tests.clients.house import served
from tests.page.tables import request


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served() as (found, _):
        yield found


def call(capfd: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    code = 0
    try:
        main(["tournament", *map(str, words)])
    except SystemExit as left:
        code = int(left.code or 0)
    said = capfd.readouterr()
    return code, said.out, said.err


def open_manual(address: str) -> tuple[str, str]:
    """Open a tournament whose host names the tables; return its id and the host's token."""
    made = request(
        address, "POST", "/v1/tournaments", {"game": "monster_combat", "plays": "reported", "system": "manual"}
    )
    return made["tournament"], made["token"]


@pytest.mark.parametrize(
    ("lang", "refused", "started"),
    [("en", "At least 2 players", "begun"), ("de", "mindestens 2", "hat begonnen")],
)
def test_a_host_reads_refusals_and_events_in_the_chosen_language(
    capfd: pytest.CaptureFixture[str], address: str, lang: str, refused: str, started: str
) -> None:
    name, token = open_manual(address)
    more = ("--token", token, "--url", address, "--lang", lang)
    code, _, wrong = call(capfd, "start", name, *more)
    assert (code, refused in wrong) == (1, True), wrong
    assert call(capfd, "bots", name, "2", *more)[0] == 0
    code, said, _ = call(capfd, "start", name, *more)
    assert (code, started in said) == (0, True), said


def test_in_german_everything_that_can_go_wrong_is_said_in_german(
    capfd: pytest.CaptureFixture[str], address: str, tmp_path: Path
) -> None:
    name, token = open_manual(address)
    german = ("--lang", "de", "--url", address)
    assert "mit einem Strich" in call(capfd, "open", "monster_combat", "--seats", "two", *german)[2]
    assert "Dieses Spiel gibt es hier nicht" in call(capfd, "open", "chess", *german)[2]
    assert "Token" in call(capfd, "invite", name, "floor", "--token", "rfs_x", *german)[2]
    file = tmp_path / "pairings.csv"
    file.write_text("table,seat,player\n1,1,1\n1,2,1\n")
    code, _, wrong = call(capfd, "pair", name, "--from", file, "--token", token, *german)
    assert (code, "Zeile 3: Person 1 sitzt laut Zeile 2 schon" in wrong) == (2, True), wrong
    file = tmp_path / "nowhere" / "standings.csv"
    code, _, wrong = call(capfd, "export", name, "standings.csv", "-o", file, *german)
    assert (code, "kann nicht geschrieben werden" in wrong) == (73, True), wrong
    nobody = call(capfd, "show", name, "--lang", "de", "--url", "http://127.0.0.1:9")[2]
    assert "antwortet kein Server" in nobody
    code, said, _ = call(capfd, "open", "monster_combat", *german)
    assert (code, "große Tafel" in said) == (0, True)


def test_a_host_lists_and_withdraws_invitations_and_players(capfd: pytest.CaptureFixture[str], address: str) -> None:
    name, token = open_manual(address)
    more = ("--token", token, "--url", address, "--lang", "de")
    assert call(capfd, "invite", name, "floor", "--uses", "2", *more)[0] == 0
    _, said, _ = call(capfd, "invitations", name, *more)
    floor, player = sorted(said.splitlines(), key=lambda line: line.split()[1])
    assert re.fullmatch(r"\w{16}  floor +noch frei: 2  gilt bis \d{4}-\d\d-\d\d \d\d:\d\d", floor)
    assert re.fullmatch(r"\w{16}  player +noch frei: 64  gilt bis .*", player)
    code, said, wrong = call(capfd, "uninvite", name, floor.split()[0], *more)
    assert (code, "zurückgezogen" in said) == (0, True), wrong
    listed = json.loads(call(capfd, "invitations", name, "--json", *more)[1])["items"]
    assert [each["id"] for each in listed] == [player.split()[0]]
    assert call(capfd, "uninvite", name, player.split()[0], *more)[0] == 0
    assert "gilt keine Einladung" in call(capfd, "invitations", name, *more)[1]
    assert call(capfd, "bots", name, "2", *more)[0] == 0
    code, said, wrong = call(capfd, "withdraw", name, "2", *more)
    assert (code, "hat das Turnier verlassen" in said) == (0, True), wrong
    left = request(address, "GET", f"/v1/tournaments/{name}", token=token)["players"]
    assert [each["status"] for each in left] == ["playing", "left"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("invite", "Es fehlt das Argument 'TOURNAMENT'."),
        ("invite T player --usses 3", "Die Option '--usses' gibt es nicht. Meintest du '--uses'?"),
        ("bots T many", "'COUNT' passt nicht: 'many' ist keine ganze Zahl."),
        ("bots T 99", "'COUNT' passt nicht: 99 liegt nicht im Bereich 1<=x<=64."),
        (
            "export T sheet",
            "'{standings.csv|results.csv|pairings.csv|report.trf|public.bundle|full.bundle}' passt nicht",
        ),
        ("open mau_mau --system cup", "'--system' passt nicht: 'cup' ist keines von 'round_robin', 'knockout'"),
        ("start T extra", "Dieses Argument ist zu viel: extra"),
        ("pair T --from nowhere.csv", "'--from' passt nicht: Die Datei 'nowhere.csv' gibt es nicht."),
        ("opn", "Den Befehl 'opn' gibt es nicht. Meintest du 'open'?"),
    ],
)
def test_wrong_usage_is_said_in_german(capfd: pytest.CaptureFixture[str], words: str, says: str) -> None:
    code, _, wrong = call(capfd, *words.split(), "--lang", "de")
    assert (code, f"Fehler: {says}" in wrong, "Error" in wrong) == (2, True, False), wrong
    assert wrong.startswith("Aufruf: referee tournament")
    assert "Error: " in call(capfd, *words.split())[2]


def test_every_fault_of_a_file_has_words() -> None:
    assert {f"csv_{each}" for each in CSV_REASONS} <= WORDS.keys()
    assert all(set(each) == {"en", "de"} for each in WORDS.values())
