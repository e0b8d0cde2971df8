# Writes revision.hpp with the version and the git revision of the sources, only when it has changed.
cmake_minimum_required(VERSION 3.22)
set(revision "unknown")
if(EXISTS ${SOURCE}/REVISION)  # in a tarball of `make dist`; a repository around it would be an unrelated one
  file(STRINGS ${SOURCE}/REVISION revision)
elseif(GIT)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --abbrev=12
    OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(revision ${described})
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT
  "#define BOLTZMARK_VERSION \"@VERSION@\"\n#define BOLTZMARK_REVISION \"@revision@\"\n" @ONLY)
