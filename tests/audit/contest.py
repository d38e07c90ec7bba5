"""Tournaments on a server that draws and signs as the real one does, and their bundles: for tests of the audit."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

from referee.audit.bundles import format as form
from referee.audit.bundles.format import Bundle
from referee.audit.tournaments.export import build_tournament_bundle_lines
from referee.engine.events import Move
from referee.eventstore.contract import MatchLog, StoredEntry
from referee.eventstore.memory.log import MemoryLog
from referee.match.entries import LogEntry, decode_entry, decode_public_entry, encode_entry
from referee.service.tournament_service import TournamentResult, TournamentService
from referee.tournament import commands
from referee.tournament.deciding.opening import complete_format
from referee.tournament.state import DEPOSITED_DECKS, Table, Tournament
from tests.audit import house
from tests.tournament.evening import with_format

HEAD, FLOOR, COMMITTEE = 1, 2, 3  # the entries that appoint them


class Contest:
    """A tournament of a service, which tests play by giving its commands."""

    def __init__(self, log: MatchLog | None = None, key: str = "contest", **changes: object) -> None:
        self.log = MemoryLog() if log is None else log
        self.at = TournamentService(house.service(self.log))
        self.keys = itertools.count()
        form = complete_format(with_format(**changes))
        self.id = self.at.open(commands.OpenTournament(form, "h"), key).after.state.id
        for number, office in enumerate(("floor", "committee"), 1):
            self.do(commands.AppointOfficer(f"official {number}", office))

    @property
    def state(self) -> Tournament:
        return self.at.load(self.id).state

    def do(self, command: Move, actor: str = "host") -> TournamentResult:
        """Carry out a command."""
        return self.at.execute(self.id, command, key=f"key {next(self.keys)}", scope="test", actor=actor)

    def enter(self, players: int) -> None:
        for number in range(len(self.state.entrants), players):
            self.do(commands.Enter(f"person {number}"), f"player:{number}")

    def table(self, number: int = 1) -> Table:
        one = self.state.current_round
        assert one is not None
        found = one.find_table(number)
        assert found is not None
        return found

    def finish_round(self) -> None:
        """Report every open table, and sign it; the first seat wins."""
        one = self.state.current_round
        assert one is not None
        for open_table in one.tables:
            if self.table(open_table.number).final:
                continue
            first, *others = open_table.players
            order = tuple((each,) for each in open_table.players)
            self.do(commands.ReportResult(one.number, open_table.number, order, first), f"player:{first}")
            for each in others:
                self.do(commands.AnswerResult(one.number, open_table.number, each, True), f"player:{each}")

    def finish(self) -> None:
        """Play all rounds that are left, and end the tournament."""
        while True:
            one = self.state.current_round
            if one is not None and not one.closed:
                self.finish_round()
            if len(self.state.rounds) >= self.state.planned:
                break
            self.do(commands.PairRound())
        self.do(commands.EndTournament())

    def bundle(self, viewer: str = "full") -> Bundle:
        """Return the bundle, as it is read from its file."""
        lines = build_tournament_bundle_lines(self.at, self.id, viewer, house.BESIDE)
        return form.decode_bundle(form.encode_bundle(lines))


def play_evening(log: MemoryLog | None = None, system: str = "swiss", *, end: bool = True) -> Contest:
    """Play an evening in which everything happens that a tournament has."""
    log = MemoryLog() if log is None else log
    it = Contest(log, system=system, decks=DEPOSITED_DECKS, round_ms=3_600_000)
    it.enter(7)
    for number in range(7):
        it.do(commands.DepositDeck(number, f"{number}" * 64), f"player:{number}")
    it.do(commands.StartTournament())
    it.do(commands.PairRound())
    first, second = it.table(1).players
    it.do(commands.CheckDeck(first, HEAD, {}, {"a card": 1}), f"official:{HEAD}")
    it.do(commands.Penalize(first, "conduct", "caution", HEAD, because="mild"), f"official:{HEAD}")
    warned = it.do(commands.Penalize(second, "late", "warning", FLOOR, because="late again"), f"official:{FLOOR}").entry
    appeal = it.do(commands.OpenAppeal(second, warned, "the bus"), f"player:{second}").entry
    it.do(commands.VoteOnAppeal(appeal, COMMITTEE, True), f"official:{COMMITTEE}")
    call = it.do(commands.CallOfficer(first, "rules"), f"player:{first}").entry
    log.advance_clock(60_000)
    it.do(commands.EndCall(call, FLOOR), f"official:{FLOOR}")
    loss = it.do(
        commands.Penalize(it.table(2).players[0], "conduct", "game_loss", HEAD, because="grave"), f"official:{HEAD}"
    ).entry
    it.do(commands.Expunge(loss, HEAD, "it was another one"), f"official:{HEAD}")
    it.do(commands.ReportResult(1, 1, ((second,), (first,)), first), f"player:{first}")
    log.advance_clock(it.state.format.sign_ms + 1)
    assert it.table(1).final, "nobody objected in time"
    ruling = it.do(
        commands.RuleResult(1, 1, FLOOR, ((first,), (second,)), (), "the board says so"), f"official:{FLOOR}"
    ).entry
    appeal = it.do(commands.OpenAppeal(second, ruling, "no"), f"player:{second}").entry
    log.advance_clock(it.state.format.appeal_ms + 1)
    assert it.state.appeals[-1].stage == "upheld"
    leaver = it.table(3).players[0]
    it.do(commands.Leave(leaver), f"player:{leaver}")
    if end:
        it.finish()
    return it


def forge(bundle: Bundle, version: int, change: Callable[[LogEntry], LogEntry]) -> Bundle:
    """Return a bundle in which one entry was changed by somebody who holds all keys.

    Envelopes, parts, salts, roots and checkpoint fit.
    """
    envelopes, parts = [], []
    for line in bundle.entries:
        sealed = line.parts[0].part.encode() if line.parts else b""
        stored = StoredEntry(line.version, line.envelope.encode(), sealed, b"")
        logged = decode_entry(stored) if sealed else decode_public_entry(stored)
        if line.version == version:
            logged = change(logged)
        salts = [part.salt for part in line.parts] or [b""]
        envelope, full = encode_entry(Tournament(), logged, lambda *_, kept=salts[0]: kept)  # type: ignore[misc]
        envelopes.append(envelope.decode() if line.version == version else line.envelope)
        parts.append(tuple(replace(part, part=full.decode()) for part in line.parts))
    return house.resigned(bundle, envelopes, parts)
