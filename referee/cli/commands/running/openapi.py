"""`referee openapi write`: writes the contract that the API generates."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from referee.infrastructure.errors import HostError

GENERATOR = "api.openapi.generate:as_yaml"  # by name, because this room may not import the API


def write_contract(path: Path | None) -> None:
    """Write the contract to a file, or to standard output.

    Raises HostError if the contract cannot be generated or written.
    """
    module, _, function = GENERATOR.partition(":")
    try:
        generate = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError) as wrong:
        raise HostError(f"the API that generates the contract is not installed: {wrong}") from wrong
    text: str = generate()
    if path is None:
        sys.stdout.write(text)
    else:
        try:
            path.write_text(text, "utf-8")
        except OSError as wrong:
            raise HostError(f"{path} cannot be written: {wrong.strerror}") from wrong
