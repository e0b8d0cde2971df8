#include "openmp_target/runtime/device.hpp"

#include <dlfcn.h>
#include <fmt/core.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/cpu/memory.hpp"
#include "common/cpu/openmp.hpp"
#include "common/run/provenance.hpp"
#include "openmp_target/runtime/device_memory.hpp"
#include "openmp_target/runtime/team.hpp"

namespace boltzmark::openmp_target {
namespace {

#pragma omp begin declare target

DeviceProperties properties() {
  DeviceProperties here;
  here.on_device = !omp_is_initial_device();
#if defined(__NVPTX__)
  here.architecture = Architecture::nvptx64;
  here.architecture_level = __CUDA_ARCH__;
#elif defined(__AMDGCN__)
  here.architecture = Architecture::amdgcn;
#elif defined(__x86_64__)
  here.architecture = Architecture::x86_64;
#elif defined(__aarch64__)
  here.architecture = Architecture::aarch64;
#endif
  here.code = reinterpret_cast<std::uintptr_t>(&properties);
  here.processors = omp_get_num_procs();
  here.max_threads = omp_get_max_threads();
  here.lanes_f32 = ImageLanes<float>::value;
  here.lanes_f64 = ImageLanes<double>::value;
  here.sum_group = Image::sum_group;
  here.teams_can_wait = Image::teams_can_wait;
  return here;
}

#pragma omp end declare target

/// Runs a region on offload device `device` and returns the facts found there.
DeviceProperties query_device(int device) {
  DeviceProperties found;
#pragma omp target map(tofrom : found) device(device)
  found = properties();
  return found;
}

/// Threads of a team on a processor if this many are requested; limits (KMP_TEAMS_THREAD_LIMIT) may allow fewer.
int threads_given(int device, int wanted) {
  int given = 0;
#pragma omp target teams num_teams(1) thread_limit(wanted) map(tofrom : given) device(device)
#pragma omp parallel num_threads(wanted)
  if (omp_get_thread_num() == 0) given = omp_get_num_threads();
  return given;
}

/// Default number of threads on a processor: as many as it gives, up to the number of its cores. All offload devices
/// that are processors are the same one.
int default_threads_of(int device, const DeviceProperties& found) {
  static const int threads = threads_given(device, std::min(default_threads(found.max_threads), found.processors));
  return threads;
}

/// Whether `bytes` can be allocated on the device.
bool has_memory(int device, std::size_t bytes) {
  void* const trial = omp_target_alloc(bytes, device);
  if (trial) omp_target_free(trial, device);
  return trial != nullptr;
}

/// A function of the driver library loaded by the offload plugin, or nullptr. Linking with it would keep the program
/// from starting without a driver.
template <class Function>
Function* driver_function(const char* name) {
  static void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  return library ? reinterpret_cast<Function*>(dlsym(library, name)) : nullptr;
}

// The plugin leaves its context current in the thread whose region it has run. Interfaces and numbers: CUDA
// driver API, "Context Management" and "Device Management". A result of 0 is success.
using GetDevice = int(int* device);
using GetText = int(char* text, int size, int device);
using GetAttribute = int(int* value, int attribute, int device);
using GetFlags = int(unsigned* flags);
using SetFlags = int(unsigned flags);
constexpr unsigned schedule_mask = 7, schedule_spin = 1;
constexpr int multiprocessor_count = 16;

/// Answer of a query ("cuDeviceGetName") about the NVIDIA GPU of this thread's latest region; "" if it fails.
std::string cuda_text(const char* query) {
  const auto get_device = driver_function<GetDevice>("cuCtxGetDevice");
  const auto get_text = driver_function<GetText>(query);
  int device = 0;
  char text[256] = "";
  if (!get_device || !get_text || get_device(&device) != 0 || get_text(text, sizeof(text), device) != 0) return "";
  return text;
}

/// An attribute (CUdevice_attribute) of that GPU; 0 if the query fails.
int cuda_number(int attribute) {
  const auto get_device = driver_function<GetDevice>("cuCtxGetDevice");
  const auto get_attribute = driver_function<GetAttribute>("cuDeviceGetAttribute");
  int device = 0, value = 0;
  if (!get_device || !get_attribute || get_device(&device) != 0 || get_attribute(&value, attribute, device) != 0)
    return 0;
  return value;
}

/// Makes the host poll that GPU instead of sleeping: LLVM's plugin requests sleep, and waking up takes longer than a
/// small region. Returns whether the driver (12.1 or later) agreed.
bool wait_for_cuda_in_a_loop() {
  const auto get_flags = driver_function<GetFlags>("cuCtxGetFlags");
  const auto set_flags = driver_function<SetFlags>("cuCtxSetFlags");
  unsigned flags = 0;
  return get_flags && set_flags && get_flags(&flags) == 0 && set_flags((flags & ~schedule_mask) | schedule_spin) == 0;
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

/// The file of the offload runtime in this process, empty if there is none.
std::filesystem::path runtime_file() {
  Dl_info found;
  void* const symbol = dlsym(RTLD_DEFAULT, "__tgt_register_lib");
  if (!symbol || !dladdr(symbol, &found) || !found.dli_fname) return {};
  return found.dli_fname;
}

/// Of each Architecture.
constexpr std::array architecture_names = {"unknown", "x86_64", "aarch64", "nvptx64", "amdgcn"};

int device_count() {
  if (const int count = omp_get_num_devices(); count > 0) return count;
  if (lower_case(variable("OMP_TARGET_OFFLOAD")) == "disabled")
    throw unavailable("no offload device: OMP_TARGET_OFFLOAD={} turns offloading off", variable("OMP_TARGET_OFFLOAD"));
  throw unavailable("no offload device: the runtime {} has no plugin that runs this program's images ({})",
                    runtime_file().string(), BOLTZMARK_OFFLOAD_IMAGES);
}

/// Removes the file into which the runtime unpacks an image for the processor itself, and which it does not delete.
void remove_unpacked_image(const DeviceProperties& properties) {
  Dl_info found;
  if (properties.is_gpu() || !dladdr(reinterpret_cast<void*>(properties.code), &found) || !found.dli_fname) return;
  const std::filesystem::path file = found.dli_fname;
  std::error_code failed;
  if (file.filename().string().starts_with("tmpfile_")) std::filesystem::remove(file, failed);
}

/// Queries a device by a region on it; a region that ran on the host would say nothing about the device.
OffloadDevice inspect(int number) {
  const FirstThreads first;
  OffloadDevice device = {.number = number, .properties = query_device(number)};
  if (!device.properties.on_device)
    throw unavailable("offload device {}: a target region for it ran on the host", number);
  remove_unpacked_image(device.properties);
  if (!device.properties.is_gpu()) {
    device.hardware = cpu_name();
    device.properties.max_threads = default_threads_of(number, device.properties);
  }
  if (device.properties.architecture == Architecture::nvptx64) {
    device.hardware = cuda_text("cuDeviceGetName");
    device.waits_in_a_loop = wait_for_cuda_in_a_loop();
    device.multiprocessors = cuda_number(multiprocessor_count);
  }
  return device;
}

/// LLVM's runtime leaves a file in shared memory if its process is killed.
void remove_leftovers() {
  std::error_code failed;
  for (std::filesystem::directory_iterator one("/dev/shm", failed), end; !failed && one != end; one.increment(failed)) {
    int process = 0;
    unsigned user = 0;
    if (std::sscanf(one->path().filename().c_str(), "__KMP_REGISTERED_LIB_%d_%u", &process, &user) == 2 &&
        user == getuid() && kill(process, 0) != 0 && errno == ESRCH)
      unlink(one->path().c_str());
  }
}

}  // namespace

void prepare_runtime(char** argv) {
  // Both are read before main begins, the search path by the loader and the other by the runtime's
  // constructor, hence the new start. The runtime asks for its plugins by bare file name, and distributions
  // keep them in the runtime's folder only.
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
  remove_leftovers();
}

std::string threads_warning(const Options& asked) {
  const int told = told_threads();
  if (told == 0 || asked.number("threads")) return {};
  const OffloadDevice device = choose_device(asked.text("device"));
  const int most = device.properties.max_threads;
  if (device.properties.is_gpu() || told <= most) return {};
  return fmt::format("OMP_NUM_THREADS: expected at most {}, all that {} gives a team, found {}; {} used",
                     counted(most, "thread"), device.name(), told, most == 1 ? "1 is" : fmt::format("{} are", most));
}

std::string runtime_version() {
  std::error_code failed;
  const auto file = std::filesystem::canonical(runtime_file(), failed);
  return fmt::format("{}, OpenMP {}", file.filename().string(), _OPENMP);
}

std::string OffloadDevice::name() const { return hardware.empty() ? offload_name() : hardware; }

std::string OffloadDevice::offload_name() const {
  return fmt::format("{} offload device {}", architecture_names[static_cast<std::size_t>(properties.architecture)],
                     number);
}

std::string OffloadDevice::details() const {
  std::vector<std::string> details;
  if (!hardware.empty()) details.push_back(offload_name());
  if (!properties.is_gpu())
    details.push_back(fmt::format("{} usable, {} f32 lanes, every host offload device is the same processor",
                                  counted(properties.processors, "core"), properties.lanes_f32));
  else if (properties.architecture_level)
    details.push_back(fmt::format("image for sm_{}", properties.architecture_level / 10));
  return join(details, ", ");
}

namespace {

/// Threads of a team on a GPU, whose neighbours add up their values.
int threads_of_team(const OffloadDevice& device, std::optional<int> asked, int best) {
  constexpr int group = 32;
  if (asked && *asked % group != 0)
    throw unavailable("--threads: expected a multiple of {}, which {} does together, found {}", group, device.name(),
                      *asked);
  return asked.value_or(best);
}

}  // namespace

RegionLaunch launch_for(const OffloadDevice& device, std::optional<int> threads, std::int64_t items) {
  constexpr int gpu_threads = 128;
  if (!device.properties.is_gpu()) return {device.number, 1, threads.value_or(device.properties.max_threads)};
  const int of_team = threads_of_team(device, threads, gpu_threads);
  return {device.number, static_cast<int>((items + of_team - 1) / of_team), of_team};
}

RegionLaunch launch_for_one_wave(const OffloadDevice& device, std::optional<int> threads, std::int64_t cells,
                                 int value_bytes) {
  if (!device.properties.is_gpu()) return launch_for(device, threads, cells);
  // Small grids: one team for each of a large GPU's (about 130) multiprocessors and one thread per cell, within a
  // multiprocessor's registers. Larger grids: as many threads as fit.
  constexpr std::int64_t multiprocessors = 128, most_teams = 4096;
  constexpr int small_team = 128;
  const int large_team = value_bytes == 4 ? 512 : 256, team_on_large_grid = large_team / 2;
  const auto even =
      static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>((cells + multiprocessors - 1) / multiprocessors)));
  const int of_team =
      threads_of_team(device, threads, even > large_team ? team_on_large_grid : std::max(even, small_team));
  if (!device.properties.teams_can_wait) return {device.number, 1, of_team};
  return {device.number, static_cast<int>(std::min(most_teams, (cells + of_team - 1) / of_team)), of_team};
}

