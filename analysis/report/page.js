"use strict";
// Brings the tables of the page to life: sorting, choosing rows, opening details. Without it everything is shown.
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
    const keys = new Map(bodies(table).map((body) => [body, keyOf(body, header.cellIndex, header.dataset.sort === "number")]));
    const sorted = bodies(table).sort((a, b) => {
      const [x, y] = [keys.get(a), keys.get(b)];
      return down && x !== null && y !== null ? compare(y, x) : compare(x, y);
    });
    table.append(...sorted);
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
      const fits = wanted.every((field) => field.name === "show"
        ? body.dataset.show.split(" ").includes(field.value)
        : body.dataset[field.name] === field.value);
      body.hidden = !fits;
      shown += fits;
    }
    form.querySelector(".count").textContent = `${shown} of ${bodies(table).length} ${table.dataset.unit} shown`;
  }

  function setUpTools(form) {
    const table = document.getElementById(form.dataset.for);
    form.hidden = false;
    form.addEventListener("change", () => choose(form, table));
    form.addEventListener("submit", (event) => event.preventDefault());
    // A form's fields are reset after this event.
    form.addEventListener("reset", () => setTimeout(() => choose(form, table)));
    const all = form.querySelector(".open-all");
    if (!all) return;
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
    if (target.hidden) {
      const form = document.querySelector(`form[data-for="${target.closest("table").id}"]`);
      form.reset();
      choose(form, target.closest("table"));
    }
    setOpen(target, true);
    target.rows[0].scrollIntoView({ block: "center" });
  }

  for (const table of document.querySelectorAll("table")) {
    for (const body of bodies(table)) setOpen(body, false);
  }
  for (const table of document.querySelectorAll("table.sortable")) {
    for (const header of table.tHead.rows[0].querySelectorAll("th[data-sort]")) {
      header.querySelector("button").addEventListener("click", () => sort(table, header));
    }
    table.addEventListener("click", (event) => {
      const button = event.target.closest("button.open");
      if (button) setOpen(button.closest("tbody"), button.getAttribute("aria-expanded") !== "true");
    });
  }
  for (const form of document.querySelectorAll("form.tools")) setUpTools(form);
  addEventListener("hashchange", showTarget);
  showTarget();

  // On paper nothing can be opened.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = Array.from(document.querySelectorAll("details:not([open])"));
    for (const details of closed) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of closed) details.open = false;
  });
})();
