# npm_install(SCRATCH NPM PROJECT PACKAGE@VERSION...): installs packages of npm in the directory SCRATCH, unless
# they are there. Included by scripts that cmake -P runs. PROJECT is the package.json: without one, npm would use
# a parent directory as the project.
function(npm_install scratch npm project)
  set(installed "")
  if(EXISTS ${scratch}/installed)
    file(READ ${scratch}/installed installed)
  endif()
  if(installed STREQUAL "${project} ${ARGN}")
    return()
  endif()
  file(MAKE_DIRECTORY ${scratch})
  file(WRITE ${scratch}/package.json "${project}\n")
  execute_process(
    COMMAND ${npm} install --no-save --no-package-lock --no-audit --no-fund --ignore-scripts
            --cache ${scratch}/cache ${ARGN}
    WORKING_DIRECTORY ${scratch} RESULT_VARIABLE status OUTPUT_VARIABLE log ERROR_VARIABLE log)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "npm cannot install ${ARGN}:\n${log}")
  endif()
  file(WRITE ${scratch}/installed "${project} ${ARGN}")
endfunction()
