// Every reader of files under libFuzzer (https://llvm.org/docs/LibFuzzer.html), with the sanitizers of addresses and of
// undefined behaviour:
//
//   fuzz READER FOLDER... [libFuzzer's options]     e.g. fuzz plan corpus/plan -max_total_time=60
//
// What a reader may do with a file of any content: read it, or throw the Error that its declaration names. Anything
// else (a crash, another exception, memory without end) is a finding.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/run_tables.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/run/plan.hpp"
#include "analysis/store/store.hpp"
#include "common/base/error.hpp"
#include "common/lbm/check.hpp"
#include "common/lbm/output.hpp"
#include "common/lbm/problem_files.hpp"
#include "common/run/tuned.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;
using Content = std::string_view;

/// Files of this process, from which readers read.
const fs::path& place() {
  // Never destroyed: it is still needed at the exit.
  static const fs::path& folder = *[] {
    const char* const memory = "/dev/shm";  // where there is one, nothing goes to a disk
    fs::path path = access(memory, W_OK) == 0 ? fs::path(memory) : fs::temp_directory_path();
    path /= fmt::format("boltzmark-fuzz-{}", getpid());
    fs::create_directory(path);
    std::atexit([] { fs::remove_all(place()); });
    return new fs::path(path);
  }();
  return folder;
}

fs::path file_with(const char* name, Content content) {
  const fs::path file = place() / name;
  std::FILE* const out = std::fopen(file.c_str(), "wb");
  if (!out || std::fwrite(content.data(), 1, content.size(), out) != content.size()) std::abort();
  std::fclose(out);
  return file;
}

/// A grid on which every kind of fault of a cell can be made.
lbm::Problem small_problem() {
  lbm::Problem problem;
  problem.parameters = {
      .nx = 3, .ny = 3, .iterations = 2, .reynolds_dim = 1, .density = 0.1, .accel = 0.01, .omega = 1.0};
  problem.solid = {4};
  return problem;
}

void read_params(Content content) { lbm::read_parameters(file_with("input.params", content)); }

/// For a grid in two dimensions where the first character is even, else in three.
void read_obstacles(Content content) {
  lbm::Problem problem;
  problem.parameters.nx = 16;
  problem.parameters.ny = 8;
  if (!content.empty() && content.front() % 2 != 0) {
    problem.parameters.dimension = 3;
    problem.parameters.nz = 3;
  }
  lbm::read_obstacles(file_with("obstacles.dat", content), problem);
  const auto& solid = problem.solid;
  if (solid.empty() || solid.front() < 0 || solid.back() >= problem.cells()) std::abort();
}

/// The same two files from a program outside the suite, which may hold values that are not numbers.
void read_result(Content averages, Content state, const lbm::Problem& problem) {
  file_with(lbm::averages_file, averages);
  file_with(lbm::state_file, state);
  try {
    const lbm::Answer result = lbm::read_result(place(), problem, 2);
    lbm::compare(result.av_vels, result.state, problem, result);
  } catch (const lbm::ResultError& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
}

/// Both files of an answer, apart by a line of a single "=".
void read_answer(Content content) {
  const auto at = content.find("=\n");
  const Content averages = content.substr(0, at), state = at == content.npos ? "" : content.substr(at + 2);
  file_with("a.av_vels.dat", averages);
  file_with("a.final_state.dat", state);
  const std::string prefix = (place() / "a").string();
  const lbm::Problem problem = small_problem();
  read_result(averages, state, problem);
  const lbm::Answer answer = lbm::read_answer(prefix, problem, 2);
  if (answer.av_vels.size() != 2 || answer.state.ux.size() != 9) std::abort();
  lbm::compare(answer.av_vels, answer.state, problem, answer);
  if (lbm::state_of_answer(prefix) != lbm::AnswerState::absent) std::abort();  // these are somebody's, not the driver's
}

void read_plan(Content content) { load_plan(file_with("plan.json", content)); }

void read_peaks_file(Content content) {
  const Peaks peaks = read_peaks(file_with("peaks.json", content));
  csv_of(peak_columns(), make_peak_rows(peaks));
}

void read_tuned(Content content) { find_tuned(file_with("tuned.json", content), {}); }

/// Everything that is made of results, in text.
void make_figures(const fs::path& results) {
  const std::vector<Row> rows = make_rows(read_results(results));
  csv_of(figure_columns(), rows);
  comparison_text(rows, 80);
}
void read_runs_file(Content content) {
  file_with("runs.jsonl", content);
  make_figures(place());
}
void read_records_file(Content content) { make_figures(file_with("records.jsonl", content)); }

const std::map<std::string, void (*)(Content)> readers = {{"params", read_params},    {"obstacles", read_obstacles},
                                                          {"answer", read_answer},    {"plan", read_plan},
                                                          {"peaks", read_peaks_file}, {"tuned", read_tuned},
                                                          {"runs", read_runs_file},   {"records", read_records_file}};

void (*reader)(Content) = nullptr;

}  // namespace
}  // namespace boltzmark

/// Takes the reader's name off the command line.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  using namespace boltzmark;
  const auto at = *argc > 1 ? readers.find((*argv)[1]) : readers.end();
  if (at == readers.end()) {
    std::fprintf(stderr, "usage: fuzz READER FOLDER... [options]; readers:");
    for (const auto& [name, read] : readers) std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, "\n");
    std::exit(2);
  }
  reader = at->second;
  (*argv)[1] = (*argv)[0];
  ++*argv;
  --*argc;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  try {
    boltzmark::reader({reinterpret_cast<const char*>(data), size});
  } catch (const boltzmark::Error& error) {
    // One line, whatever stood in the file.
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
