"""Loading card books: what all games with card texts share.

A game derives its own `CardLibrary` and says where it differs: which names are taken, what a book lacks, what cards
are called outside their book, and what lies in the box.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from referee.cardscript.books.catalog import describe_card
from referee.cardscript.books.files import CardRegistry, rename_entry
from referee.cardscript.language.located_yaml import LocatedMapping
from referee.cardscript.language.primitives import Program, Vocabulary
from referee.engine.events import replace_fields
from referee.engine.rulebook.book import Rulebook, Text
from referee.engine.rulebook.editions import CardBook, ErrorCollector

F = TypeVar("F")  # the faces of a game
Programs = dict[tuple[str, str], Program]  # by card and text


@dataclass(frozen=True)
class ParsedBook(Generic[F]):
    """What a book means: faces, texts and names, and the edition's cards for readers.

    Faces, texts and names are under their names outside the book.
    """

    faces: dict[str, F]
    programs: Programs
    names: dict[str, Text]
    cards: tuple[dict[str, Any], ...]


@dataclass
class CardLibrary(Generic[F]):
    """A game's own cards, and how the game reads the cards of others.

    `cards` are as readers are shown them, without the keys of `mechanics`. `reserved` are rule words that no card may
    have as its id. `parse_face` and `parse_texts` take a file's name and an entry, and raise BookError.
    """

    edition: str
    cards: tuple[dict[str, Any], ...]
    faces: CardRegistry[str, F]
    programs: CardRegistry[tuple[str, str], Program]
    rulebook: Rulebook
    reserved: frozenset[str]
    parse_face: Callable[[str, LocatedMapping], F]
    parse_texts: Callable[[str, LocatedMapping], dict[str, Program]]
    mechanics: tuple[str, ...]
    own_card_phrase: str = "a printed card"  # describes a name that an own card has already
    vocabulary: Vocabulary = field(default_factory=Vocabulary)  # the words that texts are written with
    by_edition: dict[str, tuple[dict[str, Any], ...]] = field(init=False)

    def __post_init__(self) -> None:
        self.by_edition = {self.edition: self.cards}

    def parse_book(self, book: CardBook) -> ParsedBook[F]:
        """Return what a book means in this game. Raises CardBookError with all errors."""
        findings = ErrorCollector()
        findings.errors += self.find_book_errors(book)
        faces: dict[str, F] = {}
        programs: Programs = {}
        names: dict[str, Text] = {}
        for entry in book.entries:
            assert isinstance(entry, LocatedMapping)
            before = len(findings.errors)
            findings.errors += [*self.find_entry_errors(book, entry), *self._find_unknown_clauses(book, entry)]
            face, texts = None, None
            with findings.collect_error():
                face = self.parse_face(book.file, entry)
            with findings.collect_error():
                texts = self.parse_texts(book.file, entry)
            if face is None or texts is None or len(findings.errors) > before:
                continue
            findings.errors += [
                f"{book.file}:{entry.line_of(key)}: {what}" for key, what in self.find_mismatches(face, texts)
            ]
            card = self.card_id(book, entry)
            faces[card] = self.externalize_face(book, card, face)
            programs.update({(card, self.text_id(book, name)): lines for name, lines in texts.items()})
            names.update(self.card_labels(book, entry))
        findings.raise_collected()
        return ParsedBook(faces, programs, names, self.describe_all_cards(book))

    def register_book(self, book: CardBook, read: ParsedBook[F]) -> None:
        """Enter a parsed book where the rules look for it.

        A game adds what lies in the box.
        """
        self.faces.add_from_book(read.faces)
        self.programs.add_from_book(read.programs)
        self.rulebook.names.update(read.names)
        self.rulebook.quoted_names.update(read.names)
        self.by_edition[book.edition] = read.cards

    def describe_all_cards(self, book: CardBook) -> tuple[dict[str, Any], ...]:
        """Return the cards of the edition as readers are shown them, own cards first."""
        own = self.cards if book.extends else ()
        return (*own, *(self.describe_card(rename_entry(book, entry)) for entry in book.entries))

    def describe_card(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        """Return a card as readers are shown it."""
        return describe_card(entry, self.mechanics)

    # -- where games differ --------------------------------------------------------------------------------------------

    def find_book_errors(self, book: CardBook) -> Iterator[str]:
        """Yield the errors of a book as a whole, before its cards are checked."""
        yield from ()

    def find_entry_errors(self, book: CardBook, entry: LocatedMapping) -> Iterator[str]:
        """Yield the errors of an entry outside its face, texts and clauses.

        By default these are errors of its name.
        """
        card = entry["id"]
        if card in self.reserved:
            yield f"{book.file}:{entry.line_of('id')}: {card} is a word of the rules and cannot be the id of a card"
        if book.extends and card in self.faces:
            yield f"{book.file}:{entry.line_of('id')}: {card} is already {self.own_card_phrase}"

    def find_mismatches(self, face: F, texts: dict[str, Program]) -> Iterator[tuple[str, str]]:
        """Yield what does not fit together in a card whose parts are each right.

        Each item is the key in question and the error.
        """
        yield from ()

    def card_id(self, book: CardBook, entry: LocatedMapping) -> str:
        """Return the id of an entry's card outside the book."""
        return book.card_id(entry["id"])

    def text_id(self, book: CardBook, text: str) -> str:
        """Return the id of a card's text outside the book."""
        return text

    def externalize_face(self, book: CardBook, card: str, face: F) -> F:
        """Return the face of a card with ids as they are outside the book."""
        return replace_fields(face, id=card)

    def card_labels(self, book: CardBook, entry: LocatedMapping) -> dict[str, Text]:
        """Return what players read for the card of an entry and for its parts."""
        return {book.card_id(entry["id"]): entry["name"]}

    def _find_unknown_clauses(self, book: CardBook, entry: LocatedMapping) -> Iterator[str]:
        for clause in clauses if isinstance(clauses := entry.get("clauses", []), list) else ():
            try:
                self.rulebook.find_clause(str(clause))
            except KeyError:
                yield f"{book.file}:{entry.line_of('clauses')}: unknown clause {clause!r}"
