// Runs a program of which nothing is believed: whatever it starts ends with it, it may use so much time, memory and disk
// and no more, and what it prints is cut. Where it is isolated it can write to its own folder alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "analysis/support/process.hpp"

namespace boltzmark {

/// 0: no limit.
struct Limits {
  double seconds = 60.0;
  std::uint64_t memory_bytes = 0;  ///< of one process its address space, of all together what is in use
  std::uint64_t file_bytes = 0;    ///< of one file
  std::uint64_t output_bytes = std::uint64_t{64} << 20;  ///< printed
  int processes = 512;
};

struct ConfinedRequest {
  std::string line;              ///< for /bin/sh
  std::filesystem::path start;   ///< where it is started
  std::filesystem::path home;    ///< HOME, and TMPDIR
  Environment environment = {};  ///< set whatever the user has set
  Limits limits = {};
  /// The one folder that can be written to; "": not isolated.
  std::filesystem::path only_writable = {};
  std::vector<std::filesystem::path> hidden = {};  ///< where isolated, folders in which it finds nothing
};

/// What ended it.
enum class ConfinedEnd {
  by_itself,
  time,
  memory,
  output,
  processes,  ///< too many of them
  stopped,    ///< a signal that we were sent
  no_start,
};

struct ConfinedResult {
  ConfinedEnd end = ConfinedEnd::by_itself;
  int exit_status = 0;
  int signal = 0;              ///< that ended it, also where its shell only says so
  double seconds = 0.0;        ///< from start to end
  std::string start_error;     ///< why it could not be started
  std::string output, errors;  ///< of each the first and the last 64 KiB
  std::uint64_t printed = 0;   ///< bytes, all of them
  int left_behind = 0;         ///< processes that it did not wait for
};

/// `on_tick` as in run_process(). The longest that a call takes is the time limit and some seconds.
ConfinedResult run_confined(const ConfinedRequest& request, SignalWatch& signals,
                            const std::function<void(double)>& on_tick = {});

}  // namespace boltzmark
