#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/oar/build.sh [DIR]
#
# Makes the Python package fairsched in DIR (build/oar), for each CPython from 3.9
# on. Needs a C compiler, Python's headers and cffi; honours PYTHON, CC, CFLAGS.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=${1:-$root/build/oar}
mkdir -p "$dir/fairsched"
dir=$(cd "$dir" && pwd)/fairsched
cd "$root"
python=${PYTHON:-python3}
package=packages/python
$python $package/build_native.py $package/native.h "$dir/_native.c"
include=$($python -c 'import sysconfig; print(sysconfig.get_path("include"))')
# shellcheck disable=SC2086
${CC:-cc} -O2 -shared -fPIC -Wno-unused-function ${CFLAGS:-} -I. -Ipackages \
	-I"$include" "$dir/_native.c" -o "$dir/_native.new"
mv -f "$dir/_native.new" "$dir/_native.abi3.so"
rm "$dir/_native.c"
cp $package/src/fairsched/*.py "$dir"
