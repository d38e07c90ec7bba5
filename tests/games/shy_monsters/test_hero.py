"""Chapter 7: the hero turns up cards, explores, attacks, jumps, and reaches the exit."""

from __future__ import annotations

import pytest

from referee.engine.referee import find_legal_moves, judge_candidates, judge_move, seats_that_must_act
from referee.games.shy_monsters import GAME
from referee.games.shy_monsters.events import (
    CardTurnedUp,
    ExitReached,
    HeroExplored,
    HeroJumped,
    HeroKilled,
    MonsterKilled,
)
from referee.games.shy_monsters.moves import Concede, Explore, Jump, Place
from referee.match.aggregate import Match
from referee.match.house_readings import HouseReadingAdopted
from referee.position_rulings.judging import rule_on_position
from tests.games.shy_monsters.table import BLOCK, CROSS, HERO, LINE, STAIRS, Scene


@pytest.mark.clause("SM-HERO-REVEAL-1", "SM-AMB-5")
@pytest.mark.parametrize(("number", "due"), [(1, 2), (2, 1)])
def test_the_hero_first_turns_up_the_cards_due_one_after_the_other(number: int, due: int) -> None:
    scene = Scene(STAIRS, floor=number, question="reveal")
    for letter in "fe"[:due]:
        scene.refuses(scene.explore("a"), "first_turn_cards_up", "SM-HERO-REVEAL-1", "SM-AMB-5")
        scene.plays(scene.reveal(letter))
        assert scene.tile(letter).up
        scene.refuses(scene.reveal(letter), "already_up" if letter == "f" and due == 2 else "no_more_reveals")
    scene.refuses(scene.reveal("b"), "no_more_reveals", "SM-HERO-REVEAL-1")
    scene.grants(scene.explore("a"))
    assert scene.up() == "".join(sorted("fe"[:due]))


def test_only_a_card_that_is_down_can_be_turned_up() -> None:
    scene = Scene(LINE, floor=1, question="reveal")
    scene.refuses(Explore(1, 0), "first_turn_cards_up")
    for spot, reason in (((0, 0), "already_up"), ((0, 1), "no_card_there")):
        scene.refuses(scene.reveal("a").__class__(*spot), reason, "SM-HERO-REVEAL-1")


@pytest.mark.clause("SM-AMB-6")
def test_a_card_turned_up_before_setting_out_neither_attacks_nor_ends_the_floor() -> None:
    scene = Scene(LINE, {"a": "mantis", "b": "exit"}, floor=1, question="reveal")
    scene.plays(scene.reveal("a"))
    assert scene.tile("a").active is True
    assert not scene.told(HeroKilled)
    scene.plays(scene.reveal("b"))
    assert not scene.told(ExitReached)
    assert scene.state.hero_spot == (0, 0)


@pytest.mark.clause("SM-HERO-GOAL-1", "SM-AMB-19")
def test_the_hero_sets_out_and_may_not_wait() -> None:
    scene = Scene(LINE)
    assert seats_that_must_act(scene.state) == {HERO}
    scene.refuses(Explore(0, 0), "no_waiting", "SM-AMB-19")
    kinds = {type(move) for move in find_legal_moves(scene.state, HERO)}
    assert kinds == {Explore, Jump, Concede}


@pytest.mark.clause("SM-HERO-EXPLORE-1")
def test_exploring_goes_to_a_card_side_by_side_and_turns_it_up_as_often_as_wanted() -> None:
    scene = Scene(STAIRS, {"e": "exit", "c": "dragon", "d": "mantis"})
    for letter in "abcd":
        scene.plays(scene.explore(letter))
        assert scene.told(HeroExplored) == [HeroExplored(*scene.at[letter], attack=False, onto="down")]
        assert [event.card for event in scene.told(CardTurnedUp)] == [scene.tile(letter).card]
    assert scene.up() == "abcd"


@pytest.mark.clause("SM-HERO-EXPLORE-1")
def test_exploring_never_goes_diagonally_nor_further_nor_where_no_card_lies() -> None:
    scene = Scene(STAIRS)
    scene.refuses(scene.explore("b"), "never_diagonally", "SM-HERO-EXPLORE-1")
    scene.refuses(scene.explore("c"), "not_side_by_side", "SM-HERO-EXPLORE-1")
    scene.refuses(Explore(0, 1), "no_card_there", "SM-HERO-EXPLORE-1")


