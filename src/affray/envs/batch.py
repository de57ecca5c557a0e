"""Batches: many fights that compiled rules step together, divided among the cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

from affray.envs.ground import Ground
from affray.envs.needs import np
from affray.errors import Illegal, Refused
from affray.kernel.records import pack_slots
from affray.kernel.rows import Rows
from affray.lab import courses
from affray.lab.courses import ENDED, NUMBER, OVER, SEED, SPARE, WHO
from affray.lab.programs import program

LEAST_SHARE = 64
"""Fights below which another thread costs more than it brings."""


class Part:
    """The fights that one thread steps, with their arrays."""

    def __init__(self, batch: Batch, first: int, last: int) -> None:
        ground, count = batch.ground, last - first
        starts = [pack_slots(setup.seated()) for setup in ground.setups]
        keys, places = ground.hashed_codes()
        fighters = len(ground.names)
        runs = [number for run in ground.runs(ground.slots) for number in run]
        self.slice = slice(first, last)
        self.course = Rows("q", count, courses.LENGTH, data=batch.share("course", self.slice))
        self.chosen = Rows("q", count, data=batch.share("chosen", self.slice))
        self.spares = Rows("q", count, SPARE)
        seen = (count, len(ground.numbers))
        self.observations = Rows("i", *seen, data=batch.share("observations", self.slice))
        self.finals = Rows("i", *seen, data=batch.share("finals", self.slice))
        self.masks = Rows("b", count, ground.actions, data=batch.share("masks", self.slice))
        compiled = program(ground.system, fighters)
        self.run = compiled.hold(
            "step",
            Rows.records(b"".join(starts), len(starts)),
            Rows.records(bytearray(len(starts[0]) * count), count),
            self.course,
            self.chosen,
            Rows.of("q", ground.codes),
            Rows.of("q", keys),
            Rows.of("q", places),
            self.spares,
            Rows.of("q", [list(each) for each in batch.tactics]),
            Rows.of("q", runs),
            ground.system.most_moves(fighters),
            self.observations,
            self.finals,
            self.masks,
            batch.learners,
            batch.looker,
            batch.longest,
            int(batch.same_step),
        )
        rows = {"course": self.course, "chosen": self.chosen, "spares": self.spares}
        rows |= {"observations": self.observations, "finals": self.finals, "masks": self.masks}
        self.arrays = {
            name: np.frombuffer(each.data, each.letter.replace("b", "i1")).reshape(each.shape)
            for name, each in rows.items()
        }
        self.is_shared = np.shares_memory(self.arrays["masks"], batch.masks)

    def take_over(self, batch: Batch) -> None:
        """Let all read and write the arrays of this part, which has all fights of the batch."""
        for name in ("course", "chosen", "observations", "finals", "masks"):
            self.arrays[name][:] = getattr(batch, name)
            setattr(batch, name, self.arrays[name])
        self.is_shared = True

    def step(self, batch: Batch) -> None:
        """Step the fights. Results go where all can read them."""
        if not self.is_shared:
            for name in ("chosen", "course"):
                self.arrays[name][:] = getattr(batch, name)[self.slice]
        (refused,) = self.run()
        if refused:
            batch.amend(self)
            if not self.is_shared:
                self.arrays["chosen"][:] = batch.chosen[self.slice]
            self.run()
        if not self.is_shared:
            for name in ("course", "observations", "masks"):
                getattr(batch, name)[self.slice] = self.arrays[name]
            ended = np.flatnonzero(batch.course[self.slice, ENDED] != -1) if batch.same_step else ()
            if len(ended):
                batch.finals[self.slice][ended] = self.arrays["finals"][ended]


class Batch:
    """Many fights on one ground. In each of them one learner after another has to act; tactics act for all others.

    `looker` is the learner who sees how a fight has ended. `observations`, `masks` and `course` say how each fight
    stands; `course[:, WHO]` is who has to act. With `same_step` a fight that ends begins anew in the same step, and
    `finals` has its last observation.
    """

    def __init__(
        self,
        ground: Ground,
        count: int,
        learners: int,
        looker: int,
        tactics: Mapping[str, str] | None = None,
        *,
        amend: Callable[[Part], None],
        longest: int = 0,
        same_step: bool = True,
        threads: int | None = None,
    ) -> None:
        self.ground, self.learners, self.looker, self.longest = ground, learners, looker, longest
        self.same_step, self.amend = same_step, amend
        self.tactics = ground.tactics(tactics)
        self.observations = np.zeros((count, len(ground.numbers)), dtype=np.int32)
        self.finals = np.zeros_like(self.observations)
        self.masks = np.zeros((count, ground.actions), dtype=np.int8)
        self.course = np.zeros((count, courses.LENGTH), dtype=np.int64)
        self.chosen = np.full(count, -1, dtype=np.int64)
        wanted = threads or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        shares = max(1, min(wanted, count // LEAST_SHARE or 1))
        edges = [count * share // shares for share in range(shares + 1)]
        self._process = os.getpid()
        self._pool = ThreadPoolExecutor(shares) if shares > 1 else None
        self._parts = [Part(self, *edge) for edge in pairwise(edges)]
        if shares == 1:  # what compiled code writes is then what everyone reads, also where it has memory of its own
            self._parts[0].take_over(self)

    def share(self, name: str, rows: slice) -> memoryview:
        """The memory of some rows of an array that all threads write into."""
        return memoryview(getattr(self, name)[rows]).cast("B")

    def restart(self, rows: Any, seeds: Any, numbers: Any) -> None:
        """Let some fights begin: with the next `step`, as fight `number` of their seed."""
        self.course[rows, SEED], self.course[rows, NUMBER], self.course[rows, OVER] = seeds, np.asarray(numbers) - 1, 1

    def step(self, actions: Any) -> None:
        """Make a move in each fight, or none where the action is below 0.

        Where actions are not open, `amend` gets the part of the fights that they are in, of which none has moved yet:
        it gives them others.
        """
        if os.getpid() != self._process:
            raise Refused("this environment was made by another process; forked processes make their own")
        self.chosen[:] = actions
        if self._pool is None:
            self._parts[0].step(self)
        else:
            list(self._pool.map(lambda part: part.step(self), self._parts))

    def closed_rows(self, actions: Any, rows: slice = slice(None)) -> Any:
        """The numbers of the fights, among some, whose actions are not open though they are waited for."""
        masks, course = self.masks[rows], self.course[rows]
        known = (actions >= 0) & (actions < self.ground.actions)
        open_ = known & (masks[np.arange(len(actions)), np.where(known, actions, 0)] == 1)
        return np.flatnonzero(~open_ & (actions >= 0) & (course[:, OVER] == 0)) + (rows.start or 0)

    def refusal(self, row: int, action: int) -> Illegal:
        """Why an action is refused."""
        return closed(
            self.ground, action, self.masks[row], self.ground.names[int(self.course[row, WHO])], f" of fight {row}"
        )

    @property
    def spares(self) -> Any:
        """The move codes of the spare actions of every fight."""
        return np.concatenate([part.arrays["spares"] for part in self._parts])

    @property
    def bytes_each(self) -> float:
        """The memory that a fight takes, with all its arrays."""
        arrays = (self.observations, self.finals, self.masks, self.course, self.chosen)
        own = sum(array.nbytes for array in arrays)
        held = sum(
            array.nbytes
            for part in self._parts
            for name, array in part.arrays.items()
            if name == "spares" or not part.is_shared
        )
        return (own + held) / len(self.chosen) + len(pack_slots(self.ground.setups[0].seated()))

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()


def closed(ground: Ground, action: Any, mask: Any, who: str, where: str = "") -> Illegal:
    """The error message for an action that is not open."""
    allowed = [str(open_) for open_ in np.flatnonzero(mask)]
    shown = ", ".join(allowed[:12]) + (f" and {len(allowed) - 12} more" if len(allowed) > 12 else "")
    problem = f"the action of {who}{where} must be one that its mask allows ({shown}), not {action}"
    return Illegal(problem, given=action, allowed=allowed)
