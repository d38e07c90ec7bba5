"""Attacks on fair play by somebody who holds all keys of a server and plays at its table: what is found, what is not.

Each row says what `referee verify` and `verify.py` answered to the same files before there were three verdicts
(`before`, measured), and what they answer today. Rows that are still open
are no less tested: they say what is not found, so that nobody believes that it is, and that a change shows. What can
be done against those is said in referee/docs/PROOFS.md.

    python -m tests.audit.test_attacks    # prints the table
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any
from unittest import mock

import pytest
from click.testing import CliRunner

from referee.audit import standalone
from referee.audit.bundles import format as form
from referee.audit.bundles.export import SEALED
from referee.audit.bundles.format import encode_bundle
from referee.audit.checks.findings import FindingKind
from referee.cli.main import cli
from referee.engine.chance import RollResult
from referee.engine.seats import Seat
from referee.match.errors import MoveRejected
from referee.match.events.dispute_commands import OpenDispute, WithdrawDispute
from referee.match.table import commands
from referee.match.table.signed_moves import NameDeviceKey
from referee.service.match_service import MatchService
from referee.service.requests import MoveRequest
from referee.transparency.randomness import ServerRandomSource
from referee.transparency.receipts import Signer
from tests.audit.forging import Forger
from tests.audit.sitting import STORE, House, begun, over, played, setup_of, signer
from tests.audit.test_devices import SigningHouse
from tests.audit.test_outside import LATER, WITNESS, forge, open_server
from tests.audit.test_refusals import find_position, refuse
from tests.audit.test_refusals import verify as verify_refused
from tests.audit.test_rewriting import set_back
from tests.audit.test_tampering import MOVES, NUMBER, honest, untouched, work
from tests.audit.test_times import NOON, YEAR, dated
from tests.match.chains import Chain
from tests.match.devices import DEVICES
from tests.service.house import end_agreed_by_all
from tests.transfer.movers import Server, next_move, plays, read, running

NOTHING, FORK, TIME, RULES, VERSION = 0, FindingKind.FORK, FindingKind.TIME, FindingKind.RULES, FindingKind.VERSION
NO_CHAINS: Mapping[int, Chain] = MappingProxyType({})
MOVED_NOTICES = ("fact.moved", "fact.unagreed", "fact.none_signed", "fact.share", "fact.no_share")
UNMET = 24  # the exit code of what --require does not find


@dataclass(frozen=True)
class Answer:
    """The exit codes of `referee verify` and `verify.py`, the verdict and what else the report says."""

    verify: int
    alone: int | None = None  # None: it was not asked, as the attack is not one on a file
    verdict: str = ""
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Attack:
    """A row: what is done, what both answered before, and whether it is still open."""

    name: str
    make: Callable[[Path], Answer]
    before: str
    expected: Answer
    is_open: bool = False


ATTACKS: list[Attack] = []


def attack(name: str, before: str, expected: Answer, is_open: bool = False) -> Callable[[Any], Any]:
    """Registers a row of the table."""

    def register(make: Callable[[Path], Answer]) -> Callable[[Path], Answer]:
        ATTACKS.append(Attack(name, make, before, expected, is_open))
        return make

    return register


def verify(*arguments: str | Path) -> tuple[int, dict[str, Any]]:
    done = CliRunner().invoke(cli, ["verify", *map(str, arguments), "--json"])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, json.loads(done.output)


def filed(folder: Path, lines: list[bytes], name: str = "match.bundle") -> Path:
    path = folder / name
    path.write_bytes(b"".join(lines))
    return path


def answer(folder: Path, lines: list[bytes], *more: str) -> Answer:
    """What both verifiers say of a file without any key or receipt."""
    code, told = verify(filed(folder, lines, "asked.bundle"), *more)
    (report,) = told["files"]
    notices = tuple(each["key"] for each in report["notices"])
    with contextlib.redirect_stdout(io.StringIO()):
        other = standalone.main([str(folder / "asked.bundle"), *more])
    return Answer(code, other, report["verdict"], notices)


def best(tries: Iterator[tuple[tuple[int, ...], list[bytes]]]) -> list[bytes]:
    """The file with the highest roll of those that somebody tried, which has to be better than another."""
    found = list(tries)
    rolls = [roll for roll, _ in found]
    assert sum(max(rolls)) > sum(min(rolls)), "he gains something by it"
    return max(found, key=lambda each: sum(each[0]))[1]


# -- chance ------------------------------------------------------------------------------------------------------------


def roll_after(service: Any, match: str, after: int) -> tuple[int, ...] | None:
    """The first roll of a match after an entry."""
    entries = service.repository.load_entries(match, after, 10_000)
    return next((entry.move.values for entry in entries if isinstance(entry.move, RollResult)), None)


def play_to_a_roll(
    service: MatchService, match: str, after: int, dice: random.Random, chains: Mapping[int, Chain] = NO_CHAINS
) -> tuple[int, ...]:
    """Plays until dice are rolled after an entry; seats with a chain show a link with each move."""
    while (roll := roll_after(service, match, after)) is None:
        found = service.load_match(match)
        seat, move = next_move(found.match, dice)
        seed = next((seed for seed in found.match.seeds if seed.seat == seat and seat in chains), None)
        link = "" if seed is None else chains[seat].follow(seed.awaited)
        service.make_move(MoveRequest(match, seat, move, key=f"m{found.version}", link=link))
    return roll


def ground_after_a_move(folder: Path) -> list[bytes]:
    """The file of a match that moved to a server which chose its secret among some."""
    here = Server("aaa", folder)
    match = running(here)
    here.moving.release_match(match, without_consent=True)
    sent = read(here.sent(match))

    def tries() -> Iterator[tuple[tuple[int, ...], list[bytes]]]:
        for number in range(8):
            there = Server(f"next{number}", folder)
            there.moving.import_match(sent)
            roll = play_to_a_roll(there.service, match, there.service.load_match(match).version, random.Random(1))
            there.service.execute_command(match, end_agreed_by_all("abandoned"), key="end", scope="host")
            yield roll, there.lines(match, SEALED)

    return best(tries())


@attack(
    "a running match is moved without consent, no seat shows links, and the next server's secret is chosen by trying",
    "0 / 0, and not even that it was moved",
    Answer(NOTHING, NOTHING, "consistent", MOVED_NOTICES),
)
def ground_unseen(folder: Path) -> Answer:
    return answer(folder, ground_after_a_move(folder))


@attack(
    "the same, and the checker requires seeds", "there was no such option",
    Answer(UNMET, UNMET, "consistent", MOVED_NOTICES),
)  # fmt: skip
def ground_required(folder: Path) -> Answer:
    return answer(folder, ground_after_a_move(folder), "--require", "seeds")


def pad(house: House, match: str, start: int, times: int) -> None:
    """Writes entries that are no play."""
    for number in range(times):
        ask = OpenDispute("1", start, "other", statement="Hm.")
        house.service.execute_command(match, ask, key=f"open{number}", scope="seat1")
        dispute = house.service.load_match(match).match.disputes[-1]
        if dispute.is_open:
            taken_back = WithdrawDispute(dispute.number, "1")
            house.service.execute_command(match, taken_back, key=f"shut{number}", scope="seat1")


def list_padded() -> Iterator[tuple[tuple[int, ...], list[bytes]]]:
    """The first roll of a match, and its file, with more and more entries before."""
    game, _, setup = setup_of(NUMBER)
    for padding in range(5):
        house = House()
        match = begun(house, game, setup, "padded", {}, {0: bytes(range(16)), 1: bytes(range(16, 32))})
        start = house.service.load_match(match).version
        pad(house, match, start, padding)
        roll = play_to_a_roll(house.service, match, house.service.load_match(match).version, random.Random(2))
        yield roll, house.bundle(over(house, match, "padded").match)


@attack(
    "padding: a confederate adds entries before a roll, in a match of the first scheme",
    "0 / 0",
    Answer(NOTHING, NOTHING, "consistent", ("fact.none_signed", "fact.seeds", "fact.draws_by_entry")),
)
def padded(folder: Path) -> Answer:
    with mock.patch.object(commands, "DRAW_SCHEME", 0):
        return answer(folder, best(list_padded()))


@attack(
    "padding, in a match of the second scheme: it changes no roll",
    "0 / 0",
    Answer(NOTHING, NOTHING, "consistent", ("fact.none_signed", "fact.seeds")),
)
def padded_in_vain(folder: Path) -> Answer:
    found = list(list_padded())
    assert len({roll for roll, _ in found}) == 1
    return answer(folder, found[-1][1])


@attack(
    "links that honest devices sent with their moves are left out before a roll, by the host alone",
    "not tried",
    Answer(NOTHING, NOTHING, "consistent", ("fact.none_signed", "fact.share", "fact.share")),
    is_open=True,
)
def left_out_links(folder: Path) -> Answer:
    """A move does not rest on its link, so each link that is due is a choice between two outcomes."""
    chains = {seat: Chain(bytes([seat]) * 32) for seat in (0, 1)}

    def tries() -> Iterator[tuple[tuple[int, ...], list[bytes]]]:
        for written in (chains, {0: chains[0]}, {1: chains[1]}, NO_CHAINS):
            house, dice = House(), random.Random(2)
            game, _, setup = setup_of(NUMBER)
            seeds = {seat: bytes.fromhex(chain.links[1]) for seat, chain in chains.items()}
            match = begun(house, game, setup, "left-out", {}, seeds)
            for _ in range(2):  # all have a share in the next roll
                play_to_a_roll(house.service, match, house.service.load_match(match).version, dice, chains)
            roll = play_to_a_roll(house.service, match, house.service.load_match(match).version, dice, written)
            yield roll, house.bundle(over(house, match, "left out").match)

    return answer(folder, best(tries()))


@attack(
    "the same, where devices sign",
    "not tried",
    Answer(FindingKind.DEVICE, FindingKind.DEVICE, "wrong"),
)
def left_out_signed_links(folder: Path) -> Answer:
    house = SigningHouse()
    house.service.left_out = 2
    return replace(answer(folder, house.bundle(played(NUMBER, house, 20).match)), notices=())


def chosen_secret() -> list[bytes]:
    """The file of a match whose secret the server chose among some, as no seat brought a seed."""

    def tries() -> Iterator[tuple[tuple[int, ...], list[bytes]]]:
        for number in range(6):
            house = House(draws=ServerRandomSource(bytes([number]) * 32))
            game, _, setup = setup_of(NUMBER)
            match = begun(house, game, setup, "chosen")
            roll = play_to_a_roll(house.service, match, 0, random.Random(2))
            yield roll, house.bundle(over(house, match, "chosen").match)

    return best(tries())


@attack(
    "no seat brought a seed, and the server chooses its secret by trying",
    "0 / 0, and nothing of it in the report",
    Answer(
        NOTHING,
        NOTHING,
        "consistent",
        ("fact.no_seeds",),
    ),
)
def no_seeds(folder: Path) -> Answer:
    return answer(folder, chosen_secret())


@attack(
    "the same, and the checker requires seeds", "there was no such option",
    Answer(UNMET, UNMET, "consistent", ("fact.no_seeds",)),
)  # fmt: skip
def no_seeds_required(folder: Path) -> Answer:
    return answer(folder, chosen_secret(), "--require", "seeds")


# -- signed things that contradict each other --------------------------------------------------------------------------


@attack("two files of one match by one key that contradict each other", "0 / 0", Answer(FORK))
def two_files(folder: Path) -> Answer:
    other = set_back(MOVES // 2)
    one = filed(folder, honest().house.bundle(honest().match), "one")
    return Answer(verify(one, filed(folder, other.house.bundle(other.match), "two"))[0])


def roots(folder: Path, name: str, size: int, root: bytes, by: Signer | None = None) -> Path:
    path = folder / name
    path.write_text((by or honest().house.signer).sign_receipt(f"{STORE}/roots", size, root), "utf-8")
    return path


@attack(
    "two checkpoints of the log of roots, of one size and with different roots", "nothing compared them", Answer(FORK)
)
def two_logs(folder: Path) -> Answer:
    one = filed(folder, honest().house.bundle(honest().match))
    notes = [roots(folder, "mo", 9, bytes(32)), roots(folder, "tu", 9, b"x" * 32)]
    return Answer(verify(one, "--roots", notes[0], "--roots", notes[1])[0])


@attack("yesterday's checkpoint of roots against a log that was rolled back", "nothing compared them", Answer(FORK))
def rolled_back(folder: Path) -> Answer:
    at = Server("ddd", folder)
    match = running(at, moves=3)
    at.service.execute_command(match, end_agreed_by_all("abandoned"), key="end", scope="host")
    size, root, _ = at.publisher.sign_checkpoint()
    yesterday = at.signer.sign_receipt(at.publisher.origin, size + 1, root)  # of a leaf that has been taken away since
    (finding,) = at.auditor.check_kept_notes((), [yesterday])
    return Answer(int(finding.kind))


@attack("a match has vanished of which a player holds a receipt", "0, and a line on stderr", Answer(FORK))
def vanished(folder: Path) -> Answer:
    at = Server("eee", folder)
    gone = at.signer.sign_receipt(f"eee/07-{26 * 'z'}", 5, bytes(32))
    (finding,) = at.auditor.check_kept_notes([gone], ())
    return Answer(int(finding.kind))


# -- times -------------------------------------------------------------------------------------------------------------


def verify_forgery(folder: Path, forger: Forger) -> Answer:
    found = answer(folder, forger.lines())
    return replace(found, notices=())  # of what is wrong, the findings matter


@attack("times run backwards", "0 / 0", Answer(TIME, TIME, "wrong"))
def backwards(folder: Path) -> Answer:
    return verify_forgery(folder, dated(lambda version: NOON - version * 60_000))


@attack("a match is backdated by ten years", "0 / 0", Answer(TIME, TIME, "wrong"))
def backdated(folder: Path) -> Answer:
    return verify_forgery(folder, dated(lambda _: NOON - 10 * YEAR, since=NOON))


@attack("a key is valid since the year 2100", "0 / 0", Answer(TIME, TIME, "wrong"))
def next_century(folder: Path) -> Answer:
    return verify_forgery(folder, dated(lambda _: NOON, since=130 * YEAR))


@attack(
    "a match is backdated by ten years, and the first key as well", "0 / 0",
    Answer(NOTHING, NOTHING, "consistent"), is_open=True,
)  # fmt: skip
def all_backdated(folder: Path) -> Answer:
    return verify_forgery(folder, dated(lambda _: NOON - 10 * YEAR, since=NOON - 11 * YEAR))


# -- who moved ---------------------------------------------------------------------------------------------------------


@attack(
    "a move in a player's name that he never made, where no device signs", "0 / 0",
    Answer(NOTHING, NOTHING, "consistent"), is_open=True,
)  # fmt: skip
def made_up_move(folder: Path) -> Answer:
    """The server simply asks itself for it: its log does not differ from one in which he moved."""
    at = Server("fff", folder)
    match = running(at, moves=4)
    plays(at, match, 1, seed=99)
    at.service.execute_command(match, end_agreed_by_all("abandoned"), key="end", scope="host")
    return replace(answer(folder, at.lines(match, SEALED)), notices=())


def make_up_signed_move(folder: Path) -> list[bytes]:
    """The file of a match in which devices sign, but for one move that the server asked itself for."""
    at, dice = Server("hhh", folder), random.Random(7)
    match = running(at, moves=0)
    for seat in (0, 1):
        named = NameDeviceKey(seat, DEVICES[seat].key)
        at.service.execute_command(match, named, key=f"name{seat}", scope=f"seat{seat}")
    for number in range(5):
        loaded = at.service.load_match(match)
        seat, move = next_move(loaded.match, dice)
        seen, root = loaded.version, loaded.head.root.hex()
        signed = None if number == 4 else DEVICES[seat].sign(match, seat, seen, root, move)
        at.service.make_move(MoveRequest(match, Seat(seat), move, key=f"signed{number}", seen=seen, signed=signed))
    at.service.execute_command(match, end_agreed_by_all("abandoned"), key="end", scope="host")
    return at.lines(match, SEALED)


@attack(
    "the same, where the devices of the players sign", "0 / 0",
    Answer(NOTHING, NOTHING, "consistent", ("fact.signed", "fact.unsigned")),
)  # fmt: skip
def made_up_move_where_others_are_signed(folder: Path) -> Answer:
    found = answer(folder, make_up_signed_move(folder))
    return replace(found, notices=tuple(sorted({each for each in found.notices if "signed" in each})))


@attack(
    "the same, and the checker requires signatures", "there was no such option",
    Answer(UNMET, UNMET, "consistent"),
)  # fmt: skip
def made_up_move_required(folder: Path) -> Answer:
    return replace(answer(folder, make_up_signed_move(folder), "--require", "signatures"), notices=())


@attack(
    "a wrong refusal of a move that its device did not sign", "nothing signed, nothing to show", Answer(NOTHING),
    is_open=True,
)  # fmt: skip
def wrong_refusal(folder: Path) -> Answer:
    """What is refused leaves neither an entry nor a receipt."""
    at = Server("ggg", folder)
    match = running(at, moves=4)
    found, given = at.service.load_match(match), len(at.receipts)
    _, move = next_move(found.match, random.Random(1))
    waiting = next_move(found.match, random.Random(1))[0]
    with pytest.raises(MoveRejected):
        at.service.make_move(MoveRequest(match, Seat(1 - waiting), move, key="refused"))
    after = at.service.load_match(match)
    assert (after.version, len(at.receipts)) == (found.version, given)
    return Answer(NOTHING)


@attack(
    "a cosignature that the witness never made, given with its key", "nothing carried one",
    Answer(FindingKind.SIGNATURE, FindingKind.SIGNATURE, "wrong"),
)  # fmt: skip
def forged_cosignature(folder: Path) -> Answer:
    at = open_server(folder)
    at.cosign(LATER)
    bundle = at.bundle()
    (line,) = bundle.published
    lines = list(encode_bundle(replace(bundle, published=(replace(line, note=forge(line.note)),)).all_lines))
    return replace(answer(folder, lines, "--witness", WITNESS.encode()), notices=())


@attack(
    "a match that claims to be younger than the cosignature of the log that has it", "nothing carried one",
    Answer(TIME, TIME, "wrong"),
)  # fmt: skip
def dated_after_its_cosignature(folder: Path) -> Answer:
    at = open_server(folder)
    at.cosign(0)
    lines = list(encode_bundle(at.bundle().all_lines))
    return replace(answer(folder, lines, "--witness", WITNESS.encode()), notices=())


@attack("a wrong refusal of a move that its device signed", "nothing signed, nothing to show", Answer(RULES))
def wrong_signed_refusal(folder: Path) -> Answer:
    return Answer(verify_refused(folder, refuse(find_position()["legal"]))[0])


def relabelled(actor: str) -> Forger:
    """A player's move that is said to be another's, by somebody who holds all keys and the secret."""
    forger = work(untouched())
    version = forger.first(lambda entry: entry.seat >= 0 and entry.actor == "player")
    forger.repack(version, lambda entry: replace(entry, actor=actor))
    forger.cover("secret")
    return forger


for _actor, _before, _code in (("bot", 18, RULES), ("proxy", 0, RULES), ("clock", 0, TIME)):

    @attack(f"a player's move is said to be made by: {_actor}", f"{_before} / 0", Answer(_code, _code, "wrong"))
    def relabel(folder: Path, actor: str = _actor) -> Answer:
        return verify_forgery(folder, relabelled(actor))


# -- the file ----------------------------------------------------------------------------------------------------------


@attack("a header that lies about the status", "13 / 0", Answer(VERSION, VERSION, "wrong"))
def lying_status(folder: Path) -> Answer:
    forger = work(untouched())
    forger.header = replace(forger.header, status="running")
    return verify_forgery(folder, forger)


@attack(
    "a header that lies about viewer and status, to keep the secret back", "13 / 0",
    Answer(VERSION, VERSION, "wrong"),
)  # fmt: skip
def lying_viewer(folder: Path) -> Answer:
    forger = work(untouched())
    forger.header = replace(forger.header, status="running", eyes="sealed")
    forger.secrets, forger.draws = [], []
    return verify_forgery(folder, forger)


def invented() -> list[bytes]:
    """A match that nobody played, under a key that nobody knows."""
    forger, stranger = (
        Forger.on(played(NUMBER, House(draws=ServerRandomSource(bytes([9]) * 32)), MOVES)),
        signer("nobody"),
    )
    forger.keys = [form.KeyLine(stranger.public, 0)]
    forger.sign(stranger)
    return forger.lines()


@attack(
    "an invented match under an unknown key, without receipts", "0 / 0, \"Nothing is wrong\"",
    Answer(NOTHING, NOTHING, "consistent"),
)  # fmt: skip
def invented_match(folder: Path) -> Answer:
    return replace(answer(folder, invented()), notices=())


@attack(
    "the same, and the checker requires a key", "there was no such option",
    Answer(UNMET, UNMET, "consistent"),
)  # fmt: skip
def invented_match_required(folder: Path) -> Answer:
    return replace(answer(folder, invented(), "--require", "key"), notices=())


@pytest.mark.parametrize("row", ATTACKS, ids=lambda row: row.name)
def test_what_is_found_of_an_attack(row: Attack, tmp_path: Path) -> None:
    found = row.make(tmp_path)
    assert found == row.expected
    if row.is_open:
        assert found.verify == NOTHING, "a row that is found is not open any more"


def render_table() -> Iterator[str]:
    """Yield the lines of the table, from what is found now."""
    yield "| attack | before | referee verify | verify.py | says |"
    yield "| --- | --- | ---: | ---: | --- |"
    for row in ATTACKS:
        with tempfile.TemporaryDirectory() as folder:
            found = row.make(Path(folder))
        says = "; ".join(filter(None, ["OPEN" if row.is_open else "", found.verdict, *found.notices]))
        code = "–" if found.alone is None else int(found.alone)
        yield f"| {row.name} | {row.before} | {int(found.verify)} | {code} | {says} |"


if __name__ == "__main__":
    for printed in render_table():
        print(printed)  # the table is what the program is for
