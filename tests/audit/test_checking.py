"""The verifier: an honest match is found sound, and whatever was changed is found, with the right kind."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import replace

import orjson
import pytest

from referee.arbitration.replay.replay import Reading
from referee.audit.bundles.format import Bundle, CheckpointLine, DrawLine, EntryLine, KeyLine, Part, SecretLine
from referee.audit.checks.findings import TEXTS, Kind, Report
from referee.audit.checks.verifier import CHECKS, checked
from referee.engine.chance import Rolled, Shuffled
from referee.engine.codec import canonical
from referee.engine.events import Event, Move
from referee.engine.rulebook.book import LANGUAGES
from referee.engine.seats import CHANCE
from referee.eventstore.contract import Entry
from referee.match.aggregate import Rewound
from referee.match.entries import Logged, commitment, unpack
from referee.match.events.report_events import ReportCorrected
from referee.match.game_moves import moved
from referee.transparency.key_chain import statement
from tests.arbitration.playing import GAMES
from tests.audit.house import OTHER, SIGNER, STORE, bundled, finished, played, resigned, rewritten

HTS = "here_to_slay"


def states(report: Report) -> dict[str, str]:
    return {check.name: check.reason or check.state for check in report.checks}


def failed(report: Report) -> set[str]:
    return {check.name for check in report.checks if check.state == "failed"}


def logs(bundle: Bundle) -> list[Logged]:
    return [unpack(Entry(n.version, n.envelope.encode(), n.parts[0].part.encode(), n.root)) for n in bundle.entries]


def one(bundle: Bundle, wanted: Callable[[Logged], bool]) -> Logged:
    return next(each for each in logs(bundle) if wanted(each))


@pytest.mark.parametrize("game", GAMES)
def test_an_honest_match_is_found_sound(game: str) -> None:
    house, match = played(game, most=60)
    over = house.load(match).match.end is not None
    for eyes in ("public", "0", "sealed", *(("full",) if over else ())):
        report = checked(bundled(house, match, eyes), [SIGNER.public])
        assert report.findings == ()
        assert report.trusted
        assert (states(report)["rules"] == "done") == (eyes in ("full", "sealed"))
        assert [check.name for check in report.checks] == list(CHECKS)


def test_of_a_match_that_is_over_nothing_is_left_unchecked_but_what_there_is_not() -> None:
    found = states(checked(finished(), [SIGNER.public], [finished().checkpoints[0].note]))
    left = {name: state for name, state in found.items() if state != "done"}
    assert left == {"book": "no_book", "published": "not_published"}


# -- keys, signatures, receipts ----------------------------------------------------------------------------------------


def test_a_key_that_only_the_bundle_names_is_not_trusted() -> None:
    assert not checked(finished()).trusted
    assert checked(finished()).sound
    assert checked(finished(), [OTHER.public]).exit_code == Kind.KEY
    assert not checked(finished(), [OTHER.public]).trusted


def test_whoever_signs_with_a_key_of_his_own_is_found_by_whoever_has_the_servers() -> None:
    bundle = finished()
    whole = [line.envelope for line in bundle.entries], [line.parts for line in bundle.entries]
    forged = replace(resigned(bundle, *whole, OTHER), keys=(KeyLine(OTHER.public, 0),))
    assert checked(forged).sound
    assert not checked(forged).trusted
    assert checked(forged, [SIGNER.public]).exit_code == Kind.KEY
    assert checked(resigned(bundle, *whole, OTHER)).exit_code == Kind.SIGNATURE


def test_a_key_that_the_one_before_it_names_is_as_good() -> None:
    bundle = finished()
    whole = [line.envelope for line in bundle.entries], [line.parts for line in bundle.entries]
    note = statement(SIGNER, STORE, OTHER.public, 7)
    keys = (KeyLine(SIGNER.public, 0), KeyLine(OTHER.public, 7, note))
    report = checked(replace(resigned(bundle, *whole, OTHER), keys=keys), [SIGNER.public])
    assert report.sound
    assert report.trusted
    for broken in (
        KeyLine(OTHER.public, 8, note),
        KeyLine(OTHER.public, 7, ""),
        KeyLine(OTHER.public, 7, statement(OTHER, STORE, OTHER.public, 7)),
        KeyLine(OTHER.public, 7, statement(SIGNER, "elsewhere", OTHER.public, 7)),
        KeyLine(b"short", 7, note),
    ):
        assert checked(replace(bundle, keys=(keys[0], broken))).exit_code == Kind.KEY
    assert checked(replace(bundle, keys=())).exit_code == Kind.KEY


def test_a_receipt_of_another_history_proves_a_fork() -> None:
    bundle = finished()
    origin = f"{STORE}/{bundle.header.match}"
    rewritten_since = SIGNER.receipt(origin, 9, bytes(32))
    later = SIGNER.receipt(origin, bundle.header.size + 1, bytes(32))
    assert checked(bundle, [SIGNER.public], [rewritten_since]).exit_code == Kind.FORK
    assert checked(bundle, [SIGNER.public], [later]).exit_code == Kind.FORK
    honest = SIGNER.receipt(origin, 9, bundle.entries[8].root)
    assert checked(bundle, [SIGNER.public], [honest]).sound
    forged = OTHER.receipt(origin, 9, bundle.entries[8].root)
    assert checked(bundle, [SIGNER.public], [forged]).exit_code == Kind.SIGNATURE
    elsewhere = SIGNER.receipt(f"{STORE}/07-{'z' * 26}", 9, bundle.entries[8].root)
    assert checked(bundle, [SIGNER.public], [elsewhere]).exit_code == Kind.VERSION


# -- header, versions, roots -------------------------------------------------------------------------------------------


def test_an_entry_that_is_missing_is_named() -> None:
    bundle = finished()
    report = checked(replace(bundle, entries=bundle.entries[:6] + bundle.entries[7:]))
    assert report.exit_code == Kind.VERSION
    assert {finding.version for finding in report.findings if finding.kind is Kind.VERSION} >= {7}


def test_entries_that_are_missing_at_the_end_are_missed() -> None:
    bundle = finished()
    cut = replace(bundle, entries=bundle.entries[:-3], header=replace(bundle.header, size=bundle.header.size - 3))
    assert checked(cut).exit_code == Kind.VERSION


def test_an_entry_that_was_changed_is_named() -> None:
    bundle = finished()
    other = replace(bundle.entries[8], envelope=bundle.entries[8].envelope.replace('"version":9', '"version":8'))
    report = checked(replace(bundle, entries=(*bundle.entries[:8], other, *bundle.entries[9:])))
    assert report.exit_code == Kind.VERSION
    assert {finding.version for finding in report.findings if finding.kind is Kind.ROOT} >= {9}


CLAIMS = ("match", "origin", "eyes", "game", "variant", "edition", "ruleset", "status", "size")


@pytest.mark.parametrize("field", CLAIMS)
def test_the_header_is_a_claim_like_all_else(field: str) -> None:
    bundle = finished()
    claimed: int | str = bundle.header.size + 1 if field == "size" else "full of it"
    report = checked(replace(bundle, header=replace(bundle.header, **{field: claimed})))
    assert report.exit_code in (Kind.KEY, Kind.SIGNATURE, Kind.VERSION)
    assert not report.sound


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
    report = checked(resigned(bundle, envelopes, [line.parts for line in bundle.entries]))
    assert report.exit_code == Kind.UNREADABLE
    assert [finding.version for finding in report.findings] == [3]


# -- what is hidden ----------------------------------------------------------------------------------------------------


def with_part(bundle: Bundle, version: int, *parts: Part) -> Bundle:
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
        assert checked(with_part(bundle, 12, *parts)).exit_code == Kind.OPENING
    house, match = played("monster_combat")
    own = bundled(house, match, "1")
    assert checked(with_part(own, 12)).exit_code == Kind.OPENING
    assert checked(with_part(bundled(house, match, "public"), 12, part)).exit_code == Kind.OPENING


def test_the_secrets_must_be_those_that_were_committed_to_and_all_of_them() -> None:
    bundle = finished()
    other, too_many, out_of_place = SecretLine(0, bytes(32)), SecretLine(1, bytes(32)), SecretLine(1, b"")
    for secrets in ((), (other,), (*bundle.secrets, too_many), (out_of_place,)):
        assert checked(replace(bundle, secrets=secrets)).exit_code == Kind.OPENING


def test_what_everybody_was_shown_must_be_what_lies_under_it() -> None:
    """As by a server that holds all keys, and shows another card than the one that is played."""
    bundle = finished()
    at = next(n for n, line in enumerate(bundle.entries) if "sword" in line.envelope)
    envelopes = [line.envelope for line in bundle.entries]
    envelopes[at] = envelopes[at].replace("sword", "shield")
    report = checked(resigned(bundle, envelopes, [line.parts for line in bundle.entries]))
    assert Kind.OPENING in {finding.kind for finding in report.findings if finding.version == at + 1}


# -- rules and chance --------------------------------------------------------------------------------------------------


def test_a_die_that_the_secret_does_not_give_is_told_in_words() -> None:
    bundle = finished(HTS)
    cast = one(bundle, lambda entry: isinstance(entry.move, Rolled))
    assert isinstance(cast.move, Rolled)
    other = Rolled(tuple(7 - value for value in cast.move.values))
    report = checked(rewritten(bundle, cast.version, lambda entry: replace(entry, move=other)))
    assert report.exit_code == Kind.CHANCE
    assert failed(report) == {"rules", "chance"}
    chance, rules = report.findings
    assert chance.told is not None
    assert rules.told is not None
    assert str(cast.move.values[0]) in chance.told["en"].splitlines()[0]
    assert "Seat 0 rolls" in rules.told["en"]
    assert "HTS-SETUP-2" in rules.told["de"]


def test_a_pile_that_was_stacked_is_found() -> None:
    bundle = finished(HTS)
    shuffle = one(bundle, lambda entry: isinstance(entry.move, Shuffled) and len(set(entry.move.order)) > 1)
    assert isinstance(shuffle.move, Shuffled)
    other = Shuffled(tuple(sorted(shuffle.move.order)))
    report = checked(rewritten(bundle, shuffle.version, lambda entry: replace(entry, move=other)))
    assert report.exit_code == Kind.CHANCE
    assert "as card 1" in str(report.findings[0].told)


@pytest.mark.parametrize(
    "change",
    [
        lambda entry: replace(entry, facts=entry.facts[1:]),
        lambda entry: replace(entry, facts=(*entry.facts, entry.facts[0])),
        lambda entry: replace(entry, seat=(entry.seat + 1) % 3),
        lambda entry: replace(entry, clauses=entry.clauses[1:]),
        lambda entry: replace(entry, actor="wizard"),
        lambda entry: replace(entry, actor="chance", seat=-1),
        lambda entry: replace(entry, seat=99),
        lambda entry: replace(entry, move=None),
    ],
)
def test_an_entry_against_the_rules_is_named_whoever_holds_the_keys(change: Callable[[Logged], Logged]) -> None:
    bundle = finished(HTS)
    played_by_hand = one(bundle, lambda entry: entry.seat >= 0 and entry.version > 40)
    report = checked(rewritten(bundle, played_by_hand.version, change))
    assert "rules" in failed(report)
    first = next(finding for finding in report.findings if finding.key.startswith(("rules", "entry")))
    assert first.version == played_by_hand.version
    assert all(first.texts()[lang] for lang in LANGUAGES)


def test_a_draw_that_is_passed_off_as_a_report_is_found() -> None:
    """Else whoever writes the log could choose: what is reported needs no secret."""
    bundle = finished(HTS)
    cast = one(bundle, lambda entry: isinstance(entry.move, Rolled))
    report = checked(rewritten(bundle, cast.version, lambda entry: replace(entry, actor="reporter:0")))
    assert [finding.key for finding in report.findings if finding.kind is Kind.RULES] == ["entry.actor"]


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
        assert checked(replace(bundle, draws=draws)).exit_code == Kind.CHANCE


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('"type":"table.MatchOpened"', '"type":"table.MatchForeseen"', "rules.no_such_game"),
        ('"game":"monster_combat"', '"game":"chess"', "rules.no_such_game"),
        ('"ruleset":"1"', '"ruleset":"2031"', "rules.unknown_ruleset"),
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
    envelope["commitments"]["full"] = commitment(salt, changed.encode())
    envelopes = [canonical(envelope).decode(), *(line.envelope for line in bundle.entries[1:])]
    parts = [(Part("full", salt, changed),), *(line.parts for line in bundle.entries[1:])]
    report = checked(resigned(bundle, envelopes, parts))
    assert key in [finding.key for finding in report.findings]
    assert all(finding.texts()[lang] for finding in report.findings for lang in LANGUAGES)


OTHER_RULES = dict.fromkeys(["chess/1", "", "/"], "entry.of_other_rules") | {"monster_combat/2": "rules.unknown"}


@pytest.mark.parametrize(("rules", "key"), OTHER_RULES.items())
def test_every_entry_names_the_rules_of_its_match_whoever_looks(rules: str, key: str) -> None:
    house, match = played("monster_combat", most=5)
    for eyes in ("public", "0", "sealed"):
        bundle = bundled(house, match, eyes)
        told = '"rules":"monster_combat/1"', f'"rules":"{rules}"'
        envelopes = [line.envelope.replace(*told) for line in bundle.entries]
        report = checked(resigned(bundle, envelopes, [line.parts for line in bundle.entries]))
        assert [(finding.key, finding.version) for finding in report.findings] == [(key, 1)]


@pytest.mark.parametrize("game", ["[]", "{}", "7", "null"])
def test_an_opening_that_names_no_game_breaks_nothing(game: str) -> None:
    house, match = played("monster_combat", most=5)
    bundle = bundled(house, match, "public")
    envelopes = [line.envelope.replace('"game":"monster_combat"', f'"game":{game}') for line in bundle.entries]
    report = checked(resigned(bundle, envelopes, [line.parts for line in bundle.entries]))
    assert "rules.no_such_game" in {finding.key for finding in report.findings}


def test_more_keys_and_notes_than_any_match_has_are_not_looked_at() -> None:
    bundle = finished()
    for many in (
        replace(bundle, keys=tuple(KeyLine(bytes(31) + bytes([n % 256]), n) for n in range(9000))),
        replace(bundle, checkpoints=bundle.checkpoints * 9000),
    ):
        assert checked(many).exit_code == Kind.UNREADABLE


def test_every_text_of_the_audit_stands_in_both_languages() -> None:
    assert all(texts.keys() == set(LANGUAGES) and all(texts.values()) for texts in TEXTS.values())


def test_after_so_long_no_entry_is_judged_any_more() -> None:
    report = checked(finished(), seconds=0)
    assert report.sound
    assert states(report)["rules"] == states(report)["chance"] == "no_time"


def test_a_checkpoint_of_another_match_vouches_for_nothing() -> None:
    bundle = finished()
    note = SIGNER.receipt(f"{STORE}/07-{'z' * 26}", bundle.header.size, bundle.entries[-1].root)
    assert checked(replace(bundle, checkpoints=(CheckpointLine(note),))).exit_code == Kind.SIGNATURE
    assert checked(replace(bundle, checkpoints=())).exit_code == Kind.SIGNATURE
    beyond = SIGNER.receipt(bundle.header.origin, 10**18, bytes(32))
    assert checked(replace(bundle, checkpoints=(*bundle.checkpoints, CheckpointLine(beyond)))).exit_code == Kind.VERSION


def test_a_bundle_of_nothing_is_refused() -> None:
    nothing = replace(finished(), entries=(), header=replace(finished().header, size=0))
    assert checked(nothing).exit_code in (Kind.SIGNATURE, Kind.VERSION)
    alone = EntryLine(1, base64.b64encode(bytes(40)).decode(), bytes(32))
    assert not checked(replace(finished(), entries=(alone,))).sound


def test_dice_of_the_servers_are_not_rolled_again_as_the_correction_of_a_report() -> None:
    """What the log says beside a move is believed no more than the move: only a report can be corrected."""
    bundle = finished(HTS)
    cast = one(bundle, lambda entry: isinstance(entry.move, Rolled))
    assert isinstance(cast.move, Rolled)
    other = Rolled(tuple(7 - value for value in cast.move.values))

    def corrected(entry: Logged) -> Logged:
        back = (ReportCorrected(cast.version, cast.version, ("TABLE-REPORT-3",)), Rewound(cast.version - 1))
        facts = played_again(bundle, cast.version, other)
        return replace(entry, seat=-1, actor="reporter:0", move=other, facts=(*back, *facts))

    report = checked(rewritten(bundle, cast.version + 1, corrected))
    wrong = next(finding for finding in report.findings if finding.kind is Kind.RULES)
    assert (wrong.key, wrong.version) == ("rules.illegal", cast.version + 1)
    assert wrong.told is not None
    assert "TABLE-REPORT-3" in wrong.told["en"]


def played_again(bundle: Bundle, version: int, move: Move) -> tuple[Event, ...]:
    """What follows from another move in the place of an entry."""
    reading = Reading()
    for entry in logs(bundle)[: version - 1]:
        reading.go_on(entry)
    return moved(reading.match, CHANCE, move)
