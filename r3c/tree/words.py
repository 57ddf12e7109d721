"""Words and operators of CUDA C++ as tables: the kind of token each one is."""

from __future__ import annotations

OPERATORS: dict[str, str] = {
    "(": "LPAR", ")": "RPAR", "[": "LSQB", "]": "RSQB", "{": "LBRACE", "}": "RBRACE", ";": "SEMI", ",": "COMMA",
    ":": "COLON", "?": "QUESTION", "::": "SCOPE", ".": "DOT", "->": "ARROW", "...": "ELLIPSIS", "=": "ASSIGN",
    "<": "LT", ">": "GT", "<=": "COMPARE", ">=": "COMPARE", "<=>": "COMPARE", "==": "EQUALITY", "!=": "EQUALITY",
    "<<": "SHIFT", "||": "OR_OR", "&&": "AND_AND", "|": "PIPE", "^": "CARET", "&": "AMP", "+": "SIGN", "-": "SIGN",
    "*": "STAR", "/": "SLASH", "%": "SLASH", ".*": "MEMBER_POINTER", "->*": "MEMBER_POINTER", "!": "NOT", "~": "NOT",
    "++": "INCREMENT", "--": "INCREMENT", "<<<": "LAUNCH_OPEN",
    **dict.fromkeys(("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="), "OP_ASSIGN"),
}  # fmt: skip

_OWN_KIND = (
    "if else for while do switch case default break continue return goto sizeof new delete try catch throw template "
    "typename using typedef namespace operator this static_assert auto decltype asm"
)
_SPECIFIERS = (
    "const volatile static extern inline constexpr register mutable virtual explicit friend noexcept thread_local "
    "__shared__ __device__ __global__ __constant__ __host__ __managed__ __restrict__ __restrict restrict "
    "__forceinline__ __forceinline __noinline__ __inline__ __inline __grid_constant__ __volatile__ __const__ "
    "__extension__ __host__device__ consteval constinit"
)
_BUILTIN_TYPES = (
    "void bool char short int long float double signed unsigned wchar_t char8_t char16_t char32_t __int64 __int128 "
    "__signed__ _Bool _Complex __half __nv_bfloat16 __half2 __nv_bfloat162"
)

WORDS: dict[str, str] = {
    **{word: word.upper() for word in _OWN_KIND.split()},
    **dict.fromkeys(_SPECIFIERS.split(), "SPECIFIER"),
    **dict.fromkeys(_BUILTIN_TYPES.split(), "BUILTIN"),
    **dict.fromkeys(("struct", "class", "union", "enum"), "STRUCT"),
    **dict.fromkeys(("true", "false", "nullptr"), "LITERAL"),
    **dict.fromkeys(("static_cast", "reinterpret_cast", "const_cast", "dynamic_cast"), "NAMED_CAST"),
    **dict.fromkeys(("alignof", "__alignof__"), "SIZEOF"),
    **dict.fromkeys(("__typeof__", "typeof"), "DECLTYPE"),
    **dict.fromkeys(("__asm__", "__asm"), "ASM"),
    "and": "AND_AND", "or": "OR_OR", "not": "NOT", "_Static_assert": "STATIC_ASSERT",
    "__launch_bounds__": "LAUNCH_BOUNDS",
    **dict.fromkeys(("__attribute__", "__attribute", "__align__", "alignas", "__declspec", "_Alignas", "__builtin_align__", "__cluster_dims__", "__maxnreg__"), "ATTRIBUTE"),
}  # fmt: skip

KEYWORD_KINDS = frozenset(WORDS.values())

_VECTOR_BASES = "char uchar short ushort int uint long ulong longlong ulonglong float double"

# Types that CUDA and common headers declare, so that a file need not.
KNOWN_TYPES = frozenset(
    [
        "dim3",
        "size_t",
        "ssize_t",
        "ptrdiff_t",
        "half",
        "half2",
        "bfloat16",
        "cudaStream_t",
        "cudaEvent_t",
        "cudaError_t",
        "uint",
        "ushort",
        "uchar",
        "ulong",
        "FILE",
        "string",
        "curandState",
        "real",
        "Real",
        "REAL",
        "real_t",
    ]
) | frozenset(base + width for base in _VECTOR_BASES.split() for width in "1234")

KNOWN_TEMPLATES = frozenset(
    [
        "vector",
        "map",
        "set",
        "pair",
        "tuple",
        "complex",
        "array",
        "atomic",
        "unique_ptr",
        "shared_ptr",
        "basic_string",
        "list",
        "deque",
        "function",
        "numeric_limits",
        "is_same",
        "enable_if",
        "conditional",
        "barrier",
        "pipeline",
        "thread_block_tile",
        "device_vector",
        "host_vector",
        "device_ptr",
        "min",
        "max",
        "make_pair",
        "make_tuple",
        "get",
        "swap",
    ]
)
