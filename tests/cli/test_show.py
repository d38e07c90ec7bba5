"""`referee show`: by turn or the table as it stood, for any eyes, as text, data or a page; from the API or a file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask import Flask
from rich.cells import cell_len
from rich.text import Text

from referee.audit.bundles import export
from referee.audit.bundles.format import encode_bundle
from referee.cli import client as clients
from referee.cli.client import ApiClient, ApiResponse, ProblemError
from referee.cli.commands.histories import show
from referee.cli.commands.histories.show import MatchDocument, ShowOptions, render_document
from referee.cli.main import cli, main
from referee.games import load_games
from referee.infrastructure.settings import list_variables
from referee.position_rulings.labels import MEMBER_NAMES
from referee.queries import views
from referee.rendering.times import ZonedTimeFormat
from tests.api import house
from tests.arbitration.playing import GAMES
from tests.games.here_to_slay.booked import TEXT
from tests.service import house as house_of_desks
from tests.transcript.golden import text_of
from tests.transcript.played import about_of, rewound, told

APPS: dict[str, Flask] = {}


def ask(
    self: ApiClient,
    method: str,
    path: str,
    body: Any,
    headers: dict[str, str],
    query: dict[str, Any],
    plain: bool = False,
) -> ApiResponse:
    """The client's request, made to an app in this process."""
    more = {"Authorization": f"Bearer {self._token}"} if self._token else {}
    more |= {"Accept-Language": self._language} if self._language else {}
    found = APPS[self.url].test_client().open(path, method=method, query_string=query, headers={**headers, **more})
    if found.status_code >= 400:
        raise ProblemError(found.status_code, found.json)
    return ApiResponse(
        found.text if plain else found.json, found.headers.get("ETag"), clients.is_token_unknown(found.headers)
    )


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[house.Table]:
    """A table of Monster Combat whose cards are dealt, at an app that the client speaks to."""
    for name in list_variables():
        monkeypatch.delenv(name, raising=False)
    app = APPS["http://here"] = house.app()
    monkeypatch.setattr(clients.ApiClient, "_send_request", ask)
    monkeypatch.setenv("REFEREE_API_URL", "http://here")
    yield house.opened(app, seats=2)
    APPS.clear()


def run(*arguments: str, token: str | None = None) -> str:
    """What the command prints."""
    done = CliRunner().invoke(cli, ["show", *arguments], env={"REFEREE_TOKEN": token} if token else {})
    assert done.exit_code == 0, (done.output, done.exception)
    return str(done.output)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[Any, str]:
    """The exit code, and what is said of it."""
    with pytest.raises(SystemExit) as caught:
        main(["show", *arguments])
    return caught.value.code, capsys.readouterr().err


