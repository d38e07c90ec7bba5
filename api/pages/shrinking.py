"""Scripts as they are served: without comments and indentation.

A parser tells tokens apart. What stands in a template, a string or a regular expression is left as it is, and so is a
file that the parser does not understand.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter_javascript
from tree_sitter import Language, Node, Parser

SCRIPTS = Language(tree_sitter_javascript.language())
WHOLE = ("string", "regex")  # left as they are
LICENCE = b"/*!"  # how a comment begins that has to stay
NO_BREAK_AFTER, NO_BREAK_BEFORE = b"{([,;", b"})]"  # here a line break means nothing
NEVER_JOINED = (b"++", b"--", b"+-", b"-+", b"//", b"/*", b"*/", b"<!", b"->")  # would be read as another token

Span = tuple[int, int]


def shrink_script(source: bytes) -> bytes:
    """Return a script without comments and indentation.

    One that cannot be parsed is left unchanged.
    """
    root = Parser(SCRIPTS).parse(source).root_node
    if root.has_error:
        return source
    built, end = bytearray(), 0
    for start, stop in _list_kept(root, source):
        if start > end:
            built += _separate(source[end:start], bytes(built[-1:]), source[start : start + 1])
        built += source[start:stop]
        end = stop
    return bytes(built) + b"\n"


def _list_kept(node: Node, source: bytes) -> Iterator[Span]:
    """Yield where the tokens stand.

    All that lies between the parts of a template is one of them.
    """
    if node.type == "comment":
        if source[node.start_byte : node.end_byte].startswith(LICENCE):
            yield node.start_byte, node.end_byte
    elif node.type in WHOLE or not node.children:
        if node.end_byte > node.start_byte:
            yield node.start_byte, node.end_byte
    else:
        end = node.start_byte
        for child in node.children:
            if node.type == "template_string" and child.start_byte > end:
                yield end, child.start_byte
            yield from _list_kept(child, source)
            end = child.end_byte


def _separate(gap: bytes, before: bytes, after: bytes) -> bytes:
    """Return what has to separate two tokens: a line break, a space or nothing."""
    if b"\n" in gap and before not in NO_BREAK_AFTER and after not in NO_BREAK_BEFORE:
        return b"\n"
    return b" " if (_is_word(before) and _is_word(after)) or before + after in NEVER_JOINED else b""


def _is_word(letter: bytes) -> bool:
    """Whether a letter can stand in a name or a number, beyond ASCII any byte."""
    return letter.isalnum() or letter in (b"_", b"$", b"\\", b"#", b"@", b".") or letter > b"\x7f"
