"""What keeps rewrites away, each with its reason."""

from __future__ import annotations

import pytest

from r3c.core.source import Source
from r3c.tree.parse import parse


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("a[0] = 1;", ""),
        ("#pragma unroll\nfor (;;) break;", ""),
        ("n = = 2;", "a part of it is not understood by the grammar"),
        ("x: goto x;", "it contains goto or a label"),
        ("TICK(1)\nn = 1;", "macro TICK stands for statements"),
        ("n = 1\n#if A\n+ 1\n#endif\n;", "a preprocessor line lies inside a statement or header"),
        ("#if A\nn = 1;\n#endif", "conditional compilation selects among its statements"),
        (
            "#if A\nif (n)\n#else\nif (n > 1)\n#endif\n{ a[0] = 1; }",
            "conditional compilation selects among its statements",
        ),
        ("if (n) a[0] = 1;\n#if A\nelse a[0] = 2;\n#endif", "a preprocessor line lies inside a statement or header"),
    ],
)
def test_taint_of_a_kernel(body: str, reason: str) -> None:
    file = parse(Source("k.cu", f"__global__ void k(int *a, int n) {{\n{body}\n}}\n"))
    assert file.kernels[0].tainted == reason
