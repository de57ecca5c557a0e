"""What players do with their accounts: attributes, password and recovery; and what wizards do with others' roles."""

from __future__ import annotations

from affray.server.api import messages as m
from affray.server.api.callers import Caller
from affray.server.api.routes import Routes
from affray.world.actions import accounts
from affray.world.store import attributes

routes = Routes("/api/accounts", "accounts")


@routes.get("/me/sheets")
async def own_sheets(player: Caller) -> list[str]:
    """The systems in which your attributes make a sheet of your own."""
    return await accounts.own_sheets(player)


@routes.get("/{name:str}/attributes", accounts.read_attributes)
async def read(player: Caller, name: str) -> list[m.AttributeShown]:
    """The attributes of an account: `me`, or for wizards any."""
    _, found = await accounts.read_attributes(player, name)
    return [m.AttributeShown(one.name, one.type, attributes.written(one)) for one in found.values()]


@routes.put("/{name:str}/attributes", accounts.set_attribute)
async def set(player: Caller, name: str, data: m.AttributeWritten) -> list[m.AttributeShown]:
    """Set an attribute, written as `NAME[TYPE]=VALUE`."""
    await accounts.set_attribute(player, name, data.written)
    return await read(player, name)


@routes.delete("/{name:str}/attributes/{attribute:str}", accounts.unset_attribute)
async def unset(player: Caller, name: str, attribute: str) -> None:
    """Remove an attribute."""
    await accounts.unset_attribute(player, name, attribute)


@routes.put("/{name:str}/role", accounts.change_role)
async def change_role(player: Caller, name: str, data: m.RoleGranted) -> m.Said:
    """Make an account a player or a wizard."""
    await accounts.change_role(player, name, data.role)
    return m.Said("\n".join(player.told))


@routes.put("/me/password", accounts.change_password)
async def change_password(player: Caller, data: m.PasswordChosen) -> m.Said:
    """Have another password; every connection and session of the old one ends, this one too."""
    await accounts.change_password(player, data.password)
    return m.Said("\n".join(player.told))


@routes.post("/me/recovery", accounts.recover, status=200)
async def recover(player: Caller, data: m.Recovery) -> m.Said:
    """Recover between fights, in a way that a system has."""
    await accounts.recover(player, data.word, data.system)
    return m.Said("\n".join(player.told))
