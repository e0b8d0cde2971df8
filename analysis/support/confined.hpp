// Runs an untrusted program: all its processes end with it; its time, memory, files and output are limited. If
// isolated, it can write only to its own folders, and reaches neither the caller's home nor the caller's sockets.
#pragma once

#include <memory>

#include "analysis/support/process.hpp"
#include "common/base/files.hpp"

namespace boltzmark {

/// A folder for one run of such a program, deleted at the end. A lock on a file in it shows that its driver is running:
/// folders left by a killed driver are deleted when the next one is created.
class PrivateFolder {
 public:
  /// In the folder for temporary files, with its folders work and home. Throws Error (bad_input).
  PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  ~PrivateFolder();

  fs::path work() const { return path_ / "work"; }  ///< where the program is started
  fs::path home() const { return path_ / "home"; }  ///< its HOME and TMPDIR

 private:
  fs::path path_;
  std::unique_ptr<FileLock> lock_;
};

/// 0: no limit.
struct ProcessLimits {
  double seconds = 60.0;
  std::uint64_t memory_bytes = 0;                        ///< resident memory of all processes together
  std::uint64_t file_bytes = 0;                          ///< of one file
  std::uint64_t folder_bytes = 0;                        ///< of all files in the folders that it can write to
  std::uint64_t output_bytes = std::uint64_t{64} << 20;  ///< printed
  int processes = 512;
};

/// The verdict on a program or a folder of results: one word, listed in docs/guide/course.md.
namespace verdict {
inline constexpr const char *right = "right", *wrong = "wrong", *nan = "nan", *steps = "steps", *lines = "lines",
                            *format = "format", *missing = "missing", *too_large = "too-large", *build = "build",
                            *crashed = "crashed", *failed = "failed", *timeout = "timeout", *memory = "memory",
                            *output = "output", *processes = "processes", *stopped = "stopped";
}

struct ConfinedRequest {
  std::string line = {};         ///< for /bin/sh
  fs::path start = {};           ///< its current folder
  fs::path home = {};            ///< HOME, and TMPDIR; like `start` a folder that it can write to
  Environment environment = {};  ///< replaces the user's variables of these names
  bool is_trusted = false;       ///< keeps the user's other variables, else only those that compilers and models need
  ProcessLimits limits = {};
  bool is_isolated = false;           ///< can write only to these two folders
  std::vector<fs::path> hidden = {};  ///< folders and files that it sees empty if isolated
};

/// The signal is also there where its shell only reports it.
struct ConfinedResult : ProcessResult {
  std::string verdict, reason;  ///< reason of its end; "" if it ended by itself
  std::string output, errors;   ///< of each the first and the last 64 KiB
  std::uint64_t printed = 0;    ///< bytes of both
  int left_behind = 0;          ///< processes that it did not wait for

  void end(const char* with, const std::string& why) {
    verdict = with;
    reason = why;
  }
};

/// "64 MB".
std::string megabytes(std::uint64_t bytes);

/// Bytes on disk of all readable files below some folders.
std::uint64_t bytes_below(const std::vector<fs::path>& folders);

/// Needs the driver to have no other child process. `on_tick` as in run_process().
ConfinedResult run_confined(const ConfinedRequest& request, SignalWatch& signals, const Tick& on_tick = {});

/// Tries to isolate a program: the reason if that fails, else "".
std::string isolation_missing(SignalWatch& signals);

}  // namespace boltzmark
