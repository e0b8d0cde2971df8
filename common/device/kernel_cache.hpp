// Kernel binaries kept between runs, so that init need not compile.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace boltzmark::device {

/// $XDG_CACHE_HOME/boltzmark, else ~/.cache/boltzmark, else "": no cache.
std::filesystem::path kernel_cache_folder();

/// A folder with one file a key. The key is a text of any length that says everything the binary depends on.
/// A cache that cannot be read or written, or that holds something else, counts as an empty one. When it
/// holds more than `most_files`, the oldest go.
class KernelCache {
 public:
  static constexpr std::size_t most_files = 256;

  explicit KernelCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// What was stored under this key, if it is there and whole.
  std::optional<std::vector<unsigned char>> find(const std::string& key) const;
  /// Whether there is a folder to store in, which this makes.
  bool can_store() const;
  /// False when it could not be stored.
  bool store(const std::string& key, const std::vector<unsigned char>& binary) const;

 private:
  void drop_oldest() const;
  std::filesystem::path file_of(const std::string& key) const;
  std::filesystem::path folder_;  ///< "" = no cache
};

}  // namespace boltzmark::device
