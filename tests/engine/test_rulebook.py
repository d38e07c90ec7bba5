"""The book: every text in both languages, parameters by name, misprints refused with their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.engine.referee import judge_move
from referee.engine.rulebook.book import KERNEL_RULEBOOK, BookError, Rulebook
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import Seat
from tests.engine.toy import GAME, Cheer, Play, Table, Turn


def book(folder: Path, clauses: str, reasons: str = "a: {en: x, de: y}") -> Rulebook:
    (folder / "clauses.yaml").write_text(clauses)
    (folder / "messages.yaml").write_text(reasons)
    return Rulebook.load(folder, base=KERNEL_RULEBOOK, names={"sword": {"en": "Sword", "de": "Schwert"}})


def test_a_card_is_called_by_its_name_in_the_language(tmp_path: Path) -> None:
    found = book(tmp_path, "[]", 'play: {en: "Play {card} on {seats}", de: "{card} auf {seats}"}')
    assert found.render_text("play", "de", card="sword!trigger", seats=(1, 2)) == "Schwert auf 1, 2"
    assert found.render_text("play", "en", card="?trigger", seats=()) == "Play a hidden card on "
    assert found.render_text("not_yours_to_move", "en", seat=3) == "It is not for Player 4 to act now."
    assert found.has_text("granted")
    assert not found.has_text("nothing")
    with pytest.raises(KeyError):
        found.render_text("nothing", "en")


def test_a_clause_without_a_language_or_twice_is_a_misprint(tmp_path: Path) -> None:
    for wrong in (
        "- {id: X-1, says: {en: a}}",
        "- {id: X-1, says: {en: a, de: b}}\n- {id: X-1, says: {en: a, de: b}}",
        "- {id: X-1, says: {en: a, de: b}, colour: red}",
        "- {id: X-1, says: {en: a, de: [}}",
    ):
        with pytest.raises(BookError):
            book(tmp_path, wrong)
    with pytest.raises(BookError):
        book(tmp_path, "[]", "a: {en: x}")


def test_the_texts_of_a_clause_are_texts_of_the_book(tmp_path: Path) -> None:
    entry = """
- id: X-1
  says: {en: a, de: b}
  refusals:
    no_hat: {en: "{card} is no hat.", de: "{card} ist kein Hut."}
  events:
    Worn: {en: worn, de: getragen}
    Worn.twice: {en: worn again, de: wieder getragen}
"""
    found = book(tmp_path, entry)
    assert found.render_text("no_hat", "de", card="sword") == "Schwert ist kein Hut."
    assert found.find_template("fact.Worn.twice", "en") == "worn again"
    assert set(found.reasons) == {"a", "no_hat", "fact.Worn", "fact.Worn.twice"}
    assert found.clause_by_text == dict.fromkeys(("no_hat", "fact.Worn", "fact.Worn.twice"), "X-1")
    assert found.clauses == book(tmp_path, "- {id: X-1, says: {en: a, de: b}}").clauses


@pytest.mark.parametrize(
    ("clauses", "reasons", "place"),
    [
        ("- {id: X-1, says: {en: a, de: b}, refusals: {late: {en: x}}}", "{}", "clauses.yaml: X-1: late "),
        ("- {id: X-1, says: {en: a, de: b}, events: {Worn: {de: y}}}", "{}", "clauses.yaml: X-1: fact.Worn "),
        ("- {id: X-1, says: {en: a, de: b}, refusals: {a: {en: x, de: y}}}", "a: {en: x, de: y}", "messages.yaml: a "),
        ("- {id: X-1, says: {en: a, de: b}, refusal: {a: {en: x, de: y}}}", "{}", "clauses.yaml: X-1: .*refusal"),
        (
            "- {id: X-1, says: {en: a, de: b}, refusals: {late: {en: x, de: y}}}\n"
            "- {id: X-2, says: {en: a, de: b}, refusals: {late: {en: x, de: y}}}",
            "{}",
            "clauses.yaml: X-2: late ",
        ),
    ],
)
def test_a_text_of_a_clause_without_a_language_or_twice_is_a_misprint(
    tmp_path: Path, clauses: str, reasons: str, place: str
) -> None:
    with pytest.raises(BookError, match=f"{tmp_path.name}/{place}"):
        book(tmp_path, clauses, reasons)


def test_a_clause_is_found_here_or_in_the_base(tmp_path: Path) -> None:
    found = book(tmp_path, "- {id: X-1, says: {en: a, de: b}, found: here}")
    assert found.find_clause("X-1").found == {"en": "here", "de": "here"}
    assert found.find_clause("KERNEL-TURN-1").says["de"]
    with pytest.raises(KeyError):
        found.find_clause("X-2")


@pytest.mark.clause("KERNEL-POSITION-1")
def test_a_ruling_that_needs_what_a_position_leaves_out_stays_undecided_and_asks() -> None:
    class Blank(Turn):
        def judged(self, state: Table, seat: Seat, move: object) -> None:
            raise Undetermined("hand_unknown", seat=int(seat))

    state = Table((Blank(0),), {}, (0, 0))
    ruling = judge_move(state, Seat(0), Play("bomb"))
    assert (ruling.verdict, ruling.clauses) == ("undecided", ("KERNEL-POSITION-1",))
    assert (ruling.needs[0].key, ruling.needs[0].params) == ("hand_unknown", {"seat": 0})


def test_a_ruling_grants_refuses_or_stays_undecided() -> None:
    state = Table((Turn(0),), {"hand:0": ("bomb",)}, (0, 0))
    assert judge_move(state, Seat(0), Play("bomb")).verdict == "granted"
    assert judge_move(state, Seat(0), Play("cake")).verdict == "refused"
    assert judge_move(state, Seat(1), Cheer()).verdict == "granted"
    assert IllegalMove("x", "A-1", card="sword").ruling.params == {"card": "sword"}


def test_told_names_who_did_what() -> None:
    assert GAME.narration.describe_event(Play("bomb")) == {"en": "Play Bomb.", "de": "Spiele Bombe."}
