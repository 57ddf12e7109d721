"""The rewriting of text; that the result computes the same is tested in test_cpu_ir.py, where LLVM is."""

from __future__ import annotations

import pytest

from r3c.build.nvptx_to_host import Parameter, Variable, missing_stand_in, to_host
from r3c.build.ptx_memory import memory_access
from r3c.core.errors import BuildError

KERNEL = """target datalayout = "e-p6:32:32"
target triple = "nvptx64-nvidia-cuda"
@tile = internal unnamed_addr addrspace(3) global [8 x float] undef, align 4
@raw = external dso_local addrspace(3) global [0 x float], align 4
@coef = dso_local addrspace(4) externally_initialized global [3 x float] zeroinitializer, align 4
define dso_local ptx_kernel void @k(ptr %0, i1 zeroext %1) #0 {
  %a = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = load float, ptr addrspacecast (ptr addrspace(3) @tile to ptr), align 4
  %c = load float, ptr addrspace(3) @raw, align 4
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %d = call i32 asm "add.f16x2 $0,$1,$2;", "=r,r,r"(i32 %a, i32 1) #1, !srcloc !2
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2
declare void @llvm.memcpy.p0.p3.i64(ptr, ptr addrspace(3), i64, i1 immarg)
declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1 immarg)
attributes #0 = { "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
"""
PARAMETERS = (Parameter("ptr", 8, 8), Parameter("i1", 1, 1, extension="zeroext"), Parameter("ptr", 12, 4, "%struct.S"))


def host(text: str = KERNEL) -> str:
    return to_host(text, "x86_64-pc-linux-gnu", "k", "k", PARAMETERS, (Variable("coef", "coef", 12),))


def test_memory_spaces_become_plain_and_shared_memory_thread_local() -> None:
    text = host()
    assert "addrspace" not in text
    assert "@tile = internal thread_local global [8 x float] zeroinitializer, align 4" in text
    assert "load float, ptr bitcast (ptr @tile to ptr)" in text
    assert "load float, ptr @r3c_dynamic_shared_memory" in text
    assert "@raw" not in text
    assert text.count("@llvm.memcpy.p0.p0.i64") == 1
    assert "sm_90" not in text
    assert "nvptx" not in text


def test_intrinsics_and_inline_ptx_become_calls_of_the_runtime() -> None:
    text = host()
    assert "call void @r3c_nv_barrier_cta_sync_aligned_all(i32 0)" in text
    assert "call i32 @r3c_ptx_add_f16x2(i32 %a, i32 1)" in text
    assert "declare i32 @r3c_ptx_add_f16x2(i32, i32)" in text
    assert "define internal i32 @r3c_nv_read_ptx_sreg_tid_x() alwaysinline" in text
    assert "@threadIdx = external thread_local(initialexec) global [3 x i32]" in text


def test_only_kernels_whose_threads_wait_for_each_other_get_fibers() -> None:
    assert "i32 3, i32 1 }" in host()
    waiting = "  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
    assert "i32 3, i32 0 }" in host(KERNEL.replace(waiting, ""))


def test_arguments_lie_where_the_recording_packs_them() -> None:
    text = host()
    assert "@r3c_offsets = private constant [4 x i32] [i32 0, i32 8, i32 12, i32 0]" in text
    assert "@r3c_sizes = private constant [4 x i32] [i32 8, i32 1, i32 12, i32 0]" in text
    assert "call void @k(ptr  %value0, i1 zeroext %value1, ptr byval(%struct.S) align 8 %to2)" in text


def test_variables_are_listed_by_their_names_in_the_source() -> None:
    assert "ptr @coef, i64 12, ptr null }" in host()
    assert "ret ptr @r3c_variable0" in host()


def test_inline_ptx_of_another_form_is_refused() -> None:
    with pytest.raises(BuildError, match="inline PTX"):
        host(KERNEL.replace('asm "add.f16x2 $0,$1,$2;", "=r,r,r"', 'asm inteldialect "add" "x", "=r"'))


def test_what_the_runtime_lacks_is_named() -> None:
    log = "candidate.cu:(.text+0x2): undefined reference to `r3c_nv_mapa_shared_cluster'"
    assert missing_stand_in(log) == "the CPU device has no stand-in for NVPTX intrinsic mapa_shared_cluster"
    assert "inline PTX wgmma" in missing_stand_in("undefined reference to `r3c_ptx_wgmma'")
    assert missing_stand_in("collect2: error") == ""


def test_loads_and_stores_with_cache_hints_are_plain_ones() -> None:
    vector = memory_access("f", "ld_global_cs_v2_f32", "{ float, float }", ("ptr",))
    assert vector.count("load float") == 2
    assert "insertvalue { float, float } %w0, float %v1, 1" in vector
    assert "sext i8 %m0 to i32" in memory_access("f", "ld_global_cg_s8", "i32", ("ptr",))
    assert "trunc i32 %a1 to i16" in memory_access("f", "st_global_wt_u16", "void", ("i64", "i32"))
    assert memory_access("f", "ld_shared_f32", "float", ("i32",)) == ""
