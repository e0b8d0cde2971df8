#include "openmp_target/runtime/device.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "common/base/error.hpp"
#include "common/cpu/memory.hpp"
#include "common/run/provenance.hpp"
#include "openmp_target/runtime/cuda_driver.hpp"

namespace boltzmark::openmp_target {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// The file of the offload runtime in this process, empty when there is none.
std::filesystem::path runtime_file() {
  Dl_info found;
  void* const symbol = dlsym(RTLD_DEFAULT, "__tgt_register_lib");
  if (!symbol || !dladdr(symbol, &found) || !found.dli_fname) return {};
  return found.dli_fname;
}

const char* architecture_name(Architecture architecture) {
  switch (architecture) {
    case Architecture::x86_64:
      return "x86_64";
    case Architecture::aarch64:
      return "aarch64";
    case Architecture::nvptx64:
      return "nvptx64";
    case Architecture::amdgcn:
      return "amdgcn";
    case Architecture::other:
      break;
  }
  return "unknown";
}

int device_count() {
  if (const int count = omp_get_num_devices(); count > 0) return count;
  if (lower_case(variable("OMP_TARGET_OFFLOAD")) == "disabled")
    throw unavailable("no offload device: OMP_TARGET_OFFLOAD={} turns offloading off",
                      variable("OMP_TARGET_OFFLOAD"));
  throw unavailable("no offload device: the runtime {} has no plugin that runs this program's images ({})",
                    runtime_file().string(), BOLTZMARK_OFFLOAD_IMAGES);
}

/// The runtime unpacks an image for the processor itself into a file, loads it from there, and never removes
/// the file: that is left to us.
void remove_unpacked_image(const Surroundings& inside) {
  Dl_info found;
  if (inside.is_gpu() || !dladdr(reinterpret_cast<void*>(inside.code), &found) || !found.dli_fname) return;
  const std::filesystem::path file = found.dli_fname;
  std::error_code failed;
  if (file.filename().string().starts_with("tmpfile_")) std::filesystem::remove(file, failed);
}

/// Looks at a device from inside; a region that ran on the host is no look at it.
OffloadDevice visit(int number) {
  OffloadDevice device = {number, look_round(number), "", false};
  if (!device.inside.on_device)
    throw unavailable("offload device {}: a target region for it ran on the host", number);
  remove_unpacked_image(device.inside);
  if (!device.inside.is_gpu()) device.hardware = cpu_name();
  if (device.inside.architecture == Architecture::nvptx64) {
    device.hardware = cuda_device_name();
    device.waits_in_a_loop = wait_for_cuda_in_a_loop();
  }
  return device;
}

std::optional<int> number_in(const std::string& text) {
  int number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || read.ec != std::errc{} || read.ptr != text.data() + text.size()) return {};
  return number;
}

}  // namespace

void prepare_runtime(char** argv) {
  // Both are read before main begins, the search path by the loader and the other by the runtime's
  // constructor, hence the new start. The runtime asks for its plugins by bare file name, and distributions
  // keep them where only it lies.
  bool changed = false;
  const std::string folder = runtime_file().parent_path(), searched = variable("LD_LIBRARY_PATH");
  if (!folder.empty() && (":" + searched + ":").find(":" + folder + ":") == std::string::npos) {
    setenv("LD_LIBRARY_PATH", (searched.empty() ? folder : searched + ":" + folder).c_str(), 1);
    changed = true;
  }
  const std::string policy = lower_case(variable("OMP_TARGET_OFFLOAD"));
  if (policy != "mandatory" && policy != "disabled") {
    setenv("OMP_TARGET_OFFLOAD", "MANDATORY", 1);
    changed = true;
  }
  std::error_code failed;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (changed && !failed) execv(program.c_str(), argv);
}

std::string runtime_version() {
  std::error_code failed;
  const auto file = std::filesystem::canonical(runtime_file(), failed);
  return fmt::format("{}, OpenMP {}", file.filename().string(), _OPENMP);
}

std::string OffloadDevice::name() const { return hardware.empty() ? offload_name() : hardware; }

