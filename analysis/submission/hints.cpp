// A command to try for a folder of sources without a Makefile.
#include "analysis/submission/checks.hpp"

#include <array>

#include "analysis/support/locations.hpp"
#include "analysis/support/process.hpp"

namespace boltzmark {
namespace {

constexpr std::array endings = {".c", ".cc", ".cpp", ".cxx", ".cu"};

/// The sources in a folder, not below it.
struct Sources {
  std::vector<std::string> names, programs, parts;  ///< programs have a main(), parts have none
  std::string ending;                               ///< of the last kind found
  bool has_mpi = false, has_openmp = false, has_opencl = false;
};

bool has_main(const std::string& text) {
  for (std::size_t at = 0; (at = text.find("main", at)) != text.npos; ++at) {
    const std::size_t next = text.find_first_not_of(blanks, at + 4);
    if (at > 0 && blanks.find(text[at - 1]) != blanks.npos && next != text.npos && text[next] == '(') return true;
  }
  return false;
}

Sources sources_in(const fs::path& folder) {
  Sources all;
  for (const char* ending : endings)
    for (const std::string& stem : names_between(folder, "", ending)) {
      const std::string name = stem + ending, text = tail_of(folder / name, std::size_t{1} << 20);
      const auto has = [&text](const char* words) { return text.find(words) != text.npos; };
      all.ending = ending;
      all.names.push_back(name);
      (has_main(text) ? all.programs : all.parts).push_back(name);
      all.has_mpi |= has("mpi.h");
      all.has_openmp |= has("#pragma omp") || has("omp.h");
      all.has_opencl |= has("CL/cl") || has("opencl.h");
    }
  return all;
}

/// Makefiles with a wrong name: Makefile.c, makefile.txt.
std::vector<std::string> misnamed_makefiles(const fs::path& folder) {
  std::vector<std::string> names = names_between(folder, "", "");
  std::erase_if(names, [](const std::string& name) { return !lower_case(name).starts_with("makefile"); });
  return names;
}

/// The first program among these sources, and all sources without a main.
std::string build_of(const Sources& all) {
  const bool is_cuda = all.ending == ".cu", is_c = all.ending == ".c";
  std::string line = is_cuda ? "nvcc" : all.has_mpi ? (is_c ? "mpicc" : "mpicxx") : is_c ? "gcc" : "g++";
  line += all.has_openmp && !is_cuda ? " -O3 -fopenmp -o d2q9-bgk " : " -O3 -o d2q9-bgk ";
  const bool is_one_kind = std::ranges::all_of(all.names, [&](const auto& name) { return name.ends_with(all.ending); });
  std::vector<std::string> files = all.parts;
  if (!all.programs.empty()) files.insert(files.begin(), all.programs.front());
  line += all.programs.size() < 2 && is_one_kind ? "*" + all.ending : shell_line(files);
  return line + (all.has_opencl ? " -lOpenCL -lm" : " -lm");
}

}  // namespace

std::string makefile_missing(const fs::path& folder) {
  if (const auto misnamed = misnamed_makefiles(folder); !misnamed.empty())
    return fmt::format("expected a Makefile, found {}: rename it, or try --build \"make -B -f {}\"", misnamed.front(),
                       shell_line({misnamed.front()}));
  if (is_file(folder / "CMakeLists.txt"))
    return "expected a Makefile, found CMakeLists.txt; try --build \"cmake . && make\"";
  const Sources all = sources_in(folder);
  if (all.names.empty()) return {};
  const bool is_choice = all.programs.size() > 1;
  return fmt::format(
      "expected a Makefile, found {}; {}try --build \"{}\"{}",
      is_choice ? fmt::format("{} programs ({})", all.programs.size(), join(all.programs, ", ")) : all.names.front(),
      is_choice ? "for the first " : "", build_of(all), all.has_mpi ? " --run \"mpirun -np 4 ./d2q9-bgk\"" : "");
}

}  // namespace boltzmark
