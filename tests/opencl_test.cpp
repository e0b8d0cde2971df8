// What only the OpenCL model has: options of its own, kernels kept between runs, devices that fail, reductions.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>

#include "common/base/digest.hpp"
#include "common/base/text.hpp"
#include "common/run/record.hpp"
#include "opencl_fixture.hpp"

namespace boltzmark::testing {
namespace {

/// Work-groups that have bands of rows.
class OpenclBands : public OpenclTest {
 protected:
  const OneProcess one_process_;
  const OptimisedKernels optimised_;  ///< unoptimised, those in three dimensions take longer
  /// Whether there are several, which wait for one another.
  bool has_several() { return settings_of({"--variant", "resident-wavefront"}).value("groups", 0) > 1; }
};

TEST_F(OpenclBands, AreRightInAnyNumberAndDepth) {
  for (const Words& way : {Words{"f32", "3", "4"}, Words{"f64", "2", "2"}}) {
    const auto settings = settings_of({"--variant", "overlapped-wavefront", "--precision", way[0], "--groups", way[1],
                                       "--time-block", way[2], "--steps", "23"});
    EXPECT_EQ(settings["groups"], std::stoi(way[1]));
    EXPECT_EQ(settings["time_block"], std::stoi(way[2]));
  }
  EXPECT_EQ(settings_of({"--variant", "resident-wavefront", "--vvl", "1", "--delay", "7"})["vvl"], 1);
}

TEST_F(OpenclBands, AreRefusedWhereTheyCannotWaitForOneAnother) {
  expect_refused({"--variant", "resident-wavefront", "--groups", "5000"}, {"--groups", "found 5000"});
  expect_refused({"--variant", "overlapped-wavefront", "--time-block", "3"},
                 {"--time-block", "steps of 2", "found \"3\""});
  if (!has_several()) GTEST_SKIP() << "one compute unit waits for nobody";
  for (const char* polls : {"-DMEET_POLLS=0", "-DMAX_POLLS=0"}) {  // no wait is long enough
    const Words words = {"--variant", "resident-wavefront", "--cl-options=" + std::string(polls)};
    expect_refused(words, {"resident-wavefront", "overlapped-wavefront needs no waiting"}, 3);
    expect_refused(words + Words{"--depth", "3"}, {"resident-wavefront", "; wavefront needs no waiting"}, 3);
  }
}

TEST_F(OpenclBands, GiveWayToTheNextBestWhereNobodyAskedForThem) {
  if (!has_several()) GTEST_SKIP() << "one compute unit waits for nobody";
  for (const auto& [depth, next] : {std::pair{Words{}, "overlapped-wavefront"}, {Words{"--depth", "3"}, "wavefront"}}) {
    const std::string json = folder_ / next;
    const auto outcome = run_command(
        Words{program_of("opencl"), "--no-output", "--cl-options=-DMAX_POLLS=0", "--check", "oracle", "--json", json} +
        depth + write_problem(folder_, grid("odd")));
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    if (has(outcome.errors, "runs in its place")) {  // unless the default is for a GPU
      EXPECT_EQ(nlohmann::json::parse(read_text(json))["variant"], next);
    }
  }
}

TEST_F(OpenclBands, WaitForGroupsThatHaveLostTheirCore) {
  std::atomic<bool> is_over = false;
  std::vector<std::jthread> others;
  for (unsigned i = 0; i < 2 * std::max(1u, std::thread::hardware_concurrency()); ++i)
    others.emplace_back([&is_over] {
      while (!is_over) {
      }
    });
  const auto settings = settings_of({"--variant", "resident-wavefront", "--time-block", "2", "--steps", "30"});
  is_over = true;
  EXPECT_EQ(settings["time_block"], 2);
}

Words half_storage(const char* variant) {
  return {"--variant", variant, "--storage", "f16", "--no-tuned", "--no-output"};
}

class KernelCache : public OpenclTest {
 protected:
  /// Without the driver's own.
  KernelCache() { environment_ = {"env", "XDG_CACHE_HOME=" + cache_.string(), "POCL_KERNEL_CACHE=0"}; }

