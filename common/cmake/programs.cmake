# How programs join the build: boltzmark_add_programs in MODEL/CMakeLists.txt, or boltzmark_skip_model if the model's
# compiler or library is absent. Both are recorded in build/share/boltzmark/programs.json, which the driver and
# the tests read.

set(BOLTZMARK_WORKLOADS "" CACHE STRING "Workloads whose programs are built, e.g. \"lbm;stream\"; empty for all")
option(BOLTZMARK_READ_ONCE "Precompile the headers that many programs read: sooner done but where few are built" ON)
# Headers are read once per batch of eight sources. Programs are equally fast: lbm has 0.95 to 1.11 of the rate in five
# rounds on two cores, in most within 0.03.
set(CMAKE_UNITY_BUILD ON CACHE BOOL "Compile the sources of a target together: six sevenths of the CPU seconds")
option(BOLTZMARK_SANITIZE "Build with the address and undefined-behaviour sanitizers" OFF)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
# Where programs look for their data, relative to their own place: bin and share/boltzmark are in a build folder as in
# an installation (install.cmake), except for links to the sources.
set(BOLTZMARK_DATA ${PROJECT_BINARY_DIR}/share/boltzmark)
file(MAKE_DIRECTORY ${BOLTZMARK_DATA})
file(REAL_PATH ${BOLTZMARK_DATA} data)
foreach(folder inputs analysis)
  file(REAL_PATH ${PROJECT_SOURCE_DIR}/${folder} source)
  file(RELATIVE_PATH source ${data} ${source})
  file(CREATE_LINK ${source} ${data}/${folder} SYMBOLIC)
endforeach()
# Installed programs look for libraries first in P/lib (the bundle's), then where they were linked.
list(PREPEND CMAKE_INSTALL_RPATH "$ORIGIN/../lib")
if(NOT DEFINED CMAKE_INSTALL_RPATH_USE_LINK_PATH)
  set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

# Flags of every target of this project.
set(BOLTZMARK_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wno-ignored-attributes -Wno-psabi)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND BOLTZMARK_WARNINGS -Wno-restrict)  # false alarms on std::string (GCC bug 105651)
endif()
if(BOLTZMARK_SANITIZE)
  list(APPEND BOLTZMARK_WARNINGS -Wno-maybe-uninitialized)  # false alarms on instrumented code, as GCC's manual says
endif()
if(BOLTZMARK_WERROR)
  list(APPEND BOLTZMARK_WARNINGS -Werror)
endif()
set(BOLTZMARK_MODEL_FLAGS "" CACHE STRING "More compiler flags for the models, e.g. -Ofast, to compare them")
separate_arguments(BOLTZMARK_MODEL_FLAGS_LIST UNIX_COMMAND "${BOLTZMARK_MODEL_FLAGS}")
# No errno from sqrt: it would keep the compiler from using the hardware instruction. Results do not change.
set(BOLTZMARK_FLAGS -fno-math-errno)
if(BOLTZMARK_NATIVE)
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag(-march=native BOLTZMARK_HAS_MARCH_NATIVE)
  if(BOLTZMARK_HAS_MARCH_NATIVE)
    set(BOLTZMARK_ARCH -march=native)
  else()
    set(BOLTZMARK_ARCH -mcpu=native)
  endif()
endif()
# Widths of vectors of which each has its own objects, and the options that they take beside BOLTZMARK_ARCH: all are built,
# and the processor decides at run time.
set(BOLTZMARK_VECTOR_BITS 128)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(BOLTZMARK_VECTOR_BITS 512 256 128)
  set(BOLTZMARK_VECTORS_512 -mavx512f -mavx512dq -mfma -mprefer-vector-width=512)
  set(BOLTZMARK_VECTORS_256 -mavx2 -mfma)
