#include "analysis/run/submission_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "analysis/support/locations.hpp"
#include "common/base/digest.hpp"
#include "common/base/error.hpp"
#include "common/base/files.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

/// Whether a file was made by a compiler: a program, an object, a library, a precompiled header.
bool is_compiled(const fs::path& file) {
  using namespace std::string_view_literals;
  // ELF, archives, Windows, LLVM, GCC's headers, macOS.
  constexpr std::array begins = {"\177ELF"sv,          "!<arch>\n"sv,       "MZ"sv, "BC\xc0\xde"sv, "gpch"sv,
                                 "\xcf\xfa\xed\xfe"sv, "\xca\xfe\xba\xbe"sv};
  std::array<char, 8> begin{};
  std::ifstream(file, std::ios::binary).read(begin.data(), begin.size());
  return std::ranges::any_of(begins, [text = std::string_view(begin.data(), begin.size())](std::string_view one) {
    return text.starts_with(one);
  });
}

/// A name without its source_endings: "solver" for solver.c and for solver.c.o.
std::string stem_of(const fs::path& file) { return split(file.filename().string(), '.').front(); }

/// Stems of the sources below a folder.
std::set<std::string> stems_of_sources(const fs::path& folder) {
  constexpr std::array source_endings = {".c", ".cc", ".cpp", ".cxx", ".cu", ".f", ".for", ".f90", ".f95"};
  std::set<std::string> stems;
  for (const fs::path& file : entries_below(folder))
    if (std::ranges::count(source_endings, lower_case(file.extension().string())) > 0) stems.insert(stem_of(file));
  return stems;
}

}  // namespace

void copy_below(const fs::path& from, const fs::path& to, std::uint64_t most_bytes) {
  std::uint64_t bytes = 0;
  try {
    if (fs::is_symlink(fs::symlink_status(from))) throw bad_input("{}: expected a folder, found a link", from.string());
    for (fs::recursive_directory_iterator entry(from), end; entry != end; ++entry) {
      const fs::path target = to / entry->path().lexically_relative(from);
      const auto status = entry->symlink_status();
      if (fs::is_symlink(status)) {
        fs::copy_symlink(entry->path(), target);
      } else if (fs::is_directory(status) && entry->path().filename() == ".git") {
        entry.disable_recursion_pending();
      } else if (fs::is_directory(status)) {
        fs::create_directory(target);
      } else if (fs::is_regular_file(status)) {
        bytes += entry->file_size();
        if (bytes > most_bytes)
          throw bad_input("{}: expected at most {} MB in all, found more", from.string(), most_bytes >> 20);
        fs::copy_file(entry->path(), target);
        fs::last_write_time(target, entry->last_write_time());
      }
    }
  } catch (const fs::filesystem_error& error) {
    throw bad_input("{}: expected a folder that can be copied, found: {}", from.string(), error.what());
  }
}

std::vector<std::string> compiled_below(const fs::path& folder) {
  std::vector<std::string> files;
  for (const fs::path& file : entries_below(folder))
    if (fs::is_regular_file(fs::symlink_status(file)) && is_compiled(file))
      files.push_back(file.lexically_relative(folder).string());
  std::ranges::sort(files);
  return files;
}

void distrust(const std::vector<std::string>& compiled, const std::string& program, const fs::path& folder) {
  constexpr std::time_t year_1980 = 315532800;
  const std::array times = {timespec{.tv_sec = year_1980, .tv_nsec = 0}, timespec{.tv_sec = year_1980, .tv_nsec = 0}};
  const std::set<std::string> sources = stems_of_sources(folder);
  for (const std::string& file : compiled)
    if (sources.contains(stem_of(file)))
      fs::remove(folder / file);
    else
      utimensat(AT_FDCWD, (folder / file).c_str(), times.data(), AT_SYMLINK_NOFOLLOW);
  if (is_file(folder / program) && is_compiled(folder / program)) fs::remove(folder / program);
}

std::string digest_of_folder(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && entry != end; entry.increment(error))
    files.push_back(entry->path());
  if (error) throw bad_input("{}: expected a folder that can be read, found: {}", folder.string(), error.message());
  std::ranges::sort(files);
  Digest digest;
  for (const fs::path& file : files) {
    digest.add(file.lexically_relative(folder).string() + '\n');
    const auto status = fs::symlink_status(file, error);
    if (fs::is_regular_file(status)) digest.add(digest_of_file(file));
    if (fs::is_symlink(status)) digest.add(fs::read_symlink(file, error).string());
  }
  return digest.text();
}

}  // namespace boltzmark
