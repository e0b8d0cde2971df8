# Kernel files as text in the programs that compile them at run time.

# boltzmark_embed_kernels(OUT FOLDER [NAMESPACE name] source...): C++ files, their names in OUT, that hold FOLDER/SOURCE.cl
# (or FOLDER/SOURCE where it has an ending) and what it includes, from there or from the project's top, as
# boltzmark::NAME::SOURCE_source; NAME is opencl unless said. Made anew when a kernel file changes.
function(boltzmark_embed_kernels out folder)
  cmake_parse_arguments(ARG "" "NAMESPACE" "" ${ARGN})
  if(NOT ARG_NAMESPACE)
    set(ARG_NAMESPACE opencl)
  endif()
  set(embed ${PROJECT_SOURCE_DIR}/common/cmake/embed.cmake)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/* ${PROJECT_SOURCE_DIR}/opencl/runtime/kernels/*
       ${PROJECT_SOURCE_DIR}/cuda/runtime/kernels/*
       ${PROJECT_SOURCE_DIR}/common/*/*.h ${PROJECT_SOURCE_DIR}/common/*/*/*.h)
  set(outputs)
  foreach(source IN LISTS ARG_UNPARSED_ARGUMENTS)
    get_filename_component(name ${source} NAME_WE)
    if(source STREQUAL name)
      string(APPEND source ".cl")
    endif()
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}_kernels.cpp)
    add_custom_command(OUTPUT ${output}
      COMMAND ${CMAKE_COMMAND} -DSOURCE=${source} -DSYMBOL=${name}_source -DNAMESPACE=${ARG_NAMESPACE}
              "-DINCLUDES=${folder}|${PROJECT_SOURCE_DIR}" -DOUTPUT=${output} -P ${embed}
      DEPENDS ${files} ${embed} COMMENT "Embedding ${source}" VERBATIM)
    list(APPEND outputs ${output})
  endforeach()
  set(${out} ${outputs} PARENT_SCOPE)
endfunction()
