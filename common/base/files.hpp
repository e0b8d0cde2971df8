// Files that are written completely or not at all, and checks before anything is written.
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
  /// Flushes everything to the disk; after this a commit can no longer fail for lack of space.
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

/// Removes temporary files that killed processes of this host left in a folder.
void remove_leftovers(const std::filesystem::path& folder);

/// Holds a lock against other processes (flock) for its lifetime, on an empty file next to the protected data.
class FileLock {
 public:
  enum class IfTaken { wait, give_up };
  /// Throws Error (bad_input) if the file cannot be created or locked.
  FileLock(const std::filesystem::path& file, IfTaken if_taken);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

  /// False after giving up.
  bool is_held() const { return file_ >= 0; }

 private:
  int file_ = -1;
};

/// Makes sure that files can be created in a folder; creates the folder if it is missing. Throws Error (bad_input).
void prepare_folder(const std::filesystem::path& folder);

/// Makes sure, before anything is computed, that a file can be written or created. Throws Error (bad_input).
void expect_writable(const std::filesystem::path& file);

/// Makes sure that the name is unused or that of a regular file: a device may have no end, and a pipe no writer.
/// `expected`: "a file of records". Throws Error (bad_input).
void expect_regular(const std::filesystem::path& file, const std::string& expected);

/// The bytes of a regular file. Throws Error (bad_input) if it is missing, not a regular file, unreadable, or longer
/// than `most_bytes`. `expected`: "a JSON file".
std::string read_regular(const std::filesystem::path& file, const std::string& expected,
                         std::size_t most_bytes = SIZE_MAX);

/// Appends one line to a file in one write; on failure the file is cut back to its old length. If the file ends in an
/// incomplete line, that line is ended first. Throws Error (bad_input).
void append_line(const std::filesystem::path& file, const std::string& line);

/// The folder of this executable, in which all programs are.
std::filesystem::path program_folder();

/// The suite's folder for a user: below `variable` (XDG_CACHE_HOME) if it is set, else below `usual` in the home
/// folder; empty without a home.
std::filesystem::path user_folder(const char* variable, const char* usual);

/// Data that programs read, e.g. `inputs`, in share/boltzmark next to their folder. In a build folder these are links
/// to the sources; the path returned is then that of the source.
std::filesystem::path data_path(const std::string& name, const std::filesystem::path& programs = program_folder());

/// The path relative to the current folder if the file is in it, else the whole path.
std::filesystem::path from_here(const std::filesystem::path& path);

/// The first line of a file; "" if there is no such file or line.
std::string first_line_of(const std::filesystem::path& file);

/// Names of the files in a folder that have this prefix and ending, without both, sorted.
std::vector<std::string> names_between(const std::filesystem::path& folder, const std::string& prefix,
                                       const std::string& ending);

}  // namespace boltzmark
