"""Every call of the contract, once: to see that each says StoreAway, and which keys each touches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.eventstore.contract import Head, MatchLog, Precondition, ProjectionBatch, ProjectionWrite, Snapshot
from referee.eventstore.projection_store import StoreCall
from referee.transparency.root_log import RootLogHead, build_root_append
from tests.eventstore.writing import ELSEWHERE, MATCH, following

P = 7
RANKS = ProjectionWrite("zadd", "since", MATCH, b"5")
ROWS = ProjectionWrite("hset", "rows", MATCH, b"{}")

CALLS: Mapping[str, Callable[[MatchLog], Any]] = {
    "ping": lambda log: log.ping(),
    "check_room": lambda log: log.check_room(),
    "append_together": lambda log: log.append_together([following(ELSEWHERE, None, "0:k")]),
    "append": lambda log: log.append(following(MATCH, None, "0:k", reopens_question=True, thinking_ms=60_000)),
    "read": lambda log: log.read(MATCH, key="0:k", grant="token"),
    "read_entries": lambda log: log.read_entries(MATCH),
    "now": lambda log: log.now(),
    "save_snapshot": lambda log: log.save_snapshot(MATCH, Snapshot(1, "1", b"state")),
    "read_feed": lambda log: log.read_feed(P, 0),
    "read_feeds": lambda log: log.read_feeds({P: 0, 8: 0}),
    "call_together": lambda log: log.call_together(
        [
            StoreCall("clear_wake_flag", (P,)),
            StoreCall("read_view_cursors", (P, [("lobby", 1)])),
            StoreCall("read_entries", (MATCH, 0, 1)),
        ]
    ),
    "read_partition_info": lambda log: log.read_partition_info(P),
    "find_due_deadlines": lambda log: log.find_due_deadlines(P, 10**13),
    "find_next_deadline": lambda log: log.find_next_deadline(),
    "read_positions": lambda log: log.read_positions(),
    "extend_overdue_deadlines": lambda log: log.extend_overdue_deadlines("run", 30_000),
    "move_deadline": lambda log: log.move_deadline(MATCH, "1", 10**12),
    "drop_deadline": lambda log: log.drop_deadline(MATCH, "1"),
    "set_wake_flag": lambda log: log.set_wake_flag(P),
    "clear_wake_flag": lambda log: log.clear_wake_flag(P),
    "raise_epochs": lambda log: log.raise_epochs(),
    "freeze_match": lambda log: log.freeze_match(MATCH),
    "unfreeze_match": lambda log: log.unfreeze_match(MATCH),
    "wait_for_replicas": lambda log: log.wait_for_replicas(MATCH),
    "archive_match": lambda log: log.archive_match(MATCH, 1, b"root"),
    "put_to_sleep": lambda log: log.put_to_sleep(MATCH, 1, b"root"),
    "wake_match": lambda log: log.wake_match(MATCH, 1, b"root", ()),
    "add_tombstone": lambda log: log.add_tombstone(MATCH, Head(1, b"r" * 32, (b"r" * 32,), "over", 1, "", "")),
    "list_archived": lambda log: log.list_archived(P),
    "read_cursor": lambda log: log.read_cursor(P, "lobby", 1),
    "apply_projection": lambda log: log.apply_projection(P, "lobby", 1, 0, 1, [RANKS, ROWS]),
    "amend_projection": lambda log: log.amend_projection(
        P, "lobby", 1, Precondition("rows", "no such", None), [RANKS, ROWS]
    ),
    "read_view_cursors": lambda log: log.read_view_cursors(P, [("lobby", 1), ("other", 2)]),
    "apply_projections": lambda log: log.apply_projections(
        P, [ProjectionBatch("lobby", 1, 1, 2, [RANKS, ROWS]), ProjectionBatch("other", 2, 0, 1, [ROWS])]
    ),
    "read_projection": lambda log: log.read_projection(P, "lobby", 1, "rows"),
    "read_ranking": lambda log: log.read_ranking(P, "lobby", 1, "since"),
    "find_first_scores": lambda log: log.find_first_scores("lobby", 1, "since"),
    "drop_projection": lambda log: log.drop_projection(P, "lobby", 1),
    "put_grant": lambda log: log.put_grant(MATCH, "token", b"record"),
    "read_grants": lambda log: log.read_grants(MATCH),
    "revoke_grants": lambda log: log.revoke_grants(MATCH, ["token"]),
    "put_seat_names": lambda log: log.put_seat_names(MATCH, {"0": "Ada", "1": None}),
    "read_seat_names": lambda log: log.read_seat_names(MATCH),
    "add_invitation": lambda log: log.add_invitation("CODE", b"record", 1, 60_000),
    "find_invitation": lambda log: log.find_invitation("CODE"),
    "redeem_invitation": lambda log: log.redeem_invitation("CODE", "k"),
    "release_invitation": lambda log: log.release_invitation("CODE", "k"),
    "revoke_invitation": lambda log: log.revoke_invitation("CODE"),
    "replace_answer": lambda log: log.replace_answer("scope", "k", b"other"),
    "remember_answer": lambda log: log.remember_answer("scope", "k", b"ask", b"answer", 60_000),
    "reserve_opening": lambda log: log.reserve_opening("host", MATCH, 2, 60_000),
    "read_openings": lambda log: log.read_openings("host"),
    "drop_openings": lambda log: log.drop_openings("host", [MATCH]),
    "put_pass": lambda log: log.put_pass(MATCH, 0, "k", b"ask", b"record", 60_000),
    "find_pass_by_key": lambda log: log.find_pass_by_key(MATCH, 0, "k"),
    "read_passes": lambda log: log.read_passes(MATCH),
    "drop_pass": lambda log: log.drop_pass(MATCH, 0),
    "find_answer": lambda log: log.find_answer("scope", "k"),
    "record_visit": lambda log: log.record_visit(MATCH, 0, "visit", 60_000),
    "read_present_seats": lambda log: log.read_present_seats(MATCH),
    "read_progress": lambda log: log.read_progress(P),
    "read_partition_cursors": lambda log: log.read_partition_cursors("lobby", 1),
    "read_across_partitions": lambda log: log.read_across_partitions("lobby", 1, "rows"),
    "create_player": lambda log: log.create_player("pl-a", "hash", b"record"),
    "find_player": lambda log: log.find_player("pl-a"),
    "find_players": lambda log: log.find_players(["pl-a"]),
    "change_player": lambda log: log.change_player("pl-a", b"record"),
    "add_sitting": lambda log: log.add_sitting("pl-a", f"{MATCH}:2", b"note"),
    "read_sittings": lambda log: log.read_sittings("pl-a"),
    "put_deck": lambda log: log.put_deck("pl-a", "mine", "k", b"ask", b"record", 60_000, 9),
    "find_deck_write": lambda log: log.find_deck_write("pl-a", "k"),
    "find_deck": lambda log: log.find_deck("pl-a", "mine"),
    "read_decks": lambda log: log.read_decks("pl-a"),
    "drop_deck": lambda log: log.drop_deck("pl-a", "mine"),
    "revoke_first_token": lambda log: log.revoke_first_token("pl-a"),
    "put_account_item": lambda log: log.put_account_item("pl-a", "device", "d", b"record", 2),
    "find_account_item": lambda log: log.find_account_item("pl-a", "device", "d"),
    "list_account_items": lambda log: log.list_account_items("pl-a", "device"),
    "drop_account_item": lambda log: log.drop_account_item("pl-a", "device", "d"),
    "drop_player": lambda log: log.drop_player("pl-a", 9),
    "link_player": lambda log: log.link_player(MATCH, 2, "pl-a"),
    "unlink_player": lambda log: log.unlink_player(MATCH, 2),
    "read_links": lambda log: log.read_links([MATCH]),
    "read_links_version": lambda log: log.read_links_version(),
    "wait_for_changes": lambda log: log.wait_for_changes({P: log.read_progress(P)}, 1),
    "put_book": lambda log: log.put_book("game", "book", b"text"),
    "find_book": lambda log: log.find_book("game", "book"),
    "list_book_names": lambda log: log.list_book_names("game"),
    "add_root": lambda log: log.add_root(build_root_append(RootLogHead(), "keys", 1, b"leaf")),
    "read_roots_head": lambda log: log.read_roots_head(),
    "find_root_leaf": lambda log: log.find_root_leaf("keys"),
    "read_root_leaves": lambda log: log.read_root_leaves(0),
    "read_root_nodes": lambda log: log.read_root_nodes([(0, 0)]),
    "read_transfer_payload": lambda log: log.read_transfer_payload(MATCH),
    "transfer_out": lambda log: log.transfer_out(
        following(MATCH, None, "0:go", status="moved"), log.read_transfer_payload(MATCH), b"packed"
    ),
    "find_departed_payload": lambda log: log.find_departed_payload(MATCH),
    "transfer_in": lambda log: log.transfer_in(
        following(MATCH, None, "0:come"), (), 0, b"", log.read_transfer_payload(MATCH)
    ),
}
