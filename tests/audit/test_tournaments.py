"""Bundles of tournaments: sound ones are sound for every viewer, and whatever was forged is found."""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest

from referee.audit import standalone
from referee.audit.bundles import format as form
from referee.audit.bundles.format import Bundle, DrawLine
from referee.audit.checks.findings import AuditReport, FindingKind
from referee.audit.checks.verifier import check_bundle
from referee.audit.reporting import render_report, report_to_dict
from referee.audit.submissions import check_submitted_bundle
from referee.audit.verdicts import UNMET_EXIT_CODE, describe_verdict, find_fault, find_unmet, find_verdict
from referee.engine.codec import encode_canonical
from referee.engine.events import Event
from referee.engine.rulings import IllegalMove
from referee.eventstore.memory.log import MemoryLog
from referee.match.aggregate import SeatAssignment
from referee.match.entries import LogEntry, compute_commitment, decode_entry
from referee.match.table.commands import OpenMatch, StartMatch
from referee.repository.tournaments import UnknownTournament
from referee.tournament import commands
from referee.tournament.conduct_events import AppealDecided, PenaltyGiven
from referee.tournament.events import (
    OfficerAppointed,
    ResultReported,
    RoundPaired,
    TournamentEnded,
    TournamentStarted,
)
from referee.tournament.state import LOTS, REFEREED, SALTS, is_tournament_id
from tests.audit import house
from tests.audit.contest import HEAD, Contest, forge, play_evening
from workers.bots.player import play_bots

MATCH_WORDS = re.compile(r"\bmatch\b|\bPartie\b")
KEYS = [house.SIGNER.public]


@cache
def evening(system: str = "swiss") -> Contest:
    return play_evening(system=system)


def report_on(bundle: Bundle, *receipts: str, **how: Any) -> AuditReport:
    """Return the report on a bundle, which reads in both languages and speaks of no match."""
    report = check_bundle(bundle, KEYS, receipts, **how)
    for lang in ("de", "en"):
        lines = list(render_report(report, lang))
        if is_tournament_id(report.match):
            assert not MATCH_WORDS.search(f"{lines[0]} {describe_verdict(report)[lang]}")
    report_to_dict(report)
    return report


def states(report: AuditReport) -> dict[str, str]:
    return {each.name: each.reason or each.state for each in report.checks}


def find_entry(bundle: Bundle, kind: type[Event], last: bool = False) -> int:
    """Return the first, or the last, entry with an event of a kind."""
    found = [line.version for line in bundle.entries if f'"{kind.TAG}"' in line.envelope]
    return found[-1 if last else 0]


def with_event(kind: type[Event], **changes: Any) -> Callable[[LogEntry], LogEntry]:
    """Return a change of the events of a kind."""

    def change(logged: LogEntry) -> LogEntry:
        events = tuple(replace(each, **changes) if isinstance(each, kind) else each for each in logged.events)
        return replace(logged, events=events)

    return change


def kinds(report: AuditReport) -> set[FindingKind]:
    return {each.kind for each in report.findings}


@pytest.mark.parametrize("system", ["swiss", "round_robin"])
@pytest.mark.parametrize("viewer", ["public", "full", "sealed"])
def test_a_sound_tournament_is_sound_for_every_viewer(system: str, viewer: str) -> None:
    report = report_on(evening(system).bundle(viewer))
    assert report.findings == ()
    assert find_verdict(report) == "proves"
    told = states(report)
    assert (told["rules"], told["chance"], told["book"]) == ("done", "done", "tournament")
    assert told["openings"] == ("nothing_hidden_here" if viewer == "public" else "done")
    assert states(report_on(evening(system).bundle(viewer), note_thought=lambda: None))["thoughts"] == "tournament"
    assert find_unmet(report, ("chance", "seeds", "signatures")) == ("seeds", "signatures")
    assert "fact.lots_by_round" in {each.key for each in report.notices}
    assert ("tournament.hidden" in {each.key for each in report.notices}) == (viewer == "public")


@pytest.mark.parametrize("changes", [{"system": "groups", "least_seats": 3, "most_seats": 4}, {"system": "knockout"}])
def test_tables_of_more_and_a_knockout_are_sound(changes: dict[str, Any]) -> None:
    it = Contest(**changes)
    it.enter(7)
    it.do(commands.StartTournament())
    it.finish()
    for viewer in ("public", "full"):
        report = report_on(it.bundle(viewer))
        assert report.findings == ()
        assert states(report)["chance"] == "done"


