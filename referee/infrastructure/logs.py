"""The program's log: JSON lines on standard error, by structlog and by logging.

No line shows a token: anything that looks like one is redacted as the line is written. That is the last guard, because
no code means to log one. An exception is logged by its kind and its places in the code. Its message may name a card in
a hand, so it is left out unless the level is debug, which is for a developer's own tables.
"""

from __future__ import annotations

import logging
import re
import sys
from contextlib import suppress
from typing import Any, TextIO

import structlog
from structlog.tracebacks import ExceptionDictTransformer

TOKEN = re.compile(r"rfs_[A-Za-z0-9_-]{8,}")
REDACTED = "rfs_…"
_level = logging.INFO


def redact_tokens(_logger: Any, _method: str, line: str) -> str:
    """Return the line without tokens."""
    return TOKEN.sub(REDACTED, line)


def strip_error_messages(_logger: Any, _method: str, event: Any) -> Any:
    """Return the event with its exceptions stripped of their messages."""
    for fault in event.get("exception", ()) if _level > logging.DEBUG else ():
        fault.pop("exc_value", None)
        fault.pop("exc_notes", None)
        for inner in fault.get("exceptions", ()):  # of an exception group
            strip_error_messages(_logger, _method, {"exception": inner if isinstance(inner, list) else [inner]})
    return event


SHARED_PROCESSORS: tuple[Any, ...] = (
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False)),  # locals may name cards
    strip_error_messages,
)
RENDER_PROCESSORS: tuple[Any, ...] = (structlog.processors.JSONRenderer(ensure_ascii=False), redact_tokens)


class LossyFile:
    """A file that loses what it cannot write.

    A full disk must not keep a request from being answered because its line of the log cannot be written.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> None:
        """Write a text, if there is room."""
        with suppress(OSError):
            self._file.write(text)

    def flush(self) -> None:
        """Write what is buffered, if there is room."""
        with suppress(OSError):
            self._file.flush()


def configure_structlog(level: str) -> None:
    """Configure structlog from this level on: debug, info, warning or error."""
    global _level
    _level = getattr(logging, level.upper())
    structlog.configure(
        processors=[*SHARED_PROCESSORS, *RENDER_PROCESSORS],
        wrapper_class=structlog.make_filtering_bound_logger(_level),
        logger_factory=lambda *_: structlog.WriteLogger(LossyFile(sys.stderr)),  # type: ignore[arg-type]
        cache_logger_on_first_use=False,
    )


def build_handler() -> logging.Handler:
    """Return a handler that writes the standard library's records in the same form.

    Each line names its logger.
    """
    made = logging.StreamHandler(sys.stderr)
    made.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *SHARED_PROCESSORS],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *RENDER_PROCESSORS],
        )
    )
    return made


def configure_logging(level: str, *loggers: str) -> None:
    """Bring a process's whole log into this form.

    That is structlog, the root logger, and these loggers, whose own handlers are removed.
    """
    configure_structlog(level)
    logging.basicConfig(level=level.upper(), handlers=[build_handler()], force=True)
    for name in loggers:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
