"use strict";
// Brings the page to life: folds, tabs, sorting, choosing rows, interactive rooflines. Without it everything is shown.
(() => {
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
    const numeric = bodies(table).some((body) => body.rows[0].cells[header.cellIndex].dataset.value !== undefined);
    const now = header.getAttribute("aria-sort"), fastestFirst = numeric && !/\bs$/.test(header.textContent.trim());
    const down = now ? now === "ascending" : fastestFirst;
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", down ? "descending" : "ascending");
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
    if (all) all.addEventListener("click", () => {
      const open = all.getAttribute("aria-expanded") !== "true";
      all.setAttribute("aria-expanded", String(open));
      all.textContent = open ? "Close all details" : "Open all details";
      for (const body of bodies(table)) setOpen(body, open);
    });
    choose(form, table);
  }

  // One part at a time: by tabs, or by a list where there are many.
  function choice(parent, label, names, show) {
    if (names.length < 2) return show(0), () => {};
    if (names.length > (innerWidth < 640 ? 4 : 12)) {
      const field = Object.assign(document.createElement("label"), { className: "choose", textContent: `${label} ` });
      const select = field.appendChild(document.createElement("select"));
      for (const name of names) select.append(new Option(name));
      select.addEventListener("change", () => show(select.selectedIndex));
      parent.prepend(field);
      const pick = (i) => { select.selectedIndex = i; show(i); };
      return pick(0), pick;
    }
    const list = Object.assign(document.createElement("div"), { className: "tablist" });
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-label", label);
    const buttons = names.map((name) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: name });
      button.setAttribute("role", "tab");
      list.append(button);
      return button;
    });
    const pick = (i) => {
      buttons.forEach((button, k) => { button.setAttribute("aria-selected", String(k === i)); button.tabIndex = k === i ? 0 : -1; });
      show(i, buttons);
    };
    buttons.forEach((button, i) => button.addEventListener("click", () => pick(i)));
    list.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = (buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length;
      pick(next);
      buttons[next].focus();
    });
    parent.prepend(list);
    return pick(0), pick;
  }

  function setUpTabs(box) {
    const tabs = Array.from(box.children).filter((child) => child.classList.contains("tab"));
    const pick = choice(box, box.dataset.label, tabs.map((tab) => tab.dataset.label), (i) => {
      tabs.forEach((tab, k) => tab.classList.toggle("chosen", k === i));
      tabs[i].dispatchEvent(new Event("shown"));
    });
    tabs.forEach((tab, i) => {
      tab.setAttribute("role", "tabpanel");
      tab.setAttribute("aria-label", tab.dataset.label);
      tab.addEventListener("choose", () => pick(i));
    });
  }

  // What a box has fills the screen as a slide of 16:9 (page.css), with the choice of models. The button goes to `place`.
  const models = document.querySelector(".models"), boxes = Array.from(document.querySelectorAll(".models input"));
  function offerFullScreen(box, place) {
    if (!document.fullscreenEnabled) return;
    place.classList.add("bar");
    const button = place.appendChild(Object.assign(document.createElement("button"), { type: "button", className: "full", textContent: "Full screen" }));
    button.addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : box.requestFullscreen()));
  }

  // Where a link leads, and the models that it hides: "#roofline&hide=cuda,opencl".
  const address = () => location.hash.slice(1).split("&hide=");

  // What is of a model that is not chosen is hidden: in the matrix, in bars and rooflines, and in the images of plots. The
  // address says so, for others to see the same.
  const images = Array.from(document.querySelectorAll(".plot img"), (image) => ({ image, whole: image.src }));
  const rule = document.head.appendChild(document.createElement("style"));
  function showModels() {
    const hidden = boxes.filter((box) => !box.checked).map((box) => box.value);
    const style = (select) => (hidden.length ? `${hidden.map(select).join()}{display:none}` : "");
    rule.textContent = style((name) => `:not(tbody)[data-model=${JSON.stringify(name)}]`);
    const within = style((name) => `[id^=${JSON.stringify(`model-${name}-`)}]`);
    for (const { image, whole } of images) {
      const [head, data] = whole.split(",");
      image.src = within ? `${head},${btoa(atob(data).replace(/<\/svg>\s*$/, `<style>${within}</style></svg>`))}` : whole;
    }
    if (models) models.firstElementChild.textContent = `Models shown${hidden.length ? `: ${boxes.length - hidden.length} of ${boxes.length}` : ""}`;
    const hash = `#${address()[0]}${hidden.length ? `&hide=${hidden.map(encodeURIComponent).join()}` : ""}`;
    if (hash !== (location.hash || "#")) history.replaceState(null, "", hash);
  }

  function followAddress() {
    const hidden = address()[1];
    if (hidden !== undefined) for (const box of boxes) box.checked = !hidden.split(",").map(decodeURIComponent).includes(box.value);
    showModels();
    showTarget();
  }

  // A link shows what it leads to, in whatever tab or fold, whatever is chosen, and a row with its details.
  function showTarget() {
    const target = document.getElementById(decodeURIComponent(address()[0]));
    if (!target) return;
    for (let around = target; around; around = around.parentElement) {
      if (around.tagName === "DETAILS") around.open = true;
      if (around.classList.contains("tab")) around.dispatchEvent(new Event("choose"));
    }
    const form = target.tagName === "TBODY" && document.querySelector(`form[data-for="${target.closest("table").id}"]`);
    if (form && target.hidden) form.reset();
    if (target.tagName === "TBODY") {
      target.hidden = false;
      setOpen(target, true);
    }
    (target.rows ? target.rows[0] : target).scrollIntoView({ block: target.rows ? "center" : "start" });
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

  // Log-log: GFLOP/s over FLOP/byte, a problem at a time, drawn for the width that there is.
  function setUpRoofline(box) {
    const { cases } = JSON.parse(box.dataset.chart), place = document.createElement("div");
    let current = 0, lit = "";
    box.append(place);
    const legend = box.appendChild(Object.assign(document.createElement("div"), { className: "legends" }));
    const tip = box.appendChild(Object.assign(document.createElement("div"), { className: "tip", hidden: true }));

    function light(key) {
      box.classList.toggle("lit", key !== "");
      for (const group of place.querySelectorAll(".point")) group.classList.toggle("lit", group.dataset.model === key || group.dataset.variant === key);
    }

    // Powers of ten; over few of them 2 and 5 as well.
    function ticks(low, high) {
      const all = [];
      for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power += 1) all.push(...(high / low < 3000 ? [1, 2, 5] : [1]).map((m) => m * 10 ** power));
      return all.filter((v) => v >= low && v <= high);
    }

    // Places for labels that want to be at these heights, in their order, none over another.
    function apart(heights, gap, lowest) {
      const places = [...heights];
      for (let i = 1; i < places.length; i += 1) places[i] = Math.max(places[i], places[i - 1] + gap);
      for (let i = places.length - 1, most = lowest; i >= 0; i -= 1, most = places[i + 1] - gap) places[i] = Math.min(places[i], most);
      return places;
    }

    function paint() {
      // In full screen, for a lecture, the chart fills what there is, in letters half as large again.
      const full = document.fullscreenElement === box, zoom = full ? 1.5 : 1;
      const width = place.clientWidth / zoom, { points, roofs, tops } = cases[current], wide = width > 620;
      if (width < 100) return;
      place.replaceChildren();
      const named = points.filter((p) => wide || p.best).sort((a, b) => b.y - a.y);
      const height = full ? (place.clientWidth * 9 / 16 - header.offsetHeight - legend.offsetHeight - 24) / zoom : Math.max(wide ? 430 : 340, 15 * named.length + 80), [left, top, right, bottom] = [52, 10, 10, 40];
      const highest = Math.max(...tops.map((t) => t.rate), ...points.map((p) => p.y));
      const ridges = tops.length ? roofs.map((r) => highest / r.rate) : [], xs = [...points.map((p) => p.x), ...ridges];
      const [x0, x1] = [Math.min(...xs) / (wide ? 12 : 6), Math.max(...xs) * (wide ? 8 : 4)], [y0, y1] = [Math.min(...points.map((p) => p.y)) / 2.5, highest * 1.8];
      const scale = (v, a, b, from, to) => from + (to - from) * Math.log(v / a) / Math.log(b / a);
      const X = (v) => scale(v, x0, x1, left, width - right), Y = (v) => scale(v, y0, y1, height - bottom, top);
      const svg = draw(place, "svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${cases[current].name}: ${points.length} runs under the roofs; all are in the table of runs` });
      const text = (value) => String(Number(value.toPrecision(3)));
      for (const v of ticks(x0, x1)) {
        draw(svg, "line", { x1: X(v), x2: X(v), y1: top, y2: height - bottom, stroke: "#e3e7ea" });
        draw(svg, "text", { x: X(v), y: height - bottom + 15, "text-anchor": "middle" }, text(v));
      }
      for (const v of ticks(y0, y1)) {
        draw(svg, "line", { x1: left, x2: width - right, y1: Y(v), y2: Y(v), stroke: "#e3e7ea" });
        draw(svg, "text", { x: left - 6, y: Y(v) + 4, "text-anchor": "end" }, text(v));
      }
      draw(svg, "text", { x: (left + width) / 2, y: height - 6, "text-anchor": "middle" }, "operational intensity (FLOP/byte)");
      draw(svg, "text", { transform: `translate(12 ${height / 2}) rotate(-90)`, "text-anchor": "middle" }, "performance (GFLOP/s)");
      // Roofs are named along their lines, those in use with the unit; of two that are close the second further along.
      const ceiling = tops.length ? Math.max(...tops.map((t) => t.rate)) : y1, angle = Math.atan2(Y(10) - Y(1), X(10) - X(1));
      const places = [8, 64, 120].map((along) => ({ along, last: Infinity }));
      roofs.forEach((roof, i) => {
        const start = Math.max(x0, y0 / roof.rate), end = Math.max(start, Math.min(x1, ceiling / roof.rate));
        const thin = roof.used ? "" : " thin";   // of a level that no best run uses
        draw(svg, "line", { class: `roof${thin}`, x1: X(start), y1: Y(start * roof.rate), x2: X(end), y2: Y(end * roof.rate), "stroke-dasharray": i ? `${9 - 2 * i} 3` : "none" });
        if (roof.slow && !thin) draw(svg, "polygon", { class: "noise", points: [[start, roof.rate], [end, roof.rate], [end, roof.slow], [start, roof.slow]].map(([x, rate]) => `${X(x)},${Math.min(height - bottom, Y(x * rate))}`).join(" ") });
        const free = places.find(({ last }) => (Y(x0 * roof.rate) - Y(x0 * last)) * Math.cos(angle) > 15) || places[0];
        free.last = roof.rate;
        const [x, y] = [X(start) + free.along * Math.cos(angle), Y(start * roof.rate) + free.along * Math.sin(angle)];
        draw(svg, "text", { class: `halo${thin}`, transform: `translate(${x + 5 * Math.sin(angle)} ${y - 5 * Math.cos(angle)}) rotate(${angle * 180 / Math.PI})` }, thin ? roof.label.replace(" GB/s", "") : roof.label);
      });
      let above = -Infinity;
      for (const roof of [...tops].sort((a, b) => b.rate - a.rate)) {
        const start = Math.max(x0, ...roofs.slice(0, 1).map((r) => roof.rate / r.rate)), y = Y(roof.rate);
        draw(svg, "line", { class: "roof", x1: X(start), x2: width - right, y1: y, y2: y });
        draw(svg, "text", { class: "halo", x: width - right - 2, y: y - above < 16 ? y + 14 : y - 5, "text-anchor": "end" }, roof.label);
        above = y;
      }
      const longest = Math.max(...named.map((p) => (wide ? p.label : p.model).length));
      const labels = Math.min(Math.max(...points.map((p) => X(p.x))) + 24, width - 7.6 * longest), heights = apart(named.map((p) => Y(p.y)), 14, height - bottom - 4);
      const groups = new Map();
      for (const p of [...points].sort((a, b) => a.best - b.best)) {
        const group = draw(svg, "a", { class: "point", href: `#row-${p.id}`, "data-model": p.model, "data-variant": p.variant, "aria-label": `${p.label}: ${p.text}` });
        groups.set(p, group);
        const at = named.indexOf(p);
        if (at >= 0) {
          draw(group, "line", { x1: X(p.x) + 6, y1: Y(p.y), x2: labels - 3, y2: heights[at], stroke: p.colour, "stroke-width": 0.8 });
          draw(group, "text", { class: "halo", x: labels, y: heights[at] + 4, "font-weight": p.best ? 600 : 400 }, wide ? p.label : p.model);
        }
        mark(group, p.shape, X(p.x), Y(p.y), { fill: p.best ? p.colour : "#ffffff", "fill-opacity": p.best ? 0.85 : 0.4, stroke: p.colour, "stroke-width": 1.6 });
        group.addEventListener("pointerenter", () => show(p, X(p.x) * zoom, Y(p.y) * (place.clientHeight / height) + place.offsetTop));
        group.addEventListener("focus", () => show(p, X(p.x) * zoom, Y(p.y) * zoom + place.offsetTop));
        for (const end of ["pointerleave", "blur"]) group.addEventListener(end, () => { tip.hidden = true; });
      }
      light(lit);
    }

    function show(p, x, y) {
      tip.textContent = `${p.label}: ${p.text}`;
      tip.hidden = false;
      tip.style.left = `${Math.max(0, Math.min(x + 14, box.clientWidth - tip.offsetWidth - 4))}px`;
      tip.style.top = `${y + 14}px`;
    }

    function listModels() {
      legend.replaceChildren();
      const { points } = cases[current];
      for (const key of ["model", "variant"]) {
        const line = legend.appendChild(Object.assign(document.createElement("p"), { className: "legend" }));
        line.append(`${key} `);
        for (const name of new Set(points.map((p) => p[key]))) {
          const first = points.find((p) => p[key] === name), button = line.appendChild(Object.assign(document.createElement("button"), { type: "button" }));
          button.setAttribute("aria-pressed", "false");
          if (key === "model") button.dataset.model = name;
          const shapes = new Set(points.filter((p) => p[key] === name).map((p) => p.shape));
          if (key === "model" || shapes.size === 1) mark(draw(button, "svg", { viewBox: "-7 -7 14 14", "aria-hidden": "true" }), key === "model" ? "s" : first.shape, 0, 0, { fill: key === "model" ? first.colour : "none", stroke: key === "model" ? first.colour : "#8b949c", "stroke-width": 1.6 });
          button.append(name || "default");
          button.addEventListener("pointerenter", () => light(name));
          button.addEventListener("pointerleave", () => light(lit));
          button.addEventListener("click", () => {
            lit = lit === name ? "" : name;
            for (const other of legend.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === button && lit !== ""));
            light(lit);
          });
        }
      }
    }

    const header = document.createElement("div");
    box.prepend(header);
    offerFullScreen(box, header);
    choice(header, "Problem", cases.map((one) => one.name), (i) => { current = i; lit = ""; listModels(); paint(); });
    new ResizeObserver(paint).observe(box);
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    for (const body of bodies(table)) setOpen(body, false);
    for (const button of table.tHead.querySelectorAll("button.sort")) button.addEventListener("click", () => sort(table, button.parentElement));
    table.addEventListener("click", (event) => {
      const button = event.target.closest("button.open");
      if (button) setOpen(button.closest("tbody"), button.getAttribute("aria-expanded") !== "true");
    });
  }
  for (const details of document.querySelectorAll("details")) details.open = false;
  document.documentElement.classList.remove("loading");
  for (const form of document.querySelectorAll("form.tools")) setUpTools(form);
  for (const box of document.querySelectorAll(".tabs")) setUpTabs(box);
  for (const box of document.querySelectorAll(".roofline")) setUpRoofline(box);
  for (const figure of document.querySelectorAll("figure:has(img)")) offerFullScreen(figure, figure.lastElementChild);
  for (const box of document.querySelectorAll(".matrix, .tab:has(> div > .by)")) {
    box.prepend(document.createElement("div"));
    offerFullScreen(box, box.firstElementChild);
  }
  if (models) {
    const usual = models.parentElement;
    document.addEventListener("fullscreenchange", () => (document.fullscreenElement?.querySelector(".bar") || usual).append(models));
    models.addEventListener("change", showModels);
  }
  addEventListener("hashchange", followAddress);
  followAddress();
  // On paper nothing can be opened, but what was folded away is folded again afterwards.
  let folded = [];
  addEventListener("beforeprint", () => { folded = Array.from(document.querySelectorAll("details:not([open])")); for (const details of folded) details.open = true; });
  addEventListener("afterprint", () => { for (const details of folded) details.open = false; });
})();
