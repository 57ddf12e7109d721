import pytest

from r3c.replay.elements import element_type


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("float *", "f4"),
        ("const float * __restrict__", "f4"),
        ("const double*__restrict__ const", "f8"),
        ("double const *", "f8"),
        ("float4 *", "f4"),
        ("const double2 *", "f8"),
        ("__half *", "f2"),
        ("half2*", "f2"),
        ("__nv_bfloat16 *", "bf16"),
        ("cuDoubleComplex *", "f8"),
        ("thrust::complex<float> *", "f4"),
        ("std::complex<double>*", "f8"),
        ("unsigned int *", "u4"),
        ("unsigned *", "u4"),
        ("unsigned long long *", "u8"),
        ("std::uint8_t *", "u1"),
        ("uchar4 *", "u1"),
        ("size_t*", "u8"),
        ("bool *", "u1"),
        ("float **", "u8"),
        ("float x[]", None),
        ("T *", None),
        ("Particle *", None),
        ("float", None),
        ("int", None),
    ],
)
def test_element_type_is_read_from_the_text(text, code):
    found = element_type(text)
    assert (found.code if found else None) == code