@pytest.mark.parametrize("system", ["swiss", "knockout", "manual"])
def test_a_tournament_under_way_is_sound_at_every_version(system: str) -> None:
    it = Contest(system=system)
    seen = [it.bundle("sealed"), it.bundle("public")]
    it.enter(4)
    seen.append(it.bundle("public"))
    it.do(commands.StartTournament())
    it.do(commands.PairRound(((2, 0), (1, 3)) if system == "manual" else ()))
    seen += [it.bundle("sealed"), it.bundle("public")]
    for bundle in seen:
        report = report_on(bundle)
        assert report.findings == (), report.findings
        assert states(report)["chance"] == "no_secret"
        assert not bundle.secrets
    secret = it.at.matches.appender.draws.secret(it.id, LOTS)
    assert states(report_on(seen[-1], secrets={LOTS: secret}))["chance"] == "done"


def test_an_appeal_that_time_decides_is_sound_for_the_public() -> None:
    log = MemoryLog()
    it = Contest(log)
    it.enter(2)
    it.do(commands.StartTournament())
    warned = it.do(commands.Penalize(0, "conduct", "warning", HEAD, because="-"), f"official:{HEAD}").entry
    appeal = it.do(commands.OpenAppeal(0, warned, "no"), "player:0").entry
    log.advance_clock(it.state.format.appeal_ms)
    assert it.state.appeals[-1].number == appeal
    for viewer in ("public", "sealed"):
        assert report_on(it.bundle(viewer)).findings == ()


def test_who_may_have_what() -> None:
    it = Contest()
    with pytest.raises(IllegalMove) as early:
        it.bundle("full")
    assert early.value.reason == "not_over"
    with pytest.raises(ValueError, match="one of"):
        it.bundle("0")
    it.id = "07-Tnone"
    with pytest.raises(UnknownTournament):
        it.bundle("public")


def test_the_public_learns_no_salt_and_nothing_hidden() -> None:
    it = evening()
    salts = it.at.matches.appender.draws.secret(it.id, SALTS)
    text = b"".join(form.encode_bundle(it.bundle("public").all_lines)).decode()
    for hidden in ("late again", "mild", "the bus", "a card", salts.hex()):
        assert hidden not in text
    for viewer in ("public", "full", "sealed"):
        assert [line.generation for line in it.bundle(viewer).secrets] == [LOTS]
        assert salts not in [line.secret for line in it.bundle(viewer).secrets]


# -- forgeries, by somebody who holds the keys -------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", ["public", "full"])
def test_a_changed_result_is_found(viewer: str) -> None:
    bundle = evening().bundle(viewer)
    version = find_entry(bundle, ResultReported)
    report = report_on(forge(bundle, version, with_event(ResultReported, placement=_turn(version))))
    assert [(each.kind, each.key, each.version) for each in report.findings] == [
        (FindingKind.RULES, "rules.facts", version),
    ]  # fmt: skip


@pytest.mark.parametrize("viewer", ["public", "full"])
def test_a_result_that_its_command_reports_otherwise_at_the_end_makes_other_ranks(viewer: str) -> None:
    bundle = evening().bundle(viewer)
    version = find_entry(bundle, ResultReported, last=True)

    def turn(logged: LogEntry) -> LogEntry:
        assert isinstance(logged.move, commands.ReportResult)
        turned = logged.move.placement[::-1]
        (event,) = (each for each in logged.events if isinstance(each, ResultReported))
        events = tuple(replace(each, placement=turned) if each is event else each for each in logged.events)
        return replace(logged, move=replace(logged.move, placement=turned), events=events)

    report = report_on(forge(bundle, version, turn))
    assert {(each.kind, each.version) for each in report.findings} == {
        (FindingKind.RULES, find_entry(bundle, TournamentEnded)),
    }  # fmt: skip


@pytest.mark.parametrize("viewer", ["public", "full"])
def test_other_lots_are_found_with_the_secret_and_impossible_ones_without(viewer: str) -> None:
    bundle = evening("round_robin").bundle(viewer)
    version = find_entry(bundle, TournamentStarted)
    forged = forge(bundle, version, with_event(TournamentStarted, lots=tuple(range(7))))
    report = report_on(forged)
    assert (FindingKind.CHANCE, "chance.other", version) in [(e.kind, e.key, e.version) for e in report.findings]
    none_twice = forge(bundle, version, with_event(TournamentStarted, lots=(0, 0, 1, 2, 3, 4, 5)))
    for known in (none_twice, replace(none_twice, secrets=())):
        assert FindingKind.RULES in kinds(report_on(known))


