# SPDX-License-Identifier: MIT OR Unlicense
"""usage: build_native.py DECLARATIONS OUT.c: the extension, in C, by cffi."""
import sys

import cffi

SOURCE = """
#define FAIRSCHED_STATIC
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "replay.h"
"""

ffi = cffi.FFI()
with open(sys.argv[1], encoding="utf-8") as declarations:
    ffi.cdef(declarations.read())
ffi.set_source("fairsched._native", SOURCE)
ffi.emit_c_code(sys.argv[2])
