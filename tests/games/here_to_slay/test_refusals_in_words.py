"""Refusals name the condition that fails, with its values."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cardscript.moves import ChooseCard, ChoosePlayer
from referee.engine.referee import judge_move
from referee.engine.seats import Seat
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.moves import Attack, PlayCard
from referee.games.here_to_slay.state import Table
from referee.rendering import texts
from tests.games.here_to_slay.given import Party, table
from tests.games.here_to_slay.test_wording import choosing


def refused(state: Table, move: Any) -> dict[str, str]:
    ruling = judge_move(state, Seat(0), move)
    assert ruling.verdict == "refused"
    return texts.describe_reason(GAME, ruling)


@pytest.mark.parametrize(
    ("monster", "leader", "party", "english", "german"),
    [
        ("orthus", "the_divine_arrow", [],
         "Orthus needs a wizard and one more hero; a wizard and one hero are missing.",
         "„Orthus“ verlangt einen Magier und noch einen Helden; es fehlen ein Magier und ein Held."),
        ("orthus", "the_divine_arrow", ["peanut"], "Orthus needs a wizard and one more hero; a wizard is missing.",
         "„Orthus“ verlangt einen Magier und noch einen Helden; es fehlt ein Magier."),
        ("orthus", "the_cloaked_sage", [],
         "Orthus needs a wizard and one more hero; one hero is missing, for there is none in the party, and a leader "
         "is no hero.",
         "„Orthus“ verlangt einen Magier und noch einen Helden; es fehlt ein Held: In der Gruppe ist keiner, und "
         "ein Anführer ist kein Held."),
        ("orthus", "the_divine_arrow", ["fluffy"],
         "Orthus needs a wizard and one more hero; Fluffy counts only once, so one hero is missing.",
         "„Orthus“ verlangt einen Magier und noch einen Helden; „Flauschi“ zählt nur einmal, also fehlt ein Held."),
        ("dark_dragon_king", "the_divine_arrow", ["fluffy"],
         "Dark Dragon King needs a bard and one more hero; a bard is missing.",
         "„Dunkler Drachenkönig“ verlangt einen Barden und noch einen Helden; es fehlt ein Barde."),
        ("crowned_serpent", "the_divine_arrow", ["fluffy"],
         "Crowned Serpent needs 2 heroes; one is missing, for The Divine Arrow leads the party and is no hero.",
         "„Gekrönte Schlange“ verlangt 2 Helden; es fehlt einer, denn „Der göttliche Pfeil“ führt die Gruppe an und "
         "ist kein Held."),
        ("mega_slime", "the_divine_arrow", ["fluffy"],
         "Mega Slime needs 4 heroes besides the leader; 3 are still missing.",
         "„Megaschleim“ verlangt 4 Helden, der Anführer zählt nicht mit; es fehlen noch 3."),
    ],
)  # fmt: skip
def test_an_attack_is_refused_with_what_the_monster_needs_and_the_party_lacks(
    monster: str, leader: str, party: Party, english: str, german: str
) -> None:
    state = table([], [], leaders={0: leader}, parties={0: party}, row=[monster])
    assert refused(state, Attack(monster)) == {"en": english, "de": german}


def test_what_lies_in_the_row_and_what_a_card_costs_is_said() -> None:
    row = table([], [], row=["dracos", "orthus"])
    assert refused(row, Attack("rex_major"))["en"] == "Rex Major is not in the row; there you find Dracos, Orthus."
    poor = table(["entangling_trap", "hook"], [], rules={"unpayable_play": "forbid"})
    assert refused(poor, PlayCard("entangling_trap"))["de"].startswith(
        "„Schlingenfalle“ kostet 2 weitere Handkarten, und du hast nur eine."
    )
    assert refused(table(["challenge"], []), PlayCard("challenge"))["de"] == (
        "„Herausforderung“ wird nie als Aktion gespielt, sondern nur gegen eine Karte, die gerade gespielt wird."
    )


@pytest.mark.parametrize(
    ("card", "at", "german"),
    [
        ("heavy_bear", 0, "Spieler 3 hat keine Handkarten; wähle jemand anderen."),
        ("hopper", 0, "Spieler 3 hat keinen Helden; wähle jemand anderen."),
        ("tipsy_tootie", 0, "Spieler 3 hat keinen Helden, der gestohlen werden kann; wähle jemand anderen."),
        ("meowzio", 0, "Spieler 3 hat weder Handkarten noch einen Helden, der gestohlen werden kann; "
                       "wähle jemand anderen."),
    ],
)  # fmt: skip
def test_whoever_cannot_be_chosen_lacks_something_by_name(card: str, at: int, german: str) -> None:
    agenda = choosing(card, "does", at).agenda
    state = table(["hook"], ["spooky"], [], parties={0: ["peanut"], 1: ["fluffy"]}, agenda=agenda)
    assert refused(state, ChoosePlayer(2))["de"] == german


def test_a_hero_of_a_third_party_and_a_protected_one_are_refused_with_the_reason() -> None:
    agenda = choosing("forced_exchange", "does", 1, {"victim": (1,)}).agenda
    state = table([], [], [], parties={1: ["fluffy"], 2: ["hopper"]}, agenda=agenda)
    assert refused(state, ChooseCard("hopper"))["en"] == (
        "Hopper is not in Player 2's party; choose a hero from there."
    )
    safe = table([], [], [], parties={1: ["fluffy"], 2: ["hopper"]}, slain={2: ["terratuga"]},
                 agenda=choosing("bad_axe", "does", 0).agenda)  # fmt: skip
    assert refused(safe, ChooseCard("hopper")) == {
        "en": "Hopper cannot be chosen: Terratuga keeps the heroes of that party from being destroyed.",
        "de": "„Hüpfer“ kann nicht gewählt werden: „Terratuga“ bewahrt die Helden dieser Gruppe davor, zerstört zu "
              "werden.",
    }  # fmt: skip
