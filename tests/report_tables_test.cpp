// The published tables with our figures beside them, on made-up results.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/report/measured.hpp"
#include "analysis/report/plot_data.hpp"
#include "analysis/report/report_data.hpp"
#include "analysis/report/tables.hpp"
#include "entries.hpp"
#include "made_up_results.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
using Texts = std::vector<std::string>;

const std::string xeon = "Intel(R) Xeon(R) CPU", pocl = "pthread-Intel(R) Xeon(R) CPU", h200 = "NVIDIA H200";

MadeUpRun on_cpu(const std::string& model, const std::string& variant, const std::string& problem,
                 std::vector<double> seconds, int steps = 0) {
  return {.model = model,
          .variant = variant,
          .problem = problem,
          .seconds = std::move(seconds),
          .device = xeon,
          .steps = steps};
}

MadeUpRun on_gpu(const std::string& model, const std::string& variant, const std::string& problem,
                 std::vector<double> seconds, int steps = 0) {
  MadeUpRun run = on_cpu(model, variant, problem, std::move(seconds), steps);
  run.type = "gpu";
  run.device = model == "opencl" ? h200 : "nvptx64 offload device 0";
  run.threads = 0;
  return run;
}

MadeUpRun broken(MadeUpRun run, RunStatus status) {
  run.status = status;
  return run;
}

// ---- which runs stand for a published one

TEST(MeasuredTest, KnowsStandardProblems) {
  Results results = results_of({on_cpu("serial", "fused", "128x128", {1.0})});
  ProblemComparison& problem = results.comparison.problems.at(0);
  const auto name = [&] {
    const StandardProblem* const standard = standard_problem(problem, shipped());
    return standard ? standard->name : "none";
  };
  auto& solved = problem.rows.at(0).record["problem"];
  EXPECT_EQ(name(), "128x128");
  solved["name"] = "something";  // the digest says more than the name
  problem.problem = "something";
  EXPECT_EQ(name(), "128x128");
  solved["digest"] = "0123456789abcdef";
  EXPECT_EQ(name(), "none");
  solved["name"] = "128x128";  // a digest of another kind: name and parameters decide
  EXPECT_EQ(name(), "128x128");
  solved["fluid_cells"] = 15877;  // other obstacles
  EXPECT_EQ(name(), "none");
  problem.rows[0].record = nullptr;  // nothing ran
  EXPECT_EQ(name(), "none");
  problem.problem = "1024x1024";
  EXPECT_EQ(name(), "1024x1024");
}

TEST(MeasuredTest, TakesFullRunsBeforeShortenedOnes) {
  const StandardProblem& problem = shipped().problem("128x128");
  const auto any = [](const ComparisonRow&) { return true; };
  const Results results = results_of({on_cpu("serial", "fused", "128x128", {0.01}, 400),  // 1 s for all
                                      on_cpu("serial", "fused", "128x128", {2.0}),
                                      on_cpu("serial", "other", "128x128", {0.015}, 400)});  // 1.5 s
  const auto all = measurements(results, shipped(), problem);
  ASSERT_EQ(all.size(), 3u);
  const Measurement* const full = fastest(all, any);
  EXPECT_EQ(full->seconds, 2.0);
  EXPECT_FALSE(full->is_scaled());
  const Measurement* const best = best_variant(all, any);
  EXPECT_EQ(best->row->variant, "other");
  EXPECT_DOUBLE_EQ(best->seconds, 1.5);
  EXPECT_TRUE(best->is_scaled());
}

TEST(MeasuredTest, LeavesOutWhatIsWrongOrInDoublePrecision) {
  MadeUpRun f64 = on_cpu("serial", "fused", "128x128", {1.0});
  f64.precision = "f64";
  const Results results =
      results_of({f64, broken(on_cpu("openmp", "fused", "128x128", {1.0}), RunStatus::wrong)});
  EXPECT_TRUE(measurements(results, shipped(), shipped().problem("128x128")).empty());
}

