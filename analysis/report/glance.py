"""The first screen: the machine in a line, what is right and what is not, and the matrix of problems and models."""

import re
from dataclasses import dataclass, replace
from typing import Any

import pandas
from figures import Results, cells_of
from plots import bars_id
from style import MODELS
from words import (NONE, STATES, absent, counted, device_text, grouped, limit_text, model_text, problem_text, share_text,
                   significant)

# A cell's shade by its share, from the palest to the darkest; page.css has their colours.
SHADES = (0.02, 0.1, 0.25, 0.5, 0.75, 0.95)
BEHIND_BELOW = 0.8  # as figures.csv has it
MOST_ROWS = 20      # of more the first screen has a row per workload, and all of them folded


@dataclass
class Cell:
    state: str              # "ok", a status of STATES, or "" where nothing was asked for
    id: str = ""            # of the run
    words: str = ""         # the run, its rate and what limits it
    shares: tuple[Any, Any] = (None, None)      # of the fastest of its row, of its roof
    is_wrong: bool = False  # a run of this model is, be it another
    reason: str = ""        # why there is none that is right
    label: str = ""         # of its row
    behind: str = ""        # for which facts its share is small

    def shade(self, which: int) -> str:
        share = self.shares[which]
        return "none" if absent(share) else f"h{sum(share >= least for least in SHADES)}"

    def text(self, which: int) -> str:
        return NONE if absent(self.shares[which]) else ">100" if self.shares[which] > 1.005 else f"{100 * self.shares[which]:.0f}"


@dataclass
class Row:
    label: str
    anchor: str             # of its chart
    cells: list[Cell]
    fastest: pandas.Series | None
    ahead: str              # of the fastest of another model
    workload: str = ""
    problems: int = 1       # that it stands for


def columns_of(runs: pandas.DataFrame) -> list[tuple[str, str]]:
    """Models in the order of the colours; one on several types of devices has a column for each."""
    order = [*MODELS, *dict.fromkeys(runs["model"])]
    types = {model: [t for t in dict.fromkeys(rows["device_type"]) if t] or [""] for model,
             rows in runs.groupby("model")}
    return [(model, kind) for model in sorted(types, key=order.index) for kind in sorted(types[model])]


def column_names(columns: list[tuple[str, str]]) -> list[str]:
    models = [model for model, _ in columns]
    return [model_text(model) + (f" {kind.upper()}" if models.count(model) > 1 else "") for model, kind in columns]


def matrix(results: Results) -> tuple[list[str], list[Row]]:
    runs = results.runs[results.runs["part"].isin(["", "triad"]) | (results.runs["workload"] != "stream")]
    columns = columns_of(runs)
    kernels = runs.groupby("workload")["part"].max()
    first = sorted(dict.fromkeys(runs["workload"]), key=lambda name: kernels[name])     # STREAM after what it bounds
    # A run that was impossible does not say how large its default problem would have been.
    known = runs[runs["case"] != "default"].groupby("workload")["case"].first()
    runs = runs.assign(case=runs["case"].where(runs["case"] != "default",
                                               runs["workload"].map(known).fillna("default")))
    parts = runs[runs["part"] != ""].groupby("workload")["part"].first()
    runs = runs.assign(part=runs["part"].where(runs["part"] != "", runs["workload"].map(parts).fillna("")))
    runs = runs.assign(order=runs["workload"].map(first.index), size=cells_of(runs))
    runs["size"] = runs.groupby(["workload", "case"])["size"].transform("max")
    rows = [row_of(key, frame, columns) for key, frame in
            runs.sort_values(["order", "size", "precision", "part"], kind="stable").groupby(
                ["workload", "case", "precision", "part"], sort=False)]
    return column_names(columns), [row for row in rows if any(cell.state for cell in row.cells)]


def row_of(key: tuple[str, str, str, str], frame: pandas.DataFrame, columns: list[tuple[str, str]]) -> Row:
    workload, case, precision, part = key
    right = frame[frame["share_of_best"].notna()].sort_values("share_of_best", ascending=False, kind="stable")
    fastest = right.iloc[0] if len(right) else None
    others = right[right["model"] != fastest["model"]] if len(right) else right
    ahead = [f"{significant(1 / run['share_of_best'], 3)} × {model_text(run['model'])}" for _, run in others.iterrows()]
    label = " ".join([model_text(workload), *([part] if part else []),
                      problem_text(case), *([precision] if precision != "f32" else [])])
    cells = []
    for model, kind in columns:
        cells.append(cell_of(frame[(frame["model"] == model) & frame["device_type"].isin([kind, ""])]))
        cells[-1].label = label
    has_bars = (frame["status"] == "ok").sum() > 1 and part in ("", "triad")
    return Row(label, bars_id(workload, case, precision) if has_bars else "", cells, fastest, "".join(ahead[:1]),
               model_text(workload))


