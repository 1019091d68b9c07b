# cmake -DGRAMMAR=FILE -DSCRATCH=DIR -DNPM=PROGRAM -P check_cddl_syntax.cmake: checks the grammar with the
# npm package cddl, which is independent of cddl.py. The package is installed in SCRATCH only.

set(CDDL_VERSION 0.21.2)
set(cddl ${SCRATCH}/node_modules/.bin/cddl)

set(installed "")
if(EXISTS ${SCRATCH}/node_modules/cddl/package.json)
  file(READ ${SCRATCH}/node_modules/cddl/package.json package)
  string(JSON installed GET "${package}" version)
endif()
if(NOT installed STREQUAL CDDL_VERSION)
  file(MAKE_DIRECTORY ${SCRATCH})
  # Without a package.json here, npm would use one of a parent directory. The version of yargs that cddl
  # requires does not run on the Node.js of Debian 12; this one does.
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

# Make sure that the checker rejects a damaged grammar.
file(READ ${GRAMMAR} text)
string(REPLACE "kind: \"share\"" "kind \"share\"" damaged "${text}")
file(WRITE ${SCRATCH}/damaged.cddl "${damaged}")
expect_status(${SCRATCH}/damaged.cddl 1)
message(STATUS "2 passed, 0 failed")
