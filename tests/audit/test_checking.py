"""The verifier: an honest match is found sound, and whatever was changed is found, with the right kind."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import replace

import orjson
import pytest

from referee.arbitration.replay.replay import LogReplay
from referee.audit.bundles.format import Bundle, CheckpointLine, DrawLine, EntryLine, KeyLine, OpenedPart, SecretLine
from referee.audit.checks.findings import TEXTS, AuditReport, FindingKind
from referee.audit.checks.verifier import CHECKS, check_bundle
from referee.audit.reporting import render_report, report_to_dict
from referee.engine.chance import RollResult, ShuffleResult
from referee.engine.codec import encode_canonical
from referee.engine.events import Event, Move
from referee.engine.rulebook.book import LANGUAGES
from referee.engine.seats import CHANCE
from referee.eventstore.contract import StoredEntry
from referee.match.aggregate import MatchRewound
from referee.match.entries import LogEntry, compute_commitment, decode_entry
from referee.match.events.report_events import ReportCorrected
from referee.match.game_moves import decide_move
from referee.transparency.key_chain import sign_statement
from tests.arbitration.playing import GAMES
from tests.audit.house import OTHER, SIGNER, STORE, bundled, finished, played, resigned, rewritten

HTS = "here_to_slay"


def states(report: AuditReport) -> dict[str, str]:
    return {check.name: check.reason or check.state for check in report.checks}


def failed(report: AuditReport) -> set[str]:
    return {check.name for check in report.checks if check.state == "failed"}


def logs(bundle: Bundle) -> list[LogEntry]:
    return [
        decode_entry(StoredEntry(n.version, n.envelope.encode(), n.parts[0].part.encode(), n.root))
        for n in bundle.entries
    ]


def one(bundle: Bundle, wanted: Callable[[LogEntry], bool]) -> LogEntry:
    return next(each for each in logs(bundle) if wanted(each))


@pytest.mark.parametrize("game", GAMES)
def test_an_honest_match_is_found_sound(game: str) -> None:
    house, match = played(game, most=60)
    over = house.load_match(match).match.end is not None
    for viewer in ("public", "0", "sealed", *(("full",) if over else ())):
        report = check_bundle(bundled(house, match, viewer), [SIGNER.public])
        assert report.findings == ()
        assert report.trusted
        assert (states(report)["rules"] == "done") == (viewer in ("full", "sealed"))
        assert [check.name for check in report.checks] == list(CHECKS)


def test_of_a_match_that_is_over_nothing_is_left_unchecked_but_what_there_is_not() -> None:
    found = states(check_bundle(finished(), [SIGNER.public], [finished().checkpoints[0].note]))
    left = {name: state for name, state in found.items() if state != "done"}
    assert left == {"book": "no_book", "devices": "none_signed", "published": "not_published"}


# -- keys, signatures, receipts ----------------------------------------------------------------------------------------


def test_a_key_that_only_the_bundle_names_is_not_trusted() -> None:
    assert not check_bundle(finished()).trusted
    assert check_bundle(finished()).is_sound
    assert check_bundle(finished(), [OTHER.public]).exit_code == FindingKind.KEY
    assert not check_bundle(finished(), [OTHER.public]).trusted


def test_whoever_signs_with_a_key_of_his_own_is_found_by_whoever_has_the_servers() -> None:
    bundle = finished()
    whole = [line.envelope for line in bundle.entries], [line.parts for line in bundle.entries]
    forged = replace(resigned(bundle, *whole, OTHER), keys=(KeyLine(OTHER.public, 0),))
    assert check_bundle(forged).is_sound
    assert not check_bundle(forged).trusted
    assert check_bundle(forged, [SIGNER.public]).exit_code == FindingKind.KEY
    assert check_bundle(resigned(bundle, *whole, OTHER)).exit_code == FindingKind.SIGNATURE


def test_a_key_that_the_one_before_it_names_is_as_good() -> None:
    bundle = finished()
    whole = [line.envelope for line in bundle.entries], [line.parts for line in bundle.entries]
    note = sign_statement(SIGNER, STORE, OTHER.public, 7)
    keys = (KeyLine(SIGNER.public, 0), KeyLine(OTHER.public, 7, note))
    report = check_bundle(replace(resigned(bundle, *whole, OTHER), keys=keys), [SIGNER.public])
    assert report.is_sound
    assert report.trusted
    for broken in (
        KeyLine(OTHER.public, 8, note),
        KeyLine(OTHER.public, 7, ""),
        KeyLine(OTHER.public, 7, sign_statement(OTHER, STORE, OTHER.public, 7)),
        KeyLine(OTHER.public, 7, sign_statement(SIGNER, "elsewhere", OTHER.public, 7)),
        KeyLine(b"short", 7, note),
    ):
        assert check_bundle(replace(bundle, keys=(keys[0], broken))).exit_code == FindingKind.KEY
    assert check_bundle(replace(bundle, keys=())).exit_code == FindingKind.KEY


def test_a_receipt_of_another_history_proves_a_fork() -> None:
    bundle = finished()
    origin = f"{STORE}/{bundle.header.match}"
    rewritten_since = SIGNER.sign_receipt(origin, 9, bytes(32))
    later = SIGNER.sign_receipt(origin, bundle.header.size + 1, bytes(32))
    assert check_bundle(bundle, [SIGNER.public], [rewritten_since]).exit_code == FindingKind.FORK
    assert check_bundle(bundle, [SIGNER.public], [later], is_latest=True).exit_code == FindingKind.FORK
    honest = SIGNER.sign_receipt(origin, 9, bundle.entries[8].root)
    assert check_bundle(bundle, [SIGNER.public], [honest]).is_sound
    assert check_bundle(bundle, [SIGNER.public], [honest]).receipted == 9
    forged = OTHER.sign_receipt(origin, 9, bundle.entries[8].root)
    assert check_bundle(bundle, [SIGNER.public], [forged]).exit_code == FindingKind.SIGNATURE
    elsewhere = SIGNER.sign_receipt(f"{STORE}/07-{'z' * 26}", 9, bundle.entries[8].root)
    assert check_bundle(bundle, [SIGNER.public], [elsewhere]).exit_code == FindingKind.VERSION


def test_a_file_that_ends_before_a_receipt_accuses_nobody_and_says_to_get_a_newer_one() -> None:
    bundle, size = finished(), finished().header.size
    later = SIGNER.sign_receipt(f"{STORE}/{bundle.header.match}", size + 1, bytes(32))
    report = check_bundle(bundle, [SIGNER.public], [later])
    assert report.is_sound
    assert report.receipted == 0
    (notice,) = [each for each in report.notices if not each.key.startswith("fact.")]
    assert str(size) in notice.render_texts()["en"]
    for lang, word in (("en", "newer file"), ("de", "neuere Datei")):
        assert any(word in line for line in render_report(report, lang))
    assert report_to_dict(report)["notices"][0]["key"] == "receipt.ends_before"


# -- header, versions, roots -------------------------------------------------------------------------------------------


def test_an_entry_that_is_missing_is_named() -> None:
    bundle = finished()
    report = check_bundle(replace(bundle, entries=bundle.entries[:6] + bundle.entries[7:]))
    assert report.exit_code == FindingKind.VERSION
    assert {finding.version for finding in report.findings if finding.kind is FindingKind.VERSION} >= {7}


def test_entries_that_are_missing_at_the_end_are_missed() -> None:
    bundle = finished()
    cut = replace(bundle, entries=bundle.entries[:-3], header=replace(bundle.header, size=bundle.header.size - 3))
    assert check_bundle(cut).exit_code == FindingKind.VERSION


def test_an_entry_that_was_changed_is_named() -> None:
    bundle = finished()
    other = replace(bundle.entries[8], envelope=bundle.entries[8].envelope.replace('"version":9', '"version":8'))
    report = check_bundle(replace(bundle, entries=(*bundle.entries[:8], other, *bundle.entries[9:])))
    assert report.exit_code == FindingKind.VERSION
    assert {finding.version for finding in report.findings if finding.kind is FindingKind.ROOT} >= {9}


CLAIMS = ("match", "origin", "eyes", "game", "variant", "edition", "ruleset", "status", "size")


@pytest.mark.parametrize("field", CLAIMS)
def test_the_header_is_a_claim_like_all_else(field: str) -> None:
    bundle = finished()
    claimed: int | str = bundle.header.size + 1 if field == "size" else "full of it"
    report = check_bundle(replace(bundle, header=replace(bundle.header, **{field: claimed})))
    assert report.exit_code in (FindingKind.KEY, FindingKind.SIGNATURE, FindingKind.VERSION)
    assert not report.is_sound


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('{"actor"', '{"actor":"table","actor"'),
        ('"version":3', '"version": 3'),
        ('"version":3', '"version":3.0'),
        ('"version":3', '"version":90071992547409931'),
        ('"version":3', f'"version":{"9" * 400}'),
        ('"version":3', f'"version":{"[" * 5000}{"]" * 5000}'),
        ('"version":3', f'"version":{"[" * 200}1.5{"]" * 200}'),
        ('"version":3}', '"version":3,"wit":1}'),
        ('"clauses":[', '"clauses":[7,'),
        ("{", ""),
    ],
)
def test_an_envelope_that_is_not_in_its_one_proper_form_is_no_entry(old: str, new: str) -> None:
    bundle = finished()
    envelopes = [line.envelope for line in bundle.entries]
    assert old in envelopes[2]
    envelopes[2] = envelopes[2].replace(old, new, 1)
    report = check_bundle(resigned(bundle, envelopes, [line.parts for line in bundle.entries]))
    assert report.exit_code == FindingKind.UNREADABLE
    assert [finding.version for finding in report.findings] == [3]


# -- what is hidden ----------------------------------------------------------------------------------------------------


def with_part(bundle: Bundle, version: int, *parts: OpenedPart) -> Bundle:
    at = version - 1
    line = replace(bundle.entries[at], parts=parts)
    return replace(bundle, entries=(*bundle.entries[:at], line, *bundle.entries[at + 1 :]))


def test_what_is_told_of_the_hidden_side_must_be_what_was_committed_to() -> None:
    bundle = finished()
    part = bundle.entries[11].parts[0]
    for parts in (
        [replace(part, part=part.part.replace("{", '{"a":1,', 1))],
        [replace(part, salt=bytes(32))],
        [replace(part, who="0")],
        [replace(part, who="9")],
        [part, part],
        [],
    ):
        assert check_bundle(with_part(bundle, 12, *parts)).exit_code == FindingKind.OPENING
    house, match = played("monster_combat")
    own = bundled(house, match, "1")
    assert check_bundle(with_part(own, 12)).exit_code == FindingKind.OPENING
    assert check_bundle(with_part(bundled(house, match, "public"), 12, part)).exit_code == FindingKind.OPENING


def test_the_secrets_must_be_those_that_were_committed_to_and_all_of_them() -> None:
    bundle = finished()
    other, too_many, out_of_place = SecretLine(0, bytes(32)), SecretLine(1, bytes(32)), SecretLine(1, b"")
    for secrets in ((), (other,), (*bundle.secrets, too_many), (out_of_place,)):
        assert check_bundle(replace(bundle, secrets=secrets)).exit_code == FindingKind.OPENING


def test_what_everybody_was_shown_must_be_what_lies_under_it() -> None:
    """As by a server that holds all keys, and shows another card than the one that is played."""
    bundle = finished()
    at = next(n for n, line in enumerate(bundle.entries) if "sword" in line.envelope)
    envelopes = [line.envelope for line in bundle.entries]
    envelopes[at] = envelopes[at].replace("sword", "shield")
    report = check_bundle(resigned(bundle, envelopes, [line.parts for line in bundle.entries]))
    assert FindingKind.OPENING in {finding.kind for finding in report.findings if finding.version == at + 1}


# -- rules and chance --------------------------------------------------------------------------------------------------


def test_a_die_that_the_secret_does_not_give_is_told_in_words() -> None:
    bundle = finished(HTS)
    cast = one(bundle, lambda entry: isinstance(entry.move, RollResult))
    assert isinstance(cast.move, RollResult)
    other = RollResult(tuple(7 - value for value in cast.move.values))
    report = check_bundle(rewritten(bundle, cast.version, lambda entry: replace(entry, move=other)))
    assert report.exit_code == FindingKind.CHANCE
    assert failed(report) == {"rules", "chance"}
    chance, rules = report.findings
    assert chance.details is not None
    assert rules.details is not None
    assert str(cast.move.values[0]) in chance.details["en"].splitlines()[0]
    assert "Player 1 rolls" in rules.details["en"]
    assert "HTS-SETUP-2" in rules.details["de"]


def test_a_pile_that_was_stacked_is_found() -> None:
    bundle = finished(HTS)
    shuffle = one(bundle, lambda entry: isinstance(entry.move, ShuffleResult) and len(set(entry.move.order)) > 1)
    assert isinstance(shuffle.move, ShuffleResult)
    other = ShuffleResult(tuple(sorted(shuffle.move.order)))
    report = check_bundle(rewritten(bundle, shuffle.version, lambda entry: replace(entry, move=other)))
    assert report.exit_code == FindingKind.CHANCE
    assert "as card 1" in str(report.findings[0].details)


@pytest.mark.parametrize(
    "change",
    [
        lambda entry: replace(entry, events=entry.events[1:]),
        lambda entry: replace(entry, events=(*entry.events, entry.events[0])),
        lambda entry: replace(entry, seat=(entry.seat + 1) % 3),
        lambda entry: replace(entry, clauses=(*entry.clauses, "HTS-NONE-1")),
        lambda entry: replace(entry, clauses=()),
        lambda entry: replace(entry, actor="wizard"),
        lambda entry: replace(entry, actor="chance", seat=-1),
        lambda entry: replace(entry, seat=99),
        lambda entry: replace(entry, move=None),
    ],
)
def test_an_entry_against_the_rules_is_named_whoever_holds_the_keys(change: Callable[[LogEntry], LogEntry]) -> None:
    bundle = finished(HTS)
    played_by_hand = one(bundle, lambda entry: entry.seat >= 0 and entry.version > 40)
    report = check_bundle(rewritten(bundle, played_by_hand.version, change))
    assert "rules" in failed(report)
    first = next(finding for finding in report.findings if finding.key.startswith(("rules", "entry")))
    assert first.version == played_by_hand.version
    assert all(first.render_texts()[lang] for lang in LANGUAGES)


def test_a_draw_that_is_passed_off_as_a_report_is_found() -> None:
    """Else whoever writes the log could choose: what is reported needs no secret."""
    bundle = finished(HTS)
    cast = one(bundle, lambda entry: isinstance(entry.move, RollResult))
    report = check_bundle(rewritten(bundle, cast.version, lambda entry: replace(entry, actor="reporter:0")))
    assert [finding.key for finding in report.findings if finding.kind is FindingKind.RULES] == ["entry.actor"]


def test_draw_lines_must_be_those_of_the_draws() -> None:
    bundle = finished(HTS)
    first = bundle.draws[0]
    for draws in (
        bundle.draws[1:],
        (replace(first, gave=(*first.gave[:-1], first.gave[-1] ^ 1)), *bundle.draws[1:]),
        (replace(first, generation=1), *bundle.draws[1:]),
        (*bundle.draws, DrawLine(bundle.header.size, 0, "Roll", (6,), (1,))),
        (first, *bundle.draws),
    ):
        assert check_bundle(replace(bundle, draws=draws)).exit_code == FindingKind.CHANCE


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('"type":"table.MatchOpened"', '"type":"table.MatchForeseen"', "rules.no_such_game"),
        ('"game":"monster_combat"', '"game":"chess"', "rules.no_such_game"),
        ('"ruleset":"3"', '"ruleset":"2031"', "rules.unknown_ruleset"),
        ('"visibility":"private"', '"visibility":7', "rules.unknown"),
    ],
)
def test_what_a_newer_program_wrote_is_a_plain_finding(old: str, new: str, key: str) -> None:
    bundle = finished()
    first = bundle.entries[0]
    assert old in first.envelope
    assert old in first.parts[0].part
    changed = first.parts[0].part.replace(old, new)
    salt = first.parts[0].salt
    envelope = orjson.loads(first.envelope.replace(old, new))
    envelope["commitments"]["full"] = compute_commitment(salt, changed.encode())
    envelopes = [encode_canonical(envelope).decode(), *(line.envelope for line in bundle.entries[1:])]
    parts = [(OpenedPart("full", salt, changed),), *(line.parts for line in bundle.entries[1:])]
    report = check_bundle(resigned(bundle, envelopes, parts))
    assert key in [finding.key for finding in report.findings]
    assert all(finding.render_texts()[lang] for finding in report.findings for lang in LANGUAGES)


OTHER_RULES = dict.fromkeys(["chess/1", "", "/"], "entry.of_other_rules") | {"monster_combat/4": "rules.unknown"}


@pytest.mark.parametrize(("rules", "key"), OTHER_RULES.items())
def test_every_entry_names_the_rules_of_its_match_whoever_looks(rules: str, key: str) -> None:
    house, match = played("monster_combat", most=5)
    for viewer in ("public", "0", "sealed"):
        bundle = bundled(house, match, viewer)
        told = '"rules":"monster_combat/3"', f'"rules":"{rules}"'
        envelopes = [line.envelope.replace(*told) for line in bundle.entries]
        report = check_bundle(resigned(bundle, envelopes, [line.parts for line in bundle.entries]))
        assert [(finding.key, finding.version) for finding in report.findings] == [(key, 1)]


@pytest.mark.parametrize("game", ["[]", "{}", "7", "null"])
def test_an_opening_that_names_no_game_breaks_nothing(game: str) -> None:
    house, match = played("monster_combat", most=5)
    bundle = bundled(house, match, "public")
    envelopes = [line.envelope.replace('"game":"monster_combat"', f'"game":{game}') for line in bundle.entries]
    report = check_bundle(resigned(bundle, envelopes, [line.parts for line in bundle.entries]))
    assert "rules.no_such_game" in {finding.key for finding in report.findings}


def test_more_keys_and_notes_than_any_match_has_are_not_looked_at() -> None:
    bundle = finished()
    for many in (
        replace(bundle, keys=tuple(KeyLine(bytes(31) + bytes([n % 256]), n) for n in range(9000))),
        replace(bundle, checkpoints=bundle.checkpoints * 9000),
    ):
        assert check_bundle(many).exit_code == FindingKind.UNREADABLE


def test_every_text_of_the_audit_stands_in_both_languages() -> None:
    assert all(texts.keys() == set(LANGUAGES) and all(texts.values()) for texts in TEXTS.values())


def test_after_so_long_no_entry_is_judged_any_more() -> None:
    report = check_bundle(finished(), seconds=0)
    assert report.is_sound
    assert states(report)["rules"] == states(report)["chance"] == "no_time"


def test_a_checkpoint_of_another_match_vouches_for_nothing() -> None:
    bundle = finished()
    note = SIGNER.sign_receipt(f"{STORE}/07-{'z' * 26}", bundle.header.size, bundle.entries[-1].root)
    assert check_bundle(replace(bundle, checkpoints=(CheckpointLine(note),))).exit_code == FindingKind.SIGNATURE
    assert check_bundle(replace(bundle, checkpoints=())).exit_code == FindingKind.SIGNATURE
    beyond = SIGNER.sign_receipt(bundle.header.origin, 10**18, bytes(32))
    assert (
        check_bundle(replace(bundle, checkpoints=(*bundle.checkpoints, CheckpointLine(beyond)))).exit_code
        == FindingKind.VERSION
    )


def test_a_bundle_of_nothing_is_refused() -> None:
    nothing = replace(finished(), entries=(), header=replace(finished().header, size=0))
    assert check_bundle(nothing).exit_code in (FindingKind.SIGNATURE, FindingKind.VERSION)
    alone = EntryLine(1, base64.b64encode(bytes(40)).decode(), bytes(32))
    assert not check_bundle(replace(finished(), entries=(alone,))).is_sound


def test_dice_of_the_servers_are_not_rolled_again_as_the_correction_of_a_report() -> None:
    """What the log says beside a move is believed no more than the move: only a report can be corrected."""
    bundle = finished(HTS)
    cast = one(bundle, lambda entry: isinstance(entry.move, RollResult))
    assert isinstance(cast.move, RollResult)
    other = RollResult(tuple(7 - value for value in cast.move.values))

    def corrected(entry: LogEntry) -> LogEntry:
        back = (ReportCorrected(cast.version, cast.version, ("TABLE-REPORT-3",)), MatchRewound(cast.version - 1))
        events = played_again(bundle, cast.version, other)
        return replace(entry, seat=-1, actor="reporter:0", move=other, events=(*back, *events))

    report = check_bundle(rewritten(bundle, cast.version + 1, corrected))
    wrong = next(finding for finding in report.findings if finding.kind is FindingKind.RULES)
    assert (wrong.key, wrong.version) == ("rules.illegal", cast.version + 1)
    assert wrong.details is not None
    assert "TABLE-REPORT-3" in wrong.details["en"]


def played_again(bundle: Bundle, version: int, move: Move) -> tuple[Event, ...]:
    """What follows from another move in the place of an entry."""
    reading = LogReplay()
    for entry in logs(bundle)[: version - 1]:
        reading.append_entry(entry)
    return decide_move(reading.match, CHANCE, move)
