"""Big buffers that are freed go back to the system, whatever was freed before."""

import platform
import subprocess
import sys

import pytest

CODE = """
import ctypes
from ddz_solver.engine.memory import keep_small

class Info(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks blocks bytes a b used free keep".split()]

libc = ctypes.CDLL(None)
libc.mallinfo2.restype = Info
libc.malloc.restype = ctypes.c_void_p
libc.free.argtypes = [ctypes.c_void_p]
if ASKED:
    assert keep_small()
libc.free(libc.malloc(16 << 20))
before = libc.mallinfo2().blocks
buffer = libc.malloc(4 << 20)
print(libc.mallinfo2().blocks - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other allocators are left as they are")
@pytest.mark.parametrize(("asked", "blocks"), [(True, 1), (False, 0)])
def test_a_big_buffer_has_pages_of_its_own(asked: bool, blocks: int) -> None:
    program = [sys.executable, "-c", f"ASKED = {asked}\n{CODE}"]
    answer = subprocess.run(program, capture_output=True, text=True, check=True)
    assert int(answer.stdout) == blocks
