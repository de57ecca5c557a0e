"""The metrics of a server, for Prometheus."""

from __future__ import annotations

from litestar.plugins.prometheus import PrometheusConfig
from prometheus_client import Counter, Gauge, Histogram

CLIENTS = Gauge("affray_clients", "Clients that are connected by WebSocket")
COMBATS = Gauge("affray_combats", "Combats that have not been ended")
VISITORS = Gauge("affray_visitors", "Connections to the world, by telnet and by WebSocket")
MOVES = Counter("affray_moves", "Moves that people have made over WebSockets")
MOVING = Histogram(
    "affray_move_seconds",
    "From a move that has come in to its being durable",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
REQUESTS = PrometheusConfig(app_name="affray", prefix="affray", group_path=True, exclude=["^/page", "^/metrics"])
