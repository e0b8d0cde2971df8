// Kernels by NVRTC: OpenCL C's kernel files behind the header that makes them CUDA C++ (kernels/language.h); and the
// devices that CUDA's driver has, whose architectures NVRTC knows.
#include "cuda/runtime/compiler.hpp"

#include <fmt/core.h>

#include <array>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "cuda/runtime/driver.hpp"

namespace boltzmark::cuda {

using namespace device;

namespace {

constexpr const char* registers_option = "--maxrregcount=";

/// The options one by one; -D and its name, two words to OpenCL's compilers, are one to NVRTC.
std::vector<std::string> option_words(const std::string& options) {
  std::vector<std::string> words;
  for (const std::string& word : words_in(options))
    if (!words.empty() && words.back() == "-D")
      words.back() += word;
    else
      words.push_back(word);
  return words;
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
    throw unavailable("cannot build the CUDA kernels for {} ({}, {}):\n{}", device.name, device.driver, options,
                      compilation.log());
  return compilation.image();
}

std::string compiler_options(const ComputeDevice& device, const BuildOptions& options, const KernelShape& shape) {
  // Denormals, divisions and roots as OpenCL has them with -cl-denorms-are-zero: the same arithmetic in both models.
  std::string text =
      fmt::format("--std=c++20 --gpu-architecture={}{} --ftz=true --prec-div=false --prec-sqrt=false {}",
                  device.architecture, shape.is_for_architecture ? "a" : "", common_defines(options, shape));
  if (shape.reduction == Reduction::subgroup) text += " -D WARP_SHUFFLES";
  if (shape.native_math) text += " -D NATIVE_MATH";
  if (shape.most_registers > 0) text += fmt::format(" {}{}", registers_option, shape.most_registers);
  return with_more(text, options, shape);
}

namespace {

int attribute(CUdevice number, DeviceAttribute what) {
  int value = 0;
  check(driver().cuDeviceGetAttribute(&value, what, number), "cuDeviceGetAttribute");
  return value;
}

std::string name_of(CUdevice number) {
  std::array<char, 256> name{};
  check(driver().cuDeviceGetName(name.data(), static_cast<int>(name.size()), number), "cuDeviceGetName");
  return name.data();
}

/// "0000:17:00.0", as NVML has it.
std::string pci_address(CUdevice number) {
  std::array<char, 32> address{};
  check(driver().cuDeviceGetPCIBusId(address.data(), static_cast<int>(address.size()), number), "cuDeviceGetPCIBusId");
  return address.data();
}

/// "CUDA 13.0": the newest that the driver runs.
std::string driver_text() {
  int version = 0;
  check(driver().cuDriverGetVersion(&version), "cuDriverGetVersion");
  int major = 0, minor = 0;
  nvrtc().nvrtcVersion(&major, &minor);
  return fmt::format("CUDA {}.{}, NVRTC {}.{}", version / 1000, version % 1000 / 10, major, minor);
}

/// Machine code of the device's own architecture; or where the compiler is older than that, PTX of the newest one it
/// knows, from which the driver makes machine code. A table ahead of time would end with the chips of its day.
void choose_architecture(ComputeDevice& device, CUdevice number) {
  const int own = 10 * attribute(number, capability_major) + attribute(number, capability_minor);
  int count = 0;
  nvrtc().nvrtcGetNumSupportedArchs(&count);
  std::vector<int> known(static_cast<std::size_t>(count));
  nvrtc().nvrtcGetSupportedArchs(known.data());
  int newest = 0;
  for (const int each : known)
    if (each <= own && each > newest) newest = each;
  device.capability = newest == 0 ? own : newest;
  device.architecture = fmt::format("{}_{}", newest == own ? "sm" : "compute", device.capability);
}

ComputeDevice describe(CUdevice number) {
  ComputeDevice device;
  device.handle = static_cast<std::uintptr_t>(number);
  device.type = DeviceType::gpu;
  device.name = name_of(number);
  device.platform = "NVIDIA CUDA";
  device.driver = driver_text();
  device.pci_address = pci_address(number);
  device.units = attribute(number, multiprocessors);
  std::size_t bytes = 0;
  check(driver().cuDeviceTotalMem_v2(&bytes, number), "cuDeviceTotalMem");
  device.global_bytes = device.largest_buffer_bytes = bytes;
  device.local_bytes = static_cast<std::uint64_t>(attribute(number, shared_memory_per_block));
  device.cache_bytes = static_cast<std::uint64_t>(attribute(number, second_level_cache_bytes));
  device.shares_memory = attribute(number, is_integrated) != 0;
  device.max_work_group = static_cast<std::size_t>(attribute(number, max_threads_per_block));
  device.max_work_group_x = static_cast<std::size_t>(attribute(number, max_block_x));
  device.max_work_group_y = static_cast<std::size_t>(attribute(number, max_block_y));
  device.max_work_group_z = static_cast<std::size_t>(attribute(number, max_block_z));
  device.has_doubles = true;
  device.sub_groups = SubGroups::warps;
  device.sub_group_size = attribute(number, warp_size);
  choose_architecture(device, number);
  device.unit_local_bytes = static_cast<std::uint64_t>(attribute(number, shared_memory_per_multiprocessor));
  device.unit_items = attribute(number, threads_per_multiprocessor);
  return device;
}

}  // namespace

std::vector<ComputeDevice> find_devices() {
  driver();  // what is missing is said first
  return attempt("ask the CUDA devices what they are", [] {
    int count = 0;
    check(driver().cuDeviceGetCount(&count), "cuDeviceGetCount");
    std::vector<ComputeDevice> found;
    for (int i = 0; i < count; ++i) {
      CUdevice number = 0;
      check(driver().cuDeviceGet(&number, i), "cuDeviceGet");
      found.push_back(describe(number));
      found.back().number = i;
    }
    return found;
  });
}

}  // namespace boltzmark::cuda
