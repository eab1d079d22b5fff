# SPDX-License-Identifier: MIT OR Unlicense
"""conan create packages/conan: the headers of the tree that this file is in."""
import os
import re

from conan import ConanFile
from conan.errors import ConanException
from conan.tools.files import copy, load

required_conan_version = ">=2.0"


class Fairsched(ConanFile):
    name = "fairsched"
    description = "Single-header libraries for fair batch scheduling"
    license = "MIT OR Unlicense"
    topics = ("scheduling", "batch", "hpc", "header-only")
    package_type = "header-library"
    no_copy_source = True

    def _tree(self):
        return os.path.join(self.recipe_folder, os.pardir, os.pardir)

    def set_version(self):
        header = os.path.join(self._tree(), "queue.h")
        if not os.path.exists(header):
            raise ConanException("the headers are missing: in the tree of "
                                 "fairsched, call conan create packages/conan")
        text = load(self, header)
        number = re.search(r"^#define FAIRSCHED_VERSION (\d+)$", text, re.M)[1]
        self.version = f"{number[:-2]}.{number[-2]}.{number[-1]}"

    def export_sources(self):
        for pattern in ("*.h", "sched/*.h", "policies/*.h", "LICENSE"):
            copy(self, pattern, self._tree(), self.export_sources_folder,
                 excludes=() if "/" in pattern else ("*/*",))

    def package(self):
        copy(self, "LICENSE", self.source_folder,
             os.path.join(self.package_folder, "licenses"))
        copy(self, "*.h", self.source_folder,
             os.path.join(self.package_folder, "include", "fairsched"))

    def package_id(self):
        self.info.clear()

    def package_info(self):
        self.cpp_info.includedirs = ["include/fairsched"]
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
