/* SPDX-License-Identifier: MIT OR Unlicense */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "replay.h"
#include "flat.h"
