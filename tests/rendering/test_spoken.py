"""What is read aloud of an entry: sentences by the clause they rest on, turn by turn, each clause once."""

from __future__ import annotations

from itertools import islice

import pytest

from referee.engine.events import Event, Move
from referee.engine.game import Game, Setup
from referee.engine.rulebook.book import LANGUAGES, NO_CLAUSE, SpokenText
from referee.games import load_games
from referee.games.creature_crush.events.field import CreaturesReadied
from referee.games.here_to_slay.events import cards as hts
from referee.games.here_to_slay.events.plays import RollSettled
from referee.games.monster_combat import events as mc
from referee.games.monster_combat.moves import Pass, TakeHit
from referee.games.munchkin.events.cards import CardPut, CardsDiscarded, ItemsUsed
from referee.games.munchkin.events.combat import Caught, CombatEnded, MonstersKilled
from referee.games.shy_monsters.events import MonsterKilled
from referee.match.entries import LogEntry
from referee.rendering import quoting, summary
from referee.rendering.summary import Fact
from tests.games.matches import marked_setups, random_match
from tests.games.munchkin.test_arguments import before_turn_one, calm

NAMES = ("creature_crush", "monster_combat", "here_to_slay", "munchkin", "shy_monsters")
CC, MC, HTS, MK, SM = (load_games()[name] for name in NAMES)


def read(game: Game, *events: Event, move: Move | None = None) -> tuple[dict[str, str], tuple[str, ...]]:
    """What is read of an entry with these events, and the clauses that are read."""
    clauses = tuple(dict.fromkeys(name for event in events for name in event.applied_clauses()))
    return summary.render_sentences(game, LogEntry("", 1, 0, 0, "player", move, events, clauses, b""), move, events, {})


def drawn(seat: int) -> Event:
    return mc.PlayerDrewCards("deck", f"hand.{seat}", ("?",), ("?",), seat, ("MC-TURN-DRAW-1",))


EVENTFUL = (
    mc.AttackParried("hand.1", "discard", ("shield",), ("shield",), 1),
    mc.TurnBegan(2),
    mc.EventTurnedUp("events", "tray", ("change_direction",), ("change_direction",), 2, ("MC-V1-TURN-EVENT-1",)),
    mc.DirectionChanged(),
)


def test_facts_have_the_clause_they_rest_on_and_a_new_turn_begins_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summary, "MAX_LETTERS", 1000)
    told, clauses = read(MC, *EVENTFUL)
    assert clauses == ("MC-SHIELD-1", "MC-V1-TURN-EVENT-1", "MC-EVENT-DIRECTION-1")
    first, rest = told["de"].split(". ", 1)
    assert first.startswith("Spieler 2 wehrt den Angriff mit einem Schild ab, denn es gilt: Wer angegriffen wird, darf")
    assert rest.startswith("Für Spieler 3 wird das Ereignis „Richtungswechsel“ aufgedeckt, denn es gilt: ")
    assert ". Gespielt wird ab jetzt andersherum, denn es gilt: Richtungswechsel: " in rest
    assert told["en"].count("for the rule is: ") == 3


def test_if_it_gets_long_the_clauses_of_the_lesser_facts_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    told, clauses = read(MC, *EVENTFUL)
    assert clauses == ("MC-SHIELD-1",)
    rest = ". The event Change of direction is turned up for Player 3. From now on play goes the other way round."
    assert told["en"].endswith(rest), "the facts are told all the same"
    monkeypatch.setattr(summary, "MAX_LETTERS", 1)
    assert read(MC, *EVENTFUL) == (told, clauses), "that of the weightiest fact is always read"


def test_what_needs_no_reason_is_told_without_one() -> None:
    ready = CreaturesReadied(("A1.0",))
    told, clauses = read(CC, ready)
    assert "one more action this turn" in told["en"]
    assert clauses == (), "neither that of its text nor those of the event"
    assert ready.applied_clauses()
    alone, clauses = read(MC, move=Pass())
    assert (alone["en"], clauses) == ("Player 1 plays no card.", ())