@pytest.mark.parametrize("viewer", ["public", "full"])
def test_another_pairing_is_found(viewer: str) -> None:
    bundle = evening().bundle(viewer)
    version = find_entry(bundle, RoundPaired)
    paired = next(each for each in _decode(evening().bundle("full"), version).events if isinstance(each, RoundPaired))
    (a, b), (c, d), *rest = paired.tables
    other = forge(bundle, version, with_event(RoundPaired, tables=((a, c), (b, d), *rest)))
    report = report_on(other)
    assert report.findings[0].kind in (FindingKind.CHANCE, FindingKind.RULES)
    assert (FindingKind.CHANCE, version) in [(each.kind, each.version) for each in report.findings]
    twice = forge(bundle, version, with_event(RoundPaired, tables=((a, a), (c, d), *rest)))
    assert (FindingKind.RULES, version) in [(each.kind, each.version) for each in report_on(twice).findings]


def test_a_round_robin_pairing_is_repeated_even_without_the_secret() -> None:
    it = Contest(system="round_robin")
    it.enter(4)
    it.do(commands.StartTournament())
    it.do(commands.PairRound())
    bundle = it.bundle("public")
    version = find_entry(bundle, RoundPaired)
    one, other = it.table(1).players, it.table(2).players
    forged = forge(bundle, version, with_event(RoundPaired, tables=((one[0], other[0]), (one[1], other[1]))))
    assert [(each.key, each.version) for each in report_on(forged).findings] == [("rules.facts", version)]


@pytest.mark.parametrize("viewer", ["public", "full"])
def test_a_dropped_entry_is_found(viewer: str) -> None:
    bundle = evening().bundle(viewer)
    version = find_entry(bundle, PenaltyGiven)
    left = [line for line in bundle.entries if line.version != version]
    forged = house.resigned(bundle, [line.envelope for line in left], [line.parts for line in left])
    assert FindingKind.VERSION in kinds(report_on(forged))
    cut = house.resigned(
        bundle, [line.envelope for line in bundle.entries[:-3]], [line.parts for line in bundle.entries[:-3]]
    )
    report = report_on(cut, *(line.note for line in bundle.checkpoints), is_latest=True)
    assert FindingKind.FORK in kinds(report)


def test_a_swapped_penalty_is_found_in_the_full_bundle() -> None:
    bundle = evening().bundle("full")
    version = find_entry(bundle, PenaltyGiven)
    given = next(each for each in _decode(bundle, version).events if isinstance(each, PenaltyGiven))
    report = report_on(forge(bundle, version, with_event(PenaltyGiven, player=(given.player + 1) % 7)))
    assert [(each.kind, each.version) for each in report.findings] == [(FindingKind.RULES, version)]
    assert report.findings[0].details is not None


@pytest.mark.parametrize("change", [{"grade": "match_loss"}, {"officer": 3}, {"penalty": 1}, {"at_ms": 5}])
def test_a_swapped_penalty_of_which_everybody_knows_is_found_in_the_public_bundle(change: dict[str, Any]) -> None:
    bundle = evening().bundle("public")
    version = next(line.version for line in bundle.entries if '"game_loss"' in line.envelope)
    report = report_on(forge(bundle, version, with_event(PenaltyGiven, **change)))
    expected = set() if change == {"grade": "match_loss"} else {(FindingKind.RULES, version)}
    assert {(each.kind, each.version) for each in report.findings} == expected, "the command itself is hidden"


@pytest.mark.parametrize("viewer", ["public", "full"])
def test_a_decision_that_no_votes_can_give_is_found(viewer: str) -> None:
    bundle = evening().bundle(viewer)
    version = find_entry(bundle, AppealDecided, last=True)
    report = report_on(forge(bundle, version, with_event(AppealDecided, overturned=True)))
    assert (FindingKind.RULES, version) in [(each.kind, each.version) for each in report.findings]


@pytest.mark.parametrize("actor", ["player:9", "official:9", "clock", "match", "somebody", "player", "host:1"])
def test_an_entry_by_somebody_else_is_found(actor: str) -> None:
    bundle = evening().bundle("full")
    version = find_entry(bundle, ResultReported)
    report = report_on(forge(bundle, version, lambda logged: replace(logged, actor=actor)))
    assert [(each.key, each.version) for each in report.findings] == [("entry.actor", version)]


