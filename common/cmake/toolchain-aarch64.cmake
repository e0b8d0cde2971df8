# Builds for 64-bit ARM on another machine, with g++-aarch64-linux-gnu; the programs also run here, with qemu-user:
# qemu-aarch64 -L /usr/aarch64-linux-gnu PROGRAM. Only the compiler's own libraries of the target are needed: see
# CMakeLists.txt of this folder.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
