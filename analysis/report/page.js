"use strict";
// Brings the page to life: sorting, choosing rows, opening details, interactive rooflines. Without it everything is shown.
(() => {
  document.documentElement.classList.add("js");
  const bodies = (table) => Array.from(table.tBodies);

  // What a row is sorted by in a column: the number or text of that cell. Missing figures always go last.
  function keyOf(body, column, numeric) {
    const cell = body.rows[0].cells[column];
    if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
    return numeric ? null : cell.textContent.trim();
  }

  function compare(a, b) {
    if (a === null || b === null) return (a === null) - (b === null);
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b), "en", { numeric: true });
  }

  function sort(table, header) {
    const down = header.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", down ? "descending" : "ascending");
    const numeric = bodies(table).some((body) => body.rows[0].cells[header.cellIndex].dataset.value !== undefined);
    const keys = new Map(bodies(table).map((body) => [body, keyOf(body, header.cellIndex, numeric)]));
    table.append(...bodies(table).sort((a, b) => {
      const [x, y] = [keys.get(a), keys.get(b)];
      return down && x !== null && y !== null ? compare(y, x) : compare(x, y);
    }));
  }

  function setOpen(body, open) {
    const button = body.querySelector("button.open");
    if (!button) return;
    button.setAttribute("aria-expanded", String(open));
    body.querySelector("tr.detail").hidden = !open;
  }

  // Shows the rows that fit every choice of the form, and says how many.
  function choose(form, table) {
    const wanted = Array.from(form.elements).filter((field) => field.name && field.value);
    let shown = 0;
    for (const body of bodies(table)) {
      body.hidden = !wanted.every((field) => body.dataset[field.name] === field.value);
      shown += !body.hidden;
    }
    form.querySelector(".count").textContent = `${shown} of ${bodies(table).length} ${table.dataset.unit} shown`;
  }

  function setUpTools(form) {
    const table = document.getElementById(form.dataset.for);
    form.hidden = false;
    form.addEventListener("change", () => choose(form, table));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(() => choose(form, table)));  // its fields are reset after this event
    const all = form.querySelector(".open-all");
    all.addEventListener("click", () => {
      const open = all.getAttribute("aria-expanded") !== "true";
      all.setAttribute("aria-expanded", String(open));
      all.textContent = open ? "Close all details" : "Open all details";
      for (const body of bodies(table)) setOpen(body, open);
    });
    choose(form, table);
  }

  // A link to a row shows it, whatever is chosen, with its details.
  function showTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || target.tagName !== "TBODY") return;
    if (target.hidden) document.querySelector(`form[data-for="${target.closest("table").id}"]`).reset();
    target.hidden = false;
    setOpen(target, true);
    target.rows[0].scrollIntoView({ block: "center" });
  }

  const SVG = "http://www.w3.org/2000/svg";
  function draw(parent, name, attributes, text) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  }

  // The marks of the plots for print, as polygons of so many corners, from which angle, with every second one nearer.
  const MARKS = { s: [4, 45], D: [4, 0], "^": [3, -90], v: [3, 90], "<": [3, 180], ">": [3, 0], P: [8, 22, 0.5], X: [8, 0, 0.5], p: [5, -90], h: [6, 0], 8: [8, 22] };
  function mark(parent, shape, x, y, attributes) {
    if (!MARKS[shape]) return draw(parent, "circle", { cx: x, cy: y, r: 5, ...attributes });
    const [corners, turn, inner = 1] = MARKS[shape];
    const points = Array.from({ length: corners }, (_, i) => {
      const angle = (turn + 360 * i / corners) * Math.PI / 180, r = 6 * (i % 2 ? inner : 1);
      return `${(x + r * Math.cos(angle)).toFixed(1)},${(y + r * Math.sin(angle)).toFixed(1)}`;
    });
    return draw(parent, "polygon", { points: points.join(" "), ...attributes });
  }

  // Log-log: GFLOP/s over FLOP/byte. The same figures as the plot for print, all cases in one.
  function setUpRoofline(box) {
    const { roofs, tops, points } = JSON.parse(box.dataset.points), [width, height, left, top, right, bottom] = [1000, 560, 64, 12, 12, 44];
    const highest = Math.max(...tops.map((t) => t.rate), ...points.map((p) => p.y));
    const ridges = tops.length ? roofs.map((r) => highest / r.rate) : [];
    const xs = [...points.map((p) => p.x), ...ridges], [x0, x1] = [Math.min(...xs) / 3, Math.max(...xs) * 3];
    const [y0, y1] = [Math.min(...points.map((p) => p.y)) / 2.5, highest * 2.2];
    const scale = (v, a, b, from, to) => from + (to - from) * Math.log(v / a) / Math.log(b / a);
    const X = (v) => scale(v, x0, x1, left, width - right), Y = (v) => scale(v, y0, y1, height - bottom, top);
    const svg = draw(box, "svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
    for (let power = Math.ceil(Math.log10(x0)); 10 ** power <= x1; power += 1) {
      draw(svg, "line", { x1: X(10 ** power), x2: X(10 ** power), y1: top, y2: height - bottom, stroke: "#d4d9de" });
      draw(svg, "text", { x: X(10 ** power), y: height - bottom + 16, "text-anchor": "middle" }, String(Number((10 ** power).toPrecision(3))));
    }
    for (let power = Math.ceil(Math.log10(y0)); 10 ** power <= y1; power += 1) {
      draw(svg, "line", { x1: left, x2: width - right, y1: Y(10 ** power), y2: Y(10 ** power), stroke: "#d4d9de" });
      draw(svg, "text", { x: left - 6, y: Y(10 ** power) + 4, "text-anchor": "end" }, String(Number((10 ** power).toPrecision(3))));
    }
    draw(svg, "text", { x: (left + width) / 2, y: height - 8, "text-anchor": "middle" }, "operational intensity (FLOP/byte)");
    draw(svg, "text", { transform: `translate(14 ${height / 2}) rotate(-90)`, "text-anchor": "middle" }, "performance (GFLOP/s)");
    roofs.forEach((roof, i) => {
      const end = Math.min(x1, tops.length ? Math.max(...tops.map((t) => t.rate)) / roof.rate : x1, y1 / roof.rate), start = Math.max(x0, y0 / roof.rate);
      draw(svg, "line", { x1: X(start), y1: Y(start * roof.rate), x2: X(end), y2: Y(end * roof.rate), stroke: "#1c2126", "stroke-width": 1.3, "stroke-dasharray": i ? 8 - 2 * i : "none" });
      const angle = Math.atan2(Y(10) - Y(1), X(10) - X(1)) * 180 / Math.PI;
      draw(svg, "text", { transform: `translate(${X(start) + 8} ${Y(start * roof.rate) - 8}) rotate(${angle})` }, roof.label);
    });
    for (const ceiling of tops) {
      const start = Math.max(x0, ...roofs.slice(0, 1).map((roof) => ceiling.rate / roof.rate));
      draw(svg, "line", { x1: X(start), x2: width - right, y1: Y(ceiling.rate), y2: Y(ceiling.rate), stroke: "#5b6670", "stroke-width": 1.3 });
      draw(svg, "text", { x: width - right - 4, y: Y(ceiling.rate) - 5, "text-anchor": "end" }, ceiling.label);
    }
    const hidden = new Set();
    for (const p of points) p.mark = mark(svg, p.shape, X(p.x), Y(p.y), { fill: "#ffffff00", stroke: p.colour, "stroke-width": 1.6 });
    const legends = ["series", "case"].map((key) => {
      const legend = box.appendChild(document.createElement("p"));
      legend.className = "legend";
      for (const name of new Set(points.map((p) => p[key]))) {
        const button = legend.appendChild(document.createElement("button"));
        button.type = "button";
        button.setAttribute("aria-pressed", "true");
        const first = points.find((p) => p[key] === name);
        if (key === "series") mark(draw(button, "svg", { viewBox: "-7 -7 14 14" }), first.shape, 0, 0, { fill: "none", stroke: first.colour, "stroke-width": 1.6 });
        button.append(name);
        button.addEventListener("click", () => {
          const id = `${key} ${name}`;
          button.setAttribute("aria-pressed", String(hidden.has(id)));
          if (!hidden.delete(id)) hidden.add(id);
          for (const p of points) p.mark.style.display = hidden.has(`series ${p.series}`) || hidden.has(`case ${p.case}`) ? "none" : "";
        });
      }
      return legend;
    });
    const tip = box.appendChild(document.createElement("div"));
    tip.className = "tip";
    tip.hidden = true;
    svg.addEventListener("pointermove", (event) => {
      const area = svg.getBoundingClientRect(), factor = width / area.width;
      const [x, y] = [(event.clientX - area.left) * factor, (event.clientY - area.top) * factor];
      const distance = (p) => Math.hypot(X(p.x) - x, Y(p.y) - y);
      const near = points.filter((p) => p.mark.style.display === "" && distance(p) < 14).sort((a, b) => distance(a) - distance(b)).slice(0, 4);
      tip.hidden = near.length === 0;
      tip.replaceChildren(...near.map((p) => Object.assign(document.createElement("div"), { textContent: `${p.series}, ${p.case}: ${p.text}` })));
      tip.style.left = `${Math.min(event.clientX - area.left + 24, area.width - 180)}px`;
      tip.style.top = `${event.clientY - area.top + 24}px`;
    });
    svg.addEventListener("pointerleave", () => { tip.hidden = true; });
    return legends;
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    for (const body of bodies(table)) setOpen(body, false);
    for (const button of table.tHead.querySelectorAll("button.sort")) button.addEventListener("click", () => sort(table, button.parentElement));
    table.addEventListener("click", (event) => {
      const button = event.target.closest("button.open");
      if (button) setOpen(button.closest("tbody"), button.getAttribute("aria-expanded") !== "true");
    });
  }
  for (const form of document.querySelectorAll("form.tools")) setUpTools(form);
  for (const box of document.querySelectorAll(".interactive")) setUpRoofline(box);
  addEventListener("hashchange", showTarget);
  showTarget();
  const closed = () => document.querySelectorAll("details:not([open])");  // on paper nothing can be opened
  addEventListener("beforeprint", () => { for (const details of closed()) details.open = true; });
})();
