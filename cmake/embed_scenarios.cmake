# Writes the catalogue into a C++ source: cmake -DLIST=FILE -DOUTPUT=FILE -P embed_scenarios.cmake
# LIST names one file a line. No tool but CMake is needed, so that a build asks for no interpreter.

include("${CMAKE_CURRENT_LIST_DIR}/literals.cmake")

file(STRINGS "${LIST}" files)
list(LENGTH files count)
set(source "// Generated from scenarios/; do not edit.\n#include \"sim/scenario/embedded.h\"\n\n#include <array>\n\n")
string(APPEND source "namespace sim {\nnamespace {\n\nconstexpr std::array<EmbeddedFile, ${count}> files{")
if(count GREATER 0)
  string(APPEND source "{\n")
  foreach(file IN LISTS files)
    get_filename_component(name "${file}" NAME)
    file(READ "${file}" text)
    string(APPEND source "{\"${name}\", ")
    append_literals("${text}")
    string(APPEND source "},\n")
  endforeach()
  string(APPEND source "}")
endif()
string(APPEND source "};\n\n}  // namespace\n\n")
string(APPEND source "std::span<const EmbeddedFile> embedded_scenarios() { return files; }\n\n}  // namespace sim\n")
file(WRITE "${OUTPUT}" "${source}")
