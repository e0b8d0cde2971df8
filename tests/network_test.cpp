// The network's roof: lines through made-up messages, the steps that they predict, pairs of ranks by their places.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/peaks/figures.hpp"
#include "analysis/peaks/mpi/places.hpp"
#include "analysis/predict/predict.hpp"
#include "analysis/roofline/network.hpp"
#include "analysis/roofline/rows.hpp"
#include "common/base/ranges.hpp"
#include "entries.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;

/// 8 B, 16 B, ...: this many sizes.
template <class Seconds>
std::vector<MessagePoint> points(int sizes, const Seconds& seconds) {
  std::vector<MessagePoint> found;
  for (std::int64_t bytes = 8; sizes-- > 0; bytes *= 2)
    found.push_back({"nodes", "halo", 2, bytes, {}, seconds(static_cast<double>(bytes))});
  return found;
}

TEST(MessageFits, OneLineIsFoundAsItWas) {
  const auto fits = fit_messages(points(20, [](double bytes) { return 2e-6 + 1e-9 * bytes; }));
  ASSERT_EQ(fits.size(), 1u);
  EXPECT_NEAR(fits[0].latency_seconds, 2e-6, 1e-11);
  EXPECT_NEAR(fits[0].seconds_a_byte, 1e-9, 1e-14);
  EXPECT_LT(fits[0].residual, 1e-6);
  EXPECT_EQ(fits[0].from_bytes, 8);
  EXPECT_EQ(fits[0].to_bytes, 8 << 19);
  EXPECT_EQ(fits[0].pairs, 2);
}

TEST(MessageFits, LongMessagesHaveALineOfTheirOwn) {
  const auto seconds = [](double bytes) { return bytes < 60000 ? 2e-6 + 1e-9 * bytes : 50e-6 + 0.5e-9 * bytes; };
  const auto fits = fit_messages(points(20, seconds));
  ASSERT_EQ(fits.size(), 2u);
  EXPECT_EQ(fits[1].from_bytes, 65536);
  EXPECT_NEAR(fits[1].latency_seconds, 50e-6, 1e-9);
  NetworkPeaks network;
  network.fits = fits;
  EXPECT_NEAR(*message_seconds(network, "nodes", "halo", 50000), 52e-6, 1e-9);
  EXPECT_NEAR(*message_seconds(network, "nodes", "halo", 1e8), 50e-6 + 0.05, 1e-6);
  EXPECT_NEAR(*message_seconds(network, "nodes", "halo", 1), 2e-6, 1e-8);
  EXPECT_FALSE(message_seconds(network, "socket", "halo", 8));
}

TEST(MessageFits, NoiseIsInTheResidual) {
  int number = 0;
  const auto fits =
      fit_messages(points(8, [&](double bytes) { return (2e-6 + 1e-9 * bytes) * (++number % 2 ? 1.1 : 0.9); }));
  ASSERT_EQ(fits.size(), 1u);
  EXPECT_NEAR(fits[0].residual, 0.1, 0.02);
}

TEST(MessageFits, NothingBelowZeroAndNothingOfTwoPoints) {
  for (const MessageFit& fit : fit_messages(points(6, [](double bytes) { return 1e-9 * bytes * bytes; }))) {
    EXPECT_GE(fit.latency_seconds, 0.0);
    EXPECT_GE(fit.seconds_a_byte, 0.0);
  }
  EXPECT_TRUE(fit_messages(points(2, [](double) { return 1.0; })).empty());
  EXPECT_TRUE(fit_messages(points(5, [](double) { return 0.0; })).empty());
}

TEST(MessageFits, ThoseOfTheMostPairsCount) {
  NetworkPeaks network;
  network.fits = {{"socket", "halo", 1, 8, 1024, 1e-6, 0.0, 0.0}, {"socket", "halo", 4, 8, 1024, 3e-6, 0.0, 0.0}};
  EXPECT_DOUBLE_EQ(*message_seconds(network, "socket", "halo", 100), 3e-6);
}

