# hagg_tool(hagg-NAME): the command tools/hagg-NAME.c.
function(hagg_tool name)
  add_executable(${name} ${name}.c)
  target_link_libraries(${name} PRIVATE hagg_options hagg_cli hagg_lib)
  set_target_properties(${name} PROPERTIES
    POSITION_INDEPENDENT_CODE ON RUNTIME_OUTPUT_DIRECTORY ${HAGG_BIN_OUTPUT})
  target_link_options(${name} PRIVATE -pie)
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  set_property(GLOBAL APPEND PROPERTY HAGG_TOOLS ${name})
endfunction()

# hagg_library(TARGET SOURCES...): a static library; its include path is its own folder.
function(hagg_library target)
  add_library(${target} STATIC ${ARGN})
  target_link_libraries(${target} PRIVATE hagg_options)
  target_include_directories(${target} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

# hagg_layer(NAME SOURCES FILES... [USES NAMES...] [LIBRARIES TARGETS...]): lib/NAME, the library
# hagg_NAME. Its headers are included as "NAME/file.h", and only by folders that use it, directly or
# indirectly. It may use only folders that were added before it, so no two folders can use each other.
function(hagg_layer name)
  cmake_parse_arguments(arg "" "" "SOURCES;USES;LIBRARIES" ${ARGN})
  set(view ${PROJECT_BINARY_DIR}/layers/${name})
  file(MAKE_DIRECTORY ${view})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${view}/${name} SYMBOLIC)
  add_library(hagg_${name} STATIC ${arg_SOURCES})
  set_target_properties(hagg_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(hagg_${name} PUBLIC ${view})
  target_link_libraries(hagg_${name}
    PUBLIC hagg_share_format hagg_plugin_api ${arg_LIBRARIES} PRIVATE hagg_options)
  foreach(used IN LISTS arg_USES)
    if(NOT TARGET hagg_${used})
      message(FATAL_ERROR "lib/${name} uses lib/${used}, which is not below it: see docs/layers.md")
    endif()
    target_link_libraries(hagg_${name} PUBLIC hagg_${used})
  endforeach()
endfunction()

# hagg_plugin(field|scheme NAME SOURCES... [KERNELS FILE] [LIBRARIES TARGETS...]): a plugin from the
# sources in fields/NAME/ or schemes/NAME/. The KERNELS file is compiled once for each instruction set
# below; HAGG_KERNELS(name) is then a different symbol in each build, and the plugin selects one at run
# time. A plugin with KERNELS may include the headers in kernels/ in addition to the public ones.
function(hagg_plugin kind name)
  cmake_parse_arguments(arg "" "KERNELS" "SOURCES;LIBRARIES" ${ARGN})
  set(target hagg-${kind}-${name})
  set(dir ${CMAKE_CURRENT_SOURCE_DIR}/${kind}s/${name})
  list(TRANSFORM arg_SOURCES PREPEND ${dir}/)
  add_library(${target} MODULE ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE hagg_options hagg_plugin_api ${arg_LIBRARIES})
  if(NOT HAGG_SANITIZE)
    # clang's sanitizers leave symbols undefined that the executable defines
    target_link_options(${target} PRIVATE -Wl,-z,defs)
  endif()
  set_target_properties(${target} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${HAGG_PLUGIN_OUTPUT})
  if(arg_KERNELS)
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/kernels)
    set(isas portable)
    set(flags_portable "")
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
      list(APPEND isas avx2 avx512)
      set(flags_avx2 -march=x86-64-v3)
      set(flags_avx512 -march=x86-64-v4 -mavx512ifma -mavx512vnni -mavx512vbmi2 -mprefer-vector-width=512)
    endif()
    foreach(isa IN LISTS isas)
      add_library(${target}-${isa} OBJECT ${dir}/${arg_KERNELS})
      target_link_libraries(${target}-${isa} PRIVATE hagg_options hagg_plugin_api)
      target_include_directories(${target}-${isa} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/kernels)
      # as an option, because CMake drops definitions of macros with arguments
      target_compile_options(${target}-${isa} PRIVATE "-DHAGG_KERNELS(name)=name##_${isa}")
      target_compile_options(${target}-${isa} PRIVATE -O3 ${flags_${isa}})
      set_target_properties(${target}-${isa} PROPERTIES POSITION_INDEPENDENT_CODE ON)
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}-${isa}>)
    endforeach()
  endif()
  install(TARGETS ${target} LIBRARY DESTINATION ${HAGG_PLUGIN_SUBDIR})
  set_property(GLOBAL APPEND PROPERTY HAGG_PLUGIN_TARGETS ${target})
endfunction()

# hagg_unit_test(NAME [QUICK] [LONG] [LIBRARIES TARGETS...]): tests/unit/NAME.c, run with the plugins of
# this build. If tests/CMakeLists.txt has found valgrind, the whole test run has valgrind/NAME, which runs the
# program under valgrind, and only the quick run has unit/NAME. With QUICK the program gets the argument
# quick under valgrind and in an emulator, and does less. With LONG only scripts/test valgrind has
# valgrind/NAME, and the whole run has unit/NAME.
function(hagg_unit_test name)
  cmake_parse_arguments(arg "QUICK;LONG" "" "LIBRARIES" ${ARGN})
  set(quick "")
  if(arg_QUICK)
    set(quick quick)
  endif()
  add_executable(unit-${name} ${name}.c)
  target_link_libraries(unit-${name} PRIVATE hagg_options hagg_lib ${arg_LIBRARIES})
  if(CMAKE_CROSSCOMPILING)
    add_test(NAME unit/${name} COMMAND unit-${name} ${quick})
  else()
    add_test(NAME unit/${name} COMMAND unit-${name})
  endif()
  set(tests unit/${name})
  set(labels quick)
  if(HAGG_VALGRIND)
    add_test(NAME valgrind/${name} COMMAND ${HAGG_VALGRIND} -q --error-exitcode=99
      --leak-check=full --errors-for-leak-kinds=definite $<TARGET_FILE:unit-${name}> ${quick})
    list(APPEND tests valgrind/${name})
    if(arg_LONG)
      set_tests_properties(valgrind/${name} PROPERTIES LABELS valgrind-only)
    else()
      list(APPEND labels quick-only)
    endif()
  endif()
  set_tests_properties(${tests} PROPERTIES
    ENVIRONMENT "HAGG_PLUGIN_PATH=${HAGG_PLUGIN_OUTPUT};HAGG_SOURCE_DIR=${PROJECT_SOURCE_DIR}")
  set_tests_properties(unit/${name} PROPERTIES LABELS "${labels}")
endfunction()
