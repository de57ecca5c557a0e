"""Runs tests that are coroutines, as those of the world are run."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

_spec = spec_from_file_location("world_conftest", Path(__file__).parents[2] / "world" / "conftest.py")
assert _spec is not None
assert _spec.loader is not None
_people = sys.modules[_spec.name] = module_from_spec(_spec)
_spec.loader.exec_module(_people)
pytest_pyfunc_call = _people.pytest_pyfunc_call
