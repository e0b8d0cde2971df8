# Builds for 64-bit ARM on another machine, with g++-aarch64-linux-gnu; what was built also runs here, with qemu-user:
# qemu-aarch64 -L /usr/aarch64-linux-gnu PROGRAM. No library of the target is needed but the compiler's own: see
# CMakeLists.txt of this folder.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
