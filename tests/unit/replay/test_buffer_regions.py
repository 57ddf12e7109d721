from r3c.core.contract import BufferContract, Contract, Role, Tolerance
from r3c.core.recording import Allocation, Argument, Recording
from r3c.devices.base import AddressRange
from r3c.replay.regions import OUTSIDE, regions_of

PARAMETERS = (("a", "float *"), ("b", "const int *"), ("n", "int"))


def recording(a: int, b: int, allocations) -> Recording:
    packed = a.to_bytes(8, "little") + b.to_bytes(8, "little") + (7).to_bytes(4, "little")
    return Recording(
        "k", "k", "cpu", "", (1, 1, 1), (1, 1, 1), 0,
        (Argument(0, 8, "a"), Argument(8, 8, "b"), Argument(16, 4, "n")),
        packed.hex(),
        tuple(Allocation(address, size, ()) for address, size in allocations),
    )  # fmt: skip


def found(a, b, allocations, contract, ranges):
    return [
        (r.buffer, r.start, r.stop, r.element.code, r.role)
        for r in regions_of(recording(a, b, allocations), [AddressRange(*r) for r in ranges], contract)
    ]


def test_each_allocation_belongs_to_the_parameter_that_points_to_it():
    contract = Contract("k", parameters=PARAMETERS)
    assert found(1000, 2000, [(1000, 100), (2000, 8)], contract, [(1000, 100), (2000, 8)]) == [
        ("a", 1000, 1100, "f4", Role.INOUT),
        ("b", 2000, 2008, "i4", Role.INOUT),
    ]


def test_two_parameters_share_an_allocation_at_their_pointers():
    contract = Contract("k", buffers={"b": BufferContract(Role.OUT)}, parameters=PARAMETERS)
    assert found(1010, 1050, [(1000, 100)], contract, [(1000, 100)]) == [
        ("a", 1000, 1050, "f4", Role.INOUT),
        ("b", 1050, 1100, "i4", Role.OUT),
    ]


def test_aliased_parameters_are_poisoned_only_if_both_are_out():
    out, inp = BufferContract(Role.OUT), BufferContract(Role.IN)
    one = Contract("k", buffers={"a": out, "b": inp}, parameters=PARAMETERS)
    both = Contract("k", buffers={"a": out, "b": out}, parameters=PARAMETERS)
    assert found(1000, 1000, [(1000, 8)], one, [(1000, 8)]) == [("a", 1000, 1008, "f4", Role.INOUT)]
    assert found(1000, 1000, [(1000, 8)], both, [(1000, 8)]) == [("a", 1000, 1008, "f4", Role.OUT)]


def test_memory_that_no_argument_names_is_covered_too():
    contract = Contract("k", parameters=PARAMETERS)
    assert found(1000, 5, [(1000, 8), (3000, 8)], contract, [(1000, 16), (3000, 8)]) == [
        ("a", 1000, 1008, "f4", Role.INOUT),
        (OUTSIDE, 1008, 1016, "u1", Role.INOUT),
        ("memory reached indirectly at 0xbb8", 3000, 3008, "u1", Role.INOUT),
    ]


def test_tolerance_of_the_kernel_holds_for_floats_only():
    contract = Contract("k", Tolerance(0.1, 0), parameters=PARAMETERS)
    regions = regions_of(
        recording(1000, 2000, [(1000, 8), (2000, 8)]), [AddressRange(1000, 8), AddressRange(2000, 8)], contract
    )
    assert [r.tolerance.rtol for r in regions] == [0.1, 0.0]


def test_integers_have_a_tolerance_where_their_buffer_declares_one():
    contract = Contract("k", buffers={"b": BufferContract(Role.INOUT, Tolerance(0, 1))}, parameters=PARAMETERS)
    regions = regions_of(recording(5, 2000, [(2000, 8)]), [AddressRange(2000, 8)], contract)
    assert regions[0].tolerance.atol == 1
