"""Write the rulebooks as pages: every clause by number, in English and German."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from referee.cardscript.books.catalog import load_shared_rulebook
from referee.engine.rulebook.book import KERNEL_RULEBOOK, LANGUAGES, Clause, Rulebook, Text, read_yaml
from referee.games import load_games
from referee.match import rulebook as match_rulebook
from referee.tournament import rulebook as tournament_rulebook

# the books that all games share, by the name of their page
SHARED: dict[str, tuple[Text, Rulebook]] = {
    "table": ({"en": "At every table", "de": "An jedem Tisch"}, match_rulebook.TABLE_BOOK),
    "engine": ({"en": "Steps, dice and shuffles", "de": "Schritte, Würfel und Mischen"}, KERNEL_RULEBOOK),
    "cardscript": ({"en": "Games with card texts", "de": "Spiele mit Kartentexten"}, load_shared_rulebook()),
    "tournament": ({"en": "Tournaments", "de": "Turniere"}, tournament_rulebook.TOURNAMENT_BOOK),
}
WORDS: dict[str, Text] = {
    "rules": {"en": "{title}: the clauses", "de": "{title}: die Klauseln"},
    "index": {"en": "Rules in numbered clauses", "de": "Regeln in nummerierten Klauseln"},
    "intro": {
        "en": "The rules in our own words, {count} clauses. Every ruling cites them by these numbers.",
        "de": "Die Regeln in unseren eigenen Worten, {count} Klauseln. Jede Entscheidung nennt sie mit diesen Nummern.",
    },
    "other": {"en": "Diese Seite auf Deutsch", "de": "This page in English"},
    "found": {"en": "Rulebook", "de": "Regelheft"},
    "why": {"en": "Why", "de": "Warum"},
    "settled": {"en": "Left open; settled by", "de": "Bleibt offen; entschieden in"},
    "variant": {"en": "only in", "de": "nur in"},
    "instead": {"en": "Another reading of", "de": "Andere Lesart von"},
    "duty": {
        "en": "The players see to this themselves; no program can.",
        "de": "Darauf achten die Spielenden selbst; ein Programm kann das nicht.",
    },
    "chapter": {"en": "Further clauses", "de": "Weitere Klauseln"},
    "index_intro": {
        "en": "Each game has its own clauses; those of the table hold in every game. They replace neither the printed "
        "rules nor the game itself.",
        "de": "Jedes Spiel hat eigene Klauseln; die des Tisches gelten in jedem Spiel. Weder die gedruckte Anleitung "
        "noch das Spiel selbst wird durch sie ersetzt.",
    },
    "glossary": {"en": "Words of disputes and tournaments", "de": "Wörter für Streitfälle und Turniere"},
    "glossary_intro": {
        "en": "What the program stores, and how players read it in both languages.",
        "de": "Was das Programm speichert, und wie Spielende es in beiden Sprachen lesen.",
    },
}
SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$])")
OTHER = {"en": "de", "de": "en"}


def write_pages() -> Iterator[tuple[str, str]]:
    """Yield the pages of all rulebooks in each language, as file name and text."""
    books = collect_books()
    for language in LANGUAGES:
        for name, (title, book) in books.items():
            yield f"rulebooks/{language}/{name}.md", render_book(name, title, book, language)
        yield f"rulebooks/{language}/words.md", render_words(language)
        titles = {name: title[language] for name, (title, _) in books.items()}
        yield f"rulebooks/{language}/index.md", render_index(titles, language)


def collect_books() -> dict[str, tuple[Text, Rulebook]]:
    """Return every rulebook with its title, those of the games first."""
    games = {name.replace("_", "-"): (game.title, game.rulebook) for name, game in load_games().items()}
    return {**games, **SHARED}


def render_index(titles: dict[str, str], language: str) -> str:
    """Return the page that lists the rulebooks in a language."""
    lines = [f"# {WORDS['index'][language]}", "", WORDS["index_intro"][language], ""]
    lines += link_other_language("index", language)
    entries = [f"{title} <{name}>" for name, title in titles.items()]
    return "\n".join([*lines, "```{toctree}", ":maxdepth: 1", "", *entries, "words", "```", ""])


def link_other_language(page: str, language: str) -> list[str]:
    """Return the lines with a link to the same page in the other language."""
    other = OTHER[language]
    return [f"[{WORDS['other'][language]}](../{other}/{page}.md){{lang={other}}}", ""]


def render_book(name: str, title: Text, book: Rulebook, language: str) -> str:
    """Return a rulebook as a page."""
    heading = WORDS["rules"][language].format(title=title[language])
    lines = [f"# {heading}", "", WORDS["intro"][language].format(count=len(book.clauses)), ""]
    lines += link_other_language(name, language)
    for chapter, clauses in group_by_chapter(book, language).items():
        lines += [f"## {escape(chapter)}", ""]
        for clause in clauses:
            lines += render_clause(book, clause, language)
    return "\n".join(lines)


def group_by_chapter(book: Rulebook, language: str) -> dict[str, list[Clause]]:
    """Return the clauses of a book by chapter, in order."""
    chapters: dict[str, list[Clause]] = {}
    for clause in book.clauses.values():
        chapters.setdefault(clause.chapter.get(language) or WORDS["chapter"][language], []).append(clause)
    return chapters


def render_clause(book: Rulebook, clause: Clause, language: str) -> list[str]:
    """Return the lines of a clause: its number, its sentence, and what belongs to it."""
    lines = [f"[{clause.id}](#{name_anchor(clause.id)}){{.clause-number}}"]
    if clause.open:
        lines += [f"*{escape(clause.open[language])}*"]
    lines += [escape(clause.says[language])]
    notes = []
    if clause.variant:
        notes.append(f"{WORDS['variant'][language]} {escape(clause.variant)}")
    if clause.reads:
        notes.append(f"{WORDS['instead'][language]} {link_clause(book, clause.reads)}")
    if clause.reading:
        notes.append(f"{WORDS['settled'][language]} {link_clause(book, clause.reading)}")
    if clause.why:
        notes.append(f"{WORDS['why'][language]}: {escape(clause.why[language])}")
    if clause.players_duty:
        notes.append(WORDS["duty"][language])
    if clause.found.get(language):
        notes.append(f"{WORDS['found'][language]}: {escape(clause.found[language])}")
    lines += [f"[{note}]{{.clause-note}}" for note in notes]
    return [f"{{#{name_anchor(clause.id)} .clause}}", "\\\n".join(lines), ""]


def link_clause(book: Rulebook, name: str) -> str:
    """Return a link to a clause of the same book, or its number if it is of another."""
    return f"[{name}](#{name_anchor(name)})" if name in book.clauses else name


def name_anchor(clause: str) -> str:
    """Return what an address calls a clause."""
    return clause.lower().replace(".", "-")


def render_words(language: str) -> str:
    """Return the page with the words that players read of disputes and tournaments."""
    heads = {"en": "| stored as | English | German |", "de": "| gespeichert als | Englisch | Deutsch |"}
    words: dict[str, Text] = {}
    for module in (match_rulebook, tournament_rulebook):
        words.update(read_yaml(Path(str(module.__file__)).parent / "words.yaml"))
    words.update(tournament_rulebook.INFRACTIONS)
    lines = [f"# {WORDS['glossary'][language]}", "", WORDS["glossary_intro"][language], ""]
    lines += link_other_language("words", language)
    rows = [f"| `{name}` | {escape(says['en'])} | {escape(says['de'])} |" for name, says in sorted(words.items())]
    return "\n".join([*lines, heads[language], "| --- | --- | --- |", *rows, ""])


def escape(text: str) -> str:
    """Return a text as Markdown shows it unchanged, on one line."""
    return escape_marks(" ".join(text.split()))


def escape_marks(text: str) -> str:
    """Return a text in which nothing means anything to Markdown."""
    return SPECIAL.sub(r"\\\1", text)
