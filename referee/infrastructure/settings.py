"""All settings, read once from the environment (prefix `REFEREE_`).

`.env.example` explains each. `read_settings` returns a frozen `Settings`. It raises `SettingsError`, which names every
variable that is wrong and never quotes a value, because a URL may carry a password.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from environs import EnvError, EnvValidationError, FileAwareEnv
from marshmallow import ValidationError

from referee.infrastructure.errors import HostError
from referee.infrastructure.webhooks.url_policy import parse_networks

PREFIX = "REFEREE_"
LOG_LEVELS = ("debug", "info", "warning", "error")
STORE_SCHEMES = ("redis", "rediss", "unix", "fake")
SECRETS = ("STORE_URL", "QUEUE_URL", "TOKEN")  # each may stand in a file instead, named by <variable>_FILE


class SettingsError(HostError):
    """A setting is wrong. `problems` says what is wrong, by variable."""

    exit_code = 2

    def __init__(self, problems: dict[str, list[str]]) -> None:
        self.problems = problems
        super().__init__("\n".join(f"{name}: {' '.join(says)}" for name, says in sorted(problems.items())))


@dataclass(frozen=True)
class RateLimits:
    """How many requests a token, seat or address may make, per minute or per hour."""

    reads: int = 600
    writes: int = 120
    dry_runs: int = 60
    disputes: int = 60
    takebacks: int = 20
    bundles: int = 12
    joins: int = 10
    matches: int = 30


PER_HOUR = frozenset({"disputes", "takebacks", "matches", "bundles"})  # the others are per minute


@dataclass(frozen=True)
class Settings:
    """All settings; the fields are the variables in lower case."""

    data_dir: Path
    secret_file: Path
    signing_key_file: Path
    operator_hash_file: Path
    store_url: str | None = field(default=None, repr=False)
    store_cluster: bool = False
    store_unsafe: bool = False
    store_replicas: int = 0
    store_replicas_ms: int = 1000
    store_server: Path | None = None
    queue_url: str | None = field(default=None, repr=False)
    ephemeral: bool = False
    cards_dir: Path | None = None
    archive_dir: Path | None = None
    watermarks_dir: Path | None = None
    archive_after_days: int | None = None
    close_lobbies_after_days: int = 1
    sleep_after_days: int | None = None
    open_matches_per_account: int = 100
    open_matches_per_address: int = 300
    host: str = "127.0.0.1"
    port: int = 8080
    metrics_address: str = ""
    lan_url: str = ""
    public_url: str = ""
    allowed_hosts: tuple[str, ...] = ()
    threads: int = 256
    streams_per_token: int = 12
    streams_per_address: int = 0
    workers: int = 2
    drain_workers: int = 1
    bot_workers: int = 1
    thinker_workers: int = 1
    open_creation: bool = True
    hot_lane: bool = True
    cors_origins: tuple[str, ...] = ()
    trusted_proxies: int = 0
    webhook_allow: tuple[str, ...] = ()
    push_contact: str = ""
    rates: RateLimits = field(default_factory=RateLimits)
    log_level: str = "info"
    api_url: str = "http://127.0.0.1:8080"
    token: str | None = field(default=None, repr=False)

    @property
    def archive_path(self) -> Path:
        """The directory of archived matches; all hosts of a server need the same files."""
        return self.archive_dir or self.data_dir / "archive"

    @property
    def watermarks_path(self) -> Path:
        """The directory of what was signed; all hosts of a store need the same one."""
        return self.watermarks_dir or self.data_dir / "watermarks"

    @property
    def max_streams(self) -> int:
        """The number of streams that one API process may hold open.

        16 threads stay free for everything else.
        """
        return max(1, self.threads - 16)

    @property
    def max_streams_per_address(self) -> int:
        """The number of these that one address may hold: half, unless the setting differs."""
        return self.streams_per_address or max(1, self.max_streams // 2)

    @property
    def metrics_bind(self) -> tuple[str, int] | None:
        """The host and port where metrics are answered, or None if that is the API's own."""
        host, _, port = self.metrics_address.rpartition(":")
        return (host.strip("[]"), int(port)) if host else None

    @property
    def host_names(self) -> tuple[str, ...]:
        """The names by which this server may be called, besides localhost and addresses."""
        named = (urlsplit(url).hostname or "" for url in (self.public_url, self.lan_url))
        return tuple(name for name in (*self.allowed_hosts, self.host, *named) if name)

    def to_environment(self) -> dict[str, str]:
        """Return the variables from which `read_settings` reads these settings.

        A child process gets them. The client's token is left out, because no server needs it.
        """
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in ("rates", "token")}
        rates = {f"rate_{name}": limit for name, limit in vars(self.rates).items()}
        return {
            PREFIX + name.upper(): _format_value(value) for name, value in (plain | rates).items() if value is not None
        }

    def with_data_dir(self, data_dir: Path) -> Settings:
        """Return the same settings with all of Referee's own files in that directory."""
        return replace(
            self,
            data_dir=data_dir,
            secret_file=data_dir / "secret",
            signing_key_file=data_dir / "signing.pem",
            operator_hash_file=data_dir / "operator.sha256",
            archive_dir=None,
            watermarks_dir=None,
        )