HaloTraffic halo_by(const std::string& method, int steps = 1) {
  return {.place = "nodes", .method = method, .messages = 2, .bytes = 2000, .steps = steps};
}
/// 10 us of latency of which work hides all but 1, and 1 ns for each byte of both messages.
NetworkPeaks network() {
  NetworkPeaks one = network_of(10e-6, 1e9);
  for (MessageFit& fit : one.fits)
    if (fit.way == "behind" || fit.way == "polled") fit.latency_seconds = 1e-6;
  return one;
}

TEST(MessageRoofs, ManyAtOnceHideTheLatencyUntilTheBytesCount) {
  NetworkPeaks network;
  network.fits = {{"nodes", "one", 1, 8, 1 << 20, 10e-6, 1e-9, 0.0},
                  {"nodes", "halo", 1, 8, 1 << 20, 20e-6, 2e-9, 0.0},
                  {"nodes", "behind", 1, 8, 1 << 20, 5e-6, 2e-9, 0.0}};
  const auto at = [&](const std::string& way, int messages, std::int64_t bytes) {
    for (const MessageRoof& roof : message_roofs(network))
      if (roof.way == way && roof.messages == messages && roof.bytes == bytes) return roof.gb_per_s;
    return 0.0;
  };
  EXPECT_NEAR(at("one", 1, 8), 8e-9 / (10e-6 + 8e-9), 1e-9);
  EXPECT_NEAR(at("halo", 2, 1 << 20), 2e-9 * (1 << 20) / (20e-6 + 2e-9 * (1 << 20)), 1e-9);
  EXPECT_EQ(at("behind", 2, 8), 0.0);
  EXPECT_EQ(at("one", 64, 8), 0.0);  // no rate was measured
  // 64 there and an answer: twice the latency and 63 gaps of 1 us.
  network.rates = {{"nodes", 1, {}}};
  network.rates[0].per_second.maximum = 64 / (2.0 * (10e-6 + 8e-9) + 63e-6);
  EXPECT_NEAR(at("one", 64, 8), 64 * 8e-9 / (10e-6 + 8e-9 + 63e-6), 1e-9);
  EXPECT_NEAR(at("one", 4, 1 << 20), 4e-9 * (1 << 20) / (10e-6 + 4e-9 * (1 << 20)), 1e-9);
}

TEST(StepOfRanks, WaitsForWhatIsNotHidden) {
  // 100 rows of 1 us: sends one after the other cost 2 (10 + 1) us; behind the work 1 + 2 us are seen.
  EXPECT_NEAR(*step_seconds(halo_by("sendrecv"), 100, 1e-6, network()), 122e-6, 1e-12);
  EXPECT_NEAR(*step_seconds(halo_by("persistent"), 100, 1e-6, network()), 103e-6, 1e-12);
  // 3 of 5 rows are inside: the exchange of 12 us is longer, and the ends follow it.
  EXPECT_NEAR(*step_seconds(halo_by("persistent"), 5, 1e-6, network()), 14e-6, 1e-12);
}

TEST(StepOfRanks, DeepHalosAreDoneTwiceAndExchangedOnce) {
  // R + N - 1 = 103 rows per step, one exchange in four steps.
  EXPECT_NEAR(*step_seconds(halo_by("persistent", 4), 100, 1e-6, network()), 103e-6 + 3e-6 / 4, 1e-12);
  // Of 18 rows 8, 6, 4 and 2 need no halo: an exchange of 102 us hides behind these 20 us of 84.
  EXPECT_NEAR(*step_seconds(halo_by("persistent", 4), 18, 1e-6, network_of(100e-6, 1e9)), 166e-6 / 4, 1e-12);
  // Too few rows for any to be inside: nothing hides the exchange.
  EXPECT_NEAR(*step_seconds(halo_by("persistent", 4), 8, 1e-6, network()), 11e-6 + 12e-6 / 4, 1e-12);
}

TEST(StepOfRanks, NothingWithoutANetwork) {
  EXPECT_FALSE(step_seconds(halo_by("persistent"), 100, 1e-6, NetworkPeaks()));
}

