"""The random numbers of kernels; the two drawn most, in half the time that the methods of a NumPy generator take.

    uniform(rng)                  rng.random()
    laplace(rng, scale)           scale * rng.standard_exponential(), with a minus if the first 64 bits of this are odd
    gaussian(rng, scale)          scale * rng.standard_normal()
    discrete_laplace(rng, scale)  a whole number k with a probability proportional to e^(-|k|/scale)

NumPy's exponential number is drawn by a ziggurat (Marsaglia & Tsang 2000), nearly always from one word of 64 bits, whose
last three it does not use: the sign is independent of it. NumPy's own `laplace` computes a logarithm for every number.

In a kernel a method of a NumPy generator is a call through a pointer, which takes longer than the few instructions of
PCG64 (O'Neill 2014: a 128-bit linear congruential generator with the output XSL-RR), the generator of all streams
(`randomness.stream`). Here these instructions are part of the kernel. They step the generator's own state in memory, so
its other methods may be called in between. The numbers are the same as in plain Python, bit for bit.

Any other generator is asked for its own bits: another NumPy bit generator, found at run time by the address of its
function; and one whose state lies in memory in another way than here, found by `_is_as_expected`. A named tuple with
methods `random` and `laplace` in place of a generator gives its own numbers.
"""

import ctypes
import math

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, lower_builtin, overload, register_jitable, type_callable
from numba.np.random._constants import fe_double, ke_double, we_double, ziggurat_exp_r

from dpbandits.kernels.compiled import kernel

_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
_SYMBOL = "dpbandits_function_of_inlined_generator"
_INT64, _INT128, _DOUBLE = ir.IntType(64), ir.IntType(128), ir.DoubleType()
_GENERATOR = types.NumPyRandomGeneratorType("generator")
_BIT_GENERATOR = types.NumPyRandomBitGeneratorType("bit_generator")


def uniform(rng):
    """A uniform number in [0, 1): `rng.random()`."""
    return rng.random()


def laplace(rng, scale):
    """A number from the Laplace law with location 0."""
    if not isinstance(rng, np.random.Generator):
        return rng.laplace(0.0, scale)
    is_negative = _coming_bits(rng) % 2 == 1
    size = rng.standard_exponential()
    return -scale * size if is_negative else scale * size


@register_jitable
def gaussian(rng, scale):
    """A number from the normal law with mean 0; NumPy's ziggurat computes no function but in its tail."""
    return scale * rng.standard_normal()


@register_jitable
def discrete_laplace(rng, scale):
    """The size of a Laplace number rounded down has the probabilities (1 - r) r^k, r = e^(-1/scale); with the number's
    sign, that is the law but for 0, which has two signs: the one with a minus is drawn again."""
    while True:
        number = laplace(rng, scale)
        size = math.floor(abs(number))
        if number >= 0:
            return size
        if size > 0:
            return -size


def _coming_bits(rng: np.random.Generator) -> int:
    """The 64 bits that the generator will draw next."""
    before, functions = rng.bit_generator.state, rng.bit_generator.ctypes
    bits = functions.next_uint64(functions.state)
    rng.bit_generator.state = before
    return bits


def _next(state, increment):
    """The next state of PCG64 and the 64 bits that follow from it, in Python."""
    state = (state * _MULTIPLIER + increment) % 2**128
    bits, rotation = (state >> 64 ^ state) % 2**64, state >> 122
    return state, (bits >> rotation | bits << (64 - rotation)) % 2**64


def _is_as_expected() -> bool:
    """Whether PCG64's state lies in memory, and is stepped, as `_step` supposes: a pointer to state and increment."""
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


def _draw(context, builder, generator, inline, function, kind):
    """Instructions: the next number of a NumPy generator, by `inline` from the bits of a PCG64, or by a C function."""
    generator = cgutils.create_struct_proxy(_GENERATOR)(context, builder, value=generator)
    source = cgutils.create_struct_proxy(_BIT_GENERATOR)(context, builder, value=generator.bit_generator)
    known = cgutils.get_or_insert_function(builder.module, ir.FunctionType(_DOUBLE, (_INT64,)), _SYMBOL)
    is_known = builder.icmp_unsigned("==", source.fnptr_next_double, builder.ptrtoint(known, _INT64))
    with builder.if_else(is_known, likely=True) as (then, otherwise):
        with then:
            fast = inline(builder, _step(builder, source.state))
            end_of_fast = builder.basic_block
        with otherwise:
            pointer = builder.inttoptr(getattr(source, function), ir.FunctionType(kind, (_INT64,)).as_pointer())
            slow = builder.call(pointer, (source.state,))
            end_of_slow = builder.basic_block
    drawn = builder.phi(kind)
    drawn.add_incoming(fast, end_of_fast)
    drawn.add_incoming(slow, end_of_slow)
    return drawn


