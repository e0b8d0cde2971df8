#include "common/run/runs.hpp"

#include <sched.h>

#include <CLI/StringTools.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <vector>

#include "common/base/error.hpp"
#include "common/base/print.hpp"

namespace boltzmark {
namespace {

constexpr std::string_view option = "--runs";

/// Removes --runs and its value from the words of a command line; empty if it is missing or has no value.
std::optional<std::string> taken_from(std::vector<std::string>& words) {
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (!word->starts_with(option)) continue;
    std::string file = word->substr(option.size());
    if (file.starts_with('=')) {
      words.erase(word);
      return file.substr(1);
    }
    if (!file.empty() || word + 1 == words.end()) continue;
    file = word[1];
    words.erase(word, word + 2);
    return file;
  }
  return {};
}

int run_words(std::vector<std::string> words, const Run& run) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  try {
    return run(static_cast<int>(words.size()), argv.data());
  } catch (const RunEnded& ended) {
    return ended.status;
  }
}

}  // namespace

int each_run(int argc, char** argv, Team& team, const Run& run, const ShareLine& share) {
  std::vector<std::string> words(argv, argv + argc);
  const auto name = taken_from(words);
  if (!name) return run(argc, argv);
  int worst = 0;
  std::ifstream file;
  std::error_code error;
  const bool is_folder =  // opens like a file without lines
      team.is_root() && std::filesystem::is_directory(*name, error);
  if (team.is_root() && *name != "-" && !is_folder) file.open(*name);
  if (!file || is_folder) {
    print_error(std::filesystem::path(words.front()).filename(),
                fmt::format("--runs: {}: expected a file with the options of a run in each line, found {}", *name,
                            is_folder ? "a folder" : "none that can be read"));
    worst = static_cast<int>(ExitStatus::bad_input);
  }
  others_follow = true;
  cpu_set_t processors;  // before a run binds this thread
  const bool are_known = sched_getaffinity(0, sizeof processors, &processors) == 0;
  for (std::string line;;) {
    std::optional<std::string> next;
    if (team.is_root() && std::getline(*name == "-" ? std::cin : file, line)) next = line;
    share(next);
    if (!next) return worst;
    const std::vector<std::string> own = CLI::detail::split_up(*next);
    if (own.empty() || own.front().starts_with('#')) continue;
    if (are_known) sched_setaffinity(0, sizeof processors, &processors);
    std::vector<std::string> all = words;
    all.insert(all.end(), own.begin(), own.end());
    const int status = run_words(all, run);
    worst = std::max(worst, status);
    team.barrier();  // messages of other ranks about it come first
    if (team.is_root()) print("status:\t\t{}\n", status);
    flush_output();
  }
}

}  // namespace boltzmark
