#include "common/run/tuned.hpp"

#include <algorithm>

#include "common/base/error.hpp"
#include "common/base/files.hpp"

namespace boltzmark {

BOLTZMARK_JSON_FIELDS(TunedFor, workload, model, device, variant, precision, size)

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int tuned_format = 2;

json read_tuned(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) return json{{"format", tuned_format}, {"tuned", json::array()}};
  const std::string text = read_regular(file, "a file of tuned options");
  try {
    const json content = json::parse(text);
    if (content.at("format") != tuned_format) throw std::runtime_error("written by another version");
    for (const auto& entry : content.at("tuned")) {
      entry.get<TunedFor>();
      entry.at("options").get<TunedOptions>();
    }
    return content;
  } catch (const std::exception& why) {
    throw bad_input("{}: not a file of tuned options of format {}: {}; remove it, or see --no-tuned", file.string(),
                    tuned_format, why.what());
  }
}

}  // namespace

fs::path default_tuned_file() {
  const fs::path folder = user_folder("XDG_DATA_HOME", ".local/share");
  return folder.empty() ? folder : folder / "tuned.json";
}

TunedOptions find_tuned(const fs::path& file, const TunedFor& what) {
  if (file.empty()) return {};
  const json content = read_tuned(file);
  for (const auto& entry : content["tuned"])
    if (entry.get<TunedFor>() == what) return entry["options"].get<TunedOptions>();
  return {};
}

void expect_place_for_tuned(const fs::path& file) {
  if (file.empty()) throw bad_input("no place for tuned options: set HOME, or name a file with --tuned");
  prepare_folder(file.has_parent_path() ? file.parent_path() : ".");
  expect_writable(file);
  const FileLock lock(file.string() + ".lock",
                      FileLock::IfTaken::wait);  // permitted, but perhaps not possible
  read_tuned(file);
}

void keep_tuned(const fs::path& file, const TunedFor& what, const TunedOptions& options, double seconds) {
  expect_place_for_tuned(file);
  const FileLock lock(file.string() + ".lock", FileLock::IfTaken::wait);  // held from reading to writing
  json content = read_tuned(file);
  auto& entries = content["tuned"];
  entries.erase(
      std::remove_if(entries.begin(), entries.end(), [&](const json& e) { return e.get<TunedFor>() == what; }),
      entries.end());
  json entry = what;
  entry["options"] = options;
  entry["seconds"] = seconds;
  entries.push_back(std::move(entry));
  AtomicFile out(file);
  out.write(json_line(content, 1) + '\n');
  out.commit();
}

}  // namespace boltzmark