def _step(builder, address):
    """Instructions: step the state of the PCG64 at this address, and return the 64 bits that follow from it."""
    place = builder.load(builder.inttoptr(address, _INT128.as_pointer().as_pointer()))
    increment = builder.load(builder.gep(place, [ir.Constant(_INT64, 1)]), align=8)
    state = builder.add(builder.mul(builder.load(place, align=8), ir.Constant(_INT128, _MULTIPLIER)), increment)
    builder.store(state, place, align=8)
    high = builder.trunc(builder.lshr(state, ir.Constant(_INT128, 64)), _INT64)
    mixed = builder.xor(high, builder.trunc(state, _INT64))
    rotation = builder.lshr(high, ir.Constant(_INT64, 58))
    back = builder.and_(builder.neg(rotation), ir.Constant(_INT64, 63))
    return builder.or_(builder.lshr(mixed, rotation), builder.shl(mixed, back))


def _as_double(builder, bits):
    """Instructions: the double in [0, 1) of the upper 53 bits, as NumPy makes it."""
    upper = builder.uitofp(builder.lshr(bits, ir.Constant(_INT64, 11)), _DOUBLE)
    return builder.fmul(upper, ir.Constant(_DOUBLE, 2.0**-53))


def _draw_bits(context, builder, generator):
    return _draw(context, builder, generator, lambda builder, bits: bits, "fnptr_next_uint64", _INT64)


# Kernels: these templates of numba take NumPy's generators, and the overloads below named tuples in their place.


@type_callable(uniform)
def _type_of_uniform(context):
    return lambda rng: types.float64(rng) if isinstance(rng, types.NumPyRandomGeneratorType) else None


@type_callable(laplace)
def _type_of_laplace(context):
    return lambda rng, scale: (
        types.float64(rng, types.float64) if isinstance(rng, types.NumPyRandomGeneratorType) else None
    )


@lower_builtin(uniform, types.NumPyRandomGeneratorType)
def _uniform(context, builder, signature, arguments):
    """Instructions: a uniform number."""
    return _draw(context, builder, *arguments, _as_double, "fnptr_next_double", _DOUBLE)


@lower_builtin(laplace, types.NumPyRandomGeneratorType, types.Float)
def _laplace(context, builder, signature, arguments):
    """Instructions: a Laplace number."""
    generator, scale = arguments
    bits = _draw_bits(context, builder, generator)
    strip = builder.and_(builder.lshr(bits, ir.Constant(_INT64, 3)), ir.Constant(_INT64, 255))
    upper = builder.lshr(bits, ir.Constant(_INT64, 11))
    size = builder.fmul(builder.sitofp(upper, _DOUBLE), _entry(builder, "widths", strip))
    is_inside = builder.icmp_unsigned("<", upper, _entry(builder, "inside", strip))
    usual = builder.basic_block
    with builder.if_then(builder.not_(is_inside), likely=False):
        given = types.float64(signature.args[0], types.int64, types.float64)
        other = _call(context, builder, _outside, given, generator, strip, size)
        unusual = builder.basic_block
    exponential = builder.phi(_DOUBLE)
    exponential.add_incoming(size, usual)
    exponential.add_incoming(other, unusual)
    sign = builder.shl(bits, ir.Constant(_INT64, 63))
    number = builder.bitcast(builder.fmul(scale, exponential), _INT64)
    return builder.bitcast(builder.xor(number, sign), _DOUBLE)


def _call(context, builder, function, signature, *arguments):
    """Instructions: a call that is not inlined, because what is rare should not occupy registers."""
    function.within.compile(signature.args)
    code = function.within.overloads[signature.args]
    context.add_linking_libs([code.library])
    declared = context.declare_function(builder.module, code.fndesc)
    returned = context.call_conv.call_function(
        builder, declared, signature.return_type, signature.args, arguments, attrs=("noinline",)
    )
    return returned[1]


def _entry(builder, name, i):
    """Instructions: entry i of a table of the ziggurat, which becomes part of the module."""
    table, kind = {"widths": (we_double, _DOUBLE), "inside": (ke_double, _INT64)}[name]
    name = f"dpbandits_{name}"
    if name not in builder.module.globals:
        entries = ir.Constant(ir.ArrayType(kind, table.size), table.tolist())
        cgutils.global_constant(builder, name, entries)
    return builder.load(builder.gep(builder.module.globals[name], [ir.Constant(_INT64, 0), i]))


@intrinsic
def _word(typing_context, rng):
    """The upper 61 of the next 64 bits."""

    def generate(context, builder, signature, arguments):
        return builder.lshr(_draw_bits(context, builder, *arguments), ir.Constant(_INT64, 3))

    return types.int64(rng), generate


@kernel
def _outside(rng, strip, size):
    """The exponential number of a strip of the ziggurat where it is not surely under the curve: one in 90.

    The bottom strip, 0, has the tail; in another one the number is drawn again if a point above it is over the curve.
    """
    while True:
        if strip == 0:
            return ziggurat_exp_r - math.log1p(-uniform(rng))
        if (fe_double[strip - 1] - fe_double[strip]) * uniform(rng) + fe_double[strip] < math.exp(-size):
            return size
        word = _word(rng)
        strip, upper = word & 255, word >> 8
        size = upper * we_double[strip]
        if upper < ke_double[strip]:
            return size


@overload(uniform)
def _uniform_of_tuple(rng):
    if not isinstance(rng, types.NumPyRandomGeneratorType):
        return lambda rng: rng.random()
    return None


@overload(laplace)
def _laplace_of_tuple(rng, scale):
    if not isinstance(rng, types.NumPyRandomGeneratorType):
        return lambda rng, scale: rng.laplace(0.0, scale)
    return None
