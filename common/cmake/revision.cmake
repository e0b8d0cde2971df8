# Writes revision.hpp with the version and the revision of the sources, only when it has changed. The revision is the
# last commit that changed PATHS: programs stay as they are, and their records with them, while others of the sources do.
cmake_minimum_required(VERSION 3.22)
set(revision "unknown")
separate_arguments(PATHS)
if(EXISTS ${SOURCE}/REVISION)  # in a tarball of `make dist`; a repository around it would be an unrelated one
  file(STRINGS ${SOURCE}/REVISION revision)
elseif(GIT)
  execute_process(COMMAND ${GIT} -C ${SOURCE} log -1 --abbrev=12 --format=%h -- ${PATHS}
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  execute_process(COMMAND ${GIT} -C ${SOURCE} diff --quiet HEAD -- ${PATHS} ERROR_QUIET RESULT_VARIABLE changed)
  if(commit AND NOT failed)
    set(revision ${commit})
    if(changed)
      string(APPEND revision "-dirty")
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT
  "#define BOLTZMARK_VERSION \"@VERSION@\"\n#define BOLTZMARK_REVISION \"@revision@\"\n" @ONLY)
