# Bundles reports/web with npm's packages and writes the result into a C++ source:
# cmake [-DNODE=PROGRAM -DNPM=PROGRAM] -DSOURCE=DIR -DWORK=DIR -DOUTPUT=FILE.cc -P embed_page.cmake
# Without the two programs, or when the packages cannot be had, the source is there and empty. FILE.stamp says that it
# is not, so that a build tries again once there is network.
include("${CMAKE_CURRENT_LIST_DIR}/literals.cmake")

function(write_source script style)
  set(source "// Generated from reports/web/; do not edit.\n#include \"reports/page.h\"\n\nnamespace reports {\n\n")
  string(APPEND source "PageBundle page_bundle() {\n  return {\n")
  append_literals("${script}")
  string(APPEND source ",\n")
  append_literals("${style}")
  string(APPEND source "};\n}\n\n}  // namespace reports\n")
  file(WRITE "${OUTPUT}" "${source}")
endfunction()

string(REGEX REPLACE "\\.cc$" ".stamp" stamp "${OUTPUT}")
if(NOT NODE)
  write_source("" "")
  file(TOUCH "${stamp}")
  return()
endif()

# The bundle is made in the build folder: nothing is written into the tree.
file(MAKE_DIRECTORY "${WORK}")
file(REMOVE_RECURSE "${WORK}/src")
file(COPY "${SOURCE}/src" "${SOURCE}/package.json" "${SOURCE}/package-lock.json" "${SOURCE}/tsconfig.json"
  "${SOURCE}/build.mjs" DESTINATION "${WORK}")
file(SHA256 "${WORK}/package-lock.json" lock)
set(installed "")
if(EXISTS "${WORK}/node_modules/.lock")
  file(READ "${WORK}/node_modules/.lock" installed)
endif()
if(NOT installed STREQUAL lock)
  # No script of a package runs: esbuild's program comes as a package of its own.
  execute_process(
    COMMAND "${NPM}" ci --ignore-scripts --prefer-offline --no-audit --no-fund --no-progress --loglevel=error
    WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(failed)
    message(WARNING "No page in this build: npm could not install its packages.\n${said}")
    write_source("" "")
    file(REMOVE "${stamp}")
    return()
  endif()
  file(WRITE "${WORK}/node_modules/.lock" "${lock}")
endif()
execute_process(COMMAND "${NODE}" build.mjs WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "The page does not build (above).")
endif()
file(READ "${WORK}/dist/page.js" script)
file(READ "${WORK}/dist/page.css" style)
write_source("${script}" "${style}")
file(TOUCH "${stamp}")
