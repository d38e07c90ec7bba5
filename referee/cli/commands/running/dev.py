"""`referee dev`: check and test a checkout, and build its documentation."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import click

import referee
from referee.infrastructure.errors import HostError

CHECKOUT = Path(referee.__file__).parent.parent
SITE_CONFIGURATION = "referee/docs/site"
BUILT_SITE, READ_PAGES = "build/docs", "build/docs-read"
PYTHON_CHECKS = (("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy",))


@click.group()
def dev() -> None:
    """Check and test Referee itself. It needs a clone installed with .[test]."""


@dev.command("check")
@click.option("--tests/--no-tests", default=True, help="Run the quick tests after the linters and the type checker.")
def dev_check(tests: bool) -> None:
    """Run ruff, mypy and the quick tests."""
    sys.exit(run_checks() or (run_tests(deep=False) if tests else 0))


@dev.command("test")
@click.option("--deep", is_flag=True, help="Run the deep tests instead of the quick ones.")
@click.argument("paths", nargs=-1)
def dev_test(deep: bool, paths: tuple[str, ...]) -> None:
    """Run the quick tests, or the deep ones, of PATHS or all."""
    sys.exit(run_tests(deep=deep, paths=paths))


@dev.command("docs")
def dev_docs() -> None:
    """Build the documentation as a site, and check its links."""
    sys.exit(build_docs())


@dev.command("man")
@click.pass_context
def dev_man(context: click.Context) -> None:
    """Write the manual page, from the commands as they are."""
    from referee.cli.man_page import write_man_page

    require_checkout()
    program = context.find_root().command
    assert isinstance(program, click.Group)
    click.echo(str(write_man_page(program, CHECKOUT)))


def run_checks() -> int:
    """Run the linters and the type checker, and return an exit code.

    It is that of the first check that fails, else 0. Raises HostError outside a checkout.
    """
    require_checkout()
    for tool, *arguments in PYTHON_CHECKS:
        click.echo(f"{tool} {' '.join(arguments)}")
        command = [sys.executable, "-m", tool, *arguments]
        if code := subprocess.run(command, cwd=CHECKOUT, check=False).returncode:  # noqa: S603  # our own words
            return code
    return 0


def run_tests(*, deep: bool, paths: tuple[str, ...] = ()) -> int:
    """Run the quick tests, or the deep ones, and return pytest's exit code.

    Raises HostError outside a checkout.
    """
    require_checkout()
    chosen = ["-m", "deep"] if deep else []
    command = [sys.executable, "-m", "pytest", *chosen, *paths]
    return subprocess.run(command, cwd=CHECKOUT, check=False).returncode  # noqa: S603  # the developer's own paths


def build_docs() -> int:
    """Build the documentation as a site, and return Sphinx's exit code.

    Every warning is an error; a link that leads nowhere is one. Raises HostError outside a checkout, or without Sphinx.
    """
    require_checkout()
    if importlib.util.find_spec("sphinx") is None:
        raise HostError("the site needs the extra docs: in a clone, run pip install -e '.[docs]'")
    how = ("-b", "html", "--fail-on-warning", "--keep-going", "--quiet", "--jobs", "auto")
    folders = ("-c", SITE_CONFIGURATION, "-d", READ_PAGES, ".", BUILT_SITE)
    command = [sys.executable, "-m", "sphinx", *how, *folders]
    code = subprocess.run(command, cwd=CHECKOUT, check=False).returncode  # noqa: S603  # our own words
    if not code:
        click.echo(CHECKOUT / BUILT_SITE / "index.html")
    return code


def require_checkout() -> None:
    """Raise HostError unless this program runs from a checkout with its tests."""
    if not (CHECKOUT / "tests").is_dir():
        raise HostError(
            "this is an installed program without its tests: in a clone, run pip install -e '.[test]', then referee dev"
        )
