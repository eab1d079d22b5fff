"""What Bazel 4 of Debian 12 would download, made here instead.

Its rules are built in, but it still asks for the repositories that newer ones
ship them in. Newer versions resolve those by MODULE.bazel, and this is nothing.
"""

_FILES = {
    "rules_cc": {
        "BUILD": "",
        "cc/BUILD": "",
        "cc/defs.bzl": """
cc_binary = native.cc_binary
cc_import = native.cc_import
cc_library = native.cc_library
cc_proto_library = native.cc_proto_library
cc_test = native.cc_test
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite
objc_library = native.objc_library
""",
    },
    "rules_java": {
        "BUILD": "",
        "java/BUILD": "",
        "java/defs.bzl": """
java_binary = native.java_binary
java_import = native.java_import
java_library = native.java_library
java_package_configuration = native.java_package_configuration
java_plugin = native.java_plugin
java_runtime = native.java_runtime
java_test = native.java_test
java_toolchain = native.java_toolchain
""",
    },
    "rules_shell": {
        "BUILD": "",
        "shell/BUILD": "",
        "shell/sh_binary.bzl": "sh_binary = native.sh_binary\n",
        "shell/sh_test.bzl": "sh_test = native.sh_test\n",
    },
    # The lcov merger only concatenates: tools/coverage.sh adds up.
    "remote_coverage_tools": {
        "BUILD": """
[sh_binary(
    name = name,
    srcs = [name + ".sh"],
    visibility = ["//visibility:public"],
) for name in ["lcov_merger", "coverage_report_generator"]]
""",
        "coverage_report_generator.sh": """#!/bin/sh
for arg; do
	case $arg in
	--reports_file=*) in=${arg#*=} ;;
	--output_file=*) out=${arg#*=} ;;
	esac
done
while read -r report; do cat "$report"; done <"$in" >"$out"
""",
        "lcov_merger.sh": """#!/bin/sh
for arg; do
	case $arg in
	--coverage_dir=*) in=${arg#*=} ;;
	--output_file=*) out=${arg#*=} ;;
	esac
done
find "$in" -name '*.dat' -exec cat {} + >"$out"
""",
    },
}

def _made_here_impl(ctx):
    ctx.file("WORKSPACE", "workspace(name = %r)\n" % ctx.name)
    for path, text in _FILES[ctx.name].items():
        ctx.file(path, text, executable = path.endswith(".sh"))

_made_here = repository_rule(implementation = _made_here_impl)

def fair_offline():
    """Call it from WORKSPACE."""

    # Debian's bazel-bootstrap prints no version.
    version = getattr(native, "bazel_version", "")
    if version and not version.startswith("4."):
        return
    for name in _FILES:
        if name not in native.existing_rules():
            _made_here(name = name)