TEST(MeasuredTest, FindsTheBandwidthOfADevice) {
  const auto bandwidth = [](const MadeUpRun& run, std::vector<StreamResult> streams,
                            std::optional<Peaks> peaks = {}) {
    Results results = results_of({run}, std::move(streams));
    results.peaks = std::move(peaks);
    const auto found = device_bandwidth(results, results.comparison.problems.at(0).rows.at(0));
    return found ? fmt::format("{:.0f} {}", found->gb_per_s * 0.9, found->how) : "none";
  };
  const MadeUpRun cpu = on_cpu("serial", "fused", "128x128", {1.0});
  const MadeUpRun gpu = on_gpu("opencl", "fused", "128x128", {1.0});
  StreamResult bad = stream("openmp", "cpu", xeon, 90.0), far = stream("openmp", "cpu", xeon, 80.0),
               f64 = stream("openmp", "cpu", xeon, 70.0);
  bad.passed = false;
  far.provenance["host"] = "elsewhere";
  f64.precision = "f64";
  EXPECT_EQ(bandwidth(cpu, {}), "none");
  EXPECT_EQ(
      bandwidth(cpu, {bad, far, stream("serial", "cpu", xeon, 10), stream("opencl", "cpu", pocl, 20), f64}),
      "20 STREAM triad of opencl, f32, 1 thread");  // the processor, by whatever name; f32 first
  EXPECT_EQ(bandwidth(cpu, {f64}), "70 STREAM triad of openmp, f64, 1 thread");
  EXPECT_EQ(bandwidth(gpu, {stream("openmp_target", "gpu", "nvptx64 offload device 0", 3000),
                            stream("opencl", "gpu", h200, 2000)}),
            "2000 STREAM triad of opencl, f32, 1 thread");  // its own name first
  EXPECT_EQ(bandwidth(gpu, {stream("openmp_target", "gpu", "nvptx64 offload device 0", 3000)}),
            "3000 STREAM triad of openmp_target, f32, 1 thread");  // the only GPU there is
  EXPECT_EQ(bandwidth(gpu, {stream("a", "gpu", "one", 1), stream("a", "gpu", "two", 2)}), "none");
  Peaks peaks;
  peaks.host = "h";
  peaks.processor.cores = 2;
  peaks.processor.bandwidths = {{"DRAM", "triad", 1, {9, 9, 9}}, {"DRAM", "triad", 2, {18, 18, 18}}};
  EXPECT_EQ(bandwidth(cpu, {}, peaks), "16 triad of boltzmark peaks");
  EXPECT_EQ(bandwidth(gpu, {}, peaks), "none");
  peaks.devices.emplace_back();
  peaks.devices[0].name = h200;
  peaks.devices[0].type = "gpu";
  peaks.devices[0].bandwidths = {{"memory", "triad", 0, {4000, 4000, 4000}}};
  EXPECT_EQ(bandwidth(gpu, {}, peaks), "3600 triad of boltzmark peaks");
  peaks.host = "elsewhere";
  EXPECT_EQ(bandwidth(gpu, {}, peaks), "none");
}

// ---- Table I

TEST(StreamTableTest, SetsThePercentagesBesideEachOther) {
  const ReportTable table =
      stream_table(results_of({}, {stream("opencl", "gpu", h200, 4000.0),
                                   stream("openmp_target", "gpu", "nvptx64 offload device 0", 3000.0)}),
                   shipped());
  ASSERT_EQ(table.rows.size(), 5u);
  EXPECT_EQ(
      row_of(table, {"NVIDIA H200", "f32", "triad"}),
      (Texts{"NVIDIA H200", "f32", "triad", "0.00533", "0.00567", "5.9", "9.060e-05", "1.208e-04", "25.0"}));
  EXPECT_EQ(row_of(table, {"NVIDIA H200", "f32", "dot"}).at(5), "65.0");
  EXPECT_TRUE(
      has_note(table, "opencl on NVIDIA H200 (f32, 33554432 elements) beside openmp_target on nvptx64"));
  EXPECT_FALSE(has_note(table, "No GPU"));
  EXPECT_TRUE(has(table.source, "NVIDIA K20m (STREAM 151 GB/s)"));
}

