"""A proxy that swallows answers while clients play: what they send again under its key is done once, and told.

By chance it closes the caller's side before a request is passed on, or after the service has answered it, or in the
middle of the answer; or it keeps request or answer for longer than the caller waits. Run as
`python -m drills.swallowed --database postgresql --moves 4000`.
"""

import argparse
import asyncio
import random
import re
import secrets
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from drills.checker import Told, counted, faults
from drills.client import Manner
from drills.stack import Stack, database, playing, running

CLIENTS = 4
PATIENCE_S = 1.0
LATE_S = (PATIENCE_S, 2 * PATIENCE_S)
LIMIT_S = 1_800.0
FATES = {"passed": 60, "not passed on": 8, "swallowed": 12, "cut short": 8, "request late": 2, "answer late": 1}
"""What becomes of a request, and how many of 91 it befalls."""
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.IGNORECASE)
_IS_MOVE = re.compile(rb"POST /v1/hands/[^ /]+/moves ")
_FAULTS = (ConnectionError, asyncio.IncompleteReadError)


class Proxy:
    """A proxy before a service, in a thread of its own; `met` counts what became of requests."""

    def __init__(self, url: str, chance: random.Random) -> None:
        at = urlsplit(url)
        self._service = at.hostname, at.port
        self._chance = chance
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._served: set[asyncio.Task[None]] = set()
        self.met: Counter[str] = Counter()
        self._thread.start()
        starting = asyncio.run_coroutine_threadsafe(asyncio.start_server(self._accept, "127.0.0.1", 0), self._loop)
        self._server = starting.result()
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        self._server.close()
        for task in self._served:
            task.cancel()
        await asyncio.gather(*self._served, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._served.add(task)
        task.add_done_callback(self._served.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request after another of a caller, until one is not answered."""
        try:
            while await self._is_answered(await _message(reader), writer):
                pass
        except _FAULTS:
            pass  # The caller has hung up, or a server is being stopped: nothing is passed on any more.
        finally:
            writer.close()

    async def _is_answered(self, request: bytes, writer: asyncio.StreamWriter) -> bool:
        fate = self._fate_of(request)
        self.met[fate] += 1
        if fate == "not passed on":
            return False
        if fate == "request late":
            # The service gets it while its caller is asking again, or later.
            await asyncio.sleep(self._chance.uniform(*LATE_S))
        answer = await self._answer(request)
        if fate == "swallowed":
            return False
        if fate == "answer late":
            await asyncio.sleep(self._chance.uniform(*LATE_S))
        writer.write(answer[: len(answer) // 2] if fate == "cut short" else answer)
        await writer.drain()
        return fate != "cut short"

    def _fate_of(self, request: bytes) -> str:
        [fate] = self._chance.choices(list(FATES), list(FATES.values()))
        # What comes after its next attempt was refused is judged by what holds then, and its caller has gone on: only
        # a move says, by If-Match, what it was meant for.
        return fate if fate != "request late" or _IS_MOVE.match(request) else "passed"

    async def _answer(self, request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection(*self._service)
        try:
            writer.write(request)
            return await _message(reader)
        finally:
            writer.close()


async def _message(reader: asyncio.StreamReader) -> bytes:
    """A request or an answer, whole; only such as say how long they are, or have no body, are understood."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = _LENGTH.search(head)
    return head if length is None else head + await reader.readexactly(int(length[1]))


@contextmanager
def swallowing(url: str, seed: str) -> Iterator[Proxy]:
    """A proxy before the service at `url`."""
    proxy = Proxy(url, random.Random(f"{seed}/proxy"))
    try:
        yield proxy
    finally:
        proxy.close()


def drill(stack: Stack, moves: int, seed: str, count: int = CLIENTS) -> tuple[Told, Counter[str]]:
    """What the clients were told behind the proxy, and what became of their requests."""
    with (
        swallowing(stack.urls[0], seed) as proxy,
        playing(stack, count, moves, seed, Manner(PATIENCE_S), [proxy.url]) as clients,
    ):
        return clients.wait(LIMIT_S), proxy.met


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="postgresql")
    parser.add_argument("--moves", type=int, default=4_000, help="acknowledged moves at which the clients stop")
    parser.add_argument("--seed", default=secrets.token_hex(4))
    asked = parser.parse_args()
    print(f"seed {asked.seed}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with database(asked.database, folder) as (url, _), running(folder, url) as stack:
            told, met = drill(stack, asked.moves, asked.seed)
            found = faults(url, told)
    found += [f"no request was {fate}" for fate in FATES if not met[fate]]
    print("\n".join([*found, f"{dict(met)}; {counted(told)}; {len(found)} faults"]))
    if found:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