TEST(Records, SayWhatRanksExchange) {
  Record record;
  record.ranks = 2;
  record.threads = 1;
  record.work.steps_per_launch = 8;
  record.settings = {{"halo", "persistent"}, {"halo_messages", 2}, {"halo_bytes", 4096.0}, {"hosts", 1}};
  ProcessorPeaks processor;
  processor.sockets = 2;
  processor.cores_of_socket = 1;
  const auto halo = halo_of(record, processor);
  ASSERT_TRUE(halo);
  EXPECT_EQ(halo->place, "sockets");
  EXPECT_EQ(halo->steps, 8);
  record.settings["hosts"] = 2;
  EXPECT_EQ(halo_of(record, processor)->place, "nodes");
  record.ranks = 1;
  EXPECT_FALSE(halo_of(record, processor));
  EXPECT_TRUE(halo_settings(record));
  record.settings["halo"] = "rma";
  EXPECT_FALSE(halo_settings(record));  // messages were measured, not puts
  record.settings = {{"halo", "none"}};
  EXPECT_FALSE(halo_settings(record));
}

/// 10 steps, with this many seconds in all.
RunEntry of_ranks(int ranks, std::vector<std::int64_t> extent, double seconds) {
  RunEntry e = entry("mpi", "wavefront", 1, {seconds});
  e.record->ranks = e.key.ranks = ranks;
  e.record->threads = 1;
  e.key.case_ = e.record->case_.digest = std::to_string(extent.back()) + 'x' + std::to_string(extent.front());
  e.record->case_.extent = std::move(extent);
  return e;
}

TEST(Strips, TakeWhatAGridOfTheirSizeTakes) {
  Results results;
  results.entries = {of_ranks(2, {1000, 100}, 1.0), of_ranks(1, {1000, 100}, 4.0), of_ranks(1, {500, 50}, 9.0),
                     of_ranks(1, {1000, 25}, 0.25)};
  const auto seconds_of_strip = [&](double layers) {
    const auto rows = make_rows(results);
    return layer_seconds(*strip_row(rows[0], layers, 1, 1, rows));
  };
  EXPECT_NEAR(seconds_of_strip(25), 1e-3, 1e-9);
  EXPECT_NEAR(seconds_of_strip(60), 4e-3, 1e-9);  // 100 rows are nearer than 25
  EXPECT_NEAR(seconds_of_strip(50), 4e-3, 1e-9);  // of equals the same case
  results.entries.push_back(of_ranks(1, {1000, 50}, 1.5));
  EXPECT_NEAR(seconds_of_strip(50), 3e-3, 1e-9);
  results.entries.back().record->settings = {{"halo", "persistent"}, {"halo_messages", 2}, {"halo_bytes", 1.0}};
  results.entries.back().record->work.steps_per_launch = 26;
  EXPECT_NEAR(seconds_of_strip(50), 2e-3, 1e-9);  // 25 rows of a deep halo are done too
  const auto rows = make_rows(results);
  EXPECT_EQ(strip_row(rows[0], 50, 1, 2, rows), nullptr);
}

TEST(Nodes, ScaleUntilTheExchangeIsAll) {
  NodeRate node = {
      .layers = 1000, .layer_cells = 1000, .layer_seconds = 1e-6, .workers = 1, .halo = halo_by("persistent")};
  EXPECT_NEAR(*step_on_nodes(node, 1, 1000, network()), 1000e-6, 1e-12);
  EXPECT_NEAR(*step_on_nodes(node, 2, 500, network()), 503e-6, 1e-12);
  EXPECT_NEAR(*step_on_nodes(node, 1000, 1, network()), 13e-6, 1e-12);
  EXPECT_FALSE(step_on_nodes(node, 2000, 0.5, network()));
  node.halo = halo_by("persistent", 16);
  // A strip of 64 layers has a halo of 4, and a quarter of the bytes.
  EXPECT_NEAR(*step_on_nodes(node, 16, 64, network()), 67e-6 + (1e-6 + 0.5e-6) / 4, 1e-12);
}

