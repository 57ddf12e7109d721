"""What the names of CUDA itself mean to the analysis: pure functions, atomics, warp operations, types."""

from __future__ import annotations

_MATH = """
acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi erf erfc erfcinv erfcx erfinv exp exp10 exp2
expm1 fabs fdim floor fma fmax fmin fmod hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround
nearbyint nextafter norm3d norm4d normcdf normcdfinv pow rcbrt remainder rhypot rint rnorm3d rnorm4d round rsqrt scalbn
sin sinh sinpi sqrt tan tanh tgamma trunc
"""
_MATH_OTHER = """
abs labs llabs min max umin umax isnan isinf isfinite signbit saturate __saturatef __fdividef __expf __exp10f __logf
__log2f __log10f __powf __sinf __cosf __tanf __frcp_rn __fsqrt_rn __frsqrt_rn __fadd_rn __fmul_rn __fsub_rn __fmaf_rn
__fdiv_rn __dadd_rn __dmul_rn __dsub_rn __fma_rn __ddiv_rn __popc __popcll __clz __clzll __ffs __ffsll __brev __brevll
__byte_perm __mul24 __umul24 __mulhi __umulhi __sad __usad __hadd __rhadd __float2int_rn __float2int_rz __float2int_rd
__float2int_ru __int2float_rn __float2uint_rn __uint2float_rn __float_as_int __int_as_float __float_as_uint
__uint_as_float __double_as_longlong __longlong_as_double __float2half __half2float __float2half_rn __hmul __hfma __hsub
__funnelshift_l __funnelshift_r make_float2 make_float3 make_float4 make_int2 make_int3 make_int4 make_uint2 make_uint3
make_uint4 make_double2 make_double3 make_double4 make_uchar2 make_uchar3 make_uchar4 make_short2 make_short4 make_ushort2
make_longlong2 make_dim3 float int double unsigned char short long bool size_t int64_t uint64_t int32_t uint32_t uint8_t
static_cast
"""

PURE_FUNCTIONS = frozenset(_MATH.split()) | frozenset(n + "f" for n in _MATH.split()) | frozenset(_MATH_OTHER.split())

LOADS = frozenset(["__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu", "__ldcv"])
STORES = frozenset(["__stwb", "__stcg", "__stcs", "__stwt"])
ATOMICS = frozenset(["Add", "Sub", "Exch", "Min", "Max", "Inc", "Dec", "CAS", "And", "Or", "Xor"])
WARP_FUNCTIONS = frozenset(
    [
        "__shfl_sync",
        "__shfl_down_sync",
        "__shfl_up_sync",
        "__shfl_xor_sync",
        "__shfl",
        "__shfl_down",
        "__shfl_up",
        "__shfl_xor",
        "__ballot_sync",
        "__ballot",
        "__any_sync",
        "__all_sync",
        "__any",
        "__all",
        "__activemask",
        "__match_any_sync",
        "__match_all_sync",
        "__syncwarp",
        "__reduce_add_sync",
        "__reduce_min_sync",
        "__reduce_max_sync",
        "__reduce_and_sync",
        "__reduce_or_sync",
        "__reduce_xor_sync",
    ]
)
BARRIERS = frozenset(["__syncthreads", "__syncthreads_count", "__syncthreads_and", "__syncthreads_or"])
FENCES = frozenset(["__threadfence", "__threadfence_block", "__threadfence_system"])

THREAD_BUILTINS = ("threadIdx", "blockIdx", "blockDim", "gridDim")

FLOATING_TYPES = frozenset(
    ("float", "double", "long double", "half", "__half", "__nv_bfloat16", "nv_bfloat16", "__half2", "half2")
)
UNSIGNED_TYPES = frozenset(
    (
        "unsigned",
        "unsigned int",
        "uint",
        "uint32_t",
        "size_t",
        "uint64_t",
        "unsigned long",
        "unsigned long long",
        "std size_t",
    )
)
SIGNED_TYPES = frozenset(
    (
        "int",
        "long",
        "long long",
        "int32_t",
        "int64_t",
        "short",
        "signed int",
        "signed",
        "ptrdiff_t",
        "long int",
        "long long int",
    )
)
NARROW_TYPES = frozenset(
    ("char", "signed char", "unsigned char", "short", "unsigned short", "int8_t", "uint8_t", "int16_t", "uint16_t")
)


def is_atomic(name: str) -> bool:
    """Whether `name` is a CUDA atomic function, its `_block` and `_system` forms included."""
    word = name.removesuffix("_block").removesuffix("_system")
    return word.startswith("atomic") and word[6:] in ATOMICS


def vector_of(type_name: str, lanes: int) -> str | None:
    """CUDA's vector type of `lanes` elements, e.g. `float4`; None where there is none."""
    short = {"float": "float", "int": "int", "unsigned int": "uint", "unsigned": "uint", "double": "double"}.get(
        type_name
    )
    if short is None or lanes not in (2, 4) or (short == "double" and lanes == 4):
        return None
    return f"{short}{lanes}"


VECTOR_BYTES = {"float": 4, "int": 4, "unsigned int": 4, "unsigned": 4, "double": 8}