std::string memory_shortage_on(const OffloadDevice& device, double bytes) {
  if (!device.properties.is_gpu()) return memory_shortage(static_cast<std::uint64_t>(bytes));
  // A device returns no address for zero bytes: sums of pi have no fields.
  return bytes < 1.0 || has_memory(device.number, static_cast<std::size_t>(bytes)) ? "" : "less";
}

std::string shortage_on(const OffloadDevice& device, double bytes, bool on_host_too) {
  const double copies = device.properties.is_gpu() ? 1.0 : 2.0;  // a processor holds those of the device too
  const std::string here = on_host_too ? memory_shortage(static_cast<std::uint64_t>(copies * bytes)) : "";
  const std::string there = memory_shortage_on(device, bytes);
  return !here.empty() || there.empty() ? here : there + " on " + device.name();
}

void expect_processor(const char* variant, const OffloadDevice& device) {
  if (device.properties.is_gpu())
    throw unavailable("{}: expected a processor as offload device, found {}", variant, device.name());
}

void check_launches(const OffloadDevice& device, const LaunchRecord& record, std::int64_t regions,
                    const RegionLaunch& launch) {
  if (record.regions != regions)
    throw unavailable("{}: {} of {} target regions ran on the host", device.name(), regions - record.regions, regions);
  if (record.mismatches > 0)
    throw unavailable("--threads: expected teams of {} threads, found that {} gives {} of {}{}", launch.threads,
                      device.name(), counted(record.teams, "team"), record.threads, set_variables());
}

