"""The device memory of a replay worker: recorded addresses mapped once, restored before every run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from r3c.core.contract import Tolerance
from r3c.core.errors import ReplayError
from r3c.devices.base import AddressRange, LaunchFailed, Module, Session
from r3c.replay.compare import Difference
from r3c.replay.elements import Bytes
from r3c.replay.image import Image, Snapshot, place_of
from r3c.replay.on_device import OnDevice, Stored

_PIECE_BYTES = 64 << 20
_MEMORY_SHARE = 0.8


class Arena:
    """Memory at the recorded addresses. Pristine copies stay on the device where they fit, the answers only masked.

    Without a `comparer` everything is read back and compared on the host.
    """

    def __init__(
        self,
        session: Session,
        images: Sequence[Image],
        ranges: list[AddressRange],
        comparer: OnDevice | None = None,
    ) -> None:
        self.session = session
        self.images = list(images)
        self.ranges = ranges
        self._comparer = comparer
        self._answers: dict[tuple[int, int], Stored] = {}
        self._pristine: dict[tuple[int, int], list[int]] = {}
        self._prepared: tuple[int, int] | None = None
        self._room_bytes = self._room()

    def _room(self) -> int:
        mapped = sum(r.size_bytes for r in self.ranges)
        memory = self.session.info.memory_bytes
        return max(0, int(memory * _MEMORY_SHARE) - mapped) if memory else mapped * len(self.images)

    def prepare(self, index: int, poison: int) -> None:
        """Memory as before the launch of image `index`, with `poison` in every byte to spoil."""
        pristine = self._pristine_of(index, poison)
        if pristine is None:
            self._upload(index, poison, [r.address for r in self.ranges])
        else:
            for target, source in zip(self.ranges, pristine, strict=True):
                self.session.copy(target.address, source, target.size_bytes)
        self._prepared = (index, poison)

    def restore_changed(self) -> None:
        """As `prepare` before, for a kernel known to write only what the original writes."""
        if self._prepared is None:
            raise ReplayError("memory was never prepared")
        index, poison = self._prepared
        pristine = self._pristine_of(index, poison)
        if pristine is None:
            self._upload(index, poison, [r.address for r in self.ranges])
            return
        for address, size in self.images[index].dirty():
            place = place_of(self.ranges, address)
            source = pristine[place] + address - self.ranges[place].address
            self.session.copy(address, source, size)

    def read(self) -> list[Bytes]:
        """All mapped memory now; what a device finds unchanged by itself is not read back."""
        return [self._now(place) for place in range(len(self.ranges))]

    def _now(self, place: int) -> Bytes:
        found = self._unchanged(place)
        return self.read_at(self.ranges[place].address, self.ranges[place].size_bytes) if found is None else found

    def _unchanged(self, place: int) -> Bytes | None:
        """What was prepared in this range, where the device can tell that it is still so."""
        pristine = self._pristine.get(self._prepared) if self._prepared else None
        if self._prepared is None or pristine is None or self._comparer is None:
            return None
        image, span = self.images[self._prepared[0]], self.ranges[place]
        poisoned = any(span.address <= address < span.address + span.size_bytes for address, _ in image.poison)
        if poisoned or not self._comparer.same(span.address, span.size_bytes, Stored(pristine[place]))[0]:
            return None
        return image.before.memory[place]

    def compare_on_device(
        self, module: Module, index: int, tolerant: Tolerance | None = None
    ) -> tuple[list[Difference], tuple[object, ...]] | None:
        """Differences from the recording of what the last launch left, and a mark that is equal for equal memory.

        None where the device cannot compare, or the answers do not fit in its memory.
        """
        image, comparer = self.images[index], self._comparer
        stored = self._stored(index)
        if comparer is None or stored is None:
            return None
        found: list[Difference] = []
        marks: list[object] = []
        for place, (span, expected) in enumerate(zip(self.ranges, stored, strict=True)):
            same, digest = comparer.same(span.address, span.size_bytes, expected)
            marks.append(digest)
            for cut, view in () if same else image.views(place, tolerant):
                answer = image.after.memory[place][cut]
                there = (span.address + cut.start, expected.at(cut.start))
                difference = comparer.compare(view, *there, answer, self.read_at)
                found += [difference] if difference.differing else []
        symbols = self._read_globals(module, image)
        found += image.global_differences(symbols)
        return found, (*marks, *(data.tobytes() for data in symbols))

    def _stored(self, index: int) -> list[Stored] | None:
        """Where the device has what each range of image `index` is to hold after a launch."""
        pristine = self._pristine.get(self._prepared) if self._prepared and self._prepared[0] == index else None
        if self._comparer is None or pristine is None:
            return None
        image, found = self.images[index], []
        for place, span in enumerate(self.ranges):
            if image.as_before(place):
                found.append(Stored(pristine[place]))
                continue
            if (index, place) not in self._answers:
                if span.size_bytes > self._room_bytes:
                    return None
                self._room_bytes -= span.size_bytes
                answer = Stored(self.session.scratch(span.size_bytes), self._comparer.new_key())
                self._write(answer.address, image.after.memory[place])
                self._comparer.mask(answer.address, span.size_bytes, answer.key)
                self._answers[index, place] = answer
            found.append(self._answers[index, place])
        return found

    def put_globals(self, module: Module, index: int) -> None:
        """Sets each recorded global of image `index` in `module`.

        Raises:
            LaunchFailed: the module has one of another size.
        """
        image = self.images[index]
        for symbol, data in zip(image.recording.globals, image.before.globals, strict=True):
            found = module.global_range(symbol.name)
            if found is None:
                continue
            if found.size_bytes != symbol.size_bytes:
                raise LaunchFailed(
                    f"global {symbol.name} has {found.size_bytes} bytes, the recorded one {symbol.size_bytes}"
                )
            self.session.write(found.address, data.tobytes())

    def snapshot(self, module: Module, index: int) -> Snapshot:
        """All memory now. A global the module lacks counts as left alone."""
        return Snapshot(self.read(), self._read_globals(module, self.images[index]))

    def _read_globals(self, module: Module, image: Image) -> list[Bytes]:
        symbols: list[Bytes] = []
        for symbol, before in zip(image.recording.globals, image.before.globals, strict=True):
            found = module.global_range(symbol.name)
            symbols.append(before if found is None else self.read_at(found.address, symbol.size_bytes))
        return symbols

    def device_copies(self) -> list[AddressRange]:
        """All device memory that this worker holds: mapped ranges, pristine copies and masked answers."""
        copies = [
            AddressRange(address, span.size_bytes)
            for addresses in self._pristine.values()
            for address, span in zip(addresses, self.ranges, strict=True)
        ]
        answers = [
            AddressRange(stored.address, self.ranges[place].size_bytes) for (_, place), stored in self._answers.items()
        ]
        return [*self.ranges, *copies, *answers]

    def refresh(self, index: int) -> None:
        """Call after what is to be poisoned in image `index` has changed: its device copies are written anew."""
        for (image, poison), addresses in self._pristine.items():
            if image == index:
                self._upload(image, poison, addresses)
        self._prepared = None

    def _pristine_of(self, index: int, poison: int) -> list[int] | None:
        """Addresses of the device's own copies of the prepared ranges, None where they do not fit."""
        key = (index, poison)
        if key not in self._pristine:
            need = sum(r.size_bytes for r in self.ranges)
            if need > self._room_bytes:
                return None
            self._room_bytes -= need
            self._pristine[key] = [self.session.scratch(r.size_bytes) for r in self.ranges]
            self._upload(index, poison, self._pristine[key])
        return self._pristine[key]

    def _upload(self, index: int, poison: int, addresses: list[int]) -> None:
        for address, data in zip(addresses, self.images[index].poisoned(poison), strict=True):
            self._write(address, data)

    def _write(self, address: int, data: Bytes) -> None:
        for at in range(0, len(data), _PIECE_BYTES):
            self.session.write(address + at, data[at : at + _PIECE_BYTES].tobytes())

    def read_at(self, address: int, size: int) -> Bytes:
        out = np.empty(size, np.uint8)
        for at in range(0, size, _PIECE_BYTES):
            count = min(_PIECE_BYTES, size - at)
            out[at : at + count] = np.frombuffer(self.session.read(address + at, count), np.uint8)
        return out
