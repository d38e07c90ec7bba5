"""What is stored of webhooks and of their messages, and where.

A webhook of one match is stored in the match's partition, and one for all public matches in partition
`GLOBAL_PARTITION`. Its id names the partition. A message is stored in the partition of the match that it is about, so
that it is written in the act that moves the cursor over the feed. The id of such a delivery names that partition.
"""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import asdict, dataclass
from typing import TypeVar

import orjson

from referee.eventstore.contract import PARTITIONS, ProjectionWrite, partition_for_match

NAME, BUILD = "webhooks", 1  # as a view; never rebuilt, because messages that were sent stay sent
HOOKS, HEALTH, DUE, LOST = "hooks", "health", "due", "lost"
GLOBAL_PARTITION = 0  # the partition of webhooks that belong to no match
MAX_GLOBAL_HOOKS = 32
MAX_HOOKS_PER_MATCH = 3
MAX_HOOKS_PER_PARTITION = 256  # for all its matches together; they expire
MAX_PENDING_DELIVERIES = 1000  # deliveries that wait, per webhook and partition; more are counted but not kept
MAX_FINISHED_DELIVERIES = 50  # finished deliveries that are kept, per webhook and partition
HOOK_LIFETIME_MS = 30 * 24 * 3600 * 1000  # of a match's webhook, from its last change
SECRET_OVERLAP_MS = 24 * 3600 * 1000  # how long the secret before a rotation still signs
EVENTS = (
    "match.opened", "match.started", "match.ended", "seat.awaited", "window.opened", "window.closed",
    "dispute.opened", "dispute.ruled", "takeback.asked",
)  # fmt: skip
TEST = "webhook.test"  # sent on demand; nobody subscribes to it
ASKED = "player.asked"  # sent to the webhooks and devices of an account; no choice of types
PUSH = "push"  # the kind of a subscription of a device
PLAYER, ACCOUNTS = "player", "accounts"  # owners: an account; and the record that says since when accounts subscribe
MAX_HOOKS_PER_PLAYER = {"": 3, PUSH: 11}  # by kind: webhooks, and a subscription for each device
PUSH_LIFETIME_MS = 90 * 24 * 3600 * 1000  # of a subscription of a device, from its last renewal
ID_LETTERS, ACCOUNT_ID_LETTERS = 24, 12
ACCOUNT_HOOK_ID = re.compile(rf"wp_([a-z]{{26}})[a-z2-7]{{{ACCOUNT_ID_LETTERS}}}")
HOOK_ID = re.compile(rf"wh_([0-5][0-9]|6[0-3])[a-z2-7]{{{ID_LETTERS}}}")
MESSAGE_ID = re.compile(rf"msg_([0-5][0-9]|6[0-3])[a-z2-7]{{{ID_LETTERS}}}")
R = TypeVar("R", bound="Record")


@dataclass(frozen=True, slots=True)
class Record:
    """Something that is stored as JSON."""

    def encode(self) -> bytes:
        """Return the stored bytes, which are equal for equal records."""
        return orjson.dumps(asdict(self), option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)

    @classmethod
    def decode(cls: type[R], data: bytes) -> R:
        """Return the record of stored bytes."""
        return cls(**orjson.loads(data))


@dataclass(frozen=True, slots=True)
class WebhookRecord(Record):
    """A webhook.

    `owner` is operator or host. `since` is the feed position in each partition after which it receives. `ask` and `by`
    are hashes of the request that made it and of the key of its last change. `rotated_ms` is when the secret of this
    generation came (0: with the webhook). Those of an account name it as `player`; of kind `push` they have the `keys`
    of a device, and the id of that device.
    """

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
    player: str = ""
    kind: str = ""
    keys: list[str] | None = None
    device: str = ""

    def may_receive(self, position: int, match: str, now_ms: int) -> bool:
        """Return whether it may receive a commit at this position of the feed."""
        since = (self.since or {}).get(str(partition_for_match(match)))
        return (
            self.match in (None, match) and since is not None and since < position and not self.is_expired(now_ms)
        ) and not self.paused

    def is_expired(self, now_ms: int) -> bool:
        """Return whether it has expired."""
        return self.expires_ms is not None and self.expires_ms <= now_ms

    def find_signing_generations(self, now_ms: int) -> list[int]:
        """Return the generations of the secrets that sign now, the newest first."""
        both = self.generation > 1 and now_ms < self.rotated_ms + SECRET_OVERLAP_MS
        return [self.generation, self.generation - 1] if both else [self.generation]