def find_default_data_dir() -> Path:
    """Return the user's directory for data, as the platform defines it."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "referee"
    data_home = os.environ.get("XDG_DATA_HOME", "")
    base = Path(data_home) if data_home.startswith("/") else Path.home() / ".local" / "share"
    return base / "referee"


def list_variables() -> frozenset[str]:
    """Return the names of all variables that `read_settings` reads."""
    plain = {
        *("STORE_URL", "STORE_CLUSTER", "STORE_UNSAFE", "STORE_SERVER"),
        *("STORE_REPLICAS", "STORE_REPLICAS_MS", "QUEUE_URL", "EPHEMERAL", "DATA_DIR", "CARDS_DIR"),
        *("ARCHIVE_DIR", "WATERMARKS_DIR", "PUSH_CONTACT"),
        *("ARCHIVE_AFTER_DAYS", "CLOSE_LOBBIES_AFTER_DAYS", "SLEEP_AFTER_DAYS"),
        *("OPEN_MATCHES_PER_ACCOUNT", "OPEN_MATCHES_PER_ADDRESS"),
        *("STREAMS_PER_TOKEN", "STREAMS_PER_ADDRESS"),
        *(
            "HOST",
            "PORT",
            "METRICS_ADDRESS",
            "LAN_URL",
            "PUBLIC_URL",
            "ALLOWED_HOSTS",
            "THREADS",
            "WORKERS",
            "DRAIN_WORKERS",
            "BOT_WORKERS",
            "THINKER_WORKERS",
            "OPEN_CREATION",
            "HOT_LANE",
            "CORS_ORIGINS",
        ),
        "TRUSTED_PROXIES",
        *("WEBHOOK_ALLOW", "SECRET_FILE", "SIGNING_KEY_FILE", "OPERATOR_HASH_FILE", "LOG_LEVEL", "API_URL", "TOKEN"),
    }
    rates = {f"RATE_{name.upper()}" for name in RateLimits.__dataclass_fields__}
    return frozenset(PREFIX + name for name in plain | rates | {f"{name}_FILE" for name in SECRETS})


def read_settings() -> Settings:
    """Return the settings of the current environment. Raises SettingsError."""
    env = FileAwareEnv(prefix=PREFIX, eager=False, strip_whitespace=True)
    try:
        found = _build_settings(env)
        env.seal()
    except EnvValidationError as wrong:
        messages = wrong.error_messages
        raise SettingsError(
            _group_by_variable(messages if isinstance(messages, dict) else {PREFIX: messages})
        ) from None
    except (EnvError, ValueError) as wrong:  # a *_FILE that cannot be read; the message names the variable
        name = next((word for word in str(wrong).split() if word.startswith(PREFIX)), PREFIX)
        raise SettingsError({name: [str(wrong)]}) from None
    return found


def _build_settings(env: FileAwareEnv) -> Settings:
    data_dir = _read_path(env, "DATA_DIR") or find_default_data_dir()
    rates: dict[str, Any] = {
        name: env.int(f"RATE_{name.upper()}", getattr(RateLimits, name), validate=_build_range_check(1, 10**6))
        for name in RateLimits.__dataclass_fields__
    }
    return Settings(
        data_dir=data_dir,
        secret_file=_read_path(env, "SECRET_FILE") or data_dir / "secret",
        signing_key_file=_read_path(env, "SIGNING_KEY_FILE") or data_dir / "signing.pem",
        operator_hash_file=_read_path(env, "OPERATOR_HASH_FILE") or data_dir / "operator.sha256",
        store_url=env.str("STORE_URL", None, validate=_build_url_check(STORE_SCHEMES)) or None,
        store_cluster=env.bool("STORE_CLUSTER", False),
        store_unsafe=env.bool("STORE_UNSAFE", False),
        store_replicas=env.int("STORE_REPLICAS", 0, validate=_build_range_check(0, 16)),
        store_replicas_ms=env.int("STORE_REPLICAS_MS", 1000, validate=_build_range_check(10, 2500)),
        store_server=_read_path(env, "STORE_SERVER"),
        queue_url=env.str("QUEUE_URL", None, validate=_build_url_check(STORE_SCHEMES)) or None,
        ephemeral=env.bool("EPHEMERAL", False),
        cards_dir=_read_path(env, "CARDS_DIR"),
        archive_dir=_read_path(env, "ARCHIVE_DIR"),
        watermarks_dir=_read_path(env, "WATERMARKS_DIR"),
        archive_after_days=_read_days(env, "ARCHIVE_AFTER_DAYS"),
        close_lobbies_after_days=env.int("CLOSE_LOBBIES_AFTER_DAYS", 1, validate=_build_range_check(0, 36_500)),
        sleep_after_days=_read_days(env, "SLEEP_AFTER_DAYS"),
        open_matches_per_account=env.int("OPEN_MATCHES_PER_ACCOUNT", 100, validate=_build_range_check(1, 10**6)),
        open_matches_per_address=env.int("OPEN_MATCHES_PER_ADDRESS", 300, validate=_build_range_check(1, 10**6)),
        host=env.str("HOST", "127.0.0.1", validate=_check_not_empty),
        port=env.int("PORT", 8080, validate=_build_range_check(0, 65535)),
        metrics_address=env.str("METRICS_ADDRESS", "", validate=_check_address) or "",
        lan_url=_read_url(env, "LAN_URL", _build_url_check(("http", "https"))),
        public_url=_read_url(env, "PUBLIC_URL", _check_origin),
        allowed_hosts=_strip_words(env.list("ALLOWED_HOSTS", [], validate=_check_names)),
        threads=env.int("THREADS", 256, validate=_build_range_check(1, 4096)),
        streams_per_token=env.int("STREAMS_PER_TOKEN", 12, validate=_build_range_check(1, 4096)),
        streams_per_address=env.int("STREAMS_PER_ADDRESS", 0, validate=_build_range_check(0, 4096)),
        workers=env.int("WORKERS", 2, validate=_build_range_check(1, 64)),
        drain_workers=env.int("DRAIN_WORKERS", 1, validate=_build_range_check(0, 64)),
        bot_workers=env.int("BOT_WORKERS", 1, validate=_build_range_check(0, 64)),
        thinker_workers=env.int("THINKER_WORKERS", 1, validate=_build_range_check(0, 64)),
        open_creation=env.bool("OPEN_CREATION", True),
        hot_lane=env.bool("HOT_LANE", True),
        cors_origins=_strip_words(env.list("CORS_ORIGINS", [], validate=_check_origins)),
        trusted_proxies=env.int("TRUSTED_PROXIES", 0, validate=_build_range_check(0, 8)),
        webhook_allow=_strip_words(env.list("WEBHOOK_ALLOW", [], validate=_check_networks)),
        push_contact=env.str("PUSH_CONTACT", "", validate=_check_contact),
        rates=RateLimits(**rates),
        log_level=env.str("LOG_LEVEL", "info", validate=_build_choice_check(LOG_LEVELS)),
        api_url=env.str("API_URL", "http://127.0.0.1:8080", validate=_build_url_check(("http", "https"))),
        token=env.str("TOKEN", None) or None,
    )


def _read_path(env: FileAwareEnv, name: str) -> Path | None:
    """Return an absolute path, or None if the variable is unset or empty."""
    given = env.str(name, "")
    return Path(given).expanduser().absolute() if given else None


def _read_url(env: FileAwareEnv, name: str, check: Callable[[str], None]) -> str:
    """Return a URL without a slash at its end; "" if it is unset or wrong."""
    return (env.str(name, "", validate=check) or "").rstrip("/")


def _read_days(env: FileAwareEnv, name: str) -> int | None:
    """Return a number of days, or None if the variable is unset or empty."""
    return env.int(name, validate=_build_range_check(0, 36_500)) if env.str(name, "") else None


def _format_value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(value) if isinstance(value, tuple) else str(value)


def _strip_words(found: Iterable[str] | None) -> tuple[str, ...]:
    return tuple(word.strip() for word in found or () if word.strip())


def _group_by_variable(messages: dict[str, Any]) -> dict[str, list[str]]:
    """Return what is wrong by the full name of the variable, each problem as one line."""
    return {
        name if name.startswith(PREFIX) else PREFIX + name: [str(line) for line in lines]
        for name, lines in messages.items()
    }


def _build_range_check(low: int, high: int) -> Callable[[int], None]:
    def check(value: int) -> None:
        if not low <= value <= high:
            raise ValidationError(f"must be a number from {low} to {high}.")

    return check


def _build_choice_check(allowed: tuple[str, ...]) -> Callable[[str], None]:
    def check(value: str) -> None:
        if value not in allowed:
            raise ValidationError(f"must be one of {', '.join(allowed)}.")

    return check


def _check_not_empty(value: str) -> None:
    if not value.strip():
        raise ValidationError("must not be empty.")


def _build_url_check(schemes: tuple[str, ...]) -> Callable[[str], None]:
    def check(value: str) -> None:
        try:
            parts = urlsplit(value)
        except ValueError:  # an address in brackets that is none
            parts = None
        if parts is None or (value and parts.scheme not in schemes):
            raise ValidationError(f"must be a URL that begins with one of {', '.join(s + '://' for s in schemes)}.")
        try:
            _ = parts.port
        except ValueError:
            raise ValidationError("names a port that is no number up to 65535.") from None

    return check


def _check_networks(values: list[str]) -> None:
    try:
        parse_networks(value.strip() for value in values if value.strip())
    except ValueError:
        raise ValidationError("must be addresses or networks such as 192.168.0.0/16, separated by commas.") from None


def _check_contact(value: str) -> None:
    if value and not re.fullmatch(r"mailto:[^@\s]+@[^@\s]+|https://\S+", value):
        raise ValidationError("must be mailto: and an address, or an https: URL.")


def _check_address(value: str) -> None:
    found = re.fullmatch(r"(?:\[[0-9A-Fa-f:.]+\]|[^\s:/@\[\]]+):([1-9][0-9]{0,4})", value)
    if value and (found is None or int(found[1]) > 65535):
        raise ValidationError("must be a host and a port, such as 127.0.0.1:9464.")


def _check_names(values: list[str]) -> None:
    if not all(re.fullmatch(r"[^\s:/@\[\]]+", value.strip()) for value in values if value.strip()):
        raise ValidationError("must be names such as table.example, without a port, separated by commas.")


def _check_origin(value: str) -> None:
    if value:
        try:
            _check_origins([value.rstrip("/")])
        except ValidationError:
            raise ValidationError("must be a URL without a path, such as https://table.example.") from None


def _check_origins(values: list[str]) -> None:
    for value in values:
        try:
            parts = urlsplit(value.strip())
        except ValueError:
            parts = urlsplit("")
        is_origin = value.strip() == f"{parts.scheme}://{parts.netloc}" and not re.search(r"\s", parts.netloc)
        if not is_origin or parts.scheme not in ("http", "https"):
            raise ValidationError("must be origins such as https://table.example, separated by commas.")
