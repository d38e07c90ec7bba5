"""Questions name the numbers and cards that an answer needs, and answers in a list of moves say what they do."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, Decline
from referee.engine.chance import RollResult
from referee.engine.events import Move, replace_fields
from referee.engine.game import Setup
from referee.engine.referee import find_legal_moves, seats_that_may_act
from referee.engine.rulebook.book import LANGUAGES
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Step
from referee.games.munchkin import GAME
from referee.games.munchkin.moves import AskHelp, ClaimKill, CounterOffer, FleeFrom, GiveToCharity, Pass, RunAway
from referee.games.munchkin.rules.cards.cursing import CurseWindow
from referee.games.munchkin.rules.citizenship import LoseTown, SwapTown
from referee.games.munchkin.rules.combat.fleeing import Fleeing
from referee.games.munchkin.rules.items.item_loss import LoseItems
from referee.games.munchkin.rules.state_based_checks import TooManyBig, TooManyInUse, TooManyTowns
from referee.games.munchkin.rules.turn import Calm
from referee.games.munchkin.state import Table
from referee.rendering import texts
from tests.games.matches import random_match
from tests.games.munchkin import given
from tests.games.munchkin.combats import fighting, flees, when_all
from tests.games.munchkin.given import then


def asks(state: Table, lang: str = "en") -> str:
    """The open question as players read it."""
    words: str = texts.question_response(GAME, state)["asks"][lang]
    return words


def reads(state: Table, move: Move, lang: str = "en") -> str:
    """How a move reads in the list of legal moves."""
    words: Any = texts.describe_move(GAME, state, move)
    return str(words[lang])


def test_a_combat_is_asked_about_with_the_strengths_and_the_monsters() -> None:
    behind = fighting((), (), (), foes=["pumpkin_brute", "wolfman"], levels=(3, 1, 1))
    theirs = given_strength(behind)
    assert asks(behind).startswith(f"Player 1 has 3 against Pumpkin Brute and Wolfman with a total of {theirs};")
    assert f"it takes {theirs - 2} more to win" in asks(behind)
    assert "Does Player 1 ask for help" in asks(behind)
    assert asks(behind, "de").startswith("Spieler 1 hat 3 gegen „Kürbisgrobian“ und „Wolfsmensch“ mit zusammen")
    ahead = fighting((), (), (), foes=["puddle_bat"], levels=(5, 1, 1))
    assert "is ahead. Does Player 1 claim the kill?" in asks(ahead)
    assert reads(ahead, ClaimKill()) == "Claim the kill (5 against 1)."
    claimed = then(ahead, 0, ClaimKill())
    assert "Player 1 claims the kill. Does anybody" in asks(claimed)
    assert "Player 2 and Player 3 have not passed yet" in asks(claimed)
    assert reads(claimed, Pass(), "de") == "Passen und das Töten zulassen („Pfützenfledermaus“)."
    assert "Player 3 has not passed yet" in asks(then(claimed, 1, Pass()))


def given_strength(state: Table) -> int:
    """What the monsters come to."""
    _, params = GAME.narration.describe_question(state)
    return int(params["theirs"])


def test_a_kill_that_would_win_the_game_is_asked_about_as_such() -> None:
    state = fighting((), (), (), foes=["puddle_bat"], levels=(9, 1, 1))
    assert "which would win the game" in asks(then(state, 0, ClaimKill()))
    assert "damit wäre das Spiel gewonnen" in asks(then(state, 0, ClaimKill()), "de")


def test_a_request_for_help_says_what_is_offered_and_what_it_would_come_to() -> None:
    state = fighting((), (), (), foes=["pumpkin_brute"], levels=(3, 4, 1))
    asked = then(state, 0, AskHelp(1, False, ("helper",), seat=1))
    assert "together it would be 7 against 4" in asks(asked)
    assert "The offer: one treasure for the helper, and the helper picks first." in asks(asked)
    assert "The kill would bring 2 treasures. Does Player 2 help?" in asks(asked)
    assert "zusammen wären es 7 gegen 4" in asks(asked, "de")
    countered = then(asked, 1, CounterOffer(all_of_them=True))
    assert "For helping, Player 2 wants this: all treasures for the helper" in asks(countered)


def test_who_runs_away_reads_which_roll_escapes_and_whether_it_is_enough() -> None:
    state = fighting((), (), (), foes=["pumpkin_brute"])
    running = then(state, 0, RunAway())
    assert asks(running) == "Player 1 runs away from Pumpkin Brute; it takes 5 or more. Ready to roll?"
    assert reads(running, FleeFrom("pumpkin_brute"), "de") == "Gegen „Kürbisgrobian“ würfeln (ab 5)."
    thrown = then(running, 0, FleeFrom("pumpkin_brute"))
    assert "it takes 5 or more. What does the die show?" in asks(thrown)
    rolled = then(thrown, CHANCE, RollResult((4,)))
    assert asks(rolled, "de") == (
        "Der Würfel zeigt 4, das macht 4. Ab 5 entkommst du „Kürbisgrobian“, es reicht also nicht. "
        "Lässt du den Würfel so?"
    )


@pytest.mark.clause("MK-26.3")
def test_who_rolls_for_a_card_reads_what_the_die_decides() -> None:
    state = fighting((), (), (), foes=["ink_fiend"], levels=(3, 1, 1))
    _, struck = flees(then(state, 0, RunAway()), 0, "ink_fiend", 1)
    rolled = then(struck, CHANCE, RollResult((3,)))
    assert asks(rolled).startswith("The die shows 3 for Ink Fiend: “Roll the die for your ending.")
    assert asks(rolled, "de").endswith("ab.“ Lässt du ihn so?")


def test_who_runs_from_several_monsters_reads_the_roll_for_each() -> None:
    state = then(fighting((), (), (), foes=["pumpkin_brute", "candle_fiend"]), 0, RunAway())
    assert isinstance(state.agenda[-1], Fleeing)
    assert "Pumpkin Brute (5 or more) and Candle Fiend (5 or more)" in asks(state)


def test_a_choice_of_two_evils_says_which() -> None:
    state = fighting(("tripwire", "drafted", "town_parade"), (), (), foes=["candle_fiend"], levels=(3, 1, 1))
    _, state = flees(then(state, 0, RunAway()), 0, "candle_fiend", 1)
    assert asks(state) == "Candle Fiend: do you discard 2 hand cards, or lose 1 level?"
    assert asks(state, "de") == "„Kerzenunhold“: Legst du 2 Handkarten ab, oder verlierst du 1 Stufe?"
    assert reads(state, Accept(), "de") == "2 Handkarten ablegen."
    assert reads(state, Decline()) == "Lose 1 level."
    _, state = when_all(state, (0, Accept()))
    assert asks(state, "de") == "„Kerzenunhold“: Welche 2 Handkarten legst du ab?"
    assert reads(state, ChooseCards(("drafted", "tripwire")), "de") == "„Eingezogen“ und „Stolperdraht“ ablegen."


def test_a_lost_item_is_chosen_by_name() -> None:
    carried = {0: ["bat_hat", "curly_boots"]}
    state = fighting((), (), (), foes=["bog_bride"], levels=(3, 1, 2), carried=carried)
    _, state = flees(then(state, 0, RunAway()), 0, "bog_bride", 1)
    assert asks(state, "de") == (
        "„Moorbraut“: Welchen deiner Gegenstände gibst du her: „Fledermaushut“ oder „Schnabelstiefel“?"
    )
    assert reads(state, ChooseCard("bat_hat")) == "Give Bat Hat away."


def test_charity_is_asked_for_with_how_many_cards_and_for_whom() -> None:
    hand = ("tripwire", "drafted", "town_parade", "wolfman", "bog_bride", "puddle_bat", "candle_fiend")
    state = given.table(hand, (), (), stage="after", levels=(3, 1, 2))
    assert isinstance(state.agenda[-1], Calm)
    assert asks(state).startswith("You hold 2 cards more than the 5 that you may keep. Which 2 do you give to Player 2")
    shared = given.table(hand, (), (), stage="after", levels=(3, 1, 1))
    assert "Player 2 and Player 3 are on the lowest level" in asks(shared)
    lowest = given.table(hand, (), (), stage="after", levels=(1, 1, 1))
    assert "niemand ist auf einer niedrigeren Stufe als du (Stufe 1). Welche 2 legst du ab?" in asks(lowest, "de")
    few = given.table(hand[:1], (), (), stage="after")
    assert asks(few, "de").startswith("Du hast 1 Handkarte und darfst 5 behalten.")


def test_charity_to_several_players_says_who_gets_which_card() -> None:
    gift = GiveToCharity(("bat_hat", "tripwire", "drafted"), (1, 2, 1))
    told = GAME.narration.describe_event(gift)
    assert told == {
        "en": "Give Bat Hat, Drafted to Player 2 and Tripwire to Player 3 in charity.",
        "de": "Als Milde Gabe „Fledermaushut“, „Eingezogen“ an Spieler 2 und „Stolperdraht“ an Spieler 3 geben.",
    }
    hidden = GAME.narration.describe_event(GiveToCharity(("?", "?", "?"), (1, 2, 1)))
    assert hidden is not None
    assert hidden["de"] == "Als Milde Gabe 2 Karten an Spieler 2 und 1 Karte an Spieler 3 geben."


@pytest.mark.parametrize("source", ["server", "table"])
def test_no_two_legal_moves_of_a_list_read_alike_nor_tell_more_than_the_player_knows(source: str) -> None:
    setup = GAME.complete_setup(Setup("standard", 4, {}, dict.fromkeys(GAME.devices, source)))
    lists = 0
    for number, turned in enumerate(islice(random_match("munchkin", setup, 9), 400)):
        for seat in seats_that_may_act(turned.before) if number % 3 == 0 else ():
            if seat < 0:
                continue
            seen = turned.before.view_for(seat)
            found = list(dict.fromkeys(islice(find_legal_moves(seen, seat), 80)))
            for lang in LANGUAGES:
                lines = [reads(seen, move, lang) for move in found]
                assert len(lines) == len(set(lines)), [line for line in lines if lines.count(line) > 1]
                assert lines == [reads(turned.before, move, lang) for move in found]
            lists += 1
    assert lists > 100


TOWNS = {0: ["town_halloween", "town_easter", "dual_citizenship"]}
BIG = {0: ["snow_stompers", "confetti_cannon"]}


@pytest.mark.parametrize(
    ("how", "step", "german"),
    [
        (
            {"towns": TOWNS},
            LoseTown(0, "curse_lose_town"),
            "„Fluch: Pass gefressen“: Welche deiner Stadtbürgerschaften verlierst du: „Bürger von Halloween“ oder "
            "„Bürger von Ostern“?",
        ),
        (
            {"towns": TOWNS, "discards": ["town_christmas"]},
            SwapTown(0, "curse_swap_town"),
            "„Fluch: Falscher Baum“: Welche deiner Stadtbürgerschaften weicht „Bürger von Weihnachten“: „Bürger von "
            "Halloween“ oder „Bürger von Ostern“?",
        ),
        (
            {"towns": {0: ["town_halloween", "town_easter"]}},
            TooManyTowns(0),
            "Du hast 2 Stadtbürgerschaften und darfst nur eine haben. Welche legst du ab: „Bürger von Halloween“ oder "
            "„Bürger von Ostern“?",
        ),
        (
            {"items": {0: ["bat_hat", "crooked_crown"]}},
            TooManyInUse(0),
            "Hier kannst du nur einen Gegenstand nutzen (Kopfbedeckung). Welchen nutzt du ab jetzt nicht mehr: "
            "„Fledermaushut“ oder „Schiefe Krone“?",
        ),
        (
            {"carried": BIG, "levels": (1, 3, 2)},
            TooManyBig(0),
            "Du hast 2 Große Gegenstände und darfst nur einen haben. Welchen gibst du an Spieler 3: "
            "„Schneestampfer“ oder „Konfettikanone“?",
        ),
        (
            {"carried": {0: ["bat_hat", "curly_boots"]}},
            LoseItems(0, 1, "tinsel_serpent"),
            "„Lamettaschlange“: Du bestimmst, welchen Gegenstand Spieler 1 verliert. Welcher ist es: „Fledermaushut“ "
            "oder „Schnabelstiefel“?",
        ),
        (
            {"carried": {0: ["bat_hat", "curly_boots", "candy_hook"]}},
            LoseItems(0, 0, "mourning_twins", 2, best="gold"),
            "„Trauerzwillinge“: Du verlierst 2 Gegenstände mit dem höchsten Wert. Welchen zuerst",
        ),
        (
            {},
            CurseWindow("curse_level", 1),
            "Gleich trifft „Fluch: Hinten anstellen“ Spieler 2: „",
        ),
    ],
    ids=lambda each: type(each).__name__ if not isinstance(each, str | dict) else "",
)
def test_a_question_about_cards_that_go_names_them(how: dict[str, Any], step: Step, german: str) -> None:
    state = given.table((), (), (), stage="after", **how)
    state = replace_fields(state, agenda=(*state.agenda, step))
    assert asks(state, "de").startswith(german)
    for move in step.candidate_moves(state, Seat(0)):
        assert reads(state, move, "de")