endif()
# GCC's garbage collection runs less often, which saves a tenth of the compile time. Objects are the same.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options(--param=ggc-min-heapsize=500000)
endif()
# Untimed code is built for compile speed: programs without timed loops at -O1; the driver and code that runs once at
# -Og, in four fifths of that compile time; the tests at -O0.
set(BOLTZMARK_HOST_BUILD "")
set(BOLTZMARK_DRIVER_BUILD "")
if(CMAKE_BUILD_TYPE STREQUAL Release)
  set(BOLTZMARK_HOST_BUILD -O1)
  set(BOLTZMARK_DRIVER_BUILD -Og)
endif()
set(BOLTZMARK_TEST_BUILD -O0)
if(BOLTZMARK_SANITIZE)
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-Og -g1")  # lines for stack traces; more optimisation takes minutes
  # Checking every pointer doubles the compile time; the address sanitizer detects null and out-of-bounds accesses.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=null,alignment,object-size,vptr
                      -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options(--param=asan-instrumentation-with-call-threshold=0)  # calls take a quarter less to compile
  endif()
  add_link_options(-fsanitize=address,undefined)
endif()

# boltzmark_compile_quickly(TARGET LEVEL [flag...]): for targets without timed loops, host code of devices and the
# runner: at LEVEL, and in batches of thirty-two, because their sources share more template code than others. The
# largest headers are precompiled for all such targets (boltzmark_run), except those with additional flags.
function(boltzmark_compile_quickly target level)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 32)
  target_compile_options(${target} PRIVATE ${level})
  if(NOT ARGN AND NOT target STREQUAL boltzmark_run)
    target_precompile_headers(${target} REUSE_FROM boltzmark_run)
  endif()
endfunction()

# boltzmark_say_how_built(PROGRAM NAME [flag...]): the source that tells a program how it was built, compiled once as
# NAME for all targets with these flags.
function(boltzmark_say_how_built program name)
  if(NOT TARGET ${name})
    boltzmark_flags_line(flags ${ARGN})
    add_library(${name} OBJECT EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/common/run/how_built.cpp)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_compile_definitions(${name} PRIVATE "BOLTZMARK_FLAGS=\"${flags}\""
      "BOLTZMARK_COMPILER=\"${BOLTZMARK_COMPILER}\"")
  endif()
  target_sources(${program} PRIVATE $<TARGET_OBJECTS:${name}>)
endfunction()

# Names the compiler in the record; a model with another compiler sets this, and the other flags of this file.
set(BOLTZMARK_COMPILER "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")

# Prevents loops that copy an array from becoming calls of memcpy, which may store past the caches: for STREAM.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(BOLTZMARK_PLAIN_LOOPS -fno-tree-loop-distribute-patterns)
else()
  set(BOLTZMARK_PLAIN_LOOPS -fno-builtin-memcpy)
endif()

# The flags as one line, for the record.
function(boltzmark_flags_line out)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  list(JOIN BOLTZMARK_FLAGS " " flags)
  string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} ${flags} ${BOLTZMARK_ARCH} ${ARGN}" line)
  string(REGEX REPLACE " +" " " line "${line}")
  set(${out} "${line}" PARENT_SCOPE)
endfunction()

