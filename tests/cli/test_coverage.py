"""`referee rules coverage`: what counts as cited and as tested, and when the check fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli.commands.rulings import coverage
from referee.cli.commands.rulings.coverage import find_citations, read_record, report_coverage, survey_books
from referee.cli.main import cli
from referee.engine.rulebook.book import Clause, Rulebook
from referee.infrastructure.errors import HostError

SAYS = {"en": "…", "de": "…"}
CODE = '''"""A room (MC-DOC-1)."""
# a comment cites nothing: MC-COMMENT-1
class Struck:
    """Answers a blow (MC-SHIELD-1, MC-AMB-20)."""
    clauses = ("MC-BARE-1", "MK-13.4")
    """As MK-4.10, CC-ZONE-ADJ-1. No more."""
    def check(self):
        raise Refused(f"MC-{self}-1", "MC-FSTRING-1")
'''


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A book of four clauses, the code of its game, and an empty committed record."""
    folder = tmp_path / "game"
    (folder / "rules").mkdir(parents=True)
    (folder / "rules" / "blows.py").write_text('"""MC-SHIELD-1, MC-BLOW-1"""')
    names = ("MC-SHIELD-1", "MC-BLOW-1", "MC-TABLE-1")
    clauses = {name: Clause(name, SAYS, players_duty=name == "MC-TABLE-1") for name in names}
    monkeypatch.setattr(coverage, "iterate_books", lambda: iter([("monster_combat", Rulebook(clauses, {}), (folder,))]))
    monkeypatch.setattr(coverage, "COMMITTED_RECORD", tmp_path / "coverage.json")
    record(tmp_path / "coverage.json")
    return folder


EMITTED = ("MC-SHIELD-1", "MC-BLOW-1")


def record(path: Path, emitted: tuple[str, ...] = EMITTED, **tests: list[str]) -> Path:
    """A fresh record, or the committed one: it names the silent clauses."""
    told = {"silent": sorted({*EMITTED} - {*emitted})} if path.name == "coverage.json" else {"emitted": list(emitted)}
    path.write_text(json.dumps({"clauses": {name.replace("_", "-"): found for name, found in tests.items()}, **told}))
    return path


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["rules", "coverage", *arguments])
    return done.exit_code, done.output


def test_ids_in_docstrings_and_strings_are_citations_and_those_in_comments_are_not(tmp_path):
    (tmp_path / "code.py").write_text(CODE)
    found = set(find_citations([tmp_path / "code.py"]))
    of_books = {"MC-DOC-1", "MC-SHIELD-1", "MC-AMB-20", "MC-BARE-1", "MC-FSTRING-1"}
    assert found == of_books | {"MK-13.4", "MK-4.10", "CC-ZONE-ADJ-1"}


def test_a_book_is_whole_once_every_clause_is_cited_and_tested_or_the_players_own(room, tmp_path):
    (book,) = survey_books({"MC-SHIELD-1": 1, "MC-BLOW-1": 2})
    assert (book.not_cited, book.not_tested, book.unknown_ids, book.is_complete) == ([], [], [], True)
    assert book.players_duties == ["MC-TABLE-1"]


def test_what_is_missing_is_named(room):
    (room / "rules" / "blows.py").write_text('"""MC-SHIELD-1, MC-SHEILD-1, HTS-ROLL-1"""')
    (book,) = survey_books({"MC-SHIELD-1": 0, "MC-BLOW-1": 1})
    assert book.not_cited == ["MC-BLOW-1"]
    assert book.not_tested == ["MC-SHIELD-1"]
    assert book.unknown_ids == ["MC-SHEILD-1"], (
        "an id of this book's family that no book has; another game's is no concern"
    )
    assert not book.is_complete


def test_the_check_fails_until_all_is_tested(room, tmp_path):
    assert run()[0] == 0, "without --check it only tells"
    code, said = run("--check")
    assert code == 1
    assert "not tested: MC-SHIELD-1 MC-BLOW-1" in said
    record(tmp_path / "coverage.json", MC_SHIELD_1=["a"], MC_BLOW_1=["b"])
    assert run("--check")[0] == 0


