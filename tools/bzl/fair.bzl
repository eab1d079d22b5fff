"""The tests of headers and fuzzers, and what compiles them."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")
load("@rules_shell//shell:sh_test.bzl", "sh_test")

WARNINGS = [
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Wconversion",
    "-Wshadow",
    "-Werror",
]

# Programs, unlike headers, may call POSIX.
PROGRAM = WARNINGS + ["-D_POSIX_C_SOURCE=200809L"]

# For units that see what is private in the headers; their public functions are
# in a library.
BORROWED = select({
    "//tools/bzl:borrows": [
        "-O0",
        "-include",
        "fuzz/borrowed.h",
    ],
    # gcc refuses private names in borrowed functions: no switch but -w allows
    # them. The warnings are those of the builds that own their bodies.
    "//tools/bzl:gcc_borrows": [
        "-O1",
        "-w",
        "-include",
        "fuzz/borrowed.h",
    ],
    "//conditions:default": [],
})

# Tests need no counters of the fuzzers: with them they compile half as long again.
# The libraries have them.
TEST_UNIT = select({
    "//tools/bzl:borrows": ["-fno-sanitize=fuzzer-no-link"],
    "//conditions:default": [],
})

# At -O1 with sanitizers, a unit with bodies of its own compiles for 45 seconds, and
# for 8 without optimization.
OPTIMIZATION = select({
    "//tools/bzl:borrows": ["-O0"],
    "//conditions:default": [],
})

# The library with other sizes: without sanitizers its fuzzers only replay, and gcc
# needs at -O1 half the time of -O2.
SMALL = select({
    "//tools/bzl:borrows": [],
    "//conditions:default": ["-O1"],
})

def fair_alone_test(header):
    """Links a header into C and C++ and calls it from both.

    alone_NAME.c defines int alone(void), which calls what NAME.h declares and
    returns 0 if it works. It is compiled as C and as C++, both times without
    the implementation, which is in a unit of its own.

    The sandbox holds this header and its deps, no other: an #include that is
    no arrow of the BUILD files does not compile.

    Args:
      header: //FOLDER:NAME of FOLDER/NAME.h
    """
    folder, name = header[2:].split(":")
    path = "/".join([part for part in [folder, name + ".h"] if part])
    alone = "alone_" + name
    native.genrule(
        name = alone + "_units",
        srcs = [alone + ".c"],
        outs = [alone + "_implementation.c", alone + "_again.cc"],
        cmd = """
            printf '%%s\\n' '#define FAIRSCHED_IMPLEMENTATION' \
                '#include "%s"' '#include "%s"' >$(location %s_implementation.c)
            printf '%%s\\n' '#define alone alone_again' \
                '#include "tests/%s.c"' >$(location %s_again.cc)
        """ % (path, path, alone, alone, alone),
    )
    cc_library(
        name = alone + "_calls",
        textual_hdrs = [alone + ".c"],
    )
    cc_test(
        name = alone + "_test",
        size = "small",
        srcs = [
            alone + ".c",
            alone + "_again.cc",
            alone + "_implementation.c",
            "alone_main.cc",
        ],
        copts = WARNINGS + ["-O0"],
        tags = ["c++"],
        deps = [alone + "_calls", header],
    )

def fair_single_family(name, headers):
    """Every header by its own name, out of the single file.

    Args:
      headers: of the tree, //FOLDER:NAME
    """
    paths = [header[2:].replace(":", "/").lstrip("/") for header in headers]
    outs = ["%s/%s.h" % (name, path) for path in paths if path != "fairsched"]
    native.genrule(
        name = name + "_forwards",
        outs = outs,
        cmd = "for h in $(OUTS); do echo '#include \"fairsched.h\"' >$$h; done",
    )
    cc_library(
        name = name,
        testonly = True,
        hdrs = outs,
        strip_include_prefix = name,
        visibility = ["//tools/fairsched:__pkg__"],
        deps = ["//:single"],
    )

def fair_fuzz_test(name, deps, copts = []):
    """A fuzzer from NAME.c, corpus/NAME/ and, if there is one, NAME.dict.

    NAME         the libFuzzer binary                  (--config=fuzz)
    NAME_run     a run of it for FUZZ_SECONDS, a test  (--config=fuzz)
    NAME_replay  the corpus once, a test by any compiler

    Args:
      name: ends in _fuzz
      deps: what NAME.c includes
      copts: what it needs beside PROGRAM
    """
    corpus = native.glob(["corpus/%s/**" % name])
    dictionary = native.glob([name + ".dict"])
    fuzz_only = select({
        "//tools/bzl:libfuzzer": [],
        "//conditions:default": ["//tools/bzl:needs_libfuzzer"],
    })
    cc_library(
        name = name + "_target",
        testonly = True,
        srcs = [name + ".c"] + native.glob(["*.h"]),
        copts = PROGRAM + copts,
        deps = deps,
    )
    cc_test(
        name = name + "_replay",
        srcs = ["fuzz.h", "replay_main.c"],
        args = ["fuzz/corpus/" + name],
        copts = PROGRAM,
        data = corpus,
        deps = [name + "_target"],
    )
    cc_binary(
        name = name,
        testonly = True,
        linkopts = ["-fsanitize=fuzzer"],
        target_compatible_with = fuzz_only,
        deps = [name + "_target"],
    )
    sh_test(
        name = name + "_run",
        timeout = "eternal",
        srcs = ["fuzz_run.sh"],
        args = ["fuzz/" + name],
        data = [name] + corpus + dictionary,
        tags = ["libfuzzer"],
        target_compatible_with = fuzz_only,
    )
