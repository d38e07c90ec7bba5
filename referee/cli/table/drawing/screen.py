"""Draws the whole screen as lines, from what is known of the match."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from rich.console import Console
from rich.text import Text

from referee.cli.table.drawing.board import draw_board, mark_seat
from referee.cli.table.drawing.letters import draw_large
from referee.cli.table.drawing.prompts import Prompt, Sheet
from referee.cli.table.offers import KEYS, Offer, list_calls, list_offers
from referee.cli.table.state import TableState
from referee.rendering.html import sanitize_line

CALL = "bold #14201d on #ffc91f"  # "now", and nothing else
TWO_COLUMNS = 72  # a narrower screen has the table below the moves
LARGE_FROM = 20  # lines
WRAPPER = Console(width=80, color_system=None, highlight=False)


@dataclass
class Shown:
    """What the person at the screen has opened."""

    is_hand_open: bool = False
    page: int = 0
    prompt: Prompt | None = None
    flash: str = ""
    is_sending: bool = False
    title: str = ""


@dataclass
class Screen:
    """The lines of the screen, and what its keys do."""

    lines: list[Text]
    keys: dict[str, Offer] = field(default_factory=dict)
    pages: int = 1

    @property
    def width(self) -> int:
        """Return the columns of the screen."""
        return max((line.cell_len for line in self.lines), default=80)


def wrap_text(text: Text, width: int, *, hanging: int = 0) -> list[Text]:
    """Break a line at the width; the lines below it begin with `hanging` blanks."""
    first, *rest = text.wrap(WRAPPER, max(8, width - hanging)) or [Text()]
    return [first, *(Text(" " * hanging) + line for line in rest)]


def draw_screen(state: TableState, shown: Shown, width: int, height: int) -> Screen:
    """Return the screen at this size."""
    words = state.words
    top = [_draw_bar(state, shown, width)]
    if state.view is None:
        text = state.refusal.body.get("detail", "") if state.refusal else words.t("loading")
        return Screen(_fill([*top, *wrap_text(Text(text), width)], width, height))
    top += _draw_headline(state, width, height)
    below = _draw_hand(state, shown, width, height)
    log = _draw_log(state, shown, width, height // 8 if height >= LARGE_FROM else 1)
    room = height - len(top) - len(below) - len(log) - 1
    if isinstance(shown.prompt, Sheet):
        return Screen(
            _fill(
                [*top, *shown.prompt.draw(words, partial(wrap_text, width=width, hanging=2), height - 4)], width, height
            )
        )
    is_wide = width >= TWO_COLUMNS
    left_width = width * 3 // 5 if is_wide else width
    table = _draw_table(state, width - left_width - 2 if is_wide else width)
    left, keys, pages = _draw_left(
        state, shown, left_width, room if is_wide else max(room * 2 // 3, room - len(table) - 1)
    )
    body = _join_columns(left, table, left_width, room) if is_wide else [*left, _rule(width), *table]
    body = [*body[:room], *(Text() for _ in range(room - len(body)))]
    help_line = _draw_help(state, shown, pages)
    return Screen(_fill([*top, *body, *below, *log, help_line], width, height), keys, pages)


def _fill(lines: list[Text], width: int, height: int) -> list[Text]:
    """Return exactly as many lines as the screen has, none of them wider."""
    lines = [*lines[:height], *(Text() for _ in range(height - len(lines)))]
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return lines


def _rule(width: int) -> Text:
    return Text("─" * width, style="dim")


def _draw_bar(state: TableState, shown: Shown, width: int) -> Text:
    """Return the bar at the top: game and time, or that the connection is lost."""
    words = state.words
    if state.is_lost:
        text = words.t("lost_pending" if shown.is_sending else "lost")
        return Text(f" {text}".ljust(width), style="bold white on #a61b12")
    right = _count_down(state) or (words.t("watching") if state.seat is None else f"v{state.version}")
    title = f" Referee · {shown.title}" if shown.title else " Referee"
    bar = Text(title, style="reverse")
    bar.truncate(max(1, width - len(right) - 2), pad=True)
    bar.append(f" {right} ", style="reverse bold")
    return bar


def _count_down(state: TableState) -> str:
    """Return the time that is left, as minutes and seconds with a bar that empties."""
    if state.deadline is None:
        return ""
    ends, limit = state.deadline
    left = max(0.0, ends - time.monotonic())
    full = math.ceil(10 * min(1.0, left / limit)) if limit else 0
    seconds = math.ceil(left)
    return f"{'█' * full}{'░' * (10 - full)} {seconds // 60}:{seconds % 60:02}"


def find_headline(state: TableState) -> str:
    """Return whose turn it is."""
    words, view = state.words, state.view
    assert view is not None
    if view["outcome"]:
        winners = view["outcome"]["winners"]
        if state.seat in winners:
            return words.t("you_won")
        if not winners:
            return words.t("nobody_wins")
        return words.t("wins" if len(winners) == 1 else "win", names=words.join([words.name_seat(w) for w in winners]))
    if view["status"] == "lobby" or not view["board"]:
        return words.t("lobby")
    if state.call is not None:
        return words.t("paused")
    turn = view["board"]["turn"]
    if state.is_mine:
        return words.t("your_turn" if turn in (state.seat, None) else "you_are_asked")
    if state.asks_for_report:
        return words.t("report_now")
    others = sorted(each for each in view["awaits"] if isinstance(each, int))
    if others == [turn] or (not others and turn is not None):
        return words.t("turn_of", name=words.name_seat(turn))
    return words.t("waiting_for", names=words.join([words.name_seat(each) for each in others])) if others else ""


def _draw_headline(state: TableState, width: int, height: int) -> list[Text]:
    text = find_headline(state)
    is_call = state.is_mine and state.view is not None and not state.view["outcome"]
    large = draw_large(text, width - 2) if height >= LARGE_FROM else None
    if large is None:
        return [Text(f" {text} ", style=CALL if is_call else "bold"), _rule(width)]
    style = "bold #c79400" if is_call else "bold"
    return [*(Text(f" {line}", style=style) for line in large), _rule(width)]


def _draw_left(state: TableState, shown: Shown, width: int, room: int) -> tuple[list[Text], dict[str, Offer], int]:
    """Return what is asked and what can be done; its keys; the number of pages."""
    words, inner = state.words, width - 1

    def wrap(text: Text) -> list[Text]:
        return wrap_text(text, inner)

    if shown.prompt is not None:
        return shown.prompt.draw(words, wrap, room), {}, 1
    head = _draw_question(state, inner)
    if shown.flash:
        head += wrap(Text(shown.flash, style="bold #d0402f"))
    offers = list_offers(state, shown.is_hand_open)
    for has_parts in (True, False):  # of the sums; the moves go before them
        sums = draw_sums(state, inner, has_parts)
        pages = _split_pages(offers, inner, max(2, room - len(head) - len(sums)))
        if len(pages) == 1:
            break
    head += sums[: max(0, room - len(head) - 2 * bool(offers))]
    page = pages[shown.page % len(pages)]
    first = sum(len(each) for each in pages[: shown.page % len(pages)])
    keys = {KEYS[at % len(KEYS)]: offer for at, offer in enumerate(page, start=first)}
    return [*head, *_draw_offers(list(keys.items()), inner)], keys, len(pages)


def _draw_question(state: TableState, width: int) -> list[Text]:
    words, view, moves = state.words, state.view, state.moves
    assert view is not None
    if view["status"] == "lobby":
        return _draw_lobby(state, width)
    if (call := state.call) is not None and not view["outcome"]:
        parts = describe_call(state, call)
        lines = [wrap_text(Text(part, style="" if at else "bold"), width - 2) for at, part in enumerate(parts)]
        return [Text.assemble(("▌ ", "#c79400"), line) for part in lines for line in part]
    question = (moves or {}).get("halted") or ((moves or view).get("question") or {}).get("asks")
    if view["outcome"]:
        question = view["outcome"]["reason"] if isinstance(view["outcome"]["reason"], dict) else None
    if not question:
        return []
    asked = wrap_text(Text(words.say(question), style="bold" if state.is_mine else ""), width - 2)
    return [Text.assemble(("▌ ", "#c79400" if state.is_mine else "dim"), line) for line in asked]


def describe_call(state: TableState, call: dict[str, Any]) -> list[str]:
    """Return who has called an official and why, that the clock stands, and who comes."""
    words = state.words
    until = datetime.fromisoformat(call["until"]).astimezone().strftime("%H:%M")
    who = words.t("call_open", name=words.name_seat(call["by"]), why=words.t(f"call_{call['reason']}"))
    number, name = state.coming
    comes = words.t("call_comes", name=sanitize_line(name) or words.t("call_official"))
    return [who, words.t("call_clock", time=until), *([comes] if number == call["call"] else [])]


def _draw_lobby(state: TableState, width: int) -> list[Text]:
    words, lines = state.words, []
    for seat in (state.about or {"seats": []})["seats"]:
        mark = mark_seat(seat["seat"], words)
        if seat["kind"] == "bot":
            mark.append(f"  {words.t('lobby_bot', level=seat['level'])}", style="dim")
        elif not seat["taken"]:
            mark.append(f"  {words.t('lobby_free')}", style="dim")
        lines.append(mark)
    return [*lines, Text(), *wrap_text(Text(words.t("lobby_wait")), width)]


def draw_sums(state: TableState, width: int, has_parts: bool) -> list[Text]:
    """Return what counts now: each sum, perhaps with its parts."""
    assert state.view is not None
    lines = []
    for total in state.view["sums"]:
        text = f"{total['value']:>4}  {state.words.say(total['says'])}"
        lines += wrap_text(Text(text, style="bold"), width, hanging=6)
        for part in total["parts"] if has_parts else ():
            lines += wrap_text(Text(f"{part['value']:>+6}  {state.words.say(part['says'])}"), width, hanging=8)
    return lines


def _split_pages(offers: list[Offer], width: int, room: int) -> list[list[Offer]]:
    """Spread the offers over pages that fit and have a key for each."""
    pages: list[list[Offer]] = [[]]
    for offer in offers:
        fuller = [("1", each) for each in [*pages[-1], offer]]
        if pages[-1] and (len(fuller) > len(KEYS) or len(_draw_offers(fuller, width)) > room):
            pages.append([])
        pages[-1].append(offer)
    return pages


def _draw_offers(keyed: list[tuple[str, Offer]], width: int) -> list[Text]:
    lines: list[Text] = []
    group = ""
    for key, offer in keyed:
        if offer.group and offer.group not in (group, offer.text.rstrip(".…? ")):
            lines += wrap_text(Text(offer.group, style="dim italic"), width)
        group = offer.group
        is_near = offer.kind == "why"
        sign = Text.assemble((f" {key} ", "dim reverse" if is_near else "reverse bold"), " ")
        text = Text(f"{offer.text} ?" if is_near else offer.text, style="dim" if is_near else "")
        first, *rest = wrap_text(text, width - 4)
        lines += [sign + first, *(Text("    ") + line for line in rest)]
    return lines


def _draw_table(state: TableState, width: int) -> list[Text]:
    """Return the lines of the board, broken at the width."""
    board = state.view["board"] if state.view else None
    if not board:
        return []
    lines = []
    for line in draw_board(board, state.words):
        indent = len(line.plain) - len(line.plain.lstrip())
        lines += wrap_text(line, width, hanging=min(indent + 2, width // 2))
    return lines


def _join_columns(left: list[Text], right: list[Text], left_width: int, room: int) -> list[Text]:
    """Put the table beside the moves; what does not fit of it is marked."""
    if len(right) > room:
        right = [*right[: room - 1], Text("…", style="dim")]
    rows = []
    for at in range(room):
        row = left[at].copy() if at < len(left) else Text()
        row.truncate(left_width - 1, pad=True)
        row.append("│ ", style="dim")
        rows.append(row + right[at] if at < len(right) else row)
    return rows


def _draw_hand(state: TableState, shown: Shown, width: int, height: int) -> list[Text]:
    """Return the hand, covered unless it was opened."""
    hand, words = state.hand, state.words
    if hand is None or state.status == "lobby":
        return []
    cards, line = hand["cards"], Text()
    if not cards:
        text = words.t("hand_real", n=hand["count"]) if hand["count"] else words.t("hand_empty")
        return [_rule(width), Text(f" {text}", style="dim")]
    if not shown.is_hand_open:
        line.append(f" {'▒' * min(len(cards), 12)} ", style="bold")
        return [_rule(width), line.append(words.t("hand_show", n=len(cards)), style="dim")]
    playable = {card for legal in (state.moves or {"legal": []})["legal"] for card in legal["cards"]}
    is_roomy = height >= 30
    lines = []
    for card in cards:
        mark = f"{card['card']}!{card['back']}" if card["back"] else card["card"]
        style = "bold" if {mark, card["card"]} & playable else ""
        back = f" ({words.name_back(card['back'])})" if card["back"] else ""
        name = Text(f"{words.name_card(card)}{back}", style=style)
        if is_roomy:
            says = words.say(words.cards.get(card["card"], {}).get("text"))
            lines.append(Text.assemble(" ", name, (f"  {says}", "dim")))
        else:
            line = Text(" · ").join([line, name]) if line else Text(" ") + name
    lines = [each for long in lines or [line] for each in wrap_text(long, width, hanging=1)]
    most = height // 4 if height >= LARGE_FROM else 1
    return [_rule(width), *lines[:most]]


def _draw_log(state: TableState, shown: Shown, width: int, most: int) -> list[Text]:
    """Return the latest sentences, the newest last and brighter."""
    sentences = state.list_happened(shown.is_hand_open)[-most:]
    lines: list[Text] = []
    for at, sentence in enumerate(sentences):
        style = "" if at == len(sentences) - 1 else "dim"
        lines += wrap_text(Text(f"· {sentence}", style=style), width, hanging=2)
    return [_rule(width), *lines[-most:], *(Text() for _ in range(most - len(lines)))]


def _draw_help(state: TableState, shown: Shown, pages: int) -> Text:
    """Return what the other keys do."""
    words, hints = state.words, []
    if shown.is_sending:
        hints.append(words.t("sending"))
    if pages > 1:
        hints.append(words.t("keys_more", page=shown.page % pages + 1, pages=pages))
    if shown.is_hand_open and state.hand and state.hand["cards"]:
        hints.append(words.t("hand_hide"))
    if calls := list_calls(state):
        hints.append(words.t("keys_withdraw" if calls[0].kind == "withdraw" else "keys_call"))
    hints += [words.t("keys_table"), words.t("keys_log"), words.t("keys_quit")]
    return Text(f" {' · '.join(hints)}", style="dim")


def find_title(about: dict[str, Any], games: list[dict[str, Any]], lang: str) -> str:
    """Return the title of a match's game."""
    titles = [game["title"] for game in games if game["name"] == about["game"]]
    return str(titles[0].get(lang) or next(iter(titles[0].values()))) if titles else str(about["game"])
