"""What several layers' tests share: the compiler, the documents beside the checkout, a toy combat system."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def native() -> ModuleType:
    """The compiler of rules, where the lab extra is installed."""
    pytest.importorskip("numba", reason="Numba is not installed (the lab extra)")
    from affray.kernel import native

    return native


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of the five documents and their rulings, which is not part of the checkout."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not (folder / "sources").is_dir():
        pytest.skip("the documents are not beside this checkout")
    return folder


@pytest.fixture(scope="session")
def toy() -> ModuleType:
    """A small combat system with hidden cards, secret bids and dice at the start."""
    spec = spec_from_file_location("toy", Path(__file__).with_name("toy.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["toy"] = module
    spec.loader.exec_module(module)
    return module