OffloadDevice choose_device(const std::string& wanted) {
  const int count = device_count();
  if (const auto number = parse_number<int>(wanted)) {
    if (*number >= 0 && *number < count) return inspect(*number);
    throw bad_input("--device: expected a number from 0 to {}, found {}", count - 1, wanted);
  }
  const std::string text = lower_case(wanted);
  const bool is_type = text == "gpu" || text == "cpu";
  // In turn, because the first region on a GPU takes memory and time there.
  for (int number = 0; number < count; ++number) {
    const OffloadDevice device = inspect(number);
    if (text.empty() ? device.properties.is_gpu()
                     : (is_type ? device.type() == text : lower_case(device.name()).find(text) != std::string::npos))
      return device;
  }
  if (text.empty()) return inspect(0);
  if (is_type) throw unavailable("--device: no offload device here is a {}", text);
  throw bad_input("--device: no offload device has \"{}\" in its name; see --list-devices", wanted);
}

void wake(int device_number) {
  int awake = 0;
#pragma omp target map(tofrom : awake) device(device_number)
  awake = 1;
}

void empty_regions(int device_number, int regions) {
  for (; regions > 0; --regions) {
#pragma omp target teams distribute parallel for num_teams(1) num_threads(1) device(device_number)
    for (int i = 0; i < 1; ++i) {
    }
  }
}

