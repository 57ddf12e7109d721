"""The CPU device's session does with memory what every session does."""

from __future__ import annotations

import pytest

from r3c.devices.base import AddressRange
from r3c.devices.cpu import Cpu
from r3c.testing.session_suite import SessionSuite

RANGES = (AddressRange(0x5FF0000060, 8192), AddressRange(0x5FF1000010, 10000))


@pytest.fixture(scope="module")
def opened():
    device = Cpu()
    if device.unavailable():
        pytest.skip(reason=device.unavailable())
    session = device.open_session()
    session.map(RANGES)
    yield session
    session.close()


class TestCpuSession(SessionSuite):
    ranges = RANGES

    @pytest.fixture
    def session(self, opened):
        return opened