@pytest.mark.parametrize("pair", marked_setups())
def test_no_explanation_of_a_match_reads_a_clause_for_what_needs_none(pair: tuple[str, Setup]) -> None:
    game, seen = load_games()[pair[0]], 0
    for turned in islice(random_match(*pair, 5), 300):
        for fact in summary._collect_facts(game, turned.events, {}, tuple, lambda _: ""):
            if fact.spoken.clause == NO_CLAUSE:
                seen += 1
                assert fact.clause is None, fact
    assert seen or pair[0] == "mau_mau", "there a rule stands behind all that happens before the turns run out"


def test_cards_that_come_one_by_one_are_told_at_once() -> None:
    cards = [hts.CardDrawn("deck", "hand.0", (card,), (card,), 0) for card in ("fury_knuckle", "really_big_ring")]
    told, _ = read(HTS, *cards, *(hts.CardDrawn("deck", "hand.1", ("?",), ("?",), 1) for _ in range(5)))
    assert told["de"].startswith("Spieler 1 zieht „Zornfaust“, „Wirklich großer Ring“; Spieler 2 zieht 5 Karten, denn")


def test_of_facts_of_one_kind_none_is_left_out() -> None:
    told, _ = read(MC, *EVENTFUL, *(drawn(seat) for seat in range(4)))
    assert [f"Player {seat} draws 1 card" in told["en"] for seat in (1, 2, 3, 4)] in ([True] * 4, [False] * 4)
    told, _ = read(MC, *(drawn(seat) for seat in range(4)))
    assert told["en"].count("draws 1 card") == 4


def test_a_reason_of_the_situation_goes_before_that_of_the_text() -> None:
    put = CardPut("hand.0", "play.0", ("bat_hat",), ("bat_hat",), 0, "bat_hat")
    entry = LogEntry("", 1, 0, 0, "player", None, (put,), ("MK-1.6",), b"")
    early = before_turn_one(("bat_hat",), (), ())
    _, clauses = summary.render_sentences(
        MK, entry, None, (put,), {}, reason=lambda event: MK.narration.find_reason(early, event)
    )
    assert clauses == ("MK-1.6",)
    assert MK.narration.find_reason(calm(("bat_hat",), (), ()), put) == ""


def test_a_twin_that_is_killed_is_called_one() -> None:
    one, _ = read(MK, MonstersKilled(0, ("puddle_bat", "second_helping")))
    two, _ = read(MK, MonstersKilled(0, ("puddle_bat", "sally", "second_helping")))
    assert one["en"].startswith("Player 1 kills Puddle Bat and its twin, for")
    assert " und den Zwilling dazu, denn" in one["de"]
    assert "and a twin, for" in two["en"]


def test_a_card_lost_after_a_failed_flight_is_not_explained_by_the_end_of_the_combat() -> None:
    lost = CardsDiscarded("hand.0", "treasure_discards", ("bat_hat",), ("bat_hat",))
    _, clauses = read(MK, lost, CombatEnded("fled"))
    assert clauses == ()


def test_a_change_of_items_does_not_read_as_if_all_of_them_were_put_away() -> None:
    told, _ = read(MK, ItemsUsed(0, ("bat_hat",), ("stilts",)))
    assert " statt " in told["de"]


def test_facts_that_rest_on_one_clause_share_a_sentence() -> None:
    told, clauses = read(MC, drawn(0), drawn(1))
    assert len(clauses) == 1
    assert told["en"].startswith("Player 1 draws 1 card; Player 2 draws 1 card, for the rule is: ")
    assert told["de"].startswith("Spieler 1 zieht 1 Karte; Spieler 2 zieht 1 Karte, denn es gilt: ")


