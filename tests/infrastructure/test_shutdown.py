"""What a process is told before it stops: by a real signal, in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from tests.infrastructure.machine import ROOT

SCRIPT = """
import signal, threading, time
from referee.infrastructure.gunicorn import shutdown
lock, told = threading.Lock(), threading.Event()
def listen():
    with lock:  # held by the main thread when the signal comes
        told.set()
signal.signal(signal.SIGTERM, lambda *_: print("as before", flush=True))
shutdown.add_stop_listener(listen)
shutdown.install_signal_handler()
with lock:
    print("ready", flush=True)
    time.sleep(0.5)
    assert not told.is_set()
assert told.wait(60)
print("told", flush=True)
"""


def test_listeners_are_told_and_what_was_done_before_is_done_still() -> None:
    variables = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, env=variables) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGTERM)
        assert process.stdout.read() == b"as before\ntold\n"
        assert process.wait(60) == 0
