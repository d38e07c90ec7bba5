"""What card books mean to a game with card texts, and where it is entered: what is the same in all these games.

A game derives its own `Library` and says where it differs: which names are taken, what a book lacks, what is called how
outside its book, and what lies in the box.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from referee.cardscript.books.catalog import shown
from referee.cardscript.books.files import Shelf, renamed
from referee.cardscript.language.parser import Marked
from referee.cardscript.language.primitives import Lines
from referee.engine.rulebook.book import Book, Text
from referee.engine.rulebook.editions import CardBook, Findings

F = TypeVar("F")  # the faces of a game
Programs = dict[tuple[str, str], Lines]  # by card and text


@dataclass(frozen=True)
class Understood(Generic[F]):
    """What a book means: its faces, texts and names, each under the name that it has outside the book, and the cards
    of the edition for readers."""

    faces: dict[str, F]
    programs: Programs
    names: dict[str, Text]
    cards: tuple[dict[str, Any], ...]


@dataclass
class Library(Generic[F]):
    """What a game knows of its own cards (`cards` as readers are shown them, without the keys of `mechanics`), and how
    it reads others.

    `reserved` are words of the rules that no card may be called by. `read_face` and `read_texts` take a file's name and
    an entry, and raise Misprint.
    """

    edition: str
    cards: tuple[dict[str, Any], ...]
    faces: Shelf[str, F]
    programs: Shelf[tuple[str, str], Lines]
    book: Book
    reserved: frozenset[str]
    read_face: Callable[[str, Marked], F]
    read_texts: Callable[[str, Marked], dict[str, Lines]]
    mechanics: tuple[str, ...]
    taken: str = "a printed card"  # what a name is that one of the game's own cards has
    by_edition: dict[str, tuple[dict[str, Any], ...]] = field(init=False)

    def __post_init__(self) -> None:
        self.by_edition = {self.edition: self.cards}

    def understood(self, book: CardBook) -> Understood[F]:
        """What a book means in this game. Raises Misprints with all that is wrong."""
        findings = Findings()
        findings.found += self.lacks(book)
        faces: dict[str, F] = {}
        programs: Programs = {}
        names: dict[str, Text] = {}
        for entry in book.entries:
            assert isinstance(entry, Marked)
            before = len(findings.found)
            findings.found += [*self.amiss(book, entry), *self._unknown_clauses(book, entry)]
            face, texts = None, None
            with findings.noted():
                face = self.read_face(book.file, entry)
            with findings.noted():
                texts = self.read_texts(book.file, entry)
            if face is None or texts is None or len(findings.found) > before:
                continue
            findings.found += [f"{book.file}:{entry.at(key)}: {what}" for key, what in self.unfit(face, texts)]
            card = self.called(book, entry)
            faces[card] = self.outside(book, card, face)
            programs.update({(card, self.text_called(book, name)): lines for name, lines in texts.items()})
            names.update(self.names(book, entry))
        findings.settle()
        return Understood(faces, programs, names, self.all_shown(book))

    def enter(self, book: CardBook, read: Understood[F]) -> None:
        """Enters what a book means where the rules look for it. A game adds what lies in the box."""
        self.faces.bring(read.faces)
        self.programs.bring(read.programs)
        self.book.names.update(read.names)
        self.by_edition[book.edition] = read.cards

    def all_shown(self, book: CardBook) -> tuple[dict[str, Any], ...]:
        """The cards of the edition as readers are shown them, the game's own first."""
        own = self.cards if book.extends else ()
        return (*own, *(self.shown(renamed(book, entry)) for entry in book.entries))

    def shown(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        """A card as readers are shown it."""
        return shown(entry, self.mechanics)

    # -- where games differ --------------------------------------------------------------------------------------------

    def lacks(self, book: CardBook) -> Iterator[str]:
        """What is wrong with a book as a whole, before its cards are looked at."""
        yield from ()

    def amiss(self, book: CardBook, entry: Marked) -> Iterator[str]:
        """What is wrong with an entry beside its face, its texts and its clauses: that of its name."""
        card = entry["id"]
        if card in self.reserved:
            yield f"{book.file}:{entry.at('id')}: {card} is a word of the rules, no name for a card"
        if book.extends and card in self.faces:
            yield f"{book.file}:{entry.at('id')}: {card} is {self.taken} already"

    def unfit(self, face: F, texts: dict[str, Lines]) -> Iterator[tuple[str, str]]:
        """What does not fit together in a card of which each part is right: the key in question, and what."""
        yield from ()

    def called(self, book: CardBook, entry: Marked) -> str:
        """What the card of an entry is called outside the book."""
        return book.called(entry["id"])

    def text_called(self, book: CardBook, text: str) -> str:
        """What a text of a card is called outside the book."""
        return text

    def outside(self, book: CardBook, card: str, face: F) -> F:
        """The face of a card with the names that it has outside the book."""
        raise NotImplementedError

    def names(self, book: CardBook, entry: Marked) -> dict[str, Text]:
        """What players read where the card of an entry, or a part of it, is named."""
        return {book.called(entry["id"]): entry["name"]}

    def _unknown_clauses(self, book: CardBook, entry: Marked) -> Iterator[str]:
        for clause in clauses if isinstance(clauses := entry.get("clauses", []), list) else ():
            try:
                self.book.clause(str(clause))
            except KeyError:
                yield f"{book.file}:{entry.at('clauses')}: no clause is called {clause!r}"
