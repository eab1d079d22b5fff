/* SPDX-License-Identifier: MIT OR Unlicense */
#define FAIR_SFS_IMPLEMENTATION
#include "policies/sfs.h"
#include "tests/wide.h"
