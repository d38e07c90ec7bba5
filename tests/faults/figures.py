"""What kills came to: counted, added up over runs, and told."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.faults.checks import untried
from tests.faults.quarrels import REMEDIES

FOLLOWING = frozenset({"drain", "sweeper", "webhooks", "queue", "bots", "horse"})  # they come after a write
FOLLOWED = 0.5  # seconds, in which they come


@dataclass
class Figures:
    """What a run came to; figures of several runs add up."""

    kills: Counter[str] = field(default_factory=Counter)
    acknowledged: int = 0
    lost: int = 0
    resent: int = 0
    repeated: int = 0
    replies_lost: int = 0
    finished: int = 0
    timed_out: int = 0
    courts: Counter[str] = field(default_factory=Counter)  # disputes, and what became of them
    had: Counter[str] = field(default_factory=Counter)  # kinds of remedy, as they were acknowledged
    amid: Counter[str] = field(default_factory=Counter)  # kills in the middle of a remedy: "its kind / what was killed"
    skews: int = 0
    full_disks: int = 0
    power_cuts: int = 0
    torn_bytes: int = 0
    # by kind, in seconds: from a kill to the first write that was asked after it and answered; and until another
    # process of that kind was there
    back: dict[str, list[float]] = field(default_factory=dict)
    again: dict[str, list[float]] = field(default_factory=dict)
    stood: list[float] = field(default_factory=list)  # the longest standstill of each match, in seconds
    led: list[float] = field(default_factory=list)  # seconds until the views had caught up after the last fault
    seconds: float = 0.0

    def plus(self, other: Figures) -> Figures:
        """Both together."""
        joined = {}
        for name, value in vars(self).items():
            more = getattr(other, name)
            if isinstance(value, dict) and not isinstance(value, Counter):
                joined[name] = {kind: value.get(kind, []) + more.get(kind, []) for kind in {**value, **more}}
            else:
                joined[name] = value + more
        return Figures(**joined)


def spread(seconds: Iterable[float]) -> str:
    """The middle and the longest of some times."""
    found = sorted(seconds)
    return f"p50 {statistics.median(found):.2f} s, max {found[-1]:.2f} s ({len(found)})" if found else "none"


def in_the_middle(
    killed: Iterable[tuple[float, str, int]], remedies: Iterable[tuple[float, float, set[str]]]
) -> Counter[str]:
    """The kills (when, what, which process) that fell between asking for a remedy and its answer (asked, answered, of
    which kinds), or into the time in which the workers follow it."""
    found: Counter[str] = Counter()
    spans = list(remedies)
    for at, what, _ in killed:
        for asked, answered, kinds in spans:
            if asked <= at <= answered + (FOLLOWED if what in FOLLOWING else 0.0):
                found.update(f"{kind} / {what}" for kind in kinds)
    return found


def by_kind(amid: Counter[str]) -> list[str]:
    """For each kind of remedy, how often what was killed in the middle of it."""
    of: dict[str, list[str]] = {}
    for both, count in sorted(amid.items()):
        kind, what = both.split(" / ")
        of.setdefault(kind, []).append(f"{what} {count}")
    return [f"{kind} ({', '.join(whats)})" for kind, whats in of.items()]


def told(figures: Figures) -> str:
    """The figures for people to read."""
    kinds = ", ".join(f"{kind} {count}" for kind, count in figures.kills.most_common())
    every = [each for back in figures.back.values() for each in back]
    lines = [
        f"kills: {figures.kills.total()} in {figures.seconds:,.0f} s ({kinds})",
        f"besides: {figures.replies_lost} replies lost after the write, {figures.full_disks} full disks, "
        f"{figures.power_cuts} power cuts ({figures.torn_bytes} bytes torn), {figures.skews} jumps of the clocks",
        f"matches: {figures.finished} begun, all came to their end; the longest that one stood still was "
        f"{max(figures.stood, default=0.0):.1f} s; {figures.timed_out} deadlines passed, none early or twice",
        "courts: " + (", ".join(f"{what} {count}" for what, count in sorted(figures.courts.items())) or "no disputes"),
        "remedies acknowledged: " + ", ".join(f"{kind} {figures.had[kind]}" for kind in REMEDIES),
        f"kills in the middle of one: {'; '.join(by_kind(figures.amid)) or 'none'}",
        "of these kinds none happened: " + (", ".join(untried(figures.courts)) or "all did"),
        f"writes: {figures.acknowledged} acknowledged, {figures.lost} lost, 0 doubled; asked again {figures.resent} "
        f"times without an answer, {figures.repeated} times after one, which was the same",
        f"first write asked after a kill and answered: {spread(every)}",
        *(f"  {kind}: {spread(back)}" for kind, back in sorted(figures.back.items())),
        "a process of the kind is there again:",
        *(f"  {kind}: {spread(again)}" for kind, again in sorted(figures.again.items())),
        f"views led to the end after the last kill: {spread(figures.led)}; all equal to a rebuild",
    ]
    return "\n".join(lines)
