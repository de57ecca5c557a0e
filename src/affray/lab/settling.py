"""Sweeps through a graph until its values settle: written for lists and for native arrays alike."""

from __future__ import annotations

from typing import Any


def improve(graph: Any, values: Any, value: Any, chosen: Any, sweeps: Any, precision: Any) -> Any:
    """Value iteration in place: every node takes the best of its actions until the values converge.

    False if they do not converge within that many sweeps.
    """
    for _ in range(sweeps):
        moved = 0.0
        for node in range(len(value) - 1, -1, -1):
            if graph.ending[node] >= 0:
                value[node] = values[graph.ending[node]]
                continue
            best = -1e300
            for action in range(graph.first_action[node], graph.first_action[node + 1]):
                onward, stays = 0.0, 0.0
                for edge in range(graph.first_edge[action], graph.first_edge[action + 1]):
                    if graph.to[edge] == node:
                        stays += graph.weight[edge]
                    else:
                        onward += graph.weight[edge] * value[graph.to[edge]]
                # An action that only leads back to its node is worth as much as never ending: its start value.
                reached = onward / (1.0 - stays) if stays < 1.0 else value[node]
                if reached > best + 1e-12:
                    best = reached
                    chosen[node] = action
            moved = max(moved, abs(best - value[node]))
            value[node] = best
        if moved < precision:
            return True
    return False


def evaluate(graph: Any, chosen: Any, ends: Any, sweeps: Any, precision: Any) -> Any:
    """The chance of every ending from every node under a policy, in place, until the chances converge."""
    for _ in range(sweeps):
        moved = 0.0
        for node in range(len(chosen) - 1, -1, -1):
            if graph.ending[node] >= 0:
                ends[node][graph.ending[node]] = 1.0
                continue
            action = chosen[node]
            for ending in range(len(ends[0])):
                onward, stays = 0.0, 0.0
                for edge in range(graph.first_edge[action], graph.first_edge[action + 1]):
                    if graph.to[edge] == node:
                        stays += graph.weight[edge]
                    else:
                        onward += graph.weight[edge] * ends[graph.to[edge]][ending]
                if stays < 1.0:
                    onward /= 1.0 - stays
                    moved = max(moved, abs(onward - ends[node][ending]))
                    ends[node][ending] = onward
        if moved < precision:
            return True
    return False
