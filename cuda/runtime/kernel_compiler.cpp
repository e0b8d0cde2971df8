// Kernels by NVRTC or hiprtc: OpenCL C's kernel files, preceded by the header that makes them CUDA or HIP C++.
#include <fmt/core.h>

#include <cstdlib>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "cuda/runtime/compiler.hpp"
#include "cuda/runtime/driver.hpp"

namespace boltzmark::cuda {

using namespace device;

namespace {

/// The options one by one; -D and its name are two words for OpenCL's compilers, but one for NVRTC.
std::vector<std::string> option_words(const std::string& options) {
  std::vector<std::string> words;
  for (const std::string& word : words_in(options))
    if (!words.empty() && words.back() == "-D")
      words.back() += word;
    else
      words.push_back(word);
  return words;
}

/// A program of the compiler, destroyed after use.
class Compilation {
 public:
  explicit Compilation(const std::string& source) {
    if (nvrtc().nvrtcCreateProgram(&program_, source.c_str(), "kernels.cu", 0, nullptr, nullptr) != 0)
      throw unavailable("the compiler of {} kernels has not enough memory", kernel_language);
  }
  ~Compilation() { nvrtc().nvrtcDestroyProgram(&program_); }
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  bool compile(const std::vector<std::string>& options) {
    std::vector<const char*> words;
    for (const std::string& option : options) words.push_back(option.c_str());
    return nvrtc().nvrtcCompileProgram(program_, static_cast<int>(words.size()), words.data()) == 0;
  }
  std::string log() const { return read(nvrtc().nvrtcGetProgramLogSize, nvrtc().nvrtcGetProgramLog); }
  /// Machine code, or PTX for a virtual architecture.
  std::string image() const {
    const std::string cubin = read(nvrtc().nvrtcGetCUBINSize, nvrtc().nvrtcGetCUBIN);
    return cubin.empty() ? read(nvrtc().nvrtcGetPTXSize, nvrtc().nvrtcGetPTX) : cubin;
  }

 private:
  std::string read(int (*size)(NvrtcProgram, std::size_t*), int (*get)(NvrtcProgram, char*)) const {
    std::size_t bytes = 0;
    if (size(program_, &bytes) != 0 || bytes == 0) return "";
    std::string text(bytes, '\0');
    get(program_, text.data());
    return text;
  }

  NvrtcProgram program_ = nullptr;
};

}  // namespace

int most_registers(const std::string& options) {
  int registers = 0;
  for (const std::string& word : option_words(options))
    if (word.starts_with(registers_option))
      registers = std::atoi(word.c_str() + std::string_view(registers_option).size());
  return registers;
}

std::string compile(const ComputeDevice& device, std::string_view source, const std::string& options) {
  Compilation compilation(fmt::format("{}{}", language_source, source));
  if (!compilation.compile(option_words(options)))
    throw unavailable("cannot build the {} kernels for {} ({}, {}):\n{}", kernel_language, device.name, device.driver,
                      options, compilation.log());
  return compilation.image();
}

}  // namespace boltzmark::cuda