def test_a_fresh_record_must_have_the_clauses_of_the_committed_one(room, tmp_path):
    full = record(tmp_path / "fresh.json", MC_SHIELD_1=["a"], MC_BLOW_1=["b"])
    record(tmp_path / "coverage.json", MC_SHIELD_1=["a"])
    code, said = run("--check", "--record", str(full))
    assert code == 1
    assert "out of date: MC-BLOW-1" in said
    record(tmp_path / "coverage.json", MC_SHIELD_1=["another test"], MC_BLOW_1=["b"])
    assert run("--check", "--record", str(full))[0] == 0, "which tests they are does not matter"
    poor = record(tmp_path / "poor.json", MC_SHIELD_1=["a"])
    assert run("--check", "--record", str(poor))[0] == 1, "what the fresh run did not exercise counts as not tested"


def test_the_committed_record_is_written_from_a_fresh_one_without_the_names_of_tests(room, tmp_path):
    fresh = record(tmp_path / "fresh.json", MC_SHIELD_1=["a", "b"], MC_BLOW_1=["c"])
    assert run("--write")[0] == 2, "it needs a fresh record"
    assert run("--write", "--check", "--record", str(fresh))[0] == 0
    assert json.loads((tmp_path / "coverage.json").read_text()) == {
        "clauses": {"MC-BLOW-1": 1, "MC-SHIELD-1": 2},
        "silent": [],
    }


def test_no_clause_may_fall_silent_but_a_silent_one_may_begin_to_speak(room, tmp_path):
    tests = {"MC_SHIELD_1": ["a"], "MC_BLOW_1": ["b"]}
    record(tmp_path / "coverage.json", ("MC-SHIELD-1",), **tests)
    assert "never emitted: MC-BLOW-1" in run()[1]
    fresh = record(tmp_path / "fresh.json", EMITTED, **tests)
    assert run("--check", "--record", str(fresh))[0] == 0
    fresh = record(tmp_path / "fresh.json", ("MC-BLOW-1",), **tests)
    code, said = run("--check", "--record", str(fresh))
    assert code == 1
    assert "out of date: MC-SHIELD-1" in said
    assert run("--write", "--record", str(fresh))[0] == 0
    assert json.loads((tmp_path / "coverage.json").read_text())["silent"] == ["MC-SHIELD-1"]


def test_the_figures_are_drawn_into_a_file(room: Path, tmp_path: Path) -> None:
    record(tmp_path / "coverage.json", MC_SHIELD_1=["a"])
    code, said = run("--plot", str(tmp_path / "plot.svg"))
    assert (code, "MC-BLOW-1" in said) == (0, True)
    drawn = (tmp_path / "plot.svg").read_text("utf-8")
    assert "Monster Combat: 1 tested, named in rulings or events, 1 seen to by the players, 1 not tested." in drawn
    with pytest.raises(HostError, match="cannot be written"):
        report_coverage(None, check=False, as_json=True, plot=tmp_path / "none" / "plot.svg")


def test_json_has_the_same_in_numbers(room):
    code, said = run("--json", "--check")
    data = json.loads(said)
    assert code == 1
    assert data["whole"] is False
    assert data["books"] == [
        {"book": "monster_combat", "clauses": 3, "cited": 2, "tested": 0, "emitted": 3, "by_construction": 0}
        | {"players_duty": 1, "not_cited": [], "not_tested": ["MC-SHIELD-1", "MC-BLOW-1"], "silent": [], "unknown": []}
    ]


def test_a_record_that_is_none_is_refused_by_name(tmp_path):
    (tmp_path / "r.json").write_text('{"clauses": ["MC-1"]}')
    with pytest.raises(HostError, match=r"r\.json"):
        read_record(tmp_path / "r.json")
    with pytest.raises(HostError, match="missing"):
        read_record(tmp_path / "missing")


def test_every_game_and_the_rooms_with_books_of_their_own_are_surveyed():
    from referee.games import load_games

    surveyed = {name: (book, folders) for name, book, folders in coverage.iterate_books()}
    assert surveyed.keys() == load_games().keys() | {"engine", "cardscript", "table", "tournament"}
    for name, (book, folders) in surveyed.items():
        assert any(any(folder.rglob("clauses*")) for folder in folders), name
        assert book.clauses, name
