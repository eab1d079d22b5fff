# SPDX-License-Identifier: MIT OR Unlicense
#
#	vcpkg install fairsched --overlay-ports=packages/vcpkg
#
# installs the headers of the tree that this file is in.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT EXISTS "${SOURCE_PATH}/fairsched.h")
	message(FATAL_ERROR "The headers are missing: in the tree of fairsched, "
		"call vcpkg install fairsched --overlay-ports=packages/vcpkg")
endif()
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/fairsched)
vcpkg_fixup_pkgconfig()
# Headers alone: both configurations are the same.
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
