"""Results of refereed tables are held against the bundles of their matches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner, Result

from referee.audit.bundles import format as form
from referee.audit.bundles.format import Bundle, KeyLine
from referee.audit.checks.findings import AuditReport, FindingKind
from referee.audit.checks.verifier import check_bundle
from referee.audit.tournaments.tables import compare_tables
from referee.audit.verdicts import find_fault
from referee.cli.main import cli
from referee.match.aggregate import SeatAssignment
from referee.match.entries import LogEntry
from referee.match.table.commands import OpenMatch, StartMatch
from referee.tournament import commands
from referee.tournament.events import ResultReported, TournamentEnded
from referee.tournament.state import REFEREED
from tests.audit import house
from tests.audit.contest import Contest, forge
from tests.audit.test_tournaments import find_entry, report_on, states, with_event
from workers.bots.player import play_bots


@cache
def played() -> tuple[Bundle, Bundle]:
    """Return the bundle of a tournament of one refereed table, and that of its match."""
    it = Contest(plays=REFEREED)
    for number in range(2):
        it.do(commands.Enter(f"b{number}", 1))
    it.do(commands.StartTournament())
    it.do(commands.PairRound())
    matches, chairs = it.at.matches, (SeatAssignment("bot", 1), SeatAssignment("bot", 1))
    opened = matches.open_match(OpenMatch("monster_combat", "V1", {}, {"deck": "server"}, chairs), "m" * 22).match.id
    it.do(commands.SeatTable(1, 1, opened), "server")
    matches.execute_command(opened, StartMatch(), key="start", scope="host")
    play_bots(matches, opened, moves=2000, seconds=60)
    assert it.table(1).by == "match"
    it.do(commands.EndTournament())
    return it.bundle("public"), house.bundled(matches, opened)


def test_a_match_that_reported_no_result_is_counted_and_no_measure() -> None:
    it = Contest(plays=REFEREED)
    for number in range(2):
        it.do(commands.Enter(f"b{number}", 1))
    it.do(commands.StartTournament())
    it.do(commands.PairRound())
    it.do(commands.SeatTable(1, 1, "07-abcdefghijklmnopqrstuvwxyz"), "server")
    (told,) = (each for each in compared(it.bundle("public")).notices if each.key == "tournament.tables")
    assert {name: told.params[name] for name in ("compared", "missing", "decided")} == {
        "compared": 0, "missing": 0, "decided": 1,
    }  # fmt: skip


def compared(tournament: Bundle, *matches: Bundle) -> AuditReport:
    """Return the report on a tournament whose matches lie beside it."""
    beside = [(each, report_on(each)) for each in matches]
    return compare_tables(tournament, report_on(tournament), beside)


def forged(change: Callable[[LogEntry], LogEntry]) -> Bundle:
    """Return the tournament with another entry of the match, signed with its key."""
    tournament, _ = played()
    return forge(tournament, find_entry(tournament, ResultReported), change)


def with_other_winner(**changes: object) -> Bundle:
    """Return the tournament with another winner, up to the ranks at its end."""
    turned = turn_around(played()[0])
    bundle = forged(with_result(placement=turned, **changes))
    ranks = tuple((player, rank) for rank, (player,) in enumerate(turned, 1))
    return forge(bundle, find_entry(bundle, TournamentEnded), with_event(TournamentEnded, ranks=ranks))


def with_result(**changes: object) -> Callable[[LogEntry], LogEntry]:
    """Return a change of what the match reported."""

    def change(logged: LogEntry) -> LogEntry:
        assert logged.move is not None
        return with_event(ResultReported, **changes)(replace(logged, move=replace(logged.move, **changes)))

    return change


def turn_around(bundle: Bundle) -> tuple[tuple[int, ...], ...]:
    """Return the reported placement from the last to the first."""
    line = bundle.entries[find_entry(bundle, ResultReported) - 1]
    (event,) = (each for each in orjson.loads(line.envelope)["events"] if each["type"] == ResultReported.TAG)
    return tuple(tuple(each) for each in reversed(event["placement"]))


def test_a_result_that_is_that_of_its_match_is_compared() -> None:
    tournament, match = played()
    report = compared(tournament, match)
    assert (report.findings, states(report)["tables"]) == ((), "done")
    (notice,) = (each for each in report.notices if each.key.startswith("tournament."))
    assert (notice.params["compared"], notice.params["missing"]) == (1, 0)
    assert "not compared" not in notice.render_texts()["en"]


def test_without_the_bundle_of_the_match_it_says_that_nothing_was_compared() -> None:
    tournament, match = played()
    assert "was not compared" in str([each.render_texts()["en"] for each in report_on(tournament).notices])
    broken = replace(match, entries=match.entries[:-1])
    for beside in ((), (broken,)):
        report = compared(tournament, *beside)
        assert (report.findings, states(report)["tables"]) == ((), "not_compared")
        (told,) = (each.render_texts() for each in report.notices if each.key == "tournament.tables")
        assert "one was not compared" in told["en"]
        assert "eines wurde nicht verglichen" in told["de"]


def test_another_result_than_that_of_the_match_is_found_and_is_the_servers_fault() -> None:
    _, match = played()
    assert report_on(with_other_winner()).findings == (), "the tournament alone does not show it"
    report = compared(with_other_winner(), match)
    assert [each.key for each in report.findings] == ["tournament.other_result"]
    assert find_fault(report) == "server"


@pytest.mark.parametrize(
    ("key", "kind", "fault"),
    [(house.SIGNER, FindingKind.FORK, "server"), (house.OTHER, FindingKind.VERSION, "file")],
    ids=["the same key", "another key"],
)
def test_another_history_of_the_match_is_found_and_only_its_signer_is_accused(
    key: house.Signer, kind: FindingKind, fault: str
) -> None:
    tournament, match = played()
    texts, parts = [line.envelope for line in match.entries], [line.parts for line in match.entries]
    texts[-1] = texts[-1].replace('"actor":"bot"', '"actor":"player"')
    assert texts[-1] != match.entries[-1].envelope
    other = replace(house.resigned(match, texts, parts, key), keys=(KeyLine(key.public, 0),))
    report = compare_tables(tournament, report_on(tournament), [(other, check_bundle(other))])
    assert [(each.key, each.kind) for each in report.findings] == [("tournament.other_match", kind)]
    assert find_fault(report) == fault


def test_a_file_that_ends_before_the_match_did_accuses_nobody() -> None:
    tournament, match = played()
    texts, parts = [line.envelope for line in match.entries], [line.parts for line in match.entries]
    under_way = replace(
        match, header=replace(match.header, size=len(texts) - 1, status="running"), draws=match.draws[:-1]
    )
    shorter = house.resigned(under_way, texts[:-1], parts[:-1])
    report = compare_tables(tournament, report_on(tournament), [(shorter, check_bundle(shorter))])
    assert [each.key for each in report.findings] == ["tournament.match_ends_before"]
    assert find_fault(report) == "file"


def test_in_a_log_of_an_earlier_version_the_match_has_to_have_ended_so_at_some_time() -> None:
    _, match = played()
    before = forged(with_result(match_version=0, match_root=""))
    assert compared(before, match).findings == ()
    other = with_other_winner(match_version=0, match_root="")
    assert "tournament.other_result" in {each.key for each in compared(other, match).findings}


def test_the_command_takes_a_folder_and_compares(tmp_path: Path) -> None:
    tournament, match = played()
    for name, bundle in (("a.bundle", tournament), ("b.bundle", match)):
        (tmp_path / name).write_bytes(b"".join(form.encode_bundle(bundle.all_lines)))
    (tmp_path / "notes.txt").write_text("no bundle")
    for arguments in ([str(tmp_path)], [str(tmp_path / "a.bundle"), str(tmp_path / "b.bundle")]):
        done = verify(*arguments)
        assert done.exit_code == 0
        assert "The result of one table was held against the bundle of its match" in done.output
    assert "was not compared" in verify(str(tmp_path / "a.bundle"), "--lang", "en").output
    (tmp_path / "empty").mkdir()
    assert verify(str(tmp_path / "empty")).exit_code != 0


def verify(*arguments: str) -> Result:
    """Run `referee verify`."""
    return CliRunner().invoke(cli, ["verify", *arguments])
