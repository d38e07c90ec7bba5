"""The server that assistants speak to over standard input and output.

Only here the SDK of the Model Context Protocol is used. It keeps standard output for the protocol, and sends what else
would be printed to standard error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resources import FunctionResource
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

import referee
from referee.census.check import CensusClaim
from referee.cli.assistants import histories, positions, rules, shapes
from referee.cli.assistants.answers import Answer, UnanswerableError, say
from referee.cli.assistants.resources import list_resources
from referee.games import load_games

GAMES = ", ".join(load_games())
MAX_FOUND = 20  # clauses of a search
MAX_FILES = 20  # keys or receipts of a call
LONGEST_TEXT = 500
INSTRUCTIONS = f"""\
Referee answers rules questions of these tabletop games: {GAMES}. Do not answer them from memory: every rule is a
numbered clause, and an answer names the clauses that it rests on. Quote the clause id to the players.
- "May I do that?" about a certain situation: judge_position. Call it with the game alone for an example of a position,
  with game and position for the moves, and with seat and move for the ruling.
- "How does ... work?": search_rules, then get_clause for what hangs on a clause.
- A file of a match (.bundle) that the user names: explain_entry, count_cards, verify_bundle.
If an answer asks for facts, ask the players; do not invent what lies on their table."""

Lang = Annotated[Literal["en", "de"], Field(description="The language of the answer: that of the players.")]
GameName = Annotated[str, Field(description=f"The game, by id or title. Ids: {GAMES}.", max_length=100)]
Bundle = Annotated[
    str,
    Field(description="The path of an exported match (.bundle) here, as the user gave it.", max_length=4096),
]
Viewer = Annotated[
    int | None,
    Field(
        description="Use only what this seat saw (seats count from 0). Left out: all that the file holds.", ge=0, le=19
    ),
]
Position = Annotated[
    dict[str, Any] | None,
    Field(
        description="What lies on the table, as in the example of the game: players in the order of their seats with "
        "hand, points and so on, piles, whose turn it is, and `question`, which says what is being asked "
        'right now ({"asks": ...}). Cards by id or by name in English or German; a number in place of a list of cards '
        "says how many there are. Leave out what nobody knows."
    ),
]
Variant = Annotated[str | None, Field(description="The variant, if the position does not give it.", max_length=64)]
READ_ONLY = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)


def search_rules(
    game: GameName,
    query: Annotated[
        str,
        Field(
            description="The question or its words, in English or German, such as `may I play two shields`. "
            "Names of cards count.",
            min_length=1,
            max_length=LONGEST_TEXT,
        ),
    ],
    limit: Annotated[int, Field(description="The most clauses to return.", ge=1, le=MAX_FOUND)] = 6,
    lang: Lang = "en",
) -> Annotated[CallToolResult, shapes.SearchData]:
    """Find the clauses and cards of a game that a question is about.

    The most fitting come first.

    Use it for general questions about rules ("how many cards may I hold?"). It matches words, so try the words of the
    rulebook if nothing fits. For whether a certain move is legal in a certain situation use judge_position.
    """
    return _answer(lambda: rules.search_rules(game, query, limit, lang))


def get_clause(
    clause: Annotated[str, Field(description="The id of the clause, such as MC-SHIELD-1.", max_length=64)],
    lang: Lang = "en",
) -> Annotated[CallToolResult, shapes.WholeClauseData]:
    """Return one clause with all that hangs on it.

    That is its rule, its place in the rulebook, other readings, refusals and cards.

    Use it when an answer cites a clause and the players want to know more, or when they ask for one by its id.
    """
    return _answer(lambda: rules.read_clause(clause, lang))


def judge_position(
    game: GameName,
    position: Position = None,
    seat: Annotated[
        int | str | None, Field(description="Whose move it is: a seat from 0, or `chance` for dice and piles.")
    ] = None,
    move: Annotated[
        dict[str, Any] | None,
        Field(description='The move: its `type` and fields, such as {"type": "mc.play", "card": "shield"}.'),
    ] = None,
    variant: Variant = None,
    settings: Annotated[
        dict[str, Any] | None, Field(description="House settings of the game, if the position does not give them.")
    ] = None,
    claim: Annotated[
        Literal["illegal_move", "missed_effect", "wrong_count", "other"] | None,
        Field(description="What is claimed, if people disagree. Without it this is a plain question."),
    ] = None,
    clause: Annotated[str | None, Field(description="The clause that the claim rests on.", max_length=64)] = None,
    saw: Annotated[
        dict[str, Any] | None,
        Field(description='How the table carried the move out: places after it, such as {"/players/0/hearts": 2}.'),
    ] = None,
    says: Annotated[
        list[dict[str, Any]] | None,
        Field(description="What each party says: `seat`, `says`, and `legal`, `saw` or `clause` to compare."),
    ] = None,
    readings: Annotated[
        dict[str, Any] | None,
        Field(description="How the table reads what the rulebook leaves open: clause id to the value of its setting."),
    ] = None,
    unknown: Annotated[
        list[str] | None,
        Field(description="Places of the position of which nobody knows what is there, such as /position/question."),
    ] = None,
    names: Annotated[list[str] | None, Field(description="What the players are called, in the order of seats.")] = None,
    lang: Lang = "en",
) -> Annotated[CallToolResult, shapes.RulingData]:
    """Rule on a move in a situation at the table: "may I do that?".

    The ruling cites the clauses that it rests on.

    Use it whenever somebody asks whether a certain move is legal, what follows from it, or who is right about it.
    The result's `status` tells which kind of answer it is:
    - `example` (only `game` given): a position and a move of this game to start from. Call it like this first.
    - `choose_move` (no `move` given): the moves that one may ask about in this position, legal or not.
    - `facts_missing`: the answer depends on facts that the position leaves out; ask the players, add each `fragment`
      at its `pointer`, and call again.
    - `ruled`: `verdict` is granted (legal), refused (not legal; `instead` has moves that would be) or undecided.
    """
    given = {
        "game": game, "variant": variant, "settings": settings, "position": position, "seat": seat, "move": move,
        "claim": claim, "clause": clause, "saw": saw, "says": says, "readings": readings, "unknown": unknown,
        "names": names,
    }  # fmt: skip
    question = {name: value for name, value in given.items() if value is not None}
    return _answer(lambda: positions.judge_position(question, lang))


def count_cards(
    game: Annotated[str | None, Field(description="With `position`: the game, by id or title.", max_length=100)] = None,
    position: Position = None,
    variant: Variant = None,
    bundle: Annotated[Bundle | None, Field(description="Instead of a position: a match.")] = None,
    seat: Viewer = None,
    place: Annotated[
        str | None,
        Field(
            description="With `bundle`: where a card is claimed to be, such as hand:2; an error lists the places.",
            max_length=100,
        ),
    ] = None,
    card: Annotated[
        str | None, Field(description="The card that is claimed to be there, by id or name.", max_length=200)
    ] = None,
    count: Annotated[
        int | None, Field(description="Or how many cards are claimed to be there.", ge=0, le=10_000)
    ] = None,
    lang: Lang = "en",
) -> Annotated[CallToolResult, shapes.CensusData]:
    """Count the cards: can they all be where the table says?

    They cannot if more copies of a card would be needed than the box holds.

    Use it when somebody suspects that a card is missing, there twice, or was not dealt. Give `game` and `position`
    for what lies on a table, or `bundle` for everything that was shown in an exported match; there `place` with `card`
    or `count` asks whether that can be true as well. If it is impossible, the answer says since when, by which clause,
    and what to count again.
    """

    def take() -> Answer:
        if (bundle is None) == (position is None) or (position is not None and game is None):
            raise UnanswerableError(say("position_or_bundle", lang))
        if bundle is not None:
            if (place is None) != (card is None and count is None) or (card is not None and count is not None):
                raise UnanswerableError(say("claim", lang))
            claim = None if place is None else CensusClaim(place, card or "", count)
            return histories.count_match(bundle, seat, claim, lang)
        given = {"seat": seat, "place": place, "card": card, "count": count}
        if beside := [name for name, value in given.items() if value is not None]:
            raise UnanswerableError(say("only_position", lang, field=", ".join(beside)))
        question = {"game": game, "position": position, **({} if variant is None else {"variant": variant})}
        return positions.count_position(question, lang)

    return _answer(take)


def explain_entry(
    bundle: Bundle,
    entry: Annotated[int, Field(description="The number of the entry, from 1.", ge=1)],
    seat: Viewer = None,
    lang: Lang = "en",
) -> Annotated[CallToolResult, shapes.ExplanationData]:
    """Explain one entry of an exported match.

    The answer says what was asked, what happened, and by which clauses.

    Use it for "why did that happen?" about a match whose file the user names. Whether the file is true is another
    question, which verify_bundle answers.
    """
    return _answer(lambda: histories.explain_entry(bundle, entry, seat, lang))


def verify_bundle(
    bundle: Bundle,
    keys: Annotated[
        list[str],
        Field(
            description="Public keys that the user trusts, or their files: PEM, base64, hex or a verifier key. Without "
            "any, the file is only checked against itself.",
            max_length=MAX_FILES,
        ),
    ] = [],  # noqa: B006  (never changed; the schema shows it)
    receipts: Annotated[
        list[str], Field(description="Files of receipts that the user kept of this match.", max_length=MAX_FILES)
    ] = [],  # noqa: B006
    lang: Lang = "en",
) -> Annotated[CallToolResult, shapes.ReportData]:
    """Verify an exported match: was it played by the rules, is it unchanged?

    Signatures, hashes, hidden cards, dice and every move are checked.

    Use it when the user asks whether a match was played by the rules or its file was changed. A long match takes a
    while.
    """
    return _answer(lambda: histories.verify_bundle(bundle, keys, receipts, lang))


TOOLS: tuple[tuple[str, Callable[..., Any]], ...] = (
    ("Search the rules", search_rules),
    ("Read a clause", get_clause),
    ("Judge a move in a position", judge_position),
    ("Count the cards", count_cards),
    ("Explain an entry of a match", explain_entry),
    ("Verify an exported match", verify_bundle),
)


def build_server() -> MCPServer:
    """Return the server with its tools and resources."""
    server = MCPServer(
        "referee",
        title="Referee",
        description="A rules referee for tabletop games that cites the clause",
        instructions=INSTRUCTIONS,
        version=referee.__version__,
        tools=[build_tool(title, function) for title, function in TOOLS],
        log_level="ERROR",
    )
    for each in list_resources():
        server.add_resource(
            FunctionResource(
                uri=each.uri, name=each.name, description=each.description, mime_type=each.media_type, fn=each.read
            )
        )
    return server


def build_tool(title: str, function: Callable[..., Any]) -> Tool:
    """Return a tool that refuses arguments which it does not have."""
    tool = Tool.from_function(function, title=title, annotations=READ_ONLY, structured_output=True)
    arguments = tool.fn_metadata.arg_model
    arguments.model_config["extra"] = "forbid"
    arguments.model_rebuild(force=True)
    return tool.model_copy(update={"parameters": arguments.model_json_schema(by_alias=True)})


def run_server() -> None:
    """Serve until standard input ends."""
    build_server().run("stdio")


def _answer(command: Callable[[], Answer]) -> CallToolResult:
    """Return the answer of a command. Raises ToolError, which the assistant reads."""
    try:
        found = command()
    except UnanswerableError as wrong:
        raise ToolError(str(wrong)) from wrong
    return CallToolResult(content=[TextContent(text=found.text)], structured_content=found.data)