TEST(StreamTableTest, GivesEachTypeOfDeviceABlock) {
  StreamResult f64 = stream("opencl", "cpu", pocl, 10.0),
               f64_target = stream("openmp_target", "cpu", "t", 20.0);
  f64.precision = f64_target.precision = "f64";
  const ReportTable table = stream_table(
      results_of({}, {f64, f64_target, stream("opencl", "cpu", pocl, 20.0),
                      stream("openmp_target", "cpu", "t", 16.0), stream("opencl", "gpu", h200, 4.0),
                      stream("openmp_target", "gpu", "n", 3.0)}),
      shipped());
  ASSERT_EQ(table.rows.size(), 15u);
  EXPECT_EQ(table.rows[0][0].text + table.rows[5][1].text + table.rows[10][1].text, "NVIDIA H200f32f64");
  EXPECT_EQ(row_of(table, {"pthread-Intel Xeon", "f32", "copy"}).back(), "20.0");
  EXPECT_EQ(row_of(table, {"pthread-Intel Xeon", "f64", "copy"}).back(), "-100.0");  // faster, not slower
}

TEST(StreamTableTest, SaysWhyNothingIsCompared) {
  const ReportTable none = stream_table(results_of({}), shipped());
  EXPECT_EQ(none.rows.size(), 5u);
  EXPECT_EQ(row_of(none, {"-", "-", "copy"}),
            (Texts{"-", "-", "copy", "0.00358", "0.00368", "2.7", "-", "-", "-"}));
  EXPECT_TRUE(has_note(none, "No GPU with STREAM in both models"));
  EXPECT_TRUE(has_note(none, "No STREAM run of opencl among these results (lbm-opencl --stream)."));
  EXPECT_TRUE(
      has_note(none, "No STREAM run of openmp_target among these results (lbm-openmp-target --stream)."));

  const ReportTable one = stream_table(
      results_of({}, {stream("opencl", "gpu", h200, 1.0), stream("openmp_target", "cpu", "t", 1.0)}),
      shipped());
  EXPECT_TRUE(has_note(one, "opencl on NVIDIA H200 (f32, 33554432 elements): nothing to compare it with"));
  EXPECT_TRUE(has_note(one, "openmp_target on t (f32, 33554432 elements): nothing to compare it with"));

  const ReportTable lengths = stream_table(
      results_of({}, {stream("opencl", "gpu", h200, 1.0), stream("openmp_target", "gpu", "n", 1.0, 1000)}),
      shipped());
  EXPECT_EQ(row_of(lengths, {"NVIDIA H200", "f32", "copy"}).back(), "-");
  EXPECT_NE(row_of(lengths, {"NVIDIA H200", "f32", "copy"}).at(7), "-");
  EXPECT_TRUE(has_note(lengths, "arrays of different length, so their seconds cannot be compared"));

  StreamResult failed = stream("openmp_target", "gpu", "n", 1.0);
  failed.passed = false;
  const ReportTable wrong =
      stream_table(results_of({}, {stream("opencl", "gpu", h200, 1.0), failed}), shipped());
  EXPECT_EQ(row_of(wrong, {"NVIDIA H200", "f32", "copy"}).back(), "-");
  EXPECT_TRUE(has_note(wrong, "openmp_target on n (f32, 33554432 elements): its check failed"));
}

TEST(StreamTableTest, SaysWhichRunsCameToNothing) {
  Results results = results_of({});
  RunEntry entry = testing::failed("opencl", "", 1, RunStatus::impossible);
  entry.key.problem = stream_problem;
  results.entries.push_back(entry);
  EXPECT_TRUE(has_note(stream_table(results, shipped()), "STREAM of opencl, f32: impossible: because"));
}

