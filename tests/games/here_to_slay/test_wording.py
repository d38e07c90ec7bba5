"""Questions say what becomes of a choice, and moves as answers what they do."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cardscript.language.builtins import Choose
from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import Values
from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChoosePlayer, Decline
from referee.cardscript.questions import ChoicePrompt
from referee.engine.events import Move
from referee.engine.seats import BYSTANDER, Seat
from referee.engine.steps import Step
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import PROGRAMS
from referee.games.here_to_slay.moves import Attack, DrawOne, Leave, PlayCard, RollFor, UseLeader
from referee.games.here_to_slay.rules.hands import SimultaneousDiscard
from referee.games.here_to_slay.rules.hero_removal import ReplacementOffer
from referee.games.here_to_slay.state import Table
from referee.rendering import texts
from tests.games.course import then
from tests.games.here_to_slay.given import Party, table

CHOICES = [
    (card, part, at)
    for (card, part), lines in PROGRAMS.items()
    for at, line in enumerate(lines)
    if isinstance(line.effect, Choose)
]


def choosing(card: str, part: str, at: int, bound: dict[str, Values] | None = None, **more: Any) -> Table:
    """A table at which seat 0 is asked what a line of a card lets it choose."""
    effect = PROGRAMS[card, part][at].effect
    assert isinstance(effect, Choose)
    prompt = ChoicePrompt(0, card, effect.noun, effect.called, effect.optional, effect.duty, effect.unseen)
    text = Execution(card, part, 0, at + 1, {"me": (0,), "this": (card,), **(bound or {})})
    parties: dict[int, Party] = {0: ["peanut"], 1: [("fluffy", "bard_mask"), "hopper"]}
    return table(["hook"], ["spooky"], parties=parties, agenda=(text, prompt), **more)


def asks(state: Table) -> dict[str, str]:
    return dict(texts.question_response(GAME, state)["asks"])


def describe_move(state: Table, move: Any) -> dict[str, str] | None:
    return texts.describe_move(GAME, state, move)


@pytest.mark.parametrize(("card", "part", "at"), CHOICES)
def test_every_choice_of_the_box_is_asked_with_what_becomes_of_it(card: str, part: str, at: int) -> None:
    bound: dict[str, Values] = {"roller": (1,), "lot": ("?",), "drawn": ("?",), "pulled": ("?",), "seen": ("?", "?")}
    for line in PROGRAMS[card, part][:at]:
        if isinstance(line.effect, Choose):
            bound[line.effect.called] = (1,) if line.effect.noun.answer_kind == "player" else ("fluffy",)
    state = choosing(card, part, at, {**bound, "thrown": ("snowball", "wiggles"), "thrown/at": ("discard",)})
    plain, found = texts.step_question_response(GAME, state.agenda[-1])["asks"], asks(state)
    assert plain["en"] != found["en"]
    assert plain["de"] != found["de"]
    for seat in (0, 1, BYSTANDER):
        assert asks(state.view_for(Seat(seat))) == found, "everybody knows what is said"


@pytest.mark.parametrize(
    ("card", "part", "at", "bound", "english", "german"),
    [
        ("bad_axe", "does", 0, {}, "Bad Axe: Which hero do you destroy?",
         "„Schlimme Axt“: Welchen Helden zerstörst du?"),
        ("fluffy", "does", 1, {"first": ("hopper",)}, "Fluffy: Which hero other than Hopper do you destroy?",
         "„Flauschi“: Welchen Helden außer „Hüpfer“ zerstörst du?"),
        ("forced_exchange", "does", 1, {"victim": (1,)}, "Forced Exchange: Which hero do you steal from Player 2?",
         "„Erzwungener Tausch“: Welchen Helden stiehlst du Spieler 2?"),
        ("forced_exchange", "does", 3, {"victim": (1,)},
         "Forced Exchange: Which of your heroes do you give to Player 2 in return?",
         "„Erzwungener Tausch“: Welchen deiner Helden gibst du Spieler 2 dafür?"),
        ("heavy_bear", "does", 0, {}, "Heavy Bear: Who has to discard 2 cards?",
         "„Schwerer Brummbär“: Wer muss 2 Karten abwerfen?"),
        ("beary_wise", "does", 1, {"thrown": ("snowball", "wiggles"), "thrown/at": ("discard",)},
         "Beary Wise: Which of the cards just discarded do you take: Snowball, Wiggles?",
         "„Bärenschlau“: Welche der eben abgeworfenen Karten nimmst du: „Schneeball“, „Wackelöhrchen“?"),
        ("lookie_rookie", "does", 0, {}, "Lookie Rookie: Which item do you take from the discard pile?",
         "„Spähneuling“: Welchen Gegenstand nimmst du vom Abwurfstapel?"),
        ("mellow_dee", "does", 1, {"drawn": ("hook",)},
         "Mellow Dee: Do you play the card just drawn at once, if it is a hero? It costs no point.",
         "„Sanfte Melodie“: Spielst du die eben gezogene Karte sofort aus, falls sie ein Held ist? Es kostet keinen "
         "Punkt."),
        ("the_protecting_horn", "whenever0", 0, {"roller": (1,)},
         "The Protecting Horn: Do you change Player 2's roll (+1, -1)?",
         "„Das schützende Horn“: Änderst du den Wurf von Spieler 2 (+1, -1)?"),
        ("the_protecting_horn", "whenever0", 0, {"roller": (0,)},
         "The Protecting Horn: Do you change your own roll (+1, -1)?",
         "„Das schützende Horn“: Änderst du deinen eigenen Wurf (+1, -1)?"),
    ],
)  # fmt: skip
def test_a_question_names_what_is_done_to_whom_and_how_much(
    card: str, part: str, at: int, bound: dict[str, Values], english: str, german: str
) -> None:
    assert asks(choosing(card, part, at, bound)) == {"en": english, "de": german}


def test_a_target_named_before_the_modifiers_is_asked_for_in_case_the_roll_succeeds() -> None:
    state = choosing("bad_axe", "does", 0)
    text, prompt = state.agenda
    assert isinstance(text, Execution)
    declaring = Execution(text.card, text.text, text.by, text.at, text.bound, (), True)
    found = asks(table([], [], parties={1: ["fluffy"]}, agenda=(declaring, prompt)))
    assert found["de"] == "„Schlimme Axt“: Welchen Helden zerstörst du, wenn der Wurf gelingt?"


@pytest.mark.parametrize(
    ("step", "hands", "english", "german"),
    [
        (SimultaneousDiscard((1,), "dracos", {}, 2, 2), 3, "Dracos: Which 2 hand cards do you discard?",
         "„Dracos“: Welche 2 Handkarten wirfst du ab?"),
        (SimultaneousDiscard((1,), "dracos", {}, 2, 2), 1, "Dracos: Which hand card do you discard?",
         "„Dracos“: Welche Handkarte wirfst du ab?"),
        (SimultaneousDiscard((1,), "qi_bear", {}, 0, 3), 3, "Qi Bear: Which hand cards do you discard (0 to 3)?",
         "„Qi-Bär“: Welche Handkarten wirfst du ab (0 bis 3)?"),
        (ReplacementOffer(0, "corrupted_sabretooth", "instead0", "fluffy", -1), 0,
         "Corrupted Sabretooth: Do you steal Fluffy from Player 2 instead of destroying that hero?",
         "„Verderbter Säbelzahn“: Stiehlst du Spieler 2 „Flauschi“, statt diesen Helden zu zerstören?"),
    ],
)  # fmt: skip
def test_a_duty_says_how_many_cards_it_takes(step: Step, hands: int, english: str, german: str) -> None:
    state = table([], ["hook", "spooky", "snowball"][:hands], parties={1: ["fluffy"]}, agenda=(step,))
    assert asks(state) == {"en": english, "de": german}


def test_a_turn_says_how_many_points_are_left_and_a_free_roll_what_is_needed() -> None:
    assert asks(table([], [], points=1))["en"] == "You have 1 action point left. Which action do you take?"
    entered = then(table(["peanut"], []), 0, PlayCard("peanut"))
    assert asks(entered)["en"] == "Do you roll for Peanut at once? It costs no point; you need 7 or more."
    assert describe_move(entered, Accept()) == {"en": "Roll for Peanut.", "de": "Für „Erdnüsschen“ würfeln."}
    assert describe_move(entered, Decline()) == {
        "en": "Do not roll for Peanut.",
        "de": "Nicht für „Erdnüsschen“ würfeln.",
    }
    assert describe_move(entered, Leave()) == {"en": "Leave the table.", "de": "Den Tisch verlassen."}


@pytest.mark.parametrize(
    ("move", "english", "german"),
    [
        (DrawOne(), "Draw a card (1 action point).", "Eine Karte ziehen (1 Aktionspunkt)."),
        (RollFor("peanut"), "Roll for Peanut (7 or more, 1 action point).",
         "Für „Erdnüsschen“ würfeln (ab 7, 1 Aktionspunkt)."),
        (Attack("dracos"), "Attack Dracos (5 or less, 2 action points).",
         "„Dracos“ angreifen (bis 5, 2 Aktionspunkte)."),
        (UseLeader(), "Use the action of The Shadow Claw (1 action point).",
         "Die Aktion von „Die Schattenklaue“ nutzen (1 Aktionspunkt)."),
    ],
)  # fmt: skip
def test_an_action_says_what_it_costs_and_a_roll_what_it_needs(move: Move, english: str, german: str) -> None:
    claw = table([], ["hook"], [], leaders={0: "the_shadow_claw"})
    assert describe_move(claw, move) == {"en": english, "de": german}


@pytest.mark.parametrize(
    ("state", "move", "english", "german"),
    [
        (choosing("bad_axe", "does", 0), ChooseCard("fluffy"), "Destroy Player 2's Fluffy.",
         "„Flauschi“ von Spieler 2 zerstören."),
        (choosing("bad_axe", "does", 0), ChooseCard("snowball"), "Choose Snowball.", "„Schneeball“ wählen."),
        (choosing("winds_of_change", "does", 0), ChooseCard("fluffy"),
         "Send Bard Mask from Fluffy back to Player 2's hand.",
         "„Bardenmaske“ von „Flauschi“ auf die Hand von Spieler 2 zurückschicken."),
        (choosing("heavy_bear", "does", 0), ChoosePlayer(1), "Make Player 2 discard 2 cards.",
         "Spieler 2 zwei Karten abwerfen lassen."),
        (choosing("quick_draw", "does", 1, {"drawn": ("?", "?")}), Decline(), "Play nothing.", "Nichts ausspielen."),
        (table(["hook"], [], agenda=(SimultaneousDiscard((0,), "dracos", {}),)), ChooseCards(("hook",)),
         "Discard Hook.", "„Widerhaken“ abwerfen."),
        (table(["hook"], [], agenda=(SimultaneousDiscard((0,), "qi_bear", {}, 0, 3),)), ChooseCards(()),
         "Discard nothing.", "Nichts abwerfen."),
    ],
)  # fmt: skip
def test_a_move_says_what_it_does_as_an_answer(state: Table, move: Any, english: str, german: str) -> None:
    assert describe_move(state, move) == {"en": english, "de": german}
