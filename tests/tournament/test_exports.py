"""Tournaments as files: what is written is read again, by the same program or by columns, and nothing is a formula."""

from __future__ import annotations

import csv
import io
import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tournament import exports
from referee.tournament.exports import (
    COMMA,
    CSV_FORMS,
    CSV_REASONS,
    FORMULA,
    SEMICOLON,
    TRF_REASONS,
    NotExportable,
    PairingsCsvError,
    find_name,
    guard_text,
    read_pairings_csv,
    write_csv_pairings,
    write_csv_results,
    write_csv_standings,
    write_number,
    write_trf,
)
from referee.tournament.pairing import Pairing
from referee.tournament.results import TableResult, record_bye
from referee.tournament.standings import Points, compute_standings
from tests.tournament.evenings import Evening

SEEDS = st.integers(0, 2**32)
some = settings(max_examples=80, deadline=None)
CHESS = Points(win=1, draw=Fraction(1, 2), loss=0, bye=1)
NAMES = {1: "Ann", 2: '=HYPERLINK("x")', 3: 'Cid, "the; Kid"\nII', 5: ""}
RESULTS = [
    TableResult(1, 1, (2, 1), ((1,), (2,))),
    record_bye(1, 3),
    TableResult(2, 1, (1, 3), ((1, 3),)),
    TableResult(2, 2, (4, 2), ((4,),), (2,)),
]


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def standings(results=RESULTS, points=CHESS, tiebreaks=("direct", "buchholz"), players=4):
    return compute_standings(range(1, players + 1), results, points, tiebreaks, (1, 2, 3, 4))


def test_spreadsheets_get_their_mark_their_separator_and_their_decimals() -> None:
    """Umlauts are read as UTF-8 by the mark; half a point is a number and no date where a comma separates decimals."""
    plain = write_csv_standings(standings(), NAMES)
    assert write_csv_standings(standings(), NAMES, COMMA) == f"\ufeff{plain}"
    text = write_csv_standings(standings(), NAMES, SEMICOLON)
    assert text.startswith("\ufeffrank;player;name;points;")
    assert "2;1;Ann;1,5;2;1;1;0;0;0,5;1,5" in text.splitlines()
    pairing = Pairing(((2, 1), (3, 4)))
    for form in CSV_FORMS:
        assert read_pairings_csv(write_csv_pairings(pairing, NAMES, form)) == pairing
    assert write_csv_results(RESULTS, NAMES, SEMICOLON).splitlines()[1].endswith(";2;loss")


def test_standings_as_csv() -> None:
    assert rows_of(write_csv_standings(standings(), NAMES)) == [
        ["rank", "player", "name", "points", "played", "wins", "draws", "losses", "byes", "direct", "buchholz"],
        ["1", "3", 'Cid, "the; Kid"\nII', "1.5", "1", "0", "1", "0", "1", "0.5", "3"],
        ["2", "1", "Ann", "1.5", "2", "1", "1", "0", "0", "0.5", "1.5"],
        ["3", "4", "Player 4", "1", "1", "1", "0", "0", "0", "", "1"],
        ["4", "2", """'=HYPERLINK("x")""", "0", "2", "0", "0", "2", "0", "", "1.5"],
    ]
    assert rows_of(write_csv_standings((), NAMES)) == [
        ["rank", "player", "name", "points", "played", "wins", "draws", "losses", "byes"]
    ]


def test_results_as_csv() -> None:
    assert rows_of(write_csv_results(RESULTS[::-1], NAMES)) == [
        ["round", "table", "seat", "player", "name", "place", "outcome"],
        ["1", "1", "1", "2", """'=HYPERLINK("x")""", "2", "loss"],
        ["1", "1", "2", "1", "Ann", "1", "win"],
        ["1", "0", "1", "3", 'Cid, "the; Kid"\nII', "", "bye"],
        ["2", "1", "1", "1", "Ann", "1", "draw"],
        ["2", "1", "2", "3", 'Cid, "the; Kid"\nII', "1", "draw"],
        ["2", "2", "1", "4", "Player 4", "1", "win"],
        ["2", "2", "2", "2", """'=HYPERLINK("x")""", "", "forfeit"],
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(0), "0"), (Fraction(10), "10"), (Fraction(-3), "-3"), (Fraction(5, 2), "2.5"), (None, ""),
        (Fraction(7, 3), "2.3333"), (Fraction(200, 3), "66.6667"), (Fraction(1, 8), "0.125"), (Fraction(100), "100"),
    ],
)  # fmt: skip
def test_numbers(value, text) -> None:
    assert write_number(value) == text


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@a", "|a", "%a", " =1", "\t1", "\r1", "\n1", "＝1", "＋1", "－1", "＠a"]
)
def test_texts_that_spreadsheets_would_compute(text) -> None:
    assert guard_text(text) == f"'{text}"


