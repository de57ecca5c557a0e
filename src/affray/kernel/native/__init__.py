"""Native code: the registered rules compiled by Numba, and the sources of chance they run with.

Nothing here is imported before speed is asked for; Numba arrives with the `lab` extra.
"""

from affray.errors import MissingExtra

try:
    import numba  # noqa: F401
    import numpy as np
except ImportError:
    raise MissingExtra("compiled play", "lab") from None

from affray.kernel.native.chance import STREAM, TAPE, TAPE_DEPTH, TAPE_WIDTH, advance, mix, open_streams, rewind
from affray.kernel.native.forms import called, inlined, make_known
from affray.kernel.native.jit import jit
from affray.kernel.native.memory import (
    ROW,
    assign,
    copy_bytes,
    copy_halves,
    copy_wholes,
    dtype,
    figures_dtype,
    hashed,
    new_record,
    no_log,
    on_stack,
    to_native,
    words,
)

# np is offered on: a module that takes it from here is told which extra is missing, not which module.
__all__ = [
    "ROW",
    "STREAM",
    "TAPE",
    "TAPE_DEPTH",
    "TAPE_WIDTH",
    "advance",
    "assign",
    "called",
    "copy_bytes",
    "copy_halves",
    "copy_wholes",
    "dtype",
    "figures_dtype",
    "hashed",
    "inlined",
    "jit",
    "make_known",
    "mix",
    "new_record",
    "no_log",
    "np",
    "on_stack",
    "open_streams",
    "rewind",
    "to_native",
    "words",
]
