#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/release.sh VERSION [--untested]
#
# Runs the tests, unless --untested, and writes the files of a release to
# build/release:
#
#	fairsched-VERSION.tar.gz	the committed tree
#	fairsched.h			all as one file
#	leaf/NAME.h			each other header with those it includes
#	fairsched-npm-VERSION.tgz	for npm install
#	fairsched-go-VERSION.tar.gz	the Go module, for a replace directive: no
#					proxy serves a path without a domain
#	fairsched-VERSION.spdx.json	what is in them: an SPDX document
#	CHANGES.md			the changelog's section
#	SHA256SUMS			checksums of these
#
# The other packages are built from the tarball. The bytes depend on the commit and,
# of WebAssembly, on the version of clang alone. Tag it by hand.
set -eu
cd "$(dirname "$0")/.."

stop() # MESSAGE
{
	echo "release.sh: $1" >&2
	exit 2
}

version=${1:-}
[ -n "$version" ] || stop "which version?"
[ "$version" = "$(sh tools/version.sh)" ] ||
	stop "the version is $(sh tools/version.sh): sh tools/version.sh $version"
[ -z "$(git status --porcelain)" ] || stop "commit your changes first"
grep -q "^## $version\( \|\$\)" CHANGELOG.md ||
	stop "CHANGELOG.md has no section '## $version'"
if [ "${2:-}" != --untested ]; then
	sh tools/test.sh
fi

name=fairsched-$version
out=build/release
rm -rf "$out"
mkdir -p "$out/leaf"
commit=$(git rev-parse HEAD)
FAIRSCHED_COMMIT=$(git rev-parse --short=12 HEAD)
export FAIRSCHED_COMMIT

git archive --format=tar --prefix="$name/" HEAD | gzip -9n >"$out/$name.tar.gz"
sh tools/amalgamate.sh >"$out/fairsched.h"
for header in *.h policies/*.h; do
	[ "$header" = fairsched.h ] ||
		sh tools/amalgamate.sh "$header" >"$out/leaf/${header##*/}"
done
pack=$(mktemp -d)
trap 'rm -rf "$pack"' EXIT
archive() # FOLDER FILE
{
	rm -f "$pack/$1/.packed"
	tar -C "$pack" --sort=name --owner=0 --group=0 --numeric-owner \
		--mtime=@0 --mode=u=rwX,go=rX -cf - "$1" | gzip -9n >"$out/$2"
}
sh tools/pack.sh npm "$pack/package"
rm -r "$pack/package/test"
archive package "fairsched-npm-$version.tgz"
sh tools/pack.sh go "$pack/fairsched-go-$version"
archive "fairsched-go-$version" "fairsched-go-$version.tar.gz"
awk -v section="## $version" '
	/^## / { inside = $0 == section || index($0, section " ") == 1; next }
	inside' CHANGELOG.md >"$out/CHANGES.md"

# One package, whose files are those of the tree; two archives are made from it, of
# which the Go module has dependencies.
python3 - "$version" "$commit" "$out/$name.tar.gz" \
	"$(git log -1 --format=%ct)" "$out/fairsched-npm-$version.tgz" \
	"$out/fairsched-go-$version.tar.gz" packages/go/go.mod \
	>"$out/$name.spdx.json" <<'EOF'
import hashlib
import json
import re
import sys
import tarfile
import time

version, commit, path, seconds, npm, go, requires = sys.argv[1:]
LICENCE = "MIT OR Unlicense"
PLUGIN = "GPL-2.0-or-later"
OWN = "Copyright (c) 2026 The fairsched authors"
files = []
with tarfile.open(path) as tar:
    for member in tar:
        if not member.isfile():
            continue
        data = tar.extractfile(member).read()
        name = member.name.split("/", 1)[1]
        plugin = name.startswith("tools/slurm/plugin/")
        files.append({
            "SPDXID": f"SPDXRef-File-{len(files)}",
            "fileName": f"./{name}",
            "checksums": [
                {"algorithm": a, "checksumValue": hashlib.new(a, data).hexdigest()}
                for a in ("SHA1", "SHA256")],
            "licenseConcluded": PLUGIN if plugin else LICENCE,
            "licenseInfoInFiles": ["NOASSERTION"],
            "copyrightText": OWN,
        })
code = hashlib.sha1("".join(sorted(
    f["checksums"][0]["checksumValue"] for f in files)).encode()).hexdigest()
package = "SPDXRef-Package"


def sha256(path):
    with open(path, "rb") as archive:
        return [{"algorithm": "SHA256",
                 "checksumValue": hashlib.sha256(archive.read()).hexdigest()}]


def other(spdx, name, **fields):
    return {"SPDXID": spdx, "name": name, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
            "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION"} | fields


def related(a, kind, b):
    return {"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b}


others, relationships = [], []
for spdx, name, archive in (("SPDXRef-npm", "fairsched-npm", npm),
                            ("SPDXRef-go", "fairsched-go", go)):
    others.append(other(spdx, name, versionInfo=version, checksums=sha256(archive),
                        licenseConcluded=f"({LICENCE})",
                        licenseDeclared=f"({LICENCE})", copyrightText=OWN))
    relationships.append(related(spdx, "GENERATED_FROM", package))
with open(requires, encoding="ascii") as file:
    for name, at in re.findall(r"^require (\S+) (\S+)", file.read(), re.M):
        spdx = "SPDXRef-" + re.sub(r"[^A-Za-z0-9]", "-", name)
        others.append(other(spdx, name, versionInfo=at, externalRefs=[{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
            "referenceLocator": f"pkg:golang/{name}@{at}"}]))
        relationships.append(related("SPDXRef-go", "DEPENDS_ON", spdx))
json.dump({
    "spdxVersion": "SPDX-2.3",
    "dataLicense": "CC0-1.0",
    "SPDXID": "SPDXRef-DOCUMENT",
    "name": f"fairsched-{version}",
    "documentNamespace": f"urn:fairsched:{version}:{commit}",
    "creationInfo": {
        "created": time.strftime("%Y-%m-%dT%H:%M:%SZ",
                                 time.gmtime(int(seconds))),
        "creators": ["Tool: fairsched-release"],
    },
    "packages": [{
        "SPDXID": package,
        "name": "fairsched",
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "checksums": sha256(path),
        "filesAnalyzed": True,
        "packageVerificationCode": {"packageVerificationCodeValue": code},
        "licenseConcluded": f"({LICENCE}) AND {PLUGIN} AND {CHARTS}",
        "licenseDeclared": f"({LICENCE}) AND {PLUGIN} AND {CHARTS}",
        "licenseInfoFromFiles": ["NOASSERTION"],
        "copyrightText": f"{OWN}\n{OTHERS}",
    }] + others,
    "files": files,
    "relationships": relationships + [
        related("SPDXRef-DOCUMENT", "DESCRIBES", package)] + [
        related(package, "CONTAINS", f["SPDXID"]) for f in files],
}, sys.stdout, indent=1)
print()
EOF
(cd "$out" && find . -type f ! -name SHA256SUMS | sort |
	sed 's|^\./||' | xargs sha256sum >SHA256SUMS)
echo "$out:"
(cd "$out" && cut -c 67- SHA256SUMS)
echo "then: git tag -s v$version"
