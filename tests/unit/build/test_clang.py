from __future__ import annotations

from r3c.build.clang import DeviceFlags, device_flags, leading_headers


def test_only_the_system_headers_before_everything_else_are_precompiled() -> None:
    text = "// a\n/* b\n c */\n#include <cmath>\n  # include <a/b.h> // why\n\n#include <vector>\n"
    assert leading_headers(text + '#include "own.h"\n#include <map>\n') == ["cmath", "a/b.h", "vector"]
    assert leading_headers("#define N 3\n#include <cmath>\n") == []
    assert leading_headers("") == []


def test_nvccs_options_are_said_in_each_stages_words() -> None:
    assert device_flags(("-ftz=true", "--fmad=false", "-Xptxas", "-O1,-dlcm=cg")) == DeviceFlags(
        ("-fgpu-flush-denormals-to-zero", "-ffp-contract=off"), (), ("-O1", "-dlcm=cg")
    )
    assert device_flags(("-ftz", "false", "-prec-sqrt=true", "--restrict", "-rdc=true")) == DeviceFlags()
    assert device_flags(("-maxrregcount", "40")).ptxas == ("-maxrregcount=40",)
    fast = device_flags(("-use_fast_math",))
    assert "-ffast-math" not in fast.front_end
    assert "-nvptx-prec-divf32=0" in fast.back_end
