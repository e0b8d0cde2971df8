// Files that are written whole or not at all, and what can be known before anything is written.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace boltzmark {

/// A file that appears under its name only when commit() succeeds; until then it is a temporary in the same folder. A
/// link is followed to the file that it names. Devices and FIFOs are written to directly. Every failure (folder
/// missing, no permission, full disk, a FIFO without a reader) is an Error (bad_input) that names the file.
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
  std::filesystem::path target_, final_, temporary_;  ///< as named; with links followed; until commit()
  std::FILE* stream_ = nullptr;
};

/// An AtomicFile of this text.
void write_whole(const std::filesystem::path& target, std::string_view text);

/// Removes what AtomicFiles of processes of this host left in a folder when they were killed.
void remove_leftovers(const std::filesystem::path& folder);

/// Locks an empty file next to what it protects against other processes (flock) for its own lifetime.
class FileLock {
 public:
  enum class IfTaken { wait, give_up };
  /// Throws Error (bad_input) when the file cannot be created or locked.
  FileLock(const std::filesystem::path& file, IfTaken if_taken);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

  /// False after giving up.
  bool is_held() const { return file_ >= 0; }

 private:
  int file_ = -1;
};

/// Makes sure that files can be created in a folder, creating it where it is missing. Throws Error
/// (bad_input).
void prepare_folder(const std::filesystem::path& folder);

/// Makes sure, before anything is computed, that a file can be written or created. Throws Error (bad_input).
void expect_writable(const std::filesystem::path& file);

/// Makes sure that what has this name, if anything, is a regular file: a device may have no end, and a pipe no writer.
/// `expected`: "a file of records". Throws Error (bad_input).
void expect_regular(const std::filesystem::path& file, const std::string& expected);

/// The bytes of a regular file. Throws Error (bad_input) where it is missing, something else, cannot be read, or has more
/// than `most_bytes`. `expected`: "a JSON file".
std::string read_regular(const std::filesystem::path& file, const std::string& expected,
                         std::size_t most_bytes = SIZE_MAX);

/// Appends one line to a file in one write; on failure the file is cut back to its old length. Where the file ends
/// in half a line, that is ended first. Throws Error (bad_input).
void append_line(const std::filesystem::path& file, const std::string& line);

/// The folder of this executable, in which all programs are.
std::filesystem::path program_folder();

/// The suite's folder among a user's: in that of `variable` (XDG_CACHE_HOME) if it is set, else in `usual` of the home;
/// empty without a home.
std::filesystem::path user_folder(const char* variable, const char* usual);

/// What programs read, e.g. `inputs`, found from their folder: in share/boltzmark beside it. In a build folder that has
/// links to the sources, and the path is then the one in the sources.
std::filesystem::path data_path(const std::string& name, const std::filesystem::path& programs = program_folder());

/// The path from the current folder where the file is in it, else the whole path.
std::filesystem::path from_here(const std::filesystem::path& path);

/// The first line of a file; "" where there is none.
std::string first_line_of(const std::filesystem::path& file);

/// The names of a folder's files between a prefix and an ending, sorted.
std::vector<std::string> names_between(const std::filesystem::path& folder, const std::string& prefix,
                                       const std::string& ending);

}  // namespace boltzmark
