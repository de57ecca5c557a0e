"""Forms: what native code runs in place of a rule, or of a function that rules call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType, SimpleNamespace
from typing import Any, TypeVar

from numba.core import codegen, compiler, types
from numba.core.typing.templates import infer, infer_global, make_overload_template

from affray.kernel import rules

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


class _Linked(codegen.JITCodeLibrary):
    """The code of a rule, to be linked into drivers. It is never loaded by itself, so no machine code is made of it."""

    optimised = 1  # a little, which helps drivers to inline well; all the rest is done there

    codegen = SimpleNamespace(set_env=lambda name, env: None)

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        self._ensure_finalized()
        return 0

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False, opt=self.optimised, cost="cheap"
        )
        passes.run(self._final_module, builder)


class _Copied(_Linked):
    """The code of a rule that is copied into its callers, and optimised there: here only what it calls is copied in."""

    optimised = 0


class _Run(codegen.JITCodeLibrary):
    """The code of a driver with all rules in it. Their loops are short, and would be over before vectors are set up."""

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager(loop_vectorize=False)
        passes.run(self._final_module, builder)


class DriverCompiler(compiler.Compiler):
    def define_pipelines(self) -> Any:
        self.state.library = _Run(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return super().define_pipelines()


class RuleCompiler(compiler.Compiler):
    def define_pipelines(self) -> Any:
        library = _Copied if self.state.flags.forceinline else _Linked
        self.state.library = library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return super().define_pipelines()


# Rules are many and small: called as they stand they would cost more in calling than in doing.
# Nobody calls them from Python either, so the way from there need not be compiled.
INLINED = {
    "forceinline": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": RuleCompiler,
}
CALLED = {**INLINED, "forceinline": False}  # said, because otherwise it is taken from the caller


class _OneForm:
    """Has a function compiled once for whole numbers of any width and for every caller, where Numba would do so again.

    The forms would differ in nothing: numbers narrower than 64 bits are widened by whatever is done with them, and all
    options that could be taken from a caller are given.
    """

    _forms: dict[Any, Any]

    def generic(self, args: Any, kws: Any) -> Any:
        return super().generic(  # type: ignore[misc]
            tuple(map(_widened, args)), {name: _widened(given) for name, given in kws.items()}
        )

    def _get_impl(self, args: Any, kws: Any) -> Any:
        given = tuple(args), tuple(kws.items())
        if given not in self._forms:
            self._forms[given] = super()._get_impl(args, kws)  # type: ignore[misc]
        return self._forms[given]


def _widened(given: Any) -> Any:
    given = types.unliteral(given)  # type: ignore[attr-defined]
    return types.int64 if isinstance(given, types.Integer) and given.signed else given  # type: ignore[attr-defined]


def native_form(function: Callable[..., Any], options: Mapping[str, Any] = INLINED) -> Callable[[FunctionT], FunctionT]:
    """Declares what native code runs in place of a function: what the decorated one returns for given types."""

    def declare(form: FunctionT) -> FunctionT:
        numbas = make_overload_template(function, form, {"nopython": True, **options}, strict=False, inline="never")
        template = type(numbas)(function.__name__, (_OneForm, numbas), {"_forms": {}})
        infer(template)
        infer_global(function, types.Function(template))
        return form

    return declare


def called(function: FunctionT) -> FunctionT:
    """Makes a function known to native code, which calls it."""
    native_form(function, CALLED)(lambda *given, **named: function)
    return function


def inlined(function: FunctionT) -> FunctionT:
    """Makes a function known to native code, which copies it to wherever it is used."""
    native_form(function)(lambda *given, **named: function)
    return function


_known: set[FunctionType] = set()


def make_known() -> None:
    """Tell Numba of all rules that have been registered."""
    for function in rules.registered():
        if function not in _known:
            _known.add(function)
            (called if rules.stands_apart(function) else inlined)(function)
