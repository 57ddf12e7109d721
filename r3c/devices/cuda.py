"""The CUDA device: PyCUDA for modules, launches, events and copies, cuda.bindings for memory at given addresses.

Both packages are imported when a session opens, never before; a machine without a driver can import this file.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from r3c.core.errors import DeviceError, MissingExtra
from r3c.devices._cuda_compare import comparison_cubin
from r3c.devices._cuda_recorder import find_cuda, recorder_environment
from r3c.devices._ranges import merge
from r3c.devices.base import AddressRange, DeviceInfo, Launch, LaunchFailed

RESERVE_ALIGNMENT = 32 << 20  # a reservation hint below this alignment is moved by the driver
GRAPH_LAUNCHES_MIN = 2
FLUSH_FACTOR = 2
SHARED_BYTES_UNASKED = 48 << 10  # of dynamic shared memory; a function that uses more must ask for it
STACK_BYTES_UNASKED = 1 << 10  # of each thread
INSTALL = "pip install 'r3c[cuda]' on a machine with an NVIDIA driver"


class Cuda:
    """Makes sessions on the first CUDA device of this process (`CUDA_VISIBLE_DEVICES` chooses which)."""

    name = "cuda"
    toolchain = "nvcc"

    def unavailable(self) -> str:
        try:
            _, driver = import_drivers()
        except MissingExtra as error:
            return str(error.diagnostic.message)
        status, count = driver.cuDeviceGetCount() if driver.cuInit(0)[0] == 0 else (1, 0)
        if status != 0 or count == 0:
            return "the NVIDIA driver finds no GPU"
        if find_cuda() is None:
            return f"no CUDA headers and CUPTI found for the recorder; {INSTALL}"
        return ""

    def info(self) -> DeviceInfo:
        with contextlib.closing(CudaSession()) as session:
            return session.info

    def recorder_environment(self) -> dict[str, str]:
        return recorder_environment()

    def open_session(self) -> CudaSession:
        return CudaSession()


def import_drivers() -> tuple[Any, Any]:
    """`pycuda.driver` and `cuda.bindings.driver`.

    Raises:
        MissingExtra: a package or the driver library is missing; the hint names the command.
    """
    try:
        import pycuda.driver as pycuda_driver
        from cuda.bindings import driver
    except ImportError as error:
        missing = "the NVIDIA driver (libcuda.so.1)" if "libcuda" in str(error) else f"package {error.name}"
        raise MissingExtra(f"device cuda needs {missing}: {error}", hint=INSTALL) from None
    return pycuda_driver, driver


class CudaSession:
    """One process's hold on one GPU through its primary context.

    Addresses are reserved after cuInit and before any context exists: only then does the driver give natural
    addresses of an earlier process again. So the context is made by `map`, or by the first other call.
    """

    def __init__(self) -> None:
        self._pycuda, self._driver = import_drivers()
        self._pycuda.init()
        self._device = self._pycuda.Device(0)
        self._context: Any = None
        self._flush: Any = None
        self._stack_bytes = STACK_BYTES_UNASKED
        self._scratch: list[Any] = []
        self._mapped: list[tuple[int, int, Any]] = []
        self.info = self._describe()

    def _describe(self) -> DeviceInfo:
        attribute = self._pycuda.device_attribute
        get = self._device.get_attribute
        major, minor = self._device.compute_capability()
        clock_hz = get(attribute.MEMORY_CLOCK_RATE) * 1e3
        bandwidth = 2 * clock_hz * get(attribute.GLOBAL_MEMORY_BUS_WIDTH) / 8 / 1e9
        version = self._pycuda.get_driver_version()
        return DeviceInfo(
            kind="cuda",
            name=self._device.name(),
            architecture=f"sm_{major}{minor}",
            units_count=get(attribute.MULTIPROCESSOR_COUNT),
            memory_bytes=self._device.total_memory(),
            shared_bytes_per_block=get(attribute.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
            registers_per_block_count=get(attribute.MAX_REGISTERS_PER_BLOCK),
            threads_per_block_count=get(attribute.MAX_THREADS_PER_BLOCK),
            l2_bytes=get(attribute.L2_CACHE_SIZE),
            bandwidth_gb_per_s=bandwidth,
            details={"driver": f"{version // 1000}.{version % 1000 // 10}"},
        )

    def map(self, ranges: Sequence[AddressRange]) -> None:
        if self._context is not None:
            raise DeviceError("memory must be mapped before anything else is done on the device")
        regions = list(merge(ranges, RESERVE_ALIGNMENT))
        for low, high in regions:
            got = int(self._call(self._driver.cuMemAddressReserve(high - low, 0, low, 0)))
            if got != low:
                raise DeviceError(
                    f"the driver gave address {got:#x} instead of {low:#x} for {high - low} bytes",
                    hint="another process's libraries may lie there: start the replay again",
                )
        self._enter()
        granularity = self._granularity()
        for low, high in merge(ranges, granularity):
            self._back(low, high - low)

    def _allocation_property(self) -> Any:
        driver = self._driver
        properties = driver.CUmemAllocationProp()
        properties.type = driver.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
        properties.location.type = driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
        properties.location.id = 0
        return properties

    def _granularity(self) -> int:
        flag = self._driver.CUmemAllocationGranularity_flags.CU_MEM_ALLOC_GRANULARITY_MINIMUM
        return int(self._call(self._driver.cuMemGetAllocationGranularity(self._allocation_property(), flag)))

    def _back(self, address: int, size_bytes: int) -> None:
        """Put physical memory behind reserved addresses."""
        driver = self._driver
        handle = self._call(driver.cuMemCreate(size_bytes, self._allocation_property(), 0))
        self._call(driver.cuMemMap(address, size_bytes, 0, handle, 0))
        access = driver.CUmemAccessDesc()
        access.location = self._allocation_property().location
        access.flags = driver.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE
        self._call(driver.cuMemSetAccess(address, size_bytes, [access], 1))
        self._mapped.append((address, size_bytes, handle))

    def _enter(self) -> None:
        if self._context is None:
            self._context = self._device.retain_primary_context()
            self._context.push()

    def _call(self, result: tuple[Any, ...]) -> Any:
        """The value of a driver call that answered `(status, value...)`."""
        status, *values = result
        if int(status) != 0:
            text = self._driver.cuGetErrorString(status)[1] or b"unknown error"
            raise DeviceError(f"CUDA driver: {text.decode()} ({status.name})")
        return values[0] if len(values) == 1 else tuple(values)

    def write(self, address: int, data: bytes) -> None:
        self._enter()
        if data:
            self._pycuda.memcpy_htod(address, data)

    def read(self, address: int, size_bytes: int) -> bytes:
        self._enter()
        out = bytearray(size_bytes)
        if size_bytes:
            self._pycuda.memcpy_dtoh(out, address)
        return bytes(out)

    def fill(self, address: int, size_bytes: int, byte: int) -> None:
        self._enter()
        if size_bytes:
            self._pycuda.memset_d8(address, byte, size_bytes)

    def copy(self, target: int, source: int, size_bytes: int) -> None:
        self._enter()
        if size_bytes:
            self._pycuda.memcpy_dtod(target, source, size_bytes)

    def scratch(self, size_bytes: int) -> int:
        self._enter()
        allocation = self._pycuda.mem_alloc(max(1, size_bytes))
        self._scratch.append(allocation)
        return int(allocation)

    def load(self, binary: Path) -> CudaModule:
        self._enter()
        try:
            return CudaModule(self._pycuda.module_from_buffer(binary.read_bytes()), binary)
        except self._pycuda.Error as error:
            raise LaunchFailed(f"{binary.name} could not be loaded: {error}") from None

    def comparison_module(self) -> CudaModule:
        return self.load(comparison_cubin(self.info.architecture))

    def launch(self, launch: Launch) -> None:
        call = self._prepare(launch)
        with self._faults():
            call(None)
            self._context.synchronize()

    def _prepare(self, launch: Launch) -> Any:
        """A function of a stream that enqueues the launch."""
        self._enter()
        with self._faults():
            function = launch.module.handle.get_function(launch.symbol)
            self._set_attributes(function, launch)
        if any(launch.attributes.get(name) for name in ("cooperative", "cluster_x")):
            return self._prepare_extended(launch)
        return lambda stream: function._launch_kernel(
            launch.grid, launch.block, launch.packed, launch.shared_bytes, stream
        )

    def _set_attributes(self, function: Any, launch: Launch) -> None:
        names = self._pycuda.function_attribute
        stack_bytes = launch.attributes.get("limit_stack_size", 0)
        if stack_bytes > self._stack_bytes:
            self._pycuda.Context.set_limit(self._pycuda.limit.STACK_SIZE, stack_bytes)
            self._stack_bytes = stack_bytes
        limit = _shared_limit(launch)
        if limit > SHARED_BYTES_UNASKED:
            function.set_attribute(names.MAX_DYNAMIC_SHARED_SIZE_BYTES, limit)
        carveout = launch.attributes.get("preferred_shared_memory_carveout", -1)
        if carveout >= 0:
            function.set_attribute(names.PREFERRED_SHARED_MEMORY_CARVEOUT, carveout)

    def _prepare_extended(self, launch: Launch) -> Any:
        """Cooperative and cluster launches, which PyCUDA does not offer; the module is the same cubin, loaded again."""
        import ctypes

        driver = self._driver
        function = self._call(driver.cuModuleGetFunction(launch.module.extended(self), launch.symbol.encode()))
        limit = _shared_limit(launch)
        if limit > SHARED_BYTES_UNASKED:
            what = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            self._call(driver.cuFuncSetAttribute(function, what, limit))
        buffer = ctypes.create_string_buffer(launch.packed, len(launch.packed))
        size = ctypes.c_size_t(len(launch.packed))
        extra = (ctypes.c_void_p * 5)(1, ctypes.addressof(buffer), 2, ctypes.addressof(size), 0)
        config = driver.CUlaunchConfig()
        config.gridDimX, config.gridDimY, config.gridDimZ = launch.grid
        config.blockDimX, config.blockDimY, config.blockDimZ = launch.block
        config.sharedMemBytes = launch.shared_bytes
        config.attrs = self._launch_attributes(launch.attributes)
        config.numAttrs = len(config.attrs)

        def enqueue(stream: Any) -> None:
            config.hStream = stream.handle if stream is not None else 0
            self._call(driver.cuLaunchKernelEx(config, function, 0, ctypes.addressof(extra)))

        return enqueue

    def _launch_attributes(self, attributes: Mapping[str, int]) -> list[Any]:
        driver, out = self._driver, []
        if attributes.get("cooperative"):
            one = driver.CUlaunchAttribute()
            one.id = driver.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_COOPERATIVE
            one.value.cooperative = 1
            out.append(one)
        if attributes.get("cluster_x"):
            one = driver.CUlaunchAttribute()
            one.id = driver.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
            shape = one.value.clusterDim
            shape.x, shape.y, shape.z = (attributes.get(f"cluster_{axis}", 1) for axis in "xyz")
            out.append(one)
        return out

    @contextlib.contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except (self._pycuda.Error, DeviceError) as error:
            raise LaunchFailed(str(error)) from None

    def time_us(self, launch: Launch, launches: int, cold: bool) -> float:
        call = self._prepare(launch)
        self._call(self._driver.cuCtxResetPersistingL2Cache())
        with self._faults():
            if cold:
                return self._time_cold(call, launches)
            if launches >= GRAPH_LAUNCHES_MIN and not launch.attributes.get("cooperative"):
                return self._time_graph(call, launches)
            return self._between(lambda stream: [call(stream) for _ in range(launches)], None) / launches

    def _between(self, work: Any, stream: Any) -> float:
        """Time in us between two events around `work(stream)`."""
        first, last = self._pycuda.Event(), self._pycuda.Event()
        first.record(stream)
        work(stream)
        last.record(stream)
        last.synchronize()
        return float(last.time_since(first)) * 1e3

    def _time_cold(self, call: Any, launches: int) -> float:
        """Mean over launches that each follow a write of twice the L2 size.

        Nothing waits in between: the write keeps the device busy while the launch behind it is put into the queue, so
        that the host's launch cost stays out of the time.
        """
        size_bytes = max(FLUSH_FACTOR * self.info.l2_bytes, 1 << 20)
        if self._flush is None:
            self._flush = self._pycuda.mem_alloc(size_bytes)
        stream, pairs = self._pycuda.Stream(), []
        for index in range(launches):
            self._pycuda.memset_d8_async(self._flush, index & 0xFF, size_bytes, stream)
            first, last = self._pycuda.Event(), self._pycuda.Event()
            first.record(stream)
            call(stream)
            last.record(stream)
            pairs.append((first, last))
        stream.synchronize()
        return sum(float(last.time_since(first)) for first, last in pairs) * 1e3 / launches

    def _time_graph(self, call: Any, launches: int) -> float:
        """Launches captured in a graph, so that the host's launch cost stays out of short kernels' times."""
        driver = self._driver
        stream = self._pycuda.Stream()
        mode = driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
        self._call(driver.cuStreamBeginCapture(stream.handle, mode))
        for _ in range(launches):
            call(stream)
        graph = self._call(driver.cuStreamEndCapture(stream.handle))
        run = self._call(driver.cuGraphInstantiate(graph, 0))
        self._call(driver.cuGraphUpload(run, stream.handle))
        took = self._between(lambda _: self._call(driver.cuGraphLaunch(run, stream.handle)), stream)
        self._call(driver.cuGraphExecDestroy(run))
        self._call(driver.cuGraphDestroy(graph))
        return took / launches

    def set_order(self, order: str) -> None:
        """The GPU schedules its threads itself."""

    def close(self) -> None:
        """Leave the context; PyCUDA aborts a process that ends inside one."""
        self._scratch.clear()
        self._flush = None
        if self._context is not None:
            self._context.pop()
            self._context = None


def _shared_limit(launch: Launch) -> int:
    """Bytes of dynamic shared memory that the kernel may use: what it gets, or more where the application asked for it."""
    return max(launch.shared_bytes, launch.attributes.get("max_dynamic_shared_size_bytes", 0))


@dataclass
class CudaModule:
    """A cubin loaded through PyCUDA, and through cuda.bindings where a launch needs it."""

    handle: Any
    path: Path
    _extended: Any = None

    def global_range(self, name: str) -> AddressRange | None:
        import pycuda.driver

        try:
            address, size_bytes = self.handle.get_global(name)
        except pycuda.driver.LogicError:
            return None
        return AddressRange(int(address), int(size_bytes))

    def extended(self, session: CudaSession) -> Any:
        if self._extended is None:
            data = self.path.read_bytes()
            self._extended = session._call(session._driver.cuModuleLoadData(data))
        return self._extended
