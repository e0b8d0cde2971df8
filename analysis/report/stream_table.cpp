// Table I: the same five kernels in two models on the same device.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "analysis/report/table_cells.hpp"
#include "analysis/report/tables.hpp"
#include "analysis/run/comparison_output.hpp"
#include "analysis/support/json_reader.hpp"

namespace boltzmark {
namespace {

/// STREAM in both models on one type of device of one host, in one precision.
struct StreamPair {
  const StreamResult* first = nullptr;
  const StreamResult* second = nullptr;
  bool is_comparable() const { return first->elements == second->elements; }
};

std::string host_of(const StreamResult& stream) { return text_at(stream.provenance, "/host"); }

double triad_of(const StreamResult& stream) {
  const StreamKernelResult* const triad = stream.find("triad");
  return triad ? triad->gb_per_s : 0.0;
}

/// What can stand beside a run of the first model: of several the one on the device of that name, then one
/// with arrays of the same length, then the fastest.
const StreamResult* partner_of(const StreamResult& first, const std::vector<StreamResult>& streams,
                               const std::string& model) {
  const auto rank = [&](const StreamResult& s) {
    return std::tuple(s.device == first.device, s.elements == first.elements, triad_of(s));
  };
  const StreamResult* partner = nullptr;
  for (const StreamResult& stream : streams) {
    if (stream.model != model || stream.device_type != first.device_type ||
        stream.precision != first.precision || host_of(stream) != host_of(first))
      continue;
    if (!partner || rank(*partner) < rank(stream)) partner = &stream;
  }
  return partner;
}

/// GPUs before everything else, then single before double precision.
std::vector<StreamPair> pairs_of(const Results& results, const PublishedStream& published) {
  std::vector<StreamPair> pairs;
  for (const StreamResult& stream : results.streams)
    if (stream.model == published.first_model)
      if (const StreamResult* const partner = partner_of(stream, results.streams, published.second_model))
        pairs.push_back({&stream, partner});
  std::stable_sort(pairs.begin(), pairs.end(), [](const StreamPair& a, const StreamPair& b) {
    const auto rank = [](const StreamPair& p) {
      return std::pair(p.first->device_type != "gpu", p.first->precision != "f32");
    };
    return rank(a) < rank(b);
  });
  return pairs;
}

Cell percent_cell(std::optional<double> percent) {
  if (!percent) return {"-", ""};
  return {fmt::format("{:.1f}", *percent), fmt::format("{:.9g}", *percent)};
}

std::optional<double> shortest(const StreamResult& stream, const std::string& kernel) {
  const StreamKernelResult* const result = stream.find(kernel);
  return result ? std::optional(result->min_seconds) : std::nullopt;
}

/// The rows of a pair; without one the published figures alone.
void add_rows(const PublishedStream& published, const std::optional<StreamPair>& pair, ReportTable& table) {
  const bool comparable = pair && pair->is_comparable() && pair->first->passed && pair->second->passed;
  for (const auto& kernel : published.kernels) {
    std::optional<double> first, second, slower;
    if (pair) {
      first = shortest(*pair->first, kernel.name);
      second = shortest(*pair->second, kernel.name);
      if (comparable && first && second) slower = 100.0 * (1.0 - *first / *second);
    }
    table.rows.push_back({pair ? Cell(plain_device(pair->first->device)) : Cell("-", ""),
                          pair ? Cell(pair->first->precision) : Cell("-", ""), kernel.name,
                          published_cell(kernel.first_seconds), published_cell(kernel.second_seconds),
                          percent_cell(kernel.slower_percent), number_cell(first, 4), number_cell(second, 4),
                          percent_cell(slower)});
  }
}

std::string words(const StreamResult& stream) {
  return fmt::format("{} on {} ({}, {} elements)", stream.model, plain_device(stream.device),
                     stream.precision, stream.elements);
}

void note_pair(const StreamPair& pair, ReportTable& table) {
  table.note(fmt::format("Measured: {} beside {}.", words(*pair.first), words(*pair.second)));
  if (!pair.is_comparable())
    table.note(fmt::format("{} and {}: arrays of different length, so their seconds cannot be compared.",
                           words(*pair.first), words(*pair.second)));
  for (const StreamResult* stream : {pair.first, pair.second})
    if (!stream->passed)
      table.note(fmt::format("{}: its check failed, so it is not compared.", words(*stream)));
}

/// STREAM runs of the two models that are in no pair.
void note_unpaired(const Results& results, const PublishedStream& published,
                   const std::vector<StreamPair>& pairs, ReportTable& table) {
  std::set<const StreamResult*> paired;
  for (const StreamPair& pair : pairs) paired.insert({pair.first, pair.second});
  for (const std::string& model : {published.first_model, published.second_model}) {
    const auto is_model = [&](const StreamResult& stream) { return stream.model == model; };
    if (std::none_of(results.streams.begin(), results.streams.end(), is_model))
      table.note(fmt::format("No STREAM run of {} among these results (lbm-{} --stream).", model,
                             model == "openmp_target" ? "openmp-target" : model));
    for (const StreamResult& stream : results.streams) {
      if (!is_model(stream) || paired.contains(&stream)) continue;
      const std::string other =
          model == published.first_model ? published.second_model : published.first_model;
      table.note(fmt::format("{}: nothing to compare it with: no other run of {} on a {} of that host in {}.",
                             words(stream), other, type_words(stream.device_type), stream.precision));
    }
  }
}

/// STREAM runs of the two models that came to nothing, and why.
void note_failures(const Results& results, const PublishedStream& published, ReportTable& table) {
  for (const RunEntry& entry : results.entries) {
    const bool concerned =
        entry.key.model == published.first_model || entry.key.model == published.second_model;
    if (entry.key.is_stream() && concerned && entry.status != RunStatus::ok)
      table.note(fmt::format("STREAM of {}, {}: {}: {}", entry.key.model, entry.key.precision,
                             to_string(entry.status), entry.reason));
  }
}

}  // namespace

ReportTable stream_table(const Results& results, const Published& published) {
  const PublishedStream& stream = published.stream;
  ReportTable table;
  table.id = "table-1";
  table.title = "Table I. STREAM: OpenCL against OpenMP target";
  table.caption =
      "Seconds of the shortest execution of each kernel, and how much slower OpenMP target is: 1 - OpenCL / "
      "OpenMP target. The length of the published arrays is not stated, so only the per cent columns can be "
      "set "
      "beside each other.";
  table.source =
      published.citation(stream.origin) + ", on " + published.device(stream.hardware).description();
  table.columns = {left("measured\non", true),
                   left("type"),
                   left("kernel"),
                   right("published\nOpenCL\ns"),
                   right("published\nOpenMP\ntarget\ns"),
                   right("published\nslower\n%"),
                   right("measured\nOpenCL\ns"),
                   right("measured\nOpenMP\ntarget\ns"),
                   right("measured\nslower\n%")};
  const auto pairs = pairs_of(results, stream);
  for (const StreamPair& pair : pairs) {
    add_rows(stream, pair, table);
    note_pair(pair, table);
  }
  if (pairs.empty()) add_rows(stream, {}, table);
  if (std::none_of(pairs.begin(), pairs.end(), [](const auto& p) { return p.first->device_type == "gpu"; }))
    table.note("No GPU with STREAM in both models among these results.");
  note_unpaired(results, stream, pairs, table);
  note_failures(results, stream, table);
  return table;
}

}  // namespace boltzmark
