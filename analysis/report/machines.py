"""The page over many machines, from machines.csv, efficiency.csv and portability.csv of `boltzmark report A B ...`."""

from pathlib import Path

import page
import pandas
from figures import Results, read_table
from matplotlib.figure import Figure
from plots import Plot
from style import FAINT, INK, LINES, SHAPES, Look, legend_below, log_axis, new_figure
from table import Column, Table
from words import counted, device_text, file_name, model_text, percent, significant


class Machines:
    """The three tables and what is made of them."""

    def __init__(self, folder: Path):
        complaints: list[str] = []
        self.results = Results(folder, pandas.DataFrame(columns=["version", "revision"]), pandas.DataFrame(),
                               pandas.DataFrame(), complaints)      # of no rows: for complaints
        self.machines = read_table(folder / "machines.csv", complaints)
        efficiency = read_table(folder / "efficiency.csv", complaints)
        portability = read_table(folder / "portability.csv", complaints)
        last = {"kind": "stable", "key": lambda names: names.str.startswith("stream")}  # after what it bounds
        self.efficiency = efficiency.sort_values("application", **last)
        self.portability = portability.replace({"over": {"cpus": "processors", "gpus": "GPUs"}}).sort_values("of", **last)
        self.look = Look(self.efficiency.assign(name=""))

    def title(self) -> str:
        return counted(self.machines["machine"].nunique(), "machine")

    def lines(self) -> list[str]:
        """The fastest of each platform on the problem that most ran."""
        best = self.machines[self.machines["best"].notna()].sort_values("best", ascending=False)
        return [f"{row['platform']}: {significant(row['best'])} {row['unit']} on {row['case']} ({row['best_by']})"
                for _, row in best.iterrows()]

    def sections(self) -> list[page.Section]:
        cascades = list(self.cascades())
        return [page.Section("machines", "Machines", [self.table()]),
                page.Section("portability", "Performance portability", [self.portabilities(), page.Tabs(
                    "Application", [(plot.title, [plot]) for plot in cascades])],
                    "Nothing ran on two of them: portability needs the same problem on several."),
                page.Section("roofline", "Rooflines normalised to each ridge", [*self.rooflines()],
                             "No run has a measured roof: boltzmark peaks measures them."),
                page.Section("efficiency", "Efficiencies", [self.efficiencies()])]

    def table(self) -> Table:
        frame = self.machines.assign(per_joule=1e-6 * self.machines["updates_per_joule"])
        shown = frame[frame["case"] != ""]
        problem = f"{shown['case'].iat[0]} {shown['precision'].iat[0]}" if len(shown) else "no problem of lattice Boltzmann"
        unit = shown["unit"].iat[0] if len(shown) else ""
        columns = [Column("platform", "platform"), Column("device", "device", device_text), Column("cores", "cores", 1),
                   Column(f"same algorithm\n{unit}", "like_for_like", 4, note="like_for_like_by"),
                   Column(f"best\n{unit}", "best", 4, note="best_by"), Column("of its\nbound", "share_of_roof", percent),
                   Column("triad\nGB/s", "triad_gb_per_s", 4, note="triad_by"), Column("roof\nGB/s", "roof_gb_per_s", 4),
                   Column("multiply-adds\nGFLOP/s", "peak_gflop_per_s", 4),
                   Column("ridge\nFLOP/byte", "ridge_flop_per_byte", 3),
                   Column("million\nupdates\na joule", "per_joule", 4, note="updates_per_joule_case"),
                   Column("measured", "last_date")]
        return Table("machines", f"Lattice Boltzmann, {problem}", frame, columns,
                     "Right runs at their medians; shares of bounds at most 100 %; the roof in bytes that move. The "
                     "problem is the one that most platforms ran.")

    def portabilities(self) -> Table:
        columns = [Column("application", "of"), Column("model", "model", model_text), Column("over", "over"),
                   Column("platforms", "platforms", 1), Column("application\nefficiency", "application", percent),
                   Column("architectural\nefficiency", "architectural", percent), Column("not on", "without", wide=True)]
        return Table("portability", "Pennycook's performance portability", self.portability, columns,
                     "Harmonic means over all platforms on which any model ran the application, 0 where a model has no right "
                     "run on one of them; over the processors and the GPUs of these by themselves.",
                     ["Application efficiency: the rate over the best of any model on that platform.",
                      "Architectural efficiency: the share of the time that the bound takes, at most 100 %; empty "
                      "where the roofs of a platform are not known.",
                      *(f"{of}: {rows['set'].iat[0]}" for of, rows in
                        self.portability[self.portability["over"] == "all"].groupby("of", sort=False))],
                     filters=[("Application", "of"), ("Model", "model"), ("Over", "over")])

    def efficiencies(self) -> Table:
        columns = [Column("application", "application"), Column("platform", "platform"),
                   Column("model", "model", model_text), Column("fastest", "program"), Column("rate", "rate", 4, note="unit"),
                   Column("application\nefficiency", "application_efficiency", percent),
                   Column("architectural\nefficiency", "architectural_efficiency", percent), Column("bound", "bound")]
        return Table("efficiency", "Fastest of each model on each platform", self.efficiency, columns,
                     filters=[("Application", "application"), ("Platform", "platform"), ("Model", "model")])

    def cascades(self) -> list[Plot]:
        wide = self.efficiency[self.efficiency["platforms"] > 1]
        return [Plot(file_name(f"cascade-{name}"), name, "Solid: application efficiency on each model's platforms from the "
                     "best on. Dashed: its portability over these so far; a line that ends early has no more platforms.",
                     f"{rows['model'].nunique()} models on {rows['platforms'].iat[0]:.0f} platforms.",
                     lambda rows=rows: self.cascade(rows)) for name, rows in wide.groupby("application", sort=False)]

    def cascade(self, rows: pandas.DataFrame) -> Figure:
        figure = new_figure(2.6)
        last = int(rows["platforms"].iat[0])
        axes = figure.add_subplot(xlabel="platforms, each model's best first", ylabel="efficiency", ylim=(0, 1.05),
                                  xlim=(0.7, last + 0.3), xticks=range(1, last + 1))
        handles = []
        for model, places in rows.sort_values("place").groupby("model", sort=False):
            look = {"color": self.look.colour(model), "markersize": 4}
            handles += axes.plot(places["place"], places["application_efficiency"], marker="o", label=model_text(model), **look)
            axes.plot(places["place"], places["portability_so_far"], linestyle=LINES[1], linewidth=0.9, **look)
        legend_below(figure, handles)
        return figure

    def rooflines(self) -> list[Plot]:
        points = self.efficiency[self.efficiency["intensity_over_ridge"] > 0]
        return [Plot(file_name(f"normalised-{workload}-{precision}"), f"{workload.replace('_', '-')} {precision}",
                     "The fastest run of each model: its intensity over that of the ridge, its rate over that of multiply-adds. "
                     "The line is every machine's roof.", f"{len(rows)} runs.", lambda rows=rows: self.roofline(rows))
                for (workload, precision), rows in points.groupby(["workload", "precision"], sort=False)]

    def roofline(self, rows: pandas.DataFrame) -> Figure:
        figure = new_figure(2.9)
        x, y = rows["intensity_over_ridge"], rows["share_of_peak"]
        low, high = min(0.1, x.min() / 2), max(10.0, x.max() * 2)
        axes = figure.add_subplot(xlabel="operational intensity / ridge", ylabel="GFLOP/s / multiply-adds")
        log_axis(axes.xaxis, low, high)
        log_axis(axes.yaxis, min(low, y.min() / 2), max(2.0, y.max() * 2))
        axes.grid(True)
        axes.plot([low, 1.0, high], [low, 1.0, 1.0], color=INK, linewidth=1.0)
        handles = []
        for i, (platform, some) in enumerate(rows.groupby("platform", sort=False)):
            shape = SHAPES[i % len(SHAPES)]
            for model, of in some.groupby("model", sort=False):
                axes.plot(of["intensity_over_ridge"], of["share_of_peak"], linestyle="none", marker=shape, markersize=5,
                          color=self.look.colour(model), markerfacecolor="none")
            handles += axes.plot([], [], linestyle="none", marker=shape, color=FAINT, label=platform)
        for model in dict.fromkeys(rows["model"]):
            handles += axes.plot([], [], color=self.look.colour(model), label=model_text(model))
        legend_below(figure, handles)
        return figure