@pytest.mark.clause("SM-HERO-EXPLORE-2")
def test_who_enters_an_active_monster_dies() -> None:
    scene = Scene(STAIRS, {"a": "basilisk"})
    scene.plays(scene.explore("a"))
    assert scene.told(HeroKilled) == [HeroKilled(1, 0, "basilisk")]


@pytest.mark.clause("SM-HERO-SKILL-1")
def test_each_skill_is_there_once_a_floor() -> None:
    scene = Scene(LINE, {"e": "exit", "d": "kraken", "f": "dragon"})
    scene.plays(scene.explore("a", attack=True))
    scene.refuses(scene.explore("b", attack=True), "attack_is_spent", "SM-HERO-SKILL-1")
    scene.plays(scene.jump("c", "b"))
    scene.refuses(scene.jump("a", "b"), "jump_is_spent", "SM-HERO-SKILL-1")
    scene.grants(scene.explore("d"))


@pytest.mark.clause("SM-HERO-ATTACK-1", "SM-AMB-15")
def test_an_attack_announced_beforehand_kills_the_monster_and_frees_the_way() -> None:
    scene = Scene(LINE, {"a": "mantis"})
    scene.plays(scene.explore("a", attack=True))
    assert scene.told(MonsterKilled) == [MonsterKilled(1, 0, "mantis")]
    assert not scene.told(HeroKilled)
    assert scene.state.hero_spot == scene.at["a"]
    scene.plays(scene.explore("b"), scene.explore("a"))  # a dead monster is entered freely
    assert scene.state.hero_spot == scene.at["a"]


@pytest.mark.clause("SM-HERO-ATTACK-2", "SM-AMB-7")
def test_an_attack_on_a_card_without_monster_is_spent_and_the_card_is_entered() -> None:
    scene = Scene(LINE)
    scene.plays(scene.explore("a", attack=True))
    assert scene.tile("a").card == "corridor"
    assert (scene.state.hero_spot, scene.state.is_attack_ready()) == (scene.at["a"], False)


@pytest.mark.clause("SM-AMB-7")
def test_an_inactive_monster_can_be_attacked_but_no_other_card_that_is_up() -> None:
    scene = Scene(LINE, {"a": "kraken", "b": "corridor"}, up="ab")
    assert scene.tile("a").active is False
    after = Scene(LINE, {"a": "kraken", "b": "corridor"}, up="ab").plays(scene.explore("a", attack=True))
    assert after.tile("a").alive is False
    assert after.state.is_attack_ready() is False
    scene.plays(scene.explore("a"))
    scene.refuses(scene.explore("b", attack=True), "attack_is_pointless", "SM-AMB-7")
    scene.refuses(scene.explore("E", attack=True), "attack_is_pointless", "SM-AMB-7")


@pytest.mark.clause("SM-HERO-JUMP-1")
def test_a_jump_skips_a_card_and_an_active_monster_where_it_lands_kills() -> None:
    scene = Scene(LINE, {"a": "kraken", "b": "mantis"})
    scene.plays(scene.jump("b", "a"))
    assert scene.told(HeroJumped) == [HeroJumped(2, 0, (1, 0), attack=False, onto="down")]
    assert scene.told(HeroKilled) == [HeroKilled(2, 0, "mantis")]
    assert scene.up() == "b"  # the skipped card is not turned up any more


@pytest.mark.clause("SM-HERO-JUMP-2", "SM-AMB-8")
def test_if_the_hero_lives_the_skipped_card_is_turned_up_after_the_landing_card() -> None:
    scene = Scene(LINE, {"a": "mantis"})
    scene.plays(scene.jump("b", "a"))
    assert [event.card for event in scene.told(CardTurnedUp)] == ["corridor", "mantis"]
    assert scene.tile("a").active is True
    assert not scene.told(HeroKilled)  # being turned up as the skipped card is no attack
    assert scene.state.hero_spot == scene.at["b"]


@pytest.mark.clause("SM-AMB-8")
@pytest.mark.parametrize("attack", [True, False])
def test_the_landing_monster_dead_or_harmless_frightens_the_skipped_one(attack: bool) -> None:
    scene = Scene(LINE, {"a": "mantis", "b": "kraken"})
    scene.plays(scene.jump("b", "a", attack=attack))
    landed, skipped = scene.told(CardTurnedUp)
    assert (landed.card, landed.frightened) == ("kraken", False)
    assert (skipped.card, skipped.comfortable, skipped.frightened) == ("mantis", True, True)


