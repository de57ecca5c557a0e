"""Loops in a graph: which nodes lead back to themselves, and the linear equations that chances in a loop obey."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TypeVar

NumberT = TypeVar("NumberT", Fraction, float)


def loops(roots: Iterable[int], targets: Callable[[int], Iterable[int]]) -> list[list[int]]:
    """The strongly connected components within reach, each after those it leads to (Tarjan, without recursion)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    open_nodes: list[int] = []
    is_open: set[int] = set()
    found: list[list[int]] = []
    for root in roots:
        work = [(root, iter(targets(root)))] if root not in index else []
        while work:
            node, onward = work[-1]
            if node not in index:
                index[node] = low[node] = len(index)
                open_nodes.append(node)
                is_open.add(node)
            deeper = next((t for t in onward if t not in index or _lower(low, node, index[t], t in is_open)), None)
            if deeper is not None:
                work.append((deeper, iter(targets(deeper))))
                continue
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
            if low[node] == index[node]:
                part: list[int] = []
                while not part or part[-1] != node:
                    part.append(open_nodes.pop())
                    is_open.discard(part[-1])
                found.append(part)
    return found


def _lower(low: dict[int, int], node: int, seen: int, is_open: bool) -> bool:
    if is_open:
        low[node] = min(low[node], seen)
    return False


def eliminate(rows: Sequence[Sequence[NumberT]], right: Sequence[NumberT]) -> list[NumberT]:
    """Gaussian elimination, with fractions or floats; ZeroDivisionError if there is not exactly one solution."""
    table, found = [list(row) for row in rows], list(right)
    size = len(table)
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(table[k][i]))
        table[i], table[pivot], found[i], found[pivot] = table[pivot], table[i], found[pivot], found[i]
        for k in range(i + 1, size):
            if factor := table[k][i] / table[i][i]:
                table[k] = [a - factor * b if b else a for a, b in zip(table[k], table[i], strict=True)]
                found[k] -= factor * found[i]
    for i in reversed(range(size)):
        for k in range(i + 1, size):
            if table[i][k]:
                found[i] -= table[i][k] * found[k]
        found[i] /= table[i][i]
    return found