TEST(StreamTableTest, DoesNotPairHosts) {
  StreamResult elsewhere = stream("openmp_target", "gpu", "n", 1.0);
  elsewhere.provenance["host"] = "elsewhere";
  const ReportTable table =
      stream_table(results_of({}, {stream("opencl", "gpu", h200, 1.0), elsewhere}), shipped());
  EXPECT_EQ(table.rows.at(0)[0].text, "-");
}

// ---- Table II

TEST(StepTableTest, FindsStepsByTheNameOfTheVariant) {
  const ReportTable table = step_table(results_of({on_gpu("opencl", "fused", "128x128", {0.1, 0.3, 0.2}),
                                                   on_gpu("opencl", "masked", "128x128", {0.155}),
                                                   on_gpu("opencl", "fused", "1024x1024", {0.01}, 100)},
                                                  {stream("opencl", "gpu", h200, 4000.0)}),
                                       shipped());
  ASSERT_EQ(table.rows.size(), 21u);
  // 1.62 / 0.2; and that times 151 / 4444
  EXPECT_EQ(row_of(table, {"128x128", "kernel fusion"}),
            (Texts{"128x128", "kernel fusion", "fused", "NVIDIA H200", "40000", "1.62", "0.2000", "8.10",
                   "0.275"}));
  EXPECT_EQ(row_of(table, {"128x128", "masking"}).at(7), "10.0");
  EXPECT_EQ(row_of(table, {"1024x1024", "kernel fusion"}),
            (Texts{"1024x1024", "kernel fusion", "fused", "NVIDIA H200", "100 of 20000", "15.12", "2.000",
                   "7.56", "0.257"}));
  EXPECT_EQ(row_of(table, {"256x256", "initial"}),
            (Texts{"256x256", "initial", "-", "NVIDIA H200", "-", "252.79", "-", "-", "-"}));
  EXPECT_TRUE(has_note(table, "initial (128x128, 256x256, 1024x1024)"));
  EXPECT_TRUE(has_note(table, "fused (256x256)"));
  EXPECT_TRUE(has_note(table, "masked (256x256, 1024x1024)"));
  EXPECT_TRUE(
      has_note(table, "At equal bandwidth: 151 GB/s of the NVIDIA K20m against 4444 GB/s of NVIDIA H200"));
  EXPECT_TRUE(has_note(table, "the seconds of a run of other length"));
  EXPECT_FALSE(has_note(table, "on a GPU among"));
}

TEST(StepTableTest, SaysThatThereIsNoGpuOrNothing) {
  MadeUpRun cpu = on_cpu("opencl", "fused", "256x256", {4.0});
  cpu.device = pocl;
  const ReportTable table = step_table(results_of({cpu}), shipped());
  EXPECT_TRUE(has_note(table, "No run of opencl on a GPU among these results"));
  EXPECT_TRUE(has_note(table, "no ratio at equal bandwidth"));
  EXPECT_EQ(row_of(table, {"256x256", "kernel fusion"}).back(), "-");

  const ReportTable none =
      step_table(results_of({on_cpu("serial", "fused", "128x128", {1.0}),
                             broken(on_gpu("opencl", "fused", "128x128", {}), RunStatus::impossible)}),
                 shipped());
  EXPECT_EQ(none.rows.size(), 21u);
  EXPECT_EQ(none.rows[0][3].text, "-");
  EXPECT_TRUE(has_note(none, "No right run of opencl in single precision"));
  EXPECT_TRUE(has_note(none, "opencl fused: impossible: because (128x128)"));
}

TEST(StepTableTest, GivesEachDeviceABlockGpusFirst) {
  MadeUpRun cpu = on_cpu("opencl", "fused", "128x128", {4.0});
  cpu.device = pocl;
  const ReportTable table =
      step_table(results_of({cpu, on_gpu("opencl", "fused", "128x128", {1.0})}), shipped());
  ASSERT_EQ(table.rows.size(), 42u);
  EXPECT_EQ(table.rows[0][3].text, "NVIDIA H200");
  EXPECT_EQ(table.rows[21][3].text, "pthread-Intel Xeon");
}

