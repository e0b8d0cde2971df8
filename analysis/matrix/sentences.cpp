#include "analysis/matrix/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "analysis/roofline/difference.hpp"
#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"
#include "common/run/provenance.hpp"

namespace boltzmark {
namespace {

/// One of a run's rows.
Rows configurations(const Rows& rows) {
  std::set<
      std::tuple<std::string, std::string, std::string, std::string, std::string, std::int64_t, std::string, int, int>>
      known;
  Rows kept;
  for (const Row* row : rows)
    if (known
            .emplace(row->key.workload, row->key.model, join_not_empty({row->variant, row->setting}), row->case_name,
                     row->key.precision, row->steps(), row->device, row->threads, row->ranks)
            .second)
      kept.push_back(row);
  return kept;
}

}  // namespace

std::string Reason::line() const { return fmt::format("{} {}: {} ({})", count, state, reason, join(who, ", ")); }

std::vector<Reason> reasons(const Rows& rows) {
  ByName<Reason> found;
  for (const Row* row : configurations(rows)) {
    if (row->status == RunStatus::ok || row->status == RunStatus::wrong) continue;
    const std::string state = state_words(*row), words = reason_words(*row);
    Reason& one = found[state + '|' + words];
    one.state = state;
    one.reason = words;
    ++one.count;
    add_once(one.who, who_words(*row));
  }
  auto all = each(found, [](const auto& one) { return one.second; });
  std::ranges::stable_sort(all, std::greater(), &Reason::count);
  return all;
}

std::string verdict_words(const Rows& rows) {
  const Rows runs = configurations(rows);
  const auto count = [&runs](const auto& fits) { return std::ranges::count_if(runs, fits); };
  const auto is_checked = [](const Row* row) { return row->check.passed.value_or(false); };
  const auto right = count([&](const Row*row) { return row->status == RunStatus::ok && is_checked(row); }),
             unchecked = count([&](const Row*row) { return row->status == RunStatus::ok && !is_checked(row); }),
             wrong = count([](const Row*row) { return row->status == RunStatus::wrong; });
  const std::string which = unchecked > 0 ? "checked runs are right" : "runs are right";
  std::string text = wrong > 0 ? fmt::format("{} of {} {}, {} WRONG", right, right + wrong, which, wrong)
                               : fmt::format("All {} {}", right, which);
  if (unchecked > 0) text += fmt::format("; {} not checked", unchecked);
  if (right + wrong == 0)
    text = unchecked > 0   ? fmt::format("{} runs, not checked", unchecked)
           : !runs.empty() ? "No run was possible"
                           : "No runs yet; start with boltzmark run";
  ByName<std::vector<Reason>> states;
  for (const Reason& one : reasons(rows)) states[one.state].push_back(one);
  for (const auto& [state, some] : states) {
    int all = 0;
    for (const Reason& one : some) all += one.count;
    text += fmt::format("; {} {}: {}", all, state, some[0].reason);
    if (some.size() > 1) text += fmt::format(", and {}", counted(std::ssize(some) - 1, "other reason"));
  }
  return text + '.';
}

std::string noisy(const Rows& rows) {
  const auto right = std::ranges::count_if(rows, [](const Row*row) { return row->is_right(); }),
             noisy_ones = std::ranges::count_if(rows, [](const Row*row) { return row->is_right() && row->is_noisy(); });
  return noisy_ones == 0
             ? ""
             : fmt::format("{} of {} {} noisy (marked !): spread above {:.0f} %, or half of the repeats disturbed.",
                           counted(noisy_ones, "figure"), right, noisy_ones == 1 ? "is" : "are", 100.0 * noisy_spread);
}

std::string rounds_words(const Rows& rows) {
  std::size_t least = SIZE_MAX, most = 0;
  for (const Row* row : rows) {
    if (!row->is_right()) continue;
    least = std::min(least, row->round_seconds.size());
    most = std::max(most, row->round_seconds.size());
  }
  if (most == 0) return "";
  const std::string words = least == most ? most == 1 ? "one round" : fmt::format("{} rounds", most)
                                          : fmt::format("{} to {} rounds", least, most);
  if (least < rounds_to_rank)
    return fmt::format("Figures are of {}; it takes {} to rank models.", words, rounds_to_rank);
  return fmt::format(
      "Figures are medians of {}. Models tie (=) if the interval of their ratio is within {:.0f} %; undecided (?): the "
      "difference may be chance, but may be larger than that. With noisy figures or roofs, fewer than {} rounds show only "
      "differences that such noise cannot make.",
      words, 100.0 * most_of_a_tie, rounds_if_noisy);
}

std::vector<std::string> ranking(const Rows& rows) {
  std::vector<std::string> sentences;
  std::set<std::string> said;
  for (const View view : {View::same_algorithm, View::best}) {
    const Matrix matrix(rows, view);
    for (const MatrixLine& line : matrix.lines)
      if (line.fastest && said.insert(line.label).second) sentences.push_back(matrix.sentence(line));
  }
  return sentences;
}

std::vector<std::string> first_of_ranking(const Rows& rows) {
  constexpr std::size_t most_said = 8;
  auto sentences = ranking(rows);
  if (sentences.size() <= most_said) return sentences;
  const auto more = static_cast<std::int64_t>(sentences.size() - most_said);
  sentences.resize(most_said);
  sentences.push_back(fmt::format("... and {} (boltzmark matrix --all)", counted(more, "more problem")));
  return sentences;
}

std::vector<std::string> absent_models(const Rows& rows) {
  const Provenance here = provenance_now();
  const auto is_same = [&here](const Provenance& at) {
    return at.host == here.host && at.cpu == here.cpu && at.system == here.system;
  };
  std::vector<std::string> models, workloads;
  bool is_here = false;
  for (const Row* row : rows) {
    add_once(models, row->key.model);
    add_once(workloads, row->key.workload);
    is_here |= row->record && is_same(row->record->provenance);
  }
  const fs::path file = data_path("programs.json", program_folder());
  if (!is_here || !fs::exists(file)) return {};
  ByName<std::vector<std::string>> absent;  // by what they lack
  for (const nlohmann::json& program : load_json(file))
    if (const std::string model = text_in(program, "model");
        contains(workloads, text_in(program, "workload")) && !contains(models, model))
      add_once(absent[text_in(program, "skipped")], model);
  return each(absent, [&](const auto& one) {
    const auto& [lacks, names] = one;
    const char* const which = names.size() == 1 ? "it" : "them";
    const std::string how =
        lacks.empty() ? fmt::format("not in these results; a plan that has {0} adds {0} (boltzmark list)", which)
                      : "not built: " + lacks;
    return fmt::format("{}: {}.", joined(names, ", ", model_words), how);
  });
}

std::string compiler_of(const Row& row) {
  const auto words = words_in(row.record->provenance.compiler);
  const std::string host =
      words.size() < 2 ? join(words, "") : words[0] + ' ' + words[1].substr(0, words[1].rfind('.'));
  const std::string kernels = kernels_by(*row.record);
  return kernels.empty() || host.empty() ? host : fmt::format("{} (host compiler: {})", kernels, host);
}

namespace {

/// Each compiler with its models; "" if all have the same.
std::string compilers_words(const Rows& rows) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const Row* row : rows) all.emplace_back(model_words(row->key.model), compiler_of(*row));
  const auto is_other = [&all](const auto& one) { return one.second != all.front().second; };
  return std::ranges::any_of(all, is_other) ? fmt::format("Models differ by compiler too: {}.", by_model(all)) : "";
}

