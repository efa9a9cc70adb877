"""The two random numbers that kernels draw most: a uniform one and a Laplace one, the same as NumPy's, in half the time.

    uniform(rng)            rng.random()
    laplace(rng, scale)     rng.laplace(0.0, scale)

In a kernel a method of a NumPy generator is a call through a pointer, which takes longer than the few instructions of
PCG64 (O'Neill 2014: a 128-bit linear congruential generator with the output XSL-RR), the generator of all streams
(`randomness.stream`). Here these instructions are part of the kernel. They step the generator's own state in memory, so
the numbers are those of NumPy, bit for bit, in any mixture with the generator's other methods.

Any other generator is asked for its own numbers: another NumPy bit generator, found at run time by the address of its
function; one whose state lies in memory in another way than here, found by `_is_as_expected`; a named tuple with methods
`random` and `laplace`; and in plain Python, any object with these methods.
"""

import ctypes
import math

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
_SYMBOL = "dpbandits_function_of_inlined_generator"
_OPTIONS = {"_nrt": False, "forceinline": True}  # as in a step (`compiled.step`)
_INT64, _INT128, _DOUBLE = ir.IntType(64), ir.IntType(128), ir.DoubleType()


def uniform(rng):
    """A uniform number in [0, 1): `rng.random()`."""
    return rng.random()


def laplace(rng, scale):
    """A number from the Laplace law with location 0: `rng.laplace(0.0, scale)`."""
    return rng.laplace(0.0, scale)


def _next(state, increment):
    """The next state of PCG64 and the 64 bits that follow from it, in Python."""
    state = (state * _MULTIPLIER + increment) % 2**128
    bits, rotation = (state >> 64 ^ state) % 2**64, state >> 122
    return state, (bits >> rotation | bits << (64 - rotation)) % 2**64


def _is_as_expected() -> bool:
    """Whether PCG64's state lies in memory, and is stepped, as `_next_double` supposes: a pointer to state and
    increment."""
    generator = np.random.PCG64(1)
    pointer = ctypes.c_void_p.from_address(generator.ctypes.state_address).value
    if pointer is None:
        return False
    for _ in range(4):
        known = generator.state["state"]
        memory = int.from_bytes(ctypes.string_at(pointer, 32), "little")
        if memory != known["inc"] << 128 | known["state"]:
            return False
        state, bits = _next(known["state"], known["inc"])
        if generator.random_raw() != bits or generator.state["state"]["state"] != state:
            return False
    return True


def _address_of_function() -> int:
    """The address of PCG64's function for doubles, by which kernels recognise the generator; 1, which is no function's,
    if nothing can be inlined."""
    function = np.random.PCG64(1).ctypes.next_double
    return ctypes.cast(function, ctypes.c_void_p).value if _is_as_expected() else 1


# A symbol, not a number, because machine code in the cache outlives the process.
llvmlite.binding.add_symbol(_SYMBOL, _address_of_function())


@intrinsic
def _next_double(typing_context, rng):
    """The next double of a NumPy generator."""

    def generate(context, builder, signature, arguments):
        generator = cgutils.create_struct_proxy(rng)(context, builder, value=arguments[0])
        source = cgutils.create_struct_proxy(types.NumPyRandomBitGeneratorType("bit_generator"))(
            context, builder, value=generator.bit_generator
        )
        function_type = ir.FunctionType(_DOUBLE, (_INT64,))
        inlined = cgutils.get_or_insert_function(builder.module, function_type, _SYMBOL)
        is_inlined = builder.icmp_unsigned("==", source.fnptr_next_double, builder.ptrtoint(inlined, _INT64))
        with builder.if_else(is_inlined, likely=True) as (then, otherwise):
            with then:
                fast = _step(builder, source.state)
                end_of_fast = builder.basic_block
            with otherwise:
                function = builder.inttoptr(source.fnptr_next_double, function_type.as_pointer())
                slow = builder.call(function, (source.state,))
                end_of_slow = builder.basic_block
        drawn = builder.phi(_DOUBLE)
        drawn.add_incoming(fast, end_of_fast)
        drawn.add_incoming(slow, end_of_slow)
        return drawn

    return types.float64(rng), generate


def _step(builder, address):
    """Instructions: step the state of the PCG64 at this address, and make a double of the upper 53 bits, as NumPy does."""
    place = builder.load(builder.inttoptr(address, _INT128.as_pointer().as_pointer()))
    increment = builder.load(builder.gep(place, [ir.Constant(_INT64, 1)]), align=8)
    state = builder.add(builder.mul(builder.load(place, align=8), ir.Constant(_INT128, _MULTIPLIER)), increment)
    builder.store(state, place, align=8)
    high = builder.trunc(builder.lshr(state, ir.Constant(_INT128, 64)), _INT64)
    mixed = builder.xor(high, builder.trunc(state, _INT64))
    rotation = builder.lshr(high, ir.Constant(_INT64, 58))
    back = builder.and_(builder.neg(rotation), ir.Constant(_INT64, 63))
    bits = builder.or_(builder.lshr(mixed, rotation), builder.shl(mixed, back))
    upper = builder.uitofp(builder.lshr(bits, ir.Constant(_INT64, 11)), _DOUBLE)
    return builder.fmul(upper, ir.Constant(_DOUBLE, 2.0**-53))


@overload(uniform, jit_options=_OPTIONS)
def _uniform(rng):
    if isinstance(rng, types.NumPyRandomGeneratorType):
        return lambda rng: _next_double(rng)
    return lambda rng: rng.random()


@overload(laplace, jit_options=_OPTIONS)
def _laplace(rng, scale):
    if not isinstance(rng, types.NumPyRandomGeneratorType):
        return lambda rng, scale: rng.laplace(0.0, scale)

    def draw(rng, scale):
        """As NumPy draws it, by inversion; with selections, as a branch would be mispredicted every other time."""
        u = 0.0
        while u <= 0.0:
            u = _next_double(rng)
        upper = u >= 0.5
        tail = 2.0 - u - u if upper else u + u
        factor = -scale if upper else scale
        return 0.0 + factor * math.log(tail)  # never -0.0

    return draw
