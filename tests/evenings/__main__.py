"""Prints how many writes a turn of the scripted evenings takes: `python -m tests.evenings`."""

from __future__ import annotations

from tests.evenings.counting import EVENINGS, count_writes


def main() -> None:
    for game in EVENINGS:
        for together in (False, True):
            found = count_writes(game, together)
            how = "together" if together else "singly"
            kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(found.kinds.items()))
            print(f"{game}, {how}: {found.mean:.1f} writes a turn {found.writes} ({kinds})")


if __name__ == "__main__":
    main()
