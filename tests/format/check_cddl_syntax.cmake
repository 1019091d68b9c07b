# cmake -DGRAMMAR=FILE -DSCRATCH=DIR -DNPM=PROGRAM -P check_cddl_syntax.cmake: reads the grammar with
# npm's cddl, which shares no code with cddl.py. The package is installed only in SCRATCH.

set(CDDL_VERSION 0.21.2)
set(cddl ${SCRATCH}/node_modules/.bin/cddl)

set(installed "")
if(EXISTS ${SCRATCH}/node_modules/cddl/package.json)
  file(READ ${SCRATCH}/node_modules/cddl/package.json package)
  string(JSON installed GET "${package}" version)
endif()
if(NOT installed STREQUAL CDDL_VERSION)
  file(MAKE_DIRECTORY ${SCRATCH})
  # Without a package.json here, npm would use a parent directory as the project. The yargs version
  # that cddl requests does not run on the Node.js of Debian 12; this one does.
  file(WRITE ${SCRATCH}/package.json
    "{ \"private\": true, \"overrides\": { \"yargs\": \"17.7.2\" } }\n")
  execute_process(
    COMMAND ${NPM} install --no-save --no-package-lock --no-audit --no-fund --ignore-scripts
            --cache ${SCRATCH}/cache cddl@${CDDL_VERSION}
    WORKING_DIRECTORY ${SCRATCH} RESULT_VARIABLE status OUTPUT_VARIABLE log ERROR_VARIABLE log)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "npm cannot install cddl ${CDDL_VERSION}:\n${log}")
  endif()
endif()

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
