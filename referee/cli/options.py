"""The options that many commands share, and the settings they change."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import click
from dotenv.parser import parse_stream

from referee.infrastructure.settings import PREFIX, Settings, SettingsError, list_variables, read_settings

SECTIONS = {  # of the commands in the help of the program
    "Begin": ("serve", "demo", "doctor"),
    "Play and watch": ("play", "watch", "tournament"),
    "Ask about rules": ("judge", "rules", "precedents", "mcp", "cards"),
    "Read, check and move matches": ("show", "export", "verify", "import", "move"),
    "Look after a server": (
        "backup", "restore", "archive", "audit", "salvage", "history", "keys", "token", "projections", "shadow", "api",
        "worker",
    ),
    "Publish what was signed": ("roots", "stamp", "witness"),
    "Research and development": ("bots", "dev", "openapi"),
}  # fmt: skip

AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON value, for programs.")
URL = click.option("--url", help="The address of the API (default: REFEREE_API_URL, else http://127.0.0.1:8080).")
DATA_DIR = click.option(
    "--data-dir",
    type=click.Path(file_okay=False, path_type=Path),
    help="The server's data directory (REFEREE_DATA_DIR).",
)


class SectionedGroup(click.Group):
    """A group of commands whose help lists them by what they are for."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands into the help, section by section."""
        named = [name for names in SECTIONS.values() for name in names]
        rest = tuple(name for name in self.list_commands(ctx) if name not in named)
        width = max(map(len, self.list_commands(ctx)), default=0)
        for title, names in {**SECTIONS, "Others": rest}.items():
            commands = [(name, self.get_command(ctx, name)) for name in names]
            rows = [
                (name.ljust(width), command.get_short_help_str(formatter.width - 6 - width))
                for name, command in commands
                if command is not None and not command.hidden
            ]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def load_settings(data_dir: Path | None = None, url: str | None = None) -> Settings:
    """Return the environment's settings, changed by the options.

    Raises SettingsError if a variable is wrong.
    """
    settings = read_settings()
    if data_dir is not None:
        settings = settings.with_data_dir(data_dir.expanduser().absolute())
    return settings if url is None else replace(settings, api_url=url)


def read_env_file(_context: click.Context, _option: click.Parameter, path: Path | None) -> None:
    """Take the settings in a file of variables into the environment.

    What the environment has already counts more. Variables of other programs in the file are left alone. Raises
    SettingsError if a line cannot be read or names no setting.
    """
    if path is None:
        return
    problems: dict[str, list[str]] = {}
    found: dict[str, str] = {}
    with path.open(encoding="utf-8") as lines:
        for each in parse_stream(lines):
            text = each.original.string
            blank = text[: len(text) - len(text.lstrip())].count("\n")  # lines that were read along with it
            place = f"{path}, line {each.original.line + blank}"
            if each.error or (each.key is not None and each.value is None):
                problems[place] = ["is no line of the form NAME=value."]
            elif each.key is not None and each.key.startswith((PREFIX, "OTEL_")):
                if each.key.startswith(PREFIX) and each.key not in list_variables():
                    problems[place] = [f"{each.key} is no setting; .env.example lists them all."]
                found[each.key] = each.value or ""
    if problems:
        raise SettingsError(problems)
    for name, value in found.items():
        os.environ.setdefault(name, value)


ENV_FILE = click.option(
    "--env-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    callback=read_env_file,
    expose_value=False,
    is_eager=True,
    metavar="FILE",
    help="Read settings from FILE, one NAME=value a line; the environment counts more.",
)