// ---- Table III

TEST(ModelTableTest, ShowsLikeForLikeAndBest) {
  MadeUpRun two_threads = on_cpu("openmp", "fused", "128x128", {0.79});
  two_threads.threads = 2;
  const Results results = results_of(
      {on_cpu("serial", "textbook", "128x128", {20.0}), on_cpu("serial", "fused", "128x128", {2.0, 1.0, 3.0}),
       on_cpu("openmp", "fused", "128x128", {1.0}), two_threads,
       on_cpu("openmp", "wavefront", "128x128", {0.395}), on_cpu("mpi", "in-place", "128x128", {0.5}),
       on_gpu("opencl", "fused", "128x128", {0.19}), on_gpu("openmp_target", "fused", "128x128", {0.5})},
      {stream("openmp", "cpu", xeon, 90.0), stream("opencl", "gpu", h200, 4000.0)});
  const ReportTable table = model_table(results, shipped());
  EXPECT_EQ(row_of(table, {"128x128", "serial"}),
            (Texts{"128x128", "serial", "fused", "Intel Xeon", "40000", "6.33", "2.000", "3.17", "2.06"}));
  EXPECT_EQ(row_of(table, {"128x128", "OpenMP", "fused"}),
            (Texts{"128x128", "OpenMP", "fused", "Intel Xeon", "40000", "0.79", "0.7900", "1.00", "0.650"}));
  EXPECT_EQ(row_of(table, {"128x128", "OpenMP", "wavefront (best)"}).at(7), "2.00");
  EXPECT_EQ(row_of(table, {"128x128", "MPI"}).at(2), "in-place (best)");
  EXPECT_EQ(row_of(table, {"128x128", "OpenCL GPU"}).at(7), "4.00");
  EXPECT_EQ(row_of(table, {"128x128", "OpenMP target GPU"}),
            (Texts{"128x128", "OpenMP target GPU", "fused", "nvptx64 offload device 0", "40000", "13.15",
                   "0.5000", "26.3", "0.894"}));  // the only GPU with STREAM
  EXPECT_EQ(row_of(table, {"128x128", "OpenCL CPU"}),
            (Texts{"128x128", "OpenCL CPU", "-", "-", "-", "2.98", "-", "-", "-"}));
  EXPECT_EQ(row_of(table, {"256x256", "serial"}).at(5), "53.28");
  EXPECT_TRUE(row_of(table, {"256x256", "OpenMP target GPU"}).empty());  // on neither side
  EXPECT_TRUE(has_note(table, "OpenCL CPU: no right run in single precision of 128x128, 256x256, 1024x1024"));
  EXPECT_TRUE(has_note(table, "OpenMP target GPU, published: in the text"));
  EXPECT_TRUE(has(table.source, "OpenCL GPU, OpenMP target GPU on NVIDIA K20m (STREAM 151 GB/s); serial"));
  EXPECT_FALSE(has_note(table, "of other length"));
}

TEST(ModelTableTest, ScalesShortenedRunsAndMarksThem) {
  const ReportTable table =
      model_table(results_of({on_cpu("serial", "fused", "256x256", {0.0375}, 600)}), shipped());
  EXPECT_EQ(row_of(table, {"256x256", "serial"}), (Texts{"256x256", "serial", "fused", "Intel Xeon",
                                                         "600 of 80000", "53.28", "5.000", "10.7", "-"}));
  EXPECT_TRUE(has_note(table, "of other length"));
  EXPECT_EQ(table.rows.size(), 6u + 5u + 5u);  // every published figure
}

