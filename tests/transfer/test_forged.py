"""Files of matches that move, and bundles of those that moved, forged: both verifiers find it, nothing is taken in."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from api.resources.matches.schemas import JoinBody
from referee.audit.bundles import format as form
from referee.audit.bundles.export import MOVING, SEALED
from referee.audit.bundles.format import Bundle
from referee.audit.bundles.importing import ImportRejected
from referee.audit.checks.findings import FindingKind
from referee.audit.checks.verifier import check_bundle
from referee.match.events.transfer_events import MatchImported
from referee.transfer.payload import PayloadError, decode_payload
from referee.transparency.merkle import compute_root, extend_frontier, leaf_hash
from tests.transfer.movers import Server, alone, plays, read, running


@pytest.fixture
def servers(tmp_path: Path) -> tuple[Server, Server, Server]:
    return Server("aaa", tmp_path), Server("bbb", tmp_path), Server("ccc", tmp_path)


def refused(server: Server, bundle: Bundle, why: str, *trusted: bytes) -> ImportRejected:
    known, held = dict(server.memory._matches), dict(server.memory._grants)
    with pytest.raises(ImportRejected) as found:
        server.moving.import_match(bundle, trusted)
    assert found.value.reason == why, found.value
    assert (dict(server.memory._matches), dict(server.memory._grants)) == (known, held), "nothing is left of it"
    return found.value


def retold(bundle: Bundle, change: Callable[[Any], None]) -> Bundle:
    told = json.loads("".join(line.text for line in bundle.payload))
    change(told)
    text = json.dumps(told, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    return replace(bundle, payload=(form.PayloadLine(text),))


def test_a_changed_token_or_name_or_request_is_refused(servers: tuple[Server, ...], tmp_path: Path) -> None:
    here, there, _ = servers
    sent = read(here.sent(running(here)))
    for change in (
        lambda told: told["grants"].update({"f" * 64: {"role": "host", "seats": []}}),
        lambda told: told["grants"].popitem(),
        lambda told: told["names"].update({"0": "Mallory"}),
        lambda told: told["keys"].popitem(),
        lambda told: told.update(salt="00"),
    ):
        forged = retold(sent, change)
        wrong = refused(there, forged, "unsound")
        assert wrong.report is not None
        assert [each.key for each in wrong.report.findings] == ["luggage.other"]
        assert [each["kind"] for each in alone(form.encode_bundle(forged.all_lines), tmp_path)] == ["opening"]
    refused(there, replace(sent, payload=()), "unsound")


def test_luggage_that_would_harm_whoever_reads_it_is_no_luggage() -> None:
    good: dict[str, Any] = {"salt": "00", "grants": {}, "names": {}, "passes": {}, "keys": {}}
    assert decode_payload(json.dumps(good, sort_keys=True, separators=(",", ":")), 2, 9).grants == {}
    known = {"grants": {"a" * 64: {"person": "0" * 32, "role": "arbiter", "seats": []}}, "names": {"official:9": "Zoe"}}
    # a name with which one may join, or once might, is one with which one may move
    joining, once = ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "Anna\u00a0Bo"), "A\u202eB"
    for name in joining:
        JoinBody().load({"name": name, "code": "ABCDEF"})
    for name in (*joining, once):
        called = json.dumps({**good, "names": {"0": name}}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert decode_payload(called, 2, 9).names == {"0": name}
    taken = decode_payload(json.dumps({**good, **known}, sort_keys=True, separators=(",", ":")), 2, 9)
    assert (json.loads(taken.grants["a" * 64]), taken.names) == (known["grants"]["a" * 64], known["names"])
    for part, held in (
        ("grants", {"x": {"role": "host", "seats": []}}), ("grants", {"a" * 64: {"role": "operator", "seats": []}}),
        ("grants", {"a" * 64: {"role": "seat", "seats": [2]}}), ("grants", {"a" * 64: "host"}), ("names", {"2": "A"}),
        ("grants", {"a" * 64: {"role": "host", "seats": [], "person": "Ada"}}), ("names", {"official:0": "A"}),
        ("names", {"official:10": "A"}), ("names", {"seat official:1": "A"}), ("names", {"official:": "A"}),
        ("names", {"0": "A\x1bB"}), ("names", {"0": ""}), ("names", {"0": "A" * 41}), ("names", []),
        ("keys", {"arrive:10": [1, "00"]}), ("keys", {"open:k": [1, "00"]}), ("keys", {"seat0:k": [10, "00"]}),
        ("keys", {"seat0:k": [1, "0"]}), ("keys", {"seat0:k": [0, "00"]}),
        ("passes", {"0": {"kinds": [], "until": "ever", "turn": 0, "since": 1}}), ("passes", {"0": None}),
    ):  # fmt: skip
        with pytest.raises(PayloadError):
            decode_payload(
                json.dumps({**good, part: held}, sort_keys=True, separators=(",", ":"), ensure_ascii=False), 2, 9
            )


def test_a_file_that_is_not_of_a_match_on_its_way_is_refused(servers: tuple[Server, ...]) -> None:
    here, there, _ = servers
    match = running(here)
    still = here.bundle(match, SEALED)
    with pytest.raises(ImportRejected) as running_still:
        there.importing.import_match(still)
    assert running_still.value.reason == "running"
    secrets = (form.SecretLine(0, here.service.appender.draws.secret(match)),)
    claimed = replace(still, header=replace(still.header, eyes=MOVING), secrets=secrets)
    refused(there, claimed, "unsound")
    sent = read(here.sent(match))
    refused(there, replace(sent, header=replace(sent.header, eyes=SEALED), payload=()), "unsound")
    cut = replace(sent, entries=sent.entries[:-1], header=replace(sent.header, size=len(sent.entries) - 1))
    refused(there, cut, "unsound")
    refused(there, replace(sent, checkpoints=()), "unsound")
    refused(there, sent, "unsound", there.signer.public)
    with pytest.raises(ImportRejected) as half:
        there.importing.import_match(sent)
    assert half.value.reason == "unsound" or half.value.reason == "partial"


def test_a_match_that_is_known_by_another_history_stays_as_it_is(servers: tuple[Server, ...]) -> None:
    here, there, beyond = servers
    match = running(here)
    sent = read(here.sent(match))
    here.moving.import_match(sent)
    plays(here, match, 1)
    there.moving.import_match(sent)
    plays(there, match, 2)
    later = read(there.sent(match))
    refused(here, later, "other")
    here.sent(match)
    refused(here, later, "other")
    beyond.moving.import_match(later)
    refused(beyond, read(here.sent(match)), "other")


FORGED = (
    ("by another root", lambda event: replace(event, root="0" * 64), {FindingKind.ROOT}),
    ("from another server", lambda event: replace(event, came_from="ccc"), {FindingKind.VERSION}),
    ("by a key of nobody", lambda event: replace(event, key="1" * 64), {FindingKind.KEY}),
    ("by other keys of theirs", lambda event: replace(event, their_keys=("2" * 64,)), {FindingKind.KEY}),
)


@pytest.mark.parametrize(("name", "change", "kinds"), FORGED, ids=[name for name, _, _ in FORGED])
def test_an_arrival_that_says_something_else_is_found(
    name: str, change: Callable[[Any], Any], kinds: set[FindingKind], servers: tuple[Server, ...], tmp_path: Path
) -> None:
    forged = rewritten(servers, lambda entries: [_with(entry, change) for entry in entries])
    found = check_bundle(read(forged))
    assert kinds <= {each.kind for each in found.findings}, found.findings
    assert kinds <= {FindingKind(each["code"]) for each in alone(forged, tmp_path)}


def _with(entry: dict[str, Any], change: Callable[[Any], Any]) -> dict[str, Any]:
    for at, event in enumerate(entry["events"]):
        if event["type"] == MatchImported.TAG:  # type: ignore[attr-defined]
            plain = {name: value for name, value in event.items() if name != "type"}
            changed = change(MatchImported(**{**plain, "their_keys": tuple(plain["their_keys"])}))
            entry["events"][at] = {"type": event["type"], **json.loads(json.dumps(vars_of(changed)))}
    return entry


def vars_of(event: Any) -> dict[str, Any]:
    return {name: getattr(event, name) for name in event.__dataclass_fields__}


def rewritten(servers: tuple[Server, ...], change: Callable[[list[dict[str, Any]]], list[Any]]) -> list[bytes]:
    """A public bundle of a match that moved, its envelopes changed by the second server, which signs that."""
    here, there, _ = servers
    match = running(here)
    there.moving.import_match(read(here.sent(match)))
    plays(there, match, 1)
    honest = there.bundle(match, "public")
    told = change([json.loads(line.envelope) for line in honest.entries])
    texts = [json.dumps(each, separators=(",", ":"), sort_keys=True, ensure_ascii=False) for each in told]
    grown, frontier = [], ()
    for at, text in enumerate(texts):
        frontier = extend_frontier(frontier, at, leaf_hash(text.encode()))
        grown.append(form.EntryLine(at + 1, text, compute_root(frontier, at + 1)))
    notes = [line for line in honest.checkpoints if not line.note.startswith("bbb/")]
    notes.append(form.CheckpointLine(there.signer.sign_receipt(f"bbb/{match}", len(grown), grown[-1].root)))
    header = replace(honest.header, size=len(grown))
    return list(
        form.encode_bundle(replace(honest, header=header, entries=tuple(grown), checkpoints=tuple(notes)).all_lines)
    )


def renumbered(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**entry, "version": at} for at, entry in enumerate(entries, 1)]


def at_move(entries: list[dict[str, Any]], kind: str) -> int:
    return next(at for at, entry in enumerate(entries) for event in entry["events"] if event["type"] == kind)


def test_entries_that_the_first_server_wrote_cannot_be_dropped(servers: tuple[Server, ...], tmp_path: Path) -> None:
    def dropped(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return renumbered(entries[:5] + entries[6:])

    forged = rewritten(servers, dropped)
    codes = {each.kind for each in check_bundle(read(forged)).findings}
    assert {FindingKind.SIGNATURE, FindingKind.ROOT} <= codes, "its checkpoint is of other entries"
    assert {12, 14} <= {each["code"] for each in alone(forged, tmp_path)}


@pytest.mark.parametrize("kind", ["table.MatchMoved", "table.MatchArrived"])
def test_nothing_arrives_that_has_not_left_and_nothing_goes_on_that_has(
    kind: str, servers: tuple[Server, ...], tmp_path: Path
) -> None:
    def without(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        at = at_move(entries, kind)
        return renumbered(entries[:at] + entries[at + 1 :])

    forged = rewritten(servers, without)
    assert FindingKind.VERSION in {each.kind for each in check_bundle(read(forged)).findings}
    assert 13 in {each["code"] for each in alone(forged, tmp_path)}


def test_nothing_arrives_twice(servers: tuple[Server, ...], tmp_path: Path) -> None:
    def twice(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        at = at_move(entries, "table.MatchArrived")
        return renumbered(entries[: at + 1] + entries[at:])

    forged = rewritten(servers, twice)
    assert "home.order" in {each.key for each in check_bundle(read(forged)).findings}
    assert 13 in {each["code"] for each in alone(forged, tmp_path)}


def test_going_on_at_an_earlier_version_does_not_fit_receipts_of_before(servers: tuple[Server, ...]) -> None:
    here, there, _ = servers
    match = running(here)
    early = read(here.sent(match))
    here.moving.import_match(early)
    plays(here, match, 3)
    there.moving.import_match(early)
    plays(there, match, 1)
    assert check_bundle(there.bundle(match), (), here.receipts).exit_code == FindingKind.FORK