@dataclass(frozen=True, slots=True)
class ReceiverHealth(Record):
    """The health of a receiver.

    `since_ms` is when it began to fail (0: it does not). Until `until_ms` nothing is sent. `disabled` says why nothing
    is sent any more (gone, exhausted), or is empty.
    """

    since_ms: int = 0
    failures: int = 0
    until_ms: int = 0
    disabled: str = ""


@dataclass(frozen=True, slots=True)
class Delivery(Record):
    """A message for a webhook.

    `status` is pending, delivered or failed. `tried_ms`, `answer` and `error` are of the last attempt. `order` is its
    place among messages made at once. `by` is the hash of the key by which it was last requested again.
    """

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
        """Its place among all messages; `order` breaks ties within an instant."""
        return self.made_ms, self.order, self.id


def encode_digest(digest: bytes) -> str:
    """Return a digest as it is written in an id."""
    return base64.b32encode(digest).decode().lower()[:ID_LETTERS]


def partition_for_hooks(match: str | None) -> int:
    """Return the partition of webhooks for that match, or of those for all."""
    return GLOBAL_PARTITION if match is None else partition_for_match(match)


def build_hook_id(digest: bytes, match: str | None) -> str:
    """Return the id of a webhook for that match, or for all."""
    return f"wh_{partition_for_hooks(match):02d}{encode_digest(digest)}"


def build_account_hook_id(digest: bytes, player: str) -> str:
    """Return the id of a webhook or of a device's subscription of an account."""
    return f"wp_{player.removeprefix('pl-')}{encode_digest(digest)[:ACCOUNT_ID_LETTERS]}"


def partition_for_player(player: str) -> int:
    """Return the partition that keeps the webhooks of an account."""
    return hashlib.sha256(player.encode()).digest()[0] % PARTITIONS


def hooks_key(name: str) -> str:
    """Return the key of the hash that keeps the webhook of this id."""
    found = ACCOUNT_HOOK_ID.fullmatch(name)
    return account_hooks_key(f"pl-{found[1]}") if found else HOOKS


def account_hooks_key(player: str) -> str:
    """Return the key of the webhooks of an account."""
    return f"a:{player}"


def build_message_id(hook: str, partition: int, *about: object) -> str:
    """Return the id of a message.

    It is the same for the same webhook and event, however often the message is built or sent.
    """
    text = "\n".join(map(str, (hook, *about)))
    return f"msg_{partition:02d}{encode_digest(hashlib.sha256(text.encode()).digest())}"


def partition_of_id(name: str) -> int:
    """Return the partition that the id of a webhook or a message names.

    Raises LookupError if it is no such id.
    """
    if of := ACCOUNT_HOOK_ID.fullmatch(name):
        return partition_for_player(f"pl-{of[1]}")
    found = HOOK_ID.fullmatch(name) or MESSAGE_ID.fullmatch(name)
    if found is None:
        raise LookupError(name)
    return int(found[1])


def deliveries_key(hook: str) -> str:
    """Return the key of a webhook's deliveries."""
    return f"d:{hook}"


def build_delivery_writes(row: Delivery) -> list[ProjectionWrite]:
    """Return the writes that keep a delivery and schedule it."""
    member = f"{row.hook}:{row.id}"
    at = (
        ProjectionWrite("zadd", DUE, member, str(row.due_ms).encode())
        if row.status == "pending"
        else ProjectionWrite("zrem", DUE, member)
    )
    return [ProjectionWrite("hset", deliveries_key(row.hook), row.id, row.encode()), at]
