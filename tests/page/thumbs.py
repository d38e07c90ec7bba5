"""Thumbs that play: they tap what the phones of a table show and know no rules, until the match is over."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.page.browsing import Device
from tests.page.covered_cards import list_shown_secrets
from tests.page.tables import OpenTable

MOST_REFUSALS = 8  # in a row: someone who puts moves together freely is refused now and then
SEARCHED_AFTER = 6  # moves after which the phones are searched for covered cards
SHOWN_AFTER = 12  # moves after which pictures are taken, if any are
MOST_PICKS = 60  # taps in one open list
PATIENCE = 40_000  # milliseconds until the page has to show what a tap did
SENDING = ("sent", "go", "move", "report", "answer", "nobody")  # taps after which there is nothing more to tap
LEADING = ("picker", "covered", "step", "close")  # taps that write nothing yet

# What a phone offers to a thumb, each thing marked with its number, the open list or sheet first.
OFFERED = """async ([version, patience]) => {
  const until = performance.now() + patience;
  while (Number(document.querySelector('.page-seat')?.dataset.version ?? -1) < version && performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 10));
  for (const each of document.querySelectorAll('[data-thumb]')) delete each.dataset.thumb;
  if (!document.querySelector('.page-seat')) return null;
  const found = [];
  const isOff = (each) => each.disabled || each.ariaDisabled === 'true' || each.ariaBusy === 'true';
  const seen = (each) => each.checkVisibility() && !isOff(each);
  const mark = (kind, each) => {
    if (!seen(each)) return;
    each.dataset.thumb = String(found.length);
    found.push({ kind, text: each.innerText, move: each.dataset.move ?? '', pressed: each.ariaPressed === 'true',
      label: each.ariaLabel ?? '' });
  };
  const all = (kind, selector, where = document) => {
    for (const each of where.querySelectorAll(selector)) mark(kind, each);
  };
  const sheet = document.querySelector('[role=dialog]') ?? document.querySelector('.reports[data-type]');
  if (sheet) {
    if (sheet.querySelector('[role=alert], .problem')) all('close', '.row button.icon', sheet);
    all('move', '[data-move]', sheet);
    all('value', '[data-value]', sheet);
    all('spot', 'button.spot', sheet);
    all('step', '.row > button[aria-label]:not(.icon)', sheet);
    all('go', 'button.call', sheet);
  } else {
    all('move', 'main button.move');
    all('picker', 'main button[data-type]');
    all('report', '.reports button[data-move]');
    all('spot', '.move-map button.spot');
    all('covered', 'main section:not(.table) button.covered');
    for (const kind of ['rolled', 'reports']) for (const dice of document.querySelectorAll(`.${kind} [role=group]`))
      if (!dice.querySelector('[aria-pressed=true]')) all(kind, '[data-dice]', dice); // what was tapped stays so
    all('answer', '.question .answers button');
    all('sent', '.sending');
  }
  const isForAll = (each) => /^(Niemand reagiert|Nobody reacts)/.test(each.innerText);
  const nobody = [...document.querySelectorAll('main button.call')].find(isForAll);
  if (nobody && !sheet) mark('nobody', nobody);
  const { clientWidth, scrollWidth } = document.documentElement;
  return { version: Number(document.querySelector('.page-seat').dataset.version), found, isList: sheet !== null,
    title: sheet?.querySelector('#sheet-title')?.innerText ?? '', said: document.body.innerText,
    fits: scrollWidth <= clientWidth,
    isLoading: Boolean(sheet?.querySelector('p.note[role=status]')) && found.every(({ kind }) => kind === 'close') };
}"""

# What a tap led to: something was written or refused, or there is more to tap.
OUTCOME = """async ([version, isSent, patience]) => {
  const TAPPED = '.reports [aria-pressed=true], .rolled [aria-pressed=true], .reports[data-type] [data-move]';
  for (const until = performance.now() + patience; performance.now() < until;) {
    const scene = document.querySelector('.page-seat');
    if (!scene || Number(scene.dataset.version) > version) return 'written';
    if (document.querySelector('[role=dialog] [role=alert], [role=dialog] .problem')) return 'refused';
    const more = isSent ? '[role=dialog]' : `[role=dialog], ${TAPPED}`;
    if (!document.querySelector('[aria-busy=true]') && document.querySelector(more)) return 'more';
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return '';
}"""

# Words that no person should read: names of data, gaps in texts, numbers of seats in place of names.
ODD = re.compile(r"undefined|\bnull\b|NaN|\[object|\{\w+\}|\b[a-z]+(?:_[a-z0-9]+)+\b|\b(?:Player|Spieler) \d")
TAKES_BACK = re.compile(r"zurücknehmen$|^Take .* back$")


@dataclass
class Thumbs:
    """The people of a table, each with a phone, and what they do there by chance."""

    table: OpenTable
    phones: list[Device]
    random: Random
    name: str = ""  # of the pictures
    taps: int = 0
    moves: int = 0
    refusals: list[str] = field(default_factory=list)
    odd: dict[str, str] = field(default_factory=dict)  # what reads wrong, with where it was first seen
    secrets: list[str] = field(default_factory=list)  # cards on phones that should not show them
    avoided: tuple[str, ...] = ()  # kinds of moves that would end an evening before it is one

    def sit_down(self) -> None:
        for seat, phone in enumerate(self.phones):
            self.table.give(phone, seat)

    def play(self, most: int) -> bool:
        """Plays on until the match is over or as many moves were made; returns whether it is over."""
        while self.moves < most:
            about = self.table.read("")
            if about["status"] == "finished":
                return True
            self._act(about)
            if self.moves % SHOWN_AFTER == 1:
                self.look(f"{self.moves:03}")
        return False

    def list_complaints(self) -> list[str]:
        """What the consoles complained about, but for the refusals, of which a browser always speaks."""
        return [each for phone in self.phones for each in phone.complaints if "409 (CONFLICT)" not in each]

    def look(self, what: str) -> None:
        """Takes a picture of each phone."""
        for seat, phone in enumerate(self.phones):
            phone.take_picture(f"{self.name}-{what}-{seat}", whole=True)

    # One move

    def _act(self, about: dict[str, Any]) -> None:
        """Makes one move on one of the phones on which there is something to do."""
        offers = [(phone, self._read(phone, about["version"])) for phone in self.phones]
        self._check(about, offers)
        if self.moves % SEARCHED_AFTER == 0:
            self.secrets += list_shown_secrets(self.table, self.phones)
        able = [(phone, offer) for phone, offer in offers if offer["found"]]
        if not able:
            self._fail(f"nothing can be tapped while {about['awaits']} are awaited")
        phone, _ = self.random.choice(able)
        before, refused = about["version"], len(self.refusals)
        for _ in range(MOST_REFUSALS):
            self._move_on(phone, before)
            if len(self.refusals) == refused:
                break
            refused = len(self.refusals)
        else:
            self._fail(f"refused again and again: {self.refusals[-MOST_REFUSALS:]}")
        self._check_written(before, self.phones.index(phone))
        self.moves += 1

    def _move_on(self, phone: Device, version: int) -> None:
        """Taps until something was written or a refusal is shown."""
        for _ in range(MOST_PICKS):
            offer = self._wait_for_offer(phone)
            if not offer["found"]:
                self._fail(f"an end without a way on: {offer}", phone)
            chosen = self._choose(offer)
            if not self._tap(phone, offer["found"][chosen], chosen):
                continue
            kind = offer["found"][chosen]["kind"]
            if kind not in LEADING and self._has_outcome(phone, version, kind in SENDING):
                return
        self._fail("a list that never ends", phone)

    def _choose(self, offer: dict[str, Any]) -> int:
        found = offer["found"]
        numbers = list(range(len(found)))
        going = [at for at in numbers if found[at]["kind"] == "go"]
        if offer["isList"]:
            rest = [at for at in numbers if found[at]["kind"] != "go" and not found[at]["pressed"]]
            rest = [at for at in rest if found[at]["kind"] != "step" or self.random.random() < 0.5]
            rest = [at for at in rest if not TAKES_BACK.search(found[at]["label"])]
            if going and (not rest or self.random.random() < 0.6):
                return going[0]
            return self.random.choice(rest or going or list(numbers))
        sending = [at for at in numbers if found[at]["kind"] == "sent"]
        if sending:
            return sending[0]
        numbers = [at for at in numbers if not any(kind in found[at]["move"] for kind in self.avoided)] or list(numbers)
        weights = [self._weigh(found[at]) for at in numbers]
        return self.random.choices(numbers, weights)[0]

    def _weigh(self, thing: dict[str, Any]) -> float:
        if thing["kind"] in ("rolled", "reports"):
            return 0.2  # there are six or 36 of them
        return 2.0 if thing["kind"] == "covered" else 1.0

    def _tap(self, phone: Device, thing: dict[str, Any], chosen: int) -> bool:
        """Taps what was chosen; False: the page has drawn itself again meanwhile, and it is no longer there."""
        button = phone.page.locator(f"[data-thumb='{chosen}']")
        try:
            button.click(timeout=15_000)
        except Exception as never:
            if not button.count():
                return False
            self._fail(f"cannot be tapped: {thing}: {never}", phone)
        self.taps += 1
        return True

    def _has_outcome(self, phone: Device, version: int, is_sent: bool) -> bool:
        """Waits a moment for what a tap leads to; False: there is more to tap."""
        outcome = phone.page.evaluate(OUTCOME, [version, is_sent, PATIENCE])
        if not outcome:
            self._fail("a tap led to nothing", phone)
        if outcome == "refused":
            self._note_refusal(phone)
        return str(outcome) in ("written", "refused")

    def _note_refusal(self, phone: Device) -> None:
        sheet = phone.page.get_by_role("dialog")
        said = sheet.inner_text()
        assert said.strip(), "a refusal without a reason"
        self.refusals.append(said)
        phone.take_picture(f"{self.name}-refused-{len(self.refusals)}")
        phone.page.keyboard.press("Escape")
        sheet.wait_for(state="detached")

    # What is to be seen

    def _read(self, phone: Device, version: int = 0) -> dict[str, Any]:
        """Reads what a phone shows once it shows this version."""
        offer = phone.page.evaluate(OFFERED, [version, PATIENCE])
        if offer is None or offer["version"] < version:
            self._fail(f"version {version} is not shown", phone)
        return dict(offer)

    def _wait_for_offer(self, phone: Device) -> dict[str, Any]:
        """Waits until the phone has loaded what it shows."""
        for _ in range(1000):
            offer = self._read(phone)
            if offer["found"] and not offer["isLoading"]:
                return offer
            phone.page.wait_for_timeout(20)
        return offer

    def _check(self, about: dict[str, Any], offers: list[tuple[Device, dict[str, Any]]]) -> None:
        """Fails if somebody who is asked can do nothing, and notes what reads wrong."""
        for seat, (phone, offer) in enumerate(offers):
            if seat in about["awaits"] and not offer["found"]:
                found = self._wait_for_offer(phone)
                offer.update(found)
                if not found["found"]:
                    self._fail(f"seat {seat} is asked and can tap nothing", phone)
            said = offer["said"]
            for word in set(ODD.findall(said)):
                if word not in self.odd:
                    line = next((each for each in said.splitlines() if word in each), "")
                    self.odd[word] = f"{about['version']} seat {seat}: {line}"
                    phone.take_picture(f"{self.name}-odd-{len(self.odd)}", whole=True)
            if not offer["fits"]:
                self._fail("the page is wider than the phone", phone)
        if "chance" in about["awaits"] and not any(offer["found"] for _, offer in offers):
            offers[0][1].update(self._wait_for_offer(self.phones[0]))

    def _check_written(self, version: int, seat: int) -> None:
        """One entry for what was tapped: a move, a report, or that nobody reacts."""
        written = self.table.read(f"/entries?after={version}&says=false&limit=200")["items"]
        own = [each for each in written if each.get("seat") == seat]
        if not own and any(each.get("seat") in ("chance", "table") for each in written):
            return
        assert len(own) == 1, f"{self.name}: {len(own)} entries for what was tapped once: {written}"

    def _fail(self, why: str, phone: Device | None = None) -> None:
        for seat, each in enumerate(self.phones):
            if phone in (None, each):
                each.take_picture(f"{self.name}-stuck-{seat}", whole=True)
        raise AssertionError(f"{self.name}: {why}\n{json.dumps(self.table.read(''), ensure_ascii=False)[:600]}")
