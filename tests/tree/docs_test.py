#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Every fenced block of every Markdown file.

    sh      runs at the root of a copy of the tree, which has a folder build
    c, cpp  with a main() is compiled without a warning and run; those without
            are the body of one such function, all of a file together, those
            that begin with "static" before it
    python  runs
    text    behind one of these, in the same section, is what it prints; a line
            of "..." stands for lines left out
    others  are an excerpt of the file that a comment before them names, which
            other tests run:  <!-- from tests/second_workspace/BUILD -->
            So is any block behind such a comment.

Blocks without a language are pictures. A comment  <!-- not run: reason -->
exempts the block below it, and  <!-- each block prints -->  before a text says
it of all shell blocks of the file. Indented blocks are no commands.

Shell blocks find the command fairsched, a trace TRACE or site.swf.gz, the
shares.csv and tree.csv of its users and an empty maui.cfg.

The numbered pages of docs/guide are one program, which is tried with the first.

Symbols in backticks exist, each header is in the README, the glossary and the
design, each room in the design, what headers cite is among the sources, and the
rules that models cite are in RULES.md.
"""
import fnmatch
import os
import pathlib
import pwd
import re
import shutil
import subprocess
import sys
import tempfile

WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror".split()
COMPILERS = {"c": ["gcc", "cc", "-std=c99"], "cpp": ["g++", "c++", "-std=c++11"]}
COMMAND = re.compile(r"    (sh|cc|bazel|fairsched|git|python3|\$|\w+=\S+ sh) ")
PRELUDE = """#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
%sint main(void)
{
%sreturn 0;
}
"""


class Block:
    def __init__(self, path, line, language, comment):
        self.name = f"{path}:{line}"
        self.language, self.comment = language, comment
        self.lines, self.output = [], None

    @property
    def text(self):
        return "".join(self.lines)


def read(path):
    """Returns the blocks, with what they print, and lines of indented ones."""
    blocks, stray, block, comment, program = [], [], None, "", None
    for number, line in enumerate(open(path), 1):
        fence = re.match(r"```(\w*)\s*$", line)
        if block and fence:
            blocks.append(block)
            if block.language == "text" and program:
                program.output = block.text
            program = block if block.language in RUN else None
            block, comment = None, ""
        elif block:
            block.lines.append(line)
        elif fence:
            block = Block(path, number, fence[1], comment)
        elif line.strip():
            comment = line.strip() if line.startswith("<!--") else ""
            program = None if line.startswith("#") else program
            if COMMAND.match(line):
                stray.append(number)
    if block:
        sys.exit(f"not ok {path}: a fence is open")
    return blocks, stray


def call(command, text=None, cwd=None):
    """Returns whether it succeeded, and what it said."""
    done = subprocess.run(command, input=text, cwd=cwd, text=True, timeout=900,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode == 0, done.stdout, done.stderr


def quick_compilers(folder):
    """cc and c++ are clang, if it is here: without optimization it takes half the
    time of gcc, which tests of the command and of the headers have as well."""
    for name, clang in ("cc", "clang-19"), ("c++", "clang++-19"):
        if shutil.which(clang):
            os.symlink(shutil.which(clang), f"{folder}/{name}")
    os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"


def prepare(tree):
    """What shell blocks find: see above."""
    os.environ["CFLAGS"] = "-O0"  # quicker to compile
    (tree / "build").mkdir()
    good, _, err = call(["sh", "-eu"], """
        sh tools/build.sh
        build/fairsched generate --jobs 5000 >TRACE
        gzip -c TRACE >site.swf.gz
        printf 'user,shares\\n1,2\\n' >shares.csv
        awk 'BEGIN { print "parent,name,shares\\nroot,all,1" }
            !/^;/ && !seen[$12]++ { print "all," $12 ",1" }' TRACE >tree.csv
        : >maui.cfg""", tree)
    if not good:
        sys.exit("not ok build\n" + err)
    os.environ["PATH"] = f"{tree}/build:{os.environ['PATH']}"


def run_shell(block, tree):
    if not (tree / "build").exists():
        prepare(tree)
    # Optimized, the benchmarks alone compile for a minute.
    return call(["sh", "-eu"], re.sub(r"-O[123]\b", "-O0", block.text), tree)


def run_c(block, tree):
    with tempfile.TemporaryDirectory() as folder:
        source = f"{folder}/block.{block.language.replace('pp', 'c')}"
        pathlib.Path(source).write_text(block.text)
        first, second, standard = COMPILERS[block.language]
        flags = [standard, *WARNINGS, f"-I{tree}", source]
        for command in ([first, *flags, "-fsyntax-only"],
                        [second, *flags, "-o", folder + "/a"],
                        [folder + "/a"]):
            good, out, err = call(command)
            if not good:
                break
        return good, out, err


def run_python(block, tree):
    return call([sys.executable, "-"], block.text, tree)


GUIDE = sorted(pathlib.Path("docs/guide").glob("[0-9]*.md"))
RUN = {"sh": run_shell, "c": run_c, "cpp": run_c, "python": run_python}


def agrees(got, want):
    """Line by line, where "..." is any number of lines."""
    pattern = "\n".join(re.escape(l.rstrip()) if l.strip() != "..." else ".*"
                        for l in want.splitlines())
    got = "\n".join(l.rstrip() for l in got.splitlines())
    return re.fullmatch(pattern, got, re.DOTALL)


def missing(block):
    """A command that the block begins a line with and that is not here."""
    for line in block.lines:
        word = re.match(r"([\w+.-]+)( |$)", line)
        if block.language == "sh" and word and not shutil.which(word[1]) and \
                word[1] not in ("cd", "export", "fairsched"):
            return word[1]
    return None


def excerpt(block):
    source = re.fullmatch(r"<!-- from (\S+) -->", block.comment)
    if not source:
        return "neither run nor from a file that is"
    text = pathlib.Path(source[1]).read_text()
    if source[1].endswith(".h"):
        text = re.sub(r"^ \*", "", text, flags=re.M)  # of a comment
    squeezed = " ".join(text.split())
    if " ".join(block.text.split()) not in squeezed:
        return "it is not in " + source[1]
    return None


def try_block(block, tree):
    """Prints its case."""
    if block.comment.startswith("<!-- not run: "):
        return True
    if block.language not in RUN or block.comment.startswith("<!-- from "):
        wrong = excerpt(block)
        print(f"ok {block.name}" if not wrong else
              f"not ok {block.name}: {wrong}")
        return not wrong
    if missing(block):
        print(f"skip {block.name}: no {missing(block)}")
        return True
    good, out, err = RUN[block.language](block, tree)
    if good and block.output is not None and not agrees(out, block.output):
        good = False
        err = f"{out}--- is not\n{block.output}"
    if not good:
        print(block.text, err[-3000:], sep="---\n")
    print(f"{'ok' if good else 'not ok'} {block.name}", flush=True)
    return good


def fragments_of(blocks):
    return [b for b in blocks if b.language == "c" and
            "int main(" not in b.text and
            not b.comment.startswith(("<!-- not run: ", "<!-- from "))]


def programs(path, blocks):
    """The blocks to try: fragments joined, common outputs spread."""
    fragments = fragments_of(blocks)
    if path in GUIDE:
        blocks = [b for b in blocks if b not in fragments]
        fragments = [b for page in GUIDE for b in fragments_of(read(page)[0])]
        fragments = fragments if path == GUIDE[0] else []
        blocks += fragments
    if fragments:
        whole = Block(path, "fragments", "c", "")
        top = [b for b in fragments if b.text.startswith("static ")]
        whole.lines = [PRELUDE % (
            "".join(b.text for b in top),
            "".join(b.text for b in fragments if b not in top))]
        outputs = [b.output for b in fragments if b.output is not None]
        whole.output = "".join(outputs) if outputs else None
        blocks = [b for b in blocks if b not in fragments] + [whole]
    for text in blocks:
        if text.comment == "<!-- each block prints -->":
            for b in blocks:
                b.output = text.text if b.language == "sh" else b.output
    return [b for b in blocks if b.language not in ("", "text") or
            b.comment.startswith("<!-- from ")]


def symbols(paths):
    """Whether every symbol and every header that is there is found."""
    headers = sorted(map(str, [*pathlib.Path(".").glob("*.h"),
                               *pathlib.Path("policies").glob("*.h")]))
    rooms = sorted(map(str, [*pathlib.Path("sched").glob("*.h"),
                             *pathlib.Path("policies").glob("*/*.h")]))
    code = "".join(open(h).read() for h in headers + rooms)
    sources = pathlib.Path("docs/SOURCES.md").read_text()
    cited = set(re.findall(r"[\s(](\[[A-Z]{1,5}\d{0,2})[] ]", code))
    good = all(key in sources for key in cited)
    if not good:
        print("not ok docs/SOURCES.md:", cited)
    rules = set(re.findall(r"^\*\*([CKM]\d+)\*\*",
                           pathlib.Path("docs/RULES.md").read_text(), re.M))
    for path in pathlib.Path("tests/model").glob("*.[ch]"):
        lost = set(re.findall(r"\b[CKM]\d+\b", path.read_text())) - rules
        if lost or not rules:
            print(f"not ok {path}: no rules {', '.join(sorted(lost))}")
            good = False
    for path in paths:
        text = path.read_text()
        quoted = "".join(re.findall(r"`[^`\n]+`", text))
        lost = [name for name in set(re.findall(r"\b(?:fair|FAIR)_\w+", quoted))
                if not re.search(r"\b" + name, code)]
        if path.name in ("README.md", "GLOSSARY.md", "DESIGN.md") and \
                len(path.parts) <= 2 and path.parts[0] in ("docs", "README.md"):
            lost += [h for h in headers if os.path.basename(h)[:-2] not in text]
            if path.name == "DESIGN.md":
                lost += [r for r in rooms if os.path.basename(r) not in text]
        if lost:
            print(f"not ok {path}: no {', '.join(sorted(lost))}")
            good = False
    return good


def environment():
    """A toolchain in the home folder, which a test does not see."""
    home = pwd.getpwuid(os.getuid()).pw_dir
    if os.path.isdir(home + "/.cargo/bin"):
        os.environ["PATH"] += f":{home}/.cargo/bin"
        os.environ.setdefault("RUSTUP_HOME", home + "/.rustup")


def share(paths):
    """Bazel runs this test in shards: this one has every nth file."""
    if "TEST_SHARD_STATUS_FILE" in os.environ:
        pathlib.Path(os.environ["TEST_SHARD_STATUS_FILE"]).touch()
    return paths[int(os.environ.get("TEST_SHARD_INDEX", 0))::
                 int(os.environ.get("TEST_TOTAL_SHARDS", 1))]


def main():
    environment()
    tried = 0
    paths = [p for p in sorted(pathlib.Path(".").rglob("*.md"))
             if not re.match(r"(build|bazel-)", p.parts[0])]
    if len(sys.argv) > 1:
        paths = [p for p in paths if fnmatch.fnmatch(str(p), sys.argv[1])]
    paths = share(paths)
    good = symbols(paths)
    if good:
        print("ok symbols and headers")
    with tempfile.TemporaryDirectory() as folder:
        quick_compilers(folder)
        tree = pathlib.Path(folder) / "tree"
        shutil.copytree(".", tree, ignore=shutil.ignore_patterns(
            ".git", "build", "bazel-*"))
        for path in paths:
            blocks, stray = read(path)
            for number in stray:
                print(f"not ok {path}:{number}: a command needs a fence")
                good = False
            for block in programs(path, blocks):
                good &= try_block(block, tree)
                tried += 1
    if not tried:
        print("not ok no block was tried")
    sys.exit(not good or not tried)


main()
