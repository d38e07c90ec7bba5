"""`referee judge` on a terminal: it asks for missing facts one after the other."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from referee.cli.commands.rulings.interview import NoAnswer, find_value, read_answer
from referee.cli.main import cli

FILE = """\
Spiel: Munchkin
Namen: [Ada, Bob, Cid]
Stellung:
  Spieler:
    - {Stufe: 5, Flüche: [], Gefährt: [], Städte: []}
    - {Stufe: 7}
    - {Stufe: 3}
  am Zug: Ada
  Kampf: {Monster: [wolfsmensch]}
Platz: ada
Zug: Das Töten ansagen
Behauptung: illegal_move
sagt:
  - {Platz: Ada, erlaubt: ja}
  - {Platz: Spieler 3, erlaubt: nein}
"""


def talk(command: list[str], answers: dict[str, str]) -> tuple[int, str]:
    """Run a command on a terminal; answer each question that contains a key. Return exit code and screen."""
    master, slave = pty.openpty()
    done = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, close_fds=True)
    os.close(slave)
    screen, answered, end = "", 0, time.monotonic() + 180
    while time.monotonic() < end:
        ready, _, _ = select.select([master], [], [], 0.2)
        if ready:
            try:
                read = os.read(master, 65536)
            except OSError:
                break
            if not read:
                break
            screen += read.decode("utf-8", "replace")
        fresh = screen[answered:]
        if fresh.rstrip(" ").endswith("\n>"):
            key = next(key for key in answers if key in fresh)
            answered = len(screen)
            os.write(master, f"{answers[key]}\n".encode())
        elif not ready and done.poll() is not None:
            break
    os.close(master)
    return done.wait(60), screen.replace("\r\n", "\n")


@pytest.mark.clause("TABLE-JUDGE-4")
def test_a_terminal_is_asked_one_fact_after_the_other_and_gets_the_complete_file(tmp_path: Path) -> None:
    file = tmp_path / "streit.yaml"
    file.write_text(FILE, "utf-8")
    command = [sys.executable, "-m", "referee.cli", "judge", "--lang", "de", str(file)]
    answers = {"Gegenstände": "Zuckerstangenhaken", "Wer hilft": "niemand", "Worum geht es": "1"}
    code, screen = talk(command, answers)
    assert code in (0, 1), screen
    assert "Ada" in screen
    assert "Spieler 1" not in screen
    complete = screen.partition("Die vollständige Datei, zum Aufheben:")[2]
    kept = yaml.safe_load(complete)
    assert kept["position"]["seats"][0]["items"] == ["candy_hook"]
    assert kept["position"]["question"] == {"asks": "fight"}
    again = tmp_path / "again.yaml"
    again.write_text(complete, "utf-8")
    assert CliRunner().invoke(cli, ["judge", str(again)]).exit_code == code


def test_a_fact_that_nobody_knows_is_skipped(tmp_path: Path) -> None:
    file = tmp_path / "streit.yaml"
    file.write_text(FILE, "utf-8")
    command = [sys.executable, "-m", "referee.cli", "judge", "--lang", "de", str(file)]
    code, screen = talk(command, {"Gegenstände": "-", "Wer hilft": "niemand", "Worum geht es": "?"})
    assert code == 2, screen
    assert "unentschieden" in screen
    assert "Was niemand mehr weiß" in screen


def test_without_a_terminal_the_questions_are_printed_with_a_code_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "streit.yaml"
    file.write_text(FILE, "utf-8")
    told = CliRunner().invoke(cli, ["judge", "--lang", "de", str(file)])
    assert told.exit_code == 3
    assert "items: []" in told.output
    assert "Ada" in told.output
    as_json = CliRunner().invoke(cli, ["judge", "--json", str(file)])
    assert as_json.exit_code == 3
    assert '"/Stellung/Spieler/0/items"' in as_json.output


VALUES = [
    {"value": "candy_hook", "says": {"en": "Candy Hook", "de": "Zuckerstangenhaken"}},
    {"value": "candy_bar", "says": {"en": "Candy Bar", "de": "Riegel"}},
]


def test_an_answer_is_a_number_or_a_name_in_either_language_or_its_beginning() -> None:
    assert find_value("2", VALUES) == "candy_bar"
    assert find_value("zucker", VALUES) == find_value("CANDY HOOK", VALUES) == "candy_hook"
    for wrong in ("candy", "9", "nonsense"):
        with pytest.raises(NoAnswer):
            find_value(wrong, VALUES)
    several = {"kind": "several", "values": VALUES}
    assert read_answer("1, Riegel", several) == ["candy_hook", "candy_bar"]
    assert read_answer("-", several) == []
    number = {"kind": "number", "values": [], "least": 0, "most": 9}
    assert read_answer("7", number) == 7
    with pytest.raises(NoAnswer):
        read_answer("10", number)
