"""Every call of the contract, once: to see that each says StoreAway, and which keys each touches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.store.base import Guard, Head, Lead, MatchLog, Snapshot, Write
from referee.store.roots import RootsHead, adding
from tests.store.writing import MATCH, following

P = 7
RANKS = Write("zadd", "since", MATCH, b"5")
ROWS = Write("hset", "rows", MATCH, b"{}")

CALLS: Mapping[str, Callable[[MatchLog], Any]] = {
    "ping": lambda log: log.ping(),
    "append": lambda log: log.append(following(MATCH, None, "0:k", asked_anew=True, thinking_ms=60_000)),
    "read": lambda log: log.read(MATCH, key="0:k", grant="token"),
    "entries": lambda log: log.entries(MATCH),
    "now": lambda log: log.now(),
    "snapshot": lambda log: log.snapshot(MATCH, Snapshot(1, "1", b"state")),
    "feed": lambda log: log.feed(P, 0),
    "about": lambda log: log.about(P),
    "due": lambda log: log.due(P, 10**13),
    "next_due": lambda log: log.next_due(),
    "graceful": lambda log: log.graceful("run", 30_000),
    "drop_due": lambda log: log.drop_due(MATCH, "1"),
    "wake": lambda log: log.wake(P),
    "clear_wake": lambda log: log.clear_wake(P),
    "raise_epochs": lambda log: log.raise_epochs(),
    "freeze": lambda log: log.freeze(MATCH),
    "archive": lambda log: log.archive(MATCH, 1, b"root"),
    "entomb": lambda log: log.entomb(MATCH, Head(1, b"r" * 32, (b"r" * 32,), "over", 1, "", "")),
    "archived": lambda log: log.archived(P),
    "cursor": lambda log: log.cursor(P, "lobby", 1),
    "project": lambda log: log.project(P, "lobby", 1, 0, 1, [RANKS, ROWS]),
    "amend": lambda log: log.amend(P, "lobby", 1, Guard("rows", "no such", None), [RANKS, ROWS]),
    "read_upto": lambda log: log.read_upto(P, [("lobby", 1), ("other", 2)]),
    "lead": lambda log: log.lead(P, [Lead("lobby", 1, 1, 2, [RANKS, ROWS]), Lead("other", 2, 0, 1, [ROWS])]),
    "projected": lambda log: log.projected(P, "lobby", 1, "rows"),
    "ranked": lambda log: log.ranked(P, "lobby", 1, "since"),
    "drop_projection": lambda log: log.drop_projection(P, "lobby", 1),
    "grant": lambda log: log.grant(MATCH, "token", b"record"),
    "grants": lambda log: log.grants(MATCH),
    "revoke": lambda log: log.revoke(MATCH, ["token"]),
    "put_names": lambda log: log.put_names(MATCH, {"0": "Ada", "1": None}),
    "names": lambda log: log.names(MATCH),
    "invite": lambda log: log.invite("CODE", b"record", 1, 60_000),
    "invited": lambda log: log.invited("CODE"),
    "redeem": lambda log: log.redeem("CODE", "k"),
    "revoke_invitation": lambda log: log.revoke_invitation("CODE"),
    "remember": lambda log: log.remember("scope", "k", b"ask", b"answer", 60_000),
    "put_pass": lambda log: log.put_pass(MATCH, 0, "k", b"ask", b"record", 60_000),
    "pass_put": lambda log: log.pass_put(MATCH, 0, "k"),
    "passes": lambda log: log.passes(MATCH),
    "drop_pass": lambda log: log.drop_pass(MATCH, 0),
    "recalled": lambda log: log.recalled("scope", "k"),
    "attend": lambda log: log.attend(MATCH, 0, "visit", 60_000),
    "attending": lambda log: log.attending(MATCH),
    "tide": lambda log: log.tide(P),
    "cursors": lambda log: log.cursors("lobby", 1),
    "across": lambda log: log.across("lobby", 1, "rows"),
    "make_player": lambda log: log.make_player("pl-a", "hash", b"record"),
    "player": lambda log: log.player("pl-a"),
    "players": lambda log: log.players(["pl-a"]),
    "change_player": lambda log: log.change_player("pl-a", b"record"),
    "enlist": lambda log: log.enlist("pl-a", f"{MATCH}:2", b"note"),
    "enlisted": lambda log: log.enlisted("pl-a"),
    "put_deck": lambda log: log.put_deck("pl-a", "mine", "k", b"ask", b"record", 60_000, 9),
    "deck_put": lambda log: log.deck_put("pl-a", "k"),
    "deck": lambda log: log.deck("pl-a", "mine"),
    "decks": lambda log: log.decks("pl-a"),
    "drop_deck": lambda log: log.drop_deck("pl-a", "mine"),
    "drop_player": lambda log: log.drop_player("pl-a", 9),
    "link": lambda log: log.link(MATCH, 2, "pl-a"),
    "unlink": lambda log: log.unlink(MATCH, 2),
    "links": lambda log: log.links([MATCH]),
    "links_changed": lambda log: log.links_changed(),
    "stirred": lambda log: log.stirred({P: log.tide(P)}, 1),
    "put_book": lambda log: log.put_book("game", "book", b"text"),
    "book": lambda log: log.book("game", "book"),
    "books": lambda log: log.books("game"),
    "add_root": lambda log: log.add_root(adding(RootsHead(), "keys", 1, b"leaf")),
    "roots_head": lambda log: log.roots_head(),
    "ranked_root": lambda log: log.ranked_root("keys"),
    "root_leaves": lambda log: log.root_leaves(0),
    "root_nodes": lambda log: log.root_nodes([(0, 0)]),
}
