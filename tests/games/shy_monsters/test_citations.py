"""Which clauses are cited when they act, and which are not when their condition is false."""

from __future__ import annotations

from typing import TypeVar

import pytest

from referee.engine.codec import decode_named, encode
from referee.engine.events import Event, Move
from referee.engine.referee import rule_on_move
from referee.games.shy_monsters import GAME
from referee.games.shy_monsters.events import (
    CardTurnedUp,
    ExitReached,
    FloorDestroyed,
    GameWon,
    HeroExplored,
    HeroJumped,
)
from referee.games.shy_monsters.moves import Claim, Concede, Explore
from referee.rendering.summary import find_reason_clause
from tests.games.shy_monsters.table import HERO, LINE, MASTER, Scene

E = TypeVar("E", bound=Event)


def cited(scene: Scene, move: Move) -> set[str]:
    """The clauses on which the ruling on a legal move rests."""
    ruling, events = rule_on_move(scene.state, HERO, move)
    assert ruling.granted, ruling
    scene.events = events
    return set(ruling.clauses)


def cited_by_events(scene: Scene, kind: type[E]) -> list[set[str]]:
    """What the facts of a kind cite that followed from the last move."""
    return [set(event.applied_clauses()) for event in scene.told(kind)]


@pytest.mark.clause("SM-HERO-REVEAL-1", "SM-HERO-EXPLORE-1", "SM-HERO-JUMP-1", "SM-HERO-JUMP-2", "SM-AMB-8")
def test_every_card_turned_up_cites_why() -> None:
    scene = Scene(LINE, {"a": "corridor", "b": "corridor"}, floor=1, question="reveal")
    cited(scene, scene.reveal("a"))
    assert cited_by_events(scene, CardTurnedUp) == [{"SM-HERO-REVEAL-1", "SM-AMB-5"}]
    scene = Scene(LINE)
    cited(scene, scene.explore("a"))
    assert cited_by_events(scene, CardTurnedUp) == [{"SM-HERO-EXPLORE-1"}]
    cited(scene, scene.jump("b", "a"))
    assert cited_by_events(scene, CardTurnedUp) == [{"SM-HERO-JUMP-1"}, {"SM-HERO-JUMP-2", "SM-AMB-8"}]


@pytest.mark.clause("SM-AMB-6")
def test_that_nothing_happens_before_setting_out_is_cited_for_an_active_monster_and_the_exit() -> None:
    for card, acts in (("mantis", True), ("exit", True), ("kraken", False), ("corridor", False)):
        scene = Scene(LINE, {"a": card}, floor=1, question="reveal")
        cited(scene, scene.reveal("a"))
        (clauses,) = cited_by_events(scene, CardTurnedUp)
        assert ("SM-AMB-6" in clauses) is acts, card


@pytest.mark.clause("SM-AMB-9", "SM-HERO-EXIT-1")
def test_what_becomes_of_the_skipped_card_is_cited_only_where_one_stays_down() -> None:
    at_the_exit = {"a": "corridor", "b": "exit"}
    for up, jumps, acts in (("", True, True), ("a", True, False), ("a", False, False)):
        scene = Scene(LINE, at_the_exit, up=up, hero="E" if jumps else "a")
        clauses = cited(scene, scene.jump("b", "a") if jumps else scene.explore("b"))
        assert ("SM-AMB-9" in clauses) is acts
        assert cited_by_events(scene, ExitReached)[0] >= {"SM-HERO-EXIT-1"}


@pytest.mark.clause("SM-HERO-ATTACK-2")
def test_that_an_attack_is_spent_in_vain_is_cited_only_where_no_monster_lies() -> None:
    for card, acts in (("corridor", True), ("exit", True), ("mantis", False), ("kraken", False)):
        scene = Scene(LINE, {"a": card})
        assert ("SM-HERO-ATTACK-2" in cited(scene, scene.explore("a", attack=True))) is acts, card
        assert "SM-HERO-ATTACK-2" not in cited(scene, scene.explore("a"))
    known = Scene(LINE, {"a": "mantis"}, up="a")
    assert "SM-HERO-ATTACK-2" not in cited(known, known.explore("a", attack=True))


@pytest.mark.clause("SM-AMB-16", "SM-AMB-12", "SM-HERO-KNOWN-1")
def test_what_is_said_of_known_cards_is_cited_only_for_them() -> None:
    named = {"SM-AMB-16", "SM-AMB-12", "SM-HERO-KNOWN-1"}
    free = Scene(LINE, {"a": "corridor"}, up="a")
    assert cited(free, free.explore("a")) & named == {"SM-AMB-16"}
    assert cited(Scene(LINE), Explore(1, 0)) & named == set()
    way_out = Scene(LINE, {"a": "exit"}, up="a")
    assert cited(way_out, way_out.explore("a")) & named == set()
    harmless = Scene(LINE, {"a": "kraken"}, up="a")
    assert cited(harmless, harmless.explore("a")) & named == {"SM-AMB-16", "SM-AMB-12"}
    active = Scene(LINE, {"a": "mantis"}, up="a")
    assert cited(active, active.explore("a", sure=True)) & named == {"SM-AMB-12"}
    assert cited(active, active.explore("a", attack=True)) & named == {"SM-HERO-KNOWN-1"}
    landing = Scene(LINE, {"b": "mantis"}, up="b")
    assert cited(landing, landing.jump("b", "a", sure=True)) & named == {"SM-AMB-12"}


