"""Where cards can be: whether there is any way to lay the hidden cards that fits everything that was ever shown.

A course is a row of passages. A passage takes cards from places and brings them to places; of each card it shows the
name, or only the back. Where a hidden card goes nobody knows, so any card of the place with that back may be meant.
`Whereabouts.possible` asks whether names can be given to all the hidden cards such that each card is the same one on
its whole way and all of them come out of the box. It looks backwards: a card that is shown as it leaves a hidden place
has to have been there, so it has to have come there, by one of the passages before, or lain there from the beginning.

The search is exact where it ends. It gives up after so many dead ends, and then says that it does not know. What cards
lie in which order is not looked at: any card of a pile may be the next one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from referee.kernel.passages import Passage, Piles, by_back, hidden
from referee.kernel.zones import back, is_back

Needs = dict[str, Counter[str]]  # names that have to lie at a place, by place
Lot = tuple[str, str, int]  # place, back, and how many cards of which only that was shown
Failed = tuple[int, frozenset[tuple[str, str, int]]]  # how many passages were left, and what was needed
NONE: Counter[str] = Counter()
Blame = dict[tuple[str, int, str], int]  # how much too often a card was sought at a place since a passage
FEW, ROUNDS, MANY = 30, 4, 1500  # dead ends after which a search gives up; how often it begins anew
LEAST_STEPS = 2500
MOST_BLAMED = 6  # cards that are looked at by themselves, where a quick look has found no way


def _lots(cards: list[tuple[str, int]], size: int) -> Iterator[Counter[str]]:
    """Every way to take so many of these cards, as many as can be of those that stand first."""
    if size == 0:
        yield Counter()
    elif cards and sum(n for _, n in cards) >= size:
        (card, most), rest = cards[0], cards[1:]
        for count in range(min(most, size), -1, -1):
            for lot in _lots(rest, size - count):
                yield lot + Counter({card: count})


@dataclass(frozen=True)
class Supply:
    """Cards that came to a place since it was empty, after passage `began`: by name, and hidden (by back); those of the
    names that certainly lie there still; and the last passage that brought any."""

    named: Counter[str]
    hidden: Counter[str]
    certain: Counter[str]
    since: int = -1
    began: int = -1

    def more(self, came: Counter[str], at: int) -> Supply:
        """With what another passage brought."""
        if not came:
            return self
        names = Counter({card: count for card, count in came.items() if not is_back(card)})
        lot = Counter({card: count for card, count in came.items() if is_back(card)})
        return Supply(self.named + names, self.hidden + lot, self.certain + names, at, self.began)

    def less(self, gone: Counter[str]) -> Supply:
        """With what a passage took away: any card may be among what went hidden."""
        if not gone or not self.certain:
            return self
        left = {card: count - gone[card] - gone[back(card)] for card, count in self.certain.items()}
        return replace(self, certain=+Counter(left))


@dataclass(frozen=True)
class Whereabouts:
    """The passages of a course, and what the box laid where at its beginning: known to all, whatever was shown of it.

    `start` names all cards of a place.
    """

    start: Piles
    passages: tuple[Passage, ...]

    @cached_property
    def steps(self) -> tuple[Passage, ...]:
        """The passages, with every name that follows from what was shown."""
        return tuple(each.inferred() for each in self.passages)

    @cached_property
    def copies(self) -> Counter[str]:
        """All cards there are."""
        return sum(self.start.values(), Counter())

    @cached_property
    def supplies(self) -> dict[str, tuple[list[int], list[Supply]]]:
        """What came to each place since it was last empty, and after which passage: openly by name, or hidden."""
        found: dict[str, tuple[list[int], list[Supply]]] = {}
        for place, cards in self.start.items():
            found[place] = ([-1], [Supply(cards, NONE, cards)])
        for at, each in enumerate(self.steps):
            for place in dict.fromkeys((*each.took, *each.put)):
                when, what = found.setdefault(place, ([-1], [Supply(NONE, NONE, NONE)]))
                gone, there = each.took.get(place, NONE), self.sizes[at].get(place, NONE)
                emptied = _less(there, gone).total() <= 0
                left = Supply(NONE, NONE, NONE, at, at) if emptied else what[-1].less(gone)
                when.append(at)
                what.append(left.more(each.put.get(place, NONE), at))
        return found

    def supply(self, place: str, at: int) -> Supply:
        """What came to a place before a passage, since it was last empty."""
        if place not in self.supplies:
            return Supply(NONE, NONE, NONE)
        when, what = self.supplies[place]
        return what[bisect_left(when, at) - 1]

    @cached_property
    def sizes(self) -> list[Piles]:
        """How many cards of each back lie at each place before each passage, and in the end. Negative where cards were
        taken that were not there."""
        lie = dict(hidden(self.start))
        found: list[Piles] = [lie]
        for each in self.passages:
            lie = dict(lie)
            for place, cards in hidden(each.took).items():
                lie[place] = Counter(lie.get(place, Counter()))
                lie[place].subtract(cards)
            for place, cards in hidden(each.put).items():
                lie[place] = Counter(lie.get(place, Counter()))
                lie[place].update(cards)
            found.append(lie)
        return found

    def upto(self, version: int) -> Whereabouts:
        """The course as far as this version."""
        return Whereabouts(self.start, tuple(each for each in self.passages if each.version <= version))

    def believed_upto(self, version: int, card: str) -> Whereabouts:
        """The course in which it is not believed that this card was shown after this version."""
        told = tuple(each if each.version <= version else each.without(card) for each in self.passages)
        return Whereabouts(self.start, told)

    def named(self) -> set[str]:
        """All cards that were ever shown."""
        piles = (cards for each in self.passages for part in (each.took, each.put) for cards in part.values())
        return {card for cards in piles for card in cards if not is_back(card)}

    @cached_property
    def sound(self) -> bool:
        """Whether no card vanishes or appears, and none is taken from where so many do not lie."""
        if any(count < 0 for lie in self.sizes for cards in lie.values() for count in cards.values()):
            return False
        return not any(each.broken() for each in self.passages)

    def possible(
        self, held: Piles | None = None, only: str = "", tries: int = MANY, blame: Blame | None = None
    ) -> bool | None:
        """Whether the hidden cards can have names that fit. None: the search gave up.

        `held`: cards that have to lie at a place in the end, besides whatever else was shown. `only`: look at nothing
        but the copies of this card, so that any other may be anything. `blame`: what earlier searches failed at.
        """
        needs = {place: Counter(cards) for place, cards in (held or {}).items()}
        if not self.sound or not all(_fits(cards, self.sizes[-1].get(place)) for place, cards in needs.items()):
            return False
        return _Back(self, only, tries, {} if blame is None else blame).found(needs)

    def culprits(self, held: Piles | None = None, among: Iterable[str] | None = None) -> list[str]:
        """The cards of which the copies alone cannot be where they were shown, sorted. `among`: none but these."""
        every = self.named() | {card for cards in (held or {}).values() for card in cards}
        names = every if among is None else set(among)
        return [card for card in sorted(names) if self.possible(held, card) is False]

    def verdict(self, held: Piles | None = None) -> bool | None:
        """As `possible`, the cheapest way first: quick looks for a way, each of which knows what those before have
        failed at; then each card by itself, then all ways."""
        blame: Blame = {}
        for _ in range(ROUNDS):
            quick = self.possible(held, tries=FEW, blame=blame)
            if quick is not None:
                return quick
        total: Counter[str] = Counter()
        for (_place, _since, card), much in blame.items():
            total[card] += abs(much)
        suspected = [card for card, _ in total.most_common(MOST_BLAMED)]
        return False if self.culprits(held, suspected) else self.possible(held)


class _Back:
    """The search backwards: depth first, the likeliest choice first, no state that has failed twice."""

    def __init__(self, course: Whereabouts, only: str, tries: int, blame: Blame) -> None:
        self.course, self.only, self.left, self.blame = course, only, tries, blame
        self.steps = max(LEAST_STEPS, 2 * len(course.steps))  # looked at in all, before it gives up
        self.failed: set[Failed] = set()

    def found(self, needs: Needs) -> bool | None:
        """Whether a way leads to the beginning, where the box holds what is needed."""
        stack: list[tuple[Failed, Iterator[Needs]]] = []
        at, went_back = len(self.course.steps), False
        while True:
            if at == 0 and self._begun(needs):
                return True
            key = (at, frozenset((place, card, n) for place, cards in needs.items() for card, n in cards.items() if n))
            looks = at > 0 and key not in self.failed
            self.steps -= 1
            if self.steps < 0:
                return None
            stack.append((key, self._ways(at - 1, needs) if looks else iter(())))
            went_back = not looks  # known to be none: that costs nothing
            while stack:
                key, ways = stack[-1]
                chosen = next(ways, None)
                if chosen is not None:
                    needs, at, went_back = chosen, key[0] - 1, False
                    break
                stack.pop()
                self.failed.add(key)
                self.left -= not went_back  # a dead end
                went_back = True
                if self.left < 0:
                    return None
            else:
                return False

    def _begun(self, needs: Needs) -> bool:
        """Whether the box held at each place what is needed there at the beginning."""
        lay = self.course.start
        lacking = [
            (place, card)
            for place, cards in needs.items()
            for card, n in cards.items()
            if n > lay.get(place, NONE)[card]
        ]
        for place, card in lacking:
            self._noted(place, -1, card, 1)
        return not lacking

    def _ways(self, at: int, needs: Needs) -> Iterator[Needs]:
        """What has to lie where before a passage, in each way in which its hidden cards may have names."""
        each, needs = self.course.steps[at], dict(needs)
        mixed: Counter[str] = Counter()  # the names of what is on its way
        lots: list[Lot] = []
        for place, cards in each.put.items():
            there = needs[place] = Counter(needs.get(place, NONE))
            for card, count in cards.items():
                if is_back(card):
                    lots.append((place, card, count))
                elif self.only in ("", card):
                    mixed[card] += count
                    there[card] = max(0, there[card] - count)
        for chosen, names in self._came_along(at, needs, mixed, lots):
            for before in self._taken(at, chosen, names):
                touched = {*names, *(card for cards in each.took.values() for card in cards)}
                places = {*each.put, *each.took}
                if self._can_be(at, before, touched) and all(
                    self._supplied(at, place, before[place]) for place in places if place in before
                ):
                    yield before

    def _can_be(self, at: int, needs: Needs, cards: Iterable[str]) -> bool:
        """Whether of none of these cards more copies are needed at the same time than there are."""
        for card in cards:
            if is_back(card) or self.only not in ("", card):
                continue
            if sum(there[card] for there in needs.values()) > self.course.copies[card]:
                for place, came in self.course.steps[at].put.items():
                    if came[card]:  # more of what is needed elsewhere should have come from here
                        self._noted(place, at, card, -1)
                return False
        return True

    def _noted(self, place: str, since: int, card: str, much: int) -> None:
        where = (place, since, card)
        self.blame[where] = self.blame.get(where, 0) + much

    def _supplied(self, at: int, place: str, needed: Counter[str]) -> bool:
        """Whether what is needed at a place before a passage can have come there: openly, or else in a hidden lot."""
        supply = self.course.supply(place, at)
        secret: Counter[str] = Counter()
        for card, count in needed.items():
            if count > supply.named[card]:
                secret[back(card)] += count - supply.named[card]
        lacking = {shape for shape, count in secret.items() if count > supply.hidden[shape]}
        for card, count in needed.items():
            if count > supply.named[card] and back(card) in lacking:
                self._noted(place, supply.since, card, 1)
        return not lacking

    def _came_along(
        self, at: int, needs: Needs, mixed: Counter[str], lots: list[Lot]
    ) -> Iterator[tuple[Needs, Counter[str]]]:
        """One hidden lot after the other: which of the names needed at its place came with it."""
        if not lots:
            if all(self._has_room(at, place, needs[place]) for place in self.course.steps[at].put):
                yield needs, mixed
            return
        (place, shape, count), rest = lots[0], lots[1:]
        there = needs[place]
        cards = [(card, n) for card, n in sorted(there.items()) if n and back(card) == shape]
        every = sum(n for _, n in cards)
        room = _less(self.course.sizes[at + 1][place], self.course.steps[at].put[place])[shape]
        if not self.only:  # what certainly lay there takes room, too
            lay = self.course.supply(place, at).less(self.course.steps[at].took.get(place, NONE)).certain
            room -= sum(max(0, n - there[card]) for card, n in lay.items() if back(card) == shape)
        least, most = max(0, every - room), min(count, every)
        likely = self._likely(at, needs, place, cards, (least, most), shape)
        yield from self._came_along(at, {**needs, place: there - likely}, mixed + likely, rest)
        best = likely.total()
        for size in sorted(range(least, most + 1), key=lambda size: abs(size - best)):
            for lot in _lots(cards, size):
                if lot != likely:
                    yield from self._came_along(at, {**needs, place: there - lot}, mixed + lot, rest)

    def _has_room(self, at: int, place: str, needed: Counter[str]) -> bool:
        """Whether what is needed at a place fits in there beside what certainly lies there, without what came now."""
        step = self.course.steps[at]
        rest = _less(self.course.sizes[at + 1][place], step.put[place])
        if self.only:
            return _fits(needed, rest)
        certain = self.course.supply(place, at).less(step.took.get(place, NONE)).certain
        fits = _fits(needed | certain, rest)
        if not fits:
            for card, count in needed.items():
                if count > certain[card]:
                    self._noted(place, at, card, 1)
        return fits

    def _likely(
        self, at: int, needs: Needs, place: str, cards: list[tuple[str, int]], span: tuple[int, int], shape: str
    ) -> Counter[str]:  # fmt: skip
        """The likeliest of the cards needed at a place to have come with a hidden lot: what never came there openly and
        was to be had where the lot was taken from, the latest first; more only where there is no other lot for them."""
        course = self.course
        own = course.supply(place, at)
        sources = [(source, course.supply(source, at), needs.get(source, NONE)) for source in course.steps[at].took]
        since = max((supply.since for _, supply, _ in sources), default=-1)
        earlier = course.supply(place, since).hidden[shape] if own.began <= since else 0  # from what lay there before
        units: list[tuple[int, int, int, str]] = []
        secret = 0
        for card, n in cards:
            lacks = max(0, n - own.named[card])
            secret += lacks
            ready = sum(max(0, supply.named[card] - wanted[card]) for _, supply, wanted in sources)
            must = 0  # so many more are needed than there can be elsewhere
            for _, supply, wanted in sources:
                elsewhere = sum(there[card] for there in needs.values()) - wanted[card]
                must = max(must, elsewhere - (course.copies[card] - supply.named[card]))
            if not ready:  # or it came there hidden
                ready = sum(max(0, supply.hidden[shape] - wanted.total()) for _, supply, wanted in sources)
            pressed = max((self._pressed(source, supply, card) for source, supply, _ in sources), default=0)
            for nth in range(n):
                if nth >= lacks:
                    group = 3  # it came openly
                elif nth < must:
                    group = 0
                elif nth >= ready or (pressed > 0 and earlier > 0):
                    group = 2
                else:
                    group = 1
                units.append((group, nth - must, pressed, card))
        units.sort()
        least, most = span
        wanted_now = sum(group < 2 for group, *_ in units)
        size = min(most, max(least, wanted_now, secret - own.hidden[shape]))
        return Counter(card for *_, card in units[:size])

    def _pressed(self, source: str, supply: Supply, card: str) -> int:
        """How much more often a card was sought in vain among what came to a place last than among what lay there
        before."""
        before = self.course.supply(source, supply.since)
        blame = self.blame
        return blame.get((source, supply.since, card), 0) - blame.get((source, before.since, card), 0)

    def _taken(self, at: int, needs: Needs, mixed: Counter[str]) -> Iterator[Needs]:
        """Where the cards that are on their way were taken from."""
        each, left, needs = self.course.steps[at], Counter(mixed), dict(needs)
        room = by_back(each.put)  # what is on its way and needs no name
        for card, count in mixed.items():
            room[back(card)] -= count
        lots: list[Lot] = []
        for place, cards in each.took.items():
            there = needs[place] = Counter(needs.get(place, NONE))
            for card, count in cards.items():
                if is_back(card):
                    lots.append((place, card, count))
                elif self.only in ("", card):
                    there[card] += count
                    known = min(count, left[card])
                    left[card] -= known
                    room[back(card)] -= count - known
        if all(count >= 0 for count in room.values()):
            yield from self._dealt_out(needs, +left, lots)

    def _dealt_out(self, needs: Needs, left: Counter[str], lots: list[Lot]) -> Iterator[Needs]:
        """The names that were taken as backs, given to the places that these came from."""
        if not left:
            yield needs
        elif lots:
            (place, shape, count), rest = lots[0], lots[1:]
            could = [(card, n) for card, n in sorted(left.items()) if back(card) == shape]
            every, elsewhere = sum(n for _, n in could), sum(n for _, other, n in rest if other == shape)
            for size in range(min(count, every), max(0, every - elsewhere) - 1, -1):
                for lot in _lots(could, size):
                    yield from self._dealt_out({**needs, place: needs[place] + lot}, left - lot, rest)


def _less(cards: Counter[str], gone: Counter[str]) -> Counter[str]:
    """How many cards of each back stay at a place."""
    stay = Counter(cards)
    for card, count in gone.items():
        stay[back(card)] -= count
    return stay


def _fits(needed: Counter[str], there: Counter[str] | None) -> bool:
    """Whether so many cards lie at a place, of each back."""
    wanted: Counter[str] = Counter()
    for card, count in needed.items():
        wanted[back(card)] += count
    return all(count <= (there or NONE)[shape] for shape, count in wanted.items())
