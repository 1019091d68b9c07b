# Toolchain file for another kind of machine, HAGG_MACHINE: compiles for it, and makes executables that run here.
# scripts/cross makes the directory of the libraries of that machine.
#
# Every executable that is linked becomes a script that starts the emulator, and the program is beside it with the
# suffix .elf. So shells, tests and commands that start other commands need not know of the emulator.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HAGG_MACHINE)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${HAGG_MACHINE})
set(CMAKE_LIBRARY_ARCHITECTURE ${HAGG_MACHINE}-linux-gnu)
set(CMAKE_C_COMPILER ${HAGG_MACHINE}-linux-gnu-gcc)

set(CMAKE_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../build/sysroot/${HAGG_MACHINE})
cmake_path(NORMAL_PATH CMAKE_SYSROOT)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)

# The programs that CMake links to learn about the compiler are not run.
get_property(trying GLOBAL PROPERTY IN_TRY_COMPILE)
if(NOT trying)
  find_program(HAGG_EMULATOR qemu-${HAGG_MACHINE} REQUIRED)
  set(CMAKE_C_LINK_EXECUTABLE
    "<CMAKE_C_COMPILER> <FLAGS> <CMAKE_C_LINK_FLAGS> <LINK_FLAGS> <OBJECTS> -o <TARGET>.elf <LINK_LIBRARIES>"
    "${CMAKE_CURRENT_LIST_DIR}/emulate <TARGET> ${HAGG_EMULATOR} -L ${CMAKE_SYSROOT}")
endif()
