"""What Bazel 4 of Debian 12 would download, made here instead.

Its rules are built in, but it still asks for the repositories that newer ones
ship them in. Newer versions find those by MODULE.bazel, and this does nothing.
"""

def _native(*rules):
    return "".join(["%s = native.%s\n" % (rule, rule) for rule in rules])

_COVERAGE_TOOLS = """
[sh_binary(
    name = name,
    srcs = [name + ".sh"],
    visibility = ["//visibility:public"],
) for name in ["coverage_report_generator", "lcov_merger"]]
"""

# They only concatenate: lcov and genhtml add up.
_COVERAGE_REPORT_GENERATOR = """#!/bin/sh
for arg; do
	case $arg in
	--reports_file=*) reports=${arg#*=} ;;
	--output_file=*) out=${arg#*=} ;;
	esac
done
while read -r report; do cat "$report"; done <"$reports" >"$out"
"""

_LCOV_MERGER = """#!/bin/sh
for arg; do
	case $arg in
	--coverage_dir=*) dir=${arg#*=} ;;
	--output_file=*) out=${arg#*=} ;;
	esac
done
find "$dir" -name '*.dat' -exec cat {} + >"$out"
"""

_REPOSITORIES = {
    "remote_coverage_tools": {
        "BUILD": _COVERAGE_TOOLS,
        "coverage_report_generator.sh": _COVERAGE_REPORT_GENERATOR,
        "lcov_merger.sh": _LCOV_MERGER,
    },
    "rules_cc": {
        "cc/BUILD": "",
        "cc/defs.bzl": _native(
            "cc_binary",
            "cc_library",
            "cc_proto_library",
            "cc_test",
            "cc_toolchain",
            "cc_toolchain_suite",
            "objc_library",
        ),
    },
    "rules_java": {
        "java/BUILD": "",
        "java/defs.bzl": _native(
            "java_binary",
            "java_import",
            "java_library",
            "java_proto_library",
            "java_runtime",
            "java_toolchain",
        ),
    },
    "rules_shell": {
        "shell/BUILD": "",
        "shell/sh_test.bzl": _native("sh_test"),
    },
}

def _made_here_impl(ctx):
    ctx.file("WORKSPACE", "workspace(name = %r)\n" % ctx.name)
    for path, text in _REPOSITORIES[ctx.name].items():
        ctx.file(path, text, executable = path.endswith(".sh"))

_made_here = repository_rule(implementation = _made_here_impl)

def fair_offline():
    """Call it from WORKSPACE; a repository that is there already stays."""

    # Debian's bazel-bootstrap prints no version.
    version = getattr(native, "bazel_version", "")
    if version and not version.startswith("4."):
        return
    for name in _REPOSITORIES:
        if name not in native.existing_rules():
            _made_here(name = name)
