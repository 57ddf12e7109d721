from __future__ import annotations

import pytest

from r3c import plugins
from r3c.devices.base import AddressRange, LaunchFailed
from r3c.testing.fake_device import NAME, FakeSession
from r3c.testing.session_suite import SessionSuite


class TestFakeSession(SessionSuite):
    ranges = (AddressRange(1 << 20, 8192), AddressRange(1 << 30, 10001))

    @pytest.fixture
    def session(self):
        session = FakeSession()
        session.map(self.ranges)
        yield session
        session.close()

    def test_access_outside_every_range_is_a_fault(self, session):
        with pytest.raises(LaunchFailed, match="outside every allocation"):
            session.read((1 << 20) + 8190, 4)
        with pytest.raises(LaunchFailed, match="outside every allocation"):
            session.write(5, b"x")


def test_device_is_found_by_its_full_name():
    assert plugins.load("device", NAME)().open_session().info.kind == "fake"
