#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Each assert of a header has its proof beside it: a comment in its line, in the
one above, or above the function that it begins."""
import glob


def proved(lines, i):
    if "/*" in lines[i] or lines[i - 1].endswith("*/"):
        return True
    if lines[i - 1] != "{":
        return False
    while lines[i] and not lines[i].endswith("*/"):
        i -= 1
    return lines[i] != ""


def main():
    wrong = asserts = 0
    for name in sorted(glob.glob("*.h") +
                       glob.glob("policies/**/*.h", recursive=True)):
        with open(name, encoding="utf-8") as f:
            lines = f.read().splitlines()
        for i, line in enumerate(lines):
            if line.strip().startswith("FAIR_ASSERT("):
                asserts += 1
                if not proved(lines, i):
                    print(f"{name}:{i + 1}: no proof: {line.strip()}")
                    wrong += 1
    print("not ok" if wrong or not asserts else "ok", f"{asserts} asserts")
    return wrong > 0 or not asserts


raise SystemExit(main())
