"""A kernel of its own on a tensor of torch."""

import ctypes

import torch
from cuda.bindings import driver


def checked(result):
    assert int(result[0]) == 0, result[0]
    return result[1] if len(result) == 2 else None


data = torch.arange(10000, dtype=torch.float32, device="cuda") / 7
module = checked(driver.cuModuleLoad(b"scale.cubin"))
scale = checked(driver.cuModuleGetFunction(module, b"scale"))
stream = torch.cuda.current_stream().cuda_stream
arguments = ((data.data_ptr(), data.numel()), (ctypes.c_void_p, ctypes.c_int))
for _ in range(3):
    checked(driver.cuLaunchKernel(scale, 40, 1, 1, 256, 1, 1, 0, stream, arguments, 0))
    data = data.sqrt_()
torch.cuda.synchronize()
print(f"sum {data.sum().item():.3f}")