# boltzmark_model(NAME [LAUNCHER] [UNASKED] [NOT_SANITIZED why]): the model of this folder, with a folder for each of
# its workloads. LAUNCHER: its programs are started through an MPI launcher. UNASKED: `make run` and `make test` compile
# it only on request. NOT_SANITIZED: it needs libraries that a build for another architecture lacks, and that sanitizers
# cannot examine for the reason given. A macro, so that its return() leaves the folder of a model that is not built;
# BOLTZMARK_SWITCH names the switch. BOLTZMARK_HEADERS names the target of the precompiled headers for its programs, if
# any: a model with the flags of another one sets that one's.
macro(boltzmark_model name)
  cmake_parse_arguments(MODEL "LAUNCHER;UNASKED" "NOT_SANITIZED" "" ${ARGN})
  set(BOLTZMARK_MODEL ${name})
  set(BOLTZMARK_HEADERS boltzmark_${name}_headers)
  set(BOLTZMARK_LAUNCHER false)
  if(MODEL_LAUNCHER)
    set(BOLTZMARK_LAUNCHER true)
  endif()
  if(MODEL_UNASKED)
    set_property(GLOBAL APPEND PROPERTY boltzmark_unasked_models ${name})
  endif()
  string(TOUPPER BOLTZMARK_${name} BOLTZMARK_SWITCH)
  set(${BOLTZMARK_SWITCH} AUTO CACHE STRING "Model ${name}: AUTO where what it needs is found, ON it has to be, OFF")
  set_property(CACHE ${BOLTZMARK_SWITCH} PROPERTY STRINGS AUTO ON OFF)
  if(NOT ${BOLTZMARK_SWITCH})
    boltzmark_skip_model("built without it; configure with ${BOLTZMARK_SWITCH}=AUTO")
    return()
  elseif(MODEL_NOT_SANITIZED AND CMAKE_CROSSCOMPILING)
    boltzmark_skip_model("a build for another architecture has no libraries of it; build on that machine")
    return()
  elseif(MODEL_NOT_SANITIZED AND BOLTZMARK_SANITIZE)
    boltzmark_skip_model("${MODEL_NOT_SANITIZED}; build without BOLTZMARK_SANITIZE")
    return()
  endif()
endmacro()

# boltzmark_read_once(NAME header... LIBRARIES lib... OPTIONS flag...): precompiled headers for the targets with these
# flags that call boltzmark_reuse_headers(TARGET NAME). Objects have the same instructions. Only for GCC, which allows
# sources further flags, and only in a release, because other builds optimise some sources and not others.
function(boltzmark_read_once name)
  cmake_parse_arguments(ARG "" "" "LIBRARIES;OPTIONS" ${ARGN})
  if(NOT BOLTZMARK_READ_ONCE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU OR NOT CMAKE_BUILD_TYPE STREQUAL Release
     OR CMAKE_CROSSCOMPILING)
    return()
  endif()
  set(top ${PROJECT_SOURCE_DIR}/common)
  set(nothing ${CMAKE_CURRENT_BINARY_DIR}/nothing.cpp)
  file(CONFIGURE OUTPUT ${nothing} CONTENT "")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${nothing})
  target_link_libraries(${name} PRIVATE boltzmark_run ${ARG_LIBRARIES})
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${ARG_UNPARSED_ARGUMENTS} ${top}/cpu/simd.hpp ${top}/run/workers.hpp
    <fmt/core.h> <algorithm> <array> <cmath> <numeric> <span>)
endfunction()

# boltzmark_reuse_headers(TARGET NAME): uses the headers of NAME if they are precompiled.
function(boltzmark_reuse_headers target name)
  if(TARGET ${name})
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

