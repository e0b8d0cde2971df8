"""The page over many machines, from machines.csv, efficiency.csv and portability.csv of `boltzmark report A B ...`."""

from pathlib import Path

import page
import pandas
from figures import Results, read_table
from matplotlib.figure import Figure
from plots import Plot
from style import FAINT, INK, LINES, SHAPES, Look, legend_below, log_axis, new_figure
from table import tables_in
from words import counted, file_name, model_text, significant


class Machines:
    """The three tables, and plots and sections made from them."""

    def __init__(self, folder: Path):
        self.results = Results(folder, pandas.DataFrame(columns=["version", "revision"]), pandas.DataFrame(),
                               pandas.DataFrame())      # for the case that there are no rows: complaints
        self.machines = read_table(folder / "machines.csv")
        efficiency = read_table(folder / "efficiency.csv")
        self.tables = tables_in(folder / "tables.json")
        last = {"kind": "stable", "key": lambda names: names.str.startswith("stream")}  # after all others
        self.efficiency = efficiency.sort_values("application", **last)
        self.look = Look(self.efficiency.assign(name=""))

    def title(self) -> str:
        return counted(self.machines["machine"].nunique(), "machine")

    def lines(self) -> list[str]:
        """The fastest run of each platform on the problem that most of them ran, and who has none."""
        best = self.machines[self.machines["best"].notna()].sort_values("best", ascending=False)
        return [f"{row['platform']}: {significant(row['best'])} {row['unit']} on {row['case']} ({row['best_by']})"
                for _, row in best.iterrows()] + self.tables["machines"].notes

    def sections(self) -> list[page.Section]:
        cascades, rooflines = self.cascades(), self.rooflines()
        return [page.Section("machines", "Machines", [self.tables["machines"]]),
                page.Section("portability", "Performance portability", [self.tables["portability"], page.Tabs(
                    "Application", [(plot.title, [plot]) for plot in cascades])],
                    "" if cascades else "No problem ran on two platforms; portability needs the same problem on several."),
                page.Section("roofline", "Rooflines normalised to each ridge", rooflines,
                             "" if rooflines else "No run has a measured roof; measure the roofs with boltzmark peaks."),
                page.Section("efficiency", "Efficiencies", [self.tables["efficiency"]])]

    def cascades(self) -> list[Plot]:
        wide = self.efficiency[self.efficiency["platforms"] > 1]
        return [Plot(file_name(f"cascade-{name}"), name, "Solid: application efficiency on each model's platforms, "
                     "best first. Dashed: performance portability over the platforms so far. A line ends after a "
                     "model's last platform.",
                     f"{rows['model'].nunique()} models on {rows['platforms'].iat[0]:.0f} platforms.",
                     lambda rows=rows: self.cascade(rows)) for name, rows in wide.groupby("application", sort=False)]

    def cascade(self, rows: pandas.DataFrame) -> Figure:
        figure = new_figure(2.6)
        last = int(rows["platforms"].iat[0])
        axes = figure.add_subplot(xlabel="platforms, each model's best first", ylabel="efficiency", ylim=(0, 1.05),
                                  xlim=(0.7, last + 0.3), xticks=range(1, last + 1))
        handles = []
        for model, places in rows.sort_values("place").groupby("model", sort=False):
            look = {"gid": self.look.gid(model), "color": self.look.colour(model), "markersize": 4}
            handles += axes.plot(places["place"], places["application_efficiency"], marker="o", label=model_text(model), **look)
            axes.plot(places["place"], places["portability_so_far"], linestyle=LINES[1], linewidth=0.9, **look)
        legend_below(figure, handles)
        return figure

    def rooflines(self) -> list[Plot]:
        points = self.efficiency[self.efficiency["intensity_over_ridge"] > 0]
        return [Plot(file_name(f"normalised-{workload}-{precision}"), f"{workload.replace('_', '-')} {precision}",
                     "Fastest run of each model: intensity over that of the ridge, rate over that of multiply-adds. "
                     "The line is the roof of every "
                     "machine.", f"{len(rows)} runs.", lambda rows=rows: self.roofline(rows))
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
                          gid=self.look.gid(model), color=self.look.colour(model), markerfacecolor="none")
            handles += axes.plot([], [], linestyle="none", marker=shape, color=FAINT, label=platform)
        for model in dict.fromkeys(rows["model"]):
            handles += axes.plot([], [], gid=self.look.gid(model), color=self.look.colour(model), label=model_text(model))
        legend_below(figure, handles)
        return figure
