"""Tables of cards for tests: every sentence of a game's catalog, in every place, on every kind of card."""

from __future__ import annotations

from collections.abc import Iterator

from referee.cardscript.sheets.catalog import Catalog, Place, Sentence
from referee.cardscript.sheets.layout import list_columns

GAMES = ("creature_crush", "here_to_slay", "munchkin")


def make_grid(catalog: Catalog, rows: list[dict[str, str]], **head: str) -> list[list[str]]:
    """Return a table with these cells, under the names of the columns."""
    columns = list(list_columns(catalog))
    above = {"game": catalog.game, "book": "my_cards", "extends": "printed", **head}
    return [
        *([key, value] for key, value in above.items()),
        columns,
        *([row.get(c, "") for c in columns] for row in rows),
    ]


def write_sentence(number: int, sentence: Sentence, place: Place, lang: str) -> dict[str, str]:
    """Return the cells of a sentence whose blanks are filled with samples."""
    return {
        f"when_{number}": place.label[lang],
        f"text_{number}": sentence.wording.show(lang),
        f"blanks_{number}": "; ".join(blank.sample for blank in sentence.wording.list_blanks(lang)),
    }


def list_needed(catalog: Catalog, kind: str, key: str = "") -> Iterator[tuple[Sentence, Place]]:
    """Yield a sentence for each place that a card of this kind cannot do without; not for those of one key."""
    for place in catalog.list_places(kind):
        if kind in place.needed and place.key != key:
            yield next(each for each in catalog.sentences.values() if place in catalog.list_places(kind, each)), place


def list_cards(catalog: Catalog, lang: str, *, everywhere: bool) -> Iterator[dict[str, str]]:
    """Yield a row for each sentence on each kind of card, in one of its places or in every one."""
    made = 0
    for number, sentence in enumerate(catalog.sentences.values()):
        for kind in catalog.kinds:
            places = catalog.list_places(kind, sentence)
            for place in places if everywhere else places[number % len(places) :][:1] if places else ():
                made += 1
                cells = {"name": f"{sentence.name} {made}", "kind": catalog.kinds[kind][lang], **catalog.samples[kind]}
                cells |= write_sentence(1, sentence, place, lang)
                for column, (other, where) in enumerate(list_needed(catalog, kind, place.key), 2):
                    cells |= write_sentence(column, other, where, lang)
                yield cells
