"""The first world: what is done and asked in it is kept on a tape."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from referee.arbitration.courts.levels import find_deciding_seats
from referee.engine.codec import encode
from referee.engine.events import Move
from referee.engine.referee import draw_chance_move, sample_legal_move, seats_that_must_act
from referee.engine.seats import CHANCE, CLOCK, Seat
from referee.match.aggregate import FINAL_STATUSES
from referee.match.entries import has_rewind
from referee.match.events.dispute_state import CLAIMS, IMPOSSIBLE_TABLE
from referee.match.table.commands import StartMatch
from tests.leaks import guessing, recipes
from tests.leaks.recipes import Ask, Here
from tests.leaks.rooms import Asked, Did, Got, Moved, Room, Tape, compared
from tests.leaks.sides import Sitting
from tests.leaks.worlds import Leak


class Recording(Room):
    """The first world: what is done in it is kept on a tape."""

    def __init__(self, sitting: Sitting, lines: list[Any], dice: random.Random, guessed: int) -> None:
        super().__init__(sitting, lines)
        self.dice, self.guessed, self.tape = dice, guessed, Tape(sitting)

    def does(self, what: str) -> None:
        """Does something, and keeps that on the tape."""
        self.did(what)
        self.tape.items.append(Did(what))

    def asks(self, ask: Ask, weighed: bool = True) -> Got:
        """Asks, and keeps question and answer. Raises Leak where all is open before the end."""
        got = self.ask(ask, weighed)
        running = self.side.loaded().match.status not in FINAL_STATUSES
        if "viewer=full" in ask.path and got.status == 200 and running:
            raise Leak(f"{ask}: all is open while the match runs")
        self.tape.items.append(Asked(ask, got))
        self.tape.asked[f"{ask.method} {got.status}"] += 1
        return got

    def turn(self) -> bool:
        """A random move of somebody who is awaited; False if nobody is."""
        loaded = self.side.loaded()
        state, match = loaded.match.state, loaded.match
        waiting = () if match.status in FINAL_STATUSES or state is None else seats_that_must_act(state)
        if not waiting:
            return False
        assert state is not None
        if waiting == {CLOCK}:
            self.does("later")
            return True
        seat = CHANCE if CHANCE in waiting else self.dice.choice(sorted(who for who in waiting if who >= 0))
        humans = [other for other in self.side.people if other not in self.side.sitting.held]
        if seat == CHANCE:
            by = self.dice.choice(humans) if humans else self.side.sitting.held[0]
            move = draw_chance_move(state, self.dice.randrange) if match.setup.named else self.reported(state)
            return self.moves(loaded.version + 1, seat, "report", by, move)
        found = sample_legal_move(state, seat, self.dice.randrange)
        assert found is not None, f"seat {seat} finds no move at {state.agenda[-1]}"
        how = "bot" if match.chairs[seat].kind == "bot" else "player"
        return self.moves(loaded.version + 1, seat, how, int(seat), found)

    def come_round(self) -> None:
        """Goes on, more often than not, until the observer is asked something: there is more to be told then."""
        for _ in range(self.dice.choice((0, 8, 16))):
            state = self.side.loaded().match.state
            if state is None or seats_that_must_act(state) & set(self.side.sitting.held) or not self.turn():
                return

    def disagrees(self) -> None:
        """Somebody else disputes something that was played, or a refusal that he says he got."""
        loaded, held = self.side.loaded(), self.side.sitting.held
        if loaded.match.state is None or loaded.match.status in FINAL_STATUSES:
            return
        others = [str(seat) for seat in self.side.people if seat not in held] or ["host"]
        entries = self.side.service.repository.load_entries(loaded.match.id)
        began = next(entry.version for entry in entries if entry.move == StartMatch())
        moved = [entry for entry in entries[began:] if str(entry.seat) in others]
        if moved and self.dice.random() < 0.4:
            entry = self.dice.choice(moved)
            self.does(f"court refused {entry.seat} {entry.version - 1}")
        elif loaded.version > began:
            claim = self.dice.choice([each for each in CLAIMS if each not in ("wrong_refusal", IMPOSSIBLE_TABLE)])
            about = self.dice.randint(max(began + 1, loaded.version - 12), loaded.version)
            self.does(f"court {claim} {self.dice.choice(others)} {about}")
        disputes = self.side.loaded().match.disputes
        if disputes and disputes[-1].stage == "attesting" and self.dice.random() < 0.7:  # then a remedy is voted on
            for seat in sorted(
                find_deciding_seats(self.side.loaded().match, disputes[-1]) - {int(each) for each in held}
            ):
                self.does(f"court attestations {seat} {disputes[-1].number}")

    def agrees(self) -> None:
        """The host has the last word on whatever is disputed, so that play can go on."""
        for dispute in self.side.loaded().match.disputes:
            if dispute.is_open:
                self.does(f"court rulings host {dispute.number}")

    def reported(self, state: Any) -> Move:
        """One of the reports that can be made."""
        found = sample_legal_move(state, CHANCE, self.dice.randrange)
        return found if found is not None else draw_chance_move(state, self.dice.randrange)

    def moves(self, version: int, seat: Seat, how: str, by: int, move: Move) -> bool:
        """Makes that move, and keeps it."""
        if by in self.side.sitting.held and how != "bot":
            where = "chance" if how == "report" else str(int(seat))
            path = f"{self.side.table.path}/seats/{where}/moves"
            body, headers = {"move": encode(move)}, {"Idempotency-Key": f"own-{version}"}
            if self.dice.random() < 0.5:
                headers["Prefer"] = "return=representation"
            got = self.asks(Ask("POST", path, body, headers, pure=False))
            assert got.status == 201, got.body
            self.tape.own.add(version)
            if self.dice.random() < 0.3:  # and once more, as after a lost line
                self.asks(Ask("POST", path, body, headers, pure=False))
                self.asks(Ask("POST", path, {**body, "seen": 1}, headers))
            return True
        item = Moved(version, seat, how, by, move)
        if self.dice.random() < 0.1:
            held = self.side.sitting.held
            viewer = f"viewer=seat:{held[0]}&" if held else ""
            query = f"{viewer}after={version - 1}&upto={version}"
            poll = Ask("GET", f"{self.side.table.path}/entries?{query}", headers={"Prefer": "wait=30"})
            if held or not self.side.sitting.delay:
                item = replace(item, watched=poll, got=self.poll(poll, item))
                self.tape.items.append(item)
                return True
        self.move(item)
        self.tape.items.append(item)
        return True

    def stop(self, dear: bool = False, once: bool = False) -> None:
        """Everything that can be asked now, then all of it again in a world that was changed under our hands."""
        version = self.side.loaded().version
        here = Here(self.side, self.dice, version, dear)
        self.tape.stops.append(version)
        self.does("drain")
        asked: list[tuple[Ask, Got]] = []
        for ask in self.questions(here, once):
            got = self.asks(ask)
            if ask.pure and ask.method in ("GET", "POST"):
                asked.append((ask, got))
        for mover in self.movers(here):
            most = self.guessed if mover in here.held else 3
            for move in guessing.guesses(here, mover, most):
                asked += self.guess(here, mover, move)
        self.otherwise([pair for pair in asked if "viewer=full" not in pair[0].path])

    def questions(self, here: Here, once: bool) -> Iterator[Ask]:
        """All reads, and the writes that change nothing."""
        yield from recipes.reads(here)
        yield from recipes.writes(here)
        if once:
            yield from recipes.reads(here, once=True)
            yield from recipes.writes(here, once=True)

    def movers(self, here: Here) -> Iterable[Any]:
        """Whom the observer could move for: himself, somebody else, chance."""
        return (*here.held, here.dice.choice((here.foreign, "chance"))) if here.held else (here.foreign,)

    def guess(self, here: Here, mover: Any, move: dict[str, Any]) -> list[tuple[Ask, Got]]:
        """A move tried out, then made in earnest if it was refused, then made too late."""
        ask = guessing.dry(here, mover, move)
        dry = self.asks(ask)
        found = [(ask, dry)]
        if b'"verdict":"refused"' in dry.body:
            ask = guessing.in_earnest(here, mover, move)
            got = self.asks(ask)
            if got.status == 201:
                raise Leak(f"{ask} is granted although its dry run is refused")
            found.append((ask, got))
        if here.version > 2 and dry.status == 200 and self.dice.random() < 0.3:
            for ask in guessing.too_late(here, mover, move):
                got = self.asks(ask)
                assert got.status in (403, 409, 412), (str(ask), got.body)
                found.append((ask, got))
        return found

    def otherwise(self, asked: list[tuple[Ask, Got]]) -> None:
        """The table is changed to another one of the game's own `determinize`; every answer has to stay the same."""
        service, held = self.side.service, self.side.sitting.held
        kept = service.repository._cache[self.side.match]
        match, version = kept.match, kept.version
        if match.state is None or len(held) > 1:
            return  # `determinize` knows one pair of eyes
        eye = self.side.sitting.viewers[0]
        state = match.rules.tracking.determinize(match.state, eye, self.dice.randrange)
        if state == match.state:
            return
        # standing passes lie beside the log, and what was written since may have dropped them; how much is read for a
        # page of entries depends on the views that are kept of those asked for before
        asked = [(ask, self.ask_without_views(ask) if depends_on_earlier_asks(ask) else got) for ask, got in asked]
        service.repository._cache[self.side.match] = kept._replace(match=replace(match, state=state))
        back = has_rewind(service.repository.load_entries(self.side.match, 0, version))
        for ask, got in asked:
            again = self.ask_without_views(ask) if depends_on_earlier_asks(ask) else self.ask(ask)
            if back:  # how much is read of a course that went back depends on what was asked before, and is kept
                got, again = replace(got, work=again.work), again
            compared(f"{ask} at {version}, otherwise", got, again)
        service.repository._cache[self.side.match] = kept

    def ask_without_views(self, ask: Ask) -> Got:
        """Ask a process that has kept no views of what was asked before."""
        self.side.service.repository._views.clear()
        return self.ask(ask)


def depends_on_earlier_asks(ask: Ask) -> bool:
    """Tell whether the answer, or the work on it, depends on what was asked before."""
    return "/standing-passes" in ask.path or "/entries?" in ask.path