@pytest.mark.clause("SM-AMB-8")
def test_a_skipped_monster_frightens_the_landing_one_only_if_it_was_up_before() -> None:
    up = Scene(LINE, {"a": "kraken", "b": "mantis"}, up="a")
    up.plays(up.jump("b", "a"))
    assert up.told(CardTurnedUp)[0].frightened
    assert not up.told(HeroKilled)


@pytest.mark.clause("SM-HERO-JUMP-3", "SM-AMB-10")
def test_a_jump_may_end_in_a_line_or_diagonally_and_names_the_card_it_skips() -> None:
    scene = Scene(BLOCK, {"c": "corridor", "d": "corridor"})
    for landing, over in (("b", "a"), ("f", "c"), ("d", "a"), ("d", "c")):
        scene.grants(scene.jump(landing, over))
    scene.plays(scene.jump("d", "c"))
    assert scene.up() == "cd"


@pytest.mark.clause("SM-AMB-10")
def test_what_is_no_jump_is_refused() -> None:
    scene = Scene(STAIRS, up="a")
    scene.refuses(Jump(1, 1, Place(0, 1)), "jump_over_nothing", "SM-AMB-10")
    scene.refuses(Jump(0, 0, Place(1, 0)), "jump_goes_onward", "SM-AMB-10")
    scene.refuses(Jump(2, 0, Place(1, 0)), "no_card_there", "SM-AMB-10")
    scene.refuses(scene.jump("c", "b"), "jump_skips_a_side_neighbour", "SM-AMB-10")
    scene.refuses(scene.jump("c", "a"), "jump_lands_beside_the_skipped", "SM-AMB-10")


@pytest.mark.clause("SM-AMB-10")
def test_the_skipped_card_is_named_only_where_two_can_be_skipped() -> None:
    scene = Scene(BLOCK, {"c": "corridor", "d": "corridor"})
    scene.refuses(Jump(1, 1), "name_the_skipped_card", "SM-AMB-10")
    ruling = judge_move(scene.state, HERO, Jump(1, 1))
    assert ruling.params == {"x": 1, "y": 1, "first": "(1|0)", "second": "(0|1)"}
    offered = {move for move in find_legal_moves(scene.state, HERO) if isinstance(move, Jump) and not move.attack}
    assert offered == {Jump(2, 0), Jump(0, 2), Jump(1, 1, Place(1, 0)), Jump(1, 1, Place(0, 1))}
    scene.grants(scene.jump("b", "a"))  # it may be named all the same
    scene.plays(Jump(0, 2))
    assert scene.told(HeroJumped) == [HeroJumped(0, 2, (0, 1), attack=False, onto="down")]
    assert scene.up() == "cf"


@pytest.mark.clause("SM-AMB-10")
def test_around_a_corner_the_only_card_between_is_the_skipped_one() -> None:
    scene = Scene(STAIRS, {"a": "corridor", "b": "corridor"})
    assert Jump(1, 1) in set(find_legal_moves(scene.state, HERO))
    scene.plays(Jump(1, 1))
    assert scene.told(HeroJumped) == [HeroJumped(1, 1, (1, 0), attack=False, onto="down")]
    far = Scene(["Eab", "..c", "fed"], {"a": "corridor", "f": "corridor"})
    far.refuses(Jump(0, 2), "jump_over_nothing", "SM-HERO-JUMP-3", "SM-AMB-10")
    far.refuses(Jump(2, 1), "jump_is_two_steps", "SM-HERO-JUMP-1", "SM-AMB-10")
    far.refuses(Jump(1, 0), "jump_is_two_steps", "SM-AMB-10")
    far.refuses(Jump(0, 0), "jump_goes_onward", "SM-AMB-10")
    far.refuses(Jump(-1, 1), "jump_over_nothing", "SM-HERO-JUMP-3")


