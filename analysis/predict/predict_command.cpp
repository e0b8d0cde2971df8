// `boltzmark predict`: strong and weak scaling on more nodes, from results of one node and a network's latency and
// bandwidth, and the error of the same model for measurements on several ranks; and more cores of one machine, from
// results on few of them.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/predict/predict.hpp"
#include "analysis/run/plan.hpp"
#include "analysis/support/commands.hpp"
#include "analysis/support/locations.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/error.hpp"
#include "common/base/print.hpp"
#include "common/base/ranges.hpp"
#include "common/base/statistics.hpp"
#include "common/lbm/problem_files.hpp"

namespace boltzmark {
namespace {

/// Whether the plan has a run of a row's model and variant.
bool has_run_of(const Row& row, const Plan& plan) {
  return std::ranges::any_of(plan.runs, [&row](const PlanRun& run) {
    const bool is_variant = run.variant.empty() || run.variant == row.variant || run.variant == row.record->role;
    return run.workload == row.key.workload && (run.model == row.key.model || run.model == every_model) && is_variant;
  });
}

/// Whether the plan has the case and the variant of a row of the model mpi.
bool is_of_plan(const Row& row, const Plan& plan) {
  const auto is_case = [&row](const PlanCase& one) {
    std::string box;
    for (const int cells : one.box) box += fmt::format("{}{}", box.empty() ? "box_" : "x", cells);
    const std::string name = !one.box.empty() ? box : one.name.empty() ? lbm::problem_name(one.params) : one.name;
    return one.workload == row.key.workload && name == row.case_name;
  };
  return std::ranges::any_of(plan.cases, is_case) && has_run_of(row, plan);
}

/// The farthest place that was measured stands for the nodes.
NetworkPeaks as_nodes(NetworkPeaks network, std::string& words) {
  for (const char* const place : {"nodes", "sockets", "socket"}) {
    if (!message_seconds(network, place, "halo", 8.0)) continue;
    words = fmt::format("as measured between ranks of {}", std::string(place) == "nodes"     ? "several nodes"
                                                           : std::string(place) == "sockets" ? "two sockets of this one"
                                                                                             : "a socket of this one");
    std::erase_if(network.fits, [&](const MessageFit& fit) { return fit.place != place; });
    for (MessageFit& fit : network.fits) fit.place = "nodes";
    return network;
  }
  throw unavailable(
      "expected messages in peaks.json, found none; measure them with `boltzmark peaks`, or give --network "
      "LATENCY,BANDWIDTH");
}

/// The fastest right row of one node for each case, precision and variant.
std::vector<const Row*> nodes_of(const std::vector<Row>& rows, const Plan& plan) {
  ByName<const Row*> fastest;
  for (const Row& row : rows) {
    if (!row.is_done() || row.key.model != "mpi" || !row.part.empty() || !is_of_plan(row, plan)) continue;
    if (!node_rate(row) || (row.halo && row.halo->place == "nodes")) continue;
    keep_faster(fastest[case_of(row) + '|' + row.variant], row);
  }
  return each(fastest, [](const auto& one) { return one.second; });
}

/// "0.97", or "4 !" if it exceeds a possible gain by more than noise.
std::string efficiency_words(double efficiency) {
  constexpr double most = 1.05;
  return significant(efficiency, 2) + (efficiency > most ? " !" : "");
}

/// A node's layers take as long as in a run of one node with that number of layers, or the nearest number measured.
std::string scaling_text(const Row& row, int most, const NetworkPeaks& network, const std::vector<Row>& rows,
                         int width) {
  Table table({right("nodes"), right("strong\nus a step"), right("\nMLUPS"), right("\nefficiency"),
               right("\nlayers timed"), right("weak\nus a step"), right("\nMLUPS"), right("\nefficiency")});
  NodeRate node = *node_rate(row);
  const double alone = node.layer_seconds * layers_done(node.layers, node.halo.steps);
  for (const int nodes : doubled_up_to(most)) {
    std::vector<Cell> cells = {std::to_string(nodes)};
    for (const bool is_strong : {true, false}) {
      const double layers = is_strong ? node.layers / nodes : node.layers;
      const Row& strip = *strip_row(row, layers, row.ranks, row.threads, rows);
      node.layer_seconds = layer_seconds(strip);
      const auto step = step_on_nodes(node, nodes, layers, network);
      const auto rate = [&](double seconds) { return 1e-6 * layers * nodes * node.layer_cells / seconds; };
      cells.push_back(step ? significant(1e6 * *step, 4) : "-");
      cells.push_back(step ? significant(rate(*step), 4) : "-");
      cells.push_back(step ? efficiency_words(alone / *step / (is_strong ? nodes : 1)) : "-");
      if (is_strong) cells.push_back(fmt::format("{}", layers_of(strip)));
    }
    table.add_row(std::move(cells));
  }
  const std::string text = table.text(width);
  if (text.find(" !") == text.npos) return text;
  return text + wrapped(
                    "!: efficiency above 1, because a layer took less time in the smaller grid that was timed. Smaller "
                    "grids fit into caches; if this one does not, measure both again.",
                    width, 2);
}

/// Errors of all rows of several ranks that could be predicted from one worker.
std::string errors_text(const std::vector<Row>& rows, int width) {
  Table table({left("problem"), left("variant"), left("precision"), right("ranks"), left("across"),
               right("predicted\nus a step"), right("measured\nus a step"), right("error\n%")});
  std::vector<double> errors;
  for (const Row& row : rows) {
    if (!row.is_done() || !row.predicted_seconds) continue;
    const double error = *row.predicted_seconds / row.time.median - 1.0, scale = 1e6 / static_cast<double>(row.steps());
    errors.push_back(std::abs(error));
    table.add_row({row.case_name, row.variant, row.key.precision, std::to_string(row.ranks), row.halo->place,
                   significant(scale * *row.predicted_seconds, 4), significant(scale * row.time.median, 4),
                   fmt::format("{:+.1f}", 100.0 * error)});
  }
  if (errors.empty())
    return "The model's error is not known: it needs runs of one rank and of several in these results, and `boltzmark "
           "peaks --only mpi` with the same launcher\n";
  return fmt::format("Prediction and measurement:\n\n{}\nError: {} median, {} at most, of {}\n", table.text(width),
                     significant(100.0 * median(errors), 3) + " %",
                     significant(100.0 * *std::ranges::max_element(errors), 3) + " %", counted(errors.size(), "run"));
}

/// Rows of the plan's models on processors of one machine: of one code and problem the fastest for each number of cores,
/// if there are several numbers.
std::vector<std::map<int, const Row*>> lines_of_cores(const std::vector<Row>& rows, const Plan& plan) {
  ByName<std::map<int, const Row*>> lines;
  for (const Row& row : rows) {
    if (!row.is_done() || row.record->device_type != "cpu" || (row.halo && row.halo->place == "nodes")) continue;
    if (row.source == "tuning" || !has_run_of(row, plan)) continue;
    keep_faster(lines[fmt::format("{}|{}|{}|{}", case_of(row), row.key.model, row.variant, row.setting)][row.workers()],
                row);
  }
  std::vector<std::map<int, const Row*>> found;
  for (const auto& [name, line] : lines)
    if (line.size() > 1) found.push_back(line);
  return found;
}

/// Table of these lines, and the error for the largest number of cores, predicted from runs on at most half as many.
std::string cores_text(const std::vector<std::map<int, const Row*>>& lines, int width) {
  Table table({left("problem"), left("model"), left("variant"), left("precision"), right("cores"), right("from"),
               right("predicted\nus"), right("measured\nus"), right("error\n%"), right("faster on\n2x cores"),
               right("\n4x"), right("\n8x")});
  std::vector<double> errors;
  for (const auto& line : lines) {
    const auto& [most, row] = *line.rbegin();
    std::vector<CoreTime> all, few;
    for (const auto& [cores, measured] : line) {
      all.push_back({cores, measured->time.median});
      if (2 * cores <= most) few.push_back(all.back());
    }
    if (few.empty()) continue;
    const double measured = row->time.median, predicted = amdahl_fit(few).seconds_on(most);
    errors.push_back(std::abs(predicted / measured - 1.0));
    const AmdahlFit fit = amdahl_fit(all);
    std::vector<Cell> cells = {row->case_name + (row->part.empty() ? "" : ", " + row->part),
                               row->key.model,
                               row->variant,
                               row->key.precision,
                               std::to_string(most),
                               join(each(few, [](const CoreTime& one) { return std::to_string(one.cores); }), " "),
                               significant(1e6 * predicted, 4),
                               significant(1e6 * measured, 4),
                               fmt::format("{:+.1f}", 100.0 * (predicted / measured - 1.0))};
    for (const int times : {2, 4, 8})
      cells.push_back(significant(fit.seconds_on(most) / fit.seconds_on(times * most), 3));
    table.add_row(std::move(cells));
  }
  if (errors.empty()) return "";
  return fmt::format("More cores of one machine, by Amdahl's law:\n\n{}\nError: {} median, {} at most, of {}\n",
                     table.text(width), significant(100.0 * median(errors), 3) + " %",
                     significant(100.0 * *std::ranges::max_element(errors), 3) + " %",
                     counted(errors.size(), "prediction"));
}

}  // namespace

AmdahlFit amdahl_fit(const std::vector<CoreTime>& measured) {
  // Normal equations of serial / t + parallel / (n t) = 1.
  double ss = 0.0, sp = 0.0, pp = 0.0, s = 0.0, p = 0.0;
  for (const auto& [cores, seconds] : measured) {
    const double serial = 1.0 / seconds, parallel = serial / cores;
    ss += serial * serial, sp += serial * parallel, pp += parallel * parallel, s += serial, p += parallel;
  }
  const double determinant = ss * pp - sp * sp;
  if (measured.size() < 2 || s * pp < p * sp) return {0.0, p / pp};  // no serial part, or it cannot be determined
  if (p * ss < s * sp) return {s / ss, 0.0};
  return {(s * pp - p * sp) / determinant, (p * ss - s * sp) / determinant};
}

std::optional<NodeRate> node_rate(const Row& row) {
  const auto halo = halo_settings(*row.record);
  if (!halo || row.record->case_.extent.size() < 2 || halo->messages != 2.0) return std::nullopt;
  NodeRate node = {
      .layers = static_cast<double>(row.record->case_.extent.back()), .workers = row.workers(), .halo = *halo};
  node.halo.place = "nodes";
  node.layer_cells = row.work.updates / static_cast<double>(row.steps()) / node.layers;
  node.layer_seconds = layer_seconds(row);
  return node;
}

std::optional<double> step_on_nodes(const NodeRate& node, int nodes, double layers, const NetworkPeaks& network) {
  if (nodes == 1) return node.layer_seconds * layers_done(layers, node.halo.steps);
  if (layers < 1.0) return std::nullopt;
  HaloTraffic halo = node.halo;
  if (halo.steps > 1) {
    const int most = std::max(4, static_cast<int>(layers / node.workers / 16.0));
    halo.steps = std::max(1, std::min({halo.steps, most, static_cast<int>(layers)}) / 2 * 2);
    halo.bytes *= static_cast<double>(halo.steps) / node.halo.steps;
  }
  return step_seconds(halo, layers, node.layer_seconds, network);
}

NetworkPeaks parse_network(const std::string& text) {
  const auto values =
      each(split(text, ','), [](const std::string& word) { return parse_number<double>(word).value_or(0.0); });
  if (values.size() != 2 || !(values[0] > 0.0) || !(values[1] > 0.0) || !std::isfinite(values[0] + values[1]))
    throw bad_input("--network: expected LATENCY,BANDWIDTH, microseconds and GB/s above zero, found \"{}\"", text);
  return network_of(1e-6 * values[0], 1e9 * values[1]);
}

int predict_command(const PredictOptions& options) {
  const Plan plan = load_plan(find_plan(options.plan, plan_folder()));
  NetworkPeaks network;
  std::string network_words = "as given";
  if (!options.network.empty()) network = parse_network(options.network);
  const Results results = read_results(options.results);
  const std::vector<Row> rows = make_rows(results);
  const auto nodes = nodes_of(rows, plan);
  const std::string of_cores = cores_text(lines_of_cores(rows, plan), table_width());
  if (nodes.empty() && of_cores.empty())
    throw unavailable(
        "expected right runs of lbm-mpi on one node, or of one variant on several numbers of cores, for plan {} in {}, "
        "found none; run first: boltzmark run {} --models mpi --results {}",
        plan.name, options.results.string(), options.plan, options.results.string());
  if (!nodes.empty()) {
    if (options.network.empty()) network = as_nodes(results.peaks.value_or(Peaks()).network, network_words);
    print("Network: {}\n", network_words);
  }
  for (const Row* const row : nodes)
    print("\n{}, {}, {}, from {} on one node\n\n{}", row->case_name, row->variant, row->key.precision,
          counted(row->workers(), "worker"), scaling_text(*row, options.nodes, network, rows, table_width()));
  if (!nodes.empty()) print("\n{}", errors_text(rows, table_width()));
  if (!of_cores.empty()) print("{}{}", nodes.empty() ? "" : "\n", of_cores);
  return 0;
}

}  // namespace boltzmark
