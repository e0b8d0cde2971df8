# Kernel files as text in the programs that compile them at run time.

# boltzmark_embed_kernels(OUT FOLDER NAMESPACE name source...): C++ files, their names in OUT, that contain
# FOLDER/SOURCE and its includes, from there or from the project's top, as boltzmark::NAME::SOURCE_source without the
# file's ending. Regenerated when a kernel file changes.
function(boltzmark_embed_kernels out folder)
  cmake_parse_arguments(ARG "" "NAMESPACE" "" ${ARGN})
  set(embed ${PROJECT_SOURCE_DIR}/common/cmake/embed.cmake)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/* ${PROJECT_SOURCE_DIR}/opencl/runtime/kernels/*
       ${PROJECT_SOURCE_DIR}/cuda/runtime/kernels/*
       ${PROJECT_SOURCE_DIR}/common/*/*.h ${PROJECT_SOURCE_DIR}/common/*/*/*.h)
  file(RELATIVE_PATH of ${PROJECT_SOURCE_DIR} ${folder})
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/generated/${of})
  set(outputs)
  foreach(source IN LISTS ARG_UNPARSED_ARGUMENTS)
    get_filename_component(name ${source} NAME_WE)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/generated/${of}/${name}_kernels.cpp)
    add_custom_command(OUTPUT ${output}
      COMMAND ${CMAKE_COMMAND} -DSOURCE=${source} -DSYMBOL=${name}_source -DNAMESPACE=${ARG_NAMESPACE}
              "-DINCLUDES=${folder}|${PROJECT_SOURCE_DIR}" -DOUTPUT=${output} -P ${embed}
      DEPENDS ${files} ${embed} COMMENT "Embedding ${source}" VERBATIM)
    list(APPEND outputs ${output})
  endforeach()
  set(${out} ${outputs} PARENT_SCOPE)
endfunction()

# boltzmark_add_device_workload(WORKLOAD): the library boltzmark_WORKLOAD_device of the folder common/WORKLOAD/device,
# host code for any device API, with the kernels opencl/WORKLOAD/kernels/NAME.cl as boltzmark::WORKLOAD::NAME_source.
# The programs of opencl/ and cuda/ link it, and the API that their main chooses.
function(boltzmark_add_device_workload workload)
  set(folder ${PROJECT_SOURCE_DIR}/opencl/${workload}/kernels)
  file(GLOB kernels RELATIVE ${folder} CONFIGURE_DEPENDS ${folder}/*.cl)
  boltzmark_embed_kernels(embedded ${folder} NAMESPACE ${workload} ${kernels})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/common/${workload}/device/*.cpp)
  add_library(boltzmark_${workload}_device STATIC EXCLUDE_FROM_ALL ${sources} ${embedded})
  target_link_libraries(boltzmark_${workload}_device PUBLIC boltzmark_${workload} boltzmark_device)
  target_compile_options(boltzmark_${workload}_device PRIVATE ${BOLTZMARK_WARNINGS} ${BOLTZMARK_FLAGS})
  boltzmark_compile_quickly(boltzmark_${workload}_device "${BOLTZMARK_HOST_BUILD}")
  set_property(GLOBAL APPEND PROPERTY boltzmark_device_workloads ${workload})
endfunction()
