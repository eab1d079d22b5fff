#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# The port for vcpkg, without vcpkg, which no registry of packages has: CMake runs
# its portfile with vcpkg's functions as their documentation describes them, and a
# user's CMake project finds what it installs.
. tests/packages/common.sh

port=packages/vcpkg/fairsched
need cmake cmake
check "the manifest names what the portfile calls" python3 - $port <<'PY'
import json, re, sys

manifest = json.load(open(sys.argv[1] + "/vcpkg.json"))
assert set(manifest) == {"name", "version", "description", "license",
                         "dependencies"}, manifest
called = set(re.findall(r"^(vcpkg_cmake_config|vcpkg_cmake)_",
                        open(sys.argv[1] + "/portfile.cmake").read(), re.M))
assert {d["name"].replace("-", "_") for d in manifest["dependencies"]} == called
assert all(d["host"] for d in manifest["dependencies"])
PY

cat >"$tmp/port.cmake" <<'CMAKE'
set(CURRENT_PACKAGES_DIR "${TO}")
function(run)
	execute_process(COMMAND ${ARGV} RESULT_VARIABLE status)
	if(status)
		message(FATAL_ERROR "${ARGV}")
	endif()
endfunction()
function(vcpkg_cmake_configure)
	cmake_parse_arguments(PARSE_ARGV 0 arg "" SOURCE_PATH "")
	run(${CMAKE_COMMAND} -S "${arg_SOURCE_PATH}" -B "${TO}.build"
		-DCMAKE_INSTALL_PREFIX=${TO})
endfunction()
function(vcpkg_cmake_install)
	run(${CMAKE_COMMAND} --install "${TO}.build")
endfunction()
function(vcpkg_cmake_config_fixup)
	cmake_parse_arguments(PARSE_ARGV 0 arg "" CONFIG_PATH "")
	file(RENAME "${TO}/${arg_CONFIG_PATH}" "${TO}/share/fairsched")
	# One folder less is above them.
	file(GLOB files "${TO}/share/fairsched/*.cmake")
	set(up "get_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\n")
	foreach(name IN LISTS files)
		file(READ "${name}" text)
		string(REPLACE "${up}${up}" "${up}" text "${text}")
		file(WRITE "${name}" "${text}")
	endforeach()
endfunction()
function(vcpkg_fixup_pkgconfig)
	if(NOT EXISTS "${TO}/share/pkgconfig/fairsched.pc")
		message(FATAL_ERROR "no fairsched.pc")
	endif()
endfunction()
function(vcpkg_install_copyright)
	cmake_parse_arguments(PARSE_ARGV 0 arg "" "" FILE_LIST)
	configure_file("${arg_FILE_LIST}" "${TO}/share/fairsched/copyright" COPYONLY)
endfunction()
include("${PORT}")
CMAKE
check "the portfile" cmake -DTO="$tmp/port" -DPORT="$PWD/$port/portfile.cmake" \
	-P "$tmp/port.cmake"
cp -R $port "$tmp/alone"
tells "call vcpkg install fairsched --overlay-ports=packages/vcpkg" \
	cmake -DTO="$tmp/none" -DPORT="$tmp/alone/portfile.cmake" -P "$tmp/port.cmake"
same_file "the licence" "$tmp/port/share/fairsched/copyright" LICENSE
same "every header" "$(cd "$tmp/port/include/fairsched" && find . -type f | sort)" \
	"$(find ./*.h policies sched -name '*.h' | sed 's|^\([^.]\)|./\1|' | sort)"
check "is found" cmake -S tests/packages/cmake -B "$tmp/user" \
	-DCMAKE_PREFIX_PATH="$tmp/port" -DWANTED="$(sh tools/version.sh)" \
	-DEXAMPLES="$PWD/docs/examples"
check "builds" cmake --build "$tmp/user"
runs "C runs" "$tmp/user/loop"
finish