@pytest.mark.parametrize("text", ["Ann", "Jean-Luc", "O'Hara", "a=b", "5", "Äöü", "1-2", ""])
def test_other_texts_stay_as_they_are(text) -> None:
    assert guard_text(text) == text


@some
@given(st.dictionaries(st.integers(1, 4), st.text(max_size=12)))
def test_no_name_becomes_a_formula_or_breaks_a_file(names) -> None:
    names = {player: name for player, name in names.items() if "\0" not in name}
    for text, column in (
        (write_csv_standings(standings(), names), 2),
        (write_csv_results(RESULTS, names), 4),
        (write_csv_pairings(Pairing(((1, 2), (3, 4))), names), 3),
    ):
        _header, *rows = rows_of(text)
        assert rows
        assert not any(FORMULA.match(row[column]) for row in rows)
        assert all(row[column].removeprefix("'") in {n.removeprefix("'") for n in names.values()} | {
            find_name(names, player) for player in range(1, 5)
        } for row in rows)  # fmt: skip


@some
@given(st.sampled_from(["swiss", "groups", "knockout"]), st.integers(3, 14), SEEDS, st.sampled_from(",;\t"))
def test_a_pairing_is_read_as_it_was_written(system, count, seed, delimiter) -> None:
    sizes = {"table_size": 3, "table_sizes": (3, 5)} if system == "groups" else {}
    pairing = Evening(system, count, seed, **sizes).play_round(1)
    text = write_csv_pairings(pairing, {})
    assert read_pairings_csv(text) == pairing
    assert read_pairings_csv("\ufeff" + text.replace(",", delimiter)) == pairing


def test_columns_may_stand_in_any_order_and_lines_too() -> None:
    text = "Name; Player ;TABLE;seat\nx;4;2;2\n\n;3;2;1\n;;;\ny;5;0;1\nz;1;1;2\nw;2;1;1\n"
    assert read_pairings_csv(text) == Pairing(((2, 1), (3, 4), (5,)))


@pytest.mark.parametrize(
    ("text", "line", "reason", "params"),
    [
        ("", 1, "missing_column", {"column": "table"}),
        ("table,seat\n1,1\n", 1, "missing_column", {"column": "player"}),
        ("table,table,seat,player\n", 1, "missing_column", {"column": "table"}),
        ("table,seat,player\n", 1, "no_players", {}),
        ("table,seat,player\n1,1,7\n1,2,x\n", 3, "not_a_number", {"column": "player", "found": "x"}),
        ("table,seat,player\n1,1,7\n1,,8\n", 3, "not_a_number", {"column": "seat", "found": ""}),
        ("table,seat,player\n1,1,7\n1,2\n", 3, "not_a_number", {"column": "player", "found": ""}),
        ("table,seat,player\n1,1,7\n1,2,-8\n", 3, "not_a_number", {"column": "player", "found": "-8"}),
        ("table,seat,player\n1,1,7\n1,2,٣\n", 3, "not_a_number", {"column": "player", "found": "٣"}),
        ("table,seat,player\n1,1,7\n\n1,2,7\n", 4, "player_twice", {"player": 7, "first_line": 2}),
        ("table,seat,player\n1,1,7\n1,1,8\n", 3, "seat_taken", {"table": 1, "seat": 1}),
        ("table,seat,player\n1,1,7\n1,3,8\n", 2, "seat_missing", {"table": 1, "seat": 2}),
        ("table,seat,player\n1,1,7\n1,2,8\n3,1,1\n3,2,2\n", 4, "table_missing", {"table": 2}),
        ("table,seat,player\n1,1,7\n", 2, "table_of_one", {"table": 1}),
        ('table,seat,player\n1,1,7\n1,2,"8\n', 3, "not_csv", {}),
    ],
)
def test_pairings_that_cannot_be_read_name_the_line_and_the_reason(text, line, reason, params) -> None:
    with pytest.raises(PairingsCsvError) as wrong:
        read_pairings_csv(text)
    assert (wrong.value.line, wrong.value.reason, wrong.value.params) == (line, reason, params)
    assert f"line {line}" in str(wrong.value)