/// Models that had one thread of a processor where others had more, with the runtime that gave them no more.
std::string one_thread_words(const Rows& rows) {
  ByName<std::pair<int, std::string>> models;  // most workers; runtime
  int most = 0;
  for (const Row* row : rows)
    if (row->record->device_type == "cpu" && row->threads > 0) {
      auto& [workers, runtime] = models[row->key.model];
      most = std::max(most, row->workers());
      workers = std::max(workers, row->workers());
      runtime = row->record->driver;
    }
  std::vector<std::string> single;
  for (const auto& [model, of] : models)
    if (of.first == 1)
      single.push_back(model_words(model) + (of.second.empty() ? "" : fmt::format(" ({})", of.second)));
  return most < 2 || single.empty()
             ? ""
             : fmt::format("On one thread, where other models have up to {}: {}.", most, join(single, ", "));
}

/// "clang-o3 over gcc-o3: faster in 3 (1.2 times), tie in 2."
std::vector<std::string> build_words(const Rows& rows) {
  ByName<ByName<std::vector<double>>> builds;
  const Row* first = nullptr;
  for (const Row* row : rows)
    if (!row->key.build.empty() && row->over_first_build) {
      if (!first) first = row;
      const double over = *row->over_first_build;
      const std::string& verdict = row->verdict_over_build;
      if (row->key.build != first->key.build)
        builds[row->key.build][verdict.empty() ? "too few rounds" : verdict].push_back(std::max(over, 1.0 / over));
    }
  const auto words = [](const auto& one) {
    const auto& [verdict, times] = one;
    return fmt::format("{} in {}", verdict, times.size()) +
           (verdict.ends_with("er") ? fmt::format(" ({} times)", significant(geometric_mean(times), 3)) : "");
  };
  return each(builds, [&](const auto& build) {
    return fmt::format("{} beside {}: {}.", build.first, first->key.build, joined(build.second, ", ", words));
  });
}

}  // namespace

