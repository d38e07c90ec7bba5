"""A ruling for people: the result of `rule_on_position` as a page or plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Any

import yaml

from referee.engine.game import Game
from referee.engine.rulebook.messages import fill_names
from referee.position_rulings.labels import Doc, PositionNode, PositionWording
from referee.rendering import html
from referee.rendering.html import sanitize_line

HERE = Path(__file__).parent
STYLE = HERE / "ruling.css"
MOST_VALUES_SHOWN = 20  # of a fact that is asked for
REFEREE_SOURCE = "the referee"  # the source of the table's and the kernel's clauses


class RulingSheet(PositionWording):
    """The words of one ruling in one language."""

    def __init__(self, game: Game, doc: Doc, lang: str) -> None:
        super().__init__(game, lang)
        self.doc = doc
        self.title = self.render_word("page.title", game=game.title)
        self.verdict = self.render_word(f"verdict.{doc['verdict']}")
        self.awaited = ", ".join(self.describe_seat(each) for each in doc["asked"]["awaits"])
        self.mover = self.describe_seat(doc["asked"]["seat"])
        self.style, self.policy = page_style(), content_policy()

    def describe_clause_place(self, clause: Doc) -> str:
        """Return where a clause stands: in the rulebook, or among the referee's own.

        Return an empty text if it names no place.
        """
        found = clause["found"]
        return (
            self.render_word("page.own")
            if found and found["en"] == REFEREE_SOURCE
            else self.render_word("page.found", found=found)
            if found
            else ""
        )

    @property
    def consequences(self) -> list[str]:
        """What follows from the move, one line for each event that has words."""
        return [self.render_text(event["told"]) for event in self.doc["events"] if event["told"]]

    def describe_next(self) -> list[str]:
        """Return whom the table waits for after the ruling, and for what."""
        asked = self.doc["next"]
        if asked["question"] is None:
            return [self.render_word("page.over")]
        who = ", ".join(self.describe_seat(each) for each in asked["awaits"])
        words = self.render_text(asked["question"]["asks"])
        return [f"{who}: {words}" if who else words]

    def list_interpretations(self) -> Iterator[tuple[Doc, list[str]]]:
        """Yield what the rulebook leaves open, with lines about the other readings."""
        for item in self.doc["rests_on"]:
            yield item, list(self._describe_alternatives(item))

    def _describe_alternatives(self, item: Doc) -> Iterator[str]:
        setting = item["setting"]
        if setting is None:
            yield self.render_word("page.only")
            return
        name = setting["name"] or self.render_word("page.reading")
        yield self.render_word(
            "page.chosen" if setting["chosen"] else "page.usual", setting=name, value=self.render_value(setting)
        )
        for other in item["others"]:
            params = {"setting": name, "value": self.render_value(other)}
            if other["verdict"] is None:
                yield self.render_word("page.other_none", **params)
            elif not other["differs"]:
                yield self.render_word("page.other_same", **params)
            else:
                reason = " ".join([self.render_text(other["reason"]), *(line[self.lang] for line in other["follows"])])
                yield self.render_word(
                    "page.other", **params, verdict=self.render_word(f"verdict.{other['verdict']}"), reason=reason
                )
            if other["says"]:
                yield self.render_word("page.says", **params, says=self.render_text(other["says"]))

    def render_value(self, holder: Doc) -> str:
        """Return the value of a setting as its file writes it."""
        value = holder["value"]
        return str(value).lower() if isinstance(value, bool) else str(value)


def page_style() -> str:
    """Return the style of the page."""
    return html.load_style(STYLE)


def content_policy() -> str:
    """Return the Content-Security-Policy of the page."""
    return html.compute_content_policy(STYLE)


def render_page(game: Game, doc: Doc, lang: str) -> str:
    """Return the ruling as a complete HTML page in one language, without scripts.

    Players are called by the names that the question gives them.
    """
    sheet, template = RulingSheet(game, doc, lang), html.load_templates(HERE).get_template("ruling.html")
    page = template.render(sheet=sheet, doc=doc, sections=[*list_facts_and_sums(sheet, doc)])
    return fill_names(page, {seat: escape(name) for seat, name in _list_names(doc)})


def _list_names(doc: Doc) -> list[tuple[int, str]]:
    """Return the names of players by seat, without those that show nothing."""
    return [(seat, name) for seat, name in enumerate(doc["asked"]["names"]) if name.strip()]


def render_plain_text(game: Game, doc: Doc, lang: str, *, with_position: bool = True) -> str:
    """Return the ruling as plain text in one language, safe for a terminal.

    Players are called by the names that the question gives them.
    """
    names = dict(_list_names(doc))
    lines = _render_lines(RulingSheet(game, doc, lang), doc, with_position=with_position)
    return "".join(f"{sanitize_line(fill_names(line, names))}\n" for line in lines)


def _render_lines(sheet: RulingSheet, doc: Doc, *, with_position: bool) -> Iterator[str]:
    yield f"{sheet.title}: {sheet.verdict}"
    yield ""
    yield sheet.render_text(doc["aloud"])
    if doc["quarrel"]:
        yield from _render_section(sheet.render_word("page.quarrel"), render_statements(sheet, doc["quarrel"]))
    yield from _render_section(
        sheet.render_word("page.move"), [f"{sheet.mover}: {sheet.render_text(doc['asked']['told'])}"]
    )
    if doc["asked"]["question"]:
        waits = [f"{sheet.render_word('page.waits')}: {sheet.awaited}"] if sheet.awaited else []
        yield from _render_section(
            sheet.render_word("page.question"), [sheet.render_text(doc["asked"]["question"]["asks"]), *waits]
        )
    if doc["needs"]:
        yield from _render_section(
            sheet.render_word("page.needs"), (sheet.render_text(need["asks"]) for need in doc["needs"])
        )
    if len(doc["broken"]) > 1:
        rules = (f"{sheet.render_text(rule['reason'])} ({rule['clauses'][0]})" for rule in doc["broken"])
        yield from _render_section(sheet.render_word("page.broken"), rules)
    yield from _render_section(sheet.render_word("page.clauses"), render_clauses(sheet, doc["clauses"]))
    if doc["verdict"] == "refused":
        ways = [sheet.render_text(way["because"]) for way in doc["way_out"]]
        yield from _render_section(
            sheet.render_word("page.instead"), ways or [sheet.render_word("page.nothing_instead")]
        )
    if doc["verdict"] != "undecided":
        nothing = [sheet.render_word("page.nothing_follows")] if doc["verdict"] == "refused" else []
        yield from _render_section(sheet.render_word("page.follows"), sheet.consequences or nothing)
    if doc["next"] is not None:
        yield from _render_section(sheet.render_word("page.next"), sheet.describe_next())
    if doc["rests_on"]:
        yield from _render_section(sheet.render_word("page.readings"), render_open_points(sheet))
    for head, lines in list_facts_and_sums(sheet, doc):
        yield from _render_section(head, lines)
    if with_position:
        yield from _render_section(
            sheet.render_word("page.position"), _render_nodes(sheet.describe_position(doc["asked"]["position"]))
        )
    yield ""
    yield sheet.render_word("page.foot")


def render_missing_facts(game: Game, facts: Iterable[Doc], lang: str) -> str:
    """Return the facts that a file leaves out as plain text.

    Each is a question with a line to paste and the possible values.
    """
    words, lines = PositionWording(game, lang), []
    facts = list(facts)
    lines.append(words.render_word("facts.title", game=game.title, count=len(facts)))
    lines.append(words.render_word("facts.how", count=len(facts)))
    for at, fact in enumerate(facts, 1):
        line = yaml.safe_dump(fact["fragment"], default_flow_style=True, allow_unicode=True, width=10_000).strip()
        within = fact["pointer"].rpartition("/")[0]
        lines += ["", f"{at}. {fact['asks'][lang]}", f"   {words.render_word('facts.within', place=within)}"]
        lines += [f"     {line.removeprefix('{').removesuffix('}')}", f"   {describe_choices(fact, words)}"]
    return "".join(f"{sanitize_line(line)}\n" for line in lines)


def describe_choices(fact: Doc, words: PositionWording) -> str:
    """Return which values a fact may have, in one line."""
    if fact["kind"] == "number":
        return words.render_word("facts.number", least=fact["least"], most=fact["most"])
    told = [(_write_value(each["value"]), each["says"][words.lang]) for each in fact["values"]]
    named = [value if value == says else f"{value} ({says})" for value, says in told]
    listed = ", ".join([*named[:MOST_VALUES_SHOWN], *(["…"] if len(named) > MOST_VALUES_SHOWN else [])])
    return words.render_word("facts.several" if fact["kind"] == "several" else "facts.one", values=listed)


def _write_value(value: Any) -> str:
    """Return a value as it is written in a file, in one line."""
    text: str = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=10_000)
    return text.removesuffix("\n").removesuffix("\n...")


def list_facts_and_sums(sheet: RulingSheet, doc: Doc) -> Iterator[tuple[str, list[str]]]:
    """Yield sections about sums and left-out facts, each a head and its lines."""
    found = {
        "page.sums": [*describe_sums(sheet, doc["sums"])],
        "page.open_facts": [*describe_open_facts(sheet, doc)],
        "page.assumed": [sheet.render_text(each["told"]) for each in doc["assumed"]],
        "page.as_if": [sheet.render_text(each["told"]) for each in doc["as_if"]],
    }
    yield from ((sheet.render_word(key), lines) for key, lines in found.items() if lines)


def describe_open_facts(sheet: RulingSheet, doc: Doc) -> Iterator[str]:
    """Yield each fact that nobody knows, and what each of its values would mean."""
    for fact in doc["open_facts"]:
        yield sheet.render_text(fact["asks"])
        for each in fact["answers"]:
            yield f"  {sheet.render_text(each['says'])}: {sheet.render_word('verdict.' + each['verdict'])}"


def describe_sums(sheet: RulingSheet, terms: Iterable[Doc], indent: str = "") -> Iterator[str]:
    """Yield sums, each with the parts that it consists of."""
    for term in terms:
        yield f"{indent}{sheet.render_text(term['says'])}"
        yield from describe_sums(sheet, term["parts"], f"{indent}  ")


def _render_section(head: str, lines: Any) -> Iterator[str]:
    yield ""
    yield head
    yield from (f"  {line}" for line in lines)


def render_statements(sheet: RulingSheet, quarrel: Doc) -> Iterator[str]:
    """Yield the dispute line by line: the claim, then each party with its statement."""
    if quarrel["told"]:
        yield sheet.render_text(quarrel["told"])
    yield from _render_checks(sheet, quarrel, "  ")
    for each in quarrel["parties"]:
        yield sheet.render_text(each["told"])
        if each["says"]:
            yield f"  {sheet.render_word('said', says=each['says'])}"
        yield from _render_checks(sheet, each, "  ")


def _render_checks(sheet: RulingSheet, said: Doc, indent: str) -> Iterator[str]:
    yield from (f"{indent}{sheet.render_text(check['told'])}" for check in said["checked"])
    if said["bears_told"]:
        yield f"{indent}{sheet.render_text(said['bears_told'])}"


def render_clauses(sheet: RulingSheet, cited: Any) -> Iterator[str]:
    """Yield clauses with their place in the rulebook, a line each."""
    for each in cited:
        found = f" ({sheet.describe_clause_place(each)})" if each["found"] else ""
        house = f" [{sheet.render_text(each['house_ruling']['says'])}]" if "house_ruling" in each else ""
        yield f"{each['id']}: {sheet.render_text(each['says'])}{found}{house}"


def render_open_points(sheet: RulingSheet) -> Iterator[str]:
    """Yield what the rulebook leaves open, with the reading taken and the others."""
    for item, others in sheet.list_interpretations():
        yield f"{item['clause']['id']}: {sheet.render_text(item['open']) or sheet.render_text(item['clause']['says'])}"
        if item["open"]:
            yield f"  {sheet.render_word('page.taken')}: {sheet.render_text(item['clause']['says'])}"
        if "house_ruling" in item["clause"]:
            yield f"  {sheet.render_text(item['clause']['house_ruling']['says'])}"
        if item["why"]:
            yield f"  {sheet.render_word('page.because')}: {sheet.render_text(item['why'])}"
        if item["hangs"]:
            yield f"  {sheet.render_word('page.hangs')}"
        yield from (f"  {line}" for line in others)


def _render_nodes(nodes: tuple[PositionNode, ...], depth: int = 0) -> Iterator[str]:
    for node in nodes:
        yield f"{'  ' * depth}{node.label}: {node.value}".rstrip()
        yield from _render_nodes(node.parts, depth + 1)