std::string OffloadDevice::offload_name() const {
  return fmt::format("{} offload device {}", architecture_name(inside.architecture), number);
}

std::string OffloadDevice::details() const {
  std::vector<std::string> details;
  if (!hardware.empty()) details.push_back(offload_name());
  if (!inside.is_gpu())
    details.push_back(
        fmt::format("{} cores usable, {} f32 lanes, every host offload device is the same processor",
                    inside.processors, inside.lanes_f32));
  else if (inside.architecture_level)
    details.push_back(fmt::format("image for sm_{}", inside.architecture_level / 10));
  return fmt::format("{}", fmt::join(details, ", "));
}

Launch launch_for(const OffloadDevice& device, std::optional<int> threads, std::int64_t cells) {
  constexpr int gpu_threads = 128;
  if (!device.inside.is_gpu()) return {device.number, 1, threads.value_or(device.inside.max_threads)};
  const int of_team = threads.value_or(gpu_threads);
  return {device.number, static_cast<int>((cells + of_team - 1) / of_team), of_team};
}

Launch launch_for_one_wave(const OffloadDevice& device, std::optional<int> threads, std::int64_t cells,
                           int value_bytes) {
  if (!device.inside.is_gpu()) return launch_for(device, threads, cells);
  // On a small grid a team for each of a large GPU's (about 130) multiprocessors, a thread for each cell, as
  // far as a multiprocessor has registers for the team; on a larger one as many threads as there is room for.
  constexpr std::int64_t multiprocessors = 128, most_teams = 4096;
  constexpr int small_team = 128;
  const int large_team = value_bytes == 4 ? 512 : 256, team_on_large_grid = large_team / 2;
  const auto even = static_cast<int>(
      std::bit_ceil(static_cast<std::uint64_t>((cells + multiprocessors - 1) / multiprocessors)));
  const int of_team = threads.value_or(even > large_team ? team_on_large_grid : std::max(even, small_team));
  if (!device.inside.teams_can_wait) return {device.number, 1, of_team};
  return {device.number, static_cast<int>(std::min(most_teams, (cells + of_team - 1) / of_team)), of_team};
}

std::string memory_shortage_on(const OffloadDevice& device, double bytes) {
  if (!device.inside.is_gpu()) return memory_shortage(static_cast<std::uint64_t>(bytes));
  return has_memory(device.number, static_cast<std::size_t>(bytes)) ? "" : "less";
}

void check_witness(const OffloadDevice& device, const Witness& witness, std::int64_t regions,
                   const Launch& launch) {
  if (witness.regions != regions)
    throw unavailable("{}: {} of {} target regions ran on the host", device.name(), regions - witness.regions,
                      regions);
  if (witness.misfits > 0)
    throw unavailable("--threads: expected teams of {} threads, found that {} gives {} teams of {}",
                      launch.threads, device.name(), witness.teams, witness.threads);
}

OffloadDevice choose_device(const std::string& wanted) {
  const int count = device_count();
  if (const auto number = number_in(wanted)) {
    if (*number >= 0 && *number < count) return visit(*number);
    throw bad_input("--device: expected a number from 0 to {}, found {}", count - 1, wanted);
  }
  const std::string text = lower_case(wanted);
  const bool is_type = text == "gpu" || text == "cpu";
  // One after the other, because the first look at a GPU takes memory and time on it.
  for (int number = 0; number < count; ++number) {
    const OffloadDevice device = visit(number);
    if (text.empty()
            ? device.inside.is_gpu()
            : (is_type ? device.type() == text : lower_case(device.name()).find(text) != std::string::npos))
      return device;
  }
  if (text.empty()) return visit(0);
  if (is_type) throw unavailable("--device: no offload device here is a {}", text);
  throw bad_input("--device: no offload device has \"{}\" in its name; see --list-devices", wanted);
}

std::vector<Device> list_devices() {
  std::vector<Device> devices;
  for (int number = 0, count = device_count(); number < count; ++number) {
    const OffloadDevice device = visit(number);
    devices.push_back({device.type(), device.name(), device.details()});
  }
  return devices;
}

}  // namespace boltzmark::openmp_target
