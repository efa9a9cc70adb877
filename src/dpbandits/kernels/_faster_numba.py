"""numba, without work that no kernel of ours needs: changes of its private parts, for the version that pyproject.toml pins.

Most of a kernel's compilation is LLVM's, and numba lets LLVM optimise each function for itself and make machine code of
it, and then again inside each caller. Nobody calls the functions within a kernel from Python. So these are `_Part`s: they
are only translated for LLVM, which optimises them once, with the kernel. And a method that becomes part of its callers
(`compiled.methods`) is not compiled at all.

numba also compiles its own functions, such as np.zeros, in every process; here they are kept in files, as kernels are, and
named so that those of two processes are told apart. And it finds out anew at every call within a kernel, and several times
for each, what the called function returns; here it remembers that. tests/kernels/test_faster_numba.py checks that all
this is in effect.
"""

import gc
import importlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from types import SimpleNamespace
from typing import Any

import numba.core.boxing
import numba.np.arrayobj
import numba.np.linalg
from llvmlite.binding import ffi, parse_bitcode
from llvmlite.ir import FunctionType
from numba.core import cgutils, ir, types
from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import Compiler
from numba.core.cpu import CPUContext
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.pythonapi import NativeValue, _unboxers
from numba.core.registry import CPUDispatcher
from numba.core.targetconfig import ConfigStack, TargetConfig
from numba.core.transforms import canonicalize_cfg
from numba.core.typing.context import BaseContext
from numba.core.typing.templates import _OverloadFunctionTemplate


def _load_array_functions() -> None:
    """Load numba's NumPy functions without scipy.linalg, which takes as long to import as everything else of a job.

    numba looks for it, and so for BLAS, as soon as the first kernel is loaded, to choose how np.correlate and np.convolve
    add up: in a loop if there is none. A kernel that multiplies matrices or solves equations loads it when it is compiled.
    """
    ensure_blas = numba.np.linalg.ensure_blas

    def not_yet() -> None:
        raise ImportError

    numba.np.linalg.ensure_blas = not_yet
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        numba.np.linalg.ensure_blas = ensure_blas


class _Part(JITCodeLibrary):
    """The code of a function that only compiled functions call, as LLVM gets it: no machine code."""

    def _optimize_final_module(self) -> None:
        """It is optimised in each of its callers."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """None: there is nothing that Python could call."""
        return 0

    @property
    def codegen(self) -> Any:
        """numba asks only for the place of an object of Python's, of which there is none."""
        return SimpleNamespace(set_env=lambda name, environment: None)

    def serialize_using_object_code(self) -> tuple:
        """What numba keeps of this in a cache."""
        return self.serialize_using_bitcode()