  std::vector<std::filesystem::path> cached() const {
    std::vector<std::filesystem::path> files;
    if (std::filesystem::exists(cache_ / "boltzmark"))
      for (const auto& entry : std::filesystem::directory_iterator(cache_ / "boltzmark")) files.push_back(entry.path());
    return files;
  }
  /// Spoils the one stored kernel; the next run must notice, be right, and store it anew.
  void expect_survives(const std::function<std::string(const std::string& content)>& spoil) {
    ASSERT_EQ(cached().size(), 1u);
    const auto file = cached()[0];
    write_text(file, spoil(read_text(file)));
    EXPECT_EQ(settings_of({})["kernel_cache"], "miss");
    EXPECT_EQ(settings_of({})["kernel_cache"], "hit");
    EXPECT_EQ(cached().size(), 1u);
  }

  const std::filesystem::path cache_ = folder_ / "cache";  ///< of the test's own
};

TEST_F(KernelCache, IsHitTheSecondTime) {
  const auto first = settings_of({}), second = settings_of({});
  EXPECT_EQ(first["kernel_cache"], "miss");
  EXPECT_EQ(second["kernel_cache"], "hit");
  for (const char* part : {"context", "build", "upload"}) EXPECT_GE(second["init_seconds"][part].get<double>(), 0.0);
}

TEST_F(KernelCache, KnowsWhatABinaryDependsOn) {
  settings_of({});
  for (const Words& other : {Words{"--precision", "f64"}, Words{"--work-group", "3x2"}, Words{"--variant", "fused"},
                             Words{"--variant", "fused", "--reduction", "halves"}, Words{"--cl-options", "-D NOTHING"}})
    EXPECT_EQ(settings_of(other)["kernel_cache"], "miss") << other[0];
}

TEST_F(KernelCache, IsLeftToADriverThatHasOne) {
  environment_.pop_back();
  EXPECT_EQ(settings_of({})["kernel_cache"], "the driver's");
  EXPECT_TRUE(cached().empty());
}

TEST_F(KernelCache, CanBeLeftAlone) {
  EXPECT_EQ(settings_of({"--no-kernel-cache"})["kernel_cache"], "off");
  EXPECT_TRUE(cached().empty());
}

TEST_F(KernelCache, SurvivesWhatIsNotWhole) {
  settings_of({});
  expect_survives([](const std::string&) { return ""; });
  expect_survives([](const std::string& content) { return content.substr(0, content.size() / 2); });
  expect_survives([](const std::string& content) { return content + "x"; });
  expect_survives([](std::string content) {
    content[content.size() - 100] ^= 1;
    return content;
  });
}

TEST_F(KernelCache, SurvivesABinaryThatTheDriverRefuses) {
  settings_of({});
  expect_survives([](const std::string& content) {
    const auto digest = content.find('\n') + 1, body = content.find('\n', digest) + 1;
    // All but the binary as it was, the digest that of the whole.
    const auto length = std::stoul(content.substr(body));
    const std::string spoilt = content.substr(body, content.find('\n', body) + 1 - body + length) + "no binary";
    return content.substr(0, digest) + digest_of(spoilt) + "\n" + spoilt;
  });
}

TEST_F(KernelCache, TakesNothingButRegularFilesOfItsOwn) {
  settings_of({});
  ASSERT_EQ(cached().size(), 1u);
  const auto file = cached()[0];
  const std::function<void()> others[] = {[&] { std::filesystem::create_directory(file); },
                                          [&] { std::filesystem::create_symlink("/dev/zero", file); },
                                          [&] { ASSERT_EQ(mkfifo(file.c_str(), 0600), 0); }};
  using std::filesystem::perms;
  std::filesystem::permissions(file, perms::others_write, std::filesystem::perm_options::add);
  EXPECT_EQ(settings_of({})["kernel_cache"], "miss");
  for (const auto& make_other : others) {
    std::filesystem::remove_all(file);
    make_other();
    EXPECT_EQ(settings_of({})["kernel_cache"], "miss, not stored");
    EXPECT_FALSE(std::filesystem::is_regular_file(std::filesystem::symlink_status(file)));
  }
}

TEST_F(KernelCache, IsNoFailureWhereItCannotBe) {
  std::filesystem::create_directories(cache_);
  write_text(cache_ / "boltzmark", "a file where a folder should be");
  EXPECT_EQ(settings_of({})["kernel_cache"], "miss, not stored");
}

TEST_F(OpenclTest, TakesCompilerOptions) {
  const OneProcess one_process;
  EXPECT_EQ(settings_of({"--cl-options", "-cl-mad-enable"})["cl_options"], "-cl-mad-enable");
  EXPECT_FALSE(settings_of({}).contains("cl_options"));
}

TEST_F(OpenclTest, ShowsTheLogOfABuildThatFails) {
  expect_refused({"--cl-options", "-D kernel=nonsense"}, {"--cl-options", "-D kernel=nonsense", "error:"});
}

TEST_F(OpenclTest, RefusesOptionValues) {
  const OneProcess one_process;
  expect_refused({"--variant", "further", "--reduction", "sideways"}, {"--reduction", "halves", "\"sideways\""});
  for (const char* delay : {"0", "-1", "1.5", "never", "99999999999"})
    expect_refused({"--variant", "further", "--delay", delay},
                   {"--delay", "at least 1", "\"" + std::string(delay) + "\""});
}

TEST_F(OpenclTest, RefusesOptionsThatAVariantDoesNotHave) {
  const OneProcess one_process;
  expect_refused({"--variant", "initial", "--reduction", "tree"}, {"--reduction", "initial", "in-place"});
  expect_refused({"--variant", "masked", "--delay", "all"}, {"--delay", "masked", "further"});
  const auto serial = run_model("serial", Words{"--reduction", "halves"} + write_problem(folder_, grid("odd")));
  EXPECT_EQ(serial.status, 2);
  EXPECT_TRUE(has(serial.errors, "--reduction")) << serial.errors;
}

TEST_F(OpenclTest, KeepsHalvesRightOnAnyGrid) {
  const OneProcess one_process;
  for (const char* variant : {"two-grid", "time-block"})
    for (const char* name : {"odd", "tall", "wide"}) {
      const OptimisedKernels optimised(name == std::string("odd"));
      const auto outcome =
          run_model("opencl", half_storage(variant) + Words{"--check", "oracle"} + write_problem(folder_, grid(name)));
      EXPECT_EQ(outcome.status, 0) << variant << outcome.output << outcome.errors;
    }
  const OptimisedKernels optimised;
  const Words planes = Words{"--depth", "5", "--check", "oracle"} + write_problem(folder_, grid("odd"));
  const auto outcome = run_model("opencl", half_storage("persistent") + planes);
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  expect_refused(half_storage("persistent"), {"--storage: expected f32 in two dimensions", "found f16"});
}

/// Rounded to nearest, halves are 1.8e-3 off after these 40 000 steps.
TEST_F(OpenclTest, RoundsHalvesWithoutDrift) {
  const OptimisedKernels optimised;
  const std::string inputs = BOLTZMARK_SOURCE_DIR "/inputs/", json = folder_ / "record";
  const Words problem = {inputs + "input_128x128.params", inputs + "obstacles_128x128.dat"};
  const Words in_doubles = {"--precision", "f64", "--out", folder_.path.string()};
  ASSERT_EQ(run_model("serial", in_doubles + problem).status, 0);
  std::filesystem::rename(folder_ / "final_state.dat", folder_ / "right.final_state.dat");
  std::filesystem::rename(folder_ / "av_vels.dat", folder_ / "right.av_vels.dat");
  const auto outcome = run_model(
      "opencl", half_storage("two-grid") + Words{"--check", (folder_ / "right").string(), "--json", json} + problem);
  ASSERT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  const Check check = records_in(json).back().check;
  ASSERT_EQ(check.deviations[0].of, "av_vels");
  EXPECT_LT(check.deviations[0].value, 1e-3);
}

TEST_F(OpenclTest, ListsSubGroups) {
  const auto outcome = run_command({program_of("opencl"), "--list-devices"});
  EXPECT_TRUE(has(outcome.output, "sub-groups")) << outcome.output;
}

/// The program on a device that fails, or with less memory than it has.
class FailingDevice : public OpenclTest {
 protected:
  /// The line of the run that must end with status 3; `fault` as opencl_fault.cpp takes it.
  std::string line_of(const std::string& fault, const Words& options = {}) {
    const auto outcome = run_command(Words{"env", "LD_PRELOAD=" BOLTZMARK_OPENCL_FAULT, "BOLTZMARK_TEST_FAULT=" + fault,
                                           program_of("opencl"), "--no-output", "--variant", "two-grid"} +
                                     options + write_problem(folder_, grid("odd")));
    EXPECT_EQ(outcome.status, 3) << fault << outcome.output << outcome.errors;
    EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
    return outcome.errors;
  }
};

TEST_F(FailingDevice, IsLostInOneLine) {
  for (const char* status : {"-2", "-34", "-36"})
    EXPECT_TRUE(has(line_of("clEnqueueReadBuffer 1 " + std::string(status)), "; the device is lost: ")) << status;
  EXPECT_TRUE(has(line_of("clEnqueueReadBuffer 1 -5"),
                  "cannot run the time steps: CL_OUT_OF_RESOURCES from clEnqueueReadBuffer; the device "
                  "has too little memory"));
  EXPECT_TRUE(has(line_of("clEnqueueReadBuffer 1 -9999"), "stopped a kernel that read or wrote outside"));
}

TEST_F(FailingDevice, OfALibraryThatCrashesIsSaidInOneLine) {
  for (const char* signal : {"6", "11"})
    EXPECT_TRUE(has(line_of("clGetPlatformIDs 1 " + std::string(signal)), "OCL_ICD_VENDORS")) << signal;
}

/// As PoCL does where another process puts the same kernels into its cache at the same moment.
TEST_F(FailingDevice, BuildsKernelsOnceMore) {
  EXPECT_TRUE(has(line_of("clBuildProgram 1 -11"), "cannot build the OpenCL kernels for "));
  const auto outcome =
      run_command(Words{"env", "LD_PRELOAD=" BOLTZMARK_OPENCL_FAULT, "BOLTZMARK_TEST_FAULT=clBuildProgram 1 -11 1",
                        program_of("opencl"), "--no-output", "--variant", "two-grid"} +
                  write_problem(folder_, grid("odd")));
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
}

TEST_F(FailingDevice, EndsNoOtherRunOfTheProcess) {
  write_text(folder_ / "runs", "--precision f32\n--precision f64\n");
  const auto outcome =
      run_command(Words{"env", "LD_PRELOAD=" BOLTZMARK_OPENCL_FAULT, "BOLTZMARK_TEST_FAULT=clEnqueueReadBuffer 1 -5",
                        program_of("opencl"), "--no-output", "--variant", "two-grid", "--runs", folder_ / "runs"} +
                  write_problem(folder_, grid("odd")));
  EXPECT_EQ(count_of(outcome.output, "status:\t\t3\n"), 2) << outcome.output;
  EXPECT_EQ(outcome.status, 3);
}

TEST_F(FailingDevice, HasTooLittleMemoryInOneLine) {
  EXPECT_TRUE(has(line_of("clCreateBuffer 2 -4"), " has too little memory: this problem needs "));
  EXPECT_TRUE(has(line_of("clCreateBuffer 1 -6"), " has too little memory: this problem needs "));
  // PoCL takes its memory limit from the environment; it need not be the only driver here.
  const Words limited = {"env", "POCL_MEMORY_LIMIT=1", program_of("opencl")};
  std::string pocl;
  for (const auto& line : split(run_command(limited + Words{"--list-devices"}).output, '\n'))
    if (has(line, "\tcpu\t") && has(line, ", 1.0 GiB memory")) pocl = line.substr(0, line.find('\t'));
  if (pocl.empty()) return;
  const auto large = run_command(limited + Words{"--no-output", "--device", pocl, "--variant", "two-grid"} +
                                 write_problem(folder_, {"large", 4000, 4000, 1, [](int, int) { return false; }}));
  EXPECT_EQ(large.status, 3);
  EXPECT_TRUE(has(large.errors, " has too little memory: this problem needs ")) << large.errors;

  // Nor is a start of 2 GB made first.
  rusage before = {}, after = {};
  getrusage(RUSAGE_CHILDREN, &before);
  const auto water =
      run_command(Words{"env", "POCL_MEMORY_LIMIT=1", program_of("opencl", "shallow_water"), "--device", pocl, "9000"});
  getrusage(RUSAGE_CHILDREN, &after);
  EXPECT_EQ(water.status, 3);
  EXPECT_EQ(count_of(water.errors, "\n"), 1) << water.errors;
  EXPECT_LT(after.ru_maxrss, std::max(before.ru_maxrss + 1, 1L << 20));
}

TEST_F(FailingDevice, RefusesGroupsInOneLine) {
  for (const char* status : {"-54", "-5"})
    EXPECT_TRUE(has(line_of("clEnqueueNDRangeKernel 1 " + std::string(status), {"--work-group", "4x2"}),
                    "cannot run this kernel in groups of 4x2: CL_"));
  const auto large = run({"--work-group", "100000x1"});
  EXPECT_EQ(large.status, 3);
  EXPECT_TRUE(has(large.errors, "work-items")) << large.errors;
}

class Reductions : public OpenclTest {
  const OneProcess one_process_;

