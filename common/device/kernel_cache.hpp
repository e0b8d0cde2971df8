// Kernel binaries kept between runs, so that init need not compile.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace boltzmark::device {

/// $XDG_CACHE_HOME/boltzmark, else ~/.cache/boltzmark, else "": no cache.
std::filesystem::path kernel_cache_folder();

/// A folder with one file per key. The key is a text of any length with everything on which the binary depends. A cache
/// that cannot be read or written, or that holds something else, counts as empty. If it holds more than `most_files`,
/// the oldest are deleted.
class KernelCache {
 public:
  static constexpr std::size_t most_files = 256;

  explicit KernelCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// The binary stored under this key, if it exists and is intact.
  std::optional<std::vector<unsigned char>> find(const std::string& key) const;
  /// Creates the folder; whether it exists.
  bool can_store() const;
  /// False if it could not be stored.
  bool store(const std::string& key, const std::vector<unsigned char>& binary) const;

 private:
  void drop_oldest() const;
  std::filesystem::path file_of(const std::string& key) const;
  std::filesystem::path folder_;  ///< "" = no cache
};

}  // namespace boltzmark::device
