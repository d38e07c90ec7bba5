"""Connections on which something has come, taken by threads that wait together.

A connection is taken by one thread only, and then left alone until it is added again.
"""

from __future__ import annotations

import os
import select
import sys

if sys.platform == "linux":

    class ReadyQueue:
        """The kernel's queue of readable connections, for any number of threads."""

        def __init__(self) -> None:
            self._epoll = select.epoll()
            self._closed, self._close = os.pipe()
            self._epoll.register(self._closed, select.EPOLLIN)

        def add(self, fd: int) -> None:
            """Wait for the first bytes of a new connection."""
            self._epoll.register(fd, select.EPOLLIN | select.EPOLLONESHOT)

        def add_again(self, fd: int, *, at_once: bool = False) -> None:
            """Wait for more; `at_once` appends a connection that can be written to."""
            wanted = select.EPOLLIN | select.EPOLLOUT if at_once else select.EPOLLIN
            self._epoll.modify(fd, wanted | select.EPOLLONESHOT)

        def take(self) -> int | None:
            """Wait for a connection and take it out; None once the queue is closed."""
            while not (found := self._epoll.poll(None, 1)):
                pass
            return None if found[0][0] == self._closed else found[0][0]

        def close(self) -> None:
            """Have `take` return None in every thread, from now on."""
            os.write(self._close, b".")

else:

    class ReadyQueue:
        """The same for systems of the BSD family."""

        def __init__(self) -> None:
            self._queue = select.kqueue()
            self._closed, self._close = os.pipe()
            self._queue.control([select.kevent(self._closed, select.KQ_FILTER_READ, select.KQ_EV_ADD)], 0)

        def add(self, fd: int) -> None:
            """Wait for the first bytes of a new connection."""
            self.add_again(fd)

        def add_again(self, fd: int, *, at_once: bool = False) -> None:
            """Wait for more; `at_once` appends a connection that can be written to."""
            wanted = select.KQ_FILTER_WRITE if at_once else select.KQ_FILTER_READ
            self._queue.control([select.kevent(fd, wanted, select.KQ_EV_ADD | select.KQ_EV_ONESHOT)], 0)

        def take(self) -> int | None:
            """Wait for a connection and take it out; None once the queue is closed."""
            while not (found := self._queue.control(None, 1)):
                pass
            return None if found[0].ident == self._closed else found[0].ident

        def close(self) -> None:
            """Have `take` return None in every thread, from now on."""
            os.write(self._close, b".")