@pytest.mark.parametrize("kind", [RoundPaired, OfficerAppointed, TournamentStarted, TournamentEnded])
def test_what_no_player_may_do_is_found_in_the_public_bundle(kind: type[Event]) -> None:
    bundle = evening().bundle("public")
    version = find_entry(bundle, kind, last=True)
    report = report_on(forge(bundle, version, lambda logged: replace(logged, actor="player:0")))
    assert ("entry.actor", version) in [(each.key, each.version) for each in report.findings]


def test_a_commitment_that_is_none_is_found() -> None:
    bundle = evening().bundle("public")
    texts = [line.envelope for line in bundle.entries]
    texts[7] = texts[7].replace('"full":"', '"full":"x')
    report = report_on(house.resigned(bundle, texts, [()] * len(texts)))
    assert ("opening.commitments", 8) in [(each.key, each.version) for each in report.findings]


def test_secrets_and_draws_are_held_against_the_log(tmp_path: Path) -> None:
    bundle, path = evening().bundle("public"), tmp_path / "a.bundle"
    (secret,) = bundle.secrets
    for changed, key in (
        (replace(bundle, secrets=()), "secret.missing"),
        (replace(bundle, secrets=(replace(secret, secret=bytes(32)),)), "secret.other"),
        (replace(bundle, secrets=(replace(secret, generation=0),)), "secret.out_of_place"),
        (replace(bundle, draws=(DrawLine(3, LOTS, "tournament.start", (7,), (0,)),)), "draw.other"),
    ):
        report = report_on(changed)
        path.write_bytes(b"".join(form.encode_bundle(changed.all_lines)))
        assert standalone.main([str(path)]) == report.exit_code
        assert key in {each.key for each in report.findings}
        assert states(report)["chance"] in ("failed", "done", "unread")  # not: the secret comes after the end
        assert find_fault(report) == "unclear"  # anybody who passed the file on can have done this
        told = describe_verdict(report)
        assert "At fault is" not in told["en"]
        assert "Schuld ist" not in told["de"]
        for lang, text in (pair for each in report.findings for pair in each.render_texts().items()):
            assert not MATCH_WORDS.search(text), lang


@pytest.mark.parametrize(
    "claims", [{"game": "monster_combat"}, {"variant": "chess"}, {"status": "running"}, {"eyes": "3"}, {"ruleset": "2"}]
)
def test_a_header_that_claims_something_else_is_found(claims: dict[str, str]) -> None:
    bundle = evening().bundle("public")
    report = report_on(replace(bundle, header=replace(bundle.header, **claims)))
    assert "header.claims" in {each.key for each in report.findings}


def test_a_match_that_calls_itself_a_tournament_is_found() -> None:
    bundle = house.finished()
    report = report_on(replace(bundle, header=replace(bundle.header, game="tournament")))
    assert {"header.claims"} <= {each.key for each in report.findings}


def test_what_a_hidden_part_is_changed_to_is_found() -> None:
    bundle = evening().bundle("full")
    version = find_entry(bundle, PenaltyGiven)
    at = version - 1
    part = bundle.entries[at].parts[0]
    line = replace(bundle.entries[at], parts=(replace(part, part=part.part.replace("mild", "wild")),))
    assert "mild" in part.part
    changed = replace(bundle, entries=(*bundle.entries[:at], line, *bundle.entries[at + 1 :]))
    assert kinds(report_on(changed)) == {FindingKind.OPENING}
    assert find_fault(report_on(changed)) == "unclear"
    forged = forge(bundle, version, with_event(PenaltyGiven, grade="warning"))
    assert find_fault(report_on(forged)) == "server"  # who signed what the rules do not give