def smallest(rows: list[Row]) -> list[Row]:
    """A row per workload, of each model the cell with the smallest share, or the worst state where none has one."""
    kept: dict[str, list[Row]] = {}
    for row in rows:
        kept.setdefault(row.workload, []).append(row)

    def rank(cell: Cell) -> tuple[float, int]:
        return (2.0 if absent(cell.shares[0]) else cell.shares[0], [*STATES, "ok", ""].index(cell.state))
    made = []
    for workload, some in kept.items():
        cells = [replace(min(column, key=rank), is_wrong=any(cell.is_wrong for cell in column))
                 for column in zip(*(row.cells for row in some))]
        made.append(Row(workload, some[0].anchor, cells, None, "", workload, len(some)))
    return made


def furthest(models: list[str], row: Row) -> str:
    """"opencl, 512: 1 step a sweep, best 8": the smallest share, where that is behind; then others' known causes."""
    behind = sorted([(cell.shares[0], model, cell) for model, cell in zip(models, row.cells)
                     if not absent(cell.shares[0]) and cell.shares[0] < BEHIND_BELOW], key=lambda one: one[0])
    causes: dict[str, list[str]] = {}
    for _, model, cell in behind[1:]:
        if cell.behind:
            causes.setdefault(cell.behind, []).append(model)
    first = [f"{model}, {cell.label.removeprefix(row.workload).strip()}" + f": {cell.behind}" * bool(cell.behind)
             for _, model, cell in behind[:1]]
    return "; ".join(first + [f"{', '.join(of)}: {cause}" for cause, of in causes.items()])


def cell_of(mine: pandas.DataFrame) -> Cell:
    best = mine[mine["share_of_best"].notna()]
    wrong = mine[mine["status"] == "wrong"]
    if len(best):
        run = best.iloc[0]
        return Cell("ok", run["id"],
                    f"{run['who']}: {rate_of(run)}, {share_text(run['share_of_best'])} of the fastest"
                    + "".join(f"; {text}" for text in (limits(run), run["behind"]) if text),
                    (run["share_of_best"], run[["share_of_roof", "share_of_peak", "share_of_operation"]].max()), len(wrong) > 0,
                    behind=run["behind"])
    if mine.empty:
        return Cell("")
    worst = next(status for status in (*STATES, mine["status"].iat[0]) if (mine["status"] == status).any())
    run = mine[mine["status"] == worst].iloc[0]
    if worst == "ok" and not run["passed"]:
        return Cell("unchecked", run["id"], f"{run['who']}: {rate_of(run)}, not checked", is_wrong=len(wrong) > 0)
    return Cell(worst, run["id"], f"{run['who']}: {STATES.get(worst, worst)}: {run['reason']}", is_wrong=len(wrong) > 0,
                reason=reason_of(run))


def rate_of(run: pandas.Series) -> str:
    return f"{significant(run['rate'], 3) if run['rate'] < 1e4 else grouped(run['rate'])} {run['rate_unit']}"


def limits(run: pandas.Series) -> str:
    """"memory, 83 % of DRAM"; where the roof's interval or the rounds disagree both words."""
    either = re.match(r"([a-z-]+) or ([a-z-]+)(?:, by rounds)?: ", run["why"] or "")
    bound = run["bound"] or (" or ".join(map(limit_text, either.groups())) + ", unclear" if either else "")
    is_more = run["share_of_roof"] > 1.005
    share = f"{share_text(run['share_of_roof'])} of {run['roof']}" if run["share_of_roof"] > 0 and not (bound and is_more) else ""
    return ", ".join(text for text in (bound, share) if text)


