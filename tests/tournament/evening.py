"""A tournament that tests play without a server: commands are decided and folded, and time passes when told to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove
from referee.tournament import commands
from referee.tournament.deciding.conduct import find_overdue_item
from referee.tournament.deciding.dispatch import handle_command
from referee.tournament.deciding.evidence import Evidence
from referee.tournament.deciding.opening import complete_format, decide_opening
from referee.tournament.events import fold_events
from referee.tournament.rulebook import TOURNAMENT_BOOK
from referee.tournament.state import LATER_SCHEME, REPORTED, Format, Table, Tournament

FORMAT = Format("monster_combat", "V1", plays=REPORTED, rated=False)
HEAD, FLOOR, COMMITTEE = 1, 2, 3  # the entries that appoint them


class Evening:
    """A tournament in memory, with a head, a floor official and a committee of one unless told otherwise."""

    def __init__(
        self,
        form: Format = FORMAT,
        offices: tuple[str, ...] = ("floor", "committee"),
        head: str = "h",
        scheme: int = LATER_SCHEME,
    ) -> None:
        self.now_ms, self.version = 1_000, 0
        self.state = Tournament()
        self.below: Callable[[int], int] = lambda _most: 0
        self.said: list[tuple[Event, ...]] = []
        command = commands.OpenTournament(replace(complete_format(form), scheme=scheme), head)
        self._take(decide_opening("07-Tabc", "00", command))
        for number, office in enumerate(offices):
            self.do(commands.AppointOfficer(f"official {number}", office))

    def _take(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        self.state, self.version = fold_events(self.state, events), self.version + 1
        self.said.append(events)
        return events

    def do(self, command: Move) -> tuple[Event, ...]:
        """Carry a command out, or raise IllegalMove and change nothing."""
        events = handle_command(Evidence(self.state, self.version, self.now_ms, self.below), command)
        return self._take(events) if events else ()

    def refuses(self, reason: str, command: Move) -> None:
        """Check that a command is refused for this reason, in both languages, and changes nothing."""
        before = self.state
        with pytest.raises(IllegalMove) as refused:
            self.do(command)
        assert refused.value.reason == reason
        for lang, text in TOURNAMENT_BOOK.render_texts(reason, **refused.value.params).items():
            assert text, lang
        assert self.state is before

    def enter(self, players: int, bots: int = 0) -> None:
        """Enter people, and then bots."""
        for number in range(players):
            self.do(commands.Enter(f"person {number}"))
        for number in range(bots):
            self.do(commands.Enter(f"bot {number}", 1))

    def start(self, players: int = 4, bots: int = 0) -> None:
        """Enter players, start, and pair the first round."""
        self.enter(players, bots)
        self.do(commands.StartTournament())
        if self.state.format.system != "manual":
            self.do(commands.PairRound())

    def table(self, number: int = 1) -> Table:
        """Return a table of the current round."""
        assert self.state.current_round is not None
        found = self.state.current_round.find_table(number)
        assert found is not None
        return found

    def report(self, number: int = 1, winner: int = 0) -> tuple[Event, ...]:
        """Report that a seat of a table won, as its first player."""
        table = self.table(number)
        order = (table.players[winner], *(each for each in table.players if each != table.players[winner]))
        return self.do(
            commands.ReportResult(len(self.state.rounds), number, tuple((each,) for each in order), table.players[0])
        )

    def sign(self, number: int = 1) -> tuple[Event, ...]:
        """Sign the result of a table as everybody who has not."""
        events: tuple[Event, ...] = ()
        for player in self.table(number).players:
            if player not in self.table(number).signed and not self.table(number).final:
                events += self.do(commands.AnswerResult(len(self.state.rounds), number, player, True))
        return events

    def finish_round(self) -> None:
        """Report and sign every open table; the first seat wins."""
        assert self.state.current_round is not None
        for table in self.state.current_round.tables:
            if not self.table(table.number).final:
                self.report(table.number)
                self.sign(table.number)

    def finish(self) -> None:
        """Play all rounds that are left, and end the tournament."""
        while len(self.state.rounds) <= self.state.planned:
            if self.state.rounds:
                self.finish_round()
            if len(self.state.rounds) == self.state.planned:
                break
            self.do(commands.PairRound())
        self.do(commands.EndTournament())

    def wait(self, ms: int) -> None:
        """Let time pass, and do what is due then."""
        self.now_ms += ms
        while (item := find_overdue_item(self.state, self.now_ms)) is not None:
            self.do(commands.TimeIsUp(item))

    def penalize(
        self, player: int, grade: str, infraction: str = "conduct", officer: int = HEAD, because: str = ""
    ) -> int:
        """Give a penalty; return its number."""
        self.do(commands.Penalize(player, infraction, grade, officer, because=because))
        return self.version


def with_format(**changes: object) -> Format:
    """Return the format of the evening with other values."""
    return replace(FORMAT, **changes)  # type: ignore[arg-type]
