# Writes OUTPUT, a C++ file that holds the kernel file SOURCE as text, in namespace boltzmark::NAMESPACE, with every
# #include "..." replaced by that file's content. Includes are looked up in INCLUDES (a list joined with |). #line keeps
# the names and numbers of the files in the compiler's messages. Run with cmake -P.

string(REPLACE "|" ";" INCLUDES "${INCLUDES}")

# The number of the line after `text`.
function(line_after text out)
  string(REGEX REPLACE "[^\n]" "" newlines "${text}")
  string(LENGTH "${newlines}" count)
  math(EXPR number "${count} + 1")
  set(${out} ${number} PARENT_SCOPE)
endfunction()

function(flatten name out)
  foreach(folder IN LISTS INCLUDES)
    if(EXISTS "${folder}/${name}")
      file(READ "${folder}/${name}" rest)
      break()
    endif()
  endforeach()
  if(NOT DEFINED rest)
    message(FATAL_ERROR "${SOURCE}: no file ${name} in ${INCLUDES}")
  endif()
  set(done "")
  set(flat "#line 1 \"${name}\"\n")
  while(rest MATCHES "(^|\n)#include \"([^\"\n]+)\"\n")
    set(included "${CMAKE_MATCH_2}")
    string(FIND "${rest}" "#include \"${included}\"\n" at)
    string(SUBSTRING "${rest}" 0 ${at} before)
    string(LENGTH "#include \"${included}\"\n" length)
    math(EXPR at "${at} + ${length}")
    string(SUBSTRING "${rest}" ${at} -1 rest)
    string(APPEND done "${before}\n")
    line_after("${done}" next_line)
    flatten("${included}" text)
    string(APPEND flat "${before}${text}#line ${next_line} \"${name}\"\n")
  endwhile()
  set(${out} "${flat}${rest}" PARENT_SCOPE)
endfunction()

flatten("${SOURCE}" text)
set(code "// Made from ${SOURCE} and what it includes by common/cmake/embed.cmake.
#include <string_view>

namespace boltzmark::${NAMESPACE} {
extern const std::string_view ${SYMBOL};
const std::string_view ${SYMBOL} = R\"kernels(${text})kernels\";
}  // namespace boltzmark::${NAMESPACE}
")
file(WRITE "${OUTPUT}" "${code}")
