"""The manual page, made from the commands themselves and from `.env.example`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

import referee

SECTION = 1
EXIT_CODES = (
    ("0", "Done."),
    ("1", "Refused, or something is wrong."),
    ("2", "Wrong usage, or a wrong setting."),
    ("69", "The store does not answer, or there is none."),
    ("70", "The program failed."),
    ("74", "The output, or the marks of what was signed, cannot be read or written."),
    ("78", "The configuration does not do: the store could lose what it acknowledges, or has its marks elsewhere."),
)
FILES = (
    ("~/.local/share/referee", "Keys, store, archive and marks, unless REFEREE_DATA_DIR says otherwise. Mode 700."),
    ("/etc/referee/referee.env", "Settings of the service of systemd."),
)
SETTING = re.compile(r"# (REFEREE_[A-Z_]+)=(.*)")


def build_man_page(program: click.Group, settings_text: str) -> str:
    """Return the manual page of a program, as troff with the macros `man`.

    `settings_text` is the text of `.env.example`.
    """
    context = click.Context(program, info_name="referee", **program.context_settings)
    lines = [
        f'.TH REFEREE {SECTION} "" "referee {referee.__version__}" "Referee"',
        ".SH NAME",
        "referee \\- " + _escape(_shorten(program.help)),
        ".SH SYNOPSIS",
        ".B referee",
        "[\\fIOPTIONS\\fR] \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]...",
        ".SH DESCRIPTION",
        *_format_text(program.help),
        ".SH OPTIONS",
        *_format_options(context),
        ".SH COMMANDS",
        *_format_commands(program, context),
        ".SH ENVIRONMENT",
        *_format_settings(settings_text),
        ".SH FILES",
        *_format_list(FILES),
        ".SH EXIT STATUS",
        *_format_list(EXIT_CODES),
        "The verdicts of \\fBjudge\\fR and \\fBverify\\fR are exit codes as well.",
    ]
    return "\n".join(lines) + "\n"


def write_man_page(program: click.Group, checkout: Path) -> Path:
    """Write the manual page into a checkout, and return where."""
    target = checkout / "referee" / "docs" / f"referee.{SECTION}"
    settings_text = (checkout / ".env.example").read_text("utf-8")
    target.write_text(build_man_page(program, settings_text), encoding="utf-8")
    return target


def _format_commands(group: click.Group, context: click.Context) -> Iterator[str]:
    """Yield each command with its usage, its text and its options."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        inner = click.Context(command, info_name=name, parent=context)
        if isinstance(command, click.Group):
            yield from _format_commands(command, inner)
            continue
        words = inner.command_path.removeprefix("referee ")
        usage = " ".join(command.collect_usage_pieces(inner)).replace("[OPTIONS]", "").strip()
        yield f".SS {_escape(words)} {_escape(usage)}".rstrip()
        yield from _format_text(command.help)
        yield from _format_options(inner)


def _format_options(context: click.Context) -> Iterator[str]:
    """Yield the options of a command; that of its help stands at the program alone."""
    for parameter in context.command.get_params(context):
        if parameter.name == "help" and context.parent is not None:
            continue
        if isinstance(parameter, click.Option) and (record := parameter.get_help_record(context)) is not None:
            yield ".TP"
            yield f"\\fB{_escape(record[0])}\\fR"
            yield _escape(record[1])


def _format_text(text: str | None) -> Iterator[str]:
    """Yield the paragraphs of a docstring."""
    for paragraph in (text or "").split("\n\n"):
        yield ".PP"
        yield _escape(" ".join(paragraph.split()))


def _format_settings(text: str) -> Iterator[str]:
    """Yield every setting with the words that stand above it in `.env.example`."""
    said: list[str] = []
    for line in text.splitlines():
        if found := SETTING.fullmatch(line):
            yield ".TP"
            yield f"\\fB{found[1]}\\fR=\\fI{_escape(found[2])}\\fR"
            yield _escape(" ".join(said) or "As the one before.")
            said = []
        elif line.startswith("# ") and not line.startswith("# ---"):
            said.append(line.removeprefix("# "))
        else:
            said = []


def _format_list(pairs: tuple[tuple[str, str], ...]) -> Iterator[str]:
    for term, text in pairs:
        yield from (".TP", f"\\fB{_escape(term)}\\fR", _escape(text))


def _shorten(text: str | None) -> str:
    first = " ".join((text or "").split("\n\n")[0].split()).rstrip(".")
    return first[:1].lower() + first[1:]


def _escape(text: str) -> str:
    """Return a text in which troff sees nothing but letters."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("\n", " ")
    return "\\&" + escaped if escaped.startswith((".", "'")) else escaped
