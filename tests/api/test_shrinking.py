"""Scripts of the page are served without comments and indentation, and say the same as before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import tree_sitter_javascript
from tree_sitter import Language, Node, Parser

from api.pages import companion
from api.pages.shrinking import shrink_script

PARSER = Parser(Language(tree_sitter_javascript.language()))
SCRIPTS = [name for name in companion.read_files() if name.endswith(".js")]
PACKED_BY_ITS_AUTHORS = "vendor/standalone.module.js"


def list_nodes(node: Node) -> Iterator[tuple[str, bytes]]:
    """Yield the tree of a script, with the letters of what has no parts; without comments."""
    if node.type != "comment":
        yield node.type, b"" if node.children else node.text or b""
        for child in node.children:
            yield from list_nodes(child)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_has_the_same_tokens_in_the_same_tree(name: str) -> None:
    source = companion.read_files()[name]
    shrunk = companion.read_served_file(name)
    if name == PACKED_BY_ITS_AUTHORS:
        assert shrunk == source
        return
    tree = PARSER.parse(shrunk).root_node
    assert not tree.has_error
    assert list(list_nodes(tree)) == list(list_nodes(PARSER.parse(source).root_node))
    assert len(shrunk) < len(source)


@pytest.mark.parametrize(
    ("source", "shrunk"),
    [
        ("let a = 1; // one\n/* two */ let b;\n", "let a=1;let b;\n"),
        (
            "f(html`<p>  ${x && html`<b>// hi  </b>`} 'don't' ${ y }  /* no */</p>`)",
            "f(html`<p>  ${x&&html`<b>// hi  </b>`} 'don't' ${y}  /* no */</p>`)\n",
        ),
        ("const r = / [/*\"`'] /g, s = 'a  // b';", "const r=/ [/*\"`'] /g,s='a  // b';\n"),
        ("/*! of its author */\nlet a = b\n++c\n", "/*! of its author */\nlet a=b\n++c\n"),
        ("a = b - -c + +d + ++e / /f/.g;", "a=b- -c+ +d+ ++e/ /f/.g;\n"),
        ("if (a) return b\nelse if (c) {\n  d\n  e\n}\n", "if(a)return b\nelse if(c){d\ne}\n"),
        ("const ä = async () => { for (const ö of ä) await ö; };", "const ä=async()=>{for(const ö of ä)await ö;};\n"),
        ("this is (no script", "this is (no script"),
    ],
)
def test_only_gaps_between_tokens_are_touched(source: str, shrunk: str) -> None:
    assert shrink_script(source.encode()).decode() == shrunk
