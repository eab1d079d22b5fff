/* SPDX-License-Identifier: MIT OR Unlicense */
/* Must not compile under Bazel: its one dep, profile.h, may not reach usage.h. */
#include "profile.h"
#include "usage.h"
