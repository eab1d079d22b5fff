#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/portability.sh
#
# All compilers, standards, levels of optimization and machines that are here;
# the rest is named as skipped. Debian: clang-19 lld-19 qemu-user nodejs
# gcc-multilib g++.
cd "$(dirname "$0")/.." || exit 1
exec sh tests/portability_test.sh --full
