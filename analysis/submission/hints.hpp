// What to try with a folder of sources that has no Makefile.
#pragma once

#include <filesystem>
#include <string>

namespace boltzmark {

/// "expected a Makefile, found d2q9-bgk.c; try --build "gcc ..."": a command that suits the headers that the sources
/// include and the number of programs. "" if there are no sources.
std::string makefile_missing(const std::filesystem::path& folder);

}  // namespace boltzmark
