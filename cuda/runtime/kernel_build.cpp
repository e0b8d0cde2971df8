// Kernels by NVRTC: OpenCL C's kernel files behind the header that makes them CUDA C++ (kernels/language.h).
#include "opencl/runtime/kernel_build.hpp"

#include <fmt/core.h>

#include <sstream>

#include "common/base/error.hpp"
#include "cuda/runtime/compiler.hpp"
#include "opencl/runtime/error.hpp"
#include "opencl/runtime/program.hpp"

namespace boltzmark::cuda {
namespace {

constexpr const char* registers_option = "--maxrregcount=";

/// The options one by one; -D and its name, two words to OpenCL's compilers, are one to NVRTC.
std::vector<std::string> words_of(const std::string& options) {
  std::vector<std::string> words;
  std::istringstream in(options);
  for (std::string word; in >> word;)
    if (!words.empty() && words.back() == "-D")
      words.back() += word;
    else
      words.push_back(word);
  return words;
}

/// Of the words above, for PTX that the driver assembles; 0 where there is none.
int most_registers(const std::string& options) {
  int registers = 0;
  for (const std::string& word : words_of(options))
    if (word.starts_with(registers_option))
      registers = std::atoi(word.c_str() + std::string_view(registers_option).size());
  return registers;
}

/// A program of the compiler, as long as it is needed.
class Compilation {
 public:
  explicit Compilation(const std::string& source) {
    if (nvrtc().nvrtcCreateProgram(&program_, source.c_str(), "kernels.cu", 0, nullptr, nullptr) != 0)
      throw unavailable("NVRTC takes no kernels: not enough memory");
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
  /// Machine code, or PTX where the architecture is a virtual one.
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

std::string cache_key(const ComputeDevice& device, std::string_view source, const std::string& options) {
  return fmt::format("{}\n{}\n{}\n{}{}", device.name, device.driver, options, language_source, source);
}

}  // namespace

std::string compile(const ComputeDevice& device, std::string_view source, const std::string& options) {
  Compilation compilation(fmt::format("{}{}", language_source, source));
  if (!compilation.compile(words_of(options)))
    throw unavailable("cannot build the CUDA kernels for {} ({}, {}):\n{}", device.name, device.driver,
                      options, compilation.log());
  return compilation.image();
}

std::string compiler_options(const ComputeDevice& device, const BuildOptions& options,
                             const KernelShape& shape) {
  // Denormals, divisions and roots as OpenCL has them with -cl-denorms-are-zero: the same arithmetic in both models.
  std::string text =
      fmt::format("--std=c++20 --gpu-architecture={} --ftz=true --prec-div=false --prec-sqrt=false {}",
                  device.architecture, common_defines(options, shape));
  if (shape.reduction == Reduction::subgroup) text += " -D WARP_SHUFFLES";
  if (shape.native_math) text += " -D NATIVE_MATH";
  if (shape.most_registers > 0) text += fmt::format(" {}{}", registers_option, shape.most_registers);
  return with_more(text, options, shape);
}

cl::Program build_program(const cl::Context& context, const ComputeDevice& device, std::string_view source,
                          const std::string& options) {
  const std::string image = compile(device, source, options);
  return attempt("load the CUDA kernels",
                 [&] { return cl::Program(context, image, most_registers(options)); });
}

BuiltProgram build_cached(const cl::Context& context, const ComputeDevice& device, std::string_view source,
                          const std::string& compiler_options, const KernelShape&, const KernelCache& cache) {
  if (const auto kept = cache.find(cache_key(device, source, compiler_options))) try {
      return {cl::Program(context, {kept->begin(), kept->end()}, most_registers(compiler_options)), true};
    } catch (const cl::Error&) {  // the driver does not take it
    }
  return {build_program(context, device, source, compiler_options), false};
}

bool keep_binary(const cl::Program& program, const ComputeDevice& device, std::string_view source,
                 const std::string& compiler_options, const KernelCache& cache) {
  const std::string& image = program.image();
  return cache.store(cache_key(device, source, compiler_options), {image.begin(), image.end()});
}

}  // namespace boltzmark::cuda
