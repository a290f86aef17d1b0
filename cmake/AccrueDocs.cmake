# accrue_add_doc(TD OUT ACTION [args...]): a page below docs/generated, written
# from a .td file. `docs` writes the pages into the source tree; the test
# `docs-current` fails where they differ from what TableGen says.
function(accrue_add_doc td out)
  set(page "${PROJECT_BINARY_DIR}/docs/generated/${out}")
  add_custom_command(
    OUTPUT "${page}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory
            "${PROJECT_BINARY_DIR}/docs/generated"
    COMMAND "${MLIR_TABLEGEN_EXE}" ${ARGN} "-I${PROJECT_SOURCE_DIR}/include"
            "-I${MLIR_INCLUDE_DIRS}" "${PROJECT_SOURCE_DIR}/include/accrue/${td}"
            -o "${page}" -d "${page}.d"
    DEPENDS "${PROJECT_SOURCE_DIR}/include/accrue/${td}"
    DEPFILE "${page}.d"
    COMMENT "Documenting ${td}")
  set_property(GLOBAL APPEND PROPERTY ACCRUE_DOCS "${page}")
endfunction()

function(accrue_finish_docs)
  get_property(pages GLOBAL PROPERTY ACCRUE_DOCS)
  add_custom_target(AccrueDocs ALL DEPENDS ${pages})
  add_custom_target(docs
    COMMAND "${CMAKE_COMMAND}" -E copy ${pages}
            "${PROJECT_SOURCE_DIR}/docs/generated"
    DEPENDS AccrueDocs)
  add_test(NAME docs-current
    COMMAND diff -ru --exclude=*.d "${PROJECT_SOURCE_DIR}/docs/generated"
            "${PROJECT_BINARY_DIR}/docs/generated")
endfunction()
