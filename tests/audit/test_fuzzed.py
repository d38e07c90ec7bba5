"""Bundles that were mauled: it is found, or nothing that the bundle claims has changed; and nothing ever breaks."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import orjson
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.audit.bundles import format as form
from referee.audit.bundles.format import Bundle, BundleError, OpenedPart
from referee.audit.checks.findings import FindingKind
from referee.audit.checks.verifier import check_bundle
from referee.audit.reporting import render_report, report_to_dict
from referee.engine.codec import encode_canonical
from referee.match.entries import compute_commitment
from tests.audit.house import SIGNER, bundled, played, resigned
from tests.service.house import end_agreed_by_all

SETTINGS = settings(
    max_examples=30, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], database=None
)
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**60), 2**60), st.floats(allow_nan=False), st.text(max_size=6),
    st.sampled_from([0, 1, -1, [], {}, [[]], "full", "0", "table.Rewound", "table.Ended", 10**30]),
)  # fmt: skip


@cache
def short() -> Bundle:
    """A match that is over soon: dice are rolled, piles shuffled, hands dealt, moves made, and the table ends it."""
    house, match = played("here_to_slay", most=8)
    house.execute_command(match, end_agreed_by_all("agreed"), key="end", scope="host")
    return bundled(house, match)


@cache
def lines() -> tuple[bytes, ...]:
    return tuple(form.encode_bundle(short().all_lines))


def told(bundle: Bundle) -> Any:
    """What a bundle claims of the match: not when and by what it was made, and nor in which order its draws."""
    draws = tuple(sorted(bundle.draws, key=lambda line: line.version))
    return replace(bundle, header=replace(bundle.header, made_ms=0, program=""), keys=(), draws=draws)


def looked_at(mauled: list[bytes]) -> None:
    """Looks at what is left of a bundle: it must be refused, found wrong, or say what it said."""
    try:
        bundle = form.decode_bundle(mauled)
    except BundleError:
        return
    report = check_bundle(bundle, [SIGNER.public])
    assert list(render_report(report, "de"))
    assert orjson.dumps(report_to_dict(report))
    assert not report.is_sound or told(bundle) == told(short())


def a_byte(data: st.DataObject) -> None:
    """Changes one byte of a bundle."""
    at = data.draw(st.integers(0, len(lines()) - 1))
    line = bytearray(lines()[at])
    place = data.draw(st.integers(0, len(line) - 1))
    line[place] ^= data.draw(st.integers(1, 255))
    looked_at([*lines()[:at], bytes(line), *lines()[at + 1 :]])


def whole_lines(data: st.DataObject) -> None:
    """Drops, doubles and swaps lines of a bundle, and counts them anew."""
    mauled = list(lines()[:-1])
    for _ in range(data.draw(st.integers(1, 3))):
        one, other = (data.draw(st.integers(0, len(mauled) - 1)) for _ in range(2))
        how = data.draw(st.sampled_from(("drop", "double", "swap")))
        if how == "drop":
            del mauled[one]
        elif how == "double":
            mauled.insert(other, mauled[one])
        else:
            mauled[one], mauled[other] = mauled[other], mauled[one]
    looked_at([*mauled, form.encode_line(form.EndLine(len(mauled)))])


def mauled_within(data: st.DataObject, value: Any) -> Any:
    """JSON data with one thing in it changed, somewhere."""
    if isinstance(value, dict) and value and data.draw(st.integers(0, 9)):
        name = data.draw(st.sampled_from(sorted(value)))
        return {**value, name: mauled_within(data, value[name])}
    if isinstance(value, list) and value and data.draw(st.integers(0, 9)):
        at = data.draw(st.integers(0, len(value) - 1))
        return [*value[:at], mauled_within(data, value[at]), *value[at + 1 :]]
    return data.draw(VALUES)


def timeless(envelope: str) -> Any:
    """What an envelope says, but when: that is the word of whoever wrote it."""
    found = orjson.loads(envelope)
    return {**found, "at": 0} if isinstance(found, dict) and type(found.get("at")) is int else found


def an_entry(data: st.DataObject) -> None:
    """Changes something within an entry, and puts everything right that whoever holds all keys can."""
    bundle = short()
    at = data.draw(st.integers(0, len(bundle.entries) - 1))
    line = bundle.entries[at]
    part, envelope = orjson.loads(line.parts[0].part), orjson.loads(line.envelope)
    within = data.draw(st.sampled_from(("part", "both", "envelope")))
    other = part if within == "envelope" else mauled_within(data, part)
    try:
        text = encode_canonical(other).decode()
        if isinstance(other, dict) and within == "both":
            envelope |= {name: other[name] for name in ("move", "events") if name in other}
        if within == "envelope":
            envelope = mauled_within(data, envelope)
        if isinstance(envelope, dict) and isinstance(envelope.get("commitments"), dict):
            envelope["commitments"]["full"] = compute_commitment(line.parts[0].salt, text.encode())
        envelopes = [each.envelope for each in bundle.entries]
        envelopes[at] = encode_canonical(envelope).decode()
    except TypeError:  # what no JSON can hold was drawn
        return
    parts = [each.parts for each in bundle.entries]
    parts[at] = (OpenedPart("full", line.parts[0].salt, text),)
    report = check_bundle(resigned(bundle, envelopes, parts), [SIGNER.public])
    assert list(render_report(report, "en"))
    if timeless(envelopes[at]) == timeless(line.envelope):  # then nothing but the times can contradict each other
        assert {finding.kind for finding in report.findings} <= {FindingKind.TIME}
    else:
        assert not report.is_sound
    assert report.is_sound or report.exit_code >= FindingKind.UNREADABLE


@SETTINGS
@given(st.data())
def test_a_byte_that_was_changed_is_found(data: st.DataObject) -> None:
    a_byte(data)


@SETTINGS
@given(st.data())
def test_lines_that_were_dropped_doubled_or_swapped_are_found(data: st.DataObject) -> None:
    whole_lines(data)


@settings(SETTINGS, max_examples=60)
@given(st.data())
def test_an_entry_that_was_mauled_by_somebody_who_holds_all_keys_is_found(data: st.DataObject) -> None:
    an_entry(data)
