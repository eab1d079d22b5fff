#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/portability.sh
#
# Runs the tests with all installed compilers, standards, levels of optimization
# and machines, and names the others as skipped. Packages of Debian: clang-19
# lld-19 qemu-user nodejs gcc-multilib g++.
cd "$(dirname "$0")/.." || exit 1
exec sh tests/tree/portability_test.sh --full