class CompilerOfParts(Compiler):
    """numba's compiler, for functions that only compiled functions call."""

    def define_pipelines(self) -> list:
        """As for any function."""
        self.state.library = _Part(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super().define_pipelines()


def _load_parts_as_parts() -> None:
    """Take parts from the cache as they are when they have been compiled. numba would make machine code of their bitcode
    without optimising it, and kernels compiled by this process would call that in place of their own copies."""
    unserialize = JITCPUCodegen.unserialize_library

    def load(self: JITCPUCodegen, kept: tuple) -> JITCodeLibrary:
        name, kind, code = kept
        if kind != "bitcode":
            return unserialize(self, kept)
        part = _Part(self, name)
        part._final_module = parse_bitcode(code)
        part._finalize_final_module()
        return part

    JITCPUCodegen.unserialize_library = load


def _number_functions_at_random() -> None:
    """Count the functions that this process compiles from a random number on. The number is part of the name of their code,
    and numba begins with 1 in every process. A generator's next_double and next_uint64 differ in nothing else: where one
    came from the cache and this process compiled the other, LLVM would take them for the same."""
    FunctionIdentity._unique_ids = count(int.from_bytes(os.urandom(8), "little"))


def compile_implementations_as_parts(keep: Callable[[CPUDispatcher], None]) -> None:
    """Treat what numba calls in place of a method, or of a function of Python's or NumPy's, in the same way; and `keep` it,
    which numba would compile in every process."""
    jit_of = _OverloadFunctionTemplate._get_jit_decorator

    def without_code(self: Any) -> Callable:
        def jit(**options: Any) -> Callable:
            def part(function: Callable) -> CPUDispatcher:
                implementation = jit_of(self)(pipeline_class=CompilerOfParts, no_cfunc_wrapper=True, **options)(
                    function
                )
                if self._inline.is_always_inline:
                    implementation._can_compile = False  # numba would do so, and not use it
                else:
                    keep(implementation)
                return implementation

            return part

        return jit

    _OverloadFunctionTemplate._get_jit_decorator = without_code


def _remember_types_of_calls() -> None:
    """Find out once what a function returns for arguments of some types. numba does so several times at each call, and for a
    method that becomes part of its callers it translates the method's source every time. And a function that is given a 0 or
    a 1 is the one for any whole number: numba would compile another one for each."""
    resolve = BaseContext.resolve_function_type
    known: dict[tuple, Any] = {}

    def remembered(self: BaseContext, function: Any, arguments: Any, by_name: Any) -> Any:
        if isinstance(function, str):  # numba's own, such as "static_getitem", whose arguments are not all types
            return resolve(self, function, arguments, by_name)
        if isinstance(function, types.Dispatcher) and function.dispatcher._compiler.pipeline_class is CompilerOfParts:
            arguments = [types.unliteral(one) if isinstance(one, types.IntegerLiteral) else one for one in arguments]
        call = self, function, tuple(arguments), tuple(dict(by_name).items()), ConfigStack.top_or_none()
        signature = known.get(call)
        if signature is None:
            signature = known[call] = resolve(self, function, arguments, by_name)
        return signature

    BaseContext.resolve_function_type = remembered


def _compare_options_that_are_set() -> None:
    """Compare the options of two functions where one of them is set. numba looks up each option, for every call within a
    kernel."""

    def equal(self: TargetConfig, other: Any) -> bool:
        if not isinstance(other, TargetConfig):
            return False
        ours, theirs = self._values, other._values
        return ours == theirs or all(
            getattr(self, name) == getattr(other, name) for name in ours.keys() | theirs.keys()
        )

    TargetConfig.__eq__ = equal
    TargetConfig.__hash__ = lambda self: len(self.options)


def _find_variables_by_class() -> None:
    """Find the variables in the parts of an instruction by the class of each. numba, which looks for them in most of its steps,
    asks of every text and every line number whether it is of one of five kinds."""

    def variables_in(self: ir.Inst, value: Any) -> list[ir.Var]:
        kind = type(value)
        if kind is ir.Var:
            return [value]
        if kind is not dict and kind is not list and kind is not tuple:
            return value.list_vars() if isinstance(value, ir.Inst) else []
        found = []
        for part in value.values() if kind is dict else value:
            if type(part) is ir.Var:
                found.append(part)
            elif type(part) is not ir.Loc and type(part) is not str:
                found.extend(variables_in(self, part))
        return found

    ir.Inst._rec_list_vars = variables_in


def _find_lifetimes_when_asked() -> None:
    """Find out where a variable is used last when a step of numba asks for it. numba does so after each of its steps, for
    generators of Python's."""
    run = PostProcessor.run

    def prepared(self: PostProcessor, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        code = self.func_ir
        if code.is_generator:
            run(self, emit_dels, extend_lifetimes)
            return
        code.blocks = canonicalize_cfg(code.blocks)
        code.variable_lifetime = VariableLifetime(code.blocks)
        code.generator_info = None
        if emit_dels:
            self._insert_var_dels(extend_lifetimes)

    PostProcessor.run = prepared


def _allocate_without_function() -> None:
    """Ask for the memory of an array where it is made. numba compiles a function that asks, in every process, for every number
    of dimensions and size of an element."""
    compile_internal = CPUContext.compile_internal

    def asked(
        self: CPUContext, builder: Any, function: Callable, signature: Any, arguments: Any, **options: Any
    ) -> Any:
        if function is numba.np.arrayobj._call_allocator:
            return self.nrt.meminfo_alloc_aligned(builder, *arguments[1:])
        return compile_internal(self, builder, function, signature, arguments, **options)

    CPUContext.compile_internal = asked


def _time_no_call_of_llvm() -> None:
    """Leave out the two events of every call, by which numba measures how long it waits for LLVM."""
    ffi.lib._lock._cblist.clear()


def _read_generators_from_memory() -> None:
    """Take the state of a generator and its functions from the structure `bitgen_t` that NumPy documents for C, when a kernel
    is called with it. numba asks ctypes for each of them, which takes as long as a game of some hundred rounds, and longer to
    compile."""

    def unboxed(kind: Any, generator: Any, c: Any) -> NativeValue:
        builder, void = c.builder, cgutils.voidptr_t
        holder = c.pyapi.object_getattr_string(generator, "capsule")
        pointer_in = cgutils.get_or_insert_function(
            builder.module, FunctionType(void, [c.pyapi.pyobj, void]), "PyCapsule_GetPointer"
        )
        name = c.context.insert_const_string(builder.module, "BitGenerator")
        address = builder.call(pointer_in, (holder, name))
        c.pyapi.decref(holder)
        structure = builder.bitcast(address, c.context.get_value_type(types.uintp).as_pointer())
        native = cgutils.create_struct_proxy(kind)(c.context, builder)
        native.parent = generator
        for i, field in enumerate(("state", "fnptr_next_uint64", "fnptr_next_uint32", "fnptr_next_double")):
            setattr(native, field, builder.load(cgutils.gep(builder, structure, i)))
        native.state_address = native.state
        return NativeValue(native._getvalue())

    _unboxers.functions[types.NumPyRandomBitGeneratorType] = unboxed


@contextmanager
def without_search_for_garbage() -> Iterator[None]:
    """Let Python not look for garbage: it would look at all that numba makes of a kernel, again and again."""
    searched = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searched:
            gc.enable()


_load_array_functions()
_compare_options_that_are_set()
_find_variables_by_class()
_find_lifetimes_when_asked()
_allocate_without_function()
_time_no_call_of_llvm()
_read_generators_from_memory()
_load_parts_as_parts()
_number_functions_at_random()
os.register_at_fork(after_in_child=_number_functions_at_random)
_remember_types_of_calls()
