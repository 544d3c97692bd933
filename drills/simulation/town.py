"""Everybody and everything: the people, the processes that serve and settle, and what befalls them."""

from contextlib import suppress
from functools import partial

from drills.simulation import people
from drills.simulation.hosts import Host, Lost
from drills.simulation.person import Person
from drills.simulation.sending import Sender
from drills.simulation.witness import Witness
from drills.simulation.world import HOUR_MS, World
from ginapi import scheduler
from ginapi.errors import Reason, Refused
from ginapi.service import serving, tables

PEOPLE = 20
WEB_HOSTS = 2
SCHEDULERS = 3
CRASH_SHARE = 0.02
"""Of the calls, in how many the process dies."""
CUT_IN_SHARE = 0.04
"""Of the transactions, before how many somebody else comes first."""
CUT_IN_MS = 300
"""So long may it take until the next transaction of the same call, at the most."""
PULSE_MS = (2_500, 4_800)
"""Between two pulses: up to what is no gap yet."""
LOOK_MS = 25_000
"""Between two looks of one scheduler, at the mean."""
OUTAGE_EVERY_MS = JUMP_EVERY_MS = 30 * 60_000
"""At the mean."""
OFF_MS = (60_000, 20 * 60_000)
"""How long a scheduler is off."""
OUTAGE_MS = (8_000, 10 * 60_000)
"""How long nobody serves."""
JUMPS_MS = (HOUR_MS, HOUR_MS, -HOUR_MS, -HOUR_MS, 45_000, -45_000)
"""By how much the clock on the wall is set forward or back."""


class Town:
    """All that happens, but for the end."""

    def __init__(self, world: World, url: str, witness: Witness) -> None:
        self._world = world
        self._witness = witness
        self.is_over = False
        self._is_cut_in = False
        self._pulse_ms = 0
        self._jumped_ms = -1
        self.counts = {"outages": 0, "jumps": 0, "voids": 0}
        self.web = [Host(world, url, self._cut_in, CRASH_SHARE) for _ in range(WEB_HOSTS)]
        self.schedulers = [Host(world, url, self._cut_in, CRASH_SHARE) for _ in range(SCHEDULERS)]
        invites: dict[str, str] = {}
        self.people = [
            Person(
                world,
                Sender(world, self.web, witness),
                f"person {number}",
                people.TEMPERS[number % len(people.TEMPERS)],
                invites,
                has_account=number % 3 > 0,
            )
            for number in range(PEOPLE)
        ]

    def start(self) -> None:
        """Have everything begin."""
        self._pulse()
        for person in self.people:
            self._world.after(self._world.about(people.REST_MS // 3), partial(self._step, person))
        for host in self.schedulers:
            self._world.after(self._world.about(LOOK_MS), partial(self._settle, host))
        self._world.after(self._world.about(OUTAGE_EVERY_MS), self._stop_serving)
        self._world.after(self._world.about(JUMP_EVERY_MS), self._jump)
        self._world.after(self._world.about(4 * HOUR_MS), self._void)

    def stop(self) -> None:
        """Let go of the file."""
        for host in (*self.web, *self.schedulers):
            host.stop()

    @property
    def crash_count(self) -> int:
        return sum(host.crash_count for host in (*self.web, *self.schedulers))

    def _cut_in(self, of: Host) -> None:
        """Now and then another comes between two transactions of a call; nobody between those of that one."""
        if self._is_cut_in or not self._world.happens(CUT_IN_SHARE):
            return
        self._is_cut_in = True
        try:
            self._world.true_ms += self._world.chance.randrange(CUT_IN_MS)
            others = [host for host in (*self.web, *self.schedulers) if host is not of]
            self._world.chance.choice(others).tries(scheduler.settle_due)
            self._witness.look()
        finally:
            self._is_cut_in = False

    def _step(self, person: Person) -> None:
        if not self.is_over:
            self._world.after(person.step(), partial(self._step, person))

    def _settle(self, host: Host) -> None:
        host.tries(scheduler.settle_due)
        self._witness.look()
        wait_ms = self._world.about(LOOK_MS)
        if self._world.happens(0.005):
            wait_ms = self._world.between(*OFF_MS)
        if self._world.happens(0.001):
            host.tries(scheduler.forget_lapsed)
        self._world.after(wait_ms, partial(self._settle, host))

    def _pulse(self) -> None:
        if self._world.out_since_ms is None:
            with suppress(Lost):
                self._world.chance.choice(self.web).call(serving.beat)
                self._pulse_ms = self._world.true_ms
            self._witness.look()
        self._world.after(self._world.between(*PULSE_MS), self._pulse)

    def _stop_serving(self) -> None:
        """Nobody serves, for a while; not before a pulse has told what the clock was set to."""
        if self._jumped_ms >= self._pulse_ms:
            self._world.after(PULSE_MS[1], self._stop_serving)
            return
        self.counts["outages"] += 1
        self._world.out_since_ms = self._world.true_ms
        self._world.after(self._world.between(*OUTAGE_MS), self.serve_again)

    def serve_again(self) -> None:
        world = self._world
        assert world.out_since_ms is not None
        world.unserved_ms += world.true_ms - world.out_since_ms
        world.out_since_ms = None
        world.after(world.about(OUTAGE_EVERY_MS), self._stop_serving)

    def _jump(self) -> None:
        self.counts["jumps"] += 1
        self._world.offset_ms += self._world.chance.choice(JUMPS_MS)
        self._jumped_ms = self._world.true_ms
        self._world.after(self._world.about(JUMP_EVERY_MS), self._jump)

    def _void(self) -> None:
        """The operator calls a match off."""
        running = [table_id for table_id, paper in self._witness.papers.items() if paper.ended is None]
        if running and self._world.out_since_ms is None:
            table_id = self._world.chance.choice(running)
            try:
                self.web[0].tries(lambda house: tables.void(house, table_id, "A drill."))
                self.counts["voids"] += 1
            except Refused as refused:
                if refused.reason is not Reason.TABLE_OVER:
                    raise
            self._witness.look()
        self._world.after(self._world.about(4 * HOUR_MS), self._void)
