"""Answer "may I …?" in a chat, with the clause.

    python -m referee.docs.examples.rulings_bot http://127.0.0.1:8080

A bot for Discord, Matrix or IRC hands each message of a channel to `RulingsBot.reply` and posts what comes back; here
the chat is the terminal. The table of a channel is a written position, as `referee judge` reads it:

    table monster_combat
    may I play the shield?
    clause shield
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any
from urllib.parse import quote

from referee.docs.clients.referee_client import ProblemError, Referee

HELP = "Say `table GAME`, or `table GAME {position as JSON}`; then `may I …?`, or `clause WORDS`."
WORD = re.compile(r"\w+")
FILLING = frozenset(WORD.findall("may i we can a an the my this that now please play card to with on in of"))


class RulingsBot:
    """What answers in one channel: the game and the table that are talked about."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self.game = ""
        self.position: dict[str, Any] = {}

    def reply(self, message: str) -> str | None:
        """Return the answer to a message, or None if it is not for the bot."""
        word, _, rest = message.strip().partition(" ")
        try:
            match word.lower():
                case "table":
                    return self.lay_table(*rest.split(" ", 1))
                case "may" if self.game:
                    return self.judge(rest)
                case "clause" if self.game:
                    return self.find_clauses(rest)
                case "may" | "clause" | "help":
                    return HELP
        except ProblemError as refused:
            return f"{refused.body.get('title', 'That went wrong')}: {refused.body.get('detail', refused.status)}"
        return None

    def lay_table(self, game: str, position: str = "") -> str:
        """Take over the table that is talked about: a position, or an example of one."""
        written = self.referee.request("GET", f"/v1/games/{game}/positions")
        try:
            self.position = json.loads(position) if position else written["examples"][0]
        except ValueError as wrong:
            return f"That position is no JSON: {wrong}"
        self.game = game
        return f"On the table: {json.dumps(self.position)}"

    def judge(self, question: str) -> str:
        """Rule on the move that a question means."""
        asked = self.referee.request("POST", f"/v1/games/{self.game}/positions/moves", {"position": self.position})
        seats = [(each["seat"], listed) for each in asked["moves"] for listed in each["listed"]]
        best = max(seats, key=lambda each: count_common_words(question, each[1]["told"]["en"]), default=None)
        if best is None or not count_common_words(question, best[1]["told"]["en"]):
            return f"Which move do you mean? {' '.join(listed['told']['en'] for _, listed in seats[:8])}"
        seat, meant = best
        body = {"position": self.position, "seat": seat, "move": meant["move"]}
        return describe_ruling(self.referee.request("POST", f"/v1/games/{self.game}/rulings", body))

    def find_clauses(self, words: str) -> str:
        """Return the first clauses with these words."""
        found = self.referee.request("GET", f"/v1/games/{self.game}/clauses?q={quote(words)}")["items"]
        return "\n".join(f"{each['id']}: {each['says']['en']}" for each in found[:3]) or "No clause says that."


def count_common_words(question: str, told: str) -> int:
    """Return how many telling words a question and a move have in common."""
    first, second = (set(WORD.findall(text.lower())) - FILLING for text in (question, told))
    return len(first & second)


def describe_ruling(ruling: dict[str, Any]) -> str:
    """Return a ruling as a message: what to read aloud, clauses, and the way out."""
    lines = [ruling["aloud"]["en"], *(f"{each['id']}: {each['says']['en']}" for each in ruling["clauses"])]
    lines += [f"Instead: {each['because']['en']}" for each in ruling["way_out"][:3]]
    return "\n".join(lines)


def main() -> None:
    """Answer what is typed."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    bot = RulingsBot(Referee(sys.argv[1]))
    for line in sys.stdin:
        if answer := bot.reply(line):
            print(answer)


if __name__ == "__main__":
    main()
