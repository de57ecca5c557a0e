"""What a cluster costs on one machine: the same fights by threads of one process and by Dask workers, in one run.

`python -m benchmarks.cluster [FIGHTS]`; what is compared is processor time, user and system, of all processes.
"""

from __future__ import annotations

import os
import resource
import sys
import time

from affray.lab.cluster import LOCAL, joined
from affray.lab.simulate import Simulation, simulate

IDLE = 5  # seconds
DUEL = "heroes=player monsters=fire-slime"


def used() -> float:
    """Processor seconds of this process and of those that it has ended."""
    parts = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(part.ru_utime + part.ru_stime for part in parts)


def main() -> None:
    """Fight twice and print."""
    fights = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**8
    workers = os.cpu_count() or 1
    simulate("bgo", DUEL, fights=10)
    before, begun = used(), time.perf_counter()
    alone = simulate("bgo", DUEL, fights=fights, workers=workers)
    processor, wall = used() - before, time.perf_counter() - begun
    print(f"{fights:,} bgo fights by {workers} threads: {processor:.1f} s of processor time, {wall:.1f} s")
    before = used()
    with joined(LOCAL, workers) as pool:
        simulate("bgo", DUEL, fights=10 * workers, pool=pool)
        own = [_busy()]
        time.sleep(IDLE)
        own.append(_busy())
        begun = time.perf_counter()
        spread = simulate("bgo", DUEL, fights=fights, pool=pool)
        own.append(_busy())
        took = time.perf_counter() - begun
    idle, busy, whole = (own[1] - own[0]) / IDLE, own[2] - own[1], used() - before
    print(f"by {workers} Dask workers: {busy:.1f} s of processor time, {took:.1f} s; with start and end {whole:.1f} s")
    print(f"overhead of the run: {100 * (busy / processor - 1):+.1f} %; the same counts: {_same(alone, spread)}")
    print(
        f"Dask's processes keep in touch for {idle:.3f} s of every second, work or not: {idle * took:.1f} s of the run"
    )


def _busy() -> float:
    """Processor seconds of this process, in which the scheduler is, and of all workers."""
    from distributed import Client

    return time.process_time() + sum(Client.current().run(time.process_time).values())


def _same(one: Simulation, other: Simulation) -> bool:
    return (one.counts, one.rounds, one.figures) == (other.counts, other.rounds, other.figures)


if __name__ == "__main__":
    main()
