"""`referee bots`: matches, tournaments that go on where they were stopped, balance reports, and what is refused."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, ClassVar
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from referee.bots.levels import BOT_LEVELS, BOT_STYLES
from referee.bots.tournaments import records
from referee.bots.tournaments.players import list_minds
from referee.bots.tournaments.records import parse_records
from referee.cli.commands.bots.report.page import PLOT_STYLE, STYLE
from referee.cli.commands.bots.words import WORDS
from referee.cli.main import cli
from referee.games import load_games
from tests.games.here_to_slay.booked import FILE

LANGUAGES = ("en", "de")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["bots", *arguments])


def play(folder: Path | None, *more: str, matches: int = 6, jobs: int = 1) -> Result:
    kept = () if folder is None else ("--out", str(folder))
    base = ("tournament", "mau_mau", "--minds", "1,0", "--matches", str(matches), "--jobs", str(jobs))
    return run(*base, *kept, *more)


def read(folder: Path) -> list[Any]:
    found, _ = parse_records((folder / "matches.jsonl").read_bytes())
    return [found[number].without_times() for number in sorted(found)]


class Page(HTMLParser):
    """A page whose elements are closed in the order in which they were opened."""

    EMPTY: ClassVar = {"meta", "br"}

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


# ---- list and match ----


@pytest.mark.parametrize("lang", LANGUAGES)
def test_list_names_each_level_and_its_strength(lang: str) -> None:
    said = run("list", "--lang", lang)
    assert said.exit_code == 0
    for bot in BOT_LEVELS:
        assert bot["name"][lang] in said.output
    assert said.output.count(" %)") == sum(len(bot["measured_strength"] or ()) for bot in BOT_LEVELS)
    assert json.loads(run("list", "--json").output) == {
        "levels": BOT_LEVELS,
        "styles": BOT_STYLES,
        "minds": list(list_minds()),
    }
    for style in BOT_STYLES:
        assert style["name"][lang] in said.output


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_match_is_shown_move_by_move(lang: str) -> None:
    said = run("match", "mau_mau", "--seats", "1,0", "--moves", "--lang", lang).output.splitlines()
    about = json.loads(run("match", "mau_mau", "--seats", "1,0", "--json").output)
    assert len(said) == about["moves"] + 2
    assert f"{ {'en': 'Player', 'de': 'Spieler'}[lang] } {about['winners'][0] + 1} (" in said[-2]
    assert len(run("match", "mau_mau", "--seats", "1,0").output.splitlines()) == 2


def test_the_same_seed_gives_the_same_match() -> None:
    def about(seed: str) -> Any:
        said = json.loads(run("match", "shy_monsters", "--seats", "0,0", "--seed", seed, "--json").output)
        return {name: value for name, value in said.items() if name not in ("cpu_ms", "seed")}

    assert about("5") == about("5")
    assert len({json.dumps(about(str(seed))) for seed in range(5)}) > 1


def test_a_match_of_a_tournament_can_be_played_again(tmp_path: Path) -> None:
    play(tmp_path / "t")
    for record in read(tmp_path / "t"):
        about = json.loads(
            run("match", "mau_mau", "--seats", ",".join(record.seats), "--seed", record.seed, "--json").output
        )
        assert (tuple(about["winners"]), about["moves"]) == (record.winners, record.moves)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("match", "chess", "--seats", "1,0"), "no game chess; games: creature_crush"),
        (("match", "mau_mau", "--seats", "1"), "the game has 2 to 4 seats"),
        (("match", "mau_mau", "--seats", "1,"), "there is no mind"),
        (("match", "mau_mau", "--seats", "1,9"), "there is no mind 9 for mau_mau; minds: 0, 1"),
        (("match", "mau_mau", "--seats", "1,0", "--variant", "V9"), "variant: one of standard"),
        (("match", "mau_mau"), "Missing option '--seats'"),
        (("tournament", "chess", "--minds", "1,0"), "no game chess"),
        (("tournament", "mau_mau", "--minds", "1,0", "--seats", "9"), "the game has 2 to 4 seats"),
        (("tournament", "mau_mau", "--minds", "1,x"), "there is no mind x"),
        (("tournament", "mau_mau", "--minds", "1,0", "--resume"), "--resume needs --out FOLDER"),
        (("tournament", "mau_mau", "--minds", "1,0", "--bar", "0.97"), "--bar: a bar and its margin lie between"),
        (("tournament", "mau_mau", "--minds", "1,0", "--matches", "0"), "Invalid value for '--matches'"),
        (("balance", "mau_mau", "--mind", "1,0"), "one mind sits on all seats"),
        (("balance", "mau_mau", "--cards", str(FILE)), "is a book of here_to_slay, not of mau_mau"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(arguments: tuple[str, ...], said: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert said in " ".join(result.output.replace("│", " ").split())


def test_a_book_with_errors_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text(FILE.read_text("utf-8").replace("class: thief", "class: theif"), "utf-8")
    said = run("balance", "here_to_slay", "--cards", str(tmp_path / "bad.yaml"))
    assert said.exit_code == 1
    assert "bad.yaml:" in str(said.exception)


# ---- tournaments ----


def test_a_tournament_that_was_killed_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole, torn = tmp_path / "whole", tmp_path / "torn"
    assert play(whole, matches=8).exit_code == 0
    assert play(torn, matches=4).exit_code == 0
    data = (torn / "matches.jsonl").read_bytes()
    (torn / "matches.jsonl").write_bytes(data[:-40])
    assert play(torn, "--resume", matches=8).exit_code == 0
    assert read(torn) == read(whole)
    assert (torn / "matches.jsonl").read_bytes().count(b"\n") == 8


def test_several_processes_play_the_same_matches(tmp_path: Path) -> None:
    play(tmp_path / "one", matches=4)
    play(tmp_path / "two", matches=4, jobs=2)
    assert read(tmp_path / "one") == read(tmp_path / "two")


def test_a_tournament_is_reported_as_text_and_as_data(tmp_path: Path) -> None:
    said = play(tmp_path / "t", matches=5)
    assert "6 matches in 3 rounds" in said.output
    assert "1 (greedy)" in said.output
    about = json.loads(play(tmp_path / "t", "--resume", "--json", matches=6).output)
    assert (about["matches"], about["rounds"], about["bar"]) == (6, 3, None)
    assert [mind["name"] for mind in about["minds"]] == ["1", "0"]
    assert sum(mind["matches"]["won"] for mind in about["minds"]) == 6
    assert about["minds"][0]["rating"][0] > 25 > about["minds"][1]["rating"][0]


def test_a_bar_stops_early_and_the_exit_code_says_how_it_stands(tmp_path: Path) -> None:
    above = play(tmp_path / "a", "--bar", "0.5", "--margin", "0.3", matches=400)
    assert above.exit_code == 0
    assert "1 (greedy) is above 50.0%" in above.output
    assert len(read(tmp_path / "a")) < 40
    assert len(read(tmp_path / "a")) % 2 == 0
    below = run("tournament", "mau_mau", "--minds", "0,1", "--bar", "0.5", "--margin", "0.3", "--jobs", "1")
    assert below.exit_code == 3
    assert "0 (random) is not above" in below.output
    assert play(None, "--bar", "0.5", matches=2).exit_code == 3, "two matches decide nothing"


def test_where_all_win_together_minds_are_compared_by_what_they_reach() -> None:
    about = json.loads(
        run(
            *("tournament", "monster_combat", "--variant", "V2", "--minds", "1,0"),
            *("--matches", "4", "--jobs", "1", "--json"),
        ).output
    )  # fmt: skip
    assert about["duels"] == []
    assert [mind["matches"]["of"] for mind in about["minds"]] == [2, 2]


@pytest.mark.parametrize(
    ("change", "more", "said"),
    [
        (lambda folder: None, (), "holds a tournament; add --resume"),
        (lambda folder: None, ("--resume", "--seed", "2"), "holds another tournament (seed: 1, not 2)"),
        (lambda folder: (folder / "plan.json").write_text("{"), ("--resume",), "is damaged"),
        (lambda folder: (folder / "plan.json").unlink(), ("--resume",), "holds no tournament"),
        (lambda folder: (folder / "matches.jsonl").write_text("{}\n" * 3), ("--resume",), "line 1 is no record"),
        (lambda folder: (folder / "minds.json").write_text("["), ("--resume",), "minds.json is damaged"),
        (
            lambda folder: put_digests(folder, {"bots": "another", "games/mau_mau": "another"}),
            ("--resume",),
            "was begun by other minds: bots, games/mau_mau of the program changed since",
        ),
        (
            lambda folder: (folder / "matches.jsonl").write_text(
                (folder / "matches.jsonl").read_text().replace('"seed":"1/0"', '"seed":"7/0"')
            ),
            ("--resume",),
            "record 0 is of another match than planned",
        ),
    ],
)
def test_a_folder_that_does_not_fit_is_left_alone(
    tmp_path: Path, change: Any, more: tuple[str, ...], said: str
) -> None:
    folder = tmp_path / "t"
    play(folder, matches=2)
    change(folder)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    result = play(folder, *more, matches=4)
    assert result.exit_code == 1
    assert said in str(result.exception)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("file", ["plan.json", "minds.json"])
@pytest.mark.parametrize("content", ["null", "[]", "[1]", "{", '"x"', "{}"])
def test_a_damaged_file_of_a_folder_is_named_without_words_of_python(tmp_path: Path, file: str, content: str) -> None:
    folder = tmp_path / "t"
    play(folder, matches=2)
    (folder / file).write_text(content)
    for lang, said in (("en", f"{file} is damaged; put"), ("de", f"{file} ist beschädigt; ersetze")):
        told = str(play(folder, "--resume", "--lang", lang, matches=4).exception)
        assert said in told
        assert not re.search("NoneType|iterable|attribute|argument|sequence|Expecting", told)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ((), "enthält schon ein Turnier; setze es mit --resume fort"),
        (("--resume", "--seed", "2"), "enthält ein anderes Turnier (seed: 1, nicht 2)"),
    ],
)
def test_a_folder_that_does_not_fit_is_told_in_german(tmp_path: Path, more: tuple[str, ...], said: str) -> None:
    play(tmp_path / "t", matches=2)
    assert said in str(play(tmp_path / "t", "--lang", "de", *more, matches=4).exception)


def put_digests(folder: Path, parts: dict[str, str]) -> None:
    """Write other digests of parts of the program into the folder of a tournament."""
    kept = json.loads((folder / "minds.json").read_text("utf-8"))
    assert set(parts) <= set(kept)
    (folder / "minds.json").write_text(json.dumps({**kept, **parts}), "utf-8")


def test_a_folder_of_a_former_version_goes_on(tmp_path: Path) -> None:
    play(tmp_path / "t", matches=2)
    (tmp_path / "t" / "minds.json").unlink()
    assert play(tmp_path / "t", "--resume", matches=4).exit_code == 0
    assert not (tmp_path / "t" / "minds.json").exists()


def test_nothing_can_be_resumed_in_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert "nothing to resume" in str(play(tmp_path / "no", "--resume").exception)
    assert not (tmp_path / "no").exists()


def test_a_match_that_fails_is_named_with_the_command_that_repeats_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> Any:
        raise RuntimeError("this mind is broken")

    monkeypatch.setattr(records, "play_match", broken)
    result = play(tmp_path / "t")
    assert result.exit_code == 1
    assert "this mind is broken" in str(result.exception)
    assert "referee bots match mau_mau --variant standard --seats 1,0 --seed 1/0" in str(result.exception)


# ---- balance, and the page ----


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_is_well_formed_and_names_each_card(tmp_path: Path, lang: str) -> None:
    folder = tmp_path / "t"
    said = run("balance", "mau_mau", "--matches", "12", "--jobs", "1", "--out", str(folder), "--lang", lang)
    assert said.exit_code == 0
    text = (folder / "report.html").read_text("utf-8")
    page = Page(text.replace(STYLE.read_text("utf-8"), "").replace(PLOT_STYLE.read_text("utf-8"), ""))
    assert "{" not in page.words
    for card in load_games()["mau_mau"].cards:
        assert card["name"][lang] in page.words
        assert card["name"][lang] in said.output
    assert f'<html lang="{lang}">' in text
    assert "http://" not in text
    assert "<script" not in text


def test_each_plot_is_a_picture_of_its_own(tmp_path: Path) -> None:
    play(tmp_path / "t", "--bar", "0.9")
    text = (tmp_path / "t" / "report.html").read_text("utf-8")
    pictures = [f"<svg{part.partition('</svg>')[0]}</svg>" for part in text.split("<svg")[1:]]
    named = [ElementTree.fromstring(picture) for picture in pictures if "role=" in picture]
    assert [picture.findtext("title") for picture in named] == [
        "Who won", "Rating", "Does it help to begin?", "Length of the matches", "Cards"
    ]  # fmt: skip


def test_each_plot_is_a_file_too_with_its_title(tmp_path: Path) -> None:
    play(tmp_path / "t")
    found = {path.name: path.read_text("utf-8") for path in (tmp_path / "t" / "plots").iterdir()}
    assert {*found} >= {"minds.svg", "ratings.svg", "places.svg", "lengths.svg", "cards.svg"}
    assert ">Who won</text>" in found["minds.svg"]
    for drawn in found.values():
        assert ElementTree.fromstring(drawn).findtext("{http://www.w3.org/2000/svg}style")


def test_a_card_book_is_played_with_in_every_process(tmp_path: Path) -> None:
    said = run(
        "balance", "here_to_slay", "--cards", str(FILE), "--matches", "2", "--jobs", "2", "--out", str(tmp_path / "t")
    )
    assert said.exit_code == 0, said.output
    plan = json.loads((tmp_path / "t" / "plan.json").read_text())
    assert "@" in plan["edition"]
    assert "Cards: " in said.output


def test_every_word_is_there_in_both_languages() -> None:
    assert all(set(texts) == set(LANGUAGES) and all(texts.values()) for texts in WORDS.values())
