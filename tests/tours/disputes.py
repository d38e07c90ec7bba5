"""A tour of disputes on a served program: for each game one of each kind, from opening to remedy, as curl lines.

    python -m tests.tours.disputes [URL] [--game GAME] [--lang de] [--seed SEED]

It opens matches of its own, plays them by chance over HTTP as any app does, and prints each call that has to do with a
quarrel together with what came back, shortened. Whatever does not answer as it should ends it with an error. By hand;
one lesson of one game runs with the tests.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

import urllib3
import yaml

from referee.games import load_games
from referee.position_rulings.file_format import build_example
from tests.tours.curl import Teller, Told
from tests.tours.lessons import AT_A_TABLE, ON_SCREENS, PLAYING_ON, Lesson
from tests.tours.sitting import Sitting, Stuck, opened

GAMES = tuple(load_games())
TRIES = 6  # matches until the situation of a lesson comes
ANSWER_MS, RULE_MS = 5_000, 600_000  # the table has little time, so that one sees it run out
HELP = "# api={url}/v1; key() {{ python3 -c 'import secrets; print(secrets.token_hex(16))'; }}"
Course = tuple[dict[str, object], tuple[Lesson, ...]]


def courses(game: str, devices: Sequence[str]) -> dict[str, Course]:
    """The matches of a tour: how each is opened, and what is learnt in it."""
    usual = {"answer_ms": ANSWER_MS, "rule_ms": RULE_MS, "disputes_an_hour": 100, "open_disputes": 20}  # many lessons
    real = dict.fromkeys(devices, "table")
    playing_on = {**usual, "play_on": True, "witness": True}
    return {
        "the server deals and rolls": ({"courts": usual}, ON_SCREENS),
        "real cards and dice": ({"chance": real, "courts": {**usual, "correct_ms": 3_000}}, AT_A_TABLE),
        "real cards and dice, witnesses, play goes on": ({"chance": real, "courts": playing_on}, PLAYING_ON),
    }


def quarrel(teller: Teller, game: str) -> None:
    """A quarrel at a table that tracked nothing: the ruling as data, and as a page to print."""
    box = load_games()[game]
    asked = yaml.safe_load(build_example(box, box.variants[0], teller.lang))
    path = f"/v1/games/{asked.pop('game')}/rulings"
    found = teller.call("POST", path, asked, shows=("verdict", "reason", "quarrel", "clauses", "way_out"))
    assert (found.status, found.body["verdict"]) == (200, "refused"), found
    shown = teller.call("POST", path, asked, shows=None, Accept="text/html", Accept_Language=teller.lang)
    assert shown.status == 200, shown
    assert shown.headers["content-type"].startswith("text/html"), shown.headers
    del asked["position"]
    wrong = teller.call("POST", path, asked, shows=("status", "errors"))
    assert (wrong.status, wrong.slug) == (422, "invalid-input"), wrong


def toured(teller: Teller, game: str, seed: str = "1", only: Callable[[str, Lesson], bool] | None = None) -> list[str]:
    """Goes through the lessons of a game; the names of those whose situation never came."""
    devices = teller.call("GET", f"/v1/games/{game}", shows=None).body["devices"]
    missed = []
    if only is None:
        teller.tell(f"\n{'=' * 100}\n# {game}, no match at all: {(quarrel.__doc__ or '')}")
        quarrel(teller, game)
    for place, (body, lessons) in courses(game, devices).items():
        sitting: Sitting | None = None
        for lesson in lessons:
            if only is not None and not only(place, lesson):
                continue
            teller.tell(f"\n{'=' * 100}\n# {game}, {place}: {(lesson.__doc__ or '').splitlines()[0]}")
            for attempt in range(TRIES):
                try:
                    if sitting is None or sitting.about()["status"] != "running":
                        sitting = opened(teller, game, f"{seed}-{place}-{lesson.__name__}-{attempt}", **body)
                        sitting.moves(3)
                    lesson(sitting)
                    break
                except Stuck:
                    sitting = None
            else:
                teller.tell("# the situation did not come in these matches")
                missed.append(f"{game}, {place}: {lesson.__name__}")
    return missed


def printed(line: str) -> None:
    """A line, at once."""
    print(line, flush=True)


def main(arguments: Sequence[str] | None = None, tell: Told = printed) -> int:
    """Prints the tour; 0 if every lesson was gone through, 1 if one was missed, 2 if nothing answers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", nargs="?", default="http://127.0.0.1:8080")
    parser.add_argument("--game", choices=GAMES, action="append")
    parser.add_argument("--lang", choices=("en", "de"), default="en")
    parser.add_argument("--seed", default="1")
    said = parser.parse_args(arguments)
    teller = Teller(said.url.rstrip("/"), tell, said.lang)
    tell(HELP.format(url=teller.url))
    try:
        missed = [each for game in said.game or GAMES for each in toured(teller, game, said.seed)]
    except urllib3.exceptions.HTTPError as away:
        tell(f"# nothing answers at {teller.url} ({type(away).__name__}); start it: referee serve")
        return 2
    for each in missed:
        tell(f"# not seen: {each}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
