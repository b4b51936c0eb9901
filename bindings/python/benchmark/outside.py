"""What sealing 16 bytes costs outside the C interface, and of what that consists.

    python benchmark/outside.py LIBRARY [NAME=FOLDER ...]

Builds the extension from this source tree, and from every other FOLDER of native sources
that is named, with the library's call replaced by a copy of the message; LIBRARY is a
libsivka_ffi.a. Beside them in the same process: the real call, a method that does nothing,
and one that makes new bytes. All take turns. Nanoseconds a call less those of the loop,
minimum and median of the batches.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import runpy
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent.parent
INCLUDE = PACKAGE.parent.parent / "ffi" / "include"
CALLS, BATCHES = 4000, 150

# The real declarations first; then the name means the copy.
COPY = """
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <sivka.h>
#include <string.h>
static sivka_status copied_message(const void *nonce, const void *data, size_t len, uint8_t *out)
{
    memcpy(out, data, len);
    memcpy(out + len, nonce, 12);
    return SIVKA_OK;
}
#define sivka_seal_with_nonce(k, n, nl, a, al, d, dl, out, room, len) copied_message(n, d, dl, out)
"""
PARTS = """
#define PY_SSIZE_T_CLEAN
#include <Python.h>
static PyObject *nothing(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    (void)self, (void)args, (void)count, (void)names;
    Py_RETURN_NONE;
}
static PyObject *bytes(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    (void)self, (void)args, (void)count, (void)names;
    return PyBytes_FromStringAndSize(NULL, 32);
}
static PyMethodDef methods[] = {
    {"nothing", (PyCFunction)(void (*)(void))nothing, METH_FASTCALL | METH_KEYWORDS, NULL},
    {"bytes", (PyCFunction)(void (*)(void))bytes, METH_FASTCALL | METH_KEYWORDS, NULL},
    {NULL, NULL, 0, NULL},
};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "parts", .m_size = -1,
                                        .m_methods = methods};
PyMODINIT_FUNC PyInit_parts(void) { return PyModule_Create(&definition); }
"""


def build(folder: Path, module: str, sources: list[Path], *more: str | Path) -> Any:
    """Compiles a module as setup.py does, and loads it."""
    setup = runpy.run_path(str(PACKAGE / "setup.py"), run_name="setup")
    target = folder / f"{module}.abi3.so"
    command: list[str | Path] = ["cc", "-shared", "-fPIC", "-O3", "-DNDEBUG", "-w"]
    command += setup["COMPILER_OPTIONS"]
    command += ["-D{}={}".format(*setup["STABLE"]), f"-I{sysconfig.get_path('include')}"]
    libraries = [f"-l{name}" for name in setup["system_libraries"]()]
    subprocess.run([*command, *sources, *more, *libraries, "-o", target], check=True)
    loader = importlib.machinery.ExtensionFileLoader(f"{folder.name}.{module}", str(target))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    made = importlib.util.module_from_spec(spec)
    loader.exec_module(made)
    return made


def batch(call: Callable[[bytes, bytes, None], object] | None) -> float:
    """Nanoseconds a call over one batch; without a call, those of the loop."""
    nonce, data, turns = bytes(12), bytes(16), range(CALLS)
    begin = time.perf_counter_ns()
    if call is None:
        for _ in turns:
            pass
    else:
        for _ in turns:
            call(nonce, data, None)
    return (time.perf_counter_ns() - begin) / CALLS


def main(library: str, *others: str) -> None:
    """Builds, measures and prints."""
    folders = {"this tree": PACKAGE / "src" / "native"}
    folders |= {name: Path(folder) for name, _, folder in (each.partition("=") for each in others)}
    calls: dict[str, Callable[[bytes, bytes, None], object] | None] = {"the loop alone": None}
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        (work / "copy.h").write_text(COPY)
        (work / "parts.c").write_text(PARTS)
        parts = build(work, "parts", [work / "parts.c"])
        calls |= {"a method that does nothing": parts.nothing, "and makes new bytes": parts.bytes}
        for what, source in folders.items():
            copies: list[str | Path] = ["-include", work / "copy.h"]
            for how, flags in (("a copy", copies), ("the library", [])):
                inner = work / f"{what}-{how}".replace(" ", "-")
                inner.mkdir()
                module = build(
                    inner,
                    "_native",
                    sorted(source.glob("*.c")),
                    *flags,
                    f"-I{source}",
                    f"-I{INCLUDE}",
                    library,
                )
                key = module.RandomNonceAead("AES-256-GCM-SIV", bytes(32))
                calls[f"{what}, with {how}"] = key.encrypt
    times: dict[str, list[float]] = {what: [] for what in calls}
    for _ in range(BATCHES):
        for what, call in calls.items():
            times[what].append(batch(call))
    loop = min(times.pop("the loop alone"))
    print(f"CPython {sys.version.split()[0]}, loop {loop:.1f} ns; minimum / median less the loop")
    for what, each in times.items():
        print(f"{what:<32} {min(each) - loop:7.1f} / {statistics.median(each) - loop:.1f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
