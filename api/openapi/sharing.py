"""What keeps the contract short: shared parts, told defaults, long lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import orjson

from api.http.schemas.fields import SEAT_LIMITS, SEAT_NUMBER

Doc = dict[str, Any]
WRAPPED = re.compile(r"(?<!\n)\n(?![\n*-])")  # the end of a line within a paragraph
NAMED_SCHEMAS: dict[str, str] = {  # of parts that many bodies and answers have: where one of them stands
    "CardCorrection": "VoteBody/properties/fix/items/oneOf/0",
    "ValueCorrection": "VoteBody/properties/fix/items/oneOf/1",
    "TurnCorrection": "VoteBody/properties/fix/items/oneOf/2",
    "QuestionCorrection": "VoteBody/properties/fix/items/oneOf/3",
    "PlacementCorrection": "VoteBody/properties/fix/items/oneOf/4",
    "Correction": "VoteBody/properties/fix/items",
    "RemedyName": "VoteBody/properties/remedy",
    "ClaimName": "DisputeBody/properties/claim",
    "OptionalWords": "DescribedMove/properties/told",
    "SomeSettings": "Match/properties/settings",
    "ChosenChance": "MunchkinMatchBody/properties/chance",
    "SomeMove": "Entry/properties/move",
    "NumberedEvent": "Entry/properties/events/items",
    "SomeEvent": "DryRun/properties/events/items",
    "TournamentEvent": "TournamentEntry/properties/events/items",
    "Awaited": "Match/properties/awaits/items",
    "ReceiptNote": "WriteResult/properties/receipt",
    "ChosenReadings": "MatchChangeBody/properties/readings",
    "ChosenEdition": "MunchkinMatchBody/properties/edition",
    "ChosenRuleset": "MunchkinMatchBody/properties/ruleset",
    "HostPlays": "MunchkinMatchBody/properties/host_plays",
    "HintsAllowed": "MunchkinMatchBody/properties/hints",
    "PrecedentsOf": "MunchkinMatchBody/properties/precedents_of",
    "SpectatorDelay": "MunchkinMatchBody/properties/spectator_delay",
    "MatchStatus": "BoardView/properties/status",
    "UncountedReasons": "Match/properties/uncounted",
    "DisputeStage": "Dispute/properties/stage",
    "BoardPiles": "MauMauBoard/properties/piles",
    "BoardTurn": "MauMauBoard/properties/turn",
    "BoardCardId": "BoardCard/properties/id",
    "BoardCardName": "BoardCard/properties/card",
    "MunchkinMarks": "MunchkinCard/properties/marks",
    "WebhookUrl": "WebhookBody/properties/url",
    "SignedNote": "Checkpoint/properties/note",
    "ChosenSettings": "PositionMovesBody/properties/settings",
    "ChosenClocks": "MunchkinMatchBody/properties/clocks",
    "ChosenCourts": "MunchkinMatchBody/properties/courts",
    "ChosenVisibility": "MunchkinMatchBody/properties/visibility",
    "CardList": "CcBringDeckMove/properties/cards",
    "PlaceName": "BoardPile/properties/place",
    "BotStyleName": "ChairBody/properties/style",
    "OptionalOutcome": "View/properties/outcome",
    "OptionalDeadline": "Window/properties/deadline",
    "AsOf": "CardStatistics/properties/as_of",
    "WebhookEvents": "WebhookBody/properties/events",
    "ProofPath": "Consistency/properties/path",
    "TurnNumber": "MauMauBoard/properties/turn_number",
    "OwnSeat": "AppealBody/properties/seat",
    "OptionalReceipt": "Hint/properties/receipt",
    "AwaitedSeats": "BoardView/properties/awaits",
    "CardCount": "BoardPile/properties/count",
    "Corrections": "RuleBody/properties/fix",
    "HereToSlayPart": "HereToSlayText/properties/part",
    "CreatureCrushPart": "CreatureCrushCarriedOut/properties/part",
    "BurnedDice": "CcAttackMove/properties/dice",
    "OutOfMatch": "BoardSeat/properties/is_out",
    "PositionEdition": "PositionCensusBody/properties/edition",
    "CitedClauses": "CourtRuling/properties/clauses",
    "AskedSeats": "Deviation/properties/asks",
    "ConsentingSeats": "Deviation/properties/granted",
    "OptionalQuestion": "BoardView/properties/question",
    "PositionVariant": "PositionCensusBody/properties/variant",
    "CourtLimit": "Courts/properties/disputes_an_hour",
    "CardBack": "MunchkinBelonging/properties/back",
    "PickerValues": "PickerChoice/properties/values",
    "HereToSlayValues": "HereToSlayDice/properties/values",
    "HereToSlayTotal": "HereToSlayDice/properties/total",
    "SeatList": "Ending/properties/placement/items",
}

SEAT_MEMBERS = frozenset((  # members that name a seat, or several
    "seat", "seats", "turn", "parties", "asks", "decide", "granted", "awaits", "against", "accepted", "refused",
    "consents", "learned", "admits", "suspects", "winners", "placement", "by", "victim", "asked", "helper", "main",
    "waiting", "draw_offered_by", "declined", "wants_helper_first", "died", "dead", "order", "rolling", "passed",
    "target", "until_turn_of", "roller", "asker",
))  # fmt: skip
SEAT_PLACES = frozenset(("MunchkinTrade/to", "MunchkinCharity/to", "MunchkinChoice/of"))  # where only there
# Components of tournaments, whose players have numbers of their own, beyond those of seats.
OTHER_PLAYERS = ("Tournament", "Officer", "TableResult")
OTHER_NUMBERS = frozenset(("BotStrength/seats",))  # levels


def copy_parts(part: Any) -> Any:
    """Return a copy in which each place can be changed alone."""
    if isinstance(part, dict):
        return {key: copy_parts(each) for key, each in part.items()}
    return [copy_parts(each) for each in part] if isinstance(part, list | tuple) else part


def share_parts(contract: Doc) -> None:
    """Put headers and parameters that are often alike into the components.

    Of parameters of one name that differ, the most frequent one is shared; the others stay where they are.
    """
    components = contract["components"]
    components.setdefault("headers", {})
    for place, kind in ((_iterate_parameter_lists, "parameters"), (_iterate_headers, "headers")):
        found = Counter(
            (name, orjson.dumps(part)) for holder in place(contract) for name, part in _iterate_inline(holder)
        )
        names: dict[tuple[str, bytes], str] = {}
        for (name, encoded), count in found.most_common():
            if count > 1 and name not in components[kind]:
                components[kind][name] = orjson.loads(encoded)
                names[name, encoded] = name
        for holder in place(contract):
            for at, (name, part) in _enumerate_inline(holder):
                if shared := names.get((name, orjson.dumps(part))):
                    holder[at] = {"$ref": f"#/components/{kind}/{shared}"}


def share_schemas(schemas: Doc) -> None:
    """Put the schemas of `NAMED_SCHEMAS` into the components.

    Wherever they stand is a reference then.
    """
    for name, place in NAMED_SCHEMAS.items():
        found: Any = schemas
        for part in place.split("/"):
            found = found[int(part) if isinstance(found, list) else part]
        _refer(schemas, found, {"$ref": f"#/components/schemas/{name}"})
        schemas[name] = found


def _refer(within: Any, shared: Doc, reference: Doc) -> None:
    """Put a reference into the place of each part that is equal to the shared one."""
    for at, part in list(enumerate(within) if isinstance(within, list) else within.items()):
        if part == shared:
            within[at] = dict(reference)
        elif isinstance(part, dict | list):
            _refer(part, shared, reference)


def open_answers(contract: Doc) -> None:
    """Let answers have further members, which a later version may add.

    Bodies of requests stay closed: an unknown member is refused there.
    """
    schemas = contract["components"]["schemas"]
    asked = set(_find_references([contract["paths"], contract["components"]["parameters"]], within_bodies=True))
    waiting = list(asked)
    while waiting:
        found = set(_find_references(schemas[waiting.pop()])) - asked
        asked |= found
        waiting += found
    for name in schemas.keys() - asked:
        _open(schemas[name])


def _find_references(part: Any, within_bodies: bool = False) -> Iterator[str]:
    """Yield the names of schemas that a part refers to.

    `within_bodies` leaves out what calls answer.
    """
    if isinstance(part, dict):
        if str(part.get("$ref")).startswith("#/components/schemas/"):
            yield part["$ref"].rpartition("/")[2]
        for key, each in part.items():
            if not (within_bodies and key == "responses"):
                yield from _find_references(each, within_bodies)
    elif isinstance(part, list):
        for each in part:
            yield from _find_references(each, within_bodies)


def _open(part: Any) -> None:
    if isinstance(part, dict):
        if part.get("additionalProperties") is False:
            del part["additionalProperties"]
        for each in part.values():
            _open(each)
    elif isinstance(part, list):
        for each in part:
            _open(each)


def share_members(schemas: Doc, bases: dict[str, str]) -> None:
    """Write a schema that extends another as that one and what it adds.

    `bases` names the schema that each extends. One that changes a member, or is closed, is left as it is.
    """
    for name, base in bases.items():
        own, inherited = schemas[name], schemas[base]
        members = inherited.get("properties", {})
        is_open = "additionalProperties" not in own and "additionalProperties" not in inherited
        if is_open and len(members) > 2 and members.items() <= own["properties"].items():
            added = {member: part for member, part in own["properties"].items() if member not in members}
            required = sorted(set(own.get("required", [])) - set(inherited.get("required", [])))
            rest = {key: part for key, part in own.items() if key not in ("properties", "required", "description")}
            rest |= {"properties": added} | ({"required": required} if required else {})
            told = {"description": own["description"]} if "description" in own else {}
            schemas[name] = {**told, "allOf": [{"$ref": f"#/components/schemas/{base}"}, rest]}


def share_answers(contract: Doc) -> None:
    """Put answers that several calls give into the components.

    They are named after their schema, or without a body after their headers.
    """
    kept = contract["components"]["responses"]
    holders = [operation["responses"] for operation in _iterate_operations(contract)]
    found = Counter(orjson.dumps(answer) for holder in holders for answer in holder.values())
    for holder in holders:
        for status, answer in holder.items():
            schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
            is_empty = "content" not in answer and "headers" in answer
            if ("$ref" in schema or is_empty) and found[orjson.dumps(answer)] > 1:
                told = "".join(answer["headers"]) if is_empty else schema["$ref"].rpartition("/")[2]
                name = told + ("" if status == "200" else answer["description"].replace(" ", ""))
                if kept.setdefault(name, answer) == answer:
                    holder[status] = {"$ref": f"#/components/responses/{name}"}


def share_path_parameters(contract: Doc) -> None:
    """Give to each path the parameters that all its operations have."""
    for item in contract["paths"].values():
        operations = [part for part in item.values() if isinstance(part, dict)]
        first, *others = (operation.get("parameters", []) for operation in operations)
        alike = [each for each in first if all(each in other for other in others)] if others else []
        item["parameters"] = [*item.get("parameters", []), *alike]
        for holder in (item, *operations):
            own = [each for each in holder.get("parameters", []) if holder is item or each not in alike]
            holder.pop("parameters", None)
            if own:
                holder["parameters"] = own


def _iterate_operations(contract: Doc) -> Iterator[Doc]:
    for item in (*contract["paths"].values(), *contract["webhooks"].values()):
        yield from (operation for operation in item.values() if isinstance(operation, dict))


def _iterate_parameter_lists(contract: Doc) -> Iterator[list[Doc]]:
    for item in contract["paths"].values():
        yield item.get("parameters", [])
    for operation in _iterate_operations(contract):
        yield operation.get("parameters", [])


def _iterate_headers(contract: Doc) -> Iterator[Doc]:
    for operation in _iterate_operations(contract):
        for answer in operation["responses"].values():
            yield answer.get("headers", {})


def _enumerate_inline(holder: Any) -> Iterator[tuple[Any, tuple[str, Doc]]]:
    """Yield place, name and content of each part that is no reference."""
    for at, part in list(enumerate(holder) if isinstance(holder, list) else holder.items()):
        if "$ref" not in part:
            yield at, (_name_parameter(part) if isinstance(holder, list) else at, part)


def _iterate_inline(holder: Any) -> Iterator[tuple[str, Doc]]:
    return (named for _, named in _enumerate_inline(holder))


def _name_parameter(part: Doc) -> str:
    words = part["name"].replace("_", "-").split("-")
    return "".join(word[:1].upper() + word[1:] for word in words) + ("Query" if part["in"] == "query" else "")


def shorten(part: Any) -> None:
    """Put each paragraph of a text into one line, and leave out what is so anyway.

    That is done at any depth.
    """
    if isinstance(part, list):
        for each in part:
            shorten(each)
    if not isinstance(part, dict):
        return
    if "const" in part and part.get("type") == "string":
        del part["type"]  # the constant says so
    if "in" in part and part.get("required") is False:
        del part["required"]  # a parameter is optional unless it says otherwise
    for key, each in part.items():
        if key == "description" and isinstance(each, str):
            part[key] = WRAPPED.sub(" ", each)
        elif key not in ("example", "examples"):
            shorten(each)


def tell_defaults(schema: Any) -> None:
    """Put the defaults of members into their descriptions, at any depth.

    Generators make a member with a default a required one, although a request may leave it out.
    """
    if isinstance(schema, list):
        for each in schema:
            tell_defaults(each)
    if not isinstance(schema, dict):
        return
    properties = schema.get("properties")
    for member in properties.values() if isinstance(properties, dict) else ():
        if isinstance(member, dict) and "default" in member:
            told = f"Default: {orjson.dumps(member.pop('default')).decode()}"
            member["description"] = f"{member['description'].rstrip('.')}. {told}" if "description" in member else told
    for each in schema.values():
        tell_defaults(each)


def type_seats(schemas: Doc) -> None:
    """Make every member that names a seat, or several, a `SeatNumber`.

    One type for all of them: the number itself, with the same limits in bodies and in answers.
    """
    for component, schema in schemas.items():
        if component != "SeatNumber":
            schemas[component] = _type_seats(component, schema)


def _type_seats(component: str, schema: Any) -> Any:
    """Return the schema with its seats typed, at any depth."""
    if component.startswith(OTHER_PLAYERS):
        return schema
    if isinstance(schema, list):
        return [_type_seats(component, each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if (schema.get("type"), schema.get("minimum"), schema.get("maximum")) == ("integer", *SEAT_LIMITS):
        return _type_seat(schema)
    typed = {key: _type_seats(component, part) for key, part in schema.items()}
    properties = typed.get("properties")
    if isinstance(properties, dict):
        for name, member in properties.items():
            place = f"{component}/{name}"
            if place in SEAT_PLACES or (name in SEAT_MEMBERS and place not in OTHER_NUMBERS):
                properties[name] = _type_seat(member)
    return typed


def _type_seat(member: Doc) -> Doc:
    """Return the schema of a member with `SeatNumber` for each whole number."""
    rest = {key: part for key, part in member.items() if key not in ("type", "minimum", "maximum")}
    match member.get("type"):
        case "array":
            return {**member, "items": _type_seat(member["items"])}
        case "integer" if member.get("minimum", 0) < 0:
            return {**rest, "anyOf": [SEAT_NUMBER, {"enum": [-1]}], "description": "-1: nobody"}
        case "integer":
            return {**rest, **SEAT_NUMBER}
        case ["integer", "null"]:
            return {**rest, "anyOf": [SEAT_NUMBER, {"type": "null"}]}
    return member