@some
@given(st.text(alphabet='tableseatplayer,;\t\n\r"0123\0 ', max_size=60))
def test_any_text_is_read_or_refused_in_one_way(text) -> None:
    for whole in (text, f"table,seat,player\n{text}"):
        try:
            read_pairings_csv(whole)
        except PairingsCsvError as wrong:
            assert wrong.reason in CSV_REASONS  # noqa: PT017


def test_every_reason_is_listed() -> None:
    text = Path(exports.__file__).read_text("utf-8")
    assert set(re.findall(r'PairingsCsvError\([^"\n]*"([a-z_]+)"', text)) == CSV_REASONS
    assert set(re.findall(r'NotExportable\("([a-z_]+)"', text)) == TRF_REASONS


def read_trf_player(line: str) -> tuple[int, str, str, int, list[tuple[str, str, str]]]:
    """Read a line by the columns of TRF16, which count from 1."""
    assert line[:3] == "001"
    rounds = [line[at - 1 : at + 7] for at in range(92, len(line) + 1, 10)]
    games = [(each[0:4].strip(), each[5], each[7]) for each in rounds]
    return int(line[4:8]), line[14:47].rstrip(), line[80:84].strip(), int(line[85:89]), games


def test_a_report_in_the_manner_of_trf16() -> None:
    text = write_trf(
        standings(), RESULTS, NAMES, title="Club\nevening", rounds=5, city="Bonn", start="2026/11/29", end="2026/11/30",
        system="Swiss", arbiters=("Eve", "Fay"),
    )  # fmt: skip
    assert text.endswith("\r\n")
    lines = text.split("\r\n")[:-1]
    assert lines[:11] == [
        "012 Club evening", "022 Bonn", "042 2026/11/29", "052 2026/11/30", "062 4", "072 0", "082 0", "092 Swiss",
        "102 Eve", "112 Fay", "XXR 5",
    ]  # fmt: skip
    assert [read_trf_player(line) for line in lines[11:]] == [
        (1, "Ann", "1.5", 2, [("2", "b", "1"), ("3", "w", "=")]),
        (2, '=HYPERLINK("x")', "0.0", 4, [("1", "w", "0"), ("4", "b", "-")]),
        (3, 'Cid, "the; Kid" II', "1.5", 1, [("0000", "-", "U"), ("1", "b", "=")]),
        (4, "Player 4", "1.0", 3, [("0000", "-", "Z"), ("2", "w", "+")]),
    ]
    assert lines[11][90:99] == " " + "   2 b 1", "column 92 begins the first round"


@some
@given(st.integers(2, 12), st.integers(1, 5), SEEDS)
def test_a_report_tells_each_result_as_it_was(count, rounds, seed) -> None:
    evening = Evening("swiss", count, seed).play(rounds)
    rows = compute_standings(range(1, count + 1), evening.results, CHESS, (), evening.lots)
    text = write_trf(rows, evening.results, {}, title="x")
    players = {read[0]: read for line in text.split("\r\n") if line[:3] == "001" for read in [read_trf_player(line)]}
    assert set(players) == set(range(1, count + 1))
    for row in rows:
        number, name, points, rank, games = players[row.player]
        assert (name, Fraction(points), rank) == (f"Player {number}", row.points, row.rank)
        assert len(games) == rounds
        scored = {"1": 1, "+": 1, "U": 1, "=": Fraction(1, 2), "0": 0, "-": 0}
        assert sum(scored[code] for _other, _seat, code in games) == row.points
        for at, (other, seat, _code) in enumerate(games):
            if other != "0000":
                assert players[int(other)][4][at][:2] == (str(number), {"w": "b", "b": "w"}[seat])


def test_what_a_report_cannot_hold() -> None:
    def reason(rows, results):
        with pytest.raises(NotExportable) as wrong:
            write_trf(rows, results, {}, title="x")
        return wrong.value.reason

    three = [TableResult(1, 1, (1, 2, 3), ((1,), (2,), (3,)))]
    assert reason(standings(three), three) == "tables_of_several"
    assert reason(compute_standings([0, 1], [], CHESS, (), ()), []) == "number_out_of_range"
    assert reason(compute_standings([10_000], [], CHESS, (), ()), []) == "number_out_of_range"
    third = Points(win=Fraction(1, 3))
    assert reason(standings(RESULTS, third), RESULTS) == "points_do_not_fit"
    assert reason(standings(RESULTS, Points(win=1000)), RESULTS) == "points_do_not_fit"
    assert reason(standings(RESULTS, Points(forfeit=-1)), RESULTS) == "points_do_not_fit"
