"""A tournament on a terminal: the round, the standings, what waits."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from rich.console import Console
from rich.table import Table

from referee.cli.client import ApiClient, ProblemError
from referee.cli.commands.tournaments.hosting import ENGLISH, build_path, choose_words, connect
from referee.cli.output import print_json
from referee.engine.rulebook.messages import fill_names
from referee.infrastructure.settings import Settings

FORBIDDEN = 403


def show_tournament(settings: Settings, tournament: str, token: str | None, lang: str, *, as_json: bool) -> None:
    """Print a tournament as the caller may see it.

    Raises ProblemError, ApiUnavailableError.
    """
    client = connect(settings, token, ENGLISH if as_json else lang)
    view = client.get(build_path(tournament)).body
    queue = _read_queue(client, tournament) if view["you"]["host"] or view["you"]["officer"] is not None else []
    if as_json:
        print_json({"tournament": view, "queue": queue})
        return
    words, console = choose_words(lang), Console(highlight=False)
    names = {each["player"]: name_player(each, words) for each in view["players"]}
    console.print(f"[bold]{view['format']['game']}[/bold] {tournament}: {words[view['status']]}")
    if view["rounds"]:
        print_round(console, view, names, words)
    if view["standings"]:
        print_standings(console, view, names, words)
    if queue:
        console.print(f"\n[bold]{words['queue']}[/bold]")
        for item in queue:
            console.print(f"  {fill_names(item['says'][lang], names)}  [dim]{item['item']}[/dim]")


def _read_queue(client: ApiClient, tournament: str) -> list[dict[str, Any]]:
    """Return what waits for officials.

    Nothing for a host who plays, who may not see it.
    """
    try:
        items: list[dict[str, Any]] = client.get(build_path(tournament, "/queue")).body["items"]
    except ProblemError as refused:
        if refused.status != FORBIDDEN:
            raise
        return []
    return items


def name_player(player: dict[str, Any], words: dict[str, str]) -> str:
    """Return what a player is called."""
    number = player["player"] + 1
    return player["name"] or words["player" if player["bot"] is None else "bot"].format(n=number)


def print_round(console: Console, view: dict[str, Any], names: dict[int, str], words: dict[str, str]) -> None:
    """Print the tables of the last round."""
    one = view["rounds"][-1]
    planned = words["of"].format(n=view["planned_rounds"]) if view["planned_rounds"] else ""
    shown = Table(title=words["round"].format(n=one["round"]) + planned, title_justify="left")
    for name in ("table", "players", "result", "time"):
        shown.add_column(words[name])
    for table in one["tables"]:
        players = ", ".join(names[each] for each in table["players"])
        shown.add_row(str(table["table"]), players, describe_result(table, names, words), describe_time(table, words))
    for player in one["byes"]:
        shown.add_row("–", names[player], words["bye"], "")
    console.print(shown)


def describe_result(table: dict[str, Any], names: dict[int, str], words: dict[str, str]) -> str:
    """Return how a table ended, and whether that is final."""
    result = table["result"]
    if result is None:
        return words["open"]
    first = result["placement"][0] if result["placement"] else []
    said = words["won"].format(name=names[first[0]]) if len(first) == 1 else words["drawn" if first else "nobody"]
    return f"{said} ({words['final' if table['final'] else 'disputed' if table['disputed'] else 'reported']})"


def describe_time(table: dict[str, Any], words: dict[str, str]) -> str:
    """Return what is left of a table's time."""
    if table["ends_at"] is None or table["final"]:
        return ""
    left = int((datetime.fromisoformat(table["ends_at"]) - datetime.now(UTC)).total_seconds())
    return words["up"] if left <= 0 else f"{left // 60}:{left % 60:02d}"


def print_standings(console: Console, view: dict[str, Any], names: dict[int, str], words: dict[str, str]) -> None:
    """Print the standings with the announced tie-breaks."""
    shown = Table(title=words["standings"], title_justify="left")
    for name in ("rank", "name", "points"):
        shown.add_column(words[name], justify="left" if name == "name" else "right")
    tiebreaks = view["format"]["tiebreaks"]
    for name in tiebreaks:
        shown.add_column(words[f"tiebreak_{name}"], justify="right")
    for row in view["standings"]:
        values = (row["tiebreaks"].get(name) or "" for name in tiebreaks)
        shown.add_row(str(row["rank"]), names[row["player"]], row["points"], *values)
    console.print(shown)