/// Where strips ran faster than the whole grid, `boltzmark predict` marks efficiencies that no network can give.
TEST(Nodes, AreMarkedWhereTheyGainMoreThanTheirNumber) {
  const TemporaryFolder folder;
  write_text(folder / "plan.json",
             R"({"cases":[{"workload":"lbm","box":"1000x100","steps":10}],"runs":[{"model":"mpi"}]})");
  const auto predicted = [&](double seconds_of_quarter) {
    std::string lines;
    for (const auto& [rows, seconds] : {std::pair{100, 4.0}, {25, seconds_of_quarter}}) {
      RunEntry run = of_ranks(1, {1000, rows}, seconds);
      run.case_name = run.record->case_.name = fmt::format("box_1000x{}", rows);
      run.record->work.updates = 1e4 * rows;
      run.record->metrics.front().value = 1e-2 * rows / seconds;
      run.record->settings = {{"halo", "persistent"}, {"halo_messages", 2}, {"halo_bytes", 2e4}};
      lines += run.to_json().dump() + '\n';
    }
    write_text(folder / "runs.jsonl", lines);
    const Outcome outcome = run_command({std::string(BOLTZMARK_BIN_DIR) + "/boltzmark", "predict", folder / "plan.json",
                                         "--results", folder.path, "--nodes", "4", "--network", "1,10"});
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return outcome.output;
  };
  const std::string faster = predicted(0.25), same = predicted(0.99);
  EXPECT_TRUE(has(faster, "4.0 !  ")) << faster;
  EXPECT_TRUE(has(faster, "because a layer took less time")) << faster;
  EXPECT_EQ(count_of(faster, "!"), 2) << faster;  // neither two nodes, of the whole grid's time, nor weak scaling
  EXPECT_EQ(count_of(same, "!"), 0) << same;
}

TEST(Cores, FollowAmdahlsLaw) {
  const AmdahlFit fit = amdahl_fit({{1, 10.0}, {2, 5.5}, {4, 3.25}});
  EXPECT_NEAR(fit.serial, 1.0, 1e-12);
  EXPECT_NEAR(fit.parallel, 9.0, 1e-12);
  EXPECT_EQ(amdahl_fit({{2, 3.0}}).seconds_on(4), 1.5);
  EXPECT_EQ(amdahl_fit({{1, 10.0}, {2, 4.0}}).serial, 0.0);
  EXPECT_EQ(amdahl_fit({{1, 10.0}, {2, 11.0}}).parallel, 0.0);
}

/// 8 cores from 1, 2 and 4 of them, and an error where they are slower than the law.
TEST(Cores, ArePredictedFromHalfOfThem) {
  const TemporaryFolder folder;
  write_text(folder / "plan.json",
             R"({"cases":[{"workload":"lbm","box":"64x64","steps":10}],"runs":[{"model":"*","cores":"doubling"}]})");
  std::string lines;
  for (const auto& [cores, seconds] : {std::pair{1, 10.0}, {2, 5.5}, {4, 3.25}, {8, 4.25}}) {
    RunEntry run = entry("openmp", "fused", 1, {seconds});
    run.record->threads = run.key.threads = cores;
    lines += run.to_json().dump() + '\n';
  }
  write_text(folder / "runs.jsonl", lines);
  const Outcome outcome = run_command({std::string(BOLTZMARK_BIN_DIR) + "/boltzmark", "predict", folder / "plan.json",
                                       "--results", folder.path, "--nodes", "1"});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(has(outcome.output, "1 2 4")) << outcome.output;
  EXPECT_TRUE(has(outcome.output, "-50.0")) << outcome.output;
  EXPECT_TRUE(has(outcome.output, "Error: 50.0 % median, 50.0 % at most, of 1 prediction\n")) << outcome.output;
}

TEST(Nodes, CountsEndAtTheMost) {
  EXPECT_EQ(doubled_up_to(1), std::vector<int>({1}));
  EXPECT_EQ(doubled_up_to(6), std::vector<int>({1, 2, 4, 6}));
  EXPECT_EQ(doubled_up_to(8), std::vector<int>({1, 2, 4, 8}));
}