 protected:
  static Outcome reduce(const Words& options) { return run_model("opencl", options, 0, "reduce"); }
};

/// Each sum is checked against the exact one: of one value, of odd ones, of more than one launch. What the published
/// tables of index arithmetic compare, their variants take turns at.
TEST_F(Reductions, AreRightInSmallGroupsOrSayWhyNot) {
  const ProgramDescription said = description_of("opencl", "reduce");
  ASSERT_EQ(said.variants.size(), 14u);
  const Words numberings = {"1d", "flat3d"}, sizes = {"literal", "argument", "query"};
  std::size_t turn = 0;
  for (const auto& variant : said.variants) {
    Words way = {"--variant", variant.name, "--work-group", "32x1", "--repeat", "1"};
    if (variant.option("ids")) {
      way = way + Words{"--ids", numberings[turn % 2], "--local-size", sizes[turn % 3]};
      ++turn;
    }
    for (const char* elements : {"1", "777", "100003"}) {
      SCOPED_TRACE(elements + (" " + join(way, " ")));
      const auto outcome = reduce(Words{elements} + way);
      const bool needs_wavefronts =
          has(variant.name, "fewest") || has(variant.name, "hybrid") || has(variant.name, "sub-group");
      if (needs_wavefronts && outcome.status == 3) {
        EXPECT_TRUE(has(outcome.errors, "no sub-groups that kernels can use")) << outcome.errors;
        continue;
      }
      EXPECT_EQ(outcome.status, 0) << outcome.errors;
      EXPECT_TRUE(has(outcome.output, "right against reference: sum 0.00e+00")) << outcome.output;
    }
  }
  EXPECT_GE(turn, 6u);  // each numbering with each size
}

TEST_F(Reductions, BadUsageIsOneLine) {
  for (const auto& [options, line, status] : std::vector<std::tuple<Words, std::string, int>>{
           {{"0"}, "ELEMENTS", 2},
           {{"999999999999"}, "expected arrays that fit the memory", 3},
           {{"many"}, "ELEMENTS", 2},
           {{"--work-group", "48x1"}, "--work-group: expected Nx1 with N a power of two", 2},
           {{"--work-group", "65536x1"}, "--work-group: ", 3},
           {{"--repeat", "0"}, "--repeat", 2},
           {{"--variant", "vectors", "--ids", "flat3d"}, "--ids", 2},
           {{"--variant", "naive", "--local-size", "guess"}, "--local-size", 2},
           {{"--device", "abacus"}, "abacus", 2},
           {{"--device", "512"}, "found \"512\"", 2},  // not the AVX-512 in a processor's name
           {{"--frob"}, "--frob", 2}}) {
    const auto outcome = reduce(options);
    EXPECT_EQ(outcome.status, status) << line;
    EXPECT_TRUE(outcome.errors.starts_with("reduce-opencl: error: ") && has(outcome.errors, line)) << outcome.errors;
    EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
  }
}

}  // namespace
}  // namespace boltzmark::testing
