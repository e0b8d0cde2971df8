#include "common/tuned.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/error.hpp"
#include "common/output.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int tuned_format = 1;

TunedFor what_of(const json& entry) {
  return {.model = entry.at("model"),
          .device = entry.at("device"),
          .variant = entry.at("variant"),
          .precision = entry.at("precision"),
          .nx = entry.at("nx"),
          .ny = entry.at("ny")};
}

json read_tuned(const fs::path& file) {
  std::ifstream in(file);
  std::error_code error;
  if (!in && !fs::exists(file, error)) return json{{"format", tuned_format}, {"tuned", json::array()}};
  try {
    if (!in) throw std::runtime_error("cannot be read");
    const json content = json::parse(in);
    if (content.at("format") != tuned_format) throw std::runtime_error("written by another version");
    for (const auto& entry : content.at("tuned")) {
      what_of(entry);
      entry.at("options").get<TunedOptions>();
    }
    return content;
  } catch (const std::exception& why) {
    throw bad_input("{}: expected tuned options of format {}, found what is none: {}; see --no-tuned",
                    file.string(), tuned_format, why.what());
  }
}

}  // namespace

fs::path default_tuned_file() {
  const char* const data = std::getenv("XDG_DATA_HOME");
  if (data && fs::path(data).is_absolute()) return fs::path(data) / "boltzmark" / "tuned.json";
  const char* const home = std::getenv("HOME");
  if (home && *home) return fs::path(home) / ".local" / "share" / "boltzmark" / "tuned.json";
  return {};
}

TunedOptions find_tuned(const fs::path& file, const TunedFor& what) {
  if (file.empty()) return {};
  const json content = read_tuned(file);
  for (const auto& entry : content["tuned"])
    if (what_of(entry) == what) return entry["options"].get<TunedOptions>();
  return {};
}

void keep_tuned(const fs::path& file, const TunedFor& what, const TunedOptions& options, double seconds) {
  if (file.empty()) throw bad_input("no place for tuned options: set HOME, or name a file");
  json content = read_tuned(file);
  auto& entries = content["tuned"];
  entries.erase(
      std::remove_if(entries.begin(), entries.end(), [&](const json& e) { return what_of(e) == what; }),
      entries.end());
  entries.push_back({{"model", what.model},
                     {"device", what.device},
                     {"variant", what.variant},
                     {"precision", what.precision},
                     {"nx", what.nx},
                     {"ny", what.ny},
                     {"options", options},
                     {"seconds", seconds}});
  prepare_folder(file.parent_path().empty() ? "." : file.parent_path());
  AtomicFile out(file);
  out.write(content.dump(1) + "\n");
  out.commit();
}

}  // namespace boltzmark
