"""A ruling for people: what `judging.judged` gives, in one language, as a page to print or as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from referee.engine.game import Game
from referee.position_rulings.labels import Doc, Node, Wording
from referee.rendering import html
from referee.rendering.html import shown

HERE = Path(__file__).parent
STYLE = HERE / "ruling.css"
OWN = "the referee"  # where the table's and the kernel's clauses stand


class Sheet(Wording):
    """The words of one ruling in one language."""

    def __init__(self, game: Game, doc: Doc, lang: str) -> None:
        super().__init__(game, lang)
        self.doc = doc
        self.title = self.word("page.title", game=game.title)
        self.verdict = self.word(f"verdict.{doc['verdict']}")
        self.waits = ", ".join(self.who(each) for each in doc["asked"]["awaits"])
        self.mover = self.who(doc["asked"]["seat"])
        self.style, self.policy = style(), policy()

    def place(self, clause: Doc) -> str:
        """Where a clause stands: in the rulebook, or among the referee's own; empty if nobody says."""
        found = clause["found"]
        return self.word("page.own") if found == OWN else self.word("page.found", found=found) if found else ""

    @property
    def follows(self) -> list[str]:
        """What follows from the move, a line for each fact that people are told of."""
        return [self.text(event["told"]) for event in self.doc["events"] if event["told"]]

    def readings(self) -> Iterator[tuple[Doc, list[str]]]:
        """What the rulebook leaves open, with the lines about the other readings."""
        for item in self.doc["rests_on"]:
            yield item, list(self._lines(item))

    def _lines(self, item: Doc) -> Iterator[str]:
        setting = item["setting"]
        if setting is None:
            yield self.word("page.only")
            return
        name = setting["name"] or self.word("page.reading")
        yield self.word("page.chosen" if setting["chosen"] else "page.usual", setting=name, value=self.value(setting))
        for other in item["others"]:
            said = {"setting": name, "value": self.value(other)}
            if other["verdict"] is None:
                yield self.word("page.other_none", **said)
            elif not other["differs"]:
                yield self.word("page.other_same", **said)
            else:
                reason = " ".join([self.text(other["reason"]), *(line[self.lang] for line in other["follows"])])
                yield self.word("page.other", **said, verdict=self.word(f"verdict.{other['verdict']}"), reason=reason)
            if other["says"]:
                yield self.word("page.says", **said, says=self.text(other["says"]))

    def value(self, holder: Doc) -> str:
        """The value of a setting, as its file writes it."""
        value = holder["value"]
        return str(value).lower() if isinstance(value, bool) else str(value)


def style() -> str:
    """The style of the page."""
    return html.style(STYLE)


def policy() -> str:
    """The Content-Security-Policy of the page."""
    return html.policy(STYLE)


def page(game: Game, doc: Doc, lang: str) -> str:
    """The ruling as an HTML page in one language, whole in itself and without a script."""
    return html.templates(HERE).get_template("ruling.html").render(sheet=Sheet(game, doc, lang), doc=doc)


def text(game: Game, doc: Doc, lang: str) -> str:
    """The ruling as plain text in one language, with nothing in it that a terminal obeys."""
    return "".join(f"{shown(line)}\n" for line in _text(Sheet(game, doc, lang), doc))


def _text(sheet: Sheet, doc: Doc) -> Iterator[str]:
    yield f"{sheet.title}: {sheet.verdict}"
    yield ""
    yield sheet.text(doc["aloud"])
    if doc["quarrel"]:
        yield from _headed(sheet.word("page.quarrel"), quarrelling(sheet, doc["quarrel"]))
    yield from _headed(sheet.word("page.move"), [f"{sheet.mover}: {sheet.text(doc['asked']['told'])}"])
    if doc["asked"]["question"]:
        waits = [f"{sheet.word('page.waits')}: {sheet.waits}"] if sheet.waits else []
        yield from _headed(sheet.word("page.question"), [sheet.text(doc["asked"]["question"]["asks"]), *waits])
    if doc["needs"]:
        yield from _headed(sheet.word("page.needs"), (sheet.text(need["asks"]) for need in doc["needs"]))
    yield from _headed(sheet.word("page.clauses"), clauses(sheet, doc["clauses"]))
    if doc["verdict"] == "refused":
        ways = [sheet.text(way["because"]) for way in doc["way_out"]]
        yield from _headed(sheet.word("page.instead"), ways or [sheet.word("page.nothing_instead")])
    if doc["verdict"] != "undecided":
        nothing = [sheet.word("page.nothing_follows")] if doc["verdict"] == "refused" else []
        yield from _headed(sheet.word("page.follows"), sheet.follows or nothing)
    if doc["rests_on"]:
        yield from _headed(sheet.word("page.readings"), open_points(sheet))
    yield from _headed(sheet.word("page.position"), _drawn(sheet.position(doc["asked"]["position"])))
    yield ""
    yield sheet.word("page.foot")


def _headed(head: str, lines: Any) -> Iterator[str]:
    yield ""
    yield head
    yield from (f"  {line}" for line in lines)


def quarrelling(sheet: Sheet, quarrel: Doc) -> Iterator[str]:
    """The quarrel, a line for each thing: the claim, then each party with what it says."""
    if quarrel["told"]:
        yield sheet.text(quarrel["told"])
    yield from _compared(sheet, quarrel, "  ")
    for each in quarrel["parties"]:
        yield sheet.text(each["told"])
        if each["says"]:
            yield f"  {sheet.word('said', says=each['says'])}"
        yield from _compared(sheet, each, "  ")


def _compared(sheet: Sheet, said: Doc, indent: str) -> Iterator[str]:
    yield from (f"{indent}{sheet.text(check['told'])}" for check in said["checked"])
    if said["bears_told"]:
        yield f"{indent}{sheet.text(said['bears_told'])}"


def clauses(sheet: Sheet, cited: Any) -> Iterator[str]:
    """Clauses with their place in the rulebook, a line each."""
    for each in cited:
        found = f" ({sheet.place(each)})" if each["found"] else ""
        yield f"{each['id']}: {sheet.text(each['says'])}{found}"


def open_points(sheet: Sheet) -> Iterator[str]:
    """What the rulebook leaves open, with the reading taken and the others."""
    for item, others in sheet.readings():
        yield f"{item['clause']['id']}: {sheet.text(item['open']) or sheet.text(item['clause']['says'])}"
        if item["open"]:
            yield f"  {sheet.word('page.taken')}: {sheet.text(item['clause']['says'])}"
        if item["why"]:
            yield f"  {sheet.word('page.because')}: {sheet.text(item['why'])}"
        if item["hangs"]:
            yield f"  {sheet.word('page.hangs')}"
        yield from (f"  {line}" for line in others)


def _drawn(nodes: tuple[Node, ...], depth: int = 0) -> Iterator[str]:
    for node in nodes:
        yield f"{'  ' * depth}{node.label}: {node.value}".rstrip()
        yield from _drawn(node.parts, depth + 1)
