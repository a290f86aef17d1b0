# accrue_add_library(NAME sources... DEPENDS tablegen-targets... LINK libraries...)
# A static library of the compiler, linked against the shared libMLIR and
# libLLVM. Every library depends on all TableGen output (target AccrueIncGen):
# headers are generated in seconds, and a missing dependency is a race.
function(accrue_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PRIVATE -fno-exceptions)
  add_dependencies(${name} AccrueIncGen ${ARG_DEPENDS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM fmt::fmt)
endfunction()

# accrue_add_tool(NAME sources... LINK libraries...): an executable in build/bin.
function(accrue_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PRIVATE -fno-exceptions)
  add_dependencies(${name} AccrueIncGen)
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM fmt::fmt)
endfunction()

# accrue_tablegen(TD OUT ACTION [args...]): one generated file, added to
# AccrueIncGen.
function(accrue_tablegen td out)
  set(LLVM_TARGET_DEFINITIONS ${td})
  mlir_tablegen(${out} ${ARGN})
  set_property(GLOBAL APPEND PROPERTY ACCRUE_TABLEGEN_OUTPUTS
               "${CMAKE_CURRENT_BINARY_DIR}/${out}")
  string(MAKE_C_IDENTIFIER "accrue_tblgen_${CMAKE_CURRENT_BINARY_DIR}_${out}" target)
  string(REPLACE "${PROJECT_BINARY_DIR}" "" target "${target}")
  add_custom_target(${target} DEPENDS "${CMAKE_CURRENT_BINARY_DIR}/${out}")
  add_dependencies(AccrueIncGen ${target})
endfunction()