TEST(ModelTableTest, SaysWhatFailedAndWhatElseRan) {
  const Results results = results_of({broken(on_cpu("mpi", "fused", "128x128", {}), RunStatus::timeout),
                                      broken(on_cpu("mpi", "fused", "256x256", {}), RunStatus::timeout),
                                      broken(on_cpu("openmp", "fused", "128x128", {0.1}), RunStatus::wrong),
                                      on_cpu("threads", "fused", "128x128", {0.5}),
                                      on_cpu("openmp_target", "fused", "128x128", {0.7})});
  const ReportTable table = model_table(results, shipped());
  EXPECT_TRUE(has_note(table, "mpi fused: timeout: because (128x128, 256x256)"));
  EXPECT_TRUE(has_note(table, "openmp fused: wrong: because (128x128)"));
  EXPECT_EQ(row_of(table, {"128x128", "OpenMP"}).at(6), "-");  // never a wrong run's seconds
  EXPECT_EQ(row_of(table, {"128x128", "threads CPU"}).at(6), "0.5000");
  EXPECT_EQ(row_of(table, {"128x128", "openmp_target CPU"}).at(5), "-");
}

// ---- Table IV

TEST(RateTableTest, ComesOutOfTableIII) {
  const Results results = results_of(
      {on_gpu("opencl", "fused", "1024x1024", {13.32}), on_cpu("openmp", "fused", "1024x1024", {39.25}),
       on_cpu("mpi", "fused", "1024x1024", {0.07784}, 20),
       on_gpu("openmp_target", "fused", "1024x1024", {13.32})},
      {stream("opencl", "gpu", h200, 135.9)});
  const ReportTable table = rate_table(results, shipped());
  EXPECT_EQ(row_of(table, {"OpenCL GPU"}), (Texts{"OpenCL GPU", "fused", "NVIDIA H200", "113.36", "113.4",
                                                  "75.1", "75.1", "243.72", "244.0", "2.15", "2.15"}));
  EXPECT_EQ(row_of(table, {"OpenMP"}), (Texts{"OpenMP", "fused", "Intel Xeon", "38.47", "38.47", "59.2", "-",
                                              "65.01", "65.19", "1.69", "1.69"}));
  EXPECT_EQ(row_of(table, {"MPI"}).at(4), "19.40");
  EXPECT_EQ(row_of(table, {"OpenCL CPU"}).at(4), "-");
  EXPECT_EQ(row_of(table, {"openmp_target GPU"}).at(3), "-");
  EXPECT_EQ(row_of(table, {"openmp_target GPU"}).at(8), "192.1");  // 122 FLOPs
  EXPECT_TRUE(has_note(table, "openmp_target GPU: nothing published; its intensity is taken with 122 FLOPs"));
  EXPECT_TRUE(has_note(table, "MPI fused: measured over 20 of 20000 steps."));
  EXPECT_TRUE(has_note(table, "serial: no right run in single precision of 1024x1024"));
}

// ---- work-groups and grids

TEST(WorkGroupTableTest, SetsKnownShapesBesideOurs) {
  const auto with = [](const std::string& shape, double seconds, bool asked) {
    MadeUpRun run = on_gpu("opencl", "fused", "128x128", {seconds});
    run.work_group = shape;
    run.asked = asked;
    return run;
  };
  const ReportTable table = work_group_table(
      results_of({with("64x1", 0.3, false), with("32x4", 0.2, true), with("4x32", 0.5, true)}), shipped());
  ASSERT_EQ(table.rows.size(), 5u);
  EXPECT_EQ(row_of(table, {"128x128"}), (Texts{"128x128", "opencl", "fused", "NVIDIA H200", "32x4", "40000",
                                               "0.2000", "1.00", "0.76", "best on NVIDIA K20m"}));
  EXPECT_EQ(table.rows[1][4].text + ' ' + table.rows[1][7].text, "64x1 (chosen) 1.50");
  EXPECT_EQ(table.rows[2][4].text + ' ' + table.rows[2][7].text, "4x32 2.50");
  EXPECT_EQ(table.rows[3][4].text + ' ' + table.rows[3][8].text, "1x1 16.78");
  EXPECT_EQ(table.rows[4][9].text, "best on 2 x Xeon E5-2670");
  EXPECT_TRUE(has_note(table, "128x128 on NVIDIA H200: 4x32 takes 2.50 times as long as 32x4"));
}

