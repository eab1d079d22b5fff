#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh packages/debian/build.sh FOLDER
#
# Builds Debian packages by dpkg-buildpackage and writes them to FOLDER: the headers
# as libfairsched-dev, the command as fairsched, and fairsched-slurm. DEBFULLNAME and
# DEBEMAIL are the maintainer. Build-Depends of control.in says what it needs.
set -eu
cd "$(dirname "$0")/../.."
to=${1:?which folder?}
: "${DEBFULLNAME:?is the name of the maintainer}" "${DEBEMAIL:?is the mail address}"
version=$(sh tools/version.sh)
date=$(git log -1 --format=%ct 2>/dev/null) || date=$(stat -c %Y CHANGELOG.md)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$date}
export SOURCE_DATE_EPOCH

# The packages leave beside the tree.
mkdir -p "$to"
tree=$to/fairsched-$version
rm -rf "$tree"
mkdir "$tree"
cp -R ./*.h policies sched tools docs CMakeLists.txt LICENSE CHANGELOG.md "$tree"
cp -R packages/debian "$tree/debian"
cd "$tree"
sed "s/@MAINTAINER@/$DEBFULLNAME <$DEBEMAIL>/" debian/control.in >debian/control
cat >debian/changelog <<EOF
fairsched ($version) unstable; urgency=medium

  * As CHANGELOG.md says.

 -- $DEBFULLNAME <$DEBEMAIL>  $(date -uRd "@$SOURCE_DATE_EPOCH")
EOF
dpkg-buildpackage -b -us -uc
