#include "analysis/run/own_program.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "analysis/run/plan.hpp"
#include "common/base/digest.hpp"
#include "common/base/error.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

constexpr const char *params_mark = "{params}", *obstacles_mark = "{obstacles}", *threads_mark = "{threads}";

/// The file that a word of the line means, "" where it means none.
fs::path file_of(const OwnProgram& program, const std::string& word) {
  if (word.find('/') == word.npos || !program.folder.empty()) return {};
  std::error_code error;
  const fs::path file = program.base / word;
  return fs::exists(file, error) ? fs::absolute(file).lexically_normal() : fs::path();
}

}  // namespace

void check_own_line(const std::string& run, const std::string& where) {
  const auto has = [&run](const char* mark) { return run.find(mark) != run.npos; };
  if (words_in(run).empty() || has(params_mark) != has(obstacles_mark))
    throw bad_input("{}: expected a command with both {} and {}, or with neither, found \"{}\"", where, params_mark,
                    obstacles_mark, run);
  check_marks(replaced(run, {{"${", "$"}}), {params_mark, obstacles_mark, threads_mark, ranks_mark}, where);
}

std::string own_line(const OwnProgram& program, const OwnArguments& arguments) {
  std::vector<std::string> words = words_in(program.run);
  for (std::string& word : words)
    if (const fs::path file = file_of(program, word); !file.empty()) word = shell_line({file.string()});
  std::string line = join(words, " ");
  if (line.find(params_mark) == line.npos) line += fmt::format(" {} {}", params_mark, obstacles_mark);
  return replaced(line, {{threads_mark, std::to_string(std::max(1, program.threads))},
                         {ranks_mark, std::to_string(std::max(1, program.ranks))},
                         {params_mark, shell_line({arguments.params.string()})},
                         {obstacles_mark, shell_line({arguments.obstacles.string()})}});
}

std::string digest_of_folder(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && entry != end; entry.increment(error))
    files.push_back(entry->path());
  if (error) throw bad_input("{}: expected a folder that can be read, found: {}", folder.string(), error.message());
  std::sort(files.begin(), files.end());
  Digest digest;
  for (const fs::path& file : files) {
    digest.add(file.lexically_relative(folder).string() + '\n');
    const auto status = fs::symlink_status(file, error);
    if (fs::is_regular_file(status)) digest.add(digest_of_file(file));
    if (fs::is_symlink(status)) digest.add(fs::read_symlink(file, error).string());
  }
  return digest.text();
}

std::string own_digest(const OwnProgram& program) {
  Digest digest;
  for (const std::string& text :
       {program.run, program.build, program.folder.string(), fmt::format("{}", program.tolerance)})
    digest.add(text + '\n');
  for (const auto& [name, value] : program.environment) digest.add(name + '=' + value + '\n');
  if (!program.folder.empty()) digest.add(digest_of_folder(program.folder));
  for (const std::string& word : words_in(program.run)) {
    std::error_code error;
    if (const fs::path file = file_of(program, word); fs::is_regular_file(file, error))
      digest.add(digest_of_file(file));
  }
  return digest.text();
}

std::optional<double> said_seconds(std::string_view output) {
  constexpr std::array<std::string_view, 2> names = {"Elapsed Compute time:", "Elapsed time:"};
  std::array<std::optional<double>, 2> found;
  for (const std::string& line : split(output, '\n')) {
    const std::string_view text = std::string_view(line).substr(std::min(line.find_first_not_of(" \t"), line.size()));
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!text.starts_with(names[i])) continue;
      const auto words = words_in(text.substr(names[i].size()));
      found[i] = words.empty() ? std::nullopt : parse_number<double>(words.front());
    }
  }
  for (const auto& seconds : found)
    if (seconds) return std::isfinite(*seconds) && *seconds > 0.0 ? seconds : std::nullopt;
  return {};
}

}  // namespace boltzmark
