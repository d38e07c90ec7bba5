"""What is kept of webhooks and of what is sent to them, and where: beside the feed that it comes from.

A webhook of one match lives in the match's partition, one that hears of all public matches in partition `WIDE`; its id
names the partition. What is to be sent lies in the partition of the match it tells of, so that it is written in the act
that moves the cursor over the feed; the id of such a delivery names that partition.
"""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import asdict, dataclass
from typing import TypeVar

import orjson

from referee.eventstore.contract import Write, partition_of

NAME, BUILD = "webhooks", 1  # as a view: never rebuilt, for what was sent was sent
HOOKS, HEALTH, DUE, LOST = "hooks", "health", "due", "lost"
WIDE = 0  # the partition of webhooks that belong to no match
MOST_WIDE = 32
MOST_OF_MATCH = 3
MOST_IN_PARTITION = 256  # of all its matches; they expire
MOST_PENDING = 1000  # deliveries that wait, per webhook and partition; what is beyond is counted and not kept
KEPT = 50  # deliveries that are over, likewise
LIFE_MS = 30 * 24 * 3600 * 1000  # of a webhook of a match, from its last change
BOTH_MS = 24 * 3600 * 1000  # how long the secret before a rotation still signs
EVENTS = (
    "match.opened", "match.started", "match.ended", "seat.awaited", "window.opened", "window.closed",
    "dispute.opened", "dispute.ruled", "takeback.asked",
)  # fmt: skip
TEST = "webhook.test"  # sent on demand, never asked for
LETTERS = 24
HOOK_ID = re.compile(rf"wh_([0-5][0-9]|6[0-3])[a-z2-7]{{{LETTERS}}}")
MESSAGE_ID = re.compile(rf"msg_([0-5][0-9]|6[0-3])[a-z2-7]{{{LETTERS}}}")
R = TypeVar("R", bound="Record")


@dataclass(frozen=True, slots=True)
class Record:
    """Something that is kept as JSON."""

    def packed(self) -> bytes:
        """As it is stored; equal records are equal bytes."""
        return orjson.dumps(asdict(self), option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)

    @classmethod
    def of(cls: type[R], data: bytes) -> R:
        """As it was stored."""
        return cls(**orjson.loads(data))


@dataclass(frozen=True, slots=True)
class Hook(Record):
    """A webhook. `owner`: operator or host. `since`: the feed position in each partition after which it is told. `ask`
    and `by`: hashes of what made it and of the key of its last change. `rotated_ms`: when the secret of this generation
    came (0: with the webhook)."""

    id: str
    url: str
    events: list[str]
    made_ms: int
    owner: str = "operator"
    match: str | None = None
    expires_ms: int | None = None
    paused: bool = False
    generation: int = 1
    rotated_ms: int = 0
    since: dict[str, int] | None = None
    ask: str = ""
    by: str = ""

    def hears(self, position: int, match: str, now_ms: int) -> bool:
        """Whether a commit at this position of the feed is one it might be told of."""
        since = (self.since or {}).get(str(partition_of(match)))
        return (
            self.match in (None, match) and since is not None and since < position and not self.over(now_ms)
        ) and not self.paused

    def over(self, now_ms: int) -> bool:
        """Whether it has expired."""
        return self.expires_ms is not None and self.expires_ms <= now_ms

    def generations(self, now_ms: int) -> list[int]:
        """The secrets that sign now, the newest first."""
        both = self.generation > 1 and now_ms < self.rotated_ms + BOTH_MS
        return [self.generation, self.generation - 1] if both else [self.generation]


@dataclass(frozen=True, slots=True)
class Health(Record):
    """How a receiver fares. `since_ms`: failing since then (0: it is not); `until_ms`: it is left alone till then;
    `disabled`: why nothing is sent any more (gone, exhausted), or empty."""

    since_ms: int = 0
    failures: int = 0
    until_ms: int = 0
    disabled: str = ""


@dataclass(frozen=True, slots=True)
class Delivery(Record):
    """A message for a webhook. `status`: pending, delivered, failed; `tried_ms`, `answer` and `error` are of the last
    attempt; `order`: its place among those made at once; `by`: hash of the key by which it was last asked for again."""

    id: str
    hook: str
    type: str
    body: str
    made_ms: int
    due_ms: int
    order: int = 0
    status: str = "pending"
    tries: int = 0
    tried_ms: int = 0
    answer: int | None = None
    error: str = ""
    by: str = ""

    @property
    def place(self) -> tuple[int, int, str]:
        """Its place among all: ranks of one instant stand in no order."""
        return self.made_ms, self.order, self.id


def letters(digest: bytes) -> str:
    """A digest as it stands in an id."""
    return base64.b32encode(digest).decode().lower()[:LETTERS]


def lives(match: str | None) -> int:
    """The partition in which webhooks for that match live, or those for all."""
    return WIDE if match is None else partition_of(match)


def hook_id(digest: bytes, match: str | None) -> str:
    """The id of a webhook for that match, or for all."""
    return f"wh_{lives(match):02d}{letters(digest)}"


def message_id(hook: str, partition: int, *about: object) -> str:
    """The id of a message: the same for the same webhook and happening, however often it is reckoned or sent."""
    told = "\n".join(map(str, (hook, *about)))
    return f"msg_{partition:02d}{letters(hashlib.sha256(told.encode()).digest())}"


def home(name: str) -> int:
    """The partition that an id of a webhook or a message names. Raises LookupError if it is none."""
    found = HOOK_ID.fullmatch(name) or MESSAGE_ID.fullmatch(name)
    if found is None:
        raise LookupError(name)
    return int(found[1])


def rows(hook: str) -> str:
    """Where the deliveries of a webhook lie."""
    return f"d:{hook}"


def kept_as(row: Delivery) -> list[Write]:
    """The writes that keep a delivery, and see that it is sent in time."""
    member = f"{row.hook}:{row.id}"
    at = Write("zadd", DUE, member, str(row.due_ms).encode()) if row.status == "pending" else Write("zrem", DUE, member)
    return [Write("hset", rows(row.hook), row.id, row.packed()), at]