TEST(WorkGroupTableTest, WithoutSuchRunsShowsThePublishedAlone) {
  MadeUpRun chosen = on_gpu("opencl", "fused", "128x128", {1.0});
  chosen.work_group = "64x1";
  const ReportTable table = work_group_table(results_of({chosen}), shipped());
  EXPECT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(row_of(table, {"128x128", "opencl", "-", "-", "32x4"}).at(8), "0.76");
  EXPECT_TRUE(has_note(table, "No run was given a work-group"));
}

TEST(GridTableTest, HasEverythingThatWasRun) {
  MadeUpRun f64 = on_cpu("serial", "fused", "128x256", {2.0});
  f64.precision = "f64";
  Results results = results_of({on_gpu("opencl", "fused", "128x128", {0.5}), f64,
                                on_cpu("mpi", "fused", "256x256", {0.01}, 800),
                                broken(on_cpu("openmp", "fused", "128x128", {}), RunStatus::failed)});
  RunEntry other = results.entries[0];  // a problem of one's own
  other.problem = "mine";
  other.key.problem = other.record["problem"]["digest"] = "mine";
  other.record["problem"]["name"] = "mine";
  results.entries.push_back(other);
  results.comparison = make_comparison(results.entries, {"fused", {}}, {});
  const ReportTable table = grid_table(results, shipped());
  EXPECT_EQ(row_of(table, {"128x128", "opencl"}), (Texts{"128x128", "opencl", "fused", "NVIDIA H200", "-",
                                                         "40000", "0.5000", "1311", "0.89", "1.83"}));
  EXPECT_EQ(row_of(table, {"128x256 f64", "serial"}), (Texts{"128x256 f64", "serial", "fused", "Intel Xeon",
                                                             "1x1", "40000", "2.000", "655.4", "-", "-"}));
  EXPECT_EQ(row_of(table, {"256x256", "mpi"}), (Texts{"256x256", "mpi", "fused", "Intel Xeon", "1x1",
                                                      "800 of 80000", "1.000", "5243", "-", "0.66"}));
  EXPECT_EQ(row_of(table, {"mine"}).at(8), "-");
  EXPECT_EQ(row_of(table, {"128x128", "openmp", "fused"}).at(6), "-");
  EXPECT_TRUE(has_note(table, "128x128: openmp fused: failed: because"));
  EXPECT_EQ(row_of(table, {"128x256", "opencl", "-", "GPU"}).at(8), "1.35");
  EXPECT_EQ(row_of(table, {"1024x1024", "opencl", "-", "GPU"}),
            (Texts{"1024x1024", "opencl", "-", "GPU", "-", "-", "-", "-", "12.47", "4.81"}));
  EXPECT_TRUE(row_of(table, {"128x128", "opencl", "-"}).empty());  // stands beside ours already
  EXPECT_TRUE(has_note(table, "Rows without a variant: published"));
  EXPECT_TRUE(has(table.source, "112 ranks (processor not named)"));
}

TEST(TablesTest, MakesAllOfNothing) {
  const auto tables = make_tables(results_of({}), shipped());
  std::string ids;
  for (const auto& table : tables) {
    ids += table.id + ' ';
    EXPECT_FALSE(table.rows.empty()) << table.id;
    EXPECT_FALSE(table.source.empty()) << table.id;
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.id;
  }
  EXPECT_EQ(ids, "table-1 table-2 table-3 table-4 work-groups grid-sizes published-other ");
  EXPECT_EQ(tables.back().rows.size(), shipped().figures.size());
  EXPECT_EQ(row_of(tables.back(), {"C", "matrix multiplication, f32", "CuBLAS"}).at(4), "283366");
}

}  // namespace
}  // namespace boltzmark
