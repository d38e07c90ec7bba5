"""Tournaments as files: CSV, and a report in the manner of FIDE's TRF16.

Names are given by the caller, since they lie apart and can be erased; where one is missing it is "Player 7". In CSV a
name that a spreadsheet would take for a formula gets an apostrophe before it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from referee.tournament.pairing import Pairing, build_pairing
from referee.tournament.results import BYE_TABLE, TableResult
from referee.tournament.standings import StandingRow

Names = Mapping[int, str]
Row = Sequence[str | int]

# The first characters of formulas; the wide ones are taken for the others by some spreadsheets.
FORMULA = re.compile("\\s*[=+@|%\uff1d\uff0b\uff0d\uff20-]|[\t\r\n]")
PLAIN, COMMA, SEMICOLON = CSV_FORMS = ("plain", "comma", "semicolon")  # as programs and as spreadsheets read it
BYTE_ORDER_MARK = "\ufeff"  # by it spreadsheets tell UTF-8
PAIRING_COLUMNS = ("table", "seat", "player")
NUMBER = re.compile(r"[0-9]{1,6}")
ROUNDED = Decimal("0.0001")  # thirds and the like; what is exact in tenths stays so
TRF_NAME, TRF_POINTS, TRF_MOST_NUMBER = 33, 4, 9999  # widths of two fields, and what fits into another
CSV_REASONS = frozenset({
    "missing_column", "no_players", "not_a_number", "not_csv", "player_twice", "seat_missing", "seat_taken",
    "table_missing", "table_of_one",
})  # fmt: skip
TRF_REASONS = frozenset({"number_out_of_range", "points_do_not_fit", "tables_of_several"})


class PairingsCsvError(ValueError):
    """A pairing that cannot be read.

    It names the line of the text, from 1 on, and a reason out of CSV_REASONS with its parameters.
    """

    def __init__(self, line: int, reason: str, **params: int | str) -> None:
        """Keep the line, the reason and its parameters."""
        super().__init__(f"line {line}: {reason} {params}" if params else f"line {line}: {reason}")
        self.line = line
        self.reason = reason
        self.params = params


class NotExportable(ValueError):
    """A tournament that a TRF cannot hold.

    It names a reason out of TRF_REASONS, and what it is about.
    """

    def __init__(self, reason: str, **params: int | str) -> None:
        """Keep the reason and its parameters."""
        super().__init__(f"{reason} {params}" if params else reason)
        self.reason = reason
        self.params = params


def find_name(names: Names, player: int) -> str:
    """Return the name of a player, or "Player 7" if it is missing or empty."""
    return names.get(player) or f"Player {player}"


def guard_text(text: str) -> str:
    """Return a text that no spreadsheet computes.

    One that begins like a formula gets an apostrophe before it.
    """
    return f"'{text}" if FORMULA.match(text) else text


def write_number(value: Fraction | None) -> str:
    """Return a number as spreadsheets read it, to four places; nothing for None."""
    if value is None:
        return ""
    number = (Decimal(value.numerator) / value.denominator).quantize(ROUNDED)
    return f"{number:f}".rstrip("0").rstrip(".")


def write_csv_standings(rows: Sequence[StandingRow], names: Names, form: str = PLAIN) -> str:
    """Return standings as CSV (RFC 4180), one line a player.

    The tie-breaks stand in the last columns.
    """
    tiebreaks = [name for name in (rows[0].tiebreaks if rows else ()) if name != "wins"]  # which have a column anyhow
    header = ["rank", "player", "name", "points", "played", "wins", "draws", "losses", "byes", *tiebreaks]
    return _write_csv(
        header,
        (
            [
                *(row.rank, row.player, guard_text(find_name(names, row.player)), _write_cell(row.points, form)),
                *(row.played, row.wins, row.draws, row.losses, row.byes),
                *(_write_cell(row.tiebreaks[name], form) for name in tiebreaks),
            ]
            for row in rows
        ),
        form,
    )


def write_csv_results(results: Iterable[TableResult], names: Names, form: str = PLAIN) -> str:
    """Return results as CSV, one line a seat, by round and table.

    The byes (table 0) stand last in their round. `place` is shared by those who are equal, and empty for a bye or a
    forfeit; `outcome` is win, draw, loss, bye or forfeit.
    """
    lines: list[Row] = []
    for result in sorted(results, key=lambda each: (each.round, each.is_bye, each.table, each.players)):
        for seat, player in enumerate(result.players, 1):
            forfeits = player in result.forfeits
            place = "" if forfeits or result.is_bye else result.find_place(player)
            outcome = "forfeit" if forfeits else result.outcome_for(player)
            name = guard_text(find_name(names, player))
            lines.append((result.round, result.table, seat, player, name, place, outcome))
    return _write_csv(["round", "table", "seat", "player", "name", "place", "outcome"], lines, form)


def write_csv_pairings(pairing: Pairing, names: Names, form: str = PLAIN) -> str:
    """Return a pairing as CSV, as `read_pairings_csv` reads it.

    Each seat has a line; table 0 is for byes.
    """
    lines: list[Row] = []
    for number, table in enumerate(pairing.tables, 1):
        for seat, player in enumerate(table, 1):
            shown = number if len(table) > 1 else BYE_TABLE
            lines.append((shown, seat, player, guard_text(find_name(names, player))))
    return _write_csv([*PAIRING_COLUMNS, "name"], lines, form)


def _write_cell(value: Fraction | None, form: str) -> str:
    """Return a number with the decimal sign of a form.

    That is a comma where semicolons separate cells.
    """
    number = write_number(value)
    return number.replace(".", ",") if form == SEMICOLON else number


def _write_csv(header: Row, lines: Iterable[Row], form: str) -> str:
    """Return lines as CSV in a form."""
    out = io.StringIO()
    csv.writer(out, delimiter=";" if form == SEMICOLON else ",").writerows([header, *lines])
    return out.getvalue() if form == PLAIN else BYTE_ORDER_MARK + out.getvalue()


def read_pairings_csv(text: str) -> Pairing:
    """Return the pairing that a CSV text describes.

    The first line names the columns: table, seat and player in any order, others are not read. Commas, semicolons and
    tabs may separate them. Tables count from 1, seats from 1; table 0 is a bye. Raises PairingsCsvError.
    """
    text = text.removeprefix(BYTE_ORDER_MARK)
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    tables: dict[int, dict[int, int]] = {}
    byes: list[tuple[int, ...]] = []
    seated: dict[int, int] = {}
    begun: dict[int, int] = {}  # the first line of each table
    try:
        header = [name.strip().lower() for name in next(reader, [])]
        columns = [_find_column(header, name) for name in PAIRING_COLUMNS]
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            line = reader.line_num
            table, seat, player = (
                _read_number(row, column, name, line) for column, name in zip(columns, PAIRING_COLUMNS, strict=True)
            )
            if player in seated:
                raise PairingsCsvError(line, "player_twice", player=player, first_line=seated[player])
            seated[player] = line
            if table == BYE_TABLE:
                byes.append((player,))
                continue
            begun.setdefault(table, line)
            if seat in tables.setdefault(table, {}):
                raise PairingsCsvError(line, "seat_taken", table=table, seat=seat)
            tables[table][seat] = player
    except csv.Error:
        raise PairingsCsvError(max(reader.line_num, 1), "not_csv") from None
    if not seated:
        raise PairingsCsvError(max(reader.line_num, 1), "no_players")
    for expected, table in enumerate(sorted(tables), 1):
        seats = tables[table]
        if table != expected:
            raise PairingsCsvError(begun[table], "table_missing", table=expected)
        missing = next((seat for seat in range(1, len(seats) + 1) if seat not in seats), None)
        if missing is not None:
            raise PairingsCsvError(begun[table], "seat_missing", table=table, seat=missing)
        if len(seats) == 1:
            raise PairingsCsvError(begun[table], "table_of_one", table=table)
    filled = [tuple(tables[table][seat] for seat in sorted(tables[table])) for table in sorted(tables)]
    return build_pairing([*filled, *byes])


def _find_column(header: Sequence[str], name: str) -> int:
    """Return where a column stands. Raises PairingsCsvError."""
    if header.count(name) != 1:
        raise PairingsCsvError(1, "missing_column", column=name)
    return header.index(name)


def _read_number(row: Sequence[str], column: int, name: str, line: int) -> int:
    """Return the number in a cell. Raises PairingsCsvError."""
    cell = row[column].strip() if column < len(row) else ""
    if not NUMBER.fullmatch(cell):
        raise PairingsCsvError(line, "not_a_number", column=name, found=cell[:20])
    return int(cell)


def write_trf(
    rows: Sequence[StandingRow],
    results: Sequence[TableResult],
    names: Names,
    *,
    title: str,
    rounds: int = 0,
    city: str = "",
    federation: str = "",
    start: str = "",
    end: str = "",
    system: str = "",
    arbiters: Sequence[str] = (),
) -> str:
    """Return a report in the manner of FIDE's TRF16.

    It has fixed columns and one line a player, and holds tables of two alone. The number of an entrant is the starting
    number, the first seat white. Titles, ratings, federations and dates of birth are left blank, as this program knows
    none, so the file is for exchange and not for rating. Forfeits are marked as games not played (`+` and `-`), a round
    without a table as a bye of no points (`Z`). `rounds` stands in a line XXR, as pairing programs expect it; 0: as
    many as were played. Raises NotExportable.
    """
    if any(len(result.players) > 2 for result in results):
        raise NotExportable("tables_of_several")
    last = max((result.round for result in results), default=0)
    seated = {(result.round, player): result for result in results for player in result.players}
    lines = [f"012 {_flatten(title)}"]
    lines += [
        f"{tag} {_flatten(text)}"
        for tag, text in (("022", city), ("032", federation), ("042", start), ("052", end))
        if text
    ]
    lines += [f"062 {len(rows)}", "072 0", "082 0"]
    lines += [f"092 {_flatten(system)}"] if system else []
    lines += [f"{'112' if place else '102'} {_flatten(name)}" for place, name in enumerate(arbiters)]
    lines += [f"XXR {rounds or last}"]
    for row in sorted(rows, key=lambda each: each.player):
        played = "".join(
            _write_trf_round(seated.get((number, row.player)), row.player) for number in range(1, last + 1)
        )
        lines.append((_write_trf_player(row, find_name(names, row.player)) + played).rstrip())
    return "".join(f"{line}\r\n" for line in lines)


def _flatten(text: str) -> str:
    """Return a text on one line."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _write_trf_player(row: StandingRow, name: str) -> str:
    """Return columns 1 to 89 of the line of a player. Raises NotExportable."""
    if not 1 <= row.player <= TRF_MOST_NUMBER:
        raise NotExportable("number_out_of_range", player=row.player)
    tenths = row.points * 10
    points = f"{tenths.numerator // 10}.{tenths.numerator % 10}"
    if tenths.denominator != 1 or tenths < 0 or len(points) > TRF_POINTS:
        raise NotExportable("points_do_not_fit", player=row.player, points=str(row.points))
    return f"001 {row.player:4}{'':6}{_flatten(name)[:TRF_NAME]:{TRF_NAME}}{'':33}{points:>4} {row.rank:4}"


def _write_trf_round(result: TableResult | None, player: int) -> str:
    """Return the ten columns of a round. Raises NotExportable.

    They say who the opponent was, who began, and what came of it.
    """
    if result is None:
        return "  0000 - Z"
    if result.is_bye:
        return "  0000 - U"
    first = result.players[0] == player
    other = result.players[1 if first else 0]
    if not 1 <= other <= TRF_MOST_NUMBER:
        raise NotExportable("number_out_of_range", player=other)
    if result.forfeits:
        code = "-" if player in result.forfeits else "+"
    else:
        code = {"win": "1", "draw": "=", "loss": "0"}[result.outcome_for(player)]
    return f"  {other:4} {'w' if first else 'b'} {code}"