def machine(results: Results) -> str:
    """What ran most first: devices with their bandwidth and arithmetic as measured, compilers, the day."""
    runs, peaks, texts = results.right(), results.peaks, []
    accelerators = runs[runs["device_type"].isin(["gpu", "accelerator"])]
    processors = list(dict.fromkeys(cpu for cpu in results.runs["cpu"] if cpu))
    named = [(device, device, "") for device in dict.fromkeys(accelerators["device"])]
    cores = results.runs["cores"].max()
    named.insert(0 if 2 * len(accelerators) <= len(runs) else len(named),
                 (", ".join(map(device_text, processors)) or "an unknown processor", "processor",
                  f", {counted(int(cores), 'core')}" if cores == cores else ""))
    for name, of, more in named:
        roofs = peaks[(peaks["of"] == of) & peaks["is_roof"]]
        memory = roofs[roofs["level"].isin(["DRAM", "memory"])]["roof"].max()
        compute = roofs[(roofs["kind"] == "compute") & (roofs["precision"] == "f32")]["roof"].max()
        texts.append(device_text(name, 50) + more + (f", {significant(memory, 3)} GB/s memory"
                                                     if memory == memory else "")
                     + (f", {significant(compute, 3)} GFLOP/s f32" if compute == compute else ""))
    texts += sorted({f"{words[0]} {words[1].rsplit('.', 1)[0]}" for words in runs["compiler"].str.split()
                     if len(words) > 1})[:3]
    texts += [max(runs["date"])[:10]] if any(runs["date"]) else []
    return " · ".join(texts)


def title(results: Results) -> str:
    return re.split(r", \d| · ", machine(results))[0]


def reason_of(run: Any) -> str:
    """Why a run was not made, the same words for all that have the same reason."""
    reason = run["reason"] or run["status"]
    reason = re.sub(rf"^{re.escape(run['variant'])}: " if run["variant"] else "^$", "", reason).split(";")[0]
    return re.sub(r"\b\d+(x\d+)+ cells", "this many cells", device_in(reason, run))


def device_in(text: str, run: Any) -> str:
    return text.replace(run["device"], device_text(run["device"])) if run["device"] else re.sub(
        r"\b(?:pthread|cpu|basic)-[\w-]*-(?=[A-Z])", "", text)


def reasons(results: Results) -> list[tuple[str, str, int, str]]:
    """Status, reason, how many and which, of what is neither right nor wrong, the most frequent first."""
    left = results.configurations()
    left = left[~left["status"].isin(["ok", "wrong"])]
    left = left.assign(said=[reason_of(run) for _, run in left.iterrows()])
    groups = [(STATES.get(status, status), said, len(rows), ", ".join(dict.fromkeys(rows["who"])))
              for (status, said), rows in left.groupby(["status", "said"], sort=False)]
    return sorted(groups, key=lambda group: -group[2])


def hatched(models: list[str], rows: list[Row]) -> list[str]:
    """Why cells of the matrix have no share, each reason once with its models."""
    found: dict[str, list[str]] = {}
    for row in rows:
        for model, cell in zip(models, row.cells):
            if cell.reason and not cell.is_wrong:
                found.setdefault(f"{STATES.get(cell.state, cell.state)}: {cell.reason}", []).append(model)
    return [f"{reason} ({', '.join(dict.fromkeys(of))})" for reason, of in found.items()]


def verdict(results: Results) -> str:
    """One sentence: what is right; what is wrong is said above it."""
    runs = results.configurations()
    done = runs["status"] == "ok"
    right, unchecked, wrong = (int(rows.sum()) for rows in (done & runs["passed"], done & ~runs["passed"],
                                                            runs["status"] == "wrong"))
    checked = f"{'checked ' * bool(unchecked)}runs are right"
    text = f"{right} of {right + wrong} {checked}, {wrong} WRONG" if wrong else f"All {right} {checked}"
    text += f"; {unchecked} not checked" * bool(unchecked)
    if not right + wrong:
        text = f"{unchecked} runs, not checked" if unchecked else "No run was made" if len(
            runs) else "No runs yet: boltzmark run makes them"
    left = reasons(results)
    for state in dict.fromkeys(state for state, *_ in left):
        count = sum(n for kind, _, n, _ in left if kind == state)
        said = [reason for kind, reason, *_ in left if kind == state]
        text += f"; {count} {state}: {said[0]}" + (f", and {counted(len(said) - 1, 'other reason')}"
                                                   if len(said) > 1 else "")
    return text + "."


def noisy(results: Results) -> str:
    """One line for all figures that are to be measured again."""
    runs = results.right()
    count = int(runs["is_noisy"].sum())
    return (f"{counted(count, 'figure')} of {len(runs)}, marked ! in the tables below, are noisy: measure again on a quiet "
            "machine." if count else "")


def lines(results: Results) -> list[str]:
    """For the terminal: the fastest of each problem and what was said above."""
    _, rows = matrix(results)
    text = [f"{row.label + ':':<26} {row.fastest['who']}, {rate_of(row.fastest)}{', ' + row.ahead if row.ahead else ''}"
            for row in rows if row.fastest is not None]
    return [*text[:8], *([f"... and {counted(len(text) - 8, 'more problem')}"] if len(text) > 8 else []),
            verdict(results), *filter(None, [noisy(results)])]