# boltzmark_add_programs([DEVICE] [HEADERS header...] [SOURCES source...] [GENERIC workload/source...]
#                        [LIBRARIES lib...]): a program for each of the model's folders WORKLOAD, made
# from the folder's sources, SOURCES and LIBRARIES, so a new variant's file is included. HEADERS: precompiled for all.
# GENERIC: compiled without -march=native. STREAM's loops are kept, see BOLTZMARK_PLAIN_LOOPS. DEVICE: with the
# workload's host code for devices, common/WORKLOAD/device, and with the folder's *.cl and *.cu as text,
# boltzmark::MODEL::FILE_source; for every workload with such host code, with a main made from
# common/device/main.cpp.in if the folder has none.
function(boltzmark_add_programs)
  cmake_parse_arguments(ARG "DEVICE" "" "HEADERS;SOURCES;GENERIC;LIBRARIES" ${ARGN})
  if(ARG_HEADERS)
    boltzmark_read_once(${BOLTZMARK_HEADERS} ${ARG_HEADERS} LIBRARIES ${ARG_LIBRARIES}
      OPTIONS ${BOLTZMARK_WARNINGS} ${BOLTZMARK_FLAGS} ${BOLTZMARK_MODEL_FLAGS_LIST} ${BOLTZMARK_ARCH})
  endif()
  file(GLOB folders LIST_DIRECTORIES true RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *)
  get_property(of_devices GLOBAL PROPERTY boltzmark_device_workloads)
  if(ARG_DEVICE)
    list(APPEND folders ${of_devices})
    list(REMOVE_DUPLICATES folders)
  endif()
  foreach(workload IN LISTS folders)
    file(GLOB sources RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS ${workload}/*.cpp)
    get_property(of_layer GLOBAL PROPERTY boltzmark_layer_workloads)
    if(workload IN_LIST of_layer)
      continue()  # boltzmark_add_layer_programs
    endif()
    if(ARG_DEVICE AND workload IN_LIST of_devices AND NOT "${workload}/main.cpp" IN_LIST sources)
      boltzmark_make_main(main ${workload} common/device/main.cpp.in)
      list(APPEND sources ${main})
    endif()
    if(NOT sources OR NOT TARGET boltzmark_${workload})
      continue()
    endif()
    set(generic ${sources})
    list(FILTER generic INCLUDE REGEX "^(${ARG_GENERIC})$")
    list(REMOVE_ITEM sources ${generic})
    set(loops SOURCES)
    if(workload STREQUAL stream)
      set(loops PLAIN_LOOPS)
    endif()
    set(libraries ${ARG_LIBRARIES})
    if(ARG_DEVICE)
      set(loops TOGETHER SOURCES)
      file(GLOB kernels RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/${workload} CONFIGURE_DEPENDS
           ${workload}/*.cl ${workload}/*.cu)
      boltzmark_embed_kernels(embedded ${CMAKE_CURRENT_SOURCE_DIR}/${workload} NAMESPACE ${BOLTZMARK_MODEL} ${kernels})
      list(APPEND sources ${embedded})
      if(TARGET boltzmark_${workload}_device)
        list(PREPEND libraries boltzmark_${workload}_device)
      endif()
    endif()
    boltzmark_add_program(${workload} ${loops} ${sources} SOURCES ${ARG_SOURCES} GENERIC ${generic}
      LIBRARIES ${libraries})
  endforeach()
endfunction()

# boltzmark_make_main(OUT WORKLOAD TEMPLATE): the main of this model's program of the workload, made from the template.
# It includes almost nothing.
function(boltzmark_make_main out workload template)
  set(WORKLOAD ${workload})
  set(MODEL ${BOLTZMARK_MODEL})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${workload}_main.cpp)
  configure_file(${PROJECT_SOURCE_DIR}/${template} ${source} @ONLY)
  set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
  set(${out} ${source} PARENT_SCOPE)
endfunction()

# boltzmark_add_layer_programs([DEVICE] [MAIN template] [COMPILE source...] [SOURCES source...] [LIBRARIES lib...]): a
# program for each workload that is written once for all models (common/target), made of layer/layer.cpp, where the model
# has it, which is compiled once, of the sources in the folder WORKLOAD, if the model has variants of its own, of a main
# made of MAIN where there is none among them, of COMPILE, in this folder's binary folder WORKLOAD, and of SOURCES. DEVICE
# as in boltzmark_add_programs, with *.cu alone and without layer/layer.cpp.
function(boltzmark_add_layer_programs)
  cmake_parse_arguments(ARG "DEVICE" "MAIN" "COMPILE;SOURCES;LIBRARIES" ${ARGN})
  if(ARG_DEVICE)
    set(ARG_MAIN common/device/main.cpp.in)
  elseif(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/layer/layer.cpp)
    set(layer boltzmark_${BOLTZMARK_MODEL}_layer)
    add_library(${layer} OBJECT EXCLUDE_FROM_ALL layer/layer.cpp)
    target_link_libraries(${layer} PRIVATE boltzmark_run ${ARG_LIBRARIES})
    target_compile_options(${layer} PRIVATE ${BOLTZMARK_WARNINGS} ${BOLTZMARK_FLAGS} ${BOLTZMARK_MODEL_FLAGS_LIST}
      ${BOLTZMARK_ARCH})
    boltzmark_reuse_headers(${layer} ${BOLTZMARK_HEADERS})
    list(APPEND ARG_SOURCES $<TARGET_OBJECTS:${layer}>)
  endif()
  if(NOT ARG_MAIN)
    set(ARG_MAIN common/target/cpu/main.cpp.in)
  endif()
  get_property(workloads GLOBAL PROPERTY boltzmark_layer_workloads)
  foreach(workload IN LISTS workloads)
    file(GLOB own RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS ${workload}/*.cpp)
    set(libraries ${ARG_LIBRARIES})
    if(ARG_DEVICE)
      file(GLOB kernels RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/${workload} CONFIGURE_DEPENDS ${workload}/*.cu)
      boltzmark_embed_kernels(embedded ${CMAKE_CURRENT_SOURCE_DIR}/${workload} NAMESPACE ${BOLTZMARK_MODEL} ${kernels})
      list(APPEND own ${embedded})
      list(PREPEND libraries boltzmark_${workload}_device)
    endif()
    if(NOT "${workload}/main.cpp" IN_LIST own)
      boltzmark_make_main(main ${workload} ${ARG_MAIN})
      list(APPEND own ${main})
    endif()
    list(TRANSFORM ARG_COMPILE PREPEND ${CMAKE_CURRENT_BINARY_DIR}/${workload}/ OUTPUT_VARIABLE compile)
    boltzmark_add_program(${workload} SOURCES ${compile} ${own} ${ARG_SOURCES} LIBRARIES ${libraries})
  endforeach()
endfunction()

# boltzmark_add_program(WORKLOAD sources... [SOURCES source...] [TOGETHER] [GENERIC source...] [PLAIN_LOOPS source...]
#                       [LIBRARIES lib...])
# Builds build/bin/WORKLOAD-MODEL (underscores become dashes) from the sources of MODEL/WORKLOAD. GENERIC: sources
# compiled without -march=native. PLAIN_LOOPS: with unchanged loops, see above. TOGETHER: host code of a device, whose
# loops are in kernels: compiled together, and not for this machine. BOLTZMARK_LEFT_OUT, if the model sets it, is the
# reason why its programs are not built by default.
function(boltzmark_add_program workload)
  cmake_parse_arguments(ARG "TOGETHER" "" "SOURCES;GENERIC;PLAIN_LOOPS;LIBRARIES" ${ARGN})
  string(REPLACE "_" "-" program "${workload}-${BOLTZMARK_MODEL}")
  add_executable(${program} ${ARG_UNPARSED_ARGUMENTS} ${ARG_SOURCES} ${ARG_PLAIN_LOOPS})
  target_link_libraries(${program} PRIVATE boltzmark_${workload} ${ARG_LIBRARIES})
  target_compile_options(${program} PRIVATE ${BOLTZMARK_WARNINGS} ${BOLTZMARK_FLAGS} ${BOLTZMARK_MODEL_FLAGS_LIST})
  if(ARG_TOGETHER)
    boltzmark_compile_quickly(${program} "${BOLTZMARK_HOST_BUILD}" ${BOLTZMARK_MODEL_FLAGS_LIST})
    unset(BOLTZMARK_ARCH)
    string(APPEND BOLTZMARK_MODEL_FLAGS " ${BOLTZMARK_HOST_BUILD}")
  endif()
  target_compile_options(${program} PRIVATE ${BOLTZMARK_ARCH})
  boltzmark_reuse_headers(${program} ${BOLTZMARK_HEADERS})
  if(ARG_GENERIC AND BOLTZMARK_ARCH)
    # A separate target: a unity build joins the sources of a target, but no source with separate options.
    set(generic ${program}-generic)
    add_library(${generic} OBJECT EXCLUDE_FROM_ALL ${ARG_GENERIC})
    target_link_libraries(${generic} PRIVATE boltzmark_${workload} ${ARG_LIBRARIES})
    target_compile_options(${generic} PRIVATE ${BOLTZMARK_WARNINGS} ${BOLTZMARK_FLAGS} ${BOLTZMARK_MODEL_FLAGS_LIST})
    target_sources(${program} PRIVATE $<TARGET_OBJECTS:${generic}>)
  else()
    target_sources(${program} PRIVATE ${ARG_GENERIC})
  endif()
  foreach(source IN LISTS ARG_PLAIN_LOOPS)
    set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS "${BOLTZMARK_PLAIN_LOOPS}")
  endforeach()
  set(built boltzmark_${BOLTZMARK_MODEL}_built)
  if(ARG_TOGETHER)
    string(APPEND built _together)
  endif()
  boltzmark_say_how_built(${program} ${built} ${BOLTZMARK_MODEL_FLAGS})
  set(left_out "${BOLTZMARK_LEFT_OUT}")
  if(BOLTZMARK_WORKLOADS AND NOT workload IN_LIST BOLTZMARK_WORKLOADS)
    set(left_out "${workload} is not one of BOLTZMARK_WORKLOADS")
  endif()
  if(NOT left_out STREQUAL "")
    set_target_properties(${program} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
  boltzmark_register_program(${program} ${workload} "${left_out}")
endfunction()

# boltzmark_skip_model(why): prints one line with the reason and what to install; the rest builds. The programs left out
# are those of the model's folders.
function(boltzmark_skip_model why)
  if(NOT ${BOLTZMARK_SWITCH} MATCHES "^(AUTO|OFF)$")
    message(FATAL_ERROR "${BOLTZMARK_SWITCH}=${${BOLTZMARK_SWITCH}}: ${why}")
  endif()
  message(STATUS "Skipping model ${BOLTZMARK_MODEL}: ${why}")
  file(GLOB sources RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} */*.cpp)
  list(TRANSFORM sources REPLACE "/.*" "")
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/runtime/api.hpp OR EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/layer)
    get_property(of_layer GLOBAL PROPERTY boltzmark_layer_workloads)
    list(APPEND sources ${of_layer})
  endif()
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/runtime/api.hpp)
    get_property(of_devices GLOBAL PROPERTY boltzmark_device_workloads)
    list(APPEND sources ${of_devices})
  endif()
  list(REMOVE_DUPLICATES sources)
  foreach(workload IN LISTS sources)
    if(NOT TARGET boltzmark_${workload})
      continue()
    endif()
    string(REPLACE "_" "-" program "${workload}-${BOLTZMARK_MODEL}")
    boltzmark_register_program(${program} ${workload} "${why}")
  endforeach()
