#include "mpi/device_ranks.hpp"

#include <fmt/core.h>

#include <array>

#include "common/base/text.hpp"
#include "common/run/provenance.hpp"
#include "cuda/runtime/api.hpp"
#ifdef BOLTZMARK_HAS_OPENCL
#include "opencl/runtime/api.hpp"
#endif

namespace boltzmark::mpi {
namespace {
constexpr const char* local_name = "local";
}  // namespace

std::string local_in(int argc, char** argv) { return value_in(argc, argv, local_name).value_or("cpu"); }

bool use_device_api(const std::string& local) {
  if (local == "cuda") {
    device::use(cuda::api());
  } else if (local == "opencl") {
#ifdef BOLTZMARK_HAS_OPENCL
    device::use(opencl::api());
#else
    throw unavailable(
        "--local opencl: this program was built without OpenCL; install ocl-icd-opencl-dev and "
        "opencl-clhpp-headers and build it again");
#endif
  } else {
    return false;
  }
  return true;
}

ModelOption local_option() {
  return {.name = local_name,
          .value = "ENGINE",
          .help = "where each rank computes; default: cpu; see --local opencl --help for its variants and options",
          .choices = {"cpu", "opencl", "cuda"}};
}

device::ComputeDevice device_of_rank(const Options& asked, int local_rank) {
  const auto devices = device::choose_devices(asked.text("device"));
  const device::ComputeDevice& device = devices[static_cast<std::size_t>(local_rank) % devices.size()];
  if (asked.precision == Precision::f64 && !device.has_doubles)
    throw unavailable("--precision: {} has no double precision", device.name);
  return device;
}

std::string crowded_devices(const Options& asked, int local_ranks) {
  const auto devices = device::choose_devices(asked.text("device"));
  if (local_ranks <= static_cast<int>(devices.size())) return "";
  return fmt::format("{} of this machine share {}: {}", counted(local_ranks, "rank"),
                     counted(static_cast<std::int64_t>(devices.size()), fmt::format("{} device", device::api().name)),
                     devices.front().name);
}

std::vector<std::string> names_of_devices(const device::ComputeDevice& device) {
  std::array<char, 256> mine{};
  fmt::format_to_n(mine.data(), mine.size() - 1, "{} {} {}", provenance_now().host, device.number, device.name);
  std::vector<char> all(mine.size() * static_cast<std::size_t>(size_of(MPI_COMM_WORLD)));
  MPI_Gather(mine.data(), mine.size(), MPI_CHAR, all.data(), mine.size(), MPI_CHAR, 0, MPI_COMM_WORLD);
  std::vector<std::string> names;
  for (std::size_t at = 0; at < all.size(); at += mine.size()) names.emplace_back(&all[at]);
  return names;
}

int run_on_local(int argc, char** argv, const char* name, const std::function<Program()>& on_processors,
                 const std::function<Program()>& on_devices) {
  return run_on_ranks(argc, argv, [&](int words, char** line, Team& team) {
    Program program;
    const int status = Stages(name, team).together([&] {
      program = use_device_api(local_in(words, line)) ? on_devices() : on_processors();
      program.model = "mpi";
      program.where = on_ranks;
      program.options.push_back(local_option());
    });
    return status ? status : run_program(words, line, program, team);
  });
}

}  // namespace boltzmark::mpi