def test_a_seat_reads_its_own_cards_and_onlookers_do_not(table: house.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    match, (mine, _) = table.match, table.seats
    assert mine.token is not None
    open_to_all = run(match, token=mine.token)
    own = run(match, "--seat", "0", "--lang", "de", token=mine.token)
    line = next(line for line in own.splitlines() if "Spieler 1 bekommt 5 Karten:" in line)
    cards = line.partition("Karten: ")[2].split(", ")
    assert len(cards) == 5
    assert "verdeckte" not in line
    assert "Player 1 is dealt 5 cards: a hidden card" in open_to_all
    data = json.loads(run(match, "--seat", "0", "--json", token=mine.token))
    assert [turn["turn"] for turn in data["turns"]] == list(range(len(data["turns"])))
    assert [n for turn in data["turns"] for n in turn["entries"]] == [entry["version"] for entry in data["entries"]]
    assert data["entries"] == table.seats[0].get(f"{table.path}/entries?viewer=seat:0&limit=200").json["items"]
    piece = json.loads(run(match, "--after", "2", "--upto", "4", "--json", token=mine.token))
    assert [entry["version"] for entry in piece["entries"]] == [3, 4]


def test_the_table_as_it_stood_is_a_layout_and_no_dump(table: house.Table) -> None:
    token, version = table.seats[0].token, str(table.version)
    lobby = run(table.match, "--at", "1", token=token)
    assert "The table has not been set up yet." in lobby
    found = run(table.match, "--at", version, "--seat", "0", "--lang", "de", token=token)
    assert f"Der Tisch nach Eintrag {version}" in found
    hands = re.findall(
        r"^  +(?:Spieler \d: Herzen: \d.* )?Hand: (.+)$", found, re.MULTILINE
    )  # a long one has its own line
    assert any("verdeckt" not in hand for hand in hands), found  # one's own; a long one has its own line
    assert "Offene Frage: " in found
    assert "Es wird gewartet auf: Sp" in found
    assert not re.search(r"[{}]|\?|_", found.partition("\n")[2].partition("Offene Frage")[0])
    data = json.loads(run(table.match, "--at", version, "--json", token=token))
    assert data["view"] == table.seats[0].get(f"{table.path}/view?version={version}").json


def test_what_one_may_not_see_is_told_plainly(
    table: house.Table, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    match, token = table.match, str(table.seats[0].token)
    code, said = refused(capsys, match)  # a private match, and no token
    assert (code, "404" in said, "REFEREE_TOKEN" in said) == (1, True, True)
    assert refused(capsys, match, "--full", "--seat", "1")[0] == 2
    assert refused(capsys, match, "--html", "x.html", "--at", "1")[0] == 2
    monkeypatch.setenv("REFEREE_TOKEN", token)
    code, said = refused(capsys, match, "--seat", "1")
    assert (code, "403" in said, "token of that seat" in said) == (1, True, True)
    code, said = refused(capsys, match, "--seat", "9")
    assert (code, "no seat" in said.lower()) == (1, True)
    code, said = refused(capsys, match, "--full")
    assert (code, "409" in said) == (1, True)
    code, said = refused(capsys, match, "--at", "4711")
    assert (code, "4711" in said, "REFEREE_TOKEN" in said) == (1, True, False)
    assert "There are no entries here." in run(match, "--after", "4711", token=token)


def test_a_token_of_no_seat_is_told_and_never_a_right_one(
    table: house.Table, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    open_to_all = house.opened(APPS["http://here"], visibility="public")
    shown = run(open_to_all.match)
    for wrong in (str(table.seats[0].token), "rfs_" + "x" * 43):
        monkeypatch.setenv("REFEREE_TOKEN", wrong)
        with pytest.raises(SystemExit) as caught:
            main(["show", open_to_all.match])
        said = capsys.readouterr()
        assert (caught.value.code, said.out) == (77, shown)
        assert "the token in REFEREE_TOKEN is none of this match" in said.err
    account = open_to_all.seats[0].post("/v1/players", {}).json["token"]  # type: ignore[index]
    for right in (open_to_all.host.token, open_to_all.seats[0].token, account):
        done = CliRunner().invoke(cli, ["show", open_to_all.match], env={"REFEREE_TOKEN": right})
        assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.parametrize("wrong", ["rfs_x", "rfp_" + "x" * 70])
def test_a_token_that_nobody_has_is_told_as_wrong(
    table: house.Table, wrong: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_TOKEN", wrong)
    match = house.opened(APPS["http://here"], visibility="public").match
    code, said = refused(capsys, match)
    assert (code, "the token in REFEREE_TOKEN is wrong" in said, "set REFEREE_TOKEN" in said) == (77, True, False)
    assert "das Token in REFEREE_TOKEN ist falsch" in refused(capsys, match, "--lang", "de")[1]


def test_what_is_refused_is_told_in_german(
    table: house.Table, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lost, torn = tmp_path / "lost.bundle", tmp_path / "torn.bundle"
    torn.write_text("{}\n")
    match, said = table.match, [refused(capsys, str(lost), "--lang", "de")[1]]
    said.append(refused(capsys, str(torn), "--lang", "de")[1])
    said.append(refused(capsys, match, "--lang", "de")[1])
    monkeypatch.setenv("REFEREE_TOKEN", str(table.seats[0].token))
    said.append(refused(capsys, match, "--lang", "de", "--seat", "1")[1])
    said.append(refused(capsys, match, "--lang", "de", "--at", "4711")[1])
    told = ("lässt sich nicht lesen", "ist keine exportierte Partie", "eine private Partie ist nur mit", "Token dieses")
    assert all(part in text for part, text in zip((*told, "404 Unbekannte Version"), said, strict=True)), said
    for text in said:
        assert not re.search(r" (the|is|there|no|this|of) ", re.split("No such|line 1", text)[0]), text


def test_the_page_is_written_whole_and_a_place_that_cannot_be_written_is_named(
    table: house.Table, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_TOKEN", str(table.seats[0].token))
    file = tmp_path / "page.html"
    assert run(table.match, "--html", str(file), "--lang", "de", "--seat", "0") == ""
    text = file.read_text("utf-8")
    assert text.startswith('<!DOCTYPE html>\n<html lang="de">')
    assert f'id="e{table.version}"' in text
    code, said = refused(capsys, table.match, "--html", str(tmp_path / "no" / "page.html"))
    assert (code, "cannot be written" in said) == (73, True)


def test_the_table_of_an_edition_is_told_by_the_cards_of_the_book_that_the_match_names(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    service = house_of_desks.service()
    book, _ = service.repository.library.publish_book(TEXT)
    app = APPS["http://here"] = house.app(service)
    monkeypatch.setattr(clients.ApiClient, "_send_request", ask)
    monkeypatch.setenv("REFEREE_API_URL", "http://here")
    table = house.opened(app, "here_to_slay", 2, visibility="public", edition=book.edition)
    learned = list[str]()
    monkeypatch.setattr(show, "install_book_text", lambda text, file: learned.append(text))
    assert "The table after entry" in run(table.match, "--at", str(table.version))
    assert learned == [TEXT]
    monkeypatch.setattr(clients.ApiClient, "get_text", lambda *_: TEXT + "# a word more\n")
    code, said = refused(capsys, table.match, "--at", str(table.version))
    assert (code, "not the one that the match was opened with" in said) == (1, True)
    assert learned == [TEXT]
    APPS.clear()


# -- the text ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [30, 60, 100])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    found = text_of(told(*rewound("munchkin")), "de", width)
    longest = max(found.splitlines(), key=cell_len)
    assert cell_len(longest) <= max(width, 41), longest
    whole = text_of(told(*rewound("munchkin")), "de", None)
    assert re.sub(r"\s+", "", found).count("Spieler") == re.sub(r"\s+", "", whole).count("Spieler")


def test_what_was_taken_back_is_struck_or_told_in_one_line() -> None:
    found = told(*rewound("monster_combat"))
    lines = [line for line in render_document(found, ShowOptions(), None, ZonedTimeFormat()) if "[dim strike]" in line]
    assert lines
    folded = list(render_document(found, ShowOptions(folded=True, clauses=False), None, ZonedTimeFormat()))
    assert not [line for line in folded if "strike" in line or "MC-" in line]
    assert any(re.search(r"Entries \d+ to \d+: taken back by \d+", line) for line in folded)


def test_nothing_that_people_wrote_steers_the_terminal_or_its_markup() -> None:
    found = told(*rewound("shy_monsters"))
    bad = "\x1b[31m[bold]Ada[/bold]\u202e"
    opened = {
        "type": "table.DisputeOpened", "n": "9.0", "told": {"en": "It is disputed.", "de": "Angefochten."}, "by": "0",
        "about": 3, "dispute": 9, "claim": "other", "saw": {"dice": [1]}, "statement": bad, "clause": "SM-END-1",
    }  # fmt: skip
    entry = {**found.entries[-1], "version": found.entries[-1]["version"] + 1, "events": [opened]}
    told_so = MatchDocument(found.about, {"0": bad}, [*found.entries, entry])
    text = text_of(told_so, "en")
    assert "[bold]Ada[/bold]" in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "): something else" in text
    assert '| Seen: {"dice": [1]}' in text
    assert "| Clause named: SM-END-1" in text


# -- the table ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("source", ["server", "table"])
def test_every_table_can_be_read_and_shows_no_word_of_the_program(game: str, source: str) -> None:
    """All that a table holds has a word in German, and no back has a name."""
    house_, match = rewound(game, source=source)
    known = {name for text in load_games()[game].rulebook.names.values() for name in text.values()} | {*MEMBER_NAMES}
    for version in range(house_.load_match(match).version, 4, -7):
        for viewer in (-3, 0):
            view = views.load_view(house_, match, viewer, version)
            text = "\n".join(
                Text.from_markup(line).plain
                for line in render_document(
                    MatchDocument(about_of(house_, match), {}, [], view), ShowOptions("de", at=version), None
                )
            )
            loose = set(re.findall(r"\b[a-z]+_[a-z_]+\b", text.partition("\n")[2])) - known
            assert not loose, (version, loose)
            assert "?" not in text.partition("Offene Frage")[0]


# -- files -------------------------------------------------------------------------------------------------------------


def exported(house_: Any, match: str, viewer: str, folder: Path) -> Path:
    """A match in a file."""
    file = folder / f"{viewer}.bundle"
    file.write_bytes(b"".join(encode_bundle(export.build_bundle_lines(house_, match, viewer, export.BundleMetadata()))))
    return file


def list_entries_without_sentences(house_: Any, match: str, viewer: int) -> list[dict[str, Any]]:
    """The entries as a bundle tells them: their sentences are made by a server."""
    told, _ = views.list_entries(house_, match, viewer, 0, None, 1000, steps=True, says=False)
    return [{**each, "at_ms": 0} for each in told]


@pytest.mark.parametrize("game", GAMES)
def test_a_file_tells_what_the_server_does_without_one(game: str, tmp_path: Path) -> None:
    house_, match = rewound(game)
    version = house_.load_match(match).version
    for viewer, number in (("public", -3), ("0", 0)):
        file = exported(house_, match, viewer, tmp_path)
        data = json.loads(run(str(file), "--json"))
        told_there = list_entries_without_sentences(house_, match, number)
        assert [{**each, "at_ms": 0} for each in data["entries"]] == told_there
        for at in (version, version // 2):
            view = views.load_view(house_, match, number, at)
            shown = run(str(file), "--at", str(at), "--lang", "de")
            there = render_document(
                MatchDocument(about_of(house_, match), {}, [], view), ShowOptions("de", at=at), None
            )
            assert shown.splitlines()[1:] == [Text.from_markup(line).plain for line in there][1:]
    sealed = exported(house_, match, "sealed", tmp_path)
    of_seat = json.loads(run(str(sealed), "--seat", "1", "--json"))
    assert [{**each, "at_ms": 0} for each in of_seat["entries"]] == [*list_entries_without_sentences(house_, match, 1)]


def test_a_file_that_is_none_or_holds_too_little_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house_, match = rewound("shy_monsters")
    file = exported(house_, match, "0", tmp_path)
    assert refused(capsys, str(file), "--seat", "1") == (1, "referee: the file holds no more than what Player 1 saw\n")
    assert refused(capsys, str(file), "--full")[0] == 1
    code, said = refused(capsys, str(file), "--at", "4711")
    assert (code, "has the entries 1 to" in said) == (1, True)
    sealed = exported(house_, match, "sealed", tmp_path)
    assert "Player 8, --seat=7, is not in this match" in refused(capsys, str(sealed), "--seat", "7")[1]
    assert refused(capsys, str(tmp_path / "none.bundle"))[0] == 66
    whole = file.read_bytes()
    for broken in (b"", b"[]\n", whole[:-20], whole.replace(b'"sm.FloorBegun', b'"sm.FloorBegan'), b"\xff\xfe" * 9):
        file.write_bytes(broken)
        code, said = refused(capsys, str(file))
        assert code == 65, said
        assert "Traceback" not in said
