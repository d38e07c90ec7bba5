"""The table as plain lines: for pipes, scripts and screen readers."""

from __future__ import annotations

import queue
import sys
import threading
from dataclasses import dataclass, field
from typing import Any

from referee.cli.table.drawing.screen import describe_call, find_headline
from referee.cli.table.following import Follower, build_write
from referee.cli.table.offers import Offer, list_calls, list_offers
from referee.cli.table.seats import SavedSeat
from referee.cli.table.state import TableState, describe_entry
from referee.docs.clients.referee_client import ProblemError


@dataclass
class PlainTable:
    """A match as lines; a number chooses a move."""

    state: TableState
    follower: Follower
    saved: SavedSeat | None
    news: queue.SimpleQueue[tuple[str, Any]] = field(default_factory=queue.SimpleQueue)
    offers: list[Offer] = field(default_factory=list)
    asked_at: int = 0  # the version
    is_over: bool = False

    def run(self) -> None:
        """Print the match until it has ended, or the input."""
        self.follower.start()
        if self.saved is not None and self.saved.pending is not None:
            self.follower.run(self.follower.deliver, self.saved.pending)
        if self.state.seat is not None:
            threading.Thread(target=self.read_lines, daemon=True).start()
        while not self.is_over:
            self.take(*self.news.get())

    def read_lines(self) -> None:
        """Report each line of the input, and its end."""
        for line in sys.stdin:
            self.news.put(("typed", line.strip()))
        self.news.put(("typed", None))

    def take(self, name: str, data: Any) -> None:
        """Take in what came, and print what it says."""
        if name == "typed":
            return self.take_line(data)
        if name == "done":
            return self.take_answer(data)
        wanted = self.state.take(name, data)
        if name == "entry" and (text := describe_entry(data, self.state.words)):
            print(text, flush=True)
        if name == "coming" and self.state.call is not None:
            print(describe_call(self.state, self.state.call)[-1], flush=True)
        if "about" in wanted:
            self.follower.run(self.follower.load_about)
        if "cards" in wanted and self.state.about is not None:
            self.follower.run(self.follower.load_cards, self.state.about["game"], self.state.about["edition"])
        if "chance" in wanted:
            self.follower.run(self.follower.load_chance, self.state.version)
        if "board" in wanted:
            self.follower.wants_board.set()
        self.is_over = name == "refused" or self.has_ended
        if name == "refused":
            print(data.body.get("detail", data), flush=True)
        elif self.is_over:
            print(find_headline(self.state), flush=True)
        elif name in ("situation", "chance"):
            self.ask()

    @property
    def has_ended(self) -> bool:
        """Whether the match is over and the last board is there."""
        return self.state.has_ended and bool(self.state.view and self.state.view["outcome"])

    def ask(self) -> None:
        """Print the question and the moves, once for each version."""
        self.offers = list_offers(self.state, is_hand_open=True)
        if not (self.state.is_mine or self.state.asks_for_report) or self.asked_at == self.state.version:
            return
        if self.state.asks_for_report and not self.state.is_mine and not self.offers:
            return  # what may be reported is still under way
        self.asked_at = self.state.version
        words, moves = self.state.words, self.state.moves
        print(f"\n{find_headline(self.state)}")
        if moves and moves["question"]:
            print(words.say(moves["question"]["asks"]))
        group = ""
        for number, offer in enumerate(self.offers, start=1):
            if offer.group not in ("", group, offer.text.rstrip(".…? ")):
                print(offer.group)
            group = offer.group
            print(f"{number:>4}  {offer.text}")
        if self.state.may_call:
            print(words.t("call_plain"))
        print(words.t("choose_number"), flush=True)

    def take_line(self, line: str | None) -> None:
        """Make the move with the number.

        What dice showed and what is chosen follows the number.
        """
        if line is None:
            self.is_over = True
            return
        first, *rest = line.split() or [""]
        if first in ("c", "C"):
            return self.call_official(rest)
        if not first.isdecimal() or not 0 < int(first) <= len(self.offers):
            print(self.state.words.t("no_such_number"), flush=True)
            return
        offer = self.offers[int(first) - 1]
        body = self.fill_body(offer, rest)
        if body is not None:
            self.write(build_write(offer.path, self.follower.add_proofs(offer.path, body)))

    def call_official(self, typed: list[str]) -> None:
        """Call an official for the reason with the number, or withdraw the seat's call."""
        calls, words = list_calls(self.state), self.state.words
        if not calls:
            print(words.t("call_nobody"), flush=True)
        elif calls[0].kind == "withdraw":
            self.write(build_write(calls[0].path, None, "DELETE"))
        elif typed and typed[0].isdecimal() and 0 < int(typed[0]) <= len(calls):
            chosen = calls[int(typed[0]) - 1]
            self.write(build_write(chosen.path, chosen.body))
        else:
            print("\n".join(f"{number:>4}  {each.text}" for number, each in enumerate(calls, start=1)))
            print(words.t("call_plain_choose"), flush=True)

    def write(self, write: dict[str, Any]) -> None:
        """Send a write; it is kept until it is answered."""
        self.saved = self.saved and self.saved.keep_pending(write)
        self.follower.run(self.follower.deliver, write)

    def fill_body(self, offer: Offer, values: list[str]) -> Any:
        """Return what is sent.

        None: something is missing, and how to write it was printed.
        """
        if offer.kind == "dice" and len(values) == offer.about and all(value in "123456" for value in values):
            return {**offer.body, "move": {"type": "chance.rolled", "values": [int(value) for value in values]}}
        if offer.kind == "picker":
            return self.fill_picker(offer, values)
        if offer.kind == "dice":
            print(self.state.words.t("dice", typed=" ".join("_" * offer.about)), flush=True)
            return None
        return offer.body

    def fill_picker(self, offer: Offer, values: list[str]) -> Any:
        """Return a move with values in place of a picker's fields, by their numbers.

        It is 2 for one value, 1,3 for several, 1@0@2 for a card at a place.
        """
        choices, picker = offer.about["choices"], offer.about
        try:
            chosen = {
                choice["field"]: self.read_choice(choice, typed) for choice, typed in zip(choices, values, strict=True)
            }
        except (ValueError, IndexError):
            for choice in choices:
                named = [self.state.words.name_value(value, choice["field"]) for value in choice["values"]]
                print(f"{choice['field']}: {', '.join(f'{at} {name}' for at, name in enumerate(named, start=1))}")
            print(self.state.words.t("choose_values", example=" ".join(EXAMPLES[each["kind"]] for each in choices)))
            sys.stdout.flush()
            return None
        return {**offer.body, "move": {**picker["move"], **chosen}}

    def read_choice(self, choice: dict[str, Any], typed: str) -> Any:
        """Return what was typed for one field. Raises ValueError, IndexError."""
        values = choice["values"]
        match choice["kind"]:
            case "one":
                return pick(values, typed)
            case "several":
                return [pick(values, each) for each in typed.split(",") if each != "-"]
            case "places":
                placed = [each.split("@") for each in typed.split(",")]
                return [{"card": pick(values, card), "x": int(x), "y": int(y)} for card, x, y in placed]
            case "number":
                return int(typed)
        return typed

    def take_answer(self, refused: ProblemError | None) -> None:
        """Print why a move was refused, and ask again."""
        self.saved = self.saved and self.saved.keep_pending(None)
        if refused is None:
            return
        ruling, words = refused.body.get("ruling"), self.state.words
        if ruling:
            print(words.say(ruling["reason"]))
            for clause in ruling["clauses"]:
                print(f"{clause['id']}: {words.say(clause['says'])}")
        else:
            print(words.t("too_late") if refused.is_overtaken else refused.body.get("detail", refused))
        sys.stdout.flush()
        if not refused.is_overtaken:
            self.asked_at = 0
            self.ask()


EXAMPLES = {"one": "2", "several": "1,3", "places": "1@0@1,2@0@2", "number": "3", "text": "…"}


def pick(values: list[Any], typed: str) -> Any:
    """Return the value with the number. Raises ValueError, IndexError."""
    if int(typed) < 1:
        raise IndexError(typed)
    return values[int(typed) - 1]
