# cmake -DGRAMMAR=FILE -DSCRATCH=DIR -DNPM=PROGRAM -P check_cddl_syntax.cmake: reads the grammar with
# npm's cddl, which shares no code with cddl.py. The package is installed only in SCRATCH.

set(cddl ${SCRATCH}/node_modules/.bin/cddl)

# The yargs version that cddl requests does not run on the Node.js of Debian 12; this one does.
include(${CMAKE_CURRENT_LIST_DIR}/../npm.cmake)
npm_install(${SCRATCH} ${NPM} "{ \"private\": true, \"overrides\": { \"yargs\": \"17.7.2\" } }" cddl@0.21.2)

function(expect_status file expected)
  execute_process(COMMAND ${cddl} validate ${file}
                  RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT status EQUAL expected)
    message(FATAL_ERROR "cddl validate ${file}: status ${status}, not ${expected}\n${out}")
  endif()
endfunction()

expect_status(${GRAMMAR} 0)

# A checker that accepts everything would accept the grammar too.
file(READ ${GRAMMAR} text)
string(REPLACE "kind: \"share\"" "kind \"share\"" damaged "${text}")
file(WRITE ${SCRATCH}/damaged.cddl "${damaged}")
expect_status(${SCRATCH}/damaged.cddl 1)
message(STATUS "2 passed, 0 failed")
