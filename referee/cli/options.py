"""The options that many commands share, and the settings they change."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from referee.infrastructure.settings import Settings, read_settings

AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON value, for programs.")
URL = click.option("--url", help="The address of the API (default: REFEREE_API_URL, else http://127.0.0.1:8080).")
DATA_DIR = click.option(
    "--data-dir",
    type=click.Path(file_okay=False, path_type=Path),
    help="The server's data directory (REFEREE_DATA_DIR).",
)


def load_settings(data_dir: Path | None = None, url: str | None = None) -> Settings:
    """Return the environment's settings, changed by the options.

    Raises SettingsError if a variable is wrong.
    """
    settings = read_settings()
    if data_dir is not None:
        settings = settings.with_data_dir(data_dir.expanduser().absolute())
    return settings if url is None else replace(settings, api_url=url)
