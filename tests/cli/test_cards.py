"""`referee cards`: books are checked, shown and published; and the host's directory at the start of the server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli.commands.card_books import cards as commands
from referee.cli.commands.card_books.cards import CARD_WORDS, FIELDS_SHOWN_APART
from referee.cli.main import cli
from referee.eventstore.memory.log import MemoryLog
from referee.games import load_games
from referee.infrastructure.card_book_files import CardBookFileError, publish_books
from referee.infrastructure.errors import HostError, StoreNotFoundError
from tests.cli.serving import Serving, stand_ins
from tests.games.here_to_slay.booked import FILE, TEXT

GAME = "here_to_slay"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["cards", *arguments])


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """A book with three errors."""
    text = TEXT.replace("class: thief", "class: theif")
    text = text.replace('  text:\n    en: "Draw three', '  txt:\n    en: "Draw three')
    made = tmp_path / "bad.yaml"
    made.write_text(text, "utf-8")
    return made


def test_check_says_that_nothing_is_wrong_with_a_good_book() -> None:
    said = run("check", str(FILE))
    assert (said.exit_code, said.output.count("\n")) == (0, 1)
    assert said.output.startswith("harbour_tales.yaml: harbour_tales@")
    told = json.loads(run("check", str(FILE), "--json").output)
    assert told["files"][0]["cards"] == 9


def test_check_says_every_error_with_file_line_and_suggestion_and_exits_with_1(bad: Path) -> None:
    said = run("check", str(bad), str(FILE))
    assert said.exit_code == 1
    lines = said.output.splitlines()
    text = bad.read_text("utf-8").splitlines()
    theif, txt = text.index("  class: theif") + 1, text.index("  txt:") + 1
    assert f"bad.yaml:{theif}: unknown class 'theif'; did you mean 'thief'?" in lines
    assert f"bad.yaml:{txt}: a magic takes no 'txt'; did you mean 'text'?" in lines
    assert any(line.endswith("text is missing") for line in lines)
    assert lines[-1].startswith("harbour_tales.yaml: harbour_tales@")
    assert [len(each.get("errors", ())) for each in json.loads(run("check", str(bad), "--json").output)["files"]] == [3]


def test_check_and_play_say_everything_in_german(bad: Path, tmp_path: Path) -> None:
    said = run("check", str(bad), str(FILE), "--lang", "de").output.splitlines()
    text = bad.read_text("utf-8").splitlines()
    theif, txt = text.index("  class: theif") + 1, text.index("  txt:") + 1
    assert f"bad.yaml:{theif}: Unbekannt: 'theif'. Ist 'thief' gemeint?" in said
    assert f"bad.yaml:{txt}: Zu einer Karte der Art magic gehört kein 'txt'. Ist 'text' gemeint?" in said
    assert said[-1].endswith(", 9 Karten für here_to_slay, keine Fehler")
    assert not any(word in line for line in said for word in ("did you mean", "missing", "unknown"))
    played = run("play", str(bad), "--lang", "de")
    assert (played.exit_code, played.output.splitlines()) == (1, said[:-1])
    broken = tmp_path / "broken.yaml"
    broken.write_bytes(b"book: \xff")
    assert run("check", str(broken), "--lang", "de").output == "broken.yaml:1: Was hier steht, ist kein UTF-8.\n"


def test_check_reads_no_bytes_that_are_no_text_and_nothing_without_end(tmp_path: Path) -> None:
    broken, long = tmp_path / "broken.yaml", tmp_path / "long.yaml"
    broken.write_bytes(b"book: x1\n\xff\n")
    long.write_bytes(b"#" * 1_000_001)
    said = run("check", str(broken), str(long))
    assert said.exit_code == 1
    assert said.output.splitlines() == [
        "broken.yaml:2: what stands here is no UTF-8", "long.yaml:1: a book can have at most 1000000 bytes",
    ]  # fmt: skip


@pytest.mark.parametrize(("language", "says"), [("en", "Draw three cards."), ("de", "Ziehe drei Karten.")])
def test_show_renders_the_cards_of_a_file_for_reading(language: str, says: str) -> None:
    said = run("show", str(FILE), "--language", language)
    assert said.exit_code == 0
    assert says in said.output
    assert {"en": "roll: at least 6", "de": "Wurf: mindestens 6"}[language] in said.output
    assert said.output.rstrip().endswith(" 14" if language == "de" else "9 cards, 14 with all copies")
    assert len(json.loads(run("show", str(FILE), "--json").output)["cards"]) == 9


def test_show_renders_the_own_cards_of_every_game() -> None:
    for game, some in (("here_to_slay", "Bad Axe"), ("monster_combat", "Sword"), ("munchkin", "Bat Hat")):
        said = run("show", game)
        assert said.exit_code == 0, said.output
        assert some in said.output


def test_brackets_in_a_card_are_no_markup(tmp_path: Path) -> None:
    file = tmp_path / "odd.yaml"
    file.write_text(TEXT.replace("Keel Hauler", '"[red]Keel[/red]"'), "utf-8")
    assert "[red]Keel[/red]" in run("show", str(file)).output


def test_show_asks_for_a_file_or_a_game(bad: Path, tmp_path: Path) -> None:
    assert run("show", "chess").exit_code == 2
    for file in (bad, tmp_path / "none.yaml"):
        assert isinstance(run("show", str(file)).exception, HostError)


def test_publish_puts_books_into_the_store_once(monkeypatch: pytest.MonkeyPatch, bad: Path, tmp_path: Path) -> None:
    log = MemoryLog()
    monkeypatch.setattr(commands, "find_store_url", lambda _: "unix:///store")
    monkeypatch.setattr(commands, "open_match_log", lambda _: log)
    said = run("publish", str(FILE), "--data-dir", str(tmp_path))
    assert said.output.startswith("harbour_tales.yaml: published as harbour_tales@"), said.output
    assert "is already published" in run("publish", str(FILE), "--data-dir", str(tmp_path)).output
    assert log.list_book_names(GAME) == ("harbour_tales",)
    other = tmp_path / "other.yaml"
    other.write_text(TEXT + "# another\n", "utf-8")
    for file in (bad, other):
        refused = run("publish", str(file), "--data-dir", str(tmp_path))
        assert isinstance(refused.exception, CardBookFileError)
    assert log.find_book(GAME, "harbour_tales") == TEXT.encode()


def test_publish_speaks_german(monkeypatch: pytest.MonkeyPatch, bad: Path, tmp_path: Path) -> None:
    log = MemoryLog()
    monkeypatch.setattr(commands, "find_store_url", lambda _: "unix:///store")
    monkeypatch.setattr(commands, "open_match_log", lambda _: log)
    german = ("--lang", "de", "--data-dir", str(tmp_path))
    assert run("publish", str(FILE), *german).output.startswith("harbour_tales.yaml: veröffentlicht als harbour_tales@")
    assert "ist schon veröffentlicht, als harbour_tales@" in run("publish", str(FILE), *german).output
    assert "Ist 'thief' gemeint?" in str(run("publish", str(bad), *german).exception)
    other = tmp_path / "other.yaml"
    other.write_text(TEXT + "# another\n", "utf-8")
    assert "Gib dem neuen einen anderen Namen." in str(run("publish", str(other), *german).exception)
    monkeypatch.setattr("referee.repository.card_books.MAX_BOOKS_PER_GAME", 1)
    other.write_text(TEXT.replace("harbour_tales", "harbour_two"), "utf-8")
    assert f"Von {GAME} werden keine weiteren Bücher angenommen." in str(run("publish", str(other), *german).exception)
    monkeypatch.setattr(commands, "find_store_url", lambda _: None)
    assert "läuft kein Server" in str(run("publish", str(FILE), *german).exception)


def test_publish_needs_a_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("REFEREE_STORE_URL", raising=False)
    assert isinstance(run("publish", str(FILE), "--data-dir", str(tmp_path)).exception, StoreNotFoundError)


# ---- the host's directory --------------------------------------------------------------------------------------------


def test_every_book_of_the_directory_is_published_and_again_nothing(tmp_path: Path) -> None:
    log = MemoryLog()
    (tmp_path / "one.yaml").write_text(TEXT, "utf-8")
    (tmp_path / "two.yml").write_text(TEXT.replace("harbour_tales", "harbour_two"), "utf-8")
    (tmp_path / "notes.txt").write_text("no book", "utf-8")
    assert [book.name for book in publish_books(log, tmp_path)] == ["harbour_tales", "harbour_two"]
    assert publish_books(log, tmp_path) == ()
    assert log.list_book_names(GAME) == ("harbour_tales", "harbour_two")


def test_a_bad_file_stops_all_of_them_with_its_errors(tmp_path: Path, bad: Path) -> None:
    log = MemoryLog()
    (tmp_path / "a_good_one.yaml").write_text(TEXT, "utf-8")
    with pytest.raises(CardBookFileError, match=r"bad\.yaml:\d+: unknown class 'theif'; did you mean 'thief'\?"):
        publish_books(log, tmp_path)
    assert log.list_book_names(GAME) == ()
    with pytest.raises(CardBookFileError, match="is no directory"):
        publish_books(log, tmp_path / "none")


def test_a_changed_book_stops_the_start_since_its_name_is_taken(tmp_path: Path) -> None:
    log = MemoryLog()
    (tmp_path / "one.yaml").write_text(TEXT, "utf-8")
    publish_books(log, tmp_path)
    (tmp_path / "one.yaml").write_text(TEXT + "# changed\n", "utf-8")
    with pytest.raises(CardBookFileError, match="never changes: give the new one another name"):
        publish_books(log, tmp_path)


@pytest.mark.deep
def test_the_server_publishes_the_directory_before_it_answers_and_does_not_start_with_a_bad_one(
    tmp_path: Path, bad: Path
) -> None:
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    (shelf / "harbour.yaml").write_text(TEXT, "utf-8")
    variables = {"REFEREE_DATA_DIR": str(tmp_path / "data"), "REFEREE_CARDS_DIR": str(shelf)}
    serving = Serving(stand_ins(tmp_path / "ins"), **variables)
    try:
        assert serving.told
    finally:
        serving.stop()
        assert "published harbour_tales@" in serving.end()
    bad.rename(shelf / "bad.yaml")
    refused = Serving(stand_ins(tmp_path / "again"), **variables)
    try:
        assert refused.process.wait(60) == 1
        assert refused.told == {}
    finally:
        assert "bad.yaml:" in refused.end()


def test_kinds_and_members_of_all_cards_have_words_in_both_languages() -> None:
    for game in load_games().values():
        for card in game.cards:
            named = [f"kind.{card['kind']}", *(f"field.{name}" for name in card if name not in FIELDS_SHOWN_APART)]
            assert not [name for name in named if set(CARD_WORDS.get(name, {})) != {"en", "de"}], card["id"]


def test_a_german_list_of_cards_is_german() -> None:
    said = run("show", "monster_combat", "--lang", "de").output
    assert said.startswith("Monster Combat (gedruckt)")
    assert "Schwert ×18  Spielkarte" in said
    assert "mit Auslöser-Rückseite: 6" in said
    assert said.endswith("26 verschiedene Karten, mit allen Exemplaren 110\n")
    assert "Schlimme Dinge: Er schreibt deine Papiere um" in run("show", "munchkin", "--lang", "de").output


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_sheet_has_each_face_as_often_as_the_card_is_in_the_box(tmp_path: Path, lang: str) -> None:
    book, sheet = tmp_path / "signs.yaml", tmp_path / "sheet.html"
    book.write_text(
        "book: signs\ngame: here_to_slay\ntitle: Signs\nextends: printed\ncards:\n"
        "- {id: gust, kind: modifier, copies: 3, name: {en: Gust, de: Böe}, text: {en: 'On <any> roll.', de: 'Auf "
        "<jeden> Wurf.'}, options: [3, -3]}\n"
    )
    done = run("show", str(book), "--print", str(sheet), "--language", lang)
    assert done.exit_code == 0, done.output
    assert "3 faces" in done.output
    page = sheet.read_text("utf-8")
    assert page.count("<article>") == page.count({"en": "Gust", "de": "Böe"}[lang] + "</h2>") == 3
    assert {"en": "On &lt;any&gt; roll.", "de": "Auf &lt;jeden&gt; Wurf."}[lang] in page
    assert "<script" not in page


def test_a_sheet_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    done = run("show", "mau_mau", "--print", str(tmp_path / "nowhere" / "sheet.html"))
    assert done.exit_code != 0
    assert "cannot be written" in str(done.exception or done.output)


def test_a_book_is_tried_by_bots(tmp_path: Path) -> None:
    book = tmp_path / "lantern.yaml"
    book.write_text(
        "book: lantern\ngame: creature_crush\ntitle: Lantern\nextends: printed\ncards:\n"
        "- {id: lantern, kind: creature, cost: 3, attack: 2, life: 3, name: Lantern, text: It shines.}\n"
    )
    done = run("play", str(book), "--matches", "2", "--json")
    assert done.exit_code == 0, done.output
    assert "lantern@" in done.output


def test_a_book_with_errors_is_not_played(bad: Path) -> None:
    done = run("play", str(bad))
    assert done.exit_code == 1
    assert len(done.output.splitlines()) == 3
