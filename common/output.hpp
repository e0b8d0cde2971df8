// The two result files, written under a temporary name and renamed, so that a file is either whole or
// untouched.
#pragma once

#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "common/model.hpp"
#include "common/problem.hpp"

namespace boltzmark {

/// A file that appears under its name only when commit() succeeds; until then it is a temporary beside it.
/// Every failure (folder missing, no permission, full disk) is an Error (bad_input) that names the file.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::string_view text);
  /// Flushes everything to the disk; after this a commit can no longer fail for want of space.
  void finish();
  /// finish() and rename over the target.
  void commit();

 private:
  [[noreturn]] void fail(const char* doing);
  std::filesystem::path target_, temporary_;
  std::FILE* stream_ = nullptr;
};

/// Writes `x y u_x u_y |u| pressure obstacle` for every cell, y-then-x order, numbers as %.12E.
void write_final_state(AtomicFile& file, const Problem& problem, const State& state);

/// Writes `step:\tvalue` lines, numbers as %.12E.
void write_av_vels(AtomicFile& file, std::span<const double> av_vels);

/// Sets obstacle cells to rest at the initial density, as the output format wants them.
void settle_obstacles(const Problem& problem, State& state);

/// Makes sure that files can be created in a folder, creating it where it is missing. Throws Error
/// (bad_input).
void prepare_folder(const std::filesystem::path& folder);

/// Makes sure, before anything is computed, that a file can be written or created. Throws Error (bad_input).
void expect_writable(const std::filesystem::path& file);

/// Appends one line to a file in one write; on failure the file is cut back to its old length. Throws Error
/// (bad_input).
void append_line(const std::filesystem::path& file, const std::string& line);

}  // namespace boltzmark