endfunction()

function(boltzmark_register_program program workload skipped)
  # As JSON, without semicolons, which would end a list element here.
  string(REPLACE "\"" "\\\"" skipped "${skipped}")
  string(REPLACE ";" "\\u003b" skipped "${skipped}")
  set(entry "\"program\": \"${program}\", \"workload\": \"${workload}\", \"model\": \"${BOLTZMARK_MODEL}\"")
  string(APPEND entry ", \"launcher\": ${BOLTZMARK_LAUNCHER}, \"skipped\": \"${skipped}\"")
  set_property(GLOBAL APPEND PROPERTY boltzmark_program_entries "  {${entry}}")
  if(skipped STREQUAL "")
    set_property(GLOBAL APPEND PROPERTY boltzmark_programs ${program})
  endif()
endfunction()

function(boltzmark_finish_programs)
  get_property(entries GLOBAL PROPERTY boltzmark_program_entries)
  list(JOIN entries ",\n" entries)
  get_property(programs GLOBAL PROPERTY boltzmark_programs)
  add_custom_target(models DEPENDS ${programs} COMMENT "All models are built")
  list(FILTER programs INCLUDE REGEX "^lbm-[^c]|^lbm-cuda")
  add_custom_target(lbm-models DEPENDS ${programs} COMMENT "What the plan of compilers runs is built")
  file(CONFIGURE OUTPUT ${BOLTZMARK_DATA}/programs.json CONTENT "[\n${entries}\n]\n" @ONLY)
endfunction()
