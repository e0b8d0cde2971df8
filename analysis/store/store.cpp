#include "analysis/store/store.hpp"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "analysis/support/json.hpp"
#include "common/base/error.hpp"
#include "common/run/json.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;
constexpr std::array words = {"ok", "skipped", "impossible", "timeout", "failed", "wrong"};

/// Every field once: for the writer, and for the reader.
template <class Key, class Visit>
void for_each_field(Key& key, Visit&& visit) {
  visit("workload", key.workload);
  visit("model", key.model);
  visit("variant", key.variant);
  visit("precision", key.precision);
  visit("threads", key.threads);
  visit("ranks", key.ranks);
  visit("device", key.device);
  visit("work_group", key.work_group);
  visit("warm_up", key.warm_up);
  visit("options", key.options);
  visit("launcher", key.launcher);
  visit("case", key.case_);
  visit("steps", key.steps);
  visit("round", key.round);
  visit("program", key.program);
  visit("oracle", key.oracle);
  visit("host", key.host);
  visit("build", key.build);
}

/// Adds the line to what was read, or a complaint.
void read_line(const std::string& line, int number, const std::string& place, RunsFile& runs) {
  try {
    runs.entries.push_back(RunEntry::from_json(parse_json(line)));
    runs.lines.push_back(number);
  } catch (const std::exception& fault) {
    runs.complaints.push_back(fmt::format("{}: expected a finished run, found something else ({}); the line is ignored",
                                          place, fault.what()));
  }
}

fs::path lock_in(const fs::path& folder) {
  prepare_folder(folder);
  return folder / "lock";
}

}  // namespace

FolderLock::FolderLock(const fs::path& folder) : lock_(lock_in(folder), FileLock::IfTaken::give_up) {
  if (!lock_.is_held())
    throw bad_input("{}: expected a folder for this call alone, found another boltzmark at work in it",
                    folder.string());
}

fs::path move_aside(const fs::path& results, const std::vector<std::string>& names) {
  if (std::none_of(names.begin(), names.end(), [&](const auto& name) { return fs::exists(results / name); })) return {};
  const std::string date = fmt::format("old-{:%Y-%m-%dT%H%M%SZ}", fmt::gmtime(std::time(nullptr)));
  fs::path target = results / date;
  for (int n = 2; fs::exists(target); ++n) target = results / fmt::format("{}-{}", date, n);
  for (const auto& name : names)
    if (fs::exists(results / name)) {
      prepare_folder((target / name).parent_path());
      fs::rename(results / name, target / name);
    }
  return target;
}

std::string to_string(RunStatus status) { return words.at(static_cast<std::size_t>(status)); }

RunStatus run_status(const std::string& word) {
  const auto at = std::find(words.begin(), words.end(), word);
  if (at == words.end()) throw std::invalid_argument(fmt::format("\"{}\" is not a status", word));
  return static_cast<RunStatus>(at - words.begin());
}

int RunKey::workers() const { return std::max(ranks, 1) * std::max(threads, 1); }

json RunKey::to_json() const {
  json all;
  for_each_field(*this, [&all](const char* name, const auto& value) { all[name] = value; });
  return all;
}

RunKey RunKey::from_json(const json& from) {
  RunKey key;
  for_each_field(key, [&from](const char* name, auto& value) { from.at(name).get_to(value); });
  return key;
}

std::string RunKey::identity() const { return json_line(to_json()); }

std::string RunKey::configuration() const {
  json all = to_json();
  all.erase("round");
  return json_line(all);
}

json RunEntry::to_json() const {
  json all = {{"format", run_entry_format},   {"key", key.to_json()}, {"case", case_name},
              {"status", to_string(status)},  {"reason", reason},     {"exit_status", exit_status},
              {"wall_seconds", wall_seconds}, {"command", command},   {"record", record}};
  if (stopped) all["stopped"] = true;
  return all;
}

RunEntry RunEntry::from_json(const json& from) {
  expect_ints(from, {"/format"});
  if (const int format = from.at("format").get<int>(); format != run_entry_format)
    throw std::invalid_argument(fmt::format("format {}, where this program reads {}", format, run_entry_format));
  expect_ints(from, {"/exit_status", "/key/threads", "/key/ranks", "/key/steps", "/key/round"});
  RunEntry entry;
  entry.key = RunKey::from_json(from.at("key"));
  from.at("case").get_to(entry.case_name);
  entry.status = run_status(from.at("status").get<std::string>());
  from.at("reason").get_to(entry.reason);
  from.at("exit_status").get_to(entry.exit_status);
  from.at("wall_seconds").get_to(entry.wall_seconds);
  from.at("command").get_to(entry.command);
  entry.stopped = from.value("stopped", false);
  from.at("record").get_to(entry.record);
  return entry;
}

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
