"""Draws the situation of a seat as text, from the classes that were generated from the contract and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

BOARDS = {  # class: the line over the seats, and that of a seat
    "MauMauBoard": ("wish {0.wish}, due {0.due}, last turn {0.last_turn}", "{0.is_out}"),
    "MonsterCombatBoard": (
        "phase {0.phase}, {0.direction}",
        "{0.hearts}/{0.of_hearts} hearts, out {0.is_out}, immune {0.is_immune}, skipped {0.is_skipped}",
    ),
    "ShyMonstersBoard": (
        "game {0.match_game}/{0.match_games}, floor {0.floor}/{0.floors}, hero {0.hero}, {0.skills.attack}",
        "{0.role}, {0.wins} wins",
    ),
    "CreatureCrushBoard": (
        "phase {0.phase}, dice {0.dice.left}, quiet {0.quiet_turns}/{0.most_quiet_turns}",
        "{0.cards_left} cards left, {0.extra_dice} more dice, hell {0.hell.count}",
    ),
    "MunchkinBoard": (
        "phase {0.phase}, to level {0.goal}",
        "level {0.level}, strength {0.strength}, dead {0.is_dead}, items {0.items.count}, curses {0.curses.count}",
    ),
    "HereToSlayBoard": (
        "won by {0.won_by}, row {0.row}",
        "{0.points}/{0.of_points} points, {0.of_classes} classes, leader {0.leader}, party {0.party}, {0.lasting}",
    ),
}
RUNNING = {  # class: the line of something that is going on
    "MonsterCombatAttack": "{0.by} attacks {0.seats}: {0.strength}",
    "MonsterCombatTheft": "{0.by} takes {0.count} cards from {0.victim}",
    "CreatureCrushAttack": "{0.seat} attacks: {0.damage}, back {0.block_damage}, fails {0.fails}",
    "CreatureCrushChain": "chain of {0.effects}, window {0.window}",
    "CreatureCrushOrdering": "{0.seat} orders {0.left} after {0.chosen}",
    "CreatureCrushCarriedOut": "{0.card.id}: {0.part} for {0.seat}",
    "CreatureCrushChoice": "{0.seat} chooses {0.count}: {0.about} {0.pips}",
    "CreatureCrushRandom": "{0.count} at random of {0.candidates}",
    "CreatureCrushLoss": "{0.seat} loses {0.count} of {0.source}",
    "CreatureCrushDestroying": "destroyed: {0.cards}",
    "CreatureCrushRoll": "{0.seat} rolls {0.dice} dice: {0.rolls}",
    "CreatureCrushStartRoll": "who begins: {0.rolled}",
    "CreatureCrushDraft": "round {0.round_}/{0.rounds}: keep {0.keep} of {0.drawn}: {0.waiting}",
    "CreatureCrushDecks": "decks of {0.waiting}",
    "CreatureCrushDrawOffer": "{0.seat} offers a draw",
    "CreatureCrushReport": "report {0.reports} at {0.place}",
    "HereToSlayRoll": "{0.seat} rolls {0.dice} for {0.rolls} {0.card.id}: {0.values} = {0.total}, needs {0.needs}, "
    "back at {0.fights_back_at}: {0.outcome} {0.targets} {0.target_seats}, asked {0.asked}, passed {0.passed}",
    "HereToSlayChallenge": "{0.card.id} of {0.seat}: {0.challenger} and {0.challenged}: {0.stands}, asked {0.asked}",
    "HereToSlayPlay": "{0.seat} plays {0.card.id}, open {0.is_open}, asked {0.asked}, passed {0.passed}",
    "HereToSlayText": "{0.card.id} ({0.part}) for {0.seat}: {0.targets} {0.target_seats} {0.is_naming_targets}",
    "HereToSlayWaitingTexts": "then {0.texts}",
    "HereToSlayChoice": "{0.seat} chooses: {0.about} {0.card} {0.cards}",
    "HereToSlaySecretChoice": "{0.about} {0.least} to {0.most} for {0.card}, to {0.to}: {0.waiting}, not {0.chosen}",
    "HereToSlayRemoval": "{0.seat}: {0.how} {0.hero.id}",
    "HereToSlayDraw": "{0.seat} draws {0.count}",
    "HereToSlayPull": "{0.seat} pulls {0.count} from {0.victim}",
    "HereToSlayReport": "report {0.reports} at {0.place}: {0.count}",
    "HereToSlayStartRoll": "{0.seats} roll: {0.rolled}",
    "HereToSlayLeaderChoice": "{0.waiting} choose leaders, at once {0.is_at_once}",
    "MunchkinStartRoll": "{0.seats} roll: {0.rolled}",
    "MunchkinFlight": "{0.seat} runs from {0.monster}: {0.total}, needs {0.need}",
    "MunchkinDie": "{0.seat} rolls for {0.card}: {0.total}",
    "MunchkinCurse": "{0.card.id} strikes {0.victim}: {0.state}",
    "MunchkinText": "{0.card} ({0.part}) for {0.seat}",
    "MunchkinChoice": "{0.seat} chooses: {0.about} {0.count} {0.owed}",
    "MunchkinTreasures": "treasures for {0.picks}",
    "MunchkinLooting": "{0.order} loot {0.dead}",
    "MunchkinCharity": "{0.seat} gives {0.count} to {0.to}",
    "MunchkinReport": "report {0.of} at {0.place}: {0.count}",
}


def draw_situation(situation: Any) -> list[str]:
    """Draw a situation: the board, what counts, what is asked, and the buttons."""
    view, moves = situation.view, situation.moves
    lines = [f"v{view.version} {view.status}, waiting for {view.awaits}"]
    lines += [
        f"{each.seat}: {each.name} {each.color} {each.kind} {each.level} {each.is_taken} {each.is_connected}"
        for each in view.seats
    ]
    lines += draw_board(view.board)
    lines += [line for term in view.sums for line in draw_sum(term, 0)]
    lines += [] if view.question is None else [f"? {view.question.asks.de}"]
    lines += [] if view.outcome is None else [f"won: {view.outcome.winners}: {view.outcome.reason.de}"]
    for group in moves.groups:
        lines.append(f"== {group.says.de}")
        under = [each for each in moves.legal if each.move.type_ == group.type_]
        lines += [f"  ({each.told.de}) {each.cards} {each.seats} {each.flag}" for each in under]
    for picker in moves.pickers:
        lines.append(f"== {picker.says.de} …")
        lines += [f"  {each.field}: {each.kind} {each.values} {each.least} {each.most}" for each in picker.choices]
    return lines


def draw_entry(entry: Any) -> list[str]:
    """Draw what an entry tells: its sentence, the cards that move, the numbers that change."""
    moved = [f"  {each.from_} > {each.to}: {[card.id for card in each.cards]} {each.was}" for each in entry.transfers]
    changed = [f"  {each.seat} {each.what}: {each.from_} > {each.to} ({each.at})" for each in entry.changes]
    return [f"{entry.version}. {entry.says.de}", *moved, *changed]


def draw_board(board: Any) -> Iterator[str]:
    """Yield the lines of a board."""
    table, of_seat = BOARDS[type(board).__name__]
    yield f"{board.variant}, turn {board.turn_number} of {board.turn}"
    yield table.format(board)
    yield from map(draw_pile, board.piles)
    for seat in board.seats:
        yield f"{seat.seat}: {of_seat.format(seat)}"
        yield draw_pile(seat.hand)
    for running in list_running(board):
        yield "> " + RUNNING[type(running).__name__].format(running)


def list_running(board: Any) -> list[Any]:
    """List what is going on: nothing, one thing, or several."""
    running = getattr(board, "running", None)
    return running if isinstance(running, list) else [] if running is None else [running]


def draw_pile(pile: Any) -> str:
    """Draw cards at a place; None where there is no such place."""
    if pile is None:
        return ""
    names = [card.id if card.name is None else card.name.de for card in pile.cards]
    return f"{pile.label.de} ({pile.count}) {', '.join(names)}"


def draw_sum(term: Any, depth: int) -> Iterator[str]:
    """Yield the lines of a sum, with its parts below it."""
    yield f"{'  ' * depth}{term.value} {term.says.de} ({term.clause})"
    for part in term.parts:
        yield from draw_sum(part, depth + 1)
