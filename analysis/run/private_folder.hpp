// A folder for one run of somebody's program, gone when it is over.
#pragma once

#include <cstdint>
#include <filesystem>

namespace boltzmark {

class PrivateFolder {
 public:
  /// In the folder for temporary files, with its folders work and home. Throws Error (bad_input).
  PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  ~PrivateFolder();

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path work() const { return path_ / "work"; }  ///< where the program is started
  std::filesystem::path home() const { return path_ / "home"; }  ///< its HOME and TMPDIR

 private:
  std::filesystem::path path_;
};

/// Copies what lies below a folder: folders, files and links as they are, nothing else, and no history of git. Throws
/// Error (bad_input), also where it is more than so many bytes.
void copy_below(const std::filesystem::path& from, const std::filesystem::path& to, std::uint64_t most_bytes);

}  // namespace boltzmark
