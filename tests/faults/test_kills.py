"""The whole program is killed part by part while it is played on, in a course that its seed repeats.

`FAULTS_KILLS=80` kills as often as is asked for; as many as are in the deck of one life and some of the next are the
fewest that mean something. `python -m tests.faults --kills 1000` goes on for longer and gives figures.
"""

from __future__ import annotations

import os
import shutil
import sys

import pytest

from tests.eventstore.servers import NO_SERVER, binaries
from tests.faults.campaign import DECK, Campaign
from tests.faults.checks import untried
from tests.faults.figures import told
from tests.faults.shim import compiler, short_folder

KILLS = int(os.environ.get("FAULTS_KILLS", "75"))
ENOUGH = 200  # kills, amid which remedies of every kind are to happen
SEED = int(os.environ.get("FAULTS_SEED", "20"))  # `python -m tests.faults --kills 80 --seed 20` does the same

pytestmark = [
    pytest.mark.crash,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the processes to kill are found in /proc"),
    pytest.mark.skipif(not binaries(), reason=NO_SERVER),
]


def test_kills_lose_nothing_double_nothing_and_end_no_match() -> None:
    folder = short_folder()
    figures = Campaign(folder, SEED, KILLS).run()
    assert figures.kills.total() == KILLS
    assert set(figures.kills) == {*DECK, "supervisor"}, "of every kind one died, or less was tested than is said"
    assert figures.acknowledged > KILLS
    assert figures.repeated
    assert figures.replies_lost
    assert figures.timed_out
    assert figures.amid, "nothing died in the middle of a remedy"
    if KILLS >= ENOUGH:  # by chance one of them may not come off; by hand, all have to
        assert len(untried(figures.courts)) <= 2, told(figures)
    if compiler() is not None:
        assert figures.skews
        assert figures.full_disks
    shutil.rmtree(folder)  # what broke stays, to be looked at