TEST(NetworkOption, IsLatencyAndBandwidth) {
  const NetworkPeaks network = parse_network("1.5,12");
  EXPECT_NEAR(*message_seconds(network, "nodes", "one", 12000), 2.5e-6, 1e-12);
  EXPECT_NEAR(*message_seconds(network, "nodes", "halo", 12000), 3.5e-6, 1e-12);
  for (const char* const wrong : {"", "1", "1,2,3", "0,1", "1,-2", "x,1", "1,inf", "1;2"})
    EXPECT_THROW(parse_network(wrong), Error) << wrong;
}

TEST(Places, PairRanksWhereTheyAre) {
  // Two nodes of two sockets of two cores.
  std::vector<Seat> seats;
  for (int node = 0; node < 2; ++node)
    for (int socket = 0; socket < 2; ++socket) seats.insert(seats.end(), 2, Seat{node, socket});
  using Pairs = std::vector<std::pair<int, int>>;
  EXPECT_EQ(pairs_at(Place::socket, seats), (Pairs{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
  EXPECT_EQ(pairs_at(Place::sockets, seats), (Pairs{{0, 2}, {1, 3}, {4, 6}, {5, 7}}));
  EXPECT_EQ(pairs_at(Place::nodes, seats), (Pairs{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
  EXPECT_TRUE(pairs_at(Place::nodes, {{0, 0}, {0, 0}}).empty());
  // Three nodes of one rank: the third has no partner; nor has a single socket's across.
  EXPECT_EQ(pairs_at(Place::nodes, {{0, 0}, {1, 0}, {2, 0}}), (Pairs{{0, 1}}));
  EXPECT_EQ(pairs_at(Place::sockets, {{0, 0}, {1, 0}, {1, 1}}), (Pairs{{1, 2}}));
}

TEST(NetworkFigures, ComeFromBenchmarks) {
  Peaks peaks;
  std::vector<Sample> samples;
  const auto add = [&](const std::string& kind, std::map<std::string, std::string> labels) -> Sample& {
    Sample& sample = samples.emplace_back();
    sample.kind = kind;
    sample.labels = std::move(labels);
    return sample;
  };
  for (const char* const bytes : {"8", "16", "32"}) {
    Sample& sample = add("message", {{"place", "socket"}, {"pairs", "1"}, {"way", "behind"}, {"bytes", bytes}});
    sample.items_per_second = {1e3, 1e3, 1e3};
    sample.visible_seconds = {2e-6, 2e-6, 9e-6};
  }
  add("messages", {{"place", "socket"}, {"pairs", "1"}}).items_per_second = {1e6};
  add("allreduce", {{"bytes", "8"}}).items_per_second = {1e6};
  add("message", {{"place", "socket"}, {"pairs", "1"}, {"way", "one"}, {"bytes", "67108864"}}).error =
      "left out, for it takes 5 s";
  add_network_figures(samples, peaks);
  ASSERT_EQ(peaks.network.messages.size(), 3u);
  EXPECT_DOUBLE_EQ(peaks.network.messages[0].seconds.median, 2e-6);
  EXPECT_DOUBLE_EQ(peaks.network.messages[0].seconds.maximum, 9e-6);
  EXPECT_EQ(peaks.network.rates.size(), 1u);
  EXPECT_DOUBLE_EQ(peaks.network.allreduce_seconds.median, 1e-6);
  EXPECT_EQ(peaks.network.fits.size(), 1u);
  ASSERT_EQ(peaks.network.notes.size(), 1u);
  EXPECT_NE(peaks.network.notes[0].find("64.0 MiB: not measured: left out"), std::string::npos)
      << peaks.network.notes[0];
  const nlohmann::json written = peaks;
  EXPECT_EQ(nlohmann::json(peaks_from_json(written, "peaks.json")), written);
}

}  // namespace
}  // namespace boltzmark
