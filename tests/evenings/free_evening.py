"""Whole evenings of Here to Slay with real cards and free texts only, played over the API.

What the people do is drawn, but it is true of the real cards: nobody plays, discards or turns up a card that does not
lie there.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from referee.cardscript.books.catalog import load_shared_rulebook
from referee.engine.rulebook.editions import strip_edition
from referee.engine.seats import BYSTANDER
from tests.api import house
from tests.api.house import Person, publish, seen_as
from tests.audit.sitting import House
from tests.evenings import true_reports
from tests.evenings.free_box import ENTRIES, NAME, write_free_box
from tests.evenings.physical_table import BOX, DECK, LEADERS, MONSTERS, PhysicalTable
from tests.evenings.true_reports import Reporter
from workers.bots.player import play_bots

OPERATOR = "rfs_" + "o" * 43
WEIGHTS = {  # how often the people do what they could do
    "hts.attack": 8.0, "hts.play": 6.0, "hts.roll_for": 5.0, "hts.pass": 6.0, "hts.draw": 2.0, "hts.use_leader": 1.0,
    "hts.challenge": 0.6, "hts.modify": 0.6, "hts.redraw": 0.5, "hts.end_turn": 0.3, "choose.decline": 0.3,
}  # fmt: skip
CARD = re.compile(r"[a-z0-9_]+@[0-9a-f]{8}")  # all but challenges, whose name is a word, too


@dataclass
class Evening:
    """A match at a physical table, and what was counted."""

    seed: int
    seats: int = 3
    has_bot: bool = False  # on the last seat, whose cards are read to the referee
    moves: int = 0
    status: str = "running"
    open_this_turn: set[str] = field(default_factory=set)
    kinds: Counter[str] = field(default_factory=Counter)
    reported: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.dice, self.house = random.Random(f"evening {self.seed}"), House()
        app = house.app(
            self.house.service, IS_OPERATOR=lambda token: token == OPERATOR, BUNDLE_METADATA=lambda: self.house.beside
        )
        made = publish(Person(app.test_client(), OPERATOR), "here_to_slay", write_free_box())
        assert made.status_code == 201, made.text
        names: list[str] = [*made.json["cards"], "challenge"]  # type: ignore[index]  # which has a name common to all books
        self.faces = {name: ENTRIES[strip_edition(name)] for name in names}
        self.bots = {self.seats - 1} if self.has_bot else set()
        chairs = [{"kind": "bot", "level": 1} if seat in self.bots else {"kind": "human"} for seat in range(self.seats)]
        real = {"dice": "table", "deck": "table"}
        self.table = house.opened(app, "here_to_slay", chairs=chairs, chance=real, edition=NAME)
        self.real = self._lay_out_cards()
        self.upto = self.table.version

    def _lay_out_cards(self) -> PhysicalTable:
        places: dict[str, list[str]] = {DECK: [], MONSTERS: [], LEADERS: [], BOX: []}
        for name, face in self.faces.items():
            stays = face.get("min_players", 0) > self.seats
            place = BOX if stays else {"monster": MONSTERS, "leader": LEADERS}.get(face["kind"], DECK)
            places[place] += [name] * face.get("copies", 1)
        return PhysicalTable(places, self.dice)

    @property
    def card_kinds(self) -> dict[str, str]:
        return {name: face["kind"] for name, face in self.faces.items()}

    # ---- playing -----------------------------------------------------------------------------------------------------

    def play(self, most: int) -> None:
        """Play until the game is over, or so many moves were made."""
        while self.status == "running" and self.moves < most:
            awaited = self.table.awaited
            assert awaited, "nobody is awaited, and the game is not over"
            self._act(self.dice.choice(awaited))

    def _act(self, who: Any) -> None:
        if who in self.bots:
            self._let_bot_move()
            return
        by = self.table.seats[0] if who == "chance" else self.table.seats[who]
        asked = self.table.moves(who, by)
        legal = [each["move"] for each in asked["legal"]]
        if who == "chance":
            self._make(who, by, self._tell_chance(legal))
        elif any(move["type"] == "choose.as_written" for move in legal):
            self._carry_out(who, by)
        else:
            if asked["question"]["name"] == "hts.GiveUp":  # the whole hand is laid down
                true = [{"type": "choose.cards", "cards": self.real.hand_of(who)}]
            else:
                true = [move for move in legal if self._is_true(who, move)]
            assert true, f"seat {who} can do nothing that is true: {asked['question']}"
            kinds = sorted({move["type"] for move in true})
            kind = self.dice.choices(kinds, [WEIGHTS.get(each, 1.0) for each in kinds])[0]
            self._make(who, by, self.dice.choice([move for move in true if move["type"] == kind]))

    def _let_bot_move(self) -> None:
        """The bot moves by itself, and the people do with the cards what it says."""
        before, version = self._list_known(), self.table.version
        play_bots(self.house.service, self.table.match, 1, seconds=600.0)
        assert self.table.version > version, "the bot is awaited and does nothing"
        self._follow(self._look(int(BYSTANDER), f"entries?after={version}")["items"])
        self.status = self.table.host.get(self.table.path).json["status"]  # type: ignore[index]
        self._check_what_is_shown(None, {"type": "bot"}, before)

    def _tell_chance(self, legal: list[dict[str, Any]]) -> dict[str, Any]:
        """What the real dice show, the top of the real monster deck, or what the referee does not know of the bot's."""
        if not legal or legal[0]["type"] == "chance.picked":
            named = self.house.service.load_match(self.table.match).match.state.cards_at(f"hand:{self.seats - 1}")
            return {"type": "chance.picked", "cards": self.real.hidden_in_hand(self.seats - 1, named)}
        if legal[0]["type"] == "chance.rolled":
            return {"type": "chance.rolled", "values": self.real.roll(len(legal[0]["values"]))}
        assert legal[0]["type"] == "chance.turned_up", legal[0]
        return {"type": "chance.turned_up", "card": self.real.lying_at(MONSTERS)[0]}

    def _is_true(self, seat: int, move: dict[str, Any]) -> bool:
        """Whether a seat can make a move with the cards that it really holds; nobody leaves early."""
        hand = self.real.hand_of(seat)
        if move["type"] in ("hts.play", "hts.modify"):
            return move["card"] in hand
        if move["type"] == "hts.challenge":
            return any(self.faces[card]["kind"] == "challenge" for card in hand)
        return move["type"] != "hts.leave"

    def _carry_out(self, seat: int, by: Person) -> None:
        """A seat carries out a text and reports it, sometimes after a report that cannot be."""
        on_turn = self._look(seat, "view")["table"]["turn"] == seat
        reporter = Reporter(self.real, self.card_kinds, self.dice, seat, self.seats, on_turn)
        if self.dice.random() < 0.3:
            self._report_impossible(seat, reporter)
        way = self.dice.choice(true_reports.TRUE)
        changes = way(reporter)
        self.reported[way.__name__ if changes else "nothing"] += 1
        more = bool(changes) and self.dice.random() < 0.25
        self._make(seat, by, {"type": "choose.as_written", "changes": changes, **({"more": True} if more else {})})

    def _report_impossible(self, seat: int, reporter: Reporter) -> None:
        reason, changes = self.dice.choice(sorted(true_reports.list_impossible(reporter).items()))
        answer = self.table.move(seat, {"type": "choose.as_written", "changes": changes})
        assert answer.status_code == 409, (reason, changes, answer.text)
        body: Any = answer.json
        expected = re.split(r"\{[^}]*\}", load_shared_rulebook().find_template(reason, "en"))
        assert all(part in body["ruling"]["reason"]["en"] for part in expected), (reason, changes, body["ruling"])
        self.refused[reason] += 1

    def _make(self, who: Any, by: Person, move: dict[str, Any]) -> None:
        before = self._list_known()
        answer = self.table.move(who, move, by)
        assert answer.status_code == 201, (who, move, answer.text)
        made: Any = answer.json
        self._follow([made["entry"], *made["followed"]])
        self.kinds[move["type"]] += 1
        self.status = made["status"]
        self._check_what_is_shown(who, move, before)

    def _follow(self, entries: list[dict[str, Any]]) -> None:
        for entry in entries:
            self.real.follow(entry)
            if any(event["type"] == "hts.TurnStarted" for event in entry["events"]):
                self.open_this_turn = set()
        self.moves += 1

    # ---- what each seat is shown -------------------------------------------------------------------------------------

    def _list_known(self) -> list[set[str]]:
        """What each seat knows by its own eyes, and last what everybody does: what lay openly in this turn."""
        openly = self.open_this_turn = self.open_this_turn | self.real.lying_openly()
        return [*({*openly, *self.real.hand_of(seat)} for seat in range(self.seats)), openly]

    def _check_what_is_shown(self, who: Any, move: dict[str, Any], before: list[set[str]]) -> None:
        """Nobody is shown a name that they do not know: each seat, and onlookers."""
        for viewer, was, known in zip((*range(self.seats), int(BYSTANDER)), before, self._list_known(), strict=True):
            if viewer in self.bots:
                continue
            view = self._look(viewer, "view")
            zones = view["table"]["zones"]
            self.real.compare_with_view(zones)
            view["table"]["zones"] = {place: cards for place, cards in zones.items() if cards}  # of heroes long gone
            log = self._look(viewer, f"entries?after={self.upto}")
            told = {change["move"] for change in move.get("changes", ()) if self._takes_part(viewer, who, change)}
            for shown, allowed in ((view, known), (log, known | was | told)):
                named = self.faces.keys() & set(CARD.findall(json.dumps(shown)))
                assert named <= allowed, f"{viewer} was shown {named - allowed} after {move}"
        self.upto = self.table.version

    def _look(self, viewer: int, what: str) -> Any:
        """What the API shows a seat or an onlooker."""
        answer = self._person(viewer).get(seen_as(f"{self.table.path}/{what}", viewer))
        assert answer.status_code == 200, answer.text
        return answer.json

    def _person(self, viewer: int) -> Person:
        return self.table.host if viewer == BYSTANDER else self.table.seats[viewer]

    def _takes_part(self, viewer: int, who: Any, change: dict[str, Any]) -> bool:
        """Whether a viewer knows which card is moved here, since it is theirs before or after."""
        return "move" in change and (viewer == who or f"hand:{viewer}" in (change["source"], change["target"]))

    # ---- the file of the match ---------------------------------------------------------------------------------------

    def export(self, viewer: int | str) -> bytes:
        """The match as a file, for a seat, onlookers or `full`."""
        person = self.table.seats[0] if viewer == "full" else self._person(int(viewer))
        answer = person.get(seen_as(f"{self.table.path}/bundle", viewer))
        assert answer.status_code == 200, answer.text
        return answer.data
