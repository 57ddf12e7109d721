"""What every device's session must do with memory. A device's test makes a subclass of SessionSuite with a `session` fixture.

class TestCpuSession(SessionSuite):
    @pytest.fixture
    def session(self): ...
"""

from __future__ import annotations

from typing import Any

from r3c.devices.base import AddressRange


class SessionSuite:
    """`ranges` are the addresses the fixture has mapped, at least two of at least 8192 bytes."""

    ranges: tuple[AddressRange, ...]

    def test_written_bytes_are_read_back_at_the_same_address(self, session: Any) -> None:
        for span in self.ranges:
            data = bytes(range(256)) * 32
            session.write(span.address, data)
            assert session.read(span.address, len(data)) == data
            assert session.read(span.address + 100, 5) == data[100:105]

    def test_last_byte_of_a_range_is_its_own(self, session: Any) -> None:
        for number, span in enumerate(self.ranges):
            session.write(span.address + span.size_bytes - 1, bytes([number + 1]))
        found = [session.read(span.address + span.size_bytes - 1, 1)[0] for span in self.ranges]
        assert found == list(range(1, len(self.ranges) + 1))

    def test_fill_changes_only_its_bytes(self, session: Any) -> None:
        start = self.ranges[0].address
        session.write(start, bytes(64))
        session.fill(start + 3, 10, 0xFF)
        assert session.read(start, 64) == bytes(3) + b"\xff" * 10 + bytes(51)

    def test_copy_goes_from_source_to_target(self, session: Any) -> None:
        source, target = self.ranges[0].address, self.ranges[1].address
        session.write(source, b"abcdefgh" * 100)
        session.fill(target, 800, 0)
        session.copy(target + 1, source + 2, 700)
        assert session.read(target, 702) == b"\0" + (b"abcdefgh" * 100)[2:702] + b"\0"

    def test_scratch_lies_apart_from_the_mapped_ranges(self, session: Any) -> None:
        first, second = session.scratch(5000), session.scratch(1)
        session.write(first, b"\1" * 5000)
        session.write(second, b"\2")
        for span in self.ranges:
            session.fill(span.address, span.size_bytes, 0)
        assert session.read(first, 5000) == b"\1" * 5000
        assert session.read(second, 1) == b"\2"
        spans = [(r.address, r.address + r.size_bytes) for r in self.ranges]
        assert not any(low < first + 5000 and first < high for low, high in spans)

    def test_device_describes_itself(self, session: Any) -> None:
        assert session.info.kind
        assert session.info.name
        assert session.info.threads_per_block_count >= 32

    def test_thread_orders_are_taken(self, session: Any) -> None:
        for order in ("ascending", "descending", "random:7"):
            session.set_order(order)