@pytest.mark.clause("SM-AMB-12", "SM-AMB-12-R2", "SM-HERO-KNOWN-1")
def test_each_reading_of_entering_a_known_active_monster_is_read_aloud_as_it_is() -> None:
    first = Scene(LINE, {"a": "mantis"}, up="a")
    aloud = rule_on_position(GAME, first.data, HERO, first.explore("a"))["aloud"]
    assert "and is killed by it, so the referee asks for confirmation first." in aloud["en"]
    assert "darf ein Monster betreten, das bekanntlich aktiv ist" in aloud["de"]
    other = {**first.data, "readings": {"SM-AMB-12": 2}}
    aloud = rule_on_position(GAME, other, HERO, first.explore("a", sure=True))["aloud"]
    assert "a monster known to be active without an attack" in aloud["en"].rpartition("Here it is read like this: ")[2]
    assert "das bekanntlich aktiv ist" in aloud["de"].rpartition("Hier wird es so gelesen: ")[2]
    for name in ("SM-AMB-12", "SM-AMB-12-R2"):  # people quote a reading alone, so it says what it is about
        said = GAME.rulebook.clauses[name].says
        assert "a monster known to be active" in said["en"].partition(".")[0]
        assert "das bekanntlich aktiv ist" in said["de"].partition(".")[0]


@pytest.mark.clause("SM-AMB-10")
def test_entrance_up_cards_and_known_monsters_may_be_skipped_and_up_cards_and_entrance_landed_on() -> None:
    over_entrance = Scene(CROSS, up="b", hero="b")
    over_entrance.plays(over_entrance.jump("c", "E"))
    assert over_entrance.up() == "bc"
    over_monster = Scene(LINE, {"a": "mantis", "b": "corridor"}, up="ab")
    over_monster.plays(over_monster.jump("b", "a"))
    assert over_monster.state.hero_spot == over_monster.at["b"]
    assert over_monster.state.idle == 1  # nothing was turned up
    onto_entrance = Scene(LINE, up="ab", hero="b")
    onto_entrance.grants(onto_entrance.jump("E", "a"))


@pytest.mark.clause("SM-HERO-BOTH-1", "SM-AMB-11")
def test_an_attack_in_a_jump_hits_the_landing_card_only_and_spends_both_skills() -> None:
    scene = Scene(LINE, {"a": "dragon", "b": "mantis"})
    scene.plays(scene.jump("b", "a", attack=True))
    assert scene.told(MonsterKilled) == [MonsterKilled(2, 0, "mantis")]
    assert scene.tile("a").alive is True
    assert (scene.state.is_attack_ready(), scene.state.is_jump_ready()) == (False, False)


@pytest.mark.clause("SM-HERO-KNOWN-1", "SM-AMB-12")
def test_a_known_active_monster_lives_on_and_entering_it_has_to_be_confirmed() -> None:
    scene = Scene(LINE, {"a": "mantis"}, up="a")
    assert (scene.tile("a").active, scene.tile("a").alive) == (True, True)
    scene.refuses(scene.explore("a"), "sure_to_die", "SM-AMB-12")
    scene.grants(scene.explore("a", attack=True))
    scene.grants(scene.jump("b", "a"))
    scene.plays(scene.explore("a", sure=True))
    assert scene.told(HeroKilled)


@pytest.mark.clause("SM-AMB-12", "SM-AMB-12-R2", "SM-HERO-KNOWN-1")
def test_by_the_other_reading_a_known_active_monster_is_gone_round_or_killed_and_never_entered() -> None:
    scene = Scene(LINE, {"a": "mantis", "c": "kraken"}, up="ac", readings={"SM-AMB-12": 2})
    for entering in (scene.explore("a"), scene.explore("a", sure=True)):
        scene.refuses(entering, "round_it_or_kill_it", "SM-AMB-12-R2", "SM-HERO-KNOWN-1")
    scene.refuses(scene.explore("a", attack=True, sure=True), "nothing_to_be_sure_of", "SM-AMB-12-R2")
    scene.plays(scene.jump("b", "a"))
    scene.plays(scene.explore("c"))
    scene.refuses(scene.explore("c", sure=True), "no_waiting")
    scene.plays(scene.explore("b"))
    scene.refuses(scene.explore("a"), "round_it_or_kill_it")
    scene.plays(scene.explore("a", attack=True))
    assert GAME.find_outcome(scene.state) is None


@pytest.mark.clause("SM-AMB-12-R2")
def test_by_the_other_reading_nobody_lands_on_a_known_active_monster_either() -> None:
    scene = Scene(LINE, {"b": "mantis"}, up="b", readings={"SM-AMB-12": 2})
    for landing in (scene.jump("b", "a"), scene.jump("b", "a", sure=True)):
        scene.refuses(landing, "round_it_or_kill_it", "SM-AMB-12-R2")
    scene.grants(scene.jump("b", "a", attack=True))
    assert not [move for move in find_legal_moves(scene.state, HERO) if getattr(move, "sure", False)]