def test_a_new_turn_does_not_join_what_went_before_and_reads_no_clause_again() -> None:
    told, clauses = read(MC, drawn(0), mc.TurnBegan(1), drawn(1))
    assert len(clauses) == 1
    assert told["en"].startswith("Player 1 draws 1 card, for the rule is: ")
    assert told["en"].endswith(". Player 2 draws 1 card.")


def test_what_happens_in_two_turns_is_told_of_each() -> None:
    told, clauses = read(MC, mc.DirectionChanged(), mc.TurnBegan(1), mc.DirectionChanged())
    assert clauses == ("MC-EVENT-DIRECTION-1",)
    assert told["en"].count("From now on play goes the other way round") == 2


def test_a_move_is_told_without_its_clause_if_what_came_of_it_says_more() -> None:
    told, clauses = read(MC, mc.HeartsRefilled(1), move=TakeHit())
    assert clauses == ("MC-EVENT-HEARTS-1",)
    assert told["en"].startswith(
        "Player 1 takes the hit. Player 2 has all hearts back, for the rule is: All hearts back: "
    )
    alone, clauses = read(MC, move=TakeHit())
    assert clauses == ("MC-SHIELD-3",)
    assert alone["en"].startswith("Player 1 takes the hit, for the rule is: ")


def test_the_clause_that_is_read_is_the_one_in_force() -> None:
    entry = LogEntry("", 1, 0, 0, "player", None, (), ("MK-13.8",), b"")
    told, clauses = summary.render_sentences(MK, entry, None, (), {}, lambda names: [f"{name}-R2" for name in names])
    assert clauses == ("MK-13.8-R2",)
    assert "would bring at that moment" in told["en"]


def test_lines_about_events_stay_sentences_and_main_clauses_are_joined() -> None:
    says = [
        ("the roll fails", False),
        ("nothing happens", False),
        ("Play a card. Or pass!", True),
        ("on it goes", False),
    ]
    facts = [Fact(SpokenText(dict.fromkeys(LANGUAGES, text), is_sentence=whole), None) for text, whole in says]
    assert summary._join_facts(facts, "en") == "The roll fails; nothing happens. Play a card. Or pass. On it goes"


@pytest.mark.parametrize(
    ("game", "event", "english", "german"),
    [
        (HTS, RollSettled(0, "hero", "peanut", 6, "failure"), "6, needed 7 (", "6, nötig waren 7 ("),
        (HTS, RollSettled(0, "attack", "rex_major", 6, "nothing"), "6, needed 8 (", "nötig waren 8 ("),
        (HTS, RollSettled(0, "attack", "dracos", 8, "fight_back"), "needed 5 or less (", "nötig waren höchstens 5 ("),
        (MK, Caught(0, "wolfman", 4), "with 4, needed 5 (", "mit 4, nötig waren 5 ("),
    ],
)  # fmt: skip
def test_a_failed_roll_says_what_was_needed(game: Game, event: Event, english: str, german: str) -> None:
    told, _ = read(game, event)
    assert english in told["en"]
    assert german in told["de"]
    line = game.narration.describe_event(event)
    assert line is not None
    assert "needed" in line["en"]
    assert "nötig" in line["de"]


def test_of_a_clause_whole_sentences_are_read_as_far_as_people_can_follow() -> None:
    short = {
        "en": "Levels stop at 9. No card lifts you.",
        "de": "Bei 9 ist Schluss. Keine Karte hebt noch irgendjemanden.",
    }
    assert quoting.shorten_clause(short) == short
    assert quoting.shorten_clause(short, 40) == {"en": "Levels stop at 9.", "de": "Bei 9 ist Schluss."}, "alike in both"
    quoted = {"en": "It goes to a hand. Winds sends all.", "de": "Er geht auf eine Hand. „Sturmböen“ schickt alle."}
    assert quoting.shorten_clause(quoted, 0) == {"en": "It goes to a hand.", "de": "Er geht auf eine Hand."}
    killed, _ = read(SM, MonsterKilled(1, 0, "dragon"))
    assert "before it is turned up. A monster there is killed" in killed["en"], "the first sentence says half"
