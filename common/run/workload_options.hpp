// How a workload puts options of its own on the command line, without the header of what parses them: that takes longer to
// compile than the rest of a workload.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace boltzmark {

/// Arguments and options in the order of --help.
class WorkloadOptions {
 public:
  explicit WorkloadOptions(CLI::App& app) : app_(app) {}

  /// One that was added, for what else is to be said of it.
  class Added {
   public:
    explicit Added(CLI::Option& option) : option_(option) {}
    Added value_name(const std::string& name);  ///< what stands for its value in --help
    Added range(std::int64_t least, std::int64_t most);
    Added positive();
    Added choices(const std::vector<std::string>& values);
    Added excludes(const std::string& other);

   private:
    CLI::Option& option_;
  };

  /// `name`: "--steps", or "SIZE" for an argument. T is one of those in options.cpp.
  template <class T>
  Added add(const std::string& name, T& value, const std::string& help);
  Added add_flag(const std::string& name, bool& value, const std::string& help);

 private:
  CLI::App& app_;
};

}  // namespace boltzmark