RunFacts device_facts(const OffloadDevice& device, const RegionLaunch& launch, const LaunchRecord& record) {
  const bool is_gpu = device.properties.is_gpu();
  RunFacts facts = {
      .device = device.name(),
      .device_type = device.type(),
      .pci_address = device.properties.architecture == Architecture::nvptx64 ? cuda_text("cuDeviceGetPCIBusId") : "",
      .driver = runtime_version(),
      .threads = is_gpu ? 0 : launch.teams * launch.threads,
      .write_allocate = !is_gpu,
      .settings = {{"device_number", device.number},
                   {"teams", launch.teams},
                   {"threads_per_team", launch.threads},
                   {"regions_on_device", record.regions},
                   {"host_waits", device.waits_in_a_loop ? "in a loop" : "as the runtime does"}}};
  if (memory_is_managed) facts.settings["memory"] = "managed";
  return facts;
}

OffloadDevice choose_device(const Options& asked) {
  const OffloadDevice device = choose_device(asked.text("device"));
  memory_is_managed = asked.text("memory") == "managed";
  if (memory_is_managed && !(device.properties.is_gpu() && llvm_omp_target_alloc_shared))
    throw unavailable("--memory managed: expected a GPU and LLVM's offload runtime, found {}, {}", device.name(),
                      runtime_version());
  return device;
}

ModelOption memory_option() {
  return {.name = "memory",
          .value = "device|managed",
          .help = "where arrays are: in device memory, or in managed memory (pages migrate on access); default: device",
          .choices = {"device", "managed"},
          .is_users = true};
}

ModelOption team_threads_option() {
  return threads_option("on a processor all cores, on a GPU a team size that suits the variant");
}

std::vector<Device> list_devices() {
  std::vector<Device> devices;
  for (int number = 0, count = device_count(); number < count; ++number) {
    const OffloadDevice device = inspect(number);
    devices.push_back({device.type(), device.name(), device.details()});
  }
  return devices;
}

int run_on_device(int argc, char** argv, const WorkloadEntry& workload, const Variants& variants,
                  DefaultVariant usual) {
  prepare_runtime(argv);
  Program program = {.workload = &workload,
                     .model = "openmp_target",
                     .where = "in OpenMP target regions on an offload device",
                     .variants = changed(variants, [](Variant& one) {
                       if (one.role != Role::textbook) one.options.push_back(memory_option());  // those map arrays
                     })};
  program.default_variant = std::move(usual);
  program.options = {team_threads_option(), device_option()};
  program.devices = list_devices;
  program.warning = threads_warning;
  return run_program(argc, argv, program);
}

}  // namespace boltzmark::openmp_target
