"""The table in the terminal tells nothing of seeds and keys, which are for auditors."""

from __future__ import annotations

from typing import Any

from tests.cli.table.sitting import sit_down


def make_entry(version: int, move: str, *events: tuple[str, str]) -> dict[str, Any]:
    told = [{"n": n, "type": kind, "told": {"en": text}} for n, (kind, text) in enumerate(events)]
    move_told = {"en": "Commit Ada to a seed."}
    return {"version": version, "move": {"type": move, "told": move_told}, "events": told, "transfers": []}


def test_what_happened_leaves_seeds_and_keys_out() -> None:
    state = sit_down("mau_mau")
    before, version = state.list_happened(), state.entries[-1][0]
    committed = ("table.SeedCommitted", "Ada has committed to a seed for the draws.")
    state.take("entry", make_entry(version + 1, "table.commit_seed", committed))
    state.take("entry", make_entry(version + 2, "table.reveal_seed", ("table.SeedRevealed", "Ada has revealed it.")))
    state.take("entry", make_entry(version + 3, "table.take_seat", ("table.SeatTaken", "Ada sits down."), committed))
    named = ("table.DeviceKeyNamed", "The device of Ada has named a key.")
    state.take("entry", make_entry(version + 4, "table.name_key", named))
    assert state.list_happened() == [*before, "Ada sits down."]
