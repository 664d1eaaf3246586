# Runs the page's tests out of the build folder, where npm's packages may lie:
# cmake -DNODE=PROGRAM -DNPM=PROGRAM -DSOURCE=DIR -DWORK=DIR -DFLOTSAM=PROGRAM -P run_web_tests.cmake
file(GLOB scripts "${SOURCE}/*.mjs")
file(COPY ${scripts} "${SOURCE}/package.json" "${SOURCE}/package-lock.json" DESTINATION "${WORK}")
file(SHA256 "${WORK}/package-lock.json" lock)
set(installed "")
if(EXISTS "${WORK}/node_modules/.lock")
  file(READ "${WORK}/node_modules/.lock" installed)
endif()
if(NOT installed STREQUAL lock)
  execute_process(
    COMMAND "${NPM}" ci --ignore-scripts --prefer-offline --no-audit --no-fund --no-progress --loglevel=error
    WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "npm could not install the browser's driver.")
  endif()
  file(WRITE "${WORK}/node_modules/.lock" "${lock}")
endif()
execute_process(COMMAND "${NODE}" "${WORK}/page_test.mjs" "${FLOTSAM}" RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "The page is not as it should be (above).")
endif()
