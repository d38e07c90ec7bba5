"""Plays the scripted evenings of `tests/evenings` on the phones of three people, and counts their taps."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass, field
from typing import Any

from tests.api.house import Table
from tests.evenings.evening import Move, Nobody, Shown, Turn
from tests.page.browsing import Device

MOMENT = 1500  # milliseconds

# Finds what stands for a move: a button that makes it, dice that come with it, or a picker of its kind.
FIND = """wanted => {
  for (const each of document.querySelectorAll('[data-found]')) delete each.dataset.found;
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const has = (made) => Object.entries(wanted).every(([key, value]) => same(made[key], value));
  const all = [...document.querySelectorAll('[data-move]')].filter((each) => has(JSON.parse(each.dataset.move)));
  const dice = all.find((each) => each.matches('.rolled'));
  if (all.length > 0) { all[0].dataset.found = '1'; return dice ? 'dice' : 'button'; }
  const picker = document.querySelector(`[data-type="${wanted.type}"]`);
  if (picker) { picker.dataset.found = '1'; return picker.matches('section') ? 'open picker' : 'picker'; }
  return document.querySelector('button.covered') ? 'covered' : '';
}"""

# The same in an open list: of several the one that says the least besides.
FIND_LEFT = """wanted => {
  for (const each of document.querySelectorAll('[data-found]')) delete each.dataset.found;
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const has = (made) => Object.entries(wanted).every(([key, value]) => same(made[key], value));
  const found = [...document.querySelectorAll('[role=dialog] [data-move]')]
    .filter((each) => has(JSON.parse(each.dataset.move)))
    .sort((one, other) => one.dataset.move.length - other.dataset.move.length)[0];
  if (found) found.dataset.found = '1';
  return Boolean(found);
}"""


@dataclass
class PageEvening:
    """A table, its phones, and the taps of each turn."""

    table: Table
    phones: list[Device]
    is_silent: bool = False  # windows close by themselves, as they do at tables that the page opens
    taps: list[int] = field(default_factory=list)

    def play(self, turn: Turn) -> None:
        self.taps.append(0)
        happenings = list(turn)
        while happenings:
            happening = happenings.pop(0)
            before = self.table.version
            match happening:
                case Move(seat, move):
                    follows = happenings[0] if happenings else None
                    if self._make(self.phones[seat], move, follows):
                        happenings.pop(0)
                case Shown(move):
                    self._make(self.phones[0], move, None)
                case Nobody():
                    if self.is_silent:
                        self._let_time_run_out(happening)
                    else:
                        self._say_nobody()
            self._wait_past(before)

    def tap(self, phone: Device, selector: str) -> None:
        phone.page.locator(selector).first.click()
        self.taps[-1] += 1

    def _make(self, phone: Device, move: dict[str, Any], follows: Any) -> bool:
        """Makes a move on a phone. Returns whether the dice that follow went with it."""
        if move["type"] == "chance.rolled":
            self._roll(phone, move["values"])
            return False
        if isinstance(follows, Shown) and follows.move["type"] == "chance.rolled":
            self._look_for_dice(phone, move)
        try:
            phone.page.wait_for_function(FIND, arg=move)
        except Exception as never:
            phone.take_picture("not-found", whole=True)
            raise AssertionError(f"{move} is not on the phone") from never
        kind = phone.page.evaluate(FIND, move)
        if kind == "dice":
            assert isinstance(follows, Shown), f"dice are asked for with {move}"
            self._roll(phone, follows.move["values"], ".rolled ")
            return True
        if kind == "open picker":
            self._pick(phone, move, "[data-found]")
            return False
        self.tap(phone, "[data-found]")
        if kind == "picker":
            self._pick(phone, move)
        return False

    def _look_for_dice(self, phone: Device, move: dict[str, Any]) -> None:
        """Waits a moment, as people do, for dice to be offered together with the move."""
        from playwright.sync_api import TimeoutError as NotOffered

        with contextlib.suppress(NotOffered):
            phone.page.wait_for_function(f"wanted => ({FIND})(wanted) === 'dice'", arg=move, timeout=MOMENT)

    def _pick(self, phone: Device, move: dict[str, Any], where: str = "[role=dialog]") -> None:
        """Picks the card, and then the move among those that are left."""
        phone.page.locator(f"{where} [data-value], {where} [data-move]").first.wait_for()
        if phone.page.locator(f"{where} [data-value]").count():
            self.tap(phone, f"{where} [data-value={json.dumps(str(move.get('card') or move.get('monster')))}]")
        # the list shows what is left, or is gone because there was nothing to choose any more
        phone.page.wait_for_function(
            f"wanted => !document.querySelector('[role=dialog]') || ({FIND_LEFT})(wanted)", arg=move
        )
        if phone.page.evaluate(FIND_LEFT, move):
            self.tap(phone, "[data-found]")

    def _roll(self, phone: Device, values: list[int], where: str = "") -> None:
        self.tap(phone, f"{where}[data-dice='{' '.join(map(str, values))}']")

    def _say_nobody(self) -> None:
        for phone in self.phones:
            if (button := phone.page.locator("button", has_text="Niemand reagiert")).count():
                button.click()
                self.taps[-1] += 1
                return
        raise AssertionError("nobody can say that nobody reacts")

    def _let_time_run_out(self, happening: Nobody) -> None:
        """Passes for all who are asked, as the clock of the window does."""
        for seat in self.table.awaited:
            if isinstance(seat, int):
                self.table.move(seat, {"type": happening.passing})

    def _wait_past(self, version: int) -> None:
        """Waits until something was written, and every phone shows it."""
        for _ in range(1500):
            if self.table.version > version:
                break
            self.phones[0].page.wait_for_timeout(30)
        else:
            for number, phone in enumerate(self.phones):
                phone.take_picture(f"stuck-{number}")
            raise AssertionError("nothing was written")
        shown = f"() => Number(document.querySelector('.page-seat').dataset.version) >= {self.table.version}"
        for phone in self.phones:
            phone.page.wait_for_function(shown)
