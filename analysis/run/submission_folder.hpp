// The folder of a submission: its copy, what it is made of, and the compiled files that were handed in with it.
#pragma once

#include "analysis/support/process.hpp"

namespace boltzmark {

/// Copies the contents of a folder: files with their times, folders and links, nothing else, and not git's history.
/// Throws Error (bad_input), also if they exceed this many bytes.
void copy_below(const fs::path& from, const fs::path& to, std::uint64_t most_bytes);

/// A digest of names and contents of all files below a folder. Throws Error (bad_input).
std::string digest_of_folder(const fs::path& folder);

/// Files made by a compiler below a folder, by their paths in it, sorted.
std::vector<std::string> compiled_below(const fs::path& folder);

/// Keeps compiled files in a folder from passing as the output of a build: removes the program and every file named
/// after a source, and makes the others, such as libraries without their sources, older than any source.
void distrust(const std::vector<std::string>& compiled, const std::string& program, const fs::path& folder);

}  // namespace boltzmark
