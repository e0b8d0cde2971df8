# `cmake --install BUILD --prefix P`: programs in P/bin, data for them and the driver in P/share/boltzmark. A program
# finds both relative to its own place, so P can be moved; nothing is ever written there. Programs that were not built
# are left out.
#
# `cmake --install BUILD --prefix P --component libraries` adds to P/lib the shared libraries that a machine without
# compilers lacks: `make bundle`. The machine provides the C and C++ libraries, which its drivers need as well; the
# OpenCL loader, because each kind of loader finds drivers in a different way; and Open MPI, whose launcher and plugins
# must match its libraries. Without one of the last two, only the programs named after it do not start.
set(BOLTZMARK_HOST_LIBRARIES
  "^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|stdc\\+\\+|gcc_s)|libOpenCL|libmpi.*|libopen-(rte|pal))\\.so")

get_property(programs GLOBAL PROPERTY boltzmark_programs)
get_property(measuring GLOBAL PROPERTY boltzmark_measuring_programs)
list(APPEND programs boltzmark ${measuring})
install(TARGETS ${programs} RUNTIME DESTINATION bin OPTIONAL)
install(DIRECTORY inputs docs DESTINATION share/boltzmark PATTERN docs/*.py EXCLUDE)
install(DIRECTORY analysis/models analysis/plans analysis/report analysis/reframe DESTINATION share/boltzmark/analysis
        PATTERN __pycache__ EXCLUDE PATTERN *.cpp EXCLUDE)
file(GLOB kept CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/analysis/results/matrix-*)  # for `boltzmark models`
install(DIRECTORY ${kept} DESTINATION share/boltzmark/analysis/results)
install(FILES ${BOLTZMARK_DATA}/programs.json README.md LICENSE CITATION.cff DESTINATION share/boltzmark)
install(FILES packaging/site.toml DESTINATION share/boltzmark RENAME site.toml.example)
install(FILES packaging/modulefile DESTINATION share/modulefiles/boltzmark RENAME ${PROJECT_VERSION})
install(FILES packaging/completion.bash DESTINATION share/bash-completion/completions RENAME boltzmark)
# The manual page contains the driver's help; there is none if the driver was not built, or does not run here.
install(CODE "set(version ${PROJECT_VERSION})")
install(CODE [==[
  set(prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
  set(ENV{COLUMNS} 100)
  execute_process(COMMAND ${prefix}/bin/boltzmark --help OUTPUT_VARIABLE help RESULT_VARIABLE failed ERROR_QUIET)
  if(failed EQUAL 0)
    string(REGEX REPLACE "^.*ubcommands:" "" names "${help}")
    string(REGEX MATCHALL "\n  [a-z][a-z-]*  " names "${names}")
    set(page ".SH COMMANDS\n.nf\n${help}.fi\n")
    foreach(name IN LISTS names)
      string(STRIP "${name}" name)
      execute_process(COMMAND ${prefix}/bin/boltzmark ${name} --help OUTPUT_VARIABLE help)
      string(TOUPPER "${name}" title)
      string(APPEND page ".SH ${title}\n.nf\n${help}.fi\n")
    endforeach()
    string(REGEX REPLACE "[^]=[ \n]*/share/boltzmark/" "PREFIX/share/boltzmark/" page "${page}")
    string(REPLACE "\\" "\\e" page "${page}")
    string(REPLACE "-" "\\-" page "${page}")
    file(WRITE ${prefix}/share/man/man1/boltzmark.1
      ".TH BOLTZMARK 1 \"\" \"boltzmark ${version}\"\n.SH NAME\nboltzmark \\- compare parallel programming models\n${page}")
  endif()
]==])

find_library(opencl_loader libOpenCL.so.1 NO_CACHE)
if(opencl_loader)
  file(REAL_PATH ${opencl_loader} opencl_loader)  # for a machine without one
  install(FILES ${opencl_loader} DESTINATION lib/opencl-loader RENAME libOpenCL.so.1
          COMPONENT libraries EXCLUDE_FROM_ALL)
endif()
# Libraries that a program opens by name at run time, invisible to a linker.
get_property(opened GLOBAL PROPERTY boltzmark_opened_libraries)
list(REMOVE_DUPLICATES opened)
set(paths "")
foreach(program IN LISTS programs)
  list(APPEND paths "$<TARGET_FILE:${program}>")
endforeach()
install(CODE "set(programs \"${paths}\")\nset(opened \"${opened}\")\nset(of_host [==[${BOLTZMARK_HOST_LIBRARIES}]==])"
        COMPONENT libraries EXCLUDE_FROM_ALL)
install(CODE [==[
  foreach(program IN LISTS programs)
    if(NOT EXISTS ${program})
      list(REMOVE_ITEM programs ${program})
    endif()
  endforeach()
  file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${programs} MODULES ${opened}
       RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing
       PRE_EXCLUDE_REGEXES ${of_host} POST_EXCLUDE_REGEXES "/lib(mpi|open-)")
  if(missing)
    message(FATAL_ERROR "bundle: not found on this machine: ${missing}")
  endif()
  set(folder ${CMAKE_INSTALL_PREFIX}/lib)
  message(STATUS "Run-time libraries, in ${folder}:")
  foreach(library IN LISTS libraries opened)
    get_filename_component(name ${library} NAME)
    # The file itself, under the name by which it is opened.
    file(REAL_PATH ${library} file)
    file(COPY ${file} DESTINATION ${folder})
    get_filename_component(file_name ${file} NAME)
    if(NOT file_name STREQUAL name)
      file(RENAME ${folder}/${file_name} ${folder}/${name})
    endif()
    file(SIZE ${folder}/${name} bytes)
    math(EXPR kib "${bytes} / 1024")
    message(STATUS "  ${name} (${kib} KiB) from ${library}")
  endforeach()
  # The machine provides the C and C++ libraries: the newest version of each that anything here refers to.
  file(GLOB files ${CMAKE_INSTALL_PREFIX}/bin/* ${folder}/*.so*)
  foreach(library IN ITEMS GLIBC GLIBCXX)
    set(${library} 0)
    foreach(file IN LISTS files)
      file(STRINGS ${file} versions REGEX "^${library}_[0-9.]+$")
      list(TRANSFORM versions REPLACE "${library}_" "")
      foreach(version IN LISTS versions)
        if(version VERSION_GREATER ${library})
          set(${library} ${version})
        endif()
      endforeach()
    endforeach()
  endforeach()
  message(STATUS "The other machine needs glibc ${GLIBC} or later (ldd --version prints its own), "
                 "and a libstdc++ with GLIBCXX_${GLIBCXX}")
]==] COMPONENT libraries EXCLUDE_FROM_ALL)
