"""What is kept of webhooks and of what is sent to them, and where: beside the feed that it comes from.

A webhook of one match lives in the match's partition, one that hears of all public matches in partition
`GLOBAL_PARTITION`; its id names the partition. What is to be sent lies in the partition of the match it tells of, so
that it is written in the act that moves the cursor over the feed; the id of such a delivery names that partition.
"""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import asdict, dataclass
from typing import TypeVar

import orjson

from referee.eventstore.contract import ProjectionWrite, partition_for_match

NAME, BUILD = "webhooks", 1  # as a view: never rebuilt, for what was sent was sent
HOOKS, HEALTH, DUE, LOST = "hooks", "health", "due", "lost"
GLOBAL_PARTITION = 0  # the partition of webhooks that belong to no match
MAX_GLOBAL_HOOKS = 32
MAX_HOOKS_PER_MATCH = 3
MAX_HOOKS_PER_PARTITION = 256  # of all its matches; they expire
MAX_PENDING_DELIVERIES = 1000  # deliveries that wait, per webhook and partition; what is beyond is counted and not kept
MAX_FINISHED_DELIVERIES = 50  # deliveries that are over, likewise
HOOK_LIFETIME_MS = 30 * 24 * 3600 * 1000  # of a webhook of a match, from its last change
SECRET_OVERLAP_MS = 24 * 3600 * 1000  # how long the secret before a rotation still signs
EVENTS = (
    "match.opened", "match.started", "match.ended", "seat.awaited", "window.opened", "window.closed",
    "dispute.opened", "dispute.ruled", "takeback.asked",
)  # fmt: skip
TEST = "webhook.test"  # sent on demand, never asked for
ID_LETTERS = 24
HOOK_ID = re.compile(rf"wh_([0-5][0-9]|6[0-3])[a-z2-7]{{{ID_LETTERS}}}")
MESSAGE_ID = re.compile(rf"msg_([0-5][0-9]|6[0-3])[a-z2-7]{{{ID_LETTERS}}}")
R = TypeVar("R", bound="Record")


@dataclass(frozen=True, slots=True)
class Record:
    """Something that is kept as JSON."""

    def encode(self) -> bytes:
        """As it is stored; equal records are equal bytes."""
        return orjson.dumps(asdict(self), option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)

    @classmethod
    def decode(cls: type[R], data: bytes) -> R:
        """As it was stored."""
        return cls(**orjson.loads(data))


@dataclass(frozen=True, slots=True)
class WebhookRecord(Record):
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

    def may_receive(self, position: int, match: str, now_ms: int) -> bool:
        """Whether a commit at this position of the feed is one it might be told of."""
        since = (self.since or {}).get(str(partition_for_match(match)))
        return (
            self.match in (None, match) and since is not None and since < position and not self.is_expired(now_ms)
        ) and not self.paused

    def is_expired(self, now_ms: int) -> bool:
        """Whether it has expired."""
        return self.expires_ms is not None and self.expires_ms <= now_ms

    def find_signing_generations(self, now_ms: int) -> list[int]:
        """The secrets that sign now, the newest first."""
        both = self.generation > 1 and now_ms < self.rotated_ms + SECRET_OVERLAP_MS
        return [self.generation, self.generation - 1] if both else [self.generation]


@dataclass(frozen=True, slots=True)
class ReceiverHealth(Record):
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
    def sort_key(self) -> tuple[int, int, str]:
        """Its place among all: ranks of one instant stand in no order."""
        return self.made_ms, self.order, self.id


def encode_digest(digest: bytes) -> str:
    """A digest as it stands in an id."""
    return base64.b32encode(digest).decode().lower()[:ID_LETTERS]


def partition_for_hooks(match: str | None) -> int:
    """The partition in which webhooks for that match live, or those for all."""
    return GLOBAL_PARTITION if match is None else partition_for_match(match)


def build_hook_id(digest: bytes, match: str | None) -> str:
    """The id of a webhook for that match, or for all."""
    return f"wh_{partition_for_hooks(match):02d}{encode_digest(digest)}"


def build_message_id(hook: str, partition: int, *about: object) -> str:
    """The id of a message: the same for the same webhook and happening, however often it is reckoned or sent."""
    told = "\n".join(map(str, (hook, *about)))
    return f"msg_{partition:02d}{encode_digest(hashlib.sha256(told.encode()).digest())}"


def partition_of_id(name: str) -> int:
    """The partition that an id of a webhook or a message names. Raises LookupError if it is none."""
    found = HOOK_ID.fullmatch(name) or MESSAGE_ID.fullmatch(name)
    if found is None:
        raise LookupError(name)
    return int(found[1])


def deliveries_key(hook: str) -> str:
    """Where the deliveries of a webhook lie."""
    return f"d:{hook}"


def build_delivery_writes(row: Delivery) -> list[ProjectionWrite]:
    """The writes that keep a delivery, and see that it is sent in time."""
    member = f"{row.hook}:{row.id}"
    at = (
        ProjectionWrite("zadd", DUE, member, str(row.due_ms).encode())
        if row.status == "pending"
        else ProjectionWrite("zrem", DUE, member)
    )
    return [ProjectionWrite("hset", deliveries_key(row.hook), row.id, row.encode()), at]