@pytest.mark.parametrize("viewer", ["public", "full", "sealed"])
def test_the_one_file_verifier_checks_all_but_rules_and_lots(
    viewer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    it, path = Contest(), tmp_path / "a.bundle"
    it.enter(2)
    bundles = [evening().bundle(viewer)]
    if viewer != "full":
        bundles.append(it.bundle(viewer))
        it.do(commands.StartTournament())
        bundles.append(it.bundle(viewer))
    for bundle in bundles:
        path.write_bytes(b"".join(form.encode_bundle(bundle.all_lines)))
        assert standalone.main([str(path), "--key", house.SIGNER.public.hex()]) == 0
        told = capsys.readouterr().out
        assert "judged by referee verify alone" in told
        assert "could add some to steer" not in told, "lots depend on no entries since the second scheme"
    assert standalone.main([str(path), "--require", "chance,seeds"]) == UNMET_EXIT_CODE
    bundle = bundles[0]
    for wrong in (
        replace(bundle, header=replace(bundle.header, status="running")),
        replace(bundle, header=replace(bundle.header, variant="chess")),
        replace(bundle, entries=bundle.entries[:-1]),
        replace(bundle, entries=(*bundle.entries[:4], *bundle.entries[5:])),
    ):
        path.write_bytes(b"".join(form.encode_bundle(wrong.all_lines)))
        assert standalone.main([str(path)]) == FindingKind.VERSION


def test_strange_entries_are_findings_and_no_crashes() -> None:
    bundle = evening().bundle("full")
    for version in (1, 5, find_entry(bundle, TournamentStarted), find_entry(bundle, TournamentEnded)):
        for change in (
            lambda logged: replace(logged, events=()),
            lambda logged: replace(logged, move=None),
            lambda logged: replace(logged, move=commands.Leave(-7)),
            lambda logged: replace(logged, clauses=("NO-SUCH-1",)),
            lambda logged: replace(logged, seat=1),
        ):
            report = report_on(forge_unfolded(bundle, version, change))
            assert report.findings, version


def _turn(version: int) -> tuple[tuple[int, ...], ...]:
    """Return the placement of a report the other way round."""
    events = _decode(evening().bundle("full"), version).events
    return next(each.placement[::-1] for each in events if isinstance(each, ResultReported))


def forge_unfolded(bundle: Bundle, version: int, change: Callable[[LogEntry], LogEntry]) -> Bundle:
    """Forge an entry after which the others need not fit."""
    cut = replace(bundle, entries=bundle.entries[:version])
    return forge(cut, version, change)


def _decode(bundle: Bundle, version: int) -> LogEntry:
    from referee.eventstore.contract import StoredEntry

    line = bundle.entries[version - 1]
    return decode_entry(StoredEntry(line.version, line.envelope.encode(), line.parts[0].part.encode(), b""))


def spoil(value: Any, dice: random.Random) -> Any:
    """Return JSON data with one value in it, or the value itself, changed to something else."""
    if isinstance(value, dict) and value and dice.random() < 0.9:
        name = dice.choice(sorted(value))
        return {**value, name: spoil(value[name], dice)}
    if isinstance(value, list) and value and dice.random() < 0.9:
        at = dice.randrange(len(value))
        return [*value[:at], spoil(value[at], dice), *value[at + 1 :]]
    others = [None, -1, 0, 1, 7, 2**53 - 1, "", "x", "player:0", [], {}, [[]], [0], {"type": "tournament.Ended"}, True]
    return dice.choice(others)


@pytest.mark.parametrize("viewer", ["public", "full"])
def test_entries_of_any_shape_that_somebody_signs_break_nothing(viewer: str) -> None:
    bundle, seed = evening().bundle(viewer), random.randrange(10**6)
    dice = random.Random(seed)
    for number in range(120):
        at = dice.randrange(len(bundle.entries))
        envelope = orjson.loads(bundle.entries[at].envelope)
        texts = [line.envelope for line in bundle.entries]
        parts = [line.parts for line in bundle.entries]
        if parts[at] and dice.random() < 0.7:
            (part,) = parts[at]
            content = encode_canonical(spoil(orjson.loads(part.part), dice))
            parts[at] = (replace(part, part=content.decode()),)
            envelope["commitments"]["full"] = compute_commitment(part.salt, content)
        else:
            envelope = spoil(envelope, dice)
        texts[at] = encode_canonical(envelope).decode()
        try:
            report_on(house.resigned(bundle, texts, parts))
        except Exception as wrong:
            raise AssertionError(f"seed {seed}, round {number}") from wrong


def test_a_bundle_that_is_handed_in_is_judged_like_that_of_a_match() -> None:
    packed = gzip.compress(b"".join(form.encode_bundle(evening().bundle("public").all_lines)))
    report = check_submitted_bundle(packed, KEYS)
    assert (report.is_sound, report.trusted, states(report)["rules"]) == (True, True, "done")


def test_refereed_tables_are_sound_and_only_the_match_reports_for_itself() -> None:
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
    for viewer in ("public", "full"):
        report = report_on(it.bundle(viewer))
        assert report.findings == ()
        assert 1 in [each.params["count"] for each in report.notices if each.key == "tournament.matches"]
    bundle = it.bundle("full")
    version = find_entry(bundle, ResultReported)
    forged = forge(bundle, version, lambda logged: replace(logged, actor="player:0"))
    assert [(each.key, each.version) for each in report_on(forged).findings] == [("entry.actor", version)]
