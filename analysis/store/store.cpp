#include "analysis/store/store.hpp"

#include <fmt/core.h>

#include <fstream>
#include <iterator>

#include "analysis/support/json_reader.hpp"
#include "common/base/error.hpp"
#include "common/base/files.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

/// Adds the line to what was read, or a complaint.
void read_line(const std::string& line, int number, const std::string& place, RunsFile& runs) {
  try {
    runs.entries.push_back(RunEntry::from_json(parse_json(line)));
    runs.lines.push_back(number);
  } catch (const std::exception& fault) {
    runs.complaints.push_back(fmt::format(
        "{}: expected a finished run, found something else ({}); the line is ignored", place, fault.what()));
  }
}

}  // namespace

RunsFile read_runs(const fs::path& file) {
  std::error_code error;
  if (fs::is_directory(file, error))
    throw bad_input("{}: expected a file of finished runs, found a folder", file.string());
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  RunsFile runs;
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    ++number;
    const std::string place = fmt::format("{}:{}", file.string(), number);
    const auto end = text.find('\n', begin);
    if (end == text.npos) {
      runs.cut_off = true;
      runs.complaints.push_back(place +
                                ": expected a whole line, found that the last one is cut off; it is left "
                                "out, and the next call does it again");
      break;
    }
    if (end > begin) read_line(text.substr(begin, end - begin), number, place, runs);
    begin = runs.whole_bytes = end + 1;
  }
  return runs;
}

Store::Store(fs::path folder, bool fresh, std::string name)
    : folder_(std::move(folder)), name_(std::move(name)), lock_(folder_) {
  remove_leftovers(folder_);
  std::vector<std::string> belongings = {name_};
  if (name_ == runs_file) belongings = {"logs", "figures.csv", "peaks.csv", "complaints.txt", name_};
  if (fresh && fs::exists(file())) move_aside(folder_, belongings);
  RunsFile runs = read_runs(file());
  // The next line must not be glued to half a line.
  if (runs.cut_off) fs::resize_file(file(), runs.whole_bytes);
  complaints_ = std::move(runs.complaints);
  for (auto& entry : runs.entries) newest_[entry.key.identity()] = std::move(entry);
}

const RunEntry* Store::find(const RunKey& key) const {
  const auto at = newest_.find(key.identity());
  return at == newest_.end() ? nullptr : &at->second;
}

std::vector<const RunEntry*> Store::entries() const {
  std::vector<const RunEntry*> all;
  for (const auto& [identity, entry] : newest_) all.push_back(&entry);
  return all;
}

void Store::add(const RunEntry& entry) {
  const RunEntry* const newest = find(entry.key);
  if (!newest || newest->to_json() != entry.to_json()) append_line(file(), json_line(entry.to_json()));
  newest_[entry.key.identity()] = entry;
}

bool is_final(const RunEntry* entry) {
  return entry && (entry->status == RunStatus::ok || entry->status == RunStatus::wrong);
}

}  // namespace boltzmark