@pytest.mark.clause("SM-ACT-2", "SM-ACT-2a", "SM-AMB-14")
def test_fear_cites_what_kind_of_monster_it_is_of() -> None:
    fear = {"SM-ACT-2", "SM-ACT-2a", "SM-AMB-14"}
    for cards, more, expected in (
        ({"a": "mantis", "b": "dragon"}, {"dead": ["a"], "attack_ready": False}, fear),
        ({"a": "kraken", "b": "mantis"}, {}, {"SM-ACT-2", "SM-AMB-14"}),
        ({"a": "mantis", "b": "dragon"}, {"jump": True}, {"SM-ACT-2"}),
    ):
        jump = more.pop("jump", False)
        scene = Scene(LINE, cards, up="a", hero="E" if jump else "a", **more)
        assert cited(scene, scene.jump("b", "a") if jump else scene.explore("b")) & fear == expected


@pytest.mark.clause("SM-DESTROY-1", "SM-DESTROY-2", "SM-DESTROY-5", "SM-AMB-21", "SM-END-1")
def test_the_end_of_a_floor_and_of_a_game_cite_what_acts() -> None:
    found, hidden = {"SM-DESTROY-1"}, {"SM-DESTROY-2", "SM-AMB-21"}
    cards = {"a": "exit", "d": "mantis", "e": "kraken"}
    for up, expected in (("", hidden), ("d", found | hidden), ("de", found)):
        scene = Scene(LINE, cards, up=up or "c", floor=2, discovered=[], undiscovered=2)
        cited(scene, scene.explore("a"))
        assert cited_by_events(scene, FloorDestroyed)[0] & (found | hidden) == expected
    last = Scene(LINE, {"a": "exit"}, floor=3)
    cited(last, last.explore("a"))
    assert cited_by_events(last, GameWon) == [{"SM-END-1", "SM-DESTROY-5"}]
    death = Scene(LINE, {"a": "mantis"})
    cited(death, death.explore("a"))
    assert cited_by_events(death, GameWon) == [{"SM-END-1"}]
    cited(death, Concede())
    assert cited_by_events(death, GameWon) == [{"SM-AMB-17"}]


@pytest.mark.parametrize(
    ("event", "cited_before"),
    [
        (
            HeroExplored(1, 0, True, "down"),
            ("SM-HERO-EXPLORE-1", "SM-HERO-SKILL-1", "SM-HERO-ATTACK-1", "SM-HERO-ATTACK-2", "SM-AMB-7"),
        ),
        (HeroExplored(1, 0, False, "open"), ("SM-HERO-EXPLORE-1",)),
        (
            HeroJumped(2, 0, (1, 0), False, "active"),
            ("SM-HERO-SKILL-1", "SM-HERO-JUMP-1", "SM-HERO-JUMP-3", "SM-AMB-10"),
        ),
        (
            CardTurnedUp(1, 0, "mantis", True, True, "skipped", False, "harmless"),
            (
                "SM-ACT-0", "SM-ACT-1", "SM-ACT-1a", "SM-ACT-1b", "SM-AMB-3", "SM-AMB-4", "SM-AMB-13", "SM-ACT-4",
                "SM-ACT-2", "SM-ACT-2a", "SM-AMB-14", "SM-ACT-3",
            ),
        ),
        (CardTurnedUp(1, 0, "corridor", None, None, "entered", True), ()),
        (ExitReached(1, 0, "step"), ("SM-HERO-EXIT-1", "SM-AMB-9")),
        (FloorDestroyed(0, (), ("?", "?"), (), by_case=True), FloorDestroyed.clauses),
        (GameWon(1, "escaped", by_case=True), ("SM-END-1",)),
    ],
)  # fmt: skip
def test_a_log_of_an_earlier_release_is_read_and_cites_what_it_did(event: Event, cited_before: tuple[str, ...]) -> None:
    """It says the case of no fact; replay takes such facts for the same, and the audit finds nothing in them."""
    case = {"onto", "because", "attacked", "beside", "by", "by_case"}
    old = {name: value for name, value in encode(event).items() if name not in case}
    assert old != encode(event)
    before = decode_named(old, Event)
    assert encode(before) == old
    assert before.applied_clauses() == cited_before != event.applied_clauses()
    assert before.without_refusal() == event.without_refusal()


@pytest.mark.parametrize(
    ("because", "reason"),
    [
        ("revealed", "SM-HERO-REVEAL-1"),
        ("entered", "SM-HERO-EXPLORE-1"),
        ("landed", "SM-HERO-JUMP-1"),
        ("skipped", "SM-HERO-JUMP-2"),
    ],
)
def test_a_card_turned_up_is_read_aloud_with_its_own_reason(because: str, reason: str) -> None:
    event = CardTurnedUp(1, 0, "corridor", because=because)
    spoken = GAME.narration.render_spoken_text(event)
    assert spoken is not None
    found = find_reason_clause(GAME, (spoken.clause, *event.applied_clauses()))
    assert found is not None
    assert found.id == reason


@pytest.mark.clause("SM-AMB-17")
def test_giving_up_and_claiming_rest_on_no_open_question() -> None:
    """They are made beside it."""
    walking = Scene(LINE, {"a": "corridor"}, up="a", idle_moves=20)
    assert cited(walking, Concede()) == {"SM-AMB-17"}
    ruling, _ = rule_on_move(walking.state, MASTER, Claim())
    assert set(ruling.clauses) == {"SM-AMB-17"}
    revealing = Scene(LINE, floor=1, question="reveal")
    assert "SM-HERO-REVEAL-1" not in cited(revealing, Concede())
