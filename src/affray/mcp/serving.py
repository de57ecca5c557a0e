"""Serving MCP over streamable HTTP."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

from affray.errors import Invalid
from affray.server.listening import LOCAL_NAMES
from affray.system.files import reason, write_whole

SCHEMES = ("http", "https")


class _Announcing(uvicorn.Server):
    """A server that says where it listens, once it does."""

    port_file: Path | None = None

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        if self.started:
            port = self.servers[0].sockets[0].getsockname()[1]
            if self.port_file is not None:
                write_whole(self.port_file, f"{port}\n")
            host = f"[{self.config.host}]" if ":" in self.config.host else self.config.host
            print(f"Models are served at http://{host}:{port}/mcp", file=sys.stderr)


async def serve(server: MCPServer[Any], host: str, port: int, names: list[str], port_file: Path | None) -> None:
    """Serve until a signal ends it; other host names than those of this machine must be given."""
    allowed = [*LOCAL_NAMES, *names]
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[form for name in allowed for form in (name, f"{name}:*")],
        allowed_origins=[f"{scheme}://{name}{port}" for name in allowed for scheme in SCHEMES for port in ("", ":*")],
    )
    app = server.streamable_http_app(stateless_http=True, json_response=True, host=host, transport_security=security)
    announcing = _Announcing(uvicorn.Config(app, host, port, log_level="warning"))
    announcing.port_file = port_file
    try:
        await announcing.serve()
    except SystemExit:
        raise Invalid(f"cannot listen on {host}:{port}", given=f"{host}:{port}") from None
    except OSError as error:
        raise Invalid(f"cannot listen on {host}:{port}: {reason(error)}", given=f"{host}:{port}") from None
    except asyncio.CancelledError:
        pass
    finally:
        if port_file is not None:
            port_file.unlink(missing_ok=True)
