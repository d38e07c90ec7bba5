"""`referee bots list`: the levels and their measured strength."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from rich.markup import escape

from referee.bots.levels import BOT_LEVELS, BOT_STYLES
from referee.bots.tournaments.players import list_minds
from referee.bots.tournaments.statistics import compute_wilson_interval
from referee.cli.commands.bots.words import say
from referee.cli.output import make_console, print_json
from referee.games import load_games


def print_bots(lang: str, *, as_json: bool) -> None:
    """Print the levels, what they look at, and how they fared in each game."""
    if as_json:
        print_json({"levels": BOT_LEVELS, "styles": BOT_STYLES, "minds": list(list_minds())})
        return
    out = make_console()
    for bot in BOT_LEVELS:
        out.print(f"[bold]{bot['level']}  {escape(bot['name'][lang])}[/bold]")
        out.print(f"   {escape(bot['looks_at'][lang])}")
        rows = defaultdict[str, list[str]](list)
        for row in bot["measured_strength"] or ():
            rows[row["game"]].append(describe_strength(row, lang))
        for game, lines in rows.items():
            out.print(f"   [dim]{escape(load_games()[game].title[lang])}[/dim]")
            for line in lines:
                out.print(f"     {escape(line)}")
        out.print()
    out.print(f"[bold]{say('styles', lang)}[/bold]")
    for style in BOT_STYLES:
        name = style["name"][lang]
        out.print(f"   [bold]{style['id']}{'' if name == style['id'] else f'  {escape(name)}'}[/bold]")
        out.print(f"   {escape(style['looks_at'][lang])}")
    out.print()
    out.print(say("minds_here", lang, minds=", ".join(list_minds())))


def describe_strength(row: dict[str, Any], lang: str) -> str:
    """Return in a line how often a level won with these levels on the seats."""
    low, high = compute_wilson_interval(row["won"], row["of"])
    seats = ", ".join(map(str, row["seats"]))
    return say(
        "strength", lang, variant=row["variant"], seats=seats, won=row["won"], of=row["of"],
        low=f"{100 * low:.0f}", high=f"{100 * high:.0f}",
    )  # fmt: skip