std::vector<std::string> conditions(const Rows& rows) {
  Rows right = rows;
  std::erase_if(right, [](const Row* row) { return !row->is_right(); });
  std::vector<std::string> sentences = {rounds_words(rows), noisy(rows), compilers_words(right),
                                        one_thread_words(right)};
  for (const std::string& one : build_words(right)) sentences.push_back(one);
  for (const std::string& one : absent_models(rows)) sentences.push_back(one);
  std::erase(sentences, "");
  return sentences;
}

std::string machine_line(const Rows& rows, const std::vector<nlohmann::json>& peaks) {
  std::vector<std::string> devices, processors, compilers, texts;
  int cores = 0;
  std::int64_t right = 0, accelerated = 0;
  std::string date;
  for (const Row* row : rows) {
    if (!row->record) continue;
    const Provenance& at = row->record->provenance;
    if (!at.cpu.empty()) add_once(processors, device_text(at.cpu));
    cores = std::max(cores, at.cores);
    if (row->status != RunStatus::ok) continue;
    ++right;
    date = std::max(date, at.date.substr(0, 10));
    if (const std::string compiler = compiler_of(*row); !compiler.empty()) add_once(compilers, compiler);
    if (row->record->device_type != "gpu" && row->record->device_type != "accelerator") continue;
    ++accelerated;
    add_once(devices, row->device);
  }
  const auto add = [&](const std::string& name, const std::string& of) {
    double memory = 0.0, compute = 0.0;
    for (const auto& peak : peaks) {
      if (text_in(peak, "of") != of || !peak.value("is_roof", false)) continue;
      const double roof = number_in(peak, "moved").value_or(number_in(peak, "roof").value_or(0.0));
      const std::string level = text_in(peak, "level");
      if (level == "DRAM" || level == "memory") memory = std::max(memory, roof);
      if (text_in(peak, "kind") == "compute" && text_in(peak, "precision") == "f32") compute = std::max(compute, roof);
    }
    texts.push_back(name + (memory > 0.0 ? fmt::format(", {} GB/s memory", significant(memory, 3)) : "") +
                    (compute > 0.0 ? fmt::format(", {} GFLOP/s f32", significant(compute, 3)) : ""));
  };
  const auto add_processor = [&] {
    const std::string name = processors.empty() ? "an unknown processor" : join(processors, ", ");
    add(name + (cores > 0 ? ", " + counted(cores, "core") : ""), "processor");
  };
  if (2 * accelerated <= right) add_processor();
  for (const std::string& device : devices) add(device_text(device, 50), device);
  if (2 * accelerated > right) add_processor();
  std::ranges::sort(compilers);
  texts.insert(texts.end(), compilers.begin(), compilers.end());
  if (!date.empty()) texts.push_back(date);
  return join(texts, " \u00b7 ");
}

}  // namespace boltzmark
