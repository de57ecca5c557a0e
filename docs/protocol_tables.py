"""The tables of the protocol's page: every message and every address, as the server itself declares them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from inspect import getdoc
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from litestar import Litestar
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import PathItem
from msgspec import Struct, UnsetType
from msgspec.structs import fields

from affray.server.api import messages
from affray.server.web.app import DEPENDENCIES, HANDLERS

DESCRIBED = OpenAPIConfig("Affray", "1", use_handler_docstrings=True)
Rows = Iterator[Sequence[object]]
WORDS = {str: "text", int: "whole number", bool: "true or false", NoneType: "null", Any: "anything"}
METHODS = ("get", "post", "put", "delete")


def _tag(message: type) -> str:
    tag = message.__struct_config__.tag if issubclass(message, Struct) else None
    return str(tag) if tag else message.__name__


def _written(kind: Any) -> str:
    """A type as a reader of JSON would write it."""
    origin = get_origin(kind)
    if origin is Annotated:
        return _written(get_args(kind)[0])
    if origin is Literal:
        return " or ".join(f"`{word}`" for word in get_args(kind))
    inner = [_written(one) for one in get_args(kind) if one not in (UnsetType, ...)]
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(inner))
    if origin in (list, tuple):
        return f"list of {inner[0]}"
    if origin is dict:
        return f"table of {inner[1]}"
    return WORDS.get(kind) or f"`{kind.__name__}`"


def _fields(message: type) -> str:
    """What a message or a part has; parts that are no messages of their own are dataclasses."""
    known = {f.encode_name: f.type for f in fields(message)} if issubclass(message, Struct) else get_type_hints(message)
    return "; ".join(f"`{name}`: {_written(kind)}" for name, kind in known.items()) or "nothing more"


def _rows(of: Sequence[type]) -> Rows:
    for message in of:
        yield f"`{_tag(message)}`", " ".join((getdoc(message) or "").split()), _fields(message)


def from_client() -> tuple[list[str], Rows]:
    """What a client sends over the WebSocket."""
    return ["type", "means", "with"], _rows(get_args(messages.FromClient))


def from_server() -> tuple[list[str], Rows]:
    """What the server sends over the WebSocket."""
    return ["type", "means", "with"], _rows(get_args(messages.FromServer))


def parts() -> tuple[list[str], Rows]:
    """Everything that messages and answers are made of."""
    sent = {*get_args(messages.FromClient), *get_args(messages.FromServer), messages.Asked, messages.Sent}
    kinds = {name: one for name, one in vars(messages).items() if isinstance(one, type)}
    known = [one for name, one in kinds.items() if issubclass(one, Struct) or name in messages.__all__]
    return ["part", "is", "with"], _rows([one for one in known if one is not Struct and one not in sent])


def addresses() -> tuple[list[str], Rows]:
    """What can be asked by HTTP."""

    def rows() -> Rows:
        for path, item in sorted(
            (
                Litestar(
                    HANDLERS, dependencies=DEPENDENCIES, openapi_config=DESCRIBED, logging_config=None
                ).openapi_schema.paths
                or {}
            ).items()
        ):
            assert isinstance(item, PathItem)
            for method in METHODS:
                if (operation := getattr(item, method)) is not None:
                    yield f"`{method.upper()} {path}`", operation.description or operation.summary or ""

    return ["address", "does"], rows()