@pytest.mark.clause("SM-AMB-12")
def test_there_is_nothing_to_confirm_elsewhere_and_a_harmless_monster_is_entered_freely() -> None:
    scene = Scene(LINE, {"a": "kraken"}, up="a")
    scene.refuses(scene.explore("a", sure=True), "nothing_to_be_sure_of", "SM-AMB-12")
    scene.refuses(scene.explore("a", attack=True, sure=True), "nothing_to_be_sure_of", "SM-AMB-12")
    scene.plays(scene.explore("a"), scene.explore("b"), scene.explore("a"))
    assert GAME.find_outcome(scene.state) is None


@pytest.mark.clause("SM-AMB-12")
def test_landing_on_a_known_active_monster_has_to_be_confirmed_too() -> None:
    scene = Scene(LINE, {"b": "mantis"}, up="b")
    scene.refuses(scene.jump("b", "a"), "sure_to_die", "SM-AMB-12")
    scene.plays(scene.jump("b", "a", sure=True))
    assert scene.told(HeroKilled)


@pytest.mark.clause("SM-HERO-EXIT-1")
@pytest.mark.parametrize("up", ["", "b"])
def test_reaching_the_exit_ends_the_phase_whether_it_was_up_or_down(up: str) -> None:
    scene = Scene(LINE, {"b": "exit"}, up=up)
    scene.plays(scene.explore("a"), scene.explore("b"))
    assert scene.told(ExitReached) == [ExitReached(2, 0, by="step")]
    assert GAME.find_outcome(scene.state) is not None


@pytest.mark.clause("SM-HERO-EXIT-1", "SM-AMB-9")
def test_a_jump_onto_the_exit_leaves_the_skipped_card_down() -> None:
    scene = Scene(LINE, {"a": "mantis", "b": "exit"})
    scene.plays(scene.jump("b", "a"))
    assert scene.up() == "b"
    assert [event.card for event in scene.told(CardTurnedUp)] == ["exit"]


@pytest.mark.clause("SM-AMB-16")
def test_up_cards_and_the_entrance_are_walked_over_again_and_the_entrance_is_no_exit() -> None:
    scene = Scene(LINE, floor=3)
    for _ in range(3):
        scene.plays(scene.explore("a"), scene.explore("E"))
        assert not scene.told(ExitReached)
    assert scene.state.hero_spot == (0, 0)


@pytest.mark.clause("SM-HERO-ATTACK-1", "SM-HERO-SKILL-1")
def test_a_dead_monster_has_spent_the_attack_and_is_not_attacked_again() -> None:
    for known in ({"attack_ready": False}, {"attack_ready": None}):
        scene = Scene(LINE, {"a": "mantis"}, up="a", dead=["a"], **known)
        scene.refuses(scene.explore("a", attack=True), "attack_is_spent", "SM-HERO-SKILL-1")
        scene.refuses(scene.explore("a", sure=True), "nothing_to_be_sure_of")
        scene.grants(scene.explore("a"))


def test_the_near_misses_are_refused_and_every_other_move_that_comes_to_mind_is_legal() -> None:
    scene = Scene(BLOCK, {"a": "kraken", "c": "corridor"}, up="ac", attack_ready=True, jump_ready=False)
    seen = list(judge_candidates(scene.state, HERO))
    assert len({move for move, _ in seen}) == len(seen)
    for move, against in seen:
        assert judge_move(scene.state, HERO, move).granted is (against is None)
    reasons = {against.reason for _, against in seen if against}
    assert reasons >= {"never_diagonally", "no_waiting", "no_card_there", "jump_is_spent", "attack_is_pointless"}
    assert "sure_to_die" in reasons  # the kraken is active there


@pytest.mark.clause("TABLE-HOUSE-1")
def test_a_house_ruling_lets_the_hero_enter_what_the_other_reading_barred() -> None:
    scene = Scene(LINE, {"a": "mantis"}, up="a", readings={"SM-AMB-12": 2})
    entering = scene.explore("a", sure=True)
    scene.refuses(entering, "round_it_or_kill_it", "SM-AMB-12-R2")
    before = Match(id="m", game="shy_monsters", ruleset="1", readings={"SM-AMB-12": 2}, state=scene.state)
    after = HouseReadingAdopted("SM-AMB-12", 1).apply(before)
    assert after.state is not None
    assert judge_move(after.state, HERO, entering).granted
    assert entering in list(find_legal_moves(after.state, HERO))
    back = HouseReadingAdopted("SM-AMB-12", 2).apply(after)
    assert back == before
